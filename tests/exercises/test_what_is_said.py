"""What a check says: the idea, the line, the numbers, the reason of a None; each once, and true of
the answer that was given.
"""

import json
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import minitape.exercises as exercises
import tests.exercises.examples as examples
from minitape.exercises import Function, Repair, Rule, exercise
from minitape.exercises.author import answer_of
from minitape.exercises.ideas import idea_of_shape
from minitape.exercises.rule import squares
from minitape.sentences import LANGUAGES
from tests.exercises.answers import tried


def test_a_repair_by_hand_is_recognised():
    by_hand = "def gradient(w, x, t):\n    return 2 * x.T @ (x @ w - t)"
    assert tried(examples.mend, by_hand).idea == "without-tape"
    beside = examples.mend.solution_code.replace("reduce_sum", "reduce_mean").replace(
        "return tape.gradient(loss, w)", "return len(x) * tape.gradient(loss, w)"
    )
    assert tried(examples.mend, beside).idea == "beside-tape"


def test_numbers_without_a_tape_are_no_answer_where_a_tape_is_to_be_asked():
    savings = exercise("05.savings")
    formula = "return deposit * years * (1.0 + rate) ** (years - 1.0)"
    assert tried(savings, savings._program.edited({"body": formula})).idea == "no-play"


def test_a_repair_may_ask_for_a_jacobian():
    asked = examples.mend.solution_code.replace(
        "    return tape.gradient(loss, w)",
        "        both = tf.stack([loss, 2.0 * loss])\n    return tape.jacobian(both, w)[0]",
    )
    assert tried(examples.mend, asked).correct


def test_another_operator_is_another_program():
    code = examples.mend.starter.replace("np.asarray(y) - t", "y + t")
    assert tried(examples.mend, code).kind == "not yet", "no longer as it was given"
    sign = Repair(
        id="ex.sign",
        texts=examples.TEXTS,
        inputs={"x": ()},
        by_hand=True,
        program="def f(x):\n    return «x - 1 <- x + 1»\n",
    )
    assert (
        tried(sign, sign.starter).kind == "not attempted"
        and tried(sign, sign.solution_code).correct
    )


def test_a_repair_without_a_tape_is_judged_by_its_numbers():
    add = Repair(
        id="ex.add",
        texts=examples.TEXTS,
        inputs={"x": ()},
        by_hand=True,
        program="""def slope(x):
    grad = {}
    for part in (x, 3.0):
        grad["x"] = «grad.get("x", 0.0) + part <- part»
    return grad["x"]
""",
    )
    assert tried(add, add.starter).kind == "not attempted" and tried(add, add.solution_code).correct
    assert tried(add, "def slope(x):\n    return 3.0 * x\n").kind == "not yet"
    assert (
        tried(
            add,
            "def slope(x):\n    x = tf.Variable(x)\n    with tf.GradientTape() as t:\n        y "
            "= x * x / 2 + 3 * x\n"
            "    return t.gradient(y, x)\n",
        ).idea
        == "by-tape"
    )


def test_a_program_broken_in_another_way_is_told_both_ways():
    code = examples.sever.solution_code.replace("float(w) * x", "w * x").replace(
        "    return", "    loss = loss * 1.0\n    return"
    )
    outcome = tried(examples.sever, code)
    assert (
        outcome.idea == "computed-after"
        and "in another way" in outcome.message
        and "loss * 1.0" in outcome.message
    )
    assert any(frame["act"] == "cut" for frame in outcome.storyboard()["frames"])


def test_a_break_leaves_the_values_as_they_were():
    other = tried(examples.sever, examples.sever.solution_code.replace("** 2.0", "** 3.0"))
    assert other.idea == "other-result" and "For example, with w =" in other.message
    whole = tried(examples.sever, examples.sever.starter.replace("w * x", "x * w"))
    assert whole.idea == "still-whole" and "is still a number" in whole.message
    assert "the same cards as before" in whole.message
    more = tried(examples.sever, examples.sever.starter.replace("w * x", "w * x * 1.0"))
    assert more.idea == "still-whole" and "the same cards" not in more.message
    renamed = examples.sever.starter.replace("y", "pred")
    assert tried(examples.sever, renamed).idea == "still-whole", "another name is no break"
    by_hand = "def gradient(w, x, t):\n    return np.sum((w * x - t) ** 2), None"
    assert tried(examples.sever, by_hand).idea == "none-by-hand"


def test_who_left_a_blank_is_told_in_which_cell():
    layer = Function(
        id="ex.layer",
        texts=examples.TEXTS,
        inputs={"x": ()},
        program="""class Twice:
    def __call__(self, x):
        return «2.0 * x»

def trial(x):
    return Twice()(x)
""",
    )
    outcome = tried(layer, layer.starter)
    assert (
        outcome.kind == "not attempted" and "the cell of `class Twice`, run it" in outcome.message
    )
    found = exercise("01.errors")  # another cell of its lesson begins with `def f`, too
    assert "the cell of `def errors`, run it" in tried(found, found.starter).message


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_no_verdict_shows_the_marks_of_markdown(spoken):
    """A prompt is a cell of the notebook; all else is a box, in which only backticks mean
    something.
    """
    for path in Path(exercises.__file__).parent.rglob(f"{spoken}.json"):
        for key, text in json.loads(path.read_text()).items():
            plain = re.sub("`[^`]*`", "", text)
            assert key.endswith(".prompt") or not re.search(r"\*\w[^*]*\*", plain), (
                path.parent.name,
                key,
            )


@pytest.mark.parametrize(
    ("name", "blank", "filled"),
    [
        ("07.momentum", "w.assign_add(...)", "w.assign_add(velocity)"),
        ("08.dense", "shape=...", "shape=(input_shape[-1], self.units)"),
        ("08.own-loss", "self.add_loss(...)", "self.add_loss(self.rate * tf.reduce_sum(h * h))"),
        ("08.cnn", "return ...", "x = 1\n    return ..."),
    ],
)
def test_who_has_filled_one_blank_has_begun(name, blank, filled):
    """A later blank may be filled first, or the return be forgotten: that is no untouched program."""
    found = exercise(name)
    assert tried(found, found.starter).kind == "not attempted"
    outcome = tried(found, found.starter.replace(blank, filled, 1))
    assert (outcome.kind, outcome.idea) == (
        "not yet",
        "blank-somewhere",
    ) and "the cell of" in outcome.message


def test_slopes_that_are_found_one_by_one_may_be_a_list():
    found = exercise("01.errors")
    code = found.starter.replace("...", "[(f(x + h) - f(x - h)) / (2 * h) for h in steps]")
    assert tried(found, code).correct
    assert tried(found, code.replace(" / (2 * h)", "")).idea == "undivided"


def test_what_is_said_of_common_answers_is_true_of_them():
    inside = exercise("08.dense").wrong_code
    unused = next(wrong for wrong in exercise("08.dense").wrong if wrong.idea == "not-used")
    code = inside(unused).replace("return x @ self.kernel", "return x")
    assert "`call` needs the kernel and the bias" in tried(exercise("08.dense"), code).message
    sums = exercise("08.own-loss").solution_code.replace(
        "tf.reduce_sum(h * h)", "tf.reduce_sum(h * h, axis=0)"
    )
    assert "`axis=0`" in tried(exercise("08.own-loss"), sums).message
    unwatched = exercise("06.unwatched")
    assert tried(
        unwatched, unwatched.starter.replace("tf.Variable(w)", "tf.identity(tf.Variable(w))")
    ).correct
    assert (
        tried(unwatched, unwatched.starter.replace("    w = tf.Variable(w)\n", "")).idea
        == "no-tensor"
    )


def test_a_list_is_shown_whole_and_each_answer_gets_its_own():
    longest = Function(
        id="ex.longest",
        texts=examples.TEXTS,
        program="def f(steps):\n    return «len(steps)»\n",
        inputs={"steps": lambda numbers: [*range(1, 15), float(numbers.uniform(20, 30))]},
    )
    outcome = tried(longest, "def f(steps):\n    steps.pop()\n    return len(steps)\n")
    assert (
        "steps = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 2" in outcome.message
        and len(outcome.inputs["steps"]) == 15
    )


def test_a_rule_is_wrong_in_a_direction():
    outcome = tried(
        examples.product,
        "def rule(g, y, a, b):\n    part = (g * a).sum(axis=0)\n    part[1] = 98.75\n    return "
        "g * b, part",
    )
    assert (
        "with respect to b[1] is" in outcome.message and "Right so far: 1 of 2" in outcome.message
    )
    assert outcome.message.count("98.75") == 1, "it is said once"
    assert set(outcome.inputs) == {"g", "y", "a", "b"}


def test_a_counterexample_is_drawn_and_its_wrong_numbers_are_framed():
    wrong = "def rule(g, y, a, b):\n    part = (g * a).sum(axis=0)\n    part[1] = 98.75\n"
    outcome = tried(examples.product, wrong + "    return g * b, part")
    framed = re.findall(r'<span style="border:2px[^>]*>([^<]*)<', outcome._repr_html_())
    assert framed == ["98.75"], "the wrong number, and no other"
    drawn = re.findall(r'<th scope="row"[^>]*>(.*?)</th>', outcome.drawing)
    assert drawn == [f"<code>{n}</code>" for n in "gyab"] + ["your rule", "as measured"]
    unlike = tried(examples.product, wrong + "    return g, part[1:]")
    assert unlike.kind == "not yet" and "border:2px" in unlike.drawing, "the first part: as long"
    unlike = tried(examples.product, wrong + "    return g * b, part[1:]")
    assert unlike.drawing and "border:2px" not in unlike.drawing, "of another shape, nothing is"


def test_what_is_too_large_to_be_read_is_not_drawn():
    assert squares({"a": np.zeros(24)}, {}) and not squares({"a": np.zeros(25)}, {})
    assert squares({"<b>": np.zeros(2)}, {}).count("<b>") == 0 and not squares(
        {"a": np.zeros((1, 1, 1))}, {}
    )


def test_who_lets_a_tape_play_is_told_kindly():
    code = """def backwards(x, w, b, t):
    x, w, b = map(tf.Variable, (x, w, b))
    with tf.GradientTape() as tape:
        e = x @ w + b - t
        loss = tf.reduce_sum(e * e)
    g = tape.gradient(loss, [e, b, w, x])
    return g
"""
    outcome = tried(examples.linear, code)
    assert (outcome.kind, outcome.idea) == (
        "not yet",
        "by-tape",
    ) and "you are the tape" in outcome.message
    assert len(outcome.storyboard()["cards"]) >= 4


def test_half_right_is_said_to_be_half_right():
    code = examples.linear.starter.replace("adjoint_e = ...", "adjoint_e = 2 * e")
    outcome = tried(examples.linear, code)
    assert (
        outcome.idea == "blank-left"
        and "1 of 4" in outcome.message
        and "adjoint_b" in outcome.message
    )
    assert tried(examples.linear, code.replace("...", "None")).idea == "none-part"


def test_a_prediction_has_new_numbers_each_time_or_the_same_where_a_seed_is_given(monkeypatch):
    assert len({str(examples.slope.question()) for _ in range(20)}) > 3
    monkeypatch.setenv("MINITAPE_SEED", "3")
    assert len({str(examples.slope.question()) for _ in range(3)}) == 1


def test_a_program_with_branches_shows_each_of_its_tapes_and_tries_each():
    branches = examples.Make(
        id="ex.puzzle",
        texts=examples.TEXTS,
        inputs={"x": ()},
        program=("def make(x):\n    «if x > 0.0:\n        return x * x\n    return x + 1.0»\n"),
    )
    for _ in range(20):
        shown = str(branches.question())
        assert shown.count("With x = ") == 2 and shown.count("1. Greater(x, 0)") == 2
        assert "Mul(x, x)" in shown and "Add(x, 1)" in shown
        for way in ("x * x", "x + 1.0"):
            outcome = tried(branches, f"def make(x):\n    x > 0.0\n    return {way}\n")
            assert outcome.kind == "not yet" and "With x = " in outcome.message, (
                "right for one branch only"
            )
    assert tried(branches, branches.solution_code).correct
    assert "With" not in str(examples.puzzle.question())


def test_two_mistakes_with_one_tape_in_common_are_told_apart_by_the_other():
    for _ in range(10):
        assert (
            tried(exercise("02.parcel"), PARCEL.format("way", "weight * way")).idea
            == "swapped-ways"
        )
        assert (
            tried(exercise("02.parcel"), PARCEL.format("weight * way", "weight * way")).idea
            == "one-way-only"
        )


PARCEL = """def price(weight, way):
    if weight > 1.0:
        cost = {}
    else:
        cost = {}
    return cost + 2.0
"""


@pytest.mark.parametrize("part", ["g @ a", "g * b[:, np.newaxis]", "np.dot(g, a)"])
def test_a_rule_whose_shapes_do_not_fit_is_told_the_shapes(part):
    outcome = tried(examples.product, f"def rule(g, y, a, b):\n    return {part}, b\n")
    g, a, b = (
        re.search(rf"\b{what} (\(\d,[ \d]*\))", outcome.message)[1]
        for what in ("g", "the part for a", "the part for b")
    )
    assert g == a != b and f"Line 2: return {part}, b" in outcome.message
    assert "core dimension" not in outcome.message and "broadcast" not in outcome.message
    assert (
        "invalid literal"
        in tried(examples.product, "def rule(g, y, a, b):\n    return int('a'), b\n").message
    )


def test_two_mistakes_that_do_not_fit_are_not_one():
    """Both are told the shapes; only the declared one has the idea."""
    rule = Rule(
        id="ex.product",
        texts=examples.TEXTS,
        inputs={"a": ("n", "m"), "b": ("m", "k")},
        operation="def f(a, b):\n    return a @ b\n",
        program="def rule(g, y, a, b):\n    part_a = «g @ b.T»\n    part_b = «a.T @ g»\n    "
        "return part_a, part_b\n",
        wrong=(examples.Wrong("swapped-factors", {"part_a": "g @ b"}),),
    )
    declared, other = (
        tried(rule, f"def rule(g, y, a, b):\n    return {part}, a.T @ g\n")
        for part in ("g @ b", "a @ g")
    )
    assert declared.idea == "swapped-factors" and other.kind == "your code raised"
    assert (
        "do not fit. What comes in" in declared.message
        and "do not fit. What comes in" in other.message
    )


@pytest.mark.parametrize(
    "line",
    [
        "tf.sqrt(squares + tf.keras.backend.epsilon())",
        "tf.sqrt(tf.maximum(squares, 1e-6))",
        "tf.where(squares > 0, tf.sqrt(squares), 0.0)",
    ],
)
def test_a_length_next_to_0_may_be_any_small_number(line):
    about = exercise("09.lengths")
    outcome = tried(about, about.solution_code.replace("tf.sqrt(squares + 1e-12)", line))
    assert outcome.correct, outcome.message


def test_each_check_draws_more_than_one_length():
    """Else an answer that knows only one, `range(3)` for `range(y.shape[1])`, is right by chance."""
    about, numbers = exercise("11.per-example"), np.random.default_rng(0)
    assert [about.drawn(numbers, turn)["w"].shape[1] for turn in range(5)] == [2, 3, 4, 2, 3]
    answer = answer_of(about, about.solution_code.replace("range(y.shape[1])", "range(3)"))
    assert not any(about.check(answer).correct for _ in range(9))


def test_where_no_card_is_missing_none_are_counted():
    more = tried(examples.puzzle, "def make(x, w):\n    return (x * x - tf.sin(w)) * 3.0 + x\n")
    less = tried(examples.puzzle, "def make(x, w):\n    return x * x - tf.sin(w)\n")
    assert (
        more.idea == "too-many-cards"
        and "As they should be" not in more.message
        and "3 of 4 cards" in less.message
    )
    assert (
        "Card 5 of your tape is one too many: Add(card 4, x)." in more.message
        and "Card 4 is missing on your tape" in less.message
    )


@pytest.mark.parametrize(
    ("given", "wanted", "idea"),
    [
        ((3, 2), (2,), "unsummed"),
        ((4,), (), "unsummed"),
        ((3, 2), (1, 2), "unsummed"),
        ((4, 3), (2, 4), "shape"),
        ((2,), (3,), "shape"),
    ],
)
def test_an_axis_is_called_stretched_only_where_it_can_have_been(given, wanted, idea):
    assert idea_of_shape(np.ones(given), np.ones(wanted)) == idea


@pytest.mark.parametrize(
    "name, change", [("15.loop", ("tf.constant(rate)", "rates[0]")), ("15.graph", ("", ""))]
)
def test_no_warning_comes_from_what_the_learner_has_not_written(name, change):
    """Neither from declared wrong answers, which run with each answer, nor from the shapes that a
    check draws, time after time.
    """
    about = exercise(name)
    answer = answer_of(about, about.solution_code.replace(*change))
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        assert {about.check(answer).correct for _ in range(3)} == {not any(change)}
    assert not heard, heard[0].message


def test_a_jacobian_asked_for_beside_the_plays_is_no_fault():
    rows = exercise("11.by-rows")
    beside = rows.solution_code.replace(
        "    return tf", "    assert tape.jacobian(y, x).shape[0] == len(rows)\n    return tf"
    )
    assert beside != rows.solution_code and tried(rows, beside).correct
    ready = rows.solution_code.replace(
        "tape.gradient(y, x, output_gradients=seed)", "tape.jacobian(y, x)[k]"
    )
    assert tried(rows, ready).idea == "by-jacobian"


@pytest.mark.parametrize("h", ["0.001", "1e-4", "1e-6"])
@pytest.mark.parametrize(
    "way", ["(v(t + {h}) - v(t)) / {h}", "(v(t + {h}) - v(t - {h})) / (2 * {h})"]
)
def test_a_slope_found_by_trying_is_no_product_of_slopes(h, way):
    code = "def growth(t):\n    v = lambda t: 4 * (2 + 0.5 * t) ** 3\n    return " + way.format(h=h)
    assert tried(exercise("01.balloon"), code).idea == "by-trying"


@pytest.mark.parametrize("right", ["6 * (2 + t / 2) ** 2", "24 + 12 * t + 1.5 * t * t"])
def test_a_product_of_slopes_may_be_written_in_any_way(right):
    assert tried(exercise("01.balloon"), f"def growth(t):\n    return {right}").correct


@pytest.mark.parametrize(
    ("body", "idea"),
    [
        ("return a * a + x", "other-cards"),
        ("b = a + x\n    c = a + w\n    return b * b", "too-many-cards"),
        ("return tf.mul(a + x, a + x)", "card-name"),
    ],
)
def test_cards_are_too_many_only_where_the_others_are_right(body, idea):
    code = f"def make(x, w):\n    a = x * w\n    {body}"
    assert tried(exercise("02.straight"), code).idea == idea


def test_wrong_answers_are_tried_in_each_language(monkeypatch):
    """A check that fails in French alone is seen by who asks what is missing."""
    from minitape.exercises.author import complaints
    from minitape.sentences import language

    judged = examples.linear.__class__.judge
    monkeypatch.setattr(
        examples.linear.__class__,
        "judge",
        lambda self, answer: judged(self, answer) if language() == "en" else None,
    )
    assert any("passes" in reported for reported in complaints(examples.linear))


def test_a_card_s_name_written_as_a_function_is_answered():
    """Seen in lesson 02: the list says `Add(card 1, x)`, and that is what is typed."""
    outcome = tried(
        exercise("02.straight"),
        "def make(x, w):\n    a = x * w\n    b = Add(a, x)\n    return b * b\n",
    )
    assert (
        outcome.idea == "card-name"
        and "Line 3: b = Add(a, x)" in outcome.message
        and "`+` for Add" in outcome.message
    )
    assert (
        tried(exercise("02.straight"), "def make(x, w):\n    return addd(x, w)\n").kind
        == "your code raised"
    )


def test_only_what_has_the_right_numbers_is_called_a_transpose():
    wanted = np.arange(6.0).reshape(2, 3)
    assert idea_of_shape(wanted.T, wanted) == "transpose"
    assert idea_of_shape(wanted.T + 1, wanted) == "shape"


def test_a_line_on_which_nothing_is_computed_is_told_so():
    about = exercise("06.line")
    assert {about.try_out(k).idea for k in (1, 2, 3, 8)} == {"line-given"}
    assert about.try_out(13).idea == "line-recorded"
