"""The exercises of the lesson on Jacobians: shapes and zeros, one by `gradient` alone, one per
example, and pictures drawn by programs.
"""

from __future__ import annotations

import numpy as np

from minitape.exercises import Catalogue, Function, Prediction, Wrong

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
        Wrong("square", "zeros + len(x) - 2"),
        Wrong("one-each", "zeros + len(y)"),
        Wrong("per-row", "len(x) - 2"),
        Wrong("entries", "J.numpy().size"),
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
        Wrong("four", "[x.shape[0], 1, x.shape[0], x.shape[1]]"),
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
    ),
)

by_rows = Function(
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
        Wrong("seed-times-y", {"seed": "tf.one_hot(k, len(y)) * y"}),
        Wrong("other-way-round", {"tf.one_hot(k, len(y))": "tf.one_hot(len(y) - 1 - k, len(y))"}),
        Wrong("from-one", {"tf.one_hot(k, len(y))": "tf.one_hot(k + 1, len(y))"}),
        Wrong("same-row", {"tf.one_hot(k, len(y))": "tf.one_hot(0, len(y))"}),
        Wrong("length", {"tf.one_hot(k, len(y))": "tf.one_hot(k, 3)"}),
        Wrong("length", {"tf.one_hot(k, len(y))": "tf.one_hot(len(y), k)"}),
        Wrong("a-number", {"seed": "k"}),
        Wrong("a-number", {"seed": "y[k]"}),
        Wrong("diagonal", {"append": "seed * tape.gradient(y, x)"}),
        Wrong("added-up", {"append": "tape.gradient(y, x)[k]"}),
        Wrong("the-seed", {"append": "seed"}),
        Wrong("computed-after", {"append": "tape.gradient(y[k], x)"}),
        Wrong("by-jacobian", {"append": "tape.jacobian(y, x)[k]"}),
        Wrong("added-up", {"tf.stack(rows)": "sum(rows)"}),
    ),
)

per_example = Function(
    id="11.per-example",
    texts=TEXTS,
    by_hand=False,
    by_jacobian=False,
    form="tensor",
    inputs={"x": ("n", 3), "w": (3, "k")},
    program="""def per_example(x, w):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.sin(x @ w)
        columns = «[y[:, j] for j in range(y.shape[1])]»
    #: body
    «return tf.stack([tape.gradient(column, x) for column in columns], axis=1)»
""",
    wrong=(
        Wrong("added", {"body": "return tape.gradient(y, x)"}),
        Wrong("added", {"body": "return sum(tape.gradient(column, x) for column in columns)"}),
        Wrong("rows", {"[y[:, j] for j in range(y.shape[1])]": "list(y)"}),
        Wrong("how-many", {"range(y.shape[1])": "range(3)"}),
        Wrong("added", {"gradient(column, x)": "gradient(y, x)"}),
        Wrong(
            "reshaped",
            {
                "body": "return tf.reshape([tape.gradient(column, x) for column in columns], "
                "[len(x), -1, 3])"
            },
        ),
        Wrong("axis-first", {"axis=1": "axis=0"}),
        Wrong("axis-last", {"axis=1": "axis=2"}),
        Wrong("whole", {"body": "return tape.jacobian(y, x)"}),
        Wrong("one-column", {"body": "return tape.gradient(columns[0], x)"}),
        Wrong(
            "matrix-of-weights",
            {"body": "return tf.stack([tf.transpose(w) for _ in range(len(x))])"},
        ),
        Wrong(
            "computed-after",
            {
                "body": "return tf.stack([tape.gradient(y[:, j], x) for j in range(y.shape[1])], "
                "axis=1)"
            },
        ),
        Wrong("by-jacobian", {"body": "return tape.batch_jacobian(y, x)"}),
        Wrong("concatenated", {"tf.stack([": "tf.concat(["}),
    ),
)


def some(chance: np.random.Generator) -> np.ndarray:
    """Return three to six numbers."""
    return np.round(chance.uniform(0.5, 2.5, int(chance.integers(3, 7))), 3)


pictures = Function(
    id="11.pictures",
    texts=TEXTS,
    by_hand=False,
    form="tensor",
    inputs={"x": some},
    program="""def drawn(tape, y, x):
    #: drawn
    if y is Ellipsis:
        return y
    return tf.cast(tape.jacobian(y, x, unconnected_gradients="zero") != 0, tf.float32)

#: trial
def pictures(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        mirror = «tf.reverse(x, [0])»
        comb = «x * x[0]»
        stairs = «tf.concat([x[:1], x[1:] * x[:-1]], 0)»
    picture_of_mirror = drawn(tape, mirror, x)
    picture_of_comb = drawn(tape, comb, x)
    picture_of_stairs = drawn(tape, stairs, x)
    return picture_of_mirror, picture_of_comb, picture_of_stairs
""",
    wrong=(
        Wrong("one-result", {"mirror": "x[-1]"}),
        Wrong("diagonal", {"mirror": "-x"}),
        Wrong("triangle", {"mirror": "tf.cumsum(x)"}),
        Wrong("column-only", {"comb": "x[0] * tf.ones([len(x)])"}),
        Wrong("one-result", {"comb": "x[0]"}),
        Wrong("first-row", {"comb": "x - x[0]"}),
        Wrong("triangle", {"comb": "tf.cumsum(x)"}),
        Wrong("full", {"comb": "x * tf.reduce_sum(x)"}),
        Wrong("last-column", {"comb": "x * x[-1]"}),
        Wrong("diagonal", {"comb": "x * x"}),
        Wrong("corner", {"stairs": "x * tf.roll(x, 1, 0)"}),
        Wrong("too-short", {"stairs": "x[1:] * x[:-1]"}),
        Wrong("other-side", {"stairs": "tf.concat([x[1:] * x[:-1], x[-1:]], 0)"}),
        Wrong("no-diagonal", {"stairs": "tf.concat([x[:1], x[:-1]], 0)"}),
        Wrong("triangle", {"stairs": "tf.cumsum(x)"}),
    ),
)
