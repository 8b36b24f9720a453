"""minitape.tensorflow where there is no TensorFlow: it can be imported, says what is missing, and
leaves programs alone.
"""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import minitape.tensorflow

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.skipif(
    find_spec("tensorflow") is not None, reason="TensorFlow is installed"
)


def test_the_block_says_what_to_install():
    with pytest.raises(ImportError, match="pip install tensorflow"), minitape.tensorflow.watch():
        pass


@pytest.mark.parametrize("text", ["import minitape as tf", "import tensorflow as tf", "x = 1"])
def test_a_program_runs_as_it_would(text):
    with minitape.recorders.tensorflow.watched_if_used(text) as tapes:
        assert tapes is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import tensorflow as tf", True),
        ("import numpy as np, tensorflow as tf", True),
        ("import os; import tensorflow as tf", True),
        ("x = 1\n\tfrom tensorflow.keras import layers", True),
        ("try: import tensorflow as tf", True),
        ("import numpy as np, \\\n    tensorflow", True),
        ("import os\nimport tensorflow.keras", True),
        ("import minitape.tensorflow", False),
        ("import tensorflow_probability", False),
        ("from minitape import tensorflow", False),
        ("import minitape as tf  # import tensorflow", False),
        ("import numpy\nx = tensorflow", False),
        ("x = 'import tensorflow'", False),
    ],
)
def test_which_text_imports_tensorflow(text, found):
    assert bool(minitape.recorders.tensorflow.LIBRARY.imported_by(text)) is found


def test_a_script_says_itself_what_is_missing(tmp_path):
    (tmp_path / "script.py").write_text("import tensorflow as tf\n")
    done = subprocess.run(
        [sys.executable, "-m", "minitape", "explain", "script.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 1 and done.stderr.rstrip().endswith("No module named 'tensorflow'")


def test_an_unwatched_tape_is_refused():
    with pytest.raises(ValueError, match="was not watched"):
        minitape.tensorflow.explain(object(), 1, 2)
