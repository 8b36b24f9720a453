"""Steps of a compiled program that are one loop together.

A layer normalisation is recorded as small steps: normalise, times gamma, plus beta. On the way back
they make five steps, each through the whole array. In a program that is compiled as a whole, these
steps are found again by how they hang together, and one kernel does them while a row lies in the
cache: three steps forward, five back. The way back normalises a row once more, which costs less
than fetching what the way forward has kept. The recorded tape keeps its small steps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.ops.further import normalisation as plain
from ..engine.ops.record import Op
from . import approximations as a
from .table import SINGLE, contiguous, fits, summing

if TYPE_CHECKING:
    from ..engine.base.aliases import Array, Entry, Number, Program

ZERO, ONE = a.ZERO, a.ONE
SMALL = 512


@summing
def scaled_rows(x: Array, gamma: Array, beta: Array, epsilon: float, out: Array) -> None:
    n = np.float32(x.shape[1])
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


@summing
def scaled_grad_rows(
    g: Array, x: Array, gamma: Array, epsilon: float, out: Array, to_gamma: Array, to_beta: Array
) -> None:
    n = np.float32(x.shape[1])
    for j in range(x.shape[1]):
        to_gamma[j] = ZERO
        to_beta[j] = ZERO
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


def scaled(x: Array, gamma: Array, beta: Array, epsilon: float) -> Array:
    """Return y * gamma + beta, where y is x normalised along its last axis."""
    if not all(fits(v, 1) for v in (x, gamma, beta)) or x.size < SMALL:
        return plain.normalize_kernel(x, axis=(-1,), epsilon=epsilon) * gamma + beta
    out, rows = np.empty_like(x), (-1, gamma.size)
    scaled_rows(x.reshape(rows), gamma, beta, np.float32(epsilon), out.reshape(rows))
    return out


def scaled_grad(g: Array, x: Array, gamma: Array, epsilon: float) -> tuple[Array, Array, Array]:
    """Return the adjoints of x, gamma and beta for y * gamma + beta, where y is the normalised x."""
    g = contiguous(g, x)
    if not all(fits(v, 1) for v in (g, x, gamma)) or x.size < SMALL:
        axes, y = tuple(range(g.ndim - 1)), plain.normalize_kernel(x, axis=(-1,), epsilon=epsilon)
        return (
            plain.normalize_grad_kernel(g * gamma, x, y, axis=(-1,), epsilon=epsilon),
            (g * y).sum(axes),
            g.sum(axes),
        )
    out, sums = np.empty_like(x), np.empty((2, gamma.size), SINGLE)
    rows = (-1, gamma.size)
    scaled_grad_rows(
        g.reshape(rows), x.reshape(rows), gamma, np.float32(epsilon), out.reshape(rows), *sums
    )
    return out, sums[0], sums[1]


Op("NormalizeScale", scaled)
Op("NormalizeScaleGrad", scaled_grad)


def users_of(entries: Sequence[Entry]) -> dict[Any, list[int]]:
    """Return {number: places of the entries that read it}."""
    users: dict[Any, list[int]] = {}
    for k, e in enumerate(entries):
        for n in e[1]:
            users.setdefault(n, []).append(k)
    return users


def with_vector(program: Program, entries: Sequence[Entry], place: int, name: str, y: Any) -> Any:
    """Return (the vector, the result) where the entry at this place combines y with a vector along
    its last axis.
    """
    kind, inputs, outputs, _, _ = entries[place]
    if kind != name or len(inputs) != 2 or inputs[0] == inputs[1]:
        return None
    vector, result = inputs[1] if inputs[0] == y else inputs[0], outputs[0]
    shape = program.known[y][1]
    fit = program.known[vector][1] == shape[-1:] and program.known[result][1] == shape
    return (vector, result) if fit and len(shape) > 1 else None


def forwards(program: Program, entries: Sequence[Entry], results: Sequence[Any]) -> list[Entry]:
    """Return the entries with normalise, times gamma, plus beta in one, where nothing else uses
    their middle.
    """
    users, gone, new = users_of(entries), set(), {}
    for k, (name, inputs, outputs, how, _) in enumerate(entries):
        y = outputs[0] if outputs else None
        if (
            name != "Normalize"
            or how["axis"] != (-1,)
            or y in results
            or len(users.get(y, ())) != 1
        ):
            continue
        times = users[y][0]
        product = with_vector(program, entries, times, "Mul", y)
        if product is None or product[1] in results or len(users.get(product[1], ())) != 1:
            continue
        plus = users[product[1]][0]
        total = with_vector(program, entries, plus, "Add", product[1])
        if total is None:
            continue
        gone |= {k, times}
        new[plus] = (
            "NormalizeScale",
            (inputs[0], product[0], total[0]),
            (total[1],),
            {"epsilon": how["epsilon"]},
            entries[plus][4],
        )
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
