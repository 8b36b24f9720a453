"""A whole program as loops, compiled by numba: what `tf.function(jit_compile=True)` runs.

NumPy computes one operation after the other, each over a whole array. Here operations over the same
shape are put into one loop nest: an element goes through all of them while it lies in a register,
and an array that is only used in its own nest is never made. Sums are added up in the nest that
computes their terms. Matrix products are left to the library that NumPy uses.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np
from numba import types

from ..engine.base.aliases import Array, Entry, Ints, Number, Program
from . import blas
from .kept import compiled
from .table import announced

# Expressions of one element; `F` is the dtype. exp and its relatives are approximations in float32,
# the C library's in float64.
ELEMENT = {
    "Add": "{0} + {1}",
    "BiasAdd": "{0} + {1}",
    "Sub": "{0} - {1}",
    "Mul": "{0} * {1}",
    "Div": "{0} / {1}",
    "Neg": "-{0}",
    "Square": "{0} * {0}",
    "Sqrt": "np.sqrt({0})",
    "Abs": "abs({0})",
    "Exp": "exp({0})",
    "Tanh": "tanh({0})",
    "Sigmoid": "sigmoid({0})",
    "Softplus": "softplus({0})",
    "Log": "np.log({0})",
    "Sin": "np.sin({0})",
    "Cos": "np.cos({0})",
    "Reciprocal": "F(1) / {0}",
    "Rsqrt": "F(1) / np.sqrt({0})",
    "Maximum": "({0} if {0} >= {1} or {0} != {0} else {1})",
    "Minimum": "({0} if {0} <= {1} or {0} != {0} else {1})",
    "Relu": "({0} if {0} > F(0) or {0} != {0} else F(0))",
    "ReluGrad": "({0} if {1} > F(0) else {0} * F(0))",
    "Greater": "{0} > {1}",
    "GreaterEqual": "{0} >= {1}",
    "Less": "{0} < {1}",
    "LessEqual": "{0} <= {1}",
    "Equal": "{0} == {1}",
    "NotEqual": "{0} != {1}",
    "Select": "({1} if {0} else {2})",
    "Pow": "{0} ** {1}",
    "SquaredDifference": "({0} - {1}) * ({0} - {1})",
    "Erf": "erf({0})",
    "Sign": "(F(1) if {0} > F(0) else (F(-1) if {0} < F(0) else {0}))",
    "ZerosLike": "F(0)",
    "OnesLike": "F(1)",
}
VIEWS = ("MatrixTranspose", "BroadcastTo")
MANY = 4096  # from this many terms on a sum is kept in double precision
FEW = 2  # terms of a matrix product up to which a loop is at least as quick as the library
# multiplications up to which a product is a loop where the library is not found
LARGEST_PRODUCT = 1 << 14
HEAD = {
    "float32": "import numpy as np\nfrom minitape.jit.approximations import erf, exp, sigmoid, "
    "softplus, tanh\nF = np.float32\n",
    "float64": "import math\nimport numpy as np\nfrom math import erf\nfrom numba import njit\n"
    "from numpy import exp, tanh\n"
    "F = np.float64\n"
    "@njit\ndef sigmoid(x):\n    e = math.exp(-abs(x))\n    return (1.0 if x >= 0.0 else e) / "
    "(1.0 + e)\n"
    "@njit\ndef softplus(x):\n    return (x if x > 0.0 else 0.0) + math.log1p(math.exp(-abs(x)))\n",
}


class Nest:
    """One loop nest: its shape, the entries that it computes, the sums that it adds up; or one
    matrix product.
    """

    def __init__(self, shape: Ints, product: Any = None) -> None:
        self.shape, self.product = shape, product
        self.entries: list[Entry] = []
        self.sums: list[Entry] = []


class Unknown(Exception):
    """The program holds something that these loops do not know."""


class Loops:
    """Arranges the entries of a program in nests and writes them as source."""

    def __init__(
        self,
        program: Program,
        parameters: Sequence[Number],
        entries: Sequence[Entry],
        results: Sequence[Any],
    ) -> None:
        self.program, self.known, self.entries, self.results = (
            program,
            program.known,
            entries,
            results,
        )
        self.parameters = list(dict.fromkeys(parameters))
        self.nests: list[Nest] = []
        self.home: dict[Number, int] = {}
        self.view: dict[Number, tuple[Number, bool]] = {}
        self.inner: set[Number] = set()  # values made element by element in their nest
        dtypes = {self.known[n][0] for e in entries for n in (*e[1], *e[2])} | {
            self.known[n][0] for n in self.parameters
        }
        floats = {d.name for d in dtypes if d.kind == "f"}
        if len(floats) != 1 or {d.kind for d in dtypes} - set("fb") or not floats <= set(HEAD):
            raise Unknown
        if any(0 in self.known[n][1] for n in self.known if n in self.parameters) or any(
            len(e[2]) != 1 for e in entries
        ):
            raise Unknown
        self.dtype = floats.pop()
        for entry in entries:
            self.place(entry)
        self.stored = self.storage()

    def shape(self, n: int) -> Ints:
        return tuple(self.known[n][1])

    def base(self, n: int) -> Any:
        """Return the value that n looks at, and whether through a transposition."""
        swapped = False
        while n in self.view:
            n, turn = self.view[n]
            swapped ^= turn
        return n, swapped

    def place(self, entry: Entry) -> None:
        """Put an entry into the first nest where its inputs are there."""
        name, inputs, (output,), attributes, _ = entry
        if name in VIEWS or name == "Reshape" and self.shape(inputs[0]) in ((), self.shape(output)):
            if (
                name == "MatrixTranspose"
                and len(self.shape(output)) != 2
                or name == "BroadcastTo"
                and self.base(inputs[0])[1]
            ):
                raise Unknown
            self.view[output] = inputs[0], name == "MatrixTranspose"
            return
        if name == "MatMul":
            a, b = (self.shape(n) for n in inputs)
            if (
                len(a) != 2
                or len(b) != 2
                or blas.INTEGER is None
                and a[0] * a[1] * b[1] > LARGEST_PRODUCT
            ):
                raise Unknown
            for n, s in zip(inputs, (a, b)):
                at, swapped = self.base(n)
                if self.shape(at) != (s[::-1] if swapped else s):
                    raise Unknown
            self.home[output] = len(self.nests)
            self.nests.append(Nest(self.shape(output), entry))
            return
        sums = name in ("Sum", "Mean")
        if not sums and (name not in ELEMENT or attributes):
            raise Unknown
        shape = self.shape(inputs[0]) if sums else self.shape(output)
        first = 0
        for n in inputs:
            b, swapped = self.base(n)
            if b in self.home:
                same = b in self.inner and not swapped and self.shape(b) == shape
                first = max(first, self.home[b] + (not same))
        for k in range(first, len(self.nests)):
            if self.nests[k].shape == shape and self.nests[k].product is None:
                break
        else:
            k = len(self.nests)
            self.nests.append(Nest(shape))
        self.home[output] = k
        if sums:
            self.nests[k].sums.append(entry)
        else:
            self.nests[k].entries.append(entry)
            self.inner.add(output)

    def storage(self) -> Any:
        """Return the values that must be arrays: results, and what is used outside of its own nest."""
        stored = {self.base(n)[0] for n in self.results if n is not None}
        for entry in self.entries:
            output = entry[2][0]
            if output in self.view:
                continue
            for n in entry[1]:
                b, swapped = self.base(n)
                if self.home.get(b) != self.home[output] or swapped or entry[0] == "MatMul":
                    stored.add(b)
        return stored

    # ---- writing

    def name(self, n: Number) -> str:
        return f"v{self.names.setdefault(n, len(self.names))}"

    def at(self, n: Number, shape: Ints) -> str:
        """Return the source of one element of n in a nest of this shape."""
        n, swapped = self.base(n)
        constant = self.program.constants.get(n)
        if constant is not None and not constant.ndim:
            return self.constant(constant)
        if n in self.inner and n not in self.stored or self.shape(n) == ():
            return self.name(n)
        own = self.shape(n)[::-1] if swapped else self.shape(n)
        indices = [
            f"i{len(shape) - len(own) + k}" if length != 1 else "0" for k, length in enumerate(own)
        ]
        return f"{self.name(n)}[{', '.join(indices[::-1] if swapped else indices)}]"

    def constant(self, value: Array) -> str:
        if value.dtype.kind == "b":
            return str(bool(value))
        text = (
            f"F({float(value)!r})"
            if np.isfinite(value)
            else f"F(np.{'nan' if np.isnan(value) else 'inf' if value > 0 else 'NINF'})"
        )
        return text if "NINF" not in text else "F(-np.inf)"

    def addends(self, entry: Entry) -> Any:
        """Return how many numbers one sum adds, and the source of where one element is added."""
        name, inputs, (output,), attributes, _ = entry
        shape, axis = self.shape(inputs[0]), attributes["axis"]
        axes = (
            range(len(shape))
            if axis is None
            else [a % len(shape) for a in (axis if isinstance(axis, tuple) else (axis,))]
        )
        keep = attributes["keepdims"]
        count = int(np.prod([shape[a] for a in axes]))
        if self.shape(output) == ():
            return count, self.name(output)
        indices = [
            ("0" if k in axes else f"i{k}") for k in range(len(shape)) if keep or k not in axes
        ]
        return count, f"{self.name(output)}[{', '.join(indices)}]"

    def write(self) -> str:
        """Return the source of the whole program."""
        self.names: dict[Number, int] = {}
        body = []
        arrays = [
            n
            for n, v in self.program.constants.items()
            if v.ndim and any(n in e[1] for e in self.entries)
        ]
        if arrays or any(n in self.program.constants for n in self.results if n is not None):
            raise Unknown
        for nest in self.nests:
            body += self.write_product(nest) if nest.product else self.write_nest(nest)
        returned = []
        for n in self.results:
            b, swapped = self.base(n)
            if swapped or b not in self.home or self.shape(b) != self.shape(n):
                raise Unknown
            returned.append(f"np.array([{self.name(b)}])" if self.shape(b) == () else self.name(b))
        head = f"def program({', '.join(self.name(n) for n in self.parameters)}):"
        library = (
            f"from minitape.jit.blas import product{self.dtype[-2:]} as product\n"
            if blas.INTEGER is not None
            else ""
        )
        return "\n".join(
            [
                HEAD[self.dtype] + library,
                head,
                *["    " + line for line in body],
                f"    return {', '.join(returned)},",
                "",
            ]
        )

    def write_product(self, nest: Nest) -> list[str]:
        a, b = nest.product[1]
        (m, k), n = self.shape(a), self.shape(b)[1]
        (a, ta), (b, tb), c = self.base(a), self.base(b), self.name(nest.product[2][0])
        first, second = self.name(a), self.name(b)
        left, right = (
            f"{first}[{'q, p' if ta else 'p, q'}]",
            f"{second}[{'j, q' if tb else 'q, j'}]",
        )
        lines = [f"{c} = np.empty(({m}, {n}), F)"]
        if blas.INTEGER is not None and k > FEW and n > 1:
            return [*lines, f"product({first}, {second}, {c}, {ta}, {tb})"]
        return [
            *lines,
            f"for p in range({m}):",
            f"    for j in range({n}):",
            "        s = F(0)",
            f"        for q in range({k}):",
            f"            s += {left} * {right}",
            f"        {c}[p, j] = s",
        ]

    def write_nest(self, nest: Nest) -> list[str]:
        before, inside, after = [], [], []
        for name, inputs, (output,), _, _ in nest.entries:
            text = ELEMENT[name].format(*[self.at(n, nest.shape) for n in inputs])
            kind = "np.bool_" if self.known[output][0].kind == "b" else "F"
            text = text if kind == "np.bool_" else f"F({text})"
            if output in self.stored and nest.shape != ():
                before.append(f"{self.name(output)} = np.empty({nest.shape!r}, {kind})")
                inside.append(f"{self.at(output, nest.shape)} = {text}")
            else:
                inside.append(f"{self.name(output)} = {text}")
        for entry in nest.sums:
            count, place = self.addends(entry)
            output = entry[2][0]
            wide = "np.float64" if count > MANY else "F"
            if self.shape(output) == ():
                before.append(f"{place} = {wide}(0)")
                after.append(
                    f"{place} = F({place}{f' / {wide}({count})' if entry[0] == 'Mean' else ''})"
                )
            else:
                before.append(f"{self.name(output)} = np.zeros({self.shape(output)!r}, {wide})")
                if entry[0] == "Mean" or wide != "F":
                    divisor = f" / {wide}({count})" if entry[0] == "Mean" else ""
                    after.append(f"{self.name(output)} = ({self.name(output)}{divisor}).astype(F)")
            inside.append(f"{place} += {self.at(entry[1][0], nest.shape)}")
        lines, indent = [], ""
        for k, length in enumerate(nest.shape):
            lines.append(f"{indent}for i{k} in range({length}):")
            indent += "    "
        return [*before, *lines, *[indent + line for line in inside], *after]


def built(text: str, signature: Any) -> Callable[..., Any]:
    """Compile the source for these types, or find it on disk, where a function is asked for by the
    name of its module.
    """
    module = ModuleType(f"minitape_program_{hashlib.sha256(text.encode()).hexdigest()[:24]}")
    sys.modules[module.__name__] = module
    exec(compile(text, "<minitape loops>", "exec"), vars(module))
    program = compiled(module.program, {"reassoc", "contract", "nsz"})
    with announced("compiling a whole program (once for these shapes)"):
        program.compile(signature)
    program.disable_compile()
    return program


def type_of(dtype: np.dtype, shape: Ints) -> Any:
    """Return numba's type of an input: contiguous, never written to."""
    kind = types.boolean if dtype.kind == "b" else getattr(types, dtype.name)
    return types.Array(kind, len(shape), "C", readonly=True) if shape else kind


def loops(
    program: Program, parameters: Sequence[Number], entries: Sequence[Entry], results: Sequence[Any]
) -> Callable[..., Any] | None:
    """Return a function that runs these entries as compiled loops, or None where they hold what the
    loops do not know.
    """
    try:
        plan = Loops(program, parameters, entries, results)
        text = plan.write()
    except Unknown:
        return None
    known = program.known
    run = built(text, tuple([type_of(*known[n]) for n in plan.parameters]))
    arrays = [k for k, n in enumerate(plan.parameters) if known[n][1]]
    scalars = [k for k, n in enumerate(results) if known[n][1] == ()]

    def call(*values: Any) -> Any:
        for k in arrays:
            if not values[k].flags.c_contiguous:
                values = list(values)
                values[k] = np.ascontiguousarray(values[k])
        outputs_of_run = run(*values)
        if scalars:
            outputs_of_run = list(outputs_of_run)
            for k in scalars:
                outputs_of_run[k] = outputs_of_run[k][0]
        return outputs_of_run

    call.text = text  # type: ignore[attr-defined]
    return call
