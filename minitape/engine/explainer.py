"""The interface to the explainer, a layer above: tapes ask it why a gradient is None.

`EXPLAINER` is filled in `minitape/__init__.py`. Two context managers change what happens at a None:
`answering_none` calls another function, `unwarned` silences the warning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol
from weakref import ref

from .base.hook import Hook

if TYPE_CHECKING:
    from .base.aliases import Where
    from .gradient_tape import GradientTape
    from .play import Play
    from .recording import Recording, TensorInfo

    OnNone = Callable[[GradientTape, Play, Sequence[object]], None]


class Explainer(Protocol):
    """Says why gradients are what they are. `minitape/explain/for_tapes.py` is one."""

    def on_none(self, tape: GradientTape, play: Play, gradients: Sequence[object], /) -> None:
        """Warn that some of the gradients that a play gave are None."""

    def explain(self, tape: GradientTape, target: Any, source: Any, /) -> Any:
        """Answer `tape.explain`."""

    def reasons_of_none(
        self,
        scopes: tuple[dict[str, Any], ...],
        asked: Where,
        tape: Recording,
        targets: Sequence[TensorInfo],
        sources: Sequence[TensorInfo],
        only: list[int],
        language: str,
        /,
    ) -> list[Any]:
        """Tell a picture why the gradients of some sources, by their places, are None: a
        `storyboard.acts.reasons.Reason` or None for each.
        """


EXPLAINER: Hook[Explainer] = Hook("an explainer of gradients")


class _Block:
    """A `with` block; one that has ended answers nothing."""

    def __init__(self, answer: OnNone) -> None:
        self.answer: OnNone | None = answer


# The blocks that this thread or task is in. They may overlap (in generators, say) and end in any
# order: each ends only itself. Only its own frame holds a block: of one that Ctrl-C has stopped
# on its way in, nothing is left.
_blocks: ContextVar[tuple[ref[_Block], ...]] = ContextVar(
    "who answers for a None, outermost first", default=()
)


def _answers() -> Iterator[tuple[ref[_Block], OnNone]]:
    """Yield what answers in the blocks that have not ended."""
    for each in _blocks.get():
        block = each()
        if block is not None and block.answer is not None:
            yield each, block.answer


def none_found(tape: GradientTape, play: Play, gradients: Sequence[object]) -> None:
    """Call the innermost handler: some of the gradients that a play returned are None."""
    answers = [answer for _, answer in _answers()] or [EXPLAINER().on_none]
    answers[-1](tape, play, gradients)


@contextmanager
def answering_none(answer: OnNone) -> Iterator[None]:
    """Inside the block, call `answer(tape, play, gradients)` wherever a gradient is None."""
    block = _Block(answer)
    _blocks.set((*_blocks.get(), ref(block)))
    try:
        yield
    finally:
        block.answer = None
        _blocks.set(tuple([each for each, _ in _answers()]))


@contextmanager
def unwarned() -> Iterator[None]:
    """Silence the warning about None gradients, where the caller explains them or asks for them."""
    with answering_none(lambda tape, play, gradients: None):
        yield
