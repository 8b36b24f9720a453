"""A rule to write: what a card sends to its inputs, tried against finite differences.

The rule gets `(g, y, *inputs)`: the adjoint of the output, the output, the inputs. It returns one
part per input. `f` is the operation, in the program before the rule. With a random `g` the slope of
`sum(g * f(inputs))` along each element of each input must be that element of the part. The author's
own solution is not believed either: `python -m minitape.exercises check` tries it the same way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..sentences import Word, in_html
from .answers import alike, array_of, close, inputs_text, number_text, place_text, worst
from .draw import array_of_shape, draw
from .function import Function
from .outcome import SENTENCES, NotYet, Prose
from .program import run
from .slipped import Tried

STEP = 1e-5
MOST = 24  # squares of one array, which are read at a glance
SQUARE = "border:1px solid #8886;padding:.1em .5em;text-align:right"
WRONG = "border:2px solid #b3261e;padding:.1em .5em;text-align:right;font-weight:bold"
# of NumPy's texts: shapes that do not fit
UNFIT = "could not be broadcast", "mismatch in its core dimension", "not aligned"


@dataclass(frozen=True, kw_only=True, eq=False)
class Rule(Function):
    """A rule to write. `operation`: a program that defines f, whose inputs are drawn;
    `takes_output`: the rule gets y as well.
    """

    operation: str
    takes_output: bool = True

    @cached_property
    def f(self) -> Any:
        """The operation, as a function from arrays to an array of float64."""
        operation = run(self.operation)["f"]
        return lambda *inputs: array_of(operation(*inputs), "f")

    @property
    def outputs(self) -> tuple[str, ...]:
        """A part for each input."""
        return tuple(Word(SENTENCES.say("part-for", {"name": name})) for name in self.inputs)

    def drawn(self, numbers: np.random.Generator, turn: int | None = None) -> dict[str, Any]:
        """Return values for the inputs of f, and a g of the shape of its output."""
        inputs = draw(self.inputs, numbers, turn)
        y = self.f(*inputs.values())
        return {
            "g": array_of_shape(y.shape, numbers),
            **({"y": y if y.ndim else float(y)} if self.takes_output else {}),
            **inputs,
        }

    def wanted(self, inputs: Mapping[str, Any]) -> list[np.ndarray]:
        """Return the slope of sum(g * f) along each element of each input, by finite differences."""
        values = {name: np.asarray(inputs[name], np.float64) for name in self.inputs}
        result = []
        for name, value in values.items():
            slope = np.zeros(value.shape)
            for place in np.ndindex(value.shape):
                ends = []
                for step in (STEP, -STEP):
                    moved = value.copy()
                    moved[place] += step
                    ends.append(
                        float(np.sum(inputs["g"] * self.f(*{**values, name: moved}.values())))
                    )
                slope[place] = (ends[0] - ends[1]) / (2 * STEP)
            result.append(slope)
        return result

    def reword(self, error: Exception, inputs: Mapping[str, Any]) -> None:
        """Shapes that do not fit are named, instead of what NumPy calls them."""
        if isinstance(error, ValueError) and any(sign in str(error) for sign in UNFIT):
            shapes = ", ".join(
                f"{name} {np.shape(value)}" for name, value in inputs.items() if np.ndim(value)
            )
            parts = ", ".join(
                f"{part} {np.shape(inputs[name])}" for part, name in zip(self.outputs, self.inputs)
            )
            error.args = (Prose(SENTENCES.say("unfit", {"shapes": shapes, "parts": parts})),)

    def special(self, tried: Tried) -> str | None:
        """Return "upstream" for a part that is the slope of f itself: the adjoint that arrives was
        forgotten.
        """
        alone = [
            self.wanted({**inputs, "g": np.ones(np.shape(inputs["g"]))})[tried.k]
            for inputs in tried.rounds
        ]
        same = all(map(alike, tried.came, alone)) and not all(map(close, alone, tried.right))
        return "upstream" if same else None

    def refuse(
        self,
        k: int,
        came: Sequence[np.ndarray],
        wanted: Sequence[Sequence[np.ndarray]],
        rounds: Sequence[Mapping[str, Any]],
        wrong: Sequence[bool],
    ) -> None:
        """Raise `NotYet` for part `k`, with the counterexample drawn."""
        try:
            super().refuse(k, came, wanted, rounds, wrong)
        except NotYet as error:
            yours, right = came[error.round], wanted[error.round][k]
            arrays = {f"`{name}`": np.asarray(value) for name, value in rounds[error.round].items()}
            rule, measured = SENTENCES.say("drawn.yours"), SENTENCES.say("drawn.measured")
            off = (
                {rule: ~np.isclose(yours, right, 1e-3, 1e-3)} if yours.shape == right.shape else {}
            )
            error.drawing = squares({**arrays, rule: yours, measured: right}, off)
            raise

    def counterexample(
        self, what: str, came: np.ndarray, right: np.ndarray, inputs: Mapping[str, Any]
    ) -> str:
        """Return the sentence that shows the input at which a rule is wrong, in which direction,
        and by how much.
        """
        place = worst(came, right)
        name = list(self.inputs)[self.outputs.index(what)]
        return SENTENCES.say(
            "direction",
            {
                "inputs": inputs_text(inputs),
                "element": place_text(name, place),
                "given": number_text(float(came[place])),
                "wanted": number_text(float(right[place])),
            },
        )


def squares(arrays: Mapping[str, np.ndarray], wrong: Mapping[str, np.ndarray]) -> str:
    """Return HTML with a row for each array, its name before it; "" where one has too many numbers
    or axes. `wrong`: which numbers of an array are wrong.
    """
    if any(array.ndim > 2 or array.size > MOST for array in arrays.values()):
        return ""
    rows = (
        f'<tr><th scope="row" style="text-align:right">{in_html(name)}</th>'
        f'<td style="text-align:left">{_grid(array, wrong.get(name))}</td></tr>'
        for name, array in arrays.items()
    )
    return f'<table style="margin:.4em 0">{"".join(rows)}</table>'


def _grid(array: np.ndarray, wrong: np.ndarray | None) -> str:
    table = np.atleast_2d(array)
    ringed = np.zeros(table.shape, bool) if wrong is None else np.atleast_2d(wrong)
    cells = (
        f'<span style="{WRONG if ring else SQUARE}">{number_text(float(number))}</span>'
        for number, ring in zip(table.ravel(), ringed.ravel())
    )
    columns = f"grid-template-columns:repeat({table.shape[1]},auto)"
    return f'<span style="display:inline-grid;gap:2px;{columns}">{"".join(cells)}</span>'
