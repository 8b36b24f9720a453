"""TensorFlow plays a tape backwards: what it calls on its way is filmed, and told to those who look
on.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tensorflow.python import pywrap_tfe
from tensorflow.python.eager import backprop, context, imperative_grad
from tensorflow.python.eager.record import stop_recording
from tensorflow.python.framework import errors
from tensorflow.python.framework.ops import EagerTensor, convert_to_tensor
from tensorflow.python.ops import script_ops
from tensorflow.python.util import nest

from minitape.engine.explainer import none_found
from minitape.engine.surprises import surprising

from ..filmed import Back, show
from ..shield import shielded
from .autograph import here
from .jacobians import Jacobians
from .plays import Filming, TensorFlowPlay, dense
from .tape import TensorFlowTape

if TYPE_CHECKING:
    from ..shield import Shield
    from .blocks import Blocks
    from .tensors import Tensors


class WayBack:
    """Films each play of a tape that is known to `blocks`."""

    def __init__(self, shield: Shield, tensors: Tensors) -> None:
        self.shield, self.tensors = shield, tensors
        self.blocks: Blocks  # made after this one, which its tapes ask
        self._filmings: list[Filming] = []  # of the plays that run now, the innermost last
        # whose `gradient` has been called, until its play begins
        self._asked: TensorFlowTape | None = None
        self._on = False

    def replaced(self) -> list[tuple[Any, str, Callable[..., Any]]]:
        """Return (owner, name, what makes the new function out of the old one)."""
        return [
            (backprop.GradientTape, "gradient", self._gradient),
            (pywrap_tfe, "TFE_Py_TapeGradient", self._way_back),
            *Jacobians(self).replaced(),
        ]

    @property
    def playing(self) -> bool:
        """True while TensorFlow plays a tape."""
        return bool(self._filmings)

    def start(self) -> None:
        """Let TensorFlow tell each step of its way back."""
        self._on = True
        self._tell(True)

    def stop(self) -> None:
        """Let it do so no more."""
        self._on = False
        self._tell(False)

    def _tell(self, on: bool) -> None:
        pywrap_tfe.TFE_Py_RegisterGradientFunction(
            self._gradient_function if on else backprop._gradient_function
        )

    # ---- its steps

    def _gradient_function(
        self,
        op: Any,
        attributes: Any,
        count: Any,
        inputs: Any,
        outputs: Any,
        adjoints: Any,
        *more: Any,
    ) -> Any:
        if self._is_spent(attributes):
            return [None] * count
        parts = backprop._gradient_function(op, attributes, count, inputs, outputs, adjoints, *more)
        self._step(attributes, adjoints, parts)
        return parts

    def _is_spent(self, key: object) -> bool:
        """True for an operation that is played although TensorFlow would have let it go, see
        `TensorFlowTape.spent`.
        """
        return bool(self._filmings) and id(key) in self._filmings[-1].spent

    def seen(self, backward: Callable[..., Any], key: object, count: int) -> Callable[..., Any]:
        """Return the rule of a function, or a learner's own, for `count` inputs, with somebody who
        looks at it.
        """

        @functools.wraps(backward)
        def looked_at(*adjoints: Any) -> Any:
            if self._is_spent(key):
                return [None] * count
            parts = backward(*adjoints)
            self._step(key, adjoints, parts)
            return parts

        return looked_at

    def _step(self, key: Any, adjoints: Any, parts: Any) -> None:
        if self._filmings and (self.shield.down or self._filmings[-1].for_reader):
            several = parts if isinstance(parts, (list, tuple)) else (parts,)
            self._filmings[-1].backs.append(Back(key, tuple(adjoints), tuple(several)))

    # ---- a whole play

    def _gradient(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def gradient(tape: Any, target: Any, sources: Any, *arguments: Any, **named: Any) -> Any:
            known = self.blocks.of(tape)
            if (
                known is None
                or tape is self.blocks.busy
                or not self.shield.down
                or not context.executing_eagerly()
            ):
                return old(tape, target, sources, *arguments, **named)
            if tape._tape is None or known.spent:
                known.note("used", here(), {})
            self.meet(target, sources)
            self._asked = known
            try:
                result = old(tape, target, sources, *arguments, **named)
            finally:
                self._asked = None
            self._warn(tape, known)
            return result

        return gradient

    @shielded
    def meet(self, *asked: Any) -> None:
        """Learn of the variables in a question: TensorFlow hands on their handles alone, and nobody
        may have read them.
        """
        for obj in nest.flatten(asked):
            self.tensors.describe(obj)

    def _way_back(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def gradient(handle: Any, targets: Any, sources: Any, seeds: Any, *more: Any) -> Any:
            asked, self._asked = self._asked, None
            tape = asked or self.blocks.of(self.blocks.busy)  # a Jacobian asks by itself
            if tape is None or not self.shield.down:
                return old(handle, targets, sources, seeds, *more)
            self._filmings.append(Filming(spent=tape.spent))
            gradients, error = None, None
            try:
                tape.refuse_spent(targets, seeds)
                gradients = old(handle, targets, sources, seeds, *more)
                return gradients
            except BaseException as raised:  # Ctrl-C, too: the tape has not been played
                error = raised
                tape.spend()
                raise
            finally:
                filming = self._filmings.pop()
                if asked is not None:
                    self._played(
                        asked, filming, targets, sources, seeds, gradients, error, "zero" in more
                    )

        return gradient

    @shielded
    def _played(
        self,
        tape: TensorFlowTape,
        filming: Filming,
        targets: Any,
        sources: Any,
        seeds: Any,
        result: Any,
        error: Any,
        fills: bool,
    ) -> None:
        """TensorFlow has played a tape: let the films see it, and keep it where somebody may ask."""
        self.tensors.clock.tick()
        play = self._developed(tape, filming, (targets, sources, seeds), result, error)
        play.fills = fills
        show(play)
        site = self.tensors.sites.of_line()
        for gradient in () if self.blocks.open else result or ():
            if isinstance(gradient, EagerTensor):
                self.tensors.made(gradient, site.within(None))
        self.blocks.note(
            "gradient",
            site.where,
            targets=tuple([t.id for t in play.targets]),
            sources=tuple(play.numbers),
            gradients=tuple(play.answers_as),
        )
        tape.warns = (
            play if error is None and any(answer is None for answer in play.returned) else None
        )
        if (
            isinstance(error, LookupError)
            or error is None
            and surprising(play.targets, play.returned, tape.entries)
        ):
            tape.filmed.append(play)
        elif error is None and not tape.persistent:
            tape.release()
            tape.fine = tuple([t.id for t in play.targets]), tuple(play.numbers)
        tape.used = not tape.persistent and error is None
        self.tensors.clock.tick()

    def show(self, play: TensorFlowPlay) -> None:
        """Let those who look on see a play that is none of `gradient`."""
        self.tensors.clock.tick()
        show(play)
        self.tensors.clock.tick()

    def asked_for(self, sources: Sequence[Any]) -> list[Any]:
        """Return the sources as a play has them."""
        return [
            self.tensors.shadow(s) if s.dtype.name == "resource" else self.tensors.tensor(s)
            for s in sources
        ]

    def _developed(
        self, tape: TensorFlowTape, filming: Filming, asked: Any, result: Any, error: Any
    ) -> TensorFlowPlay:
        targets, sources, seeds = asked
        given = (
            None
            if seeds is None
            else [None if seed is None else self.tensors.tensor(seed) for seed in seeds]
        )
        play = TensorFlowPlay(
            tape, [self.tensors.tensor(t) for t in targets], self.asked_for(sources), given
        )
        play.seeds, play.error = dict(play.adjoints), error
        play.backs = filming.developed(tape)
        play.returned = (
            [None if g is None else dense(g) for g in result] if result is not None else ()
        )
        play.answers_as = [
            self.tensors.number(g) if isinstance(g, EagerTensor) else None for g in result or ()
        ]
        play.within = bool(self.blocks.open) and not filming.for_reader
        return play

    @shielded
    def _warn(self, tape: Any, known: TensorFlowTape) -> None:
        play, known.warns = known.warns, None
        if play is not None:
            none_found(tape, play, play.returned)

    # ---- for a reader, once more

    def row(
        self, handle: Any, targets: Sequence[Any], sources: Sequence[Any], seeds: Sequence[Any]
    ) -> tuple[Filming, Any]:
        """Let TensorFlow play a tape with these seeds; return the film, and the gradients."""
        with self._unheard() as filming:
            return filming, imperative_grad.imperative_grad(
                handle, targets, sources, [convert_to_tensor(seed) for seed in seeds]
            )

    def ask(
        self, tape: TensorFlowTape, targets: Sequence[int], sources: Sequence[int]
    ) -> TensorFlowPlay | None:
        """Let TensorFlow play a tape once more; None where the tape or a tensor is gone, or a target is
        a variable, which the program's own question reads first.
        """
        real = next((real for real, known in self.blocks.known.items() if known is tape), None)
        if real is None or real._tape is None:
            return None
        tensors = self.tensors.living()
        living = {**tensors, **self.tensors.handles()}
        if not (tensors.keys() >= set(targets) and living.keys() >= set(sources)):
            return None
        asked = [tensors[n] for n in targets], [living[n] for n in sources]
        error = gradients = None
        with self._unheard() as filming:
            try:
                gradients = imperative_grad.imperative_grad(real._tape, *asked)
            except LookupError as raised:
                error = raised
            except errors.UnknownError:  # a `py_function` that has been played
                return None
        return self._developed(tape, filming, (*asked, None), gradients, error)

    @contextmanager
    def _unheard(self) -> Iterator[Filming]:
        """Film what TensorFlow plays inside of the block; nobody else hears of it."""
        filming, quiet = Filming(for_reader=True), self.shield.quiet
        self._filmings.append(filming)
        self._tell(True)
        self.shield.quiet = True
        try:
            with stop_recording(), python_functions_kept():
                yield filming
        finally:
            self.shield.quiet = quiet
            self._filmings.pop()
            self._tell(self._on)


@contextmanager
def python_functions_kept() -> Iterator[None]:
    """Use up no `py_function` inside of the block: each is played once, on a tape of its own, and
    the program's turn may come yet.
    """
    kept = dict(script_ops.tape_cache)
    used_up = [tape for tape, *_ in kept.values() if not tape._persistent]
    for tape in used_up:
        tape._persistent = True
    try:
        yield
    finally:
        for tape in used_up:
            tape._persistent = False
        script_ops.tape_cache.update(kept)
