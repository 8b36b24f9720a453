"""The cures that have to do with leaves: what keeps gradients, who moves it, and which graph is
played.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from minitape.program.objects import attributes, class_name
from minitape.program.syntax import (
    FUNCTIONS,
    above,
    call_name,
    climbing,
    is_chain,
    names_used,
    siblings,
    statement,
    text_of,
)

from ..case.definitions import definition, definitions
from .rows import Rows
from .writing import LONGEST, MOST_LINES, Cure, alone, named, stored, written_anew

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..case.aliases import Break, Case, Node

OFF = ("no_grad", "inference_mode")
# what is asked for a gradient has no history there
OF_LEAVES = (
    *("torch-not-a-leaf", "torch-no-grad-wanted", "torch-too-late", "torch-frozen", "torch-buffer"),
    "integer-dtype",
)
OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


def own_leaf(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """What asks for a gradient asks for it last; a value in the middle keeps its own."""
    stmt = statement(node)
    result = moved(case, why, node, params)
    if result is not None:
        return result
    if isinstance(stmt, ast.Return):  # of a function: a value in the middle where it is called
        stmt = statement(definition(case, case.source_node))
        return _retained(stmt) if named(stmt, getattr(stmt, "value", None)) else None
    if not isinstance(stmt, ast.Assign) or len(stmt.targets) != 1:
        return None
    listed = isinstance(stmt.value, (ast.List, ast.Tuple, ast.ListComp)) and node is not stmt.value
    name, last = ast.unparse(stmt.targets[0]), _Last()
    whole = node if listed else stmt.value
    value = last.visit(ast.parse(ast.unparse(whole), mode="eval").body)
    if listed:
        asked = f"{ast.unparse(value)}.requires_grad_()"
        lines = written_anew([stmt], {node: asked}) if last.asked and not last.maker else []
        return (
            Cure(lines, [stmt]) if lines and isinstance(value, (ast.Call, ast.Attribute)) else None
        )
    if last.maker:
        return Cure([f"{name} = {ast.unparse(ast.Call(last.maker, [value], []))}"])
    if last.asked:
        text = ast.unparse(value)
        text = text if isinstance(value, (ast.Call, ast.Attribute)) else f"({text})"
        return Cure([f"{name} = {text}.requires_grad_()"])
    if why.params.get("variant") == "optimizer" or not is_chain(stmt.targets[0]):
        return None
    return _retained(stmt)


def moved(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """What moves a leaf by its gradient, and its neighbours that do so, where nothing is recorded."""
    rows, stmt = Rows(case, node, params), statement(node)
    around = siblings(stmt) if node.file.tree else []  # with what was not read yet
    texts = [rows.at(["moved"], each) for each in around]
    first = last = around.index(stmt)
    if not texts[first]:
        return None
    while first and texts[first - 1]:
        first -= 1
    while last + 1 < len(texts) and texts[last + 1]:
        last += 1
    lines = [line for each in texts[first : last + 1] for text in each for line in text.split("\n")]
    body = [line for line in lines if line.startswith(" ")]
    return _short([lines[0], *body], [around[first], around[last]])


def _retained(stmt: Node) -> Cure:
    return Cure([ast.unparse(stmt), f"{ast.unparse(stmt.targets[0])}.retain_grad()"], [stmt])


class _Last(ast.NodeTransformer):
    """Takes out of an expression what makes a leaf in the middle of it."""

    maker: Any = None
    asked = False

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        plain = [k for k in node.keywords if k.arg != "requires_grad"]
        self.asked = self.asked or len(plain) < len(node.keywords)
        node.keywords = plain
        if call_name(node) == "Parameter" and node.args:
            self.maker = node.func
            return node.args[0]
        if call_name(node) == "requires_grad_" and isinstance(node.func, ast.Attribute):
            self.asked = True
            return node.func.value
        return node


def of_a_row(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """What a row says of the statement, or of an expression around the guilty one."""
    names = [why.category, f"{why.category}.{params.get('variant')}"]
    result = (Rows(case, each, params).stretch(names, each) for each in climbing(node))
    return next((each for each in result if each is not None), None)


def unrecorded(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """A change of a leaf, where nothing is recorded."""
    stmt = statement(node)
    return Cure([f"with {params['tf']}.no_grad():", f"    {ast.unparse(stmt)}"], [stmt])


def asked_where_made(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """A leaf that is asked for its gradient where it is made."""
    made = case.node(case.source.where)
    return Rows(case, made, params).stretch(["torch-no-grad-wanted"], made) if made else None


def registered(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """A list, a dictionary or a tensor in the form that a module knows."""
    stmt, tf = statement(node), params["tf"]
    value: Any = getattr(stmt, "value", None)
    made = [*ast.walk(stmt)]
    if call_name(value) == "append":  # to a list that was empty
        filled = definitions(text_of(value.func.value), case.program)
        stmt = statement(filled[0]) if len(filled) == 1 else stmt
        value = getattr(stmt, "value", None)
    inside = why.params.get("variant") == "forward"  # in `__init__` its place is not known
    if inside or not isinstance(stmt, ast.Assign) or not isinstance(stmt.targets[0], ast.Attribute):
        return None
    kinds = (
        ((ast.List, ast.ListComp), "ModuleList", "ParameterList"),
        ((ast.Dict, ast.DictComp), "ModuleDict", "ParameterDict"),
    )
    text = ast.unparse(value)
    for forms, modules, parameters in kinds:
        if isinstance(value, forms):
            kinds_made = {call_name(n) for n in made if call_name(n)[:1].isupper()}
            layers = case.source.where != why.where or kinds_made - {"Parameter"}
            text = f"{tf}.nn.{modules if layers else parameters}({text})"
            return Cure([f"{ast.unparse(stmt.targets[0])} = {text}"], [stmt])
    if call_name(value)[:1].isupper() and call_name(value) not in ("Parameter", "Tensor"):
        return None  # a module, which stands elsewhere in a list
    plain = _Last().visit(ast.parse(text, mode="eval").body)
    return Cure([f"{ast.unparse(stmt.targets[0])} = {tf}.nn.Parameter({ast.unparse(plain)})"])


def of_module(node: Node) -> bool:
    """Tell whether a module keeps what is made there, in an attribute of its own."""
    stmt = statement(node) if node is not None else None
    if not isinstance(stmt, ast.Assign) or not isinstance(stmt.targets[0], ast.Attribute):
        return False
    owner: Any = above(stmt, ast.ClassDef)
    own = ast.unparse(stmt.targets[0].value) == "self"
    return own and any("Module" in ast.unparse(base) for base in getattr(owner, "bases", ()))


def as_parameter(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """A tensor that a module keeps, as its parameter; what is asked for, asked for a gradient."""
    if params.get("variant") == "module":
        return registered(case, why, node, params)
    stmt, asked = statement(node), case.source_node
    plain = isinstance(stmt, ast.Assign) and isinstance(stmt.value, (ast.BinOp, ast.Subscript))
    if not plain or named(stmt, stmt.value) != (text_of(asked) if asked is not None else None):
        return None
    text = ast.unparse(stmt.value)
    text = f"({text})" if isinstance(stmt.value, ast.BinOp) else text
    return Cure([f"{text_of(asked)} = {text}.requires_grad_()"], [stmt])


def optimizer_name(case: Case) -> str:
    """Return what the learner calls the optimizer: that of the source, where there are several; or
    "".
    """
    groups = {
        name: attributes(value)["param_groups"]
        for names in reversed(case.evidence.scopes)
        for name, value in names.items()
        if "param_groups" in attributes(value)
    }
    held = {n: [p for group in each for p in group["params"]] for n, each in groups.items()}
    holds = [n for n, each in held.items() if any(p is case.source.object for p in each)]
    names = list(groups) if len(groups) == 1 else holds
    return names[0] if len(names) == 1 else ""


def held_too(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """What was made after the optimizer is handed over to it."""
    stmt, optimizer = statement(node), optimizer_name(case)
    other = why.params.get("variant") == "other"
    if other or not isinstance(stmt, ast.Assign) or not optimizer:
        return None
    name = ast.unparse(stmt.targets[0])
    own = name == case.source_name
    held = f"[{name}]" if own else f"{name}.parameters()"
    return Cure([ast.unparse(stmt), f"{optimizer}.add_param_group({{'params': {held}}})"], [stmt])


def played(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """`backward` behind the one number that is computed from a leaf, and goes nowhere else."""
    reached, ends = {case.source.id, case.source.tensor}, dict[Any, str]()
    for ran in case.evidence.recorded:
        if not reached.isdisjoint(ran.inputs):
            reached.update(ran.outputs)
            ends = {n: name for n, name in ends.items() if n not in ran.inputs}
            name, info = case.evidence.names.get(ran.outputs[0], ("", None))
            if info is not None and not info.shape:
                ends[ran.outputs[0]] = name
    made = [d for name in ends.values() for d in definitions(name, case.program)]
    asked = case.node(case.asked)
    scope = above(asked, FUNCTIONS) if asked is not None else None
    made = [each for each in made if above(each, FUNCTIONS) is scope]
    stmt = statement(made[0]) if len(made) == 1 else None
    last = f"{''.join(ends.values())}.backward()"
    return Cure([ast.unparse(stmt), last], [stmt]) if stmt is not None else None


def cleared_first(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """What clears gradients, before the `backward` that it stood behind; not where another
    optimizer has stepped for that: then they are cleared on purpose.
    """
    stmt = statement(node)
    around = siblings(stmt)
    place = around.index(stmt)
    values = [getattr(each, "value", None) for each in around]
    first = max((k for k, each in enumerate(values[:place]) if is_backward(each)), default=None)
    if first is None:
        return None
    steps = {_owner(each) for each in values[first:] if call_name(each) == "step"}
    stepping = {_owner(each) for each in node.file.each((ast.Call,), "step")}
    one = len(stepping) == 1 and optimizer_name(case) in steps
    if steps and _owner(values[place]) not in steps and not one:
        return None
    stmts = stmt, *around[first:place]
    lines = [line for each in stmts for line in ast.unparse(each).split("\n")]
    return _short(lines, [around[first], stmt])


def _owner(call: Any) -> str:
    return ast.unparse(getattr(getattr(call, "func", None), "value", ast.Name("")))


def cleared_before(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """`backward` with what clears the gradients before it."""
    stmt, optimizer, source = statement(node), optimizer_name(case), params["source"]
    clears = f"{optimizer}.zero_grad()" if optimizer else f"{source}.grad = None"
    known = isinstance(stmt, ast.Expr) and (optimizer or source.isidentifier())
    return Cure([clears, ast.unparse(stmt)], [stmt]) if known else None


def out_of_place(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """A change in place as a new value; one of a leaf behind the `backward` that needs it."""
    stmt = statement(node)
    around = above(stmt, ast.With, stop=FUNCTIONS)
    if around is not None:
        return _behind(around, case.node(why.params.get("stopped")))
    if isinstance(stmt, ast.AugAssign) and isinstance(stmt.target, ast.Name):
        value = ast.BinOp(ast.Name(stmt.target.id), stmt.op, stmt.value)
        return Cure([f"{stmt.target.id} = {ast.unparse(value)}"])
    target = stmt.target if isinstance(stmt, ast.AugAssign) else getattr(stmt, "targets", [None])[0]
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
        name = target.value.id
        return Cure([f"{name} = {name}.clone()", ast.unparse(stmt)], [stmt])
    call: Any = node
    if call_name(call).endswith("_") and isinstance(call.func, ast.Attribute):
        own, method = ast.unparse(call.func.value), call.func.attr.rstrip("_")
        text = f"{own}.{method}({', '.join(map(ast.unparse, [*call.args, *call.keywords]))})"
        if method in OPERATORS and len(call.args) == 1 and not call.keywords:
            text = f"{own} {OPERATORS[method]} {ast.unparse(call.args[0])}"
        if isinstance(stmt, ast.Expr) and stmt.value is call and own.isidentifier():
            return Cure([f"{own} = {text}"])
        if isinstance(stmt, ast.Assign) and stmt.value is call:
            return Cure([f"{ast.unparse(stmt.targets[0])} = {text}"])
    return None


def _behind(stmt: Node, other: Node) -> Cure | None:
    """Two statements of a block, the first one behind the other."""
    around, last = siblings(stmt), statement(other) if other is not None else None
    if last not in around or around.index(last) < around.index(stmt):
        return None
    between = around[around.index(stmt) + 1 : around.index(last) + 1]
    lines = [line for each in (*between, stmt) for line in ast.unparse(each).split("\n")]
    return _short(lines, [stmt, last])


def _short(lines: list[str], stmts: list[Node]) -> Cure | None:
    fits = len(lines) <= MOST_LINES and all(len(line) <= LONGEST for line in lines)
    return Cure(lines, stmts) if fits and all(map(alone, stmts)) else None


def recorded_again(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """What ran where gradients were switched off, outside of it."""
    function: Any = above(node, FUNCTIONS)
    off = [
        d
        for d in getattr(function, "decorator_list", ())
        if any(name in ast.unparse(d) for name in OFF)
    ]
    if off:
        lines = function.file.lines
        first = min(d.lineno for d in function.decorator_list)
        rest = range(first, function.body[0].lineno)
        kept = [k for k in rest if all(k != d.lineno for d in off)]
        return Cure([lines[k - 1][function.col_offset :] for k in kept], (first, rest[-1]))
    for stmt in siblings(statement(node)):
        call: Any = getattr(stmt, "value", None)
        if call_name(call) == "set_grad_enabled" and stmt.lineno < statement(node).lineno:
            return Cure([f"{ast.unparse(call.func)}(True)"], [stmt])
    return None


def played_once(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """What is carried on without its history; else two plays of one graph as one."""
    stmt = statement(node)
    if not isinstance(stmt, ast.Expr):
        return None
    if "carried" in why.params:
        return _without_history(case, why, stmt)
    first = case.node(why.params.get("earlier"))
    earlier = statement(first) if first is not None else None
    around = siblings(stmt)
    if earlier is stmt or earlier not in around or not is_backward(first) or not is_backward(node):
        return None
    between = around[around.index(earlier) + 1 : around.index(stmt)]
    a, b = (ast.unparse(each.func.value) for each in (first, node))
    last = ast.unparse(stmt) if a == b else f"({a} + {b}).backward()"
    lines = [line for each in between for line in ast.unparse(each).split("\n")]
    return _short([*lines, last], [earlier, stmt])


def is_backward(node: Node) -> bool:
    """True for `loss.backward()`."""
    return call_name(node) == "backward" and isinstance(getattr(node, "func", None), ast.Attribute)


def _without_history(case: Case, why: Break, stmt: Node) -> Cure | None:
    name, around = why.params["carried"], statement(case.node(why.params["carried_at"]))
    read: Any = next((n for n in ast.walk(around) if name and text_of(n) == name), None)
    held = [(name, case.held(read))] if name else []
    kind = above(read, ast.ClassDef) if isinstance(read, ast.Attribute) else None
    if kind is not None and kind is not above(stmt, ast.ClassDef):  # what is that called here?
        held = _held(case, kind.name, read.attr)
    lines = [
        f"{name} = tuple(each.detach() for each in {name})"
        if isinstance(value, tuple)
        else f"{name} = {name}.detach()"
        for name, value in held
    ]
    plain: Any = ast.parse(ast.unparse(stmt)).body[0]
    plain.value.keywords = [k for k in plain.value.keywords if k.arg != "retain_graph"]
    return _short([ast.unparse(plain), *lines], [stmt]) if lines else None


def _held(case: Case, kind: str, name: str) -> list[tuple[str, Any]]:
    """Return how the learner's names reach an attribute of all modules of a class, and its values."""
    todo = [pair for names in case.evidence.scopes for pair in names.items()]
    result, seen = list[tuple[str, Any]](), set[int]()
    for path, value in todo:  # which grows
        inner = attributes(value)
        if id(value) in seen or not isinstance(inner.get("_modules"), dict):
            continue
        seen.add(id(value))
        if class_name(value) == kind and name in inner:
            result.append((f"{path}.{name}", inner[name]))
        todo += [
            (f"{path}[{key}]" if key.isdigit() else f"{path}.{key}", each)
            for key, each in inner["_modules"].items()
        ]
    return result


def unflagged(why: Break, node: Node, result: Cure) -> Cure:
    """A cure, and what stands behind it without a line that asks what is computed from it for a
    gradient, `loss.requires_grad = True`: PyTorch refuses that of a value with a history.
    """
    stmts = result.place or [statement(node)]
    if isinstance(stmts, tuple) or why.category in OF_LEAVES:
        return result
    around, made = siblings(stmts[0]), {name for each in stmts for name in stored(each)}
    behind = around[around.index(stmts[-1]) + 1 :]
    for k, stmt in enumerate(behind):
        if _flagged(stmt) in made:
            rest = [line for each in behind[:k] for line in ast.unparse(each).split("\n")]
            return _short([*result.lines, *rest], [stmts[0], stmt]) or Cure([])
        made |= stored(stmt) if names_used(stmt) & made else set()
    return result


def _flagged(stmt: Any) -> str:
    """Return the name that a statement asks for a gradient of, or ""."""
    text = ast.unparse(stmt)
    for end in (".requires_grad = True", ".requires_grad_()", ".requires_grad_(True)"):
        if text.endswith(end):
            return text.removesuffix(end)
    return ""


WAYS: dict[str, tuple[Callable[..., Cure | None], ...]] = {
    "torch-not-a-leaf": (own_leaf,),
    "torch-copied": (moved,),
    "torch-detached": (moved,),
    "torch-leaf-inplace": (unrecorded,),
    "torch-not-played": (played,),
    "torch-cleared": (cleared_first,),
    "torch-too-late": (asked_where_made,),
    "torch-no-grad-wanted": (as_parameter,),
    "torch-not-registered": (registered,),
    "torch-optimizer-old": (held_too,),
    "torch-accumulated": (cleared_before,),
    "torch-inplace": (out_of_place,),
    "torch-used": (played_once,),
    "torch-retained": (played_once,),
    "torch-graph-kept": (of_a_row,),
    "torch-buffer": (of_a_row,),
    "integer-dtype": (of_a_row,),
}
