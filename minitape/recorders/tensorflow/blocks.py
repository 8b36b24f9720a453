"""The blocks of `tf.GradientTape`: for each tape of the program one of minitape's begins, stops,
forgets, watches with it.
"""

from __future__ import annotations

import os
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import tensorflow
from tensorflow.python import pywrap_tfe
from tensorflow.python.eager import backprop, context

from ..shield import shielded
from .autograph import here
from .tape import TensorFlowTape

if TYPE_CHECKING:
    from ..shield import Shield
    from .plays import TensorFlowPlay
    from .tensors import Tensors

LIBRARY = os.path.join(os.path.dirname(os.path.abspath(tensorflow.__file__)), "")


class Blocks:
    """The tapes: `open` are those that record now, `of` finds the one that stands for a tape of
    TensorFlow's.
    """

    def __init__(
        self, shield: Shield, tensors: Tensors, ask: Callable[..., TensorFlowPlay | None]
    ) -> None:
        self.shield, self.tensors, self._ask = shield, tensors, ask
        self.open: list[TensorFlowTape] = []
        self.busy: Any = None  # the tape that records and plays for a Jacobian, unseen
        self.known: weakref.WeakKeyDictionary[Any, TensorFlowTape] = weakref.WeakKeyDictionary()

    def replaced(self) -> list[tuple[Any, str, Callable[..., Any]]]:
        """Return (owner, name, what makes the new function out of the old one)."""
        tape = backprop.GradientTape
        return [
            (tape, "__init__", self._made),
            (tape, "_push_tape", self._pushed),
            (tape, "_pop_tape", self._popped),
            (tape, "reset", self._reset),
            (tape, "stop_recording", self._stopped),
            (tape, "watch", self._watched),
            (pywrap_tfe, "TFE_Py_TapeSetNew", self._lasting),
        ]

    def of(self, tape: object) -> TensorFlowTape | None:
        """Return the tape that stands for one of TensorFlow's; None for one that nobody watched,
        and for anything else.
        """
        return self.known.get(tape) if isinstance(tape, backprop.GradientTape) else None

    def end(self) -> None:
        """Record no more on any tape."""
        for tape in self.open:
            tape.stop()
        self.open.clear()

    def note(self, kind: str, where: Any, **about: Any) -> None:
        """Write a note on every tape that records now."""
        for tape in self.open:
            tape.note(kind, where, about)

    # ---- a tape is made: one that serves TensorFlow itself is nobody's, one in a graph has no
    # numbers

    def _made(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def init(tape: Any, *arguments: Any, **named: Any) -> None:
            old(tape, *arguments, **named)
            if context.executing_eagerly() and not sys._getframe(1).f_code.co_filename.startswith(
                LIBRARY
            ):
                self._new(tape)

        return init

    @shielded
    def _new(self, tape: Any) -> None:
        self.known[tape] = TensorFlowTape(
            self.tensors, tape._persistent, tape._watch_accessed_variables, self._ask
        )

    def _lasting(self, old: Callable[..., Any]) -> Callable[..., Any]:
        """A tape keeps its rules until its `GradientTape` lets go of it: so it can be asked why,
        before it is played.
        """

        def new(persistent: bool, watches_variables: bool) -> Any:
            return old(True, watches_variables)

        return new

    # ---- it begins, and ends

    def _pushed(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def push(tape: Any) -> None:
            fresh = tape._tape is None
            old(tape)
            if tape is not self.busy:
                self._began(tape, fresh)

        return push

    @shielded
    def _began(self, tape: Any, fresh: bool) -> None:
        twin = self.known.get(tape)
        if twin is None:
            return
        if fresh and twin.used and twin.blocks:
            twin.clear()
        twin.used = False
        twin.start()
        self.open.append(twin)

    def _popped(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def pop(tape: Any) -> None:
            old(tape)
            if tape is not self.busy:
                self._ended(tape)

        return pop

    @shielded
    def _ended(self, tape: Any) -> None:
        twin = self.known.get(tape)
        if twin is not None and twin.recording:
            twin.stop()
            self.open[:] = [other for other in self.open if other is not twin]
            self.tensors.forget_recent()

    # ---- it forgets, stops, watches

    def _reset(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def reset(tape: Any) -> None:
            old(tape)
            self._forgot(tape)

        return reset

    @shielded
    def _forgot(self, tape: Any) -> None:
        twin = self.known.get(tape)
        if twin is not None:
            twin.clear()
            twin.note("reset", here(), {"id": self.tensors.clock.now()})
            twin.blocks.append((self.tensors.clock.now(), None))

    def _stopped(self, old: Callable[..., Any]) -> Callable[..., Any]:
        @contextmanager
        def stop_recording(tape: Any) -> Iterator[None]:
            if tape._recording:
                self._paused(tape, "stop")
            try:
                with old(tape):
                    yield
            finally:
                self._paused(tape, "resume")

        return stop_recording

    @shielded
    def _paused(self, tape: Any, kind: str) -> None:
        if tape in self.known:
            self.known[tape].note(kind, here(), {"id": self.tensors.clock.now()})

    def _watched(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def watch(tape: Any, tensor: Any) -> None:
            old(tape, tensor)
            self._watches(tape, tensor)

        return watch

    @shielded
    def _watches(self, tape: Any, tensor: Any) -> None:
        twin = self.known.get(tape)
        if twin is None:
            return
        for t in backprop._extract_tensors_and_variables(tensor):
            shadow = self.tensors.shadow(t.handle, t) if hasattr(t, "handle") else None
            number = shadow.id if shadow is not None else self.tensors.number(t)
            if shadow is not None:
                twin.variables.setdefault(number, shadow)  # type: ignore[arg-type]
            if not (t.dtype.is_floating or t.dtype.is_complex):
                twin.note("integer", here(), {"id": number, "dtype": t.dtype.name})
                continue
            twin.note("watch", here(), {"id": number})
            obj = self.tensors.describe(t)
            if obj is not None:
                twin.watch(number, obj.value.dtype)
