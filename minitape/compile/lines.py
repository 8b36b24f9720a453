"""Which line of a written program is whose: the line that makes a value, those of an operation's
way back, the one of an adjoint.

The program is written while entries are at hand, so each line knows its own; nothing is read out of
the text.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from ..engine.base.aliases import Number
from .calls import listened, noticed
from .concrete import ConcreteFunction


class Lines:
    """`text`: the program, as `f.source()` shows it, without comments: they count lines as the
    learner's file does, and these lines are counted by themselves. The numbers that one asks with
    are those of the run that was listened to, of its tensors and of its plays.
    """

    def __init__(self, concrete: ConcreteFunction) -> None:
        text, source, _ = concrete.written()
        rows = {
            k: row
            for k, row in enumerate(text.rstrip("\n").split("\n"), 1)
            if not row.lstrip().startswith("#")
        }
        self.text, number = "\n".join(rows.values()), {k: n for n, k in enumerate(rows, 1)}
        self._became, self._played = source.program.became, source.program.played
        self._making: dict[Number, int] = {}
        self._back: dict[Hashable, list[int]] = {}
        for row, (_, _, outputs, _, where) in source.placed:
            line = number[row]
            self._making.update(dict.fromkeys(outputs, line))
            if len(where) > 2:
                self._back.setdefault((where[3], where[2]), []).append(line)

    def making(self, number: Number) -> list[int]:
        """Return the line that makes a value; none for an input, a constant, or what the program
        can do without.
        """
        line = self._making.get(self._became.get(number, number))
        return [] if line is None else [line]

    def back(self, play: Number, outputs: tuple[Number, ...]) -> list[int]:
        """Return the lines of a play's way back through the operation that made `outputs`; none
        where it hands its adjoint on as it is.
        """
        return self._back.get((play, _one(outputs)), [])

    def part(self, play: Number, outputs: tuple[Number, ...], place: int) -> list[int]:
        """Return the line that makes the part of one of its inputs."""
        return self._line(play, _one(outputs), place)

    def adjoint(self, play: Number, number: Any) -> list[int]:
        """Return the line that completes the adjoint of a value; none where that is a seed."""
        return self._line(play, number)

    def _line(self, *asked: Any) -> list[int]:
        number = self._played.get(asked)
        return [] if number is None else self.making(number)


def _one(outputs: tuple[Number, ...]) -> Any:
    return outputs[0] if len(outputs) == 1 else outputs


def traced(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Lines:
    """Run a `tf.function` as Python once more, and return the lines of its program; variables and
    random numbers stay what they were.
    """
    args, kwargs = function.spelled(args, kwargs)
    with noticed() as undo:
        try:
            return Lines(listened(function, args, kwargs)[0])
        finally:
            undo()
