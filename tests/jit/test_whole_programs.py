"""Whole programs through numba: the machine for scalars, and loops for arrays, against the eager
run.
"""

import numpy as np
import pytest

pytest.importorskip("numba", reason="the fast path needs numba: pip install minitape[jit]")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

import minitape as tf  # noqa: E402
from minitape.jit import machine  # noqa: E402

ONE = [
    tf.tanh,
    tf.exp,
    tf.sin,
    tf.cos,
    tf.square,
    tf.sigmoid,
    tf.math.softplus,
    tf.abs,
    tf.sign,
    lambda x: -x,
    lambda x: x**3.0,
    lambda x: tf.sqrt(x * x + 1.0),
    lambda x: tf.math.log(x * x + 1.0),
    lambda x: tf.reduce_sum(x),
    tf.nn.relu,
]
TWO = [
    lambda a, b: a + b,
    lambda a, b: a * b,
    lambda a, b: a - b,
    lambda a, b: a / (b * b + 1.0),
    tf.maximum,
    tf.minimum,
]


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_the_machine_of_scalars_equals_the_eager_run(data):
    dtype = data.draw(st.sampled_from([np.float32, np.float64]))
    steps = data.draw(
        st.lists(
            st.tuples(st.integers(0, 99), st.integers(0, 99), st.integers(0, 99)),
            min_size=1,
            max_size=12,
        )
    )
    start = data.draw(
        st.tuples(*[st.sampled_from([0.0, -0.0, 1.0, -2.0, 0.3, np.inf, np.nan, 30.0])] * 2)
    )

    def program(a, b):
        with tf.GradientTape() as tape:
            tape.watch([a, b])
            values = [a, b]
            for kind, i, j in steps:
                x, y = values[i % len(values)], values[j % len(values)]
                values.append(
                    ONE[kind // 2 % len(ONE)](x) if kind % 2 else TWO[kind // 2 % len(TWO)](x, y)
                )
        return values[-1], tape.gradient(values[-1], [a, b])

    a, b = (tf.constant(dtype(v)) for v in start)
    compiled = tf.function(program, jit_compile=True)
    compiled(tf.constant(dtype(0.5)), tf.constant(dtype(1.5)))
    with np.errstate(all="ignore"):
        eager, found = (tf.nest.flatten(f(a, b)) for f in (program, compiled))
    for p, q in zip(eager, found):
        assert (p is None) == (q is None)
        if p is not None:
            assert p.dtype == q.dtype and q.shape == ()
            np.testing.assert_allclose(
                q.numpy(), p.numpy(), rtol=2e-4 if dtype is np.float32 else 1e-9, atol=1e-5
            )


def test_scalars_do_run_in_the_machine(monkeypatch):
    calls = []
    real = machine.run_scalars
    monkeypatch.setattr(machine, "run_scalars", lambda *args: (calls.append(1), real(*args)))
    f = tf.function(lambda x: tf.tanh(x * 2.0) + x, jit_compile=True)
    f(tf.constant(1.0))
    assert float(f(tf.constant(2.0))) == pytest.approx(np.tanh(4.0) + 2, rel=1e-6) and calls


def network(dtype=np.float32):
    rng = np.random.default_rng(0)
    w1, b1, w2 = (
        tf.Variable(rng.standard_normal(s).astype(dtype) * 0.5) for s in ((3, 8), (8,), (8, 2))
    )

    def step(x, t):
        with tf.GradientTape() as tape:
            y = tf.sigmoid(tf.tanh(x @ w1 + b1) @ w2)
            loss = tf.reduce_mean(tf.reduce_sum((y - t) ** 2.0, axis=1))
        return loss, tape.gradient(loss, [w1, b1, w2]), y

    return (
        step,
        [tf.constant(rng.standard_normal(s).astype(dtype)) for s in ((20, 3), (20, 2))],
        [w1, b1, w2],
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_loops_equal_the_eager_run(dtype):
    step, (x, t), variables = network(dtype)
    compiled = tf.function(step, jit_compile=True)
    for k in range(3):
        for p, q in zip(tf.nest.flatten(step(x, t)), tf.nest.flatten(compiled(x, t))):
            assert p.dtype == q.dtype and p.shape == q.shape
            np.testing.assert_allclose(q.numpy(), p.numpy(), rtol=2e-5, atol=1e-6)
        variables[0].assign_add(variables[0] * 0.1)
        strided = np.asarray(x.numpy(), order="F")  # another memory layout is not another program
        x = tf.constant(strided if k else strided[::-1])
    program = next(iter(compiled._programs.values()))
    assert "for i0 in range(20)" in program._forward.text


def test_loops_serve_a_tape_outside_and_the_second_order():
    rng = np.random.default_rng(1)
    x = tf.constant(rng.standard_normal((4, 6)).astype(np.float32))

    def f(x):
        return tf.tanh(x) * tf.reduce_sum(x, axis=0) / (1.0 + tf.square(x))

    compiled = tf.function(f, jit_compile=True)
    results = []
    for g in (f, compiled):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = g(x)
            first = tape.gradient(y, x)
        results.append((y, first, outer.gradient(first, x)))
    for p, q in zip(*results):
        np.testing.assert_allclose(q.numpy(), p.numpy(), rtol=1e-4, atol=1e-5)


@settings(max_examples=6, deadline=None)
@given(
    shape=st.sampled_from([(), (1,), (5,), (2, 3), (1, 4), (3, 1), (2, 1, 3)]),
    other=st.sampled_from([(), (3,), (1, 3), (2, 1, 3)]),
    axis=st.sampled_from([None, 0, -1]),
)
def test_loops_over_shapes(shape, other, axis):
    try:
        np.broadcast_shapes(shape, other)
    except ValueError:
        other = ()
    axis = axis if shape else None

    def f(a, b):
        s = tf.reduce_mean(
            a * b, axis=axis if np.broadcast_shapes(shape, other) else None, keepdims=True
        )
        return s * a - b, tf.reduce_sum(s)

    rng = np.random.default_rng(2)
    a, b = (tf.constant(rng.standard_normal(s).astype(np.float32)[()]) for s in (shape, other))
    compiled = tf.function(f, jit_compile=True)
    compiled(a, b)
    for p, q in zip(f(a, b), compiled(a, b)):
        assert p.shape == q.shape
        np.testing.assert_allclose(q.numpy(), p.numpy(), rtol=1e-5, atol=1e-6)


def test_what_the_loops_do_not_know_runs_as_numpy():
    f = tf.function(
        lambda x: tf.cumsum(x) if hasattr(tf, "cumsum") else tf.math.cumsum(x), jit_compile=True
    )
    x = tf.constant([1.0, 2.0])
    f(x)
    np.testing.assert_array_equal(f(x).numpy(), [1, 3])
    empty = tf.function(lambda x: x * 2.0, jit_compile=True)
    empty(tf.constant(np.zeros((0, 3), np.float32)))
    assert empty(tf.constant(np.zeros((0, 3), np.float32))).shape == (0, 3)


def test_long_sums_do_not_drift():
    x = tf.constant(np.full(1_000_000, 0.1, np.float32))
    f = tf.function(lambda x: tf.reduce_sum(x * 1.0000001), jit_compile=True)
    f(x)
    exact = float(np.sum(x.numpy().astype(np.float64) * np.float32(1.0000001)))
    assert abs(float(f(x)) / exact - 1) < 3e-7
