"""A program that an author writes once: the solution, with the blanks that the learner sees marked
in it.

    adjoint_c = «adjoint_y * c»                     the learner sees  adjoint_c = ...
    loss = «tf.reduce_mean(e) <- np.mean(e)»        the learner sees  loss = np.mean(e), which is to be repaired
    «return g * y»                                  the learner sees  return ...
    #: forwards                                     a comment, in the learner's language:
                                                    `NAME.comment.forwards` of the catalogue

A blank is called by the last name before it on its line (`adjoint_c`, `loss`, `return`), or "body".
"""

from __future__ import annotations

import ast
import dis
import inspect
import linecache
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from types import CodeType, FunctionType
from typing import Any

from ..engine.base.errors import DTypeWarning
from ..engine.explainer import unwarned

_BLANK = re.compile(r"«(.*?)»", re.S)
_COMMENT = re.compile(r"#: *([\w-]+)")
_number = count(1)
# 3.14 has an instruction of its own for small numbers, which stand in no table of constants
NAMED = {
    *(*dis.hasname, *dis.haslocal, *dis.hasconst, *dis.hascompare, *dis.hasfree),
    dis.opmap.get("LOAD_SMALL_INT"),
}


class Program:
    """A program with blanks. `blanks`: {name: (right text, text that is shown)}."""

    def __init__(self, text: str) -> None:
        self._pieces: list[str] = []
        self.blanks: dict[str, tuple[str, str]] = {}
        end = 0
        for match in _BLANK.finditer(text):
            before = text[end : match.start()]
            self._pieces += [before, self._name(before.rpartition("\n")[2])]
            right, _, shown = match[1].partition(" <- ")
            whole = right.lstrip().startswith("return") or "\n" in right
            self.blanks[self._pieces[-1]] = right, shown or ("return ..." if whole else "...")
            end = match.end()
        self._pieces.append(text[end:])

    def _name(self, line: str) -> str:
        names = re.findall(r"[^\W\d]\w*", line)
        base = names[-1] if names else "body"
        return next(
            name
            for name in (base, *(f"{base}_{k}" for k in range(2, 100)))
            if name not in self.blanks
        )

    def marked(self) -> tuple[str, list[tuple[int, int]]]:
        """Return the right program, and where its blanks stand in it, in bytes."""
        text, blanks = "", []
        for k, piece in enumerate(self._pieces):
            more = self.blanks[piece][0] if k % 2 else piece
            if k % 2:
                blanks.append((len(text.encode()), len((text + more).encode())))
            text += more
        return text, blanks

    def filled(self, texts: Mapping[str, str], comment: Callable[[str], str] = str) -> str:
        """Return the program with these texts in its blanks."""
        text = "".join(texts[piece] if k % 2 else piece for k, piece in enumerate(self._pieces))
        return _COMMENT.sub(lambda match: f"# {comment(match[1])}", text)

    def starter(self, comment: Callable[[str], str] = str) -> str:
        """Return what the learner begins with."""
        return self.filled({name: shown for name, (_, shown) in self.blanks.items()}, comment)

    def solution(self, comment: Callable[[str], str] = str) -> str:
        """Return the right program."""
        return self.filled({name: right for name, (right, _) in self.blanks.items()}, comment)

    def edited(self, edits: Mapping[str, str]) -> str:
        """Return the right program with changes: {name of a blank: its text}, or {a piece of the
        solution: what stands there instead}.

        Raises ValueError for what is neither.
        """
        text = self.filled(
            {name: edits.get(name, right) for name, (right, _) in self.blanks.items()}
        )
        for old, new in edits.items():
            if old not in self.blanks:
                if old not in text:
                    raise ValueError(
                        f"{old!r} is neither a blank ({', '.join(self.blanks)}) nor a piece of "
                        "the solution."
                    )
                text = text.replace(old, new)
        return text


def run(text: str, space: dict[str, Any] | None = None) -> dict[str, Any]:
    """Run an author's program as a cell of a notebook would run, with `tf` and `np`; return what it
    defines.

    `space`: the dictionary to run it in, which holds what was defined so far where the program
    raises.
    """
    file = f"<exercise {next(_number)}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    space = {} if space is None else space
    space["__name__"] = "exercise"
    exec("import minitape as tf\nimport numpy as np", space)
    with unwarned(), warnings.catch_warnings():  # they would answer what is asked
        warnings.simplefilter("ignore", DTypeWarning)
        exec(compile(text, file, "exec", dont_inherit=True), space)
    return space


def codes_of(obj: Any) -> list[CodeType]:
    """Return the code of a function, or of each method of a class."""
    return [part.__code__ for part in functions_of(obj)]


def functions_of(obj: Any) -> list[FunctionType]:
    """Return a function without its decorators, or the methods of a class, those in its tables as
    well.
    """
    parts = list(vars(obj).values()) if isinstance(obj, type) else [obj]
    parts += [part for table in parts if isinstance(table, dict) for part in table.values()]
    bare = [inspect.unwrap(getattr(part, "python_function", part)) for part in parts]
    return [part for part in bare if isinstance(part, FunctionType)]


def tells_of_blank(error: BaseException) -> bool:
    """Say whether an error is about a `...` that was left. What NumPy says of places names it, too."""
    return "ellipsis" in str(error).lower().replace("ellipsis (`...`)", "")


def numbers_in(text: str) -> set[Any]:
    """Return the numbers that are written in a program; none where it is no Python, but a cell with
    a magic.
    """
    try:
        constants = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
    except SyntaxError:
        return set()
    return {node.value for node in constants if type(node.value) in (int, float)}


def gives(code: CodeType) -> bool:
    """Say whether a function returns something somewhere, by the word `return`."""
    steps = list(dis.get_instructions(code))
    return code.co_name != "<lambda>" and any(
        step.opname == "RETURN_VALUE" and (before.opname, before.argval) != ("LOAD_CONST", None)
        for before, step in zip(steps, steps[1:])
    )


def same_code(a: Any, b: CodeType) -> bool:
    """Say whether two functions do the same, step by step: neither file and line count, nor how the
    compiler calls a method.
    """
    return isinstance(a, CodeType) and list(_steps(a)) == list(_steps(b))


def _steps(code: CodeType) -> Iterator[tuple[str, Any]]:
    for step in dis.get_instructions(code):
        name = "LOAD_ATTR" if step.opname == "LOAD_METHOD" else step.opname
        if isinstance(step.argval, CodeType):
            yield from _steps(step.argval)
        elif step.opcode in NAMED:
            yield name, repr(step.argval)
        elif name in ("BINARY_OP", "IS_OP", "CONTAINS_OP"):  # which one: + or @, is or is not
            yield name, step.argrepr or step.arg
        elif name not in ("PRECALL", "PUSH_NULL", "NOP", "KW_NAMES"):
            yield name, None
