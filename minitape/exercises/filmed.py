"""An answer filmed: what its tapes recorded and played, and why a gradient was None.

The explainer is asked at once, where a gradient comes back as None: when the answer has returned, the tensors that tell what ran
beside the tape are gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from ..engine.gradient_tape import GradientTape
from ..engine.ground.where import learners_frame
from ..explain import explain_at
from ..storyboard import Film


class FilmedAnswer(Film):
    """A film of an answer. `reasons`: the explanations of its gradients that are None, in the order of its plays."""

    def __init__(self) -> None:
        super().__init__()
        self.reasons: list[Any] = []

    @contextmanager
    def running(self) -> Iterator[None]:
        """Film what runs inside of the block."""
        before, GradientTape.on_none = GradientTape.on_none, staticmethod(self._ask)
        try:
            with self:
                yield
        finally:
            GradientTape.on_none = before

    def _ask(self, tape: GradientTape, play: Any, gradients: list[Any]) -> None:
        missing = [k for k, gradient in enumerate(gradients) if gradient is None]
        with suppress(Exception):                        # a reason is told where there is one; the answer is judged anyway
            self.reasons += explain_at(learners_frame(2), tape, play.targets, play.sources, only=missing)
