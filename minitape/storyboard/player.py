"""Who shows a storyboard in a player: a front end, where one is loaded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minitape.engine.base.hook import Hook
from minitape.storyboard.board import Storyboard

PLAYER: Hook[Callable[[Storyboard, int], Any]] = Hook(
    "a player that begins at a frame of a storyboard"
)
# given an output, what makes a player, and the sentence of pages that show none: shows the output,
# and the player behind a button
OFFER: Hook[Callable[[dict[str, str], Callable[[], Any], str], None]] = Hook("an offer of a player")
