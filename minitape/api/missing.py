"""What a module offers: `dir` and completion show its public names; any other is refused with the
nearest name that is there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..engine.ground.refusals import guarded

INSTEAD = {
    "bfloat16": "NumPy has no bfloat16; use tf.float16 or tf.float32.",
    "log": "It is tf.math.log.",
    "Session": "There are no sessions: everything runs at once.",
    "placeholder": "There are no placeholders: pass tensors to a Python function.",
    "enable_eager_execution": "Everything runs at once here; leave the line out.",
    "train": "Optimizers are in tf.keras.optimizers. Keep weights with np.savez(file, "
    "*model.get_weights()).",
    "saved_model": "Keep weights with np.savez(file, *model.get_weights()).",
    "io": "Read files with Python and NumPy.",
    "distribute": "Everything runs on one CPU.",
    "autograph": "There is none: a tf.function is traced as it stands, and refuses an `if` that "
    "depends on a value.",
    "signal": "For a fixed transform, multiply with its matrix: tf.linalg.matvec(matrix, x) is "
    "recorded.",
    "dtypes": "The dtypes and their functions are in tf itself: tf.float32, tf.cast.",
    "sparse": "Every tensor is dense.",
    "SparseTensor": "Every tensor is dense.",
    "ragged": "Every tensor is rectangular: pad the rows, and use a mask.",
    "RaggedTensor": "Every tensor is rectangular: pad the rows, and use a mask.",
    "compat": "The names of TensorFlow 1 are not there.",
    "py_function": "Everything runs at once: call the function itself.",
    "hessians": "Nest two tapes, or call tape.jacobian on a gradient.",
    "lookup": "Use a Python dictionary.",
    "summary": "Keep numbers in a list, and print or plot them.",
    "control_dependencies": "Everything happens in the order in which it stands: leave the line "
    "out.",
    "Graph": "There are no graphs: tf.function(f) keeps a list of operations.",
    "version": "It is tf.__version__.",
    "timestamp": "Use time.perf_counter().",
    "autodiff": "There is tf.GradientTape, reverse mode only.",
}


def missing(name: str, module: str) -> AttributeError:
    """Return the AttributeError for a name that `module` does not have: it names the nearest thing
    there is.
    """
    if name.startswith("__"):
        return AttributeError(f"module {module!r} has no attribute {name!r}")
    return AttributeError(
        f"module {module!r} has no attribute {name!r}.{nearest(name, sys.modules['minitape'])}"
    )


def offer(module: str, instead: Any = ()) -> None:
    """Let a module offer what its `__all__` names and nothing else, to `dir` and to completion.

    A name that it does not have is refused with what `instead` says, or with the nearest one,
    unless the module has a `__getattr__` of its own. What it offers names itself in its errors, see
    `engine/ground/refusals.py`.
    """
    own = vars(sys.modules[module])
    own.update({name: guarded(own[name], module) for name in own["__all__"] if name in own})
    own["__dir__"] = lambda: sorted(own["__all__"])
    own.setdefault("__getattr__", nearest_of(module, instead))


def nearest_of(module: str, instead: Any = ()) -> Callable[[str], Any]:
    """Return the `__getattr__` of a smaller module: it names the nearest name of its own, or what
    `instead` says.
    """

    def __getattr__(name: str) -> Any:
        import difflib

        instead_of = dict(instead)
        own = vars(sys.modules[module])
        known = {n.lower(): n for n in own.get("__all__", own) if not n.startswith("_")}
        found = (
            [] if name.startswith("_") else difflib.get_close_matches(name.lower(), known, 1, 0.7)
        )
        said = instead_of.get(name) or (f"Did you mean {known[found[0]]}?" if found else "")
        raise AttributeError(
            f"module {module!r} has no attribute {name!r}{'. ' if said else ''}{said}"
        )

    return __getattr__


def nearest(name: str, package: Any) -> str:
    """Return a sentence that names what is nearest to a missing name, or nothing."""
    if name in INSTEAD:
        return f" {INSTEAD[name]}"
    import difflib

    known = {n: f"tf.{n}" for n in package.__all__}
    for part in ("math", "nn", "linalg", "random", "image"):
        module = import_module(f"minitape.{part}")
        for n in getattr(module, "__all__", ()):
            known.setdefault(n, f"tf.{part}.{n}")
    found = difflib.get_close_matches(name, known, 1, 0.7)
    return f" Did you mean {known[found[0]]}?" if found else ""
