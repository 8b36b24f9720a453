"""Errors of public functions, which name the function, the argument, its value and what would fit.

The functions themselves only compute. When one fails, its signature shows which argument is wrong
(`kinds.py`, loaded only then), and an internal error such as "'str' object has no attribute 'ndim'"
becomes one that a learner can use. If each argument is valid by itself, the error lists all of
them. Errors in the learner's own code are not changed.
"""

from __future__ import annotations

import functools
import reprlib
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

import numpy as np

from .errors import InvalidArgumentError, OpError, ResourceExhaustedError
from .where import is_inside, passed

# Methods that a program overrides and minitape calls: an error in one is explained by the public
# function that called it.
HOOKS = {
    "build",
    "call",
    "get_config",
    "update_step",
    "compute_output_shape",
    "compute_output_spec",
}
FROM_THE_DEPTH = (
    AttributeError,
    LookupError,
    ArithmeticError,
    AssertionError,
    MemoryError,
    RecursionError,
    UnicodeError,
    StopIteration,
    np.linalg.LinAlgError,
)
F = TypeVar("F", bound=Callable[..., Any])
_guarded: dict[Any, Any] = {}


def explains_errors(function: F) -> F:
    """Mark a public function that passes its errors to `explain_error` itself, or has none. It is called so
    often that a wrapper would slow it down.
    """
    vars(function)["explains_errors"] = True
    return function


def guarded(function: Any, module: str) -> Any:
    """Return a wrapper that names the function and its arguments in its errors: always the same
    wrapper for the same function.

    A function marked by `explains_errors` is returned unchanged. So is a class, whose methods are wrapped.
    """
    if isinstance(function, type):
        guard_class(function)
    if (
        type(function) is not FunctionType
        or not function.__module__.startswith("minitape")
        or hasattr(function, "explains_errors")
    ):
        return function
    if function not in _guarded:

        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except Exception as error:
                explain_error(error, called, args, kwargs)
                raise

        called.__module__ = module
        _guarded[function] = explains_errors(called)
    return _guarded[function]


def guard_class(kind: type) -> None:
    """Wrap the public methods of a class and of its bases, so that their errors name them."""
    for owner in kind.__mro__:
        for name, method in (
            list(vars(owner).items()) if owner.__module__.startswith("minitape") else ()
        ):
            plain = method.__func__ if isinstance(method, (classmethod, staticmethod)) else method
            if type(plain) is FunctionType and (
                name in ("__init__", "__call__") or not name.startswith("_") and name not in HOOKS
            ):
                wrapped = guarded(plain, plain.__module__)
                setattr(owner, name, wrapped if method is plain else type(method)(wrapped))


def explain_error(
    error: Exception,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    depth: int = 2,
) -> None:
    """Name the function and its arguments in an error that leaves a public function; where the type
    of the error must change, raise another.

    Called from the function's own `except` clause (`depth` counts the frames up to its caller). If
    the caller is minitape itself, the error is left to the function that the learner called; errors
    of the learner's own code are not changed.
    """
    if is_inside(sys._getframe(depth).f_code.co_filename) or not ours(error):
        return
    if isinstance(error, TypeError) and args:
        error.args = (of_class(args[0], str(error)),)
    from .parameters import signature

    try:
        given = signature(function).bind(*args, **kwargs).arguments
    except TypeError:
        return  # Python's own message names them
    label, owner = name_of(function, given), given.pop("self", given.pop("cls", None))
    refused: list[str] = []
    # what a layer takes, its `call` says
    if function.__name__ == "__call__" and "args" in given and hasattr(owner, "call"):
        try:
            given = signature(owner.call).bind(*args[1:], **kwargs).arguments
            function = owner.call
        except TypeError as misfit:
            refused = [f"{public(type(owner)).__name__}.call() does not take this: {misfit}."]
    deep = isinstance(error, FROM_THE_DEPTH) or type(error).__module__.startswith("numpy")
    wrong = unfit(function, given, deep and not isinstance(error, MemoryError))
    lines = [f"{label} takes as `{name}` {fit}, not {shown(value)}." for name, fit, value in wrong]
    lines = lines or [
        f"This was {label}({', '.join(f'{name}={shown(value)}' for name, value in given.items())})."
    ]
    lines += refused
    if deep and not meant(error):
        # other unusual arguments are not named: they did not stop the function
        if isinstance(error, MemoryError):
            raise ResourceExhaustedError(
                "\n".join([f"There is not enough memory: {error}.", *lines])
            ) from None
        if wrong or refused:
            raise TypeError("\n".join(lines)) from None
        # NumPy's: an axis that is not there, no loop for strings
        if isinstance(error, (ValueError, TypeError, OverflowError)):
            raise InvalidArgumentError("\n".join([f"{error}.", *lines])) from None
    elif (
        isinstance(error, (ValueError, TypeError, AttributeError, NotImplementedError, OpError))
        and len(error.args) == 1
    ):
        error.args = ("\n".join([str(error), *lines]),)
        if isinstance(error, OpError):
            error.message = error.args[0]


def meant(error: Exception) -> bool:
    """Tell whether minitape raised an error on purpose, as TensorFlow does."""
    return isinstance(error, AttributeError) and error.name is None


def ours(error: Exception) -> bool:
    """Tell whether an error comes from minitape or its libraries, not from a function that the
    learner passed.
    """
    files = [frame.f_code.co_filename for frame, _ in passed(error)]
    # NumPy's generators are written in Cython
    return all(is_inside(file) or file.endswith(".pyx") for file in files)


def name_of(function: Any, given: dict[str, Any]) -> str:
    """Return the name under which a learner calls a function."""
    name, module = function.__name__, function.__module__.replace("minitape", "tf", 1)
    if "self" in given or "cls" in given:
        kind = public(type(given["self"]) if "self" in given else given["cls"])
        return kind.__name__ if name == "__init__" else f"{kind.__name__}.{name}"
    if function.__qualname__.count(".") == 1:  # a static method
        return function.__qualname__
    return (
        f"tf.{name}" if vars(sys.modules["minitape"]).get(name) is function else f"{module}.{name}"
    )


def public(kind: type) -> type:
    """Return a class of minitape, or the one that a class of the learner's is made from."""
    return next(c for c in kind.__mro__ if c.__module__.startswith("minitape"))


def of_class(owner: Any, text: str) -> str:
    """Return Python's message about the arguments of a method with the class that was called, not with
    the base that has the method.
    """
    name, dot, rest = text.partition(".")
    ours = [c.__name__ for c in type(owner).__mro__ if c.__module__.startswith("minitape")]
    return f"{public(type(owner)).__name__}.{rest}" if dot and name in ours else text


def unfit(function: Any, given: dict[str, Any], deep: bool) -> list[tuple[str, str, Any]]:
    """Return (name, what fits, value) of each argument that is not what the signature asks for.
    (`name` is checked only for internal errors.)
    """
    from .kinds import what_fits
    from .parameters import signature

    parameters, wrong = signature(function).parameters, []
    for name, value in given.items():
        p = parameters[name]
        values = (
            value
            if p.kind is p.VAR_POSITIONAL
            else value.values()
            if p.kind is p.VAR_KEYWORD
            else [value]
        )
        wrong += [
            (name, fit, v)
            for v in values
            if (name != "name" or deep) and (fit := what_fits(p.annotation, v))
        ]
    return wrong


class Short(reprlib.Repr):
    """Values in a few words: tensors by dtype and shape."""

    def repr_Tensor(self, x: Any, level: int) -> str:  # noqa: N802
        """Write a tensor."""
        return self.repr_ndarray(np.asarray(x.value), level)

    def repr_Variable(self, x: Any, level: int) -> str:  # noqa: N802
        """Write a variable, without reading it."""
        return self.repr_Tensor(x._tensor, level)

    def repr_ndarray(self, x: Any, level: int) -> str:
        """Write an array: its number, or dtype and shape."""
        kind = "string" if x.dtype.kind in "SUO" else x.dtype.name
        return f"<{kind} {x.item()!r}>" if not x.ndim else f"<{kind} {x.shape}>"

    def repr_int(self, x: int, level: int) -> str:
        """Write a number, also one with more digits than Python writes out."""
        return f"<int of {n} bits>" if (n := x.bit_length()) > 1000 else super().repr_int(x, level)

    def repr_function(self, x: Any, level: int) -> str:
        """Write a function by its name."""
        return f"<function {x.__name__}>"


_short = Short()
_short.maxother, _short.maxstring, _short.maxlist, _short.maxtuple = 60, 60, 8, 8


def shown(value: Any) -> str:
    """Return a value in a few words."""
    return _short.repr(value)
