"""A complete gradient tape on one page: the idea that the rest of minitape makes fast, faithful and friendly.

Forwards, `run` computes an operation and tells the tape, which writes it down. Backwards, `steps` reads the tape from its end: so an
output is met after all of its uses, and its adjoint (the slope of the target along it) is complete; that of a source that is nobody's
output is complete at the end. Rules turn an adjoint into a part for each input; parts that reach the same tensor are added.
"""

from collections import namedtuple
from itertools import count

import numpy as np

new_number = count(1).__next__
tapes = []                                                         # those that record now
Entry = namedtuple("Entry", "op inputs output attributes")         # one operation, as data
Step = namedtuple("Step", "entry adjoint parts")                   # one entry visited on the way back; parts: {which input: part}


class Tensor:
    """An array that never changes, with a number by which tapes know it."""
    def __init__(self, value): self.value, self.number = np.asarray(value, float), new_number()
    def __repr__(self): return f"#{self.number} = {self.value}"
    def __add__(self, other): return run("add", self, other)
    def __sub__(self, other): return self + -other
    def __mul__(self, other): return run("multiply", self, other)
    def __truediv__(self, other): return run("divide", self, other)
    def __matmul__(self, other): return run("matmul", self, other)
    def __neg__(self): return run("negative", self)
    __radd__, __rmul__ = __add__, __mul__


def summed(x, shape):
    """Undo a stretching: add up along the axes that broadcasting put in front of `shape`, and those of length 1 that it made longer."""
    ones = [k - len(shape) for k, n in enumerate(shape) if n == 1]
    return x.sum(axis=(*range(x.ndim - len(shape)), *ones), keepdims=True).reshape(shape)


# The table of derivatives: how an operation computes, then one rule per input. In a rule, g is the adjoint of the output y; a, b
# and x are the inputs. Rules are made of operations themselves, so an outer tape can record them. None: flat, nothing passes back.
TABLE = {
    "add":       (np.add,       lambda g, y, a, b: g,                        lambda g, y, a, b: g),
    "multiply":  (np.multiply,  lambda g, y, a, b: g * b,                    lambda g, y, a, b: g * a),
    "divide":    (np.divide,    lambda g, y, a, b: g / b,                    lambda g, y, a, b: -g * y / b),
    "matmul":    (np.matmul,    lambda g, y, a, b: g @ run("transpose", b),  lambda g, y, a, b: run("transpose", a) @ g),
    "transpose": (np.transpose, lambda g, y, x: run("transpose", g)),
    "negative":  (np.negative,  lambda g, y, x: -g),
    "exp":       (np.exp,       lambda g, y, x: g * y),
    "log":       (np.log,       lambda g, y, x: g / x),
    "tanh":      (np.tanh,      lambda g, y, x: g * (1 + -y * y)),
    "round":     (np.round,     None),
    "sum_to":    (summed,       lambda g, y, x, shape: g * np.ones(x.value.shape)),
}


def run(op, *inputs, **attributes):
    """Compute one operation and tell every tape that records: all results are made here."""
    inputs = [x if isinstance(x, Tensor) else Tensor(x) for x in inputs]
    output = Tensor(TABLE[op][0](*[x.value for x in inputs], **attributes))
    for tape in tapes:
        tape.record(Entry(op, inputs, output, attributes))
    return output


class Tape:
    """A list of entries, and the numbers of the tensors that are watched."""
    def __init__(self): self.entries, self.watched = [], set()
    def __enter__(self): return tapes.append(self) or self
    def __exit__(self, *error): tapes.remove(self)
    def watch(self, tensor): self.watched.add(tensor.number)

    def record(self, entry):
        """Write an entry down if it uses something watched; from then on its output is watched, too."""
        if any(x.number in self.watched for x in entry.inputs):
            self.watched.add(entry.output.number)
            self.entries.append(entry)

    def steps(self, target, adjoints):
        """Play backwards: yield a step per visited entry, and gather adjoints by the numbers of their tensors."""
        adjoints[target.number] = Tensor(np.ones(target.value.shape))
        for entry in reversed(self.entries[:]):                    # a copy: a tape that still records hears its own play
            g, parts = adjoints.get(entry.output.number), {}
            if g is None: continue                                 # the target does not depend on it
            for i, (x, rule) in enumerate(zip(entry.inputs, TABLE[entry.op][1:])):
                if rule is not None and x.number in self.watched:
                    part = rule(g, entry.output, *entry.inputs, **entry.attributes)
                    parts[i] = part if part.value.shape == x.value.shape else run("sum_to", part, shape=x.value.shape)
                    adjoints[x.number] = adjoints[x.number] + parts[i] if x.number in adjoints else parts[i]
            yield Step(entry, g, parts)

    def gradient(self, target, sources):
        """Return the slope of the target along each source; None where no way leads there."""
        list(self.steps(target, adjoints := {}))                   # to the end: each step fills the dictionary
        return [adjoints.get(x.number) for x in sources]


if __name__ == "__main__":                                         # python -m minitape.one_page
    with Tape() as tape:
        tape.watch(x := Tensor(2.0))
        y = x * x + 3 * x
    print(*tape.entries, *tape.steps(y, {}), f"dy/dx: {tape.gradient(y, [x])[0]}", sep="\n\n")
