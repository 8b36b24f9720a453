"""A player as a page of its own, which needs no kernel and no network: the module once, the trace
as data, and a static picture where no script runs. What `player.save("tape.html")` writes; it asks
for nothing beyond what a notebook with players has.
"""

from __future__ import annotations

import html
from typing import Any

from minitape_widgets import module

SCRIPT = '<script type="module">\n{source}\nshowAll();\n</script>'
PAGE = """<!DOCTYPE html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{title}</title>
<style>body {{ margin: 0; padding: 1.5rem; font-family: system-ui, sans-serif; background: Canvas; color: CanvasText; }}
main {{ max-width: 82rem; margin: 0 auto; }} h1 {{ font-size: 1.2rem; font-weight: 600; }}
.minitape-still > * {{ max-width: 100%; height: auto; background: #fff; }}</style></head>
<body><main><h1>{title}</h1>
{place}
</main>
{script}
</body></html>
"""


def script(entry: str = module.ENTRY) -> str:
    """Returns the module as a script element; "</script" cannot occur in it."""
    return SCRIPT.format(source=module.source(entry))


def place(trace: Any, still: str, name: str, kind: str = "trace") -> str:
    """Returns the place of one player (or of another `kind`): its trace as data, and what stands
    there where no script runs, as HTML.

    A trace that is no JSON is handed over as null; the page then says that it cannot be read.
    """
    try:
        data = module.literal(trace)
    except (ValueError, TypeError, RecursionError):
        data = "null"
    return (
        f'<div class="minitape-{kind}" id="{html.escape(name, quote=True)}">'
        f'<script type="application/json">{data}</script>'
        f'<div class="minitape-still">{still}</div></div>'
    )


def sendable(text: str) -> str:
    """Returns the text with a question mark for each half of a character (a lone surrogate), which
    no file and no page can hold.
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def page(player: Any) -> str:
    """Returns a whole page that shows one player."""
    board, title = player.boards()[0], player.heading()
    language = player.trace["options"].get("language", board["language"])
    return html_of(player.payload, player.svg(), title, language)


def html_of(
    payload: Any,
    still: str,
    title: str,
    language: str,
    entry: str = module.ENTRY,
    kind: str = "trace",
) -> str:
    """Returns a whole page that shows one payload by the module of an entry."""
    return PAGE.format(
        language=html.escape(language, quote=True),
        title=html.escape(title),
        script=script(entry),
        place=place(payload, still, "tape", kind),
    )
