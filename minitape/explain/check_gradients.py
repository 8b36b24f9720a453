"""Compare the gradients of a tape with finite differences.

    minitape.check_gradients(f, x, w)

The slope of `f` along a direction is `(f(x + h) - f(x - h)) / 2h`, up to an error that shrinks with
h squared. The tape's answer must agree. What `f` returns is summed with fixed random weights, so
that no error can hide in a sum that cancels; where an argument has many elements, random directions
are tried instead of one element after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.engine.base.errors import OpError
from minitape.engine.base.nest import flatten
from minitape.engine.base.parameters import signature
from minitape.engine.base.tensor import Tensor
from minitape.engine.convert import convert_to_tensor
from minitape.engine.explainer import unwarned
from minitape.engine.gradient_tape import GradientTape
from minitape.engine.variable import Variable

if TYPE_CHECKING:
    from minitape.typing import TensorLike

    from .case.aliases import Array

EACH = 60  # elements that are tried one by one; more are tried along random directions
DIRECTIONS = 20


class GradientCheck:
    """The report of a check that went well: `worst`, the largest relative difference; `arguments`,
    the names that were checked.
    """

    def __init__(self, arguments: list[str], worst: float, dtype: str) -> None:
        self.arguments, self.worst, self.dtype = arguments, worst, dtype

    def __repr__(self) -> str:
        return (
            f"The tape agrees with finite differences for {', '.join(self.arguments)} "
            f"(largest difference {self.worst:.1g}, in {self.dtype})."
        )


def check_gradients(
    f: Callable[..., Any],
    *args: TensorLike,
    epsilon: float | None = None,
    tolerance: float | None = None,
) -> GradientCheck:
    """Compare the tape's gradient of `f` with finite differences, argument by argument.

    `f`: a function of tensors that returns tensors; `args`: tensors, variables, arrays or numbers
    (integers are passed on as they are). `epsilon`: the step h, relative to each number's size;
    `tolerance`: the largest relative difference allowed. Computes in float64 where `f` allows it.
    Returns a `GradientCheck`. Raises AssertionError that names the argument and the element that
    disagree, ValueError where there is nothing to check, a number is not finite, or `f` gives
    another result each time.
    """
    names = _names(f, len(args))
    values = [
        np.asarray(
            a._tensor.value
            if isinstance(a, Variable)
            else a.value
            if isinstance(a, Tensor)
            else convert_to_tensor(a).value
        )
        for a in args
    ]
    checked = [k for k, v in enumerate(values) if v.dtype.kind == "f"]
    if not checked:
        raise ValueError(
            "check_gradients needs at least one floating-point argument: write 2.0 instead of 2."
        )
    for name, value in zip(names, values):
        if value.dtype.kind == "f" and not np.all(np.isfinite(value)):
            raise ValueError(
                f"check_gradients needs finite numbers, to take small steps from: {name} is not."
            )
    for dtype in ("float64", None):
        cast = [v.astype(dtype) if k in checked and dtype else v for k, v in enumerate(values)]
        try:
            base = _call(f, args, cast)
            break
        except (OpError, TypeError, ValueError):
            if dtype is None:
                raise
    weights = _weights(base)
    size = cast[checked[0]].dtype
    step = epsilon or {8: 1e-5, 4: 5e-3}.get(size.itemsize, 3e-2)
    limit = tolerance or {8: 1e-5, 4: 3e-2}.get(size.itemsize, 0.2)
    again = _call(f, args, cast)
    if any(not np.array_equal(a, b, equal_nan=True) for a, b in zip(base, again)):
        raise ValueError(
            "The function gives another result each time (random numbers, or state that it "
            "changes), so a finite difference "
            "would compare two different functions. Fix the seed inside of the function, or "
            "leave the state alone."
        )
    slopes, explanations = _by_tape(f, args, cast, checked, weights)
    compared = _Compared(f, args, cast, weights, step, limit)
    worst = 0.0
    for k in checked:
        worst = max(worst, compared.argument(k, names[k], slopes[k], explanations.get(k)))
    return GradientCheck([names[k] for k in checked], worst, size.name)


def _names(f: Callable[..., Any], count: int) -> list[str]:
    try:
        parameters = list(signature(f).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    places = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return places[:count] + [f"argument {k + 1}" for k in range(len(places), count)]


def _arguments(args: Sequence[Any], values: list[Array]) -> list[Tensor | Variable]:
    """Return what `f` gets: variables for variables, tensors for everything else."""
    return [
        Variable(v, trainable=True) if isinstance(a, Variable) else Tensor(v if v.ndim else v[()])
        for a, v in zip(args, values)
    ]


def _call(f: Callable[..., Any], args: Sequence[Any], values: list[Array]) -> list[Array]:
    """Return the floating results of `f` as arrays of float64."""
    results = [
        np.asarray(convert_to_tensor(r).value) for r in flatten(f(*_arguments(args, values)))
    ]
    results = [r.astype(np.float64) for r in results if r.dtype.kind == "f"]
    if not results:
        raise ValueError(
            "The function returns no floating-point tensor, so there is no gradient to check."
        )
    return results


def _weights(base: list[Array]) -> list[Array]:
    numbers = np.random.default_rng(7)
    return [
        np.ones(r.shape)
        if r.size == 1
        else numbers.uniform(0.5, 1.5, r.shape) * numbers.choice([-1, 1], r.shape)
        for r in base
    ]


def _by_tape(
    f: Callable[..., Any],
    args: Sequence[Any],
    values: list[Array],
    checked: Sequence[int],
    weights: list[Array],
) -> tuple[dict[int, Array], dict[int, Any]]:
    """Return the tape's gradients as arrays (zeros for None), and the reasons of those that are
    None.
    """
    given = _arguments(args, values)
    sources = [given[k] for k in checked]
    with unwarned():
        with GradientTape() as tape:
            tape.watch(sources)
            results = [r for r in map(convert_to_tensor, flatten(f(*given))) if r.dtype.is_floating]
        seeds = [Tensor(np.asarray(w, r.value.dtype)[()]) for w, r in zip(weights, results)]
        gradients = dict(zip(checked, tape.gradient(results, sources, output_gradients=seeds)))
        missing = [k for k, g in gradients.items() if g is None]
        explanations = {k: tape.explain(results[0], given[k]) for k in missing}
    return {
        k: np.zeros(values[k].shape) if g is None else np.asarray(g.value, np.float64)
        for k, g in gradients.items()
    }, explanations


@dataclass(frozen=True)
class _Compared:
    """What is compared: `f` at these values, its results summed with `weights`."""

    f: Callable[..., Any]
    args: Sequence[Any]
    values: list[Array]
    weights: list[Array]
    step: float
    limit: float

    def argument(self, k: int, name: str, slope: Array, why: Any) -> float:
        """Compare one argument; return the largest relative difference. Raises AssertionError."""
        worst = 0.0
        for direction, where in _directions(self.values[k]):
            exact = float(np.sum(slope * direction))
            most = float(np.abs(self.values[k][direction != 0]).max(initial=0.0))
            scale = self.step * max(1.0, most)
            forward, here, backward = (self.at(k, t * direction) for t in (scale, 0.0, -scale))
            numeric = (forward - backward) / (2 * scale)
            least = (1e-3 if self.step > 1e-4 else 1e-6) * max(1.0, abs(here))
            size = max(abs(numeric), abs(exact), least)
            difference = abs(numeric - exact) / size
            if not difference <= self.limit:
                place = f"{name} (along a random direction)" if where is None else f"{name}{where}"
                sides = (here - backward) / scale, (forward - here) / scale
                kink = abs(sides[1] - sides[0]) > 10 * self.limit * size
                told = self.disagreement(place, exact, numeric, why, sides if kink else ())
                raise AssertionError(told)
            worst = max(worst, difference)
        return worst

    def at(self, k: int, change: Array) -> float:
        """Return the weighted sum of the results where argument `k` is changed."""
        moved = [
            np.asarray(v + change.astype(v.dtype)) if i == k else v
            for i, v in enumerate(self.values)
        ]
        results = _call(self.f, self.args, moved)
        return sum(float(np.sum(w * r)) for w, r in zip(self.weights, results))

    def disagreement(
        self, place: str, exact: float, numeric: float, why: Any, kink: tuple[float, ...]
    ) -> str:
        """Return the sentence for a place where the tape and the differences disagree; `kink`: the
        slopes to its left and right, where they differ.
        """
        text = (
            f"The gradient of {getattr(self.f, '__name__', 'the function')} with respect to "
            f"{place} disagrees: the tape says {'None' if why is not None else f'{exact:.6g}'}, "
            f"finite differences say {numeric:.6g}."
        )
        if why is not None:
            return f"{text} {why.title}{f' ({why.place})' if why.place else ''}: {why.message}"
        if not np.isfinite(exact):
            return f"{text} Ask tape.explain(...) for the first operation that is not finite."
        if kink:
            text += (
                f" The function has a kink there (slope {kink[0]:.4g} on one side, "
                f"{kink[1]:.4g} on the other): "
                "move the number away from the kink and check again."
            )
        return text


def _directions(value: Array) -> Iterator[tuple[Array, str | None]]:
    if value.size <= EACH:
        for place in np.ndindex(value.shape):
            direction = np.zeros(value.shape)
            direction[place] = 1.0
            yield direction, str(list(place)) if place else ""
        return
    numbers = np.random.default_rng(11)
    for _ in range(DIRECTIONS):
        yield numbers.normal(size=value.shape), None
