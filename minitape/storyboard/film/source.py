"""The code panes of a storyboard: which files and cells are shown, which of their lines, and which
of those took part.
"""

from __future__ import annotations

import ast
import os
import re
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from minitape.engine.base.aliases import Where
from minitape.program import Text
from minitape.program.files import File
from minitape.storyboard.text.aliases import Data, Executed, Located

LONGEST = 250  # a file longer than this is cut down to the functions that took part
LINES, LETTERS = 3000, 200_000  # of all code panes together

# how `%%tape` leaves its own line in the text of a cell, so that lines keep their numbers
_MAGIC = re.compile(r"# %%\w")
_CELL = re.compile(r"ipykernel_\d+|<ipython-input|<cell|_[0-9a-f]{8,}\.py$")


class Sources:
    """All code that a storyboard shows. `span` turns a position into the contract's five numbers."""

    def __init__(self, names: dict[str, str] | None = None, executed: Executed = None) -> None:
        self.names, self.executed = names or {}, executed or {}
        self.text = Text()
        self._seen: dict[File, set[int]] = {}  # the lines where something was recorded or noted
        # a loop asks for the same positions again and again
        self._located: dict[int, tuple[Where | None, Located | None]] = {}
        self._shown: set[int] = set()

    def locate(self, where: Where | None, seen: bool = True) -> Located | None:
        """Returns (File, span within the file, `program.places.Span`) of (code, offset), or None
        where no text is known.

        With `seen` the position counts as shown: its file becomes a code pane, its lines took part.
        """
        known = self._located.get(id(where))
        if known is None:  # to hash a code object is slow; what is held keeps its `id`
            known = self._located[id(where)] = where, self._find(where)
        located = known[1]
        if seen and located is not None and id(where) not in self._shown:
            self._shown.add(id(where))
            file, span, _ = located
            self._seen.setdefault(file, set()).update(range(span[0], span[2] + 1))
        return located

    def _find(self, where: Where | None) -> Located | None:
        result = self.text.locate(where)
        if result is None:
            return None
        position, _ = result
        file = self.text.file(position.filename)
        span = file.span(position)
        return None if span is None else (file, span, position)

    def shows(self, where: Where) -> bool:
        """Says whether the file of a position is one of the code panes."""
        return any(file.filename == where[0].co_filename for file in self._seen)

    def point(self, filename: str | None, span: Any) -> Located | None:
        """Returns what `locate` does for (line, column, end line, end column) in characters of a
        file that is shown already, else None.
        """
        file = next((file for file in self._seen if file.filename == filename), None)
        if file is None or span[0] is None:
            return None
        return file, span, (filename, *span)

    def table(self) -> tuple[list[Data], Callable[[Located | None], list[int] | None]]:
        """Returns (the contract's "sources", a function from (file, span) to the contract's span)."""
        shown: list[Data] = []
        shown_lines: dict[str, tuple[int, int, int]] = {}
        used: set[str] = set()
        for index, file in enumerate(self._seen):
            first, last = self._range(file)
            shown_lines[file.filename] = (index, first, last)
            ranges = self._executed(file)
            if ranges is not None:
                ranges = [
                    [max(a, first) - first + 1, min(b, last) - first + 1]
                    for a, b in ranges
                    if b >= first and a <= last
                ]
            name = self._name(file, used)
            lines = file.lines[first - 1 : last]
            if first == 1 and lines and _MAGIC.match(lines[0]):
                lines = ["", *lines[1:]]  # it is no part of the program
            shown.append(
                {
                    "name": name,
                    "text": "\n".join(lines),
                    "lines": ranges,
                    **({"first": first} if first > 1 else {}),
                }
            )

        def shift(located: Located | None) -> list[int] | None:
            if located is None:
                return None
            file, (line, column, end_line, end_column), _ = located
            index, first, last = shown_lines[file.filename]
            if line < first or end_line > last:
                return None  # further down than the pane goes
            return [index, line - first + 1, column, end_line - first + 1, end_column]

        return shown, shift

    def _range(self, file: File) -> tuple[int, int]:
        """Returns the first and the last line that a pane shows of a file."""
        seen = self._seen[file]
        first, last = 1, len(file.lines)
        if last > LONGEST:
            first, last = min(seen), max(seen)
            for node in ast.walk(file.tree):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                    end = node.end_lineno or node.lineno
                    if any(node.lineno <= line <= end for line in seen):
                        first, last = min(first, node.lineno), max(last, end)
        panes = len(self._seen)
        last = min(last, first + min(4 * LONGEST, LINES // panes - 1))
        letters = list(accumulate(len(line) + 1 for line in file.lines[first - 1 : last]))
        return first, first - 1 + bisect_right(letters, LETTERS // panes)

    def _name(self, file: File, used: set[str]) -> str:
        name = self.names.get(file.filename)
        if name is None:
            is_cell = _CELL.search(file.filename) is not None
            name = "cell" if is_cell else os.path.basename(file.filename) or "code"
        name, base, count = str(name), str(name), 1
        while name in used:
            count += 1
            name = f"{base} {count}"
        used.add(name)
        return name

    def _executed(self, file: File) -> list[list[int]] | None:
        """Returns line ranges that took part. A branch is left out when nothing in it was seen but
        its sibling was.
        """
        if file.filename in self.executed:
            lines = set(self.executed[file.filename])
        elif file.root is None:
            return None
        else:
            lines = set(range(1, len(file.lines) + 1)) - _branches_not_taken(file, self._seen[file])
        return _ranges(lines)


def _branches_not_taken(file: File, seen: set[int]) -> set[int]:
    dark = set()
    for node in file.nodes.values():
        if not isinstance(node, ast.If) or not node.orelse:
            continue
        body, other = (
            set(range(part[0].lineno, (part[-1].end_lineno or 0) + 1))
            for part in (node.body, node.orelse)
        )
        if body & seen and not other & seen:
            dark |= other
        elif other & seen and not body & seen:
            dark |= body
    return dark


def _ranges(lines: set[int]) -> list[list[int]]:
    ranges: list[list[int]] = []
    for line in sorted(lines):
        if ranges and line == ranges[-1][1] + 1:
            ranges[-1][1] = line
        else:
            ranges.append([line, line])
    return ranges
