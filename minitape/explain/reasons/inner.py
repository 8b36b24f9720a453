"""A gradient of an inner tape that recorded before this one began: the gradient was computed here,
but its inputs were not.

It is computed from values that the inner tape kept: the sources, and results on the way to the
inner target. For this tape they are constants. Which of them came from the source is known from the
inner tape if it still exists, otherwise from the text as far as possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from minitape.engine.recording import Recording, recording_of
from minitape.program.objects import of_library
from minitape.program.syntax import is_play

from ..case.aliases import Case, Happened, Node
from ..case.definitions import definition
from ..case.facts import Evidence
from ..case.graph import Break, Edge


def edges(case: Case) -> Iterator[Edge]:
    """Return edges from the source to the numbers of an earlier inner tape that a slope was
    computed from in this tape's block.
    """
    for note in case.evidence.of("gradient"):
        late = [t for t in note.about["targets"] if case.evidence.when(t) in ("before", "between")]
        play: Node = case.node(note.where) if late else None
        if play is None or not is_play(play):
            continue
        inner, why = _tape_of(case, play), _why(case, play, late[0])
        for number in _leaves(case, note):
            known = _came(case, number, inner)
            # and it has a slope: the inner target comes from it
            asked = case.source.id in note.about["sources"]
            if known or known is None and asked:
                yield Edge(
                    case.source.id,
                    number,
                    why.where,
                    why._replace(certain=known is True),
                    "outer tape late",
                )


def _leaves(case: Case, note: Happened) -> list[int]:
    """Return the numbers, neither made nor watched here, that some slopes were computed from."""
    evidence, result, todo = (
        case.evidence,
        set(),
        [g for g in note.about["gradients"] if g is not None],
    )
    while todo:
        number = todo.pop()
        if number not in result:
            result.add(number)
            todo += evidence.maker[number].inputs if number in evidence.maker else ()
    return sorted(
        n
        for n in result
        if n not in evidence.maker and n not in case.tape.watched and evidence.when(n) != "inside"
    )


def _came(case: Case, number: int, inner: Recording | None) -> bool | None:
    """Return whether a number came from the source; None where nobody knows."""
    if number == case.source.tensor:
        return True
    if inner is not None:
        reached = {case.source.id}
        for ran in Evidence(inner).ran:
            if not reached.isdisjoint(ran.inputs):
                reached.update(ran.outputs)
        return number in reached
    living = case.evidence.live([number]).get(number)
    node = case.node(living.where) if living is not None else None
    return (
        None
        if node is None
        else case.source_flow().reaches(node) or case.source_flow().enters(node)
    )


def _tape_of(case: Case, play: Node) -> Recording | None:
    """Return the recording of the tape that was played, where the learner's names still mean it."""
    held = case.held(play.func.value)
    result = recording_of(held) if of_library(held) else None
    return result if isinstance(result, Recording) else None


def _why(case: Case, play: Node, target: int) -> Break:
    living: Any = case.evidence.live([target]).get(target)
    given = play.args[0] if play.args else None
    made = (
        case.node(living.where)
        if living is not None
        else definition(case, given)
        if given is not None
        else None
    )
    return Break(
        "outer-tape-late",
        made if made is not None else play,
        params={
            "made": case.text(made),
            "slope": case.text(play),
            "name": case.label(target) or case.text(given),
            "inner": case.text(play.func.value),
        },
    )
