"""A tape that a learner writes: it is refused with the step where it leaves the right way, and that
is what the picture shows.
"""

import functools
import re
import sys

import pytest

from minitape.exercises import exercise
from minitape.exercises.program import run, same_code
from minitape.sentences import speaking
from minitape.storyboard.player import PLAYER
from tests.exercises.answers import TAPES


def tried(identity, wrong):
    found = exercise(identity)
    return found.try_out(found.defined(found.wrong_code(wrong)))


@functools.cache
def refused(identity):
    """Returns each wrong tape that is declared with what is said of it: [(wrong, outcome)]."""
    return [(wrong, tried(identity, wrong)) for wrong in exercise(identity).wrong]


@pytest.mark.parametrize("identity", TAPES)
def test_a_wrong_tape_is_shown_where_it_leaves_the_right_way(identity):
    """One that is refused before it is played is shown as far as it was recorded."""
    shown = played = 0
    for wrong, outcome in refused(identity):
        assert (outcome.kind, outcome.idea) == ("not yet", wrong.idea), wrong.answer
        if outcome.board is not None:
            board = outcome.storyboard()
            shown += 1
            played += board.departure is not None
            assert board["cards"] and board.departure_frame <= len(board["frames"])
            if board.departure is not None and identity not in TAPES[:2]:
                assert board.departure.sentence() in outcome.message and board.departure_frame > 0
    assert shown > 3 and (played > 3 or identity in TAPES[:2])


@pytest.mark.parametrize("identity", TAPES)
def test_a_right_tape_is_shown_whole(identity):
    found = exercise(identity)
    outcome = found.try_out(found.defined(found.solution_code))
    assert outcome.correct and outcome.storyboard().departure is None


def test_a_player_begins_where_the_tape_leaves_the_right_way(monkeypatch):
    begun = []
    monkeypatch.setattr(
        PLAYER, "load", lambda: lambda board, start: begun.append((board.departure_frame, start))
    )
    tried(
        "14.numbers",
        next(wrong for wrong in exercise("14.numbers").wrong if wrong.idea == "overwritten"),
    ).play()
    assert begun and begun[0][0] == begun[0][1] > 0


def test_play_shows_the_tape_that_was_looked_at_last_with_its_numbers(monkeypatch):
    """Tried once more it would have other numbers than the message above it."""
    monkeypatch.setattr(PLAYER, "load", lambda: lambda board, start: board)
    found = exercise("14.numbers").fixed(None)
    with speaking("en"):
        assert "First check" in found.play()
        wrong = next(wrong for wrong in found.wrong if wrong.idea == "overwritten")
        outcome = found.check(found.defined(found.wrong_code(wrong)))
        assert found.play().departure.sentence() in outcome.message
        assert found.check(found.defined(found.starter)) is found.play()


def test_the_line_that_is_named_is_in_the_cell_of_the_answer():
    """What raises there may stand in a cell above, in the learner's own `run`."""
    found = exercise("14.net")
    space = run(found.prelude)
    code = found.solution_code.replace('"sin"', '"relu"')
    made = run(f"{code}\n", dict(space))
    outcome = found.try_out(made["step"])
    assert outcome.idea == "op-name" and 'run("relu"' in outcome.message, outcome.message


def test_of_two_ideas_with_one_fault_the_one_with_the_same_answers_is_said():
    """A loop forwards and one that keeps no part both play the last card alone."""
    said = {
        wrong.idea: outcome
        for wrong, outcome in refused("14.numbers")
        if wrong.idea in ("skipped", "not-added")
    }
    assert {idea: outcome.idea for idea, outcome in said.items()} == {i: i for i in said}
    sentences = [outcome.storyboard().departure.key for outcome in said.values()]
    assert sentences == ["skipped", "skipped"]


def test_an_entry_whose_inputs_are_no_list_is_no_error_of_the_learners():
    found = exercise("14.numbers")
    space = {"Whole": found.defined(found.solution_code)}
    exec(
        "class Own(Whole):\n    entries = property(lambda self: [('sin', 0, 1, (1.0, 0.84))], "
        "lambda self, given: None)",
        space,
    )
    outcome = found.try_out(space["Own"])
    assert outcome.idea == "shared", outcome.message


def test_stages_count_and_what_is_right_so_far_is_said():
    found = exercise("14.numbers")
    blank = found.defined(found._program.edited({"x": "..."}))
    outcome = found.try_out(blank)
    assert (outcome.kind, outcome.idea, outcome.right) == ("not yet", "blank-left", 2)
    with speaking("fr"):
        assert "2 sur 7" in found.try_out(blank).message


NO_TAPES = {
    "a number": "NumberTape = 3",
    "nothing": "NumberTape = None",
    "a function": "def NumberTape():\n    return None",
    "an empty class": "class NumberTape:\n    pass",
    "a text for entries": "class NumberTape(NumberTape):\n    entries = always('abc')",
    "no entries": "class NumberTape(NumberTape):\n    def run(self, op, *inputs):\n        "
    "return self.source(1.0)",
    "no steps": "class NumberTape(NumberTape):\n    steps = always([])",
    "half a step": "class NumberTape(NumberTape):\n    steps = always([(0, 1.0)])",
    "invented entries": "class NumberTape(NumberTape):\n    entries = always([('add', (0, 1), 2, "
    "(1.0, 2.0, 3.0))])",
    "a text for an answer": "class NumberTape(NumberTape):\n    def gradient(self, target, "
    "sources):\n        return ['1'] * len(sources)",
    "None for an answer": "class NumberTape(NumberTape):\n    def gradient(self, target, "
    "sources):\n        return [None] * len(sources)",
    "one answer": "class NumberTape(NumberTape):\n    def gradient(self, target, sources):\n"
    "        return 1.0",
    "silent about its way": "class NumberTape(NumberTape):\n    def gradient(self, target, "
    "sources):\n        return [1.0] * len(sources)",
    "an endless loop": "class NumberTape(NumberTape):\n    def gradient(self, target, sources):\n"
    "        while True:\n            pass",
    "an error": "class NumberTape(NumberTape):\n    def run(self, op, *inputs):\n        raise "
    "SystemExit(3)",
}


CLOCK = pytest.mark.system("threads: one is the clock that ends an answer")


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(code, id=name, marks=CLOCK if "endless" in name else ())
        for name, code in NO_TAPES.items()
    ],
)
def test_what_is_no_tape_is_refused_in_words(code, monkeypatch):
    monkeypatch.setattr(sys.modules["minitape.exercises.exercise"], "SECONDS", 1.0)
    found = exercise("14.numbers")
    space = run(found.prelude + found.solution_code)
    space["always"] = lambda value: property(lambda self: list(value), lambda self, given: None)
    exec(code, space)
    outcome = found.try_out(space["NumberTape"])
    assert outcome.kind in ("not yet", "your code raised") and outcome.message
    repr(outcome)


def test_where_code_raised_its_line_is_named_and_not_what_is_missing_at_the_end():
    found = exercise("14.arrays")
    outcome = found.try_out(found.defined(found._program.edited({"g @ b.T, ": "nothing, "})))
    assert outcome.kind == "your code raised" and "(nothing, a" in outcome.message


def test_an_error_that_is_expected_is_named_with_its_line_and_its_idea():
    found = exercise("14.numbers")
    outcome = found.try_out(
        found.defined(
            found._program.edited(
                {"adjoints[n] = adjoints.get(n, 0.0) + part": "adjoints[n] += part"}
            )
        )
    )
    assert (
        outcome.idea == "nothing-yet"
        and "adjoints[n] += part" in outcome.message
        and "KeyError" in outcome.message
    )


@pytest.mark.parametrize(
    ("identity", "edits", "idea"),
    [
        (
            "14.numbers",
            {
                "for k in reversed(range(len(self.entries)))": "for k in reversed(range(1, "
                "len(self.entries)))"
            },
            "first-place",
        ),
        (
            "14.arrays",
            {"(g * np.ones_like(x) / x.size,)": "(np.full(x.shape, g / x.size))"},
            "comma",
        ),
        ("14.arrays", {"(g @ b.T, a.T @ g)": "(b @ g, a @ g)"}, "shape"),
        (
            "14.nesting",
            {"adjoints[n], part) if n in adjoints else part": "part, adjoints.get(n, 0))"},
            "no-value",
        ),
    ],
)
def test_who_does_what_a_declared_wrong_tape_does_has_its_idea(identity, edits, idea):
    """Where the tape leaves the right way, or raises, the place alone would tell of something else:
    a shape, a card never played.
    """
    found = exercise(identity)
    outcome = found.try_out(found.defined(found._program.edited(edits)))
    assert outcome.idea == idea and found.idea(idea) in outcome.message, outcome.message


@pytest.mark.parametrize("identity", TAPES)
def test_a_refusal_says_each_thing_once_and_calls_values_as_the_picture_does(identity):
    for _, outcome in refused(identity):
        said = outcome.message
        assert (
            not re.search(r"#\d|NotYet|gave ,", said)
            and said.count("go through run") + said.count("goes through run") < 2
        ), said


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x * 2", "x * 3"),
        ("x * 2.0", "x * 3.0"),
        ("x + y", "x - y"),
        ("x < y", "x <= y"),
        ("x is y", "x is not y"),
        ("x in y", "x not in y"),
        ("x[0]", "x[1]"),
        ("x.a", "x.b"),
        ("f'{x:.2f}'", "f'{x:.3f}'"),
        ("[x * 2 for x in y]", "[x * 3 for x in y]"),
        ("lambda: x * 2", "lambda: x * 3"),
    ],
)
def test_code_that_differs_in_anything_is_another(one, other):
    first, again, second = (
        run(f"{lines}def f(x, y):\n    return {text}")["f"].__code__
        for lines, text in (("", one), ("\n\n", one), ("", other))
    )
    assert same_code(first, again) and not same_code(first, second)
