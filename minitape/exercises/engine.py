"""A tape that the learner writes: a list of entries, then a class that records, plays backwards and
answers.

It is run on programs that it has not seen, stage by stage. What it did is judged step by step
(`own_tape`), so that a fault is named where it was made, and the storyboard to be watched is that
of the learner's own tape, at the place where it leaves the right way.
"""

# No `from __future__ import annotations`: the dataclasses of other files repeat these in their
# signatures.
import ast
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import count
from typing import Any

import numpy as np

from .. import own_tape
from ..own_tape.given import operation
from ..sentences import language
from .answers import (
    array_of,
    close,
    function_of,
    inputs_text,
    not_yet,
    number_text,
    place_text,
    takes,
    tries,
    value_text,
    worst,
)
from .draw import Inputs, draw, generator
from .function import WithProgram
from .guard import off_the_clock
from .outcome import SENTENCES, NotAttempted, NotYet, same_error
from .program import tells_of_blank
from .rule import UNFIT

RESULT = "z"  # what the result of a program is called in the picture
Fault = own_tape.Departure | Exception  # what first went wrong with a tape


@dataclass(frozen=True)
class Stage:
    """One program that a learner's tape has to run. Its title is the text `NAME.stage.KEY` of the
    exercise.

    `program`: a function of `run` and of the inputs' numbers on the tape, which computes by
    `run(op, *numbers)` and returns the number of its result; `inputs`: see `draw`; `times`: how
    often a slope is taken, of the first input, 0 for a program that is only recorded; `judged`:
    False for a program too long for a picture: its answers alone are looked at.
    """

    key: str
    program: Callable[..., Any]
    inputs: Inputs
    times: int = 1
    judged: bool = True


@dataclass(frozen=True, kw_only=True, eq=False)
class Engine(WithProgram):
    """A tape to write: a class, or its list of entries alone. Its ideas are the keys of
    `own_tape.Departure`, and those of the refusals in `Attempt`.

    What the learner's class needs: `source(value)` and `run(op, *numbers)`, which return the number
    of a value, its place in the list `values`; `gradient(target, sources)`, where slopes are taken;
    the lists `entries` and `steps`, as `own_tape.OwnTape` takes them. `by_number`: `gradient`
    returns numbers of values, so that a slope of a slope can be taken; steps may hold them, too.
    """

    stages: tuple[Stage, ...]
    by_number: bool = False

    parts = property(lambda self: len(self.stages))

    @cached_property
    def name(self) -> str:  # type: ignore[override]
        """What the program defines last, a class or a list: the learner's answer."""
        last = ast.parse(self._program.solution()).body[-1]
        return last.name if isinstance(last, ast.ClassDef) else ast.unparse(last.targets[0])  # type: ignore[attr-defined]

    def called_aside(self, code: str) -> Any:
        """Return what makes a tape of a program of the author's."""
        return _builder(self.defined(code), self.name)

    def judge(self, answer: Any) -> Any:
        build = _builder(answer, self.name, not isinstance(self.defined(self.solution_code), type))
        if not self.begun(answer) and not isinstance(answer, list):
            raise NotAttempted
        numbers, board = generator(), None
        for k, stage in enumerate(self.stages):
            inputs, title = draw(stage.inputs, numbers), self.text(f"stage.{stage.key}")
            counted = {"right": k, "count": len(self.stages)}
            try:
                board = self._look(stage, build, inputs) or board
            except NotYet as error:
                head = SENTENCES.say(
                    "stage",
                    {"number": k + 1, **counted, "title": title, "inputs": inputs_text(inputs)},
                )
                tail = SENTENCES.say("partly", counted) if k else ""
                message = "\n".join(filter(None, (head, error.message, tail)))
                refusal = NotYet(error.idea, message, board=error.board, right=k)
                refusal.inputs = inputs
                raise refusal from error
            except NotAttempted as error:
                if not k:
                    raise
                said = SENTENCES.say("idea.blank-left", {"what": title, **counted})
                raise NotYet("blank-left", said, right=k) from error
        return board

    def _look(self, stage: Stage, build: Callable[[], Any], inputs: dict[str, Any]) -> Any:
        """Judge one stage; returns what makes the storyboard of it, or None. Raises `NotYet`, or
        the error of the learner's code.
        """
        attempt = Attempt(stage, build, self.by_number, inputs)
        fault = attempt.fault or self._of_answers(attempt)
        if fault is not None:
            raise self._refusal(fault, attempt)

        def slopes(made_by: Callable[[], Any], given: Mapping[str, Any]) -> list[Any]:
            return Attempt(stage, made_by, self.by_number, dict(given)).answers

        if stage.times and tries(partial(slopes, build), partial(slopes, self.reference), inputs):
            raise NotYet("by-trying", SENTENCES.say("idea.by-trying"), board=attempt.recorded)
        # a third slope is a picture too large to look at
        return attempt.plays[-1].board if attempt.plays and stage.times < 3 else None

    def _of_answers(self, attempt: "Attempt") -> NotYet | None:
        """Compare the answers with those of the solution."""
        wanted = off_the_clock(Attempt)(
            attempt.stage, self.reference, self.by_number, attempt.inputs
        )
        for name, came, right in zip(attempt.inputs, attempt.answers, wanted.answers):
            if came is None or right is None:
                if came is right:
                    continue
                given, needed = ("None" if g is None else value_text(g) for g in (came, right))
                said = {"what": name, "given": given, "wanted": needed}
                return NotYet("is-none", SENTENCES.say("engine.answer", said))
            came, right = array_of(came, name), array_of(right, name)
            if came.shape != right.shape:
                return not_yet("number", what=name)
            if not close(came, right):
                place = worst(came, right)
                said = {
                    "what": place_text(name, place),
                    "given": number_text(float(came[place])),
                    "wanted": number_text(float(right[place])),
                }
                return NotYet("number", SENTENCES.say("engine.answer", said))
        return None

    def _refusal(self, fault: Fault, attempt: "Attempt") -> Exception:
        """Return what is said of a fault: with the idea of the declared wrong tape that has the same
        one, on the same inputs.
        """
        # a program too long for a picture is too long for wrong tapes that are slow
        declared = self.wrong_functions if attempt.stage.judged else []
        idea: str | None = None
        most = 0
        for key, build in declared:
            alike = attempt.alike(fault, build)
            if alike > most:
                idea, most = key, alike
            if alike == 2:
                break
        board = None
        if isinstance(fault, own_tape.Departure):
            board = next(play.board for play in attempt.plays if play.departure is fault)
            # it calls values as the picture does
            said, key = board().departure.sentence(language()), fault.key
        elif isinstance(fault, NotYet):
            said, key, board = fault.message, fault.idea, attempt.recorded
        else:
            said = self.outcome_of(fault, attempt.build).message
            key = "shape" if any(text in str(fault) for text in UNFIT) else ""
            if not (idea or key):
                return fault
        return NotYet(idea or key, f"{said}\n{self.idea(idea or key)}".rstrip(), board=board)

    def idea(self, key: str, **params: Any) -> str:
        """Return the lesson's sentence of an idea; what is wrong, the tape itself has said."""
        return self.text(f"idea.{key}", params) or self.texts.filled(
            self.texts(language()).get(f"idea.{key}", ""), params
        )


class Written:
    """A list of entries that was written by hand, in the place of a tape that records it: values
    have the numbers 0, 1, 2, ... in the order in which they come.
    """

    def __init__(self, entries: list[Any]) -> None:
        self.entries, self._numbers = entries, count()

    def source(self, value: Any) -> int:
        """Return the next number."""
        return next(self._numbers)

    def run(self, op: str, *numbers: int) -> int:
        """Return the next number."""
        return next(self._numbers)


def _builder(answer: Any, name: str, written: bool = False) -> Callable[[], Any]:
    """Return what makes a tape of an answer, which is a list where that is `written` by hand."""
    if isinstance(answer, list):
        return lambda: Written(answer)
    if written and answer is not ...:
        raise not_yet("no-list", what=name, type=type(answer).__name__)
    return function_of(answer, name)


@dataclass(frozen=True)
class Play:
    """One way back of somebody's tape, as `own_tape` takes it; `steps` is None where there was
    none.
    """

    entries: list[Any]
    steps: list[Any] | None
    gradients: dict[Hashable, Any] | None
    about: dict[str, Any]  # target, sources, names

    @cached_property
    def departure(self) -> own_tape.Departure | None:
        """Where it leaves the right way, or None. Raises `NotYet` for what is no tape,
        `NotAttempted` for one with a blank in it.
        """
        return own_tape.departure(_tape(self.entries, self.steps, self.gradients, **self.about))

    def board(self) -> Any:
        """Return the storyboard of the learner's own tape."""
        return own_tape.storyboard(
            self.entries, self.steps, self.gradients, **self.about, language=language()
        )


class Attempt:
    """One program run on somebody's tape. `plays`: what the tape did, `answers`: what it gave,
    `error`: what it raised, or why it was refused: a `NotYet`.

    Its refusals: lacks, shared, arguments, gives-none, values, number-twice, recorded, other-entry,
    other-value, output, no-tape; no-steps, list, how-many, unrecorded, not-a-number. Raises
    NotAttempted where a blank is met.
    """

    def __init__(
        self, stage: Stage, build: Callable[[], Any], by_number: bool, inputs: dict[str, Any]
    ) -> None:
        self.stage, self.build, self.by_number, self.inputs = stage, build, by_number, inputs
        self.answers: list[Any] = []
        self.plays: list[Play] = []
        self.called: list[tuple[str, tuple[Hashable, ...]]] = []
        self.known: dict[Hashable, Any] = {}  # the values under their numbers
        self.counts: set[int] = set()  # of numbers with which `run` can be called
        self.error: Exception | None = None
        self.tape: Any = None
        try:
            self.tape = build()
            self._run(self.tape)
        except Exception as error:
            if isinstance(error, NotAttempted) or tells_of_blank(error):
                raise NotAttempted from error
            self.error = error

    @cached_property
    def fault(self) -> Fault | None:
        """What first went wrong, or None."""
        for play in self.plays:
            try:
                departure = play.departure
            except NotYet as refused:
                return self.error or refused
            # where code raised, the end was never reached
            if departure is not None and (self.error is None or departure.at != "end"):
                return departure
        return not_yet("recursion") if isinstance(self.error, RecursionError) else self.error

    @property
    def recorded(self) -> Any:
        """What makes the storyboard of the entries alone, None where they make no tape."""
        try:
            known = own_tape.OwnTape(self.tape.entries).values
        except (TypeError, ValueError, AttributeError):
            return None
        names = {n: name for n, name in zip(self.known, self.inputs) if n in known}
        return Play(list(self.tape.entries), None, None, {"names": names}).board

    def alike(self, fault: Fault, build: Callable[[], Any]) -> int:
        """Return 0 where another tape has another fault on the same program, 1 where it has this
        one, 2 where it also took the same steps to the same answers.
        """
        try:
            other = off_the_clock(Attempt)(self.stage, build, self.by_number, self.inputs)
            theirs = off_the_clock(lambda: other.fault)()
        except (Exception, NotAttempted):
            return 0
        if isinstance(fault, NotYet) and isinstance(theirs, NotYet):
            same = (fault.idea, fault.message) == (theirs.idea, theirs.message)
        elif isinstance(fault, Exception) and isinstance(theirs, Exception):
            same = same_error(fault, theirs)
        else:
            same = fault == theirs
        plays = [repr([(p.steps, p.gradients) for p in each.plays]) for each in (self, other)]
        return same + (same and plays[0] == plays[1])

    def _run(self, tape: Any) -> None:
        """Record the program and play it."""
        for method in ("source", "run", "gradient")[: 3 if self.stage.times else 2]:
            if not callable(getattr(tape, method, None)):
                raise not_yet("lacks", what=method)
        if not isinstance(tape, Written) and _list(tape, "entries"):
            raise not_yet("shared", count=len(tape.entries))
        for value in self.inputs.values():
            number = tape.source(np.array(value) if np.ndim(value) else value)
            self._kept(tape, "source", number, value)
        self.sources = list(self.known)
        self.target = self.stage.program(partial(self._called, tape), *self.sources)
        if len(_list(tape, "entries")) != len(self.called):
            raise self._counted(tape)
        for _ in range(self.stage.times - 1):
            self.target = self._played(tape, self.sources[:1])[0]
            if self.target not in [entry.output for entry in _tape(tape.entries).entries]:
                raise not_yet("unrecorded")
        if self.stage.times:
            # not in the order in which they were made
            played = self._played(tape, self.sources[::-1])
            self.answers = [self._value(tape, g) for g in played[::-1]]
        else:
            self._note(tape, list(tape.entries), None, None)

    def _called(self, tape: Any, op: str, *numbers: Hashable) -> Any:
        """Let a tape run one operation, and look at the entry that it writes."""
        self.called.append((op, numbers))
        if not self.stage.judged:
            return tape.run(op, *numbers)
        if len(numbers) not in self.counts:
            takes(tape.run, ("op", "a", "b")[: 1 + len(numbers)], "run")
            self.counts.add(len(numbers))
        number, k = tape.run(op, *numbers), len(self.called)
        if len(_list(tape, "entries")) < k:
            raise self._counted(tape)
        entry = _tape(tape.entries[:k]).entries[-1]
        if (entry.op, entry.inputs) != (operation(op), numbers):
            raise not_yet("other-entry", number=k, given=repr(tuple(tape.entries[k - 1][:2])))
        for n, value in zip(numbers, entry.values):
            if not close(value, np.asarray(self.known[n], float)):
                said = {"given": value_text(value), "wanted": value_text(self.known[n])}
                raise not_yet("other-value", number=k, what=repr(n), **said)
        try:
            self._kept(tape, "run", number, entry.y)
            if entry.output != number:
                raise not_yet("output", number=k, given=repr(entry.output), wanted=repr(number))
        except NotYet:
            if own_tape.departure(_tape(tape.entries[k - 1 : k])) is None:
                raise  # else the entry itself is wrong, and the departure says so
        self.known[number] = entry.y
        return number

    def _kept(self, tape: Any, method: str, number: Any, value: Any) -> None:
        """Refuse a number under which a tape does not keep a value."""
        if number is ...:
            raise NotAttempted
        if number is None:
            raise not_yet("gives-none", what=method)
        try:
            kept = value if isinstance(tape, Written) else _list(tape, "values")[number]
            right = close(np.asarray(kept, float), np.asarray(value, float))
        except (LookupError, TypeError, ValueError):
            right = False
        if not right:
            raise not_yet("values", what=method, given=_short(number))
        if number in self.known:
            raise not_yet("number-twice", given=_short(number))
        self.known[number] = value

    def _counted(self, tape: Any) -> NotYet:
        return not_yet("recorded", given=len(tape.entries), wanted=len(self.called))

    def _played(self, tape: Any, sources: list[Any]) -> list[Any]:
        """Play the tape to the target once, and note what it did, also where it raises."""
        entries, gradients = list(tape.entries), []
        takes(tape.gradient, ("target", "sources"), "gradient")
        try:
            gradients = self._gradient(tape, sources)
        finally:
            if self.stage.judged:
                answers = dict(zip(sources, [self._value(tape, g) for g in gradients]))
                steps = list(_list(tape, "steps"))
                if self.by_number:
                    steps = [self._step(tape, step) for step in steps]
                self._note(tape, entries, steps, answers)
        if self.stage.judged and not tape.steps and any(g is not None for g in gradients):
            raise not_yet("no-steps")
        return gradients

    def _note(self, tape: Any, entries: list[Any], steps: Any, answers: Any) -> None:
        names = dict(zip(self.sources, self.inputs))
        if self.stage.times < 2 and RESULT not in self.inputs:
            names.setdefault(self.target, RESULT)
        about = {"target": self.target, "sources": list(self.sources[: len(answers or names)])}
        self.plays.append(Play(entries, steps, answers, {**about, "names": names}))

    def _value(self, tape: Any, g: Any) -> Any:
        return tape.values[g] if self.by_number and g is not None else g

    def _step(self, tape: Any, step: Any) -> Any:
        """Return a step with values in it, where the tape notes their numbers."""
        try:
            k, g, parts = step
            g, *parts = [self._value(tape, n) if isinstance(n, int) else n for n in (g, *parts)]
        except (TypeError, ValueError, LookupError):
            return step
        return k, g, parts

    def _gradient(self, tape: Any, sources: list[Any]) -> list[Any]:
        gradients = tape.gradient(self.target, list(sources))
        listed = isinstance(gradients, (list, tuple))
        if gradients is ... or listed and any(g is ... for g in gradients):
            raise NotAttempted
        if gradients is None:
            raise not_yet("gives-none", what="gradient")
        if not listed:
            raise not_yet("list", what="gradient", type=type(gradients).__name__)
        if len(gradients) != len(sources):
            raise not_yet("how-many", what="gradient", count=len(sources), given=len(gradients))
        for g in gradients if self.by_number else ():
            if g is not None and (
                isinstance(g, bool) or not isinstance(g, int) or not 0 <= g < len(tape.values)
            ):
                raise not_yet("not-a-number", given=_short(g))
        return list(gradients)


def _tape(*lists: Any, **about: Any) -> own_tape.OwnTape:
    """Return a tape whose lists can be one. Raises `NotYet` for what cannot, `NotAttempted` for a
    blank in it.
    """
    try:
        return own_tape.OwnTape(*lists, **about)
    except (TypeError, ValueError) as error:
        if tells_of_blank(error):
            raise NotAttempted from error
        raise not_yet("no-tape", why=str(error)) from error


def _short(value: Any) -> str:
    return repr(value.item() if isinstance(value, np.number) else value)[:40]


def _list(tape: Any, name: str) -> Any:
    """Return a list of a tape's."""
    result = getattr(tape, name, None)
    if result is None:
        raise not_yet("lacks", what=name)
    return result
