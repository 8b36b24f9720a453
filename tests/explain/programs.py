"""Reads the corpus and runs its programs, from a file or as notebook cells, the way a learner
would.
"""

import ast
import functools
import hashlib
import linecache
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

import minitape as tf

CORPUS = Path(__file__).parent / "corpus"


class Program(NamedTuple):
    name: str
    category: str
    code: str


def programs(*files):
    """Returns the programs of some corpus files; by default of all that have one source and one
    mistake.
    """
    found = []
    for path in sorted(CORPUS.glob("*.txt")):
        if path.stem in files or not files and path.stem not in ("healthy", "several"):
            for part in re.split(r"^#% ", path.read_text(encoding="utf-8"), flags=re.M)[1:]:
                head, _, code = part.partition("\n")
                name, _, category = head.partition("|")
                found.append(
                    Program(f"{path.stem}/{name.strip()}", category.strip(), code.rstrip() + "\n")
                )
    return found


def as_file(program, folder):
    """Runs a program from a file; returns its names and the texts by file name."""
    path = folder / "program.py"
    text = program.code.replace("#: cell\n", "\n")
    path.write_text(text, encoding="utf-8")
    names = {"tf": tf, "np": np, "__name__": "__main__", "__file__": str(path)}
    linecache.checkcache(str(path))
    exec(compile(text, str(path), "exec"), names)
    return names, {str(path): text}


def as_cells(program, _):
    """Runs a program as notebook cells, compiled and cached as IPython does."""
    names = {"tf": tf, "np": np, "__name__": "__main__"}
    texts = {}
    for cell in program.code.split("#: cell\n"):
        name = f"/tmp/ipykernel_4711/{int(hashlib.md5(cell.encode()).hexdigest()[:8], 16)}.py"
        linecache.cache[name] = (len(cell), None, cell.splitlines(True), name)
        texts[name] = cell
        exec(compile(cell, name, "exec"), names)
    return names, texts


@functools.cache
def traced(program):
    """Returns a program whose functions are traced by `tf.function` where the block of a tape calls
    them; None where there are none.
    """
    tree, found = ast.parse(program.code.replace("#: cell\n", "\n")), False
    blocks = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.With) and "GradientTape" in ast.unparse(node.items[0])
    ]
    called = {
        ast.unparse(n.func).rpartition(".")[2]
        for block in blocks
        for n in ast.walk(block)
        if isinstance(n, ast.Call)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.FunctionDef)
            and (node.name in called or node.name == "__call__")
            and not node.decorator_list
            and not any(isinstance(n, (ast.Yield, ast.With)) for n in ast.walk(node))
        ):
            node.decorator_list, found = [ast.parse("tf.function", mode="eval").body], True
    return program._replace(code=ast.unparse(tree) + "\n") if found else None


def all_guilty(texts):
    """Returns (file name, line number) of the lines marked `# <-`."""
    return [
        (name, number)
        for name, text in texts.items()
        for number, line in enumerate(text.splitlines(), 1)
        if line.rstrip().endswith("# <-")
    ]


def guilty(texts):
    """Returns (file name, line number) of the first line marked `# <-`."""
    return next(iter(all_guilty(texts)), None)
