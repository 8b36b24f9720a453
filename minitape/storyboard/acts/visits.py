"""The visits of a play, last card first: its parts, their sums, and where no part can pass."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.engine.ops.record import OPS
from minitape.storyboard.stage.notes import READ

if TYPE_CHECKING:
    from minitape.engine.ground.aliases import Array
    from minitape.engine.recording import Entry
    from minitape.storyboard.acts.frames import Acts
    from minitape.storyboard.film.recorded import Part, RecordedPlay, Step


class Visits:
    """One way back over a tape, or one row of a Jacobian: what has arrived at each node so far.
    `tell` adds the frames.

    `arrived` are the nodes that the play begins with, {node: 1}; `row`: of a batch of adjoints the
    one that is shown, all of it at the time `end`.
    """

    def __init__(
        self,
        acts: Acts,
        play: RecordedPlay,
        arrived: dict[int, int],
        end: int,
        row: int | None = None,
    ) -> None:
        self.acts, self.add, self.stage, self.play = acts, acts.add, acts.stage, play
        self.arrived, self.end, self.row = arrived, end, row
        self.tape, self.now = self.stage.tape_of[play.tape], play.begin
        self.totals: dict[int, Array] = {}
        self.summed: set[int] = set()
        self.seeded = set(arrived)
        self.played: set[int] = set()  # nodes whose cards have had their turn

    def tell(self) -> None:
        """Adds the frames of all visits."""
        # in a tape of one's own a card may be played more than once
        steps: dict[int, list[Step]] = {}
        for step in self.play.steps:
            steps.setdefault(step.index, []).append(step)
        entries, order = self.play.tape.entries, self.play.order
        for index in range(len(entries) - 1, -1, -1) if order is None else order:
            mine = steps.get(index)
            if mine:
                self._visit(mine.pop(0))
            elif entries[index].op != READ:
                self._unvisited(index)
        if self.play.error is not None:
            self._failed()
        for node in sorted(self.arrived):  # leaves that were asked for: nobody visits them
            if self.stage.nodes[node]["source"]:
                self._sum(node, self._time(self.end), self._some(node))

    def _time(self, time: int) -> int:
        return time if self.row is None else self.end

    def _pick(self, array: Array) -> Array:
        """Returns the row that is shown, where adjoints come in a batch."""
        return array if self.row is None else array[self.row]

    def _made(self, index: int) -> list[int]:
        return [
            self.stage.node_of[number]
            for number in self.play.tape.entries[index].outputs
            if number in self.stage.node_of
        ]

    def _visit(self, step: Step) -> None:
        self.now = step.time
        made, time = self._made(step.index), self._time(step.time)
        self._sums(step.index, made, time)
        card = self.stage.card_of.get((self.tape, step.index))
        if card is None:
            return
        fields = (
            {"key": "visit.seed"}
            if made and made[0] in self.seeded and self.arrived[made[0]] == 1
            else {}
        )
        awaited, outputs = self.play.awaited, self.play.tape.entries[step.index].outputs
        if awaited and any(
            self.arrived.get(self.stage.node_of[number], 0) < awaited.get(number, 0)
            for number in outputs
        ):
            fields = {"key": "visit.early"}
        adjoints = [self._pick(adjoint) for adjoint in step.adjoints]
        value = self.stage.values.add(adjoints[0])
        self.add(time, "visit", card=card, value=value, **fields)
        self.played.update(made)
        for part in step.parts:
            self._part(card, step.index, part, adjoints, value)
        last = self._time(step.parts[-1].time) if step.parts else time
        self._cuts(
            card, self.play.tape.entries[step.index], {part.input for part in step.parts}, last
        )
        for part in step.parts:
            node = self.stage.cards[card]["inputs"][part.input]
            self.arrived[node] = self.arrived.get(node, 0) + 1
            self.totals[node], self.now = self._pick(part.total), part.time

    def _unvisited(self, index: int) -> None:
        """An entry that was not played: in an order of one's own nothing may have come yet, else no
        rule lets the adjoint pass.
        """
        entry, made = self.play.tape.entries[index], self._made(index)
        if self.play.order is not None and any(
            self.play.awaited.get(number) for number in entry.outputs
        ):
            self.add(
                self.now, "visit", card=self.stage.card_of[self.tape, index], key="visit.empty"
            )
            self.played.update(made)
        elif not self.play.lead and any(node in self.arrived for node in made):
            self._sums(index, made, self._time(self.now))
            card = self.stage.card_of.get((self.tape, index))
            if card is not None:
                self._stuck(card, entry, self._time(self.now))

    # ---- sums

    def _sums(self, index: int, made: list[int], time: int) -> None:
        """The adjoints of the outputs are complete, in the right order at least."""
        outputs = self.play.tape.entries[index].outputs
        for place, node in enumerate(made):
            early = self.arrived.get(node, 0) < self.play.awaited.get(outputs[place], 0)
            self._sum(
                node,
                time,
                "sum.early" if early else "sum.seed" if node in self.seeded else self._some(node),
            )

    def _sum(self, node: int, time: int, key: str | None) -> None:
        if self.arrived.get(node, 0) > 1 and node not in self.summed:
            self.summed.add(node)
            self.add(
                time,
                "sum",
                node=node,
                value=self.stage.values.add(self.totals[node]),
                count=self.arrived[node],
                **({"key": key} if key else {}),
            )

    def _some(self, node: int) -> str | None:
        """Returns the key of a sum where the node has uses that send no part, as in `x > 2`: they
        are counted among its uses.
        """
        return "sum.some" if node in self.acts.with_blocked_uses else None

    # ---- parts

    def _part(self, card: int, index: int, part: Part, adjoints: list[Array], adjoint: int) -> None:
        node, value = self.stage.cards[card]["inputs"][part.input], self._pick(part.value)
        fields: dict[str, Any] = {
            "card": card,
            "input": part.input,
            "node": node,
            "value": self.stage.values.add(value),
        }
        uses = self.stage.uses[self.stage.cards[card]["tape"], node]
        if len(uses) > 1:
            fields["use"] = uses[card, part.input]
        filmed = self.play.tape
        local, stretched = self.acts.local.of(
            filmed.entries[index], filmed.kept[index], part.input, value, adjoints[0]
        )
        if len(adjoints) == 1:
            fields["adjoint"] = adjoint
        if local is not None:
            fields["local"] = self.stage.values.add(local)
        rules = self.stage.facts[card].rules
        formula = rules[part.input].known if rules is not None else ""
        if node in self.played:  # only in an order that is not the tape's
            fields["key"] = "part.late"
        elif not formula:
            fields["key"] = "part.plain"
        elif stretched:
            fields["key"] = "part.stretched"
        elif formula == "spread":
            fields["key"] = "part.spread"
        elif (
            local is not None and not np.ndim(local) and not adjoints[0].ndim and formula != "plain"
        ):
            fields["key"] = "part.product"
        self.add(self._time(part.time), "part", **fields)

    # ---- where no part passes

    def _stuck(self, card: int, entry: Entry, time: int) -> None:
        """A card that an adjoint reached and that sends nothing on; worth showing only where a
        source lies behind it.
        """
        op = OPS.get(entry.op)
        if op is not None and op.registered and self._blocked(entry, ()):
            self.add(time, "visit", card=card, key="visit.stuck")
            self._cuts(card, entry, (), time)

    def _blocked(self, entry: Entry, reached: Collection[int]) -> list[int]:
        return [
            place
            for place, number in enumerate(entry.inputs)
            if number in self.play.reach and place not in reached and number in self.stage.watched
        ]

    def _cuts(self, card: int, entry: Entry, reached: Collection[int], time: int) -> None:
        why = "stopped" if entry.op == "StopGradient" else "blocked"
        for place in self._blocked(entry, reached) if len(reached) < len(entry.inputs) else ():
            self._cut(card, place, why, time)

    def _cut(self, card: int, place: int, why: str, time: int) -> None:
        self.add(
            time,
            "cut",
            card=card,
            input=place,
            node=self.stage.cards[card]["inputs"][place],
            why=why,
        )

    def _failed(self) -> None:
        """The play ended with an error: at which card, and what could not pass."""
        play = self.play
        if not isinstance(play.error, LookupError):
            return
        entries = play.tape.entries
        known = {part.number for step in play.steps for part in step.parts} | set(play.seeds)
        last = play.steps[-1].index if play.steps else len(entries)
        for index in range(last - 1, -1, -1):
            entry, card = entries[index], self.stage.card_of.get((self.tape, index))
            if (
                play.tape.recording.rule(entry.op, 0) == "unregistered"
                and not known.isdisjoint(entry.outputs)
                and card is not None
            ):
                for place in self._blocked(entry, ()):
                    self._cut(card, place, "unregistered", self.now)
                return
