"""The player beside a program: the lines of `f.source()`, and the tape whose play they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from minitape.sentences import chosen
from minitape.storyboard.as_program import as_program
from minitape.storyboard.text.asides import check_asides
from minitape_widgets.player import Player
from minitape_widgets.view import view


def play_program(
    function: Any,
    *args: Any,
    start: int | str | None = None,
    hide: str | Sequence[str] = (),
    large: bool = False,
    language: str | None = None,
    link: str | None = None,
    title: str = "",
    say: Mapping[int | str, str | Mapping[str, str]] | None = None,
) -> Player:
    """Shows one call of a `tf.function` that plays a tape: on one side the lines of `f.source()`,
    without comments, on the other the tape.

    Each act marks its line: forwards where a value is made, backwards where a part is. A click on a
    line (or Enter on its number) chooses its card, and a chosen card marks its lines, one of the
    way forward and those of its way back. A card without a line costs nothing: it hands on a number
    that is there already.

    `args` are those of the call; it is made once as Python, and variables keep their values.
    `start`, `hide`, `large`, `language`, `link`, `title`, `say`: as for `play`. Raises TypeError
    for what is no `tf.function`, ValueError where it plays no tape, and what the call raises.
    """
    settings: dict[str, Any] = {"start": start, "hide": hide, "large": large, "link": link}
    view(**settings), chosen(language)
    if say is not None:
        check_asides(say)
    board = as_program(function, args, {}, language=language, title=title)
    return Player(board if say is None else board.say(say), **settings)
