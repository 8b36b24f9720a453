"""A tensor: an array that never changes, with a number of its own.

The number (`id`) comes from a counter. A tape speaks of tensors by these numbers alone, so that what was recorded is
plain data. Arrays without axes are kept as NumPy scalars, which are twice as fast as 0-d arrays.
"""

from itertools import count

from . import notes
from .dtypes import as_dtype
from .protocols import Protocols
from .shapes import TensorShape
from .where import here

new_id = count(1).__next__


class Tensor(Protocols):
    """An immutable array that tapes can follow.

    Slots: `value`, a NumPy array (a NumPy scalar where there are no axes; never written to); `id`, an integer of its
    own; `where`, the position in the learner's program that made it; `part`, only for a slice of a variable: which
    variable, and which key. Made by `constant` and by operations. Source: `tf.Tensor`.
    """

    __slots__ = ("value", "id", "code", "offset", "part", "__weakref__")

    def __init__(self, value, where=None):
        self.value, self.id = value, new_id()
        self.code, self.offset = where or (None, 0)

    where = property(lambda self: self.code and (self.code, self.offset), doc="The learner's position that made it, or None.")
    dtype = property(lambda self: as_dtype(self.value.dtype), doc="The `DType` of the elements.")
    shape = property(lambda self: tuple.__new__(TensorShape, self.value.shape), doc="The lengths of the axes, a `TensorShape`.")
    ndim = property(lambda self: self.value.ndim, doc="The number of axes.")

    def __reduce__(self):
        notes.escape(self, "pickle")
        return restored, (self.value,)


def restored(value):
    """Return the tensor that was pickled: the same array under a number of this process."""
    return Tensor(value, here())


def wrap(value, number, code=None, offset=0):
    """Return a tensor for an array that already has a number: the tape's own way to give values back."""
    tensor = object.__new__(Tensor)
    tensor.value, tensor.id, tensor.code, tensor.offset = value, number, code, offset
    return tensor
