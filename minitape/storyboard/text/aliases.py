"""Short names for what this package's signatures speak of."""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from minitape.program.aliases import Place
from minitape.program.files import File

Data: TypeAlias = dict[str, Any]  # of a storyboard: a card, a node, a value, a frame, ...
Board: TypeAlias = dict[str, Any]  # a storyboard as data: lists of rows
# a piece of the learner's text: file, place, what tells it from others
Located: TypeAlias = tuple[File, Place, Any]
Executed: TypeAlias = dict[str, Iterable[int]] | None  # file name -> numbers of the lines that ran
Moment: TypeAlias = tuple[int, ...]  # when something happened; moments are compared
Event: TypeAlias = tuple[Moment, Data]  # a frame, and when it happened
Say: TypeAlias = Callable[..., str]  # say(key, **params): a sentence in the picture's language
