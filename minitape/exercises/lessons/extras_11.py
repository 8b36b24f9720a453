"""The extras of the lesson on Jacobians: one per example, and two rules as puzzles."""

from __future__ import annotations

from minitape.exercises import Catalogue, Function, Rule, Wrong

TEXTS = Catalogue("minitape.exercises.lessons.lesson_11")


per_example = Function(
    id="11.per-example",
    texts=TEXTS,
    by_hand=False,
    by_tape=True,
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
        Wrong("added", {"body": "return tape.gradient(y, x)[:, tf.newaxis, :]"}),
        Wrong("the-results", {"body": "return tf.stack(columns, axis=1)"}),
        Wrong("first-example", {"gradient(column, x)": "gradient(column, x)[0]"}),
        Wrong(
            "reshaped",
            {
                "body": "return tf.reshape([tape.gradient(column, x) for column in columns], "
                "[len(x), -1, 3])"
            },
        ),
        Wrong("axis-first", {"axis=1": "axis=0"}),
        Wrong("one-column", {"columns": "[y[:, 0]]"}),
        Wrong("of-inputs", {"columns": "[x[:, j] for j in range(x.shape[1])]"}),
        Wrong("mean", {"columns": "[tf.reduce_mean(y[:, j]) for j in range(y.shape[1])]"}),
        Wrong("rows", {"columns": "[y[j] for j in range(y.shape[1])]"}),
        Wrong("rows", {"columns": "[y[i] for i in range(y.shape[0])]"}),
        Wrong("axis-last", {"tf.stack([": "tf.transpose([", ", axis=1)": ")"}),
        Wrong("not-watched", {"gradient(column, x)": "gradient(column, w)"}),
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
        Wrong("no-play", {"body": "return tf.cos(x @ w)[:, :, None] * tf.transpose(w)"}),
        Wrong(
            "averaged",
            {
                "body": "return sum(tf.stack([tape.gradient(column, x) for column in columns], axis=1)) / len(x)"
            },
        ),
        Wrong("first-example", {"columns": "[y[0, j] for j in range(y.shape[1])]"}),
    ),
)


running = Rule(
    id="11.running",
    texts=TEXTS,
    inputs={"x": ("n",)},
    operation="def f(x):\n    return tf.cumsum(x)\n",
    program="""def running_rule(g, y, x):
    return «np.cumsum(g[::-1])[::-1]»
""",
    wrong=(
        Wrong("forwards", {"return": "np.cumsum(g)"}),
        Wrong("not-turned-back", {"return": "np.cumsum(g[::-1])"}),
        Wrong("not-turned-back", {"return": "np.cumsum(g)[::-1]"}),
        Wrong("own-only", {"return": "g"}),
        Wrong("turned-only", {"return": "g[::-1]"}),
        Wrong("the-value", {"return": "np.cumsum(x)"}),
        Wrong("the-value", {"return": "np.cumsum(x[::-1])[::-1]"}),
        Wrong("undone", {"return": "np.diff(g)"}),
        Wrong("with-x", {"return": "np.cumsum(g)[::-1] * x"}),
        Wrong("the-value", {"return": "y"}),
        Wrong("all-alike", {"return": "np.sum(g) * np.ones_like(x)"}),
        Wrong("all-alike", {"return": "np.sum(g)"}),
        Wrong("upstream", {"return": "np.arange(len(x), 0, -1)"}),
        Wrong("counted", {"return": "g * np.arange(len(x), 0, -1)"}),
        Wrong("the-value", {"return": "g * y"}),
        Wrong("with-x", {"return": "np.cumsum((g * x)[::-1])[::-1]"}),
        Wrong("with-x", {"return": "g * x"}),
        Wrong("arrived-forgotten", {"return": "np.ones_like(x)"}),
        Wrong("undone", {"return": "np.diff(g, prepend=0)"}),
        Wrong("mean", {"return": "np.cumsum(g[::-1])[::-1] / len(x)"}),
        Wrong("own-missing", {"return": "np.cumsum(g[::-1])[::-1] - g"}),
        Wrong("table", {"return": "np.tril(np.ones((len(x), len(x))))"}),
        Wrong("undone", {"return": "np.append(g[:-1] - g[1:], g[-1])"}),
        Wrong("with-x", {"return": "np.cumsum(g[::-1])[::-1] * x"}),
        Wrong("counted", {"return": "g * np.arange(1, len(x) + 1)"}),
        Wrong("own-missing", {"return": "np.sum(g) - np.cumsum(g)"}),
        Wrong("multiplied", {"return": "np.cumprod(g[::-1])[::-1]"}),
        Wrong("forwards", {"return": "np.cumsum(g) - g"}),
        Wrong("own-only", {"return": "g + np.append(g[1:], 0)"}),
    ),
)


window = Rule(
    id="11.window",
    texts=TEXTS,
    inputs={"x": ("n",), "w": (2,)},
    takes_output=False,
    operation="def f(x, w):\n    return w[0] * x[:-1] + w[1] * x[1:]\n",
    program="""def window_rule(g, x, w):
    #: body
    «part_x = np.zeros_like(x)
    part_x[:-1] += w[0] * g
    part_x[1:] += w[1] * g
    part_w = np.array([np.sum(g * x[:-1]), np.sum(g * x[1:])])
    return part_x, part_w»
""",
    wrong=(
        Wrong("overwritten", {"part_x[1:] += w[1]": "part_x[1:] = w[1]"}),
        Wrong("turned", {"+= w[0]": "+= w[1]", "part_x[1:] += w[1]": "part_x[1:] += w[0]"}),
        Wrong("first-only", {"part_x[1:] += w[1] * g": "pass"}),
        Wrong("first-only", {"part_x[:-1] += w[0] * g": "pass"}),
        Wrong("upstream", {"w[0] * g": "w[0]", "w[1] * g": "w[1]"}),
        Wrong("weights-forgotten", {"w[0] * g": "g", "w[1] * g": "g"}),
        Wrong("wrong-factor", {"w[0] * g": "x[:-1] * g", "w[1] * g": "x[1:] * g"}),
        Wrong("too-short", {"return part_x": "return part_x[:-1]"}),
        Wrong("too-short", {"return part_x": "return (w[0] + w[1]) * g"}),
        Wrong("too-short", {"return part_x": "return w[0] * g[:-1] + w[1] * g[1:]"}),
        Wrong("both-everywhere", {"return part_x": "return np.append(g, 0) * (w[0] + w[1])"}),
        Wrong("both-everywhere", {"return part_x": "return np.sum(w) * np.ones_like(x)"}),
        Wrong("everywhere", {"return part_x": "return np.sum(g) * w[0] * np.ones_like(x)"}),
        Wrong("everywhere", {"return part_x": "return np.sum(g) * w[1] * np.ones_like(x)"}),
        Wrong("same-weight", {"+= w[0]": "+= w[1]"}),
        Wrong("minus", {"part_x[1:] += w[1]": "part_x[1:] -= w[1]"}),
        Wrong(
            "both-everywhere", {"return part_x": "return np.sum(w) * np.sum(g) * np.ones_like(x)"}
        ),
        Wrong("misfit", {"part_x[:-1] += w[0] * g": "part_x += w[0] * g"}),
        Wrong("order", {"return part_x, part_w": "return part_w, part_x"}),
        Wrong("two-parts", {"return part_x": "return np.array([w[0] * g, w[1] * g])"}),
        Wrong("wrong-factor", {"w[0] * g": "x[:-1]", "w[1] * g": "x[1:]"}),
        Wrong("one-for-both", {"return part_x, part_w": "return part_x, part_w.sum()"}),
        Wrong("one-for-both", {"return part_x, part_w": "return part_x, part_w[0]"}),
        Wrong("misfit", {"np.sum(g * x[:-1])": "np.sum(g * x)"}),
        Wrong("g-alone", {"g * x[:-1]": "g", "g * x[1:]": "g"}),
        Wrong("with-weight", {"g * x[:-1]": "g * w[0]", "g * x[1:]": "g * w[1]"}),
        Wrong(
            "unsummed-weights",
            {"np.sum(g * x[:-1])": "g * x[:-1]", "np.sum(g * x[1:])": "g * x[1:]"},
        ),
        Wrong(
            "mean",
            {
                "np.sum(g * x[:-1])": "np.mean(g * x[:-1])",
                "np.sum(g * x[1:])": "np.mean(g * x[1:])",
            },
        ),
        Wrong(
            "weights-turned",
            {"np.sum(g * x[:-1]), np.sum(g * x[1:])": "np.sum(g * x[1:]), np.sum(g * x[:-1])"},
        ),
        Wrong("same-window", {"np.sum(g * x[1:])": "np.sum(g * x[:-1])"}),
        Wrong("upstream", {"g * x[:-1]": "x[:-1]", "g * x[1:]": "x[1:]"}),
        Wrong("with-weight", {"g * x[:-1]": "g * w[0] * x[:-1]", "g * x[1:]": "g * w[1] * x[1:]"}),
        Wrong("too-short", {"return part_x": "return w[0] * g"}),
        Wrong("slid-again", {"return part_x, part_w": "return part_x, np.convolve(x, g)"}),
        Wrong("too-short", {"return part_x": "return np.convolve(g, w, 'valid')"}),
        Wrong(
            "overwritten",
            {
                "part_x[:-1] += w[0] * g\n    part_x[1:] += w[1] * g": "part_x[1:-1] = w[0] * g[1:] + w[1] * g[:-1]"
            },
        ),
    ),
)
