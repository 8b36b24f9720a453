"""One way back that another library has computed by itself, as a play of minitape's.

The recorder of the library sees each step of it: the adjoints of an operation's outputs, and the
parts for its inputs. They come in another order than the tape's, so a `FilmedPlay` sorts them by
their entries. A picture shows the library's own numbers, and minitape computes none of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from minitape.engine.base.listeners import onlookers
from minitape.engine.base.tensor import Tensor, new_id, wrap
from minitape.engine.ops.record import OPS
from minitape.engine.play import Play
from minitape.engine.recording import NotAsked

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Adjoints, Array, Number, Numbers, RawPart

READ = "ReadVariableOp"


class Back(NamedTuple):
    """One call on the way back: the adjoints of an operation's outputs, and the parts for its
    inputs. `key` is that of its entry.
    """

    key: Any
    adjoints: Sequence[Any]
    parts: Sequence[Any]


class FilmedPlay(Play):
    """A play that the library has played already. Without a film it is computed with minitape's
    rules, as far as it has them.

    `backs`: {index of an entry: how it was played}; `within`: another tape records it, which knows
    its parts and adjoints by their numbers; `returned`: what the library gave for each source, and
    `answers_as`: the numbers of these; `fills`: where there is no way to a source, it returned
    zeros.
    """

    tape: Any
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
                f"minitape has no rule for {unknown}, and {self.tape.kind_of_recording.library} has "
                "not been asked for this gradient."
            )
        return super().parts()

    def _filmed(self, backs: dict[int, Back]) -> Iterator[RawPart]:
        self.entries = list(self.entries)
        reach, sent = self.reach(), {}
        for index, back in backs.items():
            _, inputs, output, _, _, _, values, _ = self.entries[index]
            places = self.places(index)
            sent[index] = [
                (
                    i,
                    fitting(self.dense(back.parts[place]), values[i]),
                    self._number(back.parts[place]),
                )
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
                fitting(self.dense(g), value) if g is not None else np.zeros_like(value)[()]
                for g, value in zip(back.adjoints, ys)
            ]
        )
        return adjoints if isinstance(output, tuple) else adjoints[0]

    def _finals(
        self, backs: dict[int, Back], open_parts: Counter[int]
    ) -> dict[int, tuple[Array, Number | None]]:
        """Return {number: (its adjoint in the library's own rounding, the number of that)}, of which
        the last part makes the sum whole.
        """
        result: dict[Number, tuple[Array, Number | None]] = {}
        for index, back in backs.items():
            output = self.entries[index][2]
            adjoint = self._adjoint(index, back)
            adjoints = adjoint if isinstance(output, tuple) else (adjoint,)
            for number, g, tensor in zip(
                output if isinstance(output, tuple) else (output,), adjoints, back.adjoints
            ):
                if open_parts[number] > 1 and number not in self.adjoints:
                    result[number] = g, self._number(tensor)
        read: dict[int, list[int]] = {}
        for op, inputs, output, *_ in self.entries:
            if op == READ and isinstance(output, int):
                read.setdefault(inputs[0], []).append(output)
        for number, answer, known in zip(self.numbers, self.returned, self.answers_as):
            # of a variable that was read in two versions, no sum is its gradient
            only = read.get(number, [number])
            if answer is not None and len(only) == 1 and open_parts[only[0]] > 1:
                result[only[0]] = answer, known
        return result

    def places(self, index: int) -> Sequence[int]:
        """Return which of the library's inputs an entry has."""
        raise NotImplementedError

    @staticmethod
    def dense(part: Any) -> Array:
        """Return a part or an adjoint of the library's as an array."""
        raise NotImplementedError

    def number_of(self, part: Any) -> Number | None:
        """Return the number that a part has where another tape records this play."""
        return None

    def _number(self, part: Any) -> Number | None:
        return self.number_of(part) if self.within else None

    def _tensor(self, array: Any, known: Number | None) -> Any:
        """Return a part or an adjoint as a play that another tape records has it: a tensor with its
        number.
        """
        return wrap(array, new_id() if known is None else known) if self.within else array


def show(play: FilmedPlay) -> None:
    """Let those who look on see a play."""
    parts = play.parts()
    for onlooker in onlookers.get():
        parts = onlooker.plays(play, parts)
    try:
        for _ in parts:
            pass
    except BaseException as raised:
        if raised is not play.error:
            raise


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
