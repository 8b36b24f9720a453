"""`torch.compile` reads all that runs inside of a function: what looks on must not be in its way,
and sees one operation.
"""

import pytest
import torch
from torch import nn
from torch.overrides import TorchFunctionMode, _get_current_function_mode_stack

import minitape.torch
from minitape.engine.base.where import is_inside
from minitape.recorders.torch import the_recorder

from .seen import alone, equal, watched
from .test_unchanged import Squares

graphs = []  # so many nodes of each were handed to the backend


def backend(module, _):
    graphs.append(len(module.graph.nodes))
    return module.forward


class Plain(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def of_a_function(backend=backend, **how):
    net = nn.Linear(3, 2)

    @torch.compile(backend=backend, **how)
    def loss_of(x):
        return torch.relu(net(x)).sum()

    (loss_of(torch.ones(4, 3)) * 2).backward()
    return net.weight.grad


def of_a_module():
    net = nn.Sequential(nn.Linear(3, 2), nn.ReLU())
    torch.compile(net, backend=backend, fullgraph=True)(torch.ones(4, 3)).sum().backward()
    return net[0].weight.grad


def in_place():
    net = nn.Sequential(nn.Linear(3, 2), nn.ReLU())
    net.compile(backend=backend)  # which runs PyTorch's own layers as they are
    net(torch.ones(4, 3)).sum().backward()
    return net[0].weight.grad


def a_whole_step():
    net = nn.Linear(3, 2)
    adam = torch.optim.Adam(net.parameters())

    @torch.compile(backend=backend)
    def step(x):
        adam.zero_grad()
        net(x).sum().backward()
        adam.step()

    for _ in range(3):
        step(torch.ones(4, 3))
    return net.weight.detach()


def under_a_mode():
    with Plain():
        return of_a_function(fullgraph=True)


def with_an_own_function():
    net = nn.Linear(3, 2)
    torch.compile(lambda x: Squares.apply(net(x)), backend=backend, fullgraph=True)(
        torch.ones(4, 3)
    ).sum().backward()
    return net.weight.grad


PROGRAMS = [
    of_a_function,
    lambda: of_a_function(fullgraph=True),
    lambda: of_a_function("aot_eager", fullgraph=True),
    of_a_module,
    in_place,
    a_whole_step,
    with_an_own_function,
    under_a_mode,
]


def run(how, program):
    torch._dynamo.reset()
    graphs.clear()
    return how(program), list(graphs)


@pytest.mark.parametrize("program", PROGRAMS)
def test_it_compiles_the_same(program):
    expected, compiled = run(alone, program)
    (found, film), then = run(watched, program)
    assert equal(found, expected) and then == compiled
    assert not film.played or [e.op for e in film.tapes[0].entries].count("torch.compile") == 1


def test_no_frame_of_minitapes_is_compiled(monkeypatch):
    class Keeps(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer, self.hidden = nn.Linear(3, 2), torch.zeros(4, 2)

        def forward(self, x):
            self.hidden = torch.tanh(self.layer(x))  # the one before goes while this is compiled
            return self.hidden.sum()

    def program():
        net = torch.compile(Keeps(), backend="eager", fullgraph=True)
        for _ in range(3):
            net(torch.ones(4, 3)).backward()
            net.hidden.mean().item()

    from torch._dynamo import convert_frame

    asks, files = convert_frame.has_tensor_in_frame, []

    def asked(frame):
        files.append(frame.f_code.co_filename)
        return asks(frame)

    torch._dynamo.reset()
    monkeypatch.setattr(convert_frame, "has_tensor_in_frame", asked)
    watched(program)
    assert files and not [each for each in files if is_inside(each)]


def test_what_was_compiled_before_the_block_is_not_compiled_again():
    @torch.compile(backend=backend, fullgraph=True)
    def double(x):
        return (x * 2).sum()

    def program():
        w = torch.ones(3, requires_grad=True)
        double(w).backward()
        return w.grad

    expected, compiled = run(alone, program)
    found, film = watched(program)
    assert equal(found, expected) and graphs == compiled and len(film.played) == 1


def test_an_error_inside_leaves_all_heard():
    @torch.compile(backend="eager")
    def fails(x):
        raise KeyError(x * 2)

    def program():
        with pytest.raises(KeyError):
            fails(torch.ones(2))
        assert len(_get_current_function_mode_stack()) == 1
        w = torch.ones(2, requires_grad=True)
        (w * 2).sum().backward()
        return w.grad

    _, film = watched(program)
    assert [e.op for e in film.tapes[0].entries] == ["ReadVariableOp", "Mul", "Sum"]


def test_another_thread_compiles_undisturbed():
    import threading

    found = []
    torch._dynamo.reset()
    with minitape.torch.watch() as block:
        other = threading.Thread(
            target=lambda: found.append(alone(lambda: of_a_function(fullgraph=True)))
        )
        other.start()
        other.join()
    assert equal(found[0], alone(of_a_function)) and not block.trouble
    assert the_recorder().shield.thread is None
