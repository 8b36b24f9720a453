"""The numbers that the programs begin with: the same for every library, from one seed, in float32."""

import numpy as np

F = np.float32
RATE = 0.01  # of every SGD step


def normal(rng, *shape, scale=1.0):
    """Return normal numbers, float32."""
    return (rng.standard_normal(shape) * scale).astype(F)


def weights(rng, *shapes):
    """Return for each shape what a layer begins with: a matrix scaled by its rows, or a bias of
    zeros.
    """
    return [
        normal(rng, *s, scale=(2 / np.prod(s[:-1])) ** 0.5) if len(s) > 1 else np.zeros(s, F)
        for s in shapes
    ]


def small_mlp(batch):
    """Return inputs, targets and weights of a 2-16-16-1 network."""
    rng = np.random.default_rng(0)
    return (
        normal(rng, batch, 2),
        normal(rng, batch, 1),
        weights(rng, (2, 16), (16,), (16, 16), (16,), (16, 1), (1,)),
    )


def mlp(batch):
    """Return images, labels and weights of a 784-128-10 network."""
    rng = np.random.default_rng(0)
    return (
        normal(rng, batch, 784),
        rng.integers(0, 10, batch),
        weights(rng, (784, 128), (128,), (128, 10), (10,)),
    )


def cnn(batch):
    """Return images, labels and weights of conv 5x5x8, pool, conv 5x5x16, pool, dense 10; kernels
    as TensorFlow has them.
    """
    rng = np.random.default_rng(0)
    shapes = (5, 5, 1, 8), (8,), (5, 5, 8, 16), (16,), (784, 10), (10,)
    return normal(rng, batch, 28, 28, 1), rng.integers(0, 10, batch), weights(rng, *shapes)


def scalar_network(batch):
    """Return points, labels of -1 and 1, and layers as lists of Python's numbers: (rows of weights,
    biases) for each.
    """
    x, t, w = small_mlp(batch)
    layers = [(w[i].T.tolist(), w[i + 1].tolist()) for i in (0, 2, 4)]
    return x.tolist(), [1.0 if v > 0 else -1.0 for v in t[:, 0]], layers


def scalar_loss(layers, points, labels, relu):
    """Return the mean hinge loss of a network that is computed number by number, whatever the
    numbers are.

    Every library with numbers of its own runs these lines.
    """
    total = 0.0
    for values, label in zip(points, labels):
        for rows, biases in layers:
            sums = [
                sum((w * v for w, v in zip(row, values)), bias) for row, bias in zip(rows, biases)
            ]
            values = [relu(s) for s in sums]
        total = total + relu(sums[0] * -label + 1.0)
    return total * (1 / len(points))


def vector(n):
    """Return n numbers."""
    return normal(np.random.default_rng(0), n)


def classes(n):
    """Return n x n logits and n labels."""
    rng = np.random.default_rng(0)
    return normal(rng, n, n), rng.integers(0, n, n)


def layer_norm(n):
    """Return n x n inputs, scale, offset, and the adjoint of the result."""
    rng = np.random.default_rng(0)
    return normal(rng, n, n), normal(rng, n), normal(rng, n), normal(rng, n, n)


def embedding(ids, rows, width):
    """Return a table, the ids that are looked up, and the adjoint of the result."""
    rng = np.random.default_rng(0)
    return normal(rng, rows, width), rng.integers(0, rows, ids), normal(rng, ids, width)


def jacobian(n):
    """Return the matrix, the bias and the point of tanh(W x + b)."""
    rng = np.random.default_rng(0)
    return normal(rng, n, n, scale=0.3), normal(rng, n), normal(rng, n)


def hessian(n):
    """Return the point at which the Rosenbrock function is looked at."""
    return np.linspace(-1, 1, n).astype(F)
