"""Recording TensorFlow: what it calls in Python is looked at, while `watch()` is open, and nothing
else.

All that TensorFlow's Python computes goes through one module, `pywrap_tfe`, and through a few
methods. Each that matters is replaced by a function that calls the old one, with the same
arguments, hands its result on, and notes what happened: those of operations and variables here,
those of tapes in `blocks.py`, those of the play in `way_back.py`. When the block ends, the old ones
stand there again.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from operator import is_
from threading import get_ident
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from tensorflow.python import pywrap_tfe
from tensorflow.python.eager import backprop, context, execute
from tensorflow.python.framework import constant_op, op_callbacks
from tensorflow.python.framework.ops import EagerTensor
from tensorflow.python.ops import resource_variable_ops
from tensorflow.python.ops.resource_variable_ops import BaseResourceVariable

from minitape.engine.base.tensor import Tensor
from minitape.engine.explainer import EXPLAINER

from ..shield import Shield, shielded
from . import autograph
from .blocks import Blocks
from .common_call import hook
from .escapes import Escapes
from .kinds import ASSIGNS, has_slope, kind_of, name_of_function, operands
from .metrics import Metrics
from .opened import Opening
from .operations import Row, plain, translate
from .tape import TensorFlowTape
from .tensors import NO_ARRAY, Shadow, Tensors, array_of, is_keras, is_variable, keras_class
from .way_back import WayBack

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Array, Number, Numbers

    from ..call_sites import CallSite, Made
    from .judge import Judge

OWN_FRAMES = 4  # between an operation's call and the walk from it: the hook and what it calls


class Recorder:
    """Writes down, for each `tf.GradientTape` of one thread, a tape that minitape's readers can
    read.

    Source of what is recorded: TensorFlow's `python/eager/record.py`.
    """

    def __init__(self) -> None:
        self.shield, self.tensors = Shield(), Tensors()
        self.back = WayBack(self.shield, self.tensors)
        self.blocks = self.back.blocks = Blocks(self.shield, self.tensors, self.back.ask)
        # of the short way: context, operation, name, inputs, attributes
        self._arguments: list[tuple[Any, ...]] = []
        self.sites = self.tensors.sites
        self._met: WeakSet[Any] = WeakSet()  # layers whose variables are known
        self._stepping = False  # while an optimizer moves variables
        self._new: set[int] = set()  # variables that have no content yet
        self._escapes, self._metrics = (
            Escapes(self.escaped),
            Metrics(self.shield, self.tensors, self.blocks),
        )
        self._restore: list[tuple[Any, str, Any]] = []
        self._callback = hook(self, self._ran)
        self._callbacks: list[Any] = []  # those of the thread that is watched

    # ---- for readers

    def describe(self, obj: object) -> Any:
        """Return a tensor or variable of TensorFlow's as a `TensorInfo`; None for anything else."""
        return self.tensors.describe(obj)

    def tape_of(self, tape: object) -> TensorFlowTape | None:
        """Return the tape that stands for one of TensorFlow's; None for anything else."""
        return self.blocks.of(tape)

    # ---- on and off

    def start(self, trouble: list[Exception], judge: Judge | None = None) -> None:
        """Look from now on, in this thread; what goes wrong in the looking comes into `trouble`. A
        `judge` hears of functions that compute otherwise where they are opened.
        """
        self.shield.serve(trouble)
        self.sites.clear()
        own: list[tuple[Any, str, Callable[..., Any]]] = [
            (pywrap_tfe, "TFE_Py_FastPathExecute", self._fast),
            (pywrap_tfe, "TFE_Py_TapeSetRecordOperation", self._own_rule),
            (pywrap_tfe, "TFE_Py_TapeSetRecordOperationBackprop", self._own_rule),
            (resource_variable_ops, "variable_accessed", self._accessed),
            (constant_op, "convert_to_eager_tensor", self._converted),
            *[(layer, "__call__", self._entered) for layer in keras_class("layers.layer", "Layer")],
            *[
                (optimizer, "apply", self._applied)
                for optimizer in keras_class("optimizers.base_optimizer", "BaseOptimizer")
            ],
        ]
        for owner, name, around in (
            own
            + autograph.replaced()
            + self._metrics.replaced()
            + self.blocks.replaced()
            + self.back.replaced()
            + (
                Opening(self.shield, self.tensors, self.blocks.open, judge).replaced()
                if judge is not None
                else []
            )
        ):
            old = vars(owner)[name]
            self._restore.append((owner, name, old))
            setattr(owner, name, functools.wraps(old)(around(old)))
        backprop.GradientTape.explain = lambda tape, target, source: EXPLAINER().explain(
            tape, target, source
        )
        self._callbacks = context.context().op_callbacks
        op_callbacks.add_op_callback(self._callback)
        self.back.start()
        self._escapes.start()

    def stop(self) -> None:
        """Put everything back. May be called by another thread, where `start` has not come to its
        end, and once more after an interrupt: what is put back is forgotten only then.
        """
        self._escapes.stop()
        self.back.stop()
        if "explain" in vars(backprop.GradientTape):
            del backprop.GradientTape.explain
        while self._restore:
            owner, name, old = self._restore[-1]
            setattr(owner, name, old)
            self._restore.pop()
        self.blocks.end()
        self.shield.thread = None
        self.tensors.let_go(
            {number for tape in self.blocks.known.values() for number in tape.variables}
        )
        if self._callback in self._callbacks:
            self._callbacks.remove(self._callback)
        if not self._callbacks:
            execute.execute = execute.quick_execute

    # ---- operations

    def _ran(
        self, op: Any, inputs: Sequence[Any], attributes: Sequence[Any], outputs: Sequence[Any]
    ) -> None:
        op = op if type(op) is str else op.decode()
        kind = kind_of(op)
        if kind == "computes":
            if not self._is_inner():
                self._computed(op, inputs, attributes, outputs)
        elif kind == "makes":
            self._new.add(self.tensors.shadow(outputs[0]).id)
        elif kind == "reads":
            self._read(self.tensors.shadow(inputs[0]), outputs[0])
        elif kind == "assigns":
            self._assigned(op, inputs)
        elif kind == "changes":
            self.tensors.shadow(inputs[0]).assigned()

    def _computed(
        self, op: str, inputs: Sequence[Any], attributes: Sequence[Any], outputs: Sequence[Any]
    ) -> None:
        tensors, tapes = self.tensors, self.blocks.open
        site = self.sites.of_call(OWN_FRAMES) if tapes else self.sites.of_line()
        layers = None if self.back._filmings else self.sites.layers
        made = site.made if site.made[1] is layers else site.within(layers)
        numbers = [tensors.made(tensor, made) for tensor in outputs]
        self._take_arguments(op, inputs, made)
        if (
            not tapes
            or not inputs
            or not outputs
            or pywrap_tfe.TFE_Py_TapeSetIsStopped()
            and op != "StopGradient"
        ):
            return
        given, values = self._given(inputs)
        row = plain(op, len(inputs)) or self._translated(op, values, attributes)
        if len(row.places) != len(inputs):
            given, values = (
                tuple([given[place] for place in row.places]),
                tuple([values[place] for place in row.places]),
            )
        self._record(attributes, row, given, values, numbers[: row.outputs], outputs, site)
        if op == "StopGradient":
            for tape in tapes:
                tape.cut(numbers[0])

    def _is_inner(self) -> bool:
        """True where nobody gets what is computed: in a metric, which notes what it gives, or,
        outside of all tapes, on a way back (`_played` notes its answers) or in an optimizer.
        """
        return (
            self._metrics.within or not self.blocks.open and (self.back.playing or self._stepping)
        )

    def _given(self, inputs: Sequence[Any]) -> tuple[Numbers, tuple[Array, ...]]:
        """Return the numbers and the arrays of inputs; of a handle, those of the content of its
        variable, which the operation reads.
        """
        numbers, values = [], []
        for tensor in inputs:
            number, value = self.tensors.held(tensor)
            if value is NO_ARRAY and is_variable(tensor):
                content = self._content(self.tensors.shadow(tensor))
                number, value = content.id, content.value
            numbers.append(number)
            values.append(value)
        return tuple(numbers), tuple(values)

    def _translated(self, op: str, values: Sequence[Any], attributes: Sequence[Any]) -> Row:
        try:
            return translate(
                op, values, dict(zip(attributes[::2], attributes[1::2])) if attributes else {}
            )
        except Exception as error:
            self.shield.keep(error)
            return Row(f"tf.{op}", range(len(values)))

    def _entered(self, old: Callable[..., Any]) -> Callable[..., Any]:
        """A layer is called, and what it computes until it returns is its own."""

        def call(layer: Any, *arguments: Any, **named: Any) -> Any:
            if not self.blocks.open or not self.shield.down:
                return old(layer, *arguments, **named)
            name = str(getattr(layer, "path", None) or getattr(layer, "name", ""))
            result = self.sites.within_layer(name, old, layer, *arguments, **named)
            if layer not in self._met:
                self._meet_layer(layer)
            return result

        return call

    def _applied(self, old: Callable[..., Any]) -> Callable[..., Any]:
        """An optimizer moves variables; what it computes on its way is its own."""

        def apply(optimizer: Any, *arguments: Any, **named: Any) -> Any:
            if not self.shield.down:
                return old(optimizer, *arguments, **named)
            before, self._stepping = self._stepping, True
            try:
                return old(optimizer, *arguments, **named)
            finally:
                self._stepping = before

        return apply

    @shielded
    def _meet_layer(self, layer: Any) -> None:
        if None not in [
            self.tensors.of_keras(each)
            for each in (*layer._trainable_variables, *layer._non_trainable_variables)
        ]:
            self._met.add(layer)  # else it is only being built

    def _record(
        self,
        key: Any,
        row: Row,
        given: Numbers,
        values: tuple[Array, ...],
        numbers: Sequence[Number],
        outputs: Sequence[Any],
        site: CallSite,
    ) -> None:
        number, y = (
            self.tensors.hold(outputs[0], numbers[0])
            if len(numbers) == 1
            else (tuple(numbers), tuple([array_of(tensor) for tensor, _ in zip(outputs, numbers)]))
        )
        for tape in self.blocks.open:
            tape.called(key, row, site, given, number, y, values)

    def _own_rule(self, old: Callable[..., Any]) -> Callable[..., Any]:
        """A compiled function, or a rule of the learner's own, records itself as one operation."""

        def record(op: Any, outputs: Any, inputs: Any, backward: Any, *more: Any) -> Any:
            if not self.shield.down or not self.blocks.open or not context.executing_eagerly():
                return old(op, outputs, inputs, backward, *more)
            seen = outputs[: outputs_of_function(sys._getframe(1))]
            key = object()
            result = old(op, outputs, inputs, self.back.seen(backward, key, len(inputs)), *more)
            self._called(key, op.decode() if isinstance(op, bytes) else str(op), inputs, seen)
            return result

        return record

    @shielded
    def _called(
        self, key: object, name: str, inputs: Sequence[Any], outputs: Sequence[Any]
    ) -> None:
        if (
            not self.blocks.open
            or not inputs
            or not outputs
            or pywrap_tfe.TFE_Py_TapeSetIsStopped()
        ):
            return
        site, function = self.sites.of_call(), name_of_function(name)
        made = site.within(None)
        numbers = [self.tensors.made(tensor, made) for tensor in outputs]
        op, attributes = (
            ("CustomGradient", {"rule": unknown, "name": name})
            if function is None
            else (f"tf.function {function}", None)
        )
        given, values = self._given(inputs)
        for tape in self.blocks.open:
            tape.forget(given, tuple(numbers))
        self._record(
            key, Row(op, range(len(inputs)), attributes), given, values, numbers, outputs, site
        )

    # ---- what TensorFlow's short way does by itself: it reads variables, and makes tensors of
    # numbers

    def _fast(self, old: Callable[..., Any]) -> Callable[..., Any]:
        open_tapes, shield, asked = self.blocks.open, self.shield, self._arguments

        def execute(*arguments: Any) -> Any:
            if not open_tapes or shield.quiet or get_ident() != shield.thread:
                return old(*arguments)
            asked.append(arguments)
            try:
                return old(*arguments)
            finally:
                asked.pop()

        return execute

    def _take_arguments(self, op: str, inputs: Sequence[Any], made: Made) -> None:
        """Learn from what the short way was given which inputs are readings of variables, and which
        came from outside.
        """
        _, asked, _, *arguments = self._arguments[-1] if self._arguments else (None, None, None)
        if asked != op or all(map(is_, arguments, inputs)):
            return
        for obj, tensor in zip(operands(op, arguments, len(inputs)), inputs):
            if isinstance(obj, BaseResourceVariable):
                if tensor._id != obj.handle._id:
                    self._read(self.tensors.shadow(obj.handle, obj), tensor)
            elif not isinstance(obj, EagerTensor):
                self._came_back(obj, tensor, made)

    def _converted(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def convert(value: Any, *arguments: Any, **named: Any) -> Any:
            result = old(value, *arguments, **named)
            if not isinstance(value, EagerTensor) and isinstance(result, EagerTensor):
                self._constant(value, result)
            return result

        return convert

    @shielded
    def _constant(self, value: Any, tensor: Any) -> None:
        if not self._is_inner():
            self._came_back(value, tensor, self.sites.of_line(OWN_FRAMES).within(None))

    def _came_back(self, value: Any, tensor: Any, made: Made) -> None:
        number = self.tensors.made(tensor, made)
        if self.blocks.open:
            self.tensors.hold(tensor, number)
        # the library makes integers of its own: shapes, axes
        if has_slope(tensor._datatype_enum()) and not self.back.playing:
            for tape in self.blocks.open:
                tape.notes.write((len(tape.entries), made[0].where, number, type(value).__name__))

    # ---- variables

    def _accessed(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def accessed(variable: Any) -> Any:
            self._meet(variable)
            return old(variable)

        return accessed

    @shielded
    def _meet(self, variable: Any) -> None:
        if isinstance(getattr(variable, "handle", None), EagerTensor):
            self.tensors.shadow(variable.handle, variable)

    def _read(self, shadow: Shadow, tensor: Any) -> None:
        content = self.tensors.reading(shadow, tensor)
        if not pywrap_tfe.TFE_Py_TapeSetIsStopped():
            self._tell(shadow, content)

    def _content(self, shadow: Shadow) -> Tensor:
        content = self.tensors.content(shadow)
        self._tell(shadow, content)
        return content

    def _tell(self, shadow: Any, content: Tensor) -> None:
        for tape in self.blocks.open:
            if content.id not in tape.heard:
                tape.read(shadow, content)

    def _assigned(self, op: str, inputs: Sequence[Any]) -> None:
        shadow, where, number = (
            self.tensors.shadow(inputs[0]),
            autograph.here(),
            self.tensors.number(inputs[1]),
        )
        if shadow.id in self._new:  # its first content
            self._new.discard(shadow.id)
            shadow._where = where
            self.blocks.note("variable from tensor", where, id=number, variable=shadow.id)
            return
        shadow.assigned()
        shadow.changed = where
        for tape in self.blocks.open:
            tape.accessed(shadow)  # type: ignore[arg-type]  # it asks for no more than a shadow has
        self.blocks.note(
            "assign",
            where,
            variable=shadow.id,
            name=shadow.name,
            how=ASSIGNS[op],
            value=number,
            version=shadow.version,
            inner=bool(shadow.path) and (not inputs[1].dtype.is_floating or self._is_librarys()),
        )

    def _is_librarys(self) -> bool:
        """True where a layer or a metric of the library's computes, not one of the learner's."""
        return self._metrics.within or bool(self.sites.layers) and self.sites.of_call().inner

    # ---- out of the library

    @shielded
    def escaped(self, obj: Any, how: str, frame: Any) -> None:
        """A value left TensorFlow: for NumPy, a Python number, a text. What the library itself
        takes is nobody's business.
        """
        if not self.blocks.open or autograph.taken_by_library(frame):
            return
        if isinstance(obj, EagerTensor):
            number = self.tensors.number(obj)
        else:
            variable = obj._value if is_keras(obj) else obj
            number = self._content(self.tensors.shadow(variable.handle, variable)).id
        self.blocks.note("escape", autograph.here(), id=number, how=how)


def outputs_of_function(frame: Any) -> int | None:
    """Return how many outputs a compiled function has that records itself; behind them come values
    that only its way back needs.
    """
    for _ in range(3):
        count = getattr(frame.f_locals.get("self"), "_num_inference_outputs", None)
        if count is not None:
            return count
        frame = frame.f_back
    return None


def unknown(*upstream: Any) -> Any:
    """The rule of a learner's own operation: TensorFlow has it, and minitape does not call it."""
    raise LookupError("Only TensorFlow knows this rule.")
