"""A line that stands in the wrong place is moved, comments and all, where that is certain to be
right; else the block has dots.
"""

import pytest

from tests.explain.pasting import pasted, ran
from tests.explain.programs import Program, as_cells

pytestmark = pytest.mark.filterwarnings("ignore")

MOVED = {
    "a label in another cell is no name of the block": (
        """enc, head = tf.keras.layers.Dense(2), tf.keras.layers.Dense(1)
features = [enc(tf.ones([2, 3]))]
for f in features:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(head(f) ** 2)
e = tape.explain(loss, enc.trainable_variables)
""",
        ["with tf.GradientTape() as tape:", "    features = [enc(tf.ones([2, 3]))]", "    ..."],
    ),
    "what stands between uses the line": (
        """w = tf.Variable(2.0)
h = w * w
print(h)
with tf.GradientTape() as tape:
    y = h + 1.0
e = tape.explain(y, w)
""",
        ["with tf.GradientTape() as tape:", "    h = w * w"],
    ),
    "in a function, behind what it watches": (
        """layer, data = tf.keras.layers.Dense(2), tf.ones([3, 2])
scores = layer(data)

def saliency(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        best = tf.reduce_sum(tf.reduce_max(scores, axis=1))
    return tape.explain(best, x)

e = saliency(data)
""",
        ["with tf.GradientTape() as tape:", "    tape.watch(x)", "    scores = layer(data)"],
    ),
    "the tape was asked before": (
        """w = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    h = w * w
print(tape.gradient(h, w))
y = h + 1.0
e = tape.explain(y, w)
""",
        ["with tf.GradientTape(persistent=True) as tape:", "    ...", "    y = h + 1.0"],
    ),
    "a comment, a loop and an empty line": (
        """w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    h = w * w      # the square

total = 0.0
for k in range(2):
    total = total + h
e = tape.explain(total, w)
""",
        [
            "with tf.GradientTape() as tape:",
            "    h = w * w      # the square",
            "    total = 0.0",
            "    for k in range(2):",
            "        total = total + h",
        ],
    ),
    "the line that stopped uses what was stopped with it": (
        """w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    with tape.stop_recording():
        s = tf.constant(3.0)
        h = w * s
    y = h + 1.0
e = tape.explain(y, w)
""",
        ["with tape.stop_recording():", "    s = tf.constant(3.0)", "h = w * s"],
    ),
    "a block that was never entered": (
        """w = tf.Variable(2.0)
tape = tf.GradientTape()
h = w * w
y = h + 1.0
e = tape.explain(y, w)
""",
        ["with tf.GradientTape() as tape:", "    h = w * w", "    y = h + 1.0"],
    ),
    "a mean along the wrong axis": (
        """w = tf.Variable([[1.0, 2.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_mean(w * w, axis=0)
e = tape.explain(y, w)
""",
        ["y = tf.reduce_mean(w * w)"],
    ),
    "losses of which nobody took the mean": (
        """w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = (w - 1.0) ** 2
e = tape.explain(y, w)
""",
        ["y = tf.reduce_mean((w - 1.0) ** 2)"],
    ),
    "a cast that numbers the classes": (
        """w = tf.Variable([0.3, 1.2])
v = tf.constant([[1.0], [2.0], [4.0]])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.one_hot(tf.cast(w, tf.int32), 3) @ v)
e = tape.explain(y, w)
""",
        [
            "y = tf.reduce_sum(tf.nn.softmax(-(w[:, None] - tf.range(3, dtype=tf.float32)) ** 2) "
            "@ v)"
        ],
    ),
    "the logarithm of a softmax": (
        """w = tf.Variable([200.0, 0.0])
with tf.GradientTape() as tape:
    p = tf.nn.softmax(w)
    y = -tf.math.log(p)[1]
e = tape.explain(y, w)
""",
        ["y = -tf.nn.log_softmax(w)[1]"],
    ),
    "an array of whole numbers as a source": (
        """w = [1, 2]
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.constant([2.0, 1.0]) * w)
e = tape.explain(y, w)
""",
        [],
    ),
}


@pytest.mark.parametrize("name", MOVED)
def test_a_line_is_moved_where_it_can_be(name):
    code, lines = MOVED[name]
    names, texts = as_cells(Program(name, "", code), None)
    e = names["e"]
    each = e.groups[0] if hasattr(e, "groups") else e
    assert each.cure == lines
    if lines and "    ..." not in lines:
        after, _ = ran(pasted(Program(name, "", code), each, *texts.values()))
        assert after.healthy, after


def test_a_number_that_is_asked_for_becomes_a_variable_of_floats():
    e = as_cells(Program("whole", "", MOVED["an array of whole numbers as a source"][0]), None)[0][
        "e"
    ]
    assert "`w = tf.Variable([1, 2], dtype=tf.float32)`" in e.fix


def test_a_loop_is_moved_with_what_reads_it_before_the_block():
    code = """w, parts, sizes = tf.Variable([1.0, 2.0]), [], []
for k in range(3):
    parts.append(tf.sin(w * k))
    sizes.append(2.0)
size = sum(sizes)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.add_n(parts)) / size
e = tape.explain(loss, w)
"""
    e, _ = ran(Program("loop", "", code))
    assert f"(lines {e.lineno - 1} to {e.lineno + 2})" in e.fix, e
