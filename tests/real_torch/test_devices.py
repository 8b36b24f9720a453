"""What programs for GPUs meet, where there is none: content that NumPy gets only by a copy, or that
lies nowhere, kinds of numbers that it has not, and names of devices.
"""

import pytest
import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn

import minitape.torch
from minitape.recorders.torch import the_recorder

from .seen import adjoint_of, alone, equal, watched

NARROW = ["float16", "bfloat16", *[n for n in ("float8_e4m3fn",) if hasattr(torch, n)]]


def network(device="cpu"):
    return nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)).to(device)


def steps(net, device, autocast=None, scaler=None):
    """Two steps, the second of which adds; returns the weight that comes first."""
    optimizer = torch.optim.Adam(net.parameters())
    x, t = torch.ones(5, 3, device=device), torch.ones(5, dtype=torch.long, device=device)
    for _ in range(2):
        with torch.autocast(*autocast or ("cpu", torch.bfloat16, False)):
            loss = F.cross_entropy(net(x), t)
        if scaler is None:
            loss.backward()
            optimizer.step()
        else:
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            scaler.step(optimizer)
            scaler.update()
    return next(net.parameters())


PROGRAMS = {
    "autocast of a GPU that is not there": lambda: steps(network(), "cpu", ("cuda",)),
    "a scaler of its": lambda: steps(network(), "cpu", ("cuda",), torch.amp.GradScaler("cuda")),
    "a scaler": lambda: steps(
        network(), "cpu", ("cpu", torch.bfloat16), torch.amp.GradScaler("cpu")
    ),
    "several GPUs, of which there is none": lambda: steps(nn.DataParallel(network()), "cpu"),
    "compiled": lambda: steps(torch.compile(network(), backend="eager"), "cpu"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_explained_and_nothing_changes(name):
    weight, film = watched(PROGRAMS[name])
    assert equal([weight, weight.grad], [(w := alone(PROGRAMS[name])), w.grad])
    assert len(film.played) == 2
    assert minitape.torch.explain(weight).category == "torch-accumulated"


def test_content_that_lies_nowhere():
    """On `meta` there are shapes only: nobody can tell whether the second step has added."""
    weight, film = watched(lambda: steps(network("meta"), "meta"))
    assert len(film.played) == 2 and weight.grad.is_meta
    assert {entry.op for entry in film.tapes[-1].entries} > {"Relu", "torch.linear"}
    assert minitape.torch.explain(weight).category == "healthy"


def test_content_that_numpy_gets_by_a_copy(monkeypatch):
    own = torch.Tensor.numpy

    def numpy(self, *, force=False):
        if not force:
            raise TypeError("can't convert cuda:0 device type tensor to numpy.")
        return own(self, force=True)

    monkeypatch.setattr(torch.Tensor, "numpy", numpy)

    def program():
        x = torch.tensor([1.0, -2.0], requires_grad=True)
        h = x * 3
        (h * h).sum().backward()
        return x, h

    (x, h), film = watched(program)
    assert the_recorder().describe(h).value.tolist() == [3, -6]
    assert adjoint_of(film, h).tolist() == [6, -12]
    assert the_recorder().back.last.returned[0].tolist() == [18, -36]


@pytest.mark.parametrize("kind", NARROW)
def test_numbers_that_numpy_has_not(kind):
    def program():
        x = torch.tensor([0.5, 2.0], requires_grad=True)
        narrow = x.to(getattr(torch, kind))
        (narrow.float() * torch.tensor([1.0, 3.0])).sum().backward()
        return x, narrow

    (x, narrow), film = watched(program)
    assert adjoint_of(film, narrow).tolist() == x.grad.tolist() == [1, 3]
    info = the_recorder().describe(narrow)
    assert info.value.tolist() == [0.5, 2.0]
