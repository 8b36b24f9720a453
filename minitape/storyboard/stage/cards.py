"""The cards of a picture, and the edges that lead from their inputs to their outputs."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from minitape.engine.base.aliases import Attributes, Number, Numbers, Where
from minitape.storyboard.stage.formula import Rule
from minitape.storyboard.text.aliases import Data


class CardFacts(NamedTuple):
    """What is known of a card beside its row: where it was made, on which way, in which layers,
    from which attributes, by which rules.
    """

    where: Where
    way: tuple[str, Any]
    scopes: tuple[Any, ...]
    attributes: Attributes
    rules: list[Rule] | None


class Cards:
    """The cards of all tapes: their rows, the facts of each, and their edges.

    `of`: {(tape, index of an entry there): its card}.
    """

    def __init__(self) -> None:
        self.rows: list[Data] = []
        self.facts: list[CardFacts] = []
        self.edges: list[Data] = []
        self.of: dict[tuple[int, int], int] = {}
        self._uses: dict[tuple[int, int], int] = {}  # (tape, node): how often the program uses it
        # (card, input): which of these uses it is, from 1; 0 of what a play made
        self._use_of: dict[tuple[int, int], int] = {}

    def use(self, card: int, place: int) -> int:
        """Returns which of several uses of a value an input is, from 1; 0 where there are not
        several, and of what a play made.
        """
        row = self.rows[card]
        several = self._uses.get((row["tape"], row["inputs"][place]), 0) > 1
        return self._use_of[card, place] if several else 0

    def add(
        self,
        row: Data,
        facts: CardFacts,
        numbers: Numbers,
        watched: Collection[Number],
        played: bool,
    ) -> int:
        """Adds a card and its edges; `numbers` are those of its inputs, and with `played` a play
        made it. Returns its number.
        """
        card, rules = len(self.rows), facts.rules
        self.rows.append(row)
        self.facts.append(facts)
        for place, (node, number) in enumerate(zip(row["inputs"], numbers)):
            # what a play made stands nowhere in the program: there is no third x in x * x
            if not played:
                self._uses[row["tape"], node] = self._uses.get((row["tape"], node), 0) + 1
            self._use_of[card, place] = 0 if played else self._uses[row["tape"], node]
            flow = (
                "unregistered"
                if rules is None
                else "unwatched"
                if number not in watched
                else "blocked"
                if rules[place].tree is None
                else "open"
            )
            self.edges += [
                {"from": node, "to": end, "card": card, "input": place, "flow": flow}
                for end in row["outputs"]
            ]
        return card

    def bridge(self, start: int, end: int, flow: str) -> int:
        """Adds an edge that no card made: a way that is not there. Returns its number."""
        self.edges.append({"from": start, "to": end, "card": None, "input": None, "flow": flow})
        return len(self.edges) - 1
