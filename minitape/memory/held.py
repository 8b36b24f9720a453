"""Which pieces of memory a tape holds, who made each, who uses it, and whose rule will ask for it.

Several arrays may be one piece of memory: the output of a card is the input of the next, and a
reshaped array shares its numbers with the one it was made of. A `Buffer` is such a piece, counted
once. What was there before the tape began to record (data, the contents of variables) lives on
without it, and is told apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from minitape.engine.base.aliases import Array, Arrays
from minitape.engine.base.tensor import Tensor
from minitape.engine.recording import Entry, Recording
from minitape.storyboard.stage.formula import Rules

READ, OWN_RULE, TRACED = "ReadVariableOp", "CustomGradient", "PartitionedCall"


class Buffer:
    """One piece of memory.

    `bytes`: its size; `maker`: the card that made it, None for what no card made; `users`: the
    cards that hold it, among them its maker; `first`: the earliest of them; `asked`: those whose
    rules ask for its numbers; `anyway`: whether it was there before the tape, or is the content of
    a variable now. Cards are numbers from 0.
    """

    __slots__ = ("owner", "bytes", "maker", "users", "asked", "anyway")

    def __init__(self, owner: Array, size: int) -> None:
        # the owner is held so that no other gets its place
        self.owner, self.bytes, self.anyway = owner, size, False
        self.maker: int | None = None
        self.users: set[int] = set()
        self.asked: set[int] = set()

    @property
    def first(self) -> int:
        """The earliest card that holds it."""
        return min(self.users)


class Held:
    """All that a tape holds: `cards`, its entries but for the readings of variables, and `buffers`,
    in the order of their first card.
    """

    def __init__(self, recording: Recording) -> None:
        self.cards: list[Entry] = []
        self._buffers: dict[int, Buffer] = {}
        self._began = recording.blocks[0][0] if recording.blocks else 0
        rules = Rules()
        for entry, (values, outputs) in zip(recording.entries, recording.kept):
            if entry.op == READ:
                self._meet(values[0], entry.outputs[0])
                continue
            card = len(self.cards)
            self.cards.append(entry)
            asked_inputs, asked_output = asked(entry, values, outputs, recording, rules)
            for place, (value, number) in enumerate(zip(values, entry.inputs)):
                self._use(value, number, card, place in asked_inputs)
            for value, number in zip(outputs, entry.outputs):
                buffer = self._use(value, number, card, asked_output)
                if (
                    buffer.maker is None
                    and buffer.first == card
                    and all(buffer is not self._meet(v) for v in values)
                ):
                    buffer.maker = card
            for tensor in tensors_in(entry.attributes):
                self._use(tensor.value, tensor.id, card, True)
        for item in recording.variables.values():
            if item is not None and id(owner_of(item.value)) in self._buffers:
                self._meet(item.value).anyway = True
        self.buffers = sorted(
            [buffer for buffer in self._buffers.values() if buffer.users],
            key=lambda buffer: buffer.first,
        )

    def _meet(self, value: Array, number: int | None = None) -> Buffer:
        """Return the piece of memory of an array; `number` is that of its tensor."""
        owner = owner_of(value)
        buffer = self._buffers.get(id(owner))
        if buffer is None:
            buffer = self._buffers[id(owner)] = Buffer(owner, size_of(owner))
        if number is not None and number < self._began:
            buffer.anyway = True
        return buffer

    def _use(self, value: Array, number: int, card: int, is_asked: bool) -> Buffer:
        buffer = self._meet(value, number)
        buffer.users.add(card)
        if is_asked:
            buffer.asked.add(card)
        return buffer


def asked(
    entry: Entry, values: Arrays, outputs: Arrays, recording: Recording, rules: Rules
) -> tuple[set[int], bool]:
    """Return which inputs of an entry its rules ask for, and whether they ask for the output.

    Only the rules of watched inputs will ever run. A gradient of one's own asks for what its
    function closes over, and for nothing else; a traced function has worked out what it needs, and
    hands that out as further outputs.
    """
    if entry.op == OWN_RULE:
        return set(), False
    if entry.op == TRACED:
        return set(range(len(values))), True
    result = rules.of(entry.op, entry.attributes, values, outputs) or []
    running = [rule for rule, number in zip(result, entry.inputs) if number in recording.watched]
    return {place for rule in running for place in rule.inputs}, any(
        rule.output for rule in running
    )


def tensors_in(attributes: Any) -> Iterator[Tensor]:
    """Yield the tensors that an entry holds beside its inputs: in its attributes, and in what the
    functions there close over.
    """
    seen: set[int] = set()
    todo: list[Any] = [attributes]
    while todo:
        item = todo.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, Tensor):
            yield item
        else:
            todo.extend(inside(item))


def inside(item: Any) -> Iterable[Any]:
    """Return what a container holds, or a function closes over."""
    if isinstance(item, dict):
        return item.values()
    if isinstance(item, (list, tuple)):
        return item
    if isinstance(item, partial):
        return [item.func, *item.args, *item.keywords.values()]
    if isinstance(item, FunctionType):
        return [
            *[cell.cell_contents for cell in item.__closure__ or () if not is_empty(cell)],
            *(item.__defaults__ or ()),
        ]
    return ()


def is_empty(cell: Any) -> bool:
    """Return True for a name that a function closes over and that has no value yet, or no more."""
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return True
    return False


def owner_of(array: Array) -> Array:
    """Return the array, or the NumPy scalar, whose memory an array shows; itself where it is its
    own.
    """
    while isinstance(array, np.ndarray) and array.base is not None:
        base = array.base.obj if isinstance(array.base, memoryview) else array.base
        if not isinstance(base, (np.ndarray, np.generic)):
            break
        array = base
    return array


def size_of(owner: Array) -> int:
    """Return the bytes of an array or NumPy scalar; of one that repeats its numbers, those that are
    there.
    """
    if isinstance(owner, np.ndarray) and owner.size:
        return (
            1
            + sum((n - 1) * abs(step) for n, step in zip(owner.shape, owner.strides))
            + owner.itemsize
            - 1
        )
    return int(owner.nbytes)
