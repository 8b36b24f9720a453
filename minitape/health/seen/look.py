"""One look at one step: sizes of values before the play, of adjoints while it passes, of updates
when the next step begins.

A look reads arrays that are there anyway and changes none. It is put away when the step is over
(`close`); what remains is a column in the history.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import inf
from typing import Any

import numpy as np

from minitape.engine.base.aliases import Array, Number, RawEntry, Where
from minitape.engine.base.tensor import Tensor
from minitape.engine.ops.facts import facts_of
from minitape.engine.play import Play
from minitape.engine.surprises import sum_of_squares

from .anatomy import Anatomy, place_of, rectifies
from .history import History, LayerHistory
from .sizes import cosine, few, finite, fires, flat, rms, some_rows

# what a sum goes through and is a sum still
PASSES_ON = ("Add", "AddV2", "AddN", "Neg", "Identity")
FIRST_LOOKS = 8  # at these, inputs are measured and updates are compared with gradients


def array(value: Any) -> Array:
    """Returns the array of a tensor, an array as it is."""
    return value.value if type(value) is Tensor else value


class Look:
    """A look at the play `play` of step `step`. `before`: the look at the step just before, if
    there was one, whose update is compared with the gradient of this step.
    """

    def __init__(
        self, step: int, play: Play, anatomy: Anatomy, history: History, before: Look | None
    ) -> None:
        self.step, self.anatomy, self.history = step, anatomy, history
        self.gradients: dict[int, Array] = {}
        self.updates: dict[int, Array] = {}
        self._before, self._first = before, history.looks < FIRST_LOOKS
        history.begin(step)
        self._contents = {number: weight.content for number, weight in history.weights.items()}
        self._rows: dict[int, LayerHistory] = {}  # by the entry that gives the output
        # the first and the last use in a recurrent layer
        self._turns: dict[int, tuple[LayerHistory, int]] = {}
        self._ends: dict[Any, list[float | None]] = {}
        for layer in anatomy.layers:
            row = self._rows[layer.out] = history.layer(layer.key)
            if not row.op:
                row.product, row.uses, row.variables = layer.product, layer.uses, layer.variables
            entry = play.entries[layer.out]
            row.op, row.entry, row.where, row.bend = (
                entry[0],
                layer.out,
                place_of(entry),
                layer.bend,
            )
            self._value(row, entry[7])
            if row.pruned is None and rectifies(row.bend) and layer.product:
                kernel = play.entries[layer.first][6][-1]
                row.pruned = ~fires(kernel) if kernel.ndim > 1 else np.zeros(0, bool)
            if len(layer.turns) >= 4:
                self._turns[layer.turns[0]], self._turns[layer.turns[-1]] = (row, 1), (row, 0)
        history.columns["loss"][-1] = history.losses.latest
        if self._first:
            self._inputs(play)
            history.program.summed = history.program.summed or summed(play)
        self._labels(play)
        self.awaited = self._rows.keys() | self._turns.keys()

    def _value(self, row: LayerHistory, y: Array) -> None:
        columns = row.columns
        columns["value"][-1], columns["bad"][-1] = rms(y)
        row.units = y.shape[-1] if y.ndim else 1
        row.examples = y.size // (row.units or 1)
        if rectifies(row.bend) and y.ndim > 1 and y.size:
            alive = fires(y)
            columns["dead"][-1] = 1 - float(np.count_nonzero(alive)) / row.units
            columns["zero"][-1] = 1 - float(np.count_nonzero(y)) / y.size
            if row.fired is None or len(row.fired) != row.units:
                row.fired = np.zeros(row.units, np.int32)
            row.fired[alive] = self.history.looks
        elif (limits := facts_of(row.bend).limits) and row.uses < 2:
            columns["saturated"][-1] = flat(y, limits)

    def _inputs(self, play: Play) -> None:
        """What goes into the first layers: how large, and how differently its columns spread."""
        taken: list[int] = []
        self.history.data.batches.append(taken)
        for index, layer in self.anatomy.inputs.items():
            if index != layer.first:
                continue
            entry = play.entries[index]
            x = entry[6][0]
            if x.ndim < 2 or len(x) < 2:
                continue
            taken.append(hash((x.shape, few(x).tobytes())))
            self.history.data.examples = len(x)
            x = np.asarray(some_rows(x), np.float64)
            rows = x.reshape(-1, x.shape[-1]) if entry[0] == "MatMul" else x.reshape(len(x), -1)
            spread = rows.std(0)
            spread = spread[spread > 0]
            self.history.data.inputs.append(
                {
                    "layer": layer.key,
                    "where": place_of(entry),
                    "size": rms(x)[0],
                    "most": float(np.abs(x).max()),
                    "columns": rows.shape[1],
                    "examples": len(rows),
                    "low": float(spread.min(initial=np.inf)),
                    "high": float(spread.max(initial=0)),
                }
            )

    def _labels(self, play: Play) -> None:
        """How far the predictions are from the labels, and whether they differ from example to
        example.
        """
        history, meeting = self.history, self.anatomy.meeting
        if self.anatomy.layers:
            y = play.entries[self.anatomy.layers[-1].out][7]
            if y.ndim and len(y) > 1 and y.dtype.kind == "f":
                size, spread = rms(y)[0], rms(y - y[:1])[0]
                history.columns["spread"][-1] = (
                    None if size is None or spread is None else spread / size if size else 0.0
                )
        if meeting is not None:
            values = play.entries[meeting.index][6]
            prediction, label = values[meeting.prediction], values[meeting.label]
            history.labels.where = place_of(play.entries[meeting.index])
            if (
                label.dtype.kind in "fiub"
                and prediction.dtype.kind == "f"
                and finite(prediction)
                and len(label) == len(prediction)
            ):
                history.columns["error"][-1] = history.labels.error(
                    meeting.kind, *some_rows(prediction, label)
                )

    def adjoint(self, index: int, value: Any) -> None:
        """Measure the adjoint at an entry that was awaited."""
        size, bad = rms(array(value))
        row = self._rows.get(index)
        if row is not None:
            row.columns["adjoint"][-1], row.columns["bad"][-1] = (
                size,
                (row.columns["bad"][-1] or 0) + bad,
            )
        if index in self._turns:
            row, end = self._turns[index]
            self._ends.setdefault(row.key, [None, None])[end] = size

    def answers(self, play: Play) -> None:
        """The gradients have come: who has one, and where do they point?"""
        for key, (last, first) in self._ends.items():
            if first is not None and last:
                self.history.layers[key].columns["through"][-1] = first / last
        history, weights = self.history, self.history.weights
        for number in play.numbers:
            weight = weights.get(number)
            if weight is None:
                continue
            gradient = play.adjoints.get(number)
            weight.asked += 1
            if gradient is None:
                weight.none += 1
                weight.lost = history.steps[-1] if weight.lost is None else weight.lost
                continue
            weight.lost = None
            gradient = self.gradients[number] = array(gradient)
            weight.zero += not few(gradient).any() and not gradient.any()
            if self._first:
                pull, size = sum_of_squares(gradient), sum_of_squares(self._contents[number].value)
                weight.pull = max(weight.pull, (pull / size) ** 0.5 if size else float(pull > 0))
        if history.first_gradients is None:
            history.first_gradients = dict(self.gradients)
        history.columns["along"][-1] = together(self.gradients, history.first_gradients)
        if self._before is not None:
            history.columns["turn"][-1] = together(self.gradients, self._before.updates)
            self._before = None

    def close(self) -> None:
        """The next step begins: what has the update done?"""
        history = self.history
        for number, before in self._contents.items():
            weight, old = history.weights[number], before.value
            now = weight.content
            if now.value is old or now.tensor == before.tensor:
                continue
            weight.where, update = now.assigned, np.asarray(now.value - old)
            self.updates[number] = update
            changed = bool(few(update).any() or update.any())
            weight.moved = weight.moved or changed
            gradient = self.gradients.get(number)
            if changed or gradient is not None and gradient.any():
                weight.idle = 0 if changed else weight.idle + 1
            if self._first and number in self.gradients:
                self._follows(number, update)
        for number, gradient in self.gradients.items():
            weight = history.weights[number]
            weight.latest = gradient if weight.stays else None
        squares: dict[int, tuple[float, float]] = {}
        for number, update in self.updates.items():
            old = self._contents[number].value
            by, of = sum_of_squares(update), sum_of_squares(old)
            if by < inf and of < inf:
                squares[number] = by, of
        for row in history.layers.values():
            mine = [squares[number] for number in row.variables if number in squares]
            size = sum(of for _, of in mine)
            if size:
                row.columns["update"][-1] = (sum(by for by, _ in mine) / size) ** 0.5
            elif any(number in self._contents for number in row.variables):
                row.columns["update"][-1] = 0.0
        self._contents = {}

    def _follows(self, number: int, update: Array) -> None:
        """Compare an update with the gradient of its variable, and with those of others of the same
        shape: which one fits best?
        """
        weights = self.history.weights
        own = cosine(update, self.gradients[number])
        if own is None:
            return
        weights[number].aligned.append(own)
        if update.size > 1 and -0.5 < own < 0.95:  # else it goes its own way, down or up
            same = [
                (cosine(update, gradient) or 0.0, other)
                for other, gradient in self.gradients.items()
                if other != number and gradient.shape == update.shape
            ]
            far, other = min(same, default=(0.0, number))
            if far < min(-0.6, own - 0.3):
                weights[number].follows.append(other)


def summed(play: Play) -> tuple[int, Any, bool] | None:
    """Returns over how many examples the target is a sum, where, and whether `gradient` sums it, as
    its target is no single number; None where it is no sum.
    """
    target, made = play.targets[0], {entry[2]: entry for entry in play.entries}
    if target.value.ndim:
        return (target.value.size, target.where, True) if target.value.size > 1 else None
    entry = made.get(target.id)
    while entry is not None and entry[0] in PASSES_ON:
        entry = next((made[n] for n in entry[1] if n in made), None)
    if entry is None or entry[0] != "Sum" or not entry[6][0].ndim:
        return None
    return (len(entry[6][0]), place_of(entry), False) if len(entry[6][0]) > 1 else None


def added_behind(
    entries: Sequence[RawEntry], targets: Collection[Number]
) -> tuple[set[Number], Where] | None:
    """Return the first sum of a target and something else that was recorded, as (what was added and
    the sum, its place), or None.
    """
    behind, made = set(targets), set[int]()
    for entry in entries:
        op, inputs, output = entry[:3]
        outputs = output if isinstance(output, tuple) else (output,)
        if behind.isdisjoint(inputs):
            made.update(outputs)
            continue
        others = made.intersection(inputs) - behind
        if op in ("Add", "AddN") and others and not entry[7].ndim:
            return {*others, *outputs}, place_of(entry)
        behind.update(outputs)
    return None


def together(a: dict[int, Any], b: dict[int, Any]) -> float | None:
    """Returns how two sets of arrays point beside each other, as one long vector each."""
    both = [(few(a[number]), few(b[number])) for number in a if number in b]
    product = sum(float(np.vdot(u, v)) for u, v in both)
    norm = (
        sum(float(np.vdot(u, u)) for u, _ in both) * sum(float(np.vdot(v, v)) for _, v in both)
    ) ** 0.5
    return product / norm if 0 < norm < float("inf") else None
