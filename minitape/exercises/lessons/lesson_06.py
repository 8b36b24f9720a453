"""Lesson 06, why is it None: two predictions, a program half repaired, five to repair, a guilty line to name, a
healthy program to break in three ways, and rarer ways to lose a gradient.
"""

from __future__ import annotations

import numpy as np

from minitape.exercises import Break, Catalogue, Function, Line, Repair, Wrong
from minitape.exercises.lessons import asked_06

TEXTS = Catalogue(__name__)


def growth(chance: np.random.Generator) -> float:
    """Return a factor by which something really grows."""
    return round(float(chance.uniform(1.1, 1.9)), 3)


targets, first, flat = asked_06.targets, asked_06.first, asked_06.flat

# ---- programs to repair, the first of them half mended

half = Function(
    id="06.half",
    texts=TEXTS,
    by_hand=False,
    by_tape=True,
    by_jacobian=False,
    inputs={"side": ("+",), "price": ("+",)},
    program="""def slope(side, price):
    side, price = tf.Variable(side), tf.Variable(price)
    with tf.GradientTape() as tape:
        #: mended
        length = side * 4.0
        #: broken
        cost = «length * price»
    return tape.gradient(cost, side)
""",
    wrong=(
        Wrong("python-escape", {"cost": "float(length) * price"}),
        Wrong("numpy-escape", {"cost": "length.numpy() * price"}),
        Wrong("variable-made-anew", {"cost": "tf.Variable(length) * price"}),
        Wrong("one-side", {"cost": "side * price"}),
        Wrong("no-price", {"cost": "length"}),
        Wrong("four-again", {"cost": "length * 4.0 * price"}),
        Wrong("no-price", {"cost": "length + price"}),
        Wrong("of-the-price", {"(cost, side)": "(cost, price)"}),
        Wrong("one-side", {"(cost, side)": "(cost, length)"}),
    ),
)

mean = Repair(
    id="06.mean",
    texts=TEXTS,
    inputs={"w": (), "x": ("n",), "t": ("n",)},
    program="""def slope(w, x, t):
    w = tf.Variable(w)
    with tf.GradientTape() as tape:
        error = w * x - t
        loss = «tf.reduce_mean(error * error) <- tf.constant(np.mean(error * error))»
    return tape.gradient(loss, w)
""",
    wrong=(
        Wrong("a-sum", {"reduce_mean": "reduce_sum"}),
        Wrong("halved", {"tf.reduce_mean(error * error)": "tf.reduce_mean(error * error) / 2.0"}),
        Wrong("numpy-escape", {"loss": "tf.constant((error * error).numpy().mean())"}),
        Wrong("variable-made-anew", {"loss": "tf.Variable(tf.reduce_mean(error * error))"}),
        Wrong("its-name", {"loss": "tf.mean(error * error)"}),
        Wrong("its-name", {"loss": "tf.math.mean(error * error)"}),
        Wrong("its-name", {"loss": "(error * error).mean()"}),
        Wrong("mean-first", {"loss": "tf.reduce_mean(error) ** 2.0"}),
        Wrong("no-square", {"loss": "tf.reduce_mean(error)"}),
        Wrong("no-square", {"loss": "tf.reduce_mean(tf.abs(error))"}),
        Wrong("of-the-error", {"(loss, w)": "(loss, error)"}),
        Wrong("only-one", {"loss": "tf.reduce_max(error * error)"}),
        Wrong("only-one", {"loss": "tf.reduce_min(error * error)"}),
    ),
)

cube = Repair(
    id="06.cube",
    texts=TEXTS,
    inputs={"x": ()},
    program="""def slope_of_cube(x):
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        «tape.watch(x)
        y = x * x * x <- y = x * x * x»
    return tape.gradient(y, x)
""",
    wrong=(
        Wrong("watched-too-late", {"body": "y = x * x * x\n        tape.watch(x)"}),
        Wrong(
            "another-object",
            {
                "x = tf.constant(x)": "x = tf.constant(x)\n    v = tf.Variable(x)",
                "body": "y = v * v * v",
            },
        ),
        Wrong("watched-too-late", {"body": "y = x * x\n        tape.watch(x)\n        y = y * x"}),
        Wrong(
            "not-used",
            {"body": "y = x * x * x", "    return": "    x = tf.Variable(x)\n    return"},
        ),
        Wrong("itself", {"(y, x)": "(y, y)"}),
        Wrong("square", {"body": "tape.watch(x)\n        y = x * x"}),
        Wrong("the-slope", {"body": "tape.watch(x)\n        y = 3.0 * x * x"}),
        Wrong("variable-made-anew", {"body": "v = tf.Variable(x)\n        y = v * v * v"}),
        Wrong("no-tape-yet", {"    with tf": "    tape.watch(x)\n    with tf"}),
        Wrong("asks-the-tape", {"tape.watch(x)": "tf.watch(x)"}),
        Wrong("asks-the-tape", {"tape.watch(x)": "x.watch()"}),
    ),
)

BLOCK = """    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((scaled + b - t) ** 2.0)"""
early = Repair(
    id="06.early",
    texts=TEXTS,
    inputs={"w": (), "b": (), "x": ("n",), "t": ("n",)},
    program="""def slopes(w, b, x, t):
    w, b = tf.Variable(w), tf.Variable(b)
    «with tf.GradientTape() as tape:
        scaled = w * x
        loss = tf.reduce_sum((scaled + b - t) ** 2.0) <- scaled = w * x
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((scaled + b - t) ** 2.0)»
    slope_of_w, slope_of_b = tape.gradient(loss, [w, b])
    return slope_of_w, slope_of_b
""",
    wrong=(
        Wrong(
            "computed-before",
            {
                "body": "scaled = w * x\n    with tf.GradientTape() as tape:\n        "
                "tape.watch(w)\n"
                "        loss = tf.reduce_sum((scaled + b - t) ** 2.0)"
            },
        ),
        Wrong(
            "computed-after",
            {
                "body": "with tf.GradientTape() as tape:\n        scaled = w * x\n"
                "    loss = tf.reduce_sum((scaled + b - t) ** 2.0)"
            },
        ),
        Wrong("other-way", {"return slope_of_w, slope_of_b": "return slope_of_b, slope_of_w"}),
        Wrong("not-used", {"body": "scaled = tf.Variable(w * x)\n" + BLOCK}),
        Wrong(
            "carried-over",
            {"body": "with tf.GradientTape() as tape:\n        scaled = w * x\n" + BLOCK},
        ),
        Wrong("not-watched", {"body": "scaled = w * x\n" + BLOCK, "[w, b]": "[scaled, b]"}),
        Wrong(
            "asked-twice",
            {
                "slope_of_w, slope_of_b = tape.gradient(loss, [w, b])": "slope_of_w = "
                "tape.gradient(loss, w)\n    slope_of_b = tape.gradient(loss, b)"
            },
        ),
        Wrong("of-scaled", {"[w, b]": "[scaled, b]"}),
        Wrong("no-x", {"scaled + b": "w + b"}),
        Wrong("scaled-twice", {"scaled + b": "w * scaled + b"}),
        Wrong(
            "scaled-twice",
            {"body": "scaled = w * x\n" + BLOCK.replace("scaled", "w * scaled")},
        ),
    ),
)

renamed = Repair(
    id="06.renamed",
    texts=TEXTS,
    inputs={"w": (), "x": (), "t": ()},
    program="""def train(w, x, t):
    w = tf.Variable(w)
    for step in range(3):
        with tf.GradientTape() as tape:
            loss = (w * x - t) ** 2.0
        slope = tape.gradient(loss, w)
        if step < 2:
            «w.assign_sub(0.1 * slope) <- w = w - 0.1 * slope»
    return slope
""",
    wrong=(
        Wrong("uphill", {"assign_sub": "assign_add"}),
        Wrong("stands-still", {"w.assign_sub(0.1 * slope)": "w = tf.Variable(w)"}),
        Wrong("the-weight", {"return slope": "return w"}),
        Wrong("whole-slope", {"0.1 * slope": "slope"}),
        Wrong("no-slope", {"0.1 * slope": "0.1"}),
        Wrong("set-to-step", {"w.assign_sub(0.1 * slope)": "w.assign(0.1 * slope)"}),
        Wrong("set-to-step", {"w.assign_sub(0.1 * slope)": "w.assign(-0.1 * slope)"}),
        Wrong("turned", {"w.assign_sub(0.1 * slope)": "w.assign(0.1 * slope - w)"}),
        Wrong("the-loss", {"0.1 * slope": "0.1 * loss"}),
        Wrong("minus-equals", {"w.assign_sub(0.1 * slope)": "w -= 0.1 * slope"}),
        Wrong(
            "watched-too-late",
            {"w.assign_sub(0.1 * slope)": "tape.watch(w)\n            w = w - 0.1 * slope"},
        ),
    ),
)

collected = Repair(
    id="06.collected",
    texts=TEXTS,
    inputs={"rate": growth},
    program="""def influence(rate):
    rate = tf.Variable(rate)
    with tf.GradientTape() as tape:
        size = 1.0
        sizes = «[] <- np.zeros(4)»
        for year in range(4):
            size = size * rate
            «sizes.append(size) <- sizes[year] = size»
        total = tf.reduce_sum(sizes)
    return tape.gradient(total, rate)
""",
    wrong=(
        Wrong("last-only", {"total = tf.reduce_sum(sizes)": "total = size"}),
        Wrong("same-each-year", {"size = size * rate": "size = 1.0 * rate"}),
        Wrong("python-escape", {"sizes.append(size)": "sizes.append(float(size))"}),
        Wrong("numpy-escape", {"sizes.append(size)": "sizes.append(size.numpy())"}),
        Wrong("tensor-assigned", {"[]": "tf.zeros(4)", "sizes.append(size)": "sizes[year] = size"}),
        Wrong(
            "tensor-assigned",
            {"[]": "tf.Variable(tf.zeros(4))", "sizes.append(size)": "sizes[year] = size"},
        ),
        Wrong("empty-list", {"sizes.append(size)": "sizes[year] = size"}),
        Wrong("array-append", {"[]": "np.zeros(4)"}),
        Wrong("from-zero", {"size = size * rate": "size = rate ** year"}),
        Wrong(
            "still-an-array",
            {"[]": "np.zeros(4, dtype=object)", "sizes.append(size)": "sizes[year] = size"},
        ),
        Wrong("a-dictionary", {"[]": "{}", "sizes.append(size)": "sizes[year] = size"}),
        Wrong("added-to-list", {"sizes.append(size)": "sizes += size"}),
        Wrong("added-to-list", {"size = 1.0": "size = 0.0"}),
        Wrong("name-lost", {"sizes.append(size)": "sizes = sizes.append(size)"}),
        Wrong("a-mean", {"reduce_sum": "reduce_mean"}),
        Wrong("not-used", {"sizes.append(size)": "sizes.append(year)"}),
        Wrong(
            "state-assign",
            {
                "sizes = []": "total = tf.Variable(0.0)",
                "sizes.append(size)": "total.assign_add(size)",
                "        total = tf.reduce_sum(sizes)\n": "",
            },
        ),
    ),
)

# ---- a line to name

line = Line(
    id="06.line",
    texts=TEXTS,
    program="""x = tf.constant([[1.0, 2.0], [3.0, 1.0], [2.0, 2.0]])
t = tf.constant([1.0, 0.0, 1.0])
w = tf.Variable([0.5, -0.3])
b = tf.Variable(0.1)
history = []

def limited(values):
    low, high = -2.0, 2.0
    inside = np.clip(values, low, high)                #! here
    return tf.constant(inside)                         #! too-late

with tf.GradientTape() as tape:
    score = tf.linalg.matvec(x, w) + b
    history.append(score.numpy())                      #! only-kept
    chance = tf.sigmoid(limited(score))                #! caller
    error = chance - tf.stop_gradient(t)               #! of-the-data
    loss = tf.reduce_mean(error * error)               #! after-the-cut

print(float(loss))                                     #! only-printed
g = tape.gradient(loss, w)                             #! symptom
""",
)

# ---- a healthy program to break

HEALTHY = """def program(w, x, t):
    w = tf.Variable(w)
    with tf.GradientTape() as tape:
        y = w * x
        loss = tf.reduce_mean((y - t) ** 2.0)
    slope = tape.gradient(loss, w)
    return loss, slope
"""
INPUTS = {"w": (), "x": ("n",), "t": ("n",)}

leave = Break(
    id="06.leave",
    texts=TEXTS,
    inputs=INPUTS,
    reasons=("python-escape",),
    program=HEALTHY.replace("w * x", "«w.numpy() * x <- w * x»"),
    wrong=(
        Wrong("computed-after", {"y": "w * x", "    slope": "    loss = loss * 1.0\n    slope"}),
        Wrong("not-watched", {"y": "w * x", "w = tf.Variable(w)": "w = tf.constant(w)"}),
        Wrong("stop-gradient", {"y": "tf.stop_gradient(w * x)"}),
        Wrong(
            "not-back", {"y": "w * x", "tf.reduce_mean((y - t) ** 2.0)": "np.mean((y - t) ** 2.0)"}
        ),
        Wrong("not-back", {"y": "w * x", "tf.reduce_mean(": "np.mean(", "(y - ": "(y.numpy() - "}),
        Wrong("not-back", {"y": "w * x", "loss = tf": "loss = float(tf", "2.0)": "2.0))"}),
        Wrong("one-number", {"y": "float(w * x)"}),
        Wrong("variable-made-anew", {"y": "tf.Variable(w * x)"}),
        Wrong("other-result", {"y": "w.numpy() + x"}),
        Wrong("still-whole", {"y": "x * w"}),
    ),
)

WITHIN = "with tf.GradientTape() as tape:\n        y = "
outdoors = Break(
    id="06.outdoors",
    texts=TEXTS,
    inputs=INPUTS,
    reasons=("computed-after",),
    program=HEALTHY.replace(
        """    with tf.GradientTape() as tape:
        y = w * x
""",
        """    «y = w * x
    with tf.GradientTape() as tape: <- with tf.GradientTape() as tape:
        y = w * x»
""",
    ),
    wrong=(
        Wrong("numpy-escape", {"body": WITHIN + "w.numpy() * x"}),
        Wrong("python-escape", {"body": WITHIN + "float(w) * x"}),
        Wrong("not-watched", {"body": WITHIN + "w * x", "tf.Variable(w)": "tf.constant(w)"}),
        Wrong("stop-gradient", {"body": WITHIN + "tf.stop_gradient(w * x)"}),
        Wrong("still-whole", {"body": WITHIN + "x * w"}),
        Wrong(
            "recording-stopped",
            {"body": WITHIN.replace(":", ", tape.stop_recording():") + "w * x"},
        ),
        Wrong("no-block", {"body": "tape = tf.GradientTape()\n    if True:\n        y = w * x"}),
    ),
)

unwatched = Break(
    id="06.unwatched",
    texts=TEXTS,
    inputs=INPUTS,
    reasons=("not-trainable", "watch-accessed-variables", "watched-too-late", "variable-replaced"),
    program=HEALTHY.replace("= tf.Variable(w)", "= «tf.constant(w) <- tf.Variable(w)»"),
    wrong=(
        Wrong("numpy-escape", {"w": "tf.Variable(w)", "w * x": "w.numpy() * x"}),
        Wrong("python-escape", {"w": "tf.Variable(w)", "w * x": "float(w) * x"}),
        Wrong("computed-after", {"w": "tf.Variable(w)", "        loss =": "    loss ="}),
        Wrong(
            "computed-before",
            {
                "w": "tf.Variable(w)",
                "    with tf": "    y = w * x\n    with tf",
                "        y = w * x\n": "",
            },
        ),
        Wrong("no-tensor", {"w": "w"}),
        Wrong("no-tensor", {"w": "np.array(w)"}),
        Wrong("no-tensor", {"w": "tf.Variable(w).numpy()"}),
        Wrong("still-whole", {"w": "tf.Variable(w, name='w')"}),
    ),
)

# ---- rarer ways

total = Repair(
    id="06.total",
    texts=TEXTS,
    inputs={"rate": growth},
    program="""def influence(rate):
    rate = tf.Variable(rate)
    total = tf.Variable(0.0)
    with tf.GradientTape() as tape:
        size = 1.0
        for year in range(3):
            size = size * rate
            «total = total + size <- total.assign_add(size)»
    return tape.gradient(total, rate)
""",
    wrong=(
        Wrong("last-only", {"total = total + size": "total = size"}),
        Wrong("state-assign", {"total = total + size": "total.assign(total + size)"}),
        Wrong("plus-equals", {"total = total + size": "total += size"}),
        Wrong("python-escape", {"total = total + size": "total = total + float(size)"}),
        Wrong(
            "a-tensor",
            {
                "tf.Variable(0.0)": "tf.constant(0.0)",
                "total = total + size": "total.assign_add(size)",
            },
        ),
        Wrong("first-years", {"total = total + size": "total = total + rate"}),
        Wrong("product", {"total = total + size": "total = total * size"}),
        Wrong("multiplied", {"total = total + size": "total = (total + size) * rate"}),
        Wrong("multiplied", {"total = total + size": "total = (total + 1.0) * size"}),
    ),
)

whole, anew, unregistered = asked_06.whole, asked_06.anew, asked_06.unregistered
