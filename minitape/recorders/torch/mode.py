"""The mode of PyTorch's through which a recorder hears of the functions that a program calls."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import torch
from torch.overrides import TorchFunctionMode

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
        if not kind or recorder.stepping or recorder.shield.quiet:
            return func(*args, **named)
        if kind == "computes":
            if not named or not (named.get("inplace") or named.get("out") is not None):
                if name in WRITES:
                    recorder.guard(args[WRITES[name]])
                result = func(*args, **named)
                recorder.computed(name, args, named, result)
                return result
            kind = "changes"
        return getattr(recorder, kind.replace(" ", "_"))(func, name, args, named)


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
