"""What a picture shows is PyTorch's own: adjoints of 200 random programs and of modules, and
nothing that the program computes changes.
"""

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn

from .random_programs import written
from .seen import adjoint_of, alone, equal, watched


def compare(program):
    """Compares a program that returns (leaves, values in the middle that retain their gradient);
    returns how many adjoints were compared.
    """
    (leaves, middle), film = watched(program)
    own_leaves, own_middle = alone(program)
    for tensor, own in zip(leaves + middle, own_leaves + own_middle):
        assert equal(tensor, own)
        assert (tensor.grad is None) == (own.grad is None)
        assert tensor.grad is None or equal(tensor.grad, own.grad)
    count = 0
    for tensor in middle:
        if tensor.grad is not None:
            np.testing.assert_allclose(adjoint_of(film, tensor), tensor.grad, rtol=1e-5, atol=1e-6)
            count += 1
    (*_, play) = film.played
    found = {id(source.object): g for source, g in zip(play.sources, play.gradients)}
    for leaf in leaves:
        if leaf.grad is not None and len(film.played) == 1:
            assert np.array_equal(found[id(leaf)], leaf.grad.numpy(force=True), equal_nan=True)
            count += 1
    parts_make_sums(play, program is not in_place)
    return count


def parts_make_sums(play, whole):
    """Every value that was reached got all its parts: they sum to its adjoint. Not `whole`: what is
    changed by its view gets none.
    """
    sums = {}
    for step in play.steps:
        for part in step.parts:
            sums[part.number] = sums.get(part.number, 0) + part.value.astype(np.float64)
    targets = {target.id for target in play.targets}
    for step in play.steps:
        entry = play.tape.entries[step.index]
        for number, adjoint in zip(entry.outputs, step.adjoints):
            known = number in sums or whole and number not in targets
            if known and entry.op != "ReadVariableOp":
                np.testing.assert_allclose(sums.get(number, 0), adjoint, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("start", range(0, 200, 25))
def test_random_programs(start):
    assert sum(compare(written(seed)) for seed in range(start, start + 25)) > 100


def of(module, *inputs):
    """A program of a module: two layers of it are asked for."""

    def program():
        torch.manual_seed(0)
        net, given = module(), [make() for make in inputs]
        out = net(*given)
        out = out[0] if isinstance(out, tuple) else out
        out.retain_grad()
        (out * out).mean().backward()
        return list(net.parameters()), [out]

    return program


class TwoWays(nn.Module):
    """Convolutions with a normalisation, and a way around them."""

    def __init__(self):
        super().__init__()
        self.one, self.norm = nn.Conv2d(2, 4, 3, padding=1), nn.BatchNorm2d(4)
        self.two, self.pool = nn.Conv2d(4, 2, 3, padding=1), nn.MaxPool2d(2)

    def forward(self, x):
        return self.pool(x + self.two(torch.relu(self.norm(self.one(x)))))


def second_derivative():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x**3).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    g.retain_grad()
    (g * g).sum().backward()
    return [x], [g]


def two_steps():
    net, x = nn.Linear(3, 2), torch.ones(4, 3)
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(net(x), torch.zeros(4, 2))
        loss.retain_grad()
        loss.backward()
        optimizer.step()
    return list(net.parameters()), [loss]


def in_place():
    w = torch.ones(3, requires_grad=True)
    h = w * 2
    h[0] = 0.0
    v = h[1:]
    v *= 3
    h.add_(1)
    loss = (h * h).sum()
    loss.retain_grad()
    loss.backward()
    return [w], [loss]


MODULES = {
    "mlp": of(
        lambda: nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1)),
        lambda: torch.randn(5, 3),
    ),
    "cnn": of(TwoWays, lambda: torch.randn(2, 2, 4, 4)),
    "lstm": of(lambda: nn.LSTM(3, 4, batch_first=True), lambda: torch.randn(2, 5, 3)),
    "transformer": of(
        lambda: nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), lambda: torch.randn(2, 4, 8)
    ),
    "embedding": of(lambda: nn.Embedding(5, 3), lambda: torch.tensor([1, 2, 2])),
    "second derivative": second_derivative,
    "two steps": two_steps,
    "in place": in_place,
}


@pytest.mark.parametrize("name", MODULES)
def test_modules(name):
    assert compare(MODULES[name]) > 0


def interleaved():
    """Two graphs that grow at one time, and are played one after the other."""
    a, b = (torch.tensor([1.0, 2.0], requires_grad=True) for _ in range(2))
    first, second = a * 2, b * 3
    one, two = (first * first).sum(), (second * second).sum()
    first.retain_grad()
    second.retain_grad()
    one.backward()
    two.backward()
    return [b], [second]


def kept_graph():
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    y.retain_grad()
    y.backward(retain_graph=True)
    y.backward()
    return [x], []


def hooks_of(values):
    """Hooks that change what is on its way, of a value or of a node, and by how much."""
    _, b, c, d = values
    more = {
        2: lambda: b.register_hook(lambda g: g * 2),
        3: lambda: c.register_hook(lambda g: g * 3),
        5: lambda: b.grad_fn.register_hook(lambda parts, _: (parts[0] * 5, None)),
        7: lambda: d.grad_fn.register_hook(lambda parts, _: (parts[0] * 7, None)),
        11: lambda: c.grad_fn.register_prehook(lambda adjoints: (adjoints[0] * 11,)),
    }
    return more


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("times", [2, 3, 5, 7, 11])
def test_what_hooks_change_is_seen(times, apart):
    """Also where the hook was put while nobody looked."""
    x = torch.tensor(1.0, requires_grad=True)

    def forward():
        values = [x]
        for _ in range(4):
            values.append(values[-1] * 3.0)
            values[-1].retain_grad()
        return values[1:]

    def program():
        values = forward()
        hooks_of(values)[times]()
        values[-1].backward()
        return values

    if apart:
        values, _ = watched(forward)
        hooks_of(values)[times]()
        _, film = watched(values[-1].backward)
    else:
        values, film = watched(program)
    assert x.grad == 81 * times
    (*_, play) = film.played
    assert play.gradients == [x.grad.numpy()]
    if times == 11:  # changed after `retain_grad` has kept it
        values[2].grad *= 11
    assert [adjoint_of(film, v) for v in values] == [v.grad for v in values]


@pytest.mark.parametrize("program", [interleaved, kept_graph])
def test_several_plays(program):
    compare(program)
    (_, film) = watched(program)
    assert len(film.played) == 2 and all(
        [s.is_variable for s in play.sources] == [True] for play in film.played
    )


def test_a_graph_of_an_earlier_block_is_shown_whole():
    x = torch.tensor(2.0, requires_grad=True)

    def forward():
        h = x * x
        return torch.sin(h)

    y, _ = watched(forward)
    _, film = watched(y.backward)
    (play,) = film.played
    assert [play.tape.entries[s.index].op for s in play.steps] == ["Sin", "Mul", "ReadVariableOp"]
    assert play.gradients == [x.grad.numpy()]


def test_what_a_tape_keeps_is_what_it_was():
    """An optimizer writes into the arrays that the picture shows."""
    w = torch.tensor([1.0, 2.0], requires_grad=True)

    def program():
        optimizer = torch.optim.SGD([w], lr=1.0)
        (w * w).sum().backward()
        optimizer.step()

    _, film = watched(program)
    for inputs, _ in film.played[0].tape.kept:
        assert inputs[0].tolist() in ([1.0, 2.0], [1.0, 4.0])
    assert w.tolist() == [-1.0, -2.0]
