"""Bars: a few numbers with their names, one under the other, each with its value written at its
end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minitape.storyboard.drawing.layout import text_width
from minitape.storyboard.drawing.svg import clip
from minitape_widgets.charts.axis import Axis, number_text
from minitape_widgets.charts.chart import PAD, WIDTH, WORDS, Chart, entries, numbers, short, shown

MOST, ROW, BAR, NAME = 40, 30, 18, 260


def bars(values: Mapping[str, Any], *, unit: str = "", log: bool = False, title: str = "") -> Chart:
    """Shows named numbers as bars, as in bars({"finite differences": 1_000_001, "one play": 2},
    unit="runs", log=True).

    `unit` says what is counted; with `log` each line of the grid is ten times the one before, which
    only numbers above 0 can have. Raises TypeError or ValueError for what cannot be shown, before
    anything is drawn.
    """
    if not isinstance(log, bool):
        raise TypeError(f"bars: log is True or False, not {shown(log)}.")
    heights = {
        name: number(name, value)
        for name, value in entries("bars", values, MOST, 'bars({"one play": 2})').items()
    }
    if log and min(heights.values()) <= 0:
        name = min(heights, key=lambda one: heights[one])
        raise ValueError(
            f"bars(log=True) shows numbers above 0, and {name!r} is {heights[name]}. Leave "
            "log=True out."
        )
    chart, unit = Chart("bars", short("bars", title)), short("bars", unit)
    texts = {name: number_text(value) for name, value in heights.items()}
    left = PAD + min(NAME, max(text_width(name, 14) for name in heights)) + 10
    right = WIDTH - PAD - max(text_width(text, 15) for text in texts.values()) - 8
    # the smallest can still be seen
    axis = Axis([min(heights.values()) / 2 if log else 0, *heights.values()], left, right, log)
    zero, top = left if log else axis(0), chart.y
    bottom = top + ROW * len(heights)
    ticks = axis.ticks(8) if log else []
    for value, text in ticks:
        chart.path("mc-grid", f"M{axis(value):g},{top:g}V{bottom:g}")
        chart.write(axis(value), bottom + 15, text, "mc-m", "middle")
    for row, (name, value) in enumerate(heights.items()):
        y, end = top + ROW * row + (ROW - BAR) / 2, axis(value)
        chart.write(left - 10, y + 14, clip(name, NAME, 14), anchor="end")
        if value:
            x, width = min(zero, end), max(1, abs(end - zero))
            chart.pieces.append(
                f'<rect class="mc-bar" x="{x:g}" y="{y:g}" width="{width:g}" height="{BAR}"/>'
            )
        chart.write(max(zero, end) + 8, y + 14, texts[name], "mc-v")
    chart.path("mc-axis", f"M{zero:g},{top:g}V{bottom:g}")
    chart.y = bottom + (20 if log else 4)
    times = (
        number_text(round(ticks[1][0] / ticks[0][0]))
        if len(ticks) > 1 and ticks[1][0] >= 10 * ticks[0][0]
        else ""
    )
    said = " · ".join(
        filter(
            None,
            (
                unit,
                WORDS.say("bars.log" if times else "bars.log.near", {"times": times})
                if log
                else "",
            ),
        )
    )
    if said:
        chart.write(
            max(PAD, min(left, WIDTH - PAD - text_width(said, 12))),
            chart.y + 14,
            clip(said, WIDTH - 2 * PAD, 12),
            "mc-m",
        )
        chart.y += 20
    chart.y += PAD - 6
    chart.lines += [unit] if unit else []
    chart.lines += [
        WORDS.say("item", {"name": name, "value": text}) for name, text in texts.items()
    ]
    return chart


def number(name: str, value: Any) -> float:
    """Returns one number, whole where it was whole. Raises TypeError or ValueError for what a bar
    cannot show.
    """
    array = numbers("bars", name, value)
    if array.ndim or array.size != 1:
        raise TypeError(
            f"bars: a bar is one number, and {name!r} holds {array.size} of them: {shown(value)}."
        )
    if array != array:
        raise ValueError(f"bars: {name!r} is {shown(value)}, and a bar needs an end.")
    return int(array) if array == array.round() and abs(array) < 2**53 else float(array)
