"""The tape: a list of what was computed, to be played backwards (`walk.py`).

While a tape records, every operation that uses something watched adds one entry: the operation's
name, the numbers of its inputs and outputs, its attributes, its position in the program, and the
arrays of its inputs and outputs, which its rules may need. These arrays are what a tape costs in
memory. A tape that is not persistent releases them after its first play, unless something was
surprising (`surprises.py`): a gradient, a target, or two shapes that were both broadcast. The
entries are kept.

Plays, variables and notes are in `annotated_tape.py`, TensorFlow's interface in
`gradient_tape.py`.
"""

from __future__ import annotations

from operator import itemgetter
from types import CodeType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import float32, ndarray

from .base.listeners import active, listeners

if TYPE_CHECKING:
    from .base.aliases import Array, Attributes, Number, Numbers, Output, RawEntry

FLOAT32 = np.dtype(float32)
WITHOUT_ARRAYS = itemgetter(slice(6))  # of an entry


class Tape:
    """A list of entries, and the numbers of the tensors that are watched.

    `entries`: tuples (op, inputs, output, attributes, code, offset, values, y). op is a name;
    inputs are the numbers of tensors, output is one number or a tuple of them; attributes a
    dictionary or None; code and offset the place in the program; values the arrays of the inputs, y
    that of the output (or a tuple). These two are gone once a tape is used up, unless something was
    surprising. `watched`: numbers of the tensors and variables whose uses are recorded; `leaves`:
    those among them that were watched by hand or by reading.
    """

    def __init__(self, persistent: bool = False) -> None:
        self.persistent, self.used = persistent, False
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.entries: list[RawEntry] = []
        self.watched: set[Number] = set()
        self.leaves: set[Number] = set()
        self.holomorphic = False  # True once a complex number was met

    def start(self) -> None:
        """Start recording: listeners in `active` are notified of every operation."""
        active.set((*listeners(), self))

    def stop(self) -> None:
        """Stop recording."""
        active.set(tuple([t for t in listeners() if t is not self]))

    def watch(self, number: Number, dtype: np.dtype) -> None:
        """Watch a tensor, or a variable: what is computed from it from now on is recorded."""
        if number not in self.watched:
            self.leaves.add(number)
            self.watch_output(number, dtype)

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
        """Add an entry where one of the inputs is watched. Called for every operation while the
        tape records.
        """
        watched = self.watched
        if inputs[0] not in watched and watched.isdisjoint(inputs):  # nearly always it is the first
            self.pass_by(op, inputs, output, code, offset)
            return
        if type(y) is float32 or type(y) is ndarray and y.dtype is FLOAT32:  # as nearly always
            watched.add(output)  # type: ignore[arg-type]  # of one array, one number
        elif isinstance(output, tuple):
            for number, array in zip(output, y):
                self.watch_output(number, array.dtype)
        else:
            self.watch_output(output, y.dtype)
        self.entries.append((op, inputs, output, attributes, code, offset, values, y))

    def watch_output(self, number: Number, dtype: np.dtype) -> None:
        """Watch what was computed from something watched, where it has a slope: integers and truth
        values have none.
        """
        kind = dtype.kind
        if kind in "fc":
            self.watched.add(number)
            if kind == "c":
                self.holomorphic = True

    def pass_by(
        self, op: str, inputs: Numbers, output: Output, code: CodeType, offset: int
    ) -> None:
        """Ignore an operation that uses nothing watched."""

    def release(self) -> None:
        """Release the arrays; the entries stay for later questions."""
        self.entries = list(map(WITHOUT_ARRAYS, self.entries))
