"""The exercises of lesson 03: playing a tape backwards, and why parts are added."""

from __future__ import annotations

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
    ),
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
        Wrong("overwritten", {"adjoint_p": "adjoint_r"}),
        Wrong("first-only", {"adjoint_p": "adjoint_q * 4"}),
        Wrong("multiplied", {"adjoint_p": "adjoint_q * 4 * adjoint_r"}),
        Wrong("upstream", {"adjoint_p": "4 + 1"}),
        Wrong("a-sum-copies", {"adjoint_p": "adjoint_q * 4 + adjoint_r * 3"}),
        Wrong("no-local", {"adjoint_p": "adjoint_q + adjoint_r"}),
        Wrong("both-inputs", {"adjoint_x": "adjoint_p * x"}),
        Wrong("upstream", {"adjoint_x": "2 * x"}),
        Wrong("at.adjoint_x", {"adjoint_x": "adjoint_p"}),
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
    inputs={"x": ("n",)},
    operation="def f(x):\n    return tf.sin(x)\n",
    program="""def sin_rule(g, y, x):
    #: which
    return «g * np.cos(x)»
""",
    wrong=(
        Wrong("upstream", {"return": "np.cos(x)"}),
        Wrong("the-value", {"return": "g * y"}),
        Wrong("minus", {"return": "-g * np.cos(x)"}),
        Wrong("slope-of-cos", {"return": "-g * np.sin(x)"}),
        Wrong("at-y", {"return": "g * np.cos(y)"}),
        Wrong("at-g", {"return": "g * np.cos(g)"}),
        Wrong("at-g", {"return": "np.cos(g)"}),
        Wrong("the-input", {"return": "x * np.cos(x)"}),
        Wrong("inner", {"return": "np.cos(g * x)"}),
        Wrong("added", {"return": "g + np.cos(x)"}),
        Wrong("summed", {"return": "np.sum(g * np.cos(x))"}),
    ),
)

bug = Repair(
    id="03.bug",
    texts=TEXTS,
    inputs={"x": ()},
    by_hand=True,
    program="""def slope_of(x):
    p = 3 * x
    q = p * p
    r = 5 * p
    y = q + r

    #: cards
    cards = [("p", [("x", 3)]),
             ("q", [("p", p), ("p", p)]),
             ("r", [("p", 5)]),
             ("y", [("q", 1), ("r", 1)])]

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
        Wrong("first-kept", {"grad.get(name, 0) + g": "grad.get(name, g)"}),
        Wrong("upstream", {"grad.get(name, 0) + g": "grad.get(name, 0) + local"}),
        Wrong("nothing-yet", {"grad[name] = grad.get(name, 0) + g": "grad[name] += g"}),
        Wrong("nothing-yet", {"grad.get(name, 0) + g": "grad.get(name) + g"}),
        Wrong("doubled", {"grad.get(name, 0) + g": "2 * g"}),
        Wrong("shown-only", {'return grad["p"], grad["x"]': "return 17.0, 51.0"}),
    ),
)
