"""Lines: numbers over numbers, as curves that are told apart by colour, dashes and the names at
their ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from minitape.storyboard.drawing.layout import text_width
from minitape.storyboard.drawing.svg import clip
from minitape_widgets.charts.axis import Axis, number_text
from minitape_widgets.charts.chart import PAD, WIDTH, WORDS, Chart, entries, numbers, short, shown

# lines, marks, points of a line that are shown one by one, and that are said
MOST, MARKS, DOTTED, SAID = 6, 8, 60, 12
# points of a line; of one with over 2,000 each piece shows its ends, its lowest and its highest
LONGEST, PIECES = 1_000_000, 500
TOP, HEIGHT, NAME, LINE = 24, 250, 150, 17


def lines(
    curves: Mapping[str, Any],
    *,
    x: str = "",
    y: str = "",
    log: str = "",
    title: str = "",
    marks: Mapping[str, Any] | None = None,
) -> Chart:
    """Shows curves: {"error": (xs, ys)}, or {"loss": ys} where the xs are 0, 1, 2, ...

    `x` and `y` are what the axes carry, `log` which of them are logarithmic: "x", "y" or "xy".
    `marks` names numbers on the x axis or points, {"best": 1e-8, "here": (0.5, 2.0)}. A curve is
    broken where there is no number, or none above 0 on a logarithmic axis. Raises TypeError or
    ValueError for what cannot be shown, before anything is drawn.
    """
    if log not in ("", "x", "y", "xy"):
        raise ValueError(f'lines: log is "x", "y", "xy" or "" for neither, not {shown(log)}.')
    given = entries("lines", curves, MOST, 'lines({"error": (xs, ys)})')
    points_of = {name: points(name, one, log) for name, one in given.items()}
    named = entries("marks", marks, MARKS, '{"best": 1e-8}') if marks else {}
    placed = {name: place(name, one, log) for name, one in named.items()}
    chart = Chart("lines", short("lines", title))
    x, y = (
        WORDS.say("logarithmic", {"axis": text or axis}) if axis in log else text
        for axis, text in (("x", short("x", x)), ("y", short("y", y)))
    )
    plot = Plot(chart, points_of, placed, log, y)
    plot.draw_axes(y)
    plot.draw_marks()
    plot.draw_curves()
    gaps = sum(int(np.isnan(one[1]).sum()) for one in points_of.values())
    gone = WORDS.say("gaps.log" if log else "gaps", {"count": number_text(gaps)}) if gaps else ""
    plot.draw_foot(filter(None, [clip(x, plot.right - plot.left, 12), gone]))
    chart.lines += [WORDS.say("over", {"y": y or "y", "x": x or "x"})] if x or y else []
    chart.lines += [told(name, one) for name, one in points_of.items()]
    for name, (a, b) in placed.items():
        at = number_text(a) if b is None else point_text(a, b)
        chart.lines.append(WORDS.say("item", {"name": name, "value": at}))
    chart.lines += [gone] if gaps else []
    return chart


class Plot:
    """Where curves are drawn in a chart: the axes `wide` and `high`, and the room between them.

    The names of marks stand above it, in as many rows as they need, those of curves to the right.
    """

    def __init__(
        self,
        chart: Chart,
        curves: dict[str, np.ndarray],
        marks: dict[str, tuple[float, float | None]],
        log: str,
        y: str,
    ) -> None:
        self.chart, self.curves, self.marks = chart, curves, marks
        seen = np.concatenate([one[:, ~np.isnan(one[1])] for one in curves.values()], axis=1)
        ys = [*seen[1], *(b for _, b in marks.values() if b is not None)]
        self.high = Axis(ys, HEIGHT, 0, "y" in log, air=0.05)
        self.ticks = self.high.ticks()
        self.right = WIDTH - PAD - min(NAME, max(text_width(name, 13) for name in curves)) - 32
        self.left = PAD + max(text_width(text, 12) for _, text in self.ticks) + 8
        # also where a curve has no number: it is seen to break off
        xs = np.concatenate([one[0][~np.isnan(one[0])] for one in curves.values()])
        xs = [*xs[(xs > 0) | ("x" not in log)], *(a for a, _ in marks.values())]
        self.wide = Axis(xs, self.left + 6, self.right - 6, "x" in log)
        self.labels = [
            (
                min(max(self.wide(a), self.left + 20), self.right - 20),
                text_width(clip(name, NAME, 12), 12),
            )
            for name, (a, _) in marks.items()
        ]
        self.levels = levels(self.labels)
        self.top = chart.y + (TOP if y else 6) + LINE * (max(self.levels, default=-1) + 1)
        self.bottom = self.top + HEIGHT
        self.high.start, self.high.end = self.bottom, self.top

    def draw_axes(self, y: str) -> None:
        """Draws both axes with their ticks, and writes what the upright one carries."""
        chart, left, right, bottom = self.chart, self.left, self.right, self.bottom
        if y:
            chart.write(PAD, chart.y + 12, clip(y, WIDTH - 2 * PAD, 12), "mc-m")
        for number, text in self.ticks:
            chart.path("mc-grid", f"M{left:g},{self.high(number):g}H{right:g}")
            chart.write(left - 8, self.high(number) + 4, text, "mc-m", "end")
        for number, text in self.wide.ticks():
            chart.path("mc-axis", f"M{self.wide(number):g},{bottom:g}v5")
            chart.write(self.wide(number), bottom + 19, text, "mc-m", "middle")
        chart.path("mc-axis", f"M{left:g},{self.top:g}V{bottom:g}H{right:g}")

    def draw_marks(self) -> None:
        """Draws the lines that lead from the names of marks to where they are."""
        chart, wide, high = self.chart, self.wide, self.high
        for (name, (a, b)), (middle, _), row in zip(self.marks.items(), self.labels, self.levels):
            label = self.top - 6 - LINE * row
            end = self.bottom if b is None else high(b) - 5
            chart.path("mc-mark", f"M{wide(a):g},{label + 3:g}V{end:g}")
            chart.write(middle, label, clip(name, NAME, 12), "mc-m", "middle")
            if b is not None:
                chart.pieces.append(
                    f'<circle class="mc-axis mc-here" cx="{wide(a):g}" cy="{high(b):g}" r="5"/>'
                )

    def draw_curves(self) -> None:
        """Draws all curves, and their names at their ends, none over another."""
        chart, wide, high, ends = self.chart, self.wide, self.high, {}
        for style, (name, one) in enumerate(self.curves.items()):
            chart.path(f"mc-line mc-{style}", way(thinned(one), wide, high))
            if one.shape[1] <= DOTTED:
                dots = "".join(f"M{wide(a):g},{high(b):g}h.01" for a, b in one.T if b == b)
                chart.path(f"mc-line mc-{style} mc-dot", dots)
            ends[name] = next(high(b) for b in one[1][::-1] if b == b)
        below = self.top - LINE
        for name in sorted(ends, key=lambda one: ends[one]):
            ends[name] = below = max(ends[name], below + LINE)
        over = max(0, below - self.bottom)
        for style, name in enumerate(self.curves):
            y = max(ends[name] - over, self.top)
            chart.path(f"mc-line mc-{style}", f"M{self.right + 4:g},{y:g}h20")
            chart.write(self.right + 29, y + 4.5, clip(name, NAME, 13))

    def draw_foot(self, texts: Iterable[str]) -> None:
        """Writes lines under the axis, and ends the chart there."""
        self.chart.y = self.bottom + 26
        for text in texts:
            middle = (self.left + self.right) / 2
            self.chart.write(middle, self.chart.y + 10, text, "mc-m", "middle")
            self.chart.y += LINE
        self.chart.y += PAD - 6


def told(name: str, one: np.ndarray) -> str:
    """Returns what is said of a curve: how many points it has, and some of them."""
    some = one[:, np.unique(np.linspace(0, one.shape[1] - 1, SAID).round().astype(int))]
    pairs = " ".join(point_text(float(a), float(b)) for a, b in some.T)
    count = number_text(one.shape[1])
    return WORDS.say("line", {"name": name, "count": count, "points": pairs})


def point_text(x: float, y: float) -> str:
    """Returns a point as text; a y that is missing is a dash."""
    return WORDS.say("point", {"x": number_text(x), "y": number_text(y) if y == y else "–"})


def points(name: str, given: Any, log: str) -> np.ndarray:
    """Returns xs and ys as an array of two rows; a y is NaN where nothing can be drawn. Raises
    TypeError or ValueError.
    """
    pair = (
        isinstance(given, tuple | list | np.ndarray) and len(given) == 2 and all(map(is_row, given))
    )
    ys = numbers("lines", name, given[1] if pair else given)
    xs = (
        numbers("lines", name, given[0])
        if pair
        else np.arange(float(ys.shape[0] if ys.ndim else 0))
    )
    if xs.ndim != 1 or xs.shape != ys.shape:
        raise ValueError(
            f"lines: {name!r} is a pair (xs, ys) of rows that are equally long, or the ys alone; "
            "here their shapes are "
            f"{xs.shape} and {ys.shape}."
        )
    if len(xs) > LONGEST:
        raise ValueError(
            f"lines: {name!r} has {len(xs):,} points; at most {LONGEST:,} can be shown. Take "
            "every tenth: ys[::10]."
        )
    bad = np.isnan(xs) | np.isnan(ys) | ("x" in log) * (xs <= 0) | ("y" in log) * (ys <= 0)
    if bad.all():
        where = " above 0 where the axis is logarithmic" if log else ""
        raise ValueError(
            f"lines: {name!r} has no point to draw: of its {len(bad)} points none has finite "
            f"numbers{where}."
        )
    return np.array([xs, np.where(bad, np.nan, ys)])


def is_row(given: Any) -> bool:
    """Says whether something has a length; an array that is one number says that it could have one."""
    return hasattr(given, "__len__") and getattr(given, "shape", None) != ()


def place(name: str, given: Any, log: str) -> tuple[float, float | None]:
    """Returns (x, y) of a mark, (x, None) where it is a number on the x axis. Raises TypeError or
    ValueError.
    """
    at = numbers("marks", name, given).ravel()
    if (
        at.size not in (1, 2)
        or np.isnan(at).any()
        or "x" in log
        and at[0] <= 0
        or "y" in log
        and at[-1] <= 0
        and at.size == 2
    ):
        raise ValueError(
            f"marks: {name!r} is a number on the x axis or a pair (x, y) that the axes can "
            f"carry, not {shown(given)}."
        )
    return float(at[0]), float(at[1]) if at.size == 2 else None


def levels(labels: Sequence[tuple[float, float]]) -> list[int]:
    """Returns in which row each of some names (middle, width) stands, such that none touches
    another: 0 is the lowest row.
    """
    result: list[int] = []
    for order, (x, width) in enumerate(labels):
        near = {
            result[k]
            for k in range(order)
            if abs(labels[k][0] - x) < (labels[k][1] + width) / 2 + 8
        }
        result.append(next(row for row in range(order + 1) if row not in near))
    return result


def thinned(one: np.ndarray) -> np.ndarray:
    """Returns at most four points for each piece of a long line: gaps, peaks and the ends stay."""
    if one.shape[1] <= 4 * PIECES:
        return one
    kept: set[int] = set()
    for piece in np.array_split(np.arange(one.shape[1]), PIECES):
        ys = one[1, piece]
        holes = np.isnan(ys)
        kept |= {
            int(piece[k])
            for k in (
                0,
                -1,
                np.where(holes, np.inf, ys).argmin(),
                np.where(holes, -np.inf, ys).argmax(),
            )
        }
        kept |= {int(piece[holes.argmax()])} if holes.any() else set()
    return one[:, sorted(kept)]


def way(one: np.ndarray, wide: Axis, high: Axis) -> str:
    """Returns the path of a line, broken where there is no number; a point alone becomes a dot."""
    pieces, pen = [], "M"
    for a, b in one.T:
        pieces.append(f"{pen}{wide(a):g},{high(b):g}" if b == b else "")
        pen = "L" if b == b else "M"
    return "".join(pieces)
