"""Steps that are one loop together, in a compiled program and on the way back over a tape.

A layer normalisation is recorded as small steps: normalise, times gamma, plus beta. On the way back
they make five steps, each through the whole array. In a program that is compiled as a whole, these
steps are found again by how they hang together, and one kernel does them while a row lies in the
cache: three steps forward, five back. The way back normalises a row once more, which costs less
than fetching what the way forward has kept. The recorded tape keeps its small steps: only a play
that nobody looks at joins them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..engine.base.aliases import Array, Entry, Ints, Number, Numbers, Program, RawEntry
from ..engine.ops.further import normalisation as plain
from ..engine.ops.record import Op
from . import approximations as a
from .normalisation import deviation_columns, flattened, grad_columns
from .table import SINGLE, contiguous, fits, summing

Shapes = Mapping[Any, tuple[int, ...]]

ZERO, ONE = a.ZERO, a.ONE
SMALL = 512


@summing
def scaled_rows(x: Array, gamma: Array, beta: Array, epsilon: float) -> Array:
    out, n = np.empty_like(x), np.float32(x.shape[1])
    for r in range(x.shape[0]):
        total, squares = ZERO, ZERO
        for j in range(x.shape[1]):
            total += x[r, j]
        mean = total / n
        for j in range(x.shape[1]):
            d = x[r, j] - mean
            squares += d * d
        scale = ONE / np.float32(math.sqrt(squares / n + epsilon))
        for j in range(x.shape[1]):
            out[r, j] = (x[r, j] - mean) * scale * gamma[j] + beta[j]
    return out


@summing
def scaled_grad_rows(
    g: Array, x: Array, gamma: Array, epsilon: float
) -> tuple[Array, Array, Array]:
    out, n = np.empty_like(x), np.float32(x.shape[1])
    to_gamma, to_beta = np.zeros_like(gamma), np.zeros_like(gamma)
    for r in range(x.shape[0]):
        total, gs, gds, squares = ZERO, ZERO, ZERO, ZERO
        for j in range(x.shape[1]):
            total += x[r, j]
        mean = total / n
        for j in range(x.shape[1]):
            d = x[r, j] - mean
            p = g[r, j] * gamma[j]
            squares += d * d
            gs += p
            gds += p * d
        scale = ONE / np.float32(math.sqrt(squares / n + epsilon))
        gs, gys = gs / n, gds * scale / n
        for j in range(x.shape[1]):
            p, y = g[r, j], (x[r, j] - mean) * scale
            out[r, j] = (p * gamma[j] - gs - y * gys) * scale
            to_gamma[j] += p * y
            to_beta[j] += p
    return out, to_gamma, to_beta


def scaled(x: Array, gamma: Array, beta: Array, epsilon: float) -> Array:
    """Return y * gamma + beta, where y is x normalised along its last axis."""
    if not all(fits(v, 1) for v in (x, gamma, beta)) or x.size < SMALL:
        return plain.normalize_kernel(x, axis=(-1,), epsilon=epsilon) * gamma + beta
    return scaled_rows(x.reshape(-1, gamma.size), gamma, beta, np.float32(epsilon)).reshape(x.shape)


def scaled_grad(g: Array, x: Array, gamma: Array, epsilon: float) -> tuple[Array, Array, Array]:
    """Return the adjoints of x, gamma and beta for y * gamma + beta, where y is the normalised x."""
    g = contiguous(g, x)
    if not all(fits(v, 1) for v in (g, x, gamma)) or x.size < SMALL:
        y = plain.normalize_kernel(x, axis=(-1,), epsilon=epsilon)
        return three(g, x, y, gamma, (-1,), epsilon)
    rows = (-1, gamma.size)
    out, *sums = scaled_grad_rows(g.reshape(rows), x.reshape(rows), gamma, np.float32(epsilon))
    return out.reshape(x.shape), *sums


def three(
    g: Array, x: Array, y: Array, gamma: Array, axis: Ints, epsilon: float
) -> tuple[Array, Array, Array]:
    """Return what `scaled_grad` does, one after the other; y is x normalised along these axes."""
    axes = tuple(range(g.ndim - 1))
    to_x = plain.normalize_grad_kernel(g * gamma, x, y, axis=axis, epsilon=epsilon)
    return to_x, (g * y).sum(axes), g.sum(axes)


def on_the_way_back(
    g: Array, y: Array, x: Array, gamma: Array, beta: Array, axis: Ints, epsilon: float
) -> tuple[Array, Array, Array]:
    """Return the same for the entry that `on_tape` makes; y is x normalised along these axes."""
    if axis == (-1,):
        return scaled_grad(g, x, gamma, epsilon)
    g = contiguous(g, x)
    if not (fits(g, SMALL) and fits(y, SMALL)):
        return three(g, x, y, gamma, axis, epsilon)
    out, flat, n = np.empty_like(x), (-1, gamma.size), x.size // gamma.size
    mean, scale, gs, gys = np.empty((4, gamma.size))
    deviation_columns(x.reshape(flat), float(np.float32(epsilon)), mean, scale)
    scale *= gamma
    grad_columns(g.reshape(flat), y.reshape(flat), scale, gs, gys, out.reshape(flat))
    return out, (gys * n).astype(SINGLE), (gs * n).astype(SINGLE)


Op("NormalizeScale", scaled, joint=on_the_way_back)
Op("NormalizeScaleGrad", scaled_grad)


def users_of(entries: Sequence[Sequence[Any]]) -> dict[Any, list[int]]:
    """Return {number: places of the entries that read it}."""
    users: dict[Any, list[int]] = {}
    for k, e in enumerate(entries):
        for n in e[1]:
            users.setdefault(n, []).append(k)
    return users


def with_vector(shapes: Shapes, entry: Sequence[Any], name: str, y: Any) -> Any:
    """Return (the vector, the result) where the entry combines y with a vector along its last axis."""
    kind, inputs, outputs, *_ = entry
    if kind != name or len(inputs) != 2 or inputs[0] == inputs[1]:
        return None
    vector, result = inputs[1] if inputs[0] == y else inputs[0], outputs[0]
    shape = shapes[y]
    fit = shapes[vector] == shape[-1:] and shapes[result] == shape
    return (vector, result) if fit and len(shape) > 1 else None


def scalings(
    shapes: Shapes, entries: Sequence[Sequence[Any]], held: Collection[Any]
) -> Iterator[tuple[int, int, int, Numbers]]:
    """Yield the places of normalise, times gamma, plus beta, and the numbers of x, gamma and beta,
    where nothing else uses their middle and nobody holds it.
    """
    users = users_of(entries)
    for k, (name, inputs, outputs, *_) in enumerate(entries):
        y = outputs[0] if name == "Normalize" else None
        result: list[Any] = []
        for step in ("Mul", "Add"):
            if y is None or y in held or len(users.get(y, ())) != 1:
                y = None
                break
            place = users[y][0]
            vector, y = with_vector(shapes, entries[place], step, y) or (None, None)
            result += place, vector
        if y is not None:
            times, gamma, plus, beta = result
            yield k, times, plus, (inputs[0], gamma, beta)


def forwards(program: Program, entries: Sequence[Entry], results: Sequence[Any]) -> list[Entry]:
    """Return the entries with normalise, times gamma, plus beta in one."""
    gone, new, shapes = set(), {}, {n: known[1] for n, known in program.known.items()}
    for k, times, plus, numbers in scalings(shapes, entries, results):
        how, (_, _, outputs, _, where) = entries[k][3], entries[plus]
        if how["axis"] == (-1,):
            gone |= {k, times}
            new[plus] = ("NormalizeScale", numbers, outputs, {"epsilon": how["epsilon"]}, where)
    return [new.get(k, e) for k, e in enumerate(entries) if k not in gone]


def on_tape(entries: list[RawEntry], held: Collection[Number]) -> list[RawEntry]:
    """Return a tape's entries with normalise, times gamma, plus beta in one, for a way back that
    nobody looks at.
    """
    if not any([e[0] == "Normalize" for e in entries]):
        return entries
    steps: list[Any] = [(e[0], e[1], e[2] if type(e[2]) is tuple else (e[2],)) for e in entries]
    shapes = {n: v.shape for e in entries for n, v in zip(e[1], e[6])}
    shapes.update((s[2][0], e[7].shape) for e, s in zip(entries, steps) if type(e[7]) is not tuple)
    gone, new = set(), {}
    for k, times, plus, numbers in scalings(shapes, steps, held):
        _, _, _, how, _, _, (x,), y = entries[k]
        _, _, output, _, code, offset, *_ = entries[plus]
        gamma, beta = (
            entries[m][6][entries[m][1].index(n)] for m, n in zip((times, plus), numbers[1:])
        )
        axis = how["axis"] if how else ()
        by_columns = flattened(x, axis)[1] == "columns"
        if fits(x, SMALL) and fits(gamma, 1) and (axis == (-1,) or by_columns):
            gone |= {k, times}
            new[plus] = ("NormalizeScale", numbers, output, how, code, offset, (x, gamma, beta), y)
    return [new.get(k, e) for k, e in enumerate(entries) if k not in gone]


def backwards(program: Program, entries: Sequence[Entry], results: Sequence[Any]) -> list[Entry]:
    """Return the entries with the five steps behind a scaled normalisation in one, where nothing
    else uses their middle.
    """
    maker = {n: k for k, e in enumerate(entries) for n in e[2]}
    users, gone, new, returned = users_of(entries), set(), {}, set(results)

    def alone(n: Number) -> bool:
        return len(users.get(n, ())) == 1 and n not in returned

    def sum_over_rows(n: Number) -> int | None:
        """Return the entry that sums n over all axes but the last, or None."""
        rank = len(program.known[n][1])
        for k in users.get(n, ()):
            name, _, _, how, _ = entries[k]
            if name == "Sum" and not how["keepdims"] and how["axis"] is not None:
                axis = how["axis"] if isinstance(how["axis"], tuple) else (how["axis"],)
                if sorted(x % rank for x in axis) == list(range(rank - 1)):
                    return k
        return None

    for k, (name, inputs, outputs, how, where) in enumerate(entries):
        if (
            name != "NormalizeGrad"
            or how["axis"] != (-1,)
            or not alone(inputs[0])
            or inputs[0] not in maker
        ):
            continue
        scaled, x, y = inputs
        product = entries[maker[scaled]]
        if product[0] != "Mul":
            continue
        g, gamma = (
            product[1]
            if program.known[product[1][0]][1] == program.known[scaled][1]
            else product[1][::-1]
        )
        if (
            program.known[g][1] != program.known[x][1]
            or program.known[gamma][1] != program.known[x][1][-1:]
        ):
            continue
        along = next(
            (
                m
                for m in users.get(g, ())
                if entries[m][0] == "Mul"
                and set(entries[m][1]) == {g, y}
                and alone(entries[m][2][0])
            ),
            None,
        )
        to_gamma, to_beta = (
            None if along is None else sum_over_rows(entries[along][2][0]),
            sum_over_rows(g),
        )
        if to_gamma is None or to_beta is None:
            continue
        made = (outputs[0], entries[to_gamma][2][0], entries[to_beta][2][0])
        if any(m < k for n in made for m in users.get(n, ())):
            continue
        gone |= {maker[scaled], along, to_gamma, to_beta}
        new[k] = ("NormalizeScaleGrad", (g, x, gamma), made, {"epsilon": how["epsilon"]}, where)
        program.several.update(made)
    return [new.get(k, e) for k, e in enumerate(entries) if k not in gone]
