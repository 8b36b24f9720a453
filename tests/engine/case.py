"""What a row of the table of derivatives needs in order to be checked: how it is called, and on
what numbers.

A `Case` is plain data. The files of `cases/` export lists of them, one file per family of
operations, and `check.py` compares the gradients that the tape gives with finite differences,
orders 1 and 2. Every row of `minitape.engine.ops.record.OPS` must have a case.
"""

from collections.abc import Callable
from dataclasses import dataclass

FLOATS = ("float64", "float32", "float16")


@dataclass(frozen=True)
class Case:
    """One way to call one row.

    `op`: the row's name, which the tape must show when `call(*tensors)` was run. `shapes`: None for
    elementwise operations (any shapes that broadcast, also size 0), else alternatives, each with
    one shape per input. `domain`: an interval to draw from, or one per input. `order`: how often it
    may be differentiated (0: the gradient is None, silently). `complex`: also checked with complex
    numbers. `dtypes`: the dtypes whose gradients are compared with float64's. `tolerance`: of
    float64 against finite differences. `unregistered`: a LookupError is due. `reached`: False where
    only integers and booleans come in, so that no tape records the row.
    """

    op: str
    call: Callable
    inputs: int = 1
    shapes: tuple | None = None
    domain: tuple = (-2.0, 2.0)
    order: int = 2
    complex: bool = False
    dtypes: tuple = FLOATS
    tolerance: float = 1e-5
    unregistered: bool = False
    reached: bool = True

    def __repr__(self):
        return self.op

    def interval(self, i):
        """Return the interval for input i."""
        return self.domain[i] if isinstance(self.domain[0], (tuple, list)) else self.domain

    def count(self):
        """Return the number of inputs."""
        return self.inputs if self.shapes is None else len(self.shapes[0])


def elementwise(op, call, inputs=1, **more):
    """Return the case of an operation that works element by element and broadcasts."""
    return Case(op, call, inputs=inputs, **more)


def shaped(op, call, *shapes, **more):
    """Return the case of an operation that wants these shapes: each alternative is a list with one
    shape per input.
    """
    return Case(op, call, shapes=tuple(tuple(alternative) for alternative in shapes), **more)
