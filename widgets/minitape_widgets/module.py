"""The front end as one module: the small files of `static/`, joined in Python, since a module that
is loaded from a blob cannot import its neighbours. There is no bundler; the files stay as they were
written.

Each file becomes a function that is called at once, so that its own names are not seen in another;
what it returns, its exports, are constants that all files after it see under their names, so that
no import is left. The order is that of the imports, beginning at `deliveries.js`. Of JavaScript's
ways to import and export the files use only those that are read here: `import { a, b as c } from
"./file.js";`, `export` before a declaration, `export { a, b };`. Two constants take the place of
`texts.js`: the style sheets that `style.css` lists, and the sentences; others that of `schemas.js`:
the forms of what is shown, packed, which takes a quarter of their letters.
"""

from __future__ import annotations

import base64
import functools
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

import minitape
from minitape import schemas
from minitape.sentences import LANGUAGES, Catalogue

STATIC = Path(__file__).parent / "static"
# read from its folder: a page is made
ABOUT_TAPES = Catalogue(Path(minitape.__file__).parent / "storyboard" / "messages")
OWN = Catalogue(STATIC / "words")  # without loading what draws pictures
ENTRY, TEXTS, SCHEMAS = "deliveries.js", "texts.js", "schemas.js"
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

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_EXPORTS = re.compile(r"^export \{([^}]*)\};.*\n", re.MULTILINE)
_LINE_COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)
_BLOCK_COMMENT = re.compile(r"^\s*/\*\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL)
# what has a quote in it may be a text; an apostrophe between letters is none
_END_COMMENT = re.compile(r" // (?:[^'\"`\n]|\b'\b)*$", re.MULTILINE)
_TYPE = re.compile(r"/\*\* @(?:(?!\*/).)*\*/ ?")
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
    called = _called(files(entry), entry)
    parts = ["// minitape's player, joined from widgets/minitape_widgets/static\n"]
    for path, names in called.items():
        if path in OWN_SHEETS:
            texts = {"STYLE": literal(small("\n".join(map(_text, OWN_SHEETS[path]))))}
            if path in OWN_WORDS:
                texts["CATALOGUES"] = _said(OWN_WORDS[path])
        elif path == TEXTS:
            texts = {"STYLE": literal(style()), "CATALOGUES": _said(words)}
        elif path == SCHEMAS:
            unpacked = called[UNPACKS[0]][UNPACKS[1]]
            texts = {name: f"await {unpacked}({literal(_packed(name.lower()))})" for name in names}
        else:
            parts.append(_joined(path, entry, called))
            continue
        parts += [f"const {names[name]}={text};\n" for name, text in texts.items()]
    return "".join(parts)


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


def files(entry: str = ENTRY) -> list[str]:
    """Returns the paths of all modules that the entry needs, each after those that it imports.
    Raises ValueError for a circle.
    """
    order: list[str] = []

    def visit(path: str, above: list[str]) -> None:
        if path in above:
            raise ValueError(
                "These files import each other: "
                f"{' -> '.join([*above[above.index(path) :], path])}."
            )
        if path not in order:
            for _, target in _IMPORT.findall(_text(path)):
                visit(_beside(path, target), [*above, path])
            order.append(path)

    visit(entry, [])
    return order


def style() -> str:
    """Returns all style sheets as one text, in the order of `style.css`."""
    return small("\n".join(_text(sheet) for sheet in _SHEET.findall(_text("style.css"))))


def small(text: str) -> str:
    """Returns a style sheet without comments, with as little space as it needs, and with .5 for
    0.5.
    """
    text = re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))
    text = re.sub(r"(?<=[{};:,>~]) | (?=[{};!>~])", "", text).replace(";}", "}").strip()
    return re.sub(r"(?<![\w.])0(?=\.\d)", "", text)


def _called(paths: list[str], entry: str) -> dict[str, dict[str, str]]:
    """What the exports of each file are called where all files see them: as in the file, unless it
    is not the only one with that name, or somebody imports it under another. What only a test
    imports is not seen.
    """
    asked = {(file, name) for path in paths for file, name, _ in _imported(path)}
    exported = {
        path: [name for name in _exported(path) if path == entry or (path, name) in asked]
        for path in paths
    }
    often = Counter(name for names in exported.values() for name in names)
    often.update(name for path in paths for _, name, own in _imported(path) if name != own)
    return {
        path: {
            name: name
            if path == entry or often[name] == 1
            else f"${re.sub(r'[^a-z]', '_', path.removesuffix('.js'))}_{name}"
            for name in names
        }
        for path, names in exported.items()
    }


def _exported(path: str) -> list[str]:
    """The names that a file exports; not those that it only passes on."""
    passed_on = {own for _, _, own in _imported(path)}
    return _EXPORT.findall(_text(path)) + [name for name in _listed(path) if name not in passed_on]


def _listed(path: str) -> list[str]:
    return [name for names in _EXPORTS.findall(_text(path)) for name in _names(names)]


def _imported(path: str) -> list[tuple[str, str, str]]:
    """What a file imports: (file, name there, name here)."""
    result = []
    for names, target in _IMPORT.findall(_text(path)):
        for name in _names(names):
            there, _, here = name.partition(" as ")
            result.append((_beside(path, target), there, here or there))
    return result


def _joined(path: str, entry: str, called: dict[str, dict[str, str]]) -> str:
    """One file as a part of the whole: without imports."""
    outside = {own: called[file][name] for file, name, own in _imported(path)}
    renamed = "".join(f"const {own}={name};\n" for own, name in outside.items() if own != name)
    code = renamed + _plain(_EXPORTS.sub("", _EXPORT.sub("", _IMPORT.sub("", _text(path)))))
    seen = ",".join(
        name if name == other else f"{name}:{other}" for name, other in called[path].items()
    )
    text = f"const{{{seen}}}=(()=>{{\n{code}return{{{','.join(called[path])}}}}})();\n"
    if path != entry:
        return text
    passed_on = [
        name if name == outside[name] else f"{outside[name]} as {name}"
        for name in _listed(path)
        if name in outside
    ]
    return f"export {text}export{{{','.join(passed_on)}}};\n"


def plain(path: str) -> str:
    """Returns one file that imports none of the others, as it travels."""
    return _plain(_text(path))


def _plain(text: str) -> str:
    """The code without comments, types and indentation: a quarter of what was written."""
    for left_out in (_LINE_COMMENT, _BLOCK_COMMENT, _TYPE, _END_COMMENT):
        text = left_out.sub("", text)
    return re.sub(r"\n\s*", "\n", text).strip() + "\n"


def _text(path: str) -> str:
    return (STATIC / path).read_text(encoding="utf-8")


def _names(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",") if name.strip()]


def _beside(path: str, target: str) -> str:
    """The path from `static/` of what a file calls `../x.js`."""
    parts: list[str] = []
    for part in (PurePosixPath(path).parent / target).parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def literal(data: Any) -> str:
    """Returns JSON that may stand inside a <script> and inside JavaScript: no "</script", no
    "<!--", no line separators.
    """
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
