"""What `jax.grad` differentiates, for minitape's player and explanations. Needs JAX: the extra
`minitape[jax]`.

    import minitape.jax

    record = minitape.jax.record(f, x)
    print(record.explain())                             # why the gradient is zero or NaN
    record.play()                                       # in a notebook

In a notebook `%%tape` over a cell that calls `jax.grad` shows the player. What is not seen is
written in README.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from minitape.api.missing import offer
from minitape.engine.base.argument_errors import explains_errors
from minitape.engine.base.safe_exit import SafeExit
from minitape.engine.base.where import learners_frame

from .. import Library
from .raised import tell

if TYPE_CHECKING:
    from .recorder import Record

__all__ = ["record", "watch"]
LIBRARY = Library(
    "jax", "what JAX traces", ("jax", "jaxlib", "flax", "optax", "equinox", "haiku", "chex")
)
_watching: list[watch] = []  # the block inside of which somebody looks on now, at most one


class watch:  # noqa: N801  # a block, as jax.disable_jit is
    """Record each call of a function that `jax.grad` or `jax.value_and_grad` made inside of the
    block, so that minitape's player can read it.

    With `open_functions` nothing is compiled, so that one sees gradients inside of `jax.jit`. Raises
    ImportError where JAX is not installed.
    """

    def __init__(self, open_functions: bool = False) -> None:
        self._opens, self._entered, self._guard = open_functions, 0, None
        self._blocks = ExitStack()
        # what went wrong while something was noted; the program is never disturbed
        self.trouble: list[Exception] = []

    def __enter__(self) -> watch:
        jax = imported()
        self._entered += 1
        if not _watching:
            from .grads import replaced

            _watching.append(self)
            if self._opens:
                self._blocks.enter_context(jax.disable_jit())
            self._blocks.enter_context(replaced(self.trouble))
        return self

    def _leave(self, *error: Any) -> None:
        if self._entered and error:
            tell(error[1])
        self._entered = max(0, self._entered - 1)
        if not self._entered and self in _watching:
            self._blocks.close()
            _watching.remove(self)

    __exit__ = SafeExit(_leave)


@contextmanager
def watched_if_used(text: str, open_functions: bool = False, *others: Any) -> Iterator[Any]:
    """Watch inside of the block where JAX is loaded, or a program's text imports it; yields what is
    asked for its gradients, or None.
    """
    if not LIBRARY.used_by(text):
        yield None
        return
    from .recorder import Asked

    with watch(open_functions):
        yield Asked


def imported() -> Any:
    """Return JAX. Raises ImportError, with what to do, where it is not installed."""
    jax = LIBRARY.imported()
    LIBRARY.hide()
    return jax


@explains_errors  # its error says all
def record(function: Any, *args: Any, **named: Any) -> Record:
    """Call a function of JAX's, and record its equations: their values, and the gradients of its
    result with respect to all of `args`.

    Raises TypeError where no argument has floating-point numbers, or the result is no scalar, and
    what the function raises.
    """
    imported()
    from .recorder import record as recorded

    return recorded(learners_frame(2), function, args, named, range(len(args)))


offer(__name__)
