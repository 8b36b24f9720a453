"""A number to predict: the program is shown with other numbers each time, and the learner says what
comes out.

What each misconception would answer is computed from the same program, so the numbers are drawn
until no two of them agree.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..storyboard import Film
from .answers import array_of, close, not_yet, your_answer
from .draw import generator
from .exercise import Exercise, Wrong
from .function import board_of
from .ideas import idea_of_numbers, idea_of_shape
from .outcome import SENTENCES, NotAttempted, NotYet, Text
from .program import run

NEAR = 0.005  # of a number is near enough for a prediction, below 1 so much
MOST = 0.05  # of a number below 1, where no more is asked for: what is near to 0.001 is not 0
APART = 0.03  # the answers of two ideas lie at least so far apart
TRIES = 200


@dataclass(frozen=True, kw_only=True, eq=False)
class Number(Exercise):
    """A number to predict, or a shape, a word, None, or an error.

    `program`: what is shown, with {x} where a drawn number stands; `numbers`: {"x": (2.0, 3.0,
    5.0)}, what is drawn from; `right`, and the answers of each `Wrong`: expressions in the names of
    the program; a wrong one that gives `...` does not apply to these numbers and is left out. Where
    `right` names `error`, the program may raise: `error` is the word for it in the learner's
    language, `raised` says whether it did. `twin`: the same in minitape, which runs in the place of
    a program of another library.
    """

    program: str
    right: str
    twin: str = ""
    numbers: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    _asked: list[dict[str, Any]] = field(default_factory=list, repr=False)

    shows = True

    def question(self) -> Text:
        """Return the program with new numbers."""
        self._asked[:] = [self.drawn()]
        return Text(self._asked[0]["text"])

    def drawn(self) -> dict[str, Any]:
        """Draw numbers with which every idea gives an answer of its own. Raises ValueError where
        none are found.
        """
        chance = random.Random(int(generator(self._seed).integers(2**32)))
        for _ in range(TRIES):
            asked = self.asked_with(
                {name: chance.choice(list(choices)) for name, choices in self.numbers.items()}
            )
            if self.distinguishes(asked):
                return asked
        raise ValueError(
            f"{self.id}: no numbers were found with which the right answer and each wrong idea "
            "differ. Give `numbers` more "
            "to choose from."
        )

    def asked_with(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Run the program with these numbers: {"text", "right", "wrong": {wrong: answer}, "film"}."""
        text, runs = self.program, self.twin or self.program
        for name, value in values.items():
            text, runs = (t.replace("{" + name + "}", repr(value)) for t in (text, runs))
        space: dict[str, Any] = {"error": SENTENCES.say("an-error"), "raised": False}
        with Film() as film:
            try:
                run(runs, space)
            except Exception:
                if not re.search(r"\berror\b", self.right):
                    raise
                space["raised"] = True
        answers = [(wrong, eval(wrong.answer, dict(space))) for wrong in self.wrong]
        applies = {wrong: plain(answer) for wrong, answer in answers if answer is not ...}
        return {
            "text": text,
            "right": plain(eval(self.right, dict(space))),
            "wrong": applies,
            "film": film,
        }

    def distinguishes(self, asked: Mapping[str, Any]) -> bool:
        """Say whether no wrong idea gives the right answer, and no two different ideas the same
        one.
        """
        known = [
            ("", asked["right"]),
            *((wrong.idea, answer) for wrong, answer in asked["wrong"].items()),
        ]
        return not any(
            same(a, b, APART)
            for k, (idea, a) in enumerate(known)
            for other, b in known[:k]
            if idea != other
        )

    @property
    def solution_code(self) -> str:
        asked = self._now()
        return f"answer = {written(asked['right'])}\n"

    def wrong_code(self, wrong: Wrong) -> str:
        """Return a declared wrong answer to the question that was asked last, or to a new one where
        it does not apply to that.
        """
        for _ in range(TRIES):
            if wrong in (applies := self._now()["wrong"]):
                return f"answer = {written(applies[wrong])}\n"
            self.question()
        raise ValueError(
            f"{self.id}: the wrong answer {wrong.answer} was never asked for. Give `numbers` to "
            "which it applies."
        )

    def _now(self) -> dict[str, Any]:
        if not self._asked:
            self.question()
        return self._asked[0]

    def judge(self, answer: Any) -> Any:
        """Compare an answer with the right one, and with those of the wrong ideas."""
        if answer is Ellipsis:
            raise NotAttempted
        asked = self._now()
        right = asked["right"]
        given = plain(answer)
        if isinstance(right, float) and isinstance(given, list) and np.shape(given) == (1,):
            given = given[0]
        ideas = [wrong.idea for wrong in asked["wrong"]]
        answers = [right, *asked["wrong"].values()]
        words = sorted({each for each in answers if isinstance(each, str)})
        if isinstance(given, float) and all(isinstance(each, str) for each in answers):
            given = f"{given:g}"  # 1e-8 is the word "1e-08"
        nearest = nearest_of(given, answers, NEAR)
        if nearest == 0:
            return board_of(asked["film"])
        if nearest is not None:
            raise NotYet(ideas[nearest - 1], self.idea(ideas[nearest - 1], what=your_answer()))
        if right is None:
            raise NotYet("is-none", self.idea("is-none"))
        if given is None:
            raise NotYet("not-none", self.idea("not-none"))
        if isinstance(right, str):
            if not isinstance(given, str):
                raise not_yet("a-word")
            raise NotYet("word", self.idea("word", choices=", ".join(words)))
        came, wanted = array_of(given, your_answer()), array_of(right, "")
        idea = idea_of_shape(came, wanted) or idea_of_numbers([came], [wanted], [])
        if came.shape != wanted.shape and not wanted.ndim * came.ndim:
            idea = "asked-several" if wanted.ndim else "asked-one"
        elif isinstance(given, float) and right and distance(given, right, APART) < math.inf:
            idea = "near"
        elif idea in ("factor", "number"):
            idea = "size" if np.array_equal(np.sign(came), np.sign(wanted)) else "number"
        shapes = {"given": came.shape, "wanted": wanted.shape, "count": wanted.size}
        said = self.idea(idea, what=your_answer(), **shapes)
        # nothing but the number itself is known: as on the page, a hint, and the direction
        if idea in ("size", "number", "zero") and not wanted.ndim and not np.isnan(wanted):
            way = SENTENCES.say("larger" if came < wanted else "smaller")
            said = " ".join([*self.hints[:1], way])
        raise NotYet(idea, said)


class Prediction(Number):
    """A number that a lesson asks between its cells (`ask` of the widgets), where the page itself
    judges: nothing of it is kept.
    """

    counts = False


def plain(value: Any) -> Any:
    """Return an answer as Python writes it: None, a text, a number, a list."""
    if value is None or isinstance(value, str):
        return value
    array = array_of(value, your_answer())
    return float(array) if not array.ndim else array.tolist()


def written(answer: Any) -> str:
    """Return a plain answer as a program writes it: inf and nan are no names in Python."""
    return (
        repr(answer)
        if isinstance(answer, str)
        else re.sub(r"\b(inf|nan)\b", r"float('\1')", repr(answer))
    )


def same(a: Any, b: Any, tolerance: float) -> bool:
    """Say whether two plain answers are the same."""
    if isinstance(a, str) != isinstance(b, str):
        return False
    if a is None or b is None or isinstance(a, str):
        return (
            a is b if a is None or b is None else str(a).strip().lower() == str(b).strip().lower()
        )
    return close(array_of(a, ""), array_of(b, ""), tolerance)


def nearest_of(given: Any, answers: Sequence[Any], tolerance: float) -> int | None:
    """Return the place of that answer to which a given one is nearest, the right one first; None
    where it is near enough to none.

    Of two as near, it is the first. What is nearer to the right one, but not near enough, is taken
    for no mistake.
    """
    away = [distance(given, answer, tolerance) for answer in answers]
    numbers = isinstance(given, float) and isinstance(answers[0], float)
    further = numbers and min(away) > abs(given - answers[0])
    return away.index(min(away)) if min(away) < math.inf and not further else None


def distance(given: Any, other: Any, tolerance: float) -> float:
    """Return how far an answer is from another one; infinity where it is not near enough to be
    taken for it.

    The tolerance is relative, absolute below 1. The page judges by the same rule: prompt/judge.js.
    """
    if (
        not isinstance(given, float)
        or not isinstance(other, float)
        or not math.isfinite(given)
        or not math.isfinite(other)
    ):
        return 0.0 if same(given, other, tolerance) else math.inf
    off, size = abs(given - other), abs(other)
    near = off <= tolerance * max(1.0, size) and (not size or off <= max(MOST, tolerance) * size)
    return off if near else math.inf
