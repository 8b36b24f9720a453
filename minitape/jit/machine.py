"""A small machine that runs programs of scalars.

A recorded program of scalars is a list of simple instructions: operation, two operands, a result.
This machine is one loop that reads such instructions from arrays and works on a row of numbered
registers. It is compiled once; after that any program of scalars runs without compiling anything,
many times faster than Python reads its own instructions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..engine.base.aliases import Entry, Number, Program
from .table import loop

# What each instruction does: `v` is its result, `x`, `y` and `z` are its operands, `zero` and `one`
# numbers of their dtype.
INSTRUCTIONS = {
    "Add": "v = x + y",
    "Mul": "v = x * y",
    "Sub": "v = x - y",
    "Div": "v = x / y",
    "Neg": "v = -x",
    "Square": "v = x * x",
    "Exp": "v = math.exp(x)",
    "Log": "v = np.log(x)",
    "Sin": "v = math.sin(x)",
    "Cos": "v = math.cos(x)",
    "Tanh": "v = math.tanh(x)",
    "Sqrt": "v = np.sqrt(x)",
    "Sigmoid": "e = math.exp(-abs(x)); v = (one if x >= zero else e) / (one + e)",
    "Softplus": "v = (x if x > zero else zero) + math.log1p(math.exp(-abs(x)))",
    "Abs": "v = abs(x)",
    "Sign": "v = one if x > zero else (-one if x < zero else x)",
    "Maximum": "v = x if x >= y or x != x else y",
    "Minimum": "v = x if x <= y or x != x else y",
    "Pow": "v = x ** y",
    "Greater": "v = one if x > y else zero",
    "GreaterEqual": "v = one if x >= y else zero",
    "Less": "v = one if x < y else zero",
    "LessEqual": "v = one if x <= y else zero",
    "Equal": "v = one if x == y else zero",
    "NotEqual": "v = one if x != y else zero",
    "Select": "v = y if x != zero else z",
    "Reciprocal": "v = one / x",
    "Rsqrt": "v = one / np.sqrt(x)",
    "Log1p": "v = np.log1p(x)",
    "Relu": "v = x if x > zero or x != x else zero",
    "ReluGrad": "v = x if y > zero else x * zero",  # not 0: NaN and infinity times 0 is NaN
    "Identity": "v = x",
}
CODES = {name: k for k, name in enumerate(INSTRUCTIONS)}
SAME = ("Sum", "Mean", "Max", "Min", "Reshape", "BroadcastTo")  # of one scalar: the scalar itself
SOURCE = """
def run_scalars(codes, first, second, third, results, r):
    zero, one = r[0] * 0, r[1]
    for k in range(codes.size):
        code, x, y, z = codes[k], r[first[k]], r[second[k]], r[third[k]]
        {branches}
        r[results[k]] = v
"""


def interpreter() -> Callable[..., Any]:
    """Return the loop over the instructions, written out: numba makes one jump of all the branches."""
    branches = [f"if code == {CODES[name]}: {text}" for name, text in INSTRUCTIONS.items()]
    space: dict[str, Any] = {"__name__": __name__, "math": math, "np": np}
    exec(SOURCE.format(branches="\n        el".join(branches)), space)
    return space["run_scalars"]


run_scalars = loop(interpreter())


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
    place: dict[Number, int] = {}
    for n in (*parameters, *program.constants, *[e[2][0] for e in entries]):
        place.setdefault(n, len(place) + 2)  # registers 0 and 1 hold the numbers 0 and 1
    start = np.zeros(len(place) + 2, dtype)
    start[1] = 1
    for n, value in program.constants.items():
        if n in place and value.dtype in (dtype, np.dtype(bool)):
            start[place[n]] = value
    rows = [
        (
            CODES.get(op, CODES["Identity"]),
            *(*[place[n] for n in inputs], 0, 0, 0)[:3],
            place[output],
        )
        for op, inputs, (output,), *_ in entries
    ]
    codes, first, second, third, out = np.array(rows, np.int32).reshape(-1, 5).T.copy()
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
