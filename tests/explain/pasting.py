"""Running a program of the corpus, and pasting its cure into it."""

import ast
import contextlib
import difflib
import io

from tests.explain.programs import Program, as_cells


def ran(program):
    with contextlib.redirect_stdout(io.StringIO()):
        names, texts = as_cells(program, None)
    return names.get("e"), texts  # None: it only asks where a gradient is None


def pasted(program, e, text):
    """Returns the program with the cure in place of the lines it names, or of the guilty statement
    (of a loop or a block: of its head). What follows then stands for the line that it is like.
    """
    over, (line, *others) = e.params.get("over"), e.cure
    new = put(text, *(over[1:] if over else head(text, e.lineno)), e.cure if over else [line])
    for other in others if not over else ():
        (old,) = difflib.get_close_matches(other, map(str.strip, new.split("\n")), 1, 0.0)
        new = new.replace(old, other)
    return Program(program.name, "", program.code.replace(text, new))


def put(text, first, last, new):
    """Returns a text with other lines in the place of some."""
    lines = text.split("\n")
    indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
    lines[first - 1 : last] = [indent + line for line in new]
    return "\n".join(lines)


def head(text, lineno):
    """Returns the lines of the innermost statement around a line; of a loop or a block: of its
    head.
    """
    found = [
        s
        for s in ast.walk(ast.parse(text))
        if isinstance(s, ast.stmt) and s.lineno <= lineno <= last_line(s)
    ]
    stmt = max(found, key=lambda s: s.lineno)
    return stmt.lineno, last_line(stmt)


def last_line(stmt):
    body = getattr(stmt, "body", None)
    return body[0].lineno - 1 if body else stmt.end_lineno
