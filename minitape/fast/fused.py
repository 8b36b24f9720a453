"""Steps of a compiled program that are one loop together.

A layer normalisation is recorded as small steps: normalise, times gamma, plus beta. On the way back they make five
steps, each through the whole array. In a program that is compiled as a whole, the five are found again by how they hang
together, and one kernel does them while a row lies in the cache. The recorded tape keeps its small steps.
"""

import math

import numpy as np

from ..engine.record import Op
from . import approximations as a
from .normalisation import normalize_grad
from .table import SINGLE, fits, summing

ZERO, ONE = a.ZERO, a.ONE
SMALL = 512


@summing
def scaled_grad_rows(g, x, y, gamma, epsilon, out, to_gamma, to_beta):
    n = np.float32(x.shape[1])
    for j in range(x.shape[1]):
        to_gamma[j] = ZERO
        to_beta[j] = ZERO
    for r in range(x.shape[0]):
        total, gs, gys, squares = ZERO, ZERO, ZERO, ZERO
        for j in range(x.shape[1]):
            d = g[r, j] * gamma[j]
            total += x[r, j]
            gs += d
            gys += d * y[r, j]
        mean = total / n
        for j in range(x.shape[1]):
            d = x[r, j] - mean
            squares += d * d
        scale = ONE / np.float32(math.sqrt(squares / n + epsilon))
        gs, gys = gs / n, gys / n
        for j in range(x.shape[1]):
            p = g[r, j]
            out[r, j] = (p * gamma[j] - gs - y[r, j] * gys) * scale
            to_gamma[j] += p * y[r, j]
            to_beta[j] += p


def scaled_grad(g, x, y, gamma, epsilon):
    """Return the adjoints of x, gamma and beta for y * gamma + beta, where y is the normalised x."""
    if not all(fits(v, 1) for v in (g, x, y, gamma)) or x.size < SMALL:
        axes = tuple(range(g.ndim - 1))
        plain = normalize_grad(_plain_grad)
        return plain(g * gamma, x, y, axis=(-1,), epsilon=epsilon), (g * y).sum(axes), g.sum(axes)
    out, sums = np.empty_like(x), np.empty((2, gamma.size), SINGLE)
    rows = (-1, gamma.size)
    scaled_grad_rows(g.reshape(rows), x.reshape(rows), y.reshape(rows), gamma, np.float32(epsilon), out.reshape(rows), *sums)
    return out, sums[0], sums[1]


def _plain_grad(*arrays, **how):
    from ..engine.ops.normalisation import normalize_grad_kernel
    return normalize_grad_kernel(*arrays, **how)


Op("NormalizeScaleGrad", scaled_grad)


def fused(program, entries, results):
    """Return the entries with the five steps behind a scaled normalisation in one, where nothing else uses their middle."""
    maker = {n: k for k, e in enumerate(entries) for n in e[2]}
    users = {}
    for k, e in enumerate(entries):
        for n in e[1]:
            users.setdefault(n, []).append(k)
    gone, new, returned = set(), {}, set(results)

    def alone(n):
        return len(users.get(n, ())) == 1 and n not in returned

    def sum_over_rows(n):
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
        if name != "NormalizeGrad" or how["axis"] != (-1,) or not alone(inputs[0]) or inputs[0] not in maker:
            continue
        scaled, x, y = inputs
        product = entries[maker[scaled]]
        if product[0] != "Mul":
            continue
        g, gamma = product[1] if program.known[product[1][0]][1] == program.known[scaled][1] else product[1][::-1]
        if program.known[g][1] != program.known[x][1] or program.known[gamma][1] != program.known[x][1][-1:]:
            continue
        along = next((m for m in users.get(g, ()) if entries[m][0] == "Mul" and set(entries[m][1]) == {g, y}
                      and alone(entries[m][2][0])), None)
        to_gamma, to_beta = None if along is None else sum_over_rows(entries[along][2][0]), sum_over_rows(g)
        if to_gamma is None or to_beta is None:
            continue
        made = (outputs[0], entries[to_gamma][2][0], entries[to_beta][2][0])
        if any(m < k for n in made for m in users.get(n, ())):
            continue
        gone |= {maker[scaled], along, to_gamma, to_beta}
        new[k] = ("NormalizeScaleGrad", (g, x, y, gamma), made, {"epsilon": how["epsilon"]}, where)
        program.several.update(made)
    return [new.get(k, e) for k, e in enumerate(entries) if k not in gone]
