"""The galleries of pitfalls: a page for each card, under the words that people type, and one that
leads to them.
"""

from __future__ import annotations

import html

from nbformat import NotebookNode

from minitape_widgets.export import CARD
from minitape_widgets.packing import unpack
from minitape_widgets.pitfalls.card import GALLERY, SITUATIONS, WORDS, Card
from minitape_widgets.pitfalls.card import card as card_of

from .cells import folded
from .outputs import Shown
from .pages import Files, Page, path_of
from .prose import Prose, coloured, plain_of, program

NAMES = "pitfalls", "torch_pitfalls"
FOLDER = "pitfalls"
PICTURE = "images/none.png"


def pages_of(notebook: NotebookNode, overview: Page, files: Files) -> list[Page]:
    """Returns a page for each card that the gallery's notebook shows, in its order."""
    made = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if packed := output.get("data", {}).get(CARD):
                key = unpack(packed)["card"]["key"]
                made.append(page_of(card_of(key, overview.language), output, overview, files))
    return made


def page_of(card: Card, output: NotebookNode, overview: Page, files: Files) -> Page:
    """Returns the page of one card: its symptom as a heading of its own, then the card."""
    language = overview.language
    seen = overview.say(f"typed.{card.situations[0]}")
    page = Page(
        path_of(f"{FOLDER}/{card.key}", language),
        language,
        title=overview.say(
            "pitfall", title=card.title + " (PyTorch)" * (card.library == "torch"), seen=seen
        ),
        description=f"{seen}. {card.symptom}",
        picture=PICTURE,
        kind="pitfall",
        name=card.title,
    )
    prose = Prose(lambda url: url)
    shown = Shown(page, files, prose).one(output)
    words = WORDS(language)
    also = ", ".join(
        filter(None, [card.also, *(words.get(f"{one}-also", "") for one in card.situations)])
    )
    rule, bites = (words[name].rstrip(" :\u00a0") for name in ("rule", "bites"))
    told = (
        f"{prose.html_of(card.symptom)}<h2>{html.escape(rule)}</h2>{prose.html_of(card.rule)}"
        f"<h2>{html.escape(bites)}</h2>{prose.html_of(card.bites)}"
        f"<h2>{html.escape(words['mended-program'])}</h2>{program(coloured(card.fixed.strip()))}"
    )
    page.body = (
        f'<h1>{html.escape(card.title)}</h1><p class="seen">{html.escape(seen)}</p>{shown}'
        f"{folded(words['answer-folded'], told, 'answer')}"
        f'<p class="note">{html.escape(overview.say("also"))} {html.escape(also)}</p>'
    )
    return page


def body_of(notebook: NotebookNode, page: Page, shown: Shown, made: list[Page]) -> str:
    """Returns the body of the page that leads to all cards: the notebook's prose, and where it
    shows a card, what one sees there and a link.
    """
    parts = []
    there = {
        made_page.path.rpartition("/")[2].removesuffix(".html"): made_page for made_page in made
    }
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(shown.prose.html_of(cell.source))
            continue
        for output in cell.outputs:
            data = output.get("data", {})
            if CARD in data:
                key = unpack(data[CARD])["card"]["key"]
                address = html.escape(page.to(there[key].path))
                symptom = plain_of(shown.prose.html_of(card_of(key, page.language).symptom))
                parts.append(f'<p><a href="{address}">{html.escape(symptom)}</a></p>')
            elif GALLERY in data:
                parts.append(by_situation(page, there))
    return "".join(parts)


def by_situation(page: Page, there: dict[str, Page]) -> str:
    """Returns links to all cards, by what one sees."""
    known = {key: card_of(key, page.language) for key in there}
    words, parts = WORDS(page.language), []
    for situation in SITUATIONS:
        links = [
            f'<li><a href="{html.escape(page.to(there[key].path))}">{html.escape(card.title)}</a></li>'
            for key, card in known.items()
            if situation in card.situations
        ]
        if links:
            parts.append(f"<h3>{html.escape(words[situation])}</h3><ul>{''.join(links)}</ul>")
    return "".join(parts)
