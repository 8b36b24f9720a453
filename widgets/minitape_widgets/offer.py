"""Under an answer to an exercise, a button that opens the player of the tape that was looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from IPython.display import display

from minitape.exercises.guard import TooLong, within

SOON = 2.0  # seconds in which a player must be made, to be offered


def offer(box: dict[str, str], make: Callable[[], Any], instead: str) -> None:
    """Shows an output, and under it a player behind a button; `instead` is what a page says that
    shows no players. Raises NotImplementedError, and shows nothing, where no player is made soon.
    """
    try:
        player = within(SOON, make)
    except (Exception, TooLong):
        raise NotImplementedError from None
    player.trace["options"]["closed"] = True
    player.instead = instead
    display(box, raw=True)
    display(player)
