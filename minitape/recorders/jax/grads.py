"""Looking on at `jax.grad` and `jax.value_and_grad`: what they return runs as it would, and then is
recorded.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import Any

import jax
from jax._src import api

from minitape.engine.base.where import learners_frame

from .recorder import record


@contextmanager
def replaced(trouble: list[Exception]) -> Iterator[None]:
    """Record the gradients that are asked for inside of the block, by functions made there."""
    real, listening = api.value_and_grad, [True]
    owners = [owner for owner in (jax, api) if owner.value_and_grad is real]

    @functools.wraps(real)
    def value_and_grad(fun: Any, argnums: Any = 0, **options: Any) -> Callable[..., Any]:
        differentiated = real(fun, argnums, **options)

        @functools.wraps(differentiated)
        def called(*args: Any, **named: Any) -> Any:
            result = differentiated(*args, **named)
            if listening:  # what the function asks for itself is not recorded while it is traced
                listening.clear()
                try:
                    _record(fun, args, named, argnums)
                except Exception as error:  # the program counts for more
                    trouble.append(error)
                finally:
                    listening.append(True)
            return result

        return called

    for owner in owners:
        owner.value_and_grad = value_and_grad
    try:
        yield
    finally:
        listening.clear()
        for owner in owners:
            owner.value_and_grad = real


def _record(fun: Any, args: Any, named: Any, argnums: Any) -> None:
    if any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves((args, named))):
        return  # inside of `jit`, `vmap` or another gradient nobody knows its values
    wanted = argnums if isinstance(argnums, (tuple, list)) else (argnums,)
    places = [k % len(args) for k in wanted]
    with redirect_stdout(StringIO()):  # what the function prints it has printed already
        result = record(learners_frame(3), fun, args, named, places)
    result.ask()
