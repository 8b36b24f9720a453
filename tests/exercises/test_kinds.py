"""Checkers are proven: of seeded wrong answers at least 95 of 100 are refused, right ones of other shapes are accepted."""

import importlib.util
import itertools
import random
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from minitape.engine.gradient_tape import unwarned
from minitape.exercises import Function, Repair
from minitape.exercises.author import answer_of, missing
from minitape.exercises.program import run
from minitape.sentences import LANGUAGES, speaking

HERE = Path(__file__).parent


def module(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    sys.modules[name] = found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


examples = module(HERE / "examples/__init__.py", "exercise_examples")
mutants = module(HERE / "mutants.py", "exercise_mutants").mutants
ALL = [examples.linear, examples.slope, examples.product, examples.mend, examples.puzzle, examples.order, examples.guilty,
       examples.sever]
FUNCTIONS = [examples.linear, examples.product, examples.mend, examples.puzzle, examples.sever]


@pytest.fixture(autouse=True)
def own_progress(monkeypatch):
    monkeypatch.setenv("MINITAPE_PROGRESS", "")


def test_nothing_is_missing_in_the_examples():
    assert missing(examples) == []


@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize("exercise", ALL, ids=lambda e: e.id)
def test_each_declared_wrong_answer_meets_its_idea(exercise, spoken):
    with speaking(spoken):
        exercise.question()
        assert exercise.check(answer_of(exercise, exercise.starter)).kind == "not attempted"
        right = exercise.check(answer_of(exercise, exercise.solution_code))
        assert right.correct and exercise.praise in right.message
        for wrong in exercise.wrong:
            outcome = exercise.check(answer_of(exercise, exercise.wrong_code(wrong)))
            assert (outcome.kind, outcome.idea) == ("not yet", wrong.idea), outcome
            assert exercise.idea(wrong.idea) == "" or outcome.message.strip() and "{" not in outcome.message


RIGHT = {
    "ex.linear": ["def backwards(x, w, b, t):\n    e = x @ w + b - t\n    return 2 * e, 2 * e.sum(0), 2 * x.T @ e, 2 * e @ w.T",
                  "def backwards(x, w, b, t):\n    g = 2.0 * (np.dot(x, w) + b - t)\n"
                  "    return [g, np.einsum('ij->j', g), np.einsum('ij,ik->jk', x, g), np.dot(g, np.transpose(w))]",
                  "backwards = lambda x, w, b, t: (lambda g: (g, np.ones(len(g)) @ g, (g.T @ x).T, (w @ g.T).T))(2 * (x @ w + b - t))",
                  "def backwards(x, w, b, t):\n    x, w, b, t = map(tf.constant, (x, w, b, t))\n    g = 2 * (x @ w + b - t)\n"
                  "    return g, tf.reduce_sum(g, axis=0), tf.matmul(x, g, transpose_a=True), tf.matmul(g, w, transpose_b=True)",
                  "class F:\n    def __call__(self, x, w, b, t):\n        g = 2 * (x @ w + b - t)\n        gw = np.zeros_like(w)\n"
                  "        for k in range(len(x)):\n            gw += np.outer(x[k], g[k])\n"
                  "        return g, sum(g), gw, [[float(r @ c) for c in w] for r in g]\nbackwards = F()"],
    "ex.product": ["def rule(g, y, a, b):\n    return g * b[None, :], (g * a).sum(0)",
                   "rule = lambda g, y, a, b: (np.einsum('ij,j->ij', g, b), np.einsum('ij,ij->j', g, a))",
                   "def rule(g, y, a, b):\n    part_b = [c @ d for c, d in zip(g.T, a.T)]\n"
                   "    return [[gij * bj for gij, bj in zip(row, b)] for row in g], part_b",
                   "def rule(g, y, a, b):\n    return tf.constant(g) * b, tf.reduce_sum(tf.constant(g) * a, axis=0)",
                   "def rule(g, y, a, b, *more):\n    return (b * g), np.diag(a.T @ g)"],
    "ex.mend": ["def gradient(w, x, t):\n    w, x = tf.Variable(w), tf.constant(x)\n    with tf.GradientTape() as tape:\n"
                "        loss = tf.reduce_sum(tf.square(tf.linalg.matvec(x, w) - t))\n    return tape.gradient(loss, w)",
                "def gradient(w, x, t):\n    w = tf.constant(w)\n    with tf.GradientTape() as tape:\n        tape.watch(w)\n"
                "        e = tf.reshape(x @ tf.reshape(w, (-1, 1)), (-1,)) - t\n        loss = tf.tensordot(e, e, 1)\n"
                "    return tape.gradient(loss, w)",
                "def gradient(w, x, t):\n    w = tf.Variable(w)\n    with tf.GradientTape(persistent=True) as tape:\n"
                "        e = tf.linalg.matvec(x, w) - t\n        loss = tf.reduce_sum(e ** 2.0)\n    return tape.gradient(loss, [w])[0]",
                "def gradient(w, x, t):\n    w = tf.Variable(w)\n    with tf.GradientTape() as tape:\n        loss = 0.0\n"
                "        for k in range(len(x)):\n            e = tf.reduce_sum(x[k] * w) - t[k]\n            loss = loss + e * e\n"
                "    return tape.gradient(loss, w).numpy()",
                "def gradient(w, x, t):\n    w = tf.Variable(w)\n    with tf.GradientTape() as tape:\n"
                "        e = t - tf.linalg.matvec(x, w)\n    return tape.gradient(e, w, output_gradients=2 * e)"],
    "ex.sever": ["def gradient(w, x, t):\n    w = tf.Variable(w)\n    with tf.GradientTape() as tape:\n"
                 "        loss = tf.reduce_sum((w.numpy() * x - t) ** 2.0)\n    return loss, tape.gradient(loss, w)",
                 "def gradient(w, x, t):\n    w = tf.Variable(w)\n    with tf.GradientTape() as tape:\n"
                 "        y = w * x\n        loss = tf.constant(np.sum((np.asarray(y) - t) ** 2))\n    return loss, tape.gradient(loss, w)",
                 "def gradient(w, x, t):\n    w = tf.Variable(w)\n    with tf.GradientTape(persistent=True) as tape:\n"
                 "        e = tf.constant((w * x).numpy()) - t\n        loss = tf.tensordot(e, e, 1)\n"
                 "    return loss.numpy(), tape.gradient(loss, [w])[0]",
                 "def gradient(w, x, t):\n    w = tf.Variable(w)\n    with tf.GradientTape() as tape:\n        loss = 0.0\n"
                 "        for k in range(len(x)):\n            e = w * x[k] - t[k]\n            loss = loss + float(e) * float(e)\n"
                 "        loss = tf.constant(loss)\n    return [loss, tape.gradient(loss, w)]",
                 "def gradient(w, x, t):\n    w = tf.Variable(w)\n    with tf.GradientTape() as tape:\n"
                 "        y = w.numpy().item() * tf.constant(x)\n        loss = tf.reduce_sum(tf.square(y - t))\n"
                 "    return loss, tape.gradient(loss, w)"],
    "ex.puzzle": ["make = lambda x, w: 3.0 * (tf.multiply(x, x) - tf.sin(w))",
                  "def make(x, w):\n    return tf.multiply(tf.subtract(x * x, tf.math.sin(w)), 3)",
                  "def make(x, w):\n    y = x\n    y *= x\n    return (y - tf.sin(w)) * tf.constant(3.0)",
                  "def make(x, w):\n    a = [x, x]\n    c = a[0] * a[1] - tf.sin(w)\n    return c * (1.0 + 2.0)",
                  "def make(left, right):\n    print('made')\n    return tf.constant(3.0) * tf.math.subtract(left * left, tf.sin(right))"],
}


@pytest.mark.parametrize("exercise", FUNCTIONS, ids=lambda e: e.id)
def test_right_solutions_of_other_shapes_are_accepted(exercise):
    assert len(RIGHT[exercise.id]) >= 5
    for code in RIGHT[exercise.id]:
        outcome = exercise.check(answer_of(exercise, code))
        assert outcome.correct, (code, outcome)


def linear(x, w, b, t):
    g = 2 * (x @ w + b - t)
    return g, g.sum(0), x.T @ g, g @ w.T


TRUTH = {"ex.linear": linear, "ex.product": lambda g, y, a, b: (g * b, (g * a).sum(0)),       # without the package
         "ex.mend": lambda w, x, t: (2 * x.T @ (x @ w - t),),
         "ex.sever": lambda w, x, t: (np.sum((w * x - t) ** 2), None)}


def is_wrong(exercise, code):
    """Say whether a program gives other numbers than it should: found out without the exercise's own check."""
    if exercise.id not in TRUTH:
        return True
    inputs = exercise.drawn(np.random.default_rng(5)).values()
    truth = TRUTH[exercise.id](*inputs)
    try:
        with unwarned():
            given = run(code)[exercise.name](*inputs)
        given = [given] if len(truth) == 1 else given
        return not all(g is w if w is None else np.shape(g) == w.shape and np.allclose(np.asarray(g, float), w, rtol=1e-6)
                       for g, w in zip(given, truth, strict=True))
    except Exception:
        return True


FIGURES = {}


@pytest.mark.parametrize("exercise", FUNCTIONS, ids=lambda e: e.id)
def test_wrong_solutions_are_refused(exercise):
    """100 of them, drawn from all mutants of the solution and of five other right ones; those that compute the same are not wrong."""
    found = {}
    for code in [exercise.solution_code, *RIGHT[exercise.id]]:
        found.update(mutants(code, lambda code: is_wrong(exercise, code)))
    drawn = random.Random(1).sample(sorted(found), min(100, len(found)))
    passed = [code for code in drawn if tried(exercise, code).correct]
    FIGURES[exercise.id] = len(drawn) - len(passed), len(drawn), sorted({found[code] for code in drawn})
    assert len(drawn) >= 30 and len(passed) <= 0.05 * len(drawn), passed


def tried(exercise, code):
    return exercise.check(answer_of(exercise, code))


@pytest.mark.parametrize("exercise", [examples.linear, examples.product], ids=lambda e: e.id)
def test_what_is_right_only_at_the_shown_numbers_is_refused(exercise):
    """The right numbers for one input, written down."""
    for seed in range(25):
        inputs = exercise.drawn(np.random.default_rng(seed))
        said = exercise.wanted(inputs)
        assert not exercise.check(lambda *given, said=said: said).correct


def test_numbers_that_are_only_near_are_refused():
    refused = 0
    for seed in range(100):
        chance = random.Random(seed)
        examples.slope.question()
        right = examples.slope._asked[0]["right"]
        wrong = chance.choice([right + chance.choice([-1, 1]) * chance.uniform(0.1, 5), -right, 0, right / 2, right * 2, right + 1, None])
        refused += not examples.slope.check(wrong).correct
    assert refused == 100
    for shape in (float, int, str, np.float32, lambda right: [right]):
        examples.slope.question()
        right = examples.slope._asked[0]["right"]
        assert examples.slope.check(shape(right)).correct == (shape not in (str,) and not isinstance(shape(right), list))


def test_a_wrong_answer_that_does_not_apply_to_the_numbers_is_left_out():
    wrong = examples.Wrong("factor", "2 * x if x > 3 else ...")
    number = examples.Number(id="ex.slope", texts=examples.TEXTS, program="x = {x}\n", right="x + 1", numbers={"x": (3.0, 5.0)},
                             wrong=(wrong, examples.Wrong("sign", "-x")))
    assert {wrong.idea: answer for wrong, answer in number.asked_with({"x": 3.0})["wrong"].items()} == {"sign": -3.0}
    assert {wrong.idea: answer for wrong, answer in number.asked_with({"x": 5.0})["wrong"].items()} == {"factor": 10.0, "sign": -5.0}
    number._asked[:] = [number.asked_with({"x": 3.0})]
    assert number.wrong_code(wrong) == "answer = 10.0\n" and number.check(10.0).idea == "factor"
    never = examples.Number(id="ex.slope", texts=examples.TEXTS, program="x = 3.0\n", right="x", wrong=(examples.Wrong("sign", "..."),))
    with pytest.raises(ValueError, match="never asked for"):
        never.wrong_code(never.wrong[0])


def test_a_program_that_raises_is_asked_about():
    program = "x = tf.Variable({x})\nwith tf.GradientTape(persistent={p}) as tape:\n    y = x * x\nfirst = tape.gradient(y, x)\n" \
              "second = tape.gradient(y, x)\n"
    asked = {"program": program, "numbers": {"x": (3.0, 5.0), "p": (True, False)}, "texts": examples.TEXTS,
             "wrong": (examples.Wrong("none", "None"),)}
    number = examples.Number(id="ex.slope", right="error if raised else second", **asked)
    seen = set()
    for seed in range(20):
        number._asked[:] = [number.asked_with({"x": 3.0, "p": seed % 2 == 0})]
        right = number._asked[0]["right"]
        assert right == ("error" if seed % 2 else 6.0) and number.check(right).correct and not number.check(None).correct
        assert not number.check(6.0 if seed % 2 else "error").correct
        seen.add(right)
    assert seen == {"error", 6.0}
    with speaking("fr"):
        assert number.asked_with({"x": 3.0, "p": False})["right"] == "erreur"
    with pytest.raises(RuntimeError, match="non-persistent"):
        examples.Number(id="ex.slope", right="second", **asked).asked_with({"x": 3.0, "p": False})


def test_every_legal_order_is_right_and_every_other_is_refused():
    exercise = examples.order
    users = {"a": "bc", "b": "y", "c": "d", "d": "y", "y": ""}               # who uses whose output
    exercise.question()
    letters = dict(zip("abcdy", exercise._letters()))
    counts = {True: 0, False: 0}
    for order in itertools.permutations("abcdy"):
        legal = all(order.index(user) < order.index(card) for card in order for user in users[card])
        answer = " ".join(letters[card] for card in order)
        assert exercise.check(answer).correct == legal, order
        counts[legal] += 1
    assert counts == {True: 3, False: 117}
    assert all(exercise.check(shape).correct for shape in (
        [letters[c] for c in "ydcba"], ",".join(letters[c] for c in "ybdca"), tuple(letters[c] for c in "ydbca"),
        "".join(letters[c] for c in "ydcba").lower(), " → ".join(letters[c] for c in "ydcba")))


def test_an_illegal_order_is_played_and_gives_another_gradient():
    exercise = examples.order
    exercise.question()
    letters = dict(zip("abcdy", exercise._letters()))
    outcome = exercise.check("".join(letters[c] for c in "ybacd"))
    assert outcome.idea == "not-complete" and "the gradient becomes" in outcome.message and "first 2 of 5" in outcome.message
    visits = [frame["card"] for frame in outcome.storyboard()["frames"] if frame["act"] == "visit"]
    assert visits == [4, 1, 0, 2, 3], "what is shown is the learner's own order"


def test_every_other_line_is_refused():
    exercise = examples.guilty
    assert [k for k in range(-3, 12) if exercise.check(k).correct] == [4]
    assert [exercise.check(k).idea for k in range(1, 8)] == [
        "line-beside", "line-nothing", "line-recorded", None, "too-late", "line-beside", "symptom"]
    assert all(exercise.check(shape).correct for shape in (4, 4.0, "4", "b = float(a)", np.int64(4), np.array(4)))


def test_the_marked_line_is_the_one_that_the_explainer_names():
    import minitape as tf
    space = run(examples.guilty.shown.replace("GradientTape()", "GradientTape(persistent=True)"))
    assert isinstance(space["x"], tf.Variable) and space["tape"].explain(space["y"], space["x"]).lineno == 4


def test_a_repair_tells_why_it_is_none_and_shows_the_learners_tape():
    code = examples.mend.starter.replace("np.asarray(y)", "y.numpy() * 1.0")
    outcome = tried(examples.mend, code)
    assert outcome.kind == "not yet" and outcome.idea != "nothing" and "None" in outcome.message
    board = outcome.storyboard()
    assert any(frame["act"] == "cut" for frame in board["frames"]) and "matvec" in str(board)


def test_why_is_asked_while_the_values_are_there():
    """A value that was computed before the block is gone when the answer has returned."""
    code = examples.mend.solution_code.replace("    with tf.GradientTape() as tape:\n        y =", "    y =").replace(
        "        e =", "    with tf.GradientTape() as tape:\n        e =")
    outcome = tried(examples.mend, code)
    assert outcome.idea == "computed-before" and "`tf.linalg.matvec(x, w)` ran before the tape recorded" in outcome.message


def test_a_none_among_the_pieces_of_an_answer_is_explained():
    each = examples.Function(id="ex.linear", texts=examples.TEXTS, inputs={"w": (), "x": ("n",)}, by_hand=False,
                             program="def each(w, x):\n    return «2.0 * w * x * x»\n", wrong=())
    code = """def each(w, x):
    w = tf.Variable(w)
    with tf.GradientTape(persistent=True) as tape:
        y = (w * x) ** 2.0
    return [tape.gradient(LINE, w) for k in range(len(x))]
"""
    outcome = tried(each, code.replace("LINE", "y[k]"))
    assert outcome.idea == "computed-after" and "`y[k]` ran after the `with` block" in outcome.message
    assert any(frame["act"] == "cut" for frame in outcome.storyboard()["frames"])
    assert tried(each, code.replace("LINE, w", "y, w, output_gradients=tf.one_hot(k, len(x))")).correct
    assert tried(each, "def each(w, x):\n    return [None for _ in x]").idea == "nothing", "no tape was asked"


def test_a_repair_by_hand_is_recognised():
    by_hand = "def gradient(w, x, t):\n    return 2 * x.T @ (x @ w - t)"
    assert tried(examples.mend, by_hand).idea == "without-tape"
    beside = examples.mend.solution_code.replace("reduce_sum", "reduce_mean").replace("return tape.gradient(loss, w)",
                                                                                        "return len(x) * tape.gradient(loss, w)")
    assert tried(examples.mend, beside).idea == "beside-tape"


def test_another_operator_is_another_program():
    code = examples.mend.starter.replace("np.asarray(y) - t", "y + t")
    assert tried(examples.mend, code).kind == "not yet", "no longer as it was given"
    sign = Repair(id="ex.sign", texts=examples.TEXTS, inputs={"x": ()}, by_hand=True, program="def f(x):\n    return «x - 1 <- x + 1»\n")
    assert tried(sign, sign.starter).kind == "not attempted" and tried(sign, sign.solution_code).correct


def test_a_repair_without_a_tape_is_judged_by_its_numbers():
    add = Repair(id="ex.add", texts=examples.TEXTS, inputs={"x": ()}, by_hand=True, program="""def slope(x):
    grad = {}
    for part in (x, 3.0):
        grad["x"] = «grad.get("x", 0.0) + part <- part»
    return grad["x"]
""")
    assert tried(add, add.starter).kind == "not attempted" and tried(add, add.solution_code).correct
    assert tried(add, "def slope(x):\n    return 3.0 * x\n").kind == "not yet"
    assert tried(add, "def slope(x):\n    x = tf.Variable(x)\n    with tf.GradientTape() as t:\n        y = x * x / 2 + 3 * x\n"
                      "    return t.gradient(y, x)\n").idea == "by-tape"


def test_a_program_broken_in_another_way_is_told_both_ways():
    code = examples.sever.solution_code.replace("float(w) * x", "w * x").replace("    return", "    loss = loss * 1.0\n    return")
    outcome = tried(examples.sever, code)
    assert outcome.idea == "computed-after" and "in another way" in outcome.message and "loss * 1.0" in outcome.message
    assert any(frame["act"] == "cut" for frame in outcome.storyboard()["frames"])


def test_a_break_leaves_the_values_as_they_were():
    other = tried(examples.sever, examples.sever.solution_code.replace("** 2.0", "** 3.0"))
    assert other.idea == "other-result" and "For example, with w =" in other.message
    whole = tried(examples.sever, examples.sever.starter.replace("w * x", "x * w"))
    assert whole.idea == "still-whole" and "is still a number" in whole.message
    renamed = examples.sever.starter.replace("y", "pred")
    assert tried(examples.sever, renamed).idea == "still-whole", "another name is no break"
    by_hand = "def gradient(w, x, t):\n    return np.sum((w * x - t) ** 2), None"
    assert tried(examples.sever, by_hand).idea == "none-by-hand"


def test_who_left_a_blank_is_told_in_which_cell():
    layer = Function(id="ex.layer", texts=examples.TEXTS, inputs={"x": ()}, program="""class Twice:
    def __call__(self, x):
        return «2.0 * x»

def trial(x):
    return Twice()(x)
""")
    outcome = tried(layer, layer.starter)
    assert outcome.kind == "not attempted" and "the cell that begins with `class Twice`, run it" in outcome.message


def test_what_an_answer_is_given_is_no_reason_of_a_none():
    """The line that asks for the check has made the inputs; it is no line of the learner's program."""
    lean = Function(id="ex.lean", texts=examples.TEXTS, form="tensor", by_hand=False, inputs={"x": (3,), "start": (3,)},
                    program="""def f(x, start):
    b = tf.Variable([0.0, 0.0, 0.0])
    b.assign(start)
    with tf.GradientTape() as tape:
        y = «x + b»
    return tape.gradient(y, b)
""")
    cells = f"{lean.solution_code.replace('x + b', 'x + x')}\noutcome = lean.check(f)\n"
    outcome = run(cells, {"lean": lean})["outcome"]
    assert outcome.idea == "not-used" and "y is computed without b" in outcome.message


def test_a_list_is_shown_whole_and_each_answer_gets_its_own():
    longest = Function(id="ex.longest", texts=examples.TEXTS, program="def f(steps):\n    return «len(steps)»\n",
                       inputs={"steps": lambda numbers: [*range(1, 15), float(numbers.uniform(20, 30))]})
    outcome = tried(longest, "def f(steps):\n    steps.pop()\n    return len(steps)\n")
    assert "steps = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 2" in outcome.message and len(outcome.inputs["steps"]) == 15


def test_a_rule_is_wrong_in_a_direction():
    outcome = tried(examples.product, "def rule(g, y, a, b):\n    part = (g * a).sum(axis=0)\n    part[1] = 7.25\n    return g * b, part")
    assert "direction of b[1]" in outcome.message and "Right so far: 1 of 2" in outcome.message
    assert outcome.message.count("7.25") == 1, "it is said once"
    assert set(outcome.inputs) == {"g", "y", "a", "b"}


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
    assert (outcome.kind, outcome.idea) == ("not yet", "by-tape") and "you are the tape" in outcome.message
    assert len(outcome.storyboard()["cards"]) >= 4


def test_half_right_is_said_to_be_half_right():
    code = examples.linear.starter.replace("adjoint_e = ...", "adjoint_e = 2 * e")
    outcome = tried(examples.linear, code)
    assert outcome.idea == "blank-left" and "1 of 4" in outcome.message and "adjoint_b" in outcome.message
    assert tried(examples.linear, code.replace("...", "None")).idea == "nothing"


def test_a_prediction_has_new_numbers_each_time_or_the_same_where_a_seed_is_given(monkeypatch):
    assert len({str(examples.slope.again()) for _ in range(20)}) > 3
    monkeypatch.setenv("MINITAPE_SEED", "3")
    assert len({str(examples.slope.again()) for _ in range(3)}) == 1


def test_a_program_with_branches_shows_each_of_its_tapes_and_tries_each():
    branches = examples.Make(id="ex.puzzle", texts=examples.TEXTS, inputs={"x": ()}, program=(
        "def make(x):\n    «if x > 0.0:\n        return x * x\n    return x + 1.0»\n"))
    for _ in range(20):
        shown = str(branches.question())
        assert shown.count("With x = ") == 2 and shown.count("1. Greater(x, 0)") == 2
        assert "Mul(x, x)" in shown and "Add(x, 1)" in shown
        for way in ("x * x", "x + 1.0"):
            outcome = tried(branches, f"def make(x):\n    x > 0.0\n    return {way}\n")
            assert outcome.kind == "not yet" and "With x = " in outcome.message, "right for one branch only"
    assert tried(branches, branches.solution_code).correct
    assert "With" not in str(examples.puzzle.question())


def test_an_answer_that_raises_what_a_declared_wrong_one_raises_has_its_idea():
    raising = Function(id="ex.linear", texts=examples.TEXTS, inputs={"x": ()}, program=(
        "def found(x):\n    seen = {}\n    seen['x'] = «seen.get('x', 0) + x»\n    return seen['x']\n"),
        wrong=(examples.Wrong("one-side", {"x": "seen['x'] + x"}),))
    outcome = tried(raising, "def found(x):\n    seen = {}\n    seen['x'] += x\n    return seen['x']\n")
    assert (outcome.kind, outcome.idea) == ("not yet", "one-side") and "Line 3: seen['x'] += x\nKeyError: 'x'" in outcome.message
    for other in ("seen['y'] += x", "seen += x"):
        assert tried(raising, f"def found(x):\n    seen = {{}}\n    {other}\n    return 1.0\n").kind == "your code raised"


@pytest.mark.parametrize("part", ["g @ a", "g * b[:, np.newaxis]", "np.dot(g, a)"])
def test_a_rule_whose_shapes_do_not_fit_is_told_the_shapes(part):
    outcome = tried(examples.product, f"def rule(g, y, a, b):\n    return {part}, b\n")
    g, a, b = (re.search(rf"\b{what} (\(\d,[ \d]*\))", outcome.message)[1] for what in ("g", "the part for a", "the part for b"))
    assert g == a != b and f"Line 2: return {part}, b" in outcome.message
    assert "core dimension" not in outcome.message and "broadcast" not in outcome.message
    assert "invalid literal" in tried(examples.product, "def rule(g, y, a, b):\n    return int('a'), b\n").message


def test_where_no_card_is_missing_none_are_counted():
    more = tried(examples.puzzle, "def make(x, w):\n    return (x * x - tf.sin(w)) * 3.0 + x\n")
    less = tried(examples.puzzle, "def make(x, w):\n    return x * x - tf.sin(w)\n")
    assert more.idea == "too-many-cards" and "As they should be" not in more.message and "3 of 4 cards" in less.message


def test_the_figures():
    """Runs last: what the report says of the machine."""
    for name, (refused, count, kinds) in FIGURES.items():
        print(f"{name}: {refused} of {count} wrong solutions refused ({', '.join(kinds)}); {len(RIGHT[name])} right ones accepted")
