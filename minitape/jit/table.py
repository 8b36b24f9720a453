"""The table of faster kernels: for a row of the engine's table of derivatives, another kernel or
another rule.

A faster kernel takes what it was written for (float32, contiguous, large enough) and hands
everything else to the plain one, so that it can never be wrong about a case it does not know.
Kernels are compiled when they are first used, and the result is kept on disk.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np
from numba.core import event
from numpy import float32, ndarray

from ..engine.base.aliases import Array
from .kept import compiled

Kernel: TypeAlias = Callable[..., Any]  # of a row, or one of its rules

SINGLE = np.dtype(float32)
ROWS: dict[str, Row] = {}  # name of an operation -> Row


class Row:
    """One replacement: `kernel(plain)` and `rules[i](plain)` make the faster form of the plain one."""

    __slots__ = ("name", "kernel", "rules")

    def __init__(
        self,
        name: str,
        kernel: Callable[[Kernel], Kernel] | None = None,
        rules: dict[int, Callable[[Kernel], Kernel]] | None = None,
    ) -> None:
        self.name, self.kernel, self.rules = name, kernel, rules or {}
        ROWS[name] = self


class Loop:
    """A function for numba: compiled at its first call, with a line that says so if that takes
    long.
    """

    __slots__ = ("call", "name")

    def __init__(self, function: Callable[..., Any], fastmath: Any) -> None:
        self.name = function.__name__
        made = compiled(function, fastmath)

        def first(*args: Any) -> Any:
            with announced(f"compiling {self.name} for this machine (once: it is kept on disk)"):
                result = made(*args)
            self.call = made
            return result

        self.call = first

    def __call__(self, *args: Any) -> Any:
        return self.call(*args)


def loop(function: Callable[..., Any]) -> Loop:
    """Compile a function; its arithmetic keeps the order in which it is written."""
    return Loop(function, False)


def summing(function: Callable[..., Any]) -> Loop:
    """Compile a function whose sums may be added in any order, as vector instructions do; NaN and
    infinities count.
    """
    return Loop(function, {"reassoc", "contract", "nsz"})


class Announcer(event.Listener):
    """Prints a line when numba has been compiling for a while; what is read from the disk is not
    announced.
    """

    timer: threading.Timer | None

    def __init__(self, text: str, after: float) -> None:
        self.text, self.after, self.timer, self.shown = text, after, None, threading.Event()
        # a notebook shows stderr in red: nothing is wrong
        self.stream = sys.stdout if "ipykernel" in sys.modules else sys.stderr

    def on_start(self, _: Any) -> None:
        if self.timer is None:
            self.start = time.perf_counter()
            self.timer = threading.Timer(self.after, self.show)
            self.timer.daemon = True
            self.timer.start()

    def on_end(self, _: Any) -> None:
        pass

    def show(self) -> None:
        self.shown.set()
        print(f"minitape.jit: {self.text} ...", end="", file=self.stream, flush=True)

    def done(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        if self.shown.is_set():
            print(f" {time.perf_counter() - self.start:.1f} s", file=self.stream, flush=True)


@contextmanager
def announced(text: str, after: float = 0.4) -> Iterator[None]:
    """Print a line while something compiles for longer than `after` seconds, and how long it took.
    MINITAPE_QUIET=1 keeps it quiet.
    """
    if os.environ.get("MINITAPE_QUIET"):
        yield
        return
    announcer = Announcer(text, after)
    with event.install_listener("numba:compile", announcer):
        try:
            yield
        finally:
            announcer.done()


def fits(x: Any, smallest: int) -> bool:
    """Return True for a contiguous float32 array of at least that many elements."""
    return type(x) is ndarray and x.dtype is SINGLE and x.size >= smallest and x.flags.c_contiguous


def contiguous(g: Array, like: Array) -> Array:
    """Return an adjoint as a contiguous array where it was stretched over the shape of `like`: the
    reverse of a sum.
    """
    if (
        type(g) is ndarray
        and type(like) is ndarray
        and g.shape == like.shape
        and not g.flags.c_contiguous
    ):
        return np.ascontiguousarray(g)
    return g


def each(run: Kernel, smallest: int) -> Callable[[Kernel], Kernel]:
    """Return the maker of a kernel that applies `run(x, out)` to a flat array."""

    def make(plain: Kernel) -> Kernel:
        def kernel(x: Array, **attributes: Any) -> Array:
            if attributes or not fits(x, smallest):
                return plain(x, **attributes)
            out = np.empty_like(x)
            run(x.reshape(-1), out.reshape(-1))
            return out

        return kernel

    return make


def slope(run: Kernel, smallest: int, uses: Any) -> Callable[[Kernel], Kernel]:
    """Return the maker of a rule that applies `run(g, v, out)` to flat arrays; `uses` is "x", the
    input, or "y".
    """

    def make(plain: Kernel) -> Kernel:
        def rule(g: Array, y: Array, x: Array, **attributes: Any) -> Array:
            v = x if uses == "x" else y
            g = contiguous(g, v)
            if attributes or not (fits(g, smallest) and fits(v, smallest)) or g.shape != v.shape:
                return plain(g, y, x, **attributes)
            out = np.empty_like(g)
            run(g.reshape(-1), v.reshape(-1), out.reshape(-1))
            return out

        return rule

    return make
