"""Run a script and explain its first surprising gradient: `python -m minitape explain script.py`.

The script runs as usual, but each call of `gradient` is checked: once per place before it is
played, and every time afterwards. At the first None, zero, NaN or other surprise the explanation is
printed and the script ends; it ends as well where it is certain why the training does not learn.
What may be right, as the zero of a bias before a normalisation, is only asked about in the last
lines. There too stand gradients that could not be checked: those in a function that another library
compiles, and those at which the explainer itself failed or found an answer that does not fit the
gradient.

The exit status is 0 if every gradient was checked and none is surprising, 1 if something was
explained or the script failed, 2 if the arguments are wrong, and 3 if some gradients could not be
checked.
"""

from __future__ import annotations

import argparse
import functools
import linecache
import os
import runpy
import sys
import threading
import warnings
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn, Protocol, TextIO

from minitape.engine.base.aliases import Where
from minitape.engine.base.errors import NoneGradientWarning
from minitape.engine.base.nest import flatten
from minitape.engine.base.where import learners_frame
from minitape.engine.gradient_tape import GradientTape
from minitape.engine.recording import describe, tape_of
from minitape.engine.surprises import surprising
from minitape.sentences import LANGUAGES, first_lower, set_language

from . import explain_at
from .case.words import listed, say
from .explanation import Explanation
from .several import Explanations

NO_SURPRISE = ("healthy", "summed-target")  # the gradient of a sum is often meant
NOT_EXPLAINED = ("not-explained", "number")  # of a number nobody knows whether it surprises
RAISES = ("not-explained", "raised")  # a rule of the program's own: Python shows where
# what may be right, where other sources have a gradient: a bias that cancels, a minimum
HARMLESS = (
    ("zero-cancel", "sum"),
    ("zero-cancel", ""),
    ("zero-flat", "bottom"),
    ("zero-flat", "kink"),
)
# a truncated recurrence, a shared weight: where there is a gradient
OFTEN_MEANT = ("carried-over", "same-object")
SURPRISED, NOT_LOOKED_AT = 1, 3  # exit statuses
# of (tape, target, sources): the same, and what is known already
Question = Callable[[Any, Any, Any], tuple[Any, Any, Any, Any]]


class Judge(Protocol):
    """Looks on while a script trains, and knows why it does not learn."""

    def certain(self, ended: bool = False) -> str | None:
        """Return what is certainly wrong, in words; with `ended`, what shows only in the end."""

    def questions(self) -> dict[Hashable, str]:
        """Return what may be meant, as questions."""


class Training(Judge, Protocol):
    """Looks on at trainings of whatever library."""

    def about(self, error: Exception) -> str | None:
        """Return what an error of the library's means, where it says it in its own terms."""


class Watch:
    """Looks at each call of `gradient`, and ends the program at the first surprise.

    `calls`: how many it has seen; `missed`: how many of them the explainer failed on; `failures`:
    the places of these calls, each with its line of the script (None where another file's thread
    called) and the kind of the error; `surprised`: whether something was explained, in whatever
    thread; `harmless`: by the place of the call, the explanations of gradients that are zero and
    may well be so, by their number among the sources; `unseen`: the lines of the script that asked
    another library's tapes which nobody recorded; `unlike`: functions that were opened and could
    not be compared with what they are where they are compiled, with the lines that called them;
    `questions`: what may be right, and is only asked about at the end, by whatever tells two of
    them apart. What it says goes to `out`, even while the script redirects its own output.
    `training` looks on besides, and with it all `judges`.
    """

    training: Training | None = None
    judges: Sequence[Judge] = ()

    def __init__(self, script: str, out: TextIO) -> None:
        self.script, self.out = script, out
        self.calls, self.missed, self.surprised = 0, 0, False
        self._seen: set[Where] = set()
        self._asking: set[int] = set()  # the threads in which the explainer is at work
        self.failures: dict[Where, tuple[int | None, str]] = {}
        self.unseen: dict[int | None, None] = {}
        self.harmless: dict[Where, dict[int, Explanation]] = {}
        self.questions: dict[Hashable, str] = {}
        self.unlike: dict[str, int | None] = {}
        self._sleeps = False

    @contextmanager
    def asleep(self) -> Iterator[None]:
        """Look at no gradient inside of the block: what runs there runs beside the program."""
        self._sleeps = True
        try:
            yield
        finally:
            self._sleeps = False

    def differs(self, name: str, opened: str, compiled: str) -> None:
        """Tell of a function that gives other numbers where it is opened, and end the program."""
        self.surprised = True
        result = {"name": name, "opened": opened, "compiled": compiled}
        self._tell_places("opened", [self.line(sys._getframe(1))], **result)
        raise SystemExit(SURPRISED)

    def uncompared(self, name: str) -> None:
        """Note a function of which nobody knows whether it gives other numbers where it is opened."""
        self.unlike.setdefault(name, self.line(sys._getframe(1)))

    def around(
        self, gradient: Callable[..., Any], question: Question | None = None
    ) -> Callable[..., Any]:
        """Return `GradientTape.gradient` with somebody who looks at it; `question` tells what is
        asked, where a library knows it better.
        """

        @functools.wraps(gradient)
        def watched(
            tape: GradientTape, target: Any, sources: Any, *args: Any, **kwargs: Any
        ) -> Any:
            # beside the program, or a cure that is tried on a tape of its own
            if self._sleeps or threading.get_ident() in self._asking:
                return gradient(tape, target, sources, *args, **kwargs)
            frame = learners_frame(2)
            place = frame.f_code, frame.f_lasti
            if not isinstance(tape, GradientTape) and tape_of(tape) is None:
                self.unseen[self.line(frame)] = None
                return gradient(tape, target, sources, *args, **kwargs)
            # it asks itself, for a row of a Jacobian
            if sys._getframe(1).f_globals.get("__name__") == type(tape).__module__:
                return gradient(tape, target, sources, *args, **kwargs)
            self.calls += 1
            zeros = "zero" in f"{args[1:]} {kwargs.get('unconnected_gradients')}".lower()
            if place not in self._seen:  # before the play all arrays are there
                self._seen.add(place)
                self.ask(frame, tape, target, sources, zeros, question)
            try:
                result = gradient(tape, target, sources, *args, **kwargs)
                targets, gradients = [
                    list(map(describe, flatten(each))) for each in (target, result)
                ]
                self._judge()
                known = self.harmless.get(place, ())
                others = [
                    None if g is None else g.value
                    for k, g in enumerate(gradients)
                    if g is None or k not in known
                ]
                if surprising([t for t in targets if t is not None], others):
                    self.ask(frame, tape, target, sources, zeros, question)
            except Exception as error:
                if isinstance(error, (AttributeError, LookupError, RuntimeError, TypeError)):
                    self.ask(frame, tape, target, sources)
                if self.failures.get(place, (0, ""))[1] == type(error).__name__:
                    del self.failures[place]  # a rule of the program's own: it fails the same way
                raise
            finally:
                self.missed += place in self.failures
            return result

        return watched

    def line(self, frame: FrameType | None) -> int | None:
        """Return the line of the script that a frame was called from, None where another thread
        called.
        """
        while frame is not None and frame.f_code.co_filename != self.script:
            frame = frame.f_back
        return frame.f_lineno if frame is not None else None

    def tell_rest(self) -> None:
        """Print what was not looked at, and what to do about it."""
        if self.unseen:
            self._tell_places("unseen", self.unseen, count=len(self.unseen))
        if self.missed:
            lines, errors = [dict.fromkeys(each) for each in zip(*self.failures.values())]
            self._tell_places("failed", lines, count=self.missed, error=listed([*errors]))
        if self.unlike:
            self._tell_places("unlike", self.unlike.values(), name=listed([*self.unlike]))

    def _tell_places(self, said: str, lines: Iterable[int | None], **params: Any) -> None:
        file = os.path.basename(self.script)
        places = [
            file if line is None else say("place", "file", "", {"file": file, "line": line})
            for line in lines
        ]
        self.tell(
            "\n"
            + say(
                "script",
                said,
                "",
                {"places": listed(places), "lines": len(places), "script": self.script, **params},
            )
        )

    def tell(self, text: str) -> None:
        """Print a text where the user of the command reads it."""
        print(text, file=self.out, flush=True)

    def _judge(self, ended: bool = False) -> None:
        """End the program where it is certain why it does not learn."""
        for judge in self.judges:
            if (text := judge.certain(ended)) is not None:
                self.stop(text)

    def ask(
        self,
        frame: FrameType,
        tape: GradientTape,
        target: Any,
        sources: Any,
        zeros: bool = False,
        question: Question | None = None,
    ) -> None:
        """Explain; print what surprises, and end the program. Where the explainer fails, the
        program goes on, and that is noted. With `zeros`, who asks knows of a constant slope.
        """
        place = frame.f_code, frame.f_lasti
        self._asking.add(threading.get_ident())
        try:
            known = None
            if question is not None:
                tape, target, sources, known = question(tape, target, sources)
            explanation = explain_at(frame, tape, target, sources, known=known)
        except Exception as error:
            self.failures[place] = self.line(frame), type(error).__name__
            return
        finally:
            self._asking.discard(threading.get_ident())
        groups: Sequence[Explanation] = getattr(explanation, "groups", [explanation])
        for e in groups:
            if (e.category, e.params["answer"]) == NOT_EXPLAINED:
                self.failures[place] = self.line(frame), first_lower(e.title)
            if (e.category, e.variant) == RAISES:
                self.failures[place] = self.line(frame), e.params["error"].partition(":")[0]
                return
        # the others arrive: for this zero nobody came
        if any(e.category in NO_SURPRISE for e in groups):
            harmless = {
                k: e
                for k, e in enumerate(getattr(explanation, "each", ()))
                if (e.category, e.variant) in HARMLESS
            }
            self.harmless.setdefault(place, {}).update(harmless)
            groups = [e for e in groups if (e.category, e.variant) not in HARMLESS]
        weights = [e for e in groups if e.params.get("weighs")]  # an advantage, it may be
        self.questions |= {(e.answer, e.place): f"\n{e}" for e in weights}
        if any(
            e.category not in NO_SURPRISE
            and (e.category, e.params["answer"]) != NOT_EXPLAINED
            and (e.category not in OFTEN_MEANT or e.params["answer"] == "none")
            and not (e in weights or zeros and e.category == "constant-gradient")
            for e in groups
        ):
            self.stop(str(explanation))

    def stop(self, text: str) -> NoReturn:
        """Say what was found, and end the program."""
        if not self.surprised:  # a thread that ends leaves the others running
            self.surprised = True
            self.tell(f"\n{text}")
        raise SystemExit(SURPRISED)

    def tell_end(self) -> int:
        """Print what is to be said of a script that ran to its end; return the exit status."""
        if self.surprised:
            return SURPRISED
        self._judge(True)
        for judge in self.judges:
            self.questions |= judge.questions()
        looked_at = self.calls - self.missed
        if looked_at or not self.calls and not self.unseen:
            said = "others" if self.missed else "fine" if self.calls else "nothing"
            self.tell("\n" + say("script", said, "", {"count": looked_at, "script": self.script}))
        self.tell_rest()
        for group in Explanations(
            (), [e for known in self.harmless.values() for e in known.values()]
        ).groups:
            params = {"answer": group.answer.rstrip("."), "place": group.place}
            self.questions[group.answer, group.place] = say("script", "harmless", "", params)
        for question in self.questions.values():
            self.tell(question)
        return NOT_LOOKED_AT if self.unseen or self.missed else 0


def wait_for_threads(others: Container[threading.Thread]) -> None:
    """Wait for the threads that a script has left running, as Python does when it ends; not for
    `others`, daemons and idle pools.
    """
    pools: Container[threading.Thread] = getattr(
        sys.modules.get("concurrent.futures.thread"), "_threads_queues", ()
    )
    while left := [
        t for t in threading.enumerate() if not t.daemon and t not in others and t not in pools
    ]:
        left[0].join()


def main(
    arguments: Sequence[str],
    recording: Callable[[str, bool, Watch], AbstractContextManager[Any]] = lambda *_: nullcontext(
        ()
    ),
    training: Callable[[bool], AbstractContextManager[Training | None]] = lambda _: nullcontext(),
) -> None:
    """Run `explain script.py ...`. Ends the program with the exit status that the top of this file
    tells, where that is not 0.

    `recording(text, opens, watch)` is a block around the run of a script with this text: it yields,
    for each other library that is recorded there, what has its function `gradient`; where it `opens`
    functions that are compiled otherwise, these run operation by operation, and the `Watch` hears
    of those that compute something else then. `training(opens)` is another, which yields who looks
    on at what the script trains.
    """
    parser = argparse.ArgumentParser(
        prog="python -m minitape explain",
        description="Run a script; explain its first surprising gradient.",
        epilog="Exit status: 0 nothing surprises, 1 a gradient was explained or the script "
        "failed, 3 some could not be looked at.",
    )
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="of the explanation")
    parser.add_argument(
        "--open",
        action="store_true",
        help="of real TensorFlow and JAX: run what fit, tf.function and jax.jit compile operation "
        "by operation, so that one sees into it",
    )
    parser.add_argument(
        "script", help="a Python file that imports minitape or TensorFlow as tf, torch or jax"
    )
    parser.add_argument(
        "rest", nargs=argparse.REMAINDER, metavar="...", help="the script's own arguments"
    )
    given = parser.parse_args(arguments)
    if not os.path.isfile(given.script):
        parser.error(f"there is no file {given.script}")
    set_language(given.language)
    linecache.checkcache()
    watch, others, ended = Watch(given.script, sys.stdout), threading.enumerate(), None
    sys.argv, sys.path[0] = (
        [given.script, *given.rest],
        os.path.dirname(os.path.abspath(given.script)),
    )
    text = Path(given.script).read_text(encoding="utf-8", errors="replace")
    with (
        warnings.catch_warnings(),
        recording(text, given.open, watch) as others_played,
        training(given.open) as watch.training,
    ):
        warnings.simplefilter("ignore", NoneGradientWarning)
        tapes: list[Any] = [GradientTape, *others_played]
        originals = [tape.gradient for tape in tapes]
        for tape in tapes:
            tape.gradient = watch.around(tape.gradient, getattr(tape, "question", None))
        watch.judges = [
            each for each in (*others_played, watch.training) if hasattr(each, "certain")
        ]
        try:
            runpy.run_path(given.script, run_name="__main__")
            wait_for_threads(others)
        except SystemExit as end:
            ended = end
            wait_for_threads(others)
        except Exception as error:
            if watch.training is not None and (text := watch.training.about(error)) is not None:
                watch.tell(f"\n{text}")
            watch.tell_rest()
            raise
        finally:
            for tape, original in zip(tapes, originals):
                tape.gradient = original
        if ended is not None and ended.code and not watch.surprised:
            watch.tell_rest()
            raise ended
        status = watch.tell_end()
    if status:
        raise SystemExit(status)
