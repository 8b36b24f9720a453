"""Positions in the learner's program.

While a tape records, a position is a code object and an offset into its instructions, which takes
about 0.1 microseconds to find. `program/places.py` finds the text when it is shown. Frames are never
kept, since they would keep the learner's variables alive.
"""

from __future__ import annotations

import dis
import os
import sys
import warnings
from collections.abc import Iterable
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .aliases import Where

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_INSIDE = tuple(
    os.path.join(p, "")
    for p in (
        _PACKAGE,
        os.path.join(os.path.dirname(_PACKAGE), "widgets", "minitape_widgets"),
        os.path.join(os.path.dirname(_PACKAGE), "minitape_widgets"),
        os.path.dirname(os.path.abspath(np.__file__)),
        # where the standard library is read from, a zip file perhaps; a frozen module would not tell
        os.path.dirname(os.path.abspath(dis.__file__)),
    )
)
_PLACES_OF_OTHERS = ("site-packages", "dist-packages")
CACHE, PRECALL = dis.opmap.get("CACHE", 0), dis.opmap.get("PRECALL")


# file name -> True where it belongs to minitape, NumPy, the standard library, or a library recorded
inside: dict[str, bool] = {}
_recorded: set[str] = set()  # folders of libraries that are recorded


def belongs_inside(folders: Iterable[str]) -> None:
    """Count the files of another library, given by its folders, as never the learner's."""
    _recorded.update(os.path.join(folder, "") for folder in folders)
    inside.clear()


def is_recorded(filename: str) -> bool:
    """Return True for the files of another library that is recorded."""
    return filename.startswith(tuple(_recorded))


def is_inside(filename: str) -> bool:
    """Return True for the files of minitape, NumPy and the standard library, which are never the
    learner's.
    """
    if filename not in inside:
        path = filename if filename.startswith("<") else os.path.abspath(filename)
        inside[filename] = path.startswith(("<frozen", "<__array_function__", *_recorded)) or any(
            path.startswith(folder) and not path[len(folder) :].startswith(_PLACES_OF_OTHERS)
            for folder in _INSIDE
        )
    return inside[filename]


def learners_frame(depth: int = 1) -> FrameType:
    """Return the innermost frame outside of minitape, NumPy and the standard library."""
    frame = sys._getframe(depth)
    while True:
        filename = frame.f_code.co_filename
        if (
            not (inside[filename] if filename in inside else is_inside(filename))
            or frame.f_back is None
        ):
            return frame
        frame = frame.f_back


def here() -> Where:
    """Return the learner's position as `(code object, instruction offset)`."""
    frame: Any = sys._getframe(1)
    try:
        while inside[frame.f_code.co_filename]:
            frame = frame.f_back
    # a file met for the first time, or no learner's frame at all
    except (KeyError, AttributeError):
        frame = learners_frame(2)
    return frame.f_code, frame.f_lasti


def passed(error: BaseException) -> list[tuple[FrameType, int]]:
    """Return the frames that an error passed, with the offsets at which they stood, the outermost
    first.
    """
    steps, traceback = [], error.__traceback__
    while traceback is not None:
        steps.append((traceback.tb_frame, traceback.tb_lasti))
        traceback = traceback.tb_next
    return steps


def settled(code: CodeType | None, offset: int) -> Any:
    """Return a position in a canonical form, the same each time the program reaches it.

    In Python 3.11 what has warmed up stands elsewhere: a call of a built-in function, `sum`, at the
    instruction before, and a call of the learner's own by `rows[i]` behind what the instruction
    remembers.
    """
    if code is None:
        return code, offset
    text = code.co_code
    while offset > 0 and text[offset] == CACHE:
        offset -= 2
    return code, offset + 4 if text[offset] == PRECALL else offset


class Places(dict[tuple[int, int], Any]):
    """A cache of settled positions, by the `id` of the code and the offset, since hashing a code
    object or reading its instructions is slow.

    Its size is the number of places in the program, not of visits; equal positions are one object.
    """

    def at(self, code: CodeType | None, offset: int) -> Any:
        """Return a position, settled."""
        position = self.get((id(code), offset))
        if position is None:
            position = settled(code, offset)
            position = self[id(code), offset] = self.setdefault((id(code), position[1]), position)
        return position


def warn(message: str, category: type[Warning]) -> None:
    """Warn once per place, at the learner's own line."""
    frame = learners_frame(2)
    warnings.warn_explicit(
        message,
        category,
        frame.f_code.co_filename,
        frame.f_lineno,
        frame.f_globals.get("__name__", "<unknown>"),
        registry=frame.f_globals.setdefault("__warningregistry__", {}),
    )
