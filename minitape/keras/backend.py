"""What is left of Keras's back end here: `keras.backend`."""

from __future__ import annotations

from ..api.missing import offer
from .naming import clear_names


def clear_session(free_memory: bool = True) -> None:
    """Count the layers' names from the beginning again. Source: `keras.backend.clear_session`."""
    clear_names()


def floatx() -> str:
    """Return the default dtype of floats."""
    return "float32"


def epsilon() -> float:
    """Return the small number that keeps logarithms finite."""
    return 1e-7


__all__ = ["clear_session", "epsilon", "floatx"]
offer(__name__)
