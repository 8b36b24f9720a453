"""A tape as the library uses it: it knows variables, and writes into its margin what it saw but did
not record.

What is recorded, and how it is played, is the plain tape of `tape.py`. Nothing here changes a
gradient, but for one thing: a trainable variable is watched when it is read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from types import CodeType
from typing import TYPE_CHECKING, Any

from .ground.listening import onlookers
from .ground.tensor import new_id
from .ground.where import here
from .play import Play
from .tape import Tape

if TYPE_CHECKING:
    from .ground.aliases import Number, Numbers, Output, RawNote, Where
    from .ground.tensor import Tensor
    from .variable import Variable

# When the last tapes recorded (began, ended): what a tape uses and an earlier one recorded is told
# from what was made beside all tapes.
ended: deque[tuple[int, int]] = deque(maxlen=256)


class TapeWithMargin(Tape):
    """A `Listener` (`ground/listening.py`): a tape that hears of variables and of what happens
    beside the operations.

    `margin`: tuples (kind, how many entries there were, where, about); `blocks`: when each stretch
    of recording began and ended, by the counter that numbers the tensors; `variables`: those that
    were used, by number; `heard`: readings of variables that need not be told again; `cuts`:
    numbers that may be leaves and outputs of an entry both, made by `stop_gradient` or read after
    they were watched; `calls`: those of layers, inner ones first: (began, ended, path of the
    layer); `fine`: targets and sources of the play after which the arrays were let go; `where`:
    where the tape was made.
    """

    traces = False
    here = staticmethod(here)

    def __init__(self, persistent: bool = False, watches_variables: bool = True) -> None:
        self.watches_variables, self.where, self.recording = watches_variables, self.here(), False
        Tape.__init__(self, persistent)

    def clear(self) -> None:
        """Forget everything."""
        Tape.clear(self)
        self.margin: list[RawNote] = []
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
        """Record from now on."""
        self.blocks.append((new_id(), None))
        self.recording = True
        for onlooker in onlookers.get():
            onlooker.began(self)
        Tape.start(self)

    def stop(self) -> None:
        """Record no more. May be called again where an interrupt has broken it off."""
        Tape.stop(self)
        if self.blocks and self.blocks[-1][1] is None:
            self.blocks[-1] = self.blocks[-1][0], new_id()
            ended.append(self.blocks[-1])  # type: ignore[arg-type]
        self.recording = False

    def read(self, variable: Variable, tensor: Tensor, counts: bool = True) -> None:
        """Record the reading of a variable, once per version; `tensor` is its content.

        It makes the variable a used one where it `counts`, as all do but that of `stop_gradient`.
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
        """Count a variable as used, also where it is only assigned or has no slope, as TensorFlow
        does.
        """
        if variable.trainable and self.watches_variables:
            self.variables.setdefault(variable.id, variable)

    def cut(self, number: Number) -> None:
        """Watch what `stop_gradient` made no more: what is computed from it alone is not recorded."""
        self.watched.discard(number)
        self.cuts.add(number)

    def left(self, layer: str, began: Number) -> None:
        """Keep when a layer was called, for those who ask which operations are its own."""
        self.calls.append((began, new_id(), layer))

    def play(
        self,
        targets: list[Tensor],
        sources: Sequence[Any],
        seeds: Sequence[Any] | None = None,
        lead: int = 0,
    ) -> Play:
        """Return a play of this tape, not begun yet; see `Play`."""
        return Play(self, targets, sources, seeds, lead)

    def pass_by(
        self, op: str, inputs: Numbers, output: Output, code: CodeType, offset: int
    ) -> None:
        """Note an operation that uses nothing watched."""
        self.margin.append(("unwatched", len(self.entries), (code, offset), (op, inputs, output)))

    def note(self, kind: str, where: Where, about: Any) -> None:
        """Write a line into the margin."""
        self.margin.append((kind, len(self.entries), where, about))
