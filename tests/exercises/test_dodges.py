"""Right numbers without what the exercise is about are told so; another right way is not."""

import pytest

from minitape.exercises import Engine, Function, Repair, Rule, all_ids, exercise
from tests.exercises.answers import tried


def answered(name, edits):
    asked = exercise(name)
    return tried(asked, asked.prelude + "\n" + asked._program.edited(edits))


# a slope by hand of each exercise that asks for some, found by two values near each other
DIFFERENCES = {
    "00.chain": {"adjoint_x": "(9 * (x + {h}) ** 2 - 9 * (x - {h}) ** 2) / (2 * {h})"},
    "00.fan-out": {
        "adjoint_x": "(lambda f: (f(x + {h}) - f(x - {h})) / (2 * {h}))(lambda x: (x * x + 3 * x) ** 2)"
    },
    "01.balloon": {
        "body": "v = lambda t: 4 * (2 + 0.5 * t) ** 3\n    return (v(t + {h}) - v(t - {h})) / (2 * {h})"
    },
    "03.blanks": {
        "adjoint_x": "(lambda f: (f(x + {h}) - f(x - {h})) / (2 * {h}))(lambda x: 4 * x * x * (x * x + 3))"
    },
    "08.back": {
        "db2": "np.array([np.sum((y + e - t) ** 2 - (y - t) ** 2) for e in {h} * np.eye(len(b2))]) / {h}"
    },
    "11.pairs": {"slope_2": "(np.sin(p[0] + {h} * p[1]) - np.sin(p[0] - {h} * p[1])) / (2 * {h})"},
    "14.numbers": {"x": "(g * (np.sin(x + {h}) - np.sin(x - {h})) / (2 * {h}),)"},
    "14.arrays": {
        "(g * np.ones_like(x) / x.size,)": "(g * np.array([np.mean(x.ravel() + e) - y for e in {h} * np.eye(x.size)]).reshape(x.shape) / {h},)"
    },
    "15.back": {
        "(d_t1 * x).sum()": "(lambda f: (f(w + {h}) - f(w - {h})) / (2 * {h}))(lambda w: np.sum(x * w + t / np.exp(x * w)))"
    },
}
# these ask for no slope, or one that is made of operations that a tape records
SLOPELESS = {"07.stop", "09.alarm", "09.clip", "09.spread"}
SLOPELESS |= {"14.list", "14.run", "14.net", "14.nesting"}


def asked_by_hand():
    """Yield the exercises whose answer is a function that is no tape's."""
    for found in map(exercise, all_ids()):
        by_hand = isinstance(found, Function) and found.by_hand and not isinstance(found, Repair)
        if by_hand or isinstance(found, Engine):
            yield found


def test_every_slope_by_hand_is_tried_or_asks_for_trying():
    others = {e.id for e in asked_by_hand() if not isinstance(e, Rule)}
    trying = {"01.errors", "01.difference"}
    assert {e.id for e in asked_by_hand() if getattr(e, "by_trying", False)} == trying
    assert others == {*DIFFERENCES, *SLOPELESS, *trying}


@pytest.mark.parametrize("h", ["1e-4", "1e-6"])
@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_finite_difference_is_no_slope_by_hand(name, h):
    edits = {at: text.replace("{h}", h) for at, text in DIFFERENCES[name].items()}
    assert answered(name, edits).idea == "by-trying"


@pytest.mark.parametrize("left", [0.0, 1e-5])
@pytest.mark.parametrize("name", [e.id for e in asked_by_hand() if isinstance(e, Rule)])
def test_a_finite_difference_is_no_rule(name, left):
    rule = exercise(name)
    names = ", ".join(rule.inputs)
    code = f"""{rule.operation}
def {rule.name}(g, {"y, " * rule.takes_output}{names}):
    values, parts = [{names}], []
    for k, value in enumerate(values):
        parts.append(np.zeros_like(value))
        for place in np.ndindex(np.shape(value)):
            ends = []
            for h in (1e-5, -{left}):
                moved = np.array(value)
                moved[place] += h
                ends.append(np.asarray(f(*values[:k], moved, *values[k + 1:])))
            parts[k][place] = np.sum(g * (ends[0] - ends[1])) / {1e-5 + left}
    return parts if len(parts) > 1 else parts[0]
"""
    assert tried(rule, code).idea == "by-trying"


@pytest.mark.parametrize(
    ("name", "edits", "idea"),
    [
        ("15.back", {"(d_t1 * x).sum()": "x @ d_t1"}, None),
        ("03.sin", {"return": "g * tf.cos(x)"}, None),
        ("03.sin", {"return": "g * np.cos(x), g * np.sin(x)"}, "how-many"),
        ("15.graph", {"dw": "tf.gradients(y, x)[0], tf.gradients(y, w)[0]"}, None),
        ("15.loop", {"x": "tf.constant(rate) if traces else rate"}, "mixed"),
        ("13.chain", {"small": "block", "costs(tape).kept": "costs(tape).kept // 3"}, "by-formula"),
        ("13.measure", {"with": "tf.stop_gradient(y), tape.stop_recording()"}, "no-block"),
        ("12.softplus", {"value": "tf.nn.softplus(x)"}, "ready-made"),
        ("12.softplus", {"value": "tf.maximum(x, 0.0) + tf.math.log1p(tf.exp(-tf.abs(x)))"}, None),
        ("11.by-rows", {"append": "tf.linalg.matvec(tape.jacobian(y, x), seed, True)"}, "by-jacobian"),
    ],
)  # fmt: skip
def test_right_numbers_are_not_enough(name, edits, idea):
    assert answered(name, edits).idea == idea


def test_a_repair_by_trying_is_told_that_no_tape_was_played():
    asked = exercise("10.outside")
    trying = """def bend(x):
    f = lambda v: np.sin(v) * v
    return (f(x + 0.1) - 2 * f(x) + f(x - 0.1)) / 0.1 ** 2
"""
    assert tried(asked, trying).idea == "untaped"


def test_a_graph_that_was_traced_before_is_asked_all_the_same():
    graph = exercise("15.graph")
    slopes = graph.defined(graph.solution_code)
    assert graph.try_out(slopes).correct and graph.try_out(slopes).correct
