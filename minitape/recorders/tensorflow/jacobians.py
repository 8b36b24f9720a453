"""A Jacobian of TensorFlow's, row by row.

TensorFlow computes all rows at once, in a program that it compiles for it, and nobody can look on.
So that they can be seen, the tape is played once more for each row, heard by nobody, with
TensorFlow's own rules; the result of the call stays what TensorFlow computed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from tensorflow.python.eager import backprop, context
from tensorflow.python.util import nest

from ..filmed import Back, fitting
from ..shield import shielded
from .autograph import here
from .plays import TensorFlowPlay, dense

if TYPE_CHECKING:
    from .tape import TensorFlowTape
    from .way_back import WayBack

MOST_ROWS = 64  # a Jacobian with more is computed, and a note says why its rows are not shown


class Jacobians:
    """Shows what `tf.GradientTape.jacobian` and `batch_jacobian` compute."""

    def __init__(self, back: WayBack) -> None:
        self.back, self.shield = back, back.shield

    def replaced(self) -> list[tuple[Any, str, Callable[..., Any]]]:
        """Return (owner, name, what makes the new function out of the old one)."""
        tape = backprop.GradientTape
        return [
            (tape, "jacobian", functools.partial(self._around, False)),
            (tape, "batch_jacobian", functools.partial(self._around, True)),
        ]

    def _around(self, batch: bool, old: Callable[..., Any]) -> Callable[..., Any]:
        def jacobian(tape: Any, target: Any, sources: Any, *arguments: Any, **named: Any) -> Any:
            blocks = self.back.blocks
            known = blocks.of(tape)
            if known is None or not self.shield.down or not context.executing_eagerly():
                return old(tape, target, sources, *arguments, **named)
            handle, opened = tape._tape, list(blocks.open)
            if handle is not None:
                self.back.meet(target, sources)
            blocks.busy, blocks.open[:] = tape, [other for other in opened if other is not known]
            try:
                result = old(tape, target, sources, *arguments, **named)
            finally:
                blocks.busy, blocks.open[:] = None, opened
            if handle is not None:
                self._show(known, handle, target, nest.flatten(sources), batch)
            return result

        return jacobian

    @shielded
    def _show(
        self, tape: TensorFlowTape, handle: Any, target: Any, sources: list[Any], batch: bool
    ) -> None:
        value = self.back.tensors.tensor(target).value
        count = int(np.prod(value.shape[1:] if batch else value.shape))
        if count == 0 or value.dtype.kind not in "fc":
            return
        if count > MOST_ROWS:
            about = {
                "id": self.back.tensors.clock.now(),
                "target": self.back.tensors.number(target),
                "rows": count,
                "most": MOST_ROWS,
            }
            tape.note("rows", here(), about)
            return
        seeds = np.eye(count, dtype=value.dtype)
        seeds = (
            np.broadcast_to(seeds.reshape((count, 1, *value.shape[1:])), (count, *value.shape))
            if batch
            else seeds.reshape((count, *value.shape))
        )
        handles = [backprop._handle_or_self(source) for source in sources]
        plays = [self.back.row(handle, [target], handles, [seed]) for seed in seeds]
        filmed = [filming.developed(tape) for filming, _ in plays]
        play = TensorFlowPlay(
            tape, [self.back.tensors.tensor(target)], self.back.asked_for(handles), [seeds], lead=1
        )
        play.backs = {
            index: self._stacked(tape, index, [rows[index] for rows in filmed])
            for index in filmed[0]
            if all(index in rows for rows in filmed)
        }
        columns = zip(*(gradients for _, gradients in plays))
        play.returned = [
            None if any(g is None for g in column) else np.stack([dense(g) for g in column])
            for column in columns
        ]
        play.answers_as = [None] * len(handles)
        self.back.show(play)

    @staticmethod
    def _stacked(tape: TensorFlowTape, index: int, rows: list[Back]) -> Back:
        """Return the same step of all rows as one, the rows as its first axis."""
        _, _, output, _, _, _, values, y = tape.entries[index]
        places = tape.entries.places(index)
        ys = y if type(output) is tuple else (y,)

        def row_by_row(tensors: list[Any], like: Any) -> Any:
            if all(t is None for t in tensors):
                return None
            return np.stack(
                [np.zeros_like(like) if t is None else fitting(dense(t), like) for t in tensors]
            )

        adjoints = [
            row_by_row([row.adjoints[k] for row in rows], like) for k, like in enumerate(ys)
        ]
        parts: list[Any] = [None] * len(rows[0].parts)
        for place, like in zip(places, values):
            if place < len(parts):
                parts[place] = row_by_row([row.parts[place] for row in rows], like)
        return rows[0]._replace(adjoints=adjoints, parts=parts)
