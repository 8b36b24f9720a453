"""Recording PyTorch: a `TorchFunctionMode` hears of each public function that is called in one
thread, while `watch()` is open.

A function is called as the program called it, with the same arguments, and its result handed on;
what happened is noted. Each node of PyTorch's graph is told by its `metadata` which operation made
it, so that the way back (`way_back.py`) finds the operation again.
"""

from __future__ import annotations

import functools
import sys
from collections import deque
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from weakref import ref

import torch
from torch import Tensor

from minitape.engine.base.where import here, is_inside
from minitape.engine.recording import TensorInfo

from ..row import Row
from ..shield import Shield, shielded
from .mode import Mode, take_off
from .modules import Modules
from .operations import IN_PLACE, tensors_in, translate
from .tape import Key, TorchTape
from .tensors import Known, Tensors, array_of, version_of
from .way_back import TAG, WayBack, beyond

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Number

    from ..call_sites import Made

OWN_FRAMES = 4  # between a function's call and the walk from it: the mode and what it calls
EARLIER = 16  # tapes that may be asked after they were played
MOST_NOTES = 20_000  # of a tape that is never played
FIRST_LOOK = 4096  # entries, until those of which PyTorch has let go are looked for
NOTHING: Mapping[str, Any] = {}


class Recorder:
    """Writes down what PyTorch computes in one thread, on tapes that minitape's readers can read.

    `tape` records now, or is None; `tapes`: those before it, the last first.
    """

    def __init__(self) -> None:
        self.shield, self.tensors = Shield(), Tensors()
        self.sites, self.back = self.tensors.sites, WayBack(self)
        self.tape: TorchTape | None = None
        self.tapes: deque[TorchTape] = deque(maxlen=EARLIER)
        self.modules = Modules(self)
        self._mode = Mode(self)
        self._restore: list[tuple[Any, str, Any]] = []
        self._look_at = FIRST_LOOK
        self._waiting = list[Any]()  # entries of graphs that no tape records any more
        self._readings: dict[Number, Any] = {}  # of variables, which those need

    # ---- on and off

    def start(self, trouble: list[Exception]) -> None:
        """Record what the thread that calls computes from now on."""
        self.shield.serve(trouble)
        for owner, name, around in (*self.back.replaced(), *self.modules.replaced()):
            old = vars(owner)[name]
            self._restore.append((owner, name, old))
            setattr(owner, name, functools.wraps(old)(around(old)))
        self.modules.start()
        take_off(self._mode)  # where another thread has ended the block
        self._mode.__enter__()

    def stop(self) -> None:
        """Put everything back. May be called where `start` has not come to its end."""
        take_off(self._mode)
        self.modules.stop()
        while self._restore:
            owner, name, old = self._restore.pop()
            setattr(owner, name, old)
        self.shield.thread = None
        if self.tape is not None:
            self.turn(self.tape)

    def recording(self) -> TorchTape:
        """Return the tape that records now: a new one where there is none."""
        if self.tape is None:
            self.tape = TorchTape(self.tensors, self.back.ask)
            self.tapes.appendleft(self.tape)
            self._look_at = FIRST_LOOK
        if not self.tape.recording:
            self.tape.start()
        return self.tape

    def turn(self, tape: TorchTape, played: Container[int] = ()) -> None:
        """End a tape: PyTorch has let the graph go that it played. What was recorded of other
        graphs, and still lives, waits for a play of its own.
        """
        tape.stop()
        self.tape = None
        for k, line in enumerate(tape.entries.lines):
            if type(line[0]) is str:
                self._readings[line[2]] = line, tape.variables[line[1][0]]
            elif k not in played:
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

    # ---- for readers

    def describe(self, obj: object) -> TensorInfo | None:
        """Return a tensor of PyTorch's as a `TensorInfo`; None for anything else."""
        if not issubclass(type(obj), Tensor):  # `isinstance` would ask for its `__class__`
            return None
        with torch._C.DisableTorchFunction():
            return self.tensors.info(obj, self.known(obj))

    def tape_of(self, tape: object) -> TorchTape | None:
        """PyTorch has no tapes of its own: one stands for itself."""
        return tape if isinstance(tape, TorchTape) else None

    # ---- numbers

    def known(self, tensor: Tensor) -> Known:
        """Return what is known of a tensor."""
        return self.tensors.get(tensor) or self._meet(tensor)

    def _meet(self, tensor: Tensor) -> Known:
        """Return what is known of a tensor that is new to the recorder."""
        leaf = tensor.requires_grad and tensor.grad_fn is None
        return self.tensors.meet(tensor, leaf)

    def read(self, tensor: Tensor, made: Made) -> Known:
        """Return what is known of a tensor that an operation uses."""
        known = self.tensors.get(tensor)
        if known is None:
            known = self._meet(tensor)
            if tensor.grad_fn is not None:
                self._adopt(tensor, known, made)
        elif known.version != version_of(tensor):
            self.tensors.changed(known, tensor)
            if tensor.grad_fn is not None:
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
            self._write(row, [n for n, _ in whole], values, [(known, tensor)], made)

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

    # ---- operations

    @shielded
    def computed(self, name: str, args: tuple[Any, ...], named: Any, result: Any) -> None:
        """A function was called, and gave a result."""
        outputs = [result] if isinstance(result, Tensor) else tensors_in(result)
        fresh = [t for t in outputs if self.tensors.get(t) is None]
        if not fresh:
            return
        site = self.sites.of_call(OWN_FRAMES)
        made = site.within(self.sites.layers)
        given = tensors_in((args, named))
        if not given:
            for tensor in fresh:
                self._came(args, tensor, made)
            return
        call = translate(name, args, named, result)
        self._record(call, [(self._meet(t), t) for t in fresh], made)

    def _came(self, args: tuple[Any, ...], tensor: Tensor, made: Made) -> None:
        """A tensor was made of no other."""
        known = self._meet(tensor)
        known.where = made[0].where
        self.tensors.made(known, made)
        kind = type(args[0]).__name__ if args else ""
        if self.tape is not None and self.tape.recording and kind in ("ndarray", "float", "list"):
            self.tape.notes.write((len(self.tape.entries), known.where, known.number, kind))

    def _record(self, call: Any, outputs: Sequence[tuple[Known, Tensor]], made: Made) -> None:
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
        if watched and torch.is_grad_enabled():
            self._write(row, numbers, values, outputs, made)
            return
        made_numbers = self._number(outputs, made)
        tape = self.recording()
        if len(tape.notes) > MOST_NOTES:
            del tape.notes.lines[: MOST_NOTES // 2]
        output = made_numbers[0] if len(made_numbers) == 1 else tuple(made_numbers)
        if watched:
            about = {"op": row.op, "inputs": tuple(numbers), "outputs": tuple(made_numbers)}
            tape.note("unwatched", made[0].where, {**about, "why": "no_grad"})
        else:
            tape.notes.write((len(tape.entries), made[0].where, row.op, output, *numbers))

    def _number(self, outputs: Iterable[tuple[Known, Tensor]], made: Made) -> list[int]:
        numbers = []
        for known, _ in outputs:
            self.tensors.made(known, made)
            numbers.append(known.number)
        return numbers

    def _write(
        self,
        row: Row,
        inputs: Sequence[int],
        values: Sequence[Any],
        outputs: Sequence[tuple[Known, Tensor]],
        made: Made,
    ) -> None:
        tape, key = self.recording(), Key()
        numbers = self._number(outputs, made)
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

    # ---- what changes a tensor

    @shielded
    def guard(self, written: Iterable[Any]) -> None:
        """Keep what tapes hold, where the program is about to write."""
        self.tensors.guard([t for t in written if isinstance(t, Tensor)])

    def changes(self, func: Any, name: str, args: tuple[Any, ...], named: Any) -> Any:
        """A function writes into one of its arguments."""
        out = named.get("out")
        written = tensors_in(out) if out is not None else tensors_in(args[:1]) or tensors_in(named)
        self.guard(written)
        before: list[Any] = []
        self._before(before, name, args, named)
        result = func(*args, **named)
        self._changed(before, written)
        return result

    @shielded
    def _before(self, before: list[Any], name: str, args: tuple[Any, ...], named: Any) -> None:
        made = self.sites.of_call(OWN_FRAMES).within(self.sites.layers)
        given = [(self.known(t), t) for t in tensors_in((args, named))]
        # what is written into a leaf is recorded nowhere
        if torch.is_grad_enabled() and not given[0][0].leaf:
            given = [(self.read(t, made), t) for _, t in given]
        values = [self.tensors.held(known, t) for known, t in given]
        before += (
            made,
            name,
            [known.number for known, _ in given],
            values,
            any(t.requires_grad for _, t in given),
        )

    @shielded
    def _changed(self, before: list[Any], written: Sequence[Tensor]) -> None:
        made, name, numbers, values, watched = before
        outputs, tape = list[tuple[Known, Tensor]](), self.tape
        for tensor in [*written, *[t._base for t in written if t._base is not None]]:
            known = self.known(tensor)
            if known.leaf and tensor.grad_fn is not None:
                known.leaf = False
            self.tensors.changed(known, tensor)
            if known.leaf:
                known.changed = made[0].where
                if tape is None or known.id not in tape.variables:
                    continue
                tape.note(
                    "assign",
                    made[0].where,
                    {
                        "variable": known.id,
                        "name": known.name,
                        "how": "assign",
                        "value": numbers[-1],
                        "version": known.version,
                        "inner": False,
                    },
                )
            else:
                outputs.append((known, tensor))
        row = Row(f"torch.{IN_PLACE.get(name, name).strip('_')}", range(len(numbers)))
        if outputs and watched and torch.is_grad_enabled():
            for _, tensor in outputs:
                if tensor.grad_fn is not None:
                    tensor.grad_fn.metadata.pop(TAG, None)
            self._write(row, numbers, values, outputs, made)
        elif outputs:
            self._number(outputs, made)

    def turns(self, func: Any, name: str, args: tuple[Any, ...], named: Any) -> Any:
        """A tensor is turned into a leaf, or into one that wants a gradient."""
        result = func(*args, **named)
        self._turned(name, args[0])
        return result

    def sets_requires_grad(self, func: Any, name: str, args: tuple[Any, ...], named: Any) -> Any:
        """`x.requires_grad = True`."""
        return self.turns(func, name, args, named)

    @shielded
    def _turned(self, name: str, tensor: Tensor) -> None:
        known = self.tensors.get(tensor)
        before = known.number if known is not None else None
        place = known.where if known is not None else None
        known = self._meet(tensor)
        known.where = place or here()
        if self.tape is not None and self.tape.recording:
            about = {"id": known.id, "before": before, "how": name, "wants": tensor.requires_grad}
            self.tape.note("turned", here(), about)

    def sets_data(self, func: Any, name: str, args: tuple[Any, ...], named: Any) -> Any:
        """`x.data = ...`."""
        result = func(*args, **named)
        self._new_content(args[0])
        return result

    @shielded
    def _new_content(self, tensor: Tensor) -> None:
        known = self.tensors.get(tensor)
        if known is not None:
            self.tensors.changed(known, tensor)
            known.changed = here()

    # ---- gradients, and what leaves

    def gets_grad(self, func: Any, name: str, args: tuple[Any, ...], named: Any) -> Any:
        """`x.grad` is read."""
        result = func(*args, **named)
        if result is None and by_program():
            self.back.missing(args[0])
        return result

    def sets_grad(self, func: Any, name: str, args: tuple[Any, ...], named: Any) -> Any:
        """`x.grad = None`."""
        self._note("cleared", args[0])
        return func(*args, **named)

    def escapes(self, func: Any, name: str, args: tuple[Any, ...], named: Any) -> Any:
        """A value leaves PyTorch: for NumPy, a Python number, a text."""
        result = func(*args, **named)
        if by_program() or name == "__array__":
            self._note("escape", args[0], {"how": name})
        return result

    @shielded
    def _note(self, kind: str, tensor: Tensor, about: Mapping[str, Any] = NOTHING) -> None:
        tape = self.tape
        if tape is not None and tape.recording:
            known = self.known(tensor)
            tape.note(kind, here(), {"id": known.number, **about})


def by_program() -> bool:
    """Return True where the program has called a function of PyTorch's, not PyTorch itself."""
    frame: Any = sys._getframe(2)
    while frame.f_code.co_name == "__torch_function__":  # the mode, and others that the program has
        frame = frame.f_back
    return not is_inside(frame.f_code.co_filename)
