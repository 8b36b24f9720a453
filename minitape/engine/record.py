"""Operations, and the one place that computes arrays and tells tapes: `run`.

An operation is one row of a table: its name, its NumPy kernel, and one gradient rule per input. The tables are in
`ops/`. Everything public goes through `run`, so that nothing can be computed behind the tape's back.
"""

from sys import _getframe

import numpy as np
from numpy import ndarray

from .arrays import array_of
from .misfits import MISTAKES, misfit, same_dtype
from .notes import active
from .tensor import Tensor, new_id
from .where import inside, learners_frame

new = object.__new__
FLOAT32 = np.dtype(np.float32)
OPS = {}                          # every row by its name: the whole table of derivatives
UNREGISTERED = "unregistered"     # no rule at all: an error when a gradient passes, as in TensorFlow


def passed_on(g, y, *inputs, **attributes):
    """Give the adjoint to an input as it is: the rule of addition, of reading a variable, of stretching."""
    return g


class Op:
    """One row of the table of derivatives.

    `kernel(*arrays, **attributes)` computes; `rules[i](g, y, *inputs, **attributes)` gives the part of the adjoint
    `g` of the output `y` that goes to input `i`; None blocks silently. `each(i, g, y, *inputs)` serves operations
    with any number of inputs alike, `joint(g, y, *inputs)` gives all parts at once. `batched` says that the rules
    leave extra axes at the front of `g` alone. Called with tensors it runs and is recorded; called with arrays it
    only computes: so the rules, which are written in operations, serve both.
    """

    __slots__ = ("name", "kernel", "rules", "each", "joint", "batched", "mixed", "registered")

    def __init__(self, name, kernel, *rules, each=None, joint=None, batched=False, mixed=False):
        self.name, self.kernel, self.each, self.joint = name, kernel, each, joint
        self.registered = rules != (UNREGISTERED,)
        self.rules = rules if self.registered else ()
        self.batched, self.mixed = batched, mixed
        if name in OPS:
            raise ValueError(f"The table of operations already has a row {name!r}.")
        OPS[name] = self

    def rule(self, i):
        """Return the rule for input `i`, or None where it blocks."""
        if self.each is not None:
            return lambda g, y, *inputs, **attributes: self.each(i, g, y, *inputs, **attributes)
        if self.joint is not None:
            return lambda g, y, *inputs, **attributes: self.joint(g, y, *inputs, **attributes)[i]
        return self.rules[i] if i < len(self.rules) else None

    def __call__(self, *inputs, **attributes):
        for x in inputs:
            if type(x) is Tensor:
                return run(self, tensors(inputs), attributes or None)
        y = self.kernel(*inputs, **attributes)
        return y[()] if type(y) is ndarray and not y.ndim else y

    def __repr__(self):
        return f"<operation {self.name}>"


def plain(y):
    """Return an array without axes as a NumPy scalar."""
    return y[()] if type(y) is np.ndarray and not y.ndim else y


def tensors(inputs):
    """Convert the inputs of one operation to tensors; Python numbers take the dtype of the tensor beside them."""
    like = next(x for x in reversed(inputs) if type(x) is Tensor)       # the first of `select` is a boolean
    return [x if type(x) is Tensor else Tensor(array_of(x, like.dtype if isinstance(x, (int, float)) else None))
            for x in inputs]


def run(op, inputs, attributes=None):
    """Compute one operation on tensors, and tell every tape that records.

    Returns a tensor, or a tuple of tensors where the kernel returns a tuple. Raises `InvalidArgumentError` for shapes
    and values that do not fit, with the learner's shapes.
    """
    if len(inputs) == 1:                                         # no loop where none is needed: this is a busy place
        x = inputs[0]
        values, numbers = (x.value,), (x.id,)
    else:
        values, numbers = tuple([x.value for x in inputs]), tuple([x.id for x in inputs])
        if not op.mixed and values[0].dtype is not values[-1].dtype:
            same_dtype(op.name, values)
    try:
        y = op.kernel(*values) if attributes is None else op.kernel(*values, **attributes)
    except MISTAKES as error:
        raise misfit(op, values, error) from error
    frame = _getframe(1)
    while inside.get(frame.f_code.co_filename) and frame.f_back: # out of minitape's wrappers, to the learner
        frame = frame.f_back
    code = frame.f_code
    if code.co_filename not in inside:                           # a file that was not met before
        frame = learners_frame(2)
        code = frame.f_code
    offset = frame.f_lasti
    if type(y) is tuple:
        y = tuple([plain(v) for v in y])
        result = tuple([Tensor(v, (code, offset)) for v in y])
        number = tuple([t.id for t in result])
    else:
        if type(y) is ndarray:
            if not y.ndim:
                y = y[()]
        elif type(y) is bytes:                                   # two strings joined: Python answers for NumPy
            y = np.bytes_(y)
        result = new(Tensor)
        result.value = y
        result.id = number = new_id()
        result.code, result.offset = code, offset
    for tape in active.get():
        tape._record(op.name, numbers, number, attributes, code, offset, values, y)
    return result
