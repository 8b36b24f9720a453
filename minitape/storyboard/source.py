"""From a position in running code to a span of the learner's text.

The tape keeps, for every entry, a pair (code object, instruction offset): cheap to take, and no frame is held. Here the pair
becomes text when somebody looks: Python (3.11 and later) knows the exact columns of every instruction, so a multi-line
expression is marked operator by operator, in files and in notebook cells alike.
"""

import ast
import functools
import linecache
import os
import re

LONGEST = 250             # a file longer than this is cut down to the functions that took part

_CELL = re.compile(r"ipykernel_\d+|<ipython-input|<cell|_[0-9a-f]{8,}\.py$")


@functools.lru_cache(maxsize=32)
def _table(code):
    return list(code.co_positions())


def positions(where):
    """Returns (file name, line, column, end line, end column) of (code, offset), columns in UTF-8 bytes; or None."""
    if where is None:
        return None
    code, offset = where[0], where[1]
    table = _table(code)
    if not 0 <= offset // 2 < len(table):
        return None
    line, end_line, column, end_column = table[offset // 2]
    if line is None:
        return None
    if column is None or end_column is None:                    # -X no_debug_ranges: the line is all there is
        return code.co_filename, line, 0, line, None
    return code.co_filename, line, column, end_line or line, end_column


def lines_of(filename):
    """Returns the lines of a file or notebook cell without line ends; an empty list where the text is not to be had."""
    return [line.rstrip("\r\n") for line in linecache.getlines(filename)]


def _characters(line, byte_column):
    """Converts a column counted in UTF-8 bytes, as Python counts, to one counted in characters."""
    if line.isascii():
        return min(byte_column, len(line))
    return len(line.encode("utf-8")[:byte_column].decode("utf-8", "ignore"))


class SourceFile:
    """One file or notebook cell: its lines, its syntax tree where it can be parsed, and what was seen to run."""

    def __init__(self, filename, text=None):
        self.filename = filename
        self.lines = text.splitlines() if text is not None else lines_of(filename)
        self.seen = set()                                       # line numbers where something was recorded or noted
        self._tree = False

    @property
    def tree(self):
        """The syntax tree, or None; IPython's own lines (magics, `!`, `?`) are blanked before parsing."""
        if self._tree is False:
            lines = [("pass" if line.startswith(("%", "!", "?")) else line) for line in self.lines]
            for text in ("\n".join(lines), "\n".join(_without_indent(lines))):
                try:
                    self._tree = ast.parse(text)
                    break
                except (SyntaxError, ValueError, RecursionError):
                    self._tree = None
        return self._tree

    def span(self, found):
        """Returns (line, column, end line, end column) with columns in characters, kept within the text."""
        _, line, column, end_line, end_column = found
        if not 1 <= line <= len(self.lines):
            return None
        end_line = min(end_line, len(self.lines))
        last = self.lines[end_line - 1]
        end = len(last) if end_column is None else _characters(last, end_column)
        return line, _characters(self.lines[line - 1], column), end_line, end

    def snippet(self, span):
        """Returns the text of a span, line breaks and indentation folded to single blanks."""
        line, column, end_line, end_column = span
        if line == end_line:
            return self.lines[line - 1][column:end_column]
        parts = [self.lines[line - 1][column:], *self.lines[line:end_line - 1], self.lines[end_line - 1][:end_column]]
        return " ".join(" ".join(parts).split())


def _without_indent(lines):
    first = next((line for line in lines if line.strip()), "")
    indent = len(first) - len(first.lstrip())
    return [line[indent:] if not line[:indent].strip() else line for line in lines]


class Sources:
    """All code that a storyboard shows. `span` turns a position into the contract's five numbers."""

    def __init__(self, names=None, executed=None):
        self.names, self.executed = names or {}, executed or {}
        self.files, self._order, self._cache = {}, [], {}

    def locate(self, where, seen=True):
        """Returns (SourceFile, span within the file, raw position) of (code, offset), or None where no text is known.

        With `seen` the position counts as shown: its file becomes a code pane, its lines took part.
        """
        if where is None:
            return None
        key = (where[0], where[1])
        if key not in self._cache:
            self._cache[key] = self._locate(where)
        located = self._cache[key]
        if seen and located is not None:
            file, span, _ = located
            if file not in self._order:
                self._order.append(file)
            file.seen.update(range(span[0], span[2] + 1))
        return located

    def point(self, filename, span):
        """Returns what `locate` does for (line, column, end line, end column) in characters of a file that is known already, else None."""
        file = self.files.get(filename)
        if file is None or file not in self._order or span[0] is None:
            return None
        return file, span, (filename, *span)

    def _locate(self, where):
        found = positions(where)
        if found is None:
            return None
        file = self.files.get(found[0])
        if file is None:
            file = self.files[found[0]] = SourceFile(found[0])
        span = file.span(found)
        if span is None:
            return None
        return file, span, found

    def table(self):
        """Returns (the contract's "sources", a function from (file, span) to the contract's span)."""
        shown, first_lines = [], {}
        used = set()
        for index, file in enumerate(self._order):
            first, last = self._range(file)
            first_lines[file.filename] = (index, first)
            ranges = self._executed(file)
            if ranges is not None:
                ranges = [[max(a, first) - first + 1, min(b, last) - first + 1] for a, b in ranges if b >= first and a <= last]
            name = self._name(file, first, used)
            shown.append({"name": name, "text": "\n".join(file.lines[first - 1:last]), "lines": ranges})

        def shift(located):
            if located is None:
                return None
            file, (line, column, end_line, end_column), _ = located
            index, first = first_lines[file.filename]
            return [index, line - first + 1, column, end_line - first + 1, end_column]

        return shown, shift

    def _range(self, file):
        if len(file.lines) <= LONGEST:
            return 1, len(file.lines)
        first, last = min(file.seen), max(file.seen)
        for node in ast.walk(file.tree) if file.tree else ():
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) and any(
                    node.lineno <= line <= node.end_lineno for line in file.seen):
                first, last = min(first, node.lineno), max(last, node.end_lineno)
        return first, min(last, first + 4 * LONGEST)

    def _name(self, file, first, used):
        name = self.names.get(file.filename)
        if name is None:
            is_cell = _CELL.search(file.filename) is not None
            name = "cell" if is_cell else os.path.basename(file.filename) or "code"
            if first > 1:
                name += f", line {first}"
        name, base, count = str(name), str(name), 1
        while name in used:
            count += 1
            name = f"{base} {count}"
        used.add(name)
        return name

    def _executed(self, file):
        """Returns line ranges that took part. A branch is left out when nothing in it was seen but its sibling was."""
        if file.filename in self.executed:
            lines = set(self.executed[file.filename])
        elif file.tree is None:
            return None
        else:
            lines = set(range(1, len(file.lines) + 1)) - _branches_not_taken(file.tree, file.seen)
        return _ranges(lines)


def _branches_not_taken(tree, seen):
    dark = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.If) or not node.orelse:
            continue
        body, other = (set(range(part[0].lineno, part[-1].end_lineno + 1)) for part in (node.body, node.orelse))
        if body & seen and not other & seen:
            dark |= other
        elif other & seen and not body & seen:
            dark |= body
    return dark


def _ranges(lines):
    ranges = []
    for line in sorted(lines):
        if ranges and line == ranges[-1][1] + 1:
            ranges[-1][1] = line
        else:
            ranges.append([line, line])
    return ranges
