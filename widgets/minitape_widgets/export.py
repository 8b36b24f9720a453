"""Pages that need no kernel and no network: the module once, every trace as data, and a static picture where no script runs.

    jupyter nbconvert --to minitape lesson.ipynb
    jupyter nbconvert --to minitape --execute lesson.ipynb

The exporter is nbconvert's own HTML exporter; it only puts a player in the place of each output that holds a trace.
"""

from __future__ import annotations

import html
import itertools
from typing import Any

import nbformat
from nbconvert.exporters import HTMLExporter
from traitlets import default

from minitape_widgets import module

TRACE = "application/vnd.minitape.trace.v1+json"
WIDGET = "application/vnd.jupyter.widget-view+json"
SCRIPT = '<script type="module">\n{source}\nshowAll();\n</script>'
PAGE = """<!DOCTYPE html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{title}</title>
<style>body {{ margin: 0; padding: 1.5rem; font-family: system-ui, sans-serif; background: Canvas; color: CanvasText; }}
main {{ max-width: 82rem; margin: 0 auto; }} h1 {{ font-size: 1.2rem; font-weight: 600; }}
.minitape-still svg {{ max-width: 100%; height: auto; background: #fff; }}</style></head>
<body><main><h1>{title}</h1>
{place}
</main>
{script}
</body></html>
"""


def script() -> str:
    """Returns the module as a script element; "</script" cannot occur in it."""
    return SCRIPT.format(source=module.source())


def place(trace: dict[str, Any], svg: str, name: str, text: str = "") -> str:
    """Returns the place of one player: its trace as data and its static picture, both escaped."""
    still = svg if svg else f"<pre>{html.escape(text)}</pre>"
    return (f'<div class="minitape-trace" id="{html.escape(name, quote=True)}">'
            f'<script type="application/json">{module.literal(trace)}</script>'
            f'<div class="minitape-still">{still}</div></div>')


def page(player: Any) -> str:
    """Returns a whole page that shows one player."""
    board, title = player.boards()[0], player.heading()
    language = player.trace["options"].get("language", board["language"])
    return PAGE.format(language=html.escape(language, quote=True), title=html.escape(title), script=script(),
                       place=place(player.payload, player.svg(), "tape"))


class MinitapeExporter(HTMLExporter):
    """Exports a notebook as a page whose players work without a kernel and without a network. Source: nbconvert's `HTMLExporter`."""

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
        self.register_preprocessor(players, enabled=True)       # the last one: with --execute the outputs are made on the way

    def from_notebook_node(self, nb: Any, resources: Any = None, **kwargs: Any) -> Any:
        """Returns (page, resources); every output with a trace becomes a player."""
        text, resources = super().from_notebook_node(nbformat.from_dict(nb), resources, **kwargs)
        if resources.get("minitape_players"):
            before, end, after = text.rpartition("</body>")
            text = before + script() + end + after
        return text, resources


def players(nb: Any, resources: Any) -> Any:
    """Puts the place of a player where an output holds a trace; counts them in the resources."""
    numbers = itertools.count(1)
    nb.metadata.pop("widgets", None)                            # saved widget state would ask for scripts from elsewhere
    for cell in nb.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            trace = data.get(TRACE) or output.get("metadata", {}).get(TRACE)
            if trace:
                shown = place(trace, text_of(data.get("image/svg+xml", "")), f"tape-{next(numbers)}", text_of(data.get("text/plain", "")))
                output["data"] = nbformat.from_dict({"text/html": shown})
            else:
                data.pop(WIDGET, None)
    resources["minitape_players"] = next(numbers) - 1
    return nb, resources


def text_of(data: Any) -> str:
    """Returns the text of a notebook's string, which may be a list of lines."""
    return "".join(data)
