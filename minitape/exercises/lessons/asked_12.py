"""What the lesson on custom gradients asks between its cells."""

from __future__ import annotations

from minitape.exercises import Catalogue, Prediction, Wrong

TEXTS = Catalogue("minitape.exercises.lessons.lesson_12")

recall = Prediction(
    id="12.recall",
    texts=TEXTS,
    numbers={"x": ([3.0, 5.0, 7.0], [6.0, 2.0, 9.0], [8.0, 5.0, 3.0]), "i": (1, 2)},
    right="entry",
    program="""x = tf.Variable({x})
i = {i}

with tf.GradientTape() as tape:
    y = x * x[0]

J = tape.jacobian(y, x)
entry = J[i, 0]
""",
    wrong=(
        Wrong("diagonal", "x[0]"),
        Wrong("zero", "0"),
        Wrong("value", "y[i]"),
        Wrong("row", "x[i] + x[0]"),
        Wrong("column", "2 * x[0] + x[1] + x[2]"),
        Wrong("first-row", "2 * x[0]"),
        Wrong("row-before", "x[1] if i == 2 else ..."),
        Wrong("one", "1"),
        Wrong("doubled", "2 * x[i]"),
    ),
)


value = Prediction(
    id="12.value",
    texts=TEXTS,
    numbers={"x": (100.0, 200.0, 500.0)},
    right="float(y)",
    program="""x = tf.Variable({x})

with tf.GradientTape() as tape:
    y = tf.math.log(1.0 + tf.exp(x))
""",
    wrong=(
        Wrong("true-value", "float(x)"),
        Wrong("nan", "float('nan')"),
        Wrong("zero", "0"),
        Wrong("one", "1"),
        Wrong("largest", "3.4e38"),
    ),
)


slope = Prediction(
    id="12.slope",
    texts=TEXTS,
    numbers={"x": (100.0, 200.0, 500.0)},
    right="float(slope)",
    program="""x = tf.Variable({x})

with tf.GradientTape() as tape:
    y = tf.math.log(1.0 + tf.exp(x))

slope = tape.gradient(y, x)
""",
    wrong=(
        Wrong("true-slope", "1"),
        Wrong("inf", "float('inf')"),
        Wrong("zero", "0"),
        Wrong("value", "float(x)"),
    ),
)


rule = Prediction(
    id="12.rule",
    texts=TEXTS,
    numbers={"x": (5.0, 7.0, 9.0), "k": (3.0, 4.0), "m": (10.0, 20.0)},
    right="slope",
    program="""k = {k}
m = {m}

@tf.custom_gradient
def square(x):
    def rule(g):
        return k * g
    return x * x, rule

x = tf.Variable({x})

with tf.GradientTape() as tape:
    y = m * square(x)

slope = tape.gradient(y, x)
""",
    wrong=(
        Wrong("true-slope", "m * 2 * x"),
        Wrong("upstream", "k"),
        Wrong("both", "m * k * 2 * x"),
        Wrong("g-alone", "m"),
        Wrong("value", "y"),
        Wrong("inner", "2 * x"),
        Wrong("with-x", "m * k * x"),
        Wrong("with-x", "k * x"),
        Wrong("added", "m + k"),
    ),
)
