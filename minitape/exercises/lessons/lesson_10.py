"""The exercises of the lesson on nested tapes: a slope of a slope, Newton's steps, a loss with a
slope in it; in the extras, Hessian times vector.
"""

from __future__ import annotations

from minitape.exercises import Catalogue, Prediction, Repair, Wrong
from minitape.exercises.repair import Played

TEXTS = Catalogue(__name__)
CARDS = 'len([entry for entry in outer.recording.entries if entry.op != "ReadVariableOp"])'

BROKEN = "y = tf.sin(x) * x\n    slope = inner.gradient(y, x)"  # the play of `inner` stands outside


recall = Prediction(
    id="10.recall",
    texts=TEXTS,
    numbers={"a": (2.0, 3.0), "b": (4.0, 5.0, 6.0), "w": (7.0, 11.0)},
    right="slope",
    program="""w = tf.Variable({w})
x = tf.constant([{a}, {b}])
with tf.GradientTape() as tape:
    y = w * x
slope = tape.gradient(y, w)
""",
    wrong=(
        Wrong("mean", "slope / 2"),
        Wrong("first-only", "x[0]"),
        Wrong("last-only", "x[1]"),
        Wrong("the-value", "w * slope"),
        Wrong("each", "x"),
        Wrong("with-w", "w"),
        Wrong("product", "x[0] * x[1]"),
        Wrong("each-value", "y"),
        Wrong("squared", "2 * w"),
        Wrong("no-answer", "None"),
    ),
)

growth = Prediction(
    id="10.growth",
    texts=TEXTS,
    numbers={"a": (1.0, 2.0, 3.0), "b": (5.0, 7.0, 8.0)},
    right="growth",
    program="""slopes = []
for number in ({a}, {b}):
    x = tf.Variable(number)
    with tf.GradientTape() as tape:
        y = x * x
    slopes.append(tape.gradient(y, x))

growth = slopes[1] - slopes[0]
""",
    wrong=(
        Wrong("of-values", "y - (slopes[0] / 2) ** 2"),
        Wrong("of-x", "growth / 2"),
        Wrong("of-values", "y"),
        Wrong("last-slope", "slopes[1]"),
        Wrong("first-slope", "slopes[0]"),
        Wrong("added", "slopes[0] + slopes[1]"),
        Wrong("by-one", "2"),
        Wrong("quotient", "slopes[1] / slopes[0]"),
        Wrong("both", "[slopes[0], slopes[1]]"),
        Wrong("twice", "2 * growth"),
        Wrong("zero", "0"),
        Wrong("backwards", "-growth"),
    ),
)

bend = Prediction(
    id="10.bend",
    texts=TEXTS,
    numbers={"x": (3.0, 4.0, 5.0), "k": (4.0, 5.0, 10.0)},
    right="bend",
    program="""x = tf.Variable({x})
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = {k} * x * x * x
    slope = inner.gradient(y, x)
bend = outer.gradient(slope, x)
""",
    wrong=(
        Wrong("the-slope", "slope"),
        Wrong("the-value", "y"),
        Wrong("one-part", "bend / 2"),
        Wrong("forgot-3", "bend / 3"),
        Wrong("always-2", "2"),
        Wrong("always-2", "2 * y / x ** 3"),
        Wrong("squared", "slope * slope"),
        Wrong("no-x", "bend / x"),
        Wrong("no-factor", "6 * x"),
        Wrong("one-x", "2 * slope"),
        Wrong("the-slope", "3 * x * x"),
        Wrong("zero", "0"),
    ),
)

cards = Prediction(
    id="10.cards",
    texts=TEXTS,
    numbers={"x": (0.5, 1.5), "n": (2, 3, 4, 5)},
    right=CARDS,
    program="""x = tf.Variable({x})
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x
        for k in range({n}):
            y = tf.sin(y)
    slope = inner.gradient(y, x)
""",
    wrong=(
        Wrong("values-only", f"{CARDS} // 3"),
        Wrong("play-only", f"2 * {CARDS} // 3"),
        Wrong("none", "0"),
        Wrong("one-play", f"{CARDS} // 3 + 1"),
        Wrong("seed-too", f"{CARDS} + 1"),
        Wrong("last-free", f"{CARDS} - 1"),
        Wrong("play-only", f"2 * {CARDS} // 3 + 1"),
        Wrong("one-card", "2"),
        Wrong("one-card", "1"),
        Wrong("sums-too", f"4 * {CARDS} // 3"),
        Wrong("outer-play", f"2 * {CARDS}"),
        Wrong("loop", f"3 if {CARDS} > 9 else ..."),
        Wrong("one-rule", f"{CARDS} // 3 + 2 if {CARDS} > 9 else ..."),
        Wrong("last-rule", f"{CARDS} - 2 if {CARDS} > 9 else ..."),
    ),
)

step = Prediction(
    id="10.step",
    texts=TEXTS,
    numbers={"w": (5.0, 6.0, 10.0), "bottom": (1.0, 2.0, 3.0), "k": (3.0, 4.0, 6.0)},
    right="w",
    program="""w = tf.Variable({w})
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        loss = {k} * (w - {bottom}) ** 2
    slope = inner.gradient(loss, w)
bend = outer.gradient(slope, w)
w.assign_sub(slope / bend)
""",
    wrong=(
        Wrong("uphill", "w + 2 * slope / bend"),
        Wrong("no-bend", "w + slope / bend - slope"),
        Wrong("the-step", "slope / bend"),
        Wrong("not-moved", "w + slope / bend"),
        Wrong("times", "w + slope / bend - slope * bend"),
        Wrong("halfway", "w + slope / bend / 2"),
        Wrong("upside-down", "w + slope / bend - bend / slope"),
        Wrong("too-far", "w + slope / bend - 2 * slope / bend"),
        Wrong("no-factor", "w + slope / bend - slope / 2"),
        Wrong("the-loss", "0"),
        Wrong("old-loss", "loss"),
        Wrong("the-slope", "slope"),
        Wrong("the-bend", "bend"),
        Wrong("a-rate", "w + slope / bend - 0.1 * slope"),
    ),
)

outside = Repair(
    id="10.outside",
    texts=TEXTS,
    inputs={"x": ()},
    program="""def bend(x):
    x = tf.Variable(x)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            «y = tf.sin(x) * x
        slope = inner.gradient(y, x) <- y = tf.sin(x) * x
    slope = inner.gradient(y, x)»
    return outer.gradient(slope, x)
""",
    wrong=(
        Wrong("the-slope", {"outer.gradient(slope, x)": "slope"}),
        Wrong("wiped", {"body": BROKEN, "(slope, x)": '(slope, x, unconnected_gradients="zero")'}),
        Wrong("numpy-slope", {"inner.gradient(y, x)": "inner.gradient(y, x).numpy()"}),
        Wrong("the-slope", {"outer.gradient(slope, x)": "outer.gradient(y, x)"}),
        Wrong("used-up", {"outer.gradient(slope, x)": "inner.gradient(slope, x)"}),
        Wrong("squared", {"outer.gradient(slope, x)": "slope * slope"}),
        Wrong(
            "slope-of-square", {"slope = inner.gradient(y, x)": "slope = inner.gradient(y, x) ** 2"}
        ),
        Wrong(
            "numpy-escape",
            {"slope = inner.gradient(y, x)": "slope = tf.constant(inner.gradient(y, x).numpy())"},
        ),
        Wrong(
            "outer-tape-late",
            {
                "with tf.GradientTape() as outer:\n        with tf.GradientTape() as inner:\n"
                "            y = tf.sin(x) * x": "with tf.GradientTape() as inner:\n        y = "
                "tf.sin(x) * x\n    with tf.GradientTape() as "
                "outer:"
            },
        ),
        Wrong("another-object", {"return outer": "x = tf.Variable(x)\n    return outer"}),
    ),
)

newton = Played(
    id="10.newton",
    texts=TEXTS,
    by_hand=False,
    form="array",
    inputs={"start": (), "goal": ()},
    program="""def newton(start, goal):
    w = tf.Variable(start)
    for step in range(2):
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                loss = (w - goal) ** 4 + (w - goal) ** 2
            slope = «inner.gradient(loss, w)»
        bend = «outer.gradient(slope, w)»
        #: step
        w.assign_sub(«slope / bend»)
    return slope, bend, w
""",
    wrong=(
        Wrong("the-slope", {"bend": "outer.gradient(loss, w)"}),
        Wrong("squared", {"bend": "slope * slope"}),
        Wrong("no-bend", {"assign_sub": "slope"}),
        Wrong("a-rate", {"assign_sub": "0.1 * slope"}),
        Wrong("a-rate", {"assign_sub": "0.1 * slope / bend"}),
        Wrong("used-up", {"bend": "inner.gradient(slope, w)"}),
        Wrong("uphill", {"assign_sub": "-slope / bend"}),
        Wrong("times", {"assign_sub": "slope * bend"}),
        Wrong("upside-down", {"assign_sub": "bend / slope"}),
        Wrong("assigned", {"assign_sub": "w - slope / bend"}),
        Wrong("the-loss", {"assign_sub": "loss / slope"}),
        Wrong("the-loss", {"assign_sub": "loss / bend"}),
        Wrong("half-step", {"assign_sub": "0.5 * slope / bend"}),
        Wrong("uphill", {"assign_sub": "tf.abs(slope / bend)"}),
        Wrong("knows-the-goal", {"assign_sub": "w - goal"}),
        Wrong("no-slope", {"assign_sub": "bend"}),
        Wrong("no-slope", {"assign_sub": "1 / bend"}),
        Wrong("of-start", {"slope": "inner.gradient(loss, start)"}),
        Wrong("half-loss", {"slope": "4 * (w - goal) ** 3"}),
        Wrong("by-w", {"bend": "slope / w"}),
        Wrong("no-play", {"slope": "4 * (w - goal) ** 3 + 2 * (w - goal)"}),
        Wrong("no-play", {"bend": "12 * (w - goal) ** 2 + 2"}),
        Wrong("squared-bend", {"assign_sub": "slope / bend ** 2"}),
        Wrong("always-2", {"assign_sub": "slope / 2"}),
        Wrong("taken-away", {"assign_sub": "slope - bend"}),
        Wrong("doubled", {"assign_sub": "2 * slope / bend"}),
        Wrong("damped", {"assign_sub": "slope / (bend + 1)"}),
        Wrong("half-slope", {"slope": "inner.gradient(loss, w) / 2"}),
        Wrong("the-loss", {"assign_sub": "slope / loss"}),
        Wrong("slope-squared", {"assign_sub": "slope * slope / bend"}),
    ),
)

hessian_vector = Played(
    id="10.hessian-vector",
    texts=TEXTS,
    by_hand=False,
    by_jacobian=False,
    form="tensor",
    inputs={"w": ("n",), "v": ("n",)},
    program="""def hessian_times(w, v):
    w = tf.Variable(w)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = tf.reduce_sum(w) ** 3 + tf.reduce_sum(w ** 4)
        slopes = inner.gradient(loss, w)
        #: one
        change = «tf.reduce_sum(slopes * v)»
    product = «outer.gradient(change, w)»
    return change, product
""",
    wrong=(
        Wrong("not-added", {"change": "slopes * v"}),
        Wrong("not-added", {"change": "slopes"}),
        Wrong("no-vector", {"change": "tf.reduce_sum(slopes)"}),
        Wrong("no-vector", {"change": "tf.reduce_mean(slopes)"}),
        Wrong("added-up", {"product": "tf.reduce_sum(outer.gradient(change, w))"}),
        Wrong("mean", {"change": "tf.reduce_mean(slopes * v)"}),
        Wrong("product-of-sums", {"change": "tf.reduce_sum(slopes) * tf.reduce_sum(v)"}),
        Wrong("added-v", {"change": "tf.reduce_sum(slopes + v)"}),
        Wrong("the-loss", {"change": "tf.reduce_sum(loss * v)"}),
        Wrong("the-weights", {"change": "tf.reduce_sum(w * v)"}),
        Wrong("by-weights", {"change": "tf.reduce_sum(slopes * w)"}),
        Wrong("not-added", {"change": "tf.reduce_sum(slopes) * v"}),
        Wrong("largest", {"change": "tf.reduce_max(slopes * v)"}),
        Wrong("of-slopes", {"product": "outer.gradient(change, slopes)"}),
        Wrong("squared", {"change": "tf.reduce_sum(slopes * slopes)"}),
        Wrong("squared", {"change": "tf.reduce_sum((slopes * v) ** 2)"}),
        Wrong("first-only", {"change": "slopes[0] * v[0]"}),
        Wrong("numpy", {"change": "np.sum(slopes * v)"}),
        Wrong("numpy", {"change": "np.dot(slopes, v)"}),
        Wrong("numpy", {"change": "float(tf.reduce_sum(slopes * v))"}),
        Wrong("as-matrices", {"change": "slopes @ v"}),
        Wrong("no-vector", {"product": "outer.gradient(slopes, w)"}),
        Wrong("row-sums", {"product": "outer.gradient(slopes, w) * v"}),
        Wrong("the-slopes", {"product": "slopes"}),
        Wrong("the-slopes", {"product": "slopes * v"}),
        Wrong("the-slopes", {"product": "outer.gradient(loss, w)"}),
        Wrong("the-change", {"product": "change"}),
        Wrong("scaled", {"product": "change * v"}),
        Wrong("used-up", {"product": "inner.gradient(change, w)"}),
        Wrong("whole-matrix", {"product": "outer.jacobian(slopes, w)"}),
        Wrong("by-jacobian", {"product": "tf.linalg.matvec(outer.jacobian(slopes, w), v)"}),
        Wrong("as-matrices", {"product": "outer.jacobian(slopes, w) @ v"}),
        Wrong("not-watched", {"product": "outer.gradient(change, v)"}),
        Wrong("times-v-again", {"product": "outer.gradient(change, w) * v"}),
        Wrong("no-play", {"product": "6 * tf.reduce_sum(w) * tf.reduce_sum(v) + 12 * w ** 2 * v"}),
        Wrong("scaled", {"product": "change * w"}),
        Wrong("scaled", {"product": "change * slopes"}),
        Wrong("by-square", {"change": "tf.reduce_sum(slopes * v * v)"}),
        Wrong("sizes", {"change": "tf.reduce_sum(tf.abs(slopes * v))"}),
        Wrong("product-of-all", {"change": "tf.reduce_prod(slopes * v)"}),
    ),
)

penalty = Played(
    id="10.penalty",
    texts=TEXTS,
    by_hand=False,
    form="tensor",
    inputs={"x": ("n",), "t": ("n",), "w": (), "b": ()},
    program="""def gradients(x, t, w, b):
    w, b = tf.Variable(w), tf.Variable(b)
    #: body
    «with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.sin(w * x + b)
        slopes = inner.gradient(y, x)
        loss = tf.reduce_mean((y - t) ** 2) + tf.reduce_mean(slopes ** 2)
    slope_w, slope_b = outer.gradient(loss, [w, b])
    return loss, slope_w, slope_b»
""",
    wrong=(
        Wrong("no-penalty", {"+ tf.reduce_mean(slopes ** 2)": ""}),
        Wrong("not-recorded", {"slopes ** 2": "slopes.numpy() ** 2"}),
        Wrong("only-penalty", {"tf.reduce_mean((y - t) ** 2) + tf": "tf"}),
        Wrong("no-square", {"slopes ** 2": "slopes"}),
        Wrong("sum", {"tf.reduce_mean(slopes ** 2)": "tf.reduce_sum(slopes ** 2)"}),
        Wrong(
            "sum",
            {
                "tf.reduce_mean((y - t) ** 2) + tf.reduce_mean(s": "tf.reduce_sum((y - t) ** 2) + "
                "tf.reduce_sum(s"
            },
        ),
        Wrong(
            "no-mean",
            {
                "tf.reduce_mean((y - t) ** 2) + tf.reduce_mean(slopes ** 2)": "(y - t) ** 2 + slopes ** 2"
            },
        ),
        Wrong("no-mean", {"tf.reduce_mean(slopes ** 2)": "slopes ** 2"}),
        Wrong("no-mean", {"tf.reduce_mean(slopes ** 2)": "slopes"}),
        Wrong("used-up", {"outer.gradient(loss": "inner.gradient(loss"}),
        Wrong("mean-first", {"tf.reduce_mean(slopes ** 2)": "tf.reduce_mean(slopes) ** 2"}),
        Wrong("by-weight", {"inner.gradient(y, x)": "inner.gradient(y, w)"}),
        Wrong("by-weight", {"inner.gradient(y, x)": "inner.gradient(y, b)"}),
        Wrong(
            "slope-of-loss",
            {"slopes = inner.gradient(y, x)": "slopes = inner.gradient(y, x) * 2 * (y - t)"},
        ),
        Wrong(
            "slope-of-loss",
            {"inner.gradient(y, x)": "inner.gradient(y, x) * 2 * (y - t) / len(x)"},
        ),
        Wrong("not-watched", {"inner.watch(x)": "pass"}),
        Wrong("computed-after", {"gradient(y, x)": "gradient(tf.reduce_mean((y - t) ** 2), x)"}),
        Wrong("no-inner", {"inner.gradient(y, x)": "tf.cos(w * x + b)"}),
        Wrong("absolute", {"slopes ** 2": "tf.abs(slopes)"}),
        Wrong("no-sine", {"tf.sin(w * x + b)": "w * x + b"}),
        Wrong("bias-outside", {"tf.sin(w * x + b)": "tf.sin(w * x) + b"}),
        Wrong(
            "one-square",
            {
                "tf.reduce_mean((y - t) ** 2) + tf.reduce_mean(slopes ** 2)": "tf.reduce_mean((y - t + slopes) ** 2)"
            },
        ),
        Wrong("slopes-to-t", {"slopes ** 2": "(slopes - t) ** 2"}),
        Wrong(
            "slopes-to-t",
            {
                "tf.reduce_mean((y - t) ** 2) + tf.reduce_mean(slopes ** 2)": "tf.reduce_mean((slopes - t) ** 2)"
            },
        ),
        Wrong("sum", {"tf.reduce_mean((y - t) ** 2) +": "tf.reduce_sum((y - t) ** 2) +"}),
        Wrong("error-square", {"(y - t) ** 2": "y - t"}),
        Wrong("minus", {"+ tf.reduce_mean(slopes": "- tf.reduce_mean(slopes"}),
        Wrong("weighted", {"+ tf.reduce_mean(slopes": "+ 0.1 * tf.reduce_mean(slopes"}),
        Wrong("weighted", {"+ tf.reduce_mean(slopes": "+ 2 * tf.reduce_mean(slopes"}),
        Wrong("a-root", {"tf.reduce_mean(slopes ** 2)": "tf.sqrt(tf.reduce_sum(slopes ** 2))"}),
        Wrong("no-target", {"(y - t) ** 2": "y ** 2"}),
        Wrong("of-y", {"outer.gradient(loss": "outer.gradient(y"}),
        Wrong("order", {"return loss, slope_w, slope_b": "return loss, slope_b, slope_w"}),
        Wrong("order", {"return loss, slope_w, slope_b": "return slope_w, slope_b, loss"}),
        Wrong("no-play", {"inner.gradient(y, x)": "w * tf.cos(w * x + b)"}),
        Wrong("distance-to-1", {"slopes ** 2": "(slopes - 1.0) ** 2"}),
        Wrong("multiplied", {"+ tf.reduce_mean(slopes": "* tf.reduce_mean(slopes"}),
    ),
)
