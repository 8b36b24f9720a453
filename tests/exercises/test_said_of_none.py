"""What a check says of a gradient that is None: the reason, where it is one, and the learner's tape."""

import pytest

import tests.exercises.examples as examples
from minitape.exercises import Function, exercise
from minitape.exercises.program import run
from minitape.sentences import LANGUAGES, speaking
from tests.exercises.answers import tried


def test_a_repair_tells_why_it_is_none_and_shows_the_learners_tape():
    code = examples.mend.starter.replace("np.asarray(y)", "y.numpy() * 1.0")
    outcome = tried(examples.mend, code)
    assert outcome.kind == "not yet" and outcome.idea != "nothing" and "None" in outcome.message
    board = outcome.storyboard()
    assert any(frame["act"] == "cut" for frame in board["frames"]) and "matvec" in str(board)


def test_why_is_asked_while_the_values_are_there():
    """A value that was computed before the block is gone when the answer has returned."""
    code = examples.mend.solution_code.replace(
        "    with tf.GradientTape() as tape:\n        y =", "    y ="
    ).replace("        e =", "    with tf.GradientTape() as tape:\n        e =")
    outcome = tried(examples.mend, code)
    assert (
        outcome.idea == "computed-before"
        and "`tf.linalg.matvec(x, w)` ran before the tape recorded" in outcome.message
    )


@pytest.mark.parametrize("first", ["", "    w = tf.constant(w)\n"])
@pytest.mark.parametrize("spoken", LANGUAGES)
def test_what_the_check_handed_over_has_no_code(spoken, first):
    """No line made the tensor, not even one that gives it back as it is: the sentence quotes none."""
    each = examples.Function(
        id="ex.linear",
        texts=examples.TEXTS,
        inputs={"w": (), "x": ("n",)},
        form="tensor",
        by_hand=False,
        program="def each(w, x):\n    return «2.0 * w * x * x»\n",
        wrong=(),
    )
    code = f"""def each(w, x):
{first}    with tf.GradientTape() as tape:
        y = (w * x) ** 2.0
    return tape.gradient(y, w)
"""
    with speaking(spoken):
        outcome = tried(each, code)
    assert outcome.idea == "not-watched" and "``" not in outcome.message, outcome.message
    assert {
        "en": "w is a plain tensor. A tape",
        "fr": "w est un simple tenseur. Une bande",
        "es": "w es un tensor corriente. Sin",
    }[spoken] in outcome.message


def test_a_none_on_which_the_code_stumbles_is_explained():
    code = """def train(x, t):
    w, b = tf.Variable(0.0), tf.Variable(0.0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x - t) ** 2)
    slope_w, slope_b = tape.gradient(loss, [w, b])
    w.assign_sub(0.1 * slope_w)
    b.assign_sub(0.1 * slope_b)
    return w, b
"""
    outcome = tried(exercise("07.regression"), code)
    assert (
        outcome.kind == "not yet"
        and "Line 7: b.assign_sub(0.1 * slope_b)\nTypeError" in outcome.message
    )
    assert "this is why: loss is computed without b.\n" in outcome.message
    outcome = tried(
        exercise("07.regression"),
        code.replace("w * x", "w * x + b").replace("0.1 * slope_b", "0.1 * None"),
    )
    assert outcome.kind == "your code raised" and "why" not in outcome.message
    measure = exercise("13.measure")
    outcome = tried(
        measure, measure.solution_code.replace("tape.stop_recording()", "None.stop_recording()")
    )
    assert outcome.kind == "your code raised", (
        "a declared wrong answer has a gradient of None; this one has none at all"
    )


@pytest.mark.parametrize(
    ("body", "blamed"),
    [
        ("return g * rate", True),
        ("return g.numpy()", True),
        ("def half(v):\n        return v / 2.0\n    return half(g)", True),
        ("return other * 2.0", False),
        ("return {}.get('rate') * 2.0", False),
        ("g = np.zeros(2)\n    return other * g", False),
        ("def half(v):\n        return v / 2.0\n    return half(other)", False),
    ],
)
def test_a_none_that_is_no_gradient_is_not_explained_as_one(body, blamed):
    code = f"""def gradient(w, x, t):
    w, rate, other = tf.Variable(w), 0.5, None
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.constant(x @ w.numpy() - t) ** 2)
    g = tape.gradient(loss, w)
    {body}
"""
    outcome = tried(examples.mend, code)
    assert (outcome.kind, outcome.idea) == (
        ("not yet", "numpy-escape") if blamed else ("your code raised", None)
    ), outcome


def test_a_none_that_another_tape_is_asked_about_is_explained():
    bend = exercise("10.outside")
    outcome = tried(bend, bend.solution_code.replace("tf.Variable(x)", "tf.constant(x)"))
    assert (outcome.kind, outcome.idea) == (
        "not yet",
        "not-watched",
    ) and "`tf.constant(x)`" in outcome.message, outcome


def test_two_kinds_of_none_that_raise_the_same_are_told_apart():
    rows = exercise("11.by-rows")
    each = [
        tried(rows, rows.solution_code.replace("(y, x, output_gradients=seed)", asked))
        for asked in ("(y[k], x)", "(y, x[k])")
    ]
    assert [outcome.idea for outcome in each] == ["computed-after", "another-object"], each


def test_a_none_among_the_pieces_of_an_answer_is_explained():
    each = examples.Function(
        id="ex.linear",
        texts=examples.TEXTS,
        inputs={"w": (), "x": ("n",)},
        by_hand=False,
        program="def each(w, x):\n    return «2.0 * w * x * x»\n",
        wrong=(),
    )
    code = """def each(w, x):
    w = tf.Variable(w)
    with tf.GradientTape(persistent=True) as tape:
        y = (w * x) ** 2.0
    return [tape.gradient(LINE, w) for k in range(len(x))]
"""
    outcome = tried(each, code.replace("LINE", "y[k]"))
    assert (
        outcome.idea == "computed-after" and "`y[k]` ran after the `with` block" in outcome.message
    )
    assert any(frame["act"] == "cut" for frame in outcome.storyboard()["frames"])
    assert tried(
        each, code.replace("LINE, w", "y, w, output_gradients=tf.one_hot(k, len(x))")
    ).correct
    assert tried(each, "def each(w, x):\n    return [None for _ in x]").idea == "nothing", (
        "no tape was asked"
    )


def test_what_an_answer_is_given_is_no_reason_of_a_none():
    """The line that asks for the check has made the inputs; it is no line of the learner's program."""
    lean = Function(
        id="ex.lean",
        texts=examples.TEXTS,
        form="tensor",
        by_hand=False,
        inputs={"x": (3,), "start": (3,)},
        program="""def f(x, start):
    b = tf.Variable([0.0, 0.0, 0.0])
    b.assign(start)
    with tf.GradientTape() as tape:
        y = «x + b»
    return tape.gradient(y, b)
""",
    )
    cells = f"{lean.solution_code.replace('x + b', 'x + x')}\noutcome = lean.check(f)\n"
    outcome = run(cells, {"lean": lean})["outcome"]
    assert outcome.idea == "not-used" and "y is computed without b" in outcome.message
