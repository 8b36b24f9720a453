"""What a library knows of the weights of a training: who has no gradient, and whose gradient does
not go where it should.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minitape.engine.recording import describe, recorded
from minitape.explain import explain_at

if TYPE_CHECKING:
    from types import FrameType

    from minitape.engine.base.aliases import Tape

    from .history import History


def ask(history: History, tape: Tape, targets: Any, sources: Any, frame: FrameType) -> None:
    """Ask the library once for each of both, in the place of the step that was looked at last."""
    recording, reached = recorded(tape), {source.id for source in sources}
    for weight in history.weights.values():
        info = describe(weight.variable)
        if weight.frozen or info is None:
            continue
        known = recording.trained(info) if history.known is None else None
        if known is not None:
            answer = explain_at(frame, recording, targets[0], info, known=known)
            history.known = weight.id, history.steps[-1], answer
        elif history.whole and history.explained is None and weight.id not in reached:
            history.explained = weight.id, explain_at(frame, recording, targets[0], info)
