"""TensorFlow's operations as rows of minitape's table, where it has a row for them.

TensorFlow gives axes, shapes and sizes to an operation as further tensors, or packs them into
masks; minitape's rows take them as attributes. Here one becomes the other. What stands in no table
stays a row of its own: it is drawn and explained all the same, by the gradient that TensorFlow
computes; only its formula is not known. `tests/real_tensorflow/test_operations.py` computes each
row here once more with minitape's kernel and rules, and compares.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import numpy as np
from tensorflow.python.framework import dtypes

from minitape.engine.ops import further
from minitape.engine.ops.facts import names_in_tensorflow

from ..row import Row

# no function of minitape's is called here that would load them
for table in iter_modules(further.__path__, f"{further.__name__}."):
    import_module(table.name)


SAME = names_in_tensorflow()  # the same inputs, no attributes
ATTRIBUTES = {"Softmax": {"axis": -1}, "LogSoftmax": {"axis": -1}}


def translate(op: str, values: Sequence[Any], given: Mapping[str, Any]) -> Row:
    """Return the row of an operation: `values` are the arrays of its inputs, `given` its
    attributes.

    What has no row is called "tf.NAME": minitape may have that name for something else, in a part
    that is loaded later.
    """
    row = plain(op, len(values)) or (TABLE[op](values, given) if op in TABLE else None)
    return row or Row(f"tf.{op}", range(len(values)))


@functools.cache
def plain(op: str, count: int) -> Row | None:
    """Return the row of an operation that minitape has with the same inputs and no attributes, or
    None.
    """
    return Row(SAME[op], range(count), ATTRIBUTES.get(op)) if op in SAME else None


def _numbers(value: Any) -> tuple[int, ...]:
    return tuple(np.asarray(value).ravel().tolist())


def _axes(value: Any) -> Any:
    return tuple(np.asarray(value).tolist()) if np.ndim(value) else int(value)


def _over_axes(name: str) -> Callable[..., Row]:
    def row(values: Sequence[Any], given: Mapping[str, Any]) -> Row:
        axis = _axes(values[1])
        whole = isinstance(axis, tuple) and sorted(
            a % max(1, np.ndim(values[0])) for a in axis
        ) == list(range(np.ndim(values[0])))
        return Row(
            name, (0,), {"axis": None if whole else axis, "keepdims": bool(given["keep_dims"])}
        )

    return row


def _along(name: str) -> Callable[..., Row]:
    def row(values: Sequence[Any], given: Mapping[str, Any]) -> Row:
        return Row(
            name,
            (0,),
            {
                "axis": int(values[1]),
                "exclusive": bool(given["exclusive"]),
                "reverse": bool(given["reverse"]),
            },
        )

    return row


def _product(first: str, second: str) -> Callable[..., Row | None]:
    """A matrix product. Where a side is turned first, the row has no name in minitape's table."""

    def row(values: Sequence[Any], given: Mapping[str, Any]) -> Row | None:
        return None if given[first] or given[second] else Row("MatMul", (0, 1))

    return row


def _reshape(values: Sequence[Any], given: Mapping[str, Any]) -> Row:
    size, shape = np.size(values[0]), list(_numbers(values[1]))
    if -1 in shape:
        rest = int(np.prod([n for n in shape if n != -1]))
        shape[shape.index(-1)] = size // rest if rest else 0
    return Row("Reshape", (0,), {"shape": tuple(shape)})


def _expand_dims(values: Sequence[Any], given: Mapping[str, Any]) -> Row:
    return Row(
        "Reshape",
        (0,),
        {"shape": np.expand_dims(values[0], int(np.asarray(values[1]).reshape(()))).shape},
    )


def _squeeze(values: Sequence[Any], given: Mapping[str, Any]) -> Row:
    axes = given["squeeze_dims"]
    return Row(
        "Reshape", (0,), {"shape": np.squeeze(values[0], tuple(axes) if axes else None).shape}
    )


def _strided_slice(values: Sequence[Any], given: Mapping[str, Any]) -> Row:
    """The key between the brackets, out of begin, end, strides and five masks, of which each bit
    belongs to one of its parts.
    """

    def bit(mask: str, k: int) -> bool:
        return bool(given[f"{mask}_mask"] >> k & 1)

    key: list[Any] = []
    for k, (begin, end, step) in enumerate(zip(*map(_numbers, values[1:4]))):
        key.append(
            Ellipsis
            if bit("ellipsis", k)
            else None
            if bit("new_axis", k)
            else begin
            if bit("shrink_axis", k)
            else slice(
                None if bit("begin", k) else begin,
                None if bit("end", k) else end,
                None if step == 1 else step,
            )
        )
    return Row("StridedSlice", (0,), {"key": tuple(key)})


def _slice(values: Sequence[Any], given: Mapping[str, Any]) -> Row:
    key = tuple(
        slice(b, None if n == -1 else b + n)
        for b, n in zip(_numbers(values[1]), _numbers(values[2]))
    )
    return Row("StridedSlice", (0,), {"key": key})


def _concat(values: Sequence[Any], given: Mapping[str, Any]) -> Row:
    return Row("Concat", range(len(values) - 1), {"axis": int(values[-1])})


def _gather(values: Sequence[Any], given: Mapping[str, Any]) -> Row | None:
    if given["batch_dims"]:
        return None
    axis = int(values[2]) if len(values) > 2 else 0
    return Row("GatherV2", (0, 1), {"axis": axis - np.ndim(values[0]) if axis >= 0 else axis})


def _paddings(values: Sequence[Any], given: Mapping[str, Any]) -> Row:
    value = values[2] if len(values) > 2 else 0
    return Row(
        "Pad", (0,), {"paddings": tuple(map(tuple, np.asarray(values[1]).tolist())), "value": value}
    )


def _split(values: Sequence[Any], given: Mapping[str, Any]) -> Row:
    axis, count = int(values[0]), given["num_split"]
    return Row("Split", (1,), {"sizes": (values[1].shape[axis] // count,) * count, "axis": axis})


def _split_sizes(values: Sequence[Any], given: Mapping[str, Any]) -> Row:
    axis, sizes = int(np.asarray(values[2]).reshape(())), list(_numbers(values[1]))
    if -1 in sizes:
        sizes[sizes.index(-1)] = values[0].shape[axis] - sum(sizes) - 1
    return Row("Split", (0,), {"sizes": tuple(sizes), "axis": axis})


def _pads(length: int, window: int, stride: int, dilation: int, padding: str) -> tuple[int, int]:
    if padding == "VALID":
        return 0, 0
    reach = (window - 1) * dilation + 1
    missing = max((-(-length // stride) - 1) * stride + reach - length, 0)
    return missing // 2, missing - missing // 2


def _plain_image(given: Mapping[str, Any]) -> bool:
    return _text(given["data_format"]) == "NHWC" and _text(given["padding"]) in ("SAME", "VALID")


def _conv(values: Sequence[Any], given: Mapping[str, Any]) -> Row | None:
    if not _plain_image(given):
        return None
    strides, dilations, padding = (
        tuple(given["strides"][1:3]),
        tuple(given["dilations"][1:3]),
        _text(given["padding"]),
    )
    pads = tuple(
        _pads(*each, padding)
        for each in zip(values[0].shape[1:3], values[1].shape, strides, dilations)
    )
    return Row(
        "Conv2D",
        (0, 1),
        {
            "strides": strides,
            "pads": pads,
            "dilations": dilations,
            "groups": values[0].shape[3] // values[1].shape[2],
        },
    )


def _pool(name: str) -> Callable[..., Row | None]:
    def row(values: Sequence[Any], given: Mapping[str, Any]) -> Row | None:
        if not _plain_image(given):
            return None
        window, strides = tuple(given["ksize"][1:3]), tuple(given["strides"][1:3])
        pads = tuple(
            _pads(n, k, s, 1, _text(given["padding"]))
            for n, k, s in zip(values[0].shape[1:3], window, strides)
        )
        return Row(name, (0,), {"window": window, "strides": strides, "pads": pads})

    return row


def _cast(values: Sequence[Any], given: Mapping[str, Any]) -> Row | None:
    kind = _dtype(given["DstT"])
    return None if kind.kind == "V" else Row("Cast", (0,), {"dtype": kind})  # NumPy has no bfloat16


def _dtype(value: Any) -> Any:
    """A type as TensorFlow has it, or its number."""
    return np.dtype(dtypes.as_dtype(value).as_numpy_dtype)


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


TABLE: dict[str, Callable[..., Row | None]] = {
    **{
        name: _over_axes(name)
        for name in ("Sum", "Mean", "Max", "Min", "Prod", "All", "Any", "EuclideanNorm")
    },
    "Cumsum": _along("Cumsum"),
    "Cumprod": _along("Cumprod"),
    "MatMul": _product("transpose_a", "transpose_b"),
    "BatchMatMulV2": _product("adj_x", "adj_y"),
    "Transpose": lambda values, given: Row("Transpose", (0,), {"perm": _numbers(values[1])}),
    "Reshape": _reshape,
    "ExpandDims": _expand_dims,
    "Squeeze": _squeeze,
    "StridedSlice": _strided_slice,
    "Slice": _slice,
    "BroadcastTo": lambda values, given: Row("BroadcastTo", (0,), {"shape": _numbers(values[1])}),
    "Tile": lambda values, given: Row("Tile", (0,), {"multiples": _numbers(values[1])}),
    "ReverseV2": lambda values, given: Row("Reverse", (0,), {"axis": _numbers(values[1])}),
    "Roll": lambda values, given: Row(
        "Roll", (0,), {"shift": _numbers(values[1]), "axis": _numbers(values[2])}
    ),
    "Pad": _paddings,
    "PadV2": _paddings,
    "ConcatV2": _concat,
    "Split": _split,
    "SplitV": _split_sizes,
    "Pack": lambda values, given: Row("Pack", range(len(values)), {"axis": given["axis"]}),
    "Unpack": lambda values, given: Row("Unpack", (0,), {"axis": given["axis"]}),
    "GatherV2": _gather,
    "ResourceGather": _gather,
    "ResourceGatherNd": lambda values, given: Row("GatherNd", (0, 1)),
    "Cast": _cast,
    "BiasAdd": lambda values, given: (
        Row("BiasAdd", (0, 1)) if _text(given["data_format"]) != "NCHW" else None
    ),
    # the old one
    "Select": lambda values, given: (
        Row("Select", (0, 1, 2)) if np.shape(values[0]) == np.shape(values[1]) else None
    ),
    "LeakyRelu": lambda values, given: Row("LeakyRelu", (0,), {"alpha": given["alpha"]}),
    "LeakyReluGrad": lambda values, given: Row("LeakyReluGrad", (0, 1), {"alpha": given["alpha"]}),
    "Einsum": lambda values, given: Row(
        "Einsum", range(len(values)), {"equation": _text(given["equation"])}
    ),
    "SoftmaxCrossEntropyWithLogits": lambda values, given: Row(
        "SoftmaxCrossEntropyWithLogits", (0, 1), None, 1
    ),
    "SparseSoftmaxCrossEntropyWithLogits": lambda values, given: Row(
        "SparseSoftmaxCrossEntropyWithLogits", (0, 1), None, 1
    ),
    "Conv2D": _conv,
    "MaxPool": _pool("MaxPool"),
    "AvgPool": _pool("AvgPool"),
    "MatrixInverse": lambda values, given: None if given["adjoint"] else Row("MatrixInverse", (0,)),
    "UnsortedSegmentSum": lambda values, given: Row(
        "UnsortedSegmentSum", (0, 1), {"num": int(values[2]), "axis": -np.ndim(values[0])}
    ),
    "UnsortedSegmentMax": lambda values, given: Row(
        "UnsortedSegmentMax", (0, 1), {"num": int(values[2])}
    ),
    "UnsortedSegmentMin": lambda values, given: Row(
        "UnsortedSegmentMin", (0, 1), {"num": int(values[2])}
    ),
    "ArgMax": lambda values, given: Row(
        "ArgMax", (0,), {"axis": int(values[1]), "dtype": _dtype(given["output_type"])}
    ),
    "ArgMin": lambda values, given: Row(
        "ArgMin", (0,), {"axis": int(values[1]), "dtype": _dtype(given["output_type"])}
    ),
}
