"""JAX's primitives as rows of minitape's table, where it has a row for them.

What stands in no table stays a row of its own, `jax.gather`: it is drawn and explained all the
same, by the derivative that `jax.vjp` computes; only its formula is not known.
`tests/real_jax/test_operations.py` computes each row here once more with minitape's kernel and
rules, and compares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules
from string import ascii_letters
from typing import Any, NamedTuple

import numpy as np

from minitape.engine.ops import further

# no function of minitape's is called here that would load them
for table in iter_modules(further.__path__, f"{further.__name__}."):
    import_module(table.name)


class Call(NamedTuple):
    """An equation as minitape writes it: its row, which of JAX's inputs it takes in, and its
    attributes; `more` are inputs that JAX has as parameters.
    """

    op: str
    places: Sequence[int]
    attributes: dict[str, Any] | None = None
    more: tuple[Any, ...] = ()


Shapes = Sequence[tuple[int, ...]]
Translation = Callable[[Mapping[str, Any], Shapes, tuple[int, ...]], Call | None]

# {primitive: row}: the same inputs, no attributes
PLAIN = {
    name: name.capitalize()
    for name in (
        "exp expm1 log log1p sqrt rsqrt square sin cos tan asin acos atan sinh cosh tanh asinh acosh "
        "atanh abs sign floor ceil neg erf erfc lgamma digamma add sub mul div pow atan2"
    ).split()
} | {
    "erf_inv": "Erfinv",
    "logistic": "Sigmoid",
    "max": "Maximum",
    "min": "Minimum",
    "add_any": "Add",
    "copy": "Identity",
    "copy_p": "Identity",
    "not": "LogicalNot",
    "and": "LogicalAnd",
    "or": "LogicalOr",
    "lt": "Less",
    "le": "LessEqual",
    "gt": "Greater",
    "ge": "GreaterEqual",
    "eq": "Equal",
    "ne": "NotEqual",
}
REDUCTIONS = {
    "reduce_sum": "Sum",
    "reduce_max": "Max",
    "reduce_min": "Min",
    "reduce_prod": "Prod",
}
# {function with a rule of JAX's own: row}
CUSTOM = {"relu": "Relu", "relu6": "Relu6"}


def translate(name: str, params: Mapping[str, Any], shapes: Shapes, shape: tuple[int, ...]) -> Call:
    """Return how minitape writes an equation that has inputs of these shapes, and an output of this
    one.
    """
    row = TABLE.get(name)
    call = row(params, shapes, shape) if row is not None else None
    if call is not None:
        return call
    places = range(len(shapes))
    if name in PLAIN:
        return Call(PLAIN[name], places)
    function = params.get("name") or getattr(params.get("call_jaxpr"), "debug_info", None)
    called = function if isinstance(function, str) else getattr(function, "func_name", name)
    return Call(CUSTOM.get(called, f"jax.{called}"), places)


def _reduction(op: str) -> Translation:
    return lambda params, shapes, shape: Call(
        op, (0,), {"axis": tuple(params["axes"]), "keepdims": False}
    )


def _reshape(params: Mapping[str, Any], shapes: Shapes, shape: tuple[int, ...]) -> Call:
    return Call("Reshape", (0,), {"shape": shape})


def _broadcast(params: Mapping[str, Any], shapes: Shapes, shape: tuple[int, ...]) -> Call | None:
    (given, *_), axes = shapes, params["broadcast_dimensions"]
    if np.prod(given) == np.prod(shape):
        return _reshape(params, shapes, shape)
    last = tuple(range(len(shape) - len(given), len(shape)))
    return Call("BroadcastTo", (0,), {"shape": shape}) if tuple(axes) == last else None


def _dot(params: Mapping[str, Any], shapes: Shapes, shape: tuple[int, ...]) -> Call:
    """A product of matrices, else an equation of `einsum`."""
    ((left, right), (left_batch, right_batch)) = params["dimension_numbers"]
    if [len(s) for s in shapes] == [2, 2] and (tuple(left), tuple(right)) == ((1,), (0,)):
        return Call("MatMul", (0, 1))
    letters = iter(ascii_letters)
    a = [next(letters) for _ in shapes[0]]
    b = [next(letters) for _ in shapes[1]]
    for i, j in (*zip(left, right), *zip(left_batch, right_batch)):
        b[j] = a[i]
    out = [a[i] for i in left_batch]
    out += [x for i, x in enumerate(a) if i not in (*left, *left_batch)]
    out += [x for j, x in enumerate(b) if j not in (*right, *right_batch)]
    equation = f"{''.join(a)},{''.join(b)}->{''.join(out)}"
    return Call("Einsum", (0, 1), {"equation": equation})


def _slice(params: Mapping[str, Any], shapes: Shapes, shape: tuple[int, ...]) -> Call:
    steps = params["strides"] or (None,) * len(shapes[0])
    ends = zip(params["start_indices"], params["limit_indices"], steps)
    return Call("StridedSlice", (0,), {"key": tuple(slice(*end) for end in ends)})


def _select(params: Mapping[str, Any], shapes: Shapes, shape: tuple[int, ...]) -> Call | None:
    return Call("Select", (0, 2, 1)) if len(shapes) == 3 else None


def _power(params: Mapping[str, Any], shapes: Shapes, shape: tuple[int, ...]) -> Call:
    y = params["y"]
    return Call("Square", (0,)) if y == 2 else Call("Pow", (0,), None, (y,))


def _round(params: Mapping[str, Any], shapes: Shapes, shape: tuple[int, ...]) -> Call | None:
    return Call("Rint", (0,)) if int(params["rounding_method"]) == 1 else None


TABLE: dict[str, Translation] = {
    **{name: _reduction(op) for name, op in REDUCTIONS.items()},
    **dict.fromkeys(("reshape", "squeeze", "expand_dims"), _reshape),
    "broadcast_in_dim": _broadcast,
    "dot_general": _dot,
    "slice": _slice,
    "select_n": _select,
    "integer_pow": _power,
    "round": _round,
    "transpose": lambda params, *_: Call("Transpose", (0,), {"perm": tuple(params["permutation"])}),
    "concatenate": lambda params, shapes, shape: Call(
        "Concat", range(len(shapes)), {"axis": params["dimension"]}
    ),
    "convert_element_type": lambda params, *_: Call(
        "Cast", (0,), {"dtype": np.dtype(params["new_dtype"])}
    ),
    "clamp": lambda params, *_: Call("ClipByValue", (1, 0, 2)),
    "argmax": lambda params, *_: Call("ArgMax", (0,), {"axis": params["axes"][0]}),
    "argmin": lambda params, *_: Call("ArgMin", (0,), {"axis": params["axes"][0]}),
    "stop_gradient": lambda *_: Call("StopGradient", (0,)),
}

# {row: what programs call it}
NAMES = {op: f"jnp.{name}" for name, op in PLAIN.items()} | {
    "Neg": "jnp.negative",
    "Sub": "jnp.subtract",
    "Mul": "jnp.multiply",
    "Div": "jnp.divide",
    "Pow": "jnp.power",
    "Maximum": "jnp.maximum",
    "Minimum": "jnp.minimum",
    "Add": "jnp.add",
    "Identity": "jnp.copy",
    "Sigmoid": "jax.nn.sigmoid",
    "Rsqrt": "lax.rsqrt",
    "Erf": "lax.erf",
    "Erfc": "lax.erfc",
    "Erfinv": "lax.erf_inv",
    "Lgamma": "lax.lgamma",
    "Digamma": "lax.digamma",
    "Less": "jnp.less",
    "LessEqual": "jnp.less_equal",
    "Greater": "jnp.greater",
    "GreaterEqual": "jnp.greater_equal",
    "Equal": "jnp.equal",
    "NotEqual": "jnp.not_equal",
    "LogicalNot": "jnp.logical_not",
    "LogicalAnd": "jnp.logical_and",
    "LogicalOr": "jnp.logical_or",
    "Sum": "jnp.sum",
    "Max": "jnp.max",
    "Min": "jnp.min",
    "Prod": "jnp.prod",
    "Reshape": "jnp.reshape",
    "BroadcastTo": "jnp.broadcast_to",
    "MatMul": "jnp.matmul",
    "Einsum": "jnp.einsum",
    "StridedSlice": "x[...]",
    "Select": "jnp.where",
    "Square": "jnp.square",
    "Rint": "jnp.round",
    "Transpose": "jnp.transpose",
    "Concat": "jnp.concatenate",
    "Pack": "jnp.stack",
    "Cast": "astype",
    "ClipByValue": "jnp.clip",
    "ArgMax": "jnp.argmax",
    "ArgMin": "jnp.argmin",
    "StopGradient": "lax.stop_gradient",
    "Relu": "jax.nn.relu",
    "Relu6": "jax.nn.relu6",
}


def title(op: str) -> str:
    """Return what learners of JAX know a row by: `jnp.where`, `lax.gather`."""
    return NAMES.get(op, op.removeprefix("jax."))
