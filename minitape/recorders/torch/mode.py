"""The mode of PyTorch's through which a recorder hears of the functions that a program calls."""

from __future__ import annotations

from threading import get_ident
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from .filming import next_node
from .kinds import kind_of
from .operations import plain_row, plain_rows

if TYPE_CHECKING:
    from ..row import Row
    from .recorder import Recorder

    Rows = dict[int, Row]

WRITES = {"batch_norm": slice(1, 3), "instance_norm": slice(1, 3)}  # these of its arguments


class Mode(TorchFunctionMode):
    """Hears of the functions of PyTorch's that a program calls."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self.recorder, self._kinds = recorder, dict[Any, "tuple[str, str, Rows]"]()

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kind, name, rows = self._kinds.get(func) or self._kind(func)
        recorder = self.recorder
        shield = recorder.shield
        if not kind or shield.quiet or recorder.ears.closed:
            return func(*args, **(kwargs or {}))
        if kwargs and (kwargs.get("inplace") or kwargs.get("out") is not None):
            kind = "changes" if kind == "computes" else kind
        if kind != "computes":
            return getattr(recorder, kind.replace(" ", "_"))(func, name, args, kwargs or {})
        if name in WRITES:
            recorder.guard(args[WRITES[name]])
        node = next_node()
        try:
            result = func(*args, **kwargs) if kwargs else func(*args)
        except RuntimeError as error:
            recorder.failed(error, args)
            raise
        if get_ident() != shield.thread:
            return result
        # as `shielded` does it; nearly all that a program calls comes here, so it is all in one
        shield.quiet = True
        try:
            sites = recorder.sites
            made = (site := sites.of_call(2)).made
            if made[1] is not sites.layers:
                made = site.within(sites.layers)
            row, nodes = None, next_node() - node  # those that it has put into the graph
            if nodes and type(result) is Tensor:  # which is new, then
                row = None if kwargs else rows.get(len(args))
                row = row or plain_row(name, args, kwargs)
            if (
                row is None
                or nodes > 1
                and (not result.requires_grad or recorder.tensors.get(result))
            ):
                recorder.computed(name, args, kwargs or {}, result, made)
            else:
                recorder.write_one(row, args, result, made, node if nodes == 1 else None)
        except Exception as error:
            shield.keep(error)
        finally:
            shield.quiet = False
        return result

    def _kind(self, func: Any) -> tuple[str, str, Rows]:
        kind, name = kind_of(func)
        self._kinds[func] = result = kind, name, plain_rows(name)
        return result


class Ears:
    """Closed, nothing is heard: what an optimizer computes for its step is its own, and so is what
    a compiled function computes. The mode is off its thread's stack meanwhile.
    """

    def __init__(self, mode: TorchFunctionMode) -> None:
        self._mode, self.closed = mode, False
        self._above: list[Any] | None = None  # the modes that stood above it on the stack

    def close(self) -> None:
        """Hear nothing until `open`."""
        self._above = take_off(self._mode) if self._above is None else self._above
        self.closed = True

    def open(self) -> None:
        """Hear again."""
        if self._above is not None:
            still = self._above[: torch._C._len_torch_function_stack()]
            above = [torch._C._pop_torch_function_stack() for _ in still]
            for mode in (self._mode, *reversed(above)):
                torch._C._push_on_torch_function_stack(mode)
        self._above, self.closed = None, False

    def forget(self) -> None:
        """Let a block begin or end: nothing stays closed."""
        take_off(self._mode)
        self._above, self.closed = None, False


def take_off(mode: TorchFunctionMode) -> list[Any] | None:
    """Take a mode off its thread's stack, wherever it stands there; returns those above it, the
    highest first, None where it does not stand there.
    """
    stack = torch.overrides._get_current_function_mode_stack()
    if mode not in stack:
        return None
    above = [torch._C._pop_torch_function_stack() for _ in stack[stack.index(mode) + 1 :]]
    torch._C._pop_torch_function_stack()
    for other in reversed(above):
        torch._C._push_on_torch_function_stack(other)
    return above
