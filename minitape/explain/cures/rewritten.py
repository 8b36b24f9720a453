"""The cure of more than one line: a stretch of the program written anew, ready to be pasted in the
place of the old one.

A value that went into a variable gets a name of its own, a variable moves out of the function that
made it again and again, two blocks become one. Each function here returns the new lines and the
statements that they stand in place of, or None where no honest line can be made of what the text
shows.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Any

from minitape.program.names import assigned_names
from minitape.program.syntax import (
    FUNCTIONS,
    above,
    inside,
    is_chain,
    names_used,
    parent,
    statement,
)

from ..case.calls import tape_block
from ..reasons.batch import data_in
from ..reasons.outside import block_of, tape_names

if TYPE_CHECKING:
    from minitape.program.aliases import Node

    from ..case.case import Case
    from ..case.graph import Break

    Stretch = tuple[list[str], list[Node]] | None

LONGEST = 110  # a cure with a longer line is not offered
MOST_LINES = 12  # nor one of more lines
LOOPS = (ast.For, ast.While)
SIGNS = {"assign": None, "assign_add": ast.Add(), "assign_sub": ast.Sub()}
SUMS = ("add_n", "sum", "reduce_sum")


# ---- writing


def written_anew(stmts: Sequence[Node], changes: Mapping[Node, str | list[str]]) -> list[str]:
    """Return statements as lines, with an expression for each text in `changes`, and statements for
    each list of lines.
    """
    made: list[str] = []
    for stmt in stmts:
        new = ast.parse(ast.unparse(stmt))
        old, fresh = list(ast.walk(stmt)), list(ast.walk(new.body[0]))
        if [type(n) for n in old] != [type(n) for n in fresh]:
            return []
        wanted = {id(n): changes[o] for o, n in zip(old, fresh) if o in changes}
        made += [
            line
            for line in ast.unparse(ast.fix_missing_locations(Put(wanted).visit(new))).split("\n")
            if line.strip()
        ]
    return made if len(made) <= MOST_LINES and all(len(line) <= LONGEST for line in made) else []


class Put(ast.NodeTransformer):
    """Puts new text in the places of some nodes, `{id(node): expression, or lines for a
    statement}`.
    """

    def __init__(self, wanted: Mapping[int, str | list[str]]) -> None:
        self.wanted = wanted

    def visit(self, node: Any) -> Any:
        new = self.wanted.get(id(node))
        if new is None:
            found: Any = super().generic_visit(node)
            if getattr(found, "body", True) == []:
                found.body = [ast.Pass()]
            return found
        return (
            ast.parse(new, mode="eval").body
            if isinstance(new, str)
            else ast.parse("\n".join(new)).body
        )


def put(node: Node, texts: dict[Node, str]) -> str:
    """Return an expression with other text for some of its parts."""
    tree: Any = ast.parse(ast.unparse(node), mode="eval")
    place = {id(a): id(b) for a, b in zip(ast.walk(node), ast.walk(tree.body))}
    return ast.unparse(Put({place[id(each)]: text for each, text in texts.items()}).visit(tree))


def siblings(stmt: Node) -> list[Node]:
    """Return the statements of the block that a statement stands in."""
    around = parent(stmt)
    lists = (getattr(around, name, None) for name in ("body", "orelse", "finalbody"))
    return next((each for each in lists if isinstance(each, list) and stmt in each), [stmt])


def free(node: Node, *names: str) -> str:
    """Return the first of some names that the file does not use, or ""."""
    taken = {getattr(n, "id", getattr(n, "arg", "")) for n in ast.walk(node.file.tree)}
    return next((name for name in names if name.isidentifier() and name not in taken), "")


def _in_loop(node: Node) -> Node:
    """Return the loop around a node in the same function and in the same block of a tape, or None."""
    return above(node, LOOPS, stop=(*FUNCTIONS, ast.With))


# ---- state: the value gets a name of its own, and goes into the variable as well


def _kept_beside(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    stmt: Any = statement(node)
    func: Any = getattr(node, "func", None)
    alone = isinstance(stmt, ast.Expr) and stmt.value is node
    if not alone or getattr(func, "attr", "") not in SIGNS or len(node.args) != 1:
        return None
    held, sign, loop = ast.unparse(func.value), SIGNS[func.attr], _in_loop(stmt)
    base = getattr(func.value, "attr", getattr(func.value, "id", ""))
    name = free(node, f"new_{base}", f"next_{base}", f"{base}_now")
    again = sum(note.where == why.where for note in case.evidence.of("assign")) > 1
    if not name or (again or loop is not None) and (loop is None or _in_loop(loop) is not None):
        return None  # the state goes from call to call: that is for the learner to arrange
    beside = siblings(loop or stmt)
    after = beside[beside.index(loop or stmt) + 1 :]
    reads = {
        n: name
        for each in ([loop] if loop else []) + after
        for n in _reads(each, held)
        if not inside(n, func)
    }
    last = max(
        (k for k, each in enumerate(after) if any(inside(n, each) for n in reads)), default=-1
    )
    stretch = [loop or stmt, *after[: last + 1]]
    others = [
        n
        for each in stretch
        for n in ast.walk(each)
        if isinstance(n, ast.Attribute)
        and n is not func
        and n.attr in SIGNS
        and ast.unparse(n.value) == held
    ]
    if (
        last < 0
        and not others
        and held == case.target_name
        and func.attr == "assign"
        and loop is None
    ):
        # nothing reads it: it is the loss itself
        return [f"{held} = {ast.unparse(node.args[0])}"], [stmt]
    if last < 0 or others:
        return None
    given = written_anew(
        [ast.Expr(node.args[0])], {n: t for n, t in reads.items() if inside(n, node.args[0])}
    )
    value = ast.parse(given[0], mode="eval").body if len(given) == 1 else None
    if value is None:
        return None
    if sign is not None:
        value = ast.BinOp(ast.Name(name if loop else held), sign, value)
    line = f"{name} = {ast.unparse(value)}"
    if loop is None:
        return written_anew(stretch, {**reads, stmt: [line, f"{held}.assign({name})"]}), stretch
    lines = written_anew([loop], {**reads, stmt: [line]}), written_anew(after[: last + 1], reads)
    return (
        ([f"{name} = {held}.read_value()", *lines[0], f"{held}.assign({name})", *lines[1]], stretch)
        if all(lines)
        else None
    )


def _reads(stmt: Node, held: str) -> list[Node]:
    """Return the expressions that read a variable; `w.read_value()` and `w.value()` as a whole."""
    found = []
    for node in ast.walk(stmt):
        if (
            isinstance(node, (ast.Name, ast.Attribute, ast.Subscript))
            and isinstance(node.ctx, ast.Load)
            and ast.unparse(node) == held
        ):
            call = parent(parent(node))
            method = (
                getattr(parent(node), "attr", "") if isinstance(parent(node), ast.Attribute) else ""
            )
            found.append(
                call if method in ("read_value", "value") and isinstance(call, ast.Call) else node
            )
    return found


# ---- a variable that keeps its name


def _in_place(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    """`w = w - lr * g` as `w.assign_sub(lr * g)`: of one variable, of two at once, of a list, in a
    function that returns it.
    """
    stmt: Any = statement(node)
    pairs: list[Any]
    if isinstance(stmt, ast.AugAssign):
        pairs = [(stmt.target, ast.BinOp(stmt.target, stmt.op, stmt.value))]
    elif isinstance(stmt, ast.Return) and isinstance(stmt.value, ast.BinOp):
        pairs = [(stmt.value.left, stmt.value)]
    elif isinstance(stmt, ast.Assign) and len(stmt.targets) == 1:
        if is_cut(stmt.value):
            name = free(node, "constant", "cut_off")
            return ([f"{name} = {ast.unparse(stmt.value)}"], [stmt]) if name else None
        target: Any = stmt.targets[0]
        value: Any = stmt.value
        listed = (
            isinstance(value, ast.ListComp)
            and len(value.generators) == 1
            and not value.generators[0].ifs
        )
        if (
            listed
            and isinstance(value.elt, ast.BinOp)
            and ast.unparse(target) in names_used(value.generators[0].iter)
        ):
            each, line = value.generators[0], _assigned(value.elt.left, value.elt)
            loop = ast.For(each.target, each.iter, ast.parse(line).body, [])
            return (
                (ast.unparse(ast.fix_missing_locations(loop)).split("\n"), [stmt]) if line else None
            )
        several = (
            isinstance(target, ast.Tuple)
            and isinstance(value, ast.Tuple)
            and len(target.elts) == len(value.elts)
        )
        pairs = list(zip(target.elts, value.elts)) if several else [(target, value)]
    else:
        return None
    lines = [_assigned(target, value) for target, value in pairs]
    returned = [f"return {ast.unparse(pairs[0][0])}"] if isinstance(stmt, ast.Return) else []
    return ([*lines, *returned], [stmt]) if all(lines) and max(map(len, lines)) <= LONGEST else None


def is_cut(value: Node) -> bool:
    """Say whether an expression is `stop_gradient(...)`: to assign it to the variable would change
    nothing.
    """
    return (
        isinstance(value, ast.Call)
        and ast.unparse(value.func).rpartition(".")[2] == "stop_gradient"
    )


def _assigned(target: Node, value: Node) -> str:
    """Return the call of a variable that gives it what it was to be replaced by, or "" where that
    is not made of it.
    """
    name = ast.unparse(target)
    if (
        isinstance(value, ast.BinOp)
        and isinstance(value.op, (ast.Add, ast.Sub))
        and ast.unparse(value.left) == name
    ):
        return f"{name}.assign_{'add' if isinstance(value.op, ast.Add) else 'sub'}({ast.unparse(value.right)})"
    used = {
        ast.unparse(n)
        for n in ast.walk(value)
        if isinstance(n, (ast.Name, ast.Attribute, ast.Subscript))
    }
    return f"{name}.assign({ast.unparse(value)})" if name in used else ""


# ---- a variable made once


def _made_once(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    if why.params["variant"] != "anew" or not isinstance(node, ast.expr):
        return None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Call):
        node = node.func  # a layer, made and called in one breath
    stmt, function, made = statement(node), above(node, FUNCTIONS), ast.unparse(node)
    name = (
        _name_of_made(stmt, node)
        or isinstance(node, ast.Call)
        and free(node, ast.unparse(node.func).rpartition(".")[2].lower())
    )
    if not name or isinstance(function, ast.Lambda):
        return None
    if function is not None and isinstance(parent(function), ast.ClassDef):
        if not function.args.args:
            return None
        me = function.args.args[0].arg
        attribute = name.removeprefix(f"{me}.")
        if not attribute.isidentifier():
            return None
        use = (
            written_anew([stmt], {node: f"{me}.{attribute}"}) if name != f"{me}.{attribute}" else []
        )
        return [f"if not hasattr({me}, {attribute!r}):", f"    {me}.{attribute} = {made}", *use], [
            stmt
        ]
    container = function or _in_loop(node)
    if container is None or "." in name or names_used(node) & _own(container):
        return None
    plain = _name_of_made(stmt, node) != ""
    rest = written_anew([container], {stmt: []} if plain else {node: name})
    return ([f"{name} = {made}", *rest], [container]) if rest else None


def _name_of_made(stmt: Node, node: Node) -> str:
    return (
        ast.unparse(stmt.targets[0])
        if isinstance(stmt, ast.Assign) and stmt.value is node and len(stmt.targets) == 1
        else ""
    )


def _own(container: Node) -> set[str]:
    """Return the names that a function or a loop gives values to."""
    stored = {
        n.id
        for n in ast.walk(container)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    return stored | {n.arg for n in ast.walk(container) if isinstance(n, ast.arg)}


# ---- one tape for both


def _one_block(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    block, stmt = block_of(case), statement(node)
    if block is None or len(block.items) != 1 or why.params.get("variant") == "target":
        return None
    if inside(stmt, block) or why.params.get("variant") == "partial":
        return _loop_inside(block)
    moved: list[Node] = []
    todo = [stmt]
    while todo:  # with what it was made of on other tapes
        each = todo.pop()
        if not isinstance(each, ast.Assign) or parent(each) is not tape_block(each):
            return None
        moved.insert(0, each)
        todo += [
            other
            for file in case.program.trees()
            for other in ast.walk(file.tree)
            if isinstance(other, ast.Assign)
            and isinstance(parent(other), ast.With)
            and parent(other) is tape_block(other) is not tape_block(each)
            and other not in moved
            and names_used(each) & {ast.unparse(t) for t in other.targets}
        ]
    first = ["\n".join(written_anew([each], {})) for each in moved]
    lines = written_anew([block], {block.body[0]: [*first, ast.unparse(block.body[0])]})
    return (lines, [block]) if lines else None


def _outer_first(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    """The inner block, put into the outer one that stands behind it, or at its end; what the outer
    tape is told to watch stays first.
    """
    outer, inner = block_of(case), above(node, ast.With, stop=FUNCTIONS)
    if outer is None:
        return None
    beside = siblings(outer)
    # the slope itself, asked before the outer block
    if inner is None and statement(node) in beside[: beside.index(outer)]:
        inner = next((each for each in beside if _opens(each, why.params["inner"])), None)
    if not _opens(inner, why.params["inner"]):
        return None
    within = beside is inner.body
    if beside[-1] is not outer if within else inner not in beside:
        return None
    between = [] if within else beside[beside.index(inner) + 1 : beside.index(outer)]
    watches = [
        s
        for s in outer.body
        if ast.unparse(s).startswith(tuple(f"{tape}.watch(" for tape in tape_names(case)))
    ]
    first = ast.With(inner.items, [s for s in inner.body if s is not outer])
    new = ast.With(
        outer.items, [*watches, first, *between, *(s for s in outer.body if s not in watches)]
    )
    return written_anew([ast.fix_missing_locations(new)], {}), [inner] if within else [
        inner,
        *between,
        outer,
    ]


def _opens(block: Node, tape: str) -> bool:
    return isinstance(block, ast.With) and tape in (
        ast.unparse(i.optional_vars or i) for i in block.items
    )


def _loop_inside(block: Node) -> Stretch:
    """`for ...: with tape: ...` as `with tape: for ...: ...`; what stood behind the block in the
    loop stands behind both.
    """
    loop = parent(block)
    if not isinstance(loop, LOOPS) or loop.orelse or block not in loop.body:
        return None
    rest = loop.body[loop.body.index(block) + 1 :]
    if any(
        isinstance(n, (ast.Return, ast.Break, ast.Continue, ast.Yield))
        for each in loop.body
        for n in ast.walk(each)
    ):
        return None
    body = [ast.unparse(each) for each in block.body]
    inner = written_anew([loop], {block: body, **{each: [] for each in rest}})
    lines = [
        f"with {ast.unparse(block.items[0])}:",
        *("    " + line for line in inner),
        *written_anew(rest, {}),
    ]
    return (lines, [loop]) if inner and len(lines) <= MOST_LINES else None


# ---- the batch where an old name stands


def _with_batch(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    given, block = why.params["given"], block_of(case)
    if why.params["variant"] == "shape":
        return written_anew([statement(node)], {node: given[0]}), [statement(node)]
    read = data_in(case, block)
    old = list(dict.fromkeys(ast.unparse(n) for n in read))
    if block is None or len(old) != len(given) or len(given) > 3:
        return None
    ways = sorted(
        ((sum(map(_alike, way, given)), way) for way in permutations(old)),
        key=lambda each: each[0],
        reverse=True,
    )
    if len(ways) > 1 and ways[0][0] == ways[1][0]:
        return None  # which is which, the names do not tell
    new = dict(zip(ways[0][1], given))
    changes = {n: new[ast.unparse(n)] for n in read}
    touched = [k for k, each in enumerate(block.body) if any(inside(n, each) for n in read)]
    stretch = block.body[touched[0] : touched[-1] + 1]
    return written_anew(stretch, changes), stretch


def _alike(a: str, b: str) -> int:
    """Return how many characters two names have in common on end: x_train and x, first_y and by."""
    return max(
        (k - j for j in range(len(b)) for k in range(j + 1, len(b) + 1) if b[j:k] in a), default=0
    )


# ---- a penalty added once


def _added_once(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    while (
        isinstance(parent(node), ast.Call)
        and ast.unparse(parent(node).func).rpartition(".")[2] in SUMS
    ):
        node = parent(node)
    stmt: Any = statement(node)
    if why.params["variant"] == "loop":
        loop = _in_loop(stmt)
        fixed = loop is not None and not names_used(node) & _own(loop)
        if (
            not fixed
            or not isinstance(stmt, ast.AugAssign)
            or stmt not in loop.body
            or len(loop.body) < 2
        ):
            return None
        return [*written_anew([loop], {stmt: []}), ast.unparse(stmt)], [loop]
    named = (
        isinstance(stmt, ast.Assign)
        and stmt.value is node
        and isinstance(stmt.targets[0], ast.Name)
    )
    if named:
        scope = above(stmt, FUNCTIONS) or stmt.file.tree
        uses = [
            n
            for n in ast.walk(scope)
            if isinstance(n, ast.Name)
            and n.id == stmt.targets[0].id
            and isinstance(n.ctx, ast.Load)
        ]
        if len(uses) != 1:
            return None
        node, stmt = uses[0], statement(uses[0])
    if isinstance(stmt, ast.AugAssign) and stmt.value is node and isinstance(stmt.op, ast.Add):
        return ([f"# {ast.unparse(stmt)}"], [stmt]) if len(siblings(stmt)) > 1 else None
    total = parent(node)
    if not isinstance(total, ast.BinOp) or not isinstance(total.op, ast.Add):
        return None
    rest = ast.unparse(total.right if total.left is node else total.left)
    if (
        isinstance(stmt, ast.Assign)
        and stmt.value is total
        and ast.unparse(stmt.targets[0]) == rest
    ):
        return ([f"# {ast.unparse(stmt)}"], [stmt]) if len(siblings(stmt)) > 1 else None
    return written_anew([stmt], {total: rest}), [stmt]


# ---- pickle: the tensor itself


def _not_packed(case: Case, why: Break, node: Any, tf: str) -> Stretch:
    """Put what was packed in the place of what unpacks it: `pickle.loads(stored)`, where `stored =
    pickle.dumps(h)`.
    """
    if not isinstance(node, ast.Call) or not node.args or not is_chain(node.args[0]):
        return None
    packed = {*assigned_names(node), ast.unparse(node)}
    loads = [
        n
        for file in case.program.trees()
        for n in ast.walk(file.tree)
        if isinstance(n, ast.Call)
        and n.args
        and ast.unparse(n.func).rpartition(".")[2] == "loads"
        and ast.unparse(n.args[0]) in packed
    ]
    if len(loads) != 1:
        return None
    stmt = statement(loads[0])
    return written_anew([stmt], {loads[0]: ast.unparse(node.args[0])}), [stmt]


Rewriting = Callable[["Case", "Break", Any, str], "Stretch"]
REWRITINGS: dict[str, Rewriting] = {
    "state-assign": _kept_beside,
    "variable-made-anew": _made_once,
    "carried-over": _one_block,
    "batch-not-used": _with_batch,
    "variable-replaced": _in_place,
    "outer-tape-late": _outer_first,
    "outside-outer-tape": _outer_first,
    "counted-twice": _added_once,
    "python-escape": _not_packed,
}
