"""TensorFlow's tensors and variables under minitape's eyes: their numbers, their arrays, where they
were made.

A tensor keeps TensorFlow's own number (`clock.py`). Each reading of a variable is a new tensor
there, and one content here, as long as nothing is assigned: so a variable is one place in the
picture, however often it is read.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Container
from itertools import islice
from typing import TYPE_CHECKING, Any
from weakref import ref

import numpy as np
from tensorflow.core.framework import types_pb2
from tensorflow.python import pywrap_tfe
from tensorflow.python.eager.record import stop_recording
from tensorflow.python.framework.ops import EagerTensor
from tensorflow.python.ops.resource_variable_ops import BaseResourceVariable

from minitape.engine.base.tensor import Tensor, wrap
from minitape.engine.recording import TensorInfo

from ..call_sites import CallSites
from ..lines import Places
from .autograph import own
from .clock import Clock

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Array, Number, Where

    from ..call_sites import Made

NO_NUMBERS = ("resource", "variant")
RESOURCE = types_pb2.DT_RESOURCE
# lists and ragged rows (variants) pass a slope on, so tapes follow them
NO_ARRAY = np.zeros(0, np.float32)
MOST_RECENT = 64
# tensors of which is known where they were made; beyond, the oldest are forgotten
MOST_PLACES = 200_000


def array_of(tensor: Any) -> Array:
    """Return the content of a tensor as an array that shares its memory; of what holds no numbers
    (a handle, a list), NO_ARRAY.
    """
    try:
        array = tensor._numpy_internal()
    except Exception:  # a resource, a variant, a tensor on another device that cannot come here
        return NO_ARRAY
    kind = getattr(array, "dtype", None)
    if kind is None or kind.kind == "O":
        return np.asarray(array).astype("S")
    # bfloat16, say, of which NumPy knows nothing
    return array.astype(np.float32) if kind.kind == "V" else array


class Shadow:
    """A variable of TensorFlow's, as a tape of minitape's asks about it; see `Variable` there."""

    def __init__(self, number: Number, variable: Any = None, life: Any = None) -> None:
        # `life` lets all forget it when the variable ends
        self.id, self.version, self._life = number, 0, life
        self._where: Where | None = None
        self.changed: Where | None = None  # where it was assigned last
        self._content: tuple[Number, Array] | None = None
        self.meet(variable)

    def meet(self, variable: Any) -> None:
        """Take the name from the variable itself, of which only the handle was seen before."""
        self._variable = ref(variable) if variable is not None else lambda: None
        whole = getattr(variable, "name", "Variable:0").removesuffix(":0")
        self.path = whole if "/" in whole else ""  # of a layer's: "dense/kernel"
        self.name = whole.rpartition("/")[2] if self.path else f"{whole}:0"
        self.trainable = bool(getattr(variable, "trainable", True))
        self._named()

    def _named(self) -> None:
        self._reading = {"name": self.name, "version": self.version}

    def assigned(self) -> None:
        """Count a new version: whoever reads it now has a new content."""
        self.version, self._content = self.version + 1, None
        self._named()

    def _unwatched(self, watches_variables: bool) -> dict[str, Any]:
        variable = self._variable()
        kind = variable.dtype.as_numpy_dtype if variable is not None else np.float32
        why = (
            "dtype"
            if np.dtype(kind).kind not in "fcV"
            else "not trainable"
            if not self.trainable
            else "watch_accessed_variables"
            if not watches_variables
            else ""
        )
        # what a layer counts, a generator's state
        inner = bool(self.path) and why in ("dtype", "not trainable")
        return (
            {
                "why": why,
                "name": self.name,
                "dtype": np.dtype(kind).name,
                "version": self.version,
                "inner": inner,
            }
            if why
            else {}
        )


class Tensors:
    """All that is known of the tensors and variables of the program."""

    def __init__(self) -> None:
        self.clock = Clock(pywrap_tfe.TFE_Py_UID)
        self._alias: dict[int, Number] = {}  # readings of variables -> their content
        self._shadows: dict[int, Shadow] = {}  # by the number of the variable's handle
        self.sites = CallSites(own)
        self.places = Places(MOST_PLACES)
        self._recent: dict[int, tuple[Number, Array]] = {}

    # ---- tensors

    def number(self, tensor: Any) -> Number:
        """Return the number of a tensor of TensorFlow's."""
        uid = tensor._id
        return self._alias[uid] if uid in self._alias else self.clock.number(uid)

    def held(self, tensor: Any) -> tuple[Number, Array]:
        """Return the number and the array of a tensor, of one that was met a moment ago the same
        objects: tapes keep them.
        """
        return self._recent.get(tensor._id) or self.hold(tensor, self.number(tensor))

    def hold(self, tensor: Any, number: Number) -> tuple[Number, Array]:
        """Hold the number and the array of a tensor for a moment, and return them."""
        if len(self._recent) >= MOST_RECENT:
            self._recent.clear()
        entry = self._recent[tensor._id] = number, array_of(tensor)
        return entry

    def forget_recent(self) -> None:
        """Hold no tensor's array longer than the tapes that record."""
        self._recent.clear()

    def made(self, tensor: Any, made: Made) -> Number:
        """Note where a tensor of TensorFlow's was made, and return its number."""
        number = self.number(tensor)
        self.places.note(number, made)
        return number

    def tensor(self, tensor: Any) -> Tensor:
        """Return a tensor of minitape's with the same number and memory."""
        number = self.number(tensor)
        return wrap(array_of(tensor), number, *(self.places.place_of(number) or (None, 0)))

    # ---- variables

    def shadow(self, handle: Any, variable: Any = None) -> Shadow:
        """Return the shadow of a variable by its handle."""
        uid = handle._id
        known_shadow = self._shadows.get(uid)
        if known_shadow is None:
            known_shadow = self._shadows[uid] = Shadow(
                self.clock.number(uid),
                variable,
                ref(handle, lambda _: self._shadows.pop(uid, None)),
            )
            known_shadow._where = self.places.place_of(known_shadow.id)
        elif variable is not None and known_shadow._variable() is not variable:
            known_shadow.meet(variable)
        return known_shadow

    def let_go(self, needed: Container[Number]) -> None:
        """Hold the content of no variable but those in `needed`."""
        self.forget_recent()
        for shadow in list(self._shadows.values()):
            if shadow.id not in needed:
                shadow._content = None

    def handles(self) -> dict[Number, Any]:
        """Return {number: handle} for all variables that still exist."""
        living = {shadow.id: shadow._variable() for shadow in self._shadows.values()}
        return {
            number: variable.handle for number, variable in living.items() if variable is not None
        }

    def living_handles(self) -> dict[int, Any]:
        """Return {TensorFlow's number: handle} for all variables that still exist."""
        handles = {uid: shadow._life and shadow._life() for uid, shadow in self._shadows.items()}
        return {uid: h for uid, h in handles.items() if h is not None and is_variable(h)}

    def reading(self, shadow: Shadow, tensor: Any) -> Tensor:
        """Return the content of a variable, of which `tensor` is a reading."""
        self._holds(shadow, array_of(tensor), self.clock.number(tensor._id))
        if len(self._alias) >= MOST_PLACES:
            forget_older_half(self._alias)
        self._alias[tensor._id] = shadow._content[0]  # type: ignore[index]
        return self._wrapped(shadow)

    def content(self, shadow: Shadow) -> Tensor:
        """Return the content of a variable as it is now, under one number until it is assigned."""
        variable = shadow._variable()
        if variable is not None:
            self._holds(shadow, self._look(variable))
        elif shadow._content is None:
            self._holds(shadow, np.zeros(0, np.float32))
        return self._wrapped(shadow)

    def _holds(self, shadow: Shadow, value: Array, number: Number | None = None) -> None:
        """Keep what a variable was seen to hold. What a compiled function or another thread
        assigned shows only here.
        """
        if shadow._content is not None and not equal(shadow._content[1], value):
            shadow.assigned()
        if shadow._content is None:
            shadow._content = self.clock.now() if number is None else number, value

    @staticmethod
    def _wrapped(shadow: Shadow) -> Tensor:
        number, value = shadow._content  # type: ignore[misc]
        return wrap(value, number, *(shadow._where or (None, 0)))

    # ---- for readers

    def describe(self, obj: Any) -> TensorInfo | None:
        """Return a tensor or variable of TensorFlow's (or of Keras, or a shadow) as a `TensorInfo`; None
        for anything else.
        """
        kind = type(obj)  # `isinstance` would ask a learner's object for its `__class__`
        if issubclass(kind, EagerTensor):
            if obj.dtype.name in NO_NUMBERS:
                return None
            number = self.number(obj)
            return TensorInfo(obj, number, number, array_of(obj), self.places.place_of(number))
        if issubclass(kind, Shadow):
            variable = obj._variable()
            content = self.content(obj)
            return TensorInfo(
                obj if variable is None else variable,
                obj.id,
                content.id,
                content.value,
                obj._where,
                True,
                obj.name,
                obj.trainable,
                obj.path,
                obj.changed or obj._where,
            )
        shadow = self.of_keras(obj) if is_keras(obj) else self._of(obj)
        return self.describe(shadow) if shadow is not None else None

    def of_keras(self, variable: Any) -> Shadow | None:
        """Return the shadow of a variable of Keras, under Keras's path: TensorFlow's name leaves
        out a layer that another one built.
        """
        shadow = self._of(getattr(variable, "_value", None))
        if shadow is not None and "/" in variable.path:
            shadow.path = variable.path
        return shadow

    def _of(self, obj: Any) -> Shadow | None:
        """Return the shadow of a variable of TensorFlow's; None for anything else."""
        known = issubclass(type(obj), BaseResourceVariable) and isinstance(obj.handle, EagerTensor)
        return self.shadow(obj.handle, obj) if known else None

    @staticmethod
    def _look(variable: Any) -> Array:
        with stop_recording():
            return array_of(variable._read_variable_op())

    def living(self) -> dict[Number, Any]:
        """Return {number: tensor} for all tensors of TensorFlow's that exist somewhere now."""
        return {
            self.number(t): t
            for t in gc.get_objects()
            if type(t) is EagerTensor and t.dtype.name not in NO_NUMBERS
        }


def equal(a: Array, b: Array) -> bool:
    """Return True for the same numbers; nearly always they are the same memory, and none is looked
    at.
    """
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    return bool(a.ndim) and np.may_share_memory(a, b) or a.tobytes() == b.tobytes()


def is_variable(handle: Any) -> bool:
    """Return True for the handle of a variable: not for that of a table of words, and not for a
    tensor of numbers.
    """
    return handle._datatype_enum() == RESOURCE and handle._handle_data is not None


def forget_older_half(known: dict[Any, Any]) -> None:
    """Let the first half of a dictionary go."""
    for old in list(islice(known, len(known) // 2)):
        del known[old]


def is_keras(obj: object) -> bool:
    """Return True for a variable of Keras, which holds one of TensorFlow's."""
    return (
        type(obj).__module__.startswith(("keras.", "tf_keras."))
        and hasattr(type(obj), "assign")
        and hasattr(obj, "_value")
    )


def keras_class(module: str, name: str) -> list[type]:
    """Return a class of Keras's, where Keras has been imported."""
    kind = getattr(sys.modules.get(f"keras.src.{module}"), name, None)
    return [kind] if kind is not None else []
