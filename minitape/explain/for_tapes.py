"""The explainer as tapes see it, an `engine.explainer.Explainer`; and its warning of a None, a short
one, once per place.

The place is the call of `gradient` in the learner's program. A loop warns once; a cell that is run
again is a new place. Silence it like any warning: `warnings.filterwarnings("ignore",
category=tf.errors.NoneGradientWarning)`.
"""

from __future__ import annotations

import re
import warnings
import weakref
from collections.abc import Sequence
from types import FrameType
from typing import Any

from minitape.dialects import dialect_of
from minitape.engine.base.errors import NoneGradientWarning
from minitape.engine.base.where import learners_frame
from minitape.engine.gradient_tape import GradientTape
from minitape.engine.play import Play
from minitape.engine.recording import recording_of
from minitape.sentences import speaking
from minitape.storyboard.acts.reasons import Reason

from . import explain, explain_at, explain_from
from .case.aliases import Recording, TensorInfo, Where
from .case.words import listed, say
from .explanation import Unfinished
from .several import Explanations


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


# ---- the warning about gradients that are None

MOST_REASONS = 2  # as many as a warning names
PATIENCE = (
    0.5  # seconds of computing that nobody has asked to wait: then the warning says what is known
)
# id of a code object -> (a weak reference to it, the offsets that have warned)
_seen: dict[int, Any] = {}


def on_none(tape: GradientTape, play: Play, gradients: Sequence[object]) -> None:
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
    warnings.warn_explicit(
        _text(frame, tape, play, gradients),
        NoneGradientWarning,
        code.co_filename,
        frame.f_lineno,
        frame.f_globals.get("__name__", "<unknown>"),
    )


def _text(frame: FrameType, tape: GradientTape, play: Play, gradients: Sequence[object]) -> str:
    missing = [i for i, r in enumerate(gradients) if r is None]
    asks = dialect_of(recording_of(tape).module).asks
    general = asks.format(tape="tape", target="target", source="source")
    try:
        explained = explain_at(
            frame, tape, play.targets, play.sources, only=missing, seconds=PATIENCE
        )
        late = [each for each in explained if isinstance(each, Unfinished)]
        groups = Explanations(
            [], [each for each in explained if not isinstance(each, Unfinished)]
        ).groups
        sentences = [
            say(
                "warning",
                "one",
                "",
                {
                    **g.params,
                    "place": f" ({g.place})" if g.place else "",
                    "sentence": _first_sentence(g.message),
                },
            )
            for g in groups[:MOST_REASONS]
        ]
        sentences += ["…"] * (len(groups) > MOST_REASONS)
        call = late[0].call if late else groups[0].params.get("call")
        rest = {"call": call or general}
        if late:
            names = list(dict.fromkeys(each.source for each in late))
            return " ".join(
                [
                    *sentences,
                    say(
                        "warning",
                        "late",
                        "",
                        {
                            **rest,
                            "many": len(late),
                            "target": late[0].target,
                            "source": listed(names),
                        },
                    ),
                ]
            )
        return " ".join([*sentences, say("warning", "whole", "", rest)])
    except Exception:  # a warning must never be the reason why a program fails
        return say("warning", "fallback", "", {"call": general})


def _first_sentence(text: str) -> str:
    """Return a text up to its first full stop that stands in no piece of code."""
    match = re.match(r"(?:`[^`]*`|[^`])*?[.!?](?=\s|$)|.*", text, re.DOTALL)
    return match[0] if match is not None else text


__all__ = ["explain", "on_none", "reasons_of_none"]
