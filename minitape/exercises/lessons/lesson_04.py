"""The exercises of lesson 04: gradients of arrays that are stretched, summed and multiplied."""

from __future__ import annotations

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
        Wrong("value", "y"),
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
        Wrong("as-row", {"column": "g"}),
        Wrong("as-product", {"column": "x"}),
        Wrong("as-product", {"column": "g[:, np.newaxis] * x"}),
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
        Wrong("rows-only", {"return": "g / x.shape[0] * np.ones_like(x)"}),
        Wrong("rows-only", {"return": "g / x.shape[1] * np.ones_like(x)"}),
        Wrong("one-number", {"return": "g / x.size"}),
        Wrong("the-value", {"return": "g * x / x.size"}),
        Wrong("uses-y", {"return": "y / x.size * np.ones_like(x)"}),
        Wrong("mean-of-g", {"return": "np.mean(g) * np.ones_like(x)[0]"}),
    ),
)

matmul = Rule(
    id="04.matmul",
    texts=TEXTS,
    inputs={"x": ("n", "m"), "w": ("m", "k")},
    operation="def f(x, w):\n    return x @ w\n",
    program="""def matmul_rule(g, y, x, w):
    #: shapes
    part_x = «g @ w.T»
    part_w = «x.T @ g»
    return part_x, part_w
""",
    wrong=(
        Wrong("transpose", {"part_x": "w @ g.T"}),
        Wrong("the-value", {"part_x": "y @ w.T"}),
        Wrong("upstream", {"part_x": "np.ones_like(g) @ w.T"}),
        Wrong("as-product", {"part_x": "g.sum() * x"}),
        Wrong("exchanged", {"part_x": "x.T @ g"}),
        Wrong("transpose", {"part_w": "g.T @ x"}),
        Wrong("upstream", {"part_w": "x.T @ np.ones_like(g)"}),
        Wrong("the-value", {"part_w": "x.T @ y"}),
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
        Wrong("mean-first", {"y - t[:, tf.newaxis]": "tf.reduce_mean(y) - t"}),
        Wrong("one-row", {"y - t[:, tf.newaxis]": "y - t[0]"}),
        Wrong("one-row", {"y - t[:, tf.newaxis]": "y[0] - t"}),
    ),
)
