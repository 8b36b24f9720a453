"""The exercises of the first lesson: what a slope promises, and two tapes to play backwards by
hand.
"""

from __future__ import annotations

from minitape.exercises import Catalogue, Function, Prediction, Wrong

TEXTS = Catalogue(__name__)

first = Prediction(
    id="00.first",
    texts=TEXTS,
    numbers={"x": (4.0, 5.0, 6.0, 10.0)},
    right="round(f(x + 0.1) - f(x), 6)",
    program="""def f(x):
    return x * x + 3 * x

x = {x}
""",
    wrong=(
        Wrong("as-x", "0.1"),
        Wrong("new-value", "f(x + 0.1)"),
        Wrong("old-value", "f(x)"),
        Wrong("one-term", "0.3"),
        Wrong("one-term", "2 * x * 0.1"),
        Wrong("one-term", "(x + 0.1) ** 2 - x * x"),
        Wrong("as-slope", "(x + 3) * 0.1"),
        Wrong("ratio", "f(x + 0.1) / f(x)"),
        Wrong("tenth", "f(x) * 0.1"),
        Wrong("sum", "f(x + 0.1) + f(x)"),
        Wrong("f-of-step", "f(0.1)"),
        Wrong("the-slope", "2 * x + 3"),
        Wrong("for-one", "f(x + 1) - f(x)"),
        Wrong("the-slope", "(f(x + 0.1) - f(x)) / 0.1"),
        Wrong("backwards", "f(x) - f(x + 0.1)"),
    ),
)

cards = Prediction(
    id="00.cards",
    texts=TEXTS,
    numbers={"k": (3, 5, 7), "m": (2, 4, 6)},
    right="len(tape.recording.entries) - 1",  # without the reading of the variable
    program="""x = tf.Variable(2.0)

with tf.GradientTape() as tape:
    y = x * x + {k} * x + {m}
""",
    wrong=(
        Wrong("line", "1"),
        Wrong("kinds", "2"),
        Wrong("terms", "3"),
        Wrong("names", "5"),
        Wrong("names", "6"),
    ),
)

nudge = Prediction(
    id="00.nudge",
    texts=TEXTS,
    right="round(adjoint_x * nudge, 6)",
    program="adjoint_x = {adjoint}\nnudge = {nudge}\n",
    numbers={"adjoint": (3.0, 4.0, 6.0, -3.0, -5.0), "nudge": (0.2, 0.3, 0.4)},
    wrong=(
        Wrong("adjoint-alone", "adjoint_x"),
        Wrong("nudge-alone", "nudge"),
        Wrong("sign", "-adjoint_x * nudge"),
        Wrong("divided", "adjoint_x / nudge"),
        Wrong("divided", "nudge / adjoint_x"),
        Wrong("added", "adjoint_x + nudge"),
        Wrong("added", "adjoint_x - nudge"),
        Wrong("added", "adjoint_x + adjoint_x * nudge"),
        Wrong("point", "adjoint_x * nudge * 10"),
        Wrong("point", "adjoint_x * nudge / 10"),
        Wrong("added", "adjoint_x * nudge + nudge"),
        Wrong("added", "adjoint_x - adjoint_x * nudge"),
    ),
)

chain = Function(
    id="00.chain",
    texts=TEXTS,
    inputs={"x": ()},
    program="""def play_chain_backwards(x):
    #: forwards
    a = 3 * x
    y = a * a

    #: backwards
    adjoint_y = 1.0
    adjoint_a = adjoint_y * a + adjoint_y * a
    adjoint_x = «adjoint_a * 3»
    return adjoint_x
""",
    wrong=(
        Wrong("upstream", {"adjoint_x": "3"}),
        Wrong("local-derivative", {"adjoint_x": "adjoint_a"}),
        Wrong("wrong-factor", {"adjoint_x": "adjoint_a * x"}),
        Wrong("whole", {"adjoint_x": "adjoint_a * a"}),
        Wrong("added", {"adjoint_x": "adjoint_a + 3"}),
        Wrong("used-once", {"adjoint_x": "adjoint_a * 3 + adjoint_a * 3"}),
        Wrong("for-three", {"adjoint_x": "adjoint_a * 3 + adjoint_a * x"}),
        Wrong("at.adjoint_x", {"adjoint_x": "adjoint_a * 3 + y"}),
        Wrong("upstream", {"adjoint_x": "adjoint_y * 3"}),
        Wrong("value", {"adjoint_x": "a * 3"}),
        Wrong("value", {"adjoint_x": "a"}),
        Wrong("value", {"adjoint_x": "x"}),
        Wrong("value", {"adjoint_x": "y * 3"}),
        Wrong("wrong-factor", {"adjoint_x": "adjoint_a * y"}),
        Wrong("divided", {"adjoint_x": "adjoint_a / 3"}),
        Wrong("added", {"adjoint_x": "adjoint_a + x"}),
        Wrong("a-use-more", {"adjoint_x": "adjoint_a * 2"}),
    ),
)

fan_out = Function(
    id="00.fan-out",
    texts=TEXTS,
    inputs={"x": ()},
    program="""def play_backwards(x):
    #: forwards
    a = x * x
    b = 3 * x
    c = a + b
    y = c * c

    #: backwards
    adjoint_y = 1.0
    adjoint_c = «adjoint_y * c + adjoint_y * c»
    adjoint_a = «adjoint_c»
    adjoint_b = «adjoint_c»
    adjoint_x = «adjoint_a * x + adjoint_a * x + adjoint_b * 3»
    return adjoint_c, adjoint_a, adjoint_b, adjoint_x
""",
    wrong=(
        Wrong("overwritten", {"adjoint_x": "adjoint_b * 3"}),
        Wrong("first-only", {"adjoint_x": "adjoint_a * x + adjoint_a * x"}),
        Wrong("both-inputs", {"adjoint_x": "adjoint_a * x + adjoint_b * 3"}),
        Wrong("upstream", {"adjoint_x": "2 * x + 3"}),
        Wrong("both-inputs", {"adjoint_c": "adjoint_y * c"}),
        Wrong("local-derivative", {"adjoint_c": "adjoint_y"}),
        Wrong("upstream", {"adjoint_a": "1.0", "adjoint_b": "1.0"}),
        Wrong("upstream", {"adjoint_b": "1.0"}),
        Wrong("a-sum-copies", {"adjoint_a": "adjoint_c * x"}),
        Wrong("a-sum-copies", {"adjoint_a": "adjoint_c / 2", "adjoint_b": "adjoint_c / 2"}),
        Wrong("a-sum-copies", {"adjoint_b": "adjoint_c / 2"}),
        Wrong("a-sum-copies", {"adjoint_a": "adjoint_c * a"}),
        Wrong("a-sum-copies", {"adjoint_a": "adjoint_c * b"}),
        Wrong("a-sum-copies", {"adjoint_a": "adjoint_c + 1"}),
        Wrong("a-sum-copies", {"adjoint_a": "2 * adjoint_c"}),
        Wrong("a-sum-copies", {"adjoint_b": "adjoint_c * a"}),
        Wrong("a-sum-copies", {"adjoint_b": "adjoint_c * b"}),
        Wrong("a-sum-copies", {"adjoint_b": "adjoint_c * adjoint_a"}),
        Wrong("a-sum-copies", {"adjoint_b": "0 * adjoint_c"}),
        Wrong("too-far", {"adjoint_a": "adjoint_c * 2 * x"}),
        Wrong("too-far", {"adjoint_a": "2 * x"}),
        Wrong("too-far", {"adjoint_b": "adjoint_c * 3"}),
        Wrong("too-far", {"adjoint_b": "3"}),
        Wrong("value", {"adjoint_c": "y"}),
        Wrong("counted", {"adjoint_c": "2"}),
        Wrong("twice-over", {"adjoint_c": "4 * c"}),
        Wrong("no-local", {"adjoint_x": "adjoint_a + adjoint_b"}),
        Wrong("no-local", {"adjoint_x": "adjoint_a * 2 * x + adjoint_b"}),
        Wrong("multiplied", {"adjoint_x": "adjoint_a * 2 * x * adjoint_b * 3"}),
        Wrong("multiplied", {"adjoint_x": "adjoint_a * x * adjoint_b * 3"}),
        Wrong("multiplied", {"adjoint_x": "(adjoint_a + adjoint_b) * (2 * x * 3)"}),
        Wrong("squared", {"adjoint_x": "adjoint_a * x * x + adjoint_b * 3"}),
        Wrong("squared", {"adjoint_x": "adjoint_a * x * adjoint_a * x + adjoint_b * 3"}),
        Wrong("values", {"adjoint_x": "adjoint_a * a + adjoint_b * b"}),
        Wrong("averaged", {"adjoint_x": "(adjoint_a * 2 * x + adjoint_b * 3) / 2"}),
        Wrong("averaged", {"adjoint_x": "(adjoint_a * 2 * x + adjoint_b * 3) / 3"}),
        Wrong("wrong-factor", {"adjoint_x": "adjoint_a * 2 * x + adjoint_b * 3 * x"}),
        Wrong("no-place", {"adjoint_x": "adjoint_a * 2 + adjoint_b * 3"}),
        Wrong("subtracted", {"adjoint_x": "adjoint_a * 2 * x - adjoint_b * 3"}),
        Wrong("multiplied", {"adjoint_x": "adjoint_c * (2 * x) * 3"}),
        Wrong("multiplied", {"adjoint_x": "adjoint_a * x + adjoint_a * x * adjoint_b * 3"}),
        Wrong("three-of-one", {"adjoint_x": "3 * adjoint_a * x"}),
        Wrong("no-slope", {"adjoint_x": "2 * (adjoint_a + adjoint_b)"}),
        Wrong("way-more", {"adjoint_x": "adjoint_a * 2 * x + adjoint_b * 3 + adjoint_c"}),
        Wrong("one-upstream", {"adjoint_x": "adjoint_a * 2 * x + 3"}),
        Wrong("one-upstream", {"adjoint_x": "2 * x + adjoint_b * 3"}),
        Wrong("at.adjoint_a", {"adjoint_a": "adjoint_c + x"}),
        Wrong("at.adjoint_b", {"adjoint_b": "adjoint_c + x"}),
        Wrong("at.adjoint_x", {"adjoint_x": "adjoint_a * 17 + x"}),
        Wrong("at.adjoint_x", {"adjoint_x": "adjoint_a * x"}),
        Wrong("at.adjoint_c", {"adjoint_c": "c + 1"}),
    ),
)

garden = Prediction(
    id="00.garden",
    texts=TEXTS,
    numbers={"side": (6.0, 7.0, 10.0), "lawn": (3.0, 5.0), "hedge": (8.0, 11.0)},
    right="per_square_metre * 2 * side + per_metre * 4",
    program="""per_square_metre, per_metre = {lawn}, {hedge}

def cost_of(side):
    lawn = side * side
    hedge = 4 * side
    return per_square_metre * lawn + per_metre * hedge

side = {side}
cost = cost_of(side)
""",
    wrong=(
        Wrong("lawn-only", "per_square_metre * 2 * side"),
        Wrong("hedge-only", "per_metre * 4.0"),
        Wrong("one-side", "per_square_metre * side + per_metre * 4"),
        Wrong("upstream", "2 * side + 4"),
        Wrong("no-four", "per_square_metre * 2 * side + per_metre"),
        Wrong("no-place", "per_square_metre * 2 + per_metre * 4"),
        Wrong("prices", "per_square_metre + per_metre"),
        Wrong("multiplied", "per_square_metre * 2 * side * per_metre * 4"),
        Wrong("whole-metre", "cost_of(side + 1) - cost"),
        Wrong("value", "cost"),
        Wrong("value", "per_square_metre * side * side + per_metre * 4"),
        Wrong("value", "per_square_metre * 2 * side + per_metre * 4 * side"),
        Wrong("upstream", "per_square_metre * 2 * side + 4"),
        Wrong("lawn-only", "per_square_metre * side"),
        Wrong("subtracted", "per_square_metre * 2 * side - per_metre * 4"),
        Wrong("added", "per_square_metre + 2 * side + per_metre"),
        Wrong("added", "per_square_metre + 2 * side + per_metre + 4"),
    ),
)
