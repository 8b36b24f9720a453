"""Short names for what this package's signatures speak of; nothing of this is loaded when a program
runs.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

Data: TypeAlias = dict[str, Any]  # of a storyboard: a card, a node, a value, a frame, ...
Board: TypeAlias = dict[str, Any]  # a storyboard as data: lists of rows
Moment: TypeAlias = tuple[int, ...]  # when something happened; moments are compared
Event: TypeAlias = tuple[Moment, Data]  # a frame, and when it happened
Say: TypeAlias = Callable[..., str]  # say(key, **params): a sentence in the picture's language
