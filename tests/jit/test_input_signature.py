"""input_signature and concrete functions: what the recorded answers (`functions`) do not say, the
messages and the counts.
"""

import numpy as np
import pytest

import minitape as tf

S = tf.TensorSpec


def test_a_refusal_names_what_came_and_what_is_wanted():
    f = tf.function(
        lambda x, k: x * k, input_signature=[S([None, 3], tf.float32), S([], tf.float32)]
    )
    with pytest.raises(TypeError) as caught:
        f(np.zeros((2, 4), np.float32), k=1.0)
    for part in (
        "shape=(2, 4)",
        "x: TensorSpec(shape=(None, 3)",
        "k: TensorSpec(shape=()",
        "None in a shape fits every length",
    ):
        assert part in str(caught.value)
    with pytest.raises(TypeError, match="tf.cast changes a dtype"):
        f(tf.zeros([2, 3], tf.float64), 1.0)
    assert f.experimental_get_tracing_count() == 0  # refused before anything ran


def test_a_free_length_is_traced_once_for_each_length():
    runs = []

    @tf.function(input_signature=[S([None], tf.float32)])
    def f(x):
        runs.append(x.shape[0])
        return tf.reduce_mean(x) * x

    for n in (2, 3, 2, 3):
        np.testing.assert_allclose(f(np.arange(n)), np.arange(n).mean() * np.arange(n))
    assert runs == [2, 3]
    c = f.get_concrete_function()
    np.testing.assert_allclose(c(tf.constant([1.0, 3.0])), [2.0, 6.0])
    assert "def f(x)" in c.source() and "TensorSpec(shape=(None,)" in repr(c)


def test_numbers_become_tensors_in_a_larger_trace_too():
    inner = tf.function(lambda x: x / 2, input_signature=[S([], tf.float32)])
    outer = tf.function(lambda x: inner(3) + x)
    assert [float(outer(tf.constant(k))) for k in (1.0, 2.0)] == [2.5, 3.5]


def test_concrete_functions_say_what_they_take():
    c = tf.function(lambda x, k: x * k).get_concrete_function(S([2], tf.float32), tf.constant(2.0))
    np.testing.assert_array_equal(c([1.0, 2.0], 3.0), [3.0, 6.0])
    np.testing.assert_array_equal(c(k=tf.constant(3.0), x=tf.constant([1.0, 2.0])), [3.0, 6.0])
    for wrong, error, words in (
        ((([1.0],), {"k": 1.0}), tf.errors.InvalidArgumentError, "made for one shape"),
        ((([1.0, 2.0],), {}), TypeError, "missing a required argument: 'k'"),
        ((([1.0, 2.0], 1.0, 2.0), {}), TypeError, "takes 2 tensors"),
        ((([1.0, 2.0], 1.0), {"z": 2.0}), TypeError, "z"),
    ):
        with pytest.raises(error, match=words):
            c(*wrong[0], **wrong[1])
    with pytest.raises(TypeError, match="both tf.TensorSpec and values"):
        tf.function(lambda x: x[0]).get_concrete_function([S([2], tf.float32), 3.0])
    mixed = tf.function(lambda x, k, d: x * k + d["a"]).get_concrete_function(
        S([None], tf.float32), 2.0, {"a": S([], tf.float32)}
    )
    np.testing.assert_array_equal(mixed(tf.constant([1.0]), {"a": 1}), [3.0])
    with pytest.raises(TypeError, match="argument"):
        mixed(tf.constant([1.0]))


def test_examples_for_every_dtype():
    for dtype in (tf.float32, tf.float64, tf.int32, tf.bool, tf.complex64, tf.string):
        c = tf.function(lambda x: tf.identity(x)).get_concrete_function(S([2], dtype))
        value = tf.constant(
            ["a", "b"] if dtype == tf.string else [True, False] if dtype == tf.bool else [1, 0],
            dtype,
        )
        assert c(value).numpy().tolist() == value.numpy().tolist() and c(value).dtype == dtype
