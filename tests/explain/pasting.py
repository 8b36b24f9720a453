"""Running a program of the corpus, and pasting its cure into it."""

import ast
import contextlib
import io

from tests.explain.programs import Program, as_cells


def ran(program):
    with contextlib.redirect_stdout(io.StringIO()):
        names, texts = as_cells(program, None)
    return names.get("e"), texts  # None: it only asks where a gradient is None


def pasted(program, e, text):
    """Returns the program with the cure in place of the lines it names, or of the guilty statement
    (of a loop or a block: of its head).
    """
    lines = text.split("\n")
    if "over" in e.params:
        _, first, last = e.params["over"]
        indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
        lines[first - 1 : last] = [indent + line for line in e.cure]
        return Program(program.name, "", program.code.replace(text, "\n".join(lines)))
    found = [
        s
        for s in ast.walk(ast.parse(text))
        if isinstance(s, ast.stmt) and s.lineno <= e.lineno <= last_line(s)
    ]
    stmt = max(found, key=lambda s: s.lineno)
    lines[stmt.lineno - 1 : last_line(stmt)] = [
        lines[stmt.lineno - 1][: stmt.col_offset] + e.cure[0]
    ]
    return Program(program.name, "", program.code.replace(text, "\n".join(lines)))


def last_line(stmt):
    body = getattr(stmt, "body", None)
    return body[0].lineno - 1 if body else stmt.end_lineno
