"""A cure mends: its program runs with it, and the gradient that was asked for is there."""

import pytest

from tests.explain.mending import tried, wrong
from tests.explain.pasting import ran
from tests.explain.programs import Program, as_cells

pytestmark = pytest.mark.filterwarnings("ignore")

CURED = 350  # so many programs of the corpora of one source have lines, at least


def test_of_the_cures_that_are_shown_nearly_all_mend():
    found = list(tried())
    failing = [f"{t.program} ({t.kind}): {t.wrong}\n    {t.lines}" for t in found if t.wrong]
    assert len(failing) <= 0.05 * len(found), "\n".join(failing)
    assert len({t.program for t in found if not t.program.startswith("several/")}) >= CURED


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("y = x * 2.0", ""),
        ("y = tf.constant(float(x)) * 2.0", "None"),
        ("y = tf.math.log(x - 3.0)", "not finite"),
        ("y = x.numpy().mean() * missing", "NameError: name 'missing' is not defined"),
    ],
)
def test_what_is_wrong_with_a_cure_is_said(line, said):
    program = Program(
        "wrong",
        "",
        "x = tf.Variable(3.0)\nwith tf.GradientTape() as tape:\n    y = tf.constant(float(x))\n"
        "e = tape.explain(y, x)\n",
    )
    e, texts = ran(program)
    e.params["cure"] = [line]
    assert wrong(program, e, texts) == said


def test_a_cure_that_leaves_the_gradient_zero_does_not_mend():
    program = Program(
        "zero",
        "",
        "x = tf.Variable(-3.0)\nwith tf.GradientTape() as tape:\n    y = tf.nn.relu(x)\n"
        "g = tape.gradient(y, x)\ne = tape.explain(y, x)\n",
    )
    e, texts = ran(program)
    assert wrong(program, e, texts) == ""
    e.params["cure"] = ["y = tf.nn.relu(x + 1.0)"]
    assert wrong(program, e, texts) == "zero"


# what an operation is told to compute, by numbers of which one lies within its domain
DOMAINS = {
    "tf.acos(x)": "[0.5, 3.0]",
    "tf.asin(x)": "[0.5, -3.0]",
    "tf.atanh(x)": "[0.5, 1.0]",
    "tf.acosh(x)": "[0.5, 2.0]",
    "tf.math.erfinv(x)": "[0.5, -1.0]",
    "tf.math.log(x)": "[0.5, -3.0]",
    "tf.math.log1p(x)": "[0.5, -1.0]",
    "tf.sqrt(x)": "[0.5, -3.0]",
    "tf.math.rsqrt(x)": "[0.5, 0.0]",
    "x ** 0.5": "[0.5, -3.0]",
    "tf.pow(x, 0.3)": "[0.5, 0.0]",
    "tf.math.xlogy(2.0, x)": "[0.5, -3.0]",
    "tf.math.lgamma(x)": "[0.5, -3.0]",
    "1.0 / x": "[0.5, 0.0]",
    "tf.divide(1.0, x)": "[0.5, 0.0]",
    "tf.math.reciprocal(x)": "[0.5, 0.0]",
}
DOMAIN = """x = tf.Variable({numbers})
with tf.GradientTape() as tape:
    y = tf.reduce_sum({code})
g = tape.gradient(y, x)
e = tape.explain(y, x)
"""


@pytest.mark.parametrize("code", DOMAINS)
def test_a_domain_has_the_cure_of_its_function(code):
    program = Program("domain", "", DOMAIN.format(numbers=DOMAINS[code], code=code))
    e, texts = ran(program)
    assert e.cure and not wrong(program, e, texts), e
    if e.params["op"] not in ("Div", "Reciprocal"):
        assert "clip_by_value" in e.cure[0] or "maximum" in e.cure[0], e


@pytest.mark.parametrize(
    ("code", "numbers", "cure"),
    [
        ("tf.acos(x)", "1.0", "tf.acos(x * 0.999999)"),
        ("tf.atanh(x)", "[1.0, -1.0]", "tf.atanh(x * 0.999999)"),
        ("tf.acosh(x)", "1.0", "tf.acosh(x + 1e-06)"),
        ("tf.math.log1p(x)", "-1.0", "tf.math.log1p(x + 1e-06)"),
        ("tf.math.log(x)", "0.0", "tf.math.log(x + 1e-07)"),
        ("tf.math.log(x)", "[-1.0, -2.0]", ""),
        ("tf.acosh(x)", "-1.0", ""),
        ("tf.acos(x)", "3.0", ""),
    ],
)
def test_at_the_end_of_a_domain_all_move_and_outside_none_can_be_clipped(code, numbers, cure):
    program = Program("domain", "", DOMAIN.format(numbers=numbers, code=code))
    names, texts = as_cells(program, None)
    e = names["e"]
    assert e.cure == ([f"y = tf.reduce_sum({cure})"] if cure else []), e
    assert cure and not wrong(program, e, texts) or "What is clipped has no slope" in e.fix, e


def test_a_function_of_the_learners_is_not_taken_for_the_operation_in_it():
    code = DOMAIN.format(numbers="[0.5, -3.0]", code="loss(x)")
    code = "loss = lambda v: tf.math.log(v)\n" + code
    e, _ = ran(Program("domain", "", code))
    assert e.code == "tf.math.log(v)" and e.cure == [
        "loss = lambda v: tf.math.log(tf.maximum(v, 1e-07))"
    ]


NOT_SHOWN = {
    "into a variable": "loss.assign(np.mean(h.numpy()))",
    "an integer that nothing watches": "loss = tf.reduce_sum(w * tf.cast(n, tf.float32))",
    "a second step in the line": "loss = tf.reduce_sum(tf.floor(tf.round(w)))",
    "a second flat place in the line": "loss = tf.reduce_sum(tf.nn.relu(tf.nn.relu(-w)))",
}


@pytest.mark.parametrize("line", NOT_SHOWN.values(), ids=NOT_SHOWN)
def test_what_is_known_not_to_mend_is_not_shown(line):
    code = f"""w, loss, n = tf.Variable([2.0, 3.0]), tf.Variable(0.0), tf.constant([1, 2])
with tf.GradientTape() as tape:
    h = w * 2.0
    {line}
e = tape.explain(loss, {"n" if "cast" in line else "w"})
"""
    e, _ = ran(Program("not shown", "", code))
    assert not e.healthy and e.cure == [] and e.fix, e


def test_a_line_is_tried_without_a_trace():
    """Its slope is asked on a tape of its own, that no other hears of."""
    code = """x = tf.Variable(0.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as tape:
        y = tf.sqrt(x) * 2.0
    before = len(outer.recording.notes), len(outer.recording.entries)
    e = tape.explain(y, x)
    after = len(outer.recording.notes), len(outer.recording.entries)
"""
    names, _ = as_cells(Program("trace", "", code), None)
    assert names["e"].cure == ["y = tf.sqrt(x + 1e-12) * 2.0"]
    assert names["before"] == names["after"]


@pytest.mark.parametrize(
    "line",
    [
        "for y in [tf.math.log(x * 0.0)]: z = y",
        "y = tf.math.log(shown(x * 0.0))",
    ],
)
def test_a_line_is_tried_where_it_does_nothing_but_compute(line):
    """What calls the learner's own function, or begins a block, is not run once more."""
    code = f"""x, calls = tf.Variable(1.0), []
def shown(v):
    calls.append(v)
    return v
with tf.GradientTape() as tape:
    {line}
before = len(calls)
e = tape.explain(y, x)
"""
    names, _ = as_cells(Program("tried", "", code), None)
    assert not names["e"].healthy and names["before"] == len(names["calls"])
