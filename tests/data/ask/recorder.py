"""Run small programs under TensorFlow and write down what they leave behind.

A program is source text that may use `tf` and `np`. Every public name which it binds is recorded (names that begin with `_`, modules,
functions and classes are not). A family of programs is a text file in `programs/`: a line `#% some-id` begins each program.
"""

import contextlib
import io
import logging
import re
import types
import warnings

import numpy as np
import tensorflow as tf
from tensorflow.python.platform import tf_logging

STEADY = [(r"goo\.gle/debug\w+\s+", ""), (r"(?s)\n\t; NodeDef.*", ""), (r"(?s)\nRegistered (devices|kernels).*", ""), (r"\{\{function_node [^}]*\}\} ", ""), (r" at 0x[0-9a-f]+", " at 0x..."), (r"/[^\s'\"]*/site-packages/", ""), (r"id=\d+", "id=...")]


TOOLS = (tf.GradientTape, tf.keras.optimizers.Optimizer, tf.Module)
INCIDENTAL = re.compile(r"retracing|IndexedSlices|while_loop|Using default|pfor")     # about TensorFlow's own machinery, and dependent on order


def steady(text):
    for pattern, replacement in STEADY:
        text = re.sub(pattern, replacement, text)
    return text


def number(value, dtype):
    """One array element as JSON: the shortest decimal that reads back exactly in its own dtype; "nan" and "inf" as strings."""
    if dtype.kind == "c":
        return [number(value.real, value.real.dtype), number(value.imag, value.imag.dtype)]
    if dtype.kind in "SUO":
        return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)
    if dtype.kind in "biu":
        return value.item()
    value = float(str(value)) if dtype.kind == "f" else float(value)
    return value if np.isfinite(value) else str(value)


def cells(array):
    if isinstance(array, np.ndarray) and array.ndim:
        return [cells(part) for part in array]
    array = array[()] if isinstance(array, np.ndarray) else array
    return number(array, getattr(array, "dtype", np.dtype(object)))


def array_of(kind, array, dtype):
    array = np.asarray(array, dtype=object) if isinstance(array, bytes) else np.asarray(array)
    return {"kind": kind, "dtype": dtype, "shape": list(array.shape), "value": cells(array)}


def encode(value):
    """A value as JSON; `None`, `bool`, `int`, `str` and finite `float` are themselves, the others carry their `kind`."""
    if isinstance(value, np.generic) and not isinstance(value, bytes):
        return {"kind": "numpy_scalar", "dtype": str(value.dtype), "shape": [], "value": number(value, value.dtype)}
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else {"kind": "float", "value": str(value)}
    if isinstance(value, complex):
        return {"kind": "complex", "value": [value.real, value.imag]}
    if isinstance(value, bytes):
        return {"kind": "bytes", "value": value.decode("utf-8", "backslashreplace")}
    if isinstance(value, tf.IndexedSlices):
        dense = tf.convert_to_tensor(value)
        return {"kind": "indexed_slices", "indices": cells(value.indices.numpy()), "dtype": dense.dtype.name,
                "values": cells(value.values.numpy()), "shape": list(dense.shape), "value": cells(dense.numpy())}
    if isinstance(value, tf.Tensor):
        return array_of("tensor", value.numpy(), value.dtype.name)
    if isinstance(value, tf.Variable) or (hasattr(value, "assign") and hasattr(value, "numpy")):
        return array_of("variable", np.asarray(value.numpy()), tf.as_dtype(value.dtype).name)
    if isinstance(value, np.ndarray):
        return array_of("array", value, str(value.dtype))
    if isinstance(value, tf.DType):
        return {"kind": "dtype", "value": value.name}
    if isinstance(value, tf.TensorShape):
        return {"kind": "shape", "value": None if value.rank is None else value.as_list()}
    if isinstance(value, dict):
        return {"kind": "dict", "items": {str(key): encode(item) for key, item in value.items()}}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {"kind": "namedtuple", "items": {name: encode(item) for name, item in zip(value._fields, value, strict=True)}}
    if isinstance(value, (list, tuple)):
        return {"kind": "tuple" if isinstance(value, tuple) else "list", "items": [encode(item) for item in value]}
    if isinstance(value, type):
        return {"kind": "type", "value": value.__name__}
    return {"kind": "object", "type": type(value).__name__, "value": steady(repr(value))}


class Listener(logging.Handler):
    def __init__(self):
        super().__init__()
        self.heard = []

    def emit(self, record):
        self.heard.append(f"{record.levelname}: {steady(record.getMessage())}")


def run(identifier, code):
    """One answer: what the program bound, what it raised, what was logged, warned and printed."""
    listener, printed = Listener(), io.StringIO()
    logger = tf.get_logger()
    tf_logging._log_counter_per_token.clear()       # "log first n" must not depend on which programs ran before
    logger.handlers = [listener]
    logger.propagate = False
    tf.random.set_seed(0)
    tf.keras.backend.clear_session()
    space = {"tf": tf, "np": np, "__name__": "__program__"}
    raised = None
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(printed):
        warnings.simplefilter("always")
        try:
            exec(compile(code, f"<{identifier}>", "exec"), space)
        except Exception as error:
            raised = {"type": type(error).__name__, "message": steady(str(error)),
                      "bases": [base.__name__ for base in type(error).__mro__[1:-2]]}
    left = {name: value for name, value in space.items() if not name.startswith("_") and name not in ("tf", "np")
            and (isinstance(value, tf.DType) or not callable(value)) and not isinstance(value, (types.ModuleType, *TOOLS))}
    said = [f"{item.category.__name__}: {steady(str(item.message))}" for item in caught]
    answer = {"id": identifier, "code": code, "results": {name: encode(value) for name, value in left.items()},
              "raises": raised, "warnings": [line for line in listener.heard + said if not INCIDENTAL.search(line)]}
    return {**answer, "printed": printed.getvalue()} if printed.getvalue() else answer


def programs(text):
    """(id, code) pairs of a family file."""
    parts = re.split(r"^#% *(\S+) *\n", text, flags=re.MULTILINE)[1:]
    pairs = [(name, code.strip("\n") + "\n") for name, code in zip(parts[::2], parts[1::2], strict=True)]
    assert len({name for name, _ in pairs}) == len(pairs), "an id is used twice"
    return pairs
