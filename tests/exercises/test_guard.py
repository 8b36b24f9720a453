"""The clock of an answer: what counts is how long it computes, and where it waits, the time on the
wall.
"""

import time

import pytest

from minitape.exercises import guard

pytestmark = pytest.mark.system("threads: one is the clock that ends an answer")


def computes(seconds, pause=0.0):
    """Computes for so long, in short turns, with a pause after each: as on a machine that others
    keep busy.
    """
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        turn = min(time.thread_time() + 0.01, end)
        while time.thread_time() < turn:
            pass
        time.sleep(pause)
    return seconds


@pytest.mark.skipif(
    not hasattr(time, "pthread_getcpuclockid"),
    reason="this system does not tell the time of another thread",
)
def test_what_others_compute_takes_none_of_an_answers_time(monkeypatch):
    # a very busy machine leaves an answer less than that share
    monkeypatch.setattr(guard, "WAITING", 0)
    assert guard.within(0.3, lambda: computes(0.15, pause=0.03)) == 0.15, (
        "0.15 seconds of its own, 0.6 on the wall"
    )
    with pytest.raises(guard.TooLong):
        guard.within(0.4, lambda: computes(3.0, pause=0.01))


def test_an_answer_that_hardly_computes_is_ended_by_the_clock_on_the_wall():
    began = time.monotonic()
    with pytest.raises(guard.TooLong):
        guard.within(0.4, lambda: [time.sleep(0.02) for _ in range(2500)])
    assert time.monotonic() - began < 50, "ended before its sleeps are over"


def test_a_machine_that_stood_still_takes_the_time_of_one_look():
    clock = guard._Clock(5.0)
    clock.since = clock.since[0] - 60, clock.since[1]
    clock._count()
    assert clock.left == 5.0 - guard.PATIENCE


def test_a_machine_that_stood_still_ends_no_quick_answer():
    clock = guard._Clock(0.4)
    clock.since = clock.since[0] - 60, clock.since[1]
    clock._count()
    assert clock.left > 0.2
