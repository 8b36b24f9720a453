"""By hand, in NumPy or plain Python: the floor. The same mathematics, as fast as we could, with
everything in place.
"""

import math

import numpy as np

from . import numbers
from .imports import importing
from .numbers import RATE, F


def operators(n):
    """n scalar operations, written as operators."""

    def run():
        y = 1.0
        for _ in range(n // 2):
            y = y * 1.0001
            y = y + 0.0001
        g = 1.0
        for _ in range(n // 2):
            g = g * 1.0001
        return y, g

    return run


def chain(n):
    """n scalar operations, half of them calls of tanh."""

    def run():
        y, kept = 1.0, []
        for _ in range(n // 4):
            y = math.tanh(y * 1.5)
            kept.append(y)
            y = math.tanh(y + 0.1)
            kept.append(y)
        g = 1.0
        for i in range(len(kept) - 1, 0, -2):
            g *= 1 - kept[i] * kept[i]
            g *= (1 - kept[i - 1] * kept[i - 1]) * 1.5
        return y, g

    return run


def scalar_network(batch):
    """A 2-16-16-1 network with a hinge loss, number by number, forward and backward."""
    points, labels, layers = numbers.scalar_network(batch)

    def run():
        total = 0.0
        slopes = [
            ([[0.0] * len(row) for row in rows], [0.0] * len(biases)) for rows, biases in layers
        ]
        for point, label in zip(points, labels):
            values = [point]
            for rows, biases in layers:
                sums = [
                    sum([w * v for w, v in zip(row, values[-1])], b) for row, b in zip(rows, biases)
                ]
                values.append([s if s > 0 else 0.0 for s in sums])
            margin = 1 - label * sums[0]
            if margin <= 0:
                continue
            total += margin
            adjoints = [-label / len(points)]
            for (rows, _), (row_slopes, bias_slopes), inputs in zip(
                layers[::-1], slopes[::-1], values[-2::-1]
            ):
                further = [0.0] * len(inputs)
                for j, g in enumerate(adjoints):
                    if g:
                        bias_slopes[j] += g
                        row, row_slope = rows[j], row_slopes[j]
                        for i, v in enumerate(inputs):
                            row_slope[i] += g * v
                            further[i] += g * row[i]
                adjoints = [g if v > 0 else 0.0 for g, v in zip(further, inputs)]
        flat = [g for rows, biases in slopes for g in [g for row in rows for g in row] + biases]
        return total / len(points), flat

    return run


def small_mlp(batch):
    """A 2-16-16-1 network with tanh and mean squared error: the loss and its gradients."""
    x, t, w = numbers.small_mlp(batch)

    def run():
        h1 = np.tanh(x @ w[0] + w[1])
        h2 = np.tanh(h1 @ w[2] + w[3])
        d = h2 @ w[4] + w[5] - t
        loss = np.mean(d * d)
        g = d * F(2 / batch)
        g2 = (g @ w[4].T) * (1 - h2 * h2)
        g1 = (g2 @ w[2].T) * (1 - h1 * h1)
        return loss, x.T @ g1, g1.sum(0), h1.T @ g2, g2.sum(0), h2.T @ g, g.sum(0)

    return run


def cross_entropy(logits, labels):
    """Return the mean loss and its gradient with respect to the logits, which are overwritten."""
    n = np.arange(len(labels))
    logits -= logits.max(1, keepdims=True)
    chosen = logits[n, labels]
    p = np.exp(logits, out=logits)
    total = p.sum(1, keepdims=True)
    loss = (np.log(total[:, 0]) - chosen).mean()
    p /= total
    p[n, labels] -= 1
    p /= F(len(labels))
    return loss, p


def descend(pairs):
    """Take one step of SGD; the gradients are overwritten."""
    for w, d in pairs:
        d *= F(RATE)
        w -= d


def mlp(batch):
    """One SGD step of a 784-128-10 network."""
    x, labels, (w1, b1, w2, b2) = numbers.mlp(batch)

    def run():
        h = x @ w1
        h += b1
        np.maximum(h, 0, out=h)
        z = h @ w2
        z += b2
        loss, dz = cross_entropy(z, labels)
        dw2, db2 = h.T @ dz, dz.sum(0)
        dh = dz @ w2.T
        dh *= h > 0
        descend(((w1, x.T @ dh), (b1, dh.sum(0)), (w2, dw2), (b2, db2)))
        return loss

    return run


def columns(x, k):
    """Return all k x k windows of x, with zeros around it, as rows of a matrix."""
    n, h, w, c = x.shape
    p = np.zeros((n, h + k - 1, w + k - 1, c), F)
    p[:, k // 2 : k // 2 + h, k // 2 : k // 2 + w] = x
    s = p.strides
    v = np.lib.stride_tricks.as_strided(
        p, (n, h, w, k, k, c), (*s[:3], s[1], s[2], s[3]), writeable=False
    )
    return v.reshape(n * h * w, k * k * c)


def pool(x):
    """Return the largest of each 2 x 2 window, and the four numbers of each."""
    places = [x[:, i::2, j::2] for i in (0, 1) for j in (0, 1)]
    return np.maximum(np.maximum(places[0], places[1]), np.maximum(places[2], places[3])), places


def unpool(g, y, places, shape):
    """Return the gradient of the pooling: the first largest number of each window gets all."""
    out = np.empty(shape, F)
    free = None
    for place, (i, j) in zip(places, ((0, 0), (0, 1), (1, 0), (1, 1))):
        won = place == y
        if free is not None:
            won &= free
        np.multiply(g, won, out=out[:, i::2, j::2])
        free = ~won if free is None else free & ~won
    return out


def cnn(batch):
    """One SGD step of conv 5x5x8, pool, conv 5x5x16, pool, dense 10, with zeros around the images;
    im2col throughout.
    """
    x, labels, (k1, b1, k2, b2, w, b) = numbers.cnn(batch)
    k1, k2 = k1.reshape(25, 8), k2.reshape(200, 16)

    def convolved(x, kernel, bias):
        windows = columns(x, 5)
        a = windows @ kernel
        a += bias
        np.maximum(a, 0, out=a)
        return windows, a.reshape(*x.shape[:3], -1)

    def run():
        windows1, a1 = convolved(x, k1, b1)
        p1, places1 = pool(a1)
        windows2, a2 = convolved(p1, k2, b2)
        p2, places2 = pool(a2)
        f = p2.reshape(batch, -1)
        z = f @ w
        z += b
        loss, dz = cross_entropy(z, labels)
        dw, db = f.T @ dz, dz.sum(0)
        d2 = unpool((dz @ w.T).reshape(p2.shape), p2, places2, a2.shape)
        d2 *= a2 > 0
        turned = k2.reshape(5, 5, 8, 16)[::-1, ::-1].transpose(0, 1, 3, 2).reshape(400, 8)
        dp1 = (columns(d2, 5) @ turned).reshape(p1.shape)
        d1 = unpool(dp1, p1, places1, a1.shape)
        d1 *= a1 > 0
        d1, d2 = d1.reshape(-1, 8), d2.reshape(-1, 16)
        descend(
            (
                (k1, windows1.T @ d1),
                (b1, d1.sum(0)),
                (k2, windows2.T @ d2),
                (b2, d2.sum(0)),
                (w, dw),
                (b, db),
            )
        )
        return loss

    return run


def elementwise(n):
    """A chain of elementwise operations on n numbers: its sum of squares and the gradient."""
    x = numbers.vector(n)
    one = F(1)

    def run():
        y = np.tanh(x * 2 + one)
        s = one / (one + np.exp(-y))
        e = np.exp(-y * y)
        p = s * e
        z = p + y
        dz = 2 * z
        return (z * z).sum(), dz * (e * s * (one - s) - 2 * y * p + one) * (one - y * y) * 2

    return run


def softmax(n):
    """The mean softmax cross-entropy of n x n logits, and its gradient."""
    x, labels = numbers.classes(n)
    return lambda: cross_entropy(x.copy(), labels)


def layer_norm(n):
    """The layer normalisation of n x n numbers, and its three gradients."""
    x, gamma, beta, seed = numbers.layer_norm(n)

    def run():
        centred = x - x.mean(1, keepdims=True)
        r = 1 / np.sqrt(np.einsum("ij,ij->i", centred, centred)[:, None] / F(n) + F(1e-3))
        centred *= r
        y = centred * gamma
        y += beta
        dgamma, dbeta = np.einsum("ij,ij->j", seed, centred), seed.sum(0)
        g = seed * gamma
        mean, along = g.mean(1, keepdims=True), np.einsum("ij,ij->i", g, centred)[:, None] / F(n)
        g -= mean
        centred *= along
        g -= centred
        g *= r
        return y, g, dgamma, dbeta

    return run


def embedding(ids, rows, width):
    """Rows of a table that are looked up, and the table's gradient."""
    table, places, seed = numbers.embedding(ids, rows, width)

    def run():
        y = table[places]
        order = np.argsort(places, kind="stable")
        found = places[order]
        starts = np.flatnonzero(np.r_[True, found[1:] != found[:-1]])
        out = np.zeros_like(table)
        out[found[starts]] = np.add.reduceat(seed[order], starts)
        return y, out

    return run


def jacobian(n):
    """The Jacobian of tanh(W x + b) with respect to x."""
    w, b, x = numbers.jacobian(n)

    def run():
        y = np.tanh(w @ x + b)
        return (1 - y * y)[:, None] * w

    return run


def hessian(n):
    """The Hessian of the Rosenbrock function."""
    x = numbers.hessian(n)

    def run():
        a, b = x[:-1], x[1:]
        main = np.zeros(n, F)
        main[:-1] = 1200 * a * a - 400 * b + 2
        main[1:] += 200
        out = np.zeros((n, n), F)
        flat = out.ravel()
        flat[:: n + 1] = main
        flat[1 :: n + 1] = flat[n :: n + 1] = -400 * a
        return out

    return run


def imported():
    """`import numpy` in a fresh interpreter."""
    return importing("numpy")


# There are no layers by hand.
small_mlp_layers, mlp_layers, cnn_layers, layer_norm_layers = small_mlp, mlp, cnn, layer_norm
