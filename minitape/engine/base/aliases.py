"""Type aliases for the engine's signatures.

They serve readers and type checkers; at run time they load nothing, so any file may name them. The
types that a learner's program may pass (`TensorLike`, `DTypeLike`, ...) are in `engine/typing.py`.
"""

from collections.abc import Callable
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

if TYPE_CHECKING:
    from .. import annotated_tape, play, variable
    from ..ops import record
    from . import value

Array: TypeAlias = np.ndarray  # or a NumPy scalar, where there are no axes
Arrays: TypeAlias = tuple[Array, ...]
Number: TypeAlias = int  # of a tensor or a variable: its `id`
Numbers: TypeAlias = tuple[int, ...]
Output: TypeAlias = Number | Numbers  # of an operation; a tuple where it has several outputs
# axes, shapes, keys: the arguments of an operation that are no tensors
Attributes: TypeAlias = dict[str, Any] | None
# a place in the learner's program: code object, offset into its instructions
Where: TypeAlias = tuple[CodeType, int]

# Types of higher layers, between quotes: only type checkers look them up.
Op: TypeAlias = "record.Op"
Play: TypeAlias = "play.Play"
Tape: TypeAlias = "annotated_tape.AnnotatedTape"
Variable: TypeAlias = "variable.Variable"
DTypeLike: TypeAlias = Any  # these two exactly: `minitape.typing`
TensorLike: TypeAlias = Any
Program: TypeAlias = Any  # compile.trace.Program, above the engine, and one of its entries
Entry: TypeAlias = tuple[str, Numbers, Numbers, Any, Any]

# What a gradient rule works on: an array; or a tensor, where somebody records what the rule does.
Value: TypeAlias = "value.Value"
ValueT = TypeVar("ValueT", bound="value.Value")
Values: TypeAlias = "Value | tuple[Value, ...]"  # of an operation with several outputs, a tuple
Rule: TypeAlias = Callable[..., Value] | None  # rule(g, y, *inputs, **attributes); None blocks
Adjoints: TypeAlias = dict[int, Value]  # number -> adjoint

# As a tape keeps them, see `engine.tape.Tape`. An entry: op, inputs, output, attributes, code,
# offset, values, y (without the last two once the tape is used up). A note: kind, number of entries
# at that moment, where, about.
RawEntry: TypeAlias = tuple[str, Numbers, Output, Attributes, CodeType, int, tuple[Array, ...], Any]
RawNote: TypeAlias = tuple[str, int, Where, Any]
# What the walk yields: the entry's number on the tape, which input (None: nothing is sent), the
# adjoint of the output, the part.
RawPart: TypeAlias = tuple[int, int | None, Values, "Value | None"]

# Of kernels: lengths, or several whole numbers of any kind; one axis, several, all; for rows and
# columns; padding around an image.
Ints: TypeAlias = tuple[int, ...]
Axis: TypeAlias = int | tuple[int, ...] | None
Pair: TypeAlias = tuple[int, int]
Pads: TypeAlias = tuple[Pair, Pair]
