"""A tensor: an array that never changes, with a number of its own.

The number (`id`) comes from a counter. A tape speaks of tensors by these numbers alone, so that what was recorded is
plain data. Arrays without axes are kept as NumPy scalars, which are twice as fast as 0-d arrays.
"""

from itertools import count

import numpy as np

from . import notes
from .dtypes import as_dtype, string
from .errors import InvalidArgumentError
from .shapes import TensorShape
from .where import here

new_id = count(1).__next__
FLOAT32_MAX = 3.4028234663852886e38        # written out: to ask NumPy takes milliseconds at the import


class Tensor:
    """An immutable array that tapes can follow.

    Slots: `value`, a NumPy array (a NumPy scalar where there are no axes; never written to); `id`, an integer of its
    own; `where`, the position in the learner's program that made it. Made by `constant` and by operations. Source:
    `tf.Tensor`.
    """

    __slots__ = ("value", "id", "code", "offset", "__weakref__")
    __array_priority__ = 100      # numpy_scalar * tensor stays a tensor
    __hash__ = None               # as in TensorFlow: `==` compares elements; use ref() as a key

    def __init__(self, value, where=None):
        self.value, self.id = value, new_id()
        self.code, self.offset = where or (None, 0)

    where = property(lambda self: self.code and (self.code, self.offset), doc="The learner's position that made it, or None.")
    dtype = property(lambda self: as_dtype(self.value.dtype), doc="The `DType` of the elements.")
    shape = property(lambda self: tuple.__new__(TensorShape, self.value.shape), doc="The lengths of the axes, a `TensorShape`.")
    ndim = property(lambda self: self.value.ndim, doc="The number of axes.")
    device = property(lambda self: "/job:localhost/replica:0/task:0/device:CPU:0", doc="Always the CPU.")

    def get_shape(self):
        """Return the shape. Source: `tf.Tensor.get_shape`."""
        return self.shape

    def set_shape(self, shape):
        """Check the shape; raises ValueError if it differs. Source: `tf.Tensor.set_shape`."""
        if self.shape != TensorShape(shape):
            raise ValueError(f"Tensor's shape {self.shape} is not compatible with supplied shape {list(shape)}.")

    def ref(self):
        """Return a hashable reference to this tensor, for sets and dictionary keys. Source: `tf.Tensor.ref`."""
        return Reference(self)

    def numpy(self):
        """Return a copy as a NumPy array (a NumPy scalar without axes). The tape cannot follow what happens to it.

        Source: `tf.Tensor.numpy`.
        """
        notes.escape(self, "numpy")
        return self._copy_out()

    def _copy_out(self):
        value = self.value
        if value.dtype.kind == "S":
            return bytes(value) if value.ndim == 0 else value.astype(object)
        return value.copy() if value.ndim else value

    def __array__(self, dtype=None, copy=None):
        notes.escape(self, "__array__")
        found = np.array(self._copy_out(), dtype=dtype)
        found.flags.writeable = bool(copy)         # np.asarray shows the tensor, which never changes; np.array copies it
        return found

    def __float__(self):
        return float(self._one("float"))

    def __int__(self):
        return int(self._one("int"))

    def __complex__(self):
        return complex(self._one("complex"))

    def __index__(self):
        if self.value.dtype.kind not in "iu" or self.value.ndim:
            raise TypeError(f"Only a scalar integer tensor can be used as an index; this one has dtype {self.dtype.name} "
                            f"and shape {self.shape}. Use tf.cast or tf.gather.")
        return int(self._one("index"))

    def __bool__(self):
        if self.value.size > 1:
            raise ValueError("The truth value of an array with more than one element is ambiguous. "
                             "Use a.any() or a.all()" f": this tensor has shape {self.shape}; "
                             "use tf.reduce_any(...) or tf.reduce_all(...).")
        return bool(self._one("bool"))

    def _one(self, how):
        notes.escape(self, how)
        if not self.value.size and how == "bool":
            return False
        if self.value.size != 1 or self.value.ndim and how != "bool":
            raise TypeError(f"only length-1 arrays can be converted to Python scalars: this tensor has shape "
                            f"{self.shape}; choose one element first, as in tensor[0].")
        return self.value if not self.value.ndim else self.value.reshape(())[()]

    def __len__(self):
        if not self.value.ndim:
            raise TypeError("Scalar tensor has no `len()`")
        return len(self.value)

    def __iter__(self):
        if not self.value.ndim:
            raise TypeError("Cannot iterate over a scalar tensor.")
        return (self[i] for i in range(len(self.value)))

    def __format__(self, spec):
        notes.escape(self, "format")
        if self.value.ndim and spec:
            raise TypeError(f"A format such as {spec!r} fits one number only; this tensor has shape {self.shape}. "
                            "Use f'{tensor}', or format one element.")
        return format(self.value, spec) if self.value.dtype.kind != "S" else _text(self.value)

    def __str__(self):
        notes.escape(self, "format")
        return f"tf.Tensor({_own_lines(_text(self.value))}, shape={self.shape}, dtype={self.dtype.name})"

    def __repr__(self):
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, numpy={_own_lines(_repr(self.value))}>"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        twin = Tensor(self.value, here())
        notes.note("copy", id=self.id, copy=twin.id)
        return twin

    def __reduce__(self):
        return Tensor, (self.value,)

    def __getattr__(self, name):
        hint = _INSTEAD.get(name)
        raise AttributeError(f"A tensor has no attribute {name!r}." + (f" {hint}" if hint else ""))


_INSTEAD = {
    "item": "Use float(tensor), or tensor.numpy() for an array.", "tolist": "Use tensor.numpy().tolist().",
    "T": "Use tf.transpose(tensor).", "sum": "Use tf.reduce_sum(tensor).", "mean": "Use tf.reduce_mean(tensor).",
    "max": "Use tf.reduce_max(tensor).", "min": "Use tf.reduce_min(tensor).", "reshape": "Use tf.reshape(tensor, shape).",
    "astype": "Use tf.cast(tensor, dtype).", "size": "Use tf.size(tensor).", "assign": "A tensor never changes; only a tf.Variable "
    "can be assigned. Was it a variable that `w = w - ...` replaced by a tensor?", "assign_sub": "A tensor never changes; only a "
    "tf.Variable can be assigned. Was it a variable that `w = w - ...` replaced by a tensor?", "assign_add": "A tensor never "
    "changes; only a tf.Variable can be assigned. Was it a variable that `w = w + ...` replaced by a tensor?",
    "backward": "A tape computes gradients here: `with tf.GradientTape() as tape: ...`, then tape.gradient(loss, w).",
    "grad": "Gradients are returned by tape.gradient(target, sources)."}


class Reference:
    """Stands for a tensor or a variable in sets and dictionaries. Source: what `tf.Tensor.ref` returns."""

    __slots__ = ("_referent",)

    def __init__(self, referent):
        self._referent = referent

    def deref(self):
        """Return the tensor or variable itself."""
        return self._referent

    def __eq__(self, other):
        return isinstance(other, Reference) and self._referent is other._referent

    def __hash__(self):
        return hash(self._referent.id)

    def __repr__(self):
        return f"<Reference wrapping {self._referent!r}>"


def wrap(value, number, code=None, offset=0):
    """Return a tensor for an array that already has a number: the tape's own way to give values back."""
    tensor = object.__new__(Tensor)
    tensor.value = value
    tensor.id = number
    tensor.code = code
    tensor.offset = offset
    return tensor


def array_of(value, dtype=None, what="value"):
    """Return a fresh NumPy array (a scalar without axes) of a Python or NumPy value.

    Python numbers become float32 and int32; with `dtype`, numbers that would lose something are refused. NumPy arrays keep
    their dtype, or are cast to `dtype` as NumPy does it. Raises ValueError or TypeError for ragged lists, None, and
    values that do not fit.
    """
    kind = type(value)
    if dtype is None and (kind is float and -FLOAT32_MAX < value < FLOAT32_MAX or kind is int and -2147483649 < value < 2147483648):
        return np.float32(value) if kind is float else np.int32(value)          # the usual case
    want = None if dtype is None else as_dtype(dtype)
    if value is None:
        raise ValueError("Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor. "
                         "Did a function forget its `return`, or is this a gradient of None? tape.explain tells why.")
    if isinstance(value, (np.ndarray, np.generic)):
        found = np.array(value)
        numpy = True
    else:
        numpy = isinstance(value, (list, tuple)) and _holds_arrays(value)
        found = _from_python(value)
    if found.dtype.kind in "OUS":
        found = _strings(found, value)
    if want is None:
        found = found if numpy else _by_default(found, value)
    elif want._numpy != found.dtype:
        kind = found.dtype.kind
        loses = not numpy and (kind == "f" and want._numpy.kind not in "fc" or kind == "c" and not want.is_complex
                               or kind in "iu" and want.is_bool)
        if (loses or (want is string) != (kind == "S")) and (found.size or kind == "S"):
            raise TypeError(f"Cannot convert {value!r} to EagerTensor of dtype {want.name}. Use tf.cast to convert on purpose.")
        found = found.astype(want._numpy)
    return found if found.ndim else found[()]


def _from_python(value):
    try:
        return np.array(value)
    except ValueError as error:
        raise ValueError("Can't convert non-rectangular Python sequence to Tensor. "
                         "All rows must have the same length.") from error


def _by_default(found, value):
    """Return Python's numbers in TensorFlow's usual dtypes: float32, and int32 where they fit."""
    if found.dtype == np.float64:
        with np.errstate(over="ignore"):
            short = found.astype(np.float32)
        if np.isinf(short).any() and not np.isinf(found).any():
            raise ValueError(f"Can't convert {value!r}: a number is too large for float32. Use dtype=tf.float64.")
        return short
    if found.dtype == np.int64 and not (found.size and (found.max() > 2147483647 or found.min() < -2147483648)):
        return found.astype(np.int32)
    return found


def _holds_arrays(value):
    return any(_holds_arrays(v) if isinstance(v, (list, tuple)) else isinstance(v, (np.ndarray, np.generic)) for v in value)


def _strings(found, value):
    try:
        flat = [v if isinstance(v, bytes) else v.encode() for v in np.asarray(found, dtype=object).ravel().tolist()]
    except AttributeError:
        raise ValueError(f"Attempt to convert a value ({value!r}) with an unsupported type ({type(value)}) to a Tensor.") from None
    return np.array(flat, dtype="S").reshape(found.shape)


def constant(value, dtype=None, shape=None, name="Const"):
    """Make a tensor of Python numbers, lists or NumPy arrays; the values are copied.

    Python floats become float32, integers int32; NumPy arrays keep their dtype; `shape` reshapes or fills. Raises
    TypeError, ValueError. Source: `tf.constant`.
    """
    if isinstance(value, Tensor):
        if dtype is not None and as_dtype(dtype) != value.dtype:
            raise TypeError(f"Expected tensor with type {as_dtype(dtype)!r} not {value.dtype!r}. Use tf.cast(tensor, dtype).")
        return value if shape is None else _shaped(value.value, shape)
    if isinstance(value, (list, tuple)) and _holds_tensors(value):
        raise ValueError("tf.constant cannot be made of a list that holds tensors: it would cut the tape. Use tf.stack([...]) "
                         "or tf.convert_to_tensor([...]), which are recorded.")
    found = array_of(value, dtype)
    return notes.came_back(value, Tensor(found, here()) if shape is None else _shaped(found, shape))


def _holds_tensors(value):
    return any(_holds_tensors(v) if isinstance(v, (list, tuple)) else hasattr(v, "id") and hasattr(v, "dtype") for v in value)


def _shaped(value, shape):
    shape = TensorShape(shape)
    if value.size == 1 and shape.num_elements() != 1:
        value = np.full(shape, value)
    elif value.size != shape.num_elements():
        raise TypeError(f"Eager execution of tf.constant with unsupported shape. Tensor of {value.size} elements does not fit "
                        f"the shape {shape}.")
    value = np.reshape(value, shape)
    return Tensor(value if value.ndim else value[()], here())


def _text(value):
    if value.dtype.kind == "S" and not value.ndim:
        return repr(bytes(value))
    return str(value if value.dtype.kind != "S" else value.astype(object))


def _own_lines(text):
    """Return a text of several lines on lines of its own."""
    return f"\n{text}" if "\n" in text else text


def _repr(value):
    if value.dtype.kind == "S":
        return repr(bytes(value)) if not value.ndim else repr(value.astype(object))
    return repr(value) if value.ndim else repr(value.item())


__all__ = ["InvalidArgumentError", "Reference", "Tensor", "array_of", "constant", "wrap"]
