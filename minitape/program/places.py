"""From a position in running code to a span of text.

Python (3.11 and later) knows the exact columns of every instruction, for its own tracebacks, so a
multi-line expression is marked operator by operator, in files and in notebook cells alike.
"""

from __future__ import annotations

import functools
import linecache
import os
import stat
from types import CodeType
from typing import Any, NamedTuple

from .aliases import Node, Where

# The name of any text that `exec` runs, for which early 3.13 answers the text of `python -c`.
NOBODYS = "<string>"


class Span(NamedTuple):
    """A piece of text: lines from 1, columns from 0 in bytes of UTF-8, as Python's own tables and
    its syntax trees have them.

    `end_column` is None where the line is all there is.
    """

    filename: str
    line: int
    column: int
    end_line: int
    end_column: int | None


@functools.lru_cache(maxsize=64)
def _table(code: CodeType) -> list[tuple[Any, ...]]:
    return list(code.co_positions())


def positions(where: Where | Span | None) -> Span | None:
    """Return the `Span` of (code object, instruction offset), or None where Python does not know
    it. A `Span` is returned unchanged.
    """
    if where is None or isinstance(where, Span):
        return where
    code, offset = where[0], where[1]
    table = _table(code)
    if not 0 <= offset // 2 < len(table):
        return None
    line, end_line, column, end_column = table[offset // 2]
    if line is None:
        return None
    if column is None or end_column is None:  # -X no_debug_ranges
        return Span(code.co_filename, line, 0, line, None)
    return Span(code.co_filename, line, column, end_line or line, end_column)


def lines_of(filename: str) -> list[str]:
    """Return the lines that a traceback would show; none of a pipe or a device, which has no end."""
    if filename == NOBODYS:
        return []
    try:
        if filename not in linecache.cache and not stat.S_ISREG(os.stat(filename).st_mode):
            # nor does a warning or a traceback, which Python writes, wait for them
            linecache.cache[filename] = 0, None, [], filename
    except OSError:  # linecache knows other places, such as a zip file
        pass
    except ValueError:  # no system has such a file
        return []
    return linecache.getlines(filename)


def span_of(node: Node) -> Span:
    """Return the position of a piece of text."""
    file = node.file
    return Span(file.filename, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def line_at(where: Where | Span | None) -> tuple[int, str] | None:
    """Return (line number, its text without blanks around it) of a position, the text "" where it
    is not to be had; or None.
    """
    position = positions(where)
    return position and (
        position.line,
        "".join(lines_of(position.filename)[position.line - 1 :][:1]).strip(),
    )


def in_characters(line: str, byte_column: int) -> int:
    """Convert a column counted in UTF-8 bytes, as Python counts, to one counted in characters."""
    if line.isascii():
        return min(byte_column, len(line))
    return len(line.encode("utf-8")[:byte_column].decode("utf-8", "ignore"))
