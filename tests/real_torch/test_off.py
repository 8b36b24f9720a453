"""Off means off: after a block all is as it was that it replaces, however the block ended."""

import gc
import io
import sys
import threading
import warnings

import numpy as np
import pytest
import torch
from torch import nn
from torch.optim import optimizer
from torch.overrides import TorchFunctionMode, _get_current_function_mode_stack

import minitape.torch
from minitape.engine.base.listeners import active, onlookers
from minitape.recorders import torch as mt
from minitape.storyboard import Film


def snapshot():
    """All that a block could leave behind: each name of each module and class of PyTorch's that it
    reaches into, its hooks, and Python's own.
    """
    owners = [
        torch,
        torch.autograd,
        torch.autograd.graph,
        torch.autograd.Function,
        nn.Module,
        nn.Parameter,
        nn.Linear,
        nn.modules.module,
        *torch.Tensor.__mro__[:-1],
        optimizer,
        optimizer.Optimizer,
    ]
    found = {
        (owner, name): id(value)
        for owner in owners
        for name, value in vars(owner).items()
        if name not in ("__warningregistry__", "_abc_impl", "__annotations_cache__")
    }
    hooks = [
        len(vars(nn.modules.module)[name])
        for name in dir(nn.modules.module)
        if name.startswith("_global") and name.endswith("hooks")
    ]
    hooks += [
        len(optimizer._global_optimizer_pre_hooks),
        len(optimizer._global_optimizer_post_hooks),
    ]
    python = (
        sys.gettrace(),
        sys.getprofile(),
        list(gc.callbacks),
        list(warnings.filters),
        sys.excepthook,
    )
    modes = _get_current_function_mode_stack(), torch.is_grad_enabled()
    return found, hooks, python, modes, active.get(), onlookers.get()


def step():
    net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    adam = torch.optim.Adam(net.parameters())
    for _ in range(2):
        adam.zero_grad()
        net(torch.ones(4, 2)).sum().backward()
        adam.step()
    x = torch.ones(2, requires_grad=True)
    (g,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
    g.sum().backward()
    return np.sin(x.detach().numpy())


def raises(error):
    def program():
        step()
        raise error

    return program


class Fails(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        raise KeyboardInterrupt


def on_the_way_back():
    Fails.apply(torch.ones(2, requires_grad=True)).sum().backward()


def in_an_optimizer():
    w = torch.ones(2, requires_grad=True)

    def closure():
        raise KeyboardInterrupt

    torch.optim.SGD([w]).step(closure)


def nested():
    with mt.watch(), Film():
        with mt.watch():
            step()
        step()


class Doubles(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def with_a_mode_of_its_own():
    with Doubles(), torch.device("cpu"):
        step()


PROGRAMS = [
    step,
    raises(ZeroDivisionError()),
    raises(KeyboardInterrupt()),
    raises(SystemExit()),
    nested,
    on_the_way_back,
    in_an_optimizer,
    with_a_mode_of_its_own,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_all_is_as_it_was(program):
    step()
    before = snapshot()
    for _ in range(2):
        try:
            with mt.watch():
                assert snapshot()[0] != before[0]
                program()
        except (ZeroDivisionError, KeyboardInterrupt, SystemExit):
            pass
        assert not mt._watching and mt.the_recorder().shield.thread is None
        difference(before, snapshot())
    w = torch.ones(2, requires_grad=True)
    (w * 2).sum().backward()
    assert torch.equal(w.grad, torch.full((2,), 2.0))


def test_recording_goes_on_after_an_interrupt_in_an_optimizer():
    with mt.watch(), Film() as film:
        with pytest.raises(KeyboardInterrupt):
            in_an_optimizer()
        w = torch.ones(2, requires_grad=True)
        (w * 2).sum().backward()
    film.tapes[-1].develop()
    assert [entry.op for entry in film.tapes[-1].entries] == ["ReadVariableOp", "Mul", "Sum"]


def test_a_mode_that_is_still_there_stays():
    mode = Doubles()
    block = mt.watch()
    block.__enter__()
    mode.__enter__()
    block.__exit__(None, None, None)
    assert _get_current_function_mode_stack() == [mode]
    mode.__exit__(None, None, None)
    assert not _get_current_function_mode_stack()


def test_another_thread_ends_the_block():
    step()
    before = snapshot()
    block = mt.watch()
    block.__enter__()
    step()
    ending = threading.Thread(target=block.__exit__, args=(None, None, None))
    ending.start()
    ending.join()
    step()
    with mt.watch():
        step()
    difference(before, snapshot())


def test_other_threads_are_not_disturbed():
    found = []
    with mt.watch() as block:
        other = threading.Thread(target=lambda: found.append(step()))
        other.start()
        step()
        other.join()
    assert len(found) == 1 and not block.trouble


def saved(thing):
    buffer = io.BytesIO()
    torch.save(thing, buffer)
    return buffer.getvalue()


def test_what_is_saved_is_what_it_was():
    torch.manual_seed(0)
    plain = nn.Linear(2, 1)
    plain(torch.ones(1, 2)).sum().backward()
    torch.manual_seed(0)
    with mt.watch():
        net = nn.Linear(2, 1)
        out = net(torch.ones(1, 2)).sum()
        out.backward()
        inside = saved(net.state_dict()), saved(net), saved(net.weight)
    assert inside == (saved(plain.state_dict()), saved(plain), saved(plain.weight))
    assert saved(net) == saved(plain)
    for tensor in (*net.parameters(), out, net.weight.grad):
        assert not vars(tensor) and not tensor._backward_hooks
    assert vars(net).keys() == vars(plain).keys()


def test_a_graph_that_is_let_go_keeps_nothing():
    with mt.watch() as block:
        w = torch.ones(1000, requires_grad=True)
        for _ in range(3 * 4096 // 2):
            (w * 2).sum()
        recorder = mt.the_recorder()
        assert len(recorder.tape.entries) < 2 * 4096
    assert not block.trouble


def test_the_names():
    assert dir(minitape.torch) == ["explain", "watch"]


def difference(before, after):
    assert before[1:] == after[1:]
    changed = {
        (getattr(owner, "__name__", owner), name)
        for owner, name in before[0].keys() | after[0].keys()
        if before[0].get((owner, name)) != after[0].get((owner, name))
    }
    assert not changed, changed
