"""What may have gone wrong in a wrong number, read off the number itself.

A declared wrong answer is better: it is run on the same inputs, and who computes what it computes
has its idea. Here are the misconceptions that leave a mark in any exercise: a wrong sign, a
constant factor, a shape that was not summed again, a transposed array, two answers in each other's
place, nothing at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .answers import alike, close


def idea_of_shape(given: np.ndarray, wanted: np.ndarray) -> str | None:
    """Return the idea behind an answer of another shape."""
    if given.shape == wanted.shape:
        return None
    if given.ndim == 2 and given.shape == wanted.shape[::-1] and alike(given.T, wanted):
        return "transpose"
    if given.size > wanted.size and stretches(wanted.shape, given.shape):
        return "unsummed"
    return "shape"


def stretches(shape: tuple[int, ...], larger: tuple[int, ...]) -> bool:
    """Say whether broadcasting makes an array of the larger shape out of one of this shape."""
    return len(shape) <= len(larger) and all(a in (1, b) for a, b in zip(shape[::-1], larger[::-1]))


def idea_of_numbers(
    given: Sequence[np.ndarray], wanted: Sequence[np.ndarray], others: Sequence[np.ndarray]
) -> str:
    """Return the idea behind wrong numbers. `given`, `wanted`: what came and what should have come,
    for each input that was tried; `others`: what the other parts of the answer should be, for the
    first of them.
    """

    def all_close(change: float) -> bool:
        return all(alike(g, change * w) for g, w in zip(given, wanted))

    if any(not np.isfinite(g).all() for g in given):
        return "not-finite"
    if all_close(0.0):
        return "zero"
    if all_close(-1.0):
        return "sign"
    if any(
        o.shape == given[0].shape and alike(given[0], o) and not close(o, wanted[0]) for o in others
    ):
        return "swapped"
    if given[0].ndim == 2 and all(
        g.shape == g.T.shape and alike(g.T, w) for g, w in zip(given, wanted)
    ):
        return "transpose"
    if all_close(0.5):
        return "half"
    flat = [
        (float(g.ravel()[k]), float(w.ravel()[k]))
        for g, w in zip(given, wanted)
        for k in range(g.size)
        if abs(w.ravel()[k]) > 1e-6
    ]
    if flat and all_close(flat[0][0] / flat[0][1]):
        return "factor"
    return "number"


def relation(
    given: Sequence[np.ndarray],
    wanted: Sequence[np.ndarray],
    rounds: Sequence[Mapping[str, Any]],
) -> tuple[str, str] | None:
    """Return what wrong numbers have to do with the right ones, or with the inputs, on all inputs
    that were tried: (idea, what it is about).
    """

    def always(right: Sequence[Any]) -> bool:
        pairs = [(g, np.asarray(r, np.float64)) for g, r in zip(given, right)]
        return all(alike(g, r) for g, r in pairs)

    kept = len(given) > 1 and always([given[0]] * len(given))
    if kept and given[0].shape == wanted[0].shape and not close(wanted[0], wanted[1]):
        return "slip.constant", ""
    for name in rounds[0]:
        values = [inputs[name] for inputs in rounds]
        if not all(isinstance(v, (int, float, np.ndarray)) for v in values):
            continue
        if always(values):
            return "slip.name", name
        if any(np.shape(v) not in ((), w.shape) or not np.all(v) for v, w in zip(values, wanted)):
            continue
        if always([w / v for w, v in zip(wanted, values)]):
            return "slip.no-factor", name
        if always([w * v for w, v in zip(wanted, values)]):
            return "slip.factor-twice", name
    return _of_places(given, wanted, always)


def _of_places(
    given: Sequence[np.ndarray],
    wanted: Sequence[np.ndarray],
    always: Callable[[Sequence[Any]], bool],
) -> tuple[str, str] | None:
    """Return what wrong numbers have to do with the right ones, place by place."""
    if any(g.size == 1 < w.size for g, w in zip(given, wanted)):
        shapes = [g.shape for g in given]
        candidates = [
            (idea, [np.full(shape, one(w)) for shape, w in zip(shapes, wanted)])
            for idea, one in ONE_OF_MANY.items()
        ]
        return next(((idea, "") for idea, made in candidates if always(made)), None)
    if any(g.shape != w.shape for g, w in zip(given, wanted)) or not wanted[0].size:
        return None
    for idea, changed in CHANGED.items():
        if always([changed(w) for w in wanted]):
            return idea, ""
    sizes, flat = [w.size for w in wanted], wanted[0].ravel()
    off = float(given[0].ravel()[0] - flat[0])
    candidates = [
        ("slip.not-shared", [w * n for w, n in zip(wanted, sizes)]),
        ("slip.shared", [w / n for w, n in zip(wanted, sizes)]),
        ("slip.reciprocal", [1 / w if w.all() else w for w in wanted]),
        ("slip.reversed", [w[::-1] if w.ndim else w for w in wanted]),
        ("slip.offset", [w + off for w in wanted]),
    ]
    if len(set(sizes)) == 1:  # a factor that is the same everywhere may be any
        candidates = candidates[2:]
    for idea, made in candidates:
        if always(made):
            return idea, ""
    pairs = list(zip(given, wanted))
    if max(sizes) > 1 and all(alike(np.sort(g, None), np.sort(w, None)) for g, w in pairs):
        return "slip.shuffled", ""
    for idea, part in (("slip.first-place", slice(1, None)), ("slip.last-place", slice(-1))):
        if all(w.ndim == 1 and w.size > 2 and alike(g[part], w[part]) for g, w in pairs):
            return idea, ""
    return None


CHANGED: dict[str, Callable[[np.ndarray], Any]] = {  # each number of the right answer
    "slip.no-sign": np.abs,
    "slip.never-below": lambda wanted: np.maximum(wanted, 0),
    "slip.never-above": lambda wanted: np.minimum(wanted, 0),
    "slip.rounded": np.round,
    "slip.rounded-down": np.floor,
    "slip.rounded-to-0": np.trunc,
    "slip.itself-squared": np.square,
}
ONE_OF_MANY: dict[str, Callable[[np.ndarray], Any]] = {
    "slip.summed": np.sum,
    "slip.averaged": np.mean,
    "slip.only-first": lambda wanted: np.ravel(wanted)[0],
    "slip.only-last": lambda wanted: np.ravel(wanted)[-1],
}
