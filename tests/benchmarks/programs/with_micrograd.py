"""In micrograd, whose `Value` has no tanh: it is written here as one writes an operation there."""

import math
import sys

from micrograd.engine import Value

from . import numbers


def tanh(x):
    """Return tanh of a Value."""
    t = math.tanh(x.data)
    y = Value(t, (x,), "tanh")

    def backward():
        x.grad += (1 - t * t) * y.grad

    y._backward = backward
    return y


def operators(n):
    """n scalar operations, written as operators."""
    sys.setrecursionlimit(10 * n + 10_000)

    def run():
        x, c, d = Value(1.0), Value(1.0001), Value(0.0001)
        y = x
        for _ in range(n // 2):
            y = y * c
            y = y + d
        y.backward()
        return y.data, x.grad

    return run


def chain(n):
    """n scalar operations, half of them calls of tanh."""
    sys.setrecursionlimit(10 * n + 10_000)

    def run():
        x, c, d = Value(1.0), Value(1.5), Value(0.1)
        y = x
        for _ in range(n // 4):
            y = tanh(y * c)
            y = tanh(y + d)
        y.backward()
        return y.data, x.grad

    return run


def scalar_network(batch):
    """A 2-16-16-1 network with a hinge loss, number by number."""
    sys.setrecursionlimit(100_000)
    points, labels, layers = numbers.scalar_network(batch)
    layers = [
        ([[Value(w) for w in row] for row in rows], [Value(b) for b in biases])
        for rows, biases in layers
    ]
    values = [v for rows, biases in layers for v in [w for row in rows for w in row] + biases]

    def run():
        for v in values:
            v.grad = 0.0
        loss = numbers.scalar_loss(layers, points, labels, Value.relu)
        loss.backward()
        return loss.data, [v.grad for v in values]

    return run
