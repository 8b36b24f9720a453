"""A play in an order of one's own: its numbers are those that this order truly gives, and each act
says what goes wrong.
"""

import itertools

import pytest
import storyboard_contract as contract

import minitape as tf
from minitape.storyboard import build
from minitape.storyboard.text.captions import caption, key_of


def diamond(persistent=False):
    x = tf.Variable(2.0)
    with tf.GradientTape(persistent=persistent) as tape:
        a = 3 * x
        b = a * a
        c = 5 * a
        y = b + c
    return tape, y, x


def by_hand(order):
    """The play of the diamond in an order, as a learner would write it: an adjoint is used as it is
    when its card's turn comes.
    """
    a = 6.0
    local = {4: [("b", 1.0), ("c", 1.0)], 3: [("a", 5.0)], 2: [("a", a), ("a", a)], 1: [("x", 3.0)]}
    made, adjoint = {1: "a", 2: "b", 3: "c", 4: "y"}, {"y": 1.0}
    for card in order:
        if made[card] in adjoint:
            for value, slope in local[card]:
                adjoint[value] = adjoint.get(value, 0.0) + adjoint[made[card]] * slope
    return adjoint.get("x")


def captions(board):
    return {caption(board, k) for k in range(len(board["frames"]) + 1)}


def test_every_order_gives_the_gradient_that_it_gives_by_hand():
    tape, y, x = diamond()
    for order in itertools.permutations([1, 2, 3, 4]):
        board = build(tape, y, x, order=order)
        contract.check(board)
        result = None if board.gradients is None else float(board.gradients)
        assert result == by_hand(order), order
        visits = [frame["card"] + 1 for frame in board["frames"] if frame["act"] == "visit"]
        assert visits == list(order)
    assert float(tape.gradient(y, x)) == 51.0  # the tape was not used up


def test_what_is_late_and_what_is_early_is_said():
    board = build(*diamond(), order=[4, 2, 1, 3])
    described = [
        (frame["act"], frame.get("card", -1) + 1, key_of(board, frame))
        for frame in board["frames"]
        if frame["act"] != "record"
    ]
    assert ("visit", 1, "visit.early") in described and ("part", 3, "part.late") in described
    assert {
        "So far 2 parts have come to a. They add up to 12.0.",
        "The third a receives 5.0, but too late: the card that made a has been played. This part "
        "goes no further.",
        "In this order, 36.0 comes out for x: what came too late is missing.",
    } <= captions(board)
    assert not any(text.startswith("The gradient of") for text in captions(board)), (
        "what came out is no gradient"
    )
    assert {
        "Card 1, Mul. It is played too early: no part has come to a yet. The card has nothing to "
        "send.",
        "The gradient of y with respect to x is None. In this order no part ever came to x.",
    } <= captions(build(*diamond(), order=[4, 1, 2, 3]))


def test_an_order_in_which_the_tape_may_be_played_is_told_as_ever():
    tape, y, x = diamond(persistent=True)
    plain = build(tape, y, x)
    assert build(tape, y, x, order=[4, 3, 2, 1]).text() == plain.text()
    other = build(tape, y, x, order=[4, 2, 3, 1])
    assert other.gradients == plain.gradients and not any(
        str(frame.get("key")).endswith((".late", ".early")) for frame in other["frames"]
    )


@pytest.mark.parametrize(
    "order", [[1, 2], [1, 2, 3, 4, 5], "4321", [4.0, 3, 2, 1], 5, [1, 1, 2, 3], []]
)
def test_an_order_that_is_none_is_refused(order):
    tape, y, x = diamond()
    with pytest.raises(ValueError, match="order names each card from 1 to 4 once") as refused:
        build(tape, y, x, order=order)
    assert not tape.used
    # what a notebook shows of it
    assert refused.value._render_traceback_() == [f"ValueError: {refused.value}"]


def test_an_order_goes_with_a_gradient_only():
    tape, y, x = diamond()
    for more in ({"jacobian": True}, {"predict": True}):
        with pytest.raises(ValueError, match="in an order of your own"):
            build(tape, y, x, order=[4, 3, 2, 1], **more)
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match="persistent"):
        build(tape, y, x, order=[4, 3, 2, 1])
