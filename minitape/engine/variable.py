"""Variables: cells whose content can be replaced and whose readings are recorded.

Reading a variable returns a tensor, the same one until the variable is assigned; so a tape records
one reading per version. Assigning puts a new array into the cell and never writes into an array
that a tape may hold.
"""

from __future__ import annotations

# the same as threading.Lock, whose import would cost more than this module
from _thread import RLock
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import numpy as np

from .base import notes
from .base.argument_errors import explain_error, explains_errors
from .base.arrays import array_of
from .base.dtypes import as_dtype
from .base.errors import InvalidArgumentError
from .base.listeners import listeners, onlookers, tracer
from .base.shapes import TensorShape
from .base.tensor import Tensor, new_id, wrap
from .base.text import Reference, own_lines, representation
from .base.where import here
from .convert import gathered
from .ops.record import Op, passed_on
from .parts import Parts

if TYPE_CHECKING:
    from .base.aliases import Array, Number, Where
    from .base.dtypes import DType
    from .typing import DTypeLike, ShapeLike, TensorLike

read = Op("ReadVariableOp", lambda x, name, version: x, passed_on)

OWN = {"id", "version", "_where", "_reading", "_lock", "_tensor", "_seen"}  # of one variable alone
prefix = ContextVar("prefix of names", default="")  # set by tf.name_scope


class Variable(Parts):
    """A value that a program changes with `assign` and that tapes watch automatically.

    `initial_value` is anything that converts to a tensor, or a function without arguments that
    returns it. Raises ValueError for a shape or dtype that does not fit. Source: `tf.Variable`.
    """

    _seen: Number = 0  # of the tensor that a tape was told of last
    path: str  # of Keras, as the next two
    regularizer: Any
    frozen: bool

    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: object = None,
        name: str | None = None,
        variable_def: object = None,
        dtype: DTypeLike | None = None,
        import_scope: object = None,
        constraint: Callable[..., Any] | None = None,
        synchronization: object = None,
        aggregation: object = None,
        shape: ShapeLike | None = None,
        experimental_enable_variable_lifting: bool = True,
    ) -> None:
        if initial_value is None:
            raise ValueError(
                "The `initial_value` arg to `tf.Variable` must be specified. Write "
                "tf.Variable(0.0), for example."
            )
        if callable(initial_value) and not isinstance(initial_value, (Tensor, Variable)):
            initial_value = initial_value()
        if isinstance(initial_value, Variable) and tracer() is None:
            # what another variable holds is copied, not read, as in TensorFlow
            initial_value = initial_value._tensor
        self._where, made_from, start = here(), None, gathered(initial_value, dtype)
        if isinstance(start, Tensor):
            made_from = start.id
            if dtype is not None and as_dtype(dtype) != start.dtype:
                raise ValueError(
                    f"initial_value: Tensor conversion requested dtype {as_dtype(dtype).name} "
                    "for Tensor with dtype "
                    f"{start.dtype.name}: {start!r}. Use tf.cast(value, tf.{as_dtype(dtype).name})."
                )
            array = start.value
        else:
            array = array_of(start, dtype)
        if shape is not None and not TensorShape(shape).is_compatible_with(array.shape):
            raise ValueError(
                f"In this `tf.Variable` creation, the initial value's shape ({array.shape}) is "
                "not compatible with "
                f"the explicitly supplied `shape` argument ({TensorShape(shape)})."
            )
        self.id, self.name = new_id(), f"{prefix.get()}{name or 'Variable'}:0"
        self._trainable = True if trainable is None else bool(trainable)
        self.constraint = constraint
        self.version = 0
        # what a tape notes about a reading of this version
        self._reading = {"name": self.name, "version": 0}
        self._lock = RLock()  # of which an interrupt may leave one hold
        self._tensor = Tensor(array, self._where)
        self._free = (
            TensorShape(shape)
            if shape is not None and not TensorShape(shape).is_fully_defined()
            else None
        )
        if made_from is not None:
            notes.note("variable from tensor", id=made_from, variable=self.id)

    # ---- reading

    def _read(self, counts: bool = True) -> Tensor:
        """Return the present tensor, after every recording tape has noted the reading. `counts`:
        see `Listener.read`.
        """
        tensor = self._tensor
        for listener in (listening := listeners()):
            if tensor.id not in listener.heard:
                if self._seen == tensor.id and listener is listening[0]:
                    tensor = self._anew()
                listener.read(self, tensor, counts)
                if counts:
                    self._seen = tensor.id
        return tensor

    def _anew(self) -> Tensor:
        """Give the content another number: a tape that has ended knows the present one, and may be
        played while others record. What its rules make of it is no reading of theirs.
        """
        with self._lock:
            now = self._tensor
            self._tensor = wrap(now.value, new_id(), now.code, now.offset)
            return self._tensor

    def _unwatched(self, watches_variables: bool) -> dict[str, Any]:
        """Return why a tape does not watch this variable when it is read, as the content of a note;
        empty if it does.
        """
        differentiable = self._tensor.value.dtype.kind in "fc"
        if differentiable and self._trainable and watches_variables:
            return {}
        why = (
            "dtype"
            if not differentiable
            else "not trainable"
            if not self._trainable
            else "watch_accessed_variables"
        )
        return {"why": why, "name": self.name, "dtype": self.dtype.name, "version": self.version}

    def value(self) -> Tensor:
        """Return the present content as a tensor; the reading is recorded. Source:
        `tf.Variable.value`.
        """
        return self._read()

    read_value = value

    def numpy(self) -> Any:
        """Return a copy of the content as a NumPy array. The tape cannot follow what happens to it."""
        return self._read().numpy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self._read().__array__(dtype)

    @property
    def trainable(self) -> bool:
        """Whether training changes it: not where it was made so, nor in a frozen layer.

        A tape asks how it was made only: it watches what a layer has frozen, as in TensorFlow.
        """
        return self._trainable and not self.__dict__.get("frozen", False)

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = bool(value)

    @property
    def dtype(self) -> DType:
        """The `DType` of the elements."""
        return self._tensor.dtype

    @property
    def shape(self) -> TensorShape:
        """The lengths, a `TensorShape`."""
        return self._tensor.shape if self._free is None else self._free

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._tensor.ndim

    device = property(lambda self: self._tensor.device, doc="Always the CPU.")

    def get_shape(self) -> TensorShape:
        """Return the shape."""
        return self.shape

    def ref(self) -> Reference:
        """Return a hashable reference to this variable. Source: `tf.Variable.ref`."""
        return Reference(self)

    # ---- changing

    @explains_errors
    def assign(
        self,
        value: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Variable:
        """Replace the content; returns the variable. The tape does not follow a value into a
        variable.

        Raises ValueError for another shape or dtype. Source: `tf.Variable.assign`.
        """
        return self._replace("assign", value, lambda old, new: new)

    @explains_errors
    def assign_add(
        self,
        delta: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Variable:
        """Add to the content; returns the variable. Raises ValueError. Source:
        `tf.Variable.assign_add`.
        """
        return self._replace("assign_add", delta, np.add)

    @explains_errors
    def assign_sub(
        self,
        delta: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Variable:
        """Subtract from the content; returns the variable. Raises ValueError. Source:
        `tf.Variable.assign_sub`.
        """
        return self._replace("assign_sub", delta, np.subtract)

    def _replace(self, how: str, value: Any, combine: Callable[[Array, Array], Array]) -> Variable:
        try:
            old = self._tensor.value
            if type(value) is not Tensor:
                value = gathered(value, self.dtype)
            if isinstance(value, Tensor):
                # the first says it at once, nearly always
                if value.value.dtype != old.dtype and value.dtype != self.dtype:
                    raise ValueError(
                        f"Tensor conversion requested dtype {self.dtype.name} for Tensor with "
                        f"dtype {value.dtype.name}: "
                        f"{value!r}. Use tf.cast(value, tf.{self.dtype.name})."
                    )
                array, source = value.value, value.id
            else:
                array, source = array_of(value, self.dtype), None
            another = array.shape != old.shape
            if how != "assign" and (another or array.dtype.kind in "bS"):
                raise InvalidArgumentError(
                    f"Cannot update variable with shape {list(old.shape)} by a Tensor with shape "
                    f"{list(array.shape)}, shapes must be equal, and only numbers are added. "
                    f"[Op:{how}]"
                )
            if another and not self.shape.is_compatible_with(array.shape):
                named = "" if self.name == "Variable:0" else f" '{self.name}'"
                raise ValueError(
                    f"Cannot assign value to variable{named}: Shape mismatch. The variable shape "
                    f"{self.shape}, and the "
                    f"assigned value shape {TensorShape(array.shape)} are incompatible."
                )
            with self._lock:
                new = combine(self._tensor.value, array)
                if new.dtype is not old.dtype:
                    new = new.astype(old.dtype.type, copy=False)
                before = self._put(new, here())
            for onlooker in onlookers.get():
                onlooker.assigned(
                    self,
                    how,
                    value if isinstance(value, Tensor) else Tensor(array),
                    before,
                    self._tensor,
                )
            if listeners():
                for listener in listeners():
                    listener.accessed(self)
                notes.note(
                    "assign",
                    variable=self.id,
                    name=self.name,
                    how=how,
                    value=source,
                    version=self.version,
                )
            return self
        except Exception as error:
            explain_error(error, getattr(Variable, how), (self, value), {}, depth=3)
            raise

    def _put(self, array: Array, where: Where) -> Tensor:
        """Put an array of the right shape and dtype into the cell; returns the tensor that was
        there before.
        """
        before = self._tensor
        self._tensor = Tensor(array, where)
        self.version += 1
        self._reading = {"name": self.name, "version": self.version}
        return before

    def _return_to(self, tensor: Tensor, version: int) -> None:
        """Restore an earlier content, as if nothing had been assigned since."""
        self._tensor, self.version = tensor, version
        self._reading = {"name": self.name, "version": version}

    # ---- as an object

    def __len__(self) -> int:
        return len(self._read())

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self._read())

    def __bool__(self) -> bool:
        return bool(self._read())

    def __float__(self) -> float:
        return float(self._read())

    def __int__(self) -> int:
        return int(self._read())

    def __index__(self) -> int:
        return self._read().__index__()

    def __format__(self, spec: str) -> str:
        return format(self._read(), spec) if spec else str(self)

    def __repr__(self) -> str:
        # a tape notes it as a reading, as in TensorFlow
        content = own_lines(representation(self._read().value))
        return (
            f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}, "
            f"numpy={content}>"
        )

    __str__ = __repr__

    def __copy__(self) -> Variable:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> Variable:
        twin = memo[id(self)] = _restore(self._tensor.value, self._manner())
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (np.asarray(self._tensor.value), self._manner())

    def _manner(self) -> dict[str, Any]:
        """Return all that a copy shares: name, constraint, regularizer and what a program has
        noted; not the content, not the number.
        """
        return {name: value for name, value in vars(self).items() if name not in OWN}


def _restore(array: Array, manner: dict[str, Any]) -> Variable:
    twin = Variable(array)
    vars(twin).update(manner)
    twin._reading["name"] = twin.name
    return twin


def standing_still(variable: Variable) -> Variable:
    """Return a snapshot of a variable under its own number, for a tape that outlives the content."""
    still, now = object.__new__(Variable), variable._tensor
    vars(still).update(
        vars(variable),
        constraint=None,
        regularizer=None,
        _tensor=wrap(now.value, now.id, now.code, now.offset),
    )
    return still
