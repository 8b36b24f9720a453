"""A position is the same, however often the program came there, and on every Python."""

import dis

import minitape as tf
from minitape.engine.base.where import settled
from minitape.storyboard import Film, develop


def test_a_warm_instruction_is_the_same():
    """Python calls `rows[0]` of a class at the beginning of the instruction, and at its end when it
    has warmed up.
    """
    code = (lambda rows: rows[0]).__code__
    first = next(
        each.offset for each in dis.get_instructions(code) if each.opname.startswith("BINARY_")
    )
    after = next(each.offset for each in dis.get_instructions(code) if each.offset > first)
    assert after > first + 2 and {
        settled(code, offset)[1] for offset in range(first, after, 2)
    } == {first}


def test_a_loop_is_drawn_round_by_round_when_it_has_warmed_up():
    def rounds(values):
        loss = 0.0
        for i in range(20):
            loss += tf.square(values[i])
        return loss

    with Film() as film, tf.GradientTape() as tape:
        x = tf.ones([20])
        tape.watch(x)
        rounds(x)
    cards = develop(film)["cards"]
    groups = sorted({card["group"] for card in cards})
    assert len(cards) == 60 and groups == list(range(groups[0], groups[0] + 20))
