"""Where the way to a None is cut, drawn from the explainer's evidence.

The picture works out no reason of its own. Whoever explains (`minitape.explain`, which the package
makes known to the tapes) answers with a `Reason`; here it becomes cuts at cards, and bridges: ways
that the learner may have thought of, but that no card makes, through NumPy, through an assignment,
through an operation that was not recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from minitape.engine.base.aliases import Number, Where
from minitape.engine.recording import TensorInfo
from minitape.storyboard.film.recorded import RecordedPlay
from minitape.storyboard.stage.stage import Stage

# of a way: from, to, what is broken in between
Leg: TypeAlias = tuple[Number | None, Number, str | None]

# The explainer's categories in the picture's few words: the keys "cut.<word>" and "why.<word>" of
# the catalogue.
WORDS = {
    "numpy-escape": "escape",
    "python-escape": "escape",
    "state-assign": "assigned",
    "variable-replaced": "other",
    "variable-made-anew": "replaced",
    "metric-state": "assigned",
    "another-object": "other",
    "not-watched": "unwatched",
    "not-trainable": "unwatched",
    "watch-accessed-variables": "unwatched",
    "watched-too-late": "late",
    "integer-dtype": "integer",
    "string-dtype": "integer",
    "integer-cast": "blocked",
    "piecewise-constant": "blocked",
    "used-as-index": "blocked",
    "custom-gradient-none": "blocked",
    "stop-gradient": "stopped",
    "no-gradient-registered": "unregistered",
    "recording-stopped": "paused",
    "computed-before": "outside",
    "other-thread": "thread",
    "computed-after": "outside",
    "carried-over": "outside",
    "tape-reset": "reset",
    "no-outer-tape": "slope",
    "outside-outer-tape": "slope",
    "outer-tape-late": "slope",
}
# these ways are drawn as what was not watched, all others as what left the tape
UNRECORDED = ("unwatched", "late")


class Reason(NamedTuple):
    """Why a gradient is None: the explainer's category and sentences, the guilty place, and the way
    that the learner expected.

    `where` is (code, offset) or None, then `filename` and `span` tell the place as far as it is
    known. `way` lists (from, to, category or None): the numbers of tensors from the source to the
    target, and what is broken in between. The first `from` is None where the source itself is not
    followed; numbers of no tensor may stand in between.
    """

    category: str
    message: str
    fix: str
    where: Where | None
    filename: str | None
    span: tuple[int | None, ...]
    way: list[Leg]


# why is the gradient of this source None?
Ask: TypeAlias = Callable[[RecordedPlay, int], Reason | None]


def word(category: str) -> str:
    """Returns the picture's word for a category; what has none is just not connected."""
    return WORDS.get(category, "unconnected")


class Cut(NamedTuple):
    """Where a way ends: its word, and the card and which of its inputs, or the bridge (from node,
    to node) that no card makes.

    The word is "" where what follows behind a break was not recorded either: drawn, so that the
    target does not stand alone, and not told.
    """

    why: str
    card: int | None = None
    input: int = 0
    bridge: tuple[int, int] | None = None


def cuts(stage: Stage, play: RecordedPlay, source: TensorInfo, reason: Reason) -> Iterator[Cut]:
    """Yields the cuts on the way from a source to the target, source first."""
    tape = stage.tape_of[play.tape]
    recorded = _recorded(stage, play, reason.way)
    known, why, replaced, broken = stage.nodes.anchor(source, tape), "", False, False
    for start, end, category in reason.way:
        if category and (not why or replaced):
            # used perhaps, but as a plain tensor
            replaced = start is None and category == "variable-replaced"
            why = "unwatched" if replaced else word(category)
        card, places = recorded.get((start, end), (None, []))
        node = _node(stage, end, tape)
        if why and card is not None:
            for place in places:
                yield Cut(why, card, place)
            why = ""
        elif why and node is not None and node != known:
            # behind a blocked card nothing was recorded, which takes nothing away
            if why != "blocked":
                yield Cut(why, bridge=(known, node))
            why = ""
        elif broken and card is None and node is not None and node != known:
            yield Cut("", bridge=(known, node))
        broken = broken or bool(category)
        known = known if node is None else node


def _recorded(
    stage: Stage, play: RecordedPlay, way: Sequence[Leg]
) -> dict[tuple[Number | None, Number], tuple[int, list[int]]]:
    """Returns {(from, to): (card, places of `from` among its inputs)} for the steps of a way that
    are cards.
    """
    result: dict[tuple[Number | None, Number], tuple[int, list[int]]] = {}
    ends = {end for _, end, _ in way}
    for index, entry in enumerate(play.tape.entries):
        card = stage.cards.of.get((stage.tape_of[play.tape], index))
        if card is not None and not ends.isdisjoint(entry.outputs):
            for start in entry.inputs:
                places = [place for place, number in enumerate(entry.inputs) if number == start]
                result.update({(start, end): (card, places) for end in entry.outputs})
    return result


def _node(stage: Stage, number: Number, tape: int) -> int | None:
    """Returns the node of a tensor or variable by its number, or None."""
    versions = stage.nodes.versions.get((number, tape))
    return versions[0] if versions else stage.nodes.of.get(number)
