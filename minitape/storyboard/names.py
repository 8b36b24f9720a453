"""Names for the nodes of a picture: the learner's own.

In `y = w * x` the result is called y because the learner assigned it to y, and the factors are called w and x because that is
how the learner wrote them. Nothing at run time knows these names; the text does. So every recorded operation is looked up in
the syntax tree by its exact position, and the tree tells what the value is assigned to and what the operands are called.
"""

import ast

from minitape.engine.tensor import Tensor
from minitape.engine.variable import Variable

PRIMES = ("", "′", "″", "‴")
LONGEST_NAME = 24         # a longer expression is not a name


def numbered(name, count):
    """Returns the name of the count-th value called `name`: y, y′, y″, y‴, y #5, ..."""
    return name + PRIMES[count] if count < len(PRIMES) else f"{name} #{count + 1}"


def expression_name(node):
    """Returns how a value is called where it is used: `x`, `self.w`, `ws[0]`; "" for what is no name."""
    inner = node
    while isinstance(inner, (ast.Attribute, ast.Subscript)):
        inner = inner.value
    if not isinstance(inner, ast.Name):
        return ""
    text = ast.unparse(node)
    return text if len(text) <= LONGEST_NAME and "\n" not in text else ""


def _head(text):
    return text if len(text) <= 2 * LONGEST_NAME else text[:2 * LONGEST_NAME - 1] + "…"


class Tree:
    """The syntax tree of one file, indexed by position, every node knowing its parent."""

    def __init__(self, tree):
        self.by_position, self.calls_by_end, self.parents, self.call_targets = {}, {}, {}, {}
        for node in ast.walk(tree):
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
            if hasattr(node, "end_col_offset"):
                key = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
                if not isinstance(node, (ast.Expr, ast.Store, ast.Load)):
                    self.by_position.setdefault(key, node)
                if isinstance(node, ast.Call):          # a chain of methods over lines: Python 3.12 marks from the dot on
                    self.calls_by_end.setdefault(key[2:], node)
        for node in self.by_position.values():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                self.call_targets.setdefault(node.func.id, []).append(node)

    def find(self, position):
        _, line, column, end_line, end_column = position
        return self.by_position.get((line, column, end_line, end_column)) or self.calls_by_end.get((end_line, end_column))

    def assigned(self, node, depth=0):
        """Returns the names that the value of an expression is given, in order (several for an unpacking), or []."""
        if isinstance(node, ast.AugAssign):
            return [expression_name(node.target)]
        if isinstance(node, (ast.Tuple, ast.List)) and isinstance(node.ctx, ast.Store):     # `a, b = t` unpacks here
            return [expression_name(element) for element in node.elts]
        parent = self.parents.get(node)
        if isinstance(parent, (ast.IfExp, ast.Await)) and node is not getattr(parent, "test", None):
            return self.assigned(parent, depth)
        if isinstance(parent, (ast.NamedExpr, ast.AnnAssign)):
            return [expression_name(parent.target)]
        if isinstance(parent, ast.For) and parent.iter is node:
            return [expression_name(parent.target)]
        if isinstance(parent, ast.Assign):
            target = parent.targets[0]
            if isinstance(target, (ast.Tuple, ast.List)):
                return [expression_name(element) for element in target.elts]
            return [expression_name(target)]
        if isinstance(parent, ast.Tuple):               # a, b = x * x, y * y
            above = self.parents.get(parent)
            if isinstance(above, ast.Assign) and isinstance(above.targets[0], (ast.Tuple, ast.List)):
                names, place = above.targets[0].elts, parent.elts.index(node)
                return [expression_name(names[place])] if place < len(names) else []
            return []
        if isinstance(parent, ast.Return) or isinstance(parent, ast.Lambda) and parent.body is node:
            return self._returned(parent, depth)
        return []

    def _returned(self, node, depth):
        """A returned value is called as the caller calls it, where one call is all there is; else "f()"."""
        while node is not None and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            node = self.parents.get(node)
        if node is None:
            return []
        if isinstance(node, ast.Lambda):
            above = self.parents.get(node)
            if not (isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Name)):
                return []
            name = above.targets[0].id
        else:
            name = node.name
        calls = self.call_targets.get(name, [])
        if len(calls) == 1 and depth < 8:
            names = self.assigned(calls[0], depth + 1)
            if len(names) == 1 and names[0]:
                return names
        return [] if name.startswith("__") or name == "call" else [f"{name}()"]        # of models: their text says more

    def held(self, node):
        """Returns how an object made by a call is called: `x = make()`, `with make() as x`; else ""."""
        parent = self.parents.get(node)
        if isinstance(parent, ast.withitem) and parent.optional_vars is not None:
            return expression_name(parent.optional_vars)
        names = self.assigned(node)
        return names[0] if len(names) == 1 and not names[0].endswith("()") else ""

    def loop_around(self, node):
        """Returns the head of the loop that a node stands in, or the function, or ""."""
        while node is not None:
            if isinstance(node, ast.For):
                return _head(f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}")
            if isinstance(node, ast.While):
                return _head(f"while {ast.unparse(node.test)}")
            if isinstance(node, ast.comprehension):
                return _head(f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}")
            if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)):
                return self.loop_around(node.generators[0])
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                return f"{node.name}()"
            node = self.parents.get(node)
        return ""

    def operands(self, node, count):
        """Returns the expressions of the `count` inputs of an operation, as far as the text shows them (None elsewhere)."""
        if isinstance(node, ast.BinOp):
            found = [node.left, node.right]
        elif isinstance(node, ast.AugAssign):
            found = [node.target, node.value]
        elif isinstance(node, ast.UnaryOp):
            found = [node.operand]
        elif isinstance(node, ast.Compare):
            found = [node.left, *node.comparators]
        elif isinstance(node, ast.Subscript):
            found = [node.value]
        elif isinstance(node, ast.Call):
            found = self._arguments(node, count)
        else:
            found = []
        return (found + [None] * count)[:count]

    @staticmethod
    def _arguments(node, count):
        found = []
        for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
            if isinstance(argument, ast.Starred):
                break
            found += argument.elts if isinstance(argument, (ast.List, ast.Tuple)) else [argument]
        method = node.func if isinstance(node.func, ast.Attribute) else None
        if method is not None and len(found) < count and expression_name(method.value) and _of_values(method.attr):
            found = [method.value, *found]              # v.assign_add(u): the first input stands before the dot
        return found


def _of_values(method):
    """Says whether tensors or variables have this method; in `self.dense(x)`, self is no value."""
    return any(hasattr(kind, method) for kind in (Tensor, Variable))


def _plays(node):
    return isinstance(node.func, ast.Attribute) and node.func.attr in ("gradient", "jacobian", "batch_jacobian")


class Names:
    """Collects the names of values while the entries of a tape are gone through in order."""

    def __init__(self, sources):
        self.sources, self._trees, self._run = sources, {}, (None, None, 0, set())

    def _find(self, located):
        file, _, position = located
        if file.filename not in self._trees:
            self._trees[file.filename] = Tree(file.tree) if file.tree else None
        tree = self._trees[file.filename]
        return (tree, tree.find(position)) if tree else (None, None)

    def of_operation(self, where, op, count, layer=None):
        """Returns (names that the text gives to the result, names of the `count` inputs, number of the entry at this position).

        Several entries may come from one position: `model(x)` multiplies, adds, and squashes. They form a run, which begins
        anew when its first operation comes again (a loop), unless it comes from another `layer`.
        """
        located = self.sources.locate(where)
        if located is None:
            return [], [""] * count, 0
        tree, node = self._find(located)
        position, first, number, layers = self._run
        if position == located[2] and (op != first or layer is not None and layer not in layers):
            number += 1
        else:
            first, number, layers = op, 0, set()
        layers.add(layer)
        self._run = (located[2], first, number, layers)
        if node is None:
            return [], [""] * count, number
        inputs = [expression_name(operand) if operand is not None else "" for operand in tree.operands(node, count)]
        if isinstance(node, ast.Call):
            if number or _plays(node):                   # only the first of a run meets the arguments as they are written
                inputs = [""] * count
            if _plays(node):                             # what a play computes on its way has no name; its answers have
                return [], inputs, 0
        return tree.assigned(node), inputs, number

    def of_object(self, where):
        """Returns the name given to an object where it was made (a variable, a constant, a tape), or ""."""
        located = self.sources.locate(where, seen=False)
        tree, node = self._find(located) if located else (None, None)
        return tree.held(node) if node is not None else ""

    def as_written(self, where):
        """Returns the expression at a position where it is short enough for a name (`x[0]`), or ""."""
        located = self.sources.locate(where, seen=False)
        tree, node = self._find(located) if located else (None, None)
        text = ast.unparse(node) if isinstance(node, ast.expr) else ""
        return text if len(text) <= LONGEST_NAME and "\n" not in text else ""

    def is_play(self, where):
        """Says whether the expression at a position plays a tape backwards."""
        located = self.sources.locate(where)
        tree, node = self._find(located) if located else (None, None)
        return isinstance(node, ast.Call) and _plays(node)

    def of_argument(self, where):
        """Returns how the first operand of the expression at a position is called, or ""."""
        located = self.sources.locate(where)
        tree, node = self._find(located) if located else (None, None)
        operand = tree.operands(node, 1)[0] if node is not None else None
        if operand is None:
            return ""
        text = ast.unparse(operand)                      # what has no name is called as it was written: tf.constant(5)
        return expression_name(operand) or (text if len(text) <= LONGEST_NAME and "\n" not in text else "")

    def of_operands(self, where, count):
        """Returns how the operands of the expression at a position are called, "" for those without a name."""
        located = self.sources.locate(where)
        tree, node = self._find(located) if located else (None, None)
        operands = tree.operands(node, count) if node is not None else []
        return [expression_name(operand) if operand is not None else "" for operand in operands]

    def of_variable(self, where):
        """Returns the name given to a variable where it was made, or "" where the call there makes more than a variable."""
        located = self.sources.locate(where, seen=False)
        tree, node = self._find(located) if located else (None, None)
        if not isinstance(node, ast.Call):
            return ""
        maker = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return tree.held(node) if maker in ("Variable", "add_weight") else ""

    def assigned_at(self, where):
        """Returns the names that the value of the expression at a position is given."""
        located = self.sources.locate(where, seen=False)
        tree, node = self._find(located) if located else (None, None)
        return tree.assigned(node) if node is not None else []

    def loop(self, where):
        """Returns the head of the loop around a position, else the function's name, else ""."""
        located = self.sources.locate(where)
        tree, node = self._find(located) if located else (None, None)
        return tree.loop_around(node) if node is not None else ""

    def snippet(self, where):
        """Returns the text of the expression that made a value, where it is short enough to stand for a name, else ""."""
        located = self.sources.locate(where)
        if located is None:
            return ""
        text = located[0].snippet(located[1])
        return text if len(text) <= LONGEST_NAME else ""
