"""The outputs of a notebook, as anybody may have written them, made such that an exporter can read
each of them.

A notebook is a file: a number may stand where a text should, half a character, or nothing at all.
What cannot be read is left out or written as text, output by output; the others stay as they are.
"""

from __future__ import annotations

from typing import Any

import nbformat

from minitape_widgets.page import sendable

WIDGET = "application/vnd.jupyter.widget-view+json"


def readable(nb: Any) -> Any:
    """Makes all outputs of a notebook readable, and lets go of widgets, which would ask a kernel or
    a network; returns the notebook.
    """
    nb.metadata.pop("widgets", None)
    for cell in nb.cells:
        if "outputs" in cell:
            cell["outputs"] = [output for output in map(mended, cell["outputs"]) if output]
    return nb


def mended(output: Any) -> Any:
    """Returns an output that holds what its type asks for, or None where that is not to be guessed."""
    kind = output.get("output_type") if isinstance(output, dict) else None
    if kind == "stream":
        return nbformat.from_dict(
            {**output, "name": text_of(output.get("name")), "text": text_of(output.get("text"))}
        )
    if kind == "error":
        lines = output.get("traceback")
        return nbformat.from_dict(
            {
                **output,
                "ename": text_of(output.get("ename")),
                "evalue": text_of(output.get("evalue")),
                "traceback": [
                    text_of(line) for line in (lines if isinstance(lines, list) else [lines])
                ],
            }
        )
    if kind not in ("display_data", "execute_result"):
        return None
    data, metadata = (
        bundle if isinstance(bundle, dict) else {}
        for bundle in (output.get("data"), output.get("metadata"))
    )
    data = {
        kind: value if kind.endswith("json") else text_of(value)
        for kind, value in data.items()
        if kind != WIDGET
    }
    return nbformat.from_dict({**output, "data": data, "metadata": metadata})


def text_of(value: Any) -> str:
    """Returns the text of a notebook's string, which may be a list of lines, or what stands in its
    place.
    """
    if isinstance(value, list):
        return "".join(map(text_of, value))
    return sendable(value if isinstance(value, str) else "" if value is None else str(value))
