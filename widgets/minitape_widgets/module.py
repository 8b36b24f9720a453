"""The front end as one module: the small files of `static/`, joined in Python, since a module that
is loaded from a blob cannot import its neighbours. There is no bundler; the files stay as they were
written, and `scripts.py` reads them.

Each file becomes a function that is called at once, so that its own names are not seen in another;
what it returns, its exports, are constants that all files after it see under their names, so that
no import is left. The order is that of the imports, beginning at `deliveries.js`. Two constants
take the place of `texts.js`: the style sheets that `style.css` lists, and the sentences; others
that of `schemas.js`: the forms of what is shown, packed, which takes a quarter of their letters.
"""

from __future__ import annotations

import base64
import functools
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import minitape
from minitape import schemas
from minitape.sentences import LANGUAGES, Catalogue
from minitape_widgets.scripts import ENTRY, STATIC, Script, files, small, text_of

# read from its folder: a page is made
ABOUT_TAPES = Catalogue(Path(minitape.__file__).parent / "storyboard" / "messages")
OWN = Catalogue(STATIC / "words")  # without loading what draws pictures
TEXTS, SCHEMAS = "texts.js", "schemas.js"
OWN_SHEETS = {  # of what travels with its own outputs only: the gallery, the health view
    "card/texts.js": ("card/card.css",),
    "health/texts.js": (
        "elements/theme.css",
        "elements/elements.css",
        "health/health.css",
        "elements/media.css",
    ),
}
OWN_WORDS = {
    f"{folder}/texts.js": Catalogue(STATIC / folder / "words") for folder in ("card", "health")
}
EXPLAINERS = (".a", ".to", ".him", ".itself")  # forms of the word for a recording
PYTHONS = (  # what no page says
    "svg.",
    "text.",
    "ui.broken",
    "ui.fixed",
    "ui.magic.",
    "ui.page",
    "ui.still",
    "ui.unrun",
    "ui.valley.stays",
    "waiting",
    "tapes.",
)

# the file and the function; every entry imports it before any schema
UNPACKS = "elements/host.js", "unpacked"

_SHEET = re.compile(r'^@import "(.+)";$', re.MULTILINE)


@functools.cache
def words(language: str) -> dict[str, Any]:
    """Returns all sentences of a language: those about tapes and those of the player. Raises
    ValueError for an unknown one.
    """
    return ABOUT_TAPES(language) | OWN(language)


@functools.cache
def source(entry: str = ENTRY) -> str:
    """Returns the whole front end as the text of one ES module with the exports of its `entry`:
    `show`, `showAll`.
    """
    scripts = files(entry)
    called = _called(scripts, entry)
    parts = ["// minitape's player, joined from widgets/minitape_widgets/static\n"]
    for path, names in called.items():
        if texts := _texts(path, called):
            parts += [f"const {names[name]}={text};\n" for name, text in texts.items()]
        else:
            parts.append(_joined(scripts[path], entry, called))
    return "".join(parts)


def _texts(path: str, called: dict[str, dict[str, str]]) -> dict[str, str]:
    """The constants that take the place of a file, as JavaScript; of any other file none."""
    if path in OWN_SHEETS:
        words_of = {"CATALOGUES": _said(OWN_WORDS[path])} if path in OWN_WORDS else {}
        return {"STYLE": literal(small("\n".join(map(text_of, OWN_SHEETS[path])))), **words_of}
    if path == TEXTS:
        return {"STYLE": literal(style()), "CATALOGUES": _said(words)}
    if path != SCHEMAS:
        return {}
    unpacked = called[UNPACKS[0]][UNPACKS[1]]
    return {name: f"await {unpacked}({literal(_packed(name.lower()))})" for name in called[path]}


def _called(scripts: dict[str, Script], entry: str) -> dict[str, dict[str, str]]:
    """What the exports of each file are called where all files see them: as in the file, unless it
    is not the only one with that name, or somebody imports it under another. What only a test
    imports is not seen.
    """
    imports = [each for script in scripts.values() for each in script.imports]
    asked = {(file, name) for file, name, _ in imports}
    exported = {
        path: [name for name in script.exports if path == entry or (path, name) in asked]
        for path, script in scripts.items()
    }
    often = Counter(name for names in exported.values() for name in names)
    often.update(name for _, name, own in imports if name != own)
    return {
        path: {
            name: name
            if path == entry or often[name] == 1
            else f"${re.sub(r'[^a-z]', '_', path.removesuffix('.js'))}_{name}"
            for name in names
        }
        for path, names in exported.items()
    }


def _joined(script: Script, entry: str, called: dict[str, dict[str, str]]) -> str:
    """One file as a part of the whole: without imports."""
    outside = {own: called[file][name] for file, name, own in script.imports}
    renamed = "".join(f"const {own}={name};\n" for own, name in outside.items() if own != name)
    names = called[script.path]
    seen = ",".join(name if name == own else f"{own}:{name}" for own, name in names.items())
    text = f"const{{{seen}}}=(()=>{{\n{renamed}{script.code}return{{{','.join(names)}}}}})();\n"
    if script.path != entry:
        return text
    passed_on = [
        name if name == outside[name] else f"{outside[name]} as {name}" for name in script.passed_on
    ]
    return f"export {text}export{{{','.join(passed_on)}}};\n"


def _said(catalogue: Callable[[str], dict[str, Any]]) -> str:
    """The sentences that a page says, of all languages that have some of their own there."""
    return literal(
        {
            language: {
                key: said
                for key, said in catalogue(language).items()
                if not key.startswith(PYTHONS) and not key.endswith(EXPLAINERS)
            }
            for language in LANGUAGES
            if language == "en" or catalogue(language) != catalogue("en")
        }
    )


def _packed(schema: str) -> dict[str, str]:
    """The definitions of a schema as they travel: without what is said to those who read them, and
    what is used once in its place.
    """
    defs = schemas.schema(schema)["$defs"]
    used = Counter(re.findall(r'"#/\$defs/(\w+)"', json.dumps(defs)))

    def bare(said: Any) -> Any:
        if isinstance(said, list):
            return [bare(one) for one in said]
        if not isinstance(said, dict):
            return said
        name = said.get("$ref", "").removeprefix("#/$defs/")
        return (
            bare(defs[name])
            if used[name] == 1
            else {word: bare(one) for word, one in said.items() if word != "description"}
        )

    text = json.dumps(
        {"$defs": bare({name: one for name, one in defs.items() if used[name] != 1})},
        separators=(",", ":"),
    )
    return {"deflate": base64.b64encode(zlib.compress(text.encode(), 9)).decode()}


def style() -> str:
    """Returns all style sheets as one text, in the order of `style.css`."""
    return small("\n".join(text_of(sheet) for sheet in _SHEET.findall(text_of("style.css"))))


def literal(data: Any) -> str:
    """Returns JSON that may stand inside a <script> and inside JavaScript: no "</script", no
    "<!--", no line separators.
    """
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
