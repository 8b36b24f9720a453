"""What a program computes alone it computes while it is watched, bit for bit."""

import warnings

import pytest
import torch
from torch import nn

import minitape.torch

from .seen import alone, equal, watched


def compiled():
    net = nn.Linear(3, 2)
    function = torch.compile(lambda x: torch.relu(net(x)).sum(), backend="eager")
    function(torch.ones(4, 3)).backward()
    return net.weight.grad


def autocast():
    net = nn.Linear(3, 2)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = net(torch.ones(4, 3)).sum()
    y.backward()
    return net.weight.grad


def checkpointed():
    from torch.utils.checkpoint import checkpoint

    net = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
    x = torch.ones(2, 3, requires_grad=True)
    checkpoint(net, x, use_reentrant=False).sum().backward()
    return net[0].weight.grad


def functional():
    from torch.func import grad, vmap

    return vmap(grad(lambda v: (v**3).sum()))(torch.ones(4, 3))


def jacobian():
    return torch.autograd.functional.jacobian(lambda v: v**2, torch.ones(3))


def with_a_closure():
    w = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.LBFGS([w])

    def closure():
        optimizer.zero_grad()
        loss = ((w - 3) ** 2).sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    return w.detach()


def with_hooks():
    x = torch.ones(3, requires_grad=True)
    x.register_hook(lambda g: g * 2)
    (x * 3).sum().backward()
    return x.grad


class Squares(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        return g * 2 * ctx.saved_tensors[0]


def own_function():
    x = torch.ones(3, requires_grad=True)
    (Squares.apply(x) * 2).sum().backward()
    return x.grad


def several_targets():
    x = torch.ones(2, requires_grad=True)
    torch.autograd.backward([(x * 2).sum(), (x * x).sum()])
    return x.grad


def targets_in_each_other():
    x = torch.ones(2, requires_grad=True)
    h = Squares.apply(x)
    torch.autograd.backward([(h * 3).sum(), h.sum(), h], [None, None, torch.ones(2)])
    return x.grad


def clipped():
    net = nn.Linear(3, 2)
    net(torch.ones(1, 3)).sum().backward()
    nn.utils.clip_grad_norm_(net.parameters(), 0.1)
    return net.weight.grad


def inference():
    with torch.inference_mode():
        return nn.Linear(2, 2)(torch.ones(1, 2)).clone()


def complex_numbers():
    x = torch.ones(3, dtype=torch.cfloat, requires_grad=True)
    (x * x.conj()).abs().sum().backward()
    return x.grad


def sparse():
    embedding = nn.Embedding(5, 3, sparse=True)
    embedding(torch.tensor([1, 2])).sum().backward()
    return embedding.weight.grad.to_dense()


def batches():
    data = torch.utils.data.TensorDataset(torch.randn(6, 2))
    w = torch.ones(2, requires_grad=True)
    for (batch,) in torch.utils.data.DataLoader(data, batch_size=2, shuffle=True):
        (batch @ w).sum().backward()
    return w.grad


def views_of_a_leaf_changed():
    w = torch.zeros(3, requires_grad=True)
    with torch.no_grad():
        w[0].add_(1)
        w[1:].add_(1).mul_(3)
        w.view(-1)[2].fill_(5)
    (w * w).sum().backward()
    return w.grad


@pytest.mark.parametrize(
    ("program", "plays"),
    [
        (compiled, 1),
        (autocast, 1),
        (checkpointed, 1),
        (functional, None),
        (jacobian, 3),
        (with_a_closure, None),
        (with_hooks, 1),
        (own_function, 1),
        (several_targets, 1),
        (targets_in_each_other, 1),
        (clipped, 1),
        (inference, 0),
        (complex_numbers, 1),
        (sparse, 1),
        (batches, 3),
        (views_of_a_leaf_changed, 1),
    ],
)
def test_the_same_bit_for_bit(program, plays):
    result, film = watched(program)
    assert equal(result, alone(program))
    assert plays is None or len(film.played) == plays


def test_pytorchs_own_warnings_are_given_once_and_name_the_programs_line():
    with warnings.catch_warnings(record=True) as given, minitape.torch.watch():
        warnings.simplefilter("default")
        h = torch.ones(2, requires_grad=True) * 2
        h.sum().backward()
        for _ in range(2):
            assert h.grad is None
        torch.tensor(h)
    theirs = [each.filename for each in given if each.category is UserWarning]
    assert theirs == [__file__, __file__]
