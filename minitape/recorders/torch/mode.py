"""The mode of PyTorch's through which a recorder hears of the functions that a program calls."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import torch
from torch.overrides import TorchFunctionMode

from .filming import next_node
from .kinds import kind_of

if TYPE_CHECKING:
    from .recorder import Recorder

WRITES = {"batch_norm": slice(1, 3), "instance_norm": slice(1, 3)}  # these of its arguments


class Mode(TorchFunctionMode):
    """Hears of the functions of PyTorch's that a program calls."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self.recorder, self._kinds = recorder, dict[Any, tuple[str, str]]()

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        named = kwargs or {}
        kind, name = self._kinds.get(func) or self._kinds.setdefault(func, kind_of(func))
        recorder = self.recorder
        if not kind or recorder.ears.closed or recorder.shield.quiet:
            return func(*args, **named)
        if kind == "computes":
            if not named or not (named.get("inplace") or named.get("out") is not None):
                if name in WRITES:
                    recorder.guard(args[WRITES[name]])
                node = next_node()
                result = func(*args, **named)
                recorder.computed(name, args, named, result, node)
                return result
            kind = "changes"
        return getattr(recorder, kind.replace(" ", "_"))(func, name, args, named)


class Ears:
    """Closed, nothing is heard: what an optimizer computes for its step is its own. The mode is off
    its thread's stack meanwhile, unless somebody else's stands above it.
    """

    def __init__(self, mode: TorchFunctionMode) -> None:
        self._mode, self._off, self.closed = mode, False, False

    def close(self) -> None:
        """Hear nothing until `open`."""
        height = torch._C._len_torch_function_stack()
        if height and torch._C._get_function_stack_at(height - 1) is self._mode:
            torch._C._pop_torch_function_stack()
            self._off = True
        self.closed = True

    def open(self) -> None:
        """Hear again."""
        if self._off:
            torch._C._push_on_torch_function_stack(self._mode)
        self.closed = self._off = False

    def forget(self) -> None:
        """Let a block begin or end: nothing stays closed."""
        take_off(self._mode)
        self.closed = self._off = False


def take_off(mode: TorchFunctionMode) -> None:
    """Take a mode off its thread's stack, wherever it stands there."""
    above = []
    with suppress(Exception):
        while torch._C._len_torch_function_stack():
            top = torch._C._pop_torch_function_stack()
            if top is mode:
                break
            above.append(top)
    for other in reversed(above):
        torch._C._push_on_torch_function_stack(other)
