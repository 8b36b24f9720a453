"""Which rows have another kernel now, and what they had before.

The rows are those of the table of derivatives, and those that a layer above puts into
`EXCHANGEABLE`: the steps of optimizers, for example, which are no operations. A row that is made
while the fast path is on gets its faster kernel at once. Nothing here needs numba, but what
`faster_rows` loads.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..engine.ops.record import OPS

if TYPE_CHECKING:
    from .table import Row

EXCHANGEABLE: dict[str, Exchangeable] = {}  # name -> Exchangeable: rows of the layers above
plain: dict[str, tuple[Any, Any]] = {}  # name -> (kernel, rules) of the rows that are exchanged
waiting: dict[str, Row] = {}  # name -> faster row, for a row that nobody has made yet


class Exchangeable:
    """A row that is no operation: a name, and a kernel on arrays that the fast path may exchange
    for a quicker one.
    """

    rules = ()

    def __init__(self, name: str, kernel: Callable[..., Any]) -> None:
        self.name, self.kernel = name, kernel
        EXCHANGEABLE[name] = self
        if name in waiting:
            put_in(waiting.pop(name))

    @property
    def faster(self) -> bool:
        """True while a quicker kernel is in use."""
        return self.name in plain


def row_of(name: str) -> Any:
    """Return the row of that name, an operation or one of a layer above, or None where it was not
    made yet.
    """
    return OPS.get(name) or EXCHANGEABLE.get(name)


def put_in(faster: Row) -> None:
    """Put the kernel and the rules of a faster row into the row of its name, once that is there."""
    name, row = faster.name, row_of(faster.name)
    if row is None:
        waiting[name] = faster
    elif name not in plain:
        plain[name] = row.kernel, row.rules
        if faster.kernel is not None:
            row.kernel = faster.kernel(row.kernel)
        if faster.rules:
            row.rules = tuple(
                [
                    faster.rules[i](rule) if i in faster.rules else rule
                    for i, rule in enumerate(row.rules)
                ]
            )


def put_back() -> None:
    """Give every row its own kernel and rules again."""
    for name, (kernel, rules) in plain.items():
        row_of(name).kernel, row_of(name).rules = kernel, rules
    plain.clear()
    waiting.clear()


def available() -> bool:
    """Return True where numba can be imported. One that is installed may refuse: a NumPy newer than
    it knows, for example.
    """
    return why_not() is None


def why_not() -> ImportError | None:
    """Return why numba cannot be imported, None where it can."""
    try:
        import_module("numba")
    except ImportError as error:
        return error
    return None


def faster_rows() -> dict[str, Row]:
    """Return the faster rows by their names. Raises ImportError without numba, which their files
    need.
    """
    if error := why_not():
        raise ImportError(
            f"minitape.jit needs numba, which cannot be imported ({error}). Get it with `pip "
            "install minitape[jit]`; "
            "everything else in minitape works without it."
        ) from error
    # loaded else only when a program needs them
    for table in ("special", "neural_nets", "normalisation", "pooling"):
        import_module(f"minitape.engine.ops.further.{table}")
    from . import activations, normalisation, places, softmax, stretched, updates, windows  # noqa: F401  each puts its rows into the table
    from .table import ROWS

    return ROWS
