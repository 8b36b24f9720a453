"""The cards of one tape, as they were played: figures of each value, of its adjoint, and of the
sources.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minitape.engine.base.listeners import active
from minitape.engine.ops.facts import facts_of
from minitape.storyboard.build import stage_of
from minitape.storyboard.film.source import Sources
from minitape.storyboard.stage.expressions import finish
from minitape.storyboard.text.summary import json_number

from .anatomy import Anatomy, paths_of, rectifies
from .sizes import finite, fires, flat, statistics

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Number, RawEntry
    from minitape.storyboard.film.film import Film


class Cards:
    """What a `film` saw of the tape that was played last; `entries` are its entries with their
    arrays.

    `rows` and `sources` are those of `health.Health`; `arrays`: the value of each card; `dead`: of
    each card that rectifies, how many units are dead and of how many, pruned ones left out;
    `index_of`: the entry of a card, by its number, and `of` the row of an entry; `goal`, `value`:
    the target's name and value; `first_bad`: the first part on the way back that is not finite, as
    (card, name of the input), or None.
    """

    def __init__(
        self,
        film: Film,
        entries: list[RawEntry],
        variables: Any,
        names: dict[Number, str],
        language: str,
    ) -> None:
        self.entries, self.anatomy = entries, Anatomy(entries, paths_of(variables))
        code, play = Sources(), film.played[-1]
        token = active.set(())
        try:
            self.stage, _ = stage_of(film, code, names, 1, language)
            tape = self.stage.tape_of[play.tape]
            nodes = [self.stage.anchor(source, tape) for source in play.sources]
            goal = self.stage.anchor(play.targets[0], tape)
        finally:
            active.reset(token)
        finish(self.stage)
        self._table, self._shift = code.table()
        self.goal = self.stage.shown(goal)
        self.value = self.stage.values.summaries[self.stage.nodes[goal]["value"]]["text"]
        card_of = {index: card for (t, index), card in self.stage.card_of.items() if t == tape}
        self.index_of = {card: index for index, card in card_of.items()}
        self.arrays = [self.stage.arrays[card["outputs"][0]] for card in self.stage.cards]
        self.first_bad: tuple[Any, str] | None = None
        self.dead: dict[int, tuple[int, int]] = {}
        adjoints: dict[int, Any] = {}
        for step in play.steps:
            if (number := card_of.get(step.index)) is None:
                continue
            adjoints[number] = step.adjoints[0]
            bad = [part.input for part in step.parts if not finite(part.value)]
            if bad and self.first_bad is None and all(map(finite, step.adjoints)):
                node = self.stage.cards[number]["inputs"][bad[0]]
                self.first_bad = number, self.stage.shown(node)
        self.rows = [self._row(k, adjoints.get(k)) for k in range(len(self.arrays))]
        self.of = {index: self.rows[card] for index, card in card_of.items()}
        gradients = play.gradients or [None] * len(nodes)
        self.sources = [self._source(*pair) for pair in zip(nodes, gradients)]

    def place(self, where: Any) -> list[Any] | None:
        """Return [name of the file, line] of a position, None where it is not known."""
        span = self._shift(where)
        return None if span is None else [self._table[span[0]]["name"], span[1]]

    def _row(self, number: int, adjoint: Any) -> dict[str, Any]:
        card, value = self.stage.cards[number], self.arrays[number]
        scopes, place = self.stage.facts[number].scopes, self.place(card["where"])
        row: dict[str, Any] = {
            "name": self.stage.shown(card["outputs"][0]),
            "op": card["op"],
            "layer": scopes[-1][1] if scopes else None,
            "line": place[1] if place else None,
            "value": figures(value),
            "adjoint": figures(adjoint),
            **dict.fromkeys(("units", "dead", "saturated")),
        }
        if rectifies(card["op"]) and value.ndim > 1 and value.size:
            dead = ~fires(value)
            row["units"], row["dead"] = int(dead.size), int(dead.sum())
            kept = ~self._pruned(number, dead)
            self.dead[number] = int((dead & kept).sum()), int(kept.sum())
        elif (limits := facts_of(card["op"]).limits) and value.size:
            row["saturated"] = flat(value, limits)
        return row

    def _pruned(self, number: int, dead: Any) -> Any:
        """Return which units of a layer have no weight but 0."""
        for layer in self.anatomy.layers:
            kernel = self.entries[layer.first][6][-1]
            if layer.product and layer.out == self.index_of.get(number) and kernel.ndim > 1:
                pruned = ~fires(kernel)
                return pruned if pruned.shape == dead.shape else dead & False
        return dead & False

    def _source(self, node: int, gradient: Any) -> dict[str, Any]:
        value, row = figures(self.stage.arrays[node]), figures(gradient)
        known = row and row.get("rms") and value and value.get("rms")
        ratio = json_number(row["rms"] / value["rms"], 6) if known else None
        name = self.stage.shown(node)
        return {"name": name, "value": value, "gradient": row, "ratio": ratio}


def figures(array: Any) -> Any:
    """Return the statistics of an array, None where it has no numbers."""
    return None if array is None or array.dtype.kind not in "fiub" else statistics(array)
