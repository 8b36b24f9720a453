"""The ground of a valley: which part of it is shown, the curve or the contours there, and the still
picture.

All is drawn in a box of 640 x 260; `Ground` knows where a number stands in it. The page uses the
same box and the same paths.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from minitape_widgets.charts.axis import Axis
from minitape_widgets.descent.walks import Walk, heights

WIDTH, HEIGHT = 640, 260
# pieces of a curve, of the net under contours, and how many contours there are
CURVE, ACROSS, UP, LEVELS = 160, 48, 30, 10


class Ground(NamedTuple):
    """What is shown: the spans of both axes, and the paths, of contours the lowest first."""

    x: tuple[float, float]
    y: tuple[float, float]
    paths: list[str]

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Returns where a point stands in the box; what is far outside stays near."""
        ways = [Axis(self.x, 0, WIDTH)(x), Axis(self.y, HEIGHT, 0)(y)]
        return tuple(max(-1e4, min(1e4, round(way, 1))) for way in ways)  # type: ignore[return-value]  # two of them

    def left(self, walk: Walk) -> int | None:
        """Returns the first step at which a walk is out of the picture; None where it stays inside."""
        for step, point in enumerate(walk.points):
            if not self.x[0] <= point[0] <= self.x[1] or not self.y[0] <= point[1] <= self.y[1]:
                return step
        return len(walk.points) if walk.end else None


def ground(loss: Callable[..., Any], names: Sequence[str], walks: Sequence[Walk]) -> Ground:
    """Returns the ground around the walks that come down: as far to the other side of their best
    point as they begin from it.
    """
    count = len(names)
    calm = [
        walk for walk in walks if not walk.end and walk.points[-1][count] <= walk.points[0][count]
    ] or [Walk(walks[0].points[:1], "")]
    seen = np.array([point for walk in calm for point in walk.points])
    best = seen[seen[:, count].argmin()]
    away = abs(seen[:, :count] - best[:count]).max(axis=0)
    reach = [1.25 * max(far, 1e-6 * abs(at)) or max(1.0, abs(at)) for far, at in zip(away, best)]
    if count == 1:
        x, y, _ = curve_over(loss, names, span(best[0], reach[0]), seen)
        # once more without the sides on which it is out of the picture
        x, y, ys = curve_over(loss, names, x, seen)
        shown = Ground(x, y, [])
        return shown._replace(paths=[curve(shown, ys)])
    # equal on both axes, unless one of them would hardly be seen
    scale = max(reach[0] / WIDTH, reach[1] / HEIGHT)
    reach = [
        max(one, scale * size) if one > 0.1 * scale * size else one
        for one, size in zip(reach, (WIDTH, HEIGHT))
    ]
    x, y = span(best[0], reach[0]), span(best[1], reach[1])
    xs, ys = np.linspace(*x, ACROSS + 1), np.linspace(*y, UP + 1)
    net = heights(loss, names, [(a, b) for b in ys for a in xs]).reshape(UP + 1, ACROSS + 1)
    low, high = float(np.nanmin(np.append(net, best[2]))), float(np.nanmax(np.append(net, best[2])))
    levels = [low + (high - low) * (k / LEVELS) ** 2 for k in range(1, LEVELS)]
    return Ground(x, y, ["".join(contour(net, level)) for level in levels])


def curve_over(
    loss: Callable[..., Any], names: Sequence[str], x: tuple[float, float], seen: np.ndarray
) -> Any:
    """Returns (what of x the curve is seen over, the heights that are shown, the heights of the
    curve over x).
    """
    xs = np.linspace(*x, CURVE + 1)
    ys = heights(loss, names, [[at] for at in xs])
    low, top = (
        float(np.nanmin(np.append(ys, seen[:, 1].min()))),
        float(np.nanmax(np.append(ys, seen[:, 1].max()))),
    )
    high = min(top, low + 1.5 * (float(seen[:, 1].max()) - low)) if seen[:, 1].max() > low else top
    air = 0.06 * (high - low) or max(1.0, abs(low))
    shown = np.append(xs[ys <= high], seen[:, 0])
    room = 0.05 * (shown.max() - shown.min()) or 1.0
    middle, reach = (shown.max() + shown.min()) / 2, (shown.max() - shown.min()) / 2 + room
    around = span(middle, reach)
    return (max(x[0], around[0]), min(x[1], around[1])), (low - air, high + air), ys


def span(middle: float, reach: float) -> tuple[float, float]:
    """Returns what lies around a number, in as many digits as are worth travelling."""
    digits = 3 - math.floor(math.log10(reach))
    return round(float(middle - reach), digits), round(float(middle + reach), digits)


def curve(shown: Ground, ys: np.ndarray) -> str:
    """Returns the path of a curve, broken where there is no number."""
    pieces, pen = [], "M"
    for at, y in zip(np.linspace(*shown.x, len(ys)), ys):
        pieces.append("{}{:g} {:g}".format(pen, *shown.place(at, y)) if y == y else "")
        pen = "L" if y == y else "M"
    return "".join(pieces)


def contour(net: np.ndarray, level: float) -> Iterator[str]:
    """Yields the pieces of the line where a net has a level, cell by cell: a way from one side of
    the cell to another.
    """
    above = net >= level
    mixed = ~np.isnan(net[:-1, :-1] + net[1:, :-1] + net[:-1, 1:] + net[1:, 1:])
    mixed &= (
        (above[:-1, :-1] != above[1:, :-1])
        | (above[:-1, :-1] != above[:-1, 1:])
        | (above[:-1, :-1] != above[1:, 1:])
    )
    for row, column in np.argwhere(mixed):
        corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
        crossed = []
        for (a, b), (c, d) in zip(corners, corners[1:] + corners[:1]):
            if above[b, a] != above[d, c]:
                share = (level - net[b, a]) / (net[d, c] - net[b, a])
                x, y = a + share * (c - a), b + share * (d - b)
                crossed.append(f"{round(x * WIDTH / ACROSS)} {round(HEIGHT - y * HEIGHT / UP)}")
        for start, end in zip(crossed[::2], crossed[1::2]):
            yield f"M{start}L{end}"
