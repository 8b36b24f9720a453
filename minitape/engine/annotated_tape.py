"""The tape that the library uses: it handles variables, and notes what it saw but did not record.

Recording and playing are those of the plain tape in `tape.py`. Nothing here changes a gradient,
except that a trainable variable is watched when it is read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from types import CodeType
from typing import TYPE_CHECKING, Any

from .base.listeners import onlookers
from .base.tensor import new_id
from .base.where import here
from .play import Play
from .tape import Tape

if TYPE_CHECKING:
    from .base.aliases import Number, Numbers, Output, RawNote, Where
    from .base.tensor import Tensor
    from .variable import Variable

# When the last tapes recorded (began, ended): it distinguishes what an earlier tape recorded from
# what was made outside of all tapes.
ended: deque[tuple[int, int]] = deque(maxlen=256)


class AnnotatedTape(Tape):
    """A `Listener` (`base/listeners.py`): a tape that is notified of variables and of events
    beside the operations.

    `margin`: tuples (kind, number of entries at that moment, where, about); `blocks`: when each
    stretch of recording began and ended, by the counter that numbers the tensors; `variables`:
    those that were used, by number; `heard`: readings of variables that were reported already;
    `cuts`: numbers that may be leaves and outputs of an entry both, made by `stop_gradient` or read
    after they were watched; `calls`: those of layers, inner ones first: (began, ended, path of the
    layer); `fine`: targets and sources of the play after which the arrays were let go; `where`:
    where the tape was made; `name`: what it is called, where the text there does not say it.
    """

    traces, name = False, ""
    here = staticmethod(here)

    def __init__(self, persistent: bool = False, watches_variables: bool = True) -> None:
        self.watches_variables, self.where, self.recording = watches_variables, self.here(), False
        Tape.__init__(self, persistent)

    def clear(self) -> None:
        """Forget everything."""
        Tape.clear(self)
        self.notes: list[RawNote] = []
        self.blocks: list[tuple[int, int | None]] = []
        self.variables: dict[Number, Variable] = {}
        self.heard: set[Number] = set()
        self.cuts: set[Number] = set()
        self.calls: list[tuple[Number, Number, str]] = []
        self.fine: tuple[Numbers, Numbers] = (), ()

    def __reduce__(self) -> Any:
        raise TypeError(
            "A tape cannot be copied or pickled: it knows the very tensors and variables that "
            "were used while it recorded, and "
            "their copies are others. Ask it for its gradients first, and copy these; copy "
            "models and variables without it."
        )

    def start(self) -> None:
        """Start recording."""
        self.blocks.append((new_id(), None))
        self.recording = True
        for onlooker in onlookers.get():
            onlooker.began(self)
        Tape.start(self)

    def stop(self) -> None:
        """Stop recording. May be called again after an interrupt."""
        Tape.stop(self)
        if self.blocks and self.blocks[-1][1] is None:
            self.blocks[-1] = self.blocks[-1][0], new_id()
            ended.append(self.blocks[-1])  # type: ignore[arg-type]
        self.recording = False

    def read(self, variable: Variable, tensor: Tensor, counts: bool = True) -> None:
        """Record the reading of a variable, once per version; `tensor` is its content.

        If it `counts`, the variable is among those used; only a reading by `stop_gradient` does
        not.
        """
        number, reading, value = variable.id, tensor.id, tensor.value
        if number not in self.watched:
            why = variable._unwatched(self.watches_variables)
            if why:
                if counts:
                    self.accessed(variable)
                self.note(
                    "unwatched",
                    self.here(),
                    {"op": "ReadVariableOp", "inputs": (number,), "outputs": (reading,), **why},
                )
                return
            self.leaves.add(number)
            self.watch_output(number, value.dtype)
        by_hand = reading in self.leaves
        # else it was read before, without counting
        if reading not in self.watched or by_hand and reading not in self.cuts:
            if by_hand:
                self.cuts.add(reading)
            code, offset = self.here()
            self.entries.append(
                (
                    "ReadVariableOp",
                    (number,),
                    reading,
                    variable._reading,
                    code,
                    offset,
                    (value,),
                    value,
                )
            )
            self.watched.add(reading)
        if counts:
            self.variables[number] = variable
            self.heard.add(reading)

    def accessed(self, variable: Variable) -> None:
        """Count a variable as used, even if it is only assigned or has no gradient, as TensorFlow
        does.
        """
        if variable.trainable and self.watches_variables:
            self.variables.setdefault(variable.id, variable)

    def cut(self, number: Number) -> None:
        """Stop watching a result of `stop_gradient`: what depends on it alone is not recorded."""
        self.watched.discard(number)
        self.cuts.add(number)

    def left(self, layer: str, began: Number) -> None:
        """Note when a layer was called, so that its operations can be found."""
        self.calls.append((began, new_id(), layer))

    def play(
        self,
        targets: list[Tensor],
        sources: Sequence[Any],
        seeds: Sequence[Any] | None = None,
        lead: int = 0,
    ) -> Play:
        """Return a play of this tape that has not begun; see `Play`."""
        return Play(self, targets, sources, seeds, lead)

    def pass_by(
        self, op: str, inputs: Numbers, output: Output, code: CodeType, offset: int
    ) -> None:
        """Note an operation that uses nothing watched."""
        self.notes.append(("unwatched", len(self.entries), (code, offset), (op, inputs, output)))

    def note(self, kind: str, where: Where, about: Any) -> None:
        """Add a note."""
        self.notes.append((kind, len(self.entries), where, about))
