"""The tape: a list of what was computed, and the play backwards over it.

While a tape records, every operation that uses something watched adds one entry: the operation's name, the numbers of its inputs
and outputs, its attributes, where in the program it stands, and the arrays that its rules will need. These arrays are the memory
that a tape costs. What was seen but not recorded stands in the margin. TensorFlow's ways of asking are in `gradient_tape.py`.
"""

from operator import itemgetter

import numpy as np
from numpy import float32, ndarray

from .ground.listening import active, onlookers
from .ground.tensor import new_id
from .ground.where import here
from .play import Play

FLOAT32 = np.dtype(float32)
WITHOUT_ARRAYS = itemgetter(slice(6))        # of an entry


class Tape:
    """A list of entries, and the numbers of the tensors that are watched.

    `entries`: tuples (op, inputs, output, attributes, code, offset, values, y). op is a name; inputs are the numbers of tensors, output
    is one number or a tuple of them; attributes a dictionary or None; code and offset the place in the program; values the arrays of
    the inputs, y that of the output (or a tuple); once a tape is used up, these two are gone.
    `watched`: numbers of the tensors and variables whose uses are recorded; `leaves`: those among them that were watched by hand or
    by reading; `cuts`: what `stop_gradient` made; `heard`: readings of variables that need not be told again; `glances`: readings for
    `stop_gradient` only, by which a variable does not count as used.
    `margin`: tuples (kind, how many entries there were, where, about); `blocks`: when each stretch of recording began and ended, as
    readings of the counter that numbers the tensors; `variables`: those that were used, by number.
    """

    traces = False

    def __init__(self, persistent=False, watches_variables=True):
        self.persistent, self.watches_variables = persistent, watches_variables
        self.where = here()
        self.recording = self.used = False
        self.clear()

    def clear(self):
        """Forget everything."""
        self.entries, self.margin, self.blocks = [], [], []
        self.watched = self.heard = set()           # one set: the readings that were heard are watched
        self.leaves, self.cuts, self.variables, self.glances = set(), set(), {}, set()
        self.holomorphic = False                    # True once a complex number was met

    def start(self):
        """Record from now on."""
        active.set((*active.get(), self))
        self.blocks.append((new_id(), None))
        self.recording = True
        for onlooker in onlookers.get():
            onlooker.began(self)

    def stop(self):
        """Record no more."""
        active.set(tuple([t for t in active.get() if t is not self]))
        self.blocks[-1] = self.blocks[-1][0], new_id()
        self.recording = False

    # ---- recording

    def watch(self, number, dtype):
        """Watch a tensor, or a variable: what is computed from it from now on is recorded."""
        self.holomorphic = self.holomorphic or dtype.kind == "c"
        if number not in self.watched:
            self.watched.add(number)
            self.leaves.add(number)

    def record(self, op, inputs, output, attributes, code, offset, values, y):
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

    def read(self, variable, tensor):
        """Record the reading of a variable, once per version; `tensor` is its content."""
        value, number, why = tensor.value, variable.id, None
        if tensor.id in self.glances:                # it has its entry already
            self.variables[number] = variable
            self.watched.add(tensor.id)
            return
        if number not in self.watched:
            if value.dtype.kind not in "fc":
                why = "dtype"
            elif not variable.trainable:
                why = "not trainable"
            elif not self.watches_variables:
                why = "watch_accessed_variables"
        if why:
            self.accessed(variable)
            self.note("unwatched", here(), {"op": "ReadVariableOp", "inputs": (number,), "outputs": (tensor.id,), "why": why,
                                            "name": variable.name, "dtype": variable.dtype.name, "version": variable.version})
            return
        self.variables[number] = variable
        self.watch(number, value.dtype)
        self.watched.add(tensor.id)
        self.entries.append(("ReadVariableOp", (number,), tensor.id, variable._reading, *here(), (value,), value))

    def unread(self, variable):
        """Take back that a variable was used: it was read for `stop_gradient` only. Its next reading is told again, and counts."""
        self.variables.pop(variable.id, None)
        self.heard.discard(variable._tensor.id)
        self.glances.add(variable._tensor.id)

    def accessed(self, variable):
        """Count a variable as used, also where it is only assigned or has no slope, as TensorFlow does."""
        if variable.trainable and self.watches_variables:
            self.variables.setdefault(variable.id, variable)

    def cut(self, number):
        """Watch what `stop_gradient` made no more: what is computed from it alone is not recorded."""
        self.watched.discard(number)
        self.cuts.add(number)

    def note(self, kind, where, about):
        """Write a line into the margin."""
        self.margin.append((kind, len(self.entries), where, about))

    # ---- playing backwards

    def must_be_unused(self):
        """Raise RuntimeError where the arrays were let go: such a tape cannot be played."""
        if self.used:
            self.note("used", here(), {})
            raise RuntimeError("A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians). "
                               "Make it with tf.GradientTape(persistent=True), or ask for all gradients in one call: "
                               "tape.gradient(loss, [w, b]).")

    def steps(self, targets, sources, seeds=None):
        """Play the tape backwards: yield a `Step` per visited entry. `targets`, `sources`: tensors; `seeds`: adjoints, else ones."""
        return Play(self, targets, sources, seeds).steps()

    def gradient(self, targets, sources, seeds=None):
        """Return the derivative of the sum of the targets along each source, None where nothing leads there."""
        return Play(self, targets, sources, seeds).gradients()

    def release(self):
        """Let the arrays go; the entries stay, for those who ask what happened."""
        self.entries = list(map(WITHOUT_ARRAYS, self.entries))
