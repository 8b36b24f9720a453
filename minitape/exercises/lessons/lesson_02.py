"""The exercises of lesson 02: which cards a program leaves on the tape, and which it does not."""

from __future__ import annotations

from minitape.exercises import Catalogue, Line, Make, Prediction, Wrong

TEXTS = Catalogue(__name__)
CARDS = 'len([entry for entry in tape.recording.entries if entry.op != "ReadVariableOp"])'

recall = Prediction(
    id="02.recall",
    texts=TEXTS,
    numbers={"x": (3, 4, 5, 6), "a": (3, 4, 5, 7), "b": (3, 5, 7, 9)},
    right="a * 2 * u",
    program="""x, a, b = {x}, {a}, {b}

u = a * x + b
y = u ** 2
""",
    wrong=(
        Wrong("last-link", "2 * u"),
        Wrong("place", "a * 2 * x"),
        Wrong("place", "a * 2 * a * x"),
        Wrong("added", "a + 2 * u"),
        Wrong("first-link", "a"),
        Wrong("no-value", "2 * a"),
        Wrong("no-value", "2 * x"),
        Wrong("shift", "2 * u + a + b"),
        Wrong("shift", "2 * a * b * x"),
        Wrong("no-two", "a * u / 2"),
        Wrong("no-two", "a * u"),
        Wrong("own-factor", "2 * u * x"),
        Wrong("both-factors", "2 * u * a * x"),
        Wrong("shift", "2 * u * a + b"),
        Wrong("shift", "2 * u * (a + b)"),
        Wrong("shift", "2 * u * a * b"),
        Wrong("value-times", "a * y"),
        Wrong("value", "y"),
        Wrong("value", "u"),
    ),
)

count = Prediction(
    id="02.count",
    texts=TEXTS,
    numbers={"n": (3, 4, 5, 6, 7), "k": (2.0, 3.0, 5.0)},
    right=CARDS,
    program="""n = {n}
x = tf.Variable(2.0)

with tf.GradientTape() as tape:
    y = x + {k}
    for turn in range(n):
        y = x * y
""",
    wrong=(
        Wrong("lines", "2"),
        Wrong("loop-only", "n"),
        Wrong("from-zero", "n - 1"),
        Wrong("loop-as-card", "n + 2"),
        Wrong("loop-as-card", "n + 3"),
        Wrong("names", "2 * n + 1"),
        Wrong("names", "2 * n + 2"),
        Wrong("names", "2 * n"),
        Wrong("tape", "1"),
    ),
)

branch = Prediction(
    id="02.branch",
    texts=TEXTS,
    numbers={
        "x": (5.0, 2.0, 3.0, 4.0),
        "k": (4.5, 2.5, 3.5),
        "a": (3.0, 4.0, 5.0),
        "b": (7.0, 8.0, 9.0),
    },
    right="slope",
    program="""x, a, b = tf.Variable({x}), {a}, {b}

with tf.GradientTape() as tape:
    if x > {k}:
        y = a * x
    else:
        y = b * x

slope = tape.gradient(y, x)
""",
    wrong=(
        Wrong("other-branch", "a + b - slope"),
        Wrong("both", "a + b"),
        Wrong("both", "(a + b) / 2"),
        Wrong("both", "a * b"),
        Wrong("value", "y"),
        Wrong("value", "(a + b) * x - y"),
        Wrong("value", "x"),
        Wrong("cut", "0"),
        Wrong("no-factor", "1.0"),
    ),
)

until = Prediction(
    id="02.until",
    texts=TEXTS,
    numbers={"a": (3.0, 5.0, 7.0, 9.0), "most": (30, 50, 100, 200)},
    right="slope",
    program="""x = tf.Variable({a})

with tf.GradientTape() as tape:
    y = x
    while y < {most}:
        y = 2 * y

slope = tape.gradient(y, x)
""",
    wrong=(
        Wrong("one-turn", "2.0"),
        Wrong("value", "y"),
        Wrong("added", "np.log2(y / x) * 2"),
        Wrong("turns", "np.log2(y / x)"),
        Wrong("a-turn-less", "slope / 2"),
        Wrong("a-turn-more", "slope * 2"),
        Wrong("start", "x"),
    ),
)

watched = Prediction(
    id="02.watched",
    texts=TEXTS,
    numbers={"n": (3, 4, 5, 6), "m": (3, 4, 5, 6, 7)},
    right=CARDS,
    program="""n, m = {n}, {m}
x = tf.Variable(2.0)
c = tf.constant(3.0)

with tf.GradientTape() as tape:
    for turn in range(n):
        c = c * c
    y = x
    for turn in range(m):
        y = y * c
""",
    wrong=(
        Wrong("everything", "n + m"),
        Wrong("everything", "n + m + 1"),
        Wrong("nested", "n * m"),
        Wrong("nothing", "0"),
        Wrong("lines", "2"),
        Wrong("names", "2 * m"),
        Wrong("wrong-loop", "n"),
        Wrong("assignment", "m + 1"),
        Wrong("lines", "1"),
    ),
)

straight = Make(
    id="02.straight",
    texts=TEXTS,
    inputs={"x": (), "w": ()},
    program="""def make(x, w):
    a = x * w
    «b = a + x
    return b * b»
""",
    wrong=(
        Wrong("power", {"b * b": "b ** 2.0"}),
        Wrong("square", {"b * b": "tf.square(b)"}),
        Wrong("twice", {"b = a + x\n    return b * b": "return (a + x) * (a + x)"}),
        Wrong("twice", {"b = a + x\n    return b * b": "return (x * w + x) * (x * w + x)"}),
        Wrong("product-again", {"a + x": "x * w + x"}),
        Wrong("numpy", {"a + x": "np.add(a, x)"}),
        Wrong("doubled", {"b * b": "2 * b"}),
        Wrong("doubled", {"b * b": "b + b"}),
        Wrong("brackets", {"b = a + x\n    return b * b": "return a + x * a + x"}),
        Wrong("third", {"b * b": "b * a"}),
        Wrong("third", {"b * b": "b * x"}),
        Wrong("product", {"a + x": "a * x"}),
        Wrong("other-value", {"a + x": "a + w"}),
        Wrong("other-value", {"a + x": "a + a"}),
        Wrong("other-value", {"a + x": "x + x"}),
        Wrong("minus", {"a + x": "a - x"}),
        Wrong("once-more", {"b * b": "b * b * b"}),
        Wrong("last-missing", {"b * b": "b"}),
    ),
)

turns = Make(
    id="02.turns",
    texts=TEXTS,
    inputs={"x": (), "w": ()},
    program="""def make(x, w):
    «y = x
    for turn in range(3):
        y = tf.sin(w * y)
    return y»
""",
    wrong=(
        Wrong("from-x", {"w * y": "w * x"}),
        Wrong("inside-out", {"tf.sin(w * y)": "w * tf.sin(y)"}),
        Wrong("other-factor", {"w * y": "x * y"}),
        Wrong("other-factor", {"y = x\n": "y = w\n", "w * y": "x * y"}),
        Wrong("turn-as-number", {"w * y": "w * y * (turn + 1.0)"}),
        Wrong("not-kept", {"y = tf.sin(w * y)": "y = w * y\n        tf.sin(y)"}),
        Wrong("numpy", {"tf.sin": "np.sin"}),
        Wrong("one-turn", {"range(3)": "range(1)"}),
        Wrong("summed", {"y = x\n": "y = 0.0\n", "tf.sin(w * y)": "y + tf.sin(w * x)"}),
        Wrong("product-outside", {"y = x\n": "y = w * x\n", "w * y": "y"}),
        Wrong("product-twice", {"y = x\n": "y = w * x\n"}),
        Wrong("other-operation", {"tf.sin": "tf.cos"}),
        Wrong("other-operation", {"w * y": "w + y"}),
        Wrong("inside-out", {"body": "return tf.sin(w * tf.sin(w * tf.sin(x)))"}),
        Wrong("too-many-turns", {"range(3)": "range(5)"}),
        Wrong("y-too", {"tf.sin(w * y)": "y * tf.sin(w * y)"}),
        Wrong(
            "one-after-the-other",
            {"tf.sin(w * y)": "w * y\n    for turn in range(3):\n        y = tf.sin(y)"},
        ),
        Wrong(
            "one-after-the-other",
            {"tf.sin(w * y)\n    return y": "w * y\n    return tf.sin(y)"},
        ),
        Wrong("inside-out", {"tf.sin(w * y)": "tf.sin(w) * y"}),
        Wrong("inside-out", {"tf.sin(w * y)": "tf.sin(w) * tf.sin(y)"}),
        Wrong("summed", {"y = tf.sin": "y += tf.sin"}),
        Wrong("times-three", {"body": "return tf.sin(w * x) * 3.0"}),
        Wrong("six-turns", {"range(3)": "range(6)"}),
        Wrong("too-few-turns", {"range(3)": "range(2)"}),
        Wrong("too-many-turns", {"range(3)": "range(4)"}),
    ),
)

WAYS = "if weight {} 1.0:\n        cost = {}\n    else:\n        cost = {}\n    return cost + 2.0"
SUM_FIRST = "if weight > 1.0:\n        return {}\n    return way + 2.0"

parcel = Make(
    id="02.parcel",
    texts=TEXTS,
    inputs={
        "weight": lambda numbers: round(float(numbers.uniform(0.2, 1.8)), 2),
        "way": lambda numbers: round(float(numbers.uniform(0.5, 2.5)), 2),
    },
    program="""def price(weight, way):
    «if weight > 1.0:
        cost = weight * way
    else:
        cost = way
    return cost + 2.0»
""",
    wrong=(
        Wrong("no-comparison", {"if weight > 1.0:": "if float(weight) > 1.0:"}),
        Wrong("no-comparison", {"body": "return way + 2.0"}),
        Wrong("no-comparison", {"body": "return weight * way + 2.0"}),
        Wrong("one-way-only", {"else:\n        cost = way": "else:\n        cost = weight * way"}),
        Wrong("one-way-only", {"body": "weight > 1.0\n    return way + 2.0"}),
        Wrong("asked-twice", {"if weight": "weight > 1.0\n    if weight"}),
        Wrong("asked-twice", {"else:": "elif weight <= 1.0:"}),
        Wrong("asked-twice", {"else:": "elif weight < 1.0:"}),
        Wrong("asked-twice", {"weight > 1.0": "weight > 1.0 and way > 1.0"}),
        Wrong("asks-way", {"if weight": "if way"}),
        Wrong("sum-first", {"body": SUM_FIRST.format("(weight + 2.0) * way")}),
        Wrong("sum-first", {"body": SUM_FIRST.format("weight * (way + 2.0)")}),
        Wrong("sum-only", {"cost = weight * way": "cost = weight + way"}),
        Wrong("shown-number", {"weight > 1.0": "weight == 1.0"}),
        Wrong("other-comparison", {"weight > 1.0": "weight >= 1.0"}),
        Wrong("other-comparison", {"body": WAYS.format("<", "way", "weight * way")}),
        Wrong("other-comparison", {"body": WAYS.format("<=", "way", "weight * way")}),
        Wrong("swapped-ways", {"body": WAYS.format(">", "way", "weight * way")}),
        Wrong("swapped-ways", {"body": WAYS.format("<", "weight * way", "way")}),
        Wrong(
            "both-ways",
            {
                "if weight > 1.0:": "if True:",
                "cost = weight * way": "cost = tf.where(weight > 1.0, weight * way, way)",
            },
        ),
        Wrong("no-end", {"cost + 2.0": "cost"}),
        Wrong("no-end", {"body": SUM_FIRST.format("weight * way")}),
    ),
)

bill = Line(
    id="02.bill",
    texts=TEXTS,
    program="""price = tf.Variable(3.0)                       #! given
amount = tf.Variable(20.0)                     #! given
hours = tf.constant(2.0)                       #! given
tax = price * 0.5                              #! here

with tf.GradientTape() as tape:
    goods = price * amount                     #! goods
    work = hours * hours                       #! constant
    bill = goods + tax * amount + work         #! uses-it

slope = tape.gradient(bill, price)             #! symptom
""",
)
