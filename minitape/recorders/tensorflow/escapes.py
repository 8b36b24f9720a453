"""Where values leave TensorFlow: `.numpy()`, `float(x)`, a text, and NumPy's own functions.

NumPy never asks a tensor of TensorFlow's in Python: it takes its memory through the buffer
protocol. So that `np.sin(x)` is seen as well, the slot of the type that hands it out is led through
a function here, as long as somebody looks. Where Python lays types out otherwise than known, the
slot is left alone, and such a way out is not seen.
"""

from __future__ import annotations

import _thread
import ctypes
import sys
from collections.abc import Callable
from typing import Any

from tensorflow.python.framework.ops import EagerTensor
from tensorflow.python.ops.resource_variable_ops import BaseResourceVariable

from .tensors import keras_class

METHODS = {
    "numpy": "numpy",
    "__array__": "__array__",
    "__float__": "float",
    "__int__": "int",
    "__complex__": "complex",
    "__index__": "index",
    "__bool__": "bool",
    "__format__": "format",
    "__str__": "format",
}
# of a type object, in bytes: where the pointer to its buffer functions stands, in CPython 3.11 to
# 3.14
BUFFER_PROCEDURES = 160
GET_BUFFER = 1  # the number of that slot for PyType_GetSlot
GetBuffer = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p, ctypes.c_int)


class Escapes:
    """Tells `escaped(obj, how, frame)` of each value that leaves, and whose code it was that took
    it.
    """

    def __init__(self, escaped: Callable[[Any, str, Any], None]) -> None:
        self.escaped = escaped
        self._restore: list[tuple[type, str, Any]] = []
        self._slot: ctypes.c_void_p | None = None

    def start(self) -> None:
        """Look from now on."""
        base = next(kind for kind in EagerTensor.__mro__ if kind.__name__ == "_EagerTensorBase")
        for kind in (
            base,
            BaseResourceVariable,
            *keras_class("backend.common.variables", "Variable"),
        ):
            for name, how in METHODS.items():
                if name in vars(kind):
                    self._restore.append((kind, name, vars(kind)[name]))
                    setattr(kind, name, self._around(vars(kind)[name], how))
        self._take_slot()

    def stop(self) -> None:
        """Put everything back."""
        if self._slot is not None:
            self._slot.value, self._slot = self._original, None
        while self._restore:
            kind, name, old = self._restore[-1]
            setattr(kind, name, old)
            self._restore.pop()

    def _around(self, old: Callable[..., Any], how: str) -> Callable[..., Any]:
        def leaves(obj: Any, *arguments: Any, **named: Any) -> Any:
            result = old(obj, *arguments, **named)
            # NumPy asks again, in another way, where it was refused
            self.escaped(obj, how, sys._getframe(1))
            return result

        return leaves

    def _take_slot(self) -> None:
        get = ctypes.pythonapi.PyType_GetSlot
        get.argtypes, get.restype = [ctypes.py_object, ctypes.c_int], ctypes.c_void_p
        if sys.implementation.name != "cpython":
            return
        procedures = ctypes.c_void_p.from_address(id(EagerTensor) + BUFFER_PROCEDURES).value
        known = get(EagerTensor, GET_BUFFER)
        if not procedures or not known or ctypes.c_void_p.from_address(procedures).value != known:
            return
        original = GetBuffer(known)

        def buffer(tensor: Any, view: int, flags: int) -> int:
            try:
                self.escaped(tensor, "__array__", sys._getframe(1))
                return original(tensor, view, flags)
            except KeyboardInterrupt:
                # comes again, when this function has returned
                _thread.start_new_thread(_thread.interrupt_main, ())
            except Exception:  # no error passes through here: NumPy asks in another way then
                pass
            return -1

        self._function = GetBuffer(buffer)  # kept alive as long as it stands there
        self._original, self._slot = known, ctypes.c_void_p.from_address(procedures)
        self._slot.value = ctypes.cast(self._function, ctypes.c_void_p).value
