"""One exercise of each kind: what the tests try, and what an author may copy."""

from pathlib import Path

from minitape.exercises import (
    Break,
    Catalogue,
    Function,
    Line,
    Make,
    Number,
    Order,
    Repair,
    Rule,
    Wrong,
)

TEXTS = Catalogue(Path(__file__).with_name("messages"))

linear = Function(
    id="ex.linear",
    texts=TEXTS,
    inputs={"x": ("n", "m"), "w": ("m", 2), "b": (2,), "t": ("n", 2)},
    program="""def backwards(x, w, b, t):
    #: forwards
    y = x @ w + b
    e = y - t
    loss = np.sum(e * e)

    #: backwards
    adjoint_e = «e + e»
    adjoint_b = «adjoint_e.sum(axis=0)»
    adjoint_w = «x.T @ adjoint_e»
    adjoint_x = «adjoint_e @ w.T»
    return adjoint_e, adjoint_b, adjoint_w, adjoint_x
""",
    wrong=(
        Wrong("one-side", {"adjoint_e": "e"}),
        Wrong("unsummed", {"adjoint_b": "adjoint_e"}),
        Wrong("upstream", {"adjoint_w": "x.T @ np.ones_like(e)"}),
    ),
)

slope = Number(
    id="ex.slope",
    texts=TEXTS,
    numbers={"x": (2.0, 3.0, 4.0, 5.0), "k": (3.0, 5.0, 7.0)},
    right="slope",
    program="""x = tf.Variable({x})
with tf.GradientTape() as tape:
    y = x * x + {k} * x
slope = tape.gradient(y, x)
""",
    wrong=(Wrong("first-only", "x + x"), Wrong("value", "y"), Wrong("last-only", "y / x - x")),
)

product = Rule(
    id="ex.product",
    texts=TEXTS,
    inputs={"a": ("n", "m"), "b": ("m",)},
    operation="def f(a, b):\n    return a * b\n",
    program="""def rule(g, y, a, b):
    part_a = «g * b»
    part_b = «np.sum(g * a, axis=0)»
    return part_a, part_b
""",
    wrong=(
        Wrong("upstream", {"part_a": "b + 0 * a"}),
        Wrong("unsummed", {"part_b": "g * a"}),
        Wrong("swapped-factors", {"part_a": "g * a"}),
    ),
)

mend = Repair(
    id="ex.mend",
    texts=TEXTS,
    inputs={"w": ("m",), "x": ("n", "m"), "t": ("n",)},
    program="""def gradient(w, x, t):
    w = tf.Variable(w)
    with tf.GradientTape() as tape:
        y = tf.linalg.matvec(x, w)
        e = «y - t <- np.asarray(y) - t»
        loss = tf.reduce_sum(e * e)
    return tape.gradient(loss, w)
""",
    wrong=(Wrong("mean", {"reduce_sum": "reduce_mean"}), Wrong("absolute", {"e * e": "tf.abs(e)"})),
)

puzzle = Make(
    id="ex.puzzle",
    texts=TEXTS,
    inputs={"x": (), "w": ()},
    program="""def make(x, w):
    «a = x * x
    b = tf.sin(w)
    return (a - b) * 3.0»
""",
    wrong=(Wrong("a-power", {"x * x": "x ** 2.0"}), Wrong("swapped", {"a - b": "b - a"})),
)

order = Order(
    id="ex.order",
    texts=TEXTS,
    program="""x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    a = x * 3.0
    b = a * a
    c = tf.sin(a)
    d = tf.exp(c)
    y = b + d
slope = tape.gradient(y, x)
""",
    wrong=(
        Wrong(
            "as-recorded",
            ("a = x * 3.0", "b = a * a", "c = tf.sin(a)", "d = tf.exp(c)", "y = b + d"),
        ),
    ),
)

guilty = Line(
    id="ex.guilty",
    texts=TEXTS,
    program="""x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    a = x * 3.0
    b = float(a)                #! here
    c = tf.constant(b)          #! too-late
    y = c * c
slope = tape.gradient(y, x)     #! symptom
""",
)

sever = Break(
    id="ex.sever",
    texts=TEXTS,
    inputs={"w": (), "x": ("n",), "t": ("n",)},
    reasons=("numpy-escape",),
    program="""def gradient(w, x, t):
    w = tf.Variable(w)
    with tf.GradientTape() as tape:
        y = «float(w) * x <- w * x»
        loss = tf.reduce_sum((y - t) ** 2.0)
    return loss, tape.gradient(loss, w)
""",
    wrong=(
        Wrong("not-watched", {"y": "w * x", "tf.Variable(w)": "tf.constant(w)"}),
        Wrong("stop-gradient", {"y": "tf.stop_gradient(w) * x"}),
        Wrong("zero-not-none", {"(loss, w)": "(loss, w, unconnected_gradients='zero')"}),
        Wrong("other-result", {"y": "float(w) * x + 1.0"}),
        Wrong("still-whole", {"y": "x * w"}),
        Wrong("none-by-hand", {"tape.gradient(loss, w)": "None"}),
    ),
)
