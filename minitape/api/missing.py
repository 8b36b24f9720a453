"""Names that are not there: loaded late, or refused with the nearest name that is.

The larger families are loaded when they are first used: a program around a tape needs few of them, and the import should be quick.
"""

import difflib
import sys
from importlib import import_module

LATE = ("debugging", "image", "keras", "linalg", "nn", "random", "strings")
LATE_FUNCTIONS = dict.fromkeys(("einsum", "eye", "matmul", "norm", "tensordot"), "minitape.api.linear_algebra")
INSTEAD = {
    "bfloat16": "NumPy has no bfloat16; use tf.float16 or tf.float32.",
    "log": "It is tf.math.log.",
    "Session": "There are no sessions: everything runs at once.",
    "placeholder": "There are no placeholders: pass tensors to a Python function.",
    "enable_eager_execution": "Everything runs at once here; leave the line out.",
    "train": "Optimizers are in tf.keras.optimizers.",
    "data": "There are no input pipelines: loop over NumPy arrays, or over slices of a tensor.",
    "config": "There is nothing to configure: everything runs on the CPU.",
    "compat": "The names of TensorFlow 1 are not there.",
    "py_function": "Everything runs at once: call the function itself.",
    "numpy_function": "Everything runs at once: call the function itself.",
    "hessians": "Nest two tapes, or call tape.jacobian on a gradient.",
    "autodiff": "There is tf.GradientTape, reverse mode only.",
}


def missing(name, module="minitape"):
    """Return a module that is loaded late, or raise AttributeError that names the nearest thing there is."""
    package = sys.modules["minitape"]
    if name in LATE and module == "minitape":
        try:
            return import_module(f"minitape.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"minitape.{name}":
                raise
    if name in LATE_FUNCTIONS and module == "minitape":
        return getattr(import_module(LATE_FUNCTIONS[name]), name)
    if name.startswith("__"):
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    raise AttributeError(f"module {module!r} has no attribute {name!r}.{nearest(name, package)}")


def nearest(name, package):
    """Return a sentence that names what is nearest to a missing name, or nothing."""
    if name in INSTEAD:
        return f" {INSTEAD[name]}"
    known = {n: f"tf.{n}" for n in package.__all__}
    for part in ("math", "nn", "linalg", "random", "image"):
        module = import_module(f"minitape.{part}")
        for n in getattr(module, "__all__", ()):
            known.setdefault(n, f"tf.{part}.{n}")
    found = difflib.get_close_matches(name, known, 1, 0.7)
    return f" Did you mean {known[found[0]]}?" if found else ""
