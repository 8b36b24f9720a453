"""TensorFlow's tape: the interface of `tf.GradientTape` around a tape.

`tape.py` records and plays; `annotated_tape.py` notes what happens besides. This file adds what
TensorFlow's interface needs: the `with` block, structures of targets and sources, warnings and
errors, stopping and resetting, the result for unconnected sources, and Jacobians.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING, Any, Self

from .annotated_tape import AnnotatedTape
from .base.argument_errors import explains_errors
from .base.errors import DTypeWarning, TapeUseWarning
from .base.nest import flatten, is_nested, pack_sequence_as
from .base.notes import note
from .base.safe_exit import SafeExit
from .base.tensor import Tensor, new_id
from .base.where import here, warn
from .convert import convert_to_tensor
from .explainer import EXPLAINER, none_found
from .tape_arguments import content, differentiable, itself, one_tensor, seeds_for, zeros_of
from .variable import Variable

if TYPE_CHECKING:
    from .base.aliases import Array, Where
    from .play import Play
    from .recording import Entry, Note, Recording
    from .steps import Step
    from .typing import Nested


class UnconnectedGradients(Enum):
    """What `gradient` answers for a source that the target does not depend on. Source:
    `tf.UnconnectedGradients`.
    """

    NONE = "none"
    ZERO = "zero"


NONE, ZERO = UnconnectedGradients


class GradientTape:
    """Record operations for automatic differentiation.

    Use it as a context: what is computed inside of the block from watched values is recorded;
    trainable variables are watched when they are read. A tape gives its gradients once, unless
    `persistent`. Source: `tf.GradientTape`.
    """

    _guard: Any = None  # of the block, see `SafeExit`

    @explains_errors  # it has no errors
    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._tape = AnnotatedTape(persistent, watch_accessed_variables)
        self._tape.used = True  # a tape that never recorded has nothing to give
        self._inside = False  # of a `with` block

    @classmethod
    def around(cls, tape: AnnotatedTape) -> Self:
        """Return a `GradientTape` around a tape."""
        wrapper = cls.__new__(cls)
        wrapper._tape, wrapper._inside = tape, False
        return wrapper

    # ---- what was recorded

    @property
    def recording(self) -> Recording:
        """Everything that is on the tape, for its readers."""
        from .recording import recorded  # a program that only asks for gradients goes without

        return recorded(self._tape)

    @property
    def entries(self) -> list[Entry]:
        """The recorded operations, in order."""
        return self.recording.entries

    @property
    def kept(self) -> list[tuple[tuple[Array, ...], tuple[Array, ...]]]:
        """The arrays that the tape holds, `(inputs, outputs)` per entry; empty once it is used up,
        unless a gradient was surprising.
        """
        return self.recording.kept

    @property
    def notes(self) -> list[Note]:
        """What was seen but not recorded, in order."""
        return self.recording.notes

    @property
    def persistent(self) -> bool:
        """True where gradients can be asked for more than once."""
        return self._tape.persistent

    @property
    def used(self) -> bool:
        """True once a non-persistent tape has given its gradients."""
        return self._tape.used

    @property
    def where(self) -> Where:
        """Where the tape was made: (code object, instruction offset)."""
        return self._tape.where

    def watched_variables(self) -> tuple[Variable, ...]:
        """Return the variables that the tape watches, in the order of their creation.

        Source: `tf.GradientTape.watched_variables`.
        """
        return tuple([variable for _, variable in sorted(self._tape.variables.items())])

    # ---- recording

    def __enter__(self) -> Self:
        if self._tape.recording:
            raise ValueError(
                "Tape is still recording, This can happen if you try to re-enter an "
                "already-active tape."
            )
        if self._tape.used and self._tape.blocks:  # a used tape is empty: start afresh
            self._tape.clear()
        self._tape.used, self._inside = False, True
        self._tape.start()
        return self

    def _leave(self, *error: object) -> None:
        if self._inside:
            self._tape.stop()
            self._inside = False

    __exit__ = SafeExit(_leave)

    def watch(self, tensor: Nested) -> None:
        """Watch a tensor or a structure of tensors: what is computed from it from now on is
        recorded.

        Warns for dtypes that have no slope. Raises ValueError for anything else than tensors,
        AttributeError before the tape's block and once it was used up. Source:
        `tf.GradientTape.watch`.
        """
        for t in flatten(tensor):
            if not isinstance(t, (Tensor, Variable)):
                raise ValueError(
                    f"Passed in object {t!r} of type {type(t).__name__!r}, not tf.Tensor or "
                    "tf.Variable or ExtensionType. "
                    "Make a tensor of it first: x = tf.constant(x), then tape.watch(x)."
                )
            if self._tape.used:
                raise AttributeError(
                    "'NoneType' object has no attribute '_tape': this tape does not record. Call "
                    "tape.watch inside of the tape's `with` block, before its gradient was asked for."
                )
            if isinstance(t, Variable):
                self._tape.variables.setdefault(t.id, t)
            if not t.dtype.is_differentiable:
                warn(
                    "The dtype of the watched tensor must be floating (e.g. tf.float32), got "
                    f"{t.dtype!r}",
                    DTypeWarning,
                )
                self._tape.note("integer", here(), {"id": t.id, "dtype": t.dtype.name})
                continue
            self._tape.note("watch", here(), {"id": t.id})
            self._tape.watch(t.id, content(t).value.dtype)

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Stop the recording inside of the block: what is computed there costs no memory and has no
        gradient.

        Raises ValueError where the tape is not recording any more, RuntimeError where it never did,
        or was used up.
        Source: `tf.GradientTape.stop_recording`.
        """
        if self._tape.used:
            raise RuntimeError(
                "Trying to stop recording a tape which is not recording. Do this inside of the "
                "tape's `with` block."
            )
        self._must_record()
        self._tape.note("stop", here(), {"id": new_id()})
        self._tape.stop()
        try:
            yield
        finally:
            if self._inside:  # else the whole block was broken off
                self._tape.start()
                self._tape.note("resume", here(), {"id": new_id()})

    def reset(self) -> None:
        """Forget everything recorded and watched so far, and go on.

        Raises ValueError where the tape is not recording. Source: `tf.GradientTape.reset`.
        """
        self._must_record()
        self._tape.clear()
        self._tape.note("reset", here(), {"id": new_id()})
        self._tape.blocks.append((new_id(), None))

    def _must_record(self) -> None:
        if not self._tape.recording:
            raise ValueError(
                "Tape is not recording. Do this inside of the tape's `with` block, before its "
                "gradient was asked for."
            )

    # ---- playing backwards

    def gradient(
        self,
        target: Nested,
        sources: Nested,
        output_gradients: Nested | None = None,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
    ) -> Any:
        """Compute the derivative of `target` with respect to `sources`, in one play backwards.

        `target`, `sources`: tensors, variables or structures of them; several targets, and the
        elements of one, are summed. `output_gradients`: one seed per target, None for ones. Returns
        the structure of `sources`, None where a source is not connected (zeros with
        `UnconnectedGradients.ZERO`). Shape of each: that of its source. Raises RuntimeError for a
        used tape, LookupError for an operation without gradient, TypeError and ValueError for
        anything but tensors. Source: `tf.GradientTape.gradient`.
        """
        play = self._play(target, sources, output_gradients)
        zero = zeros_wanted(unconnected_gradients)
        gradients = play.gradients()
        if play.on_tensors:
            note(
                "gradient",
                targets=tuple([t.id for t in play.targets]),
                sources=tuple(play.numbers),
                gradients=tuple([None if g is None else g.id for g in gradients]),
            )
        if not zero and any([g is None for g in gradients]):
            none_found(self, play, gradients)
        if zero:
            gradients = [zeros_of(s) if g is None else g for g, s in zip(gradients, play.sources)]
        return pack_sequence_as(sources, gradients) if is_nested(sources) else gradients[0]

    def steps(
        self, target: Nested, sources: Nested, output_gradients: Nested | None = None
    ) -> Iterator[Step]:
        """Play the tape backwards one entry at a time: yield a `Step` per visited entry.

        This is the play that `gradient` exhausts. Each step has the entry's number on the tape, the
        adjoints of its outputs, and the parts that its rules send to the inputs, as arrays. Like
        `gradient`, it uses up a tape that is not persistent.
        """
        yield from self._play(target, sources, output_gradients).steps()

    def jacobian(
        self,
        target: Tensor | Variable,
        sources: Nested,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Compute the derivative of each element of `target` with respect to each element of
        `sources`.

        Shapes: target.shape + source.shape, in the structure of `sources`. All rows are computed in
        one play over a batch of seeds. Raises as `gradient` does. Source:
        `tf.GradientTape.jacobian`.
        """
        from . import jacobians

        target = self._elements_of(target)
        jacobians.check_plays(self._tape, experimental_use_pfor)
        zero = zeros_wanted(unconnected_gradients)
        return jacobians.jacobian(self._ready(), target, sources, zero)

    def batch_jacobian(
        self,
        target: Tensor | Variable,
        source: Tensor | Variable,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Tensor:
        """Compute one Jacobian per example: `target` has shape (b, ...), `source` (b, ...), the
        result (b, ..., ...).

        Assumes that target[i] depends on source[i] only. Raises ValueError for other shapes.
        Source: `tf.GradientTape.batch_jacobian`.
        """
        from . import jacobians

        target = self._elements_of(target)
        jacobians.check_examples(target, source)
        jacobians.check_plays(self._tape, experimental_use_pfor)
        zero = zeros_wanted(unconnected_gradients)
        return jacobians.batch_jacobian(self._ready(), target, source, zero)

    def explain(self, target: Nested, source: Nested) -> Any:
        """Explain the gradient of `target` with respect to `source`: why it is None, zero, or not a
        number, and where.

        Works before and after `gradient`. Returns an `Explanation`; for a structure or a model one
        answer for all its sources, `Explanations`, which can be indexed like the structure. What is
        no tensor is explained as well.
        """
        return EXPLAINER().explain(self, target, source)

    # ---- what is asked

    def _play(
        self, target: Nested, sources: Nested, output_gradients: Nested | None = None
    ) -> Play:
        """Check what is asked, as TensorFlow does, and return the play."""
        tape = self._ready()
        targets = [itself(t) for t in differentiable(flatten(target), "target")]
        sources = differentiable(flatten(sources), "source")
        return tape.play(
            targets,
            sources,
            None if output_gradients is None else seeds_for(targets, flatten(output_gradients)),
        )

    def _ready(self) -> AnnotatedTape:
        """Return the tape to play. Inside its own block, a tape stops recording first; a persistent
        one goes on, with a warning about the cost.
        """
        self._unused()
        if self._tape.recording and not self._tape.persistent:
            self._tape.stop()
        elif self._tape.recording:
            warn(
                "Calling GradientTape.gradient on a persistent tape inside its context is "
                "significantly less efficient than calling it "
                "outside the context (it causes the gradient ops to be recorded on the tape, "
                "leading to increased CPU and memory "
                "usage). Only call GradientTape.gradient inside the context if you actually want "
                "to trace the gradient in order "
                "to compute higher order derivatives.",
                TapeUseWarning,
            )
        return self._tape

    def _unused(self) -> None:
        """Raise RuntimeError for a tape that was used up."""
        if self._tape.used:
            self._tape.note("used", here(), {})
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients "
                "(or jacobians). "
                "Make it with tf.GradientTape(persistent=True), or ask for all gradients in one "
                "call: "
                "tape.gradient(loss, [w, b])."
            )

    def _elements_of(self, target: Any) -> Tensor:
        """Return the target of a Jacobian as a tensor; the tape notes that a variable is read for
        its elements. What is wrong is said before a tape that still records is stopped.
        """
        self._unused()
        tensor = convert_to_tensor(one_tensor(target))
        if isinstance(target, Variable) and tensor.id not in self._tape.heard:
            self._tape.read(target, tensor)
        return tensor


def zeros_wanted(answer: UnconnectedGradients | str) -> bool:
    """Return what was chosen for sources that are not connected. Raises ValueError for anything but
    the two answers.
    """
    # to ask the class costs as much as a small operation
    if answer is NONE or answer is ZERO:
        return answer is ZERO
    try:
        return UnconnectedGradients(answer) is ZERO
    except ValueError:
        raise ValueError(
            f"Unknown value for unconnected_gradients: {answer!r}. It is 'none' or 'zero'."
        ) from None
