"""Taking out of a recorded program what does not change its results.

A run contains steps that a fixed program need not repeat: a product with 1, a copy, an adjoint
stretched over an axis only to be multiplied there, the same value computed twice, a value that
nobody uses. Every rule here keeps the numbers (x * x for x ** 2 may differ in the last bit); none
knows what the learner's program is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..engine.base.aliases import Array, Attributes, Number, Numbers
from ..engine.base.arrays import plain
from ..engine.base.tensor import new_id
from ..engine.ops.record import OPS
from ..program.aliases import Where
from .trace import Entry, Program

COPIES = {"Identity", "ReadVariableOp"}
STOPS = {"StopGradient"}  # copies, too, once the way back is known
SAME_SHAPE = {"Reshape", "BroadcastTo"}
EFFECTS = {"Repeat"}  # done again at every run, used or not
INFIX = {"Add", "Sub", "Mul", "Div", "Pow", "Maximum", "Minimum", "SquaredDifference"}


class _Simplifier:
    def __init__(self, program: Program, final: bool) -> None:
        self.program, self.known, self.final = program, program.known, final
        self.constants, self.names = dict(program.constants), dict(program.names)
        self.same: dict[Number, Number] = {}
        self.seen: dict[Any, Numbers] = {}
        self.made: dict[Number, Any] = {}
        self.entries: list[Entry] = []
        self.arrays: dict[Any, Number] = {}

    def now(self, number: Number) -> Number:
        """Return the number that stands for this one by now."""
        while number in self.same:
            number = self.same[number]
        return number

    def scalar(self, number: Number) -> Any:
        """Return the one value that a constant holds everywhere, or None."""
        value = self.constants.get(number)
        if value is None or value.dtype.kind not in "fiu" or not value.size:
            return None
        first = value.flat[0] if value.ndim else value
        return first if not value.ndim or (value == first).all() else None

    def constant(self, value: Array) -> Number:
        """Return the number of a constant; equal scalars share one."""
        key = (value.dtype, value.tobytes()) if not value.ndim else None
        number = self.arrays.get(key) if key else None
        if number is None:
            number = new_id()
            self.constants[number] = value
            self.known[number] = value.dtype, value.shape
            if key:
                self.arrays[key] = number
        return number

    def put(
        self,
        name: str,
        inputs: Numbers,
        like: Number,
        attributes: Attributes,
        where: Where,
        shape: tuple[int, ...] | None = None,
    ) -> Number:
        """Add an entry with a new output of the dtype of `like`; return its number."""
        number = new_id()
        self.known[number] = self.known[like][0], self.known[like][1] if shape is None else shape
        return self.entry(name, inputs, (number,), attributes, where)[0]

    def entry(
        self, name: str, inputs: Numbers, outputs: Numbers, attributes: Attributes, where: Where
    ) -> Numbers:
        """Add an entry unless the same was computed before; return the numbers that hold its
        results.
        """
        key = None if name in EFFECTS else _key(name, inputs, attributes)
        before = self.seen.get(key) if key is not None else None
        if before is not None:
            for old, new in zip(outputs, before):
                self.same[old] = new
            return before
        if (
            inputs
            and all(n in self.constants for n in inputs)
            and len(outputs) == 1
            and outputs[0] not in self.program.several
        ):
            value = plain(
                OPS[name].kernel(*[self.constants[n] for n in inputs], **(attributes or {}))
            )
            self.same[outputs[0]] = number = self.constant(value)
            return (number,)
        if key is not None:
            self.seen[key] = outputs
        entry = (name, inputs, outputs, attributes, where)
        for n in outputs:
            self.made[n] = entry
        self.entries.append(entry)
        return outputs

    def step(self, entry: Entry) -> None:
        """Add one entry in its simplest form."""
        name, inputs, outputs, attributes, where = entry
        inputs = tuple([self.now(n) for n in inputs])
        if self.final and name == "AssignVariableOp":
            name, inputs = "Identity", inputs[1:]
        elif self.final:
            name = {"AssignAddVariableOp": "Add", "AssignSubVariableOp": "Sub"}.get(name, name)
        if len(outputs) == 1:
            shorter = self.shorter(name, inputs, outputs[0], attributes, where)
            if shorter is not None:
                self.same[outputs[0]] = shorter
                return
            if name in INFIX:
                inputs = self.unstretched(inputs, self.known[outputs[0]][1])
            if name == "Reshape" and self.known[inputs[0]][1] == ():
                name, attributes = "BroadcastTo", {"shape": tuple(self.known[outputs[0]][1])}
            before = self.made.get(inputs[0]) if name == "BroadcastTo" else None
            if before and before[0] == "BroadcastTo":
                inputs = before[1]
        self.entry(name, inputs, outputs, attributes, where)

    def shorter(
        self, name: str, inputs: Numbers, output: Number, attributes: Attributes, where: Where
    ) -> Number | None:
        """Return the number of an equal value that is cheaper, or None."""
        known = self.known
        same = [n for n in inputs if known[n] == known[output]]
        if name in COPIES or self.final and name in STOPS:
            return inputs[0] if same else None
        if name in SAME_SHAPE and same:
            return inputs[0]
        if name == "Cast" and same:
            return inputs[0]
        if name in ("Mul", "Div", "Pow"):
            a, b = inputs
            one = self.scalar(b)
            if one is not None and one == 1 and known[a] == known[output]:
                return a
            if name == "Mul" and known[b] == known[output]:
                one = self.scalar(a)
                if one is not None and one == 1:
                    return b
            if (
                name == "Pow"
                and known[a] == known[output]
                and self.scalar(b) == 2
                and "Square" in OPS
            ):
                return self.put("Square", (a,), output, None, where)
        if name in ("Neg", "MatrixTranspose"):
            before = self.made.get(inputs[0])
            if before and before[0] == name:
                return before[1][0]
        if name in INFIX or name == "Neg":
            return self.stretched_later(name, inputs, output, attributes, where)
        return None

    def stretched_later(
        self, name: str, inputs: Numbers, output: Number, attributes: Attributes, where: Where
    ) -> Number | None:
        """Compute before stretching, where all that is stretched comes from one small value:
        (stretch x) / n.
        """
        small, shape = None, self.known[output][1]
        for n in inputs:
            before = self.made.get(n)
            if before and before[0] == "BroadcastTo" and self.known[n][1] == shape:
                if small is not None:
                    return None
                small = before[1][0]
            elif self.known[n][1] != () or n not in self.constants:
                return None
        if small is None:
            return None
        inputs = tuple(
            [n if self.known[n][1] == () and n in self.constants else small for n in inputs]
        )
        less = self.put(name, inputs, output, attributes, where, shape=self.known[small][1])
        return self.put("BroadcastTo", (less,), output, {"shape": tuple(shape)}, where)

    def unstretched(self, inputs: Numbers, shape: tuple[int, ...]) -> Numbers:
        """Replace operands that were stretched to the shape of their neighbour: the operation
        stretches them itself.
        """
        inputs = list(inputs)
        for i, n in enumerate(inputs):
            others = [self.known[m][1] for k, m in enumerate(inputs) if k != i]
            before = self.made.get(n)
            smaller = None
            if before and before[0] == "BroadcastTo":
                smaller = before[1][0]
            elif n in self.constants and self.known[n][1] != () and self.scalar(n) is not None:
                smaller = self.constant(self.scalar(n))
            if smaller is not None and np.broadcast_shapes(
                self.known[smaller][1], *others
            ) == tuple(shape):
                inputs[i] = smaller
        return tuple(inputs)


def _key(name: str, inputs: Numbers, attributes: Attributes) -> Any:
    try:
        key = name, inputs, tuple(sorted(attributes.items())) if attributes else None
        hash(key)
        return key
    except TypeError:
        return None


def simplify(program: Program, final: bool = True) -> Program:
    """Return an equal program with fewer entries; in its final form an assignment is nothing but
    its new value.
    """
    work = _Simplifier(program, final)
    before = program.became or {n: n for n in program.known}
    for number, value in program.constants.items():
        if not value.ndim:
            key = (value.dtype, value.tobytes())
            if work.arrays.setdefault(key, number) != number:
                work.same[number] = work.arrays[key]
    cut = None
    for k, entry in enumerate(program.entries):
        if k == program.split:
            cut = len(work.entries)
        work.step(entry)
    if program.split is not None and cut is None:
        cut = len(work.entries)
    outputs = [work.now(n) if n is not None else None for n in program.outputs]
    kept = needed(work.entries, outputs)
    entries = [work.entries[k] for k in kept]
    read = {*outputs, *[n for e in entries for n in e[1]]}
    constants = {n: v for n, v in work.constants.items() if n in read}
    split = None if cut is None else sum(k < cut for k in kept)
    shorter = Program(
        program.inputs,
        entries,
        constants,
        outputs,
        work.known,
        work.names,
        _adjoints(work, program),
        program.several,
        program.layers,
        split,
    )
    shorter.became = {n: work.now(m) for n, m in before.items()}
    shorter.played = program.played
    return shorter


def needed(entries: Sequence[Entry], results: Sequence[Number | None]) -> list[int]:
    """Return the places of the entries that the results need, in order."""
    wanted, places = set(results), []
    for k in range(len(entries) - 1, -1, -1):
        name, inputs, outputs, _, _ = entries[k]
        if name in EFFECTS or not wanted.isdisjoint(outputs):
            wanted.update(inputs)
            places.append(k)
    return places[::-1]


def _adjoints(work: _Simplifier, program: Program) -> dict[Number, list[Any]]:
    """Return whose adjoint each number is now."""
    result: dict[Number, list[Number]] = {}
    for a, owners in program.adjoint.items():
        result.setdefault(work.now(a), []).extend([work.now(n) for n in owners if type(n) is int])
    return result
