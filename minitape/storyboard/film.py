"""Filming: looking on while a program records tapes and plays them.

There is no second algorithm here. `GradientTape.observers` lets a film stand beside the very generator that `tape.gradient`
drains: each step passes through, is noted down with its numbers, and goes on unchanged. What was recorded is read from the tape's
own list of entries.
"""

import threading
from itertools import count

from minitape.engine.tape import GradientTape
from minitape.engine.tensor import Tensor, new_id


def array(value):
    """Returns the array of a tensor; an array as it is (a recorded play has tensors where a plain one has arrays)."""
    return value.value if isinstance(value, Tensor) else value


class Reel:
    """What one tape recorded: its entries, the arrays beside them, and its margin.

    A tape that is reset begins a new reel.
    """

    def __init__(self, tape, number):
        self.tape, self.number = tape, number
        self.begin = new_id()
        self.entries, self.kept, self.notes = tape._entries, tape._kept, tape._notes
        self.where, self.persistent = tape.where, tape.persistent

    def see(self, kept=None):
        """Takes hold of the arrays before a tape that was used up lets them go."""
        kept = self.tape._kept if kept is None and self.tape._entries is self.entries else kept
        if kept is not None and len(kept) >= len(self.kept):
            self.kept = kept

    def values_of(self, index):
        """Returns (input arrays, output arrays) of an entry, or None where the arrays are gone."""
        if index >= len(self.kept):
            return None
        values, y = self.kept[index]
        return values, y if type(y) is tuple else (y,)


class Take:
    """One play backwards, as it happened: seeds, steps, results."""

    def __init__(self, play, reel):
        self.reel, self.lead, self.begin = reel, play.lead, new_id()
        self.entries, self.kept = play.entries, play.kept
        self.targets, self.sources = list(play.targets), list(play.sources)
        self.reach = play.reach()
        self.seeds = {number: array(seed) for number, seed in play.adjoints.items()}
        self.steps, self.error, self.results = [], None, None
        self.end, self.persistent = None, play.tape.persistent


class Film:
    """Looks on, inside of its `with` block, at all tapes of this thread: at what they record and how they are played.

    `reels` and `takes` hold what was seen. `most` bounds the number of plays that are kept; later ones are only counted
    (`missed`), because a training loop may play thousands.
    """

    def __init__(self, most=200):
        self.reels, self.takes, self.most, self.missed = [], [], most, 0
        self._thread, self._count = threading.get_ident(), count()

    def __enter__(self):
        self._observer, self._recorder = self._observe, self._started      # one object each, to be found again at the end
        GradientTape.observers = (*GradientTape.observers, self._observer)
        GradientTape.recorders = (*GradientTape.recorders, self._recorder)
        return self

    def __exit__(self, *error):
        GradientTape.observers = tuple(seen for seen in GradientTape.observers if seen is not self._observer)
        GradientTape.recorders = tuple(seen for seen in GradientTape.recorders if seen is not self._recorder)
        for reel in self.reels:
            reel.see()

    def add(self, tape):
        """Returns the reel of a tape, a new one where the tape was not seen before (or was reset)."""
        for reel in reversed(self.reels):
            if reel.entries is tape._entries:
                return reel
        self.reels.append(Reel(tape, next(self._count)))
        return self.reels[-1]

    def _started(self, tape):
        if threading.get_ident() == self._thread and len(self.takes) < self.most:
            self.add(tape)

    def _observe(self, play, steps):
        if threading.get_ident() != self._thread:
            return steps
        if len(self.takes) >= self.most:
            self.missed += 1
            return steps
        return self._filmed(play, steps)

    def _filmed(self, play, steps):
        reel = self.add(play.tape)
        reel.see(play.kept)
        take = Take(play, reel)
        self.takes.append(take)
        try:
            for step in steps:
                index, adjoints, parts = step
                seen = [(part[0], part[1], array(part[2]), array(part[3])) for part in parts]
                take.steps.append((new_id(), index, [array(a) for a in adjoints], seen))
                yield step
        except Exception as error:
            take.error = error
            raise
        finally:
            take.end = new_id()
            take.results = [array(g) if g is not None else None for g in map(play.adjoints.get, play.numbers)]
