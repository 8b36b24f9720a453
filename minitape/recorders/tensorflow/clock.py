"""The time: TensorFlow numbers its tensors, and minitape what happens; here both counts become one
that only goes up.

Readers tell from a number when a tensor was made: before a block, inside of it, after it.
TensorFlow's numbers are its own count, and blocks, plays and parts take theirs from minitape's. So
a tensor of TensorFlow's gets its own number plus an offset, which grows wherever minitape's count
has run ahead.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from itertools import islice
from typing import Any, cast

from minitape.engine.base.tensor import new_id


class Clock:
    """One count for both. `uid` draws a number from TensorFlow's."""

    def __init__(self, uid: Any) -> None:
        self._uid, self._count = uid, cast(Any, new_id).__self__
        self._since, self._offsets = [0], [0]  # from this number of TensorFlow's on: this offset
        self.tick()

    def number(self, uid: int) -> int:
        """Return the number of the tensor to which TensorFlow gave the number `uid`."""
        return (
            uid
            + self._offsets[-1 if uid >= self._since[-1] else bisect_right(self._since, uid) - 1]
        )

    def tick(self) -> None:
        """Let all numbers that are given from now on, by whom ever, be higher than all before."""
        uid, now = self._uid(), new_id()
        ahead = now - self.number(uid)
        if ahead > 0:
            self._since.append(uid)
            self._offsets.append(self._offsets[-1] + ahead)
        else:
            deque(islice(self._count, -ahead), maxlen=0)  # draws as many

    def now(self) -> int:
        """Return a number of its own: later than all before, earlier than all to come."""
        self.tick()
        now = new_id()
        self.tick()
        return now
