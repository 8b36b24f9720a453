"""The visits of a play, last card first: its parts, their sums, and where no part can pass."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.engine.ops.record import OPS
from minitape.storyboard.film.recorded import Step
from minitape.storyboard.stage.notes import READ

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Array
    from minitape.engine.recording import Entry
    from minitape.storyboard.acts.frames import Acts
    from minitape.storyboard.film.recorded import Part, RecordedPlay


class Visits:
    """One way back over a tape, or one row of a Jacobian: what has arrived at each node so far.
    `tell` adds the frames.

    `arrived` are the nodes that the play begins with, {node: 1}; `row`: of a batch of adjoints the
    one that is shown.
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
        self.arrived, self.end, self.tape = arrived, end, self.stage.tape_of[play.tape]
        self.steps = play.steps if row is None else [_row_of(step, row, end) for step in play.steps]
        self.now = play.begin if row is None else end
        self.totals: dict[int, Array] = {}
        self.summed: set[int] = set()
        self.seeded = set(arrived)
        self.played: set[int] = set()  # nodes whose cards have had their turn

    def tell(self) -> None:
        """Adds the frames of all visits."""
        # in a tape of one's own a card may be played more than once
        steps: dict[int, list[Step]] = {}
        for step in self.steps:
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
            if self.arrived[node] > 1 and self.stage.nodes.rows[node]["source"]:
                self._sum(node, self.end, self._some(node))

    def _made(self, index: int) -> list[int]:
        return [
            self.stage.nodes.of[number]
            for number in self.play.tape.entries[index].outputs
            if number in self.stage.nodes.of
        ]

    def _visit(self, step: Step) -> None:
        stage, entry, awaited = self.stage, self.play.tape.entries[step.index], self.play.awaited
        self.now = step.time
        made = self._made(step.index)
        self._sums(entry, made)
        card = stage.cards.of.get((self.tape, step.index))
        if card is None:
            return
        fields = (
            {"key": "visit.seed"}
            if made and made[0] in self.seeded and self.arrived[made[0]] == 1
            else {}
        )
        if awaited and any(
            self.arrived.get(stage.nodes.of[number], 0) < awaited.get(number, 0)
            for number in entry.outputs
        ):
            fields = {"key": "visit.early"}
        value = stage.values.add(step.adjoints[0])
        self.add(step.time, "visit", card=card, value=value, **fields)
        self.played.update(made)
        inputs = stage.cards.rows[card]["inputs"]
        for part in step.parts:
            self._part(card, inputs[part.input], step, part, value)
        if len(step.parts) < len(inputs):
            self._cuts(
                card,
                entry,
                {part.input for part in step.parts},
                step.parts[-1].time if step.parts else step.time,
            )
        for part in step.parts:
            node = inputs[part.input]
            self.arrived[node] = self.arrived.get(node, 0) + 1
            self.totals[node], self.now = part.total, part.time

    def _unvisited(self, index: int) -> None:
        """An entry that was not played: in an order of one's own nothing may have come yet, else no
        rule lets the adjoint pass.
        """
        entry, made = self.play.tape.entries[index], self._made(index)
        if self.play.order is not None and any(
            self.play.awaited.get(number) for number in entry.outputs
        ):
            self.add(
                self.now, "visit", card=self.stage.cards.of[self.tape, index], key="visit.empty"
            )
            self.played.update(made)
        elif not self.play.lead and any(node in self.arrived for node in made):
            self._sums(entry, made)
            card = self.stage.cards.of.get((self.tape, index))
            if card is not None:
                self._stuck(card, entry)

    # ---- sums

    def _sums(self, entry: Entry, made: list[int]) -> None:
        """The adjoints of the outputs are complete, in the right order at least."""
        for place, node in enumerate(made):
            if self.arrived.get(node, 0) > 1:
                early = self.arrived[node] < self.play.awaited.get(entry.outputs[place], 0)
                self._sum(
                    node,
                    self.now,
                    "sum.early"
                    if early
                    else "sum.seed"
                    if node in self.seeded
                    else self._some(node),
                )

    def _sum(self, node: int, time: int, key: str | None) -> None:
        if node not in self.summed:
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

    def _part(self, card: int, node: int, step: Step, part: Part, adjoint: int) -> None:
        stage, tape, place, value, adjoints = (
            self.stage,
            self.play.tape,
            part.input,
            part.value,
            step.adjoints,
        )
        fields: dict[str, Any] = {
            "card": card,
            "input": place,
            "node": node,
            "value": stage.values.add(value),
        }
        if use := stage.cards.use(card, place):
            fields["use"] = use
        local, stretched = self.acts.local.of(
            tape.entries[step.index], tape.kept[step.index], place, value, adjoints[0]
        )
        if len(adjoints) == 1:
            fields["adjoint"] = adjoint
        if local is not None:
            fields["local"] = stage.values.add(local)
        rules = stage.cards.facts[card].rules
        formula = rules[place].known if rules is not None else ""
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
        self.add(part.time, "part", **fields)

    # ---- where no part passes

    def _stuck(self, card: int, entry: Entry) -> None:
        """A card that an adjoint reached and that sends nothing on; worth showing only where a
        source lies behind it.
        """
        op = OPS.get(entry.op)
        if op is not None and op.registered and self._blocked(entry, ()):
            self.add(self.now, "visit", card=card, key="visit.stuck")
            self._cuts(card, entry, (), self.now)

    def _blocked(self, entry: Entry, reached: Collection[int]) -> list[int]:
        return [
            place
            for place, number in enumerate(entry.inputs)
            if number in self.play.reach
            and place not in reached
            and number in self.stage.nodes.watched
        ]

    def _cuts(self, card: int, entry: Entry, reached: Collection[int], time: int) -> None:
        why = "stopped" if entry.op == "StopGradient" else "blocked"
        for place in self._blocked(entry, reached):
            self._cut(card, place, why, time)

    def _cut(self, card: int, place: int, why: str, time: int) -> None:
        self.add(
            time,
            "cut",
            card=card,
            input=place,
            node=self.stage.cards.rows[card]["inputs"][place],
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
            entry, card = entries[index], self.stage.cards.of.get((self.tape, index))
            if (
                play.tape.recording.rule(entry.op, 0) == "unregistered"
                and not known.isdisjoint(entry.outputs)
                and card is not None
            ):
                for place in self._blocked(entry, ()):
                    self._cut(card, place, "unregistered", self.now)
                return


def _row_of(step: Step, row: int, time: int) -> Step:
    """Returns a step of a play over a batch of seeds as that of one of them; all rows were computed
    at once, at this time.
    """
    parts = [
        part._replace(value=part.value[row], total=part.total[row], time=time)
        for part in step.parts
    ]
    return Step(time, step.index, [adjoint[row] for adjoint in step.adjoints], parts)
