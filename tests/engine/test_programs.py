"""Random programs against a naive oracle.

A program is a list of acts: operations on earlier values, readings of variables, assignments,
watches, stretches without recording, gradients taken inside of the block. The oracle knows nothing
of tapes: it keeps for every number the list of its derivatives with respect to each source (forward
mode, by hand), and what a tape would see.
"""

import math
import random

import numpy as np
import pytest

import minitape as tf

pytestmark = pytest.mark.filterwarnings("ignore")

# name: (minitape, value, derivatives by the inputs)
UNARY = {
    "sin":     (tf.sin,            math.sin,               lambda x, y: math.cos(x)),
    "tanh":    (tf.tanh,           math.tanh,              lambda x, y: 1 - y * y),
    "square":  (tf.square,         lambda x: x * x,        lambda x, y: 2 * x),
    "neg":     (lambda x: -x,      lambda x: -x,           lambda x, y: -1.0),
    "half":    (lambda x: x / 2,   lambda x: x / 2,        lambda x, y: 0.5),
    "exp":     (lambda x: tf.exp(tf.sin(x)), lambda x: math.exp(math.sin(x)), lambda x, y: y * math.cos(x)),
    "stop":    (tf.stop_gradient,  lambda x: x,            None),
    "floor":   (tf.floor,          math.floor,             None),
}  # fmt: skip
BINARY = {
    "add":     (lambda a, b: a + b,     lambda a, b: a + b,          lambda a, b: 1.0,   lambda a, b: 1.0),
    "sub":     (lambda a, b: a - b,     lambda a, b: a - b,          lambda a, b: 1.0,   lambda a, b: -1.0),
    "mul":     (lambda a, b: a * b,     lambda a, b: a * b,          lambda a, b: b,     lambda a, b: a),
    "max":     (tf.maximum,             max,                         lambda a, b: 1.0 * (a >= b), lambda a, b: 1.0 * (a < b)),
}  # fmt: skip


class Oracle:
    """Numbers with their derivatives: `slopes[source]` is d(value)/d(source), for what the tape has
    seen.
    """

    def __init__(self, value, slopes=None, own=None):
        self.value, self.slopes, self.own = value, slopes or {}, own


def derived(value, inputs, partials, recording):
    """Return the result of an operation: the chain rule, where the tape records."""
    slopes = {}
    if recording and partials is not None:
        for x, p in zip(inputs, partials):
            for source, slope in x.slopes.items():
                slopes[source] = slopes.get(source, 0.0) + p * slope
    return Oracle(value, slopes)


def program(seed, length):
    """Write and run one random program; return the tape's gradients and the oracle's, per source."""
    rng = random.Random(seed)
    variables = [
        tf.Variable(rng.uniform(-1, 1), dtype="float64", name=f"v{i}", trainable=rng.random() < 0.8)
        for i in range(3)
    ]
    constants = [tf.constant(rng.uniform(-1, 1), "float64") for _ in range(3)]
    contents = [float(v.numpy()) for v in variables]
    watching = rng.random() < 0.7
    watched = [watching and v.trainable for v in variables]
    values = [(c, Oracle(float(c))) for c in constants]
    tape = tf.GradientTape(persistent=True, watch_accessed_variables=watching)
    with tape:
        for i in range(3):
            if rng.random() < 0.6:
                watch(tape, values, i)
        if rng.random() < 0.3:
            k = rng.randrange(3)
            tape.watch(variables[k])
            watched[k] = True
        for _ in range(length):
            if rng.random() < 0.1:
                with tape.stop_recording():
                    act(rng, values, variables, contents, watched, False)
            else:
                act(rng, values, variables, contents, watched, True)
            if rng.random() < 0.05:  # a late one that nothing has used yet, or one that is followed
                fresh = tf.constant(rng.uniform(-1, 1), "float64")
                values.append((fresh, Oracle(float(fresh))))
                watch(tape, values, len(values) - 1)
                followed = [i for i, (t, _) in enumerate(values) if t.id in tape.recording.watched]
                watch(tape, values, rng.choice(followed))
            if rng.random() < 0.05:
                tape.gradient(values[-1][0], variables)  # in between, on a persistent tape
    return tape, values, variables, constants


def watch(tape, values, i):
    """Watch a value from now on. One that the tape did not follow before becomes a source of its
    own.
    """
    tensor, oracle = values[i]
    followed = tensor.id in tape.recording.watched
    tape.watch(tensor)
    if not followed:
        oracle.own = ("t", tensor.id)
        oracle.slopes = {oracle.own: 1.0}


def act(rng, values, variables, contents, watched, recording):
    """Do one thing."""
    what = rng.random()
    if what < 0.15:
        k = rng.randrange(3)
        slopes = {("v", k): 1.0} if watched[k] and recording else {}
        values.append((variables[k] + 0.0, Oracle(contents[k], slopes)))
    elif what < 0.25:
        k, x = rng.randrange(3), rng.choice(values)
        how = rng.choice(["assign", "assign_add", "assign_sub"])
        getattr(variables[k], how)(x[0])
        contents[k] = {
            "assign": x[1].value,
            "assign_add": contents[k] + x[1].value,
            "assign_sub": contents[k] - x[1].value,
        }[how]
    elif what < 0.6:
        f, value, slope = UNARY[rng.choice(sorted(UNARY))]
        x = rng.choice(values)
        y = value(x[1].value)
        values.append((f(x[0]), derived(y, [x[1]], slope and [slope(x[1].value, y)], recording)))
    else:
        f, value, first, second = BINARY[rng.choice(sorted(BINARY))]
        a, b = rng.choice(values), rng.choice(values)
        u, v = a[1].value, b[1].value
        values.append(
            (
                f(a[0], b[0]),
                derived(value(u, v), [a[1], b[1]], [first(u, v), second(u, v)], recording),
            )
        )
        if abs(values[-1][1].value) > 1e3:
            values.pop()


@pytest.mark.parametrize("seed", range(150))
def test_programs(seed):
    tape, values, variables, constants = program(seed, random.Random(seed).choice([5, 20, 60]))
    for target, oracle in values[-3:]:
        assert float(target) == pytest.approx(oracle.value, rel=1e-9, abs=1e-12)
        sources = [(("v", k), v) for k, v in enumerate(variables)]
        sources += [(o.own, t) for t, o in values if o.own is not None and t is not target]
        for key, source in sources:
            got, expected = tape.gradient(target, source), oracle.slopes.get(key)
            if got is None or expected is None:
                assert (got is None or float(got) == 0) and not expected, (key, got, expected)
            else:
                assert float(got) == pytest.approx(expected, rel=1e-8, abs=1e-10), key
    assert constants is not None


@pytest.mark.parametrize("seed", range(40))
def test_nested_programs(seed):
    """Second derivatives of random expressions, by nested tapes, against finite differences of the
    first.
    """
    rng = random.Random(1000 + seed)
    names = [rng.choice(["sin", "tanh", "square", "exp", "neg"]) for _ in range(6)]
    pairs = [
        (rng.choice(sorted(set(BINARY) - {"max"})), rng.randrange(3), rng.randrange(3))
        for _ in range(4)
    ]

    def function(x):
        values = [x, UNARY[names[0]][0](x), tf.constant(0.3, "float64") * x]
        for (op, i, j), name in zip(pairs, names[1:]):
            values = values[1:] + [tf.tanh(UNARY[name][0](BINARY[op][0](values[i], values[j])))]
        return values[-1]

    def slope(at):
        x = tf.constant(at, "float64")
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return float(tape.gradient(y, x))

    x = tf.Variable(0.4, dtype="float64")
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = function(x)
        g = inner.gradient(y, x)
    second = float(outer.gradient(g, x))
    assert float(g) == pytest.approx(slope(0.4))
    assert second == pytest.approx(
        (slope(0.4 + 1e-6) - slope(0.4 - 1e-6)) / 2e-6, rel=1e-4, abs=1e-5
    )
    assert np.isfinite(second)
