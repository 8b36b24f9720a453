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
    call_name,
    inside,
    is_chain,
    names_used,
    operands,
    parent,
    siblings,
    statement,
    text_of,
)

from ..case.definitions import definition, tape_block
from ..reasons.batch import data_in
from ..reasons.outside import block_of, tape_names
from ..reasons.recorded import straight_through
from .fitting import agrees, keeps_shape, read_later
from .rows import Rows, in_dialect
from .writing import (
    LONGEST,
    LOOPS,
    MOST_LINES,
    Cure,
    between,
    free,
    named,
    own_loop,
    put,
    stored,
    written_anew,
)

if TYPE_CHECKING:
    from ..case.aliases import Break, Case, Node


LEAVES = (ast.Return, ast.Break, ast.Continue, ast.Yield)  # what leaves a loop


# ---- state: the value gets a name of its own, and goes into the variable as well


def kept_beside(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Cure | None:
    """`v.assign(x)` and what reads v, by a name of its own, which goes into v as well: of a loop,
    before and behind it.
    """
    stmt, call = statement(node), node
    sign = case.dialect.changes.get(getattr(getattr(node, "func", None), "attr", ""))
    alone = isinstance(stmt, ast.Expr) and stmt.value is call
    if sign is None or not alone or len(call.args) != 1:
        return None
    func, loop, arg = call.func, own_loop(stmt), call.args[0]
    held, base = ast.unparse(func.value), call_name(ast.Call(func.value, [], []))
    name = free(node, f"new_{base}", f"next_{base}", f"{base}_now")
    again = sum(note.where == why.where for note in case.evidence.of("assign")) > 1
    if not name or (own_loop(loop) is not None if loop is not None else again):
        return None  # the state goes from call to call: that is for the learner to arrange
    first = loop or stmt
    behind = siblings(first)[siblings(first).index(first) + 1 :]
    result = [_reads(each, held) if each is not stmt else [] for each in (first, *behind)]
    last = max((k for k, reads in enumerate(result) if reads), default=0)
    reads = {read: name for each in result for read in each if not inside(read, func)}
    stretch = [first, *behind][: last + 1]
    if any(_changes(case, each, held, func) for each in stretch):
        return None
    if not reads and loop is None:  # nothing reads it: it may be the loss itself
        plain = held == case.target_name and not sign
        return Cure([f"{held} = {ast.unparse(arg)}"], [stmt]) if plain else None
    given = put(arg, {n: t for n, t in reads.items() if inside(n, arg)})
    value = f"{name if loop is not None else held} {sign} ({given})" if sign else given
    line = f"{name} = {ast.unparse(ast.parse(value))}"
    if loop is None:
        return Cure(
            written_anew(stretch, {**reads, stmt: [line, f"{held}.assign({name})"]}), stretch
        )
    inner, rest = written_anew([loop], {**reads, stmt: [line]}), written_anew(stretch[1:], reads)
    lines = [f"{name} = {held}.read_value()", *inner, f"{held}.assign({name})", *rest]
    return Cure(lines, stretch) if inner and rest else None


def _changes(case: Case, stmt: Node, held: str, func: Node) -> bool:
    """True where a statement assigns to a variable by another call than one."""
    nodes: list[Any] = [n for n in ast.walk(stmt) if call_name(n) in case.dialect.changes]
    return held in [ast.unparse(n.func).rpartition(".")[0] for n in nodes if n.func is not func]


def _reads(stmt: Node, held: str) -> list[Node]:
    """Return the expressions that read a variable; `w.read_value()` and `w.value()` as a whole."""
    result: list[Node] = []
    for node in ast.walk(stmt):
        if isinstance(getattr(node, "ctx", None), ast.Load) and ast.unparse(node) == held:
            call = parent(parent(node))
            read = call_name(call) in ("read_value", "value")
            whole = read and getattr(call, "func", None) is parent(node)
            result.append(call if whole else node)
    return result


# ---- a variable that keeps its name


def in_place(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Cure | None:
    """`w = w - lr * g` as `w.assign_sub(lr * g)`; of two at once, one after the other."""
    stmt: Any = statement(node)
    target: Any = getattr(stmt, "targets", [None])[0]
    each: list[Any] = [stmt]
    if isinstance(target, ast.Tuple) and isinstance(stmt.value, ast.Tuple):
        each = [ast.Assign([t], v) for t, v in zip(target.elts, stmt.value.elts)]
    result = [Rows(case, node, params).at(["variable-replaced"], one) for one in each]
    lines = [line for texts in result for text in texts for line in text.split("\n")]
    if not all(result) or len(getattr(each[0], "targets", [])) > 1:
        return None
    return Cure(lines, [stmt]) if max(map(len, lines)) <= LONGEST else None


def is_cut(value: Node) -> bool:
    """Say whether an expression is `stop_gradient(...)`: assigning it would change nothing."""
    return call_name(value) == "stop_gradient"


# ---- a variable made once


def made_once(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Cure | None:
    """A variable that a function or a loop makes each time, made before; in a method, at first."""
    if why.params["variant"] != "anew" or not isinstance(node, ast.expr):
        return None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Call):
        node = node.func  # a layer, made and called in one breath
    stmt, function, made = statement(node), above(node, FUNCTIONS), ast.unparse(node)
    plain = named(stmt, node)
    name = plain or call_name(node) and free(node, call_name(node).lower())
    if not name or isinstance(function, ast.Lambda):
        return None
    if function is not None and isinstance(parent(function), ast.ClassDef):
        me = function.args.args[0].arg if function.args.args else "self"
        attribute = name.removeprefix(f"{me}.")
        use = (
            written_anew([stmt], {node: f"{me}.{attribute}"}) if name != f"{me}.{attribute}" else []
        )
        lines = [f"if not hasattr({me}, {attribute!r}):", f"    {me}.{attribute} = {made}", *use]
        return Cure(lines, [stmt]) if attribute.isidentifier() else None
    container = function or own_loop(node)
    if container is None or "." in name or names_used(node) & stored(container):
        return None
    rest = written_anew([container], {stmt: []} if plain else {node: name})
    return Cure([f"{name} = {made}", *rest], [container]) if rest else None


# ---- one tape for both


def one_block(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Cure | None:
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
        for n in case.program.each((ast.Assign,)):
            made = names_used(each) & {ast.unparse(t) for t in n.targets} and n not in moved
            if made and parent(n) is tape_block(n) not in (None, tape_block(each)):
                todo.append(n)
    first = ["\n".join(written_anew([each], {})) for each in moved]
    lines = written_anew([block], {block.body[0]: [*first, ast.unparse(block.body[0])]})
    return Cure(lines, [block]) if lines else None


def _loop_inside(block: Node) -> Cure | None:
    """`for ...: with tape: ...` as `with tape: for ...: ...`; what stood behind stays behind."""
    loop = parent(block)
    plain = isinstance(loop, LOOPS) and not loop.orelse and block in loop.body
    if not plain or any(isinstance(n, LEAVES) for n in ast.walk(loop)):
        return None
    rest = loop.body[loop.body.index(block) + 1 :]
    own = [ast.unparse(each) for each in block.body]
    inner = written_anew([loop], {block: own, **{each: [] for each in rest}})
    head = f"with {ast.unparse(block.items[0])}:"
    lines = [head, *("    " + line for line in inner), *written_anew(rest, {})]
    return Cure(lines, [loop]) if inner and len(lines) <= MOST_LINES else None


def outer_first(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Cure | None:
    """The inner block in the outer one behind it; what that is told to watch stays first."""
    outer: Any = block_of(case)
    inner: Any = above(node, ast.With, stop=FUNCTIONS)
    beside = siblings(outer) if outer is not None else []
    if inner is None and statement(node) in beside[: beside.index(outer)]:
        # the slope itself, asked before the outer block
        inner = next((each for each in beside if _opens(each, why.params["inner"])), None)
    if outer is None or not _opens(inner, why.params["inner"]):
        return None
    within = beside is inner.body
    if beside[-1] is not outer if within else inner not in beside:
        return None
    middle = [] if within else beside[beside.index(inner) + 1 : beside.index(outer)]
    watch = tuple(f"{tape}.watch(" for tape in tape_names(case))
    watches = [each for each in outer.body if ast.unparse(each).startswith(watch)]
    rest = [each for each in outer.body if each not in watches]
    first = ast.With(inner.items, [each for each in inner.body if each is not outer])
    new = ast.fix_missing_locations(ast.With(outer.items, [*watches, first, *middle, *rest]))
    return Cure(written_anew([new], {}), [inner] if within else [inner, *middle, outer])


def _opens(block: Node, tape: str) -> bool:
    items = block.items if isinstance(block, ast.With) else []
    return tape in [ast.unparse(item.optional_vars or item) for item in items]


# ---- the batch where an old name stands


def with_batch(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Cure | None:
    """The batch where the block reads other data, where the names tell which is which."""
    given, block = why.params["given"], block_of(case)
    if why.params["variant"] == "shape":
        return Cure(written_anew([statement(node)], {node: given[0]}), [statement(node)])
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
    return Cure(written_anew(stretch, {n: new[ast.unparse(n)] for n in read}), stretch)


def _alike(a: str, b: str) -> int:
    """Return how many characters two names have in common on end: x_train and x, first_y and by."""
    return max(
        (k - j for j in range(len(b)) for k in range(j + 1, len(b) + 1) if b[j:k] in a), default=0
    )


# ---- a list instead of an array that is filled


def collected(
    case: Case, why: Break, node: Any, params: dict[str, Any], value: Node = None
) -> Cure | None:
    """The loop that fills a NumPy array, with a list that is joined behind it."""
    stmt, loop = statement(node), own_loop(node)
    if not isinstance(node, ast.Subscript) or getattr(stmt, "targets", []) != [node]:
        return None
    made, name, value = definition(case, node.value), ast.unparse(node.value), value or stmt.value
    first, value = statement(made) if made is not None else None, ast.unparse(value)
    if isinstance(node.slice, ast.Slice):
        return Cure([f"{name} = {value}"], [stmt]) if ast.unparse(node.slice) == ":" else None
    if loop is None or first is None or isinstance(node.slice, ast.Tuple):
        return None
    filled = written_anew([loop], {stmt: [f"{name}.append({value})"]})
    joined = f"{name} = {in_dialect(case, params['tf'], 'tf.stack(X)', X=node.value)}"
    stretch = between([first, *(each for each in siblings(first) if inside(loop, each))])
    changes = {first: [f"{name} = []"], loop: [*filled, joined]}
    return (
        Cure(written_anew(stretch, changes), stretch)
        if filled and stretch and inside(loop, stretch[-1])
        else None
    )


def each_its_own(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Cure | None:
    """`a = b = ...`, an object for each name."""
    if params.get("variant") != "chain":
        return None
    return Cure(
        [f"{ast.unparse(each)} = {ast.unparse(node.value)}" for each in node.targets], [node]
    )


# ---- what something kept, itself


def as_the_row_says(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Cure | None:
    """What left the library in a form that has a row, there or where its name is read."""
    reads = [read for name in assigned_names(node) for read in read_later(case, node, name)]
    return Rows(case, node, params).stretch([f"left.{why.category}"], node, *reads)


def with_own_loss(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Cure | None:
    """The loss with a term of its own for what a straight-through step leaves out."""
    result = straight_through(case, node)
    made: Any = definition(case, case.target_node) if case.target_node is not None else None
    assigned = made is not None and isinstance(parent(made), ast.Assign)
    if result is None or not assigned or not case.same_scope(made, node):
        return None
    text = "L + tf.reduce_mean((tf.stop_gradient(Z) - Q) ** 2)"
    new = in_dialect(case, params["tf"], text, L=made, Z=result[0], Q=result[1])
    return Cure(written_anew([statement(made)], {made: new}), [statement(made)])


def not_from_zero(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Cure | None:
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
        if variable is not None and call_name(made) == "Variable" and made.args:
            small = in_dialect(
                case,
                params["tf"],
                "tf.random.normal(S, stddev=0.1)",
                S=list(np.shape(variable.value)),
            )
            return Cure(written_anew([statement(made)], {made.args[0]: small}), [statement(made)])
    return None


# ---- what was left out of the way: a result that nothing reads, or columns of a whole


def read_instead(case: Case, why: Break, node: Node, params: dict[str, Any]) -> Cure | None:
    """The next line that reads what a dropped result was made of, or an older name of it, `actions`
    for `new_actions`: with the result in its place.
    """
    stmt = statement(node)
    name = named(stmt, node)
    if why.params.get("variant") != "ends.there" or not name.isidentifier():
        return None
    around = siblings(stmt)
    for later in around[around.index(stmt) + 1 :]:
        names = [
            n for n in ast.walk(later) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
        ]
        reads = [n for n in names if name.endswith(f"_{n.id}")]
        reads = reads or [n for n in names if n.id in names_used(node)]
        reads = [n for n in reads if not callable(case.held(n))]  # the net itself, say
        if reads:
            fits = all(keeps_shape(case, n, name, node) for n in reads)
            lines = written_anew([later], dict.fromkeys(reads, name)) if fits else []
            return Cure(lines, [later]) if lines else None
    return None


def joined(case: Case, why: Break, node: Any, params: dict[str, Any]) -> Cure | None:
    """The line of the block that reads a whole: the columns that were cut out of it, joined."""
    block = block_of(case)
    if why.params.get("variant") != "copy" or block is None or not isinstance(node, ast.Subscript):
        return None
    whole = text_of(node.value)
    cut: list[Any] = case.program.each((ast.Subscript,), whole.rpartition(".")[2])
    parts = [
        names[0]
        for each in cut
        if isinstance(each.ctx, ast.Load) and text_of(each.value) == whole
        if (names := assigned_names(each))
    ]
    reads = [
        n
        for n in ast.walk(block)
        if is_chain(n) and text_of(n) == whole and isinstance(getattr(n, "ctx", None), ast.Load)
    ]
    if len(reads) != 1 or len(parts) < 2:
        return None
    columns: Any = ast.parse(f"[{', '.join(parts)}]", mode="eval").body
    new = in_dialect(case, params["tf"], "tf.concat(X, axis=-1)", X=columns)
    lines = written_anew([statement(reads[0])], {reads[0]: new})
    if not lines or not agrees(case, reads[0], new):
        return None
    return Cure(lines, [statement(reads[0])], {"variant": "columns"})


# ---- whole numbers: the call that made them, making floating-point numbers

CAST = "tf.cast(X, tf.float32)"
LITERAL = (ast.Constant, ast.List, ast.Tuple, ast.UnaryOp, ast.USub, ast.Load)


def as_float(case: Case, node: Node, tf: str) -> str:
    """Return a call with 3.0 for 3 where a number is written down, else with a cast; or ""."""
    watches = (
        call for call in case.program.each((ast.Call,), "watch") if call_name(call) == "watch"
    )
    # something is computed from it, and it is a variable or watched
    watched = case.source.is_variable or any(
        case.source_name in ast.unparse(call) for call in watches
    )
    if (
        not watched
        or case.source.id not in case.evidence.used
        or not isinstance(node, ast.Call)
        or not node.args
        and not node.keywords
        or isinstance(node.args[:1] and node.args[0], ast.Starred)
    ):
        return ""
    new: Any = ast.parse(ast.unparse(node), mode="eval").body
    name, to_float = (
        call_name(node),
        ast.parse(in_dialect(case, tf, "tf.float32"), mode="eval").body,
    )
    dtypes = [k for k in new.keywords if k.arg == "dtype"]
    for keyword in dtypes:
        keyword.value = to_float
    if name in case.dialect.wrappers:
        named = next((k for k in new.keywords if k.arg in ("initial_value", "value")), None)
        if not new.args and named is not None:  # tf.Variable(initial_value=3)
            new.args = [named.value]
            new.keywords.remove(named)
        if not new.args or isinstance(new.args[0], ast.Lambda):
            return ""
        if name != "Variable":  # whose second argument is `trainable`
            new.args[1:2] = [to_float] * len(new.args[1:2])
        new.args[0] = (
            _floats(new.args[0])
            or ast.parse(in_dialect(case, tf, CAST, X=new.args[0]), mode="eval").body
        )
    elif name == "cast":
        new.args[1:2] = [to_float] * len(new.args[1:2])
    elif not dtypes:
        return "" if case.source.is_variable else in_dialect(case, tf, CAST, X=node)
    return ast.unparse(new)


def _floats(value: Any) -> Any:
    """Return numbers that are written down, with 3.0 for each 3; or None for what is computed."""
    if not all(isinstance(n, LITERAL) for n in ast.walk(value)):
        return None
    for constant in ast.walk(value):
        if isinstance(constant, ast.Constant) and type(constant.value) is int:
            constant.value = float(constant.value)
    return value
