"""The clock of an answer: what counts is how long it computes, and where it waits, the time on the
wall.
"""

import sys
import threading
import time

import pytest

import tests.exercises.examples as examples
from minitape.exercises import Function, Wrong, guard

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
    clock.budget.look(clock.pause)
    assert clock.budget.left == 5.0 - guard.PATIENCE


def test_a_machine_that_stood_still_ends_no_quick_answer():
    clock = guard._Clock(0.4)
    clock.since = clock.since[0] - 60, clock.since[1]
    clock._count()
    clock.budget.look(clock.pause)
    assert clock.budget.left > 0.2


def never():
    while True:
        pass


def of_the_check(function):
    """Calls a function of the check's own; says whether it did not end."""
    try:
        guard.off_the_clock(function)()
    except TimeoutError:
        return True
    return False


def test_what_is_compared_and_does_not_end_takes_none_of_an_answers_time(monkeypatch):
    monkeypatch.setattr(guard, "WAITING", 0)
    assert guard.within(0.4, lambda: [of_the_check(never) for _ in range(2)]) == [True] * 2, (
        "0.4 seconds each"
    )


def test_what_is_compared_gives_an_answer_no_time(monkeypatch):
    """Each turn of the answer is shorter than the time between two looks, and begins after another
    budget.
    """
    monkeypatch.setattr(guard, "WAITING", 0)
    with pytest.raises(guard.TooLong):
        guard.within(
            0.4, lambda: [computes(0.02) and of_the_check(lambda: None) for _ in range(500)]
        )


def test_each_that_is_compared_has_its_time_also_one_inside_of_another(monkeypatch):
    monkeypatch.setattr(guard, "WAITING", 0)

    def inner():
        computes(0.25)
        found.append(of_the_check(never))
        computes(0.25)

    found = []
    assert guard.within(0.4, lambda: (of_the_check(inner), of_the_check(lambda: None))) == (
        True,
        False,
    )
    assert found == [True]


def test_a_check_starts_one_clock(monkeypatch):
    started, start = [], threading.Thread.start
    monkeypatch.setattr(
        threading.Thread, "start", lambda thread: (started.append(thread), start(thread))
    )
    tried = Function(
        id="twelve.total",
        texts=examples.TEXTS,
        inputs={"x": ("n",)},
        program="def total(x):\n    return «x + x»\n",
        wrong=tuple(Wrong("half", {"return": f"x * {k + 3}.0"}) for k in range(12)),
    )
    assert tried.check(lambda x: x * 14.0).idea == "half", "the last one of twelve"
    assert len(started) == 1


def test_what_rings_at_its_end_is_never_heard_later(monkeypatch):
    """The clock rings at the very moment at which what is compared is there, many times: all or
    nothing, and the answer does not hear of it.
    """
    made, rung, interval = [], [], sys.getswitchinterval()

    class Budget(guard._Budget):
        def __init__(self, seconds):
            super().__init__(seconds if not made else 0.0)  # the first is the answer's
            made.append(self)

        def look(self, pause):
            if super().look(pause) and self.rung == 1:
                rung.append(self)
                return True
            return False

    def many():
        while len(rung) < 20:
            of_the_check(lambda: sum(range(2000)))

    monkeypatch.setattr(guard, "_Budget", Budget)
    monkeypatch.setattr(guard, "PATIENCE", 1e-5)
    sys.setswitchinterval(1e-5)
    try:
        guard.within(50.0, many)
        sum(range(100_000))  # nothing arrives late
        time.sleep(0.01)
    finally:
        sys.setswitchinterval(interval)
    assert made[0] not in rung


def test_a_clock_ends_also_where_it_was_not_stopped(monkeypatch):
    """It may ring once more than was reckoned with. One that goes on takes the lock of Python from
    whatever runs later, for ever.
    """

    def rings(clock):
        clock.budget.rung = 1
        clocks.append(clock)
        raise guard.TooLong

    clocks = []
    monkeypatch.setattr(guard._Clock, "stop", rings)
    with pytest.raises(guard.TooLong):
        guard.within(0.4, lambda: 7)
    clocks[0].join(60)
    assert not clocks[0].is_alive() and guard._running.get() is None
