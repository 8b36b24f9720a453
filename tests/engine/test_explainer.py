"""Who answers for a gradient that is None: the explainer, or the innermost block of this thread
that says otherwise.
"""

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from threading import Barrier
from types import SimpleNamespace

import pytest

import minitape as tf
from minitape.engine.base.hook import Hook
from minitape.engine.explainer import EXPLAINER, answering_none, unwarned


@pytest.fixture
def warned(monkeypatch):
    """A function that asks for a gradient that is None, and returns whether the explainer was told
    of it.
    """
    reported = []
    monkeypatch.setattr(
        EXPLAINER, "load", lambda: SimpleNamespace(on_none=lambda tape, *_: reported.append(tape))
    )

    def ask():
        with tf.GradientTape() as tape:
            pass
        assert tape.gradient(tf.constant(1.0), tf.Variable(1.0)) is None
        return tape in reported

    return ask


def test_blocks_that_overlap_end_one_by_one(warned):
    first, second = unwarned(), unwarned()
    assert warned()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not warned()
    second.__exit__(None, None, None)
    assert warned()


def test_generators_that_take_turns_leave_nothing_behind(warned):
    def silent():
        with unwarned():
            yield warned()
        yield warned()

    one, other = silent(), silent()
    assert [next(one), next(other), next(one), next(other)] == [False, False, False, True]
    assert warned()


def test_threads_are_silent_each_for_itself(warned):
    """Two blocks overlap in time, the first to begin is the first to end, and a third thread is
    never inside of one.
    """
    turn = Barrier(3)

    def first():
        with unwarned():
            turn.wait()
            turn.wait()
            inside = warned()
        turn.wait()
        return inside, warned()

    def second():
        turn.wait()
        with unwarned():
            turn.wait()
            turn.wait()
            inside = warned()
        return inside, warned()

    def neither():
        turn.wait()
        turn.wait()
        inside = warned()
        turn.wait()
        return inside, warned()

    with ThreadPoolExecutor(3) as pool:
        reported = [
            found.result(timeout=60)
            for found in [pool.submit(each) for each in (first, second, neither)]
        ]
    assert reported == [(False, True), (False, True), (True, True)] and warned()


def test_a_block_that_ends_elsewhere_has_ended_here(warned):
    """A generator may be closed by another thread, or in another task."""

    def silent():
        with unwarned():
            yield

    generator = silent()
    next(generator)
    assert not warned()
    copy_context().run(generator.close)
    assert warned()


def test_the_innermost_block_answers(warned):
    heard = []
    with unwarned(), answering_none(lambda tape, play, gradients: heard.append(gradients)):
        assert not warned() and heard == [[None]]
        with unwarned():
            assert not warned() and len(heard) == 1
    assert warned() and len(heard) == 1


def test_a_hook_that_nobody_filled_says_what_is_missing():
    hook = Hook("a player")
    assert not hook.filled
    with pytest.raises(LookupError, match="Nobody provides a player"):
        hook()
    hook.fill(lambda: 3)
    assert hook.filled and hook() == 3
    hook.empty()
    assert not hook.filled
