"""Listening to one run of a function, and writing down every operation.

A gradient tape records what touches something watched. The recorder here records everything, with
the same entries: the name of an operation, the numbers of its inputs and outputs, its attributes,
its place in the program. Tensors that enter from outside become inputs; tensors made of Python
numbers become constants. A value that leaves for Python or NumPy, or decides an `if`, cannot be
kept in such a list: the run is refused, with the line.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, NoReturn, TypeAlias

from ..engine.base.aliases import (
    Array,
    Attributes,
    Number,
    Numbers,
    Output,
    RawEntry,
    RawPart,
    Where,
)
from ..engine.base.errors import OperatorNotAllowedInGraphError
from ..engine.base.listeners import Onlooker, active, listeners, onlookers
from ..engine.base.safe_exit import SafeExit
from ..engine.base.tensor import Tensor, new_id, wrap
from ..engine.base.where import here
from ..engine.ops.record import Op
from ..engine.play import Play
from ..engine.variable import Variable
from ..program.places import line_at
from ..program.values import layer_of

# op, inputs, outputs, attributes, where
Entry: TypeAlias = tuple[str, Numbers, Numbers, Any, tuple[Any, ...]]
Known: TypeAlias = tuple[Any, tuple[int, ...]]  # dtype, shape

# An assignment cuts: what is read afterwards is the variable again, and its adjoint belongs to the
# variable.
ASSIGNMENTS = {
    "assign": "AssignVariableOp",
    "assign_add": "AssignAddVariableOp",
    "assign_sub": "AssignSubVariableOp",
}
Op("AssignVariableOp", lambda old, new: new, lambda g, y, old, new: g, None, batched=False)
Op("AssignAddVariableOp", operator.add, lambda g, y, old, delta: g, None, batched=False)
Op("AssignSubVariableOp", operator.sub, lambda g, y, old, delta: g, None, batched=False)


@dataclass(eq=False)
class Program:
    """A recorded run as plain data.

    `inputs`: numbers of the tensors it starts from; `entries`: (op, inputs, outputs, attributes,
    where) in order; `constants`: number -> array; `outputs`: numbers of its results; `known`:
    number -> (dtype, shape); `names`: number -> the learner's name; `adjoint`: number -> numbers of
    the tensors whose adjoint it is; `several`: numbers that came in a tuple; `layers`: number of a
    variable's value -> path of its layer; `split`: where the entries of the way back begin, if
    there are any; `became`: what stands now for the numbers of the recording, once it was
    simplified; `played`: (play, output of an operation, which input) -> number of the part sent
    there; (play, number) -> number of its adjoint.
    """

    inputs: list[Number]
    entries: Sequence[Entry]
    constants: dict[Number, Array]
    outputs: list[Number | None]
    known: dict[Number, Known]
    names: dict[Number, str]
    adjoint: dict[Number, list[Any]]
    several: set[Number]
    layers: dict[Number, str]
    split: Any = None
    became: dict[Number, Number] = field(default_factory=dict)
    played: dict[tuple[Any, ...], Number] = field(default_factory=dict)


class Recorder(Onlooker):
    """Listens like a tape, but to every operation; stands in `active` while a function is traced,
    and looks on at plays.
    """

    traces = True

    def __init__(self) -> None:
        self.first = new_id()  # tensors with smaller numbers were there before
        self.entries: list[RawEntry] = []
        self.heard: set[Number] = set()  # readings of variables that were noted
        self.inputs: dict[Number, Tensor] = {}
        self.names: dict[Number, str] = {}
        self.layers: dict[Number, str] = {}
        self.variables: dict[Number, tuple[Variable, Tensor]] = {}
        self.captured: dict[Number, Tensor] = {}
        self.changes: dict[Number, tuple[Variable, Tensor]] = {}
        self.created: dict[Number, Variable] = {}
        self.own_rules = False  # a custom gradient was met
        self.changed: set[Number] = set()  # variables that a repeated entry assigns
        self._changing = False
        # number of an adjoint -> numbers of the tensors that it belongs to
        self.adjoint: dict[Number, list[Output]] = {}
        # index of an entry of a way back -> position of the entry that it came from
        self.behind: dict[int, tuple[Any, ...]] = {}
        # the same for each play: parts by (play, output, input), adjoints by (play, number)
        self.played: dict[tuple[Any, ...], Number] = {}
        self._looked = 0  # how far `varies` has looked, and what it found
        self._varying: set[Number] = set()

    # ---- notifications of active tapes

    def record(
        self,
        op: str,
        inputs: Numbers,
        output: Output,
        attributes: Attributes,
        code: CodeType,
        offset: int,
        values: tuple[Array, ...],
        y: Any,
    ) -> None:
        self.entries.append((op, inputs, output, attributes, code, offset, values, y))

    def cut(self, number: Number) -> None:
        pass

    def accessed(self, variable: Variable) -> None:
        pass

    def left(self, layer: str, began: Number) -> None:
        pass

    def note(self, kind: str, where: Where, about: Any) -> None:
        """Refuse what a list of operations cannot keep."""
        if kind == "escape" and self.varies(about["id"]):
            refuse(about["how"], where)

    @contextmanager
    def repeating(self) -> Iterator[None]:
        """Note which variables an entry that is repeated at every run assigns: they are read again
        after it.
        """
        self._changing = True
        try:
            yield
        finally:
            self._changing = False

    def read(self, variable: Variable, tensor: Tensor, counts: bool = True) -> None:
        self.heard.add(tensor.id)
        if variable.id in self.changed:
            again = {"function": lambda: (variable._tensor.value,)}
            self.entries.append(("Repeat", (), (tensor.id,), again, *here(), (), (tensor.value,)))
            return
        if variable.id > self.first:
            self.created[variable.id] = variable
        if variable.id not in self.variables:
            self.variables[variable.id] = variable, tensor
            self.input(tensor, layer=layer_of(variable))

    def assigned(
        self, variable: Variable, how: str, operand: Tensor, old: Tensor, new: Tensor
    ) -> None:
        """Write down an assignment, with the tensors before and after; `Variable` tells."""
        if self._changing:
            self.changed.add(variable.id)
            return
        if old.id not in self.heard:
            self.read(variable, old)
        self.heard.add(new.id)
        where = here()
        name = ASSIGNMENTS.get(how)
        if name is None:
            raise NotImplementedError(
                f"{how} of a variable cannot be kept in a tf.function{line_of(where)}. "
                "Do it outside of the function."
            )
        self.entries.append(
            (
                name,
                (old.id, operand.id),
                new.id,
                None,
                *where,
                (old.value, operand.value),
                new.value,
            )
        )
        self.changes[variable.id] = variable, new

    def plays(self, play: Play, parts: Iterator[RawPart]) -> Iterator[RawPart]:
        """Note which tensor is the adjoint of which, while a tape inside of the function is played."""
        heard = len(self.entries)
        for index, i, g, part in parts:
            _, _, output, _, code, offset, *_ = play.entries[index]
            if type(g) is Tensor:
                self.adjoint.setdefault(g.id, []).append(output)
                self.played[play.id, output] = g.id
            if i is not None and type(part) is Tensor:
                self.played[play.id, output, i] = part.id
            for k in range(heard, len(self.entries)):  # what the rules of this entry computed
                self.behind[k] = code, offset, output, play.id
            yield index, i, g, part
            heard = len(self.entries)
        for number in play.numbers:
            g = play.adjoints.get(number)
            if type(g) is Tensor:
                self.adjoint.setdefault(g.id, []).append(number)
                self.played[play.id, number] = g.id

    # ---- what was heard

    def input(self, tensor: Tensor, name: str | None = None, layer: str | None = None) -> None:
        """Make a tensor an input of the program."""
        self.inputs[tensor.id] = tensor
        self._varying.add(tensor.id)
        if name:
            self.names[tensor.id] = name
        if layer:
            self.layers[tensor.id] = layer

    def varies(self, number: Number) -> bool:
        """Return True where the value of a tensor may differ from call to call."""
        for _, inputs, output, *_ in self.entries[self._looked :]:
            if not inputs or not self._varying.isdisjoint(inputs):
                self._varying.update(output if isinstance(output, tuple) else (output,))
        self._looked = len(self.entries)
        return number in self._varying

    def program(
        self, results: Sequence[Tensor | None], names: dict[Number, str] | None = None
    ) -> Program:
        """Return what was heard as a `Program` with these tensors as its outputs.

        Numbers that nothing explains are constants, where their tensor was made inside; those made
        before become inputs: the program keeps a hand on them.
        """
        known = {n: (t.value.dtype, t.value.shape) for n, t in self.inputs.items()}
        constants: dict[Number, Array] = {}
        captured: dict[Number, Tensor] = {}
        entries: list[Entry] = []
        several: set[Number] = set()

        def leaf(number: Number, value: Array) -> None:
            if number in known:
                return
            known[number] = value.dtype, value.shape
            if number < self.first:
                captured[number] = wrap(value, number)
            else:
                constants[number] = value

        for k, (name, inputs, output, attributes, code, offset, values, y) in enumerate(
            self.entries
        ):
            for number, value in zip(inputs, values):
                leaf(number, value)
            outputs, ys = (output, y) if isinstance(output, tuple) else ((output,), (y,))
            several.update(output if isinstance(output, tuple) else ())
            known.update((n, (v.dtype, v.shape)) for n, v in zip(outputs, ys))
            entries.append((name, inputs, outputs, attributes, self.behind.get(k, (code, offset))))
        for t in results:
            if t is not None:
                leaf(t.id, t.value)
        self.captured = captured
        program = Program(
            [*self.inputs, *captured],
            entries,
            constants,
            [None if t is None else t.id for t in results],
            known,
            {**(names or {}), **self.names},
            self.adjoint,
            several,
            self.layers,
        )
        program.played = self.played
        return program


class listening:
    """Let a recorder hear every operation inside of the block; tapes outside of it hear nothing."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder, self._guard = recorder, None
        self.before: tuple | None = None

    def __enter__(self) -> Recorder:
        others = [onlooker for onlooker in onlookers.get() if not isinstance(onlooker, Recorder)]
        self.before = listeners(), onlookers.get()
        onlookers.set((*others, self.recorder))
        active.set((self.recorder,))
        return self.recorder

    def _leave(self, *error: object) -> None:
        if self.before is not None:
            active.set(self.before[0])
            onlookers.set(self.before[1])
            self.before = None

    __exit__ = SafeExit(_leave)


def line_of(where: Where) -> str:
    """Return ' (line 3 of cell.py: `if y > 0:`)' for a position, or an empty text."""
    line = line_at(where)
    return f" (line {line[0]}{f': `{line[1]}`' if line[1] else ''})" if line is not None else ""


def refuse(how: str, where: Where) -> NoReturn:
    """Raise TensorFlow's error for a traced value that Python or NumPy asks for."""
    at = line_of(where)
    if how == "look":
        raise NotImplementedError(
            f"This operation looks at the values of a tensor to decide what to compute{at}: a "
            "tf.function, which keeps one list of "
            "operations, cannot keep that. Do it outside of the function."
        )
    if how == "mask":
        raise NotImplementedError(
            f"How many elements a mask chooses depends on its values{at}, and in a tf.function "
            "every tensor has one shape. Keep all elements and set the others to zero: "
            "tf.where(mask, x, 0.0); a mean divides by tf.reduce_sum(tf.cast(mask, tf.float32))."
        )
    if how == "range":
        raise NotImplementedError(
            f"tf.range of a length that is an input{at}: a tf.function keeps one list of "
            "operations, in which a loop stands turn by "
            "turn, so it must know how many there are. Pass a Python number, or take it from a "
            "shape: x.shape[0]."
        )
    if how == "bool":
        raise OperatorNotAllowedInGraphError(
            f"Using a symbolic `tf.Tensor` as a Python `bool` is not allowed{at}. A tf.function "
            "is traced once and keeps one list of "
            "operations; which branch runs, and how often a loop turns, may not depend on a "
            "value. Compute both sides and choose with "
            "tf.where(condition, a, b), or leave @tf.function off this function."
        )
    if how in ("float", "int", "complex", "index"):
        raise TypeError(
            f"{how}() cannot take a symbolic tf.Tensor{at}: inside of a tf.function a tensor "
            "stands for the values of all later calls. "
            "Stay with tensors (tf.cast changes the dtype, tf.where chooses), or do this outside "
            "of the function."
        )
    raise NotImplementedError(
        f"Cannot convert a symbolic tf.Tensor to a numpy array{at}. NumPy would compute once, "
        "while the function is traced, and the "
        "result would be frozen into it. Use the tf operation of the same name, or do this "
        "outside of the function."
    )
