"""A file or notebook cell: its lines, its syntax tree, and the node at a position.

Every file is read and parsed once, for all who ask; it is read again when its text has changed.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from minitape.engine.ground.alone import alone

from .places import in_characters, positions

if TYPE_CHECKING:
    from .aliases import Node, Place, Where
    from .places import Span

MOST_FILES = 64  # so many are remembered; a notebook makes a new "file" for every run of a cell
_files = {}  # file name -> (the lines as linecache has them, File)


def file_of(filename: str) -> File:
    """Return the `File` of a name; without lines where the text is not to be had."""
    lines = linecache.getlines(filename)
    known = _files.get(filename)
    if known is None or known[0] is not lines and known[0] != lines:
        _files.pop(filename, None)
        if len(_files) >= MOST_FILES:
            del _files[next(iter(_files))]
        known = _files[filename] = lines, File(filename, lines)
    return known[1]


class File:
    """One file or cell: its lines without line ends, its tree, every node by position and with its
    parent.

    Every node of the tree knows its `file`.
    """

    def __init__(self, filename: str, lines: list[str]) -> None:
        self.filename = filename
        self.lines = [line.rstrip("\r\n") for line in lines]
        self._index = None

    def __getattr__(self, name: str) -> Any:
        """The tree and what is found in it are made when they are first asked for."""
        if name not in ("tree", "nodes", "calls_by_end", "parent", "imports", "calls_of"):
            raise AttributeError(name)
        self._read()
        return self.__dict__[name]

    def _read(self) -> None:
        self.tree = _parsed(self.lines)
        self.nodes, self.calls_by_end, self.parent, self.imports, self.calls_of = {}, {}, {}, {}, {}
        for node in ast.walk(self.tree) if self.tree else ():
            # not Load and Store: those are shared by all trees
            if node._fields or isinstance(node, ast.stmt):
                node.file = self  # type: ignore[attr-defined]
            for child in ast.iter_child_nodes(node):
                self.parent[child] = node
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                home = getattr(node, "module", None)
                for alias in node.names:
                    self.imports[alias.asname or alias.name.partition(".")[0]] = (
                        f"{home}.{alias.name}" if home else alias.name
                    )
            if isinstance(node, (ast.expr, ast.stmt)) and not isinstance(node, ast.Expr):
                self.nodes.setdefault(
                    (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset), node
                )
                # a chain of methods over lines: Python 3.12 marks from the dot on
                if isinstance(node, ast.Call):
                    self.calls_by_end.setdefault((node.end_lineno, node.end_col_offset), node)
                    if isinstance(node.func, ast.Name):
                        self.calls_of.setdefault(node.func.id, []).append(node)

    @property
    def is_cell(self) -> bool:
        """True for a notebook cell or an interactive line: their names are shared."""
        return self.filename.startswith("<") or "ipykernel" in self.filename

    def find(self, span: Span) -> Node:
        """Return the node whose text is a `Span`, or None."""
        _, line, column, end_line, end_column = span
        return self.nodes.get((line, column, end_line, end_column)) or self.calls_by_end.get(
            (end_line, end_column)
        )

    def around(self, span: Span) -> Node:
        """Return the smallest node around a `Span`, or None."""
        _, line, column, end_line, end_column = span
        found = [
            (e[0] - s[0], e[1] - s[1] if e[0] == s[0] else 10000, n)
            for k, n in self.nodes.items()
            for s, e in [(k[:2], k[2:])]
            if s <= (line, column) and (end_line, end_column or 0) <= e
        ]
        return min(found, key=lambda each: each[:2])[2] if found else None

    def span(self, found: Span) -> Place | None:
        """Return (line, column, end line, end column) of a `Span` with columns in characters, kept
        within the text; or None.
        """
        _, line, column, end_line, end_column = found
        if not 1 <= line <= len(self.lines):
            return None
        end_line = min(end_line, len(self.lines))
        last = self.lines[end_line - 1]
        end = len(last) if end_column is None else in_characters(last, end_column)
        return line, in_characters(self.lines[line - 1], column), end_line, end

    def snippet(self, span: Place) -> str:
        """Return the text of a span in characters, line breaks and indentation folded to single
        blanks.
        """
        line, column, end_line, end_column = span
        if line == end_line:
            return self.lines[line - 1][column:end_column]
        parts = [
            self.lines[line - 1][column:],
            *self.lines[line : end_line - 1],
            self.lines[end_line - 1][:end_column],
        ]
        return " ".join(" ".join(parts).split())


def _parsed(lines: list[str]) -> ast.Module | None:
    """Return the syntax tree, or None; IPython's own lines (magics, `!`, `?`) are blanked before
    parsing.
    """
    lines = [("pass" if line.startswith(("%", "!", "?")) else line) for line in lines]
    for text in ("\n".join(lines), "\n".join(_without_indent(lines))):
        try:
            # Python 3.11 mixes up the depths of trees that threads parse at one time
            with alone(ast):
                return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            continue
    return None


def _without_indent(lines: list[str]) -> list[str]:
    first = next((line for line in lines if line.strip()), "")
    indent = len(first) - len(first.lstrip())
    return [line[indent:] if not line[:indent].strip() else line for line in lines]


class Text:
    """All files and cells that the positions of one recording point into, read when they are first
    asked for.
    """

    def __init__(self) -> None:
        self.files, self._known = {}, {}

    def file(self, filename: str) -> File:
        """Return the `File` of a name; its tree is None where the text is not to be had."""
        if filename not in self.files:
            self.files[filename] = file_of(filename)
        return self.files[filename]

    def file_of(self, where: Where | None) -> File | None:
        """Return the `File` of a position, or None."""
        return None if where is None else self.file(where[0].co_filename)

    def locate(self, where: Where | None) -> tuple[Span, Node] | None:
        """Return (the `Span` of a position, its node or None), or None where Python does not know
        the span.
        """
        if where not in self._known:
            found = positions(where)
            self._known[where] = (
                None if found is None else (found, self.file(found.filename).find(found))
            )
        return self._known[where]

    def node(self, where: Where | None) -> Node:
        """Return the syntax node at a position, or None."""
        located = self.locate(where)
        return located[1] if located is not None else None

    def node_around(self, where: Where | None) -> Node:
        """Return the syntax node at a position, else the smallest around it, or None."""
        located = self.locate(where)
        if located is None:
            return None
        return located[1] or self.file(located[0].filename).around(located[0])

    def load(self, wheres: Iterable[Where | None]) -> None:
        """Read the files of many positions."""
        codes = {id(where[0]): where[0] for where in wheres if where is not None}
        for code in codes.values():
            self.file(code.co_filename)

    def trees(self) -> list[File]:
        """Return the files that could be parsed."""
        return [file for file in self.files.values() if file.tree is not None]
