"""Explanations of surprising gradients: what happened, where, and what to write instead.

`explain(tape, target, source)`, or `tape.explain(target, source)`, returns an `Explanation`; for a
list, a dictionary or a model it returns `Explanations`. It works on every tape, before and after
`gradient`, because a tape always keeps its entries, notes and positions.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any

from minitape.api.missing import offer
from minitape.dialects import dialect_of
from minitape.engine.base.nest import flatten, is_nested, pack_sequence_as
from minitape.engine.base.where import learners_frame
from minitape.engine.recording import recording_of
from minitape.program.files import OutOfTime, clock
from minitape.program.objects import attributes, has, is_a
from minitape.program.visible import names_of, reachable
from minitape.sentences import set_language

from .answer import answer, unfinished
from .case.case import Case
from .case.facts import Evidence
from .case.opened import opened
from .case.words import CATEGORIES
from .explanation import Explanation
from .reasons.not_tensors import NotATensor
from .several import Explanations

if TYPE_CHECKING:
    from minitape.engine.gradient_tape import GradientTape
    from minitape.typing import Nested

    from .case.aliases import Break, Recording, Where


def explain(
    tape: GradientTape | Recording, target: Nested | object, source: Nested | object
) -> Any:
    """Explain the gradient of `target` with respect to `source` on a tape.

    Returns an `Explanation`, or `Explanations` where `source` is a structure or a model. What is no
    tensor is explained as well. See `GradientTape.explain`.
    """
    return explain_at(learners_frame(2), tape, target, source)


def explain_at(
    frame: FrameType,
    tape: GradientTape | Recording,
    target: Any,
    source: Any,
    only: Sequence[int] | None = None,
    seconds: float | None = None,
    known: Break | None = None,
) -> Any:
    """Explain as if asked in a frame of the learner's program; see `explain_from`."""
    return explain_from(
        (names_of(frame), frame.f_globals),
        (frame.f_code, frame.f_lasti),
        tape,
        target,
        source,
        only,
        seconds,
        known,
    )


@contextmanager
def _uncollected() -> Iterator[None]:
    """Look for no garbage: what an explanation makes is small and without cycles, and looking for
    it takes most of the time.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@_uncollected()
def explain_from(
    scopes: Sequence[dict[str, Any]],
    asked: Where,
    tape: GradientTape | Recording,
    target: Any,
    source: Any,
    only: Sequence[int] | None = None,
    seconds: float | None = None,
    known: Break | None = None,
) -> Any:
    """Explain as if asked at a position of the learner's program, where the dictionaries `scopes`
    hold its names, inner ones first.

    `only`: which of the flat list of sources to explain, those whose gradients the asker has seen
    to be None; then the answer is a list. After `seconds` of computing, an `Unfinished` stands in
    it for what is not explained yet. `known`: what the asker knows already, see `Recording.reason`.
    """
    until = None if seconds is None else clock() + seconds
    recording = opened(recording_of(tape))
    library = next(
        (
            (name, value)
            for names in scopes
            for name, value in list(names.items())
            if is_a(value, ModuleType) and attributes(value).get("__name__") == recording.module
        ),
        (dialect_of(recording.module).alias, None),
    )
    evidence = Evidence(recording, reachable(scopes), library, scopes, until)
    by_name: dict[str, int] = {}
    for names in reversed(scopes):
        by_name.update(
            (n, info.id)
            for n, v in list(names.items())
            if (info := recording.describe(v)) is not None
        )
    structure = list(source.trainable_variables) if has(source, "trainable_variables") else source
    flat = _leaves(structure)
    targets: list[Any] = [recording.describe(t) or NotATensor(t) for t in _leaves(target)]
    variables = evidence.variables()
    # of a variable that was played from, a film knows the number
    targets = [t if t.id is None else variables.get(t.id, t) for t in targets]
    sources: list[Any] = [recording.describe(s) or NotATensor(s) for s in flat]
    evidence.asked = Counter(s.id for s in sources)
    nested = is_nested(structure) and not (len(flat) == 1 and flat[0] is structure)
    many = len(flat) if nested and (only is None or len(flat) > 1) else None
    # a list may hold one variable twice
    first: dict[int | None, int] = {
        s.id: k for k, s in reversed(list(enumerate(sources))) if s.id is not None
    }
    wanted = [first.get(sources[k].id, k) for k in (range(len(flat)) if only is None else only)]
    evidence.missing = () if only is None else {sources[k].id for k in wanted}
    answers: dict[int, Any] = {}  # of each source wanted, its Explanation or Unfinished

    def case_of(k: int) -> Case:
        return Case(evidence, targets, sources[k], asked, k, by_name, many)

    for k in dict.fromkeys(wanted):
        try:
            answers[k] = answer(case_of(k), known)
        except OutOfTime:
            evidence.program.until = None
            answers = {n: unfinished(case_of(n)) for n in wanted} | answers
            break
    explained = [answers[k] for k in wanted]
    if only is not None or not nested:
        return explained if only is not None else explained[0]
    if not flat:
        nothing: Any = NotATensor(structure)
        return answer(Case(evidence, targets, nothing, asked, 0, by_name, 0))
    return Explanations(pack_sequence_as(structure, explained), explained)


def _leaves(structure: Any) -> list[Any]:
    """Return the leaves of a structure; a list of plain numbers is one thing, which was meant as a
    tensor.
    """
    flat = flatten(structure)
    return (
        [structure]
        if is_nested(structure) and flat and all(isinstance(x, (int, float, complex)) for x in flat)
        else flat
    )


__all__ = [
    "CATEGORIES",
    "Explanation",
    "Explanations",
    "explain",
    "explain_at",
    "explain_from",
    "set_language",
]
offer(__name__)
