"""A function to complete: its numbers are compared with those of the solution, on inputs that the
learner has not seen.

The wrong answers that the author declares are run on the same inputs: an answer that computes, or
raises, what one of them does has its idea. Where a gradient that the answer asked its own tape for
is None, the explainer says why.
"""

# No `from __future__ import annotations`: the dataclasses of other files repeat these in their
# signatures.
import ast
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np

from ..explain import Explanation
from ..sentences import language
from ..storyboard import Film, develop
from .answers import (
    array_of,
    close,
    function_of,
    inputs_text,
    not_yet,
    number_text,
    parts_of,
    place_text,
    takes,
    tries,
    worst,
)
from .draw import Inputs, draw, generator, given
from .exercise import Exercise, Wrong
from .filmed import FilmedAnswer
from .guard import off_the_clock
from .ideas import idea_of_numbers, idea_of_shape, relation
from .outcome import SENTENCES, NotAttempted, NotYet, same_error
from .program import Program, codes_of, functions_of, gives, run, same_code
from .slipped import Tried, slip_of, unheard

ROUNDS = 5
# ideas that name no cause
VAGUE = "number", "factor", "shape", "not-finite", "shown-only", "zero"
# slips that say more than that 0 comes out
OF_TURNS = "slip.one-turn", "slip.turn-less", "slip.branch", "slip.not-done", "slip.comparison"


@dataclass(frozen=True, kw_only=True, eq=False)
class WithProgram(Exercise):
    """An exercise whose answer is a function, which the author writes once, see `program.Program`.
    `inputs`: see `draw`; `prelude`: a program with what the learner has made in earlier exercises.
    """

    program: str
    inputs: Inputs = field(default_factory=dict)
    prelude: str = ""

    @cached_property
    def _program(self) -> Program:
        return Program(self.program)

    @cached_property
    def name(self) -> str:  # type: ignore[override]
        """The last function that the program defines: the learner's answer."""
        return self._definition.name

    @property
    def _definition(self) -> ast.FunctionDef:
        return [
            node
            for node in ast.parse(self._program.solution()).body
            if isinstance(node, ast.FunctionDef)
        ][-1]

    @property
    def starter(self) -> str:
        return self._program.starter(self.comment)

    @property
    def solution_code(self) -> str:
        return self._program.solution(self.comment)

    def wrong_code(self, wrong: Wrong) -> str:
        return self._program.edited(wrong.answer)

    def begun(self, answer: Any) -> bool:
        spaces = [each.__globals__ for each in functions_of(answer)]
        mine = {**next((s for s in spaces if self.name in s), {}), self.name: answer}
        made, theirs_by_name = ast.parse(self.starter).body, run(self.prelude + self.starter)
        for name in (
            part.name for part in made if isinstance(part, (ast.FunctionDef, ast.ClassDef))
        ):
            given, theirs = codes_of(mine.get(name)), codes_of(theirs_by_name[name])
            changed = len(given) != len(theirs) or not all(map(same_code, given, theirs))
            if mine.get(name, ...) is not ... and changed:
                return True
        return False

    @cached_property
    def reference(self) -> Any:
        """The solution, as a function."""
        return self.called_aside(self.solution_code)

    @cached_property
    def wrong_functions(self) -> list[tuple[str, Any]]:
        """The declared wrong answers, as (idea, function)."""
        return [(wrong.idea, self.called_aside(self.wrong_code(wrong))) for wrong in self.wrong]

    def called_aside(self, code: str) -> Any:
        """Return what a program of the author's defines, to be called beside the answer."""
        return off_the_clock(self.defined(code))

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """What the learner's function returns, as the program calls it; what has no name is the
        function's result.
        """
        whole = self._definition
        inner = {
            node
            for f in ast.walk(whole)
            if isinstance(f, ast.FunctionDef) and f is not whole
            for node in ast.walk(f)
        }
        returned = [
            node.value
            for node in ast.walk(whole)
            if isinstance(node, ast.Return) and node not in inner
        ]
        each = (
            returned[-1].elts if returned and isinstance(returned[-1], ast.Tuple) else returned[-1:]
        )
        result = f"{self.name}(...)"
        return tuple(
            e.id if isinstance(e, ast.Name) else f"{result}[{k}]" if len(each) > 1 else result
            for k, e in enumerate(each)
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Function(WithProgram):
    """A function to complete.

    `shown`: the inputs that the learner's text shows; `by_hand`: the learner is the tape, so a tape
    inside of the answer is no answer; `by_tape`: the numbers must come from a tape; `by_jacobian`:
    the tape may be asked for a Jacobian, ready-made; `by_trying`: what is found by hand may be found
    by a finite difference; `form`: the answer gets "array" or "tensor".
    """

    shown: Mapping[str, Any] | None = None
    by_hand: bool = True
    by_tape: bool = False
    by_jacobian: bool = True
    by_trying: bool = False
    form: str = "array"
    _tried: list[Any] = field(default_factory=list, compare=False, repr=False)

    parts = property(lambda self: len(self.outputs))

    def judge(self, answer: Any) -> Any:
        function = function_of(answer, self.name)
        numbers = generator()
        rounds = [dict(self.shown)] if self.shown is not None else []
        rounds += [self.drawn(numbers, turn) for turn in range(ROUNDS - len(rounds))]
        takes(function, tuple(rounds[0]), self.name)
        self._tried[:] = [function]
        films = [FilmedAnswer() for _ in rounds]
        answers = [self._answer(function, inputs, film) for inputs, film in zip(rounds, films)]
        wanted = [self.wanted(inputs) for inputs in rounds]
        try:
            self.compare(answers, wanted, rounds, films)
            mine, right = (partial(self.called, each) for each in (function, self.reference))
            if self.by_hand and not self.by_trying and any(tries(mine, right, i) for i in rounds):
                raise NotYet("by-trying", self.idea("by-trying"))
            return self.look(rounds, films)
        except NotYet as error:
            if self.by_tape and error.idea == "number" and not any(film.played for film in films):
                error.idea = "unasked"
                error.message = f"{self.idea(error.idea)}\n{error.message}"
            error.board = board_of(films[error.round])
            error.inputs = rounds[error.round]
            raise

    def _answer(self, function: Any, inputs: Mapping[str, Any], film: FilmedAnswer) -> list[Any]:
        """Return the parts of what the learner's function answers, filmed. Raises `NotYet` where an
        idea is known for what it raises.
        """
        with film.running():
            try:
                return self.called(function, inputs)
            except NotYet as error:
                if error.idea == "nothing" and any(map(gives, codes_of(function))):
                    said = self.idea("none-returned", what=self.name)
                    raise NotYet("none-returned", said) from None
                if error.idea == "how-many" and (own := self.text("idea.how-many")):
                    raise NotYet(error.idea, own) from None
                raise
            except NotAttempted:
                raise
            except Exception as error:
                reason = film.reason_of(error) if "None" in str(error) else None
                idea = None if reason is not None else self._declared_error(error, inputs)
                self.reword(error, inputs)
                said = self.outcome_of(error, function).message
                if reason is not None:  # it tells one None from another; the errors read alike
                    raise self.none(reason, said) from error
                if idea is not None:
                    raise NotYet(idea, f"{said}\n{self.idea(idea)}") from error
                raise

    def look(self, rounds: Sequence[Mapping[str, Any]], films: Sequence[FilmedAnswer]) -> Any:
        """Look at the tapes of an answer with the right numbers; returns what makes the storyboard
        of one. Raises `NotYet`.
        """
        if self.by_hand and any(film.played for film in films):
            raise NotYet("by-tape", self.idea("by-tape"))
        if self.by_tape and not all(film.played for film in films):
            raise NotYet("no-play", self.idea("no-play"))
        if not self.by_jacobian and any(play.lead for play in films[0].played):
            with Film() as right:
                self.called(self.reference, rounds[0])
            # else it was asked beside them, to compare
            if gradient_plays(films[0]) < gradient_plays(right):
                raise NotYet("by-jacobian", self.idea("by-jacobian"))
        return board_of(films[0])

    def drawn(self, numbers: np.random.Generator, turn: int | None = None) -> dict[str, Any]:
        """Return values for the arguments of the answer, other lengths in each turn."""
        return draw(self.inputs, numbers, turn)

    def called(self, function: Any, inputs: Mapping[str, Any]) -> list[Any]:
        """Return the parts of what a function answers for inputs."""
        return parts_of(
            function(*(given(value, self.form) for value in inputs.values())),
            len(self.outputs),
            self.name,
        )

    def wanted(self, inputs: Mapping[str, Any]) -> list[np.ndarray]:
        """Return what is right for inputs."""
        return [array_of(part, "") for part in self.called(self.reference, inputs)]

    def compare(
        self,
        answers: Sequence[Sequence[Any]],
        wanted: Sequence[Sequence[np.ndarray]],
        rounds: Sequence[Mapping[str, Any]],
        films: Sequence[FilmedAnswer],
    ) -> None:
        """Find the first part that is wrong, and say which idea is missing. Answers and what was
        wanted: [round][part].
        """
        self._tried[1:] = [answers]
        for number, (parts, film) in enumerate(zip(answers, films)):
            if film.reasons and any(holds_none(part) for part in parts):
                raise self.none(film.reasons[0], "", number)
        for k, what in enumerate(self.outputs):
            if answers[0][k] is Ellipsis and k:
                said = SENTENCES.say(
                    "idea.blank-left", {"what": what, "right": k, "count": len(self.outputs)}
                )
                raise NotYet("blank-left", said, right=k)
            none = next((r for r, parts in enumerate(answers) if parts[k] is None), None)
            if none is not None and len(self.outputs) > 1:  # something was returned, only not here
                raise NotYet("none-part", self.idea("none-part", what=what), none, right=k)
            if none is not None and any(map(gives, codes_of(self._tried[0]))):
                raise NotYet("none-returned", self.idea("none-returned", what=what), none)
            came = [array_of(parts[k], what) for parts in answers]
            right = [parts[k] for parts in wanted]
            wrong = [not close(c, r) for c, r in zip(came, right)]
            if any(wrong):
                self.refuse(k, came, wanted, rounds, wrong)

    def none(self, reason: Explanation, before: str, number: int = 0) -> NotYet:
        """Return what is said of an answer in which a gradient was None: after the words `before`,
        why it was.
        """
        said = [
            before,
            SENTENCES.say("still-none", {"why": reason.message}),
            self.idea(reason.category),
        ]
        return NotYet(reason.category, "\n".join(filter(None, said)), number)

    def refuse(
        self,
        k: int,
        came: Sequence[np.ndarray],
        wanted: Sequence[Sequence[np.ndarray]],
        rounds: Sequence[Mapping[str, Any]],
        wrong: Sequence[bool],
    ) -> None:
        """Raise `NotYet` for part `k`, which is wrong in some rounds."""
        right = [parts[k] for parts in wanted]
        first = next(
            (r for r, (c, w) in enumerate(zip(came, right)) if c.shape != w.shape),
            wrong.index(True),
        )
        what = self.outputs[k]
        function, answers = self._tried
        tried = Tried(self, function, answers, k, came, wanted, rounds, self.of_one_piece)
        idea, piece, besides = self._declared(tried) or self.special(tried), "", ""
        if idea is None:
            if isinstance(answers[0][k], tuple) and came[0].size > right[0].size == 1:
                raise not_yet("how-many", what=what, count=1, given=len(answers[0][k]))
            idea = idea_of_shape(came[first], right[first])
            if idea is None and self.shown is not None and not wrong[0]:
                idea = "shown-only"
            if idea is None:
                idea = idea_of_numbers(came, right, [o for j, o in enumerate(wanted[0]) if j != k])
            if idea in VAGUE:
                idea, piece, besides = self._likely(tried, idea)
        message = self.idea(
            idea, what=what, given=_shape(came[first]), wanted=_shape(right[first]), piece=piece
        )
        message = " ".join(filter(None, [message, besides]))
        if idea_of_shape(came[first], right[first]) is None:
            message += "\n" + self.counterexample(what, came[first], right[first], rounds[first])
        elif idea not in ("shape", "unsummed", "transpose"):
            message += "\n" + SENTENCES.say(
                "shapes",
                {"what": what, "given": _shape(came[first]), "wanted": _shape(right[first])},
            )
        if k:
            message += "\n" + SENTENCES.say("partly", {"right": k, "count": len(self.outputs)})
        raise NotYet(idea, message, first, right=k)

    def special(self, tried: Tried) -> str | None:
        """Return an idea that only this kind can see in a part."""
        return None

    def _likely(self, tried: Tried, idea: str) -> tuple[str, str, str]:
        """Return the slip behind a part, or the idea that names no cause: with the piece that it is
        about, and what is to be said besides.
        """
        related, slip = None, None
        if idea != "zero":
            related = relation(tried.came, tried.right, tried.rounds)
        if related is None or related[0] != "slip.constant":
            with suppress(TimeoutError):
                slip = off_the_clock(slip_of)(tried)  # one clock for all of them
        if related is not None and (slip is None or slip[2]):
            return *related, ""
        if slip is not None and (idea != "zero" or slip[0] in OF_TURNS):
            return slip
        if idea == "zero" and not any((right % 1).any() for right in tried.right):
            idea = "number"  # a place or a count may be 0 with no gradient in sight
        at, besides = f"at.{self.outputs[tried.k]}", ""
        if idea == "factor":
            k = int(np.argmax(np.abs(tried.right[0])))
            ratio = float(tried.came[0].ravel()[k] / tried.right[0].ravel()[k])
            besides = SENTENCES.say("besides.factor", {"factor": number_text(ratio)})
        return at if idea in ("number", "factor") and self.idea(at) else idea, "", besides

    def counterexample(
        self, what: str, came: np.ndarray, right: np.ndarray, inputs: Mapping[str, Any]
    ) -> str:
        """Return the sentence that shows the input at which an answer is wrong, and by how much."""
        place = worst(came, right)
        return SENTENCES.say(
            "counterexample",
            {
                "inputs": inputs_text(inputs),
                "what": place_text(what, place),
                "given": number_text(float(came[place])),
                "wanted": number_text(float(right[place])),
            },
        )

    def reword(self, error: Exception, inputs: Mapping[str, Any]) -> None:
        """Put a kind's own words in the place of an error's text; its traceback, which leads to the
        learner's line, stays.
        """

    def _declared_error(self, error: Exception, inputs: Mapping[str, Any]) -> str | None:
        """Return the idea of the declared wrong answer that raises the same on these inputs: not of
        one that works with a gradient of None, where this error is about another None.
        """
        for idea, function in self.wrong_functions:
            film = FilmedAnswer()
            try:
                with film.running():
                    with unheard():
                        self.called(function, inputs)
            except (NotAttempted, NotYet):
                continue
            except Exception as theirs:
                if same_error(theirs, error) and film.reason_of(theirs) is None:
                    return idea
        return None

    def _declared(self, tried: Tried) -> str | None:
        """Return the idea of the declared wrong answer that gives the same part on all inputs, and
        not the right one.
        """
        in_part = tried._replace(whole=False)
        changes = any(not close(came, tried.came[0]) for came in tried.came)
        for each in [tried, in_part] if tried.whole and changes else [tried]:
            for idea, function in self.wrong_functions:
                same = each.times(function) == 1 and each.agrees(function, 1)
                if same and self.same_way(each, function):
                    return idea
        return None

    @property
    def of_one_piece(self) -> bool:
        """True where one blank makes all parts: then a wrong idea shows in all of them."""
        return len(self._program.blanks) == 1

    def same_way(self, tried: Tried, function: Any) -> bool:
        """Say whether the same numbers of two functions are made in the same way."""
        return True

    def changeable(self) -> list[tuple[str, list[tuple[int, int]]]]:
        """Return the programs in which a slip may be made: the solution, and what was given where
        it works. With each, where learners change it, in bytes.
        """
        return [self._program.marked()]


class Given(Function):
    """A program to change: as it is given, which its blanks show, it is no answer.

    `untouched`: the key of what is said then.
    """

    untouched = "unchanged"
    parts = 1  # what it returns may be right in part before anything is changed

    @cached_property
    def given(self) -> Any:
        """The program as it is given."""
        return run(self.starter)[self.name]

    def judge(self, answer: Any) -> Any:
        if same_code(getattr(answer, "__code__", None), self.given.__code__):
            raise NotAttempted(SENTENCES.say(self.untouched, {"name": self.name}))
        return super().judge(answer)


def board_of(film: Film) -> Any:
    """Return what makes the storyboard of what a film saw, None where it saw no play."""
    return (
        (lambda: develop(film, language=language()))
        if film.tapes and film.tapes[0].tape.entries
        else None
    )


def gradient_plays(film: Film) -> int:
    """Return how many plays of a film were no Jacobian's."""
    return sum(not play.lead for play in film.played)


def holds_none(part: Any) -> bool:
    """Say whether a part of an answer is None, or a list of which a piece is."""
    return (
        part is None or isinstance(part, (list, tuple)) and any(holds_none(piece) for piece in part)
    )


def _shape(array: np.ndarray) -> str:
    return str(array.shape) if array.ndim else SENTENCES.say("a-number")
