"""The player on a tape that somebody has written."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Unpack

from minitape import own_tape
from minitape_widgets.player import Player
from minitape_widgets.view import View, completed, takes_a_view, view


@takes_a_view(hide=("code",))
def play_own(
    entries: Iterable[Any],
    steps: Iterable[Any] | None = None,
    gradients: Mapping[Hashable, Any] | None = None,
    *,
    target: Hashable = None,
    sources: Iterable[Hashable] | None = None,
    names: Mapping[Hashable, str] | None = None,
    title: str = "",
    **settings: Unpack[View],
) -> Player:
    """Shows a tape of one's own, with the numbers that it gave; where it leaves the right way, the
    picture says so.

    `entries`: (operation, inputs, output, values) for each operation; `steps`: (place of the entry,
    adjoint of its output, {which input: part}) in the order in which they were played; `gradients`:
    {source: answer}; `target`, `sources`, `names`: see `minitape.own_tape.OwnTape`. `start`: the
    act to begin at, as for `play`, or "departure" for the place where the tape leaves the right way
    (the beginning, where it never does); `hide` (the code, where nothing is said), `large`,
    `language`, `link`, `title` as for `play`. `storyboard.departure` of the result is that place as
    data, or None. Raises TypeError or ValueError for what cannot be a tape.
    """
    shown = completed(play_own, settings)
    at_departure = shown["start"] == "departure"
    if at_departure:
        shown["start"] = None
    view(**shown)
    language = shown.pop("language")
    board = own_tape.storyboard(
        entries,
        steps,
        gradients,
        target=target,
        sources=sources,
        names=names,
        title=title,
        language=language,
    )
    if at_departure:
        shown["start"] = board.departure_frame
    return Player(board, **shown)
