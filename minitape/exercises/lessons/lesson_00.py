"""The exercises of the first lesson: what a slope promises, and two tapes to play backwards by
hand.
"""

from __future__ import annotations

from minitape.exercises import Catalogue, Function, Prediction, Wrong

TEXTS = Catalogue(__name__)

nudge = Prediction(
    id="00.nudge",
    texts=TEXTS,
    right="round(adjoint_x * nudge, 6)",
    program="adjoint_x = {adjoint}\nnudge = {nudge}\n",
    numbers={"adjoint": (12.0, 15.0, 21.0, -14.0, -30.0), "nudge": (0.1, 0.2)},
    wrong=(
        Wrong("adjoint-alone", "adjoint_x"),
        Wrong("nudge-alone", "nudge"),
        Wrong("sign", "-adjoint_x * nudge"),
        Wrong("divided", "adjoint_x / nudge"),
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
        Wrong("wrong-factor", {"adjoint_x": "adjoint_a * a"}),
        Wrong("added", {"adjoint_x": "adjoint_a + 3"}),
        Wrong("used-once", {"adjoint_x": "adjoint_a * 3 + adjoint_a * 3"}),
        Wrong("at.adjoint_x", {"adjoint_x": "adjoint_a * 3 + adjoint_a * x"}),
        Wrong("upstream", {"adjoint_x": "adjoint_y * 3"}),
        Wrong("half", {"adjoint_x": "adjoint_y * a * 3"}),
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
        Wrong("a-sum-copies", {"adjoint_b": "adjoint_c * 3"}),
        Wrong("at.adjoint_a", {"adjoint_a": "adjoint_c * b"}),
        Wrong("at.adjoint_b", {"adjoint_b": "adjoint_c * a"}),
        Wrong("at.adjoint_x", {"adjoint_x": "adjoint_a * 17 + x"}),
        Wrong("at.adjoint_c", {"adjoint_c": "c + 1"}),
    ),
)
