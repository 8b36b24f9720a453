"""The shapes of the static picture: boxes, points on curves, and the rows of a wide graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minitape.storyboard.drawing.aliases import Curve
    from minitape.storyboard.text.aliases import Data


OVERLAP = 36  # a graph wider than the page goes on in a further row, repeating this much


def outline(style: str, x: float, y: float, w: float, h: float, corner: float) -> str:
    """The box of a role around a point, as the player draws it: corners are cut off for what is
    watched, and round for results.
    """
    left, top = x - w / 2, y - h / 2
    if corner >= 0:
        return (
            f'<rect class="{style}" x="{left:g}" y="{top:g}" width="{w:g}" height="{h:g}" '
            f'rx="{min(corner, h / 3):g}"/>'
        )
    cut = min(-corner, h / 4)
    flat, high = w - 2 * cut, h - 2 * cut
    return (
        f'<path class="{style}" '
        f'd="M{left + cut:g},{top:g}h{flat:g}l{cut:g},{cut:g}v{high:g}l{-cut:g},{cut:g}h{-flat:g}'
        f'l{-cut:g},{-cut:g}v{-high:g}z"/>'
    )


def gaps_between(spans: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Returns where none of some spans reaches, between the first and the last."""
    (_, reached), *others = sorted(spans)
    gaps: list[tuple[float, float]] = []
    for start, end in others:
        if start > reached:
            gaps.append((reached, start))
        reached = max(reached, end)
    return gaps


def rows_of(drawing: Data, inner: int) -> Iterator[tuple[float, float]]:
    """Cuts a wide drawing into rows, between columns of boxes; the lines between two columns show
    in both rows.
    """
    gaps = gaps_between(
        (item["x"] - item["w"] / 2 - 8, item["x"] + item["w"] / 2 + 8) for item in drawing["nodes"]
    )
    left, width = 0, drawing["width"]
    while left < width:
        if width - left <= inner:
            yield left, width
            return
        gap = next(
            (gap for gap in reversed(gaps) if gap[1] <= left + inner and gap[0] > left), None
        )
        yield left, gap[1] if gap else left + inner
        left = gap[0] if gap else left + inner - OVERLAP


def reach(drawing: Data, left: float, right: float, below: float = 0) -> tuple[float, float]:
    """How far up and down the boxes, with what hangs below them, and lines between two places go."""
    heights = [
        (item["y"] - item["h"] / 2, item["y"] + item["h"] / 2 + below)
        for item in drawing["nodes"]
        if item["x"] + item["w"] / 2 > left and item["x"] - item["w"] / 2 < right
    ]
    heights += [
        (y, y) for line in drawing["edges"] for x, y in line["points"] if left <= x <= right
    ]
    return max(0, min(top for top, _ in heights) - 8), min(
        drawing["height"], max(bottom for _, bottom in heights) + 8
    )


def middle(points: Curve) -> tuple[float, float]:
    """The point half way along the middle piece of a curve."""
    pieces = (len(points) - 1) // 3
    a, b, c, d = points[3 * (pieces // 2) : 3 * (pieces // 2) + 4]
    return tuple((a[i] + 3 * b[i] + 3 * c[i] + d[i]) / 8 for i in (0, 1))
