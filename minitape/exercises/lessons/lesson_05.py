"""Lesson 05, `gradient` in full: asking twice, several targets and numbers, weights on them, one
slope per example.
"""

from __future__ import annotations

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

both = Repair(
    id="05.both",
    texts=TEXTS,
    inputs={"radius": (), "height": ()},
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
            "same",
            {"slope_of_volume = tape.gradient(volume, radius)": "slope_of_volume = slope_of_base"},
        ),
        Wrong("values", {"return slope_of_base, slope_of_volume": "return base, volume"}),
        Wrong("by-base", {"(volume, radius)": "(volume, base)"}),
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
    ),
)

apart = Prediction(
    id="05.apart",
    texts=TEXTS,
    numbers={"a": (2.0, 4.0, 5.0), "b": (3.0, 7.0), "k": (0, 1)},
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
    inputs={"w": (), "x": ("n",), "t": ("n",), "weights": ("n",)},
    program="""def weighted(w, x, t, weights):
    w = tf.Variable(w)
    with tf.GradientTape() as tape:
        error = w * x - t
        losses = error * error
    return tape.gradient(losses, w, output_gradients=«weights»)
""",
    wrong=(
        Wrong("equal", {"output_gradients": "None"}),
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
    ),
)

pulls = Function(
    id="05.pulls",
    texts=TEXTS,
    by_hand=False,
    form="tensor",
    inputs={"speed": (), "start": (), "time": ("n",), "height": ("n",)},
    program="""def pulls(speed, start, time, height):
    speed, start = tf.Variable(speed), tf.Variable(start)
    with «tf.GradientTape(persistent=True) <- tf.GradientTape()» as tape:
        losses = (start + speed * time - height) ** 2.0
    #: one
    «return [tape.gradient(losses, speed, output_gradients=seed) for seed in tf.eye(len(time))]»
""",
    wrong=(
        Wrong("summed", {"body": "return tape.gradient(losses, speed)"}),
        Wrong("summed", {"body": "return tape.gradient(losses, speed, output_gradients=time)"}),
        Wrong("both-sources", {"(losses, speed,": "(losses, [speed, start],"}),
        Wrong(
            "the-other",
            {
                "body": "return [tape.gradient(losses, start, output_gradients=seed) for seed in "
                "tf.eye(len(time))]"
            },
        ),
        Wrong("sum-each", {"body": "return tape.gradient(losses, [speed] * len(time))"}),
        Wrong(
            "first-only",
            {
                "body": "for seed in tf.eye(len(time)):\n"
                "        return tape.gradient(losses, speed, output_gradients=seed)"
            },
        ),
        Wrong("losses-themselves", {"body": "return losses"}),
        Wrong(
            "equal-shares",
            {"body": "return [tape.gradient(losses, speed) / len(time) for _ in time]"},
        ),
        Wrong(
            "computed-after",
            {"body": "return [tape.gradient(losses[k], speed) for k in range(len(time))]"},
        ),
    ),
)
