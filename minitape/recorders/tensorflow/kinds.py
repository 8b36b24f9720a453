"""What TensorFlow's operations are: told by their names and definitions."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from tensorflow.python.framework import dtypes, op_def_registry

ASSIGNS = {
    "AssignVariableOp": "assign",
    "AssignAddVariableOp": "assign_add",
    "AssignSubVariableOp": "assign_sub",
}
READS_BY_HANDLE = ("ResourceGather", "ResourceGatherNd")
# how operations are called that change a variable which they are given by its handle
CHANGES = ("Resource", "Assign")
SILENT = frozenset(
    "Shape ShapeN Size Rank VarIsInitializedOp DestroyResourceOp VariableShape "
    "BroadcastGradientArgs".split()
)


@functools.cache
def kind_of(op: str) -> str:
    """Return what an operation does that minitape tells apart; nothing for what nobody wants to
    see.
    """
    if op in SILENT:
        return ""
    if op in ASSIGNS:
        return "assigns"
    if op.startswith(CHANGES) and op not in READS_BY_HANDLE:
        return "changes"
    return {"VarHandleOp": "makes", "ReadVariableOp": "reads"}.get(op, "computes")


@functools.cache
def has_slope(kind: int) -> bool:
    """Return True for the types, by their numbers in TensorFlow, that a gradient can be taken
    along.
    """
    return dtypes.as_dtype(kind).is_floating or dtypes.as_dtype(kind).is_complex


@functools.cache
def lists_among_inputs(op: str) -> tuple[bool, ...]:
    """Return for each input of an operation whether it is a list of tensors."""
    result = op_def_registry.get(op)
    return (
        tuple([bool(a.number_attr or a.type_list_attr) for a in result.input_arg])
        if result is not None
        else ()
    )


def operands(op: str, arguments: Sequence[Any], count: int) -> Sequence[Any]:
    """Return what an operation was given for its inputs, one for each tensor; nothing where that
    cannot be told.
    """
    lists = lists_among_inputs(op)
    result = arguments[: len(lists)]
    if True in lists:
        result = [
            obj
            for many, argument in zip(lists, result)
            for obj in (argument if many else [argument])
        ]
    return result if len(result) == count else ()


def name_of_function(op: str) -> str | None:
    """Return the name of a `tf.function` by that of its program in TensorFlow,
    "__inference_step_12"; None where it is none.
    """
    for kind in ("__inference_", "__forward_", "__backward_"):
        if op.startswith(kind):
            return op.removeprefix(kind).rpartition("_")[0] or op
    return None
