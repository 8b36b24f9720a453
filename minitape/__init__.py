"""minitape: a small readable gradient tape with TensorFlow's names, `import minitape as tf`.

The engine stands in `minitape/engine/`, the functions in `minitape/api/`, one file per family. Here
they only get their public names; `__init__.pyi` says the same to editors and type checkers, which
read and do not run.
"""
# ruff: noqa: I001  (names in compact blocks)

from __future__ import annotations

import os as _os
import warnings as _warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .engine import operators as _operators
from .engine.explainer import EXPLAINER as _EXPLAINER
from .engine.base.dtypes import (
    DType,
    as_dtype,
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
)
from .engine.base.dtypes import bool_ as bool
from .engine.parts import IndexedSlices
from .engine.base import allocator as _allocator
from .engine.base.argument_errors import guarded as _guarded
from .engine.base.shapes import TensorShape
from .engine.base.tensor import Tensor
from .engine.convert import constant
from .engine.variable import Variable
from .engine.convert import convert_to_tensor, is_tensor

if TYPE_CHECKING:
    from .engine.explainer import Explainer as _Explainer

__version__ = "0.1.0"
newaxis = None

# Where each public name stands. A family is loaded when one of its names is first used: a program
# around a tape needs few of them, and `import minitape` should cost little more than NumPy.
_FAMILIES = {
    "api.elementwise": "abs acos acosh add add_n asin asinh atan atan2 atanh cast clip_by_value "
    "complex cos cosh divide equal exp floor "
    "greater greater_equal less less_equal logical_and logical_not logical_or maximum minimum "
    "multiply negative "
    "not_equal pow round saturate_cast scalar_mul sigmoid sign sin sinh sqrt square subtract tan "
    "tanh truediv "
    "truncatediv truncatemod",
    "api.flow": "cond foldl map_fn scan vectorized_map while_loop",
    "api.function": "function",
    "api.gradients": "clip_by_global_norm clip_by_norm custom_gradient grad_pass_through "
    "gradients recompute_grad",
    "api.indexing": "argsort boolean_mask gather gather_nd scatter_nd sort tensor_scatter_nd_add "
    "tensor_scatter_nd_max "
    "tensor_scatter_nd_min tensor_scatter_nd_sub tensor_scatter_nd_update unique where",
    "api.linear_algebra": "einsum eye matmul norm tensordot",
    "api.making": "ensure_shape fill linspace meshgrid one_hot ones ones_like range rank "
    "sequence_mask shape size zeros zeros_like",
    "api.module": "Module device executing_eagerly name_scope print",
    "api.outside": "numpy_function",
    "api.reductions": "argmax argmin cumsum reduce_all reduce_any reduce_logsumexp reduce_max "
    "reduce_mean reduce_min reduce_prod "
    "reduce_sum",
    "api.shaping": "bitcast broadcast_to concat expand_dims identity pad repeat reshape reverse "
    "roll slice split squeeze stack "
    "stop_gradient tile transpose unstack",
    "api.tensor_array": "TensorArray",
    "compile.tensor_spec": "TensorSpec",
    "debugging": "Assert assert_equal assert_greater assert_less",
    "engine.gradient_tape": "GradientTape UnconnectedGradients",
}
_HOME = {name: home for home, names in _FAMILIES.items() for name in names.split()}
_MODULES = (
    "config",
    "data",
    "debugging",
    "errors",
    "image",
    "keras",
    "linalg",
    "math",
    "nest",
    "nn",
    "random",
    "strings",
)
_SECOND_NAMES = {  # of what stands in keras
    "constant_initializer": "initializers.Constant",
    "initializers": "initializers",
    "losses": "losses",
    "metrics": "metrics",
    "ones_initializer": "initializers.Ones",
    "optimizers": "optimizers",
    "random_normal_initializer": "initializers.RandomNormal",
    "random_uniform_initializer": "initializers.RandomUniform",
    "zeros_initializer": "initializers.Zeros",
}
# what TensorFlow does not have
_OWN = ("exercises", "explain", "jit", "health", "memory", "storyboard", "typing")


def _explainer() -> _Explainer:
    """The explainer is loaded when a tape first asks it."""
    from .explain import for_tapes

    return for_tapes


# What the layers above give to tensors and tapes.
_operators.install()
_EXPLAINER.fill(_explainer)
constant, convert_to_tensor, as_dtype = [
    _guarded(f, __name__) for f in (constant, convert_to_tensor, as_dtype)
]
for _class in (DType, IndexedSlices, Tensor, TensorShape, Variable):
    _guarded(_class, __name__)


def check_gradients(
    f: Callable[..., Any], *args: Any, epsilon: float | None = None, tolerance: float | None = None
) -> Any:
    """Compare the tape's gradient of `f` with finite differences, argument by argument.

    `f` is called with tensors made of `args` and returns tensors. Returns a report. Raises
    AssertionError that names the argument and the element that disagree. See
    `minitape.explain.check_gradients`.
    """
    from .explain.check_gradients import check_gradients as check

    return check(f, *args, epsilon=epsilon, tolerance=tolerance)


check_gradients = _guarded(check_gradients, __name__)


def __getattr__(name: str) -> Any:
    """Load a family or a module when it is first used; for a name that is not there, name the
    nearest one that is.
    """
    from importlib import import_module

    if name in _HOME:
        result = _guarded(getattr(import_module(f"minitape.{_HOME[name]}"), name), __name__)
    elif name in _MODULES or name in _OWN:
        result = import_module(f"minitape.{name}")
    elif name in _SECOND_NAMES:
        module, _, what = _SECOND_NAMES[name].partition(".")
        result = import_module(f"minitape.keras.{module}")
        result = getattr(result, what) if what else result
    else:
        from .api.missing import missing

        raise missing(name, __name__)
    globals()[name] = result
    return result


def __dir__() -> list[str]:
    return sorted({*__all__, *_OWN, "__version__"})


# NumPy warns at overflow and at 0/0; TensorFlow computes inf and nan in silence. Only minitape's
# own lines are meant.
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minitape\.")


# A tape makes a new array in every step; Linux would give each page by page.
_allocator.keep_freed(_allocator.USUAL)


def _switch_on() -> None:
    """Switch the fast path on, as MINITAPE_NUMBA=1 asks for."""
    from .jit import enable

    enable()


if _os.environ.get("MINITAPE_NUMBA") == "1":
    _switch_on()

__all__ = [
    "DType",
    "IndexedSlices",
    "Tensor",
    "TensorShape",
    "Variable",
    "as_dtype",
    "bool",
    "check_gradients",
    "complex128",
    "complex64",
    "constant",
    "convert_to_tensor",
    "double",
    "float16",
    "float32",
    "float64",
    "half",
    "int16",
    "int32",
    "int64",
    "int8",
    "is_tensor",
    "newaxis",
    "string",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
]
__all__ += [*_HOME, *_MODULES, *_SECOND_NAMES]
