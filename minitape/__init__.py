"""minitape: a small readable gradient tape with TensorFlow's names, `import minitape as tf`."""

import os as _os
import warnings as _warnings

from . import image, linalg, math, nest, nn, random
from .api.elementwise import *  # noqa: F403
from .api.linear_algebra import einsum, eye, matmul, norm, tensordot
from .api.reductions import *  # noqa: F403
from .engine import operators as _operators  # noqa: F401  gives tensors their operators
from .engine.dtypes import *  # noqa: F403
from .engine.tape import GradientTape, UnconnectedGradients
from .engine.tensor import Tensor, constant
from .engine.variable import Variable, convert_to_tensor, is_tensor
from .function import function


def _on_none(tape, play, results):
    """A gradient is None: say why, once per place. The reader of tapes is loaded when it is needed first."""
    from .explain.warning import on_none
    on_none(tape, play, results)


GradientTape.on_none = staticmethod(_on_none)


def __getattr__(name):
    if name == "keras":                      # loaded when it is needed first: most programs of a tape never do
        from importlib import import_module
        return import_module(".keras", __name__)
    raise AttributeError(f"module 'minitape' has no attribute {name!r}")


# NumPy warns at overflow and at 0/0; TensorFlow computes inf and nan in silence. Only minitape's own lines are meant.
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minitape\.")


def _switch_on():
    """Switch the fast path on, as MINITAPE_NUMBA=1 asks for."""
    from .fast import enable
    enable()


if _os.environ.get("MINITAPE_NUMBA") == "1":
    _switch_on()

__all__ = ["GradientTape", "Tensor", "UnconnectedGradients", "Variable", "constant", "convert_to_tensor", "einsum", "eye", "function",
           "image", "is_tensor", "linalg", "matmul", "math", "nest", "nn", "norm", "random", "tensordot"]
