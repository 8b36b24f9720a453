"""The tapes of what PyTorch computes: values under their numbers, operations as entries."""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING, Any
from weakref import ref

import torch
from torch import Tensor

from ..row import Row
from ..shield import Shield
from .events import Events
from .tape import Key, TorchTape
from .tensors import Known, Tensors, array_of, version_of
from .way_back import TAG, WayBack, beyond

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Number
    from minitape.engine.recording import TensorInfo

    from ..call_sites import Made

EARLIER = 16  # tapes that may be asked after they were played
MOST_NOTES = 20_000  # of a tape that is never played
COPIES = ("torch.tensor", "torch.new_tensor")
FIRST_LOOK = 4096  # entries, until those of which PyTorch has let go are looked for


class Tapes:
    """Writes what was computed on tapes. `tape` records now, or is None; `tapes`: those before it,
    the last first.
    """

    def __init__(self) -> None:
        self.shield, self.tensors, self.events = Shield(), Tensors(), Events()
        self.sites, self.back = self.tensors.sites, WayBack(self)
        self.tape: TorchTape | None = None
        self.tapes: deque[TorchTape] = deque(maxlen=EARLIER)
        self.stepping = False  # while an optimizer moves parameters
        self._look_at = FIRST_LOOK
        self._waiting = list[Any]()  # entries of graphs that no tape records any more
        self._readings: dict[Number, Any] = {}  # of variables, which those need

    def recording(self) -> TorchTape:
        """Return the tape that records now: a new one where there is none."""
        if self.tape is None:
            self.tape = TorchTape(self.tensors, self.events, self.back.ask)
            self.tapes.appendleft(self.tape)
            self._look_at = FIRST_LOOK
            for note in self.back.given:
                self.tape.note("unwatched", *note)
        if not self.tape.recording:
            self.tape.start()
        return self.tape

    def turn(self, tape: TorchTape, played: Container[Any] = ()) -> None:
        """End a tape: PyTorch has let the graph go that it played. What was recorded of other
        graphs, and still lives, waits for a play of its own.
        """
        tape.stop()
        self.tape = None
        for line in tape.entries.lines:
            if type(line[0]) is str:
                self._readings[line[2]] = line, tape.variables[line[1][0]]
            elif line[0]() not in played:
                self._waiting.append(line)
        self._waiting = [line for line in self._waiting if line[0]() is not None]
        needed = {n for line in self._waiting for n in line[4 : 4 + len(line[1].places)]}
        self._readings = {n: each for n, each in self._readings.items() if n in needed}
        self.tensors.tidy()

    def fetch(self, keys: Container[Any]) -> None:
        """Put what an earlier tape recorded on the one that is played now."""
        lines = [line for line in self._waiting if line[0]() in keys]
        if not lines:
            return
        tape = self.recording()
        self._waiting = [line for line in self._waiting if line[0]() not in keys]
        needed = {n for line in lines for n in line[4 : 4 + len(line[1].places)]}
        reads = [self._readings[n] for n in needed if n in self._readings]
        for (_, (number,), content, *_), variable in reads:
            tape.variables[number] = variable
            tape.leaves.add(number)
            tape.heard.add(content)
            tape.watched |= {number, content}
        for line in lines:
            output = line[3] if type(line[3]) is tuple else (line[3],)
            if line[1].op != "StopGradient":
                tape.watched |= set(output)
        tape.entries.lines[:0] = [read for read, _ in reads] + lines

    def _look(self, tape: TorchTape) -> None:
        """Forget the entries of graphs that the program has let go without a play."""
        lines = tape.entries.lines
        lines[:] = [e for e in lines if type(e[0]) is str or e[0]() is not None]
        self._look_at = 2 * max(len(lines), FIRST_LOOK // 2)
        self.tensors.tidy()

    # ---- numbers

    def known(self, tensor: Tensor) -> Known:
        """Return what is known of a tensor."""
        return self.tensors.get(tensor) or self.meet(tensor)

    def meet(self, tensor: Tensor) -> Known:
        """Return what is known of a tensor that is new to the recorder."""
        leaf = tensor.requires_grad and tensor.grad_fn is None
        return self.tensors.meet(tensor, leaf)

    def read(self, tensor: Tensor, made: Made) -> Known:
        """Return what is known of a tensor that an operation uses."""
        known = self.known(tensor)
        if known.version != version_of(tensor):
            self.tensors.changed(known, tensor)
            known.made_by = None
        if known.made_by is None and tensor.grad_fn is not None:
            self._adopt(tensor, known, made)
        if known.leaf:
            self._reading(known, tensor, made)
        return known

    def _reading(self, known: Known, tensor: Tensor, made: Made) -> None:
        tape = self.recording()
        if known.number in tape.heard:
            return
        tape.heard.add(known.number)
        tape.leaves.add(known.id)
        for number in (known.id, known.number):
            tape.watched.add(number)
        tape.variables[known.id] = tensor
        value = self.tensors.held(known, tensor)
        where = made[0].where
        about = {"name": known.name or "Variable", "version": known.version}
        tape.entries.write(
            ("ReadVariableOp", (known.id,), known.number, about, *where, (value,), value)
        )

    def _adopt(self, tensor: Tensor, known: Known, made: Made) -> None:
        """Record what nobody saw: a view of what has changed, the result of a play, a function of
        the learner's own.
        """
        node: Any = tensor.grad_fn
        found = node.metadata.get(TAG)
        if found is not None and tensor.output_nr in found[1] and not tensor._is_view():
            known.id = known.number = found[1][tensor.output_nr]
            return
        edges = beyond(node)
        inputs = [self.number_at(*edge) for edge in edges]
        whole = [(n, t) for n, t in inputs if n is not None]
        name = node.name().split("Backward")[0].rpartition("::")[2]
        row = Row(f"torch.{name}", range(len(whole)))
        values = [array_of(t) if isinstance(t, Tensor) else t for _, t in whole]
        if whole:
            self.write(row, [n for n, _ in whole], values, [(known, tensor)], made)

    def number_at(self, node: Any, output: int) -> tuple[Number | None, Any]:
        """Return the number of what a node of the graph made, and it or its array."""
        variable = getattr(node, "variable", None)
        if variable is not None:
            known = self.known(variable)
            self._reading(known, variable, self.sites.of_call().within(self.sites.layers))
            return known.number, variable
        found = node.metadata.get(TAG)
        number = found[1].get(output) if found is not None else None
        living = self._kept(number) if number is not None else None
        return number, living

    def _kept(self, number: Number) -> Any:
        """Return what the tape keeps of a value."""
        for line in reversed(self.tape.entries.lines if self.tape is not None else []):
            if (
                type(line[0]) is not str
                and line[3] == number
                and len(line) > 4 + len(line[1].places)
            ):
                return line[4 + len(line[1].places)]
        return array_of(())

    # ---- for readers

    def describe(self, obj: object) -> TensorInfo | None:
        """Return a tensor of PyTorch's as a `TensorInfo`; None for anything else."""
        if not issubclass(type(obj), Tensor):  # `isinstance` would ask for its `__class__`
            return None
        with torch._C.DisableTorchFunction():
            known = self.known(obj)
            if known.leaf and known.version != version_of(obj):
                self.tensors.changed(known, obj)
            return self.tensors.info(obj, known)

    def tape_of(self, tape: object) -> TorchTape | None:
        """PyTorch has no tapes of its own: one stands for itself."""
        return tape if isinstance(tape, TorchTape) else None

    # ---- operations

    def record(self, call: Any, outputs: Sequence[tuple[Known, Tensor]], made: Made) -> None:
        numbers, values, watched = list[int](), list[Any](), False
        like = next(t.dtype for t in call.operands if isinstance(t, Tensor))
        for operand in call.operands:
            if isinstance(operand, Tensor):
                known = self.read(operand, made)
                numbers.append(known.number)
                values.append(self.tensors.held(known, operand))
                watched = watched or operand.requires_grad
            else:
                constant = torch.as_tensor(operand, dtype=like)
                numbers.append(self.tensors.meet(constant).number)
                values.append(constant)
        row = Row(call.op, range(len(numbers)), call.attributes)
        copies = watched and call.op in COPIES
        if watched and not copies and torch.is_grad_enabled():
            self.write(row, numbers, values, outputs, made)
            if call.op == "StopGradient":
                if len(self.tensors.detached) >= MOST_NOTES:
                    self.tensors.detached.clear()
                self.tensors.detached[outputs[0][0].number] = numbers[0]
            return
        made_numbers = self.number(outputs, made)
        if copies:
            self.note_blocked("torch-copied", row.op, numbers, made_numbers, made)
            return
        tape = self.recording()
        if len(tape.notes) > MOST_NOTES:
            del tape.notes.lines[: MOST_NOTES // 2]
        output = made_numbers[0] if len(made_numbers) == 1 else tuple(made_numbers)
        if watched:
            self.note_blocked("torch-no-grad", row.op, numbers, made_numbers, made)
        else:
            tape.notes.write((len(tape.entries), made[0].where, row.op, output, *numbers))

    def note_blocked(
        self, why: str, op: str, inputs: Sequence[int], outputs: Sequence[int], made: Made
    ) -> None:
        """Note an operation that nobody recorded although it uses what is watched, and why."""
        about = {"op": op, "inputs": tuple(inputs), "outputs": tuple(outputs), "blocks": why}
        self.recording().note("unwatched", made[0].where, about)

    def number(self, outputs: Iterable[tuple[Known, Tensor]], made: Made) -> list[int]:
        numbers = []
        for known, _ in outputs:
            self.tensors.made(known, made)
            numbers.append(known.number)
        return numbers

    def write(
        self,
        row: Row,
        inputs: Sequence[int],
        values: Sequence[Any],
        outputs: Sequence[tuple[Known, Tensor]],
        made: Made,
    ) -> None:
        tape, key = self.recording(), Key()
        numbers = self.number(outputs, made)
        arrays = [self.tensors.held(known, tensor) for known, tensor in outputs]
        one = len(numbers) == 1
        tape.entries.write(
            (
                ref(key),
                row,
                made[0],
                numbers[0] if one else tuple(numbers),
                *inputs,
                arrays[0] if one else tuple(arrays),
                *values,
            )
        )
        for number, (known, tensor) in zip(numbers, outputs):
            known.made_by = key
            if tensor.requires_grad:
                tape.watched.add(number)
                node: Any = tensor.grad_fn
                if node is not None:
                    node.metadata.setdefault(TAG, (key, {}))[1][tensor.output_nr] = number
            elif row.op == "StopGradient":
                tape.cut(number)
        if len(tape.entries) > self._look_at:
            self._look(tape)
