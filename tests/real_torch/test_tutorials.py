"""One training step of each model of a tutorial: what its picture shows is PyTorch's, and it can be
read.
"""

import linecache
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.overrides import TorchFunctionMode

import minitape.torch
from minitape.storyboard import Film, contract, develop

from .asked import forget, programs

MODELS = {kind: text for kind, _, text in programs(Path(__file__).parent / "tutorials.txt")}
# layers by their paths, a model by what the program calls it where that tells two apart
CALLED = {
    "classifier": ["hidden", "out"],
    "cnn": ["conv1", "conv2", "fc1", "fc2"],
    "char-rnn": ["mix", "out"],
    "gan": ["discriminator.0", "discriminator.2", "generator.0", "generator.2"],
    "vae": ["back", "inner", "log_variance", "mean", "outer"],
    "dqn": ["policy.0", "policy.2", "target.0", "target.2"],
    "transformer": [
        "attention", "meaning", "narrow", "norm1", "norm2", "out", "out_proj", "place", "wide"
    ],
}  # fmt: skip
MOST_BOXES = 16  # besides its leaves: a picture of more is folded


def recorded(name):
    """Runs a program, and returns (its names, its film, the storyboard of it)."""
    forget()
    text, filename = MODELS[name], f"{name}.py"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    names, film, block = {"__name__": "tutorial"}, Film(), minitape.torch.watch()
    torch.manual_seed(0)
    with warnings.catch_warnings(), block, film:
        warnings.simplefilter("ignore")
        exec(compile(text, filename, "exec"), names)
    for error in block.trouble:
        raise error
    return names, film, develop(film, explain=names)


@pytest.mark.parametrize("name", MODELS)
def test_a_step_of_training(name):
    names, film, board = recorded(name)
    assert contract.fault(board) == "" and board["recording"] == "graph"
    models = [model for model in names.values() if isinstance(model, torch.nn.Module)]
    leaves = [leaf for model in models for leaf in model.parameters() if leaf.grad is not None]
    assert leaves
    for leaf in leaves:  # of a discriminator, both losses left something
        given = [
            g
            for play in film.played
            for s, g in zip(play.sources, play.gradients)
            if s.object is leaf
        ]
        np.testing.assert_allclose(sum(given), leaf.grad, rtol=1e-6)
    boxes = board["drawings"][0]["nodes"]
    made = [
        box for box in boxes if "group" in box or board["nodes"][box["node"]]["card"] is not None
    ]
    assert len(made) <= MOST_BOXES
    named = {node["label"] for node in board["nodes"] if node["role"] == "variable"}
    assert sorted({label.rpartition(".")[0] for label in named}) == CALLED[name]
    assert "_" not in {node["label"] for node in board["nodes"]}
    assert " is None" not in board.text(limit=None)
    titles = [card.get("called", card["op"]) for card in board["cards"]]
    assert all(re.fullmatch(r"(torch|F|Tensor)\.\w+", title) for title in titles), titles


class Retaining(TorchFunctionMode):
    """Lets PyTorch keep the gradient of all that is computed."""

    def __init__(self):
        super().__init__()
        self.kept = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        for each in result if isinstance(result, tuple) else [result]:
            if isinstance(each, torch.Tensor) and each.grad_fn is not None:
                each.retain_grad()
                self.kept.append(each)
        return result


@pytest.mark.parametrize("name", MODELS)
def test_each_adjoint_is_what_pytorch_keeps(name):
    _, film, _ = recorded(name)
    torch.manual_seed(0)
    with warnings.catch_warnings(), Retaining() as alone:
        warnings.simplefilter("ignore")
        exec(compile(MODELS[name], "alone.py", "exec"), {"__name__": "alone"})
    shown = [
        adjoint
        for play in film.played
        for step in play.steps
        if play.tape.entries[step.index].op != "ReadVariableOp"
        for adjoint in step.adjoints
        if adjoint is not None
    ]
    expected = [each.grad.numpy() for each in alone.kept if each.grad is not None]
    assert len(expected) > 3
    for some, others in ((shown, expected), (expected, shown)):
        for a in some:
            same = (np.allclose(a, b, rtol=1e-6, atol=0) for b in others if b.shape == a.shape)
            assert any(same), a
