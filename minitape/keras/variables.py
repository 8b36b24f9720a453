"""The variables of layers, metrics and optimizers: named as in Keras, `kernel`, with a path,
`dense/kernel`.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

from ..engine.variable import Variable
from ..typing import ConstraintLike, InitializerLike, RegularizerLike
from . import constraints, initializers, regularizers

scopes: ContextVar[tuple[str, ...]] = ContextVar("the layers that are being built", default=())


def named(value: Any, name: str, owner: str, **options: Any) -> Variable:
    """Return a variable with a plain name; its path tells where it was built and whose it is."""
    variable = Variable(value, **options)
    variable.name = name
    scope = scopes.get()
    variable.path = "/".join([*scope, *([owner] if owner and scope[-1:] != (owner,) else []), name])
    variable._reading = {"name": name, "version": 0}
    return variable


class within:
    """Inside of this block, what is built belongs to a layer."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        self.token = scopes.set((*scopes.get(), self.name))

    def __exit__(self, *error: object) -> None:
        scopes.reset(self.token)


def recipe(
    initializer: InitializerLike, regularizer: RegularizerLike, constraint: ConstraintLike
) -> dict[str, Any]:
    """Return how a weight is made and held, as `add_weight` takes it, names being looked up at
    once. Raises ValueError for an unknown name.
    """
    return {
        "initializer": initializers.get(initializer),
        "regularizer": regularizers.get(regularizer),
        "constraint": constraints.get(constraint),
    }
