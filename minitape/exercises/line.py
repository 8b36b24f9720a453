"""A line to name: where does something happen in a program?

The author marks the line at its end with `#! here`, and lines that people name wrongly with the
idea that they miss, `#! too-late`. The learner does not see the marks. Of any other line the tape
itself tells what happened there.
"""

from __future__ import annotations

import ast
import html
import io
import re
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..explain.explanation import CODE
from ..storyboard import Film
from .answers import array_of, not_yet, your_answer
from .cards import cards_of
from .exercise import Exercise, Wrong
from .function import board_of
from .outcome import NotAttempted, NotYet, Text
from .program import run

_MARK = re.compile(r"[ \t]*#! *([\w.-]+)[ \t]*$", re.M)
HERE = "here"
# of what a value is made on which nothing is computed
GIVEN = (ast.Constant, ast.Tuple, ast.List, ast.Call, ast.Attribute)
GIVEN += (ast.keyword, ast.UnaryOp, ast.USub, ast.Load)


class Numbered(Text):
    """A program with numbered lines. On a page the numbers are not selected, so that one can copy
    the program into a cell.
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        lines = [
            "<span "
            f'style="user-select:none">{line[:5]:<5}</span>{html.escape(line[5:], quote=False)}'
            for line in self.split("\n")
        ]
        return f'<pre style="{CODE};margin:0">' + "\n".join(lines) + "</pre>"


@dataclass(frozen=True, kw_only=True, eq=False)
class Line(Exercise):
    """A line to name, in a marked program. `twin`: the same in minitape, which runs in the place of
    a program of another library; there each line is marked.
    """

    program: str
    twin: str = ""

    shows = True

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "wrong", tuple(Wrong(idea, line) for line, idea in self.marks if idea != HERE)
        )

    @property
    def marks(self) -> list[tuple[int, str]]:
        """The marks, as (line, idea)."""
        return [
            (line, match[1])
            for line, text in enumerate(self.program.splitlines(), 1)
            if (match := _MARK.search(text))
        ]

    @property
    def shown(self) -> str:
        """The program without the marks."""
        return _MARK.sub("", self.program)

    @property
    def lines(self) -> list[str]:
        """Its lines."""
        return self.shown.splitlines()

    def question(self) -> Numbered:
        """Return the program with numbered lines."""
        return Numbered(
            "\n".join(f"{k:>3}  {line}".rstrip() for k, line in enumerate(self.lines, 1))
        )

    @cached_property
    def film(self) -> Film:
        """What happened when the program ran. What it prints is not said to be the learner's."""
        with redirect_stdout(io.StringIO()), Film() as film:
            run(self.twin or self.shown)
        return film

    @property
    def solution_code(self) -> str:
        return f"answer = {next(line for line, idea in self.marks if idea == HERE)}\n"

    def wrong_code(self, wrong: Wrong) -> str:
        return f"answer = {wrong.answer}\n"

    def judge(self, answer: Any) -> Any:
        line = self._line(answer)
        idea = dict(self.marks).get(line)
        if idea == HERE:
            return board_of(self.film)
        idea = idea or self.what_happened(line)
        raise NotYet(idea, self.idea(idea, line=line, text=self.lines[line - 1].strip()))

    def what_happened(self, line: int) -> str:
        """Return what the tapes have of a line: "line-recorded", "line-beside" or "line-nothing"."""
        text = self.lines[line - 1].strip()
        if not text or text.startswith(("#", "with ", "def ", "import ", "from ")):
            return "line-nothing"
        if only_given(text):
            return "line-given"
        cards = [card for tape in self.film.tapes for card in cards_of(tape.held, {})]
        return "line-recorded" if any(card.line == line for card in cards) else "line-beside"

    def _line(self, answer: Any) -> int:
        if answer is Ellipsis:
            raise NotAttempted
        if answer is None:
            raise not_yet("none-answer")
        if isinstance(answer, str) and not answer.strip().isdigit():
            written, lines = answer.strip(), list(enumerate(self.lines, 1))
            result = [k for k, line in lines if written and line.strip() == written]
            pieces = [k for k, line in lines if written and written in line]
            result = result or pieces * (len(pieces) == 1)
            if not result:
                raise NotYet("no-such-text", self.idea("no-such-text"))
            return result[0]
        number = array_of(int(answer) if isinstance(answer, str) else answer, your_answer())
        if number.ndim or number != int(number) or not 1 <= number <= len(self.lines):
            raise NotYet("no-such-line", self.idea("no-such-line", count=len(self.lines)))
        return int(number)


def only_given(text: str) -> bool:
    """Say whether a line only gives names to numbers, constants and variables."""
    try:
        line = ast.parse(text).body[0]
    except SyntaxError:  # a part of a longer statement
        return False
    return isinstance(line, ast.Assign) and all(
        isinstance(node, GIVEN) or isinstance(node, ast.Name) and node.id == "tf"
        for node in ast.walk(line.value)
    )
