"""The gradient tape: a list of what was computed, and the play backwards over it.

While a tape records, every operation that touches something watched adds one entry: its name, the numbers of its
inputs and outputs, its attributes, and where in the program it stands. Beside the entries lie the arrays that the
rules will need (`kept`): this is the memory that a tape costs. What was seen but not recorded stands in the margin
(`notes`).
"""

from collections import deque
from contextlib import contextmanager
from enum import Enum
from math import inf
from typing import NamedTuple

import numpy as np
from numpy import vdot

from .dtypes import as_dtype
from .errors import DTypeWarning, InvalidArgumentError, TapeUseWarning
from .nest import flatten, is_nested, pack_sequence_as
from .notes import Note, active, note
from .record import FLOAT32, OPS
from .tensor import Tensor, array_of, new_id, wrap
from .variable import Variable, convert_to_tensor
from .walk import steps_of, walk
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
        self._leaves, self._variables = set(), {}
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

    def _read(self, variable, tensor):
        """Record the reading of a variable, once per version."""
        number = variable.id
        if number not in self._watched:
            kind = tensor.value.dtype.kind
            if not (variable.trainable and self._watch_accessed_variables and kind in "fc"):
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

    @contextmanager
    def stop_recording(self):
        """Stop the recording inside of the block: what is computed there costs no memory and has no gradient.

        Raises ValueError where the tape is not recording. Source: `tf.GradientTape.stop_recording`.
        """
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


class Play:
    """One play of a tape backwards: its targets, seeds, sources and adjoints. `gradient`, `steps` and `jacobian` are
    made of it.
    """

    def __init__(self, tape, target, sources, output_gradients=None, seeds=None):
        if tape._used:
            tape._notes.append(("used", len(tape._entries), here(), {}))
            raise RuntimeError("A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians). "
                               "Make it with tf.GradientTape(persistent=True), or ask for all gradients in one call: "
                               "tape.gradient(loss, [w, b]).")
        self.tape, self.structure = tape, sources
        self.inside = tape._recording
        if self.inside and not tape._persistent:
            tape._stop()
        elif self.inside:
            warn("Calling GradientTape.gradient on a persistent tape inside its context is significantly less efficient than calling it "
                 "outside the context (it causes the gradient ops to be recorded on the tape, leading to increased CPU and memory "
                 "usage). Only call GradientTape.gradient inside the context if you actually want to trace the gradient in order "
                 "to compute higher order derivatives.", TapeUseWarning)
        self.targets = [self._target(t) for t in flatten(target)]
        self.sources = flatten(sources)
        for s in self.sources:
            if type(s) is not Variable or s._tensor.value.dtype.kind != "f":
                self._differentiable(s, "source")
        self.recording = bool(active.get())
        self.entries, self.values, self.ys = tape._entries, tape._values, tape._results
        if self.recording:                                       # the play may add entries to its own tape
            self.entries, self.values, self.ys = list(self.entries), list(self.values), list(self.ys)
        self.numbers = [s.id for s in self.sources]
        self.lead = 0 if seeds is None else 1
        self.adjoints = {}
        for number, seed in self._seeds(target, output_gradients) if seeds is None else seeds:
            before = self.adjoints.get(number)
            self.adjoints[number] = seed if before is None else before + seed

    def _target(self, t):
        if isinstance(t, Variable):
            if t._tensor.id not in self.tape._watched:
                self.tape._read(t, t._tensor)
            t = t._tensor
        return self._differentiable(t, "target")

    def _differentiable(self, x, role):
        """Return the target or source, or raise what TensorFlow raises for it: it must be a tensor or a variable."""
        if type(x) is Tensor and x.value.dtype.kind == "f":
            return x                                              # as it nearly always is
        if x is None or isinstance(x, (str, bytes)):
            raise TypeError(f"Argument `{role}` should be a list or nested structure of Tensors, Variables or CompositeTensors to be "
                            f"differentiated, but received {x!r}. "
                            + ("Did the function that computes it forget its `return`?" if x is None else "Pass the tensor itself."))
        if not isinstance(x, (Tensor, Variable)):
            outside = isinstance(x, (np.ndarray, np.generic))
            hint = ("A NumPy value has left the tape; compute it with minitape's operations." if outside else
                    "Compute it with minitape's operations inside of the tape's block." if role == "target" else
                    "The sources are the tensors or variables themselves.")
            raise AttributeError(f"The {role} of a gradient must be a tensor: {type(x).__name__!r} object has no attribute '_id'. {hint}")
        if (x._tensor if isinstance(x, Variable) else x).value.dtype.kind not in "fc":
            warn(f"The dtype of the {role} tensor must be floating (e.g. tf.float32) when calling GradientTape.gradient, got {x.dtype!r}",
                 DTypeWarning)
        return x

    def _seeds(self, target, output_gradients):
        given = [None] * len(self.targets)
        if output_gradients is not None:
            given = flatten(output_gradients)
            if len(given) != len(self.targets):
                raise ValueError(f"output_gradients must have one entry per target: {len(self.targets)} targets, {len(given)} given.")
        for t, g in zip(self.targets, given):
            if g is None:
                kind = t.value.dtype
                seed = None if kind.kind not in "fc" else np.ones(t.value.shape, kind) if t.value.ndim else kind.type(1)
                if self.recording and seed is not None:
                    seed = Tensor(seed)
            else:
                seed = convert_to_tensor(g, dtype=None if isinstance(g, (Tensor, Variable)) else t.dtype)
                if seed.dtype != t.dtype:
                    raise InvalidArgumentError(f"An output gradient has dtype {seed.dtype.name}, its target {t.dtype.name}. Use tf.cast.")
                if seed.shape != t.shape:
                    np.broadcast_shapes(seed.shape, t.shape)
                    seed = Tensor(np.array(np.broadcast_to(seed.value, t.value.shape))) if seed.shape != t.shape else seed
                seed = seed if self.recording else seed.value
            if seed is not None:
                yield t.id, seed

    def reach(self):
        """Return the numbers of all tensors that lie downstream of a source: a part may flow to them."""
        sources = self.tape._watched.intersection(self.numbers)       # what was never watched has no gradient, wherever it is used
        if not self.recording and self.tape._leaves <= sources:
            return self.tape._watched          # everything watched lies downstream of the sources
        reach = set(sources)
        for _, inputs, output, _, _, _ in self.entries:
            if not reach.isdisjoint(inputs):
                reach.update(output if type(output) is tuple else (output,))
        return reach

    def parts(self):
        """Return the generator of the walk; who drains it plays the tape. Observers look at each part as it passes."""
        parts = walk(self.entries, self.values, self.ys, self.reach(), self.adjoints,
                     set(self.numbers) - self.tape._leaves, self.recording, self.lead,
                     self.tape._holomorphic)
        for observer in GradientTape.observers:
            parts = observer(self, parts)
        return parts

    def release(self):
        """Mark a non-persistent tape as used and drop its arrays; the entries stay, for those who ask what happened.

        Where a result is None, zero, huge or not a number, the arrays stay as long as the tape does: to say why, `explain` needs
        them.
        """
        if not self.tape._persistent:
            self.tape._used = True
            if not self.surprising():
                self.tape._values, self.tape._results = [], []

    def surprising(self):
        """Return True where a result is None, all zero, not finite or huge, or a target is not finite.

        Of large results only the beginning is looked at: a training step should not wait for a question that is rarely asked.
        """
        for t in self.targets:
            if t.value.dtype.kind == "f" and not float(vdot(t.value, t.value)) < inf:
                return True
        for number in self.numbers:
            g = self.adjoints.get(number)
            if g is None:
                return True
            if type(g) is Tensor:
                g = g.value
            if g.size > 4096:
                g = g.reshape(-1)[:4096]
            if not 0 < float(vdot(g, g).real) < 1e16 and g.size:        # false for nan as well
                return True
        return False

    def results(self):
        """Return one tensor, or None, per source."""
        found = [self.adjoints.get(n) for n in self.numbers]
        code, offset = here()
        return [g if g is None or type(g) is Tensor else wrap(g, new_id(), code, offset) for g in found]


def zeros_of(source):
    """Return zeros of the shape and dtype of a source."""
    like = source._tensor.value if isinstance(source, Variable) else source.value
    return Tensor(np.zeros_like(like)[()])


__all__ = ["OPS", "Entry", "GradientTape", "Note", "Play", "UnconnectedGradients", "array_of", "as_dtype", "note", "wrap"]
