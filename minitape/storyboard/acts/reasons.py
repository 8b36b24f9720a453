"""Where the way to a None is cut, drawn from the explainer's evidence.

The picture works out no reason of its own. Whoever explains (`minitape.explain`, which the package
makes known to the tapes) answers with a `Reason`; here it becomes cuts at cards, and bridges: ways
that the learner may have thought of, but that no card makes, through NumPy, through an assignment,
through an operation that was not recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from minitape.engine.recording import Thing
    from minitape.storyboard.film.film import Take
    from minitape.storyboard.stage.stage import Stage

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
    where: tuple | None
    filename: str | None
    span: tuple
    way: list


def word(category: str) -> str:
    """Returns the picture's word for a category; what has none is just not connected."""
    return WORDS.get(category, "unconnected")


def cuts(
    stage: Stage, take: Take, source: Thing, reason: Reason
) -> Iterator[tuple[str, int | None, int | None, tuple[int, int] | None]]:
    """Yields (word, card, input, None) for each cut at a card, (word, None, None, (from node, to
    node)) for each bridge, source first.

    Behind a break comes ("", None, None, bridge) where what follows was not recorded either: drawn,
    so that the target does not stand alone, and not told.
    """
    recorded = _recorded(stage, take, reason.way)
    number = take.reel.number
    known, why, replaced, broken = stage.anchor(source, number), None, False, False
    for start, end, category in reason.way:
        if category and (why is None or replaced):
            # used perhaps, but as a plain tensor
            replaced = start is None and category == "variable-replaced"
            why = "unwatched" if replaced else word(category)
        card, places = recorded.get((start, end), (None, ()))
        node = _node(stage, end, number)
        if why and card is not None:
            for place in places:
                yield why, card, place, None
            why = None
        elif why and node is not None and node != known:
            # behind a blocked card nothing was recorded, which takes nothing away
            if why != "blocked":
                yield why, None, None, (known, node)
            why = None
        elif broken and card is None and None not in (node, known) and node != known:
            yield "", None, None, (known, node)
        broken = broken or bool(category)
        known = known if node is None else node


def _recorded(stage: Stage, take: Take, way: Sequence[Any]) -> dict[Any, Any]:
    """Returns {(from, to): (card, places of `from` among its inputs)} for the steps of a way that
    are cards.
    """
    found, ends = {}, {end for _, end, _ in way}
    for index, (_, inputs, outputs, _, _) in enumerate(take.reel.entries):
        card = stage.card_of.get((take.reel.number, index))
        if card is not None and not ends.isdisjoint(outputs):
            for start in inputs:
                places = [place for place, number in enumerate(inputs) if number == start]
                found.update({(start, end): (card, places) for end in outputs})
    return found


def _node(stage: Stage, number: Any, reel: int) -> int | None:
    """Returns the node of a tensor or variable by its number, or None."""
    versions = stage.variable_nodes.get((number, reel))
    return versions[0] if versions else stage.node_of.get(number)
