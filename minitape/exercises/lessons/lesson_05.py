"""Lesson 05, `gradient` in full: asking twice, several targets and numbers, weights on them, one
slope per number of a target.
"""

from __future__ import annotations

import numpy as np

from minitape.exercises import Catalogue, Function, Prediction, Repair, Wrong

TEXTS = Catalogue(__name__)

stretched = Prediction(
    id="05.stretched",
    texts=TEXTS,
    numbers={"n": (3, 4, 5, 6), "k": (1.5, 2.5, 7.5, 9.5)},
    right="float(g[0])",
    program="""x = tf.ones([{n}, 2])
b = tf.Variable([{k}, 0.5])

with tf.GradientTape() as tape:
    y = x + b
    total = tf.reduce_sum(y)

g = tape.gradient(total, b)
""",
    wrong=(
        Wrong("unsummed", "1.0"),
        Wrong("all", "float(y.shape[0] * y.shape[1])"),
        Wrong("value", "float(y[0, 0])"),
        Wrong("value", "float(b[0])"),
        Wrong("value", "float(total)"),
        Wrong("columns", "2.0"),
        Wrong("times-value", "float(g[0] * b[0])"),
    ),
)

twice = Prediction(
    id="05.twice",
    texts=TEXTS,
    numbers={"side": (2.0, 3.0, 4.0, 6.0), "k": (5.0, 7.0, 10.0)},
    right="error if raised else second",
    program="""side = tf.Variable({side})

with tf.GradientTape() as tape:
    area = side * side
    price = {k} * area

first = tape.gradient(price, side)
second = tape.gradient(area, side)
""",
    wrong=(
        Wrong("kept", "2.0 * side.numpy()"),
        Wrong("first", "float(first)"),
        Wrong("none", "None"),
    ),
)

middle = Prediction(
    id="05.middle",
    texts=TEXTS,
    numbers={"side": (3.0, 4.0, 6.0), "k": (5.0, 7.0, 10.0)},
    right="float(g)",
    program="""side = tf.Variable({side})

with tf.GradientTape() as tape:
    area = side * side
    price = {k} * area

g = tape.gradient(price, area)
""",
    wrong=(
        Wrong("to-the-end", "float(g) * 2.0 * side.numpy()"),
        Wrong("other-half", "2.0 * side.numpy()"),
        Wrong("value", "float(price)"),
        Wrong("times-side", "float(g * side)"),
        Wrong("only-variables", "None"),
        Wrong("refused", "error"),
    ),
)

both = Repair(
    id="05.both",
    texts=TEXTS,
    inputs={"radius": ("+",), "height": ("+",)},
    program="""def slopes(radius, height):
    radius = tf.Variable(radius)
    with «tf.GradientTape(persistent=True) <- tf.GradientTape()» as tape:
        base = 3.14 * radius * radius
        volume = height * base
    slope_of_base = tape.gradient(base, radius)
    slope_of_volume = tape.gradient(volume, radius)
    return slope_of_base, slope_of_volume
""",
    wrong=(
        Wrong("both-at-once", {"(base, radius)": "([base, volume], radius)"}),
        Wrong(
            "both-at-once",
            {
                "slope_of_base = tape": "slope_of_base, other = tape",
                "(base, r": "([base, volume], r",
            },
        ),
        Wrong("still-once", {"persistent=True": "persistent=False"}),
        Wrong("let-go", {"    slope_of_volume": "    del tape\n    slope_of_volume"}),
        Wrong("not-asked", {"tape.gradient(volume, radius)": "0.0"}),
        Wrong(
            "how-many",
            {"return slope_of_base, slope_of_volume": "return slope_of_base + slope_of_volume"},
        ),
        Wrong("its-name", {"persistent=True": "persist=True"}),
        Wrong("its-name", {"persistent=True": "persistence=True"}),
        Wrong("its-name", {"persistent=True": "persistent"}),
        Wrong(
            "same",
            {"slope_of_volume = tape.gradient(volume, radius)": "slope_of_volume = slope_of_base"},
        ),
        Wrong("values", {"return slope_of_base, slope_of_volume": "return base, volume"}),
        Wrong("by-base", {"(volume, radius)": "(volume, base)"}),
        Wrong("by-base", {"(base, radius)": "(volume, base)"}),
        Wrong(
            "other-way",
            {"return slope_of_base, slope_of_volume": "return slope_of_volume, slope_of_base"},
        ),
    ),
)

total = Prediction(
    id="05.total",
    texts=TEXTS,
    numbers={"w": (2.0, 4.0, 6.0), "k": (3.0, 5.0, 7.0, 9.0)},
    right="error if raised else float(g)",
    program="""w = tf.Variable({w})
x = tf.constant([1.0, 10.0, {k}])

with tf.GradientTape() as tape:
    y = w * x

g = tape.gradient(y, w)
""",
    wrong=(
        Wrong("each", "'[' + ', '.join(f'{v:g}' for v in x.numpy()) + ']'"),
        Wrong("last", "float(x[2])"),
        Wrong("a-mean", "float(g) / 3.0"),
        Wrong("value", "float(g * w)"),
        Wrong("refused", "error"),
        Wrong("none", "None"),
    ),
)

chosen = Prediction(
    id="05.chosen",
    texts=TEXTS,
    numbers={"w": (2.0, 4.0), "k": (3.0, 5.0, 7.0), "s": (2.0, 4.0, 6.0)},
    right="float(g)",
    program="""w = tf.Variable({w})
x = tf.constant([100.0, 10.0, {k}])

with tf.GradientTape() as tape:
    y = w * x

g = tape.gradient(y, w, output_gradients=tf.constant([0.0, 1.0, {s}]))
""",
    wrong=(
        Wrong("ignored", "float(sum(x))"),
        Wrong("taken-once", "float(x[1] + x[2])"),
        Wrong("one-only", "float(x[1])"),
        Wrong("at-zero", "float(x[0])"),
        Wrong("last-only", "float(g) - 10.0"),
        Wrong("a-mean", "float(g) / 3.0"),
        Wrong("value", "w.numpy() * float(g)"),
        Wrong("seeds", "1.0 + (float(g) - 10.0) / float(x[2])"),
        Wrong("sums-multiplied", "float(sum(x)) * (1.0 + (float(g) - 10.0) / float(x[2]))"),
    ),
)

apart = Prediction(
    id="05.apart",
    texts=TEXTS,
    numbers={"a": (3.0, 4.0, 5.0), "b": (3.0, 7.0), "k": (0, 1)},
    right="error if raised else answer",
    program="""a, b = tf.Variable({a}), tf.Variable({b})

with tf.GradientTape() as tape:
    y = a * a
    z = 3.0 * b

answer = tape.gradient(y, [a, b])[{k}]
""",
    wrong=(
        Wrong("way", "2.0 * a.numpy() if answer is None else None"),
        Wrong("flat", "0.0"),
        Wrong("fine", "error"),
    ),
)

weighted = Function(
    id="05.weighted",
    texts=TEXTS,
    by_hand=False,
    form="tensor",
    inputs={"w": (), "x": ("n",), "t": ("n",), "weights": ("+", "n")},
    program="""def weighted(w, x, t, weights):
    w = tf.Variable(w)
    with tf.GradientTape() as tape:
        error = w * x - t
        losses = error * error
    return tape.gradient(losses, w, output_gradients=«weights»)
""",
    wrong=(
        Wrong("equal", {"output_gradients": "None"}),
        Wrong("a-list", {"output_gradients": "list(weights)"}),
        Wrong("shares", {"output_gradients": "weights / tf.reduce_sum(weights)"}),
        Wrong("divided", {"output_gradients": "weights / len(weights)"}),
        Wrong(
            "too-late",
            {
                "tape.gradient(losses, w, output_gradients=weights)": "weights * "
                "tape.gradient(losses, w)"
            },
        ),
        Wrong("one-number", {"output_gradients": "tf.reduce_sum(weights)"}),
        Wrong("one-number", {"output_gradients": "tf.reduce_mean(weights)"}),
        Wrong("one-number", {"output_gradients": "weights[0]"}),
        Wrong("values", {"output_gradients": "weights * losses"}),
        Wrong("values", {"output_gradients": "losses"}),
        Wrong("values", {"output_gradients": "tf.reduce_sum(weights * losses)"}),
        Wrong("values", {"output_gradients": "weights[0] * losses[0] + weights[1] * losses[1]"}),
        Wrong("values", {"output_gradients": "weights * error"}),
        Wrong("x-again", {"output_gradients": "weights * x"}),
        Wrong("x-again", {"output_gradients": "x"}),
        Wrong("whole-slope", {"output_gradients": "weights * 2.0 * error * x"}),
        Wrong("whole-slope", {"output_gradients": "2.0 * weights"}),
        Wrong("twice", {"losses = error * error": "losses = weights * error * error"}),
        Wrong("values", {"output_gradients": "weights + losses"}),
        Wrong("values", {"output_gradients": "weights[0] * losses[0]"}),
        Wrong("inverse", {"output_gradients": "1.0 / weights"}),
        Wrong("twice", {"output_gradients": "weights ** 2.0"}),
        Wrong("other-numbers", {"output_gradients": "t"}),
        Wrong("other-numbers", {"output_gradients": "w"}),
        Wrong(
            "twice",
            {"error = w * x - t": "error = weights * (w * x - t)", "output_gradients": "None"},
        ),
        Wrong("values", {"output_gradients": "error"}),
        Wrong("values", {"output_gradients": "weights * w"}),
        Wrong("values", {"output_gradients": "weights * tf.abs(error)"}),
        Wrong("values", {"output_gradients": "tf.reduce_sum(losses)"}),
    ),
)


def years(numbers: np.random.Generator) -> np.ndarray:
    """Return some of the next years, in order, another number of them each time."""
    return np.sort(1.0 + numbers.permutation(9)[: int(numbers.integers(2, 5))])


savings = Function(
    id="05.savings",
    texts=TEXTS,
    by_hand=False,
    by_tape=True,
    by_jacobian=False,
    form="tensor",
    inputs={
        "deposit": ("+",),
        "rate": lambda numbers: round(float(numbers.uniform(0.02, 0.2)), 3),
        "years": years,
    },
    program="""def slopes(deposit, rate, years):
    deposit, rate = tf.Variable(deposit), tf.Variable(rate)
    with «tf.GradientTape(persistent=True) <- tf.GradientTape()» as tape:
        balances = deposit * (1.0 + rate) ** years
    #: one
    «return [tape.gradient(balances, rate, output_gradients=seed) for seed in tf.eye(len(years))]»
""",
    wrong=(
        Wrong("summed", {"body": "return tape.gradient(balances, rate)"}),
        Wrong("summed", {"body": "return tape.gradient(balances, rate, output_gradients=years)"}),
        Wrong("summed", {"return [": "return sum([", "len(years))]": "len(years))])"}),
        Wrong("once-only", {"persistent=True": ""}),
        Wrong("both-sources", {"(balances, rate,": "(balances, [rate, deposit],"}),
        Wrong("both-sources", {"body": "return tape.gradient(balances, [rate, deposit])"}),
        Wrong("the-other", {"(balances, rate,": "(balances, deposit,"}),
        Wrong("sum-each", {"body": "return tape.gradient(balances, [rate] * len(years))"}),
        Wrong("sum-each", {", output_gradients=seed": ""}),
        Wrong(
            "first-only",
            {
                "body": "for seed in tf.eye(len(years)):\n"
                "        return tape.gradient(balances, rate, output_gradients=seed)"
            },
        ),
        Wrong(
            "last-only",
            {
                "body": "for seed in tf.eye(len(years)):\n"
                "        g = tape.gradient(balances, rate, output_gradients=seed)\n"
                "    return g"
            },
        ),
        Wrong("same-seed", {"=seed": "=tf.eye(len(years))[0]"}),
        Wrong("all-seeds", {"body": "return tape.gradient(balances, rate, tf.eye(len(years)))"}),
        Wrong("number-as-seed", {"seed in tf.eye(len(years))": "seed in range(len(years))"}),
        Wrong("out-of-the-sum", {"seed in tf.eye(len(years))": "seed in years"}),
        Wrong("three", {"tf.eye(len(years))": "tf.eye(3)"}),
        Wrong("balances-themselves", {"body": "return balances"}),
        Wrong("out-of-the-sum", {"body": "return tape.gradient(balances, rate) * years"}),
        Wrong(
            "out-of-the-sum",
            {"body": "return [tape.gradient(balances, rate) / len(years) for _ in years]"},
        ),
        Wrong(
            "computed-after",
            {"body": "return [tape.gradient(balances[k], rate) for k in range(len(years))]"},
        ),
        Wrong("not-watched", {"body": "return tape.gradient(balances, years)"}),
        Wrong("the-other", {"body": "return tape.gradient(balances, deposit)"}),
        Wrong(
            "of-years",
            {
                "as tape:\n": "as tape:\n        tape.watch(years)\n",
                "body": "return tape.gradient(balances, years)",
            },
        ),
        Wrong("out-of-the-sum", {"body": "return tape.gradient(balances, rate) / len(years)"}),
    ),
)
