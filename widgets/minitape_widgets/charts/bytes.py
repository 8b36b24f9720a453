"""What a tape costs, as a picture: one bar of bytes per card, what a rule needs beside what could
be dropped, the sum above.

The two are told apart by colour and by hatching; what recomputation lets go is a dashed outline.
Where recomputation is asked for, the picture holds both states, as recorded and recomputed: a page
that runs scripts switches between them, any other shows the second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from minitape.memory import Cost, Costs
from minitape.storyboard.drawing.layout import text_width
from minitape.storyboard.drawing.svg import clip
from minitape_widgets.charts.chart import PAD, WIDTH, Chart

MOST, STRETCHES = 40, 12  # more cards than MOST are shown as so many stretches
ROW, BAR, NAME, CODE = 22, 14, 210, 20
KINDS = ("needed", "droppable", "let_go")
STYLES = {"needed": "mc-bar", "droppable": "mc-drop", "let_go": "mc-gone"}


class Bytes(Chart):
    """A picture of what a tape costs. `costs` are the numbers in it: `costs.kept`, `costs.needed`."""

    def __init__(self, now: Costs, then: Costs) -> None:
        super().__init__("bytes", "")
        self.costs, self.lines, self.title = then, str(then).splitlines(), then.heads()[0][1]
        self.pieces.append(
            '<defs><pattern id="\0p" width="6" height="6" patternUnits="userSpaceOnUse" '
            'patternTransform="rotate(45)">'
            '<rect class="mc-hatch" width="2.5" height="6"/></pattern></defs>'
        )
        both = [now] if now is then else [now, then]
        self._head(both)
        if not then.released and then.cards:
            self._cards(both)
        self.y += PAD - 8

    def _head(self, both: Sequence[Costs]) -> None:
        """Writes the sum of each state, and what the marks mean, which is the legend."""
        top = self.y
        for state, costs in zip(("mc-now", "mc-then")[-len(both) :], both):
            y = top
            self.pieces.append(f'<g class="{state}">')
            for kind, line in costs.heads():
                if kind == "kept":
                    self.write(PAD, y + 13, clip(line, WIDTH - 2 * PAD, 14.5), "mc-b")
                    y += 24
                    continue
                if kind in STYLES:
                    self._bar(STYLES[kind], PAD, y, 26)
                for text in folded(line, WIDTH - 2 * PAD - 50):
                    self.write(PAD + 34, y + 12, text)
                    y += 19
            self.pieces.append("</g>")
            self.y = max(self.y, y)
        self.y += 8

    def _cards(self, both: Sequence[Costs]) -> None:
        then, now = both[-1], both[0]
        rows = list(stretches(then, now))
        names = [clip(name, NAME, 13) for name, *_ in rows]
        left = PAD + 14 + max(text_width(name, 13) for name in names) + 10
        room = (
            WIDTH
            - PAD
            - left
            - 8
            - max(
                text_width(then.size(state["needed"] + state["droppable"]), 13)
                for _, _, a, b, _ in rows
                for state in (a, b)
            )
        )
        longest = max([sum(state.values()) for _, _, a, b, _ in rows for state in (a, b)]) or 1
        before, brackets = "", dict[int, tuple[float, float]]()
        for name, code, late, early, block in rows:
            if code != before and code:
                self.y += 4 if before else 0
                self.write(PAD, self.y + 14, clip(code, WIDTH - 2 * PAD, 12), "mc-m mc-code")
                self.y += CODE
            before = code
            y = self.y + (ROW - BAR) / 2
            self.path("mc-axis", f"M{left:g},{self.y:g}v{ROW}")
            self.write(left - 10, y + 11.5, clip(name, NAME, 13), anchor="end")
            if block is not None:
                brackets[block] = brackets.get(block, (self.y, 0.0))[0], self.y + ROW
            places = [lengths(state, left, room / longest) for state in (early, late)]
            for kind in KINDS:
                (x0, w0), (x1, w1) = places[0][kind], places[1][kind]
                if w0 or w1:
                    self._bar(STYLES[kind], x1, y, w1, (x0, w0) if len(both) > 1 else None)
            for state, sizes, place in zip(
                ("mc-now", "mc-then")[-len(both) :],
                (early, late)[-len(both) :],
                places[-len(both) :],
            ):
                kept = sizes["needed"] + sizes["droppable"]
                end = max(x + w for x, w in place.values())
                self.write(end + 8, y + 11.5, then.size(kept), f"mc-v {state}")
            self.y += ROW
        for start, end in brackets.values():
            self.path("mc-axis", f"M{PAD + 6:g},{start + 3:g}H{PAD + 1:g}V{end - 3:g}h5")

    def _bar(
        self, style: str, x: float, y: float, width: float, now: tuple[float, float] | None = None
    ) -> None:
        """Draws a bar; `now` is where it lies before it is recomputed."""
        data = f' data-now="{now[0]:g} {now[1]:g}" data-then="{x:g} {width:g}"' if now else ""
        fill = ' fill="url(#\0p)"' if style == "mc-drop" else ""
        self.pieces.append(
            f'<rect class="{style}"{fill} x="{x:g}" y="{y:g}" width="{width:g}" '
            f'height="{BAR}"{data}/>'
        )


def stretches(
    then: Costs, now: Costs
) -> Iterator[tuple[str, str, dict[str, int], dict[str, int], int | None]]:
    """Yields (name, line of code, bytes recomputed, bytes as recorded, number of the block) for
    each card, or each stretch of many.
    """
    pairs = list(zip(then.cards, now.cards))
    inside = [
        next((k for k, (first, last) in enumerate(then.blocks) if first <= card.card <= last), None)
        for card in then.cards
    ]
    if len(pairs) <= MOST:
        for (late, early), block in zip(pairs, inside):
            code = then.say("row.line", line=late.line, code=late.code).strip() if late.line else ""
            name = "" if late.name == f"{late.op} {late.card}" else f", {late.name}"
            yield f"{late.card} {late.op}{name}", code, parts([late]), parts([early]), block
        return
    for _, group in groupby(enumerate(pairs), lambda one: one[0] * STRETCHES // len(pairs)):
        result = [pair for _, pair in group]
        first, last = result[0][0].card, result[-1][0].card
        yield (
            then.say("stretch", first=first, last=last),
            "",
            parts([a for a, _ in result]),
            parts([b for _, b in result]),
            next((k for k in inside[first - 1 : last] if k is not None), None),
        )


def parts(cards: Sequence[Cost]) -> dict[str, int]:
    """Returns the bytes of some cards by what becomes of them."""
    return {kind: sum(getattr(card, kind) for card in cards) for kind in KINDS}


def lengths(sizes: dict[str, int], left: float, scale: float) -> dict[str, tuple[float, float]]:
    """Returns where each part of a bar begins, and how long it is; what is there can be seen."""
    result, x = {}, left
    for kind, size in sizes.items():
        width = round(max(size * scale, 1.5), 1) if size else 0.0
        result[kind] = x, width
        x = round(x + width, 1)
    return result


def folded(text: str, width: float) -> list[str]:
    """Returns a text in lines that fit."""
    result = [""]
    for word in text.split(" "):
        longer = f"{result[-1]} {word}".strip()
        if text_width(longer, 13) <= width or not result[-1]:
            result[-1] = longer
        else:
            result.append(word)
    return result
