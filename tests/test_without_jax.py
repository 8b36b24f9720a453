"""minitape.jax where there is no JAX: it can be imported, says what is missing, and leaves programs
alone.
"""

import subprocess
import sys
from importlib.util import find_spec

import pytest

import minitape.jax
from minitape.recorders import tell, watched_if_used

pytestmark = pytest.mark.skipif(find_spec("jax") is not None, reason="JAX is installed")


def test_the_block_says_what_to_install():
    with pytest.raises(ImportError, match="pip install jax"), minitape.jax.watch():
        pass
    with pytest.raises(ImportError, match="pip install jax"):
        minitape.jax.record(lambda x: x, 1.0)


@pytest.mark.parametrize("text", ["import minitape as tf", "import jax", "x = 1"])
def test_a_program_runs_as_it_would(text):
    with watched_if_used(text) as found:
        assert found == []
    assert tell(TypeError("Gradient only defined for scalar-output functions.")) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import jax", True),
        ("import numpy as np, jax, jax.numpy as jnp", True),
        ("from jax import numpy as jnp", True),
        ("import minitape.jax", False),
        ("import jaxtyping", False),
        ("x = 'import jax'", False),
    ],
)
def test_which_text_imports_jax(text, found):
    assert bool(minitape.recorders.jax.LIBRARY.imported_by(text)) is found


def test_nothing_of_it_is_loaded_with_minitape():
    code = "import sys, minitape; sys.exit(any('recorders' in name for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
