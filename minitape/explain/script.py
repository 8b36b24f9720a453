"""Run a script and explain the first gradient in it that surprises: `python -m minitape explain
script.py`.

The script runs as it always does, but each call of `gradient` is looked at: before it is played,
once per place, and after it, each time. At the first None, zero, NaN or other surprise the
explanation is printed and the script ends. A zero that healthy scripts have as well, that of a bias
whose mean is taken away afterwards, is told in one line at the end: who asks came for something
else. So is what nobody could look at, in a function that another library compiles.
"""

from __future__ import annotations

import argparse
import functools
import linecache
import os
import runpy
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import FrameType
from typing import Any

from minitape.engine.gradient_tape import GradientTape
from minitape.engine.ground.aliases import Where
from minitape.engine.ground.errors import NoneGradientWarning
from minitape.engine.ground.nest import flatten
from minitape.engine.ground.where import learners_frame
from minitape.engine.recording import describe, tape_of
from minitape.engine.surprises import surprising
from minitape.sentences import LANGUAGES, set_language

from . import explain_at
from .case.words import listed, say
from .explanation import Explanation
from .several import Explanations

NO_SURPRISE = ("healthy", "summed-target")  # the gradient of a sum is often meant
HARMLESS = ("zero-cancel", "sum")  # where other sources have a gradient
# a truncated recurrence, a shared weight: where there is a gradient
OFTEN_MEANT = ("carried-over", "same-object")


class Watch:
    """Looks at each call of `gradient`, and ends the program at the first surprise. `calls`: how
    many it has seen; `harmless`: by the place of the call, the explanations of gradients that are
    zero and may well be so, by their number among the sources; `unseen`: the lines of the script
    that asked another library's tapes which nobody recorded, None for a line of another thread.
    """

    def __init__(self, script: str) -> None:
        self.script, self.calls, self._seen = script, 0, set()
        self.unseen: dict[int | None, None] = {}
        self.harmless: dict[Where, dict[int, Explanation]] = {}

    def around(self, gradient: Callable[..., Any]) -> Callable[..., Any]:
        """Return `GradientTape.gradient` with somebody who looks at it."""

        @functools.wraps(gradient)
        def watched(
            tape: GradientTape, target: Any, sources: Any, *args: Any, **kwargs: Any
        ) -> Any:
            frame = learners_frame(2)
            place = frame.f_code, frame.f_lasti
            if not isinstance(tape, GradientTape) and tape_of(tape) is None:
                self.unseen[self.line(frame)] = None
                return gradient(tape, target, sources, *args, **kwargs)
            self.calls += 1
            if place not in self._seen:  # before the play all arrays are there
                self._seen.add(place)
                self.ask(frame, tape, target, sources)
            try:
                found = gradient(tape, target, sources, *args, **kwargs)
            except (AttributeError, LookupError, RuntimeError, TypeError):
                self.ask(frame, tape, target, sources)
                raise
            targets, gradients = [list(map(describe, flatten(each))) for each in (target, found)]
            known = self.harmless.get(place, ())
            others = [
                None if g is None else g.value
                for k, g in enumerate(gradients)
                if g is None or k not in known
            ]
            if surprising([t for t in targets if t is not None], others):
                self.ask(frame, tape, target, sources)
            return found

        return watched

    def line(self, frame: FrameType | None) -> int | None:
        """Return the line of the script that a frame was called from, None where another thread
        called.
        """
        while frame is not None and frame.f_code.co_filename != self.script:
            frame = frame.f_back
        return frame.f_lineno if frame is not None else None

    def tell_unseen(self) -> None:
        """Print what was not seen, and how to see it."""
        file = os.path.basename(self.script)
        places = [
            file if line is None else say("place", "file", "", {"file": file, "line": line})
            for line in self.unseen
        ]
        if places:
            about = {"places": listed(places), "count": len(places), "script": self.script}
            print(f"\n{say('script', 'unseen', '', about)}")

    def ask(self, frame: FrameType, tape: GradientTape, target: Any, sources: Any) -> None:
        """Explain; print what surprises, and end the program. What cannot be explained is left to
        the program.
        """
        try:
            found = explain_at(frame, tape, target, sources)
        except Exception:
            return
        groups: Sequence[Explanation] = getattr(found, "groups", [found])
        # the others arrive: for this zero nobody came
        if any(e.category in NO_SURPRISE for e in groups):
            harmless = {
                k: e
                for k, e in enumerate(getattr(found, "each", ()))
                if (e.category, e.variant) == HARMLESS
            }
            self.harmless.setdefault((frame.f_code, frame.f_lasti), {}).update(harmless)
            groups = [e for e in groups if (e.category, e.variant) != HARMLESS]
        if any(
            e.category not in NO_SURPRISE
            and (e.category not in OFTEN_MEANT or e.params["answer"] == "none")
            for e in groups
        ):
            print(f"\n{found}")
            raise SystemExit(1)


def main(
    arguments: Sequence[str],
    recording: Callable[[str, bool], AbstractContextManager[Any]] = lambda *_: nullcontext(),
) -> None:
    """Run `explain script.py ...`. Ends the program with 1 where something was explained, else with
    0.

    `recording(text, opens)` is a block around the run of a script with this text: it yields the
    class of another library's tapes that are recorded there, or None; where it `opens` functions
    that are compiled otherwise, these run operation by operation.
    """
    parser = argparse.ArgumentParser(
        prog="python -m minitape explain",
        description="Run a script; explain its first surprising gradient.",
    )
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="of the explanation")
    parser.add_argument(
        "--open",
        action="store_true",
        help="of real TensorFlow: run what fit and tf.function compile operation by operation, "
        "so that one sees into it",
    )
    parser.add_argument("script", help="a Python file that imports minitape or TensorFlow as tf")
    parser.add_argument(
        "rest", nargs=argparse.REMAINDER, metavar="...", help="the script's own arguments"
    )
    given = parser.parse_args(arguments)
    if not os.path.isfile(given.script):
        parser.error(f"there is no file {given.script}")
    set_language(given.language)
    linecache.checkcache()
    watch = Watch(given.script)
    sys.argv, sys.path[0] = (
        [given.script, *given.rest],
        os.path.dirname(os.path.abspath(given.script)),
    )
    text = Path(given.script).read_text(encoding="utf-8", errors="replace")
    with warnings.catch_warnings(), recording(text, given.open) as other:
        warnings.simplefilter("ignore", NoneGradientWarning)
        tapes: list[Any] = [GradientTape] if other is None else [GradientTape, other]
        originals = [tape.gradient for tape in tapes]
        for tape in tapes:
            tape.gradient = watch.around(tape.gradient)
        try:
            runpy.run_path(given.script, run_name="__main__")
        except Exception:
            watch.tell_unseen()
            raise
        finally:
            for tape, original in zip(tapes, originals):
                tape.gradient = original
    zeros = [e for known in watch.harmless.values() for e in known.values()]
    if watch.calls or not watch.unseen:
        print(
            "\n"
            f"{say('script', 'fine' if watch.calls else 'nothing', '', {'count': watch.calls, 'script': given.script})}"
        )
    watch.tell_unseen()
    for group in Explanations((), zeros).groups:
        print(
            say(
                "script", "harmless", "", {"answer": group.answer.rstrip("."), "place": group.place}
            )
        )
