"""The player on a tape that somebody has written."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from minitape import own_tape
from minitape_widgets.player import Player
from minitape_widgets.view import view


def play_own(
    entries: Iterable[Any],
    steps: Iterable[Any] | None = None,
    gradients: Mapping[Hashable, Any] | None = None,
    *,
    target: Hashable = None,
    sources: Iterable[Hashable] | None = None,
    names: Mapping[Hashable, str] | None = None,
    start: int | str | None = None,
    hide: str | Sequence[str] = ("code",),
    large: bool = False,
    language: str | None = None,
    link: str | None = None,
    title: str = "",
) -> Player:
    """Shows a tape of one's own, with the numbers that it gave; where it leaves the right way, the
    picture says so.

    `entries`: (operation, inputs, output, values) for each operation; `steps`: (place of the entry,
    adjoint of its output, {which input: part}) in the order in which they were played; `gradients`:
    {source: answer}; `target`, `sources`, `names`: see `minitape.own_tape.OwnTape`. `start`: the
    act to begin at, as for `play`, or "departure" for the place where the tape leaves the right way
    (the beginning, where it never does); `hide`, `large`, `language`, `link`, `title` as for
    `play`. `storyboard.departure` of the result is that place as data, or None. Raises TypeError or
    ValueError for what cannot be a tape.
    """
    settings: dict[str, Any] = {"hide": hide, "large": large, "link": link}
    view(start=None if start == "departure" else start, **settings)
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
    return Player(board, start=board.departure_frame if start == "departure" else start, **settings)
