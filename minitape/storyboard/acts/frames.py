"""The acts of one play backwards, from what the film saw: seeds, visits, parts, sums, cuts,
results.

Nothing is computed here that the play did not compute, but one thing: the local derivative, see
`local.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitape.engine.base.aliases import Array
from minitape.engine.recording import TensorInfo
from minitape.storyboard.acts.local import LocalDerivatives
from minitape.storyboard.acts.reasons import UNRECORDED, Ask, Reason, cuts, word
from minitape.storyboard.acts.visits import Visits
from minitape.storyboard.film.recorded import RecordedPlay
from minitape.storyboard.stage.stage import Stage
from minitape.storyboard.text.aliases import Data, Event

MOST_ROW_ACTS = 400  # a Jacobian with more acts than this shows its rows, not every visit


class Acts:
    """Turns plays into frames. `frames` is a list of (moment, frame), `passes` the contract's rows
    of the plays.

    `reason(play, k)` gives the `Reason` why the gradient of source k is None, or None where nobody
    knows; with `with_reasons` its sentences stand in the picture. With `zero` the play was asked for zeros
    in place of None.
    """

    def __init__(self, stage: Stage, zero: bool, reason: Ask, with_reasons: bool) -> None:
        self.stage, self.zero, self.reason, self.with_reasons = stage, zero, reason, with_reasons
        self.local = LocalDerivatives()
        self.frames: list[Event] = []
        self.passes: list[Data] = []
        self.seeds: list[tuple[Data, Array]] = []  # (frame, array) of those that are not ones
        self.with_blocked_uses = {
            edge["from"] for edge in stage.cards.edges if edge["flow"] == "blocked"
        }

    def add(self, time: int, act: str, **fields: Any) -> None:
        """Adds one frame; of frames with one time, the order is that in which they were added."""
        self.frames.append(((time, 1, len(self.frames)), {"act": act, **fields}))

    def play(self, play: RecordedPlay) -> None:
        """Adds all frames of one play."""
        stage, number, tape = self.stage, len(self.passes), self.stage.tape_of[play.tape]
        targets = [stage.nodes.anchor(target, tape) for target in play.targets]
        sources = [stage.nodes.anchor(source, tape) for source in play.sources]
        for node in targets:
            stage.nodes.rows[node]["target"] = True
        for source, node in zip(play.sources, sources):
            for version in stage.nodes.versions_of(source, node, tape):
                stage.nodes.rows[version]["source"] = True
        kind = "jacobian" if play.lead else "gradient"
        self.passes.append(
            {"kind": kind, "tape": tape, "targets": targets, "sources": sources, "frames": [0, 0]}
        )
        with np.errstate(all="ignore"):
            # left in the middle, as `next(tape.steps(...))` does
            if play.gradients is None or play.end is None:
                end = play.steps[-1].time + 1 if play.steps else play.begin
                Visits(self, play, self._seeds(play, number), end).tell()
                return
            pairs = list(zip(play.sources, sources, play.gradients))
            if play.lead:
                self._rows(play, number, pairs, play.end)
            else:
                Visits(self, play, self._seeds(play, number), play.end).tell()
                self._answers(play, number, pairs, play.end)
        if not play.persistent:
            self.add(play.end, "release", tape=tape)

    # ---- the pieces of a play

    def _seeds(self, play: RecordedPlay, number: int) -> dict[int, int]:
        arrived, tape = {}, self.stage.tape_of[play.tape]
        nodes = {target.id: self.stage.nodes.anchor(target, tape) for target in play.targets}
        for target, seed in play.seeds.items():
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
            self.add(play.begin, "seed", **fields)
            if fields.get("key") == "seed.given":
                self.seeds.append((self.frames[-1][1], seed))
            arrived[node] = 1
        return arrived

    def _answers(
        self,
        play: RecordedPlay,
        number: int,
        answers: list[tuple[TensorInfo, int, Array | None]],
        end: int,
    ) -> None:
        """The results; before them the sums of what reached a variable that was read in several
        versions.
        """
        stage, tape = self.stage, self.stage.tape_of[play.tape]
        astray = play.order is not None and any(
            row.get("key") == "part.late" for _, row in self.frames
        )
        reached = self._reached()
        for source, node, value in answers:
            count = len(reached.intersection(stage.nodes.versions_of(source, node, tape)))
            if value is not None and count > 1:
                self.add(
                    end,
                    "sum",
                    node=node,
                    value=stage.values.add(value),
                    count=count,
                    key="sum.versions",
                )
        for k, (_, node, value) in enumerate(answers):
            fields: Data = {"pass": number, "node": node}
            if play.error is not None:
                self.add(end, "result", **fields, value=None, why="unregistered")
            elif value is not None:
                key = {"key": "result.astray"} if astray else {}
                self.add(end, "result", **fields, value=stage.values.add(value), **key)
            else:
                why, note = self._why(play, k, end)
                by_library = play.tape.recording.zeros
                if self.zero or by_library:
                    said = "result.zero.library" if by_library else "result.zero"
                    zeros = stage.values.add(np.zeros_like(stage.nodes.arrays[node])[()])
                    self.add(end, "result", **fields, value=zeros, why=why, key=said, **note)
                else:
                    self.add(end, "result", **fields, value=None, why=why, **note)

    def _why(self, play: RecordedPlay, k: int, end: int) -> tuple[str, Data]:
        """Draws the cuts behind a None that the play itself did not come across; returns (word,
        {"note": its explanation}).
        """
        source = play.sources[k]
        # the way is there; the cards were played in the wrong order
        if play.awaited.get(source.id):
            return "order", {}
        reason = self.reason(play, k)
        if reason is None:
            return "unexplained", {}
        note = self._note(play, source, reason) if self.with_reasons else {}
        shown = {
            (frame["card"], frame["input"]) for _, frame in self.frames if frame["act"] == "cut"
        }
        for cut in cuts(self.stage, play, source, reason):
            if cut.bridge is not None:
                edge = self.stage.cards.bridge(
                    *cut.bridge, "unwatched" if cut.why in ("", *UNRECORDED) else "escape"
                )
                if cut.why:
                    self.add(
                        end,
                        "cut",
                        card=None,
                        input=None,
                        node=cut.bridge[0],
                        why=cut.why,
                        edge=edge,
                        **note,
                    )
            elif cut.card is not None and (cut.card, cut.input) not in shown:
                node = self.stage.cards.rows[cut.card]["inputs"][cut.input]
                self.add(end, "cut", card=cut.card, input=cut.input, node=node, why=cut.why, **note)
        return word(reason.category), note

    def _note(self, play: RecordedPlay, source: TensorInfo, reason: Reason) -> Data:
        """Returns {"note": number} of a note with the explainer's sentences and their place."""
        stage = self.stage
        where = (
            stage.sources.locate(reason.where)
            if reason.where
            else stage.sources.point(reason.filename, reason.span)
        )
        number = stage.margin.add(
            kind="explanation",
            key="note.explanation",
            tape=stage.tape_of[play.tape],
            params={"why": reason.message, "fix": reason.fix, "category": reason.category},
            where=where,
            nodes=[source.id],
        )
        return {"note": number}

    def _reached(self) -> set[int]:
        """Returns the nodes to which a part came in the play that is being shown."""
        result: set[int] = set()
        for _, frame in reversed(self.frames):
            if frame["act"] == "seed":
                break
            if frame["act"] == "part":
                result.add(frame["node"])
        return result

    # ---- a Jacobian: one play over a batch of seeds, shown row by row

    def _rows(
        self,
        play: RecordedPlay,
        number: int,
        answers: list[tuple[TensorInfo, int, Array | None]],
        end: int,
    ) -> None:
        stage = self.stage
        ((tensor, seeds),) = play.seeds.items()
        target = stage.nodes.of[tensor]
        shape = stage.nodes.arrays[target].shape
        batch = len(seeds) != max(1, int(np.prod(shape)))
        row_shape = shape[1:] if batch else shape
        full = len(seeds) * max(1, sum(1 + len(step.parts) for step in play.steps)) <= MOST_ROW_ACTS
        for r in range(len(seeds)):
            row = [int(i) for i in np.unravel_index(r, row_shape)] if row_shape else []
            self.add(
                end,
                "seed",
                **{"pass": number},
                node=target,
                value=stage.values.add(seeds[r]),
                row=row,
                key="seed.one",
            )
            self.seeds.append((self.frames[-1][1], seeds[r]))
            if full:
                Visits(self, play, {target: 1}, end, r).tell()
            for _, node, value in answers:
                if value is not None:
                    self.add(
                        end,
                        "row",
                        **{"pass": number},
                        row=row,
                        node=node,
                        value=stage.values.add(value[r]),
                    )
        for k, (_, node, value) in enumerate(answers):
            fields: Data = {"pass": number, "node": node}
            if value is None:
                why, note = self._why(play, k, end)
                self.add(end, "result", **fields, value=None, why=why, **note)
                continue
            whole = np.moveaxis(value, 0, 1) if batch else value
            whole = whole.reshape(
                ((shape[0],) if batch else ()) + row_shape + value.shape[1 + batch :]
            )
            self.add(end, "result", **fields, value=stage.values.add(whole), key="result.jacobian")
