"""Programs run twice, on two sets of numbers: the page gets the storyboard of the first run and the
numbers of the second, and must find what the second run found (replay.test.js).
"""

import importlib
import sys
import warnings
from pathlib import Path
from unittest.mock import patch

import numpy as np

import minitape as tf
from minitape.engine.explainer import EXPLAINER
from minitape.engine.ops.facts import FACTS
from minitape.storyboard import build
from minitape.storyboard.text.summary import json_number, summary
from tests.engine.cases import CASES
from tests.engine.new_row import squash

sys.path.insert(0, str(Path(__file__).parent.parent / "storyboard"))
import storyboard_programs as programs_of  # noqa: E402

PLAYED = {op for op, facts in FACTS.items() if facts.page}

# Half the time of a board goes into what no number depends on: where its boxes stand, and why a
# gradient is None. The runs do without, and without their source, which is most of their letters;
# the moments below have it all.
PLACED = patch.object(
    importlib.import_module("minitape.storyboard.build"), "drawings", lambda *_: []
)
EXPLAINED = patch.object(EXPLAINER, "load", None)

# One step of a random program: a name, and what is made of one or two values of shape (2, 3). All
# stay of moderate size.
STEPS = [
    lambda a, b: a + b,
    lambda a, b: a * b,
    lambda a, b: a - 0.5 * b,
    lambda a, b: a / (2.0 + b * b),
    lambda a, b: tf.tanh(a),
    lambda a, b: tf.sigmoid(a) * b,
    lambda a, b: tf.exp(-a * a),
    lambda a, b: tf.nn.relu(a) + a,
    lambda a, b: tf.sin(a) * tf.cos(b),
    lambda a, b: tf.maximum(a, b),
    lambda a, b: tf.where(a > b, a, 2.0 * b),
    lambda a, b: tf.nn.softmax(a),
    lambda a, b: a - tf.reduce_mean(b, axis=0),
    lambda a, b: a + tf.reduce_sum(b, axis=1, keepdims=True),
    lambda a, b: tf.reshape(tf.transpose(a), (2, 3)),
    lambda a, b: a @ tf.transpose(b) @ a,
    lambda a, b: tf.concat([a[:1], b[1:]], 0),
    lambda a, b: tf.stack(tf.unstack(a, axis=1)[::-1], axis=1),
    lambda a, b: tf.gather(a, [1, 0]) * b,
    lambda a, b: a + b[0],
    lambda a, b: tf.math.log(1.0 + a * a),
    lambda a, b: tf.clip_by_value(a, -1.0, 1.0),
    lambda a, b: tf.abs(a) ** 1.5,
    lambda a, b: tf.reduce_max(a, axis=1, keepdims=True) * b,
    lambda a, b: tf.nn.softplus(a),
    lambda a, b: tf.sqrt(1.0 + tf.square(a)),
]


def flat(value):
    """The numbers of an array, as JSON has them."""
    return [json_number(number) for number in np.asarray(value).ravel()]


def both(function, first, second, dtype, **asked):
    """The storyboard of the first run, the numbers of the second, and what that found."""
    boards, found = [], None
    for arrays in (first, second):
        xs = [tf.constant(array, dtype) for array in arrays]
        with tf.GradientTape() as tape:
            tape.watch([x for x in xs if x.dtype.is_floating])
            y = tf.nest.flatten(function(*xs))
        if any(t.dtype.is_complex for t in y):
            return None
        with warnings.catch_warnings(), PLACED, EXPLAINED:
            warnings.simplefilter("ignore")
            board = build(tape, y, xs, engine="layers", explain=False, folded=False, **asked)
        boards.append(board)
        board["sources"] = []
        found = {
            "targets": [flat(t) for t in y],
            "gradients": [None if g is None else flat(g) for g in board.gradients],
        }
    return {"board": boards[0], "other": boards[1], "dtype": dtype, **found}


def per_operation(played=PLAYED):
    """For every operation that the page plays, or some: each of its cases in float64 and float32,
    on two sets of numbers.
    """
    for case in CASES:
        if case.op not in played or case.unregistered or not case.reached:
            continue
        shapes = case.shapes or (
            [(2, 3)] * case.inputs,
            [(3,)] + [(2, 3)] * (case.inputs - 1),
            [()] * case.inputs,
        )
        for alternative in shapes:
            for dtype in ("float64", "float32") if case.tolerance <= 1e-5 else ("float64",):
                rng = np.random.default_rng(len(case.op))
                first, second = (
                    [rng.uniform(*case.interval(i), shape) for i, shape in enumerate(alternative)]
                    for _ in range(2)
                )
                made = both(case.call, first, second, dtype)
                if made is not None and made["board"]["replay"] is not None:
                    assert [card["op"] for card in made["board"]["cards"]] == [
                        card["op"] for card in made["other"]["cards"]
                    ]
                    yield {"name": case.op, **made}


def programs(count):
    """Random programs of a dozen steps, with fan-out, a scalar target and a second order play of
    some.
    """
    for seed in range(count):
        rng = np.random.default_rng(seed)
        steps = [(STEPS[rng.integers(len(STEPS))], rng.integers(0, 2 + k, 2)) for k in range(12)]

        def function(*xs, steps=steps):
            values = list(xs)
            for step, (a, b) in steps:
                values.append(step(values[a], values[b]))
            return tf.reduce_mean(values[-1] * values[-2] + values[-3])

        first, second = (rng.uniform(-1.5, 1.5, (2, 2, 3)) for _ in range(2))
        yield {"name": f"program {seed}", **both(function, first, second, "float32")}


def new_row():
    """A program with an operation that was just added; the page adds its row in `replay.test.js`."""
    with squash() as row:
        first, second = (np.random.default_rng(seed).uniform(-2, 2, (1, 3)) for seed in (1, 2))
        return both(lambda x: tf.reduce_sum(row(x * x)), first, second, "float64")


def summaries():
    """Numbers and arrays of many sizes, shapes and dtypes, each with its summary."""
    rng = np.random.default_rng(5)
    sizes = [10.0**k for k in range(-12, 14)] + [
        0.0,
        np.nan,
        np.inf,
        -np.inf,
        1 / 3,
        123456.7,
        1234567.0,
        0.00012345,
        99999.95,
    ]
    numbers = [np.float64(x) * sign for x in sizes for sign in (1, -1)] + [
        np.float32(x) for x in sizes
    ]
    arrays = [
        rng.normal(size=shape) * 10.0 ** rng.integers(-6, 8)
        for shape in [
            (1,),
            (3,),
            (6,),
            (7,),
            (2, 3),
            (4, 4),
            (2, 1, 3),
            (40, 3),
            (17, 33),
            (3, 16),
            (2, 0),
            (5, 20, 4),
        ]
        for _ in range(3)
    ]
    arrays += [
        np.array([np.nan, 1.0, np.inf]),
        np.arange(5),
        np.arange(40),
        np.array([True, False]),
        np.zeros((3, 3), np.float32),
        np.array(4),
        np.array(True),
        rng.normal(size=(3, 2)).astype(np.float32),
    ]
    for x in numbers + arrays:
        yield {"summary": summary(np.asarray(x)), "numbers": flat(x)}


MOMENTS = {
    "branch": """\
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    if x > 0.0:
        y = x * 3.0
    else:
        y = -x
board = build(tape, y, x, engine="layers")
""",
    "escape": """\
import numpy as np
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    total = tf.constant(np.sum(x * x))
    y = total * tf.reduce_sum(x)
board = build(tape, y, x, engine="layers")
""",
    "unknown": """\
x = tf.Variable(1.5)
with tf.GradientTape() as tape:
    u = tf.math.lgamma(x)
    y = u * x
board = build(tape, y, x, engine="layers")
""",
    "logarithm": """\
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.math.log(x)
board = build(tape, y, x, engine="layers")
""",
}
MOMENTS |= {
    "infinite": """\
x, far = tf.Variable(2.0), tf.constant(float("inf"))
with tf.GradientTape() as tape:
    y = x * 3.0
    z = y + far
board = build(tape, z, x, engine="layers")
""",
    "assigned on the tape": """\
v = tf.Variable(3.0)
w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = w * v
    w.assign(5.0)
    y = y + w
board = build(tape, y, [v, w], engine="layers")
""",
    "assigned": """\
from minitape.storyboard import Film, develop
w = tf.Variable(1.0)
with Film() as film:
    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = (w - 3.0)**2
        w.assign_sub(0.1 * tape.gradient(loss, w))
board = develop(film, engine="layers")
""",
    "stopped": """\
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.stop_gradient(x * x) * x
board = build(tape, y, x, engine="layers")
""",
    "weighed": """\
w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = w * w
    z = tf.reduce_sum(w) * 3.0
board = build(tape, [y, z], w, output_gradients=[tf.constant([10.0, -1.0]), tf.constant(2.0)], engine="layers")
""",
    "chosen": """\
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.where(x > 0.0, x * x, -x)
board = build(tape, y, x, engine="layers")
""",
    "twice": """\
x = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    y = x * x
    z = y * x
from minitape.storyboard import Film, develop
with Film() as film:
    film.add(tape.recording.tape)
    tape.gradient(y, x)
    tape.gradient(z, x)
board = develop(film, engine="layers")
""",
}
CHAIN = """\
x = tf.Variable(0.3)
with tf.GradientTape() as tape:
    y = x
    for _ in range({}):
        y = tf.tanh(y * x + 0.1)
board = build(tape, y, x, engine="layers", folded=False)
"""


def moments():
    """Storyboards that the page takes hold of."""
    made = {name: programs_of.storyboard(name) for name in ("fan_out", "nested", "jacobian")}
    texts = {**MOMENTS, "chain200": CHAIN.format(66), "chain2000": CHAIN.format(666)}
    return made | {name: programs_of.run(name, text)["board"] for name, text in texts.items()}


def replayed(count=60):
    """All of it as JSON, and the names of what the page plays."""
    return {
        "moments": moments(),
        "summaries": list(summaries()),
        "runs": [*per_operation(), *programs(count)],
        "new": new_row(),
        "played": sorted(PLAYED),
    }
