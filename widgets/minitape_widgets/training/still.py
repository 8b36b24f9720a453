"""The view where no script runs: on GitHub, in a PDF. One SVG with the loss, the cells of the
measure that tells most, and what stands out.

The page draws the same letters in the same way (`static/health/cells.js`); a test holds both equal.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

from minitape.storyboard.drawing.layout import text_width
from minitape.storyboard.drawing.svg import clip

from ..charts.axis import Axis
from ..charts.chart import Chart
from .grid import BAD, HIGHEST, NONE, SHARES, ZERO, runs
from .payload import WORDS

STYLE = re.sub(
    r"\s*([{};:,])\s*", r"\1", (Path(__file__).parent / "still.css").read_text(encoding="utf-8")
).strip()
WIDTH, PAD, LEFT, LOSS = 720, 16, 132, 64
TALL, LOW, ALL = 22.0, 5.0, 230.0  # the height of a row, and of all together
TEXT = WIDTH - 2 * PAD - 24  # the width of a line of text
MOST_SAID = 4  # findings
LOOKS = {"0": "lowest", "1": "lowest", "2": "low", "6": "high", "7": "highest", "8": "highest"}


def look(letter: str, share: bool) -> str:
    """Returns how a letter is drawn: one of nine looks."""
    if letter in (ZERO, BAD, NONE):
        return {ZERO: "zero", BAD: "bad", NONE: "none"}[letter]
    return ("all" if letter == str(HIGHEST) else "some") if share else LOOKS.get(letter, "same")


def paths(letters: list[str], edges: list[float], row: float, share: bool) -> dict[str, str]:
    """Returns the outlines of all cells by their look: neighbours that are alike are one rectangle,
    as high as their letter says.
    """
    texts: dict[str, str] = {}
    for r, line in enumerate(letters):
        for letter, first, last in runs(line):
            high = row - 1
            if letter.isdigit():
                high *= int(letter) / HIGHEST if share else (int(letter) + 1) / (HIGHEST + 1)
            if high > 0:
                x, y, wide = edges[first], (r + 1) * row - high, edges[last] - edges[first]
                name = look(letter, share)
                if name == "lowest":
                    texts["faint"] = (
                        texts.get("faint", "")
                        + f"M{x:.2f} {r * row + 1:.2f}h{wide:.2f}v{row - 1:.2f}h{-wide:.2f}z"
                    )
                texts[name] = (
                    texts.get(name, "") + f"M{x:.2f} {y:.2f}h{wide:.2f}v{high:.2f}h{-wide:.2f}z"
                )
    return texts


def measure_of(given: dict[str, Any]) -> str:
    """Returns the measure that is shown at first: that of the first finding, else the adjoints."""
    asked = given["findings"][0]["measure"] if given["findings"] else "adjoint"
    return asked if asked in given["measures"] else next(iter(given["measures"]), "adjoint")


def picture(given: dict[str, Any]) -> str:
    """Returns the SVG of a payload, the same for the same numbers."""
    language = given["language"]
    chart = Health(language)
    for line in wrapped(given["title"], TEXT, 14.5):
        chart.line(line, "mh-b")
    if given["steps"] and given["at"]:
        chart.loss(given)
        chart.cells(given)
    chart.findings(given)
    return chart.svg()


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Returns a text in lines of this many pixels."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size) <= width or not lines[-1]:
            lines[-1] = clip(longer, width, size)
        else:
            lines.append(clip(word, width, size))
    return lines


class Health(Chart):
    """The picture, drawn from above to below."""

    def __init__(self, language: str) -> None:
        self.language = language
        super().__init__("health", "")
        self.title = self.say("name")
        self.pieces.append(f"<style>{STYLE}</style><defs>{PATTERNS}</defs>")

    def say(self, key: str, **params: Any) -> str:
        """Returns a sentence."""
        return WORDS.say(key, params, self.language)

    def line(self, text: str, style: str = "mc-s", left: float = PAD) -> None:
        """Writes a line of text under what is there."""
        self.y += 17
        self.write(left, self.y - 4, text, style)
        self.lines.append(text)

    def loss(self, given: dict[str, Any]) -> None:
        """Draws the loss over the steps."""
        losses, right = given["losses"], WIDTH - PAD
        known = [n for name in ("low", "high") for n in losses[name] if n is not None]
        self.y += 8
        if not known:
            known = [1.0]  # it is drawn that there is no number
        log = min(known) > 0 and max(known) > 50 * min(known)
        axis, x = Axis(known, self.y + LOSS, self.y, log), Axis([0, given["steps"]], LEFT, right)
        self.write(PAD, self.y + 10, self.say("loss"), "mc-b")
        for number, text in axis.ticks(3)[:4] if any(losses["mean"]) else []:
            self.path("mc-grid", f"M{LEFT} {axis(number):g}H{right}")
            self.write(LEFT - 6, axis(number) + 4, text, "mc-m", "end")
        pen, way = "M", ""
        for k, number in enumerate(losses["mean"]):
            at = min(given["steps"], (k + 0.5) * losses["each"])
            way, pen = (
                (way + f"{pen}{x(at):g} {axis(number):g}", "L")
                if number is not None
                else (way, "M")
            )
            if number is None:
                begin = x(min(given["steps"], k * losses["each"]))
                wide = x(min(given["steps"], (k + 1) * losses["each"])) - begin
                self.pieces.append(
                    f'<rect class="mh-bad" x="{begin:g}" y="{self.y + LOSS - 9:g}" '
                    f'width="{wide:g}" height="9"/>'
                )
        self.path("mc-line mh-loss", way)
        self.y += LOSS + 14

    def cells(self, given: dict[str, Any]) -> None:
        """Draws a row for each layer, and what the cells mean."""
        name, layers, right = measure_of(given), given["layers"], WIDTH - PAD
        letters, share = given["measures"][name]["letters"], name in SHARES
        row = max(LOW, min(TALL, ALL / len(layers)))
        x = Axis([0, given["steps"]], LEFT, right)
        edges = [x(step) for step in [*given["at"], given["steps"]]]
        self.write(PAD, self.y + 12, self.say("grid.name", measure=self.say(name)), "mc-b")
        self.y += 20
        high, every = row * len(layers), math.ceil(12 / row)
        self.pieces.append(
            f'<svg x="0" y="{self.y:g}" width="{WIDTH}" height="{high:g}" viewBox="0 0 {WIDTH} '
            f'{high:g}">'
            f'<rect class="mh-back" x="{edges[0]:g}" width="{edges[-1] - edges[0]:g}" '
            f'height="{high:g}"/>'
        )
        for look_of, way in sorted(paths(letters, edges, row, share).items()):
            self.path(f"mh-{look_of}", way)
        self.pieces.append("</svg>")
        for r, layer in enumerate(layers):
            text = self.say("frozen", layer=layer["name"]) if layer["frozen"] else layer["name"]
            if r % every == 0:
                self.write(
                    LEFT - 6,
                    self.y + r * row + min(row, 14) - 2,
                    clip(text, LEFT - PAD - 6, 11.5),
                    "mc-m",
                    "end",
                )
        self.y += round(high) + 14
        for number, text in x.ticks(6):
            self.write(x(number), self.y, text, "mc-m", "middle")
        self.y += 8
        for text in wrapped(self.say(f"about.{name}"), TEXT, 12):
            self.line(text, "mc-m")
        self.legend(share)

    def legend(self, share: bool) -> None:
        """Draws what the looks of cells mean."""
        left = float(PAD)
        self.y += 6
        for name, high, key in LEGEND[share]:
            text = self.say(f"legend.{key}")
            wide = text_width(text, 12) + 34
            if left + wide > WIDTH - PAD:
                left, self.y = PAD, self.y + 18
            self.pieces.append(
                f'<svg x="{left:g}" y="{self.y:g}" width="18" height="13"><rect class="mh-back" '
                'width="18" height="13"/>'
                f'<rect class="mh-{name}" y="{13 * (1 - high):g}" width="18" '
                f'height="{13 * high:g}"/></svg>'
            )
            self.write(left + 24, self.y + 11, text, "mc-m")
            left += wide
        self.y += 22

    def findings(self, given: dict[str, Any]) -> None:
        """Writes what stands out, the most important first."""
        self.line(self.say("findings"), "mc-b")
        for number, finding in enumerate(given["findings"][:MOST_SAID], 1):
            for k, text in enumerate(
                wrapped(f"{number}. {finding['text']} ({finding['about']})", TEXT, 13.5)
            ):
                self.line(text, "mc-s", PAD + (14 if k else 0))
            for text in wrapped(finding["cure"], TEXT - 14, 12.5):
                self.line(text, "mc-m", PAD + 14)
        if not given["findings"]:
            self.line(self.say("fine"))
        self.y += 12


LEGEND = {  # look, height, sentence
    False: [
        ("lowest", 2 / 9, "low"),
        ("low", 3 / 9, "small"),
        ("same", 5 / 9, "same"),
        ("high", 7 / 9, "large"),
        ("highest", 1, "high"),
        ("zero", 1, "zero"),
        ("bad", 1, "bad"),
        ("none", 1, "none"),
    ],
    True: [("some", 4 / 8, "some"), ("all", 1, "all"), ("none", 1, "none")],
}
PATTERNS = (
    '<pattern id="mh-hatch" width="5" height="5" patternUnits="userSpaceOnUse">'
    '<path class="mh-stroke" d="M-1 6L6 -1M-1 1L1 -1M4 6L6 4"/></pattern>'
    '<pattern id="mh-cross" width="9" height="9" patternUnits="userSpaceOnUse">'
    '<rect class="mh-red" width="9" height="9"/><path class="mh-white" d="M2 2L7 7M7 2L2 '
    '7"/></pattern>'
    '<pattern id="mh-dots" width="6" height="6" patternUnits="userSpaceOnUse">'
    '<circle class="mh-dot" cx="3" cy="3" r=".8"/></pattern>'
)
