"""What the lesson on other engines asks between its cells."""

from __future__ import annotations

from minitape.exercises import Catalogue, Prediction, Wrong

TEXTS = Catalogue("minitape.exercises.lessons.lesson_15")

recall = Prediction(
    id="15.recall",
    texts=TEXTS,
    numbers={"x": (2.0, 3.0, 5.0), "k": (4.0, 12.0)},
    right="slope",
    program="""x = tf.Variable({x})
k = {k}
with tf.GradientTape() as tape:
    if x > 2.5:
        y = k * x
    else:
        y = x * x
slope = tape.gradient(y, x)
""",
    wrong=(
        Wrong("other-branch", "2 * x if x > 2.5 else k"),
        Wrong("both-branches", "2 * x + k"),
        Wrong("the-value", "y"),
        Wrong("other-value", "x * x"),
        Wrong("twice", "2 * slope"),
        Wrong("the-value", "k * x * x"),
        Wrong("the-input", "x"),
        Wrong("zero", "0"),
        Wrong("one", "1"),
    ),
)


prints = Prediction(
    id="15.prints",
    texts=TEXTS,
    numbers={"n": (3, 4, 5, 6, 8)},
    right="len(said)",
    program="""said = []

@tf.function
def square(x):
    said.append("Python is running")
    return x * x

for k in range({n}):
    square(tf.constant(float(k)))
""",
    wrong=(
        Wrong("each-call", "k + 1"),
        Wrong("never", "0"),
        Wrong("first-and-last", "2"),
        Wrong("the-definition", "k + 2"),
        Wrong("all-but-one", "k if k > 2 else ..."),
    ),
)


traces = Prediction(
    id="15.traces",
    texts=TEXTS,
    right="square.experimental_get_tracing_count()",
    numbers={
        "lengths": ([2, 3, 2, 3, 2], [4, 5, 5, 4, 6, 4], [1, 2, 3, 1, 2, 3, 1], [7, 7, 3, 7, 7, 3])
    },
    program="""@tf.function
def square(x):
    return tf.reduce_sum(x * x)

lengths = {lengths}
for n in lengths:
    square(tf.ones([n]))
""",
    wrong=(
        Wrong("once", "1"),
        Wrong("each-call", "len(lengths)"),
        Wrong("never", "0"),
        Wrong("first-is-free", "len(set(lengths)) - 1 if len(set(lengths)) > 2 else ..."),
        Wrong("one-more", "len(set(lengths)) + 1"),
        Wrong("elements", "sum(lengths)"),
        Wrong(
            "each-change",
            "1 + sum(a != b for a, b in zip(lengths, lengths[1:]))"
            " if 1 + sum(a != b for a, b in zip(lengths, lengths[1:])) < len(lengths) else ...",
        ),
    ),
)


numbers = Prediction(
    id="15.numbers",
    texts=TEXTS,
    right="scale.experimental_get_tracing_count()",
    numbers={
        "rates": (
            [0.3, 0.2, 0.1, 0.3],
            [0.5, 0.4, 0.5, 0.3, 0.2],
            [0.1, 0.2, 0.3, 0.4, 0.5, 0.1],
            [0.9, 0.6, 0.9, 0.3, 0.6],
        )
    },
    program="""@tf.function
def scale(x, rate):
    return rate * x

x = tf.constant(2.0)
rates = {rates}
for rate in rates:
    scale(x, rate)
""",
    wrong=(
        Wrong("once", "1"),
        Wrong("each-call", "len(rates)"),
        Wrong("never", "0"),
        Wrong("first-is-free", "len(set(rates)) - 1 if len(set(rates)) > 3 else ..."),
        Wrong("two", "2"),
    ),
)


gathered = Prediction(
    id="15.gathered",
    texts=TEXTS,
    numbers={"w": (3.0, 5.0, 7.0), "n": (3, 5)},
    right="grad",
    program="""w, grad = tf.Variable({w}), 0.0

for k in range({n}):
    with tf.GradientTape() as tape:
        loss = w * w
    grad = grad + tape.gradient(loss, w)
""",
    wrong=(
        Wrong("only-last", "2 * w"),
        Wrong("one-more", "2 * w * (k + 2)"),
        Wrong("the-weight", "w"),
        Wrong("multiplied", "(2 * w) ** (k + 1)"),
        Wrong("losses", "loss * (k + 1)"),
        Wrong("value", "loss"),
        Wrong("one-short", "2 * w * k if k != 2 else ..."),
        Wrong("twice", "4 * w"),
        Wrong("doubled", "4 * w * (k + 1)"),
        Wrong("half", "w * (k + 1)"),
        Wrong("emptied", "0"),
        Wrong("multiplied", "2 * w ** (k + 1)"),
        Wrong("rounds", "k + 1"),
        Wrong("rounds", "2 * (k + 1)"),
        Wrong("averaged", "2 * w / (k + 1)"),
    ),
)


line = Prediction(
    id="15.line",
    texts=TEXTS,
    right="'d_y * np.cos(t1)'",
    program="""t1 = x @ w
y = np.sin(t1)
loss = np.square(y).sum()
d_y = 2.0 * y
d_t1 = ...
d_w = x.T @ d_t1
""",
    twin="pass\n",  # with its dots, the program does not run
    wrong=(
        Wrong("at-its-output", "'d_y * np.cos(y)'"),
        Wrong("upstream", "'np.cos(t1)'"),
        Wrong("the-value", "'d_y * y'"),
        Wrong("of-cosine", "'d_y * -np.sin(t1)'"),
    ),
)
