"""A card where no script runs: on GitHub, in a JupyterLab without minitape. Programs side by side,
the question, the answer folded.

Such pages let only plain HTML pass: no style sheet, few styles. So the marks are `mark` elements,
the fold is `details`, and what colour there is lets the page's own shine through, but for a mark,
which brings both of its own. `question` is the same as text, for a terminal: it asks, and does not
tell.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

from minitape.sentences import in_html

from ..drawn import BOX, CELL, CODE, MARKED, PROGRAMS
from .card import SITUATIONS, Card
from .difference import Mark, difference

SIGNS = "◆", "●"
CAME = "broken-came", "mended-came"


def program(code: str, marks: Sequence[Mark], style: str) -> str:
    """Returns a program as HTML, with what the other one has not marked in it."""
    lines = []
    for number, line in enumerate(code.splitlines(), 1):
        at, pieces = 0, []
        for _, first, last in (mark for mark in marks if mark[0] == number):
            marked = html.escape(line[first:last], quote=False)
            pieces += [
                html.escape(line[at:first], quote=False),
                f'<mark style="{style}">{marked}</mark>',
            ]
            at = last
        lines.append("".join(pieces) + html.escape(line[at:], quote=False))
    return f'<pre style="{CODE}">' + "\n".join(lines) + "</pre>"


def card_html(
    c: Card,
    said: Mapping[str, str],
    codes: tuple[str, str],
    came: Sequence[tuple[str, str]],
    explanation: Any,
) -> str:
    """Returns a card as HTML that any notebook shows; the answer waits in a fold.

    `codes` are both programs, `came` what came of them (a verb and an answer), `explanation` the
    explanation of the broken one, or None.
    """
    names = [said["broken"], said["mended"]]
    heads = "".join(
        f'<th style="{CELL}">{sign} {html.escape(name)}</th>' for sign, name in zip(SIGNS, names)
    )
    marks = difference(*codes)
    programs = "".join(
        f'<td style="{CELL}">{program(code, stretches, style)}</td>'
        for code, stretches, style in zip(codes, marks, MARKED)
    )
    choices = "".join(
        f"<li><code>{html.escape(choice['text'], quote=False)}</code></li>" for choice in c.choices
    )
    rows = [
        (said[name], f"{in_html(verb)} <b>{html.escape(value)}</b>")
        for name, (verb, value) in zip(CAME, came)
    ]
    rows += [("", in_html(c.choices[c.right]["says"])), (said["symptom"], in_html(c.symptom))]
    if explanation is not None and c.category:
        rows += [
            (
                said["why"],
                (f"({html.escape(explanation.place)}) " if explanation.place else "")
                + in_html(explanation.message),
            )
        ]
        rows += [(said["instead"], in_html(explanation.fix))] if explanation.fix else []
    rows += [(said["rule"], in_html(c.rule)), (said["bites"], in_html(c.bites))]
    answer = "".join(
        f"<p>{f'<b>{html.escape(name)}</b> ' if name else ''}{text}</p>" for name, text in rows
    )
    return (
        f'<div style="{BOX}"><b>{in_html(c.title)}</b><table '
        f'style="{PROGRAMS}"><tr>{heads}</tr><tr>{programs}</tr></table>'
        f"<b>{in_html(c.question)}</b><ol>{choices}</ol>"
        f"<details><summary>{html.escape(said['answer-folded'])}</summary>{answer}</details></div>"
    )


def list_html(cards: Mapping[str, Card], said: Mapping[str, str]) -> str:
    """Returns the titles of all cards, by what one sees of them."""
    parts = []
    for situation in SITUATIONS:
        titles = "".join(
            f"<li>{in_html(c.title)} (<code>{key}</code>)</li>"
            for key, c in cards.items()
            if situation in c.situations
        )
        parts.append(f"<p><b>{html.escape(said[situation])}</b></p><ul>{titles}</ul>")
    return f'<div style="{BOX}">{"".join(parts)}</div>'


def question(c: Card, said: Mapping[str, str]) -> str:
    """Returns what a card asks, as text: both programs, the question, the choices."""
    return "\n".join(
        [
            c.title,
            "",
            f"# {said['broken']}",
            c.broken.strip("\n"),
            "",
            f"# {said['mended']}",
            c.fixed.strip("\n"),
            "",
            c.question.replace("`", ""),
            *(f"  {k}. {choice['text']}" for k, choice in enumerate(c.choices, 1)),
        ]
    )
