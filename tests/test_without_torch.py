"""minitape.torch where there is no PyTorch: it can be imported, says what is missing, and leaves
programs alone.
"""

from importlib.util import find_spec

import pytest

import minitape.torch
from minitape.recorders import watched_if_used

pytestmark = pytest.mark.skipif(find_spec("torch") is not None, reason="PyTorch is installed")


def test_the_block_says_what_to_install():
    with pytest.raises(ImportError, match="pip install torch"), minitape.torch.watch():
        pass


@pytest.mark.parametrize("text", ["import minitape as tf", "import torch", "x = 1"])
def test_a_program_runs_as_it_would(text):
    with watched_if_used(text) as found:
        assert found == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import torch", True),
        ("import numpy as np, torch, torch.nn as nn", True),
        ("from torch import nn", True),
        ("import minitape.torch", False),
        ("import torchvision", False),
        ("x = 'import torch'", False),
    ],
)
def test_which_text_imports_torch(text, found):
    assert bool(minitape.recorders.torch.LIBRARY.imported_by(text)) is found
