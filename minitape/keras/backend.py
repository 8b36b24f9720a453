"""What is left of Keras's back end here: `keras.backend`."""

from .naming import clear_names


def clear_session(free_memory=True):
    """Count the layers' names from the beginning again. Source: `keras.backend.clear_session`."""
    clear_names()


def floatx():
    """Return the default dtype of floats."""
    return "float32"


def epsilon():
    """Return the small number that keeps logarithms finite."""
    return 1e-7
