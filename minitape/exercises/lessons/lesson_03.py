"""The exercises of lesson 03: playing a tape backwards, and why parts are added."""

from __future__ import annotations

from typing import Any

import numpy as np

from minitape.exercises import Catalogue, Function, Order, Prediction, Repair, Rule, Wrong

TEXTS = Catalogue(__name__)

DIAMOND = """x = tf.Variable({x})

with tf.GradientTape() as tape:
    p = {k} * x
    q = tf.square(p)
    r = {m} * p
    y = q + r
"""
DRAWN = {"x": (1.0, 2.0, 3.0), "k": (2.0, 3.0, 4.0), "m": (4.0, 6.0, 7.0, 9.0)}

cards = Prediction(
    id="03.cards",
    texts=TEXTS,
    numbers={"n": (5, 6, 7, 8, 9)},
    right="k + 3.0",
    program="""x = tf.Variable(2.0)

with tf.GradientTape() as tape:
    y = 5.0 * x
    for k in range({n}):
        y = y * x
    y = y + 1.0
""",
    wrong=(
        Wrong("lines", "3.0"),
        Wrong("rounds", "k + 1.0"),
        Wrong("loop-card", "4.0"),
        Wrong("loop-card", "k + 4.0"),
        Wrong("names", "2 * k + 4.0"),
        Wrong("outside", "2.0"),
        Wrong("tape", "1.0"),
        Wrong("from-zero", "k + 2.0"),
    ),
)

fan = Prediction(
    id="03.fan",
    texts=TEXTS,
    numbers=DRAWN,
    right="2 * p + r / p",
    program=DIAMOND,
    wrong=(
        Wrong("first-only", "2 * p"),
        Wrong("last-only", "r / p"),
        Wrong("multiplied", "2 * r"),
        Wrong("value", "p"),
        Wrong("value", "q"),
        Wrong("value", "r"),
        Wrong("value", "y"),
        Wrong("value-part", "q + r / p"),
        Wrong("value-part", "2 * p + r"),
        Wrong("no-place", "2 + r / p"),
        Wrong("at-x", "2 * x + r / p"),
        Wrong("averaged", "p + r / p / 2"),
        Wrong("subtracted", "2 * p - r / p"),
        Wrong("m-once", "2 * p + 2 * r / p"),
        Wrong("squared", "4 * q + r / p"),
        Wrong("value-part", "2 * q"),
        Wrong("value-part", "2 * q + r / p"),
        Wrong("too-far", "(2 * p + r / p) * (p / x)"),
        Wrong("square", "p + r / p"),
    ),
)

early = Prediction(
    id="03.early",
    texts=TEXTS,
    numbers=DRAWN,
    right="2 * p * (p / x)",
    program=DIAMOND,
    wrong=(
        Wrong("in-order", "(2 * p + r / p) * (p / x)"),
        Wrong("other-part", "r / x"),
        Wrong("other-part", "r / p"),
        Wrong("late-at-x", "2 * p * (p / x) + r / p"),
        Wrong("only-a", "2 * p"),
        Wrong("complete", "2 * p + r / p"),
        Wrong("multiplied", "2 * p * (p / x) * (r / p)"),
        Wrong("value-part", "q * (p / x)"),
        Wrong("value-part", "q"),
        Wrong("value-part", "y"),
        Wrong("half-late", "2 * p + r / x"),
        Wrong("nothing", "0"),
        Wrong("last-card", "p / x"),
        Wrong("value-part", "y * (p / x)"),
        Wrong("value-part", "p"),
        Wrong("twice", "4 * p"),
        Wrong("added", "2 * p + p / x"),
    ),
)

seed = Prediction(
    id="03.seed",
    texts=TEXTS,
    numbers={"x": (1.0, 2.0, 3.0, 5.0), "k": (3.0, 4.0, 5.0), "seed": (4.0, 10.0)},
    right="slope",
    program="""seed = {seed}
x = tf.Variable({x})

with tf.GradientTape() as tape:
    y = x * x + {k} * x

slope = tape.gradient(y, x, output_gradients=tf.constant(seed))
""",
    wrong=(
        Wrong("one", "slope / seed"),
        Wrong("added", "slope / seed + seed"),
        Wrong("divided", "slope / seed / seed"),
        Wrong("one-side", "slope - seed * x"),
        Wrong("one-part", "slope - (seed - 1) * 2 * x"),
        Wrong("one-part", "slope - (seed - 1) * (slope / seed - 2 * x)"),
        Wrong("each-card", "slope * seed"),
        Wrong("value", "y"),
        Wrong("value", "y * seed"),
        Wrong("itself", "seed"),
        Wrong("one-part", "seed * 2 * x"),
        Wrong("added", "slope + seed"),
    ),
)

hidden = Prediction(
    id="03.hidden",
    texts=TEXTS,
    right='"B"',
    program="""def A(x):
    p = 3 * x
    return p * p

def B(x):
    p = 3 * x
    return tf.sin(p)

def C(x):
    p = 3 * x
    return p + 5 * x
""",
    wrong=(Wrong("square", '"A"'), Wrong("sum", '"C"')),
)

blanks = Function(
    id="03.blanks",
    texts=TEXTS,
    inputs={"x": ()},
    program="""def play_backwards(x):
    #: forwards
    p = x * x
    q = 4 * p
    r = p + 3
    y = q * r

    #: backwards
    adjoint_y = 1.0
    adjoint_q = adjoint_y * r
    adjoint_r = «adjoint_y * q»
    adjoint_p = «adjoint_q * 4 + adjoint_r»
    adjoint_x = «adjoint_p * 2 * x»
    return adjoint_r, adjoint_p, adjoint_x
""",
    wrong=(
        Wrong("same-factor", {"adjoint_r": "adjoint_y * r"}),
        Wrong("slope-of-one", {"adjoint_r": "adjoint_y"}),
        Wrong("added", {"adjoint_r": "adjoint_y + q"}),
        Wrong("y-again", {"adjoint_r": "y"}),
        Wrong("value", {"adjoint_r": "p"}),
        Wrong("slope-of-q", {"adjoint_r": "adjoint_y * 4"}),
        Wrong("at.adjoint_r", {"adjoint_r": "adjoint_q * r"}),
        Wrong("overwritten", {"adjoint_p": "adjoint_r"}),
        Wrong("first-only", {"adjoint_p": "adjoint_q * 4"}),
        Wrong("multiplied", {"adjoint_p": "adjoint_q * 4 * adjoint_r"}),
        Wrong("multiplied", {"adjoint_p": "adjoint_q * adjoint_r"}),
        Wrong("upstream", {"adjoint_p": "4 + 1"}),
        Wrong("upstream", {"adjoint_p": "adjoint_q * 4 + 1"}),
        Wrong("upstream", {"adjoint_p": "4"}),
        Wrong("upstream", {"adjoint_p": "4 + adjoint_r"}),
        Wrong("averaged", {"adjoint_p": "(adjoint_q * 4 + adjoint_r) / 2"}),
        Wrong("p-too", {"adjoint_p": "adjoint_q * p + adjoint_r"}),
        Wrong("p-too", {"adjoint_p": "adjoint_q * 4 + adjoint_r * p"}),
        Wrong("p-too", {"adjoint_p": "adjoint_q * 4 * p + adjoint_r"}),
        Wrong("p-too", {"adjoint_p": "adjoint_q * 4 * p + adjoint_r * p"}),
        Wrong("p-too", {"adjoint_p": "adjoint_q * q + adjoint_r * r"}),
        Wrong("a-sum-copies", {"adjoint_p": "adjoint_q * 4 + adjoint_r + 3"}),
        Wrong("a-sum-copies", {"adjoint_p": "adjoint_q * 4 + 3"}),
        Wrong("value", {"adjoint_p": "4 * p + 3"}),
        Wrong("no-local", {"adjoint_p": "adjoint_q"}),
        Wrong("exchanged", {"adjoint_p": "adjoint_r * 4 + adjoint_q"}),
        Wrong("subtracted", {"adjoint_p": "adjoint_q * 4 - adjoint_r"}),
        Wrong("upstream", {"adjoint_p": "adjoint_q + 4 + adjoint_r + 3"}),
        Wrong("at.adjoint_p", {"adjoint_p": "adjoint_y"}),
        Wrong("a-sum-copies", {"adjoint_p": "adjoint_q * 4 + adjoint_r * 3"}),
        Wrong("no-local", {"adjoint_p": "adjoint_q + adjoint_r"}),
        Wrong("both-inputs", {"adjoint_x": "adjoint_p * x"}),
        Wrong("upstream", {"adjoint_x": "2 * x"}),
        Wrong("passed-on", {"adjoint_x": "adjoint_p"}),
        Wrong("other-adjoint", {"adjoint_x": "(adjoint_q + adjoint_r) * 2 * x"}),
        Wrong("squared", {"adjoint_x": "adjoint_p * 2 * x * x"}),
        Wrong("squared", {"adjoint_x": "adjoint_p ** 2 * x"}),
        Wrong("sum-of-factors", {"adjoint_x": "2 * adjoint_p + 2 * x"}),
        Wrong("no-place", {"adjoint_x": "adjoint_p * 2"}),
        Wrong("sum-of-factors", {"adjoint_x": "adjoint_p + 2 * x"}),
        Wrong("sum-of-factors", {"adjoint_x": "adjoint_p + x"}),
        Wrong("squared", {"adjoint_x": "adjoint_p * x * x"}),
        Wrong("squared", {"adjoint_x": "adjoint_p * x * adjoint_p * x"}),
        Wrong("other-adjoint", {"adjoint_x": "adjoint_r * 2 * x"}),
        Wrong("other-adjoint", {"adjoint_x": "adjoint_q * 2 * x"}),
        Wrong("value", {"adjoint_x": "x"}),
        Wrong("value", {"adjoint_x": "y"}),
        Wrong("at.adjoint_x", {"adjoint_x": "adjoint_p * 2 * x + 3"}),
        Wrong("own-slopes", {"adjoint_p": "(adjoint_q + adjoint_r) * 4"}),
        Wrong("added", {"adjoint_r": "adjoint_y + r"}),
        Wrong("other-adjoint", {"adjoint_x": "adjoint_r * x + adjoint_q * x"}),
    ),
)

order = Order(
    id="03.order",
    texts=TEXTS,
    program="""x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    a = x * 3.0
    b = tf.sin(a)
    c = a * b
    d = tf.exp(b)
    y = c + d
slope = tape.gradient(y, x)
""",
    wrong=(
        Wrong(
            "as-recorded",
            ("a = x * 3.0", "b = tf.sin(a)", "c = a * b", "d = tf.exp(b)", "y = c + d"),
        ),
        Wrong(
            "one-way", ("y = c + d", "d = tf.exp(b)", "b = tf.sin(a)", "a = x * 3.0", "c = a * b")
        ),
        Wrong(
            "one-way", ("y = c + d", "c = a * b", "a = x * 3.0", "b = tf.sin(a)", "d = tf.exp(b)")
        ),
        Wrong(
            "one-way", ("y = c + d", "c = a * b", "b = tf.sin(a)", "a = x * 3.0", "d = tf.exp(b)")
        ),
    ),
)

sin = Rule(
    id="03.sin",
    texts=TEXTS,
    inputs={"x": ()},
    operation="def f(x):\n    return tf.sin(x)\n",
    program="""def sin_rule(g, y, x):
    #: which
    return «g * np.cos(x)»
""",
    wrong=(
        Wrong("upstream", {"return": "np.cos(x)"}),
        Wrong("minus", {"return": "-np.cos(x)"}),
        Wrong("at-y", {"return": "np.cos(y)"}),
        Wrong("the-value", {"return": "g * np.sin(y)"}),
        Wrong("the-value", {"return": "g + np.sin(x)"}),
        Wrong("both", {"return": "g * np.cos(x) + g * np.sin(x)"}),
        Wrong("both", {"return": "g * (np.cos(x) - np.sin(x))"}),
        Wrong("no-slope", {"return": "g * x * y"}),
        Wrong("the-value", {"return": "g * y"}),
        Wrong("the-value", {"return": "y"}),
        Wrong("minus", {"return": "-g * np.cos(x)"}),
        Wrong("slope-of-cos", {"return": "-g * np.sin(x)"}),
        Wrong("at-y", {"return": "g * np.cos(y)"}),
        Wrong("at-g", {"return": "g * np.cos(g)"}),
        Wrong("at-g", {"return": "np.cos(g)"}),
        Wrong("at-g", {"return": "x * np.cos(g)"}),
        Wrong("at-g", {"return": "np.sin(g)"}),
        Wrong("the-input", {"return": "x * np.cos(x)"}),
        Wrong("the-input", {"return": "y * np.cos(x)"}),
        Wrong("one-too-many", {"return": "g * np.cos(x) * x"}),
        Wrong("one-too-many", {"return": "g * np.cos(x) * y"}),
        Wrong("inner", {"return": "np.cos(g * x)"}),
        Wrong("inner", {"return": "g * np.cos(g * x)"}),
        Wrong("added", {"return": "g + np.cos(x)"}),
        Wrong("added", {"return": "g - np.cos(x)"}),
        Wrong("divided", {"return": "g / np.cos(x)"}),
        Wrong("divided", {"return": "np.cos(x) / g"}),
        Wrong("passed-on", {"return": "g"}),
        Wrong("no-slope", {"return": "g * x"}),
        Wrong("lost-sign", {"return": "g * np.sqrt(1 - y ** 2)"}),
        Wrong("other-rule", {"return": "g * (1 - y ** 2)"}),
        Wrong("np", {"return": "g * cos(x)"}),
        Wrong("uncalled", {"return": "g * np.cos"}),
    ),
)

CARDS = [
    ("p", [("x", 3)]),
    ("q", [("p", 6), ("p", 6)]),
    ("r", [("p", 5)]),
    ("y", [("q", 1), ("r", 1)]),
]


def diamond(numbers: np.random.Generator) -> list[Any]:
    """Return a tape like the one that is shown, with other slopes on its cards."""
    slope = iter(map(int, numbers.permutation(np.arange(2, 9))))
    return [(output, [(name, next(slope)) for name, _ in inputs]) for output, inputs in CARDS]


bug = Repair(
    id="03.bug",
    texts=TEXTS,
    inputs={"cards": diamond},
    shown={"cards": CARDS},
    by_hand=True,
    program="""#: cards
cards = [("p", [("x", 3)]),
         ("q", [("p", 6), ("p", 6)]),
         ("r", [("p", 5)]),
         ("y", [("q", 1), ("r", 1)])]

def adjoints(cards):
    grad = {"y": 1.0}
    for output, inputs in reversed(cards):
        for name, local in inputs:
            g = grad[output] * local
            grad[name] = «grad.get(name, 0) + g <- g»
    return grad["p"], grad["x"]
""",
    wrong=(
        Wrong("counted-from-one", {"grad.get(name, 0)": "grad.get(name, 1)"}),
        Wrong("multiplied", {"grad.get(name, 0) + g": "grad.get(name, 1) * g"}),
        Wrong("output", {"grad.get(name, 0) + g": "grad[output] + g"}),
        Wrong("nowhere", {"grad[name] = grad.get(name, 0) + g": "grad[output] += g"}),
        Wrong("no-local", {"grad.get(name, 0) + g": "grad.get(name, 0) + grad[output]"}),
        Wrong("no-local", {"grad.get(name, 0) + g": "grad[output]"}),
        Wrong("forwards", {"reversed(cards)": "cards"}),
        Wrong("none-arrives", {"reversed(cards)": "cards", "grad[output]": "grad.get(output, 0)"}),
        Wrong("still-lost", {"grad[name] = grad.get(name, 0) + g": "grad.update({name: g})"}),
        Wrong("slope-added", {"grad.get(name, 0) + g": "g", "* local": "+ local"}),
        Wrong("slope-too", {"* local": "+ local"}),
        Wrong("averaged", {"grad.get(name, 0) + g": "(grad.get(name, 0) + g) / 2"}),
        Wrong("counted-from-one", {"grad.get(name, 0)": "grad.get(name, g)"}),
        Wrong("subtracted", {"grad.get(name, 0) + g": "grad.get(name, 0) - g"}),
        Wrong("first-kept", {"grad.get(name, 0) + g": "grad.get(name, g)"}),
        Wrong("upstream", {"grad.get(name, 0) + g": "grad.get(name, 0) + local"}),
        Wrong("nothing-yet", {"grad[name] = grad.get(name, 0) + g": "grad[name] += g"}),
        Wrong("nothing-yet", {"grad.get(name, 0) + g": "grad.get(name) + g"}),
        Wrong("doubled", {"grad.get(name, 0) + g": "2 * g"}),
        Wrong("shown-only", {'return grad["p"], grad["x"]': "return 17.0, 51.0"}),
    ),
)
