"""Recording TensorFlow: what it calls in Python is looked at, while `watch()` is open, and nothing else.

All that TensorFlow's Python computes goes through one module, `pywrap_tfe`, and through a few methods. Each that matters is replaced by a
function that calls the old one, with the same arguments, hands its result on, and notes what happened: those of operations and variables
here, those of tapes in `blocks.py`, those of the play in `way_back.py`. When the block ends, the old ones stand there again.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from typing import Any

import numpy as np
from tensorflow.python import pywrap_tfe
from tensorflow.python.eager import backprop, context
from tensorflow.python.framework import constant_op, op_callbacks, op_def_registry
from tensorflow.python.framework.ops import EagerTensor
from tensorflow.python.ops import resource_variable_ops
from tensorflow.python.ops.resource_variable_ops import BaseResourceVariable

from minitape.engine.gradient_tape import GradientTape
from minitape.engine.ground.tensor import Tensor
from minitape.engine.ground.where import here, is_inside
from minitape.engine.ops.record import OPS

from .blocks import Blocks
from .escapes import Escapes
from .operations import Row, translate
from .shield import Shield, shielded
from .tape import TensorFlowTape
from .things import Shadow, Things, array_of, is_keras, is_variable, path
from .way_back import WayBack

ASSIGNS = {"AssignVariableOp": "assign", "AssignAddVariableOp": "assign_add", "AssignSubVariableOp": "assign_sub"}
READS_BY_HANDLE = ("ResourceGather", "ResourceGatherNd")
CHANGES = ("Resource", "Assign")                # how operations are called that change a variable which they are given by its handle
SILENT = frozenset("Shape ShapeN Size Rank VarIsInitializedOp DestroyResourceOp VariableShape BroadcastGradientArgs".split())
NUMPY = os.path.join(os.path.dirname(os.path.abspath(np.__file__)), "")


class Recorder:
    """Writes down, for each `tf.GradientTape` of one thread, a tape that minitape's readers can read.

    Source of what is recorded: TensorFlow's `python/eager/record.py`.
    """

    def __init__(self) -> None:
        self.shield, self.things = Shield(), Things()
        self.back = WayBack(self.shield, self.things)
        self.blocks = self.back.blocks = Blocks(self.shield, self.things, self.back.ask)
        self._arguments: list[tuple[str, tuple[Any, ...]]] = []
        self._calls, self._layers = count(), list[tuple[int, str]]()       # calls of layers; those that compute now, the innermost last
        self._new: set[int] = set()                              # variables that have no content yet
        self._escapes = Escapes(self.escaped)
        self._restore: list[tuple[Any, str, Any]] = []

    # ---- for readers

    def describe(self, thing: object) -> Any:
        """Return a tensor or variable of TensorFlow's as a `Thing`; None for anything else."""
        return self.things.describe(thing)

    def tape_of(self, tape: object) -> TensorFlowTape | None:
        """Return the tape that stands for one of TensorFlow's; None for anything else."""
        return self.blocks.of(tape)

    # ---- on and off

    def start(self, trouble: list[Exception]) -> None:
        """Look from now on, in this thread; what goes wrong in the looking comes into `trouble`."""
        self.shield.serve(trouble)
        own: list[tuple[Any, str, Callable[..., Any]]] = [
            (pywrap_tfe, "TFE_Py_FastPathExecute", self._fast), (pywrap_tfe, "TFE_Py_TapeSetRecordOperation", self._own_rule),
            (pywrap_tfe, "TFE_Py_TapeSetRecordOperationBackprop", self._own_rule),
            (resource_variable_ops, "variable_accessed", self._accessed), (constant_op, "convert_to_eager_tensor", self._converted),
            *[(layer, "__call__", self._entered) for layer in layers()]]
        for owner, name, around in own + self.blocks.replaced() + self.back.replaced():
            old = vars(owner)[name]
            self._restore.append((owner, name, old))
            setattr(owner, name, functools.wraps(old)(around(old)))
        backprop.GradientTape.explain = lambda tape, target, source: GradientTape.explainer(tape, target, source)
        op_callbacks.add_op_callback(self._callback)
        self.back.start()
        self._escapes.start()

    def stop(self) -> None:
        """Put everything back. May be called by another thread, and where `start` has not come to its end."""
        self._escapes.stop()
        self.back.stop()
        if "explain" in vars(backprop.GradientTape):
            del backprop.GradientTape.explain
        while self._restore:
            owner, name, old = self._restore.pop()
            setattr(owner, name, old)
        self.blocks.end()
        self.shield.thread = None
        self.things.let_go({number for tape in self.blocks.known.values() for number in tape.variables})
        with suppress(KeyError):                                 # another thread does not have it, or somebody took it away
            op_callbacks.remove_op_callback(self._callback)

    # ---- operations

    def _callback(self, op_type: Any, inputs: Any, attributes: Any, outputs: Any, op_name: Any = None, graph: Any = None) -> None:
        if graph is None and outputs is not None:
            self._ran(op_type.decode() if isinstance(op_type, bytes) else op_type, inputs, attributes, outputs)

    @shielded
    def _ran(self, op: str, inputs: Sequence[Any], attributes: Sequence[Any], outputs: Sequence[Any]) -> None:
        if op in SILENT:
            return
        if op == "VarHandleOp":
            self._new.add(self.things.shadow(outputs[0]).id)
        elif op == "ReadVariableOp":
            self._read(self.things.shadow(inputs[0]), outputs[0])
        elif op in ASSIGNS:
            self._assigned(op, inputs)
        elif op.startswith(CHANGES) and op not in READS_BY_HANDLE:
            self.things.shadow(inputs[0]).assigned()
        else:
            self._computed(op, inputs, attributes, outputs)

    def _computed(self, op: str, inputs: Sequence[Any], attributes: Sequence[Any], outputs: Sequence[Any]) -> None:
        where, way = here(), (path(), None if self.back.playing else tuple(self._layers)) if self.blocks.open else None
        for tensor in outputs:
            self.things.made(self.things.number(tensor), where, way)
        self._take_arguments(op, inputs, where)
        if not self.blocks.open or not inputs or not outputs or pywrap_tfe.TFE_Py_TapeSetIsStopped() and op != "StopGradient":
            return
        tensors = [self._tensor(t) for t in inputs]
        try:
            row = translate(op, [t.value for t in tensors], dict(zip(attributes[::2], attributes[1::2])) if attributes else {}, OPS)
        except Exception as error:
            self.shield.keep(error)
            row = Row(f"tf.{op}", range(len(tensors)))
        self._record(attributes, shared(tuple(row.places)), row.op, [tensors[i] for i in row.places], row.attributes,
                     outputs[:row.outputs], where)
        if op == "StopGradient":
            for tape in self.blocks.open:
                tape.cut(self.things.number(outputs[0]))

    def _entered(self, old: Callable[..., Any]) -> Callable[..., Any]:
        """A layer is called, and what it computes until it returns is its own."""
        def call(layer: Any, *arguments: Any, **named: Any) -> Any:
            if not self.blocks.open or not self.shield.down:
                return old(layer, *arguments, **named)
            self._layers.append((next(self._calls), str(getattr(layer, "path", None) or getattr(layer, "name", ""))))
            try:
                return old(layer, *arguments, **named)
            finally:
                self._layers.pop()
        return call

    def _record(self, key: Any, places: Sequence[int], op: str, tensors: Sequence[Tensor], attributes: Any, outputs: Sequence[Any],
                where: Any) -> None:
        numbers, arrays = [self.things.number(t) for t in outputs], [array_of(t) for t in outputs]
        number, y = (numbers[0], arrays[0]) if len(outputs) == 1 else (tuple(numbers), tuple(arrays))
        for tape in self.blocks.open:
            tape.called(key, places, op, tuple([t.id for t in tensors]), number, attributes, *where, tuple([t.value for t in tensors]), y)

    def _own_rule(self, old: Callable[..., Any]) -> Callable[..., Any]:
        """A compiled function, or a rule of the learner's own, records itself as one operation."""
        def record(op: Any, outputs: Any, inputs: Any, backward: Any, *more: Any) -> Any:
            if not self.shield.down or not self.blocks.open or not context.executing_eagerly():
                return old(op, outputs, inputs, backward, *more)
            seen = outputs[:outputs_of_function(sys._getframe(1))]
            key = object()
            found = old(op, outputs, inputs, self.back.seen(backward, key), *more)
            self._called(key, op.decode() if isinstance(op, bytes) else str(op), inputs, seen)
            return found
        return record

    @shielded
    def _called(self, key: object, name: str, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        if not inputs or not outputs or pywrap_tfe.TFE_Py_TapeSetIsStopped():
            return
        where, function = here(), name_of_function(name)
        for tensor in outputs:
            self.things.made(self.things.number(tensor), where)
        op, attributes = ("CustomGradient", {"rule": unknown, "name": name}) if function is None else (f"tf.function {function}", None)
        tensors = [self._tensor(t) for t in inputs]
        for tape in self.blocks.open:
            tape.forget(tuple([t.id for t in tensors]), tuple(map(self.things.number, outputs)))
        self._record(key, range(len(inputs)), op, tensors, attributes, outputs, where)

    # ---- what TensorFlow's short way does by itself: it reads variables, and makes tensors of numbers

    def _fast(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def execute(context: Any, op: str, name: Any, *arguments: Any) -> Any:
            if not self.blocks.open or not self.shield.down:
                return old(context, op, name, *arguments)
            self._arguments.append((op, arguments))
            try:
                return old(context, op, name, *arguments)
            finally:
                self._arguments.pop()
        return execute

    def _take_arguments(self, op: str, inputs: Sequence[Any], where: Any) -> None:
        """Learn from what the short way was given which inputs are readings of variables, and which came from outside."""
        if not self._arguments or self._arguments[-1][0] != op:
            return
        for thing, tensor in zip(operands(op, self._arguments[-1][1], len(inputs)), inputs):
            if isinstance(thing, BaseResourceVariable):
                if tensor._id != thing.handle._id:
                    self._read(self.things.shadow(thing.handle, thing), tensor)
            elif not isinstance(thing, EagerTensor):
                self._came_back(thing, tensor, where)

    def _converted(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def convert(value: Any, *arguments: Any, **named: Any) -> Any:
            found = old(value, *arguments, **named)
            if not isinstance(value, EagerTensor) and isinstance(found, EagerTensor):
                self._constant(value, found)
            return found
        return convert

    @shielded
    def _constant(self, value: Any, tensor: Any) -> None:
        self._came_back(value, tensor, here())

    def _came_back(self, value: Any, tensor: Any, where: Any) -> None:
        number = self.things.number(tensor)
        self.things.made(number, where)
        if self.back.playing:
            return
        if tensor.dtype.is_floating or tensor.dtype.is_complex:      # the library makes integers of its own: shapes, axes
            self.blocks.note("return", where, type=type(value).__name__, id=number)

    # ---- variables

    def _accessed(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def accessed(variable: Any) -> Any:
            self._meet(variable)
            return old(variable)
        return accessed

    @shielded
    def _meet(self, variable: Any) -> None:
        if isinstance(getattr(variable, "handle", None), EagerTensor):
            self.things.shadow(variable.handle, variable)

    def _read(self, shadow: Shadow, tensor: Any) -> None:
        content = self.things.reading(shadow, tensor)
        if not pywrap_tfe.TFE_Py_TapeSetIsStopped():
            self._tell(shadow, content)

    def _tensor(self, tensor: Any) -> Tensor:
        """Return an input of an operation; of a handle, the content of its variable, which the operation reads by itself."""
        return self._content(self.things.shadow(tensor)) if is_variable(tensor) else self.things.tensor(tensor)

    def _content(self, shadow: Shadow) -> Tensor:
        content = self.things.content(shadow)
        self._tell(shadow, content)
        return content

    def _tell(self, shadow: Any, content: Tensor) -> None:
        for tape in self.blocks.open:
            if content.id not in tape.heard:
                tape.read(shadow, content)

    def _assigned(self, op: str, inputs: Sequence[Any]) -> None:
        shadow, where, number = self.things.shadow(inputs[0]), here(), self.things.number(inputs[1])
        if shadow.id in self._new:                              # its first content
            self._new.discard(shadow.id)
            shadow._where = where
            self.blocks.note("variable from tensor", where, id=number, variable=shadow.id)
            return
        shadow.assigned()
        for tape in self.blocks.open:
            tape.accessed(shadow)  # type: ignore[arg-type]  # it asks for no more than a shadow has
        self.blocks.note("assign", where, variable=shadow.id, name=shadow.name, how=ASSIGNS[op], value=number, version=shadow.version,
                         inner=bool(shadow.path) and not inputs[1].dtype.is_floating)

    # ---- out of the library

    @shielded
    def escaped(self, thing: Any, how: str, frame: Any) -> None:
        """A value left TensorFlow: for NumPy, a Python number, a text. What the library itself takes is nobody's business."""
        file = frame.f_code.co_filename
        if not self.blocks.open or is_inside(file) and not file.startswith(NUMPY):
            return
        if isinstance(thing, EagerTensor):
            number = self.things.number(thing)
        else:
            variable = thing._value if is_keras(thing) else thing
            number = self._content(self.things.shadow(variable.handle, variable)).id
        self.blocks.note("escape", here(), id=number, how=how)


@functools.cache
def shared(places: tuple[int, ...]) -> tuple[int, ...]:
    """Return one and the same tuple for all that are equal."""
    return places


def layers() -> list[type]:
    """Return the class of all layers, where Keras has been imported."""
    found = getattr(sys.modules.get("keras.src.layers.layer"), "Layer", None)
    return [found] if found is not None else []


@functools.cache
def lists_among_inputs(op: str) -> tuple[bool, ...]:
    """Return for each input of an operation whether it is a list of tensors."""
    found = op_def_registry.get(op)
    return tuple([bool(a.number_attr or a.type_list_attr) for a in found.input_arg]) if found is not None else ()


def operands(op: str, arguments: Sequence[Any], count: int) -> list[Any]:
    """Return what an operation was given for its inputs, one for each tensor; nothing where that cannot be told."""
    found: list[Any] = []
    for many, argument in zip(lists_among_inputs(op), arguments):
        found += list(argument) if many else [argument]
    return found if len(found) == count else []


def outputs_of_function(frame: Any) -> int | None:
    """Return how many outputs a compiled function has that records itself; behind them come values that only its way back needs."""
    for _ in range(3):
        count = getattr(frame.f_locals.get("self"), "_num_inference_outputs", None)
        if count is not None:
            return count
        frame = frame.f_back
    return None


def name_of_function(op: str) -> str | None:
    """Return the name of a `tf.function` by that of its program in TensorFlow, "__inference_step_12"; None where it is none."""
    for kind in ("__inference_", "__forward_", "__backward_"):
        if op.startswith(kind):
            return op.removeprefix(kind).rpartition("_")[0] or op
    return None


def unknown(*upstream: Any) -> Any:
    """The rule of a learner's own operation: TensorFlow has it, and minitape does not call it."""
    raise LookupError("Only TensorFlow knows this rule.")
