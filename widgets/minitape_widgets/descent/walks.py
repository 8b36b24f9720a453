"""Walks down a loss: at every step a tape records the loss, is played backwards, and the variables
go against the slope.

    with tf.GradientTape() as tape:
        y = loss(w)
    slope = tape.gradient(y, w)
    w.assign_sub(rate * slope)

A walk may fly away. It ends where a number is no longer finite, or where the loss raises; all that
came before stays.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

import minitape as tf
from minitape.storyboard import Film

Point = tuple[float, ...]  # where the variables are, the loss there, and its slopes


class Walk(NamedTuple):
    """`points`, one more than steps were taken, and why there are no more of them: "", "nan",
    "inf", or the name of an error.
    """

    points: list[Point]
    end: str


def names_of(loss: Any, count: int) -> list[str]:
    """Returns what a loss calls its variables. Raises TypeError for a loss that does not take so
    many.
    """
    if not callable(loss):
        raise TypeError(
            "valley shows a function: valley(lambda w: (w - 1.0)**2, start=3.0), not "
            f"{type(loss).__name__}."
        )
    try:
        takes = inspect.signature(loss)
    # a function that does not say what it takes, or annotations that name what is not there
    except Exception:
        return ["u", "v"] if count > 1 else ["w"]
    try:
        return (
            list(takes.bind(*range(count)).arguments)[:count]
            if not _gathers(takes)
            else ["w1", "w2"][:count]
        )
    except TypeError as error:
        many = "one number" if count == 1 else f"{count} numbers"
        raise TypeError(
            f"valley: the start is {many}, so the loss is called with {many}, and it says: {error}."
        ) from None


def _gathers(takes: inspect.Signature) -> bool:
    return any(one.kind is one.VAR_POSITIONAL for one in takes.parameters.values())


def walk(
    loss: Callable[..., Any],
    start: Sequence[float],
    names: Sequence[str],
    rate: float,
    steps: int,
    film: Film | None = None,
) -> Walk:
    """Walks from the start; returns the `Walk`. A film sees the steps, but not the last look
    around. Raises what the loss raises at the start, and TypeError or ValueError where it cannot be
    walked on at all.
    """
    variables = [tf.Variable(value, name=name) for name, value in zip(names, start)]
    points: list[Point] = []
    for step in range(steps + 1):
        try:
            with film if film and step < steps else contextlib.nullcontext():
                with tf.GradientTape() as tape:
                    y = loss(*variables)
                result = number_of(y)
                slopes = tape.gradient(y, variables)
        except Exception as error:  # far away a loss may raise: then the walk is over
            if step == 0:
                raise
            return Walk(points, type(error).__name__)
        if any(slope is None for slope in slopes):
            name = names[slopes.index(None)]
            if step == 0:
                raise ValueError(
                    f"valley: the gradient of the loss with respect to {name!r} is None, so no "
                    "step can be taken. Is the "
                    f"loss made of {name} with operations of minitape? tape.explain(loss, "
                    f"{name}) says where the way ends."
                )
            return Walk(points, "None")
        point = (
            *(float(variable.numpy()) for variable in variables),
            result,
            *(float(slope.numpy()) for slope in slopes),
        )
        if not all(map(math.isfinite, point)):
            bad = next(number for number in point if not math.isfinite(number))
            if step == 0:
                raise ValueError(
                    f"valley: at the start the loss and its slopes are {point[len(start) :]}. "
                    "Begin where they are finite."
                )
            return Walk(points, "nan" if bad != bad else "inf")
        points.append(point)
        for variable, slope in zip(variables, slopes):
            variable.assign_sub(rate * slope)
    return Walk(points, "")


def number_of(y: Any) -> float:
    """Returns a loss as a number. Raises TypeError for what is none."""
    if y is None:
        raise TypeError("valley: the loss returns None. Does it end with `return`?")
    if not isinstance(y, tf.Tensor | tf.Variable):
        raise TypeError(
            f"valley: the loss returns {type(y).__name__}, which no tape has seen. Compute it "
            "with operations of minitape."
        )
    if y.shape.rank or np.asarray(y).dtype.kind not in "f":
        shape = (
            f"an array of shape {tuple(y.shape)}" if y.shape.rank else f"a number of {y.dtype.name}"
        )
        raise TypeError(
            f"valley: the loss returns {shape}; a valley needs one floating-point number, as "
            "tf.reduce_mean(...) gives."
        )
    return float(y.numpy())


def heights(
    loss: Callable[..., Any], names: Sequence[str], places: Sequence[Sequence[float]]
) -> np.ndarray:
    """Returns the loss at many places, NaN where it is no finite number or raises."""
    variables = [tf.Variable(0.0, name=name) for name in names]
    result = np.full(len(places), np.nan)
    for k, place in enumerate(places):
        for variable, value in zip(variables, place):
            variable.assign(value)
        with contextlib.suppress(Exception):
            result[k] = number_of(loss(*variables))
    return np.where(np.isfinite(result), result, np.nan)


@contextlib.contextmanager
def silently() -> Iterator[None]:
    """Lets a loss say in the block what it likes: a thousand calls would print a thousand times."""
    with (
        contextlib.redirect_stdout(io.StringIO()),
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
    ):
        warnings.simplefilter("ignore")
        yield
