"""Jacobians: the derivative of every element of a target, row by row or all rows in one play.

A gradient is one row: the seed says which combination of the target's elements is differentiated. A Jacobian needs
one seed per element. They are put into one batch, and the tape is played once over the whole batch.
"""

from collections import deque

import numpy as np

from .convert import convert_to_tensor
from .nest import flatten, is_nested, pack_sequence_as
from .notes import active
from .play import Play
from .tape import UnconnectedGradients
from .tensor import Tensor
from .variable import Variable


def jacobian(tape, target, sources, unconnected_gradients=UnconnectedGradients.NONE):
    """Return target.shape + source.shape for every source. See `GradientTape.jacobian`."""
    zero = UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO
    target = one_tensor(target)
    if not target.dtype.is_differentiable:
        return pack_sequence_as(sources, [None] * len(flatten(sources))) if is_nested(sources) else None
    rows = seeds_of(tape, target, sources, np.eye(target.value.size, dtype=target.value.dtype).reshape(
        (target.value.size,) + target.value.shape))
    results = []
    for source, g in zip(flatten(sources), rows):
        shape = tuple(target.shape) + tuple(source.shape)
        results.append(reshaped(g, shape) if g is not None else
                       Tensor(np.zeros(shape, source.dtype.as_numpy_dtype)[()]) if zero else None)
    return pack_sequence_as(sources, results) if is_nested(sources) else results[0]


def batch_jacobian(tape, target, source, unconnected_gradients=UnconnectedGradients.NONE):
    """Return (b,) + target.shape[1:] + source.shape[1:]. See `GradientTape.batch_jacobian`."""
    target = one_tensor(target)
    for t in (target, source):
        if len(t.shape) < 2:
            raise ValueError(f"Shape {tuple(t.shape)} must have rank at least 2: the first axis counts the examples. For one example, use "
                             "tape.jacobian.")
    if target.shape[0] != source.shape[0]:
        raise ValueError(f"Need first dimension of target shape ({target.shape}) and source shape ({source.shape}) to match: "
                         "both begin with the axis of examples.")
    b, inner = target.shape[0], tuple(target.shape[1:])
    n = int(np.prod(inner))
    seeds = np.broadcast_to(np.eye(n, dtype=target.value.dtype).reshape((n, 1) + inner), (n, b) + inner)
    g, = seeds_of(tape, target, [source], seeds)
    shape = (b,) + inner + tuple(source.shape[1:])
    if g is None:
        return Tensor(np.zeros(shape, source.dtype.as_numpy_dtype))      # zeros, as in TensorFlow, whatever was asked for
    from .ops.shaping import transpose
    return reshaped(transpose(g, perm=(1, 0) + tuple(range(2, len(source.shape) + 1))), shape)


def one_tensor(target):
    """Return the target of a Jacobian as a tensor. Raises AttributeError for a structure and for NumPy's arrays."""
    if not isinstance(target, (Tensor, Variable)):
        raise AttributeError(f"The target of a Jacobian must be one tensor: {type(target).__name__!r} object has no attribute 'dtype'.")
    return convert_to_tensor(target)


def seeds_of(tape, target, sources, seeds):
    """Return the adjoints of the sources for a batch of seeds, the batch as first axis; None where not connected."""
    persistent, inside = tape._persistent, tape._recording
    if inside and not persistent:
        tape._stop()
    if active.get():                       # an outer tape listens: one recorded play per seed
        tape._persistent = True
        try:
            plays = []
            for seed in seeds:
                play = Play(tape, target, sources, Tensor(seed[()] if not seed.ndim else seed))
                deque(play.parts(), maxlen=0)
                plays.append(play.results())
        finally:
            tape._persistent = persistent
        if not persistent:
            play.release()
        from .ops.shaping import stack
        return [None if column[0] is None else stack(*column, axis=0) for column in zip(*plays)]
    play = Play(tape, target, sources, seeds=[(target.id, np.ascontiguousarray(seeds))])
    deque(play.parts(), maxlen=0)
    play.release()
    return play.results()


def reshaped(tensor, shape):
    """Return the tensor in another shape, recorded where a tape listens."""
    from .ops.shaping import reshape
    return reshape(tensor, shape=shape)
