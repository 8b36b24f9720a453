"""The graphs of PyTorch, for minitape's player and explanations. Needs PyTorch: the extra
`minitape[torch]`.

    import torch
    import minitape.torch

    with minitape.torch.watch():
        ...
        loss.backward()
    print(minitape.torch.explain(x))                    # why x.grad is None

In a notebook `%%tape` over a cell does it and shows the player. What is not seen is written in
README.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from types import FrameType
from typing import TYPE_CHECKING, Any

from minitape.api.missing import offer
from minitape.engine.base.argument_errors import explains_errors
from minitape.engine.base.safe_exit import SafeExit
from minitape.engine.base.where import learners_frame
from minitape.engine.recording import add_recorder
from minitape.explain import Explanation, Explanations, explain_at

from .. import Library
from ..said import said

if TYPE_CHECKING:
    from .recorder import Recorder

__all__ = ["explain", "watch"]
LIBRARY = Library(
    "torch",
    "the graphs of PyTorch",
    ("torch", "torchvision", "torchaudio", "functorch", "lightning", "pytorch_lightning"),
    (2, 4),
)
_watching: list[watch] = []  # the block inside of which somebody looks on now, at most one


class watch:  # noqa: N801  # a block, as torch.no_grad is
    """Record what PyTorch computes inside of the block, so that minitape's player and `explain`
    can read it.

    Nothing that the program computes changes. Raises ImportError where PyTorch is not installed.
    """

    def __init__(self) -> None:
        self._guard, self._entered = None, 0
        # what went wrong while something was noted; the program is never disturbed
        self.trouble: list[Exception] = []

    def __enter__(self) -> watch:
        LIBRARY.imported()
        self._entered += 1
        if not _watching:
            LIBRARY.hide()
            _watching.append(self)
            the_recorder().start(self.trouble)
        return self

    def _leave(self, *error: Any) -> None:
        if self._entered and error:
            tell(error[1])
        self._entered = max(0, self._entered - 1)
        if not self._entered and self in _watching:
            the_recorder().stop()
            _watching.remove(self)

    __exit__ = SafeExit(_leave)


@contextmanager
def watched_if_used(text: str, _: bool = False, judge: Any = None) -> Iterator[Any]:
    """Watch inside of the block where PyTorch is loaded, or a program's text imports it; yields what
    is asked for its gradients, or None.
    """
    if not LIBRARY.used_by(text):
        yield None
        return
    with watch():
        from .script import Asked

        back = the_recorder().back
        back.asked = Asked(the_recorder())
        try:
            yield back.asked
        finally:
            back.asked = None


def tell(error: BaseException | None) -> list[str]:
    """Add to an error of PyTorch's what it means, where that is known and not yet said; returns what
    was added.
    """
    if error is None or not the_recorder.cache_info().currsize or said(error):
        return []
    from .asking import about

    with suppress(Exception):  # the program's error counts for more
        answer = about(the_recorder(), error)
        if answer is not None:
            error.add_note(note := f"minitape: {answer}")
            return [note]
    return []


@cache
def the_recorder() -> Recorder:
    """Return the one recorder: what it saw in an earlier block may be asked for in a later one."""
    from .recorder import Recorder

    recorder = Recorder()
    add_recorder(recorder)
    return recorder


@explains_errors  # its error says all
def explain(target: Any = None, source: Any = None) -> Explanation | Explanations:
    """Explain a gradient of PyTorch's: `explain(x)` why `x.grad` is what it is, `explain(loss, x)`
    the gradient of one with respect to the other, `explain()` the last error, or the last `.grad`
    that was None.

    Returns what `minitape.explain.explain` returns. Raises ValueError where nothing was watched.
    """
    from .asking import question

    frame: FrameType = learners_frame(2)
    tape, target, source, known = question(the_recorder(), target, source)
    return explain_at(frame, tape, target, source, known=known)


offer(__name__)
