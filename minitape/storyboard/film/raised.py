"""Where a program stopped: the line that raised, for the picture of a tape that was recorded up to
that point.

The operation that raised is on no tape: it made nothing. So what is known of it is read off the
traceback while it is there, as positions and numbers, without keeping anything of the learner's
alive; the note is written when the picture is made.
"""

from __future__ import annotations

import os
from types import FrameType
from typing import Any

from minitape import engine
from minitape.engine.base.aliases import Number, Where
from minitape.engine.base.where import is_inside, passed
from minitape.engine.recording import describe

# minitape's own files
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(engine.__file__))) + os.sep


class Raised:
    """An error as a picture needs it: its name, whether minitape raised it, and the learner's
    places that it passed.

    The innermost place is the first. A place is (position, {name: number of the tensor or variable
    that it has there}).
    """

    places: list[tuple[Where, dict[str, Number]]]

    def __init__(self, error: BaseException) -> None:
        self.name, self.in_minitape, self.places = type(error).__name__, False, []
        for frame, offset in reversed(passed(error)):
            if is_inside(frame.f_code.co_filename):
                self.in_minitape |= not self.places and frame.f_code.co_filename.startswith(PACKAGE)
            else:
                self.places.append(((frame.f_code, offset), _held(frame)))


def _held(frame: FrameType) -> dict[str, Any]:
    """Returns {name: number} of the tensors and variables that the code of a frame speaks of."""
    code, result = frame.f_code, {}
    for name in {*code.co_names, *code.co_varnames, *code.co_cellvars, *code.co_freevars}:
        info = describe(frame.f_locals.get(name, frame.f_globals.get(name)))
        if info is not None:
            result[name] = info.tensor
    return result
