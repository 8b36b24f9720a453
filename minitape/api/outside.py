"""A function of NumPy's between two operations: what it computes is not recorded, so no gradient
goes through it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..compile.again import again
from ..engine.base.nest import map_structure
from ..engine.convert import convert_to_tensor
from ..typing import Nested


def numpy_function(
    func: Callable[..., Any] | None = None,
    inp: Sequence[Any] | None = None,
    Tout: Nested = None,  # noqa: N803
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Call a function with the arrays of tensors, and return tensors of what it returns; its
    gradient is None.

    Without `func` and `inp` it decorates a function, which then takes tensors. In a `tf.function`
    it is called at every run. `Tout` is not looked at, as in TensorFlow where
    everything runs at once. Raises TypeError for what is no function, and for tensors that are no
    list. Source: `tf.numpy_function`.
    """
    if func is None and inp is None and Tout is not None:
        return lambda function: functools.wraps(function)(
            lambda *tensors: numpy_function(function, tensors, Tout)
        )
    if not callable(func):
        raise TypeError(f"numpy_function needs a function as `func`, got {func!r}.")
    if not isinstance(inp, (list, tuple)):
        raise TypeError(f"numpy_function needs a list of tensors as `inp`, got {inp!r}: write [x].")
    return _called(func, inp)


@again
def _called(func: Callable[..., Any], inp: Sequence[Any]) -> Any:
    """Return what a function gives for arrays, as tensors."""
    results = func(
        *[
            np.asarray(convert_to_tensor(x).numpy() if not isinstance(x, (int, float)) else x)
            for x in inp
        ]
    )
    if isinstance(results, tuple):
        results = list(results)
    return map_structure(
        lambda x: (
            None
            if x is None
            else convert_to_tensor(x if isinstance(x, (str, bytes)) else np.asarray(x))
        ),
        results,
    )
