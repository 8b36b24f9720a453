"""PyTorch's functions as rows of minitape's table, where it has a row for them.

What stands in no table stays a row of its own, `torch.layer_norm`: it is drawn and explained all
the same, by the gradient that PyTorch computes; only its formula is not known.
`tests/real_torch/test_operations.py` computes each row here once more with minitape's kernel and
rules, and compares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from minitape.engine.ops import further

from ..row import Row
from . import fused
from .tensors import NUMPYS, any_of

# no function of minitape's is called here that would load them
for table in iter_modules(further.__path__, f"{further.__name__}."):
    import_module(table.name)


class Call(NamedTuple):
    """An operation as minitape writes it: its name, what it takes (tensors and numbers), and its
    attributes.
    """

    op: str
    operands: Sequence[Any]
    attributes: dict[str, Any] | None = None


Translation = Callable[[tuple[Any, ...], Mapping[str, Any], Any], Call | None]

# one input, no attributes
UNARY = {
    name: name.capitalize()
    for name in (
        "exp expm1 log log1p sqrt rsqrt square reciprocal sin cos tan asin acos atan sinh cosh tanh "
        "asinh acosh atanh sigmoid abs sign floor ceil neg relu relu6 erf erfc erfinv lgamma digamma "
        "selu softsign"
    ).split()
} | {
    "negative": "Neg",
    "absolute": "Abs",
    "round": "Rint",
    "clone": "Identity",
    "contiguous": "Identity",
    "detach": "StopGradient",
    "data": "StopGradient",
    "logical_not": "LogicalNot",
    "isnan": "IsNan",
}
BINARY = {
    "add": "Add",
    "sub": "Sub",
    "subtract": "Sub",
    "mul": "Mul",
    "multiply": "Mul",
    "div": "Div",
    "divide": "Div",
    "true_divide": "Div",
    "pow": "Pow",
    "__pow__": "Pow",
    "maximum": "Maximum",
    "minimum": "Minimum",
    "remainder": "FloorMod",
    "floor_divide": "FloorDiv",
    "atan2": "Atan2",
    "lt": "Less",
    "le": "LessEqual",
    "gt": "Greater",
    "ge": "GreaterEqual",
    "eq": "Equal",
    "ne": "NotEqual",
}
SWAPPED = {"__rsub__": "Sub", "__rdiv__": "Div", "__rtruediv__": "Div", "__rpow__": "Pow"}
REDUCTIONS = {
    "sum": "Sum",
    "mean": "Mean",
    "prod": "Prod",
    "amax": "Max",
    "amin": "Min",
    "max": "Max",
    "min": "Min",
    "logsumexp": "LogSumExp",
}
RESHAPES = "reshape view flatten unflatten squeeze unsqueeze view_as reshape_as ravel"
PERMUTES = "permute transpose t mT swapaxes"
CASTS = "to float double half type long int bool type_as"
IN_PLACE = {"__iadd__": "add", "__isub__": "sub", "__imul__": "mul", "__itruediv__": "div"}


def translate(name: str, args: tuple[Any, ...], named: Mapping[str, Any], result: Any) -> Call:
    """Return how minitape writes a call of a function of PyTorch's that gave this result."""
    row = TABLE.get(name)
    call = row(args, named, result) if row is not None else None
    if call is not None:
        return call
    return Call(other(name), tensors_in((args, named)))


def other(name: str) -> str:
    """Return the name of the row of a function that stands in no table."""
    op = f"torch.{IN_PLACE.get(name, name).strip('_')}"
    # a formula of its own says only what the function does with its defaults
    return f"{op}(…)" if op in fused.ROWS else op


def tensors_in(value: Any) -> list[Tensor]:
    """Return the tensors in the arguments of a function, in order."""
    if isinstance(value, Tensor):
        return [value]
    if type(value) is dict:
        value = value.values()
    elif not isinstance(value, (tuple, list)):
        return []
    result: list[Tensor] = []
    for each in value:  # a call for each container, not for each value
        if isinstance(each, Tensor):
            result.append(each)
        elif isinstance(each, (tuple, list, dict)):
            result += tensors_in(each)
    return result


def _plain(named: Mapping[str, Any], *harmless: str) -> bool:
    """True where no argument by name says more than its default does."""
    return not any(
        value not in (None, False) for name, value in named.items() if name not in harmless
    )


def _unary(op: str) -> Translation:
    def row(args: Any, named: Any, result: Any) -> Call | None:
        return Call(op, args[:1]) if len(args) == 1 and _plain(named, "memory_format") else None

    return row


def _binary(op: str, swapped: bool = False) -> Translation:
    def row(args: Any, named: Any, result: Any) -> Call | None:
        if len(args) != 2 or named.get("alpha", 1) != 1 or named.get("rounding_mode") is not None:
            return None
        return Call(op, args[::-1] if swapped else args)

    return row


def _reduction(op: str) -> Translation:
    def row(args: Any, named: Any, result: Any) -> Call | None:
        if not isinstance(result, Tensor) or len(args) > 1 and isinstance(args[1], Tensor):
            return None
        if named.get("dtype") is not None:
            return None
        axis = args[1] if len(args) > 1 else named.get("dim", named.get("axis"))
        keeps = args[2] if len(args) > 2 else named.get("keepdim", False)
        axis = tuple(axis) if isinstance(axis, (list, torch.Size)) else axis
        whole = axis is None or axis == ()
        return Call(op, args[:1], {"axis": None if whole else axis, "keepdims": bool(keeps)})

    return row


def _matmul(args: Any, named: Any, result: Any) -> Call | None:
    flat = any(tensor.ndim < 2 for tensor in args)
    return None if flat or len(args) != 2 else Call("MatMul", args)


def _reshape(args: Any, named: Any, result: Any) -> Call:
    return Call("Reshape", args[:1], {"shape": tuple(result.shape)})


def _permute(args: Any, named: Any, result: Any) -> Call | None:
    """The order of the axes, read off what became of their places."""
    first, ndim = args[0], result.ndim
    if len(args) == 1 and ndim > 2:  # mT
        perm = (*range(ndim - 2), ndim - 1, ndim - 2)
    elif len(args) == 2 and isinstance(args[1], (tuple, list)) or len(args) == ndim + 1 != 3:
        perm = tuple(axis % ndim for axis in (args[1] if len(args) == 2 else args[1:]))
    elif len(args) == 3 or ndim == 2:
        a, b = (axis % ndim for axis in (args[1:] if len(args) == 3 else (0, 1)))
        perm = tuple(b if axis == a else a if axis == b else axis for axis in range(ndim))
    else:
        return None
    return Call("Transpose", (first,), {"perm": perm})


def _expand(args: Any, named: Any, result: Any) -> Call:
    return Call("BroadcastTo", args[:1], {"shape": tuple(result.shape)})


def _joined(op: str) -> Translation:
    def row(args: Any, named: Any, result: Any) -> Call:
        axis = args[1] if len(args) > 1 else named.get("dim", named.get("axis", 0))
        return Call(op, tuple(args[0]), {"axis": axis})

    return row


def _index(args: Any, named: Any, result: Any) -> Call | None:
    key = args[1] if type(args[1]) is tuple else (args[1],)
    simple = all(type(k) in (int, slice, type(None), type(...)) for k in key)
    return Call("StridedSlice", args[:1], {"key": key}) if simple else None


def _cast(args: Any, named: Any, result: Any) -> Call | None:
    if result.dtype not in NUMPYS and result.dtype.is_floating_point:
        return None
    with suppress(TypeError):  # one that NumPy has not
        dtype = np.dtype(str(result.dtype).removeprefix("torch."))
        return Call("Cast", args[:1], {"dtype": dtype})
    return None


def _where(args: Any, named: Any, result: Any) -> Call | None:
    return Call("Select", args) if len(args) == 3 else None


def _clamp(args: Any, named: Any, result: Any) -> Call | None:
    low = args[1] if len(args) > 1 else named.get("min")
    high = args[2] if len(args) > 2 else named.get("max")
    if low is None or high is None:
        known = high if low is None else low
        return (
            None
            if known is None
            else Call("Minimum" if low is None else "Maximum", (args[0], known))
        )
    return Call("ClipByValue", (args[0], low, high))


def _running(op: str) -> Translation:
    def row(args: Any, named: Any, result: Any) -> Call | None:
        axis = args[1] if len(args) > 1 else named.get("dim", named.get("axis"))
        about = {"axis": axis, "exclusive": False, "reverse": False}
        return Call(op, args[:1], about) if named.get("dtype") is None else None

    return row


def _along(op: str) -> Translation:
    def row(args: Any, named: Any, result: Any) -> Call | None:
        axis = args[1] if len(args) > 1 else named.get("dim")
        last = axis is not None and axis % max(1, result.ndim) == result.ndim - 1
        return Call(op, args[:1], {"axis": -1}) if last and named.get("dtype") is None else None

    return row


def _leaky(args: Any, named: Any, result: Any) -> Call:
    slope = args[1] if len(args) > 1 else named.get("negative_slope", 0.01)
    return Call("LeakyRelu", args[:1], {"alpha": slope})


def _elu(args: Any, named: Any, result: Any) -> Call | None:
    alpha = args[1] if len(args) > 1 else named.get("alpha", 1.0)
    return Call("Elu", args[:1]) if alpha == 1 else None


def _gelu(args: Any, named: Any, result: Any) -> Call:
    return Call("Gelu" if named.get("approximate", "none") == "none" else "GeluTanh", args[:1])


def _einsum(args: Any, named: Any, result: Any) -> Call | None:
    operands = args[1] if len(args) == 2 and isinstance(args[1], (tuple, list)) else args[1:]
    plain = isinstance(args[0], str) and "." not in args[0] and "->" in args[0]
    return Call("Einsum", operands, {"equation": args[0].replace(" ", "")}) if plain else None


def _linear(args: Any, named: Any, result: Any) -> Call | None:
    operands = tensors_in((args, named))
    return Call("torch.linear", operands) if operands[0].ndim > 1 else None


def _cross_entropy(args: Any, named: Any, result: Any) -> Call | None:
    x, t, *more = args
    usual = {"reduction": "mean", "ignore_index": -100, "label_smoothing": 0.0}
    plain = not more and all(
        value is None or value == usual.get(name) for name, value in named.items()
    )
    fits = plain and x.ndim == 2 and t.ndim == 1 and not any_of(t < 0)
    return Call("torch.cross_entropy", (x, t)) if fits else None


def _layer_norm(args: Any, named: Any, result: Any) -> Call | None:
    given = dict(zip(("input", "normalized_shape", "weight", "bias", "eps"), args)) | dict(named)
    operands = [given.get(name) for name in ("input", "weight", "bias")]
    if any(each is None for each in operands):
        return None
    axis = tuple(range(-len(given["normalized_shape"]), 0))
    attributes = {"axis": axis, "epsilon": given.get("eps", 1e-5)}
    return Call("torch.layer_norm", operands, attributes)


def _attention(args: Any, named: Any, result: Any) -> Call | None:
    plain = len(args) == 3 and _plain(named, "scale") and named.get("scale") is None
    return Call("torch.scaled_dot_product_attention", args) if plain else None


TABLE: dict[str, Translation] = {
    **{name: _unary(op) for name, op in UNARY.items()},
    **{name: _binary(op) for name, op in BINARY.items()},
    **{name: _binary(op, True) for name, op in SWAPPED.items()},
    **{name: _reduction(op) for name, op in REDUCTIONS.items()},
    **dict.fromkeys(("matmul", "mm", "bmm", "__matmul__"), _matmul),
    **dict.fromkeys(RESHAPES.split(), _reshape),
    **dict.fromkeys(PERMUTES.split(), _permute),
    "T": lambda args, named, result: _permute(args, named, result) if result.ndim == 2 else None,
    **dict.fromkeys(CASTS.split(), _cast),
    **dict.fromkeys(("cat", "concat", "concatenate"), _joined("Concat")),
    **dict.fromkeys(("expand", "broadcast_to", "expand_as"), _expand),
    **dict.fromkeys(("clamp", "clip"), _clamp),
    "cumsum": _running("Cumsum"),
    "cumprod": _running("Cumprod"),
    "stack": _joined("Pack"),
    "__getitem__": _index,
    "where": _where,
    "softmax": _along("Softmax"),
    "log_softmax": _along("LogSoftmax"),
    "leaky_relu": _leaky,
    "elu": _elu,
    "linear": _linear,
    "cross_entropy": _cross_entropy,
    "layer_norm": _layer_norm,
    "scaled_dot_product_attention": _attention,
    "gelu": _gelu,
    "einsum": _einsum,
}

# {row: PyTorch's function}; of several that are one row the first
NAMES = {op: name for name, op in reversed([*UNARY.items(), *BINARY.items(), *REDUCTIONS.items()])}
NAMES |= {
    "MatMul": "matmul",
    "Reshape": "reshape",
    "Transpose": "permute",
    "Cast": "to",
    "Concat": "cat",
    "Pack": "stack",
    "Cumsum": "cumsum",
    "Cumprod": "cumprod",
    "BroadcastTo": "expand",
    "ClipByValue": "clamp",
    "Select": "where",
    "Softmax": "softmax",
    "LogSoftmax": "log_softmax",
    "LeakyRelu": "leaky_relu",
    "Elu": "elu",
    "Gelu": "gelu",
    "GeluTanh": "gelu",
    "Einsum": "einsum",
    "StridedSlice": "x[...]",
}


def title(op: str) -> str:
    """Return what learners of PyTorch know a row by: `F.cross_entropy`, `torch.clamp`."""
    name = NAMES.get(op, op.removeprefix("torch.").removesuffix("(…)"))
    if not name.isidentifier() or name == op:
        return name
    if name in OWN or not (hasattr(torch, name) or hasattr(torch.nn.functional, name)):
        return f"F.{name}" if name in OWN else f"Tensor.{name}" if hasattr(Tensor, name) else name
    return f"torch.{name}" if hasattr(torch, name) else f"F.{name}"


# in `torch` by another door, and known as functions of `torch.nn.functional`
OWN = ("layer_norm", "batch_norm", "dropout", "embedding", "conv1d", "conv2d", "conv3d")


@cache
def plain(op: str, count: int) -> Row:
    """Return a row without attributes, which takes so many inputs: one for all such operations."""
    return Row(op, range(count))


# {(function, how many arguments): row} where they are all that it takes
PLAIN = {
    **{(name, 1): plain(op, 1) for name, op in UNARY.items()},
    **{(name, 2): plain(op, 2) for name, op in BINARY.items()},
    ("linear", 3): plain("torch.linear", 3),
}


def plain_rows(name: str) -> dict[int, Row]:
    """Return {how many arguments: row} of a function's calls that need no look at these."""
    return {n: row for (of, n), row in PLAIN.items() if of == name != "linear"}


def plain_row(name: str, args: tuple[Any, ...], named: Mapping[str, Any] | None) -> Row | None:
    """Return the row of a call whose arguments, in order, are all that it takes in: what
    `translate` says, sooner; None for any other.
    """
    for value in named.values() if named else ():
        # what stands in no table has one row, whatever else is said
        if value is not None and value is not False and (type(value) is not str or name in TABLE):
            return None
    row = PLAIN.get((name, len(args)))
    if name == "linear" and (args[0].ndim < 2 or args[-1] is None):
        return None
    if row is None and name not in TABLE:
        for value in args:
            if not isinstance(value, Tensor):
                return None
        row = unknown(name, len(args))
    return row


@cache
def unknown(name: str, count: int) -> Row:
    """Return the row of a function that stands in no table."""
    return plain(other(name), count)
