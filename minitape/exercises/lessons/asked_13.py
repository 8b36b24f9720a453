"""What the lesson on memory asks between its cells."""

from __future__ import annotations

from minitape.exercises import Catalogue, Prediction, Wrong

TEXTS = Catalogue("minitape.exercises.lessons.lesson_13")

recall = Prediction(
    id="13.recall",
    texts=TEXTS,
    numbers={"a": (2.0, 4.0, 5.0), "w": (3.0, 7.0)},
    right="slope",
    program="""w = tf.Variable({w})
with tf.GradientTape() as tape:
    y = w * {a}
    z = y * y
slope = tape.gradient(z, w)
""",
    wrong=(
        Wrong("one-part", "slope / 2"),
        Wrong("upstream", "y / w"),
        Wrong("the-value", "z"),
        Wrong("only-last", "2 * y"),
        Wrong("kept", "y"),
        Wrong("no-y", "(y / w) ** 2"),
        Wrong("no-y", "2 * y / w"),
        Wrong("not-w", "2 * w * y"),
        Wrong("w-gone", "slope / w"),
        Wrong("of-w", "2 * w"),
    ),
)


kept = Prediction(
    id="13.kept",
    texts=TEXTS,
    numbers={"n": (50, 100, 200), "m": (10, 30), "k": (20, 40)},
    right="kept",
    program="""x = tf.ones([{n}, {m}])
w = tf.Variable(tf.ones([{m}, {k}]))
with tf.GradientTape() as tape:
    s = x @ w
    y = tf.tanh(s)
kept = tf.memory.costs(tape).kept
""",
    wrong=(
        Wrong("numbers", "kept // 4"),
        Wrong("one-card", "kept // 2"),
        Wrong("one-card-numbers", "kept // 8"),
        Wrong("with-x", "kept + 4 * x.numpy().size + 4 * w.numpy().size"),
        Wrong("with-x", "kept + 4 * x.numpy().size"),
        Wrong("with-x", "kept + 4 * w.numpy().size"),
        Wrong("inputs", "4 * w.numpy().size"),
        Wrong("inputs", "x.numpy().size + w.numpy().size"),
        Wrong("cards", "2"),
        Wrong("twice", "2 * kept"),
        Wrong("twice", "3 * kept // 2"),
        Wrong("inputs", "4 * (x.numpy().size + w.numpy().size)"),
        Wrong("inputs", "4 * x.numpy().size"),
        Wrong("cards", "8"),
        Wrong("zero", "0"),
        Wrong("kilobytes", "kept / 1000"),
        Wrong("kilobytes", "kept / 1024"),
    ),
)


needed = Prediction(
    id="13.needed",
    texts=TEXTS,
    numbers={"n": (500, 1000, 2000), "k": (2.0, 3.0)},
    right="needed",
    program="""x = tf.Variable(tf.ones([{n}]))
b = tf.Variable(tf.ones([{n}]))
with tf.GradientTape() as tape:
    s = x + b
    h = tf.nn.relu(s)
    y = h + b
needed = tf.memory.costs(tape).needed
""",
    wrong=(
        Wrong("all", "3 * needed"),
        Wrong("add-too", "2 * needed"),
        Wrong("none", "0"),
        Wrong("numbers", "needed // 4"),
        Wrong("all-and-b", "4 * needed"),
        Wrong("all-numbers", "3 * needed // 4"),
        Wrong("with-variables", "5 * needed"),
        Wrong("mask", "needed / 32"),
    ),
)


recomputed = Prediction(
    id="13.recomputed",
    texts=TEXTS,
    numbers={"n": (250, 500, 1000), "k": (3, 5, 10)},
    right="kept",
    program="""x = tf.Variable(tf.ones([{n}]))

@tf.recompute_grad
def block(h):
    return tf.tanh(tf.sin(h * h))

with tf.GradientTape() as tape:
    h = x
    for _ in range({k}):
        h = block(h)
kept = tf.memory.costs(tape).kept
""",
    wrong=(
        Wrong("all-cards", "3 * kept"),
        Wrong("inside", "2 * kept"),
        Wrong("nothing", "0"),
        Wrong("numbers", "kept // 4"),
        Wrong("one-block", "4 * x.numpy().size"),
        Wrong("input-too", "kept + 4 * x.numpy().size"),
        Wrong("all-cards", "3 * kept + 4 * x.numpy().size"),
        Wrong("bits", "4 * kept"),
        Wrong("block-inside", "kept + 8 * x.numpy().size"),
        Wrong("last-too", "kept - 4 * x.numpy().size"),
        Wrong("calls", "kept // (4 * x.numpy().size)"),
    ),
)
