"""The tape: a list of what was computed, and the play backwards over it.

While a tape records, every operation that uses something watched adds one entry: the operation's name, the numbers of its inputs
and outputs, its attributes, where in the program it stands, and the arrays of its inputs and outputs, any of which its rules may
need. These arrays are the memory that a tape costs; `Play.release` lets them go. What was seen but not recorded stands in the
margin. TensorFlow's ways of asking are in `gradient_tape.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from types import CodeType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import float32, ndarray

from .ground.listening import active, onlookers
from .ground.tensor import new_id
from .ground.where import here
from .play import Play

if TYPE_CHECKING:
    from .ground.aliases import Array, Attributes, Number, Numbers, Output, RawEntry, RawNote, Where
    from .ground.tensor import Tensor
    from .play import Step
    from .variable import Variable

FLOAT32 = np.dtype(float32)
WITHOUT_ARRAYS = itemgetter(slice(6))        # of an entry


class Tape:
    """A list of entries, and the numbers of the tensors that are watched.

    `entries`: tuples (op, inputs, output, attributes, code, offset, values, y). op is a name; inputs are the numbers of tensors, output
    is one number or a tuple of them; attributes a dictionary or None; code and offset the place in the program; values the arrays of
    the inputs, y that of the output (or a tuple). These two are gone once a tape is used up, unless a gradient was surprising.
    `watched`: numbers of the tensors and variables whose uses are recorded; `leaves`: those among them that were watched by hand or
    by reading; `cuts`: what `stop_gradient` made; `heard`: readings of variables that need not be told again (the same set as
    `watched`: what was heard is watched).
    `margin`: tuples (kind, how many entries there were, where, about); `blocks`: when each stretch of recording began and ended, by
    the counter that numbers the tensors; `variables`: those that were used, by number.
    """

    traces = False
    entries: list[RawEntry]
    margin: list[RawNote]
    blocks: list[tuple[int, int | None]]
    watched: set[Number]
    heard: set[Number]
    leaves: set[Number]
    cuts: set[Number]
    variables: dict[Number, Variable]

    def __init__(self, persistent: bool = False, watches_variables: bool = True) -> None:
        self.persistent, self.watches_variables = persistent, watches_variables
        self.where = here()
        self.recording = self.used = False
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.entries, self.margin, self.blocks = [], [], []
        self.watched = self.heard = set()
        self.leaves, self.cuts, self.variables = set(), set(), {}
        self.holomorphic = False                    # True once a complex number was met

    def __reduce__(self) -> Any:
        raise TypeError("A tape cannot be copied or pickled: it knows the very tensors and variables that were used while it recorded, and "
                        "their copies are others. Ask it for its gradients first, and copy these; copy models and variables without it.")

    def start(self) -> None:
        """Record from now on."""
        self.blocks.append((new_id(), None))
        self.recording = True
        for onlooker in onlookers.get():
            onlooker.began(self)
        active.set((*active.get(), self))

    def stop(self) -> None:
        """Record no more. May be called again where an interrupt has broken it off."""
        active.set(tuple([t for t in active.get() if t is not self]))
        if self.blocks and self.blocks[-1][1] is None:
            self.blocks[-1] = self.blocks[-1][0], new_id()
        self.recording = False

    # ---- recording

    def watch(self, number: Number, dtype: np.dtype) -> None:
        """Watch a tensor, or a variable: what is computed from it from now on is recorded."""
        self.holomorphic = self.holomorphic or dtype.kind == "c"
        if number not in self.watched:
            self.watched.add(number)
            self.leaves.add(number)

    def record(self, op: str, inputs: Numbers, output: Output, attributes: Attributes, code: CodeType, offset: int,
               values: tuple[Array, ...], y: Any) -> None:
        """Add an entry where one of the inputs is watched, else a note. Called for every operation while the tape records."""
        watched = self.watched
        if inputs[0] not in watched and watched.isdisjoint(inputs):           # nearly always it is the first
            self.margin.append(("unwatched", len(self.entries), (code, offset), (op, inputs, output)))
            return
        if type(y) is float32 or type(y) is ndarray and y.dtype is FLOAT32:                          # as nearly always
            watched.add(output)
        else:
            for number, array in zip(output, y) if type(y) is tuple else ((output, y),):
                if array.dtype.kind in "fc":                                                         # else it has no slope
                    watched.add(number)
                    self.holomorphic = self.holomorphic or array.dtype.kind == "c"
        self.entries.append((op, inputs, output, attributes, code, offset, values, y))

    def read(self, variable: Variable, tensor: Tensor) -> None:
        """Record the reading of a variable, once per version; `tensor` is its content."""
        value, number = tensor.value, variable.id
        if number not in self.watched:
            why = variable._unwatched(self.watches_variables)
            if why:
                self.accessed(variable)
                self.note("unwatched", here(), {"op": "ReadVariableOp", "inputs": (number,), "outputs": (tensor.id,), **why})
                return
        self.variables[number] = variable
        self.watch(number, value.dtype)
        self.watched.add(tensor.id)
        self.entries.append(("ReadVariableOp", (number,), tensor.id, variable._reading, *here(), (value,), value))

    def accessed(self, variable: Variable) -> None:
        """Count a variable as used, also where it is only assigned or has no slope, as TensorFlow does."""
        if variable.trainable and self.watches_variables:
            self.variables.setdefault(variable.id, variable)

    def cut(self, number: Number) -> None:
        """Watch what `stop_gradient` made no more: what is computed from it alone is not recorded."""
        self.watched.discard(number)
        self.cuts.add(number)

    def note(self, kind: str, where: Where, about: Any) -> None:
        """Write a line into the margin."""
        self.margin.append((kind, len(self.entries), where, about))

    # ---- playing backwards

    def steps(self, targets: list[Tensor], sources: Sequence[Tensor | Variable], seeds: list[Any] | None = None) -> Iterator[Step]:
        """Play the tape backwards: yield a `Step` per visited entry. `targets`, `sources`: tensors; `seeds`: adjoints, else ones."""
        return Play(self, targets, sources, seeds).steps()

    def gradient(self, targets: list[Tensor], sources: Sequence[Tensor | Variable], seeds: list[Any] | None = None) -> list[Tensor | None]:
        """Return the derivative of the sum of the targets along each source, None where nothing leads there."""
        return Play(self, targets, sources, seeds).gradients()

    def release(self) -> None:
        """Let the arrays go; the entries stay, for those who ask what happened."""
        self.entries = list(map(WITHOUT_ARRAYS, self.entries))
