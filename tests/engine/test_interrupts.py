"""Ctrl-C at every moment: nothing goes on recording, and nothing is wrong afterwards.

An interrupt is injected at one moment after the other at which Python looks for signals, in the
engine and in the program itself; then real signals come at random. Afterwards nobody may listen, a
fresh program must give its gradient, and what the broken program left behind (its tape, its values)
must be right or refuse.
"""

import gc
import os
import random
import signal
import sys
from pathlib import Path

import numpy as np
import pytest

import minitape as tf
from minitape.engine.base.listeners import active, onlookers
from minitape.engine.base.safe_exit import SafeExit
from minitape.storyboard import Film, develop

pytestmark = pytest.mark.filterwarnings("ignore")
FOLDER = str(Path(tf.__file__).parent) + os.sep
FEW, MANY = 300, 3000  # interrupts per program: in every run, and in `make test-long`


def plain(left):
    x = left["x"] = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        left["tape"] = tape
        for k in range(3):
            left["y", k] = x * x + k * x
    return tape.gradient(left["y", 2], x)


def nested(left):
    x = left["x"] = tf.Variable(3.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            left["tape"] = tape
            left["y", 2] = x * x * x
        slope = tape.gradient(left["y", 2], x)
    return outer.gradient(slope, x)


def stopped(left):
    x = left["x"] = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        left["tape"] = tape
        left["y", 0] = x * x
        with tape.stop_recording():
            tape.gradient(left["y", 0], x)
        left["y", 2] = left["y", 0] * x
    return tape.gradient(left["y", 2], x)


def assigned(left):
    x = left["x"] = tf.Variable(3.0)
    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = (x - 1.0) ** 2
        x.assign_sub(0.1 * tape.gradient(loss, x))
    return x


def traced(left):
    x = left["x"] = tf.Variable(3.0)

    @tf.function
    def f(a):
        return a * a + x

    with tf.GradientTape() as tape:
        y = f(tf.constant(2.0)) * x
    return tape.gradient(y, x)


def filmed(left):
    x = left["x"] = tf.Variable(3.0)
    with Film() as film:
        left["film"] = film
        with tf.GradientTape() as tape:
            left["tape"] = tape
            left["y", 2] = x * x * x
        slope = tape.gradient(left["y", 2], x)
    return slope


PROGRAMS = [plain, nested, stopped, assigned, traced, filmed]


def injected(program, moment):
    """Run a program with an interrupt at its moment number `moment`. Return (what it left, its
    result or None, how many moments).

    The moments are those at which Python looks for signals: where a function begins, and after each
    call of a built-in one.
    """
    count, left = 0, {}

    def profile(frame, event, argument):
        nonlocal count
        if event in ("call", "c_return") and (
            frame.f_code.co_filename.startswith(FOLDER) or frame.f_code.co_filename == __file__
        ):
            count += 1
            if count == moment:
                sys.setprofile(None)
                raise KeyboardInterrupt

    found = None
    sys.setprofile(profile)
    try:
        found = program(left)
    except KeyboardInterrupt:
        pass
    finally:
        sys.setprofile(None)
    return left, found, count


def right(program, found):
    results = {plain: 8.0, nested: 18.0, stopped: 27.0, assigned: 2.28, traced: 10.0, filmed: 27.0}
    return float(np.asarray(found)) == pytest.approx(results[program])


def wrong_after(program, left, found):
    """Return what is wrong after an interrupted run, a list of sentences."""
    wrong = []
    if active.get() or onlookers.get():
        wrong.append(f"somebody goes on listening: {active.get()} {onlookers.get()}")
        active.set(())
        onlookers.set(())
    if found is not None and not right(program, found):
        wrong.append(f"the result is {found}")
    x, tape = tf.Variable(2.0), left.get("tape")
    with tf.GradientTape() as fresh:
        y = x * x
    if float(fresh.gradient(y, x)) != 4.0 or len(fresh.entries) != 2:
        wrong.append("a fresh tape is wrong")
    if "film" in left:
        develop(left["film"], engine="layers")
    if tape is not None:
        lengths = {len(entry) for entry in tape.recording.tape.entries}
        if lengths - {6, 8}:
            wrong.append(f"entries of {lengths} fields")
        for k, slope in ((0, 6.0), (1, 7.0), (2, 8.0)):
            if program is plain and ("y", k) in left and not tape.used:
                found = tape.gradient(left["y", k], left["x"])
                if found is None or float(found) != slope:
                    wrong.append(f"y{k} has the gradient {found}")
                break
    return wrong


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
@pytest.mark.parametrize("many", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_an_interrupt_leaves_nothing_behind(program, many):
    assert right(program, program({}))  # everything is loaded and known
    _, _, length = injected(program, -1)
    moments = (
        range(1, length + 1)
        if length <= many
        else sorted(random.Random(many).sample(range(1, length + 1), many))
    )
    wrong = []
    for moment in moments:
        left, found, _ = injected(program, moment)
        wrong += [f"at moment {moment} of {length}: {w}" for w in wrong_after(program, left, found)]
    assert not wrong, f"{len(wrong)} of {len(moments)}\n" + "\n".join(wrong[:10])


def test_a_block_that_comes_to_its_end_is_left_once():
    """A guard that ran behind it would swallow an interrupt: what a callback of Python's raises is
    lost.
    """
    left = []

    class Block:
        _guard = None
        __exit__ = SafeExit(lambda self, *error: left.append(error))

        def __enter__(self):
            return self

    with Block() as block:
        assert block.__exit__ is not None, "to look at it leaves nothing"
        assert not left
    assert len(left) == 1
    exit = Block().__exit__
    del exit  # as where an interrupt comes before it was called
    assert len(left) == 2


@pytest.mark.timeout(0)  # its alarm is the one that is used here
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers that send signals here")
@pytest.mark.parametrize("many", [400, pytest.param(5000, marks=pytest.mark.long)])
def test_a_real_signal_leaves_nothing_behind(many):
    def interrupt(number, frame):
        raise KeyboardInterrupt

    rng, wrong, hit = random.Random(many), [], 0
    before = signal.signal(signal.SIGALRM, interrupt)
    gc.disable()  # an error inside of a callback of the collector could not be caught
    try:
        for k in range(many):
            left, found = {}, None
            try:
                signal.setitimer(signal.ITIMER_REAL, rng.uniform(5e-6, 2e-4))
                for _ in range(5):
                    left = {}
                    found = plain(left)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                hit += 1
                found = None
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            wrong += [f"signal {k}: {w}" for w in wrong_after(plain, left, found)]
    finally:
        gc.enable()
        signal.signal(signal.SIGALRM, before)
    assert not wrong, "\n".join(wrong[:10])
    assert hit > many / 4
