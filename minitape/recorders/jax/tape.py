"""The tape that stands for what `jax.grad` differentiates, and how readers see it.

JAX has no tape: it traces a function into a jaxpr, whose equations are the entries here. The way
back asks `jax.vjp` for the parts of each equation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.engine.annotated_tape import AnnotatedTape, ended
from minitape.engine.base.listeners import onlookers
from minitape.engine.base.tensor import Tensor, new_id
from minitape.engine.play import Play
from minitape.engine.recording import Recording, TensorInfo

from .operations import title

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Array, Number, RawPart, Value, Where

READ = "ReadVariableOp"
# what stands in no line of the program: how a function takes its arguments, what nobody saw inside
NOWHERE = compile("", "<a function of JAX's>", "exec"), 0
Back = Callable[[Sequence["Array | None"]], Sequence["Array | None"]]


class Argument(TensorInfo):
    """A value that a function was called with, or gave: readers see it, and may hold it weakly."""

    def __init__(self, number: Number, value: Array, where: Where | None, name: str = "") -> None:
        # a value without a name is the result: it is no variable
        super().__init__(self, new_id() if name else number, number, value, where, bool(name), name)


class JaxRecording(Recording):
    """A recording of what JAX computed."""

    library, module, data = "JAX", "jax.numpy", "jax.numpy"
    zeros = True
    tape: JaxTape

    def living(self) -> dict[Number, Any]:  # type: ignore[override]
        return {}

    def title(self, op: str) -> str:
        return title(op)

    def adjoints(
        self, targets: Sequence[TensorInfo], sources: Sequence[TensorInfo]
    ) -> list[Value | None]:
        """Return the adjoints of the sources: zeros where nothing leads to one."""
        return zeros_for(super().adjoints(targets, sources), sources)


def zeros_for(adjoints: list[Any], sources: Sequence[TensorInfo]) -> list[Any]:
    """Return adjoints with zeros for those that are None, as JAX gives them."""
    return [np.zeros_like(s.value)[()] if g is None else g for g, s in zip(adjoints, sources)]


class JaxPlay(Play):
    """A play whose parts are those of `jax.vjp`, equation by equation."""

    tape: JaxTape

    def parts(self) -> Iterator[RawPart]:
        parts = self._parts()
        for onlooker in onlookers.get():
            parts = onlooker.plays(self, parts)
        return parts

    def gradients_of(self, sources: Sequence[TensorInfo]) -> list[Any]:
        """Return the gradients, once all parts have passed."""
        return zeros_for([_array(self.adjoints.get(s.id)) for s in sources], sources)

    def _parts(self) -> Iterator[RawPart]:
        reach = self.reach()
        for index in range(len(self.entries) - 1, -1, -1):
            op, inputs, output, _, _, _, _, y = self.entries[index]
            outputs, ys = (output, y) if isinstance(output, tuple) else ((output,), (y,))
            known = [_array(self.adjoints.get(number)) for number in outputs]
            if all(g is None for g in known) or reach.isdisjoint(outputs):
                continue
            whole = tuple(np.zeros_like(y)[()] if g is None else g for g, y in zip(known, ys))
            adjoint = whole if isinstance(output, tuple) else whole[0]
            parts = known if op == READ else self.tape.backs[outputs[0]](known)
            sent = [(i, g) for i, g in enumerate(parts) if g is not None and inputs[i] in reach]
            for i, part in sent:
                before = _array(self.adjoints.get(inputs[i]))
                self.adjoints[inputs[i]] = part if before is None else before + part
                yield index, i, adjoint, part
            if not sent:
                yield index, None, adjoint, None


def _array(value: Any) -> Any:
    return value.value if isinstance(value, Tensor) else value


class JaxTape(AnnotatedTape):
    """A tape of one call of a function. `backs`: {the first output of an entry: its way back};
    `gradients`: those of its sources, once it was played.
    """

    kind_of_recording = JaxRecording
    gradients: list[Any]

    def clear(self) -> None:
        super().clear()
        self.backs: dict[Number, Back] = {}

    def start(self) -> None:
        """Record from now on: no operation of minitape's is told to this tape."""
        self.blocks.append((new_id(), None))
        self.recording = True
        for onlooker in onlookers.get():
            onlooker.began(self)

    def stop(self) -> None:
        """Record no more."""
        self.blocks[-1] = self.blocks[-1][0], new_id()
        ended.append(self.blocks[-1])  # type: ignore[arg-type]
        self.recording = False

    def takes(self, argument: Argument) -> None:
        """Record that the function reads one of its arguments, which are its sources."""
        number, value = argument.tensor, argument.value
        self.variables[argument.id] = argument  # type: ignore[assignment]
        self.watch(argument.id, value.dtype)
        name = {"name": argument.name}
        self.entries.append((READ, (argument.id,), number, name, *NOWHERE, (value,), value))
        self.watched.add(number)

    def play(
        self,
        targets: Sequence[Any],
        sources: Sequence[Any],
        seeds: Sequence[Any] | None = None,
        lead: int = 0,
    ) -> JaxPlay:
        return JaxPlay(self, list(targets), sources, seeds, lead)

    def release(self) -> None:
        """Keep the arrays: they belong to JAX, and whoever drops the tape drops them."""
