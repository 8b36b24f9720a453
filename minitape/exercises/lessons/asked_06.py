"""What the lesson on gradients of None asks between its cells."""

from __future__ import annotations

from minitape.exercises import Catalogue, Prediction, Wrong

TEXTS = Catalogue("minitape.exercises.lessons.lesson_06")

targets = Prediction(
    id="06.targets",
    texts=TEXTS,
    numbers={"x": (3.0, 4.0, 6.0), "k": (5.0, 7.0, 9.0)},
    right="error if raised else float(g)",
    program="""x = tf.Variable({x})

with tf.GradientTape() as tape:
    y = {k} * x
    z = x * x

g = tape.gradient([y, z], x)
""",
    wrong=(
        Wrong("first", "float(y / x)"),
        Wrong("second", "2.0 * x.numpy()"),
        Wrong("multiplied", "2.0 * float(y)"),
        Wrong("values", "float(y + z)"),
        Wrong("list", "f'[{y / x:g}, {2.0 * x:g}]'"),
        Wrong("refused", "error"),
    ),
)


first = Prediction(
    id="06.first",
    texts=TEXTS,
    numbers={"w": (2.0, 3.0, 4.0), "b": (7.0, 5.0)},
    right="error if raised else g",
    program="""w, b = tf.Variable({w}), tf.Variable({b})

with tf.GradientTape() as tape:
    a = w * 3.0
    size = float(a)
    loss = size * b

g = tape.gradient(loss, w)
""",
    wrong=(
        Wrong("through", "3.0 * b.numpy()"),
        Wrong("half-way", "b.numpy()"),
        Wrong("of-b", "size"),
        Wrong("flat", "0.0"),
        Wrong("refused", "error"),
    ),
)


flat = Prediction(
    id="06.flat",
    texts=TEXTS,
    numbers={"w": (-4.0, -2.0, 2.0, 4.0), "x": (3.0, 5.0, 7.0)},
    right="error if raised else float(g)",
    program="""w = tf.Variable({w})

with tf.GradientTape() as tape:
    a = {x} * w
    loss = tf.nn.relu(a)

g = tape.gradient(loss, w)
""",
    wrong=(
        Wrong("side", "float(a / w) if a < 0 else 0.0"),
        Wrong("value", "float(a)"),
        Wrong("relu-alone", "1.0 if a > 0 else ..."),
        Wrong("no-way", "None"),
        Wrong("refused", "error"),
    ),
)


whole = Prediction(
    id="06.whole",
    texts=TEXTS,
    numbers={"w": (2, 3, 5), "x": (4, 7)},
    right="error if raised else g",
    program="""w = tf.Variable({w})

with tf.GradientTape() as tape:
    loss = w * w * {x}

g = tape.gradient(loss, w)
""",
    wrong=(
        Wrong("through", "2.0 * loss.numpy() / w.numpy()"),
        Wrong("flat", "0.0"),
        Wrong("refused", "error"),
    ),
)


anew = Prediction(
    id="06.anew",
    texts=TEXTS,
    numbers={"w": (2.0, 3.0, 4.0), "x": (5.0, 7.0)},
    right="error if raised else g",
    program="""def weight():
    return tf.Variable({w})

with tf.GradientTape() as tape:
    loss = {x} * weight()

g = tape.gradient(loss, weight())
""",
    wrong=(
        Wrong("through", "loss.numpy() / weight().numpy()"),
        Wrong("flat", "0.0"),
        Wrong("refused", "error"),
    ),
)


unregistered = Prediction(
    id="06.unregistered",
    texts=TEXTS,
    numbers={"w": (0.9, 0.7, 0.3)},
    right="error if raised else g",
    program="""image = tf.Variable([[[0.5, 0.1, {w}]]])

with tf.GradientTape() as tape:
    bright = tf.image.adjust_contrast(image, 2.0)
    loss = tf.reduce_sum(bright)

g = tape.gradient(loss, image)
""",
    wrong=(
        Wrong("through", "'[[[1. 1. 1.]]]'"),
        Wrong("flat", "'[[[0. 0. 0.]]]'"),
        Wrong("no-way", "None"),
    ),
)
