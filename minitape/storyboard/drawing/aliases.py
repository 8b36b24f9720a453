"""Short names for places and sizes in a drawing; nothing of this is loaded when a program runs."""

from collections.abc import Sequence
from typing import Any, TypeAlias

Size: TypeAlias = tuple[int, int]  # width, height, in pixels
Link: TypeAlias = tuple[int, int]  # from, to: numbers of boxes
Item: TypeAlias = tuple[str, int]  # a box of a drawing: ("node", n) or ("group", g)
Sizes: TypeAlias = Sequence[Size]
Rooms: TypeAlias = Sequence[tuple[int, int]]  # that a player may have for its graph
Links: TypeAlias = Sequence[Link]
Point: TypeAlias = Any  # x, y: a tuple, or a list where it goes into the storyboard
Curve: TypeAlias = list[Point]  # control points of cubic Bezier curves
# engine, width, height, centres of the boxes, edges
Laid: TypeAlias = tuple[str, int, int, list[Point], list[Curve]]
