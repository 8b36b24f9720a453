"""The cures of more than one line: a stretch of the program written anew, ready to be pasted.

A value that went into a variable gets a name of its own, a variable moves out of the function that
made it again and again, two blocks become one. Each function returns the new lines and the
statements that they replace, or None where no honest line can be made of what the text shows.
"""

from __future__ import annotations

import ast
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.program.names import assigned_names
from minitape.program.syntax import (
    FUNCTIONS,
    above,
    inside,
    names_used,
    operands,
    parent,
    statement,
)

from ..case.calls import definition, tape_block
from ..reasons.batch import data_in
from ..reasons.outside import block_of, tape_names
from .fitting import read_later
from .patterns import last_name
from .rows import Rows, in_dialect
from .writing import (
    LONGEST,
    LOOPS,
    MOST_LINES,
    between,
    free,
    named,
    own_loop,
    siblings,
    written_anew,
)

if TYPE_CHECKING:
    from minitape.program.aliases import Node

    from ..case.case import Case
    from ..case.graph import Break
    from .writing import Stretch


def _own(container: Node) -> set[str]:
    """Return the names that a function or a loop gives values to."""
    stored = {
        n.id
        for n in ast.walk(container)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    return stored | {n.arg for n in ast.walk(container) if isinstance(n, ast.arg)}


# ---- state: the value gets a name of its own, and goes into the variable as well


def kept_beside(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Stretch:
    """`v.assign(x)` and what reads v, by a name of its own, which goes into v as well."""
    changes = case.dialect.changes
    func: Any = getattr(node, "func", None)
    stmt: Any = statement(node)
    alone = isinstance(stmt, ast.Expr) and stmt.value is node
    if not alone or getattr(func, "attr", "") not in changes or len(node.args) != 1:
        return None
    held, sign, loop = ast.unparse(func.value), changes[func.attr], own_loop(stmt)
    base = getattr(func.value, "attr", getattr(func.value, "id", ""))
    name = free(node, f"new_{base}", f"next_{base}", f"{base}_now")
    again = sum(note.where == why.where for note in case.evidence.of("assign")) > 1
    if not name or (again or loop is not None) and (loop is None or own_loop(loop) is not None):
        return None  # the state goes from call to call: that is for the learner to arrange
    stretch, reads = _up_to_last_read(loop or stmt, held, func)
    others = [
        n
        for each in stretch
        for n in ast.walk(each)
        if isinstance(n, ast.Attribute) and n.attr in changes and n is not func
    ]
    if any(ast.unparse(n.value) == held for n in others):
        return None
    if len(stretch) == 1:  # nothing reads it: it may be the loss itself
        plain = held == case.target_name and not sign and loop is None
        return ([f"{held} = {ast.unparse(node.args[0])}"], [stmt]) if plain else None
    reads = dict.fromkeys(reads, name)
    given = written_anew(
        [ast.Expr(node.args[0])], {n: t for n, t in reads.items() if inside(n, node.args[0])}
    )
    if len(given) != 1:
        return None
    value = (
        ast.unparse(ast.parse(f"{name if loop else held} {sign} ({given[0]})"))
        if sign
        else given[0]
    )
    line = f"{name} = {value}"
    if loop is None:
        return written_anew(stretch, {**reads, stmt: [line, f"{held}.assign({name})"]}), stretch
    lines = written_anew([loop], {**reads, stmt: [line]}), written_anew(stretch[1:], reads)
    return (
        ([f"{name} = {held}.read_value()", *lines[0], f"{held}.assign({name})", *lines[1]], stretch)
        if all(lines)
        else None
    )


def _up_to_last_read(first: Node, held: str, func: Node) -> tuple[list[Node], list[Node]]:
    """Return the statements up to the last that reads a variable, and where they read it."""
    beside = siblings(first)
    after = beside[beside.index(first) + 1 :]
    where = [first, *after] if isinstance(first, LOOPS) else after
    reads = [n for each in where for n in _reads(each, held) if not inside(n, func)]
    last = max(
        (k for k, each in enumerate(after) if any(inside(n, each) for n in reads)), default=-1
    )
    return [first, *after[: last + 1]], reads


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


def in_place(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Stretch:
    """`w = w - lr * g` as `w.assign_sub(lr * g)`; of two at once, one after the other."""
    stmt: Any = statement(node)
    target, value = getattr(stmt, "targets", [None])[0], getattr(stmt, "value", None)
    each: list[Any] = [stmt]
    if (
        isinstance(target, ast.Tuple)
        and isinstance(value, ast.Tuple)
        and len(target.elts) == len(value.elts)
    ):
        each = [ast.Assign([t], v) for t, v in zip(target.elts, value.elts)]
    rows, lines = Rows(case, node, params), list[str]()
    for one in each:
        found = next(
            (
                m
                for row in rows.rows("variable-replaced")
                if (m := rows.tried(row, one)) is not None
            ),
            None,
        )
        texts = rows.text(found) if found is not None else []
        if not texts or isinstance(one, ast.Assign) and len(one.targets) > 1:
            return None
        lines += [line for text in texts for line in text.split("\n")]
    return (lines, [stmt]) if max(map(len, lines)) <= LONGEST else None


def is_cut(value: Node) -> bool:
    """Say whether an expression is `stop_gradient(...)`: assigning it would change nothing."""
    return last_name(value) == "stop_gradient"


# ---- a variable made once


def made_once(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Stretch:
    """A variable that a function or a loop makes each time, made before; in a method, at first."""
    if why.params["variant"] != "anew" or not isinstance(node, ast.expr):
        return None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Call):
        node = node.func  # a layer, made and called in one breath
    stmt, function, made = statement(node), above(node, FUNCTIONS), ast.unparse(node)
    plain = named(stmt, node)
    name = plain or last_name(node) and free(node, last_name(node).lower())
    if not name or isinstance(function, ast.Lambda):
        return None
    if function is not None and isinstance(parent(function), ast.ClassDef):
        me = function.args.args[0].arg if function.args.args else "self"
        attribute = name.removeprefix(f"{me}.")
        use = (
            written_anew([stmt], {node: f"{me}.{attribute}"}) if name != f"{me}.{attribute}" else []
        )
        lines = [f"if not hasattr({me}, {attribute!r}):", f"    {me}.{attribute} = {made}", *use]
        return (lines, [stmt]) if attribute.isidentifier() else None
    container = function or own_loop(node)
    if container is None or "." in name or names_used(node) & _own(container):
        return None
    rest = written_anew([container], {stmt: []} if plain else {node: name})
    return ([f"{name} = {made}", *rest], [container]) if rest else None


# ---- one tape for both


def one_block(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Stretch:
    """What earlier blocks computed, in the block of this tape; a loop of blocks as one block."""
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
        others = [
            n
            for file in case.program.trees()
            for n in ast.walk(file.tree)
            if isinstance(n, ast.Assign) and n not in moved
        ]
        todo += [
            n
            for n in others
            if names_used(each) & {ast.unparse(t) for t in n.targets}
            and parent(n) is tape_block(n) is not tape_block(each)
            and parent(n) is not None
        ]
    first = ["\n".join(written_anew([each], {})) for each in moved]
    lines = written_anew([block], {block.body[0]: [*first, ast.unparse(block.body[0])]})
    return (lines, [block]) if lines else None


def _loop_inside(block: Node) -> Stretch:
    """`for ...: with tape: ...` as `with tape: for ...: ...`; what stood behind stays behind."""
    loop = parent(block)
    if not isinstance(loop, LOOPS) or loop.orelse or block not in loop.body:
        return None
    if any(isinstance(n, (ast.Return, ast.Break, ast.Continue, ast.Yield)) for n in ast.walk(loop)):
        return None
    rest = loop.body[loop.body.index(block) + 1 :]
    inner = written_anew(
        [loop], {block: [ast.unparse(each) for each in block.body], **{each: [] for each in rest}}
    )
    lines = [
        f"with {ast.unparse(block.items[0])}:",
        *("    " + line for line in inner),
        *written_anew(rest, {}),
    ]
    return (lines, [loop]) if inner and len(lines) <= MOST_LINES else None


def outer_first(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Stretch:
    """The inner block in the outer one behind it; what that is told to watch stays first."""
    outer: Any = block_of(case)
    inner: Any = above(node, ast.With, stop=FUNCTIONS)
    if outer is None:
        return None
    beside = siblings(outer)
    if (
        inner is None and statement(node) in beside[: beside.index(outer)]
    ):  # the slope itself, asked before the outer block
        inner = next((each for each in beside if _opens(each, why.params["inner"])), None)
    if not _opens(inner, why.params["inner"]):
        return None
    within = beside is inner.body
    if beside[-1] is not outer if within else inner not in beside:
        return None
    middle = [] if within else beside[beside.index(inner) + 1 : beside.index(outer)]
    watches = [
        s
        for s in outer.body
        if ast.unparse(s).startswith(tuple(f"{tape}.watch(" for tape in tape_names(case)))
    ]
    first = ast.With(inner.items, [s for s in inner.body if s is not outer])
    new = ast.With(
        outer.items, [*watches, first, *middle, *(s for s in outer.body if s not in watches)]
    )
    return written_anew([ast.fix_missing_locations(new)], {}), [inner] if within else [
        inner,
        *middle,
        outer,
    ]


def _opens(block: Node, tape: str) -> bool:
    return isinstance(block, ast.With) and tape in (
        ast.unparse(i.optional_vars or i) for i in block.items
    )


# ---- the batch where an old name stands


def with_batch(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Stretch:
    """The batch where the block reads other data, where the names tell which is which."""
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
        return None
    new = dict(zip(ways[0][1], given))
    stretch = between([each for each in block.body if any(inside(n, each) for n in read)])
    return written_anew(stretch, {n: new[ast.unparse(n)] for n in read}), stretch


def _alike(a: str, b: str) -> int:
    """Return how many characters two names have in common on end: x_train and x, first_y and by."""
    return max(
        (k - j for j in range(len(b)) for k in range(j + 1, len(b) + 1) if b[j:k] in a), default=0
    )


# ---- a list instead of an array that is filled


def collected(
    case: Case, why: Break, node: Any, params: dict[str, Any], value: Node = None
) -> Stretch:
    """The loop that fills a NumPy array, with a list that is joined behind it."""
    stmt, loop = statement(node), own_loop(node)
    if not isinstance(node, ast.Subscript) or getattr(stmt, "targets", []) != [node]:
        return None
    made, name, value = definition(case, node.value), ast.unparse(node.value), value or stmt.value
    first, value = statement(made) if made is not None else None, ast.unparse(value)
    if isinstance(node.slice, ast.Slice):
        return ([f"{name} = {value}"], [stmt]) if ast.unparse(node.slice) == ":" else None
    if loop is None or first is None or isinstance(node.slice, ast.Tuple):
        return None
    filled = written_anew([loop], {stmt: [f"{name}.append({value})"]})
    joined = f"{name} = {in_dialect(case, params['tf'], 'tf.stack(X)', X=node.value)}"
    stretch = between([first, *(each for each in siblings(first) if inside(loop, each))])
    changes = {first: [f"{name} = []"], loop: [*filled, joined]}
    return (written_anew(stretch, changes), stretch) if filled and stretch else None


def each_its_own(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Stretch:
    """`a = b = ...`, an object for each name."""
    if params.get("variant") != "chain":
        return None
    return [f"{ast.unparse(each)} = {ast.unparse(node.value)}" for each in node.targets], [node]


# ---- what something kept, itself


def as_the_row_says(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Stretch:
    """What left the library in a form that has a row, there or where its name is read."""
    reads = [read for name in assigned_names(node) for read in read_later(case, node, name)]
    return Rows(case, node, params).stretch([f"left.{why.category}"], node, *reads)


def not_from_zero(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Stretch:
    """The variable that is a factor 0, begun with small random numbers."""
    for side in operands(node, 2) if why.params.get("variant") == "factor" else ():
        variable = next(
            (
                v
                for v in case.evidence.variables().values()
                if side is not None and case.label_of(v) == ast.unparse(side)
            ),
            None,
        )
        made: Any = (
            case.node(variable.where)
            if variable is not None and not np.any(variable.value)
            else None
        )
        if variable is not None and last_name(made) == "Variable" and made.args:
            small = in_dialect(
                case,
                params["tf"],
                "tf.random.normal(S, stddev=0.1)",
                S=list(np.shape(variable.value)),
            )
            return written_anew([statement(made)], {made.args[0]: small}), [statement(made)]
    return None
