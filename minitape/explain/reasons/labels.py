"""A value used as its own label: what the prediction is compared with depends on the source, too,
and the gradient flows through both.

The tape shows that both sides of a comparison come from the source. Which side is the label follows
from the learner's name for it or from its position in a loss. If neither is clear, nothing is said:
two embeddings may well be compared with each other.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from minitape.engine.ops.facts import facts_of
from minitape.program.objects import attributes, class_name, has
from minitape.program.syntax import alike, last_name, operands, short, text_of

from ..case.aliases import Case, Node, Ran
from ..case.definitions import arguments_for, definition, definitions
from ..case.graph import Break

LABEL = re.compile(
    r"(?:^|_)(?:y_?true|truth|target|label|teacher|pseudo|expected|goal|desired)s?(?:_|$)",
    re.IGNORECASE,
)
LOSS = re.compile(
    r"(?:^|_)(?:mse|mae|mape|msle|mean_(?:squared|absolute)_error|huber|log_?cosh|(?:kl_?|kullback_leibler_)divergence"
    r"|kld|poisson|hinge|cosine_similarity|(?:binary|categorical)_(?:focal_)?crossentropy|cross_entropy_with_logits)$"
)
# label and prediction are not treated alike
ONE_WAY = re.compile(r"crossentropy$|cross_entropy_with_logits$")
TRUE, PREDICTED = ("y_true", "labels"), ("y_pred", "logits")


def reasons(case: Case, reach: set[Any]) -> Iterator[Break]:
    """Return the breaks for labels that come from the source; `reach`: the numbers of what is
    computed from it on the tape.
    """
    firsts: dict[int, Ran] = {}  # as in `Evidence.places`
    for ran in case.evidence.ran:
        if id(ran.where) not in firsts and ran.recorded and not reach.isdisjoint(ran.inputs):
            firsts[id(ran.where)] = ran
    for first in firsts.values():
        node = case.node(first.where)
        if isinstance(node, ast.Call) and LOSS.search(_loss_name(case, node.func)):
            group = [
                ran
                for ran in case.evidence.ran
                if ran.where is first.where and ran.recorded and not reach.isdisjoint(ran.inputs)
            ]
            yield from _of_loss(case, node, group, reach)
        elif (
            facts_of(first.op).compares == "numbers"
            and set(first.inputs) <= reach
            and len(set(first.inputs)) == 2
        ):
            for operand in operands(node, 2) if node is not None else ():
                label = _label(case, operand)
                if label is not None and not _stands(case, label, reach):
                    yield _through(case, label)
                    break


def _of_loss(case: Case, call: Node, group: list[Ran], reach: set[Any]) -> Iterator[Break]:
    """A loss of the library: its first argument is the label, its second one the prediction."""
    given = {k.arg: k.value for k in call.keywords if k.arg}
    label = next((given[k] for k in TRUE if k in given), call.args[0] if call.args else None)
    prediction = next(
        (given[k] for k in PREDICTED if k in given), call.args[1] if len(call.args) > 1 else None
    )
    if label is None or prediction is None:
        return
    made = {n for ran in group for n in ran.outputs}
    come = {n for ran in group for n in ran.inputs if n in reach and n not in made}
    params = {"label": short(label), "prediction": short(prediction), "loss": text_of(call.func)}
    if alike(label, prediction):
        yield Break("own-label", call, params={**params, "variant": "itself"})
    elif len(come) == 1 and ONE_WAY.search(_loss_name(case, call.func)):
        (number,) = come
        if _is(case, label, number) and not _is(case, prediction, number):
            yield Break("own-label", call, params={**params, "variant": "swapped"})
    elif len(come) > 1 and (named := _label(case, label)) and not _stands(case, named, reach):
        yield _through(case, named)


def _through(case: Case, label: Node) -> Break:
    made = definition(case, label)
    return Break(
        "own-label",
        made if made is not None else label,
        params={"label": text_of(label), "made": short(made if made is not None else label)},
    )


def _label(case: Case, node: Node) -> Node:
    """Return the name that says that a value is a label, or None; a parameter is called as it is
    where its function is called.
    """
    seen: set[Node] = set()
    while isinstance(node, ast.Name) and node not in seen and (given := arguments_for(case, node)):
        seen.add(node)
        again, node = alike(given[0], node), given[0]
        if again:
            break
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return None
    return node if LABEL.search(text_of(node).rpartition(".")[2]) else None


def _stands(case: Case, label: Node, reach: set[Any]) -> bool:
    """True where a label is still to be had, and nothing of the source is in it: in a loop the loss
    gets another prediction each time.
    """
    numbers = case.objects_named(label)
    return bool(numbers) and reach.isdisjoint(numbers)


def _is(case: Case, node: Node, number: int) -> bool:
    """True where an expression has the value with a number, as far as the text tells."""
    if case.evidence.name(number) == text_of(node):
        return True
    ran = case.evidence.maker.get(number)
    made = case.node(ran.where) if ran is not None else None
    given = arguments_for(case, node) if isinstance(node, ast.Name) else []
    return made is not None and made in (node, definition(case, node), *given)


def _loss_name(case: Case, func: Node) -> str:
    """Return what a called loss is, as the library writes its functions: mean_squared_error for an
    object of MeanSquaredError.
    """
    # MeanSquaredError()(labels, predictions)
    func = func.func if isinstance(func, ast.Call) else func
    name, held = last_name(func), case.held(func)
    if "reduction" in attributes(held) or has(held, "reduction"):
        name = class_name(held)
    elif isinstance(func, (ast.Name, ast.Attribute)):
        made = next(
            (v for v in definitions(text_of(func), case.program) if isinstance(v, ast.Call)), None
        )
        name = last_name(made.func) if made is not None else name
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
