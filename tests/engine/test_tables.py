"""The tables of derivatives: the evening's stand alone, the further ones are loaded when they are
needed.
"""

import ast
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import minitape.engine.ops

TABLES = sorted(
    info.name for info in pkgutil.walk_packages(minitape.engine.ops.__path__) if not info.ispkg
)
FOLDER = Path(minitape.engine.ops.__file__).parent


def used_by(file):
    """The tables that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found |= {
                name
                for name in (*(node.module or "").split("."), *[n.name for n in node.names])
                if name in [*TABLES, "further"]
            }
    return found


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.py")), ids=lambda file: file.stem)
def test_the_evenings_tables_use_no_further_one(file):
    assert used_by(file) <= {path.stem for path in FOLDER.glob("*.py")}


def test_no_two_tables_need_each_other():
    uses = {file.stem: used_by(file) - {file.stem} for file in FOLDER.glob("**/*.py")}
    settled = set()
    while ready := {
        name for name in uses if name not in settled and uses[name] - {"further"} <= settled
    }:
        settled |= ready
    assert set(uses) - settled == set()


def test_further_tables_are_loaded_when_they_are_first_used():
    code = """
import sys, minitape as tf
further = lambda: {name for name in sys.modules if name.startswith("minitape.engine.ops.further.")}
assert not further(), further()
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = abs(x) ** 2 + x // 3
tape.gradient(y, x)
assert not further(), further()
tf.linalg.inv
assert "minitape.engine.ops.further.matrices" in further()
"""
    subprocess.run([sys.executable, "-c", code], cwd=FOLDER.parents[2], check=True)
