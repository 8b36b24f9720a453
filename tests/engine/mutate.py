"""Break every rule of the table in many small ways and see that the checks turn red: `make mutate`,
or some rows only, `make mutate ARGS="Tanh Exp"`.

Two kinds of mutants. *Coarse* ones wrap a rule: its part scaled, with the other sign, dropped, or
exchanged with that of another input. *Fine* ones change one spot of the rule's source: another
operator, another constant, a missing minus, an input in place of another. A mutant survives if
every case of its row still passes; then either a test is missing or the mutant is no mistake at
all. Those of the second kind are listed in `HARMLESS`.
"""

import ast
import copy
import difflib
import importlib
import pkgutil
import sys
import time
import warnings

import numpy as np

import minitape.compile.concrete  # noqa: F401  its row is made when it is first needed
import minitape.engine.ops
from minitape.engine.ops.record import OPS
from tests.engine.cases import CASES
from tests.engine.check import check, check_batched, draw_inputs

# Mutants that compute the same, by the beginning of their description, and why.
ZERO = "its part is zero anyway"
CORNER = "differs at one point only, which the recorded answers hold"
SAME = "the same for the shapes that there are"
HARMLESS = {
    "Add rules 0 and 1: swap": "both rules are the same",
    "BiasAdd rules 0 and 1: swap": "both rules are the same",
    "Sum rule 0: sign": "the check sums as well, and minus times minus is plus; the recorded "
    "answers hold it",
    "Sign rule 0:": ZERO,
    "NextAfter rule 1:": ZERO,
    "ReluGrad rule 1:": ZERO,
    "Relu6Grad rule 1:": ZERO,
    "LeakyReluGrad rule 1:": ZERO,
    "MaxPoolGrad rule 1:": ZERO,
    "MaxPoolGrad rule 2:": ZERO,
    "MaxPoolGradGrad rule 1:": ZERO,
    "MaxPoolGradGrad rule 2:": ZERO,
    **{
        f"{name} rule 0: g * {name.lower()}(cast({change}": CORNER
        for name in ("Xdivy", "Xlogy", "Xlog1py")
        for change in ("b != 0", "a != 1", "a != 0, dtype=numpy_dtype(b)")
    },
    "Abs rule 0: g / sign(x)": "the sign is its own reciprocal",
    "Digamma rule 0: g * polygamma(1 - 0": "plus or minus nothing",
    "Digamma rule 0: g * polygamma(1 + 0 /": "plus or minus nothing",
    "MatrixSetDiag rule 1: diag_part": SAME,
    "SoftmaxCrossEntropyGrad rule 0: along_last(gg, softmax(x, axis=+1) - t)": SAME,
    "AssignVariableOp": "an assignment is differentiated inside of tf.function only; its tests "
    "hold it",
    "AssignAddVariableOp": "an assignment is differentiated inside of tf.function only; its "
    "tests hold it",
    "AssignSubVariableOp": "an assignment is differentiated inside of tf.function only; its "
    "tests hold it",
}

# In the table once the fast path was on, in the same process: tests/jit hold them.
OF_KERNELS = {"NormalizeScale", "NormalizeScaleGrad"}


def scaled(part, factor):
    """Return a part, or a tuple of parts, times a factor."""
    if isinstance(part, (tuple, list)):
        return type(part)([scaled(p, factor) for p in part])
    return None if part is None else part * factor


def coarse(op):
    """Yield (description, new values of the row's slots) for mutants that wrap a rule."""
    for slot in ("each", "joint"):
        rule = getattr(op, slot)
        if rule is not None:
            for name, factor in (("scale", 1.5), ("sign", -1), ("zero", 0)):
                yield (
                    f"{op.name} {slot}: {name}",
                    {slot: lambda *a, rule=rule, factor=factor, **k: scaled(rule(*a, **k), factor)},
                )
    rules = op.rules
    for i, rule in enumerate(rules):
        if rule is None:
            continue
        for name, factor in (("scale", 1.5), ("sign", -1)):
            wrapped = lambda *a, rule=rule, factor=factor, **k: scaled(rule(*a, **k), factor)
            yield f"{op.name} rule {i}: {name}", {"rules": replaced(rules, i, wrapped)}
        yield f"{op.name} rule {i}: drop", {"rules": replaced(rules, i, None)}
        for j in range(i + 1, len(rules)):
            if rules[j] is not None:
                yield (
                    f"{op.name} rules {i} and {j}: swap",
                    {"rules": replaced(replaced(rules, i, rules[j]), j, rule)},
                )


def replaced(rules, i, rule):
    return (*rules[:i], rule, *rules[i + 1 :])


SWAPS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.GtE: ast.Lt,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.Lt: ast.GtE,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


def fine(module, names=()):
    """Yield (description, row, slots) for mutants of the lambdas in one file of the table, or those
    of the named rows.
    """
    with open(module.__file__) as file:
        tree = ast.parse(file.read())
    for call in ast.walk(tree):
        if not (
            isinstance(call, ast.Call)
            and getattr(call.func, "id", "") == "Op"
            and isinstance(call.args[0], ast.Constant)
            and (not names or call.args[0].value in names)
        ):
            continue
        op = OPS[call.args[0].value]
        places = [("rules", i, node) for i, node in enumerate(call.args[2:])]
        places += [(k.arg, None, k.value) for k in call.keywords if k.arg in ("each", "joint")]
        for slot, i, node in places:
            if not isinstance(node, ast.Lambda):
                continue
            for text, mutant in variants(node):
                rule = eval(
                    compile(
                        ast.fix_missing_locations(ast.Expression(mutant)), module.__file__, "eval"
                    ),
                    vars(module),
                )
                yield (
                    f"{op.name} {'rule ' + str(i) if i is not None else slot}: {text}",
                    op,
                    {slot: rule if i is None else replaced(op.rules, i, rule)},
                )


def variants(node):
    """Yield (text, lambda) with one spot of the body changed."""
    for number, site in enumerate(ast.walk(node.body)):
        for change in changes(site):
            twin = copy.deepcopy(node)
            place = list(ast.walk(twin.body))[number]
            change(place)
            if ast.unparse(twin.body) != ast.unparse(node.body):
                yield ast.unparse(twin.body), twin


def changes(site):
    """Return functions that change a node in place."""
    if isinstance(site, ast.BinOp) and type(site.op) in SWAPS:
        return [lambda n: setattr(n, "op", SWAPS[type(n.op)]())]
    if isinstance(site, ast.Compare):
        return [lambda n: setattr(n, "ops", [SWAPS[type(n.ops[0])]()])]
    if isinstance(site, ast.UnaryOp) and isinstance(site.op, ast.USub):
        return [lambda n: setattr(n, "op", ast.UAdd())]
    if (
        isinstance(site, ast.Constant)
        and isinstance(site.value, (int, float))
        and not isinstance(site.value, bool)
    ):
        return [lambda n: setattr(n, "value", n.value + 1)]
    if isinstance(site, ast.Name) and site.id in ("a", "b", "sin", "cos", "sinh", "cosh"):
        return [
            lambda n: setattr(
                n,
                "id",
                {"a": "b", "b": "a", "sin": "cos", "cos": "sin", "sinh": "cosh", "cosh": "sinh"}[
                    n.id
                ],
            )
        ]
    return []


def mutants(names=()):
    """Return all mutants, or those of the named rows: (description, row, slots)."""
    rows = [
        op for op in OPS.values() if op.name not in OF_KERNELS and (not names or op.name in names)
    ]
    found = [(text, op, slots) for op in rows for text, slots in coarse(op)]
    for info in pkgutil.walk_packages(minitape.engine.ops.__path__, "minitape.engine.ops."):
        found += fine(importlib.import_module(info.name), names)
    return found


def row_named(name):
    """Return the row of this name. Raises `LookupError`, which names the nearest ones, where there
    is none.
    """
    if name in OPS:
        return OPS[name]
    lowered = {known.lower(): known for known in OPS}
    near = difflib.get_close_matches(name.lower(), lowered, n=4, cutoff=0.5)
    hint = (
        f"The nearest ones: {', '.join(lowered[n] for n in near)}."
        if near
        else "Rows are called as TensorFlow's operations: Mul, Tanh."
    )
    raise LookupError(f"The table has no row {name!r}. {hint}")


def survives(op, slots):
    """Return True where every case of the row passes with the mutant in its place."""
    cases = [c for c in CASES if c.op == op.name and c.order]
    before = {slot: getattr(op, slot) for slot in slots}
    for slot, value in slots.items():
        setattr(op, slot, value)
    try:
        return all(passes(case) for case in cases)
    finally:
        for slot, value in before.items():
            setattr(op, slot, value)


def passes(case):
    """Return True where a case passes, first order, at a fixed place."""
    shapes = (
        case.shapes
        if case.shapes is not None
        else [[(2, 3), (3,), (2, 1)][: case.inputs], [(4, 5)] * case.inputs]
    )
    for shape in shapes:
        rng = np.random.default_rng(8)
        try:
            arrays = draw_inputs(case, rng, shape)
            check(case, arrays, rng, orders=1)
            check_batched(case, arrays, rng)
        except Exception:
            return False
    return True


def harmless(text):
    return next((why for pattern, why in HARMLESS.items() if text.startswith(pattern)), None)


def survivors(chosen):
    """Return the descriptions of the mutants that survive and should not."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return [
            text for text, op, slots in chosen if harmless(text) is None and survives(op, slots)
        ]


def main(names):
    """Run the mutants of the named rows, or all, and print the survivors; exit with 1 if there are
    any.
    """
    try:
        rows = [row_named(name) for name in names] or list(OPS.values())
    except LookupError as error:
        return error.args[0]
    start, chosen = time.time(), mutants(names)
    alive = survivors(chosen)
    left_out = sum(harmless(t) is not None for t, _, _ in chosen)
    print(
        f"{len(chosen)} mutants of {len(rows)} {'row' if len(rows) == 1 else 'rows'} in "
        f"{time.time() - start:.0f} s: "
        f"{len(chosen) - left_out - len(alive)} were found, {len(alive)} survive; {left_out} are "
        "known to be harmless and were left out."
    )
    for text in alive:
        print("  survives:", text)
    return bool(alive)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
