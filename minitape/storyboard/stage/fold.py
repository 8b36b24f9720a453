"""Folding: what belongs together on a long tape, so that no drawing has more than a dozen boxes.

Three things make a tape long. What one call of a layer or of a function made is one group. What was
made at the same places in the code, again and again, is a loop, whose rounds lie on one another.
What is still too long after that is put together line by line of the code, and lines by runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from minitape.storyboard.text.aliases import Data, Say

FOLD_FROM = 40  # a tape with more cards than this is folded
FOLD_LAYERS_FROM = 16  # a model with layers, or a loop, already from here on
MOST = 12  # boxes in one drawing, besides leaves
STACK_FROM = 5  # rounds; fewer stand beside each other


class Card(NamedTuple):
    """What folding knows of a card."""

    key: Any  # equal for cards made at the same place; None where no place is known
    scopes: tuple[Any, ...] = ()  # (call number, label, kind) around it, from the outermost
    line: Any = None  # where its line stands: (source, number)


class Unit(NamedTuple):
    """A card, or all cards of one call, while loops are looked for."""

    key: Any
    first: int
    last: int
    scope: Any


class Groups:
    """The groups of a storyboard, made from outer to inner. `of_card` is the innermost group of
    each card.
    """

    rows: list[Data]
    of_card: list[int | None]

    def __init__(
        self,
        cards: Sequence[Card],
        loop_label: Callable[[int], str],
        line_text: Callable[[Any], str],
        say: Say,
    ) -> None:
        self.rows, self.of_card = [], [None] * len(cards)
        self.cards, self.loop_label, self.line_text, self.say = cards, loop_label, line_text, say

    def add(self, label: str, kind: str, parent: int | None, first: int, last: int) -> int:
        """Adds a group around the cards first..last; what is added later lies inside."""
        self.rows.append(
            {"label": label, "kind": kind, "parent": parent, "cards": [first, last], "nodes": []}
        )
        self.of_card[first : last + 1] = [len(self.rows) - 1] * (last + 1 - first)
        return len(self.rows) - 1

    def divide(self, first: int, last: int, parent: int | None, depth: int) -> None:
        """Finds the calls among the cards first..last of one group, and the loops that they and the
        cards between make.
        """
        units: list[Unit] = []
        for at in range(first, last + 1):
            scopes = self.cards[at].scopes
            scope = scopes[depth] if len(scopes) > depth else None
            if scope is not None and units and units[-1].scope == scope:
                units[-1] = units[-1]._replace(last=at)
            else:
                units.append(Unit(scope[1:] if scope else self.cards[at].key, at, at, scope))
        if len(units) == 1 and units[0].scope:  # a call that is all there is needs no box around it
            return self.divide(first, last, parent, depth + 1)
        self.loops(units, parent, depth)

    def loops(self, units: list[Unit], parent: int | None, depth: int) -> None:
        """Finds rounds: stretches that begin at a place where an earlier stretch began too."""
        places: dict[Any, list[int]] = {}
        for at, unit in enumerate(units):
            places.setdefault(unit.key, []).append(at)
        at = 0
        while at < len(units):
            starts = (
                [place for place in places[units[at].key] if place >= at]
                if units[at].key is not None
                else []
            )
            if len(starts) < 2:
                self.call(units[at], parent, depth)
                at += 1
                continue
            body, end = {unit.key for unit in units[at : starts[-1]]}, starts[-1]
            while end + 1 < len(units) and units[end + 1].key in body:
                end += 1
            rounds = [units[start:stop] for start, stop in zip(starts, [*starts[1:], end + 1])]
            self.loop(rounds, parent, depth)
            at = end + 1

    def call(self, unit: Unit, parent: int | None, depth: int) -> None:
        if unit.scope:
            inner = self.add(unit.scope[1], unit.scope[2], parent, unit.first, unit.last)
            self.divide(unit.first, unit.last, inner, depth + 1)

    def loop(self, rounds: list[list[Unit]], parent: int | None, depth: int) -> None:
        """Many rounds are one stack; a few of one card or call each need no boxes around them."""
        single = all(len(units) == 1 for units in rounds)
        if single and len(rounds) <= (MOST if rounds[0][0].scope else STACK_FROM - 1):
            for units in rounds:
                self.call(units[0], parent, depth)
            return
        name, whole = self.loop_label(rounds[0][0].first), parent
        if len(rounds) >= STACK_FROM:
            label = self.say("text.fold.times", label=name, count=len(rounds))
            whole = self.add(label, "loop", parent, rounds[0][0].first, rounds[-1][-1].last)
        for count, units in enumerate(rounds, 1):
            label = self.say("text.fold.iteration", label=name, count=count)
            inner = self.add(label, "round", whole, units[0].first, units[-1].last)
            if single and units[0].scope:  # the round is this call
                self.divide(units[0].first, units[0].last, inner, depth + 1)
                continue
            self.call(units[0], inner, depth)  # the first only begins the round
            self.loops(units[1:], inner, depth)

    def shorten(self) -> None:
        """Puts together what is too long: lines first, then runs of equal length. A loop's rounds
        lie on one another anyway.
        """
        children: dict[int | None, list[Any]] = {}
        for index, row in enumerate(self.rows):
            children.setdefault(row["parent"], []).append((*row["cards"], index))
        for card, group in enumerate(self.of_card):
            children.setdefault(group, []).append((card, card, None))
        for parent, boxes in children.items():
            if parent is not None and self.rows[parent]["kind"] == "loop" or len(boxes) <= MOST:
                continue
            boxes = [
                self.run(parent, boxes)
                for boxes in self.by_line(sorted(boxes, key=lambda box: box[:2]))
            ]
            while len(boxes) > MOST:
                size = max(2, -(-len(boxes) // MOST)) if len(boxes) < MOST * MOST else MOST
                boxes = [self.run(parent, boxes[i : i + size]) for i in range(0, len(boxes), size)]

    def by_line(self, boxes: list[Any]) -> Iterator[list[Any]]:
        """Yields what stands together: cards of one line, one after the other; anything else alone."""
        together: list[Any] = []
        for box in boxes:
            line = self.cards[box[0]].line
            if together and (
                box[2] is not None
                or together[-1][2] is not None
                or line is None
                or line != self.cards[together[0][0]].line
            ):
                yield together
                together = []
            together.append(box)
        yield together

    def run(self, parent: int | None, boxes: list[Any]) -> Any:
        if len(boxes) == 1:
            return boxes[0]
        first, last = boxes[0][0], boxes[-1][1]
        source, start = self.cards[first].line or (None, 0)
        other, end = self.cards[last].line or (None, 0)
        if source is None or source != other or end < start:
            label = self.say("text.fold.range", first=first + 1, last=last + 1)
        elif start == end:
            label = self.line_text(self.cards[first].line) or self.say("text.line", line=start)
        else:
            label = self.say("text.fold.lines", first=start, last=end)
        self.rows.append(
            {"label": label, "kind": "lines", "parent": parent, "cards": [first, last], "nodes": []}
        )
        new = len(self.rows) - 1
        for start, _, group in boxes:
            if group is None:
                self.of_card[start] = new
            else:
                self.rows[group]["parent"] = new
        return first, last, new


def fold(
    cards: Sequence[Card],
    loop_label: Callable[[int], str],
    line_text: Callable[[Any], str],
    say: Say,
    steps: Sequence[tuple[str, int, int]] = (),
) -> Groups:
    """Returns the Groups of a tape's cards.

    `loop_label(card)` names the loop around a card, `line_text(line)` is what a line says. `steps`
    are (title, first, last) of the rounds of a training loop. `say(key, **params)` is the
    catalogue.
    """
    groups, at, whole = Groups(cards, loop_label, line_text, say), 0, None
    if len(steps) >= STACK_FROM:
        first, last = steps[0][1], steps[-1][2]
        groups.divide(0, first - 1, None, 0)
        at, whole = (
            first,
            groups.add(say("text.fold.training", count=len(steps)), "loop", None, first, last),
        )
    for title, first, last in steps:
        if last >= first:
            groups.divide(at, first - 1, whole, 0)
            groups.divide(first, last, groups.add(title, "step", whole, first, last), 0)
            at = last + 1
    groups.divide(at, len(cards) - 1, None, 0)
    groups.shorten()
    return groups


def has_loop(cards: Sequence[Card]) -> bool:
    """Says whether something was made at the same place often enough for a stack of rounds."""
    counts: dict[Any, int] = {}
    for card in cards:
        if card.key is not None:
            counts[card.key] = counts.get(card.key, 0) + 1
    return max(counts.values(), default=0) >= STACK_FROM
