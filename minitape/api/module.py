"""Things that own variables, and names for them: `Module`, `name_scope`; and `print`."""

from __future__ import annotations

import builtins
import contextlib
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ..compile.again import again
from ..engine.base.argument_errors import explains_errors
from ..engine.base.listeners import tracer
from ..engine.base.nest import flatten, is_nested
from ..engine.base.tensor import Tensor
from ..engine.variable import Variable, prefix


class name_scope:
    """A block in which the names of variables begin with a prefix; one that ends with "/" stands
    alone. Source: `tf.name_scope`.
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        self._name = name

    name = property(lambda self: self._name, doc="The prefix.")

    def __enter__(self) -> str:
        prefixed = (
            self._name
            if self._name.endswith("/") or not self._name
            else f"{prefix.get()}{self._name}/"
        )
        self._tokens = [*getattr(self, "_tokens", ()), prefix.set(prefixed)]
        return prefixed

    def __exit__(self, *error: object) -> None:
        prefix.reset(self._tokens.pop())


def camel_to_snake(name: str) -> str:
    """Return CamelCase as camel_case: how a module is named after its class."""
    return re.sub(
        r"(?<=[a-z0-9])([A-Z])|(?<=[A-Z])([A-Z])(?=[a-z])", lambda m: f"_{m.group(0)}", name
    ).lower()


class Module:
    """Something with variables: a layer, a model. Finds them in its own attributes, also in lists
    and other modules.

    Raises ValueError for a name that is no Python name. Source: `tf.Module`.
    """

    @explains_errors  # in TensorFlow's own words
    def __init__(self, name: str | None = None) -> None:
        if name is not None and not re.match(
            r"^[A-Za-z_]\w*$", name if isinstance(name, str) else ""
        ):
            raise ValueError(
                f"'{name}' is not a valid module name. Module names must be valid Python "
                "identifiers "
                "(e.g. a valid class name)."
            )
        self._name = name or camel_to_snake(type(self).__name__)
        self._scope = f"{prefix.get()}{self._name}/"

    @property
    def name(self) -> str:
        """The name of the module: the class's, in small letters, unless given."""
        return self.__dict__.get("_name", camel_to_snake(type(self).__name__))

    @property
    def name_scope(self) -> name_scope:
        """A block whose names begin with the module's name."""
        return name_scope(self.__dict__.get("_scope", f"{self.name}/"))

    @property
    def variables(self) -> Any:
        """All variables of this module and of those in it, attributes in the order of their names."""
        return tuple(self._flatten(lambda x: isinstance(x, Variable)))

    @property
    def trainable_variables(self) -> Any:
        """The variables that training changes."""
        return tuple(self._flatten(lambda x: isinstance(x, Variable) and x.trainable))

    @property
    def non_trainable_variables(self) -> Any:
        """The variables that training leaves alone."""
        return tuple(self._flatten(lambda x: isinstance(x, Variable) and not x.trainable))

    @property
    def submodules(self) -> tuple[Module, ...]:
        """All modules in this one."""
        return tuple(self._flatten(lambda x: isinstance(x, Module)))

    def _flatten(self, predicate: Callable[[Any], bool], recursive: bool = True) -> Iterator[Any]:
        """Yield what fits, once each: this module's own attributes first, then those of the modules
        in it.
        """
        seen, waiting = {id(self)}, [self]
        while waiting:
            module = waiting.pop(0)
            inner = []
            for leaf in leaves_of(module):
                if id(leaf) in seen:
                    continue
                if isinstance(leaf, (Variable, Module)):
                    seen.add(id(leaf))
                if predicate(leaf):
                    yield leaf
                if isinstance(leaf, Module):
                    inner.append(leaf)
            waiting = inner + waiting

    @classmethod
    def with_name_scope(cls, method: Callable[..., Any]) -> Callable[..., Any]:
        """Decorate a method: it runs inside of the module's name scope. Source:
        `tf.Module.with_name_scope`.
        """
        import functools

        @functools.wraps(method)
        def scoped(self: Any, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return scoped


def leaves_of(module: object) -> Iterator[Any]:
    """Yield the values of a module's attributes, in the order of their names, structures opened."""
    attributes = vars(module)
    for key in sorted(attributes):
        value = attributes[key]
        if is_nested(value):
            try:
                yield from flatten(value)
            except TypeError:  # a dictionary whose keys cannot be sorted holds nothing of ours
                continue
        else:
            yield value


@contextlib.contextmanager
def device(device_name: str | None) -> Iterator[None]:
    """Do nothing: everything in the block runs on the CPU, as all else. Source: `tf.device`."""
    yield


@again
def print(*inputs: Any, **kwargs: Any) -> None:  # noqa: A001
    """Print values; tensors show their elements only. Goes to stderr unless `output_stream` is
    sys.stdout. Source: `tf.print`.
    """
    stream, end, sep = (
        kwargs.pop("output_stream", sys.stderr),
        kwargs.pop("end", "\n"),
        kwargs.pop("sep", " "),
    )
    most = kwargs.pop("summarize", 3)
    kwargs.pop("name", None)
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {sorted(kwargs)}")
    builtins.print(*[shown(x, most) for x in inputs], sep=sep, end=end, file=stream)


def shown(x: Any, most: int) -> str:
    """Return how tf.print writes a value: of long axes, the first and the last `most` elements (all
    for -1).
    """
    if not isinstance(x, (Tensor, Variable)):
        return str(x)
    return rows_of((x._tensor if isinstance(x, Variable) else x).value, most, 1)


def rows_of(value: Any, most: int, depth: int) -> str:
    """Return an array as text, one row per line."""
    if not value.ndim:
        return (
            value.decode()
            if value.dtype.kind == "S"
            else f"{value:g}"
            if value.dtype.kind == "f"
            else str(int(value))
            if value.dtype.kind in "biu"
            else str(value)
        )
    parts = [rows_of(v, most, depth + 1) for v in value]
    if most >= 0 and len(parts) > 2 * most:
        parts = [*parts[:most], "...", *parts[len(parts) - most :]]
    return "[" + (" " if value.ndim == 1 else "\n" + " " * depth).join(parts) + "]"


def executing_eagerly() -> bool:
    """Return True where operations run at once: everywhere but in the trace of a `tf.function`.
    Source: `tf.executing_eagerly`.
    """
    return tracer() is None
