"""What the lesson in which a tape is written asks between its cells."""

from __future__ import annotations

from minitape.exercises import Catalogue, Prediction, Wrong

TEXTS = Catalogue("minitape.exercises.lessons.lesson_14")


recall = Prediction(
    id="14.recall",
    texts=TEXTS,
    numbers={"n": (2, 3, 5), "m": (4, 6), "k": (7.0, 10.0)},
    right="g[0]",
    program="""x = tf.ones([{n}, {m}])
b = tf.Variable(tf.ones([{m}]))
with tf.GradientTape() as tape:
    y = tf.reduce_sum({k} * (x + b))
g = tape.gradient(y, b)
""",
    wrong=(
        Wrong("unsummed", "g[0] / len(x)"),
        Wrong("all", "sum(g)"),
        Wrong("columns", "g[0] / len(x) * len(g)"),
        Wrong("no-factor", "len(x)"),
        Wrong("one", "1"),
        Wrong("value", "y"),
    ),
)


diamond = Prediction(
    id="14.diamond",
    texts=TEXTS,
    numbers={"x": (2.0, 3.0, 5.0), "k": (3.0, 7.0, 10.0)},
    right="adjoint_a",
    program="""x = tf.Variable({x})
with tf.GradientTape() as tape:
    a = x * x
    b = a + {k}
    y = a * b
adjoint_a = tape.gradient(y, a)
""",
    wrong=(
        Wrong("last", "a"),
        Wrong("first", "b"),
        Wrong("value", "y"),
        Wrong("source", "2 * x * (a + b)"),
        Wrong("product", "a * b * b"),
        Wrong("both-alike", "2 * a"),
        Wrong("both-alike", "2 * b"),
        Wrong("one-way-plain", "b + 1"),
        Wrong("constant", "b - a"),
        Wrong("one-more", "a + b + 1"),
        Wrong("one", "1"),
    ),
)


cards = Prediction(
    id="14.cards",
    texts=TEXTS,
    numbers={"cards": (10000, 20000, 50000)},
    right="error if raised else adjoint",
    program="""cards = {cards}

def play(card):
    if card == 0:
        return 1.0
    return 1.0 * play(card - 1)

adjoint = play(cards)
""",
    wrong=(Wrong("one", "1.0"), Wrong("many", "cards"), Wrong("zero", "0.0")),
)
