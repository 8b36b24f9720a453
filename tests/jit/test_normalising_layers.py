"""Normalising layers with kernels: three steps computed in one walk over the rows, and played back
in one, against the same layer in NumPy. A tape has the same entries either way.
"""

import numpy as np
import pytest

pytest.importorskip("numba", reason="the fast path needs numba: pip install minitape[jit]")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

import minitape as tf  # noqa: E402
from minitape import jit  # noqa: E402
from minitape.engine.base.listeners import Onlooker, looking_on  # noqa: E402
from minitape.jit import fused, normalisation  # noqa: E402

LAYERS = {
    "layer": lambda dtype: tf.keras.layers.LayerNormalization(dtype=dtype),
    "batch": lambda dtype: tf.keras.layers.BatchNormalization(dtype=dtype),
    "no shift": lambda dtype: tf.keras.layers.LayerNormalization(center=False, dtype=dtype),
    "two axes": lambda dtype: tf.keras.layers.LayerNormalization((-2, -1), dtype=dtype),
    "first axis": lambda dtype: tf.keras.layers.BatchNormalization(1, dtype=dtype),
}


def build(name, shape, dtype="float32", seed=0):
    """Return a layer with learned weights, and numbers for it."""
    rng, layer = np.random.default_rng(seed), LAYERS[name](dtype)
    layer.build(shape)
    for v in layer.trainable_variables:
        v.assign(rng.standard_normal(v.shape).astype(dtype))
    return layer, rng.standard_normal(shape).astype(dtype)


def close(p, q):
    """Compare two arrays up to the rounding of sums."""
    p, q = np.asarray(p), np.asarray(q)
    assert p.dtype == q.dtype and p.shape == q.shape
    size = np.abs(p[np.isfinite(p)]).max(initial=1.0)
    np.testing.assert_allclose(q, p, rtol=1e-4, atol=1e-5 * size)


def recorded(layer, x):
    """Return what a tape holds of a call of the layer, with numbers counted from its first, and the
    gradients.
    """
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = layer(x, training=True)
        loss = tf.reduce_sum(tf.sin(y))
    entries, counted = tape._tape.entries, {}
    seen = [
        (
            op,
            [counted.setdefault(n, len(counted)) for n in inputs],
            counted.setdefault(output, len(counted)),
            attributes,
            offset,
        )
        for op, inputs, output, attributes, _, offset, *_ in entries
    ]
    arrays = [v for *_, values, y in entries for v in (*values, y)]
    return seen, arrays, tape.gradient(loss, [x, *layer.trainable_variables])


@settings(max_examples=40, deadline=None)
@given(
    name=st.sampled_from(sorted(LAYERS)),
    shape=st.sampled_from([(40, 50), (3, 20, 50), (600, 4), (2, 3), (1, 700), (2, 5, 8, 16)]),
    dtype=st.sampled_from(["float32", "float32", "float64"]),
    odd=st.sampled_from([None, None, np.nan, np.inf, 100.0]),
    strided=st.booleans(),
    seed=st.integers(0, 99),
)
def test_the_same_entries_and_gradients_as_in_numpy(name, shape, dtype, odd, strided, seed):
    layer, x = build(name, shape, dtype, seed)
    if odd is not None:
        x.reshape(-1)[seed % x.size] = odd
    x = tf.constant(np.asfortranarray(x) if strided else x)
    with np.errstate(all="ignore"):
        entries, arrays, gradients = recorded(layer, x)
        with jit.enable():
            found = recorded(layer, x)
    assert found[0] == entries
    for p, q in zip([*arrays, *gradients], [*found[1], *found[2]], strict=True):
        close(p, q)


@pytest.mark.parametrize("name", ["layer", "batch"])
def test_the_loops_do_run(name, monkeypatch):
    calls = []
    for module, loop in (
        (normalisation, "steps_rows"),
        (normalisation, "steps_columns"),
        (normalisation, "normalize_grad_rows"),
        (fused, "scaled_grad_rows"),
        (fused, "grad_columns"),
    ):
        real = getattr(module, loop)
        monkeypatch.setattr(
            module, loop, lambda *args, loop=loop, real=real: calls.append(loop) or real(*args)
        )
    layer, x = build(name, (40, 50))
    with jit.enable():
        recorded(layer, tf.constant(x))
    assert (
        calls
        == {
            "layer": ["steps_rows", "scaled_grad_rows"],
            "batch": ["steps_columns", "grad_columns"],
        }[name]
    )


class Looker(Onlooker):
    """Counts the parts that it sees."""

    def __init__(self):
        self.seen = []

    def plays(self, play, parts):
        for part in parts:
            self.seen.append(play.entries[part[0]][0])
            yield part


def test_whoever_looks_on_sees_the_small_steps():
    layer, x = build("layer", (40, 50))
    x = tf.constant(x)
    with jit.enable(), looking_on(Looker()) as looker:
        recorded(layer, x)
    assert [op for op in looker.seen if op in ("Add", "Mul", "Normalize")] == [
        "Add",
        "Add",
        "Mul",
        "Mul",
        "Normalize",
    ]
    with jit.enable():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = layer(x)
        steps = [tape._tape.entries[step.index][0] for step in tape.steps(y, x)]
    assert steps == ["Add", "Mul", "Normalize"]


USES = {
    "the middle is a source": lambda layer, x, n, m: (m + layer.beta, n),
    "the middle is used twice": lambda layer, x, n, m: (m + layer.beta + n, x),
    "the product is used twice": lambda layer, x, n, m: ((m + layer.beta) * m, x),
    "the middle is a target": lambda layer, x, n, m: ([m + layer.beta, m], x),
    "gamma alone": lambda layer, x, n, m: (m + layer.beta, layer.gamma),
    "shifted by gamma": lambda layer, x, n, m: (m + layer.gamma, layer.gamma),
    "shifted by x": lambda layer, x, n, m: (m + x, x),
    "nothing leads there": lambda layer, x, n, m: (m + layer.beta, tf.Variable(1.0)),
}


@pytest.mark.parametrize("use", USES)
def test_neighbours_of_the_pattern(use):
    layer, x = build("layer", (40, 50))
    x = tf.constant(x)

    def gradient():
        with tf.GradientTape() as tape:
            tape.watch(x)
            n = tf.keras.layers.LayerNormalization(center=False, scale=False)(x)
            y, source = USES[use](layer, x, n, n * layer.gamma)
        found = tape.gradient(y, source)
        return np.zeros(()) if found is None else found.numpy()

    plain = gradient()
    with jit.enable():
        found = gradient()
    close(plain, found)


def test_other_lengths_are_refused_as_in_numpy():
    layer, _ = build("layer", (40, 50))
    errors = []
    for on in (False, True):
        if on:
            jit.enable()
        try:
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                layer(tf.ones((40, 30)))
        finally:
            jit.disable()
        errors.append(str(caught.value))
    assert errors[0] == errors[1]
