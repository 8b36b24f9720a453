"""Steps that a compiled program does in one: against the small steps that the tape records."""

import numpy as np
import pytest

pytest.importorskip("numba", reason="the fast path needs numba: pip install minitape[jit]")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

import minitape as tf  # noqa: E402
from minitape import jit  # noqa: E402


def layer_for(shape, dtype="float32", seed=0):
    rng = np.random.default_rng(seed)
    layer = tf.keras.layers.LayerNormalization(dtype=dtype)
    layer.build(shape)
    layer.set_weights([rng.standard_normal(shape[-1]).astype(dtype) for _ in range(2)])
    return layer


def alike(eager, found):
    for p, q in zip(tf.nest.flatten(eager), tf.nest.flatten(found)):
        assert p.dtype == q.dtype and p.shape == q.shape
        size = np.abs(p.numpy()[np.isfinite(p.numpy())]).max(initial=1.0)
        np.testing.assert_allclose(q.numpy(), p.numpy(), rtol=1e-4, atol=3e-6 * size)


@settings(max_examples=40, deadline=None)
@given(
    shape=st.sampled_from([(40, 50), (3, 20, 50), (2, 3), (0, 50), (600, 1), (1, 700), (0, 4, 7)]),
    dtype=st.sampled_from(["float32", "float64"]),
    odd=st.sampled_from([None, np.nan, np.inf, 1e30]),
    strided=st.booleans(),
    keeps_y=st.booleans(),
    seed=st.integers(0, 99),
)
def test_a_scaled_normalisation_is_one_step_each_way(shape, dtype, odd, strided, keeps_y, seed):
    layer, rng = layer_for(shape, dtype), np.random.default_rng(seed)
    x, t = (rng.standard_normal(shape).astype(dtype) for _ in range(2))
    if odd is not None and x.size:
        x.reshape(-1)[rng.integers(x.size)] = odd
    x = tf.constant(np.asfortranarray(x) if strided else x)

    def step(x, t):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = layer(x)
            loss = tf.reduce_sum(tf.square(y - t))
        return loss, tape.gradient(loss, [x, layer.gamma, layer.beta]), (y if keeps_y else loss)

    with np.errstate(all="ignore"):
        eager = step(x, tf.constant(t))
        with jit.enable():
            compiled = tf.function(step)
            compiled(x, t)
            alike(eager, compiled(x, t))
            text = compiled.source()
            assert (
                "NormalizeScaleGrad.kernel(" in text
                and "NormalizeScale.kernel(" in text
                and "Normalize.kernel(" not in text
            )
        alike(eager, compiled(x, t))  # switched off, the program still runs


@pytest.mark.parametrize("order", [1, 2])
def test_a_tape_outside_goes_through_the_joined_steps(order):
    layer, x = (
        layer_for((30, 40)),
        tf.constant(np.random.default_rng(1).standard_normal((30, 40)).astype(np.float32)),
    )

    def gradients(f):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.sin(f(x))
            first = tape.gradient(y, [x, layer.gamma, layer.beta])
        return (y, first) if order == 1 else (y, outer.gradient(first, [x, layer.gamma]))

    eager = gradients(layer)
    with jit.enable():
        compiled = tf.function(lambda x: layer(x))
        for _ in range(2):
            alike(eager, gradients(compiled))
        assert (
            "NormalizeScale.kernel(" in compiled.source()
            and "NormalizeScaleGrad.kernel(" in compiled.source()
        )


def bare(x, axis=-1):
    return tf.keras.layers.LayerNormalization(axis=axis, center=False, scale=False)(x)


USES = {
    "nothing is scaled": lambda layer, x: bare(x),
    "no shift": lambda layer, x: bare(x) * layer.gamma,
    "the middle is used twice": lambda layer, x: (n := bare(x)) * layer.gamma + n,
    "the scaled middle is used twice": lambda layer, x: (
        (m := bare(x) * layer.gamma) + layer.beta + tf.sin(m)
    ),
    "both factors are one": lambda layer, x: (n := bare(x)) * n + layer.beta,
    "another axis": lambda layer, x: bare(x, 0) * layer.gamma + layer.beta,
    "a full shift": lambda layer, x: bare(x) * layer.gamma + x,
    "shift first": lambda layer, x: layer.beta + layer.gamma * bare(x),
    "scaled and shifted by the same": lambda layer, x: bare(x) * layer.gamma + layer.gamma,
    "twice in a row": lambda layer, x: layer(layer(x) * 3.0),
}


@pytest.mark.parametrize("name", sorted(USES))
def test_neighbours_of_the_pattern(name):
    layer, x = (
        layer_for((40, 40)),
        tf.constant(np.random.default_rng(1).standard_normal((40, 40)).astype(np.float32)),
    )

    def step(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = USES[name](layer, x)
            loss = tf.reduce_sum(tf.sin(y))
        return (
            loss,
            y,
            tape.gradient(loss, [x, layer.gamma, layer.beta], unconnected_gradients="zero"),
        )

    eager = step(x)
    with jit.enable():
        compiled = tf.function(step)
        compiled(x)
        alike(eager, compiled(x))


def test_steps_without_results_beside_them():
    layer, x = (
        layer_for((40, 40)),
        tf.constant(np.random.default_rng(1).standard_normal((40, 40)).astype(np.float32)),
    )

    def f(x):
        y = layer(x)
        tf.debugging.check_numerics(y, "y")
        tf.debugging.assert_less(y, 100.0)
        return y

    with jit.enable():
        compiled = tf.function(f)
        compiled(x)
        alike(f(x), compiled(x))
        with pytest.raises(tf.errors.InvalidArgumentError):
            compiled(x * np.nan)
