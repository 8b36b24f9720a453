"""`valley`: a loss as a valley, a point that walks down in it, and the tape of every step.

All walks, one for each learning rate, are computed when the valley is made, and travel once; so
dragging the rate asks no kernel. It costs a fifth of a second and some 20 kB for sixty rates. The
storyboard is that of the first rate; the page plays it with the numbers of the others, as it does
where a learner holds a number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from minitape.sentences import chosen, speaking
from minitape.storyboard import Film, Storyboard, develop
from minitape_widgets import module
from minitape_widgets.charts.axis import Axis, number_text
from minitape_widgets.charts.chart import Chart, short, shown
from minitape_widgets.descent.ground import HEIGHT, WIDTH, Ground, ground
from minitape_widgets.descent.walks import Walk, names_of, silently, walk
from minitape_widgets.player import Player
from minitape_widgets.view import is_number, switch

MOST_STEPS, MOST_RATES, STEPS_OF_RATES = 60, 121, 60
DIGITS = 6  # of the numbers that travel


class Valley(Player):
    """Shows a loss as a valley in which a point walks down; beneath it, the player of the tape of
    each step.
    """

    def __init__(
        self,
        storyboard: Storyboard,
        valley: dict[str, Any],
        walks: Sequence[Walk],
        shown: Ground,
        **settings: Any,
    ) -> None:
        super().__init__(storyboard, **settings)
        self.trace = {"valley": valley, **self.trace}
        self.walks, self.ground = list(walks), shown

    @property
    def names(self) -> list[str]:
        """The names of the variables."""
        return self.trace["valley"]["names"]

    def rate(self) -> float:
        """Returns the rate that is shown at first."""
        return self.trace["valley"]["rates"][self.trace["valley"]["rate"]]

    def say(self, key: str, **params: Any) -> str:
        """Returns a sentence of the page."""
        return module.OWN.say(f"ui.valley.{key}", params, self.storyboard["language"])

    def text(self) -> str:
        """Returns the walk at the first rate, a line for each step, and for every rate how it ends."""
        return "\n".join(self._chart().lines)

    def svg(self) -> str:
        """Returns the static picture: the valley and the walk at the first rate."""
        return self._chart().svg()

    def heading(self) -> str:
        """Returns what a page calls it."""
        return self.storyboard["title"] or self.say("name")

    def __repr__(self) -> str:
        return f"<Valley: {len(self.walks)} walks of {', '.join(self.names)}>"

    def save(self, path: str | Path) -> Path:
        """Writes the valley to a file and returns its path: `.html` or `.svg`. Raises ValueError
        for `.json`, which is for players.
        """
        if str(path).endswith(".json"):
            raise ValueError(
                "A valley is saved as .html or .svg; play its storyboard to save the player: "
                "Player(v.storyboard)."
            )
        return super().save(path)

    def _chart(self) -> Chart:
        with speaking(self.storyboard["language"]):
            return picture(self)


def picture(valley: Valley) -> Chart:
    """Returns the still picture and the text of a valley."""
    now, names, box = valley.walks[valley.trace["valley"]["rate"]], valley.names, valley.ground
    chart = Chart("valley", valley.heading())
    left, top = 60, chart.y + 18
    chart.write(
        left - 8, top - 8, names[1] if len(names) > 1 else valley.say("loss"), "mc-m", "end"
    )
    chart.pieces.append(
        f'<svg x="{left}" y="{top:g}" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} '
        f'{HEIGHT}">'
    )
    for path in box.paths:
        chart.path("mc-line mc-0" if len(names) == 1 else "mc-axis", path)
    places = [box.place(point[0], point[1]) for point in now.points]
    chart.path("mc-line mc-1", "M" + "L".join(f"{x:g} {y:g}" for x, y in places))
    chart.path("mc-line mc-1 mc-dot", "".join(f"M{x:g} {y:g}h.01" for x, y in places))
    chart.pieces.append("</svg>")
    for number, text in Axis(box.y, top + HEIGHT, top).ticks(5):
        chart.write(left - 8, Axis(box.y, top + HEIGHT, top)(number) + 4, text, "mc-m", "end")
    for number, text in Axis(box.x, left, left + WIDTH).ticks():
        chart.write(
            Axis(box.x, left, left + WIDTH)(number), top + HEIGHT + 18, text, "mc-m", "middle"
        )
    chart.path("mc-axis", f"M{left},{top:g}V{top + HEIGHT:g}H{left + WIDTH}")
    chart.write(left + WIDTH / 2, top + HEIGHT + 36, names[0], "mc-m", "middle")
    said = [ended(valley, valley.rate(), now)]
    chart.write(left, top + HEIGHT + 56, said[0])
    chart.y = top + HEIGHT + 70
    for step, point in enumerate(now.points):
        numbers = dict(
            zip(
                (*names, valley.say("loss"), *(f"d{valley.say('loss')}/d{name}" for name in names)),
                map(number_text, point),
            )
        )
        said.append(f"{step}: " + ", ".join(f"{name} = {text}" for name, text in numbers.items()))
    ends = [
        (rate, other)
        for rate, other in zip(valley.trace["valley"]["rates"], valley.walks)
        if other is not now
    ]
    away = [one for one in ends if box.left(one[1]) is not None]
    endings = dict.fromkeys(ended(valley, *one) for one in (*ends[:1], *away[:1], *ends[-1:]))
    chart.lines += said + [text for text in endings if text not in said]
    return chart


def ended(valley: Valley, rate: float, walk: Walk) -> str:
    """Returns the sentence about how a walk ends: in the valley, or out of the picture."""
    left, count = valley.ground.left(walk), len(valley.names)
    point = walk.points[-1 if left is None else min(left, len(walk.points) - 1)]
    at = ", ".join(
        f"{name} = {number_text(value)}"
        for name, value in zip((*valley.names, valley.say("loss")), point[: count + 1])
    )
    steps = len(walk.points) - 1 if left is None else left
    return valley.say(
        "stays" if left is None else "left", rate=number_text(rate), step=steps, at=at
    )


def valley(
    loss: Callable[..., Any],
    start: Any,
    rate: float = 0.1,
    steps: int = 12,
    rates: Sequence[float] = (0.01, 1.2),
    *,
    title: str = "",
    large: bool = False,
    language: str | None = None,
) -> Valley:
    """Shows how slopes make a program learn: a valley, a point that walks down in it, a slider for
    the learning rate.

    `loss` is any function of one variable (the valley is a curve) or of two (contours), computed
    with minitape; `start` is where the point begins, a number or a pair of numbers. Each of the
    `steps` is a tape: the loss is recorded and played backwards, then each variable goes `rate`
    times its slope down; the player beneath shows it. `rates` are the ends of the slider, or, where
    they are more than two, the rates on it. Raises TypeError or ValueError for what cannot be
    walked in, and what the loss raises at the start.
    """
    language, title = chosen(language), short("title", title)
    switch("large", large)
    begin = numbers_of(start)
    if not isinstance(steps, int) or isinstance(steps, bool) or not 1 <= steps <= MOST_STEPS:
        raise ValueError(
            f"valley: steps is a whole number from 1 to {MOST_STEPS}, not {shown(steps)}."
        )
    choice = rates_of(rates, rate)
    names = names_of(loss, len(begin))
    film = Film()
    with silently():
        first = walk(loss, begin, names, float(rate), steps, film)
        walks = [first if one == rate else walk(loss, begin, names, one, steps) for one in choice]
        box = ground(loss, names, [first, *walks])
        board = develop(film, title=title, language=language)
    rows = [
        {"points": [[rounded(number) for number in point] for point in one.points], "end": one.end}
        for one in walks
    ]
    axes = [
        [[round(axis(number), 1), text] for number, text in axis.ticks(6)]
        for axis in (Axis(box.x, 0, WIDTH), Axis(box.y, HEIGHT, 0))
    ]
    data = {
        "names": names,
        "x": box.x,
        "y": box.y,
        "ground": box.paths,
        "ticks": axes,
        "steps": steps,
        "rates": choice,
        "rate": choice.index(rate),
        "walks": rows,
    }
    return Valley(board, data, walks, box, large=large, language=language)


def numbers_of(start: Any) -> list[float]:
    """Returns the start as one or two numbers. Raises TypeError or ValueError for anything else."""
    numbers = (
        list(start)
        if isinstance(start, tuple | list | np.ndarray) and np.ndim(start) == 1
        else [start]
    )
    if not 1 <= len(numbers) <= 2 or not all(is_number(one) for one in numbers):
        raise TypeError(
            "valley: start is a number, or a pair of numbers for a loss of two variables, not "
            f"{shown(start)}."
        )
    if not all(math.isfinite(one) and abs(one) < 1e30 for one in numbers):
        raise ValueError(f"valley: start is {shown(start)}, and nobody can stand there.")
    return [float(one) for one in numbers]


def rates_of(rates: Any, rate: Any) -> list[float]:
    """Returns the rates of the slider, the given one among them. Raises TypeError or ValueError for
    what are none.
    """
    given: list[Any] = list(rates) if isinstance(rates, tuple | list | np.ndarray) else [None]
    for one in (rate, *given):
        if not is_number(one) or not 0 < one < 1e6:
            raise ValueError(
                "valley: rates are numbers above 0, rates=(0.01, 1.2) or a list of them, not "
                f"{shown(one)}."
            )
    if not 2 <= len(given) <= MOST_RATES:
        raise ValueError(
            f"valley: rates are the two ends of the slider, or up to {MOST_RATES} rates on it, "
            f"not {len(given)}."
        )
    if len(given) == 2:
        low, high = sorted(given)
        power = 10.0 ** math.floor(math.log10((high - low) / STEPS_OF_RATES or 1.0))
        step = next(
            m * power for m in (1, 2, 5, 10) if m * power >= 0.999 * (high - low) / STEPS_OF_RATES
        )
        given = [
            low,
            *(n * step for n in range(math.ceil(low / step), math.floor(high / step + 1e-9) + 1)),
            high,
        ]
    return sorted(
        {float(f"{one:.{DIGITS}g}") for one in given} - {float(f"{rate:.{DIGITS}g}")}
        | {float(rate)}
    )


def rounded(number: float) -> float:
    """Returns a number in the digits in which it travels."""
    return float(f"{number:.{DIGITS}g}")
