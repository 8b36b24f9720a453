"""State: a value that is assigned to a variable is not recorded when it is read back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from minitape.program.syntax import above, is_chain, text_of

from ..case.aliases import Case, TensorInfo
from ..case.definitions import makes_variable
from ..case.graph import Break, Edge
from ..case.words import word


def edges(case: Case) -> Iterator[Edge]:
    """Return the edges through assignments, through variables made of tensors, and to variables
    made anew.
    """
    evidence = case.evidence
    variables = evidence.variables()
    for note in evidence.of("assign"):
        about = note.about
        number, version = about["variable"], about["version"]
        call = case.node(note.where)
        written = (
            call.func.value
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
            else None
        )
        name = (
            text_of(written)
            if written is not None and is_chain(written)
            else case.label_of(variables[number])
            if number in variables
            else about["name"].removesuffix(":0")
        )
        if about["value"] is not None:
            # v.assign([x, x]) makes its value on the way: that has no name
            made = evidence.maker.get(about["value"])
            anonymous = (
                made is not None and made.where == note.where and made.op != "ReadVariableOp"
            )
            value = word("value") if anonymous else case.label(about["value"])
            yield Edge(
                about["value"],
                ("version", number, version),
                note.where,
                Break(
                    "state-assign",
                    note.where,
                    params={"variable": name, "how": about["how"], "value": value},
                ),
                about["how"],
            )
        if about["how"] != "assign":
            yield Edge(("version", number, version - 1), ("version", number, version), note.where)
    for ran in evidence.ran:
        if ran.op == "ReadVariableOp":
            yield Edge(
                ("version", ran.inputs[0], ran.about.get("version", 0)), ran.outputs[0], ran.where
            )
    for target in case.targets:  # nothing reads it: its last numbers are what is asked for
        versions = [
            n.about["version"]
            for n in evidence.of("assign")
            if target.is_variable and n.about["variable"] == target.id
        ]
        if versions:
            yield Edge(("version", target.id, max(versions)), target.id)
    for note in evidence.of("variable from tensor"):
        if "variable" in note.about:
            yield Edge(
                note.about["id"],
                note.about["variable"],
                note.where,
                Break(
                    "variable-made-anew",
                    note.where,
                    params={
                        "variant": "wrapped",
                        "made": case.text(note.where),
                        "value": case.label(note.about["id"]),
                    },
                ),
            )
    yield from _metrics(case)
    yield from _anew(case, variables)


def _metrics(case: Case) -> Iterator[Edge]:
    """What went into a metric, and what it gave: by a result inside of the block, or by one after
    it, of which only the text tells.
    """
    given = [(n.about["metric"], n.about["id"]) for n in case.evidence.of("metric gives out")]
    for note in case.evidence.of("metric takes in"):
        call, metric = case.node(note.where), note.about["metric"]
        owner = _owner(call, "update_state")
        for number in note.about["ids"]:
            yield Edge(
                number,
                ("metric", metric),
                note.where,
                Break(
                    "metric-state",
                    note.where,
                    params={"value": case.label(number), "variable": owner or note.about["name"]},
                ),
                "metric",
            )
        for target in case.targets:
            if (
                owner
                and case.evidence.when(target.id) == "after"
                and _owner(case.node(target.where), "result") == owner
            ):
                given.append((metric, target.id))
    for metric, number in given:
        yield Edge(("metric", metric), number)


def _owner(call: Any, method: str) -> str:
    """Return what a call `metric.result()`, or `metric(...)`, calls the metric, or ""."""
    if not isinstance(call, ast.Call):
        return ""
    return text_of(
        call.func.value
        if isinstance(call.func, ast.Attribute) and call.func.attr == method
        else call.func
    )


def _anew(case: Case, variables: dict[int, TensorInfo]) -> Iterator[Edge]:
    """A variable that was made by the same expression as the source, but in another run of it."""
    source, when = case.source, case.evidence.when
    read = {n for r in case.evidence.ran if r.op == "ReadVariableOp" for n in r.inputs}
    if not source.is_variable or source.where is None or source.id in read:
        return
    for number, variable in variables.items():
        again = number in read and variable.where == source.where
        # brothers, made by one loop or one helper at one time: nobody was made anew
        if again and _kind(variable) == _kind(source) and when(number) != when(source.id):
            maker = maker_of(case, source.where)
            params = {"variant": "anew", "made": case.text(maker)}
            why = Break("variable-made-anew", maker, params=params)
            yield Edge(source.id, number, source.where, why)


def _kind(variable: TensorInfo) -> str:
    """Return a variable's name without the numbers that tell layers of one kind apart:
    dense_1/kernel is dense/kernel.
    """
    return re.sub(r"_\d+(?=/)", "", variable.name)


def maker_of(case: Case, where: Any) -> Any:
    """Return the expression that makes the variable again and again: that of the layer, where a
    layer made it when it was called.
    """
    node = case.node(where)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not makes_variable(node):
        function = above(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for stmt in ast.walk(function) if function is not None else ():
            if (
                isinstance(stmt, ast.Assign)
                and text_of(stmt.targets[0]) == node.func.id
                and isinstance(stmt.value, ast.Call)
            ):
                return stmt.value
    return where
