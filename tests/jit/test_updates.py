"""The steps of optimizers by numba against NumPy's: the same numbers to the last bit, and nothing
that was given changes.
"""

import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("numba", reason="the fast path needs numba: pip install minitape[jit]")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

import minitape as tf  # noqa: E402
from minitape import jit  # noqa: E402
from minitape.jit import updates  # noqa: E402
from minitape.jit.exchange import EXCHANGEABLE, Exchangeable  # noqa: E402
from minitape.keras.optimizers.updates import adam_kernel  # noqa: E402

SLOTS = {"ApplyMomentum": 1, "ApplyAdam": 2, "ApplyRMSprop": 1}
ROWS = {name: row for name, row in jit.exchange.faster_rows().items() if name in SLOTS}
SETTINGS = {
    "ApplyMomentum": (0.1, 0.9),
    "ApplyAdam": (0.01, 0.1, 0.001, 1e-7),
    "ApplyRMSprop": (0.01, 0.9, 0.1, 1e-7),
}


@st.composite
def arrays(draw, slots):
    """A variable, its gradient and its slots: ordinary numbers and odd ones, contiguous or not, two
    dtypes.
    """
    shape = draw(st.sampled_from([(3000,), (60, 50), (0,), (5,), (1, 4000), (), (2048,), (2047,)]))
    dtype = draw(st.sampled_from([np.float32, np.float32, np.float64]))
    rng, found = np.random.default_rng(draw(st.integers(0, 999))), []
    for k in range(2 + slots):
        x = rng.standard_normal(shape).astype(dtype) * draw(st.sampled_from([1e-6, 1.0, 1e20]))
        x = np.asarray(x if k < 2 else np.abs(x))
        if x.size and draw(st.booleans()):
            x.reshape(-1)[rng.integers(x.size)] = draw(
                st.sampled_from([np.nan, np.inf, 0.0, 1e-40])
            )
        found.append(np.asarray(x, order="F") if draw(st.integers(0, 3)) == 0 else x)
    return found


@pytest.mark.parametrize("name", sorted(ROWS))
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_an_update_equals_the_plain_one(name, data):
    given = data.draw(arrays(SLOTS[name]))
    kept = [x.copy() for x in given]
    number = given[0].dtype.type
    w, g, *slots = given
    if name == "ApplyAdam" and data.draw(st.booleans()):
        slots.append(np.abs(given[-1]) + 1)
    arguments = w, g, tuple(slots), tuple(map(number, SETTINGS[name]))
    plain = EXCHANGEABLE[name].kernel
    with np.errstate(all="ignore"):
        wanted, found = plain(*arguments), ROWS[name].kernel(plain)(*arguments)
    assert len(found) == len(wanted)
    for p, q in zip(wanted, found):
        assert q.dtype == p.dtype and q.shape == p.shape
        np.testing.assert_array_equal(q, p)
    for x, before in zip(given, kept):
        np.testing.assert_array_equal(x, before)
    assert not any(np.shares_memory(q, x) for q in found for x in given if x.size)


OPTIMIZERS = {
    "momentum": lambda: tf.keras.optimizers.SGD(0.1, momentum=0.9),
    "adam": lambda: tf.keras.optimizers.Adam(0.01),
    "nesterov": lambda: tf.keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True),
    "amsgrad": lambda: tf.keras.optimizers.Adam(0.01, amsgrad=True),
    "adamw": lambda: tf.keras.optimizers.AdamW(0.01),
    "rmsprop": lambda: tf.keras.optimizers.RMSprop(0.01),
    "clipped": lambda: tf.keras.optimizers.Adam(0.01, clipnorm=1.0),
    "centered": lambda: tf.keras.optimizers.RMSprop(0.01, centered=True, momentum=0.5),
}


@pytest.mark.parametrize("name", sorted(OPTIMIZERS))
def test_training_is_the_same_and_old_values_stay_with_those_who_hold_them(name):
    def train():
        v, optimizer, held = (
            tf.Variable(np.linspace(-1, 1, 3000, dtype=np.float32).reshape(60, 50)),
            OPTIMIZERS[name](),
            [],
        )
        for k in range(6):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(v * v) * float(k + 1)
            held.append((now := v.read_value(), now.numpy()))
            optimizer.apply_gradients([(tape.gradient(loss, v), v)])
        for tensor, before in held:
            np.testing.assert_array_equal(tensor.numpy(), before)
        return [v.numpy(), *[w.numpy() for w in optimizer.variables]]

    plain = train()
    with jit.enable():
        found = train()
    for p, q in zip(plain, found):
        np.testing.assert_array_equal(q, p)


def test_the_loops_do_run(monkeypatch):
    calls, real = [], updates.adam_step.call
    monkeypatch.setattr(updates.adam_step, "call", lambda *args: (calls.append(1), real(*args)))
    v, optimizer = tf.Variable(np.ones(3000, np.float32)), tf.keras.optimizers.Adam()
    with jit.enable():
        optimizer.apply_gradients([(tf.ones(3000), v)])
    assert calls == [1]


def test_a_row_that_is_made_later_is_exchanged_too():
    """Optimizers are loaded when they are first used, which may be after `enable()`."""
    code = """
import sys, numpy as np, minitape as tf
from minitape import jit
from minitape.jit import exchange
assert jit.enable() and not any("keras" in name for name in sys.modules if name.startswith("minitape"))
assert "ApplyAdam" not in exchange.plain
from minitape.keras.optimizers.updates import adam, adam_kernel
assert adam.kernel is not adam_kernel
assert "ApplyAdam" in exchange.plain
jit.disable()
assert adam.kernel is adam_kernel
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_waits_is_forgotten_when_the_fast_path_is_switched_off(monkeypatch):
    monkeypatch.delitem(EXCHANGEABLE, "ApplyAdam")
    with jit.enable():
        pass
    assert Exchangeable("ApplyAdam", adam_kernel).kernel is adam_kernel
