"""A tape that somebody has written, in the player: what it recorded, what it did on its way back,
and where it leaves the right way.

A tape is a list, so a list is all it takes:

    # a number for each value; any other name that can be hashed will do
    x, y = 1, 2
    # operation, inputs, output, values: the inputs', then the output's
    entries = [("multiply", (x, x), y, (3.0, 3.0, 9.0))]
    # entry, adjoint of its output, {which input: part}, as they were played
    steps = [(0, 1.0, {0: 3.0, 1: 3.0})]
    board = storyboard(entries, steps, {x: 6.0}, target=y, sources=[x], names={x: "x", y: "y"})
    board.departure  # None: it never leaves the right way

The picture shows the numbers that the tape gave, also where they are wrong. Beside it each step is
done once more as it should be, from what the tape had in hand at that moment: the first that comes
out differently is the place where the tape leaves the right way.
"""

from minitape.api.missing import offer
from minitape.own_tape.departure import Departure, departure
from minitape.own_tape.given import OwnTape
from minitape.own_tape.picture import storyboard

__all__ = ["Departure", "OwnTape", "departure", "storyboard"]
offer(__name__)
