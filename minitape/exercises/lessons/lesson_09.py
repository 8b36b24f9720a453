"""Lesson 09, training health: four predictions, a root to repair, a search for the first bad card, a
line to name; in the extras, first weights of the right size, and gradients to clip.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minitape.exercises import Catalogue, Function, Line, Prediction, Repair, Wrong
from minitape.exercises.ready import Own

TEXTS = Catalogue(__name__)

recall = Prediction(
    id="09.recall",
    texts=TEXTS,
    right="zeros",
    numbers={
        "m": (4, 5, 10),
        "b": (
            [-50.0, -1.0, -1.0, 0.0, -50.0],
            [0.0, -50.0, -50.0, -1.0, -50.0],
            [-50.0, -50.0, -50.0, -1.0, 0.0],
            [-1.0, -50.0, 0.0, -50.0, -50.0],
        ),
    },
    program="""x = tf.ones([8, {m}])
b = {b}
layer = tf.keras.layers.Dense(len(b), activation="relu", kernel_initializer="ones")
layer(x)
layer.bias.assign(b)

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(layer(x))

gradient = tape.gradient(loss, layer.kernel)
zeros = np.sum(gradient.numpy() == 0)
""",
    wrong=(
        Wrong("units", "b.count(-50.0)"),
        Wrong("others", "gradient.numpy().size - zeros"),
        Wrong("all", "gradient.numpy().size"),
        Wrong("none", "0"),
        Wrong("examples", "8 * b.count(-50.0)"),
        Wrong("examples", "8"),
        Wrong("below-0", "sum(v < 0 for v in b) * gradient.shape[0]"),
        Wrong("other-shape", "x.numpy().size"),
        Wrong("other-shape", "8 * len(b)"),
        Wrong("biases-too", "zeros + b.count(-50.0)"),
        Wrong("one-unit", "gradient.shape[0]"),
    ),
)

steep = Prediction(
    id="09.steep",
    texts=TEXTS,
    numbers={"v": (0.0001, 0.0004, 0.0025)},
    right="slope",
    program="""v = tf.Variable({v})

with tf.GradientTape() as tape:
    root = tf.sqrt(v)

slope = tape.gradient(root, v)
""",
    wrong=(
        Wrong("the-value", "root"),
        Wrong("no-half", "1 / root"),
        Wrong("half-root", "root / 2"),
        Wrong("upside-down", "2 * root"),
        Wrong("of-square", "2 * v"),
        Wrong("of-v", "1 / (2 * v)"),
        Wrong("flat", "0"),
        Wrong("infinite", "float('inf')"),
        Wrong("no-root", "1 / v"),
        Wrong("two-above", "2 / root"),
        Wrong("half", "0.5"),
        Wrong("half-v", "v / 2"),
    ),
)

sigmoids = Prediction(
    id="09.sigmoids",
    texts=TEXTS,
    numbers={"n": (3, 5, 6)},
    right="times",
    program="""x = tf.Variable(0.0)
n = {n}

with tf.GradientTape() as tape:
    y = x
    for layer in range(n):
        y = tf.sigmoid(y) - 0.5

times = 1 / tape.gradient(y, x)
""",
    wrong=(
        Wrong("added", "4 * n"),
        Wrong("added", "4 / n"),
        Wrong("added", "2 * n"),
        Wrong("added", "n / 4"),
        Wrong("turned", "n ** 4"),
        Wrong("one-only", "4"),
        Wrong("one-only", "0.25"),
        Wrong("values", "2"),
        Wrong("values", "2 ** n"),
        Wrong("values", "0.5 ** n"),
        Wrong("as-large", "1"),
        Wrong("one-less", "4 ** (n - 1)"),
        Wrong("one-more", "4 ** (n + 1)"),
        Wrong("upside-down", "1 / times"),
        Wrong("how-many", "n"),
    ),
)

dead = Prediction(
    id="09.dead",
    texts=TEXTS,
    right="dead",
    numbers={
        "bias": (
            [4.0, -4.0, -9.0, -3.0, -2.0],
            [4.0, -9.0, -2.0, -3.0, -5.0],
            [4.0, -9.0, -5.0, -3.0, -4.0],
            [5.0, -2.0, -4.0, -9.0, -3.0],
        )
    },
    program="""x = tf.constant([[1.0], [2.0], [3.0]])
kernel = tf.constant([[-2.0, 1.0, 1.0, 2.0, 1.0]])
bias = tf.constant({bias})

h = tf.nn.relu(x @ kernel + bias)
dead = np.sum(np.all(h.numpy() == 0, axis=0))
""",
    wrong=(
        Wrong("alive", "5 - dead"),
        Wrong("zeros", "np.sum(h.numpy() == 0)"),
        Wrong("each-example", "3 * dead"),
        Wrong("one-example", "np.sum(h.numpy()[0] == 0)"),
        Wrong("once", "np.sum(np.any(h.numpy() == 0, axis=0))"),
        Wrong("weights-alone", "np.sum(kernel.numpy() < 0)"),
        Wrong("none", "0"),
    ),
)


def points(chance: np.random.Generator) -> np.ndarray:
    """Return some points, one of them at 0, where a length has no slope. The others are so far away
    that √1e-4 is next to 0 beside them.
    """
    numbers = chance.integers(80, 200, (int(chance.integers(3, 6)), 2)) * chance.choice(
        [-1.0, 1.0], (1, 2)
    )
    numbers[chance.integers(len(numbers))] = 0.0
    return numbers


lengths = Repair(
    id="09.lengths",
    texts=TEXTS,
    inputs={"p": points},
    form="tensor",
    program="""def measured(p):
    p = tf.Variable(p)
    with tf.GradientTape() as tape:
        squares = tf.reduce_sum(p * p, axis=1)
        lengths = «tf.sqrt(squares + 1e-12) <- tf.sqrt(squares)»
        loss = tf.reduce_sum(lengths)
    slopes = tape.gradient(loss, p)
    return lengths, slopes
""",
    wrong=(
        Wrong("still-zero", {"lengths": "tf.sqrt(squares) + 1e-12"}),
        Wrong("still-zero", {"lengths": "tf.norm(p, axis=1)"}),
        Wrong(
            "beside-tape",
            {
                "(loss, p)": "(loss, p)\n    slopes = tf.where(tf.math.is_nan(slopes), 0.0, "
                "slopes)",
                "lengths": "tf.sqrt(squares)",
            },
        ),
        Wrong("nan-times-0", {"(loss, p)": "(loss, p) * 0", "lengths": "tf.sqrt(squares)"}),
        Wrong("no-root", {"lengths": "squares"}),
        Wrong("length-one", {"lengths": "tf.sqrt(tf.where(squares > 0, squares, 1.0))"}),
        Wrong(
            "moved-point",
            {"tf.Variable(p)": "tf.Variable(p + 0.001)", "lengths": "tf.sqrt(squares)"},
        ),
        Wrong("sum-of-sizes", {"lengths": "tf.reduce_sum(tf.abs(p), axis=1)"}),
        Wrong("mean", {"tf.reduce_sum(lengths)": "tf.reduce_mean(lengths)"}),
        Wrong("dropped", {"tf.Variable(p)": "tf.Variable(p[1:])"}),
        Wrong("no-root", {"lengths": "squares / 2"}),
        Wrong("other-axis", {"axis=1": "axis=0"}),
        Wrong("dropped", {"lengths": "tf.sqrt(squares[squares > 0])"}),
        Wrong("much", {"1e-12": "0.1"}),
        Wrong("much", {"1e-12": "0.01"}),
        Wrong("much", {"1e-12": "0.001"}),
        Wrong(
            "moved-point", {"tf.Variable(p)": "tf.Variable(p + 0.1)", "lengths": "tf.sqrt(squares)"}
        ),
        Wrong(
            "moved-point", {"tf.Variable(p)": "tf.Variable(p + 1.0)", "lengths": "tf.sqrt(squares)"}
        ),
        Wrong("below-zero", {"lengths": "tf.sqrt(squares - 1e-12)"}),
        Wrong("branch", {"lengths": "tf.sqrt(squares) if squares > 0 else 0.0"}),
        Wrong("other-loss", {"lengths": "tf.sqrt(squares)", "(lengths)": "(squares)"}),
    ),
)


def kernel(chance: np.random.Generator) -> np.ndarray:
    """Return random numbers in the shape of a kernel, with more inputs than units, or fewer.

    Of these sizes no two declared wrong answers make one factor: with 4 units √(2 / (inputs ·
    units)) would be √(0.5 / inputs).
    """
    return np.round(
        chance.normal(
            size=chance.choice([(5, 3), (7, 5), (9, 5), (5, 6), (9, 6), (5, 7), (9, 7), (7, 8)])
        ),
        3,
    )


spread = Function(
    id="09.spread",
    texts=TEXTS,
    inputs={"noise": kernel},
    program="""def first_weights(noise):
    inputs, units = noise.shape
    #: factor
    factor = «np.sqrt(2 / inputs)»
    return factor * noise
""",
    wrong=(
        Wrong("no-root", {"factor": "2 / inputs"}),
        Wrong("no-root", {"factor": "np.sqrt(2) / inputs"}),
        Wrong("units", {"factor": "1 / units"}),
        Wrong("fixed", {"factor": "0.5"}),
        Wrong("both", {"factor": "np.sqrt(1 / (inputs + units))"}),
        Wrong("units", {"factor": "np.sqrt(2 / units)"}),
        Wrong("no-two", {"factor": "np.sqrt(1 / inputs)"}),
        Wrong("upside-down", {"factor": "np.sqrt(inputs / 2)"}),
        Wrong("upside-down", {"factor": "np.sqrt(inputs)"}),
        Wrong("upside-down", {"factor": "np.sqrt(2 * inputs)"}),
        Wrong("upside-down", {"factor": "inputs"}),
        Wrong("no-root", {"factor": "1 / inputs"}),
        Wrong("both", {"factor": "np.sqrt(2 / (inputs + units))"}),
        Wrong("both", {"factor": "np.sqrt(2 / (inputs * units))"}),
        Wrong("two-outside", {"factor": "2 / np.sqrt(inputs)"}),
        Wrong("half", {"factor": "np.sqrt(0.5 / inputs)"}),
        Wrong("as-it-is", {"factor": "1.0"}),
        Wrong("as-it-is", {"factor": "1 / noise.std()"}),
        Wrong("by-noise", {"factor": "np.sqrt(2) / noise.std()"}),
        Wrong("as-it-is", {"factor": "noise.std()"}),
        Wrong("fixed", {"factor": "0.01"}),
        Wrong("fixed", {"factor": "0.1"}),
        Wrong("fixed", {"factor": "0.25"}),
        Wrong("root-two", {"factor": "np.sqrt(2)"}),
        Wrong("uniform", {"factor": "np.sqrt(6 / inputs)"}),
        Wrong("both", {"factor": "np.sqrt(6 / (inputs + units))"}),
        Wrong("units", {"factor": "np.sqrt(1 / units)"}),
        Wrong("upside-down", {"factor": "np.sqrt(2) * inputs"}),
        Wrong("squared", {"factor": "(2 / inputs) ** 2"}),
        Wrong("upside-down", {"factor": "inputs / 2"}),
        Wrong("units", {"factor": "2 / np.sqrt(units)"}),
    ),
)

clip = Own(
    id="09.clip",
    texts=TEXTS,
    ready=("linalg.global_norm", "clip_by_global_norm", "clip_by_norm"),
    inputs={"a": ("n",), "b": ("n", 3)},
    program="""def clipped(gradients, limit):
    #: norm
    norm = «np.sqrt(sum(np.sum(g * g) for g in gradients))»
    #: factor
    factor = «min(1.0, limit / norm)»
    return [factor * g for g in gradients], norm

#: trial
def trial(a, b):
    (small_a, small_b), norm = clipped([a, b], 0.25)
    (large_a, large_b), _ = clipped([a, b], 1000.0)
    return norm, small_a, small_b, large_a, large_b
""",
    wrong=(
        Wrong("no-root", {"norm": "sum(np.sum(g * g) for g in gradients)"}),
        Wrong("sum-of-norms", {"norm": "sum(np.sqrt(np.sum(g * g)) for g in gradients)"}),
        Wrong("largest-number", {"norm": "max(np.max(np.abs(g)) for g in gradients)"}),
        Wrong("largest-norm", {"norm": "max(np.sqrt(np.sum(g * g)) for g in gradients)"}),
        Wrong("sizes-added", {"norm": "sum(np.sum(np.abs(g)) for g in gradients)"}),
        Wrong("sizes-added", {"norm": "sum(np.sum(g) for g in gradients)"}),
        Wrong("one-array", {"norm": "np.linalg.norm(gradients)"}),
        Wrong("one-array", {"norm": "np.sqrt(np.sum(gradients ** 2))"}),
        Wrong("not-summed", {"norm": "np.sqrt(sum(g ** 2 for g in gradients))"}),
        Wrong("one-each", {"norm": "[np.sqrt(np.sum(g * g)) for g in gradients]"}),
        Wrong("mean", {"norm": "np.sqrt(sum(np.mean(g * g) for g in gradients))"}),
        Wrong("sizes-added", {"norm": "np.sqrt(sum(np.sum(g) for g in gradients))"}),
        Wrong("sizes-added", {"norm": "np.sqrt(sum(np.sum(np.abs(g)) for g in gradients))"}),
        Wrong("root-of-factor", {"factor": "min(1.0, np.sqrt(limit / norm))"}),
        Wrong("one-array", {"norm": "np.sqrt(np.sum(np.square(gradients)))"}),
        Wrong("one-only", {"norm": "np.sqrt(np.sum(gradients[0] * gradients[0]))"}),
        Wrong(
            "mean",
            {"norm": "np.sqrt(np.mean(np.concatenate([g.ravel() for g in gradients]) ** 2))"},
        ),
        Wrong("always", {"factor": "limit / norm"}),
        Wrong("never", {"factor": "1.0"}),
        Wrong("never", {"factor": "max(1.0, limit / norm)"}),
        Wrong("never", {"factor": "min(1.0, norm / limit)"}),
        Wrong("upside-down", {"factor": "norm / limit"}),
        Wrong("only-limit", {"factor": "min(1.0, limit)"}),
        Wrong("only-limit", {"factor": "min(norm, limit)"}),
        Wrong("length-one", {"factor": "1.0 / norm"}),
        Wrong("length-one", {"factor": "1.0 / norm if norm > limit else 1.0"}),
        Wrong("thrown-away", {"factor": "0.0 if norm > limit else 1.0"}),
        Wrong("small-lost", {"factor": "limit / norm if norm > limit else 0.0"}),
        Wrong("sizes-added", {"norm": "np.sqrt(sum(np.sum(g) ** 2 for g in gradients))"}),
        Wrong("what-goes", {"factor": "1 - limit / norm"}),
        Wrong("below", {"factor": "limit / norm if norm > limit else norm"}),
        Wrong("difference", {"factor": "limit - norm if norm > limit else 1.0"}),
        Wrong("difference", {"factor": "norm - limit if norm > limit else 1.0"}),
        Wrong("each", {"[factor * g for g": "[g * min(1.0, limit / np.sqrt(np.sum(g * g))) for g"}),
        Wrong("by-number", {"[factor * g for g": "[np.clip(g, -limit, limit) for g"}),
        Wrong("mean", {"norm": "np.sqrt(np.mean([np.mean(g * g) for g in gradients]))"}),
        Wrong("one-each", {"norm": "np.sqrt(sum(np.sum(g * g, axis=0) for g in gradients))"}),
        Wrong("how-many", {"norm": "len(gradients)"}),
        Wrong("multiplied", {"factor": "limit * norm"}),
        Wrong("ready-made", {"norm": "tf.linalg.global_norm(gradients)"}),
    ),
)


NAN, INF = float("nan"), float("inf")
BAD_ROWS = "~np.isfinite(values).all(axis=1)"
# where each wrong search of this tape ends in another row
FIRST_ROW_BAD = [
    [0.5, 1.0, INF],
    [0.3, INF, 0.2],
    [0.3, INF, 0.9],
    [1.2, 0.4, 0.1],
    [0.2, NAN, 0.1],
    [NAN, 0.2, -INF],
    [NAN, -INF, NAN],
    [NAN, NAN, NAN],
    [0.7, 0.1, 1.4],
    [0.6, 1.1, 0.2],
    [1.0, NAN, 0.3],
]


def after_good_ones(*bad: list[float]) -> Callable[[np.random.Generator], np.ndarray]:
    """Return what draws the values of some cards, a row for each: first finite ones, then `bad`."""

    def drawn(chance: np.random.Generator) -> np.ndarray:
        good = np.round(chance.uniform(-2, 2, (int(chance.integers(1, 4)), 3)), 2)
        return np.vstack([good, *bad])

    return drawn


alarm = Function(
    id="09.alarm",
    texts=TEXTS,
    inputs={
        "a": lambda chance: np.array(FIRST_ROW_BAD),
        "b": after_good_ones([NAN, 0.5, 1.0], [0.1, NAN, 0.4], [0.2, 0.3, -INF]),
        "c": after_good_ones(),
        "d": after_good_ones([0.4, NAN, 0.9]),
    },
    program="""def first_bad(values):
    #: body
    «for place, value in enumerate(values):
        if not np.isfinite(value).all():
            return place
    return -1»

#: trial
def trial(a, b, c, d):
    in_a, in_b, in_c, in_d = first_bad(a), first_bad(b), first_bad(c), first_bad(d)
    return in_a, in_b, in_c, in_d
""",
    wrong=(
        Wrong("only-nan", {"not np.isfinite(value).all()": "np.isnan(value).any()"}),
        Wrong("all-places", {"body": "return np.where(~np.isfinite(values))"}),
        Wrong(
            "past-the-end",
            {
                "body": "k = 0\n    while np.isfinite(values[k]).all():\n        k += 1\n"
                "    return k"
            },
        ),
        Wrong("only-inf", {"not np.isfinite(value).all()": "np.isinf(value).any()"}),
        Wrong("equals-nan", {"not np.isfinite(value).all()": "(value == np.nan).any()"}),
        Wrong("all-bad", {"np.isfinite(value).all()": "np.isfinite(value).any()"}),
        Wrong("one-number", {"np.isfinite(value).all()": "np.isfinite(value)"}),
        Wrong("one-number", {"not np.isfinite(value).all()": "np.isnan(value)"}),
        Wrong("first-good", {"not np.isfinite": "np.isfinite"}),
        Wrong("first-good", {"not np.isfinite(value).all()": "np.isfinite(value).any()"}),
        Wrong("all-bad", {"not np.isfinite(value).all()": "np.isnan(value).all()"}),
        Wrong("one-column", {"np.isfinite(value).all()": "np.isfinite(value[0])"}),
        Wrong("all-places", {"body": f"return np.flatnonzero({BAD_ROWS})"}),
        Wrong("a-mask", {"body": "return np.isfinite(values)"}),
        Wrong("a-mask", {"body": "return ~np.isfinite(values)"}),
        Wrong("true-or-false", {"body": "return np.isfinite(values).all()"}),
        Wrong("true-or-false", {"body": "return not np.isfinite(values).all()"}),
        Wrong("flat", {"body": "return np.flatnonzero(~np.isfinite(values))[0]"}),
        Wrong("healthy-too", {"body": f"return np.argmax({BAD_ROWS})"}),
        Wrong("from-one", {"return place": "return place + 1"}),
        Wrong(
            "in-row",
            {
                "body": "for row in values:\n        for place, number in enumerate(row):\n            if "
                "not np.isfinite(number):\n                return place\n    return -1"
            },
        ),
        Wrong("last", {"enumerate(values)": "reversed(list(enumerate(values)))"}),
        Wrong("how-many", {"body": "return sum(not np.isfinite(v).all() for v in values)"}),
        Wrong("how-many", {"body": f"return np.sum({BAD_ROWS}) or -1"}),
        Wrong("how-many", {"body": "return np.sum(~np.isfinite(values))"}),
        Wrong("how-many", {"body": f"return np.sum({BAD_ROWS}) - 1"}),
        Wrong("the-value", {"return place": "return value"}),
        Wrong("too-soon", {"    return -1": "        return -1"}),
        Wrong("too-soon", {"    return -1": "        else:\n            return -1"}),
        Wrong("healthy-too", {"return -1": "return len(values)"}),
        Wrong("healthy-too", {"return -1": "return 0"}),
        Wrong("healthy-too", {"return -1": "return True"}),
        Wrong("flat", {"body": "return int(np.argmin(np.isfinite(values)))"}),
        Wrong("yes-or-no", {"body": "return -1 if np.isfinite(values).all() else 0"}),
        Wrong(
            "flat",
            {
                "body": "k = 0\n    for value in values:\n        for number in value:\n            if not "
                "np.isfinite(number):\n                return k\n            k += 1\n    return -1"
            },
        ),
        Wrong("equals-nan", {"return place": "print(place)"}),
        Wrong("none-part", {"return -1": "return None"}),
        Wrong("from-one", {"in enumerate(values)": "in list(enumerate(values))[1:]"}),
        Wrong("without-last", {"in enumerate(values)": "in list(enumerate(values))[:-1]"}),
        Wrong(
            "healthy-too",
            {
                "body": "return next(k for k, row in enumerate(values) if not np.isfinite(row).all())"
            },
        ),
    ),
)

line = Line(
    id="09.line",
    texts=TEXTS,
    program="""x = tf.constant([[2.0, 1.0], [-1.0, -3.0], [1.0, 2.0]])          #! finite
t = tf.constant([1.0, 0.5, 2.0])                                 #! finite
w = tf.Variable([[1.0, 0.5, 2.0], [0.5, 1.0, 1.0]])              #! finite

def shares(h):
    total = tf.reduce_sum(h, axis=1, keepdims=True)              #! a-zero
    return h / total                                             #! here

with tf.GradientTape() as tape:
    h = tf.nn.relu(x @ w)                                        #! dead-row
    s = shares(h)                                                #! caller
    spread = tf.sqrt(tf.reduce_sum(s * s, axis=1))               #! passes-on
    surprise = -tf.math.log(spread + 1e-6)                       #! passes-on
    loss = tf.reduce_mean((surprise - t) ** 2)                   #! passes-on

print(float(loss))                                               #! only-printed
g = tape.gradient(loss, w)                                       #! symptom
""",
)
