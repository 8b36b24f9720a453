"""A tape to produce: "make exactly this tape". What the answer records is compared, card by card,
with what the solution records.

Which operation made of what counts, and in which order; how it is written does not: `x * 3`, `3 *
x` and `tf.multiply(x, 3)` make the same card. Where the program asks its inputs (`if x > 0`), it
has several tapes: each is shown with inputs that give it, and each is tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..engine.gradient_tape import GradientTape
from ..storyboard import Film
from .answers import function_of, inputs_text, not_yet, takes
from .cards import Card, cards_of, listed
from .draw import draw, generator, given
from .function import WithProgram, board_of
from .outcome import SENTENCES, NotAttempted, NotYet, Text, raised
from .program import codes_of, gives

TRIES = 20  # inputs that are tried, so that no branch of the program is left out


@dataclass(frozen=True, kw_only=True, eq=False)
class Make(WithProgram):
    """A tape to produce. The program is a function whose inputs are watched tensors; the tape is
    that of the solution.
    """

    shows = True

    def question(self) -> Text:
        """Return the cards that are to be made, as text: of each tape that there may be, with
        inputs that give it.
        """
        tapes = self._tapes()
        return Text(
            "\n".join(
                f"{_with(inputs)}\n{listed(cards)}" if len(tapes) > 1 else listed(cards)
                for inputs, cards in tapes
            )
        )

    def _tapes(self) -> list[tuple[Mapping[str, Any], list[Card]]]:
        """Return the tapes that the solution makes, each with the first inputs that gave it."""
        numbers, tapes = generator(), dict[Any, tuple[Mapping[str, Any], list[Card]]]()
        for _ in range(TRIES):
            inputs = draw(self.inputs, numbers)
            cards = self._cards(self.reference, inputs)[0]
            tapes.setdefault(tuple(card.key for card in cards), (inputs, cards))
        return list(tapes.values())

    def _cards(self, function: Any, inputs: Mapping[str, Any]) -> tuple[list[Card], Film, Any]:
        """Record a call; return its cards, the film, and what was returned."""
        tensors = {name: given(value, "tensor") for name, value in inputs.items()}
        with Film() as film, GradientTape() as tape:
            film.add(tape.recording.tape)
            tape.watch(list(tensors.values()))
            returned = function(*tensors.values())
        return (
            cards_of(tape.recording, {obj.id: name for name, obj in tensors.items()}),
            film,
            returned,
        )

    def judge(self, answer: Any) -> Any:
        function = function_of(answer, self.name)
        takes(function, tuple(self.inputs), self.name)
        numbers = generator()
        for k in range(TRIES):
            inputs = draw(self.inputs, numbers)
            wanted = self._cards(self.reference, inputs)[0]
            try:
                mine, film, returned = self._cards(function, inputs)
            except (NameError, AttributeError) as error:
                if str(error.name).lower() not in [card.op.lower() for card in wanted]:
                    raise
                said = (
                    f"{raised(error, self.starter).message}\n"
                    f"{self.idea('card-name', name=error.name)}"
                )
                raise NotYet("card-name", said, k) from error
            if returned is Ellipsis:
                raise NotAttempted
            if returned is None and any(map(gives, codes_of(function))):
                raise not_yet("none-returned", what=f"{self.name}(...)")
            if [card.key for card in mine] != [card.key for card in wanted]:
                others = {card.key for _, cards in self._tapes() for card in cards}
                idea = self._declared(function, inputs) or _idea(mine, wanted, others)
                if isinstance(returned, (np.ndarray, np.generic)) and idea != "numpy":
                    idea = "numpy-made"
                sentences = [
                    self.idea(idea),
                    _with(inputs) if len(self._tapes()) > 1 else "",
                    _difference(mine, wanted),
                ]
                error = NotYet(idea, "\n".join(filter(None, sentences)), k, board_of(film))
                error.inputs = inputs
                raise error
            if returned is None:
                raise not_yet("nothing", what=f"{self.name}(...)")
        return board_of(film)

    def _declared(self, function: Any, inputs: Mapping[str, Any]) -> str | None:
        """Return the idea of the declared wrong answer that makes the same cards on these inputs
        and, where one does, in all tapes.
        """

        def same(other: Any, inputs: Mapping[str, Any]) -> bool:
            try:
                mine, theirs = (self._cards(each, inputs)[0] for each in (function, other))
            except Exception:
                return False
            return [card.key for card in mine] == [card.key for card in theirs]

        declared = [(idea, other) for idea, other in self.wrong_functions if same(other, inputs)]
        tapes = [each for each, _ in self._tapes()] if len(declared) > 1 else []
        return next(
            (idea for idea, other in declared if all(same(other, each) for each in tapes)),
            declared[0][0] if declared else None,
        )


def _with(inputs: Mapping[str, Any]) -> str:
    return SENTENCES.say("cards-with", {"inputs": inputs_text(inputs)})


def _idea(mine: list[Card], wanted: list[Card], others: set[Any]) -> str:
    """Return the idea behind cards that no declared answer makes. `others`: the keys of all cards
    that the solution may make, with other inputs too.
    """
    if not mine:
        return "no-cards"
    if Counter(card.key for card in mine) == Counter(card.key for card in wanted):
        return "other-order"
    more, less = (Counter(card.key for card in cards) for cards in (mine, wanted))
    if less < more and others & (set(more) - set(less)):
        return "both-ways"
    if less < more or more < less:
        return "too-many-cards" if less < more else "too-few-cards"
    one, other = next((m, w) for m, w in zip(mine, wanted) if m.key != w.key)
    if one.op == other.op:
        return "other-inputs"
    return "other-operation" if sorted(one.inputs) == sorted(other.inputs) else "other-cards"


def _difference(mine: list[Card], wanted: list[Card]) -> str:
    """Return the sentences that name the first card that differs and, where some are missing, how
    many are as they should be.
    """
    if not mine:
        return ""
    k = next(
        (k for k, (m, w) in enumerate(zip(mine, wanted)) if m.key != w.key),
        min(len(mine), len(wanted)),
    )
    right = sum(
        (Counter(card.key for card in mine) & Counter(card.key for card in wanted)).values()
    )
    key = (
        "card-missing"
        if k >= len(mine)
        else "card-too-many"
        if k >= len(wanted)
        else "card-differs"
    )
    differs = SENTENCES.say(
        key,
        {
            "number": k + 1,
            "given": mine[min(k, len(mine) - 1)],
            "wanted": wanted[min(k, len(wanted) - 1)],
        },
    )
    return (
        differs
        if right == len(wanted)
        else differs + "\n" + SENTENCES.say("cards-right", {"right": right, "count": len(wanted)})
    )
