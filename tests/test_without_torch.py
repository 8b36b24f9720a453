"""minitape.torch where there is no PyTorch: it can be imported, says what is missing, and leaves
programs alone.
"""

import sys
from importlib.util import find_spec
from types import ModuleType

import pytest

import minitape.torch
from minitape.recorders import watched_if_used

pytestmark = pytest.mark.skipif(find_spec("torch") is not None, reason="PyTorch is installed")


def test_the_block_says_what_to_install():
    with pytest.raises(ImportError, match="pip install torch"), minitape.torch.watch():
        pass


def test_one_that_is_too_old_is_said_in_a_sentence(monkeypatch):
    old = ModuleType("torch")
    old.__version__ = "2.3.1+cpu"
    monkeypatch.setitem(sys.modules, "torch", old)
    with pytest.raises(ImportError, match=r"from version 2\.4 on, and 2\.3\.1\+cpu is installed"):
        minitape.torch.watch().__enter__()
    with (
        pytest.warns(match="pip install --upgrade torch"),
        watched_if_used("import torch") as found,
    ):
        assert found == []
    old.__version__ = "2.10.0"
    assert minitape.recorders.torch.LIBRARY.imported() is old


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
