"""What was seen of a training, kept small: one column per step that was looked at, one row per
layer, and the loss of every step.

Whatever the length of a training, a history stays of one size: where it is full, every second
column goes, and two neighbours among the losses become one. What a finding needs from the whole
course (has this unit ever fired? has this weight ever moved?) is counted on the way.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from minitape.engine.base.aliases import Array, Number, Where
from minitape.engine.recording import TensorInfo, describe
from minitape.engine.variable import Variable
from minitape.program.places import Span

MOST_COLUMNS, MOST_CELLS, MOST_LOSSES = 512, 12_000, 1_024
# Of a layer at a step: sizes (root of the mean square) of its output, of the adjoint there, of the
# update beside the weights; shares of outputs that are 0, of units that are 0 for the whole batch,
# of outputs on the flat end of a curve; how many numbers are not finite; in a recurrent layer the
# adjoint at its first use beside that at its last.
MEASURES = ("value", "adjoint", "update", "zero", "dead", "saturated", "bad", "through")
# Over all layers: the loss and the error of the predictions; how the gradient points beside the
# update before (above 0 it went too far), and beside the first one; how much predictions differ
# within a batch, beside their size.
OVER_ALL = ("loss", "error", "turn", "along", "spread")


class Reason(NamedTuple):
    """What the program's text says of a training: its `kind`, its place, and what the sentences
    need.
    """

    kind: str
    where: Where | Span | None
    params: dict[str, Any]


class Losses:
    """The loss of each step, later of each few steps: lists `mean`, `low` and `high`, each number
    for `each` steps.

    A loss that is not finite counts as missing; `steps` counts all.
    """

    def __init__(self) -> None:
        self.each, self.steps = 1, 0
        self.latest: float | None = None
        self.mean: list[float | None] = []
        self.low: list[float | None] = []
        self.high: list[float | None] = []
        self._open: list[float] = []

    def add(self, loss: float) -> None:
        """Take in the loss of the next step."""
        self.steps, self.latest = self.steps + 1, loss if isfinite(loss) else None
        self._open.append(loss)
        if len(self._open) == self.each:
            self.close()

    def close(self) -> None:
        """Take in the few steps that are not a full number yet."""
        if not self._open:
            return
        fine = [loss for loss in self._open if isfinite(loss)]
        self.mean.append(sum(fine) / len(fine) if fine else None)
        self.low.append(min(fine, default=None))
        self.high.append(max(fine, default=None))
        self._open = []
        if len(self.mean) >= MOST_LOSSES:
            self._halve()

    def _halve(self) -> None:
        def pairs(numbers: list[float | None], join: Any) -> list[float | None]:
            both = (
                [n for n in numbers[k : k + 2] if n is not None] for k in range(0, len(numbers), 2)
            )
            return [join(pair) if pair else None for pair in both]

        self.mean = pairs(self.mean, lambda pair: sum(pair) / len(pair))
        self.low, self.high, self.each = pairs(self.low, min), pairs(self.high, max), 2 * self.each


class LayerHistory:
    """One layer, as the looks have seen it: a list per measure, as long as `History.steps`."""

    name = ""

    def __init__(self, key: Any, columns: int) -> None:
        self.key = key
        self.bend, self.product, self.uses, self.units, self.examples = "", False, 0, 0, 0
        self.where: Where | None = None  # of its output
        self.op, self.entry = "", 0  # which entry that is on the tape
        self.variables: list[Number] = []
        # per unit: the number of the last look at which it was not 0
        self.fired: Array | None = None
        self.pruned: Array | None = None  # per unit: whether all its weights are exactly 0
        self.columns: dict[str, list[float | None]] = {
            measure: [None] * columns for measure in MEASURES
        }

    def last(self, measure: str, count: int = 0) -> list[float]:
        """Return the last numbers of a measure, those that are missing left out; all of them for a
        `count` of 0.
        """
        numbers = [n for n in self.columns[measure] if n is not None]
        return numbers[-count:] if count else numbers


class WeightHistory:
    """One variable, of whatever library: what it was at the beginning, and what became of it.

    `asked`: how many plays that were looked at had it as a source; `none`, `zero`: how many of them
    gave no gradient, or zeros alone; `lost`: since which step there is none; `moved`: whether it
    ever changed; `drift`: how far it has
    come, beside the size that it had; `pull`: the size of its gradient at the beginning, beside its
    own; `aligned`: how its first updates point beside its gradient; `follows`: the variables whose
    gradients they follow instead; `idle`: at how many looks in a row an assignment has left it as it
    was, though it had a gradient; `latest`: the last gradient of a weight that stays; `asker`: where
    its gradient is asked for; `where`: the place of its last assignment.
    """

    name = ""

    def __init__(self, variable: Any) -> None:
        self.variable = variable
        self.start = self.content
        self.id, self.shape = self.start.id, self.start.shape
        self.frozen, self.moved, self.asked, self.none, self.zero = False, False, 0, 0, 0
        self.lost: int | None = None
        self.pull, self.idle = 0.0, 0
        self.asker: Where | None = None
        self.latest: Array | None = None
        self.aligned: list[float] = []
        self.follows: list[Number] = []
        self.drift = 0.0
        self.where: Where | None = None

    @property
    def stays(self) -> bool:
        """True where it never moved, or its last assignments changed nothing, though it has a
        gradient.
        """
        stuck = not self.moved or self.idle > 2
        return stuck and not self.frozen and self.none + self.zero < 0.5 * self.asked

    @property
    def content(self) -> TensorInfo:
        """What the variable holds now; no tape hears that it is looked at."""
        info = describe(self.variable)
        assert info is not None
        if type(self.variable) is not Variable:  # another library may write into its array
            info = TensorInfo(*[getattr(info, each.name) for each in fields(TensorInfo)])
            info.value = np.array(info.value)
        return info

    def compare(self) -> None:
        """Compare it with what it was."""
        start, now = (
            np.asarray(self.start.value, np.float64),
            np.asarray(self.content.value, np.float64),
        )
        self.frozen = not trainable(self.variable)
        self.moved = self.moved or not np.array_equal(start, now, equal_nan=True)
        if start.size and np.isfinite(now).all() and np.isfinite(start).all():
            size = float(np.sqrt(np.mean(start**2)))
            self.drift = float(np.sqrt(np.mean((now - start) ** 2))) / (size or 1.0)


def trainable(variable: Any) -> bool:
    """Return whether training changes a variable now: its layer may have been frozen since."""
    return bool(getattr(variable, "trainable", getattr(variable, "requires_grad", True)))


class Labels:
    """What the labels are like, over all that was looked at, and how far predictions are from them.

    `error(...)` is a mean over the batch: squares for numbers, natural logarithms for classes.
    `constant()` is the least that the same prediction for every example could have.
    """

    kind = ""
    wrong: float | None = None  # a label outside of what its loss can use

    def __init__(self) -> None:
        self.count, self.total, self.squares = 0, 0.0, 0.0
        self.where: Where | None = None

    def error(self, kind: str, prediction: Array, label: Array) -> float | None:
        """Take in the labels of a batch and return the error of the predictions, None where they do
        not fit.
        """
        prediction = np.asarray(prediction, np.float64)
        if kind == "classes":
            if label.dtype.kind not in "iu" or prediction.shape[:-1] != label.shape:
                return None
            label, kind = np.eye(prediction.shape[-1])[label], "shares"
        elif kind == "logarithms":
            kind = "shares" if prediction.ndim > 1 and prediction.shape[-1] > 1 else "yes or no"
            if kind == "yes or no":  # a logit, from the logarithm of a probability
                prediction = prediction - np.log(-np.expm1(np.minimum(prediction, -1e-7)))
        if prediction.shape != label.shape or prediction.size == 0:
            return None
        label = np.asarray(label, np.float64)
        if kind != "numbers" and (label.min() < 0 or label.max() > 1):
            self.wrong = float(label.min() if label.min() < 0 else label.max())
        self.kind = kind
        rows = label.reshape(-1, label.shape[-1]) if label.ndim > 1 else label.reshape(-1, 1)
        self.count, self.total, self.squares = (
            self.count + len(rows),
            self.total + rows.sum(0),
            self.squares + (rows**2).sum(0),
        )
        if kind == "numbers":
            return float(np.mean((prediction - label) ** 2))
        if kind == "shares":
            shifted = prediction - prediction.max(-1, keepdims=True)
            return float(
                np.mean(
                    (label * (np.log(np.exp(shifted).sum(-1, keepdims=True)) - shifted)).sum(-1)
                )
            )
        return float(
            np.mean(
                np.maximum(prediction, 0)
                - prediction * label
                + np.log1p(np.exp(-np.abs(prediction)))
            )
        )

    def constant(self) -> float | None:
        """Return the error of the best constant prediction, None where the labels do not differ or
        are not known.
        """
        if not self.count:
            return None
        mean = np.asarray(self.total) / self.count
        if self.kind == "numbers":
            loss = float(np.mean(self.squares / self.count - mean**2))
        else:
            p = np.clip(mean, 1e-12, 1)
            loss = -(
                p * np.log(p)
                + (0 if self.kind == "shares" else (1 - p) * np.log(np.maximum(1 - p, 1e-12)))
            )
            loss = float(loss.sum() if self.kind == "shares" else loss.mean())
        return loss if loss > 1e-9 else None


@dataclass
class Data:
    """What the data are like that the first layers take in, from the first looks."""

    inputs: list[dict[str, Any]] = field(default_factory=list)
    batches: list[list[int]] = field(default_factory=list)  # numbers for the data of each look
    examples: int = 0  # in a batch


@dataclass
class Program:
    """What the program's text and names say.

    `loss`: where it is; `summed`: see `look.summed`; `behind`: where more is added to it, at each of
    the first looks; `apart`: whether a gradient of that was asked for, too. `asked`: where the
    gradient was asked for; `unmoved`: why weights stay as they are, by such places; `strangers`:
    other variables, as they were; `left`: those that the loss uses, and no gradient was asked for
    yet, their names and contents; `doubts`: what may be meant.
    """

    loss: Where | None = None
    summed: tuple[int, Where, bool] | None = None
    behind: list[Where | None] = field(default_factory=list)
    apart: bool = False
    asked: Where | None = None
    unmoved: dict[Where | None, Reason] = field(default_factory=dict)
    strangers: dict[Number, Any] | None = None
    left: dict[Number, tuple[str, TensorInfo]] = field(default_factory=dict)
    doubts: list[Reason] = field(default_factory=list)


class History:
    """Everything that a `Watch` has seen."""

    def __init__(self) -> None:
        self.steps: list[int] = []  # those that were looked at
        self.looks = 0  # how many, those included that were thinned out
        self.columns: dict[str, list[float | None]] = {measure: [] for measure in OVER_ALL}
        self.layers: dict[Any, LayerHistory] = {}
        self.weights: dict[Number, WeightHistory] = {}
        self.losses, self.labels = Losses(), Labels()
        self.data, self.program = Data(), Program()
        self.first_gradients: dict[Number, Array] | None = None
        self.bad: dict[str, Any] | None = None  # the first number that is not finite
        self.explained: Any = None  # (number of a weight without a gradient, its `Explanation`)
        # of a weight whose gradients a library knows to go astray: its number, the step, why
        self.known: tuple[Number, int, Any] | None = None
        self.library, self.whole = "", False  # whose plays these are, and whether they are whole
        self.traced = 0  # plays inside of a tf.function, whose runs pass unseen

    @property
    def _lists(self) -> list[list[Any]]:
        layers = [column for layer in self.layers.values() for column in layer.columns.values()]
        return [self.steps, *self.columns.values(), *layers]

    def begin(self, step: int) -> None:
        """Open the column of a step; where there are too many, every second one goes, but for the
        first and the last.
        """
        if len(self.steps) >= 16 and (
            len(self.steps) >= MOST_COLUMNS or len(self.steps) * len(self.layers) >= MOST_CELLS
        ):
            for column in self._lists:
                column[:] = column[::2] if len(column) % 2 else [*column[::2], column[-1]]
        self.looks += 1
        for column in self._lists:
            column.append(None)
        self.steps[-1] = step

    def layer(self, key: Any) -> LayerHistory:
        """Return the history of a layer, a new one where it was not met before."""
        if key not in self.layers:
            self.layers[key] = LayerHistory(key, len(self.steps))
        return self.layers[key]

    def let_go(self) -> None:
        """Let the learner's variables and arrays go: what is left are figures and places."""
        self.first_gradients, self.explained, self.known = None, None, None
        self.program.strangers, self.program.left = None, {}
        for weight in self.weights.values():
            del weight.variable, weight.start, weight.latest
