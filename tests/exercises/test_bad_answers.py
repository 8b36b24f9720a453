"""Answers that are no answers: each gets its sentence, nothing is lost, and no cell is stopped."""

import asyncio
import signal
import sys
import threading
import time
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import minitape as tf
import tests.exercises.examples as examples
from minitape import keras  # loaded here: that is none of an answer's time
from minitape.exercises import Function, Wrong, guard
from minitape.exercises import exercise as kinds
from minitape.sentences import LANGUAGES, speaking

ALL = [
    examples.linear,
    examples.slope,
    examples.product,
    examples.mend,
    examples.puzzle,
    examples.order,
    examples.guilty,
    examples.sever,
]


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setattr(sys.modules["minitape.exercises.exercise"], "SECONDS", 0.4)


class Odd:
    """Raises whatever one does with it."""

    def __getattribute__(self, name):
        raise RuntimeError("odd")


def raises(*given):
    raise ValueError("<b>{mine}</b>")


def yields(*given):
    yield 1


async def waits(*given):
    return 1


ODD = [
    None,
    "text",
    b"bytes",
    "",
    3,
    3.5,
    2j,
    float("nan"),
    float("inf"),
    True,
    [],
    [1, [2]],
    (),
    {},
    {1, 2},
    np.zeros((3, 4)),
    np.array(["a"]),
    np.array([None]),
    np.zeros((0, 2)),
    tf.constant([1.0, 2.0]),
    tf.constant("a"),
    tf.Variable(1.0),
    (k for k in range(3)),
    iter([1]),
    range(3),
    int,
    print,
    len,
    max,
    lambda: 1,
    lambda *a: None,
    lambda *a: "x",
    lambda *a: iter([1, 2]),
    lambda *a: a,
    lambda *a: [1, "2"],
    lambda *a: {1: 2},
    lambda *a: tf.constant("s"),
    lambda *a: np.zeros((7, 7, 7)),
    lambda *a: (1.0,) * 9,
    lambda *a: print,
    lambda *a: 1j,
    lambda *a: object(),
    lambda *a: sys.exit(3),
    lambda *a: 1 / 0,
    lambda a, b: 1,
    partial(max, 1),
    raises,
    yields,
    waits,
    Odd(),
    object(),
    NotImplemented,
    type("F", (), {"__call__": lambda self, *a: Odd()})(),
    lambda *a: (lambda f: f(f))(lambda f: f(f)),
    10**400,
    "9" * 5000,
    np.datetime64("2020"),
    np.ma.array([1.0], mask=[True]),
    np.float16(3),
    [np.nan] * 3,
    sys,
    ALL[0],
    asyncio.sleep,
]


@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize("exercise", ALL, ids=lambda e: e.id)
def test_every_odd_answer_has_its_sentence(exercise, spoken):
    with speaking(spoken):
        for odd in ODD:
            outcome = exercise.check(odd)
            assert (
                outcome.kind in ("not yet", "your code raised")
                and outcome.message.strip()
                and "{mine}" not in outcome.message.replace("<b>{mine}</b>", "")
            ), outcome
            assert "<b>" not in outcome._repr_html_()
            assert "minitape/exercises" not in outcome.message


@pytest.mark.parametrize(
    ("answer", "idea"),
    [
        ("text", "not-callable"),
        (None, "not-callable"),
        (yields, "a-generator"),
        (waits, "a-generator"),
        (lambda: 1, "arguments"),
        (lambda x, w, b, t: None, "nothing"),
        (lambda x, w, b, t: "1.0", "a-text"),
        (lambda x, w, b, t: iter([1]), "a-generator"),
        (lambda x, w, b, t: (x, b), "how-many"),
        (lambda x, w, b, t: ("1", 2, 3, 4), "a-text"),
        (lambda x, w, b, t: (len, 2, 3, 4), "a-function"),
        (lambda x, w, b, t: (keras.Sequential(), 2, 3, 4), "no-number"),
        (lambda x, w, b, t: (float, 2, 3, 4), "no-number"),
        (lambda x, w, b, t: (None, 2, 3, 4), "none-part"),
        (lambda x, w, b, t: ([[1], [1, 2]], 2, 3, 4), "ragged"),
        (lambda x, w, b, t: (1j, 2, 3, 4), "no-number"),
        (lambda x, w, b, t: (tf.constant("s"), 2, 3, 4), "a-text"),
        (lambda x, w, b, t: (1.0, 2, 3, 4), "shape"),
        (lambda x, w, b, t: (2 * (x @ w + b - t).T, 2, 3, 4), "transpose"),
        (lambda x, w, b, t: (0 * t, 2, 3, 4), "zero"),
        (lambda x, w, b, t: (-2 * (x @ w + b - t), 2, 3, 4), "sign"),
        (lambda x, w, b, t: (t / 0, 2, 3, 4), "not-finite"),
    ],
)
def test_the_idea_of_an_odd_answer(answer, idea):
    with np.errstate(all="ignore"):
        assert examples.linear.check(answer).idea == idea


def never(*given):
    while True:
        pass


def catches(*given):
    while True:
        try:
            while True:
                pass
        except Exception:
            pass


def sleeps(*given):
    time.sleep(60)


def prints(*given):
    while True:
        print("again")


def recurses_slowly(*given):
    return (
        [recurses_slowly() for _ in range(2)]
        if len(given) < 3
        else [recurses_slowly(*given[1:]) for _ in range(10**9)]
    )


def endless_generator(*given):
    return sum(k for k in iter(int, 1))


clocked = pytest.mark.system("threads: one is the clock that ends an answer")


@pytest.mark.parametrize(
    "answer",
    [never, catches, pytest.param(sleeps, marks=clocked), prints, endless_generator],
)
@pytest.mark.parametrize(
    "exercise", [examples.linear, examples.mend, examples.puzzle], ids=lambda e: e.id
)
def test_an_answer_that_does_not_end_is_stopped(exercise, answer):
    began = time.monotonic()
    outcome = exercise.check(answer)
    assert outcome.idea == "too-long" and "0.4 seconds" in outcome.message
    assert time.monotonic() - began < 50, "stopped before its sleep is over"
    assert len(outcome.printed) < 3000
    sum(range(100_000))  # nothing arrives late
    time.sleep(0.01)
    assert examples.guilty.check(4).correct


@clocked
def test_an_answer_that_does_not_end_is_stopped_in_another_thread_too():
    """Kernels may run cells in threads of their own, where no signal arrives. There, a sleep ends
    by itself only.
    """
    found = []
    thread = threading.Thread(target=lambda: found.append(examples.linear.check(never)))
    thread.start()
    thread.join(50)
    assert not thread.is_alive() and found[0].idea == "too-long"


def slow(seconds):
    """An exercise whose solution and wrong answers take their time."""
    program = f"def total(x):\n    __import__('time').sleep({seconds})\n    return «x + x»\n"
    return Function(
        id="slow.total",
        texts=examples.TEXTS,
        inputs={"x": ("n",)},
        program=program,
        wrong=tuple(Wrong("half", {"return": text}) for text in ("x", "x * x", "x - x")),
    )


@clocked
def test_what_an_answer_is_compared_with_takes_none_of_its_time():
    assert slow(0.15).check(lambda x: x + x).correct
    assert slow(0.15).check(lambda x: x - x).idea == "half"
    assert slow(0.0).check(lambda x: time.sleep(0.3) or x).idea == "too-long", (
        "five rounds of an answer count together"
    )
    assert slow(0.15).check(never).idea == "too-long"


@clocked
def test_a_declared_answer_that_does_not_end_is_stopped_as_well():
    endless = replace(
        slow(0.0), wrong=(Wrong("on", {"return": "[0 for _ in iter(int, 1)]"}), *slow(0.0).wrong)
    )
    assert endless.check(lambda x: x - x).idea == "half", "the next one is compared"


@clocked
@pytest.mark.skipif(not guard._bytes_held(), reason="this system does not tell what is held")
def test_an_answer_that_takes_more_and_more_memory_is_stopped(monkeypatch):
    monkeypatch.setattr(sys.modules["minitape.exercises.exercise"], "SECONDS", 500.0)
    monkeypatch.setattr(guard, "MOST_BYTES", 2**26)
    outcome = examples.linear.check(lambda *given: [np.ones(10**5) for _ in iter(int, 1)])
    assert outcome.idea == "too-large" and "gigabyte" in outcome.message


def test_to_say_why_a_gradient_is_none_takes_none_of_its_time(monkeypatch):
    def none(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.round(x + x)
        return tape.gradient(y, x)

    filmed = sys.modules["minitape.exercises.filmed"]
    explain = filmed.explain_at
    monkeypatch.setattr(
        filmed, "explain_at", lambda *given, **more: time.sleep(0.15) or explain(*given, **more)
    )
    exercise = Function(
        id="slow.none",
        texts=examples.TEXTS,
        inputs={"x": ("n",)},
        by_hand=False,
        form="tensor",
        program="def total(x):\n    return «x»\n",
    )
    assert exercise.check(none).idea != "too-long"


@pytest.mark.parametrize(
    "exercise",
    [examples.linear, examples.product, examples.mend, examples.puzzle, examples.sever],
    ids=lambda e: e.id,
)
def test_an_answer_that_asks_somebody_to_type_is_told_so(exercise, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda prompt="": "3.5")
    assert exercise.check(lambda *given: float(input("x? "))).idea == "asks"
    assert input() == "3.5", "as it was"


@pytest.mark.parametrize("word", ["exit", "quit"])
def test_an_answer_does_not_end_the_kernel(word):
    ended = []
    # as IPython has it: it does not raise, and the kernel ends afterwards
    space = {word: lambda: ended.append(word)}
    exec(f"def total(x, w, b, t):\n    {word}()\n", space)
    outcome = examples.linear.check(space["total"])
    assert (
        outcome.kind == "your code raised" and outcome.message.endswith("SystemExit") and not ended
    )
    assert space[word]() is None and ended, "as it was"


def test_the_stop_button_is_not_swallowed():
    def interrupted(*given):
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        examples.linear.check(interrupted)
    assert examples.linear.check(lambda x, w, b, t: None).idea == "nothing"


@clocked
def test_an_answer_that_waits_is_stopped_where_the_signal_is_ignored():
    """As in what `nohup ... &` has started."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with pytest.raises(guard.TooLong):
            guard.within(0.2, lambda: time.sleep(60))
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN, "as it was"
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.fixture
def alone(monkeypatch):
    """Python that starts no thread."""
    refused = RuntimeError("can't start new thread")
    monkeypatch.setattr(guard._Clock, "start", lambda clock: (_ for _ in ()).throw(refused))


def test_an_answer_that_ends_needs_no_threads(alone):
    assert guard.within(0.1, lambda: 7) == 7


@pytest.mark.skipif(not hasattr(sys, "monitoring"), reason="Python 3.12 looks between steps")
def test_without_threads_an_endless_loop_is_stopped_between_its_steps(alone):
    for _ in range(3):  # and then another one may be tried
        with pytest.raises(guard.TooLong):
            guard.within(0.1, never)
    assert not any(map(sys.monitoring.get_tool, guard.TOOLS))
    with pytest.raises(guard.TooLong):
        guard.within(0.3, lambda: suppressed(guard.within, 0.1, never) and never())
    endless = guard.off_the_clock(never)
    compared = [endless, guard.off_the_clock(lambda: suppressed(endless) and never())]
    assert guard.within(0.1, lambda: [suppressed(each) for each in compared]) == [True, True]


def suppressed(call, *given):
    """Calls what does not end; says whether it was ended."""
    try:
        call(*given)
    except (guard.TooLong, TimeoutError):
        return True


def test_a_system_may_not_tell_the_time_of_a_thread(monkeypatch):
    def refuse(thread):
        raise OSError(44, "No such file or directory")

    monkeypatch.setattr(time, "pthread_getcpuclockid", refuse, raising=False)
    assert guard.within(1.0, lambda: 7) == 7


def test_a_quick_answer_is_never_hit_late():
    """The clock rings at the very moment at which the answer is there, many times: all or nothing,
    and never afterwards.
    """
    late = 0
    for k in range(400):
        try:
            assert guard.within(k * 2e-6, lambda: sum(range(2000))) == 1999000
        except guard.TooLong:
            late += 1
    clocks = [thread for thread in threading.enumerate() if isinstance(thread, guard._Clock)]
    for clock in clocks:
        clock.join(50)
    assert late < 400 and not any(clock.is_alive() for clock in clocks)


def test_prints_are_shown_and_not_believed():
    outcome = examples.linear.check(lambda x, w, b, t: print("42 <i>"))
    assert (
        outcome.idea == "nothing"
        and "42 <i>" in repr(outcome)
        and "<i>" not in outcome._repr_html_()
    )
    loud = examples.linear.reference
    assert examples.linear.check(lambda *a: (print("x" * 100_000), loud(*a))[1]).correct


def test_what_an_answer_changes_is_changed_back(capsys):
    """Names, lists, dictionaries, arrays and variables of the notebook are as they were; the inputs
    are fresh for each call.
    """
    space = {
        "tf": tf,
        "np": np,
        "count": 0,
        "seen": [1],
        "table": {"a": 1},
        "array": np.arange(3.0),
        "v": tf.Variable(2.0),
        "x": 5.0,
    }
    exec(
        """
def backwards(x, w, b, t):
    global count, new
    count, new = count + 1, 7
    seen.append(x); table["b"] = 2; array[:] = 9; v.assign_add(1.0)
    x *= 0; w += 5
    print(count)
""",
        space,
    )
    before = dict(space)
    outcome = examples.linear.check(space["backwards"])
    assert outcome.idea == "nothing" and "1" in outcome.printed and capsys.readouterr().out == ""
    assert space == before and "new" not in space
    assert (space["seen"], space["table"], space["array"].tolist(), float(space["v"])) == (
        [1],
        {"a": 1},
        [0.0, 1.0, 2.0],
        2.0,
    )


def test_globals_that_are_read_are_not_believed():
    """Right with the notebook's own numbers, wrong for all others."""
    space = {"x": np.ones((2, 3)), "w": np.ones((3, 2)), "b": np.zeros(2), "t": np.zeros((2, 2))}
    exec(
        "def backwards(*given):\n    e = 2 * (x @ w + b - t)\n    return e, e.sum(0), x.T @ e, e "
        "@ w.T",
        space,
    )
    assert not examples.linear.check(space["backwards"]).correct


def test_an_answer_of_the_librarys_own_changes_nothing_there():
    before = dict(vars(sys.modules["minitape.api.elementwise"]))
    assert not examples.product.check(tf.math.multiply).correct
    assert dict(vars(sys.modules["minitape.api.elementwise"])) == before


def test_a_fresh_exercise_can_be_asked_anything_first():
    assert kinds("00.fan-out").check().kind == "not attempted"
    assert "1" in examples.slope.check(0).message or examples.slope.check(0).kind == "not yet"
