"""A small machine that runs programs of scalars.

A recorded program of scalars is a list of simple instructions: operation, two operands, a result.
This machine is one loop that reads such instructions from arrays and works on a row of numbered
registers. It is compiled once; after that any program of scalars runs without compiling anything,
many times faster than Python reads its own instructions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .table import loop

if TYPE_CHECKING:
    from ..engine.ground.aliases import Array, Entry, Number, Program

# name of an operation -> (code, whether the machine rounds as NumPy does)
CODES = {
    name: k
    for k, name in enumerate(
        (
            "Identity",
            "Add",
            "Sub",
            "Mul",
            "Div",
            "Neg",
            "Square",
            "Exp",
            "Log",
            "Sin",
            "Cos",
            "Tanh",
            "Sqrt",
            "Sigmoid",
            "Softplus",
            "Abs",
            "Sign",
            "Maximum",
            "Minimum",
            "Pow",
            "Greater",
            "GreaterEqual",
            "Less",
            "LessEqual",
            "Equal",
            "NotEqual",
            "Select",
            "Reciprocal",
            "Rsqrt",
            "Log1p",
            "Relu",
            "ReluGrad",
        )
    )
}
SAME = ("Sum", "Mean", "Max", "Min", "Reshape", "BroadcastTo")  # of one scalar: the scalar itself


@loop
def run_scalars(
    codes: Array, first: Array, second: Array, third: Array, results: Array, r: Array
) -> None:
    zero, one = r[0] * 0, r[1]
    for k in range(codes.size):
        c, x, y = codes[k], r[first[k]], r[second[k]]
        if c == 1:
            v = x + y
        elif c == 3:
            v = x * y
        elif c == 2:
            v = x - y
        elif c == 4:
            v = x / y
        elif c == 5:
            v = -x
        elif c == 6:
            v = x * x
        elif c == 7:
            v = math.exp(x)
        elif c == 8:
            v = np.log(x)
        elif c == 9:
            v = math.sin(x)
        elif c == 10:
            v = math.cos(x)
        elif c == 11:
            v = math.tanh(x)
        elif c == 12:
            v = np.sqrt(x)
        elif c == 13:
            e = math.exp(-abs(x))
            v = (one if x >= zero else e) / (one + e)
        elif c == 14:
            v = (x if x > zero else zero) + math.log1p(math.exp(-abs(x)))
        elif c == 15:
            v = abs(x)
        elif c == 16:
            v = one if x > zero else (-one if x < zero else x)
        elif c == 17:
            v = x if x >= y or x != x else y
        elif c == 18:
            v = x if x <= y or x != x else y
        elif c == 19:
            v = x**y
        elif c == 20:
            v = one if x > y else zero
        elif c == 21:
            v = one if x >= y else zero
        elif c == 22:
            v = one if x < y else zero
        elif c == 23:
            v = one if x <= y else zero
        elif c == 24:
            v = one if x == y else zero
        elif c == 25:
            v = one if x != y else zero
        elif c == 26:
            v = y if x != zero else r[third[k]]
        elif c == 27:
            v = one / x
        elif c == 28:
            v = one / np.sqrt(x)
        elif c == 29:
            v = np.log1p(x)
        elif c == 30:
            v = x if x > zero or x != x else zero
        elif c == 31:
            v = x if y > zero else x * zero  # not 0: NaN and infinity times 0 is NaN
        else:
            v = x
        r[results[k]] = v


def machine(
    program: Program,
    parameters: Sequence[Number],
    entries: Sequence[Entry],
    results: Sequence[Number | None],
) -> Callable[..., Any] | None:
    """Return a function that runs these entries on scalars, or None where they are something else.

    `parameters` and `results` are numbers of the program's values; all must be scalars of one
    floating dtype, or truth values.
    """
    numbers = {
        *parameters,
        *[n for n in results if n is not None],
        *[n for e in entries for n in (*e[1], *e[2])],
    }
    dtypes = {program.known[n][0] for n in numbers}
    floats = {d for d in dtypes if d.kind == "f"}
    if (
        len(floats) != 1
        or dtypes - floats - {np.dtype(bool)}
        or any(program.known[n][1] != () for n in numbers)
    ):
        return None
    dtype = floats.pop()
    if dtype.itemsize < 4 or any(
        len(e[2]) != 1 or e[0] not in CODES and e[0] not in SAME or len(e[1]) > 3 for e in entries
    ):
        return None
    if any(e[3] for e in entries if e[0] not in SAME):
        return None
    place = {}
    for n in (*parameters, *program.constants, *[e[2][0] for e in entries]):
        place.setdefault(n, len(place) + 2)  # registers 0 and 1 hold the numbers 0 and 1
    start = np.zeros(len(place) + 2, dtype)
    start[1] = 1
    for n, value in program.constants.items():
        if n in place and value.dtype in (dtype, np.dtype(bool)):
            start[place[n]] = value
    code = np.array(
        [
            [CODES.get(e[0], 0), *[place[n] for n in e[1]], *[0] * (3 - len(e[1])), place[e[2][0]]]
            for e in entries
        ],
        np.int32,
    ).reshape(-1, 5)
    columns = [np.ascontiguousarray(c) for c in code.T]
    codes, first, second, third, out = columns
    given, wanted = (
        len(parameters),
        [None if n is None else (place[n], program.known[n][0].type) for n in results],
    )
    plain = all(w is not None and w[1] is dtype.type for w in wanted)
    where = [w[0] for w in wanted if w is not None]

    def run(*values: Any) -> list[Any]:
        r = start.copy()
        if given:
            r[2 : 2 + given] = values
        run_scalars(codes, first, second, third, out, r)
        if plain:
            return [r[k] for k in where]
        return [None if w is None else w[1](r[w[0]]) for w in wanted]

    return run


def warm_up() -> None:
    """Compile the machine for both floating dtypes."""
    none = np.zeros(0, np.int32)
    for dtype in (np.float32, np.float64):
        run_scalars(none, none, none, none, none, np.array([0, 1], dtype))
