"""A file or notebook cell: its lines, its syntax tree, and the node at a position.

Every file is read and parsed once, for all who ask; it is read again when its text has changed.
"""

from __future__ import annotations

import ast
import re
import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from operator import itemgetter
from threading import Thread
from typing import Any, TypeAlias
from unicodedata import normalize

from minitape.engine.base.locks import locked

from .aliases import Node, Place, Where
from .functions import Functions
from .places import Span, in_characters, lines_of, positions

# depth in the tree, part of the file, place at this depth in it, node
Placed: TypeAlias = "tuple[int, int, int, Node]"
# the nodes by position, the calls by their end
Spans: TypeAlias = "tuple[dict[Any, Node], dict[Any, Node]]"
HOLDERS = (ast.stmt, ast.Lambda, ast.excepthandler, ast.match_case)
WORD = re.compile(r"[^\W\d]\w*")
# What a name is given that may be a function: `def f`, `class F`, `f = lambda ...`, `f = g`, `f =
# wrap(g)`.
GIVEN = re.compile(
    r"(?:\b(?:def|class)\s+)(\w+)|(\w+)\s*=\s*(?:lambda\b|[(\\]|[\w.]+\s*(?:$|[(\[=;#\\]))",
    re.MULTILINE,
)
MOST_FILES = 64  # so many are remembered; a notebook makes a new "file" for every run of a cell
# file name -> (the lines as linecache has them, File)
_files: dict[str, tuple[list[str], File]] = {}


def file_of(filename: str) -> File:
    """Return the `File` of a name; without lines where the text is not to be had."""
    lines = lines_of(filename)
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

    A large file is read by parts, the statements of its module: who asks for a position or a word
    has only those read that stand there. Every node that was read knows its `file`, its `part` and,
    as `outer`, the nearest statement or lambda around it, however long the formula in between;
    `parent` tells the node right around it, `block_of` of a statement the list that it stands in
    and its place there.
    """

    def __init__(self, filename: str, lines: list[str]) -> None:
        self.filename = filename
        self.lines = [line.rstrip("\r\n") for line in lines]
        self.parent: dict[Node, Node] = {}
        self.block_of: dict[Node, tuple[list[Node], int]] = {}
        self._rows: dict[int, dict[type, list[Placed]]] = {}  # part -> the nodes of each kind in it
        self._spans: dict[int, Spans] = {}
        self._asked: dict[tuple[Any, ...], list[Node]] = {}

    @cached_property
    def root(self) -> ast.Module | None:
        """The syntax tree, of which nothing but the parts was read; None where the text is none."""
        tree = _parsed(self.lines)
        if tree is not None:
            tree.file, tree.part = self, None  # type: ignore[attr-defined]
        return tree

    @property
    def tree(self) -> ast.Module:
        """The syntax tree, all of it read; an empty one where the text is none."""
        for k in range(len(self._parts)):
            self._read(k)
        return self.root or ast.Module([], [])

    @cached_property
    def _parts(self) -> list[Node]:
        parts: list[Node] = self.root.body if self.root is not None else []
        for k, part in enumerate(parts):
            part.file, part.part, self.block_of[part] = self, part, (parts, k)
        return parts

    @cached_property
    def _begins(self) -> list[int]:
        """The first line of each part."""
        return [
            min([part.lineno, *(d.lineno for d in getattr(part, "decorator_list", ()))])
            for part in self._parts
        ]

    def _parts_by(self, pattern: re.Pattern[str]) -> dict[str, list[int]]:
        """Return word -> the parts in whose text a pattern finds it."""
        result: dict[str, list[int]] = {}
        for k, (part, begin) in enumerate(zip(self._parts, self._begins)):
            text = "\n".join(self.lines[begin - 1 : part.end_lineno])
            text = text if text.isascii() else normalize("NFKC", text)  # as Python reads names
            for word in {match[match.lastindex or 0] for match in pattern.finditer(text)}:
                result.setdefault(word, []).append(k)
        return result

    @cached_property
    def _parts_with(self) -> dict[str, list[int]]:
        """Word -> the parts where it stands."""
        return self._parts_by(WORD)

    @cached_property
    def _parts_giving(self) -> dict[str, list[int]]:
        """Name -> the parts where it may be given a function."""
        return self._parts_by(GIVEN)

    def _read(self, k: int) -> dict[type, list[Placed]]:
        """Read a part, once: its nodes by kind, in the order of `ast.walk`."""
        if k in self._rows:
            return self._rows[k]
        result: dict[type, list[Placed]] = {}
        part, parents, depth, level = self._parts[k], self.parent, 1, [self._parts[k]]
        parents[part], part.outer = self.root, self.root
        while level:
            below: list[Node] = []
            for place, node in enumerate(level):
                node.file, node.part = self, part
                outer = node if isinstance(node, HOLDERS) else node.outer
                result.setdefault(type(node), []).append((depth, k, place, node))
                for name in node._fields:
                    value = getattr(node, name, None)
                    if isinstance(value, list):
                        for number, child in enumerate(value):
                            if isinstance(child, ast.AST) and (
                                child._fields or isinstance(child, ast.stmt)
                            ):
                                parents[child], child.outer = node, outer  # type: ignore[attr-defined]
                                below.append(child)
                                if isinstance(child, ast.stmt):
                                    self.block_of[child] = value, number
                    # not Load and Add: all trees share those
                    elif isinstance(value, ast.AST) and value._fields:
                        parents[value], value.outer = node, outer  # type: ignore[attr-defined]
                        below.append(value)
            level, depth = below, depth + 1
        self._rows[k] = result
        return result

    def each(
        self,
        kinds: tuple[type, ...],
        *words: str,
        within: tuple[Node, ...] | None = None,
        given: str | None = None,
    ) -> list[Node]:
        """Return the nodes of some kinds in the order of `ast.walk`.

        Of all parts; with `words`, of those in whose text one of them stands; or of those `within`
        which some nodes stand, or where the name `given` may be given a function.
        """
        around = (
            None
            if within is None
            else tuple(sorted({self.block_of[node.part][1] for node in within}))
        )
        asked = kinds, words, around, given
        if asked not in self._asked:
            if around is not None:
                parts: Iterable[int] = around
            elif given is not None:
                parts = self._parts_giving.get(given, ())
            elif words:
                parts = {k for word in words for k in self._parts_with.get(word, ())}
            else:
                parts = range(len(self._parts))
            rows = [self._read(k) for k in sorted(parts)]
            result = [
                row
                for by_kind in rows
                for kind, of_kind in by_kind.items()
                if issubclass(kind, kinds)
                for row in of_kind
            ]
            result.sort(key=itemgetter(0, 1, 2))
            self._asked[asked] = [row[3] for row in result]
        return self._asked[asked]

    def parts_with(self, word: str) -> list[Node]:
        """Return the parts in whose text a word stands."""
        return [self._parts[k] for k in self._parts_with.get(word, ())]

    @cached_property
    def imports(self) -> dict[str, str]:
        """What the text imports: the name that it has there -> the module, or the module and the
        name in it.
        """
        result: dict[str, str] = {}
        for node in self.each((ast.Import, ast.ImportFrom), "import"):
            home = getattr(node, "module", None)
            for alias in node.names:
                result[alias.asname or alias.name.partition(".")[0]] = (
                    f"{home}.{alias.name}" if home else alias.name
                )
        return result

    def calls_of(self, name: str) -> list[Node]:
        """Return the calls of a function by its plain name."""
        return [
            call
            for call in self.each((ast.Call,), name)
            if isinstance(call.func, ast.Name) and call.func.id == name
        ]

    @property
    def is_cell(self) -> bool:
        """True for a notebook cell or an interactive line: their names are shared."""
        return self.filename.startswith("<") or "ipykernel" in self.filename

    # ---- positions

    def _around(self, line: int, end_line: int) -> list[Spans]:
        """Return the positions in the parts that have something on these lines."""
        first = max(0, bisect_left(self._begins, line) - 1)
        return [self._spans_of(k) for k in range(first, bisect_right(self._begins, end_line))]

    def _spans_of(self, k: int) -> Spans:
        if k not in self._spans:
            rows = sorted(
                (row for by_kind in self._read(k).values() for row in by_kind),
                key=itemgetter(0, 1, 2),
            )
            nodes: dict[Any, Node] = {}
            calls_by_end: dict[Any, Node] = {}
            for *_, node in rows:
                if isinstance(node, (ast.expr, ast.stmt)) and not isinstance(node, ast.Expr):
                    nodes.setdefault(
                        (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset),
                        self._whole(node),
                    )
                    # a chain of methods over lines: Python 3.12 marks from the dot on
                    if isinstance(node, ast.Call):
                        calls_by_end.setdefault((node.end_lineno, node.end_col_offset), node)
            self._spans[k] = nodes, calls_by_end
        return self._spans[k]

    def _whole(self, node: Node) -> Node:
        """Return the f-string that a node is a piece of, or the node: since Python 3.12 `{x:.2f}`
        has a place, but is no expression.
        """
        around = self.parent.get(node)
        while (
            isinstance(around, ast.JoinedStr)
            or isinstance(around, ast.FormattedValue)
            and node is around.format_spec
        ):
            node, around = around, self.parent.get(around)
        return node

    @property
    def nodes(self) -> dict[Place, Node]:
        """Every expression and statement by its position."""
        result: dict[Place, Node] = {}
        for k in range(len(self._parts)):
            result.update(self._spans_of(k)[0])
        return result

    def find(self, span: Span) -> Node:
        """Return the node that a `Span` marks, or None: on every Python the same, though they mark
        some expressions otherwise.
        """
        node = self._at(span)
        if (
            isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp))
            and len(node.generators) == 1
        ):
            # Python 3.11 marks the whole where the next value is taken
            return node.generators[0].iter
        if isinstance(node, (ast.With, ast.AsyncWith)) and len(node.items) == 1:
            return node.items[0].context_expr  # and where the block begins and ends
        return node

    def _at(self, span: Span) -> Node:
        _, line, column, end_line, end_column = span
        parts = self._around(line, end_line)
        for nodes, _ in parts:
            if (node := nodes.get((line, column, end_line, end_column))) is not None:
                return node
        return next(
            (node for _, calls in parts if (node := calls.get((end_line, end_column))) is not None),
            None,
        )

    def around(self, span: Span) -> Node:
        """Return the smallest node around a `Span`, or None."""
        _, line, column, end_line, end_column = span
        result = [
            (e[0] - s[0], e[1] - s[1] if e[0] == s[0] else 10000, n)
            for nodes, _ in self._around(line, end_line)
            for k, n in nodes.items()
            for s, e in [(k[:2], k[2:])]
            if s <= (line, column) and (end_line, end_column or 0) <= e
        ]
        return min(result, key=lambda each: each[:2])[2] if result else None

    def span(self, span: Span) -> Place | None:
        """Return (line, column, end line, end column) of a `Span` with columns in characters, kept
        within the text; or None.
        """
        _, line, column, end_line, end_column = span
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
    """Return the syntax tree, or None; what is no program as it stands is one perhaps without
    IPython's own lines (magics, `!`, `?`), or without its indentation.
    """
    plain = [("pass" if line.startswith(("%", "!", "?")) else line) for line in lines]
    for text in dict.fromkeys(map("\n".join, (lines, plain, _without_indent(plain)))):
        try:
            # Python 3.11 mixes up the depths of trees that threads parse at one time
            with locked(ast):
                return ast.parse(text)
        except RecursionError:  # Python reads deeper formulas where fewer functions wait
            return _parsed_below(text)
        except (SyntaxError, ValueError):
            continue
    return None


def _parsed_below(text: str) -> ast.Module | None:
    """Return the syntax tree as a new thread reads it, which begins as an import does: at the
    bottom of its stack.
    """
    result: list[ast.Module] = []

    def parse() -> None:
        with suppress(RecursionError), locked(ast):
            result.append(ast.parse(text))

    thread = Thread(target=parse)
    with suppress(RuntimeError):  # where there are no threads
        thread.start()
        thread.join()
    return result[0] if result else None


def _without_indent(lines: list[str]) -> list[str]:
    first = next((line for line in lines if line.strip()), "")
    indent = len(first) - len(first.lstrip())
    return [line[indent:] if not line[:indent].strip() else line for line in lines]


# What this thread computes, where the system tells it: so a program gets the same answers on a busy
# machine as on an idle one.
clock = getattr(time, "thread_time", time.perf_counter)


class OutOfTime(Exception):
    """Raised where a question takes longer than its asker waits, see `Text.go_on`."""


class Text:
    """All files and cells that the positions of one recording point into, read when they are first
    asked for.
    """

    def __init__(self, until: float | None = None) -> None:
        self.until = until  # when nobody waits for an answer any more, by `clock`
        self.files: dict[str, File] = {}
        self._known: dict[Where | None, tuple[Span, Node] | None] = {}
        self._functions: Functions | None = None

    def go_on(self) -> None:
        """Raise OutOfTime where nobody waits any more: whoever reads a lot of text asks now and
        then.
        """
        if self.until is not None and clock() > self.until:
            raise OutOfTime

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
            self.go_on()
            result = positions(where)
            node = None if result is None else self.file(result.filename).find(result)
            if result is not None and node is not None:
                result = Span(
                    result.filename,
                    node.lineno,
                    node.col_offset,
                    node.end_lineno,
                    node.end_col_offset,
                )
            self._known[where] = None if result is None else (result, node)
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
        """Take the files of many positions in."""
        codes = {id(where[0]): where[0] for where in wheres if where is not None}
        for code in codes.values():
            self.file(code.co_filename)

    def trees(self) -> list[File]:
        """Return the files that could be parsed."""
        return [file for file in self.files.values() if file.root is not None]

    @property
    def functions(self) -> Functions:
        """The functions in all files."""
        if self._functions is None or len(self._functions.files) != len(self.files):
            self._functions = Functions(list(self.files.values()), self.go_on)
        return self._functions

    def each(self, kinds: tuple[type, ...], *words: str) -> list[Node]:
        """Return the nodes of some kinds in all files, one after the other; with `words`, as
        `File.each` does.
        """
        return self.functions.each(kinds, *words)
