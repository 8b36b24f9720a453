"""minitape: a small readable gradient tape with TensorFlow's names, `import minitape as tf`.

The engine stands in `minitape/engine/`, the functions in `minitape/api/`, one file per family. Here they only get
their public names.
"""
# ruff: noqa: I001  (names in compact blocks)

import os as _os
import warnings as _warnings
from typing import TYPE_CHECKING as _TYPE_CHECKING

from . import errors, math, nest
from .api.elementwise import (
    abs, acos, acosh, add, add_n, asin, asinh, atan, atan2, atanh, cast, clip_by_value, complex, cos, cosh, divide, equal, exp, floor,
    greater, greater_equal, less, less_equal, logical_and, logical_not, logical_or, maximum, minimum, multiply, negative, not_equal, pow,
    realdiv, round, saturate_cast, scalar_mul, sigmoid, sign, sin, sinh, sqrt, square, subtract, tan, tanh, truediv, truncatediv,
    truncatemod,
)
from .api.flow import case, cond, foldl, foldr, group, map_fn, no_op, scan, switch_case, vectorized_map, while_loop
from .api.gradients import (
    clip_by_global_norm, clip_by_norm, custom_gradient, grad_pass_through, gradients, no_gradient, recompute_grad,
)
from .api.indexing import (
    argsort, boolean_mask, dynamic_partition, dynamic_stitch, gather, gather_nd, scatter_nd, searchsorted, sort, tensor_scatter_nd_add,
    tensor_scatter_nd_max, tensor_scatter_nd_min, tensor_scatter_nd_sub, tensor_scatter_nd_update, unique, where,
)
from .api.making import (
    ensure_shape, fill, linspace, meshgrid, one_hot, ones, ones_like, range, rank, sequence_mask, shape, size, zeros, zeros_like,
)
from .api.module import Module, TensorSpec, executing_eagerly, name_scope, print
from .api.reductions import (
    argmax, argmin, cumsum, reduce_all, reduce_any, reduce_logsumexp, reduce_max, reduce_mean, reduce_min, reduce_prod, reduce_sum,
)
from .api.shaping import (
    bitcast, broadcast_to, concat, expand_dims, identity, identity_n, pad, repeat, reshape, reverse, roll, slice, split, squeeze, stack,
    stop_gradient, strided_slice, tile, transpose, unstack,
)
from .engine import operators as _operators  # noqa: F401  gives tensors their operators
from .engine.dtypes import (
    DType, as_dtype, complex64, complex128, double, float16, float32, float64, half, int8, int16, int32, int64, string, uint8, uint16,
    uint32, uint64,
)
from .engine.dtypes import bool_ as bool
from .engine.parts import IndexedSlices
from .engine.shapes import TensorShape
from .engine.tape import GradientTape, UnconnectedGradients
from .engine.tensor import Tensor
from .engine.convert import constant
from .engine.variable import Variable
from .engine.convert import convert_to_tensor, is_tensor
from .function import function

newaxis = None

if _TYPE_CHECKING:           # loaded when they are first used, see api/missing.py: `import minitape` must be quick
    from . import debugging, image, keras, linalg, nn, random, strings  # noqa: F401
    from .api.linear_algebra import einsum, eye, matmul, norm, tensordot


def _on_none(tape, play, results):
    """A gradient is None: say why, once per place. The reader of tapes is loaded when it is needed first."""
    from .explain.warning import on_none
    on_none(tape, play, results)


GradientTape.on_none = staticmethod(_on_none)


def check_gradients(f, *args, epsilon=None, tolerance=None):
    """Compare the tape's gradient of `f` with finite differences, argument by argument.

    `f` is called with tensors made of `args` and returns tensors. Returns a report. Raises AssertionError that names the argument
    and the element that disagree. See `minitape.explain.check_gradients`.
    """
    from .explain.check_gradients import check_gradients as check
    return check(f, *args, epsilon=epsilon, tolerance=tolerance)


def __getattr__(name):
    """Load what is only needed sometimes; for a name that is not there, name the nearest one that is."""
    from .api.missing import missing
    found = globals()[name] = missing(name)
    return found


def __dir__():
    return sorted({*globals(), *__all__, "keras"})


# NumPy warns at overflow and at 0/0; TensorFlow computes inf and nan in silence. Only minitape's own lines are meant.
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minitape\.")


def _switch_on():
    """Switch the fast path on, as MINITAPE_NUMBA=1 asks for."""
    from .fast import enable
    enable()


if _os.environ.get("MINITAPE_NUMBA") == "1":
    _switch_on()

__all__ = [
    "DType", "GradientTape", "IndexedSlices", "Module", "Tensor", "TensorShape", "TensorSpec", "UnconnectedGradients", "Variable", "abs",
    "acos", "acosh", "add", "add_n", "argmax", "argmin", "argsort", "as_dtype", "asin", "asinh", "atan", "atan2", "atanh", "bitcast",
    "bool", "boolean_mask", "broadcast_to", "case", "cast", "check_gradients", "clip_by_global_norm", "clip_by_norm", "clip_by_value",
    "complex", "complex128", "complex64", "concat", "cond", "constant", "convert_to_tensor", "cos", "cosh", "cumsum", "custom_gradient",
    "debugging", "divide", "double", "dynamic_partition", "dynamic_stitch", "einsum", "ensure_shape", "equal", "errors",
    "executing_eagerly", "exp", "expand_dims", "eye", "fill", "float16", "float32", "float64", "floor", "foldl", "foldr", "function",
    "gather", "gather_nd", "grad_pass_through", "gradients", "greater", "greater_equal", "group", "half", "identity", "identity_n", "image",
    "int16", "int32", "int64", "int8", "is_tensor", "less", "less_equal", "linalg", "linspace", "logical_and", "logical_not", "logical_or",
    "map_fn", "math", "matmul", "maximum", "meshgrid", "minimum", "multiply", "name_scope", "negative", "nest", "newaxis", "nn",
    "no_gradient", "no_op", "norm", "not_equal", "one_hot", "ones", "ones_like", "pad", "pow", "print", "random", "range", "rank",
    "realdiv", "recompute_grad", "reduce_all", "reduce_any", "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod",
    "reduce_sum", "repeat", "reshape", "reverse", "roll", "round", "saturate_cast", "scalar_mul", "scan", "scatter_nd", "searchsorted",
    "sequence_mask", "shape", "sigmoid", "sign", "sin", "sinh", "size", "slice", "sort", "split", "sqrt", "square", "squeeze", "stack",
    "stop_gradient", "strided_slice", "string", "strings", "subtract", "switch_case", "tan", "tanh", "tensor_scatter_nd_add",
    "tensor_scatter_nd_max", "tensor_scatter_nd_min", "tensor_scatter_nd_sub", "tensor_scatter_nd_update", "tensordot", "tile", "transpose",
    "truediv", "truncatediv", "truncatemod", "uint16", "uint32", "uint64", "uint8", "unique", "unstack", "vectorized_map", "where",
    "while_loop", "zeros", "zeros_like",
]
