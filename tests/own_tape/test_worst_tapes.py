"""The worst that can be given as a tape: it is refused in a sentence, and at once; the longest that
can be drawn costs twice as much as one of half its length.
"""

import sys

import pytest

from minitape.engine.ops.record import OPS
from minitape.own_tape import OwnTape, storyboard
from minitape.own_tape.given import operation
from minitape.storyboard.contract import fault
from tests.storyboard.storyboard_contract import check


def nested(depth=50_000):
    found = []
    for _ in range(depth):
        found = [found]
    return found


ONE = ("multiply", (1, 1), 2, (3.0, 3.0, 9.0))
WORST = {
    "an entry": lambda bad: ([bad],),
    "an operation": lambda bad: ([(bad, *ONE[1:])],),
    "a value": lambda bad: ([(*ONE[:3], (bad, 3.0, 9.0))],),
    "attributes": lambda bad: ([(*ONE, bad)],),
    "an attribute": lambda bad: ([(*ONE, {"axis": bad})],),
    "a step": lambda bad: ([ONE], [bad]),
    "a place": lambda bad: ([ONE], [(bad, 1.0, {0: 3.0})]),
    "an adjoint": lambda bad: ([ONE], [(0, bad, {0: 3.0})]),
    "a part": lambda bad: ([ONE], [(0, 1.0, {0: bad})]),
    "an answer": lambda bad: ([ONE], None, {1: bad}),
}


@pytest.mark.parametrize("bad", [nested(), 10**5000, "([" * 50_000], ids=["deep", "huge", "long"])
@pytest.mark.parametrize("where", WORST)
def test_the_worst_tape_is_refused_in_a_sentence(where, bad):
    with pytest.raises((TypeError, ValueError), match=r"entries|steps|gradients") as refused:
        OwnTape(*WORST[where](bad))
    assert len(str(refused.value)) < 600


@pytest.mark.parametrize("name", ["\0", "\ud800", "<div>" * 40])
def test_the_oddest_names_are_drawn(name):
    board = storyboard([(name, *ONE[1:])], names={1: name}, title=name)
    check(board)
    assert fault(board) == ""


def test_as_much_as_a_picture_holds():
    wide = [
        ("add", tuple(range(k, k + 1000)), k + 1000, [1.0] * 1001) for k in range(0, 11_011, 1001)
    ]
    with pytest.raises(ValueError, match="entries, inputs: more than 10000"):
        OwnTape(wide)
    assert len(OwnTape(wide[:10]).values) == 10_010
    with pytest.raises(ValueError, match="names: a name has 200 letters at most"):
        OwnTape([ONE], names={1: "x" * 201})


def chain(count, leaf, part=1.0):
    """A chain of products with these leaves, and the way back; of the parts, each is `part`."""
    entries = [("*", (("y", k), leaf(k)), ("y", k + 1), (1.0, 1.0, 1.0)) for k in range(count)]
    return entries, [(k, 1.0, {0: 1.0, 1: part}) for k in range(count - 1, -1, -1)]


def lines_of(run):
    """Returns how many lines Python goes through, a turn of a loop counted as one."""
    count = 0

    def look(frame, event, argument):
        nonlocal count
        count += 1
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        run()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(
    "tape",
    [
        lambda count: chain(count, lambda k: "w"),
        lambda count: chain(count, lambda k: ("w", k)),
        lambda count: (*chain(count, lambda k: ("w", k)), {("w", k): 1.0 for k in range(count)}),
        lambda count: chain(count, lambda k: "w", part=2.0),
    ],
    ids=["one leaf", "a leaf each", "answers", "wrong parts"],
)
def test_a_long_tape_costs_as_much_for_each_entry(tape):
    """Of each value all steps were asked, of each source all acts: 2,000 entries took 1.7 s."""
    storyboard(*tape(100))  # what is found once, such as names
    short, long = (lines_of(lambda count=count: storyboard(*tape(count))) for count in (150, 600))
    assert long < 4.4 * short, (short, long)


def test_an_operation_is_found_though_the_table_has_grown(monkeypatch):
    assert operation("reduce_sum") == "Sum" and operation("my row") == "my row"
    monkeypatch.setitem(OPS, "MyRow", OPS["Sum"])
    assert operation("my_row") == "MyRow"
