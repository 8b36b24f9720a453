"""A function to write that the library has ready-made: its own call of that is no answer."""

# No `from __future__ import annotations`: the dataclasses of other files repeat these in their
# signatures.
import inspect
import operator
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

from .filmed import FilmedAnswer
from .function import Function
from .outcome import NotYet
from .program import run


@dataclass(frozen=True, kw_only=True, eq=False)
class Own(Function):
    """A function to complete. `ready`: the functions of the library that do what is to be written,
    as in "math.softplus".
    """

    ready: tuple[str, ...]

    def look(self, rounds: Sequence[Mapping[str, Any]], films: Sequence[FilmedAnswer]) -> Any:
        tf, codes = run("")["tf"], {}
        for name in self.ready:
            made = inspect.unwrap(operator.attrgetter(name)(tf))
            codes[getattr(made, "__code__", None) or made.__init__.__code__] = f"tf.{name}"
        asked = codes_run(lambda: self.called(self._tried[0], rounds[0]))
        for name in [name for code, name in codes.items() if code in asked]:
            raise NotYet("ready-made", self.idea("ready-made", name=name))
        return super().look(rounds, films)


def codes_run(call: Callable[[], Any]) -> set[CodeType]:
    """Return the code of all functions that run during a call."""
    codes, before = set[CodeType](), sys.getprofile()

    def look(frame: FrameType, event: str, about: Any) -> None:
        codes.add(frame.f_code)

    sys.setprofile(look)
    try:
        call()
    finally:
        sys.setprofile(before)
    return codes
