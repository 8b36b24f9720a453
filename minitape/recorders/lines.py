"""What the tape of another library's program keeps, written as short as it goes: it is written at
each operation, and seldom read.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, MutableSet, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Number, RawEntry, RawNote, Where

    from .call_sites import CallSite, Layers, Made

GAP = 1 << 16  # numbers that nothing is known of, and that have a byte all the same


class Short(Sequence[Any]):
    """A list whose items are written shorter than they are read. `write` adds one as it is kept;
    `append` one as it is read.
    """

    __slots__ = "lines", "write", "append"

    def __init__(self, lines: Iterable[Any] = ()) -> None:
        self.lines = list(lines)
        self.write = self.append = self.lines.append

    @staticmethod
    def read(line: Any) -> Any:
        """Return a line as whoever reads has it."""
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, k: Any) -> Any:
        return (
            list(map(self.read, self.lines[k]))
            if isinstance(k, slice)
            else self.read(self.lines[k])
        )

    def __iter__(self) -> Iterator[Any]:
        return map(self.read, self.lines)

    def __delitem__(self, k: int) -> None:
        del self.lines[k]


class Lines(Short):
    """The entries of a tape, see `engine.tape.Tape`, written as one tuple each, without others in
    it.

    A line: (key, row, site, output, *inputs, y, *values). `key`: what the entry is known by on the
    way back; `row`: see `operations.py`; the arrays from `y` on are gone once the tape is used up.
    A reading of a variable is written as it is read: it has no key.
    """

    __slots__ = ()

    @staticmethod
    def read(line: Any) -> RawEntry:
        """Return a line as an entry."""
        if type(line[0]) is str:
            return line
        _, row, site, output, *_ = line
        end = 4 + len(row.places)
        entry = row.op, line[4:end], output, row.attributes, *site.where
        return (*entry, line[end + 1 :], line[end]) if len(line) > end else entry

    def brief(self, k: int) -> RawEntry:
        """Return an entry without its arrays."""
        line = self.lines[k]
        return line[:6] if type(line[0]) is str else Lines.read(line[: 4 + len(line[1].places)])

    def without_arrays(self) -> Lines:
        """Return the same lines without what they keep of the numbers."""
        return type(self)(
            [
                line[:6] if type(line[0]) is str else line[: 4 + len(line[1].places)]
                for line in self.lines
            ]
        )

    def keys(self) -> Iterator[tuple[int, Any]]:
        """Yield (index, key) of all entries that have one."""
        return ((k, line[0]) for k, line in enumerate(self.lines) if type(line[0]) is not str)

    def places(self, k: int) -> Sequence[int]:
        """Return which of TensorFlow's inputs an entry has."""
        return () if type(self.lines[k][0]) is str else self.lines[k][1].places


class Notes(Short):
    """The notes of a tape, see `engine.annotated_tape.AnnotatedTape`: its commonest notes as
    one tuple each.

    A number that came back: (at, where, number, type). An operation that uses nothing watched: (at,
    where, op, output, *inputs).
    """

    __slots__ = ()

    @staticmethod
    def read(line: Any) -> RawNote:
        """Return a line as a note."""
        at, where, what, more, *inputs = line
        if type(at) is str:
            return line
        if type(what) is str:
            return "unwatched", at, where, (what, tuple(inputs), more)
        return "return", at, where, {"type": more, "id": what}


class Marks(MutableSet["Number"]):
    """A set of numbers. Those from `since` on have a byte each, as nearly all have that a tape
    watches; the others are in a set.
    """

    __slots__ = "since", "bytes", "others"
    _from_iterable = set

    def __init__(self) -> None:
        self.since, self.bytes = 0, bytearray()
        self.others: set[int] = set()

    def begin(self, now: Number) -> None:
        """Expect numbers from `now` on."""
        if not self.bytes:
            self.since = now

    def __contains__(self, number: object) -> bool:
        k = number - self.since  # type: ignore[operator]
        return 0 <= k < len(self.bytes) and self.bytes[k] == 1 or number in self.others

    def add(self, number: Number) -> None:
        """Add a number."""
        k, length = number - self.since, len(self.bytes)
        if k == length:  # most come in order
            self.bytes.append(1)
            return
        if not 0 <= k < length + GAP:
            self.others.add(number)
            return
        if k >= length:
            self.bytes.extend(bytes(k + 1 - length))
        self.bytes[k] = 1

    def discard(self, number: Number) -> None:
        """Take a number away."""
        self.others.discard(number)
        if number in self:
            self.bytes[number - self.since] = 0

    def __iter__(self) -> Iterator[Number]:
        yield from self.others
        yield from (self.since + k for k, mark in enumerate(self.bytes) if mark)

    def __len__(self) -> int:
        return len(self.others) + sum(self.bytes)

    def isdisjoint(self, numbers: Iterable[Any]) -> bool:
        """Return True where none of the numbers is in the set."""
        return not any(number in self for number in numbers)

    def intersection(self, numbers: Iterable[Number]) -> set[Number]:
        """Return those of the numbers that are in the set."""
        return {number for number in numbers if number in self}


class Places:
    """Where tensors were made: their numbers, which nearly always come in order, and beside each
    its place.
    """

    def __init__(self, most: int) -> None:
        self.most, self.numbers, self.made = most, array("q"), list["Made"]()

    def __len__(self) -> int:
        return len(self.numbers)

    def note(self, number: Number, made: Made) -> None:
        """Keep where a tensor was made; beyond `most`, those with the lowest numbers are forgotten."""
        numbers = self.numbers
        if not numbers or number > numbers[-1]:
            if len(numbers) >= self.most:
                del numbers[: self.most // 2], self.made[: self.most // 2]
            numbers.append(number)
            self.made.append(made)
            return
        k = bisect_left(numbers, number)
        if numbers[k] == number:
            self.made[k] = made
        else:
            numbers.insert(k, number)
            self.made.insert(k, made)

    def get(self, number: Number) -> Made | None:
        """Return where a tensor was made, or None."""
        k = bisect_left(self.numbers, number)
        return self.made[k] if k < len(self.numbers) and self.numbers[k] == number else None

    def site_of(self, number: Number) -> CallSite | None:
        """Return where, and on which way inside of the library, a tensor was made, or None."""
        made = self.get(number)
        return made[0] if made is not None else None

    def layers_of(self, number: Number) -> Layers:
        """Return the calls of layers in which a tensor was made, from the outermost, or None."""
        made = self.get(number)
        return made[1] if made is not None else None

    def place_of(self, number: Number) -> Where | None:
        """Return where in the program a tensor was made, or None."""
        site = self.site_of(number)
        return site.where if site is not None else None
