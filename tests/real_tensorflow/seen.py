"""A program run twice in real TensorFlow: alone, and watched and filmed."""

import warnings

import numpy as np
import tensorflow as tf

import minitape.tensorflow
from minitape.storyboard import Film


def watched(program):
    """Runs a program and returns (its result, the film of it). What went wrong while something was
    noted is raised.
    """
    film, block = Film(), minitape.tensorflow.watch()
    with warnings.catch_warnings(), block, film:
        warnings.simplefilter("ignore")
        tf.keras.utils.set_random_seed(1)
        found = program()
    assert not block.trouble, block.trouble
    return found, film


def alone(program):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tf.keras.utils.set_random_seed(1)
        return program()


def equal(a, b):
    """Says whether two results are the same, bit for bit."""
    if a is None or b is None or isinstance(a, (str, float, bool)):
        return a == b
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    return np.array_equal(numbers(a), numbers(b), equal_nan=True)


def numbers(value):
    """The content of a tensor, a variable or the slices of one as an array of plain numbers."""
    value = tf.convert_to_tensor(value)
    return value.numpy() if value.dtype != tf.bfloat16 else tf.cast(value, tf.float32).numpy()
