"""Classes that are rows: most losses and metrics are a name, a function and its settings, an
optimizer is its hyperparameters and a step.

Each row becomes a class of its own with its signature and its docstring, as if it had been written
out: help(), completion, pickling and subclasses see no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, Signature, signature
from typing import Any


def wrapper(
    base: Any, title: str, function: Callable[..., Any], doc: str, arguments: dict[str, Any]
) -> Any:
    """Return the subclass `title` of `base`, whose `__init__` takes a function and, by name, what
    is passed on to it.

    `arguments` are those of the new class with their defaults, in their order. The source is the
    class of that name in Keras's module of the same name.
    """
    known = {**signature(base).parameters, **signature(function).parameters}
    own = [
        Parameter(
            name,
            Parameter.POSITIONAL_OR_KEYWORD,
            default=default,
            annotation=kind(known.get(name), default),
        )
        for name, default in arguments.items()
    ]

    def begin(self: Any, given: dict[str, Any]) -> None:
        base.__init__(self, function, **given)

    source = f"keras.{base.__module__.rpartition('.')[2]}.{title}"
    return type(
        title,
        (base,),
        {
            "__init__": initializer(title, base.__module__, own, begin),
            "__doc__": f"{doc} Source: `{source}`.",
            "__module__": base.__module__,
        },
    )


def initializer(
    title: str,
    module: str,
    parameters: Sequence[Parameter],
    begin: Callable[[Any, dict[str, Any]], None],
) -> Any:
    """Return the `__init__` of the class `title`: it takes these parameters, and hands them to
    `begin` by their names.
    """
    takes = Signature(
        [Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), *parameters], return_annotation="None"
    )

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        try:
            bound = takes.bind(self, *args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{title}.__init__() {error}") from None
        bound.apply_defaults()
        begin(self, {name: value for name, value in bound.arguments.items() if name != "self"})

    vars(__init__)["__signature__"], __init__.__qualname__, __init__.__module__ = (
        takes,
        f"{title}.__init__",
        module,
    )
    return __init__


def kind(parameter: Parameter | None, default: Any) -> Any:
    """Return the type of an argument: what the function says of its parameter of that name, else
    that of the default.
    """
    if parameter is not None and parameter.annotation is not parameter.empty:
        return parameter.annotation
    default = default if parameter is None else parameter.default
    return Parameter.empty if default is None else type(default).__name__
