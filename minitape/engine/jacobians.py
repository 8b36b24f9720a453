"""Jacobians: the derivative of every element of a target, row by row or all rows in one play.

A gradient is one row: the seed says which combination of the target's elements is differentiated. A
Jacobian needs one seed per element. The seeds form a batch, and the tape is played once for all of
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .base.listeners import listeners
from .base.nest import flatten, is_nested, pack_sequence_as
from .base.tensor import Tensor
from .convert import convert_to_tensor
from .ops.elementwise import zeros_like
from .ops.record import run
from .ops.shaping import broadcast_to, reshape, transpose
from .play import Play
from .tape_arguments import content, differentiable, one_tensor

if TYPE_CHECKING:
    from .base.aliases import Array, Tape
    from .typing import Nested
    from .variable import Variable


def check_plays(tape: Tape, in_one_play: bool) -> None:
    """Raise RuntimeError for a tape that would have to be played once for each row, and can be only
    once.
    """
    if not in_one_play and not tape.persistent:
        raise RuntimeError(
            "GradientTape must be created with persistent=True to compute the jacobian with eager "
            "execution enabled and with experimental_use_pfor set to False. Here nothing is gained "
            "by that: leave it out."
        )


def check_examples(target: Tensor, source: Tensor | Variable) -> None:
    """Raise ValueError unless both begin with the same axis of examples."""
    for name, t in (("target", target), ("source", source)):
        one_tensor(t, name)
        if len(t.shape) < 2:
            raise ValueError(
                f"Shape {tuple(t.shape)} must have rank at least 2: the first axis counts the "
                "examples. For one example, use "
                "tape.jacobian."
            )
    if target.shape[0] != source.shape[0]:
        raise ValueError(
            f"Need first dimension of target shape ({target.shape}) and source shape "
            f"({source.shape}) to match: "
            "both begin with the axis of examples."
        )


def jacobian(tape: Tape, target: Tensor, sources: Nested, zero: bool = False) -> Any:
    """Return target.shape + source.shape for every source; None, or zeros, where not connected.

    See `GradientTape.jacobian`.
    """
    # integers are never watched
    kind = target.value.dtype if target.dtype.is_differentiable else np.float32
    seeds = np.eye(target.value.size, dtype=kind).reshape((target.value.size, *target.value.shape))
    rows = adjoints_for(tape, target, sources, seeds)
    results = []
    for source, g in zip(flatten(sources), rows):
        shape = tuple(target.shape) + tuple(source.shape)
        results.append(
            reshape(g, shape=shape)
            if g is not None
            else zeros_from(target, source, shape)
            if zero
            else None
        )
    return pack_sequence_as(sources, results) if is_nested(sources) else results[0]


def zeros_from(target: Tensor, source: Tensor | Variable, shape: tuple[int, ...]) -> Tensor:
    """Return the zeros of a source that is not connected. They are computed from the target, so that an
    outer tape connects what is computed from them, where it watches the target.
    """
    if source.dtype != target.dtype:
        return Tensor(np.zeros(shape, content(source).value.dtype)[()])
    zeros = run(zeros_like, (target,))
    column = tuple(target.shape) + (1,) * (len(shape) - len(target.shape))
    return broadcast_to(reshape(zeros, shape=column), shape=shape)


def batch_jacobian(
    tape: Tape, target: Tensor, source: Tensor | Variable, zero: bool = False
) -> Tensor:
    """Return (b,) + target.shape[1:] + source.shape[1:]. See `GradientTape.batch_jacobian`."""
    b, inner = target.shape[0], tuple(target.shape[1:])
    n = int(np.prod(inner))
    seeds = np.broadcast_to(
        np.eye(n, dtype=target.value.dtype).reshape((n, 1) + inner), (n, b) + inner
    )
    (g,) = adjoints_for(tape, target, [source], seeds)
    # a variable counts as read, as in TensorFlow
    shape = (b,) + inner + tuple(convert_to_tensor(source).shape[1:])
    if g is None:
        # zeros, as in TensorFlow, whatever was asked for
        if zero:
            return zeros_from(target, source, shape)
        return Tensor(np.zeros(shape, target.value.dtype))
    return reshape(transpose(g, perm=(1, 0) + tuple(range(2, len(source.shape) + 1))), shape=shape)


def adjoints_for(tape: Tape, target: Tensor, sources: Nested, seeds: Array) -> list[Tensor | None]:
    """Return the adjoints of the sources for a batch of seeds, the batch as first axis; None where
    not connected.
    """
    sources = differentiable(flatten(sources), "source")
    # its elements were read while no tape listened, so nothing connects them with it
    if target.id not in tape.watched:
        return Play(tape, [], sources).gradients()
    if not len(seeds):  # no elements, no rows: one row of nothing, which is left out again
        one = adjoints_for(
            tape, target, sources, np.zeros((1, *target.value.shape), target.value.dtype)
        )
        return [None if g is None else g[:0] for g in one]
    seeds = np.ascontiguousarray(seeds)
    return Play(
        tape, [target], sources, [Tensor(seeds) if listeners() else seeds], lead=1
    ).gradients()
