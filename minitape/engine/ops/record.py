"""Operations, and `run`, which computes them and notifies tapes.

An operation is one row of a table: its name, its NumPy kernel, and one gradient rule per input. The
tables are the files beside this one; what else is known of a row stands in `facts.py`. The
operators `+ - * / // % **`, `@` and `< <= > >=` use a copy of `run` in `common_run.py` that is
inlined for speed (set breakpoints there); a test compares the two. Three others write on a tape: a
variable that is read (`Variable._read`), a function with a gradient of its own
(`api/gradients.py`), and `tf.gradients`, which copies a trace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..base.aliases import Attributes, Value
from ..base.arrays import plain, tensors
from ..base.listeners import listeners
from ..base.mismatches import NUMPY_ERRORS, check_dtypes, mismatch_error
from ..base.tensor import Tensor, new_id, wrap
from ..base.where import here

OPS: dict[str, Op] = {}  # every row by its name: the whole table of derivatives
# refuses: an error when a gradient passes, as in TensorFlow; a row without rules only blocks
UNREGISTERED = "unregistered"


def passed_on(g: Value, y: Value, *inputs: Value, **attributes: Any) -> Value:
    """Give the adjoint to an input as it is: the rule of addition, of reading a variable, of
    stretching.
    """
    return g


class Op:
    """One row of the table of derivatives.

    `kernel(*arrays, **attributes)` computes; `rules[i](g, y, *inputs, **attributes)` gives the part
    of the adjoint `g` of the output `y` that goes to input `i`; None, or none at all, blocks
    silently. `each(i, g, y, inputs)` serves operations with any number of inputs alike; `joint(g,
    y, *inputs)`, all parts at once, is for functions with a gradient of their own and for compiled
    ones: none of the tables beside this file has it. `batched` is False where the rules do not
    leave extra axes at the front of `g` alone; `mixed` says that inputs may differ in dtype. Called
    with tensors it runs and is recorded; called with arrays it only computes: so the rules, which
    are written in operations, serve both.
    """

    __slots__ = ("name", "kernel", "rules", "each", "joint", "batched", "mixed", "registered")

    def __init__(
        self,
        name: str,
        kernel: Callable[..., Any],
        *rules: Any,
        each: Any = None,
        joint: Any = None,
        batched: bool = True,
        mixed: bool = False,
    ) -> None:
        self.name, self.kernel, self.each, self.joint = name, kernel, each, joint
        self.registered = rules != (UNREGISTERED,)
        self.rules = rules if self.registered else ()
        self.batched, self.mixed = batched, mixed
        if name in OPS:
            raise ValueError(f"The table of operations already has a row {name!r}.")
        OPS[name] = self

    def __call__(self, *inputs: Any, **attributes: Any) -> Any:
        for x in inputs:
            if type(x) is Tensor:
                return run(self, tensors(inputs), attributes or None)
        return plain(self.kernel(*inputs, **attributes))

    def __repr__(self) -> str:
        return f"<operation {self.name}>"


def run(op: Op, inputs: Sequence[Tensor], attributes: Attributes = None) -> Any:
    """Compute one operation on tensors, and notify all listeners.

    Returns a tensor, or a tuple of tensors where the kernel returns a tuple. Raises
    `InvalidArgumentError` for shapes and values that do not fit, with the learner's shapes.
    """
    if len(inputs) == 1:  # nearly always one, or two: no loop for these
        values, numbers = (inputs[0].value,), (inputs[0].id,)
    elif len(inputs) == 2:
        a, b = inputs
        values, numbers = (a.value, b.value), (a.id, b.id)
    else:
        values, numbers = tuple([x.value for x in inputs]), tuple([x.id for x in inputs])
    if len(values) > 1:
        check_dtypes(op, values)
    try:
        y = op.kernel(*values) if attributes is None else op.kernel(*values, **attributes)
    except NUMPY_ERRORS as error:
        raise mismatch_error(op, values, error) from error
    code, offset = where = here()
    if type(y) is tuple:
        y = tuple([plain(v) for v in y])
        output = tuple([Tensor(v, where) for v in y])
        number = tuple([t.id for t in output])
    else:
        y, number = plain(y), new_id()
        output = wrap(y, number, code, offset)
    for listener in listeners():
        listener.record(op.name, numbers, number, attributes, code, offset, values, y)
    return output
