"""What the faster kernels gain here: measured in turn, plain and fast, round after round, so that a
noisy machine disturbs both alike.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..engine.walk import unbroadcast
from . import exchange

if TYPE_CHECKING:
    from .table import Row


def seconds(calls: Sequence[Callable[[], Any]], rounds: int = 15) -> list[float]:
    """Return the shortest time of each call, taken in turn."""
    best = [float("inf")] * len(calls)
    for call in calls:
        call()
    for _ in range(rounds):
        for k, call in enumerate(calls):
            start = time.perf_counter()
            call()
            best[k] = min(best[k], time.perf_counter() - start)
    return best


def pairs(row: Row) -> Iterator[Any]:
    """Yield (what, plain call, fast call) for the kernel and the rules of a row, on its own sample."""
    own = exchange.row_of(row.name)
    kernel, rules = exchange.plain.get(row.name) or (own and own.kernel, own and own.rules)
    arrays, attributes = row.sample()
    if row.kernel is not None:
        fast = row.kernel(kernel)
        yield (
            "update" if row.name.startswith("Apply") else "forward",
            lambda: kernel(*arrays, **attributes),
            lambda: fast(*arrays, **attributes),
        )
    if row.rules:
        y = kernel(*arrays, **attributes)
        for i, make in row.rules.items():
            shape = arrays[i].shape
            # what gains is the way to the stretched input
            if shape == y.shape and any(x.shape != shape for x in arrays):
                continue
            yield (
                "backward",
                *[
                    lambda rule=rule, shape=shape: unbroadcast(
                        rule(y, y, *arrays, **attributes), shape, 0
                    )
                    for rule in (rules[i], make(rules[i]))
                ],
            )


class Status:
    """The table of `minitape.jit.status()`; `rows` holds (operation, which way, kernel in use,
    times faster or None).
    """

    def __init__(self, measure: bool = True) -> None:
        self.rows, self.measured = [], measure
        if not exchange.available():
            return
        for name, row in sorted(exchange.faster_rows().items()):
            for what, plain, fast in pairs(row) if exchange.row_of(name) else ():
                gain = None
                if measure:
                    a, b = seconds((plain, fast))
                    gain = a / b
                self.rows.append((name, what, "numba" if name in exchange.plain else "NumPy", gain))

    def __repr__(self) -> str:
        if not self.rows:
            return (
                "minitape.jit: numba cannot be imported, so all kernels are NumPy's. Get it "
                "with `pip install minitape[jit]`."
            )
        on = "on" if exchange.plain else "off: minitape.jit.enable() switches it on"
        lines = [
            f"The fast path is {on}.",
            "",
            f"{'operation':36}{'way':10}{'kernel':8}" + "numba against NumPy, here" * self.measured,
        ]
        for name, what, kernel, gain in self.rows:
            lines.append(
                f"{name:36}{what:10}{kernel:8}"
                + (f"{gain:5.1f} times as fast" if self.measured else "")
            )
        return "\n".join(map(str.rstrip, lines))
