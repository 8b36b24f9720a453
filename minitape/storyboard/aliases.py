"""Short names for what this package's signatures speak of; nothing of this is loaded when a program
runs.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from minitape.engine.ground.aliases import Array
from minitape.program.aliases import Place
from minitape.program.files import File

Row: TypeAlias = dict[str, Any]  # of a storyboard: a card, a node, a value, a frame, ...
# a piece of the learner's text: file, place, what tells it from others
Located: TypeAlias = tuple[File, Place, Any]
Arrays: TypeAlias = tuple[Array, ...]
Say: TypeAlias = Callable[..., str]  # say(key, **params): a sentence in the picture's language
Questions: TypeAlias = bool | int | str | Sequence[int | str] | None  # see `predict.prompts`
Executed: TypeAlias = dict[str, Iterable[int]] | None  # file name -> numbers of the lines that ran

Size: TypeAlias = tuple[int, int]  # width, height, in pixels
Link: TypeAlias = tuple[int, int]  # from, to: numbers of boxes
Item: TypeAlias = tuple[str, int]  # a box of a drawing: ("node", n) or ("group", g)
Sizes: TypeAlias = Sequence[Size]
Links: TypeAlias = Sequence[Link]
Point: TypeAlias = Any  # x, y: a tuple, or a list where it goes into the storyboard
Curve: TypeAlias = list[Point]  # control points of cubic Bezier curves
# engine, width, height, centres of the boxes, edges
Laid: TypeAlias = tuple[str, int, int, list[Point], list[Curve]]
