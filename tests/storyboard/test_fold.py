"""Folding: no drawing has more than a dozen boxes, whatever the program; calls, loops and lines are
found where they are.
"""

from hypothesis import given
from hypothesis import strategies as st

from minitape.storyboard.stage.calls import calls_of
from minitape.storyboard.stage.fold import MOST, Card, fold


def say(key, **params):
    return f"{key} {params}"


def folded(cards, steps=()):
    return fold(cards, lambda card: "for", lambda line: f"line {line[1]}", say, steps)


def boxes_of(groups):
    """Returns {group or None: its boxes}."""
    found = {}
    for index, row in enumerate(groups.rows):
        found.setdefault(row["parent"], []).append(index)
    for card, group in enumerate(groups.of_card):
        found.setdefault(group, []).append(("card", card))
    return found


scopes = st.lists(st.sampled_from("abc"), max_size=2)
programs = st.lists(st.tuples(st.integers(0, 30), scopes, st.integers(1, 60)), max_size=400)


@given(programs)
def test_no_drawing_has_more_than_a_dozen_boxes(program):
    number, cards, before = 0, [], []
    for key, around, line in program:
        number += around != before
        before = around
        cards.append(
            Card(
                key,
                tuple((f"{number}{depth}", name, "layer") for depth, name in enumerate(around)),
                (0, line),
            )
        )
    groups = folded(cards)
    for group, boxes in boxes_of(groups).items():
        assert len(boxes) <= MOST or groups.rows[group]["kind"] == "loop"
    # each card lies in its groups, and groups lie in each other
    for card, group in enumerate(groups.of_card):
        while group is not None:
            row = groups.rows[group]
            assert row["cards"][0] <= card <= row["cards"][1]
            assert (
                row["parent"] is None or groups.rows[row["parent"]]["cards"][0] <= row["cards"][0]
            )
            group = row["parent"]
    loops = [index for index, row in enumerate(groups.rows) if row["kind"] == "loop"]
    assert not set(groups.of_card) & set(loops)  # every card of a loop lies in one of its rounds


def test_a_loop_is_one_stack_of_rounds():
    groups = folded([Card("a"), *[Card("b"), Card("c"), Card("d")] * 50, Card("e")])
    assert [(row["kind"], row["cards"]) for row in groups.rows[:3]] == [
        ("loop", [1, 150]),
        ("round", [1, 3]),
        ("round", [4, 6]),
    ]
    assert len(boxes_of(groups)[None]) == 3 and len(groups.rows) == 51


def test_a_loop_of_one_operation_is_a_stack_too():
    groups = folded([Card("b")] * 100)
    assert [row["kind"] for row in groups.rows] == ["loop"] + ["round"] * 100


def test_a_few_rounds_stand_beside_each_other():
    groups = folded([Card("a"), Card("b")] * 4)
    assert [(row["kind"], row["parent"]) for row in groups.rows] == [("round", None)] * 4
    assert folded([Card("a")] * 4).rows == []


def test_a_loop_in_a_round():
    inner = [Card("i")] * 6
    groups = folded([Card("a"), *inner, Card("z")] * 7)
    kinds = [row["kind"] for row in groups.rows]
    assert kinds.count("loop") == 8 and kinds.count("round") == 7 + 7 * 6


def test_calls_in_a_loop_are_its_rounds():
    cards = [Card(key, ((number, "cell()", "function"),)) for number in range(30) for key in "xyz"]
    groups = folded(cards)
    assert [row["kind"] for row in groups.rows] == ["loop"] + ["round"] * 30
    groups = folded(
        [
            card
            for number in range(30)
            for card in (*cards[3 * number : 3 * number + 3], Card("between"))
        ]
    )
    assert {row["kind"] for row in groups.rows} == {"loop", "round", "function"}


def test_a_call_that_is_all_there_is_needs_no_box():
    groups = folded(
        [
            Card(key, ((1, "model()", "function"), (2 + key // 3, f"Dense{key // 3}", "layer")))
            for key in range(9)
        ]
    )
    assert [row["label"] for row in groups.rows] == ["Dense0", "Dense1", "Dense2"]


def test_what_is_left_is_put_together_by_lines():
    cards = [Card(3 * line + part, (), (0, line)) for line in range(1, 11) for part in range(3)]
    groups = folded(cards)
    assert [row["label"] for row in groups.rows] == [f"line {line}" for line in range(1, 11)]
    many = folded(
        [Card(3 * line + part, (), (0, line)) for line in range(1, 61) for part in range(3)]
    )
    top = [row for row in many.rows if row["parent"] is None]
    assert (
        len(top) == 12
        and top[0]["label"].startswith("text.fold.lines")
        and "'first': 1, 'last': 5" in top[0]["label"]
    )


def test_many_steps_of_a_training_are_a_stack():
    steps = [(f"Step {n + 1}", 2 * n, 2 * n + 1) for n in range(20)]
    groups = folded([Card("a"), Card("b")] * 20, steps)
    assert [row["kind"] for row in groups.rows] == ["loop"] + ["step"] * 20
    assert [row["kind"] for row in folded([Card("a"), Card("b")] * 4, steps[:4]).rows] == [
        "step"
    ] * 4


def test_calls_are_read_off_the_order_of_places():
    main, f, g, lambda_ = (
        (lambda: 0).__code__.replace(co_name=name, co_qualname=name)
        for name in ("main", "f", "g", "<lambda>")
    )
    places = [(main, 0), (f, 1), (g, 1), (g, 2), (f, 2), (f, 1), (lambda_, 0), None, (g, 1), (f, 1)]
    found = calls_of(places, [main], lambda place: False)
    names = [[name for _, name, _ in scope] for scope in found]
    assert names == [
        [],
        ["f()"],
        ["f()", "g()"],
        ["f()", "g()"],
        ["f()"],
        ["f()"],
        ["f()"],
        [],
        ["g()"],
        ["g()", "f()"],
    ]
    assert found[1] == found[4] and found[4] != found[5]  # going back in f is another call of it
    again = calls_of(places, [main], lambda place: True)
    assert again[4] == again[5]  # but in a loop of f it is the same


def test_one_call_after_the_other_is_not_one_within_the_other():
    def f(x):
        return x

    def k(x):
        return x

    def g(x):
        return f(x) * [k(v) for v in x]

    def h(handed):
        return handed(1)

    def main():
        return f(1) + g(2) + h(k)

    places = [
        (function.__code__, offset)
        for function, offset in ((f, 1), (g, 1), (f, 1), (k, 1), (g, 2), (h, 1))
    ]
    found = calls_of(places, [main.__code__], lambda place: False)
    assert [[name for _, name, _ in scope] for scope in found] == [
        ["f()"],
        ["g()"],
        ["g()", "f()"],
        ["g()", "k()"],
        ["g()"],
        ["h()"],
    ]


def test_a_layer_is_called_by_its_name():
    class Net:
        def call(self):
            pass

        def step(self):
            pass

    def call():
        pass

    found = [
        calls_of([(function.__code__, 0)], [], lambda place: False)
        for function in (Net.call, Net.step, call)
    ]
    assert [scopes[0][0][1] for scopes in found] == ["Net", "step()", "call()"]
