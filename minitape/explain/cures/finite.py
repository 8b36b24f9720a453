"""The cure for a number that is none, and for a slope that is 0 at this place: the same expression,
written so that it stays finite.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from minitape.program.names import assigned_names
from minitape.program.syntax import inside, names_used, parent, statement

from ..case.calls import definition
from ..case.case import definitions
from .by_degrees import smooth
from .fitting import read_later
from .softly import last_name

if TYPE_CHECKING:
    from minitape.program.aliases import Node

    from ..case.case import Case


def safe_input(case: Case, node: Node, tf: str, params: dict[str, Any]) -> Any:
    """The operand of the branch that was not chosen, made harmless where it is not chosen."""
    select = case.node(params["select"])
    if isinstance(node, ast.Call) and len(node.args) == 1:
        operand = node.args[0]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.Pow)):
        operand = node.right if isinstance(node.op, ast.Div) else node.left
    else:
        return None
    if (
        not isinstance(select, ast.Call)
        or len(select.args) != 3
        or any(
            made.lineno >= statement(node).lineno
            for name in names_used(select.args[0])
            for made in definitions(name, case.program)
        )
    ):
        return None
    condition, *branches = select.args
    chosen, other = [
        inside(node, branch) or not names_used(branch).isdisjoint(assigned_names(node))
        for branch in branches
    ]
    x = ast.unparse(operand)
    made_safe = f"{x}, 1.0" if chosen else f"1.0, {x}"
    return (
        {operand: f"{tf}.where({ast.unparse(condition)}, {made_safe})"} if chosen != other else None
    )


def kept_finite(case: Case, node: Node, tf: str, params: dict[str, Any]) -> Any:
    """Logarithms of a softmax, of a sum of exponentials and of 1 + exp(x) as the functions that do
    not overflow.
    """
    log: Any = node
    while log is not None and last_name(log) != "log" and isinstance(log, (ast.Call, ast.BinOp)):
        log = parent(log)
    of = definition(case, log.args[0]) if last_name(log) == "log" and len(log.args) == 1 else None
    if last_name(of) == "softmax" and log is node:
        return called_with(f"{tf}.nn.log_softmax", of.args, of.keywords)
    if last_name(of) == "reduce_sum" and of.args[:1] == [node] and last_name(node) == "exp":
        return {
            log: called_with(f"{tf}.reduce_logsumexp", [node.args[0], *of.args[1:]], of.keywords)
        }
    shares = _shares(case, node) if last_name(node) == "exp" and len(node.args) == 1 else None
    if shares is not None:  # the same shares, and no number above 1
        x, how = (
            ast.unparse(node.args[0]),
            "".join(f", {ast.unparse(a)}" for a in shares.args[1:])
            + "".join(f", {ast.unparse(k)}" for k in shares.keywords),
        )
        return f"{tf}.exp({x} - {tf}.reduce_max({x}{how}))"
    if (
        isinstance(of, ast.BinOp)
        and isinstance(of.op, ast.Add)
        and node in (of.left, of.right)
        and last_name(node) == "exp"
    ):
        one = of.left if of.right is node else of.right
        return (
            {log: f"{tf}.math.softplus({ast.unparse(node.args[0])})"}
            if isinstance(one, ast.Constant) and one.value == 1
            else None
        )
    return kept_defined(case, node, tf, params)


def _shares(case: Case, node: Node) -> Any:
    """Return the sum that some exponentials are divided by, where that is all that is done with
    them: `ex / tf.reduce_sum(ex)`.
    """
    names = assigned_names(node)
    reads = read_later(case, node, names[0]) if len(names) == 1 else []
    sums = [
        parent(read)
        for read in reads
        if last_name(parent(read)) == "reduce_sum" and parent(read).args[:1] == [read]
    ]
    divided = [
        read
        for read in reads
        if isinstance(parent(read), ast.BinOp) and isinstance(parent(read).op, ast.Div)
    ]
    whole = (
        len(reads) == 2 and len(sums) == len(divided) == 1 and parent(divided[0]).right is sums[0]
    )
    return sums[0] if whole else None


def called_with(function: str, args: list[Node], keywords: list[ast.keyword]) -> str:
    return ast.unparse(ast.Call(ast.parse(function, mode="eval").body, args, keywords))


def kept_defined(case: Case, node: Node, tf: str, params: dict[str, Any]) -> Any:
    """Roots, logarithms and quotients away from the place where they have no slope or no value."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return f"{tf}.math.divide_no_nan({ast.unparse(node.left)}, {ast.unparse(node.right)})"
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        name, x = ast.unparse(node.func), ast.unparse(node.args[0])
        if name.endswith(".sqrt") and params.get("op") == "Sqrt":
            return (
                f"{name}({x} + 1e-12)"
                if params.get("variant") == "root"
                else f"{name}({tf}.maximum({x}, 0.0))"
            )
        if name.endswith(".log"):
            return f"{name}({tf}.maximum({x}, 1e-7))"
        if name.endswith(".norm") and params.get("variant") == "root":
            return f"{tf}.sqrt({tf}.reduce_sum(({x}) ** 2) + 1e-12)"
    # forwards all was fine
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and "value" in params:
        power = getattr(node.right, "value", None)
        return (
            f"({ast.unparse(node.left)} + 1e-12) ** {power}"
            if type(power) is float and 0 < power < 1
            else None
        )
    return None


def sloping(case: Case, node: Any, tf: str, params: dict[str, Any]) -> Any:
    """tanh for sign, leaky_relu for a relu that is dead."""
    if params.get("variant") == "steps":
        return smooth(case, node, tf, params)
    if last_name(node) == "relu" and len(node.args) == 1 and not node.keywords:
        return f"{tf}.nn.leaky_relu({ast.unparse(node.args[0])})"
    if last_name(node) == "maximum" and len(node.args) == 2:
        zero = [isinstance(a, ast.Constant) and a.value == 0 for a in node.args]
        if zero[0] != zero[1]:
            return f"{tf}.nn.leaky_relu({ast.unparse(node.args[zero[0]])})"
    sides = (
        [a for a in getattr(node, "args", ()) if names_used(a)]
        if params.get("variant") == "clipped"
        else []
    )
    if len(sides) != 1 or node.keywords or any(isinstance(n, ast.Call) for n in ast.walk(sides[0])):
        return None
    x = f"({ast.unparse(sides[0])})"
    return ast.unparse(
        ast.parse(f"{x} + {tf}.stop_gradient({ast.unparse(node)} - {x})", mode="eval").body
    )
