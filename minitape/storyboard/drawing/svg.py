"""The static picture: one SVG of the finished play, for wherever no script runs (GitHub, nbviewer,
a PDF, a README).

From top to bottom: the tape as a strip of cards, the notes beside it, the graph with values,
adjoints and the parts on the edges, and the gradients. It has its own background, and follows the
reader's light or dark preference. Every text that comes from the learner passes `escape`; nothing
else is ever put between the tags.
"""

from __future__ import annotations

import hashlib
import html
import re
from functools import cached_property
from pkgutil import get_data
from typing import TYPE_CHECKING, Any

from minitape.storyboard.acts.state import adjoints
from minitape.storyboard.drawing.drawings import drawing_of
from minitape.storyboard.drawing.grid import AROUND, BESIDE, LETTER, ROW, grid_size
from minitape.storyboard.drawing.layout import text_width
from minitape.storyboard.drawing.shapes import middle, outline, reach, rows_of
from minitape.storyboard.text.captions import (
    answer_text,
    board_sentence,
    caption,
    node_name,
    title_of,
    value_short,
    value_text,
)
from minitape.storyboard.text.summary import grid_of, shape_text

if TYPE_CHECKING:
    from minitape.storyboard.text.aliases import Board, Data

WIDTH = 960  # a GitHub page shows about this much without shrinking it
PAD = 20
NUMBER = re.compile(r"-?[\d.]+(e[-+]\d+)?")
CARD_W, CARD_H, CARD_GAP, MOST_CARDS, MOST_NOTES = 100, 52, 8, 24, 6

SHAPES = {
    "variable": ("mt-var", -9),
    "watched": ("mt-var", -9),
    "constant": ("mt-const", 0),
    "input": ("mt-const", 0),
    # style, and corners: pixels that are cut off (below 0) or round
    "intermediate": ("mt-n", 12),
}

STYLE = " ".join((get_data(__package__, "picture.css") or b"").decode().split())


def escape(text: str) -> str:
    """Returns text that cannot be markup: & < > " ' replaced, and characters that XML forbids shown
    as a box.
    """
    allowed = "".join(
        c
        if c in "\t\n" or " " <= c and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff"
        else "\ufffd"
        for c in str(text)
    )
    return html.escape(allowed).replace("&#x27;", "&#39;")


def clip(text: str, width: float, size: float) -> str:
    """Returns the text, shortened by "…" to fit into `width` pixels. A number at its end is
    rounded, since a piece of one is another.
    """
    lead, space, number = text.rpartition(" ")
    for digits in (6, 5, 4, 3, 2, 1, 1):
        if text_width(text, size) <= width:
            return text
        if NUMBER.fullmatch(number):
            text = f"{lead}{space}{float(number):.{digits}g}"
    while text and text_width(text + "…", size) > width:
        text = text[:-1]
    return text + "…"


def render(board: Board) -> str:
    """Returns the static picture of a storyboard as SVG text, the same for the same storyboard."""
    picture = _Picture(board)
    picture.title()
    picture.chapters()
    picture.strip()
    picture.notes()
    picture.graph()
    picture.gradients()
    picture.legend()
    return picture.finish()


class _Picture:
    """The pieces drawn so far, and how far down they reach."""

    def __init__(self, board: Board) -> None:
        self.board, self.y, self.right = board, PAD, WIDTH
        self.pieces: list[str] = []
        self.id = "\0"  # a name of its own for this picture, put in at the end
        jacobian = (
            bool(board["passes"])
            and max(board["passes"], key=lambda played: played["frames"])["kind"] == "jacobian"
        )
        # of a Jacobian only the last row's adjoints would be left to show
        self.backwards = not jacobian
        self.adjoints = adjoints(board) if self.backwards else {}
        self.below = 0  # how far numbers reach below their boxes
        self.drawing = drawing_of(board, 0) if board["drawings"] else {"nodes": []}
        self.hidden_tapes: set[int] = set()
        if board["chapters"]:  # of a loop, the last round is drawn
            self._last_chapter(board["chapters"][-1])

    def _last_chapter(self, chapter: Data) -> None:
        for number, drawing in enumerate(self.board["drawings"]):
            if drawing["group"] is not None and drawing["group"] == chapter["group"]:
                self.drawing = drawing_of(self.board, number)
        shown = {
            self.board["cards"][frame["card"]]["tape"]
            for frame in self.board["frames"][chapter["frame"] :]
            if frame["act"] == "record"
        }
        self.hidden_tapes = {card["tape"] for card in self.board["cards"]} - shown

    def say(self, key: str, **params: Any) -> str:
        return board_sentence(self.board, key, params)

    def text(
        self,
        x: float,
        y: float,
        style: str,
        text: str,
        anchor: str = "start",
        into: list[str] | None = None,
    ) -> None:
        place = "" if anchor == "start" else f' text-anchor="{anchor}"'
        (self.pieces if into is None else into).append(
            f'<text class="mt-t {style}" x="{x:g}" y="{y:g}"{place}>{escape(text)}</text>'
        )

    def more(self, count: int, down: int = 10) -> None:
        """Says how many are left out, where some are."""
        if count > 0:
            self.text(PAD, self.y + down, "mt-m", self.say("svg.more", count=count))
            self.y += 18

    def title(self) -> None:
        if self.board["title"]:
            self.text(PAD, self.y + 14, "mt-b", clip(self.board["title"], WIDTH - 2 * PAD, 13))
            self.y += 30

    def chapters(self) -> None:
        rounds = self.board["chapters"]
        for chapter in (
            rounds[: MOST_NOTES // 2]
            + rounds[max(MOST_NOTES // 2, len(rounds) - MOST_NOTES // 2) :]
        ):
            if len(rounds) > MOST_NOTES and chapter is rounds[-MOST_NOTES // 2]:
                self.text(PAD, self.y + 8, "mt-m", "…")
                self.y += 16
            key = "chapter" if chapter["loss"] is None else "chapter.loss"
            text = self.say(
                key, title=chapter["title"], loss=value_text(self.board, chapter["loss"])
            )
            self.text(PAD, self.y + 10, "mt-s", clip(text, WIDTH - 2 * PAD, 12))
            self.y += 18
        self.y += 8 if rounds else 0

    def strip(self) -> None:
        cards, tapes = self.board["cards"], self.board["tapes"]
        for index, tape in enumerate(tapes):
            mine = [number for number, card in enumerate(cards) if card["tape"] == index]
            if not mine or index in self.hidden_tapes:
                continue
            name = tape["name"] if tape["name"] else self.say("svg.strip")
            self.text(PAD, self.y + 10, "mt-h", clip(name, 600, 12))
            self.y += 18
            per_row = (WIDTH - 2 * PAD + CARD_GAP) // (CARD_W + CARD_GAP)
            for place, number in enumerate(mine[:MOST_CARDS]):
                x = PAD + place % per_row * (CARD_W + CARD_GAP)
                y = self.y + place // per_row * (CARD_H + CARD_GAP)
                self.card(x, y, number, cards[number])
            rows = -(-min(len(mine), MOST_CARDS) // per_row)
            self.y += rows * (CARD_H + CARD_GAP)
            self.more(len(mine) - MOST_CARDS, 8)
            self.y += 8

    def card(self, x: int, y: int, number: int, card: Data) -> None:
        self.pieces.append(
            f'<rect class="mt-card" x="{x}" y="{y}" width="{CARD_W}" height="{CARD_H}" rx="4"/>'
        )
        self.text(x + CARD_W - 7, y + 15, "mt-m", str(number + 1), "end")
        self.text(x + 8, y + 18, "mt-b", clip(title_of(card), CARD_W - 32, 13))
        made = ", ".join(node_name(self.board, node) for node in card["outputs"])
        self.text(x + 8, y + 38, "mt-s", clip("→ " + made, CARD_W - 16, 12))

    def notes(self) -> None:
        frames = [
            k for k, frame in enumerate(self.board["frames"], 1) if frame["act"] in ("note", "skip")
        ]
        if not frames:
            return
        self.text(PAD, self.y + 8, "mt-h", self.say("svg.margin"))
        self.y += 16
        for k in frames[:MOST_NOTES]:
            where = self.board["notes"][self.board["frames"][k - 1]["note"]]["where"]
            place = f" ({self.say('text.line', line=where[1])})" if where else ""
            self.text(
                PAD,
                self.y + 10,
                "mt-s",
                clip("✎ " + caption(self.board, k) + place, WIDTH - 2 * PAD, 12),
            )
            self.y += 18
        self.more(len(frames) - MOST_NOTES)
        self.y += 10

    def graph(self) -> None:
        drawing = self.drawing
        inside: list[str] = []
        if not drawing["nodes"]:
            return
        parts, cuts = self.last_parts()
        stacks = [item for item in drawing["nodes"] if item.get("inside")]
        for item in stacks:  # behind what lies in them
            self.node(inside, item)
        for edge in drawing["edges"]:
            self.edge(inside, edge, parts, cuts)
        for item in drawing["nodes"]:
            if item not in stacks:
                self.node(inside, item)
        said = set()  # a card with several outputs sends one part, along several lines
        for edge in drawing["edges"]:
            if self.key(edge, parts) not in said:
                said.add(self.key(edge, parts))
                self.edge_text(inside, edge, parts)
        width, height, inner = drawing["width"], drawing["height"], WIDTH - 2 * PAD
        if width <= inner:
            self.pieces.append(
                f'<g transform="translate({PAD + (inner - width) // 2} '
                f'{self.y})">{"".join(inside)}</g>'
            )
            self.y += height + 8
            return
        self.pieces.append(f'<defs><g id="{self.id}g">{"".join(inside)}</g></defs>')
        for left, right in rows_of(drawing, inner):  # the graph goes on below, like a line of text
            top, bottom = reach(drawing, left, right, self.below)
            self.pieces.append(
                f'<svg x="{PAD}" y="{self.y:g}" width="{right - left:g}" height="{bottom - top:g}" '
                f'viewBox="{left:g} {top:g} {right - left:g} {bottom - top:g}"><use '
                f'href="#{self.id}g"/></svg>'
            )
            self.y += round(bottom - top) + 14

    def last_parts(self) -> tuple[dict[Any, int], set[Any]]:
        """Returns ({(card, input): value}, cuts) of the pass played last; parts only along lines
        that are drawn.
        """
        parts: dict[Any, int] = {}
        cuts: set[Any] = set()
        current = None
        drawn = {
            self.board["edges"][index]["card"]
            for line in self.drawing["edges"]
            for index in (line["edge"], *(line.get("also") or ()))
        }
        for frame in self.board["frames"]:
            if frame["act"] == "seed" and frame["pass"] != current:
                parts, cuts, current = {}, set(), frame["pass"]
            elif frame["act"] == "part" and self.backwards and frame["card"] in drawn:
                parts[frame["card"], frame["input"]] = frame["value"]
            elif frame["act"] == "cut":
                cuts.add(
                    frame["edge"]
                    if frame.get("edge") is not None
                    else (frame["card"], frame["input"])
                )
        return parts, cuts

    def edge(self, into: list[str], drawn: Data, parts: dict[Any, int], cuts: set[Any]) -> None:
        edge, points, key = (
            self.board["edges"][drawn["edge"]],
            drawn["points"],
            self.key(drawn, parts),
        )
        path = (
            "M"
            + ",".join(f"{v:g}" for v in points[0])
            + "".join(
                "C" + " ".join(f"{x:g},{y:g}" for x, y in points[i : i + 3])
                for i in range(1, len(points), 3)
            )
        )
        cut = key in cuts or drawn["edge"] in cuts
        style = (
            " mt-cut"
            if cut or edge["flow"] not in ("open",)
            else " mt-back"
            if key in parts
            else ""
        )
        into.append(f'<path class="mt-e{style}" d="{path}"/>')
        x, y = points[-1]
        into.append(f'<path class="mt-arrow" d="M{x:g},{y:g}l-8,-4v8z"/>')
        if key in parts:  # a small arrow head at the other end: the adjoint came back
            x, y = points[0]
            into.append(f'<path class="mt-back-arrow" d="M{x:g},{y:g}l8,-4v8z"/>')
        if cut:
            x, y = middle(points)
            into.append(f'<path class="mt-x" d="M{x - 6:g},{y - 6:g}l12,12m0,-12l-12,12"/>')

    def key(self, drawn: Data, parts: dict[Any, int]) -> tuple[int, int]:
        """Returns (card, input) of a line; of several tapes' cards the one that something came back
        to.
        """
        keys = [
            (self.board["edges"][index]["card"], self.board["edges"][index]["input"])
            for index in (drawn["edge"], *(drawn.get("also") or ()))
        ]
        return next((key for key in keys if key in parts), keys[0])

    def edge_text(self, into: list[str], drawn: Data, parts: dict[Any, int]) -> None:
        value = parts.get(self.key(drawn, parts))
        if value is not None and drawn.get("count", 1) == 1:
            x, y = middle(drawn["points"])
            text = self.short("", value, 66, 11)
            shape = self.board["values"][value]["shape"]
            if shape and text == shape_text(shape):
                return  # its box says as much
            width = text_width(text, 11) + 6
            into.append(
                f'<rect class="mt-under" x="{x - width / 2:g}" y="{y - 8:g}" width="{width:g}" '
                'height="16" rx="3"/>'
            )
            self.text(x, y + 4, "mt-p", text, "middle", into)

    def node(self, into: list[str], item: Data) -> None:
        x, y, w, h = item["x"], item["y"], item["w"], item["h"]
        left, top = x - w / 2, y - h / 2
        if "group" in item:
            group = self.board["groups"][item["group"]]
            count = group["cards"][1] - group["cards"][0] + 1
            for shift in (6, 3, 0):
                into.append(
                    f'<rect class="mt-g" x="{left + shift:g}" y="{top - shift:g}" width="{w:g}" '
                    f'height="{h:g}" rx="6"/>'
                )
            if item.get("inside"):
                self.text(left + 12, top + 20, "mt-b", clip(group["label"], w - 24, 14), into=into)
                return
            self.text(x, y - 4, "mt-b", clip(group["label"], w - 8, 14), "middle", into)
            self.text(x, y + 14, "mt-m", self.say("svg.cards", count=count), "middle", into)
            return
        node = self.board["nodes"][item["node"]]
        style, corner = SHAPES[node["role"]]
        into.append(outline(style, x, y, w, h, corner))
        if node["target"]:
            into.append(outline("mt-tgt", x, y, w + 8, h + 8, corner))
        if self.numbers(into, item, node):
            return
        lines = [("mt-b", node_name(self.board, item["node"]), 13)]
        if node["label"] or node["op"]:
            lines.append(("mt-v", self.short("= ", node["value"], w - 10, 12), 12))
        if item["node"] in self.adjoints:
            adjoint = self.adjoints[item["node"]]
            lines.append(("mt-a", self.short("← ", adjoint, w - 10, 13.5), 12))
        for place, (style, text, size) in enumerate(lines):
            size += 0 if style == "mt-v" else 1.5  # bold is wider
            self.text(
                x,
                y + 4.5 + 16 * (place - (len(lines) - 1) / 2),
                style,
                clip(text, w - 10, size),
                "middle",
                into,
            )

    def short(self, sign: str, value: int | None, width: float, size: float) -> str:
        """Returns a value with its sign where it fits into `width` pixels; of an array that does
        not, its shape, since a piece of one says nothing.
        """
        text = sign + value_short(self.board, value)
        shape = value is not None and self.board["values"][value]["shape"]
        if shape and text_width(text, size) > width:
            text = sign + shape_text(shape)
        return clip(text, width, size)

    def numbers(self, into: list[str], item: Data, node: Data) -> bool:
        """Draws a small array with its numbers and those of its adjoint, as the player does; says
        whether there is room for them.
        """
        values, w, h = self.board["values"], item["w"], item["h"]
        rows = grid_of(values[node["value"]]) if node["value"] is not None else None
        size = grid_size(values[node["value"]]) if rows else None
        if rows is None or size is None or size[0] > w - 6 or size[1] > h - 28:
            return False
        x, y = item["x"], item["y"]
        name = clip(node_name(self.board, item["node"]), w - 10, 14.5)
        self.text(x, y - h / 2 + 18, "mt-b", name, "middle", into)
        adjoint = self.adjoints.get(item["node"])
        parts = grid_of(values[adjoint]) if adjoint is not None else None
        both = size[0] + (grid_size(values[adjoint]) or (0,))[0] + BESIDE if parts else 0
        beside = parts and len(rows) > len(rows[0]) and w >= both  # else laid out below
        middle = y - h / 2 + 22 + size[1] / 2
        left = 8 + size[0]
        self.grid(into, x - w / 2 + left - size[0] / 2 if beside else x, middle, rows, "mt-v")
        if parts and beside:
            self.grid(into, x + left / 2 + 2, middle, parts, "mt-a")
        elif parts:
            self.grid(into, x, y + h / 2 - 18 + ROW * len(parts) / 2, parts, "mt-a")
            self.below = max(self.below, ROW * len(parts) - 18)
        elif adjoint is not None:
            text = self.short("← ", adjoint, w - 10, 13.5)
            self.text(x, y + h / 2 - 3, "mt-a", text, "middle", into)
        return True

    def grid(self, into: list[str], x: float, y: float, rows: list[list[str]], style: str) -> None:
        """Draws numbers in their cells around a point."""
        w = max(len(text) for row in rows for text in row) * LETTER + AROUND
        left, top = x - w * len(rows[0]) / 2, y - ROW * len(rows) / 2
        for r, row in enumerate(rows):
            for c, text in enumerate(row):
                at = f'x="{left + c * w:g}" y="{top + r * ROW:g}" width="{w:g}" height="{ROW}"'
                into.append(f'<rect class="mt-cell" {at}/>')
                self.text(
                    left + (c + 0.5) * w, top + r * ROW + 13, style + " mt-d", text, "middle", into
                )

    @cached_property
    def answers(self) -> list[tuple[str, str]]:
        """The results that are shown, as (name, value): of a loop, those of its last round."""
        chapters = self.board["chapters"]
        shown = self.board["frames"][chapters[-1]["frame"] if chapters else 0 :]
        return [answer_text(self.board, frame) for frame in shown if frame["act"] == "result"]

    def gradients(self) -> None:
        gradients = self.answers
        if not gradients:
            return
        self.text(PAD, self.y + 8, "mt-h", self.say("svg.gradients"))
        self.y += 16
        for name, value in gradients[:12]:
            name = clip(name, WIDTH / 2, 13)
            self.text(PAD, self.y + 12, "mt-s", name + " =")
            self.text(
                PAD + text_width(name + " =", 12) + 10,
                self.y + 12,
                "mt-a",
                clip(value, WIDTH / 2 - 60, 12),
            )
            self.y += 20
        self.more(len(gradients) - 12)
        self.y += 6

    def legend(self) -> None:
        x = PAD
        signs = [("mt-v", "=", "svg.value"), ("mt-a", "←", "svg.adjoint")]
        for style, sign, key in signs[: 2 if self.adjoints or self.answers else 1]:
            text = f"{sign} {self.say(key)}"
            self.text(x, self.y + 12, style, text)
            x += text_width(text, 12) + 18
        roles = {node["role"] for node in self.board["nodes"]}
        for role, key in (
            ("variable", "svg.variable" if "variable" in roles else "svg.watched"),
            ("constant", "svg.constant"),
            ("intermediate", "svg.intermediate"),
        ):
            style, corner = SHAPES[role]
            self.pieces.append(outline(style, x + 12, self.y + 8.5, 24, 15, corner))
            self.text(x + 30, self.y + 12, "mt-m", self.say(key))
            x += 30 + text_width(self.say(key), 11) + 16
        self.y += 24

    def finish(self) -> str:
        height = self.y + PAD - 8
        board = self.board
        title = (
            self.say("svg.title", title=board["title"])
            if board["title"]
            else self.say("svg.untitled")
        )
        gradients = "; ".join(f"{name} = {value}" for name, value in self.answers)
        tapes = ", ".join(filter(None, (tape["name"] for tape in board["tapes"])))
        key = "svg.description" if tapes else "svg.description.unnamed"
        cards = len(board["cards"])
        description = self.say(key, cards=cards, tapes=tapes, gradients=gradients)
        text = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:g}" '
            f'viewBox="0 0 {WIDTH} {height:g}" '
            f'role="img" aria-labelledby="{self.id}t {self.id}d"><title '
            f'id="{self.id}t">{escape(title)}</title>'
            f'<desc id="{self.id}d">{escape(description)}</desc><style>{STYLE}</style>'
            f'<rect class="mt-bg" x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1:g}" '
            'rx="8"/>'
            f"{''.join(self.pieces)}</svg>\n"
        )
        return text.replace("\0", "mt" + hashlib.sha256(text.encode()).hexdigest()[:10])
