"""Short names for when something happened; nothing of this is loaded when a program runs."""

from typing import TypeAlias

from minitape.storyboard.text.aliases import Data

Moment: TypeAlias = tuple[int, ...]  # moments are compared
Event: TypeAlias = tuple[Moment, Data]  # a frame, and when it happened
