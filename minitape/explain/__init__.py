"""Why is it None? A reader of tapes that explains surprising gradients: what happened, where, and what to write instead.

`explain(tape, target, source)`, which is `tape.explain(target, source)`, returns an `Explanation`. It works before and
after `gradient`, on every tape, because a tape always keeps its cards, its margin and positions in the program.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any

from minitape.api.missing import offer
from minitape.engine.ground.nest import flatten, is_nested, pack_sequence_as
from minitape.engine.ground.where import learners_frame
from minitape.program.visible import names_of, reachable
from minitape.sentences import set_language

from .answer import answer
from .case.facts import Evidence
from .case.words import CATEGORIES
from .explanation import Explanation

if TYPE_CHECKING:
    from minitape.engine.gradient_tape import GradientTape
    from minitape.engine.ground.aliases import Where
    from minitape.engine.recording import Recording
    from minitape.typing import Nested


def explain(tape: GradientTape | Recording, target: Nested, source: Nested) -> Any:
    """Explain the gradient of `target` with respect to `source` on a tape.

    Returns an `Explanation`, or a structure of them where `source` is a structure. Raises TypeError for anything but tensors
    and variables. See `GradientTape.explain`.
    """
    return explain_at(learners_frame(2), tape, target, source)


def explain_at(frame: FrameType, tape: GradientTape | Recording, target: Nested, source: Nested, only: Sequence[int] | None = None) -> Any:
    """Explain as if asked in a frame of the learner's program; see `explain_from`."""
    return explain_from((names_of(frame), frame.f_globals), (frame.f_code, frame.f_lasti), tape, target, source, only)


def explain_from(scopes: Sequence[dict[str, Any]], asked: Where, tape: GradientTape | Recording, target: Nested, source: Nested,
                 only: Sequence[int] | None = None) -> Any:
    """Explain as if asked at a position of the learner's program, where the dictionaries `scopes` hold its names, inner ones first.

    `only`: which of the flat sources to explain; then the answer is a list.
    """
    describe, targets, sources = recording_of(tape).describe, flatten(target), flatten(source)
    for what, things in (("target", targets), ("source", sources)):
        for thing in things:
            if describe(thing) is None:
                raise TypeError(f"explain needs tensors or variables, but the {what} is {thing!r} of type {type(thing).__name__!r}. "
                                + ("It left the library: keep the tensor, not its NumPy or Python value."
                                   if what == "target" else "Name the tensor or variable itself."))
    collects = gc.isenabled()
    gc.disable()                        # what is made here is small and without cycles: looking for garbage takes most of the time
    try:
        return _explain(scopes, asked, tape, target, source, only)
    finally:
        if collects:
            gc.enable()


def recording_of(tape: GradientTape | Recording) -> Recording:
    """Return the `Recording` of a tape; what is one already stays itself."""
    return getattr(tape, "recording", tape)  # type: ignore[arg-type]


def _explain(scopes: Sequence[dict[str, Any]], asked: Where, tape: GradientTape | Recording, target: Nested, source: Nested,
             only: Sequence[int] | None) -> Any:
    sources = flatten(source)
    library = next(((name, value) for names in scopes for name, value in list(names.items())
                    if isinstance(value, ModuleType) and value.__name__ == "minitape"), ("tf", None))
    recording = recording_of(tape)
    evidence = Evidence(recording, reachable(scopes), library)
    by_name = {}
    for names in reversed(scopes):
        by_name.update((n, thing.id) for n, v in list(names.items()) if (thing := recording.describe(v)) is not None)
    chosen = range(len(sources)) if only is None else only
    targets, sources = [recording.describe(t) for t in flatten(target)], [recording.describe(s) for s in sources]
    found = [answer(evidence, targets, sources[k], asked, k, by_name) for k in chosen]
    if only is not None:
        return found
    return pack_sequence_as(source, found) if is_nested(source) else found[0]


__all__ = ["CATEGORIES", "Explanation", "explain", "explain_at", "explain_from", "set_language"]
offer(__name__)
