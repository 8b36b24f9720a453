"""minitape from a zip file on sys.path: everything is imported, and all that it reads (sentences,
styles, its own source) is found.
"""

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent

PROGRAM = """
import importlib, pkgutil, sys
sys.path.insert(0, sys.argv[1])
import minitape as tf
assert tf.__file__.startswith(sys.argv[1])
for module in pkgutil.walk_packages(tf.__path__, "minitape."):
    if not module.name.endswith("__main__") and (".jit." not in module.name or tf.jit.available()):
        if not {"tensorflow", "torch", "jax"} & {*module.name.split(".")[:-1]}:    # they need the library itself
            importlib.import_module(module.name)
x = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    y = tf.round(x) * 3.0
assert tape.gradient(y, x) is None
from minitape.sentences import speaking
for language in ("en", "fr"):
    with speaking(language):
        print(language, str(tape.explain(y, x)))
from minitape import exercises
assert exercises.exercise(exercises.all_ids()[0]).title
square = tf.function(lambda a: tf.exp(a) * a, jit_compile=tf.jit.available() or None)
assert len({float(square(tf.constant(2.0))) for _ in range(3)}) <= 2
from minitape.storyboard import build
from minitape.storyboard.text.captions import caption
from minitape.storyboard.drawing.svg import render
board = build(tape)
assert "<svg" in render(board) and caption(board, 0)
"""


def test_everything_works_from_a_zip_file(tmp_path):
    archive = tmp_path / "library.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in (ROOT / "minitape").rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                file.write(path, path.relative_to(ROOT))
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, str(archive)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert (
        "The gradient of y with respect to x is None" in ran.stdout
        and "Le gradient de y" in ran.stdout
    ), ran.stdout
