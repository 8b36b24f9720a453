"""Cards to put in order: every order is right that a tape could have.

Recording, a card comes after the cards that made its inputs. Playing backwards, it comes after all
cards that use its output, because before that its adjoint is not complete. An order that breaks
this is played: the gradient that it gives is the counterexample.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ..storyboard import Film
from ..storyboard.order import play_in_order
from .answers import close, not_yet, number_text, refuse_odd, worst, your_answer
from .cards import Card, cards_of
from .draw import generator
from .exercise import Exercise, Wrong
from .function import board_of
from .outcome import SENTENCES, NotAttempted, NotYet, Text
from .program import run


@dataclass(frozen=True, kw_only=True, eq=False)
class Order(Exercise):
    """Cards to put in order. `program`: records a tape and plays it; one operation on each line.
    `backwards`: the order of the play, else that of the recording. The answer of a `Wrong` is the
    lines of the cards in a wrong order.
    """

    program: str
    backwards: bool = True
    _dealt: list[str] = field(default_factory=list, repr=False)

    shows = True

    @cached_property
    def _film(self) -> Film:
        with Film() as film:
            run(self.program)
        return film

    @cached_property
    def cards(self) -> list[Card]:
        """The cards, in the order of the program."""
        return cards_of(self._film.tapes[0].held, {})

    @property
    def lines(self) -> list[str]:
        """The lines of the cards, in the order of the program."""
        lines = self.program.splitlines()
        return [lines[card.line - 1].strip() for card in self.cards]

    def _letters(self) -> list[str]:
        """Return the letter of each card: dealt once."""
        if not self._dealt:
            letters = [chr(ord("A") + k) for k in range(len(self.cards))]
            random.Random(int(generator(self._seed).integers(2**32))).shuffle(letters)
            self._dealt[:] = letters
        return self._dealt

    def question(self) -> Text:
        """Return the cards, shuffled, each with a letter."""
        return Text(
            "\n".join(
                f"{letter}:  {line}" for letter, line in sorted(zip(self._letters(), self.lines))
            )
        )

    @property
    def solution_code(self) -> str:
        letters = self._letters()
        return f"answer = {''.join(letters[::-1] if self.backwards else letters)!r}\n"

    def wrong_code(self, wrong: Wrong) -> str:
        letters = dict(zip(self.lines, self._letters()))
        return f"answer = {''.join(letters[line] for line in wrong.answer)!r}\n"

    def before(self, k: int) -> set[int]:
        """Return the cards that must come before card `k`."""
        if not self.backwards:
            return set(self.cards[k].needs)
        return {j for j, card in enumerate(self.cards) if k in card.needs}

    def judge(self, answer: Any) -> Any:
        order = self._order(answer)
        letters = self._letters()
        for at, k in enumerate(order):
            late = sorted(self.before(k) - set(order[:at]))
            if late:
                declared = next(
                    (
                        wrong.idea
                        for wrong in self.wrong
                        if list(wrong.answer) == [self.lines[k] for k in order]
                    ),
                    None,
                )
                idea = declared or ("not-complete" if self.backwards else "not-made")
                message = self.idea(
                    idea,
                    card=letters[k],
                    line=self.lines[k],
                    late=letters[late[0]],
                    late_line=self.lines[late[0]],
                )
                more = [
                    message,
                    SENTENCES.say("order-right", {"right": at, "count": len(order)}) if at else "",
                ]
                film = self._film
                if self.backwards:
                    film, sentence = self._played(order)
                    more.insert(1, sentence)
                raise NotYet(idea, "\n".join(filter(None, more)), board=board_of(film))
        return board_of(self._film)

    def _order(self, answer: Any) -> list[int]:
        """Return an answer as places of cards. Raises `NotYet` where it is not each letter once."""
        if answer is Ellipsis:
            raise NotAttempted
        letters = self._letters()
        if isinstance(answer, (list, tuple)) and all(isinstance(a, str) for a in answer):
            answer = " ".join(answer)
        if not isinstance(answer, str):
            if answer is None:
                raise not_yet("none-answer")
            refuse_odd(answer, your_answer())
            raise NotYet("letters", self.idea("letters", letters=" ".join(sorted(letters))))
        named = re.findall(r"\w", answer.upper())
        unknown = [letter for letter in named if letter not in letters]
        twice = [letter for k, letter in enumerate(named) if letter in named[:k]]
        missing = [letter for letter in sorted(letters) if letter not in named]
        for idea, wrong in (("letters", unknown), ("twice", twice), ("missing", missing)):
            if wrong:
                raise NotYet(
                    idea, self.idea(idea, letters=" ".join(sorted(letters)), card=wrong[0])
                )
        return [letters.index(letter) for letter in named]

    def _played(self, order: Sequence[int]) -> tuple[Film, str]:
        """Return a film of the play in this order, and the sentence that tells what gradient it
        gives; "" where it is the right one.
        """
        play, tape = self._film.played[0], self._film.tapes[0]
        with Film() as film:
            film.add(tape.tape).see(tape.held.raw[0])
            mine = play_in_order(
                film,
                tape.held,
                [k + 1 for k in order],
                *([info.object for info in infos] for infos in (play.targets, play.sources)),
            )
        for came, right in zip(mine, play.gradients or []):
            if right is None:
                continue
            wanted = np.asarray(right, np.float64)
            array = np.zeros(wanted.shape) if came is None else np.asarray(came, np.float64)
            if not close(array, wanted):
                place = worst(array, wanted)
                given = "None" if came is None else number_text(float(array[place]))
                numbers = {"given": given, "wanted": number_text(float(wanted[place]))}
                return film, SENTENCES.say("order-played", numbers)
        return film, ""
