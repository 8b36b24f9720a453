"""The tapes of real TensorFlow, for minitape's player and explanations. Needs TensorFlow: the extra
`minitape[tensorflow]`.

    import tensorflow as tf
    import minitape.tensorflow

    with minitape.tensorflow.watch():
        with tf.GradientTape() as tape:
            ...
        tape.gradient(y, x)                             # a None says why
    print(minitape.tensorflow.explain(tape, y, x))

In a notebook `%%tape` over a cell does it and shows the player. What is not seen is written in
README.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING, Any

from minitape.api.missing import offer
from minitape.engine.base.argument_errors import explains_errors
from minitape.engine.base.locks import locked
from minitape.engine.base.safe_exit import SafeExit
from minitape.engine.base.where import learners_frame
from minitape.engine.recording import add_recorder, tape_of
from minitape.explain import Explanation, Explanations, explain_at

from .. import Library
from .judge import Judge, Warns
from .raised import tell

if TYPE_CHECKING:
    from .recorder import Recorder

__all__ = ["explain", "watch"]
LIBRARY = Library(
    "tensorflow",
    "the tapes of real TensorFlow",
    (
        *("tensorflow", "keras", "tf_keras", "tensorboard"),
        *("absl", "wrapt", "optree", "ml_dtypes"),
    ),
)
_watching: list[watch] = []  # the block inside of which somebody looks on now, at most one
_opening: dict[watch, bool] = {}  # those that open functions -> whether all ran eagerly before them


class watch:  # noqa: N801  # a block, as tf.GradientTape is
    """Record the tapes of real TensorFlow inside of the block, so that minitape's player and
    `explain` can read them.

    With `open_functions`, what `tf.function` has compiled runs operation by operation, so that one
    sees into it. Nothing that the program computes changes: one that would give other numbers so
    stays compiled, and a `judge` hears of it, or a warning says it. Within another `watch` it only
    opens functions. Raises ImportError where TensorFlow is not installed.
    """

    def __init__(self, open_functions: bool = False, judge: Judge | None = None) -> None:
        self._opens = open_functions
        self._judge: Judge | None = (judge or Warns()) if open_functions else None
        self._guard, self._entered = None, 0
        # what went wrong while something was noted; the program is never disturbed
        self.trouble: list[Exception] = []

    def __enter__(self) -> watch:
        tensorflow = imported()
        self._entered += 1
        with locked(watch):
            if self._opens:
                # blocks may end in any order: the last one leaves what the first one found
                first = next(iter(_opening.values()), tensorflow.config.functions_run_eagerly())
                _opening.setdefault(self, first)
                tensorflow.config.run_functions_eagerly(True)
            if not _watching:
                LIBRARY.hide()
                _watching.append(self)
                the_recorder().start(self.trouble, self._judge)
        return self

    def _leave(self, *error: Any) -> None:
        if self._entered and error:
            tell(error[1])
        self._entered = max(0, self._entered - 1)
        if self._entered:
            return
        with locked(watch):
            if self in _opening:
                if len(_opening) == 1:
                    imported().config.run_functions_eagerly(_opening[self])
                del _opening[self]
            if self in _watching:
                the_recorder().stop()
                _watching.remove(self)

    __exit__ = SafeExit(_leave)


@contextmanager
def watched_if_used(
    text: str, open_functions: bool = False, judge: Judge | None = None
) -> Iterator[type | None]:
    """Watch inside of the block where TensorFlow is loaded, or a program's text imports it; yields
    the class of its tapes, or None.
    """
    if not LIBRARY.used_by(text):
        yield None
        return
    with watch(open_functions, judge):
        yield imported().GradientTape


def imported() -> Any:
    """Return TensorFlow. Raises ImportError, with what to do, where it is not installed."""
    tensorflow = LIBRARY.imported()
    import_module("tensorflow.keras")  # it comes when it is first used
    return tensorflow


@cache
def the_recorder() -> Recorder:
    """Return the one recorder: a tape that it saw in an earlier block may be asked, and played, in
    a later one.
    """
    from .recorder import Recorder

    recorder = Recorder()
    add_recorder(recorder)
    return recorder


@explains_errors  # its error says all, and `tf` is another module here
def explain(tape: Any, target: Any, sources: Any) -> Explanation | Explanations:
    """Explain the gradient of `target` with respect to `sources` on a `tf.GradientTape` that
    recorded inside of `watch()`.

    Returns what `minitape.explain.explain` returns. Raises ValueError for a tape that nobody
    watched.
    """
    if tape_of(tape) is None:
        raise ValueError(
            "This tape was not watched while it recorded. Run its block inside of `with "
            "minitape.tensorflow.watch():`, or "
            "in a cell that begins with %%tape."
        )
    frame: FrameType = learners_frame(2)
    return explain_at(frame, tape, target, sources)


offer(__name__)
