"""A tape that the learner writes: a class that records, plays backwards and answers.

It is run on programs that it has not seen, stage by stage. What it did is judged step by step
(`own_tape`), so that a fault is named where it was made, and the storyboard to be watched is that
of the learner's own tape, at the place where it leaves the right way.
"""

# No `from __future__ import annotations`: the dataclasses of other files repeat these in their
# signatures.
import ast
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .. import own_tape
from ..sentences import language
from .answers import array_of, close, function_of, inputs_text, number_text, place_text, worst
from .draw import Inputs, draw, generator
from .function import WithProgram
from .guard import off_the_clock
from .outcome import SENTENCES, NotAttempted, NotYet, raised, same_error
from .rule import UNFIT

GENERAL = ("number", "is-none", "recorded", "recursion", "unrecorded", "not-a-number")
RESULT = "z"  # what the result of a program is called in the picture


@dataclass(frozen=True)
class Stage:
    """One program that a learner's tape has to run. Its title is the text `NAME.stage.KEY` of the
    exercise.

    `program`: a function of `run` and of the inputs' numbers on the tape, which computes by
    `run(op, *numbers)` and returns the number of its result; `inputs`: see `draw`; `times`: how
    often a slope is taken, of the first input; `judged`: False for a program too long for a
    picture: its answers alone are looked at.
    """

    key: str
    program: Callable[..., Any]
    inputs: Inputs
    times: int = 1
    judged: bool = True


@dataclass(frozen=True, kw_only=True, eq=False)
class Engine(WithProgram):
    """A class to complete: a tape. Its ideas are the keys of `own_tape.Departure`, and recorded,
    recursion, unrecorded, is-none, number, not-a-number.

    What the learner's class needs: `source(value)` and `run(op, *numbers)`, which return the number
    of a value; `gradient(target, sources)`; the lists `entries` and `steps`, as `own_tape.OwnTape`
    takes them. `by_number`: `gradient` returns numbers of values that are on the tape, in the list
    `values`, so that a slope of a slope can be taken.
    """

    stages: tuple[Stage, ...]
    by_number: bool = False

    parts = property(lambda self: len(self.stages))

    @cached_property
    def name(self) -> str:  # type: ignore[override]
        """The last class that the program defines: the learner's answer."""
        return [
            node.name
            for node in ast.parse(self._program.solution()).body
            if isinstance(node, ast.ClassDef)
        ][-1]

    def judge(self, answer: Any) -> Any:
        function_of(answer, self.name)
        numbers, board = generator(), None
        for k, stage in enumerate(self.stages):
            inputs = draw(stage.inputs, numbers)
            attempt = Attempt(stage, answer, self.by_number)
            try:
                attempt.run(inputs)
                board = self._look(attempt, inputs) or board
            except NotYet as found:
                head = SENTENCES.say(
                    "stage",
                    {
                        "number": k + 1,
                        "count": len(self.stages),
                        "title": self.text(f"stage.{stage.key}"),
                        "inputs": inputs_text(inputs),
                    },
                )
                tail = SENTENCES.say("partly", {"right": k, "count": len(self.stages)}) if k else ""
                raise _refusal(
                    found, "\n".join(filter(None, (head, found.message, tail))), k, inputs
                ) from found
            except (NotAttempted, TypeError, ValueError, AttributeError) as error:
                if (
                    not k
                    or not isinstance(error, NotAttempted)
                    and "ellipsis" not in str(error).lower()
                ):
                    raise
                said = {
                    "what": self.text(f"stage.{stage.key}"),
                    "right": k,
                    "count": len(self.stages),
                }
                raise NotYet(
                    "blank-left", SENTENCES.say("idea.blank-left", said), right=k
                ) from error
        return board

    def _look(self, attempt: "Attempt", inputs: dict[str, Any]) -> Any:
        """Judge one stage; returns what makes the storyboard of it, or None. Raises `NotYet`, or
        the error of the learner's code.
        """
        for play in attempt.plays:
            try:
                departure = play.departure
            except NotYet as error:
                raise error if attempt.error is None else self._raised(attempt, inputs) from error
            # where code raised, the end was never reached
            if departure is not None and (attempt.error is None or departure.at != "end"):
                idea = self._idea_of(departure, attempt, inputs)
                departure = play.board().departure  # which calls values as the picture does
                raise NotYet(
                    idea,
                    f"{departure.sentence(language())}\n{self.idea(idea)}".rstrip(),
                    board=play.board,
                )
        if isinstance(attempt.error, RecursionError):
            raise NotYet("recursion", self.idea("recursion"))
        if attempt.error is not None:
            raise self._raised(attempt, inputs) from attempt.error
        board = attempt.plays[-1].board if attempt.plays else None
        wanted = Attempt(attempt.stage, self.reference, self.by_number)
        with off_the_clock():
            wanted.run(inputs)
        for name, came, right in zip(inputs, attempt.answers, wanted.answers):
            if came is None:
                raise NotYet("is-none", self.idea("is-none"), board=board)
            came, right = array_of(came, name), array_of(right, name)
            if not close(came, right):
                place = worst(came, right) if came.shape == right.shape else None
                raise NotYet(
                    "number",
                    self.idea("number", what=name)
                    if place is None
                    else SENTENCES.say(
                        "engine.answer",
                        {
                            "what": place_text(name, place),
                            "given": number_text(float(came[place])),
                            "wanted": number_text(float(right[place])),
                        },
                    ),
                )
        # a third slope is a picture too large to look at
        return board if attempt.stage.times < 3 else None

    def _idea_of(
        self, found: own_tape.Departure, attempt: "Attempt", inputs: dict[str, Any]
    ) -> str:
        """Return the idea of the declared wrong tape that leaves the right way at the same place,
        with the same numbers; else its key.
        """
        for idea, theirs in self._declared(attempt, inputs):
            try:
                if found == next(
                    (play.departure for play in theirs.plays if play.departure is not None), None
                ):
                    return idea
            except (NotYet, NotAttempted):  # what it did is no tape
                continue
        return found.key

    def _declared(
        self, attempt: "Attempt", inputs: dict[str, Any]
    ) -> Iterator[tuple[str, "Attempt"]]:
        """Run each declared wrong tape on the same inputs."""
        for idea, build in self.wrong_functions:
            theirs = Attempt(attempt.stage, build, self.by_number)
            try:
                with off_the_clock():
                    theirs.run(inputs)
            except (Exception, NotAttempted):
                continue
            yield idea, theirs

    def _raised(self, attempt: "Attempt", inputs: dict[str, Any]) -> Exception:
        """Return what a tape raised on its way back, with the idea of the declared wrong tape that
        raises the same.
        """
        assert attempt.error is not None
        if isinstance(attempt.error, NotYet):  # it says already what is wrong
            return attempt.error
        # a program too long for wrong tapes that are slow: that is their fault
        if not attempt.stage.judged:
            return attempt.error
        for idea, theirs in self._declared(attempt, inputs):
            if theirs.error is not None and same_error(theirs.error, attempt.error):
                return NotYet(
                    idea, f"{raised(attempt.error, self.starter).message}\n{self.idea(idea)}"
                )
        if any(text in str(attempt.error) for text in UNFIT):
            return NotYet(
                "shape",
                f"{raised(attempt.error, self.starter).message}\n{self.idea('shape')}".rstrip(),
            )
        return attempt.error

    def idea(self, key: str, **params: Any) -> str:
        """Return the sentence of an idea; the general ones only where the tape itself has not said
        already what is wrong.
        """
        own = self.text(f"idea.{key}", params) or self.texts.filled(
            self.texts(language()).get(f"idea.{key}", ""), params
        )
        return own or (super().idea(key, **params) if key in GENERAL else "")


@dataclass(frozen=True)
class Play:
    """One way back of somebody's tape, as `own_tape` takes it."""

    entries: list[Any]
    steps: list[Any]
    gradients: dict[Hashable, Any]
    target: Hashable
    sources: list[Any]
    names: dict[Hashable, str]

    @cached_property
    def departure(self) -> own_tape.Departure | None:
        """Where it leaves the right way, or None. Raises `NotYet` for what is no tape,
        `NotAttempted` for one with a blank in it.
        """
        try:
            return own_tape.departure(
                own_tape.OwnTape(
                    self.entries,
                    self.steps,
                    self.gradients,
                    target=self.target,
                    sources=self.sources,
                    names=self.names,
                )
            )
        except (TypeError, ValueError) as error:
            if "ellipsis" in str(error).lower():
                raise NotAttempted from error
            raise NotYet("no-tape", SENTENCES.say("idea.no-tape", {"why": str(error)})) from error

    def board(self) -> Any:
        """Return the storyboard of the learner's own tape."""
        return own_tape.storyboard(
            self.entries,
            self.steps,
            self.gradients,
            target=self.target,
            sources=self.sources,
            names=self.names,
            language=language(),
        )


class Attempt:
    """One program run on somebody's tape. `plays`: what the tape did, `answers`: what it gave,
    `error`: what it raised on its way back.
    """

    def __init__(self, stage: Stage, build: Callable[[], Any], by_number: bool) -> None:
        self.stage, self.build, self.by_number = stage, build, by_number
        self.answers: list[Any] = []
        self.plays: list[Play] = []
        self.error: Exception | None = None

    def run(self, inputs: dict[str, Any]) -> None:
        """Record the program and play it. Raises `NotYet` for what is no tape, and what the
        learner's code raises while it records.
        """
        tape, called = self.build(), []

        def run(op: str, *numbers: Hashable) -> Any:
            called.append((op, numbers))
            return tape.run(op, *numbers)

        self.sources = [
            tape.source(np.array(value) if np.ndim(value) else value) for value in inputs.values()
        ]
        self.target = self.stage.program(run, *self.sources)
        if ... in (*self.sources, self.target):
            raise NotAttempted
        written = [_call(entry) for entry in tape.entries]
        if written != called:
            raise NotYet(
                "recorded",
                SENTENCES.say("idea.recorded", {"given": len(written), "wanted": len(called)}),
            )
        try:
            for _ in range(self.stage.times - 1):
                self.target = self._played(tape, self.sources[:1], inputs)[0]
                if not any(
                    _call(entry) is not entry and entry[2] == self.target for entry in tape.entries
                ):
                    raise NotYet("unrecorded", SENTENCES.say("idea.unrecorded"))
            played = self._played(tape, self.sources, inputs)
            self.answers = [
                tape.values[g] if self.by_number and g is not None else g for g in played
            ]
        except Exception as error:
            if (
                isinstance(error, NotYet)
                and error.idea == "no-tape"
                or "ellipsis" in str(error).lower()
            ):
                raise
            self.error = error

    def _played(self, tape: Any, sources: list[Any], inputs: dict[str, Any]) -> list[Any]:
        """Play the tape to the target once, and note what it did, also where it raises."""
        entries, gradients = list(tape.entries), []
        try:
            gradients = self._gradient(tape, self.target, sources)
        finally:
            if self.stage.judged:
                values = [
                    tape.values[g] if self.by_number and g is not None else g for g in gradients
                ]
                named = dict(zip(self.sources, inputs))
                if self.stage.times == 1 and RESULT not in inputs:
                    named.setdefault(self.target, RESULT)
                self.plays.append(
                    Play(
                        entries,
                        list(tape.steps),
                        dict(zip(sources, values)),
                        self.target,
                        sources,
                        named,
                    )
                )
        return gradients

    def _gradient(self, tape: Any, target: Any, sources: list[Any]) -> list[Any]:
        gradients = tape.gradient(target, list(sources))
        if (
            gradients is ...
            or isinstance(gradients, (list, tuple))
            and any(g is ... for g in gradients)
        ):
            raise NotAttempted
        if not isinstance(gradients, (list, tuple)) or len(gradients) != len(sources):
            raise NotYet(
                "how-many",
                SENTENCES.say(
                    "idea.how-many",
                    {
                        "what": "gradient",
                        "count": len(sources),
                        "given": len(gradients) if isinstance(gradients, (list, tuple)) else 1,
                    },
                ),
            )
        if self.by_number:
            for g in gradients:
                if g is not None and (
                    isinstance(g, bool) or not isinstance(g, int) or not 0 <= g < len(tape.values)
                ):
                    raise NotYet(
                        "not-a-number", SENTENCES.say("idea.not-a-number", {"given": repr(g)[:40]})
                    )
        return list(gradients)


def _call(entry: Any) -> Any:
    is_call = (
        isinstance(entry, (list, tuple)) and len(entry) > 3 and isinstance(entry[1], (list, tuple))
    )
    return (entry[0], tuple(entry[1])) if is_call else entry


def _refusal(found: NotYet, message: str, right: int, inputs: dict[str, Any]) -> NotYet:
    refusal = NotYet(found.idea, message, board=found.board, right=right)
    refusal.inputs = inputs
    return refusal
