"""The exercises of the lesson on Jacobians: shapes and zeros, one by `gradient` alone, (value, slope)
pairs, and pictures drawn by programs; in the extras, one per example, and two rules as puzzles.
"""

from __future__ import annotations

import numpy as np

from minitape.exercises import Catalogue, Function, Prediction, Wrong
from minitape.exercises.lessons import extras_11
from minitape.exercises.repair import Played

TEXTS = Catalogue(__name__)

recall = Prediction(
    id="11.recall",
    texts=TEXTS,
    numbers={"x": (2.0, 4.0, 5.0), "k": (3.0, 10.0)},
    right="change",
    program="""x = tf.Variable({x})
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = {k} * x * x
    slope = inner.gradient(y, x)
change = outer.gradient(slope, x)
""",
    wrong=(
        Wrong("the-slope", "slope"),
        Wrong("the-value", "y"),
        Wrong("one-part", "change / 2"),
        Wrong("no-factor", "2"),
        Wrong("zero", "0"),
        Wrong("with-x", "x"),
        Wrong("still-x", "2 * x"),
        Wrong("still-x", "y / x"),
        Wrong("still-x", "slope / 2"),
        Wrong("twice-two", "2 * change"),
        Wrong("none", "None"),
        Wrong("still-x", "2 * y"),
    ),
)

row = Prediction(
    id="11.row",
    texts=TEXTS,
    numbers={
        "x": ([5.0, 2.0, 4.0, 6.0], [3.0, 7.0, 2.0, 5.0], [6.0, 3.0, 8.0, 2.0, 7.0]),
        "k": (1, 2),
    },
    right="row",
    program="""x = tf.Variable({x})
with tf.GradientTape() as tape:
    y = tf.cumsum(x)
    result = y[{k}]
row = tape.gradient(result, x)
""",
    wrong=(
        Wrong("later-ones", "[float(k >= np.sum(row.numpy()) - 1) for k in range(len(x))]"),
        Wrong("own-only", "[float(k == np.sum(row.numpy()) - 1) for k in range(len(x))]"),
        Wrong("one-less", "[float(k < np.sum(row.numpy()) - 1) for k in range(len(x))]"),
        Wrong("all", "[1.0] * len(x)"),
        Wrong("one-more", "[float(k <= np.sum(row.numpy())) for k in range(len(x))]"),
        Wrong("saved", "np.where(row.numpy() == 1, x.numpy(), 0)"),
        Wrong("one-number", "sum(row)"),
        Wrong("all-results", "[float(n) for n in range(len(x), 0, -1)]"),
        Wrong("the-sums", "y"),
        Wrong("too-short", "[1.0] * int(sum(row))"),
        Wrong("later-ones", "[float(k >= np.sum(row.numpy())) for k in range(len(x))]"),
        Wrong("counted-up", "[k * v for k, v in enumerate(row.numpy(), 1)]"),
        Wrong("rows-added", "[max(np.sum(row.numpy()) - k, 0) for k in range(len(x))]"),
        Wrong("the-result", "result"),
    ),
)

zeros = Prediction(
    id="11.zeros",
    texts=TEXTS,
    numbers={
        "x": ([1.0, 4.0, 2.0, 6.0], [3.0, 1.0, 5.0, 2.0, 7.0], [2.0, 1.0, 4.0, 3.0, 6.0, 5.0])
    },
    right="zeros",
    program="""x = tf.Variable({x})
with tf.GradientTape() as tape:
    y = x[1:] - x[:-1]
J = tape.jacobian(y, x)
zeros = np.sum(J.numpy() == 0)
""",
    wrong=(
        Wrong("not-zero", "J.numpy().size - zeros"),
        Wrong("none", "0"),
        Wrong("one-each", "zeros + len(y)"),
        Wrong("per-row", "len(x) - 2"),
        Wrong("entries", "J.numpy().size"),
        Wrong("rows", "len(y)"),
        Wrong("sums-to-0", "len(x)"),
        Wrong("square", "len(x) * len(x) - 2 * len(y)"),
        Wrong("square", "len(x) ** 2 - 2 * len(x)"),
        Wrong("square", "len(x) ** 2 - 2 * (len(x) - 1)"),
        Wrong("nearly", "zeros - 1 if len(x) > 4 else ..."),
        Wrong("nearly", "zeros - 2 if len(x) > 4 else ..."),
    ),
)

shape = Prediction(
    id="11.shape",
    texts=TEXTS,
    numbers={"n": (3, 5), "m": (2, 4)},
    right="[m for m in J.shape]",
    program="""x = tf.Variable(tf.ones([{n}, {m}]))
with tf.GradientTape() as tape:
    y = tf.reduce_sum(x * x, axis=1)
J = tape.jacobian(y, x)
""",
    wrong=(
        Wrong("gradient", "[m for m in x.shape]"),
        Wrong("target", "[m for m in y.shape]"),
        Wrong("turned", "[x.shape[0], x.shape[1], y.shape[0]]"),
        Wrong("flat", "[y.shape[0], x.shape[0] * x.shape[1]]"),
        Wrong("kept-axis", "[x.shape[1], x.shape[0], x.shape[1]]"),
        Wrong("kept-axis", "[x.shape[1], x.shape[0], x.shape[0]]"),
        Wrong("kept-axis", "[x.shape[0], x.shape[1], x.shape[1]]"),
        Wrong("no-columns", "[x.shape[0], x.shape[0]]"),
        Wrong("a-count", "J.numpy().size"),
        Wrong("kept-one", "[x.shape[0], 1, x.shape[0], x.shape[1]]"),
        Wrong("flat", "[x.shape[0] * y.shape[0], x.shape[1]]"),
    ),
)

filled = Prediction(
    id="11.filled",
    texts=TEXTS,
    numbers={"n": (3, 5, 10), "m": (2, 4), "k": (2, 3)},
    right="filled",
    program="""x = tf.Variable(tf.ones([{n}, {m}]))
w = tf.ones([{m}, {k}])
with tf.GradientTape() as tape:
    y = x @ w
J = tape.jacobian(y, x)
filled = np.sum(J.numpy() != 0)
""",
    wrong=(
        Wrong("all", "J.numpy().size"),
        Wrong("one-example", "w.numpy().size"),
        Wrong("inputs", "x.numpy().size"),
        Wrong("outputs", "y.numpy().size"),
        Wrong("zeros", "J.numpy().size - filled"),
        Wrong("examples", "len(x)"),
        Wrong("pairs", "len(x) ** 2"),
        Wrong("pairs", "len(x) * x.numpy().size"),
        Wrong("pairs", "len(x) * y.numpy().size"),
        Wrong("sizes-multiplied", "x.numpy().size * w.numpy().size"),
        Wrong("shapes-added", "x.numpy().size + w.numpy().size"),
        Wrong("shapes-added", "len(x) * (x.shape[1] + w.shape[1])"),
        Wrong("none", "0"),
    ),
)

# a row by hand
ROW = (
    "x[0] * x[k] * tf.cast(tf.range(len(x)) <= k, tf.float32) + seed * tf.cumsum(x)[k] * x[0]"
    " + tf.one_hot(0, len(x)) * tf.cumsum(x)[k] * x[k]"
)

by_rows = Played(
    id="11.by-rows",
    texts=TEXTS,
    by_hand=False,
    by_jacobian=False,
    form="tensor",
    inputs={"x": ("n",)},
    program="""def jacobian(x):
    rows = []
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.cumsum(x) * x[0] * x
    for k in range(len(y)):
        #: seed
        seed = «tf.one_hot(k, len(y))»
        rows.append(«tape.gradient(y, x, output_gradients=seed)»)
    return tf.stack(rows)
""",
    wrong=(
        Wrong("sum-each", {"append": "tape.gradient(y, x)"}),
        Wrong("sum-each", {"seed": "tf.ones([len(y)])"}),
        Wrong("column", {"tf.stack(rows)": "tf.stack(rows, axis=1)"}),
        Wrong("seed-is-y", {"seed": "y"}),
        Wrong("seed-is-y", {"seed": "x"}),
        Wrong("no-one", {"seed": "tf.zeros(len(y))"}),
        Wrong("length", {"seed": "tf.one_hot([k], len(y))"}),
        Wrong("diagonal", {"append": "tape.gradient(y, x, output_gradients=seed) * seed"}),
        Wrong("one-behind", {"tf.stack(rows)": "tf.concat(rows, 0)"}),
        Wrong("seed-times-y", {"seed": "tf.one_hot(k, len(y)) * y"}),
        Wrong("other-way-round", {"tf.one_hot(k, len(y))": "tf.one_hot(len(y) - 1 - k, len(y))"}),
        Wrong("from-one", {"tf.one_hot(k, len(y))": "tf.one_hot(k + 1, len(y))"}),
        Wrong("same-row", {"tf.one_hot(k, len(y))": "tf.one_hot(0, len(y))"}),
        Wrong("length", {"tf.one_hot(k, len(y))": "tf.one_hot(k, 3)"}),
        Wrong("length", {"tf.one_hot(k, len(y))": "tf.one_hot(len(y), k)"}),
        Wrong("a-number", {"seed": "k"}),
        Wrong("a-number", {"seed": "y[k]"}),
        Wrong("length", {"seed": "tf.one_hot(k)"}),
        Wrong("no-place", {"seed": "tf.one_hot(x, len(y))"}),
        Wrong("length", {"seed": "tf.one_hot(k, 1)"}),
        Wrong("all-at-once", {"seed": "tf.eye(len(y))"}),
        Wrong("up-to-k", {"seed": "tf.cast(tf.range(len(y)) <= k, tf.float32)"}),
        Wrong("not-one", {"seed": "k * tf.one_hot(k, len(y))"}),
        Wrong("not-used", {"append": "tape.gradient(x, y, output_gradients=seed)"}),
        Wrong("seeded-result", {"append": "y * seed"}),
        Wrong("one-entry", {"append": "tape.gradient(y, x, output_gradients=seed)[k]"}),
        Wrong("computed-after", {"append": "tape.gradient(y * seed, x)"}),
        Wrong("diagonal", {"append": "seed * tape.gradient(y, x)"}),
        Wrong("added-up", {"append": "tape.gradient(y, x)[k]"}),
        Wrong("the-seed", {"append": "seed"}),
        Wrong("computed-after", {"append": "tape.gradient(y[k], x)"}),
        Wrong("by-jacobian", {"append": "tape.jacobian(y, x)[k]"}),
        Wrong("added-up", {"tf.stack(rows)": "sum(rows)"}),
        Wrong("a-list", {"seed": "[0, 0, 0]"}),
        Wrong("a-list", {"seed": "[1.0 if j == k else 0.0 for j in range(len(y))]"}),
        Wrong("not-one", {"seed": "len(y) * tf.one_hot(k, len(y))"}),
        Wrong("all-but-one", {"seed": "1.0 - tf.one_hot(k, len(y))"}),
        Wrong("no-play", {"append": ROW}),
    ),
)


def some(chance: np.random.Generator) -> np.ndarray:
    """Return three to six numbers."""
    return np.round(chance.uniform(0.5, 2.5, int(chance.integers(3, 7))), 3)


MIRROR, COMB, STAIRS = "return", "return_2", "return_3"  # the blanks
pictures = Function(
    id="11.pictures",
    texts=TEXTS,
    by_hand=False,
    form="tensor",
    inputs={"x": some},
    program="""def mirror(x):
    return «tf.reverse(x, [0])»

def comb(x):
    return «x * x[0]»

def stairs(x):
    return «tf.concat([x[:1], x[1:] * x[:-1]], 0)»

def drawn(result, x):
    #: drawn
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = result(x)
    if y is Ellipsis:
        return y
    return tf.cast(tape.jacobian(y, x, unconnected_gradients="zero") != 0, tf.float32)

#: trial
def pictures(x):
    picture_of_mirror = drawn(mirror, x)
    picture_of_comb = drawn(comb, x)
    picture_of_stairs = drawn(stairs, x)
    return picture_of_mirror, picture_of_comb, picture_of_stairs
""",
    wrong=(
        Wrong("one-result", {MIRROR: "x[-1]"}),
        Wrong("diagonal", {MIRROR: "-x"}),
        Wrong("both-diagonals", {MIRROR: "x + tf.reverse(x, [0])"}),
        Wrong("both-diagonals", {MIRROR: "x * tf.reverse(x, [0])"}),
        Wrong("mirror-triangle", {MIRROR: "tf.reverse(tf.cumsum(x), [0])"}),
        Wrong("axis", {MIRROR: "tf.reverse(x, [1])"}),
        Wrong("axis", {STAIRS: "tf.concat([x[:1], x[1:] + x[:-1]], 1)"}),
        Wrong("shifted", {MIRROR: "tf.roll(x, 1, 0)"}),
        Wrong("shifted", {MIRROR: "tf.roll(x, -1, 0)"}),
        Wrong("second-column", {COMB: "x * x[1]"}),
        Wrong("the-mirror", {STAIRS: "tf.reverse(x, [0])"}),
        Wrong("the-mirror", {COMB: "tf.reverse(x, [0])"}),
        Wrong("a-list", {COMB: "[v * x[0] for v in x]"}),
        Wrong("last-number", {MIRROR: "x[-1] - x"}),
        Wrong("triple", {STAIRS: "tf.concat([x[:1], x[1:] * x[:-1] * x[0]], 0)"}),
        Wrong("triangle", {MIRROR: "tf.cumsum(x)"}),
        Wrong("column-only", {COMB: "x[0] * tf.ones([len(x)])"}),
        Wrong("one-result", {COMB: "x[0]"}),
        Wrong("first-row", {COMB: "x - x[0]"}),
        Wrong("row-missing", {COMB: "x[1:] * x[0]"}),
        Wrong("triangle", {COMB: "tf.cumsum(x)"}),
        Wrong("full", {COMB: "x * tf.reduce_sum(x)"}),
        Wrong("last-column", {COMB: "x * x[-1]"}),
        Wrong("diagonal", {COMB: "x * x"}),
        Wrong("corner", {STAIRS: "x * tf.roll(x, 1, 0)"}),
        Wrong("too-short", {STAIRS: "x[1:] * x[:-1]"}),
        Wrong("too-short", {STAIRS: "x[:-1]"}),
        Wrong("too-long", {STAIRS: "tf.concat([x[1:], x[:-1]], 0)"}),
        Wrong("other-side", {STAIRS: "tf.concat([x[1:] * x[:-1], x[-1:]], 0)"}),
        Wrong("no-diagonal", {STAIRS: "tf.concat([x[:1], x[:-1]], 0)"}),
        Wrong("no-diagonal", {STAIRS: "tf.concat([[0.0], x[:-1]], 0)"}),
        Wrong("diagonal", {STAIRS: "x * x"}),
        Wrong("first-last", {STAIRS: "tf.concat([x[1:] * x[:-1], x[:1]], 0)"}),
        Wrong("empty-row", {STAIRS: "tf.concat([[1.0], x[1:] * x[:-1]], 0)"}),
        Wrong("a-number", {STAIRS: "tf.concat([x[0], x[1:] * x[:-1]], 0)"}),
        Wrong("unlike", {STAIRS: "x + x[:-1]"}),
        Wrong("unlike", {STAIRS: "x[1:] + x"}),
        Wrong("no-axis", {STAIRS: "tf.concat([x[:1], x[1:] * x[:-1]])"}),
        Wrong("triangle", {STAIRS: "tf.cumsum(x)"}),
        Wrong("fixed", {MIRROR: "tf.stack([x[3], x[2], x[1], x[0]])"}),
        Wrong("fixed", {COMB: "tf.stack([x[0], x[1] * x[0], x[2] * x[0], x[3] * x[0]])"}),
        Wrong("fixed", {STAIRS: "tf.stack([x[0], x[0] + x[1], x[1] + x[2], x[2] + x[3]])"}),
        Wrong("upper-triangle", {MIRROR: "tf.cumsum(x, reverse=True)"}),
        Wrong("mirror-axis", {MIRROR: "tf.reverse(x)"}),
        Wrong("the-picture", {MIRROR: "tf.constant(np.eye(4)[::-1], tf.float32)"}),
        Wrong("the-picture", {MIRROR: "tf.constant(np.eye(len(x))[::-1], tf.float32)"}),
        Wrong("numpy", {MIRROR: "np.flip(x.numpy())"}),
        Wrong("numpy", {MIRROR: "x.numpy()[::-1]"}),
        Wrong("unlike", {STAIRS: "x * x[:-1]"}),
        Wrong("unlike", {STAIRS: "x[1:] * x"}),
        Wrong("no-list", {STAIRS: "tf.concat(x[:1], x[1:] * x[:-1])"}),
        Wrong("last-column", {MIRROR: "x * x[-1]"}),
    ),
)

# ---- columns instead of rows

pairs = Function(
    id="11.pairs",
    texts=TEXTS,
    inputs={"x": (), "y": (), "a": (), "b": ()},
    program="""def plus(p, q):
    return p[0] + q[0], p[1] + q[1]

def times(p, q):
    slope = «p[1] * q[0] + p[0] * q[1]»
    return p[0] * q[0], slope

def sine(p):
    slope = «np.cos(p[0]) * p[1]»
    return np.sin(p[0]), slope

#: trial
def trial(x, y, a, b):
    of_product = times((x, a), (y, b))[1]
    of_sine = sine((x, a))[1]
    return of_product, of_sine
""",
    wrong=(
        Wrong("product-of-slopes", {"slope": "p[1] * q[1]"}),
        Wrong("one-part", {"slope": "p[1] * q[0]"}),
        Wrong("one-part", {"slope": "p[0] * q[1]"}),
        Wrong("as-plus", {"slope": "p[1] + q[1]"}),
        Wrong("own-slope", {"slope": "p[0] * p[1] + q[0] * q[1]"}),
        Wrong("the-value", {"slope": "p[0] * q[0]"}),
        Wrong("slopes-forgotten", {"slope": "p[0] + q[0]"}),
        Wrong("parts-multiplied", {"slope": "(p[1] * q[0]) * (p[0] * q[1])"}),
        Wrong("minus", {"slope": "p[1] * q[0] - p[0] * q[1]"}),
        Wrong("one-part", {"slope": "2 * p[0] * q[1]"}),
        Wrong("one-part", {"slope": "2 * p[1] * q[0]"}),
        Wrong("quotient", {"slope": "(p[1] * q[0] - p[0] * q[1]) / q[0] ** 2"}),
        Wrong("whole-pairs", {"slope": "p * q"}),
        Wrong("one-value", {"slope": "q[0]"}),
        Wrong("one-value", {"slope": "p[0]"}),
        Wrong("one-slope", {"slope": "p[1]"}),
        Wrong("one-slope", {"slope": "q[1]"}),
        Wrong("sums-multiplied", {"slope": "(p[0] + q[0]) * (p[1] + q[1])"}),
        Wrong("like-with-like", {"slope": "p[1] * q[1] + p[0] * q[0]"}),
        Wrong("not-added", {"slope": "(p[1] * q[0], p[0] * q[1])"}),
        Wrong("not-added", {"slope": "(p[0] * q[1], p[1] * q[0])"}),
        Wrong("turned", {"slope_2": "p[0] * np.cos(p[1])"}),
        Wrong("whole-pairs", {"slope_2": "np.cos(p)"}),
        Wrong("sine-forgotten", {"slope_2": "p[1]"}),
        Wrong("value-for-slope", {"slope_2": "np.cos(p[0]) * p[0]"}),
        Wrong("no-slope", {"slope_2": "np.cos(p[0])"}),
        Wrong("of-slope", {"slope_2": "np.cos(p[1])"}),
        Wrong("of-slope", {"slope_2": "np.sin(p[1])"}),
        Wrong("not-cos", {"slope_2": "np.sin(p[0]) * p[1]"}),
        Wrong("sign", {"slope_2": "-np.sin(p[0]) * p[1]"}),
        Wrong("inner", {"slope_2": "np.cos(p[0] * p[1])"}),
        Wrong("added", {"slope_2": "np.cos(p[0]) + p[1]"}),
        Wrong("sign", {"slope_2": "-np.cos(p[0]) * p[1]"}),
        Wrong("whole-product", {"slope": "p[0] * q[0] * (p[1] + q[1])"}),
        Wrong("whole-pairs", {"slope_2": "np.cos(p) * p[1]"}),
        Wrong("taken-away", {"slope": "p[1] - q[1]"}),
        Wrong("slope-squared", {"slope_2": "np.cos(p[0]) * p[1] ** 2"}),
        Wrong("value-missing", {"slope": "p[1] * q[0] + q[1]"}),
        Wrong("value-missing", {"slope": "p[1] + p[0] * q[1]"}),
        Wrong("slope-below", {"slope_2": "np.cos(p[0]) / p[1]"}),
        Wrong("by-trying", {"slope_2": "(np.sin(p[0] + 1e-6 * p[1]) - np.sin(p[0])) / 1e-6"}),
    ),
)

fewest = Prediction(
    id="11.fewest",
    texts=TEXTS,
    numbers={"n": (3, 4, 40, 50), "m": (5, 6, 20, 30)},
    right="min(J.shape)",
    program="""x = tf.Variable(tf.ones([{n}]))
with tf.GradientTape() as tape:
    y = tf.linalg.matvec(tf.ones([{m}, {n}]), x)

J = tape.jacobian(y, x)
""",
    wrong=(
        Wrong("dearer", "max(J.shape)"),
        Wrong("both", "sum(J.shape)"),
        Wrong("entries", "J.numpy().size"),
        Wrong("one", "1"),
        Wrong("two", "2"),
        Wrong("shape", "[n for n in J.shape]"),
        Wrong("difference", "abs(J.shape[0] - J.shape[1])"),
        Wrong("none", "0"),
    ),
)

per_example, running, window = extras_11.per_example, extras_11.running, extras_11.window
