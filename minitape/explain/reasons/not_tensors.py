"""Targets and sources that are no tensors: a NumPy array, a number, a string, None; or no sources
at all.

`gradient` raises for these, and returns an empty list for an empty list. The reasons say where the
value left the library, as far as the notes and the text show it, and why a model has no variables.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from minitape.engine.base.nest import flatten
from minitape.program.names import assigned_names
from minitape.program.objects import class_name, is_a, listed_by
from minitape.program.syntax import call_name, short, text_of
from minitape.program.visible import reachable

from ..case.aliases import Case, Node
from ..case.definitions import definition, definitions
from ..case.graph import Break
from . import escapes
from .namesakes import instead
from .start import frozen
from .state import maker_of


class NotATensor:
    """A target or source that is no tensor, with the attributes of a `TensorInfo` that readers ask for."""

    id = tensor = where = dtype = None
    is_variable = False
    name = path = ""

    def __init__(self, obj: object) -> None:
        self.object = self.value = obj


def reasons(case: Case) -> Iterator[Break]:
    """Return the breaks for what cannot be asked for, the target's first."""
    for target in case.targets:
        if isinstance(target, NotATensor):
            yield _target(case, target.object)
    if not case.targets:
        yield Break("not-a-tensor", case.call, params={"variant": "none"})
    if isinstance(case.source, NotATensor):
        yield _no_sources(case) if case.many == 0 else _source(case, case.source.object)


def _target(case: Case, obj: object) -> Break:
    """The target left the library, or was never in it."""
    node = definition(case, case.target_node)
    params = {
        "type": _kind(obj),
        "made": short(node) if node is not None else "",
        "instead": instead(case, node),
    }
    if obj is None:
        return Break(
            "not-a-tensor",
            _that_forgets(case, node) or node or case.call,
            params={**params, "variant": "none"},
        )
    if is_a(obj, (str, bytes)):
        return Break(
            "not-a-tensor", case.call, params={**params, "variant": "text", "name": str(obj)}
        )
    for escape in reversed(case.evidence.of("escape")):
        left = case.node(escape.where)
        if (
            left is not None
            and case.target_node is not None
            and case.flow(left).reaches(case.target_node)
        ):
            how = escape.about["how"]
            return Break(
                "numpy-escape" if how in escapes.ARRAYS else "python-escape",
                escape.where,
                params={
                    "variant": "target",
                    "left": case.text(escape.where),
                    "name": case.label(escape.about["id"]),
                    "type": params["type"],
                    "instead": instead(case, left),
                },
            )
    return Break(
        "not-a-tensor",
        node if node is not None else case.call,
        params={**params, "variant": "target" + _form(obj)},
    )


def _source(case: Case, obj: object) -> Break:
    """The source is a number, an array, a text, or something that only has tensors."""
    node = definition(case, case.source_node)
    params = {"type": _kind(obj), "made": short(node) if node is not None else ""}
    where = node if node is not None else case.call
    if obj is None:
        return Break("not-a-tensor", where, params={**params, "variant": "source-none"})
    if is_a(obj, (str, bytes)):
        return Break("not-a-tensor", where, params={**params, "variant": "text", "name": str(obj)})
    if is_a(obj, (int, float, complex, np.ndarray, np.generic, list, tuple)):
        written = text_of(node) if node is not None else ""
        value = written if 0 < len(written) <= 40 else case.source_name or repr(obj)[:40]
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            value = f"{node.value}.0"
        elif all(np.asarray(each).dtype.kind in "iub" for each in flatten(obj)):
            value = f"{value}, dtype={case.evidence.library[0]}.float32"
        twins = [case.evidence.name(n) or case.label(n) for n in case.objects_named(node)]
        if twins:
            return Break(
                "not-a-tensor", where, params={**params, "variant": "source-left", "twin": twins[0]}
            )
        return Break("not-a-tensor", where, params={**params, "variant": "source", "value": value})
    return Break("not-a-tensor", where, params={**params, "variant": "source-other" + _form(obj)})


def _form(obj: object) -> str:
    """Return the end of the variant for what stands for a tensor, and is none."""
    return {"KerasTensor": ".keras", "TensorArray": ".array"}.get(class_name(obj), "")


def _kind(obj: object) -> str:
    """Return the name of a type as a program writes it: float, numpy.float32."""
    kind = type(obj)
    return (
        kind.__qualname__
        if kind.__module__ == "builtins"
        else f"{kind.__module__}.{kind.__qualname__}"
    )


def _that_forgets(case: Case, node: Node) -> Node:
    """Return the last statement of a learner's function that was called and returns nothing, or
    None.
    """
    name = call_name(node)
    named = (f for f in case.program.each((ast.FunctionDef,), name) if f.name == name)
    function = next(named, None) if name else None
    nodes = ast.walk(function) if function is not None else ()
    returns = any(isinstance(n, ast.Return) and n.value is not None for n in nodes)
    return function.body[-1] if function is not None and not returns else None


# ---- no source at all

LISTS = "trainable_variables", "trainable_weights", "variables", "weights"


def _no_sources(case: Case) -> Break:
    """Nothing was asked for: say why the list of a model is empty."""
    node = definition(case, case.sources_node)
    if isinstance(node, ast.Attribute):  # self.weights = model.trainable_weights, earlier
        node = ([node] + definitions(text_of(node), case.program))[-1]
    params: dict[str, Any] = {"made": short(node) if node is not None else ""}
    params["sources"] = f"[{', '.join(case.label_of(v) for v in case.tape.variables.values())}]"
    where = node if node is not None else case.call
    owner = case.held(node.value) if isinstance(node, ast.Attribute) else None
    params["owner"] = text_of(node.value) if isinstance(node, ast.Attribute) else ""
    if owner is None:
        kept = isinstance(node, ast.Attribute) and node is not case.sources_node
        used = "early" if kept and node.attr in LISTS else "used"
        return Break(
            "no-sources", where, params={**params, "variant": used if case.tape.variables else ""}
        )
    if listed_by(owner, "trainable_variables"):
        return Break("no-sources", where, params={**params, "variant": "early"})
    if listed_by(owner, "variables"):
        return Break(
            "no-sources",
            frozen(case) or where,
            params={**params, "variant": "frozen"},
        )
    inside = reachable(({params["owner"]: owner},), depth=5, private=True)
    hidden = [obj for _, obj in inside.values() if obj.is_variable]
    if hidden:
        params["name"] = inside[hidden[0].id][0]
        holder = case.held(ast.parse(params["name"].rpartition(".")[0], mode="eval").body)
        return Break(
            "no-sources",
            hidden[0].where,
            params={**params, "variant": "hidden", "class": class_name(holder)},
        )
    made = [v for v in case.tape.variables.values() if case.evidence.when(v.id) == "inside"]
    if made:
        maker = case.node(maker_of(case, made[0].where))
        # Dense(4)(x): the layer is what is made anew
        if isinstance(maker, ast.Call) and isinstance(maker.func, ast.Call):
            maker = maker.func
        name = next(iter(assigned_names(maker)), "") if maker is not None else ""
        return Break(
            "no-sources",
            maker,
            params={
                **params,
                "variant": "anew",
                "made": case.text(maker, 90),
                "name": name or "layer",
            },
        )
    return Break("no-sources", where, params={**params, "variant": "unmade"})
