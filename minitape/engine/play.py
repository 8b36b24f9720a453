"""One play of a tape backwards: what is asked, the seeds, and what comes out.

The walk itself is in `walk.py`. Here stands what surrounds it: targets and sources are checked, each target gets its
seed, and a tape that is not persistent lets its arrays go afterwards.
"""

from math import inf

import numpy as np
from numpy import vdot

from .convert import convert_to_tensor
from .errors import DTypeWarning, InvalidArgumentError, TapeUseWarning
from .nest import flatten
from .notes import active
from .tensor import Tensor, new_id, wrap
from .variable import Variable
from .walk import walk
from .where import here, warn

LOOKED_AT = 65_536       # numbers of a result that are looked at for surprises: 4 microseconds


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
        made = set(self.numbers) - (self.tape._leaves - self.tape._cuts)           # sources that are outputs of an entry: kept on the way
        parts = walk(self.entries, self.values, self.ys, self.reach(), self.adjoints, made, self.recording, self.lead,
                     self.tape._holomorphic)
        for observer in self.tape.observers:
            parts = observer(self, parts)
        return parts

    def release(self):
        """Mark a non-persistent tape as used and drop its arrays; the entries stay, for those who ask what happened.

        Where a result is None, zero, huge or not a number, the arrays stay as long as the tape does: to say why,
        `explain` needs them.
        """
        if not self.tape._persistent:
            self.tape._used = True
            if not self.surprising():
                self.tape._values, self.tape._results = [], []

    def surprising(self):
        """Return True where a result is None, all zero, not finite or huge, or a target is not finite.

        Of large results only the beginning is looked at: a training step should not wait for a question that is
        rarely asked.
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
            if g.size > LOOKED_AT:
                g = g.reshape(-1)[:LOOKED_AT]
            if not 0 < float(vdot(g, g).real) < 1e16 and g.size:        # false for nan as well
                return True
        return False

    def results(self):
        """Return one tensor, or None, per source."""
        found = [self.adjoints.get(n) for n in self.numbers]
        code, offset = here()
        return [g if g is None or type(g) is Tensor else wrap(g, new_id(), code, offset) for g in found]
