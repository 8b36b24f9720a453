"""Mathematics: functions of every element, of two tensors, along axes. Source: `tf.math`."""
# ruff: noqa: I001  (names in compact blocks)

from typing import TYPE_CHECKING

from .api.elementwise import (
    abs, acos, acosh, add, add_n, angle, asin, asinh, atan, atan2, atanh, ceil, conj, cos, cosh, digamma, divide, divide_no_nan,
    equal, erf, erfc, erfinv, exp, expm1, floor, floordiv, floormod, greater, greater_equal, imag, is_finite, is_inf, is_nan, less,
    less_equal, lgamma, log, log1p, log_sigmoid, logical_and, logical_not, logical_or, logical_xor, maximum, minimum, multiply,
    multiply_no_nan, negative, nextafter, not_equal, polygamma, polyval, pow, real, reciprocal, reciprocal_no_nan, rint, round, rsqrt,
    scalar_mul, sigmoid, sign, sin, sinh, softplus, sqrt, square, squared_difference, subtract, tan, tanh, truediv, xdivy, xlog1py, xlogy,
)
from .api.indexing import (
    bincount, confusion_matrix, in_top_k, invert_permutation, top_k,
)
from .api.missing import missing, offer
from .api.reductions import (
    argmax, argmin, count_nonzero, cumprod, cumsum, cumulative_logsumexp, l2_normalize, reduce_all, reduce_any, reduce_euclidean_norm,
    reduce_logsumexp, reduce_max, reduce_mean, reduce_min, reduce_prod, reduce_std, reduce_sum, reduce_variance, zero_fraction,
)
from .api.segments import (
    segment_max, segment_mean, segment_min, segment_sum, unsorted_segment_max, unsorted_segment_mean, unsorted_segment_min,
    unsorted_segment_sqrt_n, unsorted_segment_sum,
)

from .engine.ground.refusals import guarded

mod = floormod

if TYPE_CHECKING:           # loaded when they are first used
    from .api.neural_nets import log_softmax, softmax, softsign
else:
    def __getattr__(name):
        """Load what stands among the neural nets when it is first used."""
        if name in ("log_softmax", "softmax", "softsign"):
            from .api import neural_nets
            return guarded(getattr(neural_nets, name), "minitape.nn")
        raise missing(name, __name__)


__all__ = [
    "abs", "acos", "acosh", "add", "add_n", "angle", "argmax", "argmin", "asin", "asinh", "atan", "atan2", "atanh", "bincount", "ceil",
    "confusion_matrix", "conj", "cos", "cosh", "count_nonzero", "cumprod", "cumsum", "cumulative_logsumexp", "digamma", "divide",
    "divide_no_nan", "equal", "erf", "erfc", "erfinv", "exp", "expm1", "floor", "floordiv", "floormod", "greater", "greater_equal", "imag",
    "in_top_k", "invert_permutation", "is_finite", "is_inf", "is_nan", "l2_normalize", "less", "less_equal", "lgamma", "log", "log1p",
    "log_sigmoid", "log_softmax", "logical_and", "logical_not", "logical_or", "logical_xor", "maximum", "minimum", "mod", "multiply",
    "multiply_no_nan", "negative", "nextafter", "not_equal", "polygamma", "polyval", "pow", "real", "reciprocal", "reciprocal_no_nan",
    "reduce_all", "reduce_any", "reduce_euclidean_norm", "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod",
    "reduce_std", "reduce_sum", "reduce_variance", "rint", "round", "rsqrt", "scalar_mul", "segment_max", "segment_mean", "segment_min",
    "segment_sum", "sigmoid", "sign", "sin", "sinh", "softmax", "softplus", "softsign", "sqrt", "square", "squared_difference", "subtract",
    "tan", "tanh", "top_k", "truediv", "unsorted_segment_max", "unsorted_segment_mean", "unsorted_segment_min", "unsorted_segment_sqrt_n",
    "unsorted_segment_sum", "xdivy", "xlog1py", "xlogy", "zero_fraction",
]
offer(__name__)
