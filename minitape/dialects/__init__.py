"""What each library calls things: `Dialect`, one object for each, read by all who read programs.

`dialect_of(module)` is that of a recording. Who reads a text before there is one takes all of them
together: `PLAYS`, `MAKERS`.
"""

from .dialect import Dialect
from .jax import JAX
from .minitape import MINITAPE
from .tensorflow import TENSORFLOW
from .torch import TORCH

DIALECTS = {dialect.module: dialect for dialect in (MINITAPE, TENSORFLOW, TORCH, JAX)}
PLAYS = tuple(dict.fromkeys(name for dialect in DIALECTS.values() for name in dialect.plays))
MAKERS = tuple(dict.fromkeys(name for dialect in DIALECTS.values() for name in dialect.makers))
RECORDERS = tuple(dict.fromkeys(dialect.recorder for dialect in DIALECTS.values()))


def dialect_of(module: str) -> Dialect:
    """Return the dialect of a library, by the module that Python imports; else minitape's."""
    return DIALECTS.get(module, MINITAPE)


__all__ = [
    "DIALECTS",
    "JAX",
    "MAKERS",
    "MINITAPE",
    "PLAYS",
    "RECORDERS",
    "TENSORFLOW",
    "TORCH",
    "Dialect",
    "dialect_of",
]
