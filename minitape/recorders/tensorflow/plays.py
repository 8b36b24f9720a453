"""One way back over a tape of TensorFlow's: what it computed itself, as a play of minitape's.

TensorFlow calls a function for each operation on its way back: with the adjoints of the outputs it
returns the parts for the inputs. `Filming` keeps these calls. They come in another order than the
tape's, and without the number of the operation; but with them comes the very tuple of attributes
that was told when it ran, and this is what it is known by. So a picture shows TensorFlow's own
numbers, and minitape computes none of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from tensorflow.python.framework.ops import EagerTensor

from minitape.engine.base.tensor import Tensor, new_id, wrap
from minitape.engine.ops.record import OPS
from minitape.engine.play import Play
from minitape.engine.recording import NotAsked

from .tensors import array_of

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Adjoints, Array, Number, Numbers, RawPart

    from .tape import TensorFlowTape

READ = "ReadVariableOp"


class Back(NamedTuple):
    """One call on the way back: the adjoints of an operation's outputs, and the parts for its
    inputs. `key` is that of its entry.
    """

    key: Any
    adjoints: Sequence[Any]
    parts: Sequence[Any]


class Filming:
    """What TensorFlow calls while it plays one tape. `for_reader`: this play is none of the
    program's; `spent` is the tape's.
    """

    def __init__(self, for_reader: bool = False, spent: Container[int] = ()) -> None:
        self.for_reader, self.spent = for_reader, spent
        self.backs: list[Back] = []

    def developed(self, tape: TensorFlowTape) -> dict[int, Back]:
        """Return {index of an entry: how it was played}."""
        known = {id(key): index for index, key in tape.entries.keys()}
        return {known[id(back.key)]: back for back in self.backs if id(back.key) in known}


def dense(part: Any) -> Array:
    """Return a part or an adjoint as an array; slices of an embedding are put into their places."""
    if isinstance(part, EagerTensor):
        return array_of(part)
    if isinstance(part, np.ndarray):  # many rows at once
        return part
    values, rows = array_of(part.values), array_of(part.indices)
    least = int(rows.max(initial=0)) + 1, *values.shape[1:]
    shape = tuple(array_of(part.dense_shape).tolist()) if part.dense_shape is not None else least
    result = np.zeros(shape, values.dtype)
    np.add.at(result, rows, values)
    return result


class FilmedPlay(Play):
    """A play that TensorFlow has played already. Without a film it is computed with minitape's
    rules, as far as it has them.

    `within`: another tape records it, which knows its parts and adjoints by their numbers;
    `returned`: what TensorFlow gave for each source, and `answers_as`: the numbers of these;
    `fills`: where there is no way to a source, TensorFlow returned zeros.
    """

    tape: TensorFlowTape
    backs: dict[int, Back] | None = None
    returned: Sequence[Array | None] = ()
    answers_as: Sequence[Number | None] = ()
    error: BaseException | None = None
    seeds: Adjoints = {}
    within = fills = False

    def answers(self, targets: Numbers, sources: Numbers) -> bool:
        """True where this play knows the gradient that somebody asks for."""
        return numbers_of(self.targets) == targets and set(sources) <= set(numbers_of(self.sources))

    def parts(self) -> Iterator[RawPart]:
        """Return the generator of what was played, the last entry first."""
        if self.backs is not None:
            return self._filmed(self.backs)
        unknown = next((op for op, *_ in self.entries if op not in OPS), None)
        if unknown is not None or self.entries and len(self.entries[0]) < 8:
            raise NotAsked(
                f"minitape has no rule for {unknown}, and TensorFlow has not been asked for this "
                "gradient."
            )
        return super().parts()

    def _filmed(self, backs: dict[int, Back]) -> Iterator[RawPart]:
        self.entries = list(self.entries)
        reach, sent = self.reach(), {}
        for index, back in backs.items():
            _, inputs, output, _, _, _, values, _ = self.entries[index]
            places = self.tape.origin.entries.places(index)
            sent[index] = [
                (i, fitting(dense(back.parts[place]), values[i]), self._number(back.parts[place]))
                for i, place in enumerate(places)
                if place < len(back.parts) and back.parts[place] is not None and inputs[i] in reach
            ]
        open_parts = Counter(
            self.entries[index][1][i] for index, parts in sent.items() for i, *_ in parts
        )
        final = self._finals(backs, open_parts)
        for index in range(len(self.entries) - 1, -1, -1):
            op, inputs, output, *_ = self.entries[index]
            if op == READ and isinstance(output, int):
                g = self.adjoints.get(output)
                if g is None or inputs[0] not in reach:
                    continue
                adjoint, parts = g, [(0, plain(g), getattr(g, "id", None))]
            elif index in sent and not reach.isdisjoint(
                output if isinstance(output, tuple) else (output,)
            ):
                adjoint, parts = self._adjoint(index, backs[index]), sent[index]
            else:
                continue
            for i, part, known in parts:
                number = inputs[i]
                before = self.adjoints.get(number)
                total, known_total = (
                    (part, known) if before is None else (plain(before) + part, None)
                )
                open_parts[number] -= 1
                if open_parts[number] == 0 and number in final:
                    total, known_total = fitting(final[number][0], part), final[number][1]
                self.adjoints[number] = self._tensor(total, known_total)
                yield index, i, adjoint, self._tensor(part, known)
            if not parts:
                yield index, None, adjoint, None
        if self.error is not None:
            raise self.error
        for number, answer, known in zip(self.numbers, self.returned, self.answers_as):
            if answer is None or self.fills and number not in self.adjoints:
                self.adjoints.pop(number, None)
            else:
                total = self.adjoints.get(number)
                self.adjoints[number] = self._tensor(
                    answer if total is None else fitting(answer, plain(total)), known
                )

    def _adjoint(self, index: int, back: Back) -> Any:
        """Return the adjoint, or adjoints, that an entry was played with."""
        output, y = self.entries[index][2], self.entries[index][7]
        outputs, ys = (output, y) if isinstance(output, tuple) else ((output,), (y,))
        adjoints = tuple(
            [
                fitting(dense(g), value) if g is not None else np.zeros_like(value)[()]
                for g, value in zip(back.adjoints, ys)
            ]
        )
        return adjoints if isinstance(output, tuple) else adjoints[0]

    def _finals(
        self, backs: dict[int, Back], open_parts: Counter[int]
    ) -> dict[int, tuple[Array, Number | None]]:
        """Return {number: (its adjoint in TensorFlow's own rounding, the number of that)}, of which
        the last part makes the sum whole.
        """
        found: dict[Number, tuple[Array, Number | None]] = {}
        for index, back in backs.items():
            output = self.entries[index][2]
            adjoint = self._adjoint(index, back)
            adjoints = adjoint if isinstance(output, tuple) else (adjoint,)
            for number, g, tensor in zip(
                output if isinstance(output, tuple) else (output,), adjoints, back.adjoints
            ):
                if open_parts[number] > 1 and number not in self.adjoints:
                    found[number] = g, self._number(tensor)
        read: dict[int, list[int]] = {}
        for op, inputs, output, *_ in self.entries:
            if op == READ and isinstance(output, int):
                read.setdefault(inputs[0], []).append(output)
        for number, answer, known in zip(self.numbers, self.returned, self.answers_as):
            # of a variable that was read in two versions, no sum is its gradient
            only = read.get(number, [number])
            if answer is not None and len(only) == 1 and open_parts[only[0]] > 1:
                found[only[0]] = answer, known
        return found

    def _number(self, tensor: Any) -> Number | None:
        return (
            self.tape.tensors.number(tensor)
            if self.within and isinstance(tensor, EagerTensor)
            else None
        )

    def _tensor(self, array: Any, known: Number | None) -> Any:
        """Return a part or an adjoint as a play that another tape records has it: a tensor with its
        number.
        """
        return wrap(array, new_id() if known is None else known) if self.within else array


def plain(value: Any) -> Array:
    """Return the array of a part or an adjoint that may be a tensor."""
    return value.value if isinstance(value, Tensor) else value


def numbers_of(tensors: Sequence[Any]) -> Numbers:
    """Return the numbers of tensors and variables."""
    return tuple([obj.id for obj in tensors])


def fitting(array: Array, like: Array) -> Array:
    """Return an adjoint in the shape of the value that it belongs to: slices may have come without
    their last rows.
    """
    if array.shape != like.shape and array.ndim == like.ndim and array.ndim:
        whole = np.zeros(like.shape, array.dtype)
        whole[tuple(map(slice, array.shape))] = array
        return whole
    return array
