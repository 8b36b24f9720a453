"""The cure for what moves in steps: what is done with a place, a yes or a no, written by degrees.

The step itself has no slope, and often a number in its place would not even fit: a place is for
looking up, a yes for choosing. So the value is followed to where it is used, and *that* is written
anew: a row that is looked up becomes a mean of all rows, weighted by how near each is to being
chosen; a choice between two values becomes a mixture. What is used otherwise keeps its step.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from minitape.program.names import assigned_names
from minitape.program.syntax import is_chain, parent, statement

from .fitting import read_later
from .rewritten import LONGEST, free, siblings, written_anew
from .softly import last_name, likeness, shares, sides_of
from .tried import keeps_shape, rank_of, value_of, values_at

if TYPE_CHECKING:
    from minitape.program.aliases import Node

    from ..case.case import Case

    # the lines, the statements that they stand in place of, and what to say of it
    Found = tuple[list[str], list[Node], str] | None

PLACES = ("argmax", "argmin", "argsort", "top_k")
ROUNDS = ("floor", "round", "ceil", "rint")
STEPS = (*ROUNDS, "cast", "int")
INDICES = (
    "gather",
    "gather_nd",
    "embedding_lookup",
    "one_hot",
    "equal",
    "bincount",
    "confusion_matrix",
    "SparseCategoricalCrossentropy",
)
FURTHEST = 4  # so many names are followed
MANY = "many_places"
SHOWN = ("print", "display")
SIZES = {
    "matrix_rank": "{tf}.reduce_sum({tf}.linalg.svd({0}, compute_uv=False), axis=-1)",
    "count_nonzero": "{tf}.reduce_sum({tf}.abs({0}))",
}
RIGHT = {
    "sparse_categorical_accuracy": "{tf}.gather({1}, {0}, axis=1, batch_dims=1)",
    "categorical_accuracy": "{tf}.reduce_sum(({0}) * {1}, axis=-1)",
    "binary_accuracy": "1.0 - {tf}.reduce_mean({tf}.abs(({0}) - ({1})), axis=-1)",
}
ORDER = {ast.Gt: 1, ast.GtE: 1, ast.Lt: -1, ast.LtE: -1}


class _Use(NamedTuple):
    """Where a value that moved in steps is used: by `call`, as `operand` of it; compared with a
    label before, as `side` of `equal`.
    """

    call: Any
    operand: Node
    equal: Any = None
    side: Node = None


def by_degrees(case: Case, node: Node, tf: str) -> Found:
    """Return the lines in which the use of a step is written by degrees, or None where it is used
    otherwise.
    """
    counted = _counted(case, node, tf)
    if counted is not None:
        return written_anew([statement(node)], {node: counted[0]}), [statement(node)], counted[1]
    step: Any = _step(node)
    uses = _uses(case, step) if step is not None else []
    found, said = {}, ""
    weights = _weights(case, _inner(step), tf) if uses and not isinstance(step, ast.Compare) else ""
    for use in uses:
        written = _compared(case, step, use, tf) or _weighted(case, step, use, weights, tf)
        if not written or not keeps_shape(case, use.call, written[0], step):
            return None
        found[use.call], said, weights = (*written, weights)[:3]
    return (*_written(found, weights), said) if found else None


def _written(found: dict[Node, str], weights: str) -> tuple[list[str], list[Node]]:
    """Return the lines of some uses; with a name for the weights where a line would be too long."""
    stmts = _stretch([statement(each) for each in found])
    lines = written_anew(stmts, dict(found)) if stmts else []
    name = free(stmts[0], "weights", "shares") if stmts and not lines and weights else ""
    if name and len(weights) + len(name) + 3 <= LONGEST:
        lines = written_anew(
            stmts, {call: text.replace(weights, name) for call, text in found.items()}
        )
        lines = [f"{name} = {weights}", *lines] if lines else []
    return lines, stmts


def _counted(case: Case, node: Any, tf: str) -> tuple[str, str] | None:
    """How often answers are right, by the metrics of Keras, as a mean of probabilities; a rank as
    the sum of what it counts.
    """
    kind, args = last_name(node), [ast.unparse(a) for a in getattr(node, "args", ())]
    if kind in SIZES and len(args) == 1 and not node.keywords:
        return SIZES[kind].format(*args, tf=tf), "size"
    if kind not in RIGHT or len(args) != 2 or node.keywords:
        return None
    text = RIGHT[kind].format(
        args[0], shares(case, node.args[1], tf) if kind != "binary_accuracy" else args[1], tf=tf
    )
    return (ast.unparse(_parsed(text)), "agree") if keeps_shape(case, node, text, node) else None


def _step(node: Node) -> Node:
    """Return the step with what only turns it into a whole number: `tf.cast(tf.floor(x),
    tf.int32)`, `tf.math.top_k(x, 2)[1]`.
    """
    while node is not None:
        around: Any = parent(node)
        outer: Any = (
            parent(around)
            if isinstance(around, ast.Attribute) and around.attr == "astype"
            else None
        )
        whole = (
            last_name(around) == "cast"
            and around.args[:1] == [node]
            and "int" in ast.unparse(around.args[-1])
        )
        if (
            not whole
            and not _second(around, node)
            and outer is None
            and not (last_name(around) == "int" and isinstance(node, ast.Call))
        ):
            return node
        node = outer or around
    return None


def _second(around: Any, node: Node) -> bool:
    """True for the places in what `top_k` gives: `[1]` and `.indices`."""
    if last_name(node) != "top_k":
        return False
    return (
        isinstance(around, ast.Attribute)
        and around.attr == "indices"
        or isinstance(around, ast.Subscript)
        and ast.unparse(around.slice) == "1"
    )


def _inner(step: Any) -> Any:
    """Return the call or comparison that moves in steps, without what stands around it."""
    of: Any = (
        step.args[0] if last_name(step) == "cast" and step.args else getattr(step, "value", None)
    )
    inner = (
        last_name(of) in (*PLACES, *STEPS)
        or isinstance(of, (ast.Attribute, ast.Subscript))
        and last_name(of.value) == "top_k"
    )
    return _inner(of) if inner else step


def _moved(step: Any) -> tuple[str, Any]:
    """Return the name of what moves in steps, and what it is computed from: ("int", x) for
    `int(x.numpy())` and `x.numpy().astype(int)`.
    """
    kind, x = (
        last_name(step),
        cast("Any", step.args[0]) if isinstance(step, ast.Call) and step.args else None,
    )
    if kind == "astype":
        kind, x = "int" if "int" in ast.unparse(step.args[0]) else "", step.func.value
    while kind == "int" and (
        last_name(x) in ("float", "floor", "round") or last_name(x) == "numpy" and not x.args
    ):
        x = x.func.value if last_name(x) == "numpy" else x.args[0]
    return kind, x


# ---- where it is used


def _uses(case: Case, step: Node, depth: int = 0) -> list[_Use]:
    """Return where a value is used, under its names as well; what is only printed aside. [] where
    one use is not to be seen.
    """
    names = assigned_names(step)
    if not names:
        around: Any = parent(step)
        if isinstance(around, ast.keyword):
            around = parent(around)
        if sides_of(around) and sides_of(parent(step)):
            # who is right is used once more
            return [use._replace(equal=around, side=step) for use in _uses(case, around, depth)]
        if last_name(around) == "cast" and sides_of(parent(around)):
            return _uses(case, around, depth)
        return [_Use(around, step)]
    if last_name(step) == "top_k":
        names = names[1:2]
    if len(names) != 1 or depth > FURTHEST:
        return []
    found = []
    for read in read_later(case, step, names[0]):
        if isinstance(statement(read), ast.Expr) and last_name(statement(read).value) in SHOWN:
            continue
        below = _uses(case, _step(read), depth + 1)
        if not below:
            return []
        found += below
    return found


# ---- yes and no


def _compared(case: Case, step: Any, use: _Use, tf: str) -> tuple[str, ...] | None:
    """A comparison that chooses or counts, by degrees; and how often a place is that of a label."""
    call, name = use.call, last_name(use.call)
    if use.equal is not None:
        found = (
            likeness(case, use.equal, use.side, _inner(step), tf)
            if name in ("cast", "count_nonzero")
            else ""
        )
        if found and name == "count_nonzero":
            found = f"{tf}.reduce_sum({found})" if len(call.args) == 1 and not call.keywords else ""
        return (found, "agree") if found else None
    if last_name(step) == "in_top_k":
        targets, predictions, k = _given(step, ("targets", "predictions", "k"))
        if targets is None or not isinstance(k, ast.Constant) or k.value != 1:
            return None  # among several, no probability of one comes to the same
        text, said = (
            f"{tf}.gather({shares(case, predictions, tf)}, {ast.unparse(targets)}, axis=1, "
            "batch_dims=1)",
            "agree",
        )
    elif isinstance(step, ast.Compare) and len(step.ops) == 1 and type(step.ops[0]) in ORDER:
        text, said = _yes(step, tf), "choice"
    else:
        return None
    if name == "cast" and "int" not in ast.unparse(call.args[-1]):
        return text, said
    if name == "count_nonzero" and len(call.args) == 1 and not call.keywords:
        return f"{tf}.reduce_sum({text})", said
    if (
        said == "agree"
        or name != "where"
        or len(call.args) != 3
        or call.keywords
        or call.args[0] is not use.operand
    ):
        return None
    yes, no = call.args[1:]
    if isinstance(no, ast.Constant) and no.value == 0:
        one = isinstance(yes, ast.Constant) and yes.value == 1
        return text if one else ast.unparse(ast.BinOp(_parsed(text), ast.Mult(), yes)), "choice"
    between = ast.BinOp(_parsed(text), ast.Mult(), ast.BinOp(yes, ast.Sub(), no))
    return ast.unparse(ast.BinOp(no, ast.Add(), between)), "choice"


def _yes(compared: Any, tf: str) -> str:
    """Return how much of a yes a comparison is."""
    high, low = [compared.left, compared.comparators[0]][:: ORDER[type(compared.ops[0])]]
    share = (
        high
        if isinstance(low, ast.Constant) and low.value == 0
        else ast.BinOp(high, ast.Sub(), low)
    )
    return f"{tf}.sigmoid({ast.unparse(share)})"


# ---- places


def _weighted(case: Case, step: Any, use: _Use, weights: str, tf: str) -> tuple[str, ...] | None:
    """What is looked up at a place, as a mean of all rows with weights."""
    call, name, rows, many = use.call, last_name(use.call), None, ""
    if not weights:
        return None
    if name in ("gather", "embedding_lookup"):
        rows, place = _given(call, ("params", "indices"))
        if place is not use.operand or len(call.args) + len(call.keywords) > 2:
            return None
    elif (
        isinstance(call, ast.Subscript)
        and call.slice is use.operand
        and isinstance(call.ctx, ast.Load)
        and rank_of(case, call.value)
    ):
        rows = call.value
    if rows is not None:
        held, text = value_of(case, rows), ast.unparse(rows)
        many = f"{text}.shape[0]" if is_chain(rows) else ""
        if held is not None and held.dtype.kind in "iub":
            text = f"{tf}.cast({text}, {tf}.float32)"
        found = f"{tf}.tensordot({weights}, {text}, axes=1)"
    elif (
        name == "one_hot"
        and len(call.args) == 2
        and call.args[0] is use.operand
        and not call.keywords
    ):
        found, many = weights, ast.unparse(call.args[1])
    elif name == "cast" and use.operand is call.args[0] and last_name(_inner(step)) in PLACES:
        found = (
            f"{tf}.tensordot({weights}, {tf}.range({_count(case, _inner(step))}, "
            f"dtype={tf}.float32), axes=1)"
        )
    elif (
        name == "confusion_matrix"
        and len(call.args) == 2
        and not call.keywords
        and use.operand is call.args[1]
    ):
        found = (
            f"{tf}.matmul({tf}.one_hot({ast.unparse(call.args[0])}, "
            f"{_count(case, _inner(step))}), {weights}, transpose_a=True)"
        )
    else:
        return None
    return (
        (found.replace(MANY, many), "place", weights.replace(MANY, many))
        if many or MANY not in weights
        else None
    )


def _given(call: Any, names: Sequence[str]) -> list[Any]:
    said = {**dict(zip(names, call.args)), **{k.arg: k.value for k in call.keywords}}
    return [said.get(name) for name in names]


def _weights(case: Case, step: Any, tf: str) -> str:
    """Return the weights of all places, along a last axis, near 1 at the place that a step chooses
    and near 0 elsewhere; or "".
    """
    kind, x = _moved(step)
    if x is None or kind not in (*PLACES, *STEPS):
        return ""
    rank, text = _rank(case, step, x), ast.unparse(x)
    if rank is None:
        return ""
    column = f"{text}[..., None]" if rank > 1 else f"{text}[:, None]" if rank else text
    if not rank and isinstance(x, (ast.BinOp, ast.UnaryOp)) or rank and not is_chain(x):
        column = f"({text}){column.removeprefix(text)}"
    if kind in STEPS:
        return f"{tf}.nn.softmax(-({column} - {tf}.range({MANY}, dtype={tf}.float32)) ** 2)"
    if kind in ("argmax", "argmin"):
        axis = [
            ast.unparse(a)
            for a in [
                *step.args[1:2],
                *(k.value for k in step.keywords if k.arg in ("axis", "dimension")),
            ]
        ] or ["0"]
        if axis[0] not in ("-1", str(rank - 1)):
            return ""
        return f"{tf}.nn.softmax({text if kind == 'argmax' else f'-{text}' if is_chain(x) else f'-({text})'})"
    if any(
        k.arg not in ("direction", "k", "sorted", "index_type", "axis", "stable")
        or k.arg == "axis"
        and ast.unparse(k.value) not in ("-1", str(rank - 1))
        for k in step.keywords
    ):
        return ""
    row = (
        text if rank == 1 else f"{text}[..., None, :]" if is_chain(x) else f"({text})[..., None, :]"
    )
    if kind == "argsort":
        way = [
            f", direction={ast.unparse(a)}"
            for a in [*step.args[2:3], *(k.value for k in step.keywords if k.arg == "direction")]
        ]
        ordered = f"{tf}.sort({text}{''.join(way)})"
    else:
        names = assigned_names(step)
        ordered = names[0] if len(names) == 2 and names[0] != "_" else f"{ast.unparse(step)}.values"
    return (
        f"{tf}.nn.softmax(-{tf}.abs({ordered}[{':' if rank == 1 else '...'}, None] - {row}))"
        if len(step.args) < 4
        else ""
    )


def _rank(case: Case, step: Node, x: Node) -> int | None:
    """Return the number of axes that a step worked on: as it ran, or as the expression is worth."""
    arrays = values_at(case, step)
    return int(arrays[0].ndim) if arrays and arrays[0] is not None else rank_of(case, x)


def _count(case: Case, step: Any) -> str:
    """Return how many places a step chooses from, as text; or ""."""
    x = step.args[0] if isinstance(step, ast.Call) and step.args else None
    if x is not None and is_chain(x):
        return f"{ast.unparse(x)}.shape[-1]"
    arrays = values_at(case, step)
    return str(arrays[0].shape[-1]) if arrays and arrays[0] is not None and arrays[0].ndim else ""


# ---- writing


def _stretch(stmts: list[Any]) -> list[Node]:
    """Return some statements of one block with those between them; [] where they stand apart."""
    if not stmts:
        return []
    around = siblings(stmts[0])
    if any(stmt not in around for stmt in stmts):
        return []
    places = sorted(around.index(stmt) for stmt in stmts)
    return around[places[0] : places[-1] + 1]


def _parsed(text: str) -> Any:
    return ast.parse(text, mode="eval").body


# ---- one expression in the place of the step


def smooth(case: Case, node: Node, tf: str, params: dict[str, Any]) -> Any:
    """A smooth stand-in, or the step forwards and the slope of its input backwards
    (straight-through).
    """
    if params.get("variant") == "rule":
        return None  # the rule would give another number, and not say so
    if (
        isinstance(node, ast.Compare)
        and len(node.ops) == 1
        and isinstance(node.ops[0], (ast.Gt, ast.GtE, ast.Lt, ast.LtE))
    ):
        if call_around(node) != "cast":
            return None  # what chooses must stay a yes or no
        return _yes(node, tf)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
        smooth = ast.unparse(ast.BinOp(node.left, ast.Div(), node.right))
        return f"{smooth} + {tf}.stop_gradient({ast.unparse(node)} - {smooth})"
    name = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
    if not name or not getattr(node, "args", None) or call_around(node) in (*INDICES, "cast"):
        return None
    x = ast.unparse(node.args[0])
    if name in ROUNDS:
        return f"{x} + {tf}.stop_gradient({ast.unparse(node)} - ({x}))"
    if name in ("argmax", "argmin"):
        axes = [*node.args[1:2], *(k.value for k in node.keywords if k.arg == "axis")]
        axis = "".join(f", axis={ast.unparse(each)}" for each in axes)
        return f"{tf}.nn.softmax({x if name == 'argmax' else f'-({x})'}{axis})"
    return f"{tf}.tanh({x})" if name == "sign" else None


def call_around(node: Node) -> str:
    """Return the name of the function that an expression is an argument of, or ""."""
    return last_name(parent(node)) if node is not None else ""
