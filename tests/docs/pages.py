"""Which pages the API documentation has, and in which order a learner meets them.

`tf` is one page with all public names, in groups: `tf.reduce_sum` stands at `tf.html#reduce_sum`.
Its modules (`tf.math`, `tf.keras.layers` ...) and the readers have pages of their own. Most names
are loaded when they are first used, and under another module's name; a page is therefore a module
made here, which holds the objects under their public names. Only the engine, which is there to be
read, is shown file by file as it stands.
"""

import importlib
import json
import pkgutil
from pathlib import Path
from types import ModuleType

import minitape

RECORDED = json.loads(
    (Path(__file__).parent.parent / "data" / "tf_signatures.json").read_text(encoding="utf-8")
)["names"]

# The groups of the page `tf`: title, families of minitape._FAMILIES, single names.
GROUPS = [
    (
        "The tape",
        [],
        "GradientTape Variable constant Tensor convert_to_tensor is_tensor check_gradients "
        "UnconnectedGradients",
    ),
    ("Element by element", ["api.elementwise"], ""),
    ("Reductions", ["api.reductions"], ""),
    ("Matrices", ["api.linear_algebra"], ""),
    ("Making tensors", ["api.making"], ""),
    ("Shapes", ["api.shaping"], "TensorShape newaxis"),
    ("Places and order", ["api.indexing"], "IndexedSlices"),
    ("Own gradients, and clipping", ["api.gradients"], ""),
    (
        "Functions, loops and branches",
        ["api.function", "api.flow", "api.tensor_array"],
        "numpy_function",
    ),
    ("Parts of a program, and checks", ["api.module", "compile.tensor_spec", "debugging"], ""),
    (
        "Dtypes",
        [],
        "DType as_dtype float32 float64 float16 double half int32 int64 int16 int8 uint8 uint16 "
        "uint32 uint64 bool "
        "complex64 complex128 string",
    ),
    (
        "Initializers",
        [],
        "constant_initializer ones_initializer zeros_initializer random_normal_initializer "
        "random_uniform_initializer",
    ),
    (
        "Modules",
        [],
        "math nn linalg random image strings nest data keras optimizers losses metrics "
        "initializers debugging errors config",
    ),
]
READERS = ["storyboard", "explain", "health", "exercises", "jit"]
WIDGETS = ["minitape_widgets", "minitape_widgets.pitfalls"]


def groups():
    """Return [(title, public names)] of the page `tf`."""
    return [
        (
            title,
            [n for family in families for n in minitape._FAMILIES[family].split()] + names.split(),
        )
        for title, families, names in GROUPS
    ]


def public(module, path):
    """Return the public names of a module: its `__all__`, else what stands in it and names its
    source in TensorFlow.
    """
    if hasattr(module, "__all__"):
        return [name for name in module.__all__ if not name.startswith("_")]
    own = [
        name
        for name, obj in vars(module).items()
        if not name.startswith("_") and getattr(obj, "__module__", None) == module.__name__
    ]
    return [
        name
        for name in own
        if f"{path}.{name}" in RECORDED or "Source: " in (getattr(module, name).__doc__ or "")
    ]


def page(module, path, names, made):
    """Return a module called `path` that holds the module's names; pages of the modules among them
    are made on the way.
    """
    if id(module) not in made:
        made[id(module)] = found = ModuleType(path, module.__doc__)
        found.__all__ = list(names)
        for name in names:
            obj = getattr(module, name)
            if isinstance(obj, ModuleType):
                inner = f"{path}.{name}"
                obj = page(obj, inner, public(obj, inner.removeprefix("tf.")), made)
            setattr(found, name, obj)
    return made[id(module)]


def public_pages(chosen=None):
    """Return path -> module made here, for `tf` and its modules; with `chosen`, a group's title,
    for that group alone.
    """
    made, kept = {}, [(title, names) for title, names in groups() if chosen in (None, title)]
    first = page(minitape, "tf", [name for _, names in kept for name in names], made)
    first.groups = kept
    return {made_here.__name__: made_here for made_here in made.values()}


def reader_pages():
    """Return path -> module made here, for the readers of tapes and the widgets."""
    made, paths = {}, [f"minitape.{name}" for name in READERS] + WIDGETS
    for path in paths:
        module = importlib.import_module(path)
        page(module, path, public(module, path), made)
    return {made_here.__name__: made_here for made_here in made.values()}


def engine_pages():
    """Return path -> module, as it stands, for the files of the engine."""
    engine = importlib.import_module("minitape.engine")
    paths = [found.name for found in pkgutil.walk_packages(engine.__path__, "minitape.engine.")]
    return {path: importlib.import_module(path) for path in ["minitape.engine", *paths]}
