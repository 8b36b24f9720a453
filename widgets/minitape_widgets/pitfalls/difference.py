"""Where two programs differ: the stretches of each that the other has not, to be marked in both.

A line that has a counterpart is compared word by word; a line of its own, or one that was only
indented, is marked as a whole.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

Mark = tuple[int, int, int]  # line (from 1), first and last column, in characters


def difference(broken: str, fixed: str) -> tuple[list[Mark], list[Mark]]:
    """Returns the marks of both programs."""
    a, b = broken.splitlines(), fixed.splitlines()
    marks: tuple[list[Mark], list[Mark]] = [], []
    for _, i, j, k, m in changes(a, b):
        both = list(zip(range(i, j), range(k, m)))
        for x, y in both:
            for marked, n, line, other in ((marks[0], x, a[x], b[y]), (marks[1], y, b[y], a[x])):
                marked += [(n + 1, *stretch) for stretch in stretches(line, other)]
        for marked, lines, rest in (
            (marks[0], a, range(i + len(both), j)),
            (marks[1], b, range(k + len(both), m)),
        ):
            marked += [(n + 1, *columns(lines[n])) for n in rest if lines[n].strip()]
    return marks


def changes(a: list[str], b: list[str]) -> list[tuple[str, int, int, int, int]]:
    """Returns what differs, as difflib's opcodes."""
    return [
        code
        for code in SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
        if code[0] != "equal"
    ]


def stretches(line: str, other: str) -> list[tuple[int, int]]:
    """Returns the columns of a line that its counterpart has not: from the first to the last word
    that differs in each place.
    """
    words, others = (re.findall(r"[\w.]+|\s+|.", text) for text in (line, other))
    if line.strip() == other.strip() or SequenceMatcher(None, line, other).ratio() < 0.4:
        return [columns(line)] if line.strip() else []
    ends = [0]
    for word in words:
        ends.append(ends[-1] + len(word))
    result = [(ends[i], ends[j]) for _, i, j, _, _ in changes(words, others) if j > i]
    return [(first, last) for first, last in result if line[first:last].strip()]


def columns(line: str) -> tuple[int, int]:
    """Returns the columns of a line without its indentation."""
    return len(line) - len(line.lstrip()), len(line.rstrip())
