"""The exercise of the first lesson: play a tape backwards by hand."""

from __future__ import annotations

from minitape.exercises import Catalogue, Function, Wrong

TEXTS = Catalogue(__name__)

fan_out = Function(
    id="00.fan-out", texts=TEXTS, inputs={"x": ()}, program='''def play_backwards(x):
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
''',
    wrong=(Wrong("overwritten", {"adjoint_x": "adjoint_b * 3"}),
           Wrong("first-only", {"adjoint_x": "adjoint_a * x + adjoint_a * x"}),
           Wrong("both-inputs", {"adjoint_x": "adjoint_a * x + adjoint_b * 3"}),
           Wrong("upstream", {"adjoint_x": "2 * x + 3"}),
           Wrong("both-inputs", {"adjoint_c": "adjoint_y * c"}),
           Wrong("local-derivative", {"adjoint_c": "adjoint_y"}),
           Wrong("upstream", {"adjoint_a": "1.0", "adjoint_b": "1.0"}),
           Wrong("a-sum-copies", {"adjoint_a": "adjoint_c * x"}),
           Wrong("at.adjoint_x", {"adjoint_x": "adjoint_a * 17 + x"}),
           Wrong("at.adjoint_c", {"adjoint_c": "c + 1"})))
