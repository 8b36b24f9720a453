"""A drawing that is wider than the room for it has its columns closer together, and where that is
not enough it goes on in a further row, like a line of text.

It is cut between two columns of boxes, where few edges cross. Each of these is led on around the
end of its row, one beside the other, to the beginning of the next row: so it stays one edge, and
none crosses another on its way.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING

from minitape.storyboard.drawing.shapes import gaps_between

if TYPE_CHECKING:
    from minitape.storyboard.drawing.aliases import Curve, Laid, Point, Rooms, Sizes

# Pixels that a player has for its graph: in an exported page of 1366 by 768, in JupyterLab beside
# its list of files, beside its code, in a window that is 625 and one that is 768 high.
ROOMS = (1250, 330), (930, 290), (560, 250), (590, 390)
DESK, PHONE = ((1100, 520),), ((342, 430),)  # in JupyterLab at 1920 by 1080; in a page 390 wide
AROUND = 32, 80  # and of them what the player keeps free around a drawing
GAIN = 1.05  # a drawing is cut where it is shown at least so much larger then
CLOSER = 1.02  # the same of one whose columns come closer together
MOST_ROWS, MOST_CROSSING = 5, 10
GAP, BESIDE = 0.9, 12  # of a gap between columns so much is left out, and nothing so near to a box
# pixels between two edges that are led on, of their bends, and between them and the boxes
LANE, BEND, APART = 7, 7, 12


def turned(laid: Laid, sizes: Sizes, rooms: Rooms = ROOMS) -> Laid:
    """Returns a drawing cut into as many rows as show it largest, in `lay_out`'s form; where that
    gains little, as it is.
    """
    laid = closer(laid, sizes, rooms)
    engine, width, height, places, curves = laid
    best, largest = laid, scale(width, height, rooms) * GAIN
    if _in(rooms[0], width, height) >= 1:
        return laid
    gaps = _gaps(sizes, places, curves)
    for count in range(2, MOST_ROWS + 1):
        cuts = _cuts(width, count, gaps)
        rows = cuts and _rows([0, *cuts, width], sizes, places, curves)
        if rows and scale(*rows[:2], rooms) > largest:
            best, largest = (engine, *rows), scale(*rows[:2], rooms)
    return best


def closer(laid: Laid, sizes: Sizes, rooms: Rooms = ROOMS) -> Laid:
    """Returns a drawing with its columns as much closer together as the narrowest room asks for,
    where some room shows it larger then.
    """
    engine, width, height, places, curves = laid
    if not places:  # a tape that holds nothing
        return laid
    gaps = gaps_between(
        (x - w / 2 - BESIDE, x + w / 2 + BESIDE) for (x, _), (w, _) in zip(places, sizes)
    )
    empty = sum(end - start for start, end in gaps)
    over = width + AROUND[0] - min(room[0] for room in rooms)
    less = min(GAP, max(0, over) / (empty or 1))

    def moved(x: float) -> float:
        return round(
            x - less * sum(max(0, min(x, end) - start) for start, end in gaps),
            1,
        )

    closed = round(moved(width))
    gains = (_in(room, closed, height) / _in(room, width, height) for room in rooms)
    if max(gains) < CLOSER:
        return laid
    return (
        engine,
        closed,
        height,
        [[moved(x), y] for x, y in places],
        [[[moved(x), y] for x, y in curve] for curve in curves],
    )


def scale(width: float, height: float, rooms: Rooms = ROOMS) -> float:
    """Returns how large a drawing is shown, in the geometric mean over the rooms."""
    return prod(_in(room, width, height) for room in rooms) ** (1 / len(rooms))


def _in(room: tuple[int, int], width: float, height: float) -> float:
    return min(room[0] / (width + AROUND[0]), room[1] / (height + AROUND[1]), 1)


def _gaps(sizes: Sizes, places: list[Point], curves: list[Curve]) -> dict[float, int]:
    """Returns the middles of the gaps between columns, and how many curves cross each."""
    spans = ((x - w / 2, x + w / 2) for (x, _), (w, _) in zip(places, sizes))
    gaps = [(end + start) / 2 for end, start in gaps_between(spans)]
    forwards = [(curve[0][0], curve[-1][0]) for curve in curves if curve[0][0] < curve[-1][0]]
    starts, ends = sorted(start for start, _ in forwards), sorted(end for _, end in forwards)
    return {gap: bisect_left(starts, gap) - bisect_right(ends, gap) for gap in gaps}


def _cuts(width: int, count: int, gaps: dict[float, int]) -> list[float] | None:
    """Returns where to cut, between columns, for rows of about one length; None where there is no
    good place.
    """
    cuts: list[float] = []
    for row in range(1, count):
        free = [
            gap
            for gap, crossing in gaps.items()
            if crossing <= MOST_CROSSING and gap > (cuts or [0])[-1]
        ]
        if not free:
            return None
        wish = width * row / count
        cuts.append(min(free, key=lambda gap: abs(gap - wish) / width * count + 0.04 * gaps[gap]))
    return cuts


def _rows(
    ends: list[float], sizes: Sizes, places: list[Point], curves: list[Curve]
) -> tuple[int, int, list[Point], list[Curve]] | None:
    """Returns (width, height, places, curves) of a drawing whose rows lie between `ends`."""
    pieces = [_pieces(curve, ends) for curve in curves]  # per curve [(row, its points there)]
    if any(piece is None for piece in pieces):
        return None
    row_of = [max(row for row, start in enumerate(ends[:-1]) if start <= x) for x, _ in places]
    lanes: list[list[tuple[float, int]]] = [[] for _ in ends[2:]]  # per cut: (height there, curve)
    heights: list[list[float]] = [[] for _ in ends[1:]]
    for (_, y), (_, h), row in zip(places, sizes, row_of):
        heights[row] += (y - h / 2, y + h / 2)
    for number, piece in enumerate(pieces):
        for row, points in piece or ():
            heights[row] += (y for _, y in points)
            if row + 1 < len(ends) - 1 and (row + 1) in dict(piece or ()):
                lanes[row].append((points[-1][1], number))
    most = max(len(lane) for lane in lanes)
    left = APART + LANE * most + BEND
    right = left + max(end - start for start, end in pairwise(ends)) + BEND
    tops, gutters, top = [], [], APART
    for row, height in enumerate(heights):
        tops.append(top - min(height))
        top += max(height) - min(height) + APART + BEND
        gutters.append(top)
        if row < len(lanes):
            top += LANE * len(lanes[row]) + APART + BEND
    moved = [
        [round(x - ends[row] + left, 1), round(y + tops[row], 1)]
        for (x, y), row in zip(places, row_of)
    ]
    order = [{number: place for place, (_, number) in enumerate(sorted(lane))} for lane in lanes]
    joined = []
    for number, piece in enumerate(pieces):
        curve: Curve = []
        for row, points in piece or ():
            here = [(x - ends[row] + left, y + tops[row]) for x, y in points]
            if curve:
                place, count = order[row - 1][number], len(order[row - 1])
                # the upper edge goes farthest out, below the others, and comes in first
                outer = LANE * (count - 1 - place)
                curve += _around(
                    curve[-1],
                    here[0],
                    right + outer,
                    gutters[row - 1] + outer,
                    left - BEND - LANE * place,
                )
            curve += here[1:] if curve else here
        joined.append([[round(x, 1), round(y, 1)] for x, y in curve])
    return round(right + LANE * most + APART), round(gutters[-1] - BEND), moved, joined


def _pieces(curve: Curve, ends: list[float]) -> list[tuple[int, Curve]] | None:
    """Cuts a curve where it passes from row to row; None where it does not go to the right there."""
    result: list[tuple[int, Curve]] = []
    rest = list(curve)
    for row, (start, end) in enumerate(pairwise(ends)):
        if rest[0][0] < start - 0.5 or rest[0][0] >= end and row < len(ends) - 2:
            continue
        if rest[-1][0] <= end or row == len(ends) - 2:
            return [*result, (row, rest)]
        at = next(
            (at for at in range(0, len(rest) - 1, 3) if rest[at][0] < end <= rest[at + 3][0]), None
        )
        if at is None:
            return None
        first, second = _halves(rest[at : at + 4], end)
        result.append((row, rest[:at] + first))
        rest = second + rest[at + 4 :]
    return None


def _halves(four: Curve, x: float) -> tuple[Curve, Curve]:
    """Splits one Bezier curve where it reaches x."""
    (a, _), (b, _), (c, _), (d, _) = four
    low, high = 0.0, 1.0
    for _ in range(30):
        t = (low + high) / 2
        s = 1 - t
        low, high = (
            (t, high)
            if s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d < x
            else (low, t)
        )
    return _split(four, high)


def _split(four: Curve, t: float) -> tuple[Curve, Curve]:
    """Splits a Bezier curve at its parameter t, as de Casteljau does."""
    level, first, second = [tuple(point) for point in four], [tuple(four[0])], [tuple(four[-1])]
    while len(level) > 1:
        level = [tuple(a + (b - a) * t for a, b in zip(*pair)) for pair in pairwise(level)]
        first.append(level[0])
        second.insert(0, level[-1])
    return first, second


def _around(start: Point, end: Point, right: float, gutter: float, left: float) -> Curve:
    """The way from the end of a row to the beginning of the next: straight pieces, and bends
    between them.
    """
    corners = [start, (right, start[1]), (right, gutter), (left, gutter), (left, end[1]), end]
    points, at = [], start
    for before, corner, after in zip(corners, corners[1:], corners[2:]):
        into, out = _towards(corner, before), _towards(corner, after)
        points += _line(at, into)
        points += [_between(into, corner, 2 / 3), _between(out, corner, 2 / 3), out]
        at = out
    return points + _line(at, end)


def _towards(corner: Point, other: Point) -> Point:
    length = max(abs(other[0] - corner[0]), abs(other[1] - corner[1])) or 1
    return _between(corner, other, min(BEND, length / 2) / length)


def _between(a: Point, b: Point, t: float) -> Point:
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t


def _line(a: Point, b: Point) -> Curve:
    return [_between(a, b, 1 / 3), _between(a, b, 2 / 3), b]
