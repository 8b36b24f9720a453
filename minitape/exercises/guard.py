"""Running the learner's code: not for ever, its prints kept apart, its globals as they were.

Time: what counts is how long an answer computes, so that a busy machine makes no answer too long;
where it hardly computes, it waits, and then the clock on the wall counts (everywhere, where the
system does not tell the time of another thread: Windows, macOS). A second thread counts and then
raises `TooLong` in the thread that runs the answer, by CPython's own call for it. It is the same on
Linux, macOS and Windows, in a notebook's main thread and in any other. It comes between two steps
of Python, so it ends every loop that is written in Python. A call that waits in the operating
system (`time.sleep`) is then interrupted as the Stop button does it, also where the process ignores
that signal; on Windows `time.sleep` ends when its time is up. One call that computes for long
inside of C (`sum(range(10**12))`, a huge product) is ended by nothing but itself. Where there are no
threads (a kernel inside of the browser), the answer's own jumps and calls look at the clock, which
Python 3.12 and later allow; then nothing ends a call that waits. Before 3.12, and where Python is
not CPython, there is no limit there. What a check runs
beside the answer, the solution and the declared wrong answers, is `off_the_clock`: an answer that
ends is never told that it does not, because there is much to compare it with. Each of these may
take as long, and raises `TimeoutError` then. The same clock counts for all of them, each with a
budget of its own: to start a thread for each takes longer than most of them do, where other threads
compute.

Memory: where the system tells how much the process holds (Linux), what takes `MOST_BYTES` more is
ended in the same way.
"""

from __future__ import annotations

import builtins
import ctypes
import itertools
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from contextvars import ContextVar
from types import CodeType
from typing import Any, NoReturn

import numpy as np

from ..engine.base.listeners import Onlooker, looking_on
from ..engine.base.where import is_inside
from ..engine.explainer import unwarned
from .answers import not_yet

# seconds between two looks at an answer, or two attempts to end one that catches everything
PATIENCE = 0.5
LOOKS = 4  # at least, before the time of an answer is over: so one that comes late ends none
STEPS = 128  # jumps and calls of an answer between two looks, where it looks itself
TOOLS = (3, 4)  # the numbers that `sys.monitoring` leaves to whoever comes
WAITING = 0.1  # an answer that computes less than this share of the time between two looks waits
MOST_PRINTED = 2000  # characters that are kept
MOST_BYTES = 2**30  # by which the process may grow


class TooLong(BaseException):
    """Raised inside of an answer that does not end. No `except Exception` of the learner's stops
    it.
    """

    idea = "too-long"


class TooLarge(TooLong):
    """Raised inside of an answer that takes more and more memory."""

    idea = "too-large"


class _Budget:
    """What one call may take of time and of memory, and how often it was told that it took more."""

    def __init__(self, seconds: float) -> None:
        self.left, self.held, self.rung = seconds, _bytes_held(), 0
        self.passed = self.computed = 0.0  # since the last look
        self.error = TooLong

    def look(self, pause: float) -> bool:
        """Take off what has passed since the last look; say whether nothing is left."""
        waits = self.computed < WAITING * self.passed
        # who looks late was not waiting: the machine stood still
        self.left -= min(self.passed, pause) if waits else self.computed
        self.passed = self.computed = 0.0
        if _bytes_held() > self.held + MOST_BYTES:
            self.left, self.error = 0, TooLarge
        self.rung += self.left <= 0
        return self.left <= 0


class _Clock(threading.Thread):
    """Raises `TooLong` in another thread after some seconds, and again while that does not help.

    What it raises may arrive at any step, in `stop` as well: so `stop` may be called again, and
    holds nothing that must be let go.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__(daemon=True)
        self.of = threading.get_ident()
        self.computing: int | None = None
        with suppress(AttributeError, OSError):  # it is not told here
            self.computing = time.pthread_getcpuclockid(self.of)
        self.seconds, self.pause = seconds, min(PATIENCE, seconds / LOOKS)
        self.budget, self.since = _Budget(seconds), self.now()
        self.is_main = threading.current_thread() is threading.main_thread()
        self.resting = False  # while it turns to another budget
        self.over, self.ringing, self.waiting = False, False, threading.Lock()
        self.tool: int | None = None  # the number under which it looks between steps
        self.waiting.acquire()

    def begin(self) -> None:
        """Begin to count: in this thread, or between the steps of the answer where it is alone."""
        try:
            self.start()
        except RuntimeError:
            self._look_between_steps()

    def _look_between_steps(self) -> None:
        if sys.version_info >= (3, 12):
            monitoring, steps = sys.monitoring, itertools.count(1)
            self.tool = next((tool for tool in TOOLS if not monitoring.get_tool(tool)), None)
            if self.tool is None:
                return

            def look(*_: Any) -> None:
                if next(steps) % STEPS or self.over or self.resting:
                    return
                self._count()
                if self.budget.look(self.pause):
                    raise self.budget.error

            monitoring.use_tool_id(self.tool, __name__)
            for event in (monitoring.events.JUMP, monitoring.events.PY_START):
                monitoring.register_callback(self.tool, event, look)
            monitoring.set_events(self.tool, monitoring.events.JUMP | monitoring.events.PY_START)

    def run(self) -> None:
        while not (self.over or self.waiting.acquire(timeout=self.pause)):
            # first this, then a look at `over`; `stop` and `turn_to` do it the other way round
            self.ringing = True
            if not self.over and not self.resting:
                self._count()
                if self.budget.look(self.pause):
                    self._ring()
            self.ringing = False

    def now(self) -> tuple[float, float]:
        """Return the time on the wall, and how long the answer's thread has computed."""
        wall = time.monotonic()
        return wall, wall if self.computing is None else time.clock_gettime(self.computing)

    def _count(self) -> None:
        before, self.since = self.since, self.now()
        self.budget.passed += self.since[0] - before[0]
        self.budget.computed += self.since[1] - before[1]

    def _ring(self) -> None:
        with suppress(AttributeError):  # not CPython
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self.of), ctypes.py_object(self.budget.error)
            )
        if self.budget.rung > 1 and self.is_main:  # it did not come through: a call that waits
            if hasattr(signal, "pthread_kill"):
                signal.pthread_kill(self.of, signal.SIGINT)
            else:
                signal.raise_signal(signal.SIGINT)

    def turn_to(self, budget: _Budget) -> None:
        """Count for another budget from now on."""
        self.resting = True
        self._let_arrive()
        self._count()
        self.budget = budget
        self.resting = False

    def stop(self) -> None:
        self.over = True
        if sys.version_info >= (3, 12) and self.tool is not None:
            sys.monitoring.set_events(self.tool, 0)
            sys.monitoring.free_tool_id(self.tool)
            self.tool = None
        self._let_arrive()
        if self.waiting.locked():
            self.waiting.release()

    def _let_arrive(self) -> None:
        """Wait for what was sent: it arrives here, at the latest."""
        while self.ringing:
            time.sleep(0)
        # to take it back leaves CPython 3.11 with a flag set for ever
        for _ in range(100 if self.budget.rung else 0):
            pass


def _bytes_held() -> int:
    """Return how much memory the process holds, 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


_running: ContextVar[_Clock | None] = ContextVar("_running", default=None)


def off_the_clock(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of the check's own, whose time is not that of the answer."""

    def called(*args: Any) -> Any:
        clock = _running.get()
        if clock is None or clock.of != threading.get_ident():
            return function(*args)
        before, own = clock.budget, _Budget(clock.seconds)

        def call() -> Any:
            clock.turn_to(own)  # what was rung for the answer arrives before
            return function(*args)

        try:
            return _ended(clock, call, lambda: clock.turn_to(before))
        except TooLong as error:
            if not own.rung:
                raise
            raise TimeoutError(f"what an answer is compared with is {error.idea}") from None

    return called


def within(seconds: float, call: Callable[[], Any]) -> Any:
    """Return what a call returns. Raises TooLong where it did not end in time, TooLarge where it
    took too much memory, and what the call raises.
    """
    clock = _Clock(seconds)
    before = _running.get()
    # what was started in the background of a shell ignores the signal that ends a call that waits
    ignored = clock.is_main and signal.getsignal(signal.SIGINT) == signal.SIG_IGN

    def begun() -> Any:
        if ignored:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        clock.begin()
        return call()

    def end() -> None:
        clock.stop()
        if ignored:
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    _running.set(clock)
    try:
        return _ended(clock, begun, end)
    finally:  # a clock that went on would take its time from all that runs later
        clock.over = True
        _running.set(before)


def _ended(clock: _Clock, call: Callable[[], Any], end: Callable[[], None]) -> Any:
    """Return what a call returns. `end` is called after it, again where the clock comes between."""
    try:
        return call()
    except KeyboardInterrupt:
        if clock.budget.rung > 1:
            raise clock.budget.error from None
        raise
    finally:
        clock.resting = True
        # An error and a signal may have been sent. In a loop they would arrive at its jump back,
        # outside of `try`.
        try:
            try:
                end()
            except (TooLong, KeyboardInterrupt):
                if not clock.budget.rung:
                    raise
                end()
        except (TooLong, KeyboardInterrupt):
            if not clock.budget.rung:
                raise
            end()


class Printed:
    """A file that keeps the beginning of what is written to it."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        """Keep a text, as far as there is room."""
        self.text += text[: MOST_PRINTED - len(self.text)]
        return len(text)

    def flush(self) -> None:
        """Nothing waits."""

    def __str__(self) -> str:
        lines = self.text.rstrip().split("\n")
        return "\n".join(lines[:8] + ["..."] * (len(lines) > 8 or len(self.text) >= MOST_PRINTED))


@contextmanager
def aside(answer: Any) -> Iterator[Printed]:
    """Run a block in which an answer is tried: what it prints is kept apart, and what it changes
    outside of itself is changed back.
    """
    space = _globals_of(answer)
    before = dict(space)
    copies = {
        name: (value, _copy(value))
        for name, value in before.items()
        if not name.startswith("_") and name not in ("In", "Out")
    }
    printed, variables, limit = Printed(), _Variables(), sys.getrecursionlimit()
    # those of IPython end the kernel
    space.update({name: sys.exit for name in ("exit", "quit") if name in space})
    try:
        with (
            unwarned(),
            looking_on(variables),
            redirect_stdout(printed),
            redirect_stderr(printed),
            _nobody_types(),
        ):
            yield printed
    finally:
        sys.setrecursionlimit(limit)
        variables.put_back()
        for value, copy in copies.values():
            _put_back(value, copy)
        for name in [name for name in space if name not in before]:
            del space[name]
        space.update(before)


@contextmanager
def _nobody_types() -> Iterator[None]:
    """Refuse `input` inside of a block: its field stays open in JupyterLab when the check has
    ended, and the next cell waits.
    """
    before = builtins.input
    builtins.input = _refuse_input
    try:
        yield
    finally:
        builtins.input = before


def _refuse_input(prompt: object = "") -> NoReturn:
    raise not_yet("asks")


def _globals_of(answer: Any) -> dict[str, Any]:
    """Return the globals of the learner's function, also of one that is wrapped; nothing for what
    is not the learner's.
    """
    try:
        for _ in range(9):
            inner = next(
                (
                    getattr(answer, name)
                    for name in ("__func__", "func", "python_function", "__wrapped__")
                    if hasattr(answer, name)
                ),
                None,
            )
            answer = answer if inner is None else inner
        code = getattr(answer, "__code__", None)
        return (
            answer.__globals__
            if isinstance(code, CodeType) and not is_inside(code.co_filename)
            else {}
        )
    except Exception:  # an object that raises whatever one asks it
        return {}


class _Variables(Onlooker):
    """Notes what variables held before they were assigned."""

    def __init__(self) -> None:
        self.before: dict[int, tuple[Any, Any]] = {}

    def assigned(self, variable: Any, how: str, operand: Any, before: Any, after: Any) -> None:
        self.before.setdefault(variable.id, (variable, before))

    def put_back(self) -> None:
        for variable, tensor in self.before.values():
            variable.assign(tensor)


def _copy(value: Any) -> Any:
    if (
        type(value) in (list, dict, set)
        and len(value) < 100_000
        or type(value) is np.ndarray
        and value.size < 1_000_000
    ):
        return value.copy()
    return None


def _put_back(value: Any, copy: Any) -> None:
    if type(copy) is np.ndarray:
        if value.flags.writeable and value.shape == copy.shape:
            value[...] = copy
    elif type(copy) is list:
        value[:] = copy
    elif copy is not None:
        value.clear()
        value.update(copy)
