"""What `tf.function` compiles, run operation by operation, where that gives the same numbers.

A compiled function runs its Python once, while it is traced. Opened, it runs it each time, so one
that appends to a list, or loops otherwise, computes something else. Before a call is opened, the
function therefore runs both ways beside the program: in a thread of its own, where nobody records,
and on variables that are put back afterwards. Compared are its results, what it leaves in variables
and, within a tape of the program's, its gradients.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable, ItemsView, Iterator, Sequence
from contextlib import (
    contextmanager,
    nullcontext,
    redirect_stdout,
    suppress,
)
from inspect import unwrap
from threading import Thread
from typing import Any, NamedTuple

import numpy as np
from tensorflow.python.data.ops.iterator_ops import IteratorBase
from tensorflow.python.eager.backprop import GradientTape
from tensorflow.python.eager.polymorphic_function import eager_function_run, polymorphic_function
from tensorflow.python.framework import dtypes, errors
from tensorflow.python.framework.ops import EagerTensor
from tensorflow.python.ops import gen_resource_variable_ops as variables
from tensorflow.python.util import nest

from minitape.engine.base.where import is_inside

from ..shield import Shield
from .judge import Judge
from .tensors import Tensors

CLOSE = 1e-3  # what is rounded in another order
EQUAL = 1e-6  # the same once more, unless it draws numbers


class Ran(NamedTuple):
    """What a run gave: its result, or its error; the contents of all variables afterwards; and by
    the numbers of the sources the gradients, where a tape of the program's records the call.
    """

    result: Any
    error: BaseException | None
    contents: dict[int, Any]
    gradients: dict[int, Any]


class Opening:
    """Opens each call of a function of the program's that is not within another, where `judge` has
    nothing against it.
    """

    def __init__(
        self, shield: Shield, tensors: Tensors, tapes: Sequence[object], judge: Judge
    ) -> None:
        self._shield, self._tensors, self._judge = shield, tensors, judge
        self._tapes = tapes  # those of the program that record now
        self._within = False
        self._closed: set[Any] = set()  # functions that compute something else opened
        self._made: dict[int, tuple[Any, Any]] = {}  # variables of this call: handle, first content

    def replaced(self) -> list[tuple[Any, str, Callable[..., Any]]]:
        """Return (owner, name, what makes the new function out of the old one)."""
        kind = polymorphic_function.Function
        return [
            (kind, "__call__", self._called),
            (kind, "_initialize_uninitialized_variables", self._initialized),
        ]

    def _called(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def call(function: Any, *arguments: Any, **named: Any) -> Any:
            if self._within or not self._shield.down:
                return old(function, *arguments, **named)
            if any(isinstance(v, IteratorBase) for v in reached(function, arguments, named)):
                self._unlike(function)
                return old(function, *arguments, **named)
            self._within = self._shield.quiet = True
            try:
                given = [v for v in nest.flatten((arguments, named)) if isinstance(v, EagerTensor)]
                if function not in self._closed:
                    self._compare(function, lambda: old(function, *arguments, **named), given)
                eager_function_run.run_functions_eagerly(function not in self._closed)
                self._shield.quiet = False
                return old(function, *arguments, **named)
            finally:
                eager_function_run.run_functions_eagerly(True)
                self._within = self._shield.quiet = False
                self._made.clear()

        return call

    def _compare(self, function: Any, call: Callable[[], Any], given: list[Any]) -> None:
        """Run a call compiled and open, with the tensors `given` to it.

        Raises what it raises where it is compiled, and does not where it is opened.
        """
        result: list[Ran] = []

        def both() -> None:
            with kept_random_numbers(), suppress(Exception):  # then they are not compared
                before = self._contents()
                for compiles in (True, False, True):
                    result.append(self._ran(call, given, compiles))
                    self._put({**{uid: first for uid, (_, first) in self._made.items()}, **before})
                    if len(result) == 2 and apart(result[0], result[1]) is None:
                        break

        with self._judge.asleep(), redirect_stdout(io.StringIO()):
            thread = Thread(target=both)
            thread.start()
            thread.join()
        compiled, opened, again, *_ = [*result, None, None, None]
        difference = apart(compiled, opened) if compiled and opened else None
        if opened and difference is None:
            return
        if difference is None or not again or apart(compiled, again, EQUAL) is not None:
            self._unlike(function)
        elif compiled.error is not None:
            raise compiled.error
        else:
            in_graph, in_python = map(said, difference)
            self._closed.add(function)
            self._judge.differs(function.__name__, in_python, in_graph)

    def _unlike(self, function: Any) -> None:
        code = getattr(plain(function), "__code__", None)
        if code is None or not is_inside(code.co_filename):  # the library's calls the program's
            self._judge.uncompared(function.__name__)

    def _initialized(self, old: Callable[..., Any]) -> Callable[..., Any]:
        """A function makes its variables at its first call: keep what they hold before it goes on."""

        def initialize(function: Any, initializers: Any) -> None:
            old(function, initializers)
            if self._within:
                made = [variable for variable, _ in initializers]
                self._made.update((v.handle._id, (v.handle, v.read_value())) for v in made)

        return initialize

    def _ran(self, call: Callable[[], Any], given: list[Any], compiles: bool) -> Ran:
        result, error, gradients = None, None, dict[int, Any]()
        eager_function_run.run_functions_eagerly(not compiles)
        try:
            with GradientTape() if self._tapes else nullcontext() as tape:
                if tape is not None:
                    tape.watch(given)
                result = call()
            if tape is not None:
                sources = [*given, *tape.watched_variables()]
                keys = [getattr(source, "handle", source)._id for source in sources]
                targets = [t for t in nest.flatten(result) if isinstance(t, EagerTensor)]
                gradients = dict(zip(keys, tape.gradient(targets, sources)))
        except BaseException as raised:
            error = raised
        finally:
            eager_function_run.run_functions_eagerly(True)
        return Ran(result, error, self._contents(), gradients)

    def _contents(self) -> dict[int, Any]:
        """Return {number of a handle: content} for all variables."""
        result = {}
        for uid, handle in self._handles():
            if variables.var_is_initialized_op(handle):
                kind = dtypes.as_dtype(handle._handle_data.shape_and_type[0].dtype)
                result[uid] = variables.read_variable_op(handle, kind)
        return result

    def _put(self, contents: dict[int, Any]) -> None:
        for uid, handle in self._handles():
            if uid in contents:
                variables.assign_variable_op(handle, contents[uid])

    def _handles(self) -> ItemsView[int, Any]:
        made = {uid: handle for uid, (handle, _) in self._made.items()}
        return {**self._tensors.living_handles(), **made}.items()


def plain(function: Any) -> Any:
    """Return the Python function that was compiled."""
    python = unwrap(function.python_function)
    return getattr(python, "__func__", python)


def reached(function: Any, arguments: Any, named: Any) -> list[Any]:
    """Return what a function is given, and what its own text names outside of it."""
    python = plain(function)
    code, cells = getattr(python, "__code__", None), getattr(python, "__closure__", None) or ()
    names = getattr(python, "__globals__", {})
    result = [names[n] for n in (code.co_names if code is not None else ()) if n in names]
    for cell in cells:
        with suppress(ValueError):  # it is empty yet
            result.append(cell.cell_contents)
    return [*nest.flatten((arguments, named)), *result]


@contextmanager
def kept_random_numbers() -> Iterator[None]:
    """Draw inside of the block, and leave Python's and NumPy's generators as they were."""
    python, numpy = random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)


def apart(a: Ran, b: Ran, by: float = CLOSE) -> tuple[Any, Any] | None:
    """Return the first two values in which two runs differ, of what they returned and of what they
    left in variables, and their gradients; None where both gave the same, or raised.
    """
    if a.error is not None and b.error is not None:
        return None  # AutoGraph has another class for it
    if a.error is not None or b.error is not None:
        return a.error or a.result, b.error or b.result
    flat = [nest.flatten(run.result, expand_composites=True) for run in (a, b)]
    if len(flat[0]) != len(flat[1]):
        return a.result, b.result
    kept = [(a.contents[n], b.contents[n]) for n in a.contents if n in b.contents]
    keys = [*a.gradients, *b.gradients]
    slopes = [(a.gradients.get(n), b.gradients.get(n)) for n in keys]
    pairs = [*zip(*flat), *kept, *slopes]
    return next(((x, y) for x, y in pairs if not close(x, y, by)), None)


def close(x: Any, y: Any, by: float) -> bool:
    """True for numbers that differ by no more than a part of the largest; of what has no numbers
    nothing is said.
    """
    if (x is None) is not (y is None):
        return False
    try:
        x, y = np.asarray(x), np.asarray(y)
    except (TypeError, ValueError, NotImplementedError, errors.OpError):
        return True
    if x.shape != y.shape or x.dtype.kind not in "fciub" or y.dtype.kind not in "fciub":
        return x.shape == y.shape and (x.dtype.kind == "O" or bool(np.all(x == y)))
    size = float(np.abs(np.nan_to_num(y.astype("complex128"))).max(initial=0.0))
    return np.allclose(x, y, rtol=0.0, atol=by * size, equal_nan=True)


def said(value: Any) -> str:
    """Return a value as a short text."""
    if isinstance(value, BaseException):
        return f"{type(value).__name__}: {value}".split("\n")[0][:100]
    return " ".join(str(np.asarray(value)).split())[:100]
