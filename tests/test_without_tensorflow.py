"""minitape.tensorflow where there is no TensorFlow: it can be imported, says what is missing, and leaves programs alone."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import minitape.tensorflow

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.skipif(find_spec("tensorflow") is not None, reason="TensorFlow is installed")


def test_the_block_says_what_to_install():
    with pytest.raises(ImportError, match=r"pip install minitape\[tensorflow\]"), minitape.tensorflow.watch():
        pass


@pytest.mark.parametrize("text", ["import minitape as tf", "import tensorflow as tf", "x = 1"])
def test_a_program_runs_as_it_would(text):
    with minitape.tensorflow.watched_if_used(text, {"tf": minitape}) as tapes:
        assert tapes is None


def test_a_script_says_itself_what_is_missing(tmp_path):
    (tmp_path / "script.py").write_text("import tensorflow as tf\n")
    done = subprocess.run([sys.executable, "-m", "minitape", "explain", "script.py"], cwd=tmp_path, capture_output=True, text=True,
                          env={"PYTHONPATH": str(ROOT)}, check=False)
    assert done.returncode == 1 and done.stderr.rstrip().endswith("No module named 'tensorflow'")


def test_an_unwatched_tape_is_refused():
    with pytest.raises(ValueError, match="was not watched"):
        minitape.tensorflow.explain(object(), 1, 2)
