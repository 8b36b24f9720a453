"""The gradient tape: a list of what was computed, and the play backwards over it.

While a tape records, every operation that touches something watched adds one entry: its name, the numbers of its
inputs and outputs, its attributes, and where in the program it stands. Beside the entries lie the arrays that the
rules will need (`kept`): this is the memory that a tape costs. What was seen but not recorded stands in the margin
(`notes`).
"""

from collections import deque
from contextlib import contextmanager
from enum import Enum
from typing import NamedTuple

import numpy as np

from .errors import DTypeWarning
from .nest import flatten, is_nested, pack_sequence_as
from .notes import Note, active, note
from .play import Play
from .record import FLOAT32
from .tensor import Tensor, new_id
from .variable import Variable
from .walk import steps_of
from .where import here, warn


class UnconnectedGradients(Enum):
    """What `gradient` answers for a source that the target does not depend on. Source: `tf.UnconnectedGradients`."""

    NONE = "none"
    ZERO = "zero"


class Entry(NamedTuple):
    """One card of the tape: plain data, no arrays.

    `op`: the name of the operation; `inputs`, `outputs`: the numbers of the tensors; `attributes`: a dictionary or
    None; `where`: (code object, instruction offset), see `engine.where.span`.
    """

    op: str
    inputs: tuple
    outputs: tuple
    attributes: dict
    where: tuple


class GradientTape:
    """Record operations for automatic differentiation.

    Use it as a context: what is computed inside of the block from watched values is recorded; trainable variables are
    watched when they are read. A tape gives its gradients once, unless `persistent`. Source: `tf.GradientTape`.
    """

    on_none = None       # called as on_none(tape, target, sources, results) where a gradient is None; set by the package
    observers = ()       # each is called as observer(play, steps) and returns the steps: how a picture watches a real play
    recorders = ()       # each is called as recorder(tape) when a tape begins to record

    def __init__(self, persistent=False, watch_accessed_variables=True):
        self._persistent, self._watch_accessed_variables = persistent, watch_accessed_variables
        self._where = here()
        self._recording = False
        self._used = True                           # a tape that never recorded has nothing to give
        self._clear()

    def _clear(self):
        self._entries, self._notes = [], []         # plain data
        self._values, self._results = [], []        # beside each entry: the arrays of its inputs, and of its output
        self._watched = self._heard = set()         # one set: the readings that were heard are watched
        self._leaves, self._cuts, self._variables = set(), set(), {}
        self._blocks = []                           # the counter when each stretch of recording began and ended
        self._holomorphic = False

    # ---- what was recorded

    @property
    def entries(self):
        """The recorded operations, in order: a list of `Entry`."""
        return [Entry(name, inputs, output if type(output) is tuple else (output,), attributes, (code, offset))
                for name, inputs, output, attributes, code, offset in self._entries]

    @property
    def kept(self):
        """The arrays that the tape holds: `(inputs, outputs)` per entry, as tuples of arrays; empty once a tape has
        been used up.
        """
        return [(values, y if type(y) is tuple else (y,)) for values, y in zip(self._values, self._results)]

    @property
    def notes(self):
        """The margin: what was seen but not recorded, a list of `Note`."""
        return [Note(kind, at, where, dict(zip(("op", "inputs", "outputs"), about)) if type(about) is tuple else about)
                for kind, at, where, about in self._notes]

    persistent = property(lambda self: self._persistent, doc="True where gradients can be asked for more than once.")
    used = property(lambda self: self._used, doc="True once a non-persistent tape has given its gradients.")
    where = property(lambda self: self._where, doc="Where the tape was made: (code object, instruction offset).")

    def watched_variables(self):
        """Return the variables that the tape watches, in the order of their creation.

        Source: `tf.GradientTape.watched_variables`.
        """
        return tuple([self._variables[number] for number in sorted(self._variables)])

    # ---- recording

    def __enter__(self):
        if self._recording:
            raise ValueError("Tape is still recording, This can happen if you try to re-enter an already-active tape.")
        if self._used and self._blocks:             # what was used up is gone: begin anew
            self._clear()
        self._used = False
        self._start()
        return self

    def __exit__(self, *error):
        if self._recording:
            self._stop()

    def _start(self):
        active.set(active.get() + (self,))
        self._blocks.append((new_id(), None))
        self._recording = True
        for recorder in GradientTape.recorders:
            recorder(self)

    def _stop(self):
        active.set(tuple([t for t in active.get() if t is not self]))
        self._blocks[-1] = (self._blocks[-1][0], new_id())
        self._recording = False

    def watch(self, tensor):
        """Watch a tensor or a structure of tensors: what is computed from it from now on is recorded.

        Warns for dtypes that have no slope. Raises ValueError for anything else than tensors. Source:
        `tf.GradientTape.watch`.
        """
        for t in flatten(tensor):
            if not isinstance(t, (Tensor, Variable)):
                raise ValueError(f"Passed in object {t!r} of type {type(t).__name__!r}, not tf.Tensor or tf.Variable or ExtensionType. "
                                 "Make a tensor of it first: x = tf.constant(x), then tape.watch(x).")
            if not t.dtype.is_differentiable:
                warn(f"The dtype of the watched tensor must be floating (e.g. tf.float32), got {t.dtype!r}", DTypeWarning)
                self._notes.append(("integer", len(self._entries), here(), {"id": t.id, "dtype": t.dtype.name}))
                continue
            self._notes.append(("watch", len(self._entries), here(), {"id": t.id}))
            self._holomorphic = self._holomorphic or t.dtype.is_complex
            if isinstance(t, Variable):
                self._variables.setdefault(t.id, t)
            if t.id not in self._watched:
                self._watched.add(t.id)
                self._leaves.add(t.id)

    def _accessed(self, variable):
        """Count a variable among `watched_variables`, also where it is only assigned or has no slope, as TensorFlow does."""
        if variable.trainable and self._watch_accessed_variables:
            self._variables.setdefault(variable.id, variable)

    def _read(self, variable, tensor):
        """Record the reading of a variable, once per version."""
        number = variable.id
        if number not in self._watched:
            kind = tensor.value.dtype.kind
            if not (variable.trainable and self._watch_accessed_variables and kind in "fc"):
                self._accessed(variable)
                why = "dtype" if kind not in "fc" else "not trainable" if not variable.trainable else "watch_accessed_variables"
                self._notes.append(("unwatched", len(self._entries), here(),
                                    {"op": "ReadVariableOp", "inputs": (number,), "outputs": (tensor.id,), "why": why,
                                     "name": variable.name, "dtype": variable.dtype.name, "version": variable.version}))
                return
            self._variables[number] = variable
            self._watched.add(number)
            self._leaves.add(number)
        value = tensor.value
        if value.dtype.kind == "c":
            self._holomorphic = True
        self._watched.add(tensor.id)
        self._entries.append(("ReadVariableOp", (number,), tensor.id, variable._reading, *here()))
        self._values.append((value,))
        self._results.append(value)

    def _record(self, name, inputs, output, attributes, code, offset, values, y):
        """Add an entry where an input is watched, else a note. Called for every operation while the tape records.

        `inputs` are numbers, `output` is a number or a tuple of numbers.
        """
        several = type(output) is tuple
        if self._watched.isdisjoint(inputs):
            made = output if several else (output,)
            self._notes.append(("unwatched", len(self._entries), (code, offset), (name, inputs, made)))
            return
        if type(y) is np.ndarray and y.dtype is FLOAT32:
            self._watched.add(output)
        else:
            self._watch_outputs(output if several else (output,), y if several else (y,))
        self._entries.append((name, inputs, output, attributes, code, offset))
        self._values.append(values)
        self._results.append(y)

    def _watch_outputs(self, outputs, arrays):
        for number, array in zip(outputs, arrays):
            kind = array.dtype.kind
            if kind == "f" or kind == "c":
                self._watched.add(number)
                self._holomorphic = self._holomorphic or kind == "c"

    def _cut(self, number):
        """Watch an output of `stop_gradient` no more: what is computed from it alone is not recorded."""
        self._watched.discard(number)
        self._cuts.add(number)

    @contextmanager
    def stop_recording(self):
        """Stop the recording inside of the block: what is computed there costs no memory and has no gradient.

        Raises ValueError where the tape is not recording any more, RuntimeError where it never did. Source:
        `tf.GradientTape.stop_recording`.
        """
        if not self._blocks:
            raise RuntimeError("Trying to stop recording a tape which is not recording. Do this inside of the tape's `with` block.")
        self._must_record()
        self._notes.append(("stop", len(self._entries), here(), {"id": new_id()}))
        self._stop()
        try:
            yield
        finally:
            self._start()
            self._notes.append(("resume", len(self._entries), here(), {"id": new_id()}))

    def reset(self):
        """Forget everything recorded and watched so far, and go on.

        Raises ValueError where the tape is not recording. Source: `tf.GradientTape.reset`.
        """
        self._must_record()
        self._clear()
        self._notes.append(("reset", 0, here(), {"id": new_id()}))
        self._blocks.append((new_id(), None))

    def _must_record(self):
        if not self._recording:
            raise ValueError("Tape is not recording. Do this inside of the tape's `with` block, before its gradient was asked for.")

    # ---- playing backwards

    def gradient(self, target, sources, output_gradients=None, unconnected_gradients=UnconnectedGradients.NONE):
        """Compute the derivative of `target` with respect to `sources`, by one play backwards.

        `target`, `sources`: tensors, variables or structures of them; several targets, and the elements of one, are
        summed. `output_gradients`: one seed per target, None for ones. Returns the structure of `sources`, None where
        a source is not connected (zeros with `UnconnectedGradients.ZERO`). Raises RuntimeError for a used tape,
        LookupError for an operation without gradient, TypeError and ValueError for anything but tensors. Source:
        `tf.GradientTape.gradient`.
        """
        zero = UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO
        play = Play(self, target, sources, output_gradients)
        try:
            deque(play.parts(), maxlen=0)
        finally:
            play.release()
        results = play.results()
        if play.recording:
            note("gradient", targets=tuple([t.id for t in play.targets]), sources=tuple(play.numbers),
                 results=tuple([None if r is None else r.id for r in results]))
        if GradientTape.on_none is not None and not zero and any(r is None for r in results):
            GradientTape.on_none(self, play, results)
        if zero:
            results = [zeros_of(s) if r is None else r for r, s in zip(results, play.sources)]
        return pack_sequence_as(sources, results) if is_nested(sources) else results[0]

    def steps(self, target, sources, output_gradients=None):
        """Play the tape backwards one card at a time: yield a `Step` per visited card.

        The same generator that `gradient` drains. Each step tells the card's number on the tape, the adjoints of its
        outputs, and the parts that its rules send to the inputs, as arrays. Uses a non-persistent tape up, as
        `gradient` does.
        """
        play = Play(self, target, sources, output_gradients)
        try:
            yield from steps_of(play, play.parts())
        finally:
            play.release()

    def jacobian(self, target, sources, unconnected_gradients=UnconnectedGradients.NONE, parallel_iterations=None,
                 experimental_use_pfor=True):
        """Compute the derivative of each element of `target` with respect to each element of `sources`.

        Shapes: target.shape + source.shape, in the structure of `sources`. All rows are computed in one play over a
        batch of seeds. Raises as `gradient` does. Source: `tf.GradientTape.jacobian`.
        """
        from .jacobians import jacobian
        return jacobian(self, target, sources, unconnected_gradients)

    def batch_jacobian(self, target, source, unconnected_gradients=UnconnectedGradients.NONE, parallel_iterations=None,
                       experimental_use_pfor=True):
        """Compute one Jacobian per example: `target` has shape (b, ...), `source` (b, ...), the result (b, ..., ...).

        Assumes that target[i] depends on source[i] only. Raises ValueError for other shapes. Source:
        `tf.GradientTape.batch_jacobian`.
        """
        from .jacobians import batch_jacobian
        return batch_jacobian(self, target, source, unconnected_gradients)

    def explain(self, target, source):
        """Explain the gradient of `target` with respect to `source`: why it is None, zero, or not a number, and where.

        Works before and after `gradient`. Returns an `Explanation`, or a structure of them like `source`. Raises TypeError
        for anything but tensors and variables.
        """
        from ..explain import explain
        return explain(self, target, source)


def zeros_of(source):
    """Return zeros of the shape and dtype of a source."""
    like = source._tensor.value if isinstance(source, Variable) else source.value
    return Tensor(np.zeros_like(like)[()])
