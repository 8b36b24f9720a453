"""The tapes of what PyTorch computes: values under their numbers, operations as entries."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Container, Iterable, Sequence
from threading import get_ident
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling
from torch.distributions import Distribution

from minitape.engine.base.tensor import new_id, wrap
from minitape.engine.base.where import is_inside

from ..row import Row
from ..shield import Shield
from .events import Events
from .filming import HOOKED, beyond, node_of, output_of
from .tape import TorchTape, inputs_of, outputs_of
from .tensors import Given, Known, Tensors, array_of, dense, maker_of, number_of, version_of
from .way_back import WayBack

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Number
    from minitape.engine.base.tensor import Tensor as Target
    from minitape.engine.recording import TensorInfo

    from ..call_sites import Made
    from .mode import Ears

EARLIER = 16  # tapes that may be asked after they were played
MOST_NOTES = 20_000  # of a tape that is never played
MOST_COMPILED = 1000
COPIES = ("torch.tensor", "torch.new_tensor", "torch.as_tensor", "torch.asarray")
VIEWS = ("StridedSlice", "Transpose", "Reshape", "BroadcastTo")
SAMPLES = ("sample", "sample_n")  # of a distribution
FIRST_LOOK = 4096  # entries, until those of which PyTorch has let go are looked for


class Guarded(Shield):
    """A shield that is up, too, where a compiler reads what looks on, in whatever thread."""

    @property
    def down(self) -> bool:
        """True where what happens now is the program's, in the thread that is watched."""
        return not (is_dynamo_compiling() or self.quiet) and get_ident() == self.thread


def drawn() -> tuple[str, str, str] | None:
    """Return why nothing of what a distribution's `sample` takes in goes on, and the name of the
    distribution; None outside of one.
    """
    frame, drawn_from = sys._getframe(1), None
    while is_inside(frame.f_code.co_filename) and frame.f_back is not None:
        owner = frame.f_locals.get("self") if frame.f_code.co_name in SAMPLES else None
        drawn_from = owner if isinstance(owner, Distribution) else drawn_from  # the outermost
        frame = frame.f_back
    if drawn_from is None:
        return None
    op = f"torch.distributions.{type(drawn_from).__name__}"
    if drawn_from.has_rsample:
        return "torch-no-grad", "sampled", op
    return "piecewise-constant", "drawn", op


class Tapes:
    """Writes what was computed on tapes. `tape` records now, or is None; `tapes`: those before it,
    the last first.
    """

    def __init__(self) -> None:
        self.shield, self.tensors, self.events = Guarded(), Tensors(), Events()
        self.sites, self.back = self.tensors.sites, WayBack(self)
        self.ears: Ears
        # (first node, first one after it, its call) of each compiled function that ran
        self.compiled = deque[tuple[int, int, Any]](maxlen=MOST_COMPILED)
        self.tape: TorchTape | None = None
        self.tapes: deque[TorchTape] = deque(maxlen=EARLIER)
        self._look_at, self._behind = FIRST_LOOK, 0
        self._waiting = list[Any]()  # entries of graphs that no tape records any more
        # {number of a node: entry}, of those and of the first `_reported` ones of the tape
        self._made_by, self._reported = dict[int, Any](), 0
        self._readings: dict[Number, Any] = {}  # of variables, which those need

    def recording(self) -> TorchTape:
        """Return the tape that records now: a new one where there is none."""
        if self.tape is None:
            # plays may know the first one still
            if len(self.tapes) == EARLIER and not self.tapes[-1].fine[0]:
                self.tapes[-1].release()
                self.tapes[-1].filmed.clear()
            self.tape = TorchTape(self.tensors, self.events, self.back.ask)
            self.tapes.appendleft(self.tape)
            self._look_at = FIRST_LOOK
            for where, about in self.back.given:
                self.tape.note("unwatched", where, {**about, "earlier": True})
        if not self.tape.recording:
            self.tape.start()
        return self.tape

    def turn(self, tape: TorchTape, played: Container[Any] = ()) -> None:
        """End a tape: PyTorch has let the graph go that it played. What was recorded of other
        graphs, and still lives, waits for a play of its own; so does a view of a leaf, for another.
        """
        tape.stop()
        self.tape = None
        lines, heard = tape.entries.lines, tape.heard
        unplayed = [
            line
            for line in lines
            if type(line[0]) is not str
            and (line[3] not in played or line[1].op in VIEWS and line[4] in heard)
        ]
        if unplayed or self._waiting:
            self.tensors.store([part for line in unplayed for part in line[4:]])
            self._waiting = self._living(self._waiting + unplayed)
            needed = {n for line in self._waiting for n in inputs_of(line)}
            for line in lines:
                if type(line[0]) is str:
                    self._readings[line[2]] = line, tape.variables[line[1][0]]
            self._readings = {n: each for n, each in self._readings.items() if n in needed}
        self._retell()
        self.tensors.tidy()

    def _living(self, lines: list[Any]) -> list[Any]:
        """Return those of the lines whose nodes somebody may still play: a tensor that lives was
        made there, or beyond.
        """
        if not lines:
            return lines
        needed, result = {known.number for known, _ in self.tensors.living()}, list[Any]()
        for line in reversed(lines):
            if type(line[0]) is str or not needed.isdisjoint(outputs_of(line)):
                needed.update(inputs_of(line))
                result.append(line)
        return result[::-1]

    def _retell(self) -> None:
        """Look anew for who has made a node."""
        self._reported = 0
        self._made_by.clear()
        self._tell(self._waiting)

    def _tell(self, lines: Iterable[Any]) -> None:
        made_by = self._made_by
        for line in lines:
            nodes = line[0]
            if type(nodes) is int:
                made_by[line[3] - nodes] = line
            elif type(nodes) is tuple:
                made_by.update([(node[0], line) for node in nodes if node is not None])

    def made_by(self) -> dict[int, Any]:
        """Return {number of a node: entry}."""
        lines = self.tape.entries.lines if self.tape is not None else []
        if self._reported < len(lines):
            self._tell(lines[self._reported :])
            self._reported = len(lines)
        return self._made_by

    def maker(self, node: Any) -> Any:
        """Return the entry of the operation that made a node; None for one that nobody saw."""
        return self.made_by().get(number_of(node))

    def fetch(self, outputs: Iterable[Any]) -> None:
        """Put what an earlier tape recorded on the one that is played now: the entries with these
        outputs.
        """
        keys = set(outputs) if self._waiting else set()
        lines = [line for line in self._waiting if line[3] in keys]
        if not lines:
            return
        tape = self.recording()
        self._waiting = [line for line in self._waiting if line[3] not in keys]
        needed = {n for line in lines for n in inputs_of(line)}
        reads = [self._readings[n] for n in needed if n in self._readings]
        for (_, (number,), content, *_), variable in reads:
            tape.variables[number] = variable
            tape.leaves.add(number)
            tape.heard.add(content)
            tape.watched |= {number, content}
        for line in lines:
            if line[1].op != "StopGradient":
                tape.watched |= set(outputs_of(line))
        tape.entries.lines[:0] = [read for read, _ in reads] + lines
        tape.entries.stored = 0
        self._retell()

    def _look(self, tape: TorchTape) -> None:
        """Forget the entries of graphs that the program has let go without a play."""
        lines = tape.entries.lines
        lines[:] = self._living(lines)
        tape.entries.stored = 0
        self._look_at = 2 * max(len(lines), FIRST_LOOK // 2)
        self._retell()
        self.tensors.tidy()

    def guard_all(self, written: Iterable[Tensor]) -> None:
        """Keep what tapes and the last play hold, where the program is about to write."""
        if self.back.filming is not None:
            self.tensors.store(self.back.filming.told())
        self.tensors.guard(written)

    # ---- numbers

    def known(self, tensor: Tensor) -> Known:
        """Return what is known of a tensor."""
        return self.tensors.get(tensor) or self.meet(tensor)

    def meet(self, tensor: Tensor) -> Known:
        """Return what is known of a tensor that is new to the recorder."""
        made = maker_of(tensor) is not None
        return self.tensors.meet(tensor, tensor.requires_grad and not made, not made)

    def read(self, tensor: Tensor, made: Made) -> Known:
        """Return what is known of a tensor that an operation uses."""
        known = self.tensors.table.get(id(tensor)) or self.meet(tensor)
        version = version_of(tensor)
        if known.version != version:
            self.tensors.changed(known, version)
            known.recorded = maker_of(tensor) is None
        if not known.recorded and maker_of(tensor) is not None:
            self.adopt(tensor, known, made)
        if known.leaf:
            self._reading(known, tensor, made)
        return known

    def _reading(self, known: Known, tensor: Tensor, made: Made) -> None:
        tape, own, number = self.tape, known.id, known.number
        if tape is None or not tape.recording:
            tape = self.recording()
        if number in tape.heard:
            return
        watched = tape.watched
        tape.heard.add(number)
        tape.leaves.add(own)
        watched.add(own)
        watched.add(number)
        tape.variables[own] = tensor
        value = self.tensors.held(known, tensor)
        about = {"name": known.name or "Variable", "version": known.version}
        tape.entries.write(
            ("ReadVariableOp", (own,), number, about, *made[0].where, (value,), value)
        )

    def adopt(
        self,
        tensor: Tensor,
        known: Known,
        made: Made,
        outputs: Sequence[tuple[Known, Tensor]] = (),
    ) -> None:
        """Record what nobody saw: a view of what has changed, the result of a play, a function of
        the learner's own with all of its `outputs`.
        """
        node: Any = tensor.grad_fn
        number = output_of(self.maker(node), node, tensor.output_nr)
        hooked = node.name() == HOOKED
        if hooked:  # what it takes in, as it is
            number, _ = self.number_at(*node.next_functions[tensor.output_nr])
        if number is not None and (hooked or not tensor._is_view()):
            known.id = known.number = number
            known.recorded = True
            return
        edges = beyond(node, self.maker)
        inputs = [self.number_at(*edge) for edge in edges]
        whole = [(n, t) for n, t in inputs if n is not None]
        name = node.name().split("Backward")[0].rpartition("::")[2]
        for first, after, call in self.compiled:
            if first <= number_of(node) < after:
                name, made = "compile", call
        row = Row(f"torch.{name}", range(len(whole)))
        values = [array_of(t) if isinstance(t, Tensor) else t for _, t in whole]
        if whole:
            self.write(row, [n for n, _ in whole], values, outputs or [(known, tensor)], made)

    def number_at(self, node: Any, output: int) -> tuple[Number | None, Any]:
        """Return the number of what a node of the graph made, and it or its array."""
        variable = getattr(node, "variable", None)
        if variable is not None:
            return self.leaf(variable).number, variable
        number = output_of(self.maker(node), node, output)
        living = self._kept(number) if number is not None else None
        return number, living

    def leaf(self, variable: Tensor) -> Known:
        """Return what is known of a leaf, which the tape reads if it has not yet."""
        known = self.known(variable)
        if known.version != version_of(variable):  # no operation that is heard has read it since
            self.tensors.changed(known, version_of(variable))
        if self.tape is None or known.number not in self.tape.heard:
            self._reading(known, variable, self.sites.of_call().within(self.sites.layers))
        return known

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
                self.tensors.changed(known, version_of(obj))
            return self.tensors.info(obj, known)

    def target(self, tensor: Tensor) -> Target:
        """Return a target as a play has it: the content of a variable."""
        known = self.known(tensor)
        where = known.where or known.leaf and known.changed
        where = where or self.tensors.places.place_of(known.number) or (None, 0)
        return wrap(dense(tensor.data), known.number, *where)

    def tape_of(self, tape: object) -> TorchTape | None:
        """PyTorch has no tapes of its own: one stands for itself."""
        return tape if isinstance(tape, TorchTape) else None

    # ---- operations

    def record(self, call: Any, outputs: Sequence[tuple[Known, Tensor]], made: Made) -> None:
        numbers: list[Number] = []
        watched = False
        for operand in call.operands:
            if isinstance(operand, Tensor):
                numbers.append(self.read(operand, made).number)
                watched = watched or operand.requires_grad
            else:
                numbers.append(new_id())
        row = Row(call.op, range(len(numbers)), call.attributes)
        # one tensor as a tensor may keep its history
        copies = watched and call.op in COPIES and maker_of(outputs[0][1]) is None
        if watched and not copies and torch.is_grad_enabled():
            held, known = self.tensors.held, self.known
            values = [held(known(v), v) if isinstance(v, Tensor) else v for v in call.operands]
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
            why, variant, op = drawn() or ("torch-no-grad", "", row.op)
            self.note_blocked(why, op, numbers, made_numbers, made, variant)
        else:
            tape.notes.write((len(tape.entries), made[0].where, row.op, output, *numbers))

    def write_one(
        self,
        row: Row,
        operands: Sequence[Any],
        result: Tensor,
        made: Made,
        node: int | None = None,
    ) -> None:
        """Record an operation with one output, which PyTorch records; `node`: the only one that it
        has put into the graph, if so. Nearly all go this way, so it hardly calls another function.
        """
        tensors, tape = self.tensors, self.tape
        if tape is None or not tape.recording:
            tape = self.recording()
        table, heard, places, watched = tensors.table, tape.heard, tensors.places, tape.watched
        taken: list[Known | Given] = []
        for operand in operands:
            known = table.get(id(operand))
            if known is None and not isinstance(operand, Tensor):
                taken.append(given := Given())
                given.number, given.alias = new_id(), operand
                continue
            if (
                known is None
                or 0 <= known.version != operand._version
                or not known.recorded
                or known.leaf
                and known.number not in heard
            ):
                known = self.read(operand, made)
            if known.alias is None:
                known.alias = operand.data
            taken.append(known)
        key = id(result)
        known = table[key] = Known(result, tensors.gone)
        known.key, known.leaf, known.recorded = key, False, True
        known.version = result._version
        known.id = known.number = number = new_id()
        known.alias = alias = result.data
        # as `Places.note` and `Marks.add` do it where numbers come in order, without two calls
        numbers, marks = places.numbers, watched.bytes
        if len(numbers) < places.most:  # the number is new, so the highest
            numbers.append(number)
            places.made.append(made)
        else:
            places.note(number, made)
        if number - watched.since == len(marks):
            marks.append(1)
        else:
            watched.add(number)
        behind = number - (number_of(result.grad_fn) if node is None else node)
        if behind != self._behind:  # one object for many lines
            self._behind = behind
        behind, site, lines = self._behind, made[0], tape.entries.lines
        if len(taken) == 2:  # most: no other list is made
            a, b = taken
            lines.append((behind, row, site, number, a.number, b.number, alias, a.alias, b.alias))
        else:
            own, values = [t.number for t in taken], [t.alias for t in taken]
            lines.append((behind, row, site, number, *own, alias, *values))
        if len(lines) > self._look_at:
            self._look(tape)

    def note_blocked(
        self,
        why: str,
        op: str,
        inputs: Sequence[int],
        outputs: Sequence[int],
        made: Made,
        variant: str = "",
    ) -> None:
        """Note an operation that nobody recorded although it uses what is watched, and why."""
        about = {"op": op, "inputs": tuple(inputs), "outputs": tuple(outputs), "blocks": why}
        about |= {"variant": variant} if variant else {}
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
        tape = self.recording()
        numbers = self.number(outputs, made)
        arrays = [self.tensors.held(known, tensor) for known, tensor in outputs]
        one = len(numbers) == 1
        nodes = [node_of(tensor) for _, tensor in outputs]
        tape.entries.write(
            (
                numbers[0] - nodes[0][0] if one and nodes[0] is not None else tuple(nodes),
                row,
                made[0],
                numbers[0] if one else tuple(numbers),
                *inputs,
                arrays[0] if one else tuple(arrays),
                *values,
            )
        )
        for number, (known, tensor) in zip(numbers, outputs):
            known.recorded = True
            if tensor.requires_grad:
                tape.watched.add(number)
            elif row.op == "StopGradient":
                tape.cut(number)
        if len(tape.entries) > self._look_at:
            self._look(tape)
