"""`None` speaks up: one short warning per place when a gradient is None.

The place is the call of `gradient` in the learner's program. A loop warns once; a cell that is run again is a new place.
Silence it like any warning: `warnings.filterwarnings("ignore", category=tf.errors.NoneGradientWarning)`.
"""

from __future__ import annotations

import warnings
import weakref
from types import FrameType
from typing import TYPE_CHECKING

from minitape.engine.ground.errors import NoneGradientWarning
from minitape.engine.ground.where import learners_frame
from minitape.sentences import first_lower

from . import explain_at
from .case.words import say

if TYPE_CHECKING:
    from minitape.engine.gradient_tape import GradientTape
    from minitape.engine.ground.tensor import Tensor
    from minitape.engine.play import Play

_seen = {}         # id of a code object -> (a weak reference to it, the offsets that have warned)


def on_none(tape: GradientTape, play: Play, gradients: list[Tensor | None]) -> None:
    """Warn that gradients are None, once per place; called by `GradientTape.gradient`."""
    frame = learners_frame(2)
    code, offset = frame.f_code, frame.f_lasti
    known, offsets = _seen.get(id(code), (None, None))
    if known is None or known() is not code:
        offsets = set()
        key = id(code)
        _seen[key] = weakref.ref(code, lambda _: _seen.pop(key, None)), offsets
    if offset in offsets:
        return
    offsets.add(offset)
    warnings.warn_explicit(_text(frame, tape, play, gradients), NoneGradientWarning, code.co_filename, frame.f_lineno,
                           frame.f_globals.get("__name__", "<unknown>"))


def _text(frame: FrameType, tape: GradientTape, play: Play, gradients: list[Tensor | None]) -> str:
    missing = [i for i, r in enumerate(gradients) if r is None]
    try:
        found = explain_at(frame, tape, play.targets, play.sources, only=missing)
        first = found[0]
        code = first.code if len(first.code) <= 50 and "\n" not in first.code else ""
        place = f" ({first.place}{f': `{code}`' if code else ''})" if first.place else ""
        params = {"title": first_lower(first.title), "place": place, "target": first.target, "source": first.source,
                  "call": first.params.get("call", "tape.explain(target, source)"), "count": len(missing),
                  "sources": ", ".join(e.source for e in found)}
        return say("warning", "one" if len(missing) == 1 else "many", "", params)
    except Exception:                  # a warning must never be the reason why a program fails
        return say("warning", "fallback", "", {"tape": "tape"})
