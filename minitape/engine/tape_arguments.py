"""The arguments of a gradient (targets, sources and seeds), checked as TensorFlow checks them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .base.errors import DTypeWarning, InvalidArgumentError
from .base.tensor import Tensor, wrap
from .base.where import warn
from .convert import convert_to_tensor
from .ops.elementwise import zeros_like
from .ops.record import run
from .variable import Variable


def content(x: Tensor | Variable) -> Tensor:
    """Return the tensor itself, or the present one of a variable."""
    return x._tensor if isinstance(x, Variable) else x


def itself(target: Any) -> Any:
    """Return a target as a tensor with the target's own number. A variable is not read: it depends
    on itself alone, with slope 1.
    """
    return wrap(target._tensor.value, target.id) if isinstance(target, Variable) else target


def differentiable(tensors: list[Any], role: str) -> list[Any]:
    """Return the targets or sources. Each must be a tensor or a variable; for anything else, raise
    what TensorFlow raises.
    """
    for x in tensors:
        if not (
            type(x) is Variable
            and x._tensor.value.dtype.kind == "f"
            or type(x) is Tensor
            and x.value.dtype.kind == "f"
        ):
            for doubtful in sorted(tensors, key=has_dtype):  # hardly ever
                check(doubtful, role)
            break
    return tensors


def has_dtype(x: Any) -> bool:
    """Return True for what TensorFlow finds a dtype of. Of numbers it takes 1 to 23 for that of a dtype."""
    return hasattr(x, "dtype") or isinstance(x, (int, float)) and x in range(1, 24)


def check(x: Any, role: str) -> None:
    """Raise for anything but tensors and variables; warn about dtypes that have no gradient."""
    if x is None or isinstance(x, (str, bytes)):
        raise TypeError(
            f"Argument `{role}` should be a list or nested structure of Tensors, Variables or "
            "CompositeTensors to be "
            f"differentiated, but received {x!r}. "
            + (
                "Did the function that computes it forget its `return`?"
                if x is None
                else "Pass the tensor itself."
            )
        )
    if not isinstance(x, (Tensor, Variable)):
        outside = isinstance(x, (np.ndarray, np.generic))
        hint = (
            "A NumPy value has left the tape; compute it with minitape's operations."
            if outside
            else "Compute it with minitape's operations inside of the tape's block."
            if role == "target"
            else "The sources are the tensors or variables themselves."
        )
        raise (AttributeError if has_dtype(x) else TypeError)(
            f"The {role} of a gradient must be a tensor: {type(x).__name__!r} object has no "
            f"attribute '_id'. {hint}"
        )
    if content(x).value.dtype.kind not in "fc":
        warn(
            f"The dtype of the {role} tensor must be floating (e.g. tf.float32) when calling "
            f"GradientTape.gradient, got {x.dtype!r}",
            DTypeWarning,
        )


def seeds_for(targets: list[Tensor], given: list[Any]) -> list[Tensor | None]:
    """Return the output gradients as tensors, one per target; smaller ones are stretched to the
    target's shape.
    """
    if len(given) != len(targets):
        hint = (
            " For one target, give one tensor of its shape, not a list of numbers."
            if len(targets) == 1
            else ""
        )
        raise ValueError(
            f"output_gradients must have one entry per target: {len(given)} given, "
            f"{len(targets)} needed.{hint}"
        )
    return [None if g is None else seed_for(t, g) for t, g in zip(targets, given)]


def seed_for(t: Tensor, g: Any) -> Tensor:
    """Return one output gradient as a tensor of its target's dtype and shape."""
    seed = convert_to_tensor(g, dtype=None if isinstance(g, (Tensor, Variable)) else t.dtype)
    if seed.dtype != t.dtype:
        raise InvalidArgumentError(
            f"An output gradient has dtype {seed.dtype.name}, its target {t.dtype.name}. Use "
            "tf.cast."
        )
    if seed.shape != t.shape:
        try:
            seed = Tensor(np.array(np.broadcast_to(seed.value, t.value.shape)))
        except ValueError:
            raise InvalidArgumentError(
                f"An output gradient has shape {seed.shape}, its target {t.shape}. It holds one "
                "number for each "
                "element of the target, by which that element's gradient is multiplied."
            ) from None
    return seed


def zeros_of(source: Tensor | Variable) -> Tensor:
    """Return zeros of the shape and dtype of a source. An operation makes them of it, so that an
    outer tape connects what is computed from them; a variable is read for that, as in TensorFlow.
    """
    return run(zeros_like, (convert_to_tensor(source),))


def one_tensor(x: Any, role: str = "target") -> Any:
    """Return the target or source of a Jacobian. Raises AttributeError for a structure and for NumPy's
    arrays.
    """
    if not isinstance(x, (Tensor, Variable)):
        raise AttributeError(
            f"The {role} of a Jacobian must be one tensor: {type(x).__name__!r} object has no "
            "attribute 'shape'."
        )
    return x
