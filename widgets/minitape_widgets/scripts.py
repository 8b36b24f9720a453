"""The files of the front end, as they are read: what each imports and exports, and how its code
travels.

Of JavaScript's ways to import and export the files use only those that are read here: `import { a, b
as c } from "./file.js";`, `export` before a declaration, `export { a, b };`.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

STATIC = Path(__file__).parent / "static"
ENTRY = "deliveries.js"

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_EXPORTS = re.compile(r"^export \{([^}]*)\};.*\n", re.MULTILINE)
_LINE_COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)
_BLOCK_COMMENT = re.compile(r"^\s*/\*\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL)
_TYPE = re.compile(r"/\*\* @(?:(?!\*/).)*\*/ ?")
# texts and patterns, which stay as they are; comments, and spaces beside a sign: a division has one after it, and
# so has a + or - before another, as in x - -y; lines that only begin
_SPARE = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`"""
    r"""|/(?![ /*])(?:[^/\\[\n]|\\.|\[(?:[^]\\\n]|\\.)*])+/)"""
    r"""| //.*| (?=[{}()[\];,:?<>=*%&|!])|(?<=[{}()[\];,:?<>=*%&|!]) """
    r"""| (?=[+-] [^+-])|(?<=[^+-][+-]) (?![+-])|(?<=[{([,])\n"""
)


class Script:
    """A file of JavaScript, read once.

    `imports`: (file, name there, name here); `exports`: the names of its own that it exports,
    `passed_on` those that it only imports; `code`: what is left without either, as it travels.
    """

    def __init__(self, path: str) -> None:
        self.path, text = path, text_of(path)
        self.imports: list[tuple[str, str, str]] = []
        for names, target in _IMPORT.findall(text):
            for name in _names(names):
                there, _, here = name.partition(" as ")
                self.imports.append((_beside(path, target), there, here or there))
        imported = {here for _, _, here in self.imports}
        listed = [name for names in _EXPORTS.findall(text) for name in _names(names)]
        self.passed_on = [name for name in listed if name in imported]
        self.exports = _EXPORT.findall(text) + [name for name in listed if name not in imported]
        self.code = bare(_EXPORTS.sub("", _EXPORT.sub("", _IMPORT.sub("", text))))


def files(entry: str = ENTRY) -> dict[str, Script]:
    """Returns all modules that the entry needs by their paths, each after those that it imports.
    Raises ValueError for a circle.
    """
    scripts: dict[str, Script] = {}

    def visit(path: str, above: list[str]) -> None:
        if path in above:
            raise ValueError(
                "These files import each other: "
                f"{' -> '.join([*above[above.index(path) :], path])}."
            )
        if path not in scripts:
            script = Script(path)
            for imported, _, _ in script.imports:
                visit(imported, [*above, path])
            scripts[path] = script

    visit(entry, [])
    return scripts


def plain(path: str) -> str:
    """Returns one file that imports none of the others, as it travels."""
    return bare(text_of(path))


def bare(text: str) -> str:
    """Returns code without comments, types, indentation and spare spaces: half of what was written."""
    for left_out in (_LINE_COMMENT, _BLOCK_COMMENT, _TYPE):
        text = left_out.sub("", text)
    text = re.sub(r"\n\s*", "\n", text).strip() + "\n"
    return _SPARE.sub(lambda found: found[1] or "", text)


def small(text: str) -> str:
    """Returns a style sheet without comments, with as little space as it needs, and with .5 for
    0.5.
    """
    text = re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))
    text = re.sub(r"(?<=[{};:,>~]) | (?=[{};!>~])", "", text).replace(";}", "}").strip()
    return re.sub(r"(?<![\w.])0(?=\.\d)", "", text)


def text_of(path: str) -> str:
    """Returns the text of a file of `static/`."""
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
