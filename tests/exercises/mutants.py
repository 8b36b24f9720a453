"""Wrong solutions, made from right ones: each mutator changes one place of a program in the way of
one misconception.
"""

import ast
import copy


def names_of(node):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def forgotten_accumulation(node):
    """Of a sum, only one summand."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield node.left
        yield node.right


def unsummed_broadcast(node):
    """What was to be summed, as it is."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("sum", "reduce_sum")
    ):
        of_library = isinstance(node.func.value, ast.Name) and node.func.value.id in ("np", "tf")
        yield node.args[0] if of_library else node.func.value


def cut_branch(node):
    """Nothing of a product arrives, or the tape ends there."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.MatMult)):
        yield ast.BinOp(node, ast.Mult(), ast.Constant(0.0))
        yield ast.Call(ast.parse("tf.stop_gradient", mode="eval").body, [node], [])


def wrong_transpose(node):
    """A transposition too few, or too many."""
    if isinstance(node, ast.Attribute) and node.attr == "T":
        yield node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield ast.Attribute(node, "T", ast.Load())


def swapped_operands(node):
    """Left and right in each other's place, where that is not the same."""
    if isinstance(node, ast.BinOp) and isinstance(
        node.op, (ast.Sub, ast.MatMult, ast.Div, ast.Pow)
    ):
        yield ast.BinOp(node.right, node.op, node.left)
    if isinstance(node, ast.Tuple) and len(node.elts) > 1 and isinstance(node.ctx, ast.Load):
        yield ast.Tuple([*node.elts[1:], node.elts[0]], ast.Load())


def missing_upstream(node):
    """One factor only."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.MatMult)):
        yield node.left
        yield node.right


def another_number(node):
    """A factor too many, a number that is a little off."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.MatMult, ast.Add)):
        yield ast.BinOp(node, ast.Mult(), ast.Constant(-1.0))
        yield ast.BinOp(node, ast.Mult(), ast.Constant(0.5))
        yield ast.BinOp(node, ast.Add(), ast.Constant(0.1))


MUTATORS = (
    forgotten_accumulation,
    unsummed_broadcast,
    cut_branch,
    wrong_transpose,
    swapped_operands,
    missing_upstream,
    another_number,
)


class _At(ast.NodeTransformer):
    def __init__(self, target, new):
        self.target, self.new = target, new

    def visit(self, node):
        return self.new if node is self.target else super().visit(node)


def mutants(text, among=lambda code: True):
    """Return {program: name of its misconception}: every mutator at every place where it changes
    the returned value.
    """
    tree, found = ast.parse(text), {}
    for mutator in MUTATORS:
        for k, node in enumerate(ast.walk(tree)):
            for new in range(len(list(mutator(node)))):
                again = copy.deepcopy(tree)
                here = list(ast.walk(again))[k]
                mended = ast.fix_missing_locations(_At(here, list(mutator(here))[new]).visit(again))
                code = ast.unparse(mended) + "\n"
                if among(code):
                    found.setdefault(code, mutator.__name__)
    found.pop(ast.unparse(tree) + "\n", None)
    return found
