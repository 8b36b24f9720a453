"""The explainer as tapes see it: an `engine.explainer.Explainer`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from minitape.sentences import speaking
from minitape.storyboard.acts.reasons import Reason

from . import explain, explain_from
from .warning import on_none

if TYPE_CHECKING:
    from .case.aliases import Recording, TensorInfo, Where


def reasons_of_none(
    scopes: tuple[dict[str, Any], ...],
    asked: Where,
    tape: Recording,
    targets: Sequence[TensorInfo],
    sources: Sequence[TensorInfo],
    only: list[int],
    language: str,
) -> list[Reason | None]:
    """Return for some sources, by their places, why their gradients are None; None where nothing is
    wrong.
    """
    with speaking(language):
        result = explain_from(scopes, asked, tape, targets, sources, only)
        return [
            None
            if e.healthy
            else Reason(e.category, e.message, e.fix, e.where, e.filename, e.span, e.way)
            for e in result
        ]


__all__ = ["explain", "on_none", "reasons_of_none"]
