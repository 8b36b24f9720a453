"""One exercise, whatever its kind: its texts, its hints, and how an answer is tried without harm."""

# No `from __future__ import annotations`: the dataclasses of other files repeat these in their
# signatures.
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

from ..sentences import Catalogue, language
from . import kept
from .guard import TooLong, aside, within
from .outcome import SENTENCES, NotAttempted, NotYet, Outcome, Prose, Text, meaning, raised
from .program import codes_of, run, tells_of_blank

SECONDS = 5.0  # that an answer gets
# said by a class's server when a kernel starts, so that no cell takes it back
KEPT_BACK = os.environ.get("MINITAPE_SOLUTIONS") == "no"


@dataclass(frozen=True)
class Wrong:
    """A wrong answer that people really give, and the idea that it misses.

    `answer`: in a program, {blank: its text} or {piece of the solution: what stands there instead};
    elsewhere what the kind says.
    """

    idea: str
    answer: Any


@dataclass(frozen=True, kw_only=True, eq=False)
class Exercise:
    """What all kinds have: an id such as "03.sin", the catalogue of the lesson, wrong answers, and
    the verbs `check`, `hint`, `solution`.

    Its texts have keys that begin with its name, the id without the lesson: sin.title, sin.prompt,
    sin.praise, sin.hint.1, ..., sin.idea.upstream. An idea without a text of its own takes
    idea.upstream of the lesson's catalogue, then that of minitape. A kind has `judge(answer)`,
    which returns for a right answer and raises `NotYet` or `NotAttempted` otherwise.
    """

    id: str
    texts: Catalogue
    wrong: tuple[Wrong, ...] = ()
    _given: list[int] = field(default_factory=list, compare=False, repr=False)
    _looked_at: list[Outcome] = field(default_factory=list, compare=False, repr=False)
    _seed: int | None = field(default=None, repr=False)

    name = "answer"  # what the learner's code defines
    shows = False  # True where there is a question() to show
    counts = True  # False for what is asked in passing: it is no part of one's progress
    parts = 1  # of an answer, which are right or wrong one by one
    prelude = ""  # a program with what the learner has made in earlier exercises

    def __init_subclass__(cls) -> None:
        # that of a dataclass shows all, and so the solution
        setattr(cls, "__repr__", Exercise.__repr__)  # noqa: B010

    # ---- its texts

    def text(self, key: str, params: Mapping[str, Any] | None = None) -> str:
        """Return a text of this exercise in the learner's language, "" where there is none."""
        return self.texts.filled(
            self.texts(language()).get(f"{self.id.partition('.')[2]}.{key}", ""), params or {}
        )

    def idea(self, key: str, **params: Any) -> str:
        """Return the sentence of an idea: of this exercise, of its lesson, or the general one."""
        return self.texts.filled(self.idea_pattern(key), params)

    def idea_pattern(self, key: str) -> str:
        """Return the sentence of an idea with its blanks, "" where there is none."""
        own, general = self.texts(language()), SENTENCES(language())
        name = self.id.partition(".")[2]
        return (
            own.get(f"{name}.idea.{key}")
            or own.get(f"idea.{key}")
            or general.get(f"idea.{key}")
            or ""
        )

    title = property(lambda self: self.text("title"), doc="A few words.")
    prompt = property(lambda self: self.text("prompt"), doc="What is asked.")
    praise = property(
        lambda self: self.text("praise"), doc="What was learned, said when the answer is right."
    )

    @property
    def hints(self) -> tuple[str, ...]:
        """The hints, which build up."""
        hints = [self.text(f"hint.{k}") for k in range(1, 10)]
        return tuple(hint for hint in hints if hint)

    def comment(self, key: str) -> str:
        """Return a comment of a program in the learner's language."""
        return self.text(f"comment.{key}") or key

    # ---- what a kind says

    @property
    def starter(self) -> str:
        """What the learner begins with."""
        return "answer = ...\n"

    @property
    def solution_code(self) -> str:
        """The right answer, as a program."""
        raise NotImplementedError

    def wrong_code(self, wrong: Wrong) -> str:
        """Return a declared wrong answer as a program."""
        raise NotImplementedError

    def question(self) -> Any:
        """Return what is to be looked at before answering."""
        return Text(self.prompt)

    def fixed(self, seed: int) -> Self:
        """Return an exercise like this one that asks with the numbers of a seed: an answer stays
        right where it is marked later.
        """
        asked_so_far = [part.name for part in fields(self) if part.default_factory is list]
        fresh: dict[str, Any] = {name: [] for name in asked_so_far}
        return replace(self, **fresh, _seed=seed)

    def judge(self, answer: Any) -> Any:
        """Return for a right answer, with what makes the storyboard to be watched then, or None.
        Raises `NotYet` or `NotAttempted`.
        """
        raise NotImplementedError

    # ---- verbs

    def check(self, answer: Any = ...) -> Outcome:
        """Judge an answer; returns an `Outcome`, and never raises because of the learner's code."""
        outcome = self.try_out(answer)
        kept.write(self.id, outcome.kind, outcome.idea or "")
        return outcome

    def try_out(self, answer: Any) -> Outcome:
        """Judge an answer, as `check` does, and note nothing."""
        with aside(answer) as printed:
            outcome = self._judged(answer)
        self._looked_at[:] = [replace(outcome, printed=str(printed))]
        return self._looked_at[0]

    def play(self) -> Any:
        """Show the tape that was looked at last in a player, with the numbers it was tried with;
        where there was none, return what was said.
        """
        if not self._looked_at:
            return Prose(SENTENCES.say("unchecked"))
        last = self._looked_at[0]
        return last if last.board is None else last.play()

    def _judged(self, answer: Any) -> Outcome:
        try:
            return Outcome(
                "correct", self.praise, board=within(SECONDS, lambda: self.judge(answer))
            )
        except NotAttempted as error:
            return self._blank(answer, str(error))
        except NotYet as error:
            return Outcome(
                "not yet",
                error.message,
                error.idea,
                inputs=error.inputs,
                right=error.right,
                board=error.board,
                drawing=error.drawing,
            )
        except TooLong as error:
            said = SENTENCES.say(f"idea.{error.idea}", {"seconds": f"{SECONDS:g}"})
            return Outcome("not yet", said, error.idea)
        except KeyboardInterrupt:  # the Stop button
            raise
        except BaseException as error:  # the learner's code may raise anything, SystemExit too
            if tells_of_blank(error) and isinstance(error, (TypeError, ValueError, AttributeError)):
                return self._blank(answer)
            outcome = self.outcome_of(error, answer)
            return replace(
                outcome, message="\n".join(filter(None, [outcome.message, meaning(error)]))
            )

    def defined(self, code: str) -> Any:
        """Run an answer as a notebook cell would, and return what it defines."""
        return run(self.prelude + code)[self.name]

    def outcome_of(self, error: BaseException, answer: Any) -> Outcome:
        """Return the outcome for what an answer raised: with the line in its own cell, where it calls
        what was made in earlier ones.
        """
        cells = [code.co_filename for code in codes_of(answer)] if self.prelude else []
        return raised(error, self.starter, *cells[:1])

    def begun(self, answer: Any) -> bool:
        """Say whether a learner in whose answer a blank is left has filled in another one, or
        changed something else.
        """
        return False

    def _blank(self, answer: Any, said: str = "") -> Outcome:
        """Return what is said while a blank is left: it names the learner's cell by what the blank
        is in, `class MyDense`.
        """
        begun = re.findall(r"^(\w.*?) *[(=:]", self.starter.partition("...")[0], re.MULTILINE)
        cell = begun[-1] if begun else ""
        if not said and self.begun(answer):
            return Outcome(
                "not yet", SENTENCES.say("idea.blank-somewhere", {"cell": cell}), "blank-somewhere"
            )
        return Outcome("not attempted", said or SENTENCES.say("unanswered", {"cell": cell}))

    def hint(self) -> Prose:
        """Return the next hint; after the last one, the last again."""
        hints = self.hints
        if not hints:
            return Prose(SENTENCES.say("hint.none"))
        k = min(len(self._given), len(hints) - 1)
        self._given.append(k)
        said = SENTENCES.say("hint", {"number": k + 1, "count": len(hints), "hint": hints[k]})
        is_last = k == len(hints) - 1 and not KEPT_BACK
        return Prose(f"{said} {SENTENCES.say('hint.last')}" if is_last else said)

    def solution(self) -> Text:
        """Return the solution as text to read; it is not run. In a class that keeps it back, return
        a sentence that says so.
        """
        if KEPT_BACK:
            return Prose(SENTENCES.say("solution.kept-back"))
        kept.write(self.id, "solution seen")
        return Text(self.solution_code)

    def __repr__(self) -> str:
        return f"Exercise {self.id}: {self.title}"


class Face:
    """What learners get of an exercise where a class keeps solutions back: its verbs and its texts.
    Any other name raises PermissionError.
    """

    SHOWN = (
        *("check", "fixed", "hint", "play", "question", "solution", "try_out"),
        *("counts", "hints", "id", "idea_pattern", "name", "parts", "praise", "prompt", "shows"),
        *("starter", "title"),
    )

    def __init__(self, behind: Exercise) -> None:
        self._behind = behind

    def fixed(self, seed: int) -> Self:
        """Return the face of the exercise with the numbers of a seed."""
        return type(self)(self._behind.fixed(seed))

    def __getattr__(self, name: str) -> Any:
        if name in self.SHOWN:
            return getattr(self._behind, name)
        error = AttributeError if name.startswith("_") else PermissionError
        raise error(SENTENCES.say("solution.kept-back"))

    def __dir__(self) -> tuple[str, ...]:
        return self.SHOWN

    def __repr__(self) -> str:
        return repr(self._behind)
