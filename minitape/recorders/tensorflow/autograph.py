"""AutoGraph's text and the learner's: TensorFlow rewrites a function before it calls it, for
`tf.map_fn` say, into a file nobody wrote.

`tf.round(r * w)` is `ag__.converted_call(ag__.ld(tf).round, (ag__.ld(r) * ag__.ld(w),), None,
fscope)` there. TensorFlow knows which line came from which; with its wrappers taken away again, an
expression of that line is one of the learner's, letter for letter.
"""

from __future__ import annotations

import ast
import functools
import os
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from tensorflow.python.autograph.impl import api
from tensorflow.python.ops import script_ops

from minitape.engine.base import where
from minitape.program.files import file_of
from minitape.program.places import positions

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Where
    from minitape.program.aliases import Node
    from minitape.program.places import Span

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(api.__file__))), "")
NUMPY_FUNCTION = script_ops.py_func_common.__code__.co_filename
# what `predict` of a model does with its answer, as Keras calls it
TO_NUMPY = "convert_to_np_if_not_ragged"
# file -> (the learner's function, TensorFlow's map of its lines)
_rewritten: dict[str, tuple[CodeType, Any]] = {}


def replaced() -> list[tuple[Any, str, Callable[..., Any]]]:
    """Return (owner, name, what makes the new function out of the old one)."""
    return [(api, "_convert_actual", _converting)]


def _converting(old: Callable[..., Any]) -> Callable[..., Any]:
    def convert(function: Any, *options: Any) -> Any:
        converted = old(function, *options)
        # one text serves equal functions of two files
        _rewritten[converted.__code__.co_filename] = function.__code__, converted.ag_source_map
        return converted

    return convert


def own(where: Where) -> Where:
    """Return a position, that in the learner's own text where it is one in a text that AutoGraph
    has made of it.
    """
    file = where[0].co_filename
    return _own(_rewritten[file][0].co_filename, *where) if file in _rewritten else where


def here() -> Where:
    """Return the learner's position as `(code object, instruction offset)`, that in his own text."""
    return own(where.here())


def taken_by_library(frame: FrameType | None) -> bool:
    """Return True where TensorFlow itself called: not NumPy or Python's own library, nor AutoGraph,
    `predict` or `numpy_function`.
    """
    while frame is not None and where.is_inside(frame.f_code.co_filename):
        file = frame.f_code.co_filename
        if file == NUMPY_FUNCTION or frame.f_code.co_name == TO_NUMPY:
            return False
        if where.is_recorded(file) and not file.startswith(FOLDER):
            return True
        frame = frame.f_back
    return False


@functools.lru_cache(maxsize=10_000)
# the file is asked for because equal codes are one here
def _own(file: str, code: CodeType, offset: int) -> Where:
    function, lines = _rewritten[code.co_filename]
    place = positions((code, offset))
    origin = lines.get((code.co_filename, place.line)) if place is not None else None
    line = origin.loc.lineno if origin is not None else 0
    result = _same(place, function, line) if place is not None else None
    table = [
        (each, 2 * k, at) for each in _within(function) for k, at in enumerate(each.co_positions())
    ]
    start, end = (result[:2], result[2:]) if result is not None else ((), ())
    return next(
        (
            (each, k)
            for alike in (
                lambda at: (at[0], at[2]) == start and (at[1], at[3]) == end,
                # a method's call may be marked from its dot on
                lambda at: (at[1], at[3]) == end,
                lambda at: at[0] == line,
            )
            for each, k, at in table
            if alike(at)
        ),
        (function, 0),
    )


def _same(place: Span, function: CodeType, line: int) -> tuple[int, ...] | None:
    """Return where the expression at a place of the rewritten text stands in the learner's, which
    begins there about at `line`.
    """
    written, own = file_of(place.filename), file_of(function.co_filename)
    node = written.find(place)
    if node is None:
        return None
    text = plain(node)
    last = max(at[0] or 0 for each in _within(function) for at in each.co_positions())
    alike = [
        key
        for key, n in own.nodes.items()
        if function.co_firstlineno <= key[0] <= last and ast.unparse(n) == text
    ]
    alike.sort(key=lambda key: (key[0] < line, key))
    before = sum(
        key[0] == place.line and key < place[1:] and type(n) is type(node) and plain(n) == text
        for key, n in written.nodes.items()
    )
    return alike[min(before, len(alike) - 1)] if alike else None


def _within(code: CodeType) -> Iterator[CodeType]:
    """Yield a function's code, and that of all functions inside of it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _within(each)


def plain(node: Node) -> str:
    """Return the text of an expression without what AutoGraph has put around its names and calls."""
    return ast.unparse(_Plain().visit(ast.parse(ast.unparse(node))))


class _Plain(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = ast.unparse(node.func)
        if name == "ag__.ld":
            return node.args[0]
        if name == "ag__.converted_call":
            function, arguments, named = node.args[:3]
            return ast.Call(
                function,
                _arguments(arguments),
                named.keywords if isinstance(named, ast.Call) else [],
            )
        return node


def _arguments(node: Any) -> list[ast.expr]:
    """Return the arguments of a call that are written as one tuple: `(a,) + tuple(b)` stands for
    `a, *b`.
    """
    if isinstance(node, ast.BinOp):
        return _arguments(node.left) + _arguments(node.right)
    return node.elts if isinstance(node, ast.Tuple) else [ast.Starred(node.args[0])]
