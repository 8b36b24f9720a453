"""Names that are not there: refused with the nearest name that is."""

import difflib
import sys
from importlib import import_module

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


def missing(name, module):
    """Return the AttributeError for a name that `module` does not have: it names the nearest thing there is."""
    if name.startswith("__"):
        return AttributeError(f"module {module!r} has no attribute {name!r}")
    return AttributeError(f"module {module!r} has no attribute {name!r}.{nearest(name, sys.modules['minitape'])}")


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
