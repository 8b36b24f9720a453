"""Modules and optimizers: what is computed inside of them is theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count
from types import FrameType
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.optim.optimizer import (
    Optimizer,
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)

from minitape.engine.base.tensor import new_id
from minitape.engine.base.where import here, learners_frame
from minitape.program.visible import names_of

from ..shield import shielded
from .events import Changed, Holder

if TYPE_CHECKING:
    from .recorder import Recorder


class Modules:
    """Hears of the calls of modules, and of the steps of optimizers."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder, self.shield = recorder, recorder.shield
        self._paths = recorder.events.modules
        self._handles: list[Any] = []

    def replaced(self) -> list[tuple[Any, str, Callable[..., Any]]]:
        """Return (owner, name, what makes the new function out of the old one)."""
        return [
            (nn.Module, "__call__", self._layer),
            (torch, "from_numpy", self._parameter),
            (nn.Parameter, "__new__", self._parameter),
            (nn.Parameter, "__deepcopy__", self._copied),
            (Optimizer, "__init__", self._begins),
            (Optimizer, "add_param_group", self._group),
            (Optimizer, "zero_grad", self._clears),
            (nn.Module, "zero_grad", self._clears),
            (nn.Module, "register_full_backward_hook", self._hooked),
            (nn.Module, "register_full_backward_pre_hook", self._hooked),
        ]

    def start(self) -> None:
        """Hear of optimizers."""
        self._handles += [
            register_optimizer_step_pre_hook(self._steps),
            register_optimizer_step_post_hook(self._stepped),
        ]

    def stop(self) -> None:
        """Hear of them no more."""
        while self._handles:
            self._handles.pop().remove()

    def _layer(self, old: Callable[..., Any]) -> Callable[..., Any]:
        """A module is called, and what it computes until it returns is its own."""

        def call(module: Any, *args: Any, **named: Any) -> Any:
            if not self.shield.down:
                return old(module, *args, **named)
            recorder = self._recorder
            if recorder.ears.closed:  # an optimizer was left by an error
                recorder.ears.open()
            return recorder.sites.within_layer(self._path(module), old, module, *args, **named)

        return call

    def _path(self, module: Any) -> str:
        """Return what a module is called: as its attributes have it in the outermost one."""
        path = self._paths.get(module)
        if path is None:
            outermost, called = held(module)
            root = self._paths.get(outermost) or self._alone(outermost, called)
            if outermost is module and self._recorder.sites.layers:
                self._recorder.events.hidden.update(module.modules())
            for name, inner in outermost.named_modules():
                self._paths.setdefault(inner, f"{root}/{name.replace('.', '/')}".rstrip("/"))
            for name, parameter in outermost.named_parameters():
                known = self._recorder.known(parameter)
                known.path = known.path or f"{root}/{name.replace('.', '/')}"
                known.name = name.rpartition(".")[2]
            path = self._paths[module]
        return path

    def _alone(self, module: Any, called: str) -> str:
        """Return the name of a module, which is met for the first time. What has a name in the
        program may have taken it over from another, as a cell that is run again does it; others get
        a number.
        """
        own = called and not self._recorder.sites.layers
        name = called or type(module).__name__
        taken = set() if own else set(self._paths.values())
        return next(n for k in count(1) if (n := name + str(k) * (k > 1)) not in taken)

    def _parameter(self, old: Callable[..., Any]) -> Callable[..., Any]:
        return self._after(old, lambda result, *of: self._recorder.made(result, of))

    def _copied(self, old: Callable[..., Any]) -> Callable[..., Any]:
        """A parameter is copied with all that holds it."""
        return self._after(old, lambda result, of, *_: self._recorder.copied(of, result))

    def _begins(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def begin(optimizer: Any, params: Any, *args: Any, **named: Any) -> None:
            try:
                old(optimizer, params, *args, **named)
            except ValueError as error:
                self._recorder.refused(error, ())
                raise

        return begin

    def _group(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def add(optimizer: Any, param_group: Any) -> None:
            try:
                old(optimizer, param_group)
            except ValueError as error:
                self._recorder.refused(error, param_group["params"])
                raise
            if self.shield.down:
                self._holds(optimizer)

        return add

    def _hooked(self, old: Callable[..., Any]) -> Callable[..., Any]:
        hooks = self._recorder.events.hooks
        return self._after(old, lambda *_: hooks.append((None, here())))

    def _after(self, old: Callable[..., Any], note: Callable[..., None]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            result = old(*args, **named)
            if self.shield.down:
                note(result, *args, *named.values())
            return result

        return call

    @shielded
    def _holds(self, optimizer: Any) -> None:
        known = self._recorder.known
        group = optimizer.param_groups[-1]["params"]
        made = self._recorder.events.optimizers.setdefault(
            optimizer, Holder(new_id(), set(), where=here())
        )
        made.holds.update(known(p).id for p in group)
        made.shapes = ()

    def _holder(self, optimizer: Any) -> Holder:
        """Return what is known of an optimizer; one that was made before anybody looked is met."""
        optimizers, known = self._recorder.events.optimizers, self._recorder.known
        result = optimizers.get(optimizer)
        if result is None:
            held = {known(p).id for group in optimizer.param_groups for p in group["params"]}
            result = optimizers[optimizer] = Holder(new_id(), held)
        return result

    def _steps(self, optimizer: Any, args: Any, named: Any) -> Any:
        """An optimizer moves parameters, and what it computes for it is its own; what its closure
        computes is the program's.
        """
        if not self.shield.down:
            return None
        moved = [p for group in optimizer.param_groups for p in group["params"]]
        self._recorder.ears.close()
        self._recorder.back.forget()
        self._recorder.guard(moved)
        self._note(optimizer, moved)
        if not any(map(callable, (*args, *named.values()))):  # a closure computes gradients first
            self._ask(optimizer)
        return (
            tuple([self._closure(optimizer, a) if callable(a) else a for a in args]),
            {n: self._closure(optimizer, a) if callable(a) else a for n, a in named.items()},
        )

    @shielded
    def _note(self, optimizer: Any, moved: Sequence[Any]) -> None:
        holder = self._holder(optimizer)
        holder.stepped = new_id()
        holder.shapes = holder.shapes or {tuple(p.shape) for p in moved}
        self._recorder.events.changes.append(Changed(-1, "", holder.shapes, here(), True))

    @shielded
    def _ask(self, optimizer: Any) -> None:
        asked = self._recorder.back.asked
        if asked is not None:
            asked.steps(optimizer)

    def _closure(self, optimizer: Any, closure: Callable[..., Any]) -> Callable[..., Any]:
        def called(*args: Any, **named: Any) -> Any:
            self._recorder.ears.open()  # and so they stay where it raises
            result = closure(*args, **named)
            self._recorder.ears.close()
            self._ask(optimizer)
            return result

        return called

    def _stepped(self, optimizer: Any, *arguments: Any) -> None:
        if self.shield.down:
            self._recorder.ears.open()

    def _clears(self, old: Callable[..., Any]) -> Callable[..., Any]:
        """All gradients of an optimizer or a module are cleared at once."""

        def clear(owner: Any, set_to_none: bool = True) -> None:
            ears = self._recorder.ears
            if not self.shield.down or not set_to_none or ears.closed:
                return old(owner, set_to_none)
            ears.close()
            try:
                had = [p for p in _parameters(owner) if p.grad is not None]
                old(owner, set_to_none)
            finally:
                ears.open()
            if had:
                self._recorder.cleared(had)

        return clear


def held(module: Any) -> tuple[Any, str]:
    """Return the outermost module that holds one where it is called, and its name there, "" where
    the program has none.
    """
    result, called = module, ""
    frame: FrameType | None = learners_frame()
    while frame is not None:
        for name, value in names_of(frame).items():
            if not issubclass(type(value), nn.Module) or name == "self" and value is result:
                continue
            if value is result:
                called = called or name
            elif any(inner is result for inner in value.modules()):
                result, called = value, "" if name == "self" else name
        frame = frame.f_back
    return result, called


def _parameters(owner: Any) -> Iterable[Any]:
    if isinstance(owner, nn.Module):
        return owner.parameters()
    return [p for group in owner.param_groups for p in group["params"]]
