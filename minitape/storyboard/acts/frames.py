"""The acts of one play backwards, from what the film saw: seeds, visits, parts, sums, cuts,
results.

Nothing is computed here that the play did not compute, but one thing: the local derivative, which a
rule never shows by itself. It is the rule's answer to an adjoint of ones, and it is shown only
where adjoint times local derivative truly is the part.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.engine.ops.record import OPS
from minitape.engine.recording import rule_of
from minitape.storyboard.acts.reasons import UNRECORDED, cuts, word
from minitape.storyboard.stage.stage import READ

if TYPE_CHECKING:
    from minitape.engine.ground.aliases import Array, Arrays
    from minitape.engine.recording import Entry, Thing
    from minitape.storyboard.acts.reasons import Reason
    from minitape.storyboard.film.film import Take
    from minitape.storyboard.stage.stage import Stage
    from minitape.storyboard.text.aliases import Row

MOST_LOCAL = 4096  # entries; above it a local derivative is not worth a second run of the rule
MOST_ROW_ACTS = 400  # a Jacobian with more acts than this shows its rows, not every visit


class Acts:
    """Turns takes into frames. `frames` is a list of ((time, order), frame).

    `reasons(take, k)` gives the `Reason` why the gradient of source k is None, or None where nobody
    knows; with `told` its sentences stand in the picture.
    """

    def __init__(
        self,
        stage: Stage,
        zero: bool = False,
        reasons: Callable[[Take, int], Reason | None] | None = None,
        told: bool = True,
    ) -> None:
        self.stage, self.zero, self.reasons, self.told = stage, zero, reasons, told
        self.frames, self.passes, self._order, self._separable = [], [], 0, {}
        self.seeds = []  # (frame, array) of those that are not ones
        self._beside: set[int] | None = None  # nodes with uses that send no part

    def add(self, time: Any, act: str, **fields: Any) -> None:
        self._order += 1
        self.frames.append(((time, 1, self._order), {"act": act, **fields}))

    def play(self, take: Take, tape: int) -> None:
        """Adds all frames of one play."""
        stage, number = self.stage, len(self.passes)
        targets = [stage.anchor(t, take.reel.number) for t in take.targets]
        sources = [stage.anchor(s, take.reel.number) for s in take.sources]
        for node in targets:
            stage.nodes[node]["target"] = True
        for source, node in zip(take.sources, sources):
            for version in stage.versions(source, node, take.reel.number):
                stage.nodes[version]["source"] = True
        kind = "jacobian" if take.lead else "gradient"
        self.passes.append(
            {"kind": kind, "tape": tape, "targets": targets, "sources": sources, "frames": [0, 0]}
        )
        with np.errstate(all="ignore"):
            if take.gradients is None:  # left in the middle, as `next(tape.steps(...))` does
                take.end = take.steps[-1][0] + 1 if take.steps else take.begin
                self._steps(take, self._seeds(take, number))
                return
            if take.lead:
                self._rows(take, number, targets, sources)
            else:
                arrived = self._seeds(take, number)
                self._steps(take, arrived)
                self._answers(take, number, targets, sources)
        if not take.persistent:
            self.add(take.end, "release", tape=tape)

    # ---- the pieces of a play

    def _seeds(self, take: Take, number: int) -> dict[int, int]:
        arrived, nodes = (
            {},
            {target.id: self.stage.anchor(target, take.reel.number) for target in take.targets},
        )
        for target, seed in take.seeds.items():
            node = nodes[target]
            fields: dict[str, Any] = {
                "pass": number,
                "node": node,
                "value": self.stage.values.add(seed),
            }
            if not np.all(seed == 1):
                fields["key"] = "seed.given"
            elif seed.size != 1:
                fields["key"] = "seed.ones"
            self.add(take.begin, "seed", **fields)
            if fields.get("key") == "seed.given":
                self.seeds.append((self.frames[-1][1], seed))
            arrived[node] = 1
        return arrived

    def _steps(
        self,
        take: Take,
        arrived: dict[int, int],
        pick: Callable[[Array], Array] | None = None,
        time: Any = None,
    ) -> None:
        """The visits, last card first. `pick` takes one row of a batch of adjoints; `time` is set
        where all rows have one.
        """
        stage, entries = self.stage, take.reel.entries
        pick = pick or (lambda array: array)
        # in a tape of one's own a card may be played more than once
        visits: dict[int, list[Any]] = {}
        for step in take.steps:
            visits.setdefault(step[1], []).append(step)
        totals, summed, now, seeded = dict.fromkeys(arrived), set(), take.begin, set(arrived)
        played: set[int] = set()  # nodes whose cards have had their turn
        for index in range(len(entries) - 1, -1, -1) if take.order is None else take.order:
            name, inputs, outputs = entries[index][:3]
            step = visits[index].pop(0) if visits.get(index) else None
            made = [stage.node_of[number] for number in outputs if number in stage.node_of]
            if (
                step is None
                and name != READ
                and take.order is not None
                and any(take.awaited.get(number) for number in outputs)
            ):
                self.add(
                    now, "visit", card=stage.card_of[take.reel.number, index], key="visit.empty"
                )
                played.update(made)
                continue
            if step is None and (
                take.lead or name == READ or not any(node in totals for node in made)
            ):
                continue
            if step is not None:
                now = step[0]
            at = time if time is not None else now
            for place, node in enumerate(made):
                if arrived.get(node, 0) > 1 and node not in summed:
                    summed.add(node)
                    total = totals[node] if totals[node] is not None else pick(step[2][place])
                    key = {"key": "sum.seed"} if node in seeded else self._some(node)
                    key = (
                        {"key": "sum.early"}
                        if arrived[node] < take.awaited.get(outputs[place], 0)
                        else key
                    )
                    self.add(
                        at,
                        "sum",
                        node=node,
                        value=stage.values.add(total),
                        count=arrived[node],
                        **key,
                    )
            card = stage.card_of.get((take.reel.number, index))
            if card is None:
                continue
            if step is None:  # an adjoint arrived, but no rule lets it pass
                self._stuck(take, card, entries[index], at)
                continue
            key = (
                {"key": "visit.seed"}
                if made and made[0] in seeded and arrived[made[0]] == 1
                else {}
            )
            if take.awaited and any(
                arrived.get(stage.node_of[number], 0) < take.awaited.get(number, 0)
                for number in outputs
            ):
                key = {"key": "visit.early"}
            adjoints = [pick(a) for a in step[2]]
            value = stage.values.add(adjoints[0])
            self.add(at, "visit", card=card, value=value, **key)
            played.update(made)
            self._parts(take, card, index, adjoints, value, step[3], at, time, pick, played)
            for place, _, _, total, when in step[3]:
                node = stage.cards[card]["inputs"][place]
                arrived[node], totals[node], now = arrived.get(node, 0) + 1, pick(total), when
        if take.error is not None:
            self._failed(take, now)
        for node in sorted(totals):  # leaves that were asked for: nobody visits them
            if arrived[node] > 1 and node not in summed and stage.nodes[node]["source"]:
                self.add(
                    time or take.end,
                    "sum",
                    node=node,
                    value=stage.values.add(totals[node]),
                    count=arrived[node],
                    **self._some(node),
                )

    def _some(self, node: int) -> dict[str, str]:
        """Return the key of a sum where the node has uses that send no part, as in `x > 2`: they
        are counted among its uses.
        """
        if self._beside is None:
            self._beside = {edge["from"] for edge in self.stage.edges if edge["flow"] == "blocked"}
        return {"key": "sum.some"} if node in self._beside else {}

    def _parts(
        self,
        take: Take,
        card: int,
        index: int,
        adjoints: Sequence[Array],
        adjoint: int,
        parts: Sequence[tuple[int, int, Array, Array, Any]],
        time: Any,
        part_time: Any,
        pick: Callable[[Array], Array],
        played: Collection[int],
    ) -> None:
        stage, entry, row = self.stage, take.reel.entries[index], self.stage.cards[card]
        tape, inputs, rules, reached = row["tape"], row["inputs"], row["formula"], set()
        for place, _, value, _, when in parts:
            reached.add(place)
            part = pick(value)
            fields = {
                "card": card,
                "input": place,
                "node": inputs[place],
                "value": stage.values.add(part),
            }
            uses = stage.uses[tape, inputs[place]]
            if len(uses) > 1:
                fields["use"] = uses[card, place]
            local, stretched = self._local(entry, take.reel.kept[index], place, part, adjoints[0])
            if len(adjoints) == 1:
                fields["adjoint"] = adjoint
            if local is not None:
                fields["local"] = stage.values.add(local)
            formula = rules[place].known if rules is not None else ""
            if inputs[place] in played:  # only in an order that is not the tape's
                fields["key"] = "part.late"
            elif not formula:
                fields["key"] = "part.plain"
            elif stretched:
                fields["key"] = "part.stretched"
            elif formula == "spread":
                fields["key"] = "part.spread"
            elif (
                local is not None
                and not np.ndim(local)
                and not adjoints[0].ndim
                and formula != "plain"
            ):
                fields["key"] = "part.product"
            self.add(part_time or when, "part", **fields)
        self._cuts(take, card, entry, reached, part_time or (parts[-1][4] if parts else time))

    def _stuck(self, take: Take, card: int, entry: Entry, time: Any) -> None:
        """A card that an adjoint reached and that sends nothing on; worth showing only where a
        source lies behind it.
        """
        op = OPS.get(entry[0])
        if op is not None and op.registered and self._blocked(take, entry, set()):
            self.add(time, "visit", card=card, key="visit.stuck")
            self._cuts(take, card, entry, set(), time)

    def _blocked(self, take: Take, entry: Entry, reached: set[int]) -> list[int]:
        return [
            place
            for place, number in enumerate(entry[1])
            if number in take.reach and place not in reached and number in self.stage.watched
        ]

    def _cuts(self, take: Take, card: int, entry: Entry, reached: set[int], time: Any) -> None:
        why = "stopped" if entry[0] == "StopGradient" else "blocked"
        for place in self._blocked(take, entry, reached) if len(reached) < len(entry[1]) else ():
            self.add(
                time,
                "cut",
                card=card,
                input=place,
                node=self.stage.cards[card]["inputs"][place],
                why=why,
            )

    def _local(
        self, entry: Entry, kept: tuple[Arrays, Arrays], place: int, part: Array, adjoint: Array
    ) -> tuple[Array | None, bool | None]:
        """Returns (the local derivative or None, whether the walk summed stretched axes)."""
        op, (values, outputs), attributes = OPS.get(entry[0]), kept, entry[3] or {}
        y = outputs[0]
        if (
            op is None
            or len(outputs) > 1
            or y.dtype.kind != "f"
            or y.size > MOST_LOCAL
            or values[place].size > MOST_LOCAL
        ):
            return None, False
        rule = rule_of(op, place)
        if rule is None:
            return None, False
        try:
            local = rule(np.ones_like(y) if y.ndim else type(y)(1), y, *values, **attributes)
            if not y.ndim:
                return (
                    local
                    if getattr(local, "shape", ()) == part.shape and _close(adjoint * local, part)
                    else None
                ), False
            if np.shape(local) != y.shape:
                return None, False
            key = (entry[0], place, repr(attributes)[:200], tuple(v.shape for v in values))
            # adjoint times local derivative, element by element? try another adjoint
            if key not in self._separable:
                probe = (np.arange(1, y.size + 1, dtype=y.dtype) % 7 + 1).reshape(y.shape)
                self._separable[key] = bool(
                    np.allclose(
                        rule(probe, y, *values, **attributes), probe * local, equal_nan=True
                    )
                )
        # a learner's own rule may fail on an adjoint it does not expect; then nothing is shown
        except Exception:
            return None, False
        stretched = local.shape != part.shape
        return (local if self._separable[key] else None), stretched and self._separable[key]

    def _failed(self, take: Take, time: Any) -> None:
        """The play ended with an error: at which card, and what could not pass."""
        if not isinstance(take.error, LookupError):
            return
        entries = take.reel.entries
        known = {part[1] for step in take.steps for part in step[3]} | set(take.seeds)
        last = take.steps[-1][1] if take.steps else len(entries)
        for index in range(last - 1, -1, -1):
            name, inputs, outputs = entries[index][:3]
            card = self.stage.card_of.get((take.reel.number, index))
            if (
                take.reel.recording.rule(name, 0) == "unregistered"
                and not known.isdisjoint(outputs)
                and card is not None
            ):
                for place, number in enumerate(inputs):
                    if number in take.reach and number in self.stage.watched:
                        self.add(
                            time,
                            "cut",
                            card=card,
                            input=place,
                            node=self.stage.cards[card]["inputs"][place],
                            why="unregistered",
                        )
                return

    def _answers(self, take: Take, number: int, targets: list[int], sources: list[int]) -> None:
        stage = self.stage
        astray = take.order is not None and any(
            row.get("key") == "part.late" for _, row in self.frames
        )
        # a variable read in several versions
        for source, node, value in zip(take.sources, sources, take.gradients):
            count = self._reached(stage.versions(source, node, take.reel.number))
            if value is not None and count > 1:
                self.add(
                    take.end,
                    "sum",
                    node=node,
                    value=stage.values.add(value),
                    count=count,
                    key="sum.versions",
                )
        for source, node, value in zip(take.sources, sources, take.gradients):
            fields = {"pass": number, "node": node}
            if take.error is not None:
                self.add(take.end, "result", **fields, value=None, why="unregistered")
            elif value is not None:
                key = {"key": "result.astray"} if astray else {}
                self.add(take.end, "result", **fields, value=stage.values.add(value), **key)
            else:
                why, note = self._why(take, source)
                if self.zero:
                    zeros = stage.values.add(np.zeros_like(stage.arrays[node])[()])
                    self.add(
                        take.end,
                        "result",
                        **fields,
                        value=zeros,
                        why=why,
                        key="result.zero",
                        **note,
                    )
                else:
                    self.add(take.end, "result", **fields, value=None, why=why, **note)

    def _why(self, take: Take, source: Thing) -> tuple[str, Row]:
        """Draws the cuts behind a None that the play itself did not come across; returns (word,
        {"note": its explanation}).
        """
        place = next(k for k, other in enumerate(take.sources) if other is source)
        # the way is there; the cards were played in the wrong order
        if take.awaited.get(source.id):
            return "order", {}
        reason = self.reasons(take, place) if self.reasons is not None else None
        if reason is None:
            return "unexplained", {}
        note = self._note(take, source, reason) if self.told else {}
        shown = {
            (frame["card"], frame["input"]) for _, frame in self.frames if frame["act"] == "cut"
        }
        for why, card, place, bridge in cuts(self.stage, take, source, reason):
            if bridge is not None:
                edge = self.stage.bridge(
                    *bridge, "unwatched" if why in ("", *UNRECORDED) else "escape"
                )
                if why:
                    self.add(
                        take.end,
                        "cut",
                        card=None,
                        input=None,
                        node=bridge[0],
                        why=why,
                        edge=edge,
                        **note,
                    )
            elif (card, place) not in shown:
                self.add(
                    take.end,
                    "cut",
                    card=card,
                    input=place,
                    node=self.stage.cards[card]["inputs"][place],
                    why=why,
                    **note,
                )
        return word(reason.category), note

    def _note(self, take: Take, source: Thing, reason: Reason) -> Row:
        """Returns {"note": number} of a note with the explainer's sentences and their place."""
        stage = self.stage
        where = (
            stage.sources.locate(reason.where)
            if reason.where
            else stage.sources.point(reason.filename, reason.span)
        )
        stage.notes.append(
            {
                "kind": "explanation",
                "key": "note.explanation",
                "tape": stage.tape_of[take.reel.number],
                "params": {"why": reason.message, "fix": reason.fix, "category": reason.category},
                "where": where,
                "nodes": [source.id],
            }
        )
        return {"note": len(stage.notes) - 1}

    def _reached(self, versions: list[int]) -> int:
        found = set()
        for _, frame in reversed(self.frames):
            if frame["act"] == "seed":
                break
            if frame["act"] == "part" and frame["node"] in versions:
                found.add(frame["node"])
        return len(found)

    # ---- a Jacobian: one play over a batch of seeds, told row by row

    def _rows(self, take: Take, number: int, targets: list[int], sources: list[int]) -> None:
        stage = self.stage
        ((tensor, seeds),) = take.seeds.items()
        target = stage.node_of[tensor]
        shape = stage.arrays[target].shape
        batch = len(seeds) != max(1, int(np.prod(shape)))
        row_shape = shape[1:] if batch else shape
        full = len(seeds) * max(1, sum(1 + len(step[3]) for step in take.steps)) <= MOST_ROW_ACTS
        for r in range(len(seeds)):
            row = [int(i) for i in np.unravel_index(r, row_shape)] if row_shape else []
            self.add(
                take.end,
                "seed",
                **{"pass": number},
                node=target,
                value=stage.values.add(seeds[r]),
                row=row,
                key="seed.one",
            )
            self.seeds.append((self.frames[-1][1], seeds[r]))
            if full:
                self._steps(take, {target: 1}, lambda array, r=r: array[r], take.end)  # type: ignore[misc]
            for node, value in zip(sources, take.gradients):
                if value is not None:
                    self.add(
                        take.end,
                        "row",
                        **{"pass": number},
                        row=row,
                        node=node,
                        value=stage.values.add(value[r]),
                    )
        for source, node, value in zip(take.sources, sources, take.gradients):
            fields = {"pass": number, "node": node}
            if value is None:
                why, note = self._why(take, source)
                self.add(take.end, "result", **fields, value=None, why=why, **note)
                continue
            whole = np.moveaxis(value, 0, 1) if batch else value
            whole = whole.reshape(
                ((shape[0],) if batch else ()) + row_shape + value.shape[1 + batch :]
            )
            self.add(
                take.end, "result", **fields, value=stage.values.add(whole), key="result.jacobian"
            )


def _close(a: Array, b: Array) -> bool:
    """Says whether two values agree; spelled out for numbers, because long tapes ask this often."""
    if getattr(a, "ndim", 0) or getattr(b, "ndim", 0):
        return bool(np.allclose(a, b, rtol=1e-4, equal_nan=True))
    return bool(a == b or abs(a - b) <= 1e-4 * abs(b) or (a != a and b != b))
