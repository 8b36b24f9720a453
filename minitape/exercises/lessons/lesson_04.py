"""The exercises of lesson 04: gradients of arrays that are stretched, summed and multiplied."""

from __future__ import annotations

import numpy as np

from minitape.exercises import Catalogue, Prediction, Repair, Rule, Wrong

TEXTS = Catalogue(__name__)

recall = Prediction(
    id="04.recall",
    texts=TEXTS,
    numbers={"x": (2.0, 3.0, 5.0), "k": (3.0, 4.0, 6.0)},
    right="slope",
    program="""x = tf.Variable({x})

with tf.GradientTape() as tape:
    a = x * x
    b = {k} * a
    y = a + b

slope = tape.gradient(y, x)
""",
    wrong=(
        Wrong("first-only", "2 * x"),
        Wrong("last-only", "b / a * 2 * x"),
        Wrong("at-a", "1 + b / a"),
        Wrong("one-side", "(1 + b / a) * x"),
        Wrong("half-way", "2 * x + b / a"),
        Wrong("one-card", "b / a"),
        Wrong("multiplied", "2 * x * 2 * b / x"),
        Wrong("value", "y"),
        Wrong("value", "b"),
    ),
)

once = Prediction(
    id="04.once",
    texts=TEXTS,
    numbers={"b": (8.0, 9.0, 7.0, 10.0)},
    right="float(tape.gradient(loss, b))",
    program="""x = tf.constant([1.0, 2.0, 3.0])
b = tf.Variable({b})

with tf.GradientTape() as tape:
    y = x + b
    loss = tf.reduce_sum(tf.square(y))
""",
    wrong=(
        Wrong("one-part", "2 * float(y[0])"),
        Wrong("one-part", "2 * float(y[1])"),
        Wrong("one-part", "2 * float(y[2])"),
        Wrong("one-side", "float(tf.reduce_sum(y))"),
        Wrong("uses", "3.0"),
        Wrong("only-b", "6 * b.numpy()"),
        Wrong("value", "float(loss)"),
        Wrong("only-b", "2 * b.numpy()"),
        Wrong("only-x", "2 * float(tf.reduce_sum(x))"),
    ),
)

shape = Prediction(
    id="04.shape",
    texts=TEXTS,
    numbers={"n": (2, 4, 6), "m": (3, 5)},
    right="[m for m in b.shape]",
    program="""x = tf.ones(({n}, {m}))
b = tf.Variable(tf.zeros(({m},)))

with tf.GradientTape() as tape:
    y = x + b
    loss = tf.reduce_sum(tf.square(y))

g = tape.gradient(loss, b)
""",
    wrong=(
        Wrong("unsummed", "[m for m in y.shape]"),
        Wrong("wrong-axis", "[y.shape[0]]"),
        Wrong("of-loss", "[]"),
        Wrong("row", "[1, y.shape[1]]"),
    ),
)

parts = Prediction(
    id="04.parts",
    texts=TEXTS,
    numbers={"shape": ((1, 6), (4, 1), (6,))},
    right="y.numpy().size / b.numpy().size",
    program="""x = tf.ones((4, 6))
b = tf.Variable(tf.zeros({shape}))

y = x + b
""",
    wrong=(
        Wrong("none", "1.0"),
        Wrong("other-axis", "float(b.numpy().size)"),
        Wrong("all", "24.0"),
        Wrong("copies", "y.numpy().size / b.numpy().size - 1"),
        Wrong("axes", "... if b.numpy().ndim == 1 else 2.0"),
        Wrong("both-lengths", "10.0"),
    ),
)

mean = Prediction(
    id="04.mean-part",
    texts=TEXTS,
    numbers={"n": (4, 5, 8, 10), "k": (3.0, 6.0, 7.0)},
    right="g[0]",
    program="""y = tf.Variable(tf.ones(({n},)))

with tf.GradientTape() as tape:
    loss = {k} * tf.reduce_mean(y)

g = tape.gradient(loss, y)
""",
    wrong=(
        Wrong("as-sum", "loss"),
        Wrong("upstream", "1.0 / len(g)"),
        Wrong("times", "loss * len(g)"),
        Wrong("upside-down", "len(g) / loss"),
        Wrong("count", "float(len(g))"),
        Wrong("slope-of-sum", "1.0"),
    ),
)

fit = Prediction(
    id="04.fit",
    texts=TEXTS,
    numbers={"n": (2, 3), "m": (4, 5), "k": (6, 7)},
    right="'xᵀ @ g'",
    program="""x = tf.ones(({n}, {m}))
w = tf.Variable(tf.zeros(({m}, {k})))

y = x @ w
""",
    wrong=(
        Wrong("x-first", "'x @ g'"),
        Wrong("g-first", "'g @ xᵀ'"),
        Wrong("transposed", "'gᵀ @ x'"),
    ),
)

line = Prediction(
    id="04.line",
    texts=TEXTS,
    numbers={"n": (3, 5), "m": (2, 4)},
    right="[m for m in w.shape]",
    program="""x, t = tf.ones(({n}, {m})), tf.zeros(({n}, 1))
w = tf.Variable(tf.zeros(({m}, 1)))
b = tf.Variable(0.0)

with tf.GradientTape() as tape:
    loss = tf.reduce_mean((x @ w + b - t)**2)

g = tape.gradient(loss, w)
""",
    wrong=(
        Wrong("of-the-errors", "[m for m in t.shape]"),
        Wrong("of-x", "[m for m in x.shape]"),
        Wrong("of-loss", "[]"),
        Wrong("lying", "[1, x.shape[1]]"),
    ),
)

axis = Rule(
    id="04.axis",
    texts=TEXTS,
    inputs={"x": ("n", "m")},
    operation="def f(x):\n    return tf.reduce_sum(x, axis=1)\n",
    program="""def sum_rule(g, y, x):
    #: shapes
    column = «g[:, np.newaxis]»
    return column * np.ones_like(x)
""",
    wrong=(
        Wrong("the-value", {"column": "y[:, np.newaxis]"}),
        Wrong("upstream", {"column": "1.0"}),
        Wrong("as-mean", {"column": "g[:, np.newaxis] / x.shape[1]"}),
        Wrong("summed-again", {"column": "g.sum()"}),
        Wrong("summed-again", {"column": "g.mean()"}),
        Wrong("as-row", {"column": "g"}),
        Wrong("as-row", {"column": "g[np.newaxis, :]"}),
        Wrong("one-row", {"column": "g[0]"}),
        Wrong("times", {"column": "g[:, np.newaxis] * x.shape[1]"}),
        Wrong("uses-y", {"column": "(g * y)[:, np.newaxis]"}),
        Wrong("no-second-axis", {"column": "np.sum(g, axis=1)"}),
        Wrong("no-second-axis", {"column": "g[:, 0]"}),
        Wrong("as-product", {"column": "x"}),
        Wrong("as-product", {"column": "g[:, np.newaxis] * x"}),
        Wrong("number", {"column": "g[::-1][:, None]"}),
    ),
)

mean_rule = Rule(
    id="04.mean",
    texts=TEXTS,
    inputs={"x": ("n", "m")},
    operation="def f(x):\n    return tf.reduce_mean(x)\n",
    program="""def mean_rule(g, y, x):
    #: shapes
    return «g / x.size * np.ones_like(x)»
""",
    wrong=(
        Wrong("as-sum", {"return": "g * np.ones_like(x)"}),
        Wrong("upstream", {"return": "np.ones_like(x) / x.size"}),
        Wrong("times", {"return": "g * x.size * np.ones_like(x)"}),
        Wrong("times", {"return": "g * x.size"}),
        Wrong("as-sum", {"return": "g"}),
        Wrong("upstream", {"return": "1 / x.size"}),
        Wrong("ones", {"return": "np.ones_like(x)"}),
        Wrong("a-shape", {"return": "g / x.shape * np.ones_like(x)"}),
        Wrong("by-sum", {"return": "g * np.ones_like(x) / np.sum(x)"}),
        Wrong("rows-only", {"return": "g / x.shape[0] * np.ones_like(x)"}),
        Wrong("rows-only", {"return": "g / x.shape[1] * np.ones_like(x)"}),
        Wrong("one-number", {"return": "g / x.size"}),
        Wrong("the-value", {"return": "g * x / x.size"}),
        Wrong("the-value", {"return": "x / x.size"}),
        Wrong("the-value", {"return": "g * np.mean(x) * np.ones_like(x)"}),
        Wrong("uses-y", {"return": "y / x.size * np.ones_like(x)"}),
        Wrong("uses-y", {"return": "g * y / x.size * np.ones_like(x)"}),
        Wrong("mean-of-g", {"return": "np.mean(g) * np.ones_like(x)[0]"}),
        Wrong("mean-of-g", {"return": "np.mean(g, axis=0)"}),
        Wrong("mean-of-g", {"return": "g.sum() / x.size"}),
        Wrong("the-value", {"return": "g * x"}),
        Wrong("uses-y", {"return": "y * np.ones_like(x)"}),
        Wrong("number", {"return": "g * x ** 2"}),
    ),
)

matmul = Rule(
    id="04.matmul",
    texts=TEXTS,
    inputs={"x": ("n", "m"), "w": ("m", "k")},
    operation="def f(x, w):\n    return x @ w\n",
    program="""def matmul_rule(g, y, x, w):
    #: shapes
    «part_x = g @ w.T
    part_w = x.T @ g
    return part_x, part_w»
""",
    wrong=(
        Wrong("behind-g", {"g @ w.T": "g @ w"}),
        Wrong("behind-g", {"g @ w.T": "np.dot(g, w)"}),
        Wrong("g-behind", {"g @ w.T": "w @ g"}),
        Wrong("g-behind", {"g @ w.T": "w.T @ g"}),
        Wrong("g-turned", {"g @ w.T": "g.T @ w"}),
        Wrong("g-turned", {"g @ w.T": "g.T @ w.T"}),
        Wrong("own-factor", {"g @ w.T": "x @ w.T"}),
        Wrong("elementwise", {"g @ w.T": "g * w"}),
        Wrong("elementwise", {"g @ w.T": "g * w.T"}),
        Wrong("elementwise", {"g @ w.T": "w * g"}),
        Wrong("elementwise", {"g @ w.T": "w.T * g"}),
        Wrong("factor-alone", {"g @ w.T": "w"}),
        Wrong("factor-alone", {"g @ w.T": "w.T"}),
        Wrong("g-alone", {"g @ w.T": "g"}),
        Wrong("divided", {"g @ w.T": "g @ np.linalg.inv(w)"}),
        Wrong("divided", {"g @ w.T": "g @ np.linalg.pinv(w)"}),
        Wrong("divided", {"x.T @ g": "np.linalg.pinv(x) @ g"}),
        Wrong("summed", {"g @ w.T": "np.sum(g @ w.T, axis=0)"}),
        Wrong("as-product", {"g @ w.T": "g.sum() * w"}),
        Wrong("transpose", {"g @ w.T": "w @ g.T"}),
        Wrong("the-value", {"g @ w.T": "y @ w.T"}),
        Wrong("upstream", {"g @ w.T": "np.ones_like(g) @ w.T"}),
        Wrong("as-product", {"g @ w.T": "g.sum() * x"}),
        Wrong("exchanged", {"g @ w.T": "x.T @ g"}),
        Wrong("before-g", {"x.T @ g": "x @ g"}),
        Wrong("g-first", {"x.T @ g": "g @ x"}),
        Wrong("g-first", {"x.T @ g": "g @ x.T"}),
        Wrong("g-turned", {"x.T @ g": "g.T @ x.T"}),
        Wrong("own-factor", {"x.T @ g": "g @ w.T"}),
        Wrong("elementwise", {"x.T @ g": "x * g"}),
        Wrong("elementwise", {"x.T @ g": "x.T * g"}),
        Wrong("elementwise", {"x.T @ g": "g * x"}),
        Wrong("factor-alone", {"x.T @ g": "x"}),
        Wrong("factor-alone", {"x.T @ g": "x.T"}),
        Wrong("g-alone", {"x.T @ g": "g"}),
        Wrong("as-product", {"x.T @ g": "g.sum() * w"}),
        Wrong("summed", {"x.T @ g": "x.T @ np.sum(g, axis=0)"}),
        Wrong("summed", {"x.T @ g": "np.sum(x.T @ g, axis=0)"}),
        Wrong("transpose", {"x.T @ g": "g.T @ x"}),
        Wrong("upstream", {"x.T @ g": "x.T @ np.ones_like(g)"}),
        Wrong("the-value", {"x.T @ g": "x.T @ y"}),
        Wrong("elementwise", {"g @ w.T": "x * g"}),
        Wrong("elementwise", {"x.T @ g": "w * g"}),
        Wrong("as-mean", {"x.T @ g": "x.T @ g / len(x)"}),
        Wrong("reshaped", {"g @ w.T": "g @ w.reshape(w.shape[::-1])"}),
        Wrong("reshaped", {"x.T @ g": "x.reshape(x.shape[::-1]) @ g"}),
        Wrong("number", {"g @ w.T": "np.ones_like(x)"}),
        Wrong("elementwise", {"g @ w.T": "g * x"}),
    ),
)

column = Repair(
    id="04.column",
    texts=TEXTS,
    inputs={"x": ("n", "m"), "w": ("m", 1), "b": (1,), "t": ("n",)},
    form="tensor",
    program="""def gradients(x, w, b, t):
    w, b = tf.Variable(w), tf.Variable(b)
    with tf.GradientTape() as tape:
        y = x @ w + b
        e = «y - t[:, tf.newaxis] <- y - t»
        loss = tf.reduce_mean(e**2)
    part_w, part_b = tape.gradient(loss, [w, b])
    return part_w, part_b
""",
    wrong=(
        Wrong("still-stretched", {"t[:, tf.newaxis]": "t[tf.newaxis, :]"}),
        Wrong("a-sum", {"reduce_mean": "reduce_sum"}),
        Wrong("still-stretched", {"y - t[:, tf.newaxis]": "y - tf.reduce_mean(t)"}),
        Wrong("added-up", {"y - t[:, tf.newaxis]": "y - t", "reduce_mean": "reduce_sum"}),
        Wrong("added-up", {"y - t[:, tf.newaxis]": "tf.reduce_sum(y - t, axis=1)"}),
        Wrong("added-up", {"y - t[:, tf.newaxis]": "y - tf.reduce_sum(t)"}),
        Wrong(
            "one-axis-only",
            {"y - t[:, tf.newaxis]": "y - t", "(e**2)": "(e**2, axis=1)"},
        ),
        Wrong("swapped", {"return part_w, part_b": "return part_b, part_w"}),
        Wrong("square", {"y - t[:, tf.newaxis]": "tf.square(y - t)"}),
        Wrong("square", {"y - t[:, tf.newaxis]": "tf.square(y - t[:, tf.newaxis])"}),
        Wrong("plus", {"y - t[:, tf.newaxis]": "y + t"}),
        Wrong("plus", {"y - t[:, tf.newaxis]": "y + t[:, tf.newaxis]"}),
        Wrong("three-rows", {"y - t[:, tf.newaxis]": "tf.reshape(y, (3,)) - t"}),
        Wrong("mean-first", {"y - t[:, tf.newaxis]": "tf.reduce_mean(y) - t"}),
        Wrong("mean-first", {"y = x @ w + b": "y = tf.reduce_sum(x @ w + b)"}),
        Wrong("one-row", {"y - t[:, tf.newaxis]": "y - t[0]"}),
        Wrong("one-row", {"y - t[:, tf.newaxis]": "y[0] - t"}),
        Wrong("one-axis", {"t[:, tf.newaxis]": "t.T"}),
        Wrong("one-axis", {"t[:, tf.newaxis]": "t[:, 0]"}),
        Wrong("number", {"y - t[:, tf.newaxis]": "y * t"}),
    ),
)

# ---- extras

transposed = Rule(
    id="04.transposed",
    texts=TEXTS,
    inputs={"x": ("n", "m")},
    operation="def f(x):\n    return tf.transpose(x)\n",
    program="""def transpose_rule(g, y, x):
    return «g.T»
""",
    wrong=(
        Wrong("as-it-came", {"return": "g"}),
        Wrong("the-value", {"return": "x"}),
        Wrong("the-value", {"return": "y.T"}),
        Wrong("upstream", {"return": "np.ones_like(x)"}),
        Wrong("times", {"return": "g.T * x"}),
        Wrong("reshaped", {"return": "g.reshape(x.shape)"}),
        Wrong("number", {"return": "np.rot90(g)"}),
    ),
)

cut = Rule(
    id="04.cut",
    texts=TEXTS,
    inputs={"x": ("n",)},
    operation="def f(x):\n    return x[1:]\n",
    program="""def slice_rule(g, y, x):
    #: shapes
    «part = np.zeros_like(x)
    part[1:] = g
    return part»
""",
    wrong=(
        Wrong("too-short", {"body": "return g"}),
        Wrong("cut-again", {"body": "return g[1:]"}),
        Wrong("too-long", {"body": "return np.pad(g, 1)"}),
        Wrong("not-nothing", {"body": "return np.append(np.sum(g), g)"}),
        Wrong("wrong-end", {"body": "return np.append(g, 0.0)"}),
        Wrong("not-nothing", {"zeros_like": "ones_like"}),
        Wrong("not-nothing", {"np.zeros_like(x)": "x.copy()"}),
        Wrong("not-nothing", {"body": "return np.insert(g, 0, g[0])"}),
        Wrong("the-value", {"part[1:] = g": "part[1:] = y"}),
        Wrong("the-value", {"part[1:] = g": "part[1:] = g * y"}),
        Wrong("the-value", {"body": "return x"}),
        Wrong("the-value", {"body": "return y"}),
        Wrong("nothing-passed", {"    part[1:] = g\n": ""}),
        Wrong("upstream", {"part[1:] = g": "part[1:] = 1.0"}),
        Wrong("upstream", {"body": "return np.ones_like(x)"}),
        Wrong("number", {"body": "return np.append(0.0, g**2)"}),
    ),
)

multiplied = Rule(
    id="04.multiplied",
    texts=TEXTS,
    inputs={"x": ("n",)},
    operation="def f(x):\n    return tf.reduce_prod(x)\n",
    program="""def product_rule(g, y, x):
    return «g * y / x»
""",
    wrong=(
        Wrong("others-added", {"return": "g * np.sum(x) / x"}),
        Wrong("with-itself", {"return": "g * y * np.ones_like(x)"}),
        Wrong("with-itself", {"return": "g * y"}),
        Wrong("as-sum", {"return": "g * np.ones_like(x)"}),
        Wrong("same-for-all", {"return": "g * np.prod(x[1:]) * np.ones_like(x)"}),
        Wrong("same-for-all", {"return": "g * np.prod(x[1:])"}),
        Wrong("itself", {"return": "g * x"}),
        Wrong("no-product", {"return": "g / x"}),
        Wrong("upstream", {"return": "y / x"}),
        Wrong("with-itself", {"return": "g * y * x"}),
        Wrong("as-mean", {"return": "g * y / x.size * np.ones_like(x)"}),
        Wrong("as-mean", {"return": "g * y / x.size"}),
        Wrong("others-summed", {"return": "g * (x.sum() - x)"}),
        Wrong("taken-away", {"return": "g * (y - x)"}),
        Wrong("number", {"return": "g * x[::-1]"}),
    ),
)


def tangled(numbers: np.random.Generator) -> np.ndarray:
    """Return numbers whose way to their sorted places is not the way back from there."""
    steps = np.cumsum(numbers.uniform(0.3, 0.9, 5))
    return np.round(steps[[2, 0, 1, 4, 3]] - 1.5, 3)


sort = Rule(
    id="04.sort",
    texts=TEXTS,
    inputs={"x": tangled},
    operation="def f(x):\n    return tf.sort(x)\n",
    program="""def sort_rule(g, y, x):
    order = np.argsort(x)
    #: order
    «part = np.zeros_like(x)
    part[order] = g
    return part»
""",
    wrong=(
        Wrong("not-back", {"body": "return g"}),
        Wrong("once-more", {"body": "return g[order]"}),
        Wrong("sorted-g", {"body": "return np.sort(g)"}),
        Wrong("the-value", {"part[order] = g": "part[order] = y"}),
        Wrong("the-value", {"body": "return y"}),
        Wrong("the-value", {"body": "return g * x"}),
        Wrong("upstream", {"part[order] = g": "part[order] = 1.0"}),
        Wrong("places", {"body": "return order"}),
        Wrong("places", {"body": "return g * order"}),
        Wrong("the-value", {"body": "return y[order]"}),
        Wrong("the-value", {"body": "return y[np.argsort(order)]"}),
        Wrong("reversed", {"body": "return g[::-1]"}),
        Wrong("reversed", {"body": "return g[order[::-1]]"}),
        Wrong("times", {"body": "return g * x[order]"}),
        Wrong("times", {"part[order] = g": "part[order] = g * y"}),
        Wrong("number", {"body": "return np.sort(g)[order]"}),
    ),
)
