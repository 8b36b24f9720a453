"""What looking on costs, as numbers that no busy machine moves: functions that are called, and
tensors that are kept.
"""

import gc
import sys
import weakref

import pytest
import torch
from torch import nn

import minitape.torch
from minitape.recorders.torch import the_recorder
from minitape.recorders.torch.events import MOST_PLAYS
from minitape.recorders.torch.tensors import storage_of
from tests.benchmarks.waits import WAITS, measured, torch_memory

from .asked import forget


def calls(program):
    """Returns how many functions of Python's and C's a program calls."""
    count = 0

    def profile(frame, event, _):
        nonlocal count
        count += event in ("call", "c_call")

    gc.collect()
    gc.disable()
    sys.setprofile(profile)
    try:
        program()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count


def chain(n):
    def program():
        c, y = torch.tensor(1.1), torch.tensor(1.0, requires_grad=True)
        for _ in range(n // 2):
            y = y * c
            y = y + c
        y.backward()

    return program


def adam():
    net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
    optimizer = torch.optim.Adam(net.parameters())
    x = torch.randn(16, 8)

    def program():
        optimizer.zero_grad()
        (net(x) ** 2).mean().backward()
        optimizer.step()

    return program


def more(program):
    """Returns how many more functions a program calls while it is watched."""
    forget()
    program()
    alone = calls(program)
    with minitape.torch.watch() as block:
        for _ in range(3):  # what tests before have left is gone
            program()
        found = calls(program) - alone
    assert not block.trouble
    return found


def test_calls_of_an_operation(monkeypatch):
    """There and back together, where no play has made nodes of its own, as `create_graph` does."""
    monkeypatch.setattr("minitape.recorders.torch.filming.created", [])
    an_operation = (more(chain(1200)) - more(chain(200))) / 1000
    assert 10 < an_operation < 50


def test_calls_of_a_step():
    """Those of the optimizer itself are not heard."""
    assert more(adam()) < 1000


def test_every_second_node_of_a_chain_is_hooked():
    """What it gets and sends is what the others get; of a leaf's product, `.grad` tells."""

    def hooks(program):
        with minitape.torch.watch() as block:
            program()
            films = the_recorder().back.last.filming._films
        assert not block.trouble
        return sum(film.beside is not None for film in films), len(films)

    assert hooks(chain(100)) == (50, 100)
    net, x = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4)), torch.ones(1, 8)
    assert hooks(lambda: (net(x) ** 2).mean().backward()) == (3, 7)


def test_what_is_gone_is_kept_nowhere():
    """A step later nobody holds what an earlier one computed."""
    net, data = nn.Linear(3, 2), torch.ones(1, 3)
    seen = []
    with minitape.torch.watch() as block:
        tensors = the_recorder().tensors
        before = len(tensors.table)
        for _ in range(40):
            h = net(data)
            seen.append(weakref.ref(h))
            (h * h).sum().backward()
            tensors.guard([torch.ones(1)])
        del h
        assert len(tensors.table) < before + 20
        tensors.tidy()
        assert len(tensors._stored[storage_of(data)]) == 1
    assert not block.trouble and not any(weak() is not None for weak in seen)


def test_the_table_has_only_what_exists():
    """Also where an object goes and comes back, since the graph keeps its tensor."""
    w = torch.ones(5, requires_grad=True)
    with minitape.torch.watch() as block:
        table = the_recorder().tensors.table
        for k in range(100):
            y = w * 2.0
            z = (y * y).sum()
            node = z.grad_fn.next_functions[0][0]
            del y
            (node._saved_self.sum() + z).backward()
            if k % 3:
                w.grad = None
            del z, node
            assert all(id(known()) == key for key, known in list(table.items()))
    assert not block.trouble


def test_gradients_are_not_copied():
    """What the film knows of a leaf's gradient is `.grad` itself, until somebody writes there."""
    w = torch.ones(1000, requires_grad=True)
    with minitape.torch.watch() as block:
        (w * 3).sum().backward()
        play = the_recorder().back.last
        (leaf,) = play.filming.leaves.values()
        kept = leaf.gradient
        assert kept.data_ptr() == w.grad.data_ptr()
        w.grad.mul_(2)
        assert kept.data_ptr() != w.grad.data_ptr() and kept[0] == 3
        (w * 3).sum().backward()  # which adds
        assert kept[0] == 3 and w.grad[0] == 9
    assert not block.trouble


def test_nothing_stays_on_a_node():
    with minitape.torch.watch():
        y = torch.ones(2, requires_grad=True) * 2
        y.sum().backward(retain_graph=True)
        films = the_recorder().back.last.filming
    y.sum().backward()
    assert not y.grad_fn.metadata and not films._hooks
    assert [film.parts is not None for film in films._films] == [True, False]
    y.grad_fn.register_hook(lambda *_: None).remove()  # PyTorch finds hooks of its own kind


def test_bytes_of_an_operation():
    """Beside the arrays, which are PyTorch's own; in a process that has computed nothing before."""
    (row,) = [row for row in WAITS if row.measure is torch_memory]
    (found,) = measured(row)
    assert 100 < found < 280


def test_an_optimizer_that_fails_leaves_the_ears_open():
    w = nn.Parameter(torch.ones(2))
    optimizer = torch.optim.SGD([w])
    with minitape.torch.watch() as block:
        w.grad = torch.ones(2)
        optimizer.param_groups[0]["lr"] = "no number"
        with pytest.raises((TypeError, RuntimeError)):
            optimizer.step()
        (w * 2).sum().backward()
        y = w * 3
        assert the_recorder().describe(y).tensor in the_recorder().tape.watched
    assert not block.trouble


def test_nodes_of_another_count():
    """On a GPU another thread makes the nodes of a gradient, and counts them for itself."""
    x = torch.tensor(2.0, requires_grad=True)
    with minitape.torch.watch() as block:
        y = x * x * x
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        g.grad_fn._set_sequence_nr(y.grad_fn._sequence_nr())
        z = g * 2
        tape = the_recorder().tape
        z.backward()
        made = the_recorder().describe(y).tensor
        assert not any(made in entry[1] for entry in tape.entries if entry[0] == "Mul")
    assert not block.trouble and x.grad == 24


def test_nothing_waits_for_a_search_for_garbage():
    """A step that is over leaves nothing that refers to itself."""
    program = adam()
    with minitape.torch.watch() as block:
        for _ in range(MOST_PLAYS):  # so many are kept, with their tapes
            program()
        gc.collect()
        gc.disable()
        try:
            for _ in range(20):
                program()
            assert gc.collect() == 0
        finally:
            gc.enable()
    assert not block.trouble
