"""The learner's program as text: from a position in running code to the node of its syntax tree.

A tape keeps positions, not text. Here a position becomes the exact expression, in a file or in a notebook cell, and the
expression tells what its value is called, in which function it stands, and which names it uses.
"""

import ast

from minitape.storyboard.source import SourceFile, positions

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class File:
    """One file or cell: its text, its tree, every node by position and with its parent."""

    def __init__(self, filename):
        self.filename = filename
        self.text = SourceFile(filename)
        self.tree = self.text.tree
        self.nodes, self.ends, self.parent, self.imports = {}, {}, {}, {}
        for node in ast.walk(self.tree) if self.tree else ():
            for child in ast.iter_child_nodes(node):
                self.parent[child] = node
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                home = getattr(node, "module", None)
                for alias in node.names:
                    self.imports[alias.asname or alias.name.partition(".")[0]] = f"{home}.{alias.name}" if home else alias.name
            if isinstance(node, (ast.expr, ast.stmt)) and not isinstance(node, ast.Expr):
                self.nodes.setdefault((node.lineno, node.col_offset, node.end_lineno, node.end_col_offset), node)
                if isinstance(node, ast.Call):
                    self.ends.setdefault((node.end_lineno, node.end_col_offset), node)

    @property
    def is_cell(self):
        """True for a notebook cell or an interactive line: their names are shared."""
        return self.filename.startswith("<") or "ipykernel" in self.filename

    def find(self, line, column, end_line, end_column):
        """Return the node at a position, else the smallest expression around it, else None."""
        exact = self.nodes.get((line, column, end_line, end_column)) or self.ends.get((end_line, end_column))
        if exact is not None:
            return exact
        around = [(e[0] - s[0], e[1] - s[1] if e[0] == s[0] else 10000, n) for k, n in self.nodes.items()
                  for s, e in [(k[:2], k[2:])] if s <= (line, column) and (end_line, end_column or 0) <= e]
        return min(around, key=lambda a: a[:2])[2] if around else None


class Program:
    """All files and cells that positions of one tape point into, read when they are first asked for."""

    def __init__(self):
        self.files, self.known = {}, {}

    def file(self, filename):
        """Return the `File` of a name; its tree is None where the text is not to be had."""
        if filename not in self.files:
            self.files[filename] = File(filename)
        return self.files[filename]

    def node(self, where):
        """Return the syntax node at `(code, offset)`, or None."""
        if where is None:
            return None
        if where not in self.known:
            self.known[where] = self._find(where)
        return self.known[where]

    def _find(self, where):
        found = positions(where)
        if found is None:
            return None
        filename, line, column, end_line, end_column = found
        node = self.file(filename).find(line, column, end_line, end_column)
        if node is not None:
            node.file = self.file(filename)
        return node

    def file_of(self, where):
        """Return the `File` of a position, or None."""
        return None if where is None else self.file(where[0].co_filename)

    def load(self, wheres):
        """Read the files of many positions."""
        for where in wheres:
            if where is not None:
                self.file(where[0].co_filename)

    def trees(self):
        """Return the files that could be parsed."""
        return [f for f in self.files.values() if f.tree is not None]


def parent(node):
    """Return the node around a node that `Program.node` gave, or None."""
    above = node.file.parent.get(node)
    if above is not None:
        above.file = node.file
    return above


def above(node, kinds, stop=()):
    """Return the nearest node of some kinds around a node, or None."""
    node = parent(node)
    while node is not None and not isinstance(node, kinds):
        if stop and isinstance(node, stop):
            return None
        node = parent(node)
    return node


def statement(node):
    """Return the statement that a node stands in."""
    return node if isinstance(node, ast.stmt) else above(node, ast.stmt)


def inside(node, container):
    """True where `node` is `container` or stands in it."""
    while node is not None:
        if node is container:
            return True
        node = parent(node)
    return False


def names_used(node):
    """Return the plain names that are read in a piece of code."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def assigned_names(node):
    """Return how the value of a node is called: the targets of the assignment whose right side it is, as text."""
    if isinstance(node, ast.AugAssign):
        return [ast.unparse(node.target)]
    above_it = parent(node)
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):        # the elements that it goes through
        return _each(node.generators[0])
    if isinstance(above_it, (ast.For, ast.comprehension)) and above_it.iter is node:
        return _each(above_it)
    if isinstance(above_it, (ast.AnnAssign, ast.NamedExpr)) and above_it.value is node:
        return [ast.unparse(above_it.target)]
    if isinstance(above_it, ast.Assign):
        return [ast.unparse(t) for t in above_it.targets if not isinstance(t, (ast.Tuple, ast.List))]
    if isinstance(above_it, (ast.Tuple, ast.List)) and isinstance(parent(above_it), ast.Assign):
        target = parent(above_it).targets[0]
        if isinstance(target, (ast.Tuple, ast.List)) and len(target.elts) == len(above_it.elts):
            return [ast.unparse(target.elts[above_it.elts.index(node)])]
    return []


def _each(loop):
    """Return how a loop calls the elements that it goes through, where it has one name for them."""
    target = loop.target
    if isinstance(target, ast.Tuple) and isinstance(loop.iter, ast.Call) and ast.unparse(loop.iter.func) == "enumerate":
        target = target.elts[-1]
    return [target.id] if isinstance(target, ast.Name) else []


def short(node, longest=40):
    """Return an expression as one line of text, shortened in the middle where it is long."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= longest else text[:longest - 14] + " ... " + text[-9:]
