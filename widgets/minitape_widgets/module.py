"""The front end as one module: the small files of `static/`, joined in Python, since a module that is loaded from a blob cannot
import its neighbours. There is no bundler; the files stay as they were written, in the order of their imports, and the style
sheet and the sentences are put in as two constants.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import Any

from minitape.sentences import LANGUAGES, Catalogue

STATIC = Path(__file__).parent / "static"
FILES = ("dom", "state", "messages", "heat", "code", "strip", "shapes", "graph", "inspector", "theme", "prompts", "controls", "chapters",
         "link", "layout", "player", "compare", "deliveries")

_IMPORT = re.compile(r'^import [^;]*? from "\./[\w.]+";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(async )?(function|const|let|class))", re.MULTILINE)
_REEXPORT = re.compile(r"^export \{[^}]*\};\n", re.MULTILINE)
_COMMENT = re.compile(r"^\s*(//.*|/\*\*.*\*/)\n", re.MULTILINE)


@functools.cache
def words(language: str) -> dict[str, Any]:
    """Returns all sentences of a language: those about tapes and those of the player. Raises ValueError for an unknown one."""
    from minitape.storyboard import messages
    return messages.catalogue(language) | Catalogue(STATIC / "words")(language)


@functools.cache
def source() -> str:
    """Returns the whole front end as the text of one ES module with the exports `default` (for anywidget), `show` and `showAll`."""
    style = (STATIC / "player.css").read_text(encoding="utf-8")
    style = re.sub(r"\n\s*", "\n", re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)).strip()
    parts = ["// minitape's player, joined from widgets/minitape_widgets/static\n",
             f"const STYLE = {literal(style)};\n",
             f"const CATALOGUES = {literal({language: words(language) for language in LANGUAGES})};\n"]
    for name in FILES:
        text = (STATIC / f"{name}.js").read_text(encoding="utf-8")
        text = _IMPORT.sub("", text) if name == "deliveries" else _REEXPORT.sub("", _IMPORT.sub("", text))
        text = _COMMENT.sub("", text)
        parts.append(text if name == "deliveries" else _EXPORT.sub("", text))
    return re.sub(r"\n{2,}", "\n", "".join(parts))


def literal(data: Any) -> str:
    """Returns JSON that may stand inside a <script> and inside JavaScript: no "</script", no "<!--", no line separators."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
