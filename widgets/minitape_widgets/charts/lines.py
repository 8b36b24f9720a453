"""Lines: numbers over numbers, as curves that are told apart by colour, dashes and the names at
their ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    placed = {
        name: place(name, one, log)
        for name, one in (entries("marks", marks, MARKS, '{"best": 1e-8}') if marks else {}).items()
    }
    chart = Chart("lines", short("lines", title))
    x, y = (
        WORDS.say("logarithmic", {"axis": text or axis}) if axis in log else text
        for axis, text in (("x", short("x", x)), ("y", short("y", y)))
    )
    seen = np.concatenate([one[:, ~np.isnan(one[1])] for one in points_of.values()], axis=1)
    right = WIDTH - PAD - min(NAME, max(text_width(name, 13) for name in points_of)) - 32
    high = Axis(
        [*seen[1], *(b for _, b in placed.values() if b is not None)],
        HEIGHT,
        0,
        "y" in log,
        air=0.05,
    )
    ticks = high.ticks()
    left = PAD + max(text_width(text, 12) for _, text in ticks) + 8
    wide = Axis([*seen[0], *(a for a, _ in placed.values())], left + 6, right - 6, "x" in log)
    labels = [
        (min(max(wide(a), left + 20), right - 20), text_width(clip(name, NAME, 12), 12))
        for name, (a, _) in placed.items()
    ]
    level = levels(labels)
    top = chart.y + (TOP if y else 6) + LINE * (max(level) + 1 if level else 0)
    high.start, high.end = top + HEIGHT, top
    if y:
        chart.write(PAD, chart.y + 12, clip(y, WIDTH - 2 * PAD, 12), "mc-m")
    for number, text in ticks:
        chart.path("mc-grid", f"M{left:g},{high(number):g}H{right:g}")
        chart.write(left - 8, high(number) + 4, text, "mc-m", "end")
    for number, text in wide.ticks():
        chart.path("mc-axis", f"M{wide(number):g},{top + HEIGHT:g}v5")
        chart.write(wide(number), top + HEIGHT + 19, text, "mc-m", "middle")
    chart.path("mc-axis", f"M{left:g},{top:g}V{top + HEIGHT:g}H{right:g}")
    for (name, (a, b)), (middle, _), row in zip(placed.items(), labels, level):
        label = top - 6 - LINE * row
        chart.path(
            "mc-mark", f"M{wide(a):g},{label + 3:g}V{top + HEIGHT if b is None else high(b) - 5:g}"
        )
        chart.write(middle, label, clip(name, NAME, 12), "mc-m", "middle")
        if b is not None:
            chart.pieces.append(
                f'<circle class="mc-axis mc-here" cx="{wide(a):g}" cy="{high(b):g}" r="5"/>'
            )
    ends = {}
    for style, (name, one) in enumerate(points_of.items()):
        drawn = thinned(one)
        chart.path(f"mc-line mc-{style}", way(drawn, wide, high))
        if one.shape[1] <= DOTTED:
            chart.path(
                f"mc-line mc-{style} mc-dot",
                "".join(f"M{wide(a):g},{high(b):g}h.01" for a, b in one.T if b == b),
            )
        ends[name] = next(high(b) for b in one[1][::-1] if b == b)
    below = top - LINE
    for name in sorted(ends, key=lambda one: ends[one]):
        ends[name] = below = max(ends[name], below + LINE)
    over = max(0, below - top - HEIGHT)
    for style, name in enumerate(points_of):
        place_y = max(ends[name] - over, top)
        chart.path(f"mc-line mc-{style}", f"M{right + 4:g},{place_y:g}h20")
        chart.write(right + 29, place_y + 4.5, clip(name, NAME, 13))
    chart.y = top + HEIGHT + 26
    chart.lines += [WORDS.say("over", {"y": y or "y", "x": x or "x"})] if x or y else []
    gaps = sum(int(np.isnan(one[1]).sum()) for one in points_of.values())
    foot = [
        clip(x, right - left, 12),
        WORDS.say("gaps.log" if log else "gaps", {"count": number_text(gaps)}) if gaps else "",
    ]
    for text in filter(None, foot):
        chart.write((left + right) / 2, chart.y + 10, text, "mc-m", "middle")
        chart.y += LINE
    chart.y += PAD - 6
    for name, one in points_of.items():
        some = one[:, np.unique(np.linspace(0, one.shape[1] - 1, SAID).round().astype(int))]
        pairs = (
            WORDS.say(
                "point", {"x": number_text(float(a)), "y": number_text(float(b)) if b == b else "–"}
            )
            for a, b in some.T
        )
        chart.lines.append(
            WORDS.say(
                "line",
                {"name": name, "count": number_text(one.shape[1]), "points": " ".join(pairs)},
            )
        )
    for name, (a, b) in placed.items():
        at = (
            number_text(a)
            if b is None
            else WORDS.say("point", {"x": number_text(a), "y": number_text(b)})
        )
        chart.lines.append(WORDS.say("item", {"name": name, "value": at}))
    chart.lines += foot[1:] if gaps else []
    return chart


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
