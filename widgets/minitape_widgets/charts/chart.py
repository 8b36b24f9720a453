"""What all charts are made of: the picture with its frame, name and style; and what is asked of the
names and numbers in it.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from minitape.sentences import Catalogue
from minitape.storyboard.drawing.svg import clip, escape
from minitape_widgets.charts.axis import LARGEST

HERE = Path(__file__).parent
WORDS = Catalogue(HERE / "words")
STYLE = re.sub(r"\s*([{};:,])\s*", r"\1", (HERE / "chart.css").read_text(encoding="utf-8")).strip()
WIDTH, PAD = 720, 16
LONGEST = 200  # letters of a name: what is longer goes no further than the mistake that made it


class Chart:
    """A picture of numbers. A notebook shows it, GitHub as well; `print` says the same as text."""

    def __init__(self, kind: str, title: str) -> None:
        self.kind, self.title, self.lines, self.pieces, self.y = (
            kind,
            title,
            [title] if title else [],
            list[str](),
            PAD,
        )
        if title:
            self.write(PAD, self.y + 12, clip(title, WIDTH - 2 * PAD, 14.5), "mc-b")
            self.y += 26

    def write(
        self, x: float, y: float, text: str, style: str = "mc-s", anchor: str = "start"
    ) -> None:
        """Puts a text into the picture, whatever it is made of."""
        place = "" if anchor == "start" else f' text-anchor="{anchor}"'
        self.pieces.append(
            f'<text class="mc-t {style}" x="{x:g}" y="{y:g}"{place}>{escape(text)}</text>'
        )

    def path(self, style: str, way: str) -> None:
        """Puts a line into the picture."""
        self.pieces.append(f'<path class="{style}" d="{way}"/>')

    def text(self) -> str:
        """Returns the names and numbers as lines of text."""
        return "\n".join(self.lines)

    def svg(self) -> str:
        """Returns the picture as SVG text, the same for the same numbers."""
        name = self.title or WORDS.say(self.kind)
        text = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{self.y:g}" '
            f'viewBox="0 0 {WIDTH} {self.y:g}" '
            f'role="img" aria-labelledby="\0t \0d"><title id="\0t">{escape(name)}</title>'
            f'<desc id="\0d">{escape("; ".join(self.lines))}</desc><style>{STYLE}</style>'
            f'<rect class="mc-bg" x=".5" y=".5" width="{WIDTH - 1}" height="{self.y - 1:g}" '
            f'rx="8"/>{"".join(self.pieces)}</svg>\n'
        )
        return text.replace("\0", "mc" + hashlib.sha256(text.encode()).hexdigest()[:10])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"image/svg+xml": self.svg(), "text/plain": self.text()}

    def __repr__(self) -> str:
        return self.text()


# ---- what is asked of names and numbers


def entries(what: str, given: Any, most: int, example: str) -> dict[str, Any]:
    """Returns a dictionary of names. Raises TypeError for what is none, ValueError for an empty or
    a very long one.
    """
    if not isinstance(given, Mapping):
        raise TypeError(
            f"{what} shows a dictionary of names, as in {example}, not {type(given).__name__}."
        )
    if not 0 < len(given) <= most:
        raise ValueError(
            f"{what} shows 1 to {most} entries, and got {len(given)}."
            + " Leave some out." * (len(given) > most)
        )
    return {short(what, name): value for name, value in given.items()}


def short(what: str, text: Any) -> str:
    """Returns a name or title without ends of lines. Raises TypeError for what is no text,
    ValueError for one without an end.
    """
    if not isinstance(text, str):
        raise TypeError(
            f"{what}: names and titles are texts, and {shown(text)} is {type(text).__name__}."
        )
    if len(text) > LONGEST:
        raise ValueError(
            f"{what}: a name or title has at most {LONGEST} letters, and {text[:30]!r}... has "
            f"{len(text)}."
        )
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())


def numbers(what: str, name: str, given: Any) -> np.ndarray:
    """Returns numbers as an array of float64, those that no chart can hold as NaN. Raises TypeError
    for what are no numbers.
    """
    try:
        array = np.asarray(given)
        # among them whole numbers that are too large for NumPy, and fractions
        if array.dtype.kind == "O":
            array = np.array([float_of(one) for one in array.flat]).reshape(array.shape)
        if array.dtype.kind not in "iuf":
            raise TypeError
    except (TypeError, ValueError):
        raise TypeError(f"{what}: {name!r} holds no plain numbers: {shown(given)}.") from None
    array = array.astype(np.float64)
    return np.where(np.abs(array) <= LARGEST, array, np.nan)


def float_of(value: Any) -> float:
    """Returns a number as a float, NaN where it is too large for one. Raises TypeError for what is
    no number.
    """
    if not isinstance(value, Real):
        raise TypeError
    try:
        return float(value)
    except OverflowError:
        return math.nan


def shown(value: Any) -> str:
    """Returns the beginning of a value's own text, or its type where it has none."""
    try:
        return f"{value!r:.60}"
    except Exception:  # a very long whole number, or a class of the learner's
        return type(value).__name__
