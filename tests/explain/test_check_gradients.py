"""check_gradients accepts what is right, names the argument that is wrong, and is not fooled by a
wrong factor.
"""

import numpy as np
import pytest

import minitape as tf


def cube(x, w):
    return tf.reduce_sum(w * x**3)


def test_right_gradients_pass():
    report = tf.check_gradients(cube, tf.constant([1.0, -2.0]), tf.Variable([0.5, 3.0]))
    assert report.arguments == ["x", "w"] and report.worst < 1e-6 and "x, w" in repr(report)


def test_numbers_arrays_integers_and_structures():
    def f(x, n, y):
        return {"a": x * tf.cast(n, x.dtype), "b": [tf.sin(y)]}

    assert tf.check_gradients(f, 2.0, 3, np.linspace(0.1, 1.0, 5)).arguments == ["x", "y"]


def test_many_elements_and_vector_results():
    w = np.random.default_rng(0).normal(size=(20, 20)).astype("float32")
    assert tf.check_gradients(lambda w: tf.tanh(w @ w), w).worst < 1e-4


@pytest.mark.parametrize("factor", [2.0, 0.5, -1.0, 1.01, 12345.0])
def test_a_wrong_factor_is_seen(factor):
    @tf.custom_gradient
    def square(x):
        return x * x, lambda dy: dy * 2.0 * x * factor

    def f(a, b):
        return a * square(b)

    with pytest.raises(AssertionError, match=r"with respect to b disagrees"):
        tf.check_gradients(f, 3.0, 2.0)


def test_the_element_is_named():
    @tf.custom_gradient
    def doubled(x):
        return x * 2.0, lambda dy: dy * tf.constant([2.0, 3.0], dtype=dy.dtype)

    with pytest.raises(AssertionError, match=r"x\[1\] disagrees: the tape says 3"):
        tf.check_gradients(lambda x: tf.reduce_sum(doubled(x)), [1.0, 5.0])


def test_a_part_that_left_the_library_is_seen_and_explained():
    def f(x):
        return tf.constant(np.sin(x))

    with pytest.raises(AssertionError, match=r"the tape says None.*np.sin\(x\)"):
        tf.check_gradients(f, 0.5)


def test_a_kink_is_called_a_kink():
    with pytest.raises(AssertionError, match="kink"):
        tf.check_gradients(lambda x: tf.nn.relu(x), 0.0)


def test_float32_inside_of_the_function():
    assert tf.check_gradients(lambda x: x * tf.constant(3.0) + x**2, 2.0).dtype == "float32"


def test_what_cannot_be_checked_says_so():
    with pytest.raises(ValueError, match="write 2.0 instead of 2"):
        tf.check_gradients(lambda x: x, 2)
    with pytest.raises(ValueError, match="another result each time"):
        tf.check_gradients(lambda x: x * tf.random.normal([]), 2.0)
    with pytest.raises(ValueError, match="no floating-point"):
        tf.check_gradients(lambda x: tf.argmax(x), [2.0, 1.0])


@pytest.mark.parametrize("odd", [np.inf, -np.inf, np.nan])
def test_numbers_to_step_from_are_finite(odd):
    with pytest.raises(ValueError, match="needs finite numbers.*: y is not"):
        tf.check_gradients(lambda x, y: x * y, 2.0, [1.0, odd])
