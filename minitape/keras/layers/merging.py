"""Layers that take several tensors and give one: sums, products, the largest, side by side."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from ...api.reductions import l2_normalize
from ...engine.base.tensor import Tensor
from ...engine.operators import fit
from ...engine.ops import arithmetic, linear_algebra, reductions, shaping
from ...engine.ops.record import run
from ...typing import TensorLike
from .base import Layer


class _Merge(Layer):
    """What all of them share: a list of at least two tensors comes in. `two` combines two, where
    any number may come.
    """

    two: Callable[[Any, Any], Tensor]

    def __init__(self, **kwargs: Any) -> None:  # as in Keras: an argument by place is refused
        super().__init__(**kwargs)

    def call(self, inputs: Sequence[Tensor]) -> Tensor:
        """Return the tensors combined."""
        if not isinstance(inputs, (list, tuple)) or len(inputs) < 2:
            raise ValueError(
                "A merge layer should be called on a list of at least 2 inputs. Received: "
                f"{inputs!r}"
            )
        return self.combine(inputs)

    def combine(self, xs: Sequence[Tensor]) -> Tensor:
        """Combine two or more tensors, example by example."""
        y, *others = by_example(xs)
        for x in others:
            y = self.two(y, x)
        return y


def by_example(xs: Sequence[Tensor]) -> list[Tensor]:
    """Return the tensors with equally many axes, as Keras does it: new axes stand behind that of
    the examples.

    Raises ValueError where what belongs to one example does not fit together.
    """
    most = max([x.ndim for x in xs])
    for x in xs[1:]:
        shapes = [t.value.shape[1:] for t in (xs[0], x)]
        if not fit(*shapes):
            raise ValueError(
                f"Inputs have incompatible shapes. Received shapes {shapes[0]} and {shapes[1]}, "
                "without the axis of the "
                "examples."
            )
    return [
        x
        if x.ndim == most
        else shaping.reshape(
            x, shape=x.value.shape[:1] + (1,) * (most - x.ndim) + x.value.shape[1:]
        )
        for x in xs
    ]


class Add(_Merge):
    """The sum. Shape: tensors of one shape (n, ...) -> (n, ...). Source: `keras.layers.Add`."""

    two = staticmethod(operator.add)


class Multiply(_Merge):
    """The product. Shape: tensors of one shape (n, ...) -> (n, ...). Source:
    `keras.layers.Multiply`.
    """

    two = staticmethod(operator.mul)


class Maximum(_Merge):
    """The largest. Shape: tensors of one shape (n, ...) -> (n, ...). Source:
    `keras.layers.Maximum`.
    """

    two = staticmethod(arithmetic.maximum)


class Average(Add):
    """The mean. Shape: tensors of one shape (n, ...) -> (n, ...). Source: `keras.layers.Average`."""

    def combine(self, xs: Sequence[Tensor]) -> Tensor:
        """Return the sum over the number."""
        return super().combine(xs) / len(xs)


class Subtract(_Merge):
    """The difference of two. Shape: tensors of one shape (n, ...) -> (n, ...). Source:
    `keras.layers.Subtract`.
    """

    def combine(self, xs: Sequence[Tensor]) -> Tensor:
        """Return the first minus the second."""
        if len(xs) != 2:
            raise ValueError(
                f"A `Subtract` layer should be called on exactly 2 inputs. Received: {len(xs)}"
            )
        a, b = by_example(xs)
        return a - b


class Concatenate(_Merge):
    """Side by side along `axis`. Shape: (n, ..., a), (n, ..., b) -> (n, ..., a + b). Source:
    `keras.layers.Concatenate`.
    """

    def __init__(self, axis: int = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = axis

    def combine(self, xs: Sequence[Tensor]) -> Tensor:
        """Return one longer tensor. Raises ValueError where other axes differ as well."""
        shapes = [x.value.shape for x in xs]
        others = {
            tuple([n for k, n in enumerate(shape) if k != self.axis % len(shape)])
            for shape in shapes
            if shape
        }
        if len(others) > 1 or len({len(shape) for shape in shapes}) > 1:
            raise ValueError(
                "A `Concatenate` layer requires inputs with matching shapes except for the "
                "concatenation axis. Received: "
                f"input_shape={shapes}"
            )
        return shaping.concat(*xs, axis=self.axis)


class Dot(_Merge):
    """Sums of products along one axis of each. Shape: (n, ..., k) and (n, k, ...) -> (n, ..., ...).
    Source: `keras.layers.Dot`.
    """

    def __init__(self, axes: Any, normalize: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axes, self.normalize = axes, normalize

    def combine(self, xs: Sequence[Tensor]) -> Tensor:
        """Return the products, per example."""
        a, b = xs
        i, j = (self.axes, self.axes) if isinstance(self.axes, int) else self.axes
        i, j = i % a.ndim, j % b.ndim
        if self.normalize:
            a, b = l2_normalize(a, i), l2_normalize(b, j)
        if a.ndim == b.ndim == 2:
            return reductions.reduce_sum(a * b, axis=1, keepdims=True)
        order_a = [k for k in range(a.ndim) if k != i] + [i]
        order_b = [0, j] + [k for k in range(1, b.ndim) if k != j]
        left, right = (
            shaping.transpose(a, perm=tuple(order_a)),
            shaping.transpose(b, perm=tuple(order_b)),
        )
        outer_a, outer_b = left.value.shape[1:-1], right.value.shape[2:]
        n, inner = left.value.shape[0], left.value.shape[-1]
        y = run(
            linear_algebra.matmul,
            (
                shaping.reshape(left, shape=(n, -1, inner)),
                shaping.reshape(right, shape=(n, inner, -1)),
            ),
        )
        return shaping.reshape(y, shape=(n, *outer_a, *outer_b))


def add(inputs: Sequence[TensorLike], **kwargs: Any) -> Any:
    """Return the sum of tensors. Shape: tensors of one shape (n, ...) -> (n, ...)."""
    return Add(**kwargs)(inputs)


def concatenate(inputs: Sequence[TensorLike], axis: int = -1, **kwargs: Any) -> Any:
    """Return tensors side by side. Shape: (n, ..., a), (n, ..., b) -> (n, ..., a + b)."""
    return Concatenate(axis, **kwargs)(inputs)
