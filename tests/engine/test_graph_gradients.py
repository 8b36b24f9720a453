"""`tf.gradients`: the way back over a graph that is there already, inside of a `tf.function`."""

import numpy as np
import pytest

import minitape as tf

x, u = tf.constant([0.5, 2.0]), tf.constant([3.0, -1.0])


def by_tape(f, *sources, seeds=None):
    with tf.GradientTape() as tape:
        tape.watch(sources)
        y = f(*sources)
    return [g.numpy() for g in tape.gradient(y, list(sources), seeds)]


@pytest.mark.parametrize(
    "f",
    [
        lambda x, u: x * u,
        lambda x, u: tf.sin(x * u) * x + u,
        lambda x, u: tf.reduce_sum(x * x) * u,
        lambda x, u: tf.concat([x, u * x], 0),
        lambda x, u: tf.tensordot(x, u, 1),
        lambda x, u: tf.where(x > 1.0, x * u, u),
    ],
)
def test_it_is_what_a_tape_finds(f):
    found = tf.function(lambda x, u: tf.gradients(f(x, u), [x, u]))(x, u)
    for g, right in zip(found, by_tape(f, x, u)):
        np.testing.assert_allclose(g, right, rtol=1e-6)


def test_a_variable_and_a_value_in_between():
    """Nothing is watched: any tensor of the graph is a source, and one that lies on the way to
    another does not cut it off.
    """
    w = tf.Variable(2.0)

    @tf.function
    def f(x):
        a = w * x
        y = a * a
        return tf.gradients(y, [w, a, x])

    assert [g.numpy() for g in f(tf.constant(3.0))] == [36.0, 12.0, 24.0]
    w.assign(1.0)
    assert [g.numpy() for g in f(tf.constant(3.0))] == [
        18.0,
        6.0,
        6.0,
    ] and f.experimental_get_tracing_count() == 1


def test_a_gradient_of_a_gradient():
    @tf.function
    def f(x):
        (slope,) = tf.gradients(x**3, x)
        return tf.gradients(slope, x)[0]

    assert f(tf.constant(2.0)).numpy() == 12.0


def test_seeds_stops_and_what_is_not_connected():
    @tf.function
    def f(x, u):
        a = x * x
        y = a * x
        (zero,) = tf.gradients(y, u, unconnected_gradients="zero")
        return (
            tf.gradients(y, x, grad_ys=tf.constant([1.0, 10.0])),
            tf.gradients(y, x, stop_gradients=a),
            tf.gradients(y, u),
            zero,
            tf.gradients([y, a], x),
        )

    seeded, stopped, nothing, zero, both = f(x, u)
    np.testing.assert_allclose(seeded[0], [0.75, 120.0])
    np.testing.assert_allclose(stopped[0], [0.25, 4.0])
    np.testing.assert_allclose(both[0], [1.75, 16.0])
    assert nothing == [None] and zero.numpy().tolist() == [0.0, 0.0]


def test_it_stands_in_the_source_and_beside_a_tape():
    @tf.function
    def f(x):
        y = tf.sin(x) * x
        return tf.gradients(y, x)[0]

    assert "np.cos(x)" in f.source(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        g = f(x)
    np.testing.assert_allclose(tape.gradient(g, x), 2 * np.cos(x) - x * np.sin(x), rtol=1e-5)


def test_outside_there_is_no_graph():
    with pytest.raises(RuntimeError, match=r"eager.*GradientTape.*Inside of a tf.function"):
        tf.gradients(x, x)
    with pytest.raises(TypeError, match="source"):
        tf.function(lambda x: tf.gradients(x * x, "x"))(x)


def test_a_tensor_given_twice_has_one_adjoint_under_an_outer_tape():
    f, a = tf.function(lambda x, y: x * y), tf.constant([0.25, 3.0])
    with tf.GradientTape() as outer:
        outer.watch(a)
        with tf.GradientTape() as tape:
            tape.watch(a)
            y = f(a, a)
        slope = tape.gradient(y, a)
    assert slope.numpy().tolist() == [0.5, 6.0]
    assert outer.gradient(slope, a).numpy().tolist() == [2.0, 2.0]
