"""Notebooks as pages that need no kernel and no network: the module once, every trace as data, a
picture where no script runs.

    jupyter nbconvert --to minitape lesson.ipynb
    jupyter nbconvert --to minitape --execute lesson.ipynb

The exporter is nbconvert's own HTML exporter; it only puts a player in the place of each output
that holds a trace. What a notebook does not store, it says: a lesson's players and questions come by
`--execute`.
"""

from __future__ import annotations

import base64
import html
import itertools
from collections.abc import Callable
from typing import Any

import bleach  # type: ignore[import-untyped]  # nbconvert's own
import nbformat
from nbconvert.exporters import HTMLExporter
from nbconvert.preprocessors.sanitize import SanitizeHTML
from traitlets import default

from minitape.sentences import LANGUAGES
from minitape_widgets import drawn, module
from minitape_widgets.outputs import readable
from minitape_widgets.page import place, script, sendable

TRACE = "application/vnd.minitape.trace.v1+json"
# of the gallery, which has a module of its own (pitfalls/card.py)
CARD = "application/vnd.minitape.card.v1+json"
CARDS_PAGE = "card/deliveries.js"
# of a training's health (health.py), which has one as well
HEALTH = "application/vnd.minitape.health.v1+json"
HEALTH_PAGE = "health/page.js"  # with the player in it
UNSTORED = "nbval-ignore-output"  # the tag of a cell whose output is made at each run
DARK = "static/theme-dark.css"  # of nbconvert's template "lab"
FOLLOWS = """<script>{
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const tell = () => (document.body.dataset.jpThemeLight = String(!dark.matches));
  dark.addEventListener("change", tell);
  tell();
}</script>"""


class MinitapeExporter(HTMLExporter):
    """Exports a notebook as a page whose players work without a kernel and without a network.
    Source: nbconvert's `HTMLExporter`.
    """

    export_from_notebook = "HTML with minitape's players"

    @default("mathjax_url")
    def _no_mathjax(self) -> str:
        return ""

    @default("require_js_url")
    def _no_require(self) -> str:
        return ""

    @default("jquery_url")
    def _no_jquery(self) -> str:
        return ""

    @default("widget_renderer_url")
    def _no_renderer(self) -> str:
        return ""

    def _init_preprocessors(self) -> None:
        super()._init_preprocessors()
        # The last one: with --execute the outputs are made on the way.
        self.register_preprocessor(
            lambda nb, resources: (self._players(nb), resources), enabled=True
        )

    def _players(self, nb: Any) -> Any:
        """Puts players into the notebook, unless all that outputs bring along is to be taken for
        unsafe.
        """
        sanitized = self.sanitize_html or any(
            isinstance(one, SanitizeHTML) and one.enabled for one in self._preprocessors
        )
        if sanitized:
            return readable(nb)
        if lacking := unrun(nb, self.language_code):
            self.log.warning(
                "The outputs of %d cells are not stored in this notebook, and are missing in the "
                "page: add --execute to run it on the way.",
                lacking,
            )
        return players(readable(nb), self.language_code)

    def from_notebook_node(self, nb: Any, resources: Any = None, **kwargs: Any) -> Any:
        """Returns (page, resources); every output with a trace becomes a player."""
        text, resources = super().from_notebook_node(
            readable(nbformat.from_dict(nb)), resources, **kwargs
        )
        entries = [
            entry
            for entry, sign in (
                (CARDS_PAGE, 'id="card-'),
                (HEALTH_PAGE, '<div class="minitape-health"'),
            )
            if sign in text
        ]
        if not entries and '<div class="minitape-trace"' in text:
            entries = [module.ENTRY]
        if entries:
            before, end, after = text.rpartition("</body>")
            text = before + "".join(map(script, entries)) + end + after
        return sendable(self._in_both_lights(text)), resources

    def _in_both_lights(self, text: str) -> str:
        """Lets a page in nbconvert's light theme, which is the default, follow the reader's
        system; a theme that was asked for stays.
        """
        if self.theme != "light" or self.template_name != "lab":
            return text
        style = self.environment.loader.get_source(self.environment, DARK)[0]
        head, end, body = text.partition("</head>")
        opening, body_tag, rest = body.partition("<body")
        attributes, close, rest = rest.partition(">")
        dark = f"<style>@media screen and (prefers-color-scheme: dark) {{\n{style}\n}}</style>"
        return "".join(
            [head, dark, end, opening, body_tag, attributes, close, FOLLOWS if close else "", rest]
        )


def unrun(nb: Any, language: str) -> int:
    """Says below each cell whose output is not stored what to do about it; returns how many there
    are.
    """
    lacking = [
        cell
        for cell in nb.cells
        if cell.cell_type == "code"
        and not cell.outputs
        and UNSTORED in cell.metadata.get("tags", [])
    ]
    for cell in lacking:
        note = nbformat.v4.new_output("display_data", {"text/plain": said("ui.unrun", language)})
        cell.outputs = [note]
    return len(lacking)


def said(key: str, language: str) -> str:
    """Returns a sentence in the language of a page, else in English."""
    return module.words(language if language in LANGUAGES else "en")[key]


def players(nb: Any, language: str) -> Any:
    """Puts the place of a player where an output holds a trace."""
    numbers, about = itertools.count(1), said("ui.still", language)
    for cell in nb.cells:
        for output in cell.get("outputs", []):
            data, metadata = output.get("data", {}), output.get("metadata", {})
            for kind, name, where in (
                (TRACE, "tape", "trace"),
                (CARD, "card", "trace"),
                (HEALTH, "training", "health"),
            ):
                if result := data.get(kind) or metadata.get(kind):
                    still = (
                        card(data["text/html"]) if kind == CARD and data.get("text/html") else ""
                    )
                    shown = place(
                        result, still or picture(data, about), f"{name}-{next(numbers)}", where
                    )
                    output["data"] = nbformat.from_dict({"text/html": shown})
    return nb


class _Kept:
    """What is let through as it is: `cleaned` has looked at it."""

    @staticmethod
    def sanitize_css(style: str) -> str:
        return style


def card(text: str) -> str:
    """Returns the drawing of a card, which anybody may have written, with nothing in it but what
    such drawings are made of.

    One that is larger than any card is none: "".
    """
    if len(text) > drawn.MOST_LETTERS or text.count("<") > drawn.MOST_TAGS:
        return ""
    return cleaned(text, drawn.TAGS, drawn.STYLES.__contains__)


def cleaned(text: str, tags: set[str], dresses: Callable[[str], bool]) -> str:
    """Returns HTML with nothing in it but these tags and the styles that `dresses` lets through."""
    return bleach.clean(
        text,
        tags,
        lambda tag, name, value: name == "style" and dresses(value),
        (),
        strip=True,
        css_sanitizer=_Kept(),
    )


def picture(data: dict[str, Any], about: str) -> str:
    """Returns the static picture of an output. Anybody may have written it, so it is an image:
    there, no script runs.
    """
    svg = data.get("image/svg+xml")
    if not svg:
        return f'<pre style="{drawn.CODE}">{html.escape(data.get("text/plain", ""))}</pre>'
    source = base64.b64encode(svg.encode("utf-8")).decode("ascii")
    return f'<img src="data:image/svg+xml;base64,{source}" alt="{html.escape(about, quote=True)}">'
