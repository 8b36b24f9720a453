"""Notebooks as pages that need no kernel and no network: the module once, every trace as data, a picture where no script runs.

    jupyter nbconvert --to minitape lesson.ipynb
    jupyter nbconvert --to minitape --execute lesson.ipynb

The exporter is nbconvert's own HTML exporter; it only puts a player in the place of each output that holds a trace.
"""

from __future__ import annotations

import itertools
from typing import Any

import nbformat
from nbconvert.exporters import HTMLExporter
from traitlets import default

from minitape_widgets.page import place, script

TRACE = "application/vnd.minitape.trace.v1+json"
WIDGET = "application/vnd.jupyter.widget-view+json"


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
