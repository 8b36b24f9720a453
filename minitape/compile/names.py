"""The learner's names for the values of a program.

`y = x @ w + b` makes three tensors, of which one has a name. Python's own tables know for every recorded operation
the exact piece of source that ran; where this piece is the right side of an assignment, the left side is its name.
Variables and captured tensors are found among the names that the function uses.
"""

import ast
import builtins
import keyword
import linecache
import re

from ..engine.tensor import Tensor
from ..engine.variable import Variable
from ..engine.where import span

RESERVED = {*keyword.kwlist, *dir(builtins), "np"}


_known = {}             # file name -> (its lines, its assignments)


def _assignments(filename):
    """Return {(line, column, end line, end column) of a right side: the name on its left}."""
    lines = linecache.getlines(filename)
    before = _known.get(filename)
    if before is None or before[0] is not lines and before[0] != lines:
        _known[filename] = before = lines, _read_assignments("".join(lines))
    return before[1]


def _read_assignments(text):
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return {}
    found = {}

    def put(target, value):
        name = target.id if isinstance(target, ast.Name) else target.attr if isinstance(target, ast.Attribute) else None
        if name:
            found[value.lineno, value.col_offset, value.end_lineno, value.end_col_offset] = name
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for t, v in zip(target.elts, value.elts):
                put(t, v)

    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            put(node.targets[0], node.value)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            put(node.target, node.value)
        elif isinstance(node, ast.AugAssign):
            put(node.target, node)
    return found


def name_of(where):
    """Return the name that the learner gave to what was computed there, or None; the way back has no names."""
    place = span(where) if len(where) == 2 else None
    return _assignments(place.filename).get(tuple(place[1:])) if place else None


def comment_of(where):
    """Return the learner's line at this position, with its number, or an empty text."""
    place = span(where[:2])
    text = linecache.getline(place.filename, place.lineno).strip() if place else ""
    return text and f"{'back through ' if len(where) > 2 else ''}line {place.lineno}: {text}"


def names_in(function, arguments=()):
    """Return {number: name} of the variables and tensors that a function can see: globals, closure, attributes of
    its `self`.
    """
    found = {}

    def look(name, value, depth=0):
        if isinstance(value, (Tensor, Variable)):
            if depth > 1 and isinstance(value, Variable) and value.name != "Variable:0":
                name = value.name.removesuffix(":0")             # a layer has named it
            found.setdefault(value.id if isinstance(value, Tensor) else value._tensor.id, name)
        elif depth < 4 and isinstance(value, (list, tuple)):
            for k, v in enumerate(value[:100]):
                look(f"{name}_{k}", v, depth + 1)
        elif depth < 4 and isinstance(value, dict):
            for k, v in list(value.items())[:100]:
                look(f"{name}_{k}", v, depth + 1)
        elif depth < 4 and hasattr(value, "__dict__") and not isinstance(value, type) and not callable(getattr(value, "__self__", None)):
            if type(value).__module__ not in ("builtins", "types") and not hasattr(value, "__spec__"):
                for k, v in list(vars(value).items())[:100]:
                    look(k if name == "self" else f"{name}_{k}", v, depth + 1)

    if hasattr(function, "__self__"):
        look("self", function.__self__)
    code = getattr(function, "__code__", None)
    if code is not None:
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            try:
                look(name, cell.cell_contents)
            except ValueError:                # a name that has no value yet
                pass
        for name in code.co_names:
            if name in function.__globals__:
                look(name, function.__globals__[name])
    for name, value in arguments:
        look(name, value)
    return found


class Namer:
    """Gives out identifiers, each only once."""

    def __init__(self, taken=()):
        self.taken, self.count = set(RESERVED) | set(taken), 0

    def __call__(self, wish=None):
        """Return an identifier like the one wished for, or t1, t2, ..."""
        if wish is None:
            self.count += 1
            return self(f"t{self.count}")
        wish = re.sub(r"\W", "_", wish) or "t"
        wish = "_" + wish if wish[0].isdigit() else wish
        name, k = wish, 1
        while name in self.taken or not name.isidentifier():
            k += 1
            name = f"{wish}_{k}"
        self.taken.add(name)
        return name
