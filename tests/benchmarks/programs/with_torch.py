"""In PyTorch, run eagerly, on one thread."""

import torch
from torch.nn import Conv2d, Flatten, Linear, MaxPool2d, ReLU, Sequential, Tanh, functional

from . import numbers
from .imports import importing
from .numbers import RATE

torch.set_num_threads(1)


def source(array):
    """Return a tensor whose gradient is asked for."""
    return torch.tensor(array, requires_grad=True)


def operators(n):
    """n scalar operations, written as operators."""
    c, d = torch.tensor(1.0001), torch.tensor(0.0001)

    def run():
        y = x = source(1.0)
        for _ in range(n // 2):
            y = y * c
            y = y + d
        y.backward()
        return y, x.grad

    return run


def chain(n):
    """n scalar operations, half of them calls of tanh."""
    c, d = torch.tensor(1.5), torch.tensor(0.1)

    def run():
        y = x = source(1.0)
        for _ in range(n // 4):
            y = torch.tanh(y * c)
            y = torch.tanh(y + d)
        y.backward()
        return y, x.grad

    return run


def scalar_network(batch):
    """A 2-16-16-1 network with a hinge loss, number by number."""
    points, labels, layers = numbers.scalar_network(batch)
    layers = [
        ([[source(w) for w in row] for row in rows], [source(b) for b in biases])
        for rows, biases in layers
    ]
    weights = [v for rows, biases in layers for v in [w for row in rows for w in row] + biases]

    def run():
        for w in weights:
            w.grad = None
        loss = numbers.scalar_loss(layers, points, labels, torch.relu)
        loss.backward()
        return loss, [w.grad if w.grad is not None else 0.0 for w in weights]

    return run


def small_mlp(batch):
    """A 2-16-16-1 network with tanh and mean squared error: the loss and its gradients."""
    x, t, w = numbers.small_mlp(batch)
    x, t, w = torch.tensor(x), torch.tensor(t), [source(v) for v in w]

    def run():
        h = torch.tanh(x @ w[0] + w[1])
        h = torch.tanh(h @ w[2] + w[3])
        loss = ((h @ w[4] + w[5] - t) ** 2).mean()
        return loss, torch.autograd.grad(loss, w)

    return run


def filled(model, weights):
    """Give a model the weights: kernels as PyTorch has them, outputs first."""
    with torch.no_grad():
        for parameter, w in zip(model.parameters(), weights, strict=True):
            parameter.copy_(
                torch.tensor(w.T if w.ndim == 2 else w.transpose(3, 2, 0, 1) if w.ndim == 4 else w)
            )
    return model


def small_mlp_layers(batch):
    """The same network of Linear layers."""
    x, t, w = numbers.small_mlp(batch)
    x, t = torch.tensor(x), torch.tensor(t)
    model = filled(Sequential(Linear(2, 16), Tanh(), Linear(16, 16), Tanh(), Linear(16, 1)), w)
    parameters, loss_fn = list(model.parameters()), torch.nn.MSELoss()

    def run():
        loss = loss_fn(model(x), t)
        return loss, torch.autograd.grad(loss, parameters)

    return run


def descend(loss, weights):
    """Take one step of SGD."""
    gradients = torch.autograd.grad(loss, weights)
    with torch.no_grad():
        for w, g in zip(weights, gradients):
            w -= RATE * g


def mlp(batch):
    """One SGD step of a 784-128-10 network."""
    x, labels, w = numbers.mlp(batch)
    x, labels, w = torch.tensor(x), torch.tensor(labels), [source(v) for v in w]

    def run():
        h = torch.relu(x @ w[0] + w[1])
        loss = functional.cross_entropy(h @ w[2] + w[3], labels)
        descend(loss, w)
        return loss

    return run


def trained(model, x, labels):
    """Return one SGD step of a model, the loop that most people write."""
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
    x, labels = torch.tensor(x), torch.tensor(labels)

    def run():
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(x), labels)
        loss.backward()
        optimizer.step()
        return loss

    return run


def mlp_layers(batch):
    """The same step of a module and an optimizer."""
    x, labels, w = numbers.mlp(batch)
    return trained(filled(Sequential(Linear(784, 128), ReLU(), Linear(128, 10)), w), x, labels)


def channels_first(batch):
    """Return the numbers of the CNN as PyTorch has them: channels before places, and the dense
    weights in that order.
    """
    x, labels, w = numbers.cnn(batch)
    w[4] = w[4].reshape(7, 7, 16, 10).transpose(2, 0, 1, 3).reshape(784, 10)
    return x.transpose(0, 3, 1, 2).copy(), labels, w


def cnn(batch):
    """One SGD step of conv 5x5x8, pool, conv 5x5x16, pool, dense 10, with zeros around the images."""
    x, labels, w = channels_first(batch)
    x, labels = torch.tensor(x), torch.tensor(labels)
    w = [source(v.transpose(3, 2, 0, 1).copy() if v.ndim == 4 else v) for v in w]

    def run():
        h = torch.relu(functional.conv2d(x, w[0], w[1], padding="same"))
        h = functional.max_pool2d(h, 2)
        h = torch.relu(functional.conv2d(h, w[2], w[3], padding="same"))
        h = functional.max_pool2d(h, 2)
        loss = functional.cross_entropy(h.reshape(batch, 784) @ w[4] + w[5], labels)
        descend(loss, w)
        return loss

    return run


def cnn_layers(batch):
    """The same step of a module and an optimizer."""
    x, labels, w = channels_first(batch)
    model = Sequential(
        Conv2d(1, 8, 5, padding="same"),
        ReLU(),
        MaxPool2d(2),
        Conv2d(8, 16, 5, padding="same"),
        ReLU(),
        MaxPool2d(2),
        Flatten(),
        Linear(784, 10),
    )
    return trained(filled(model, w), x, labels)


def elementwise(n):
    """A chain of elementwise operations on n numbers: its sum of squares and the gradient."""
    x = source(numbers.vector(n))

    def run():
        x.grad = None
        y = torch.tanh(x * 2 + 1)
        y = torch.sigmoid(y) * torch.exp(-y * y) + y
        loss = (y * y).sum()
        loss.backward()
        return loss, x.grad

    return run


def softmax(n):
    """The mean softmax cross-entropy of n x n logits, and its gradient."""
    x, labels = numbers.classes(n)
    x, labels = source(x), torch.tensor(labels)

    def run():
        x.grad = None
        loss = functional.cross_entropy(x, labels)
        loss.backward()
        return loss, x.grad

    return run


def layer_norm(n):
    """The layer normalisation of n x n numbers in bare operations, and its three gradients."""
    x, gamma, beta, seed = numbers.layer_norm(n)
    x, gamma, beta, seed = source(x), source(gamma), source(beta), torch.tensor(seed)

    def run():
        centred = x - x.mean(1, keepdim=True)
        variance = (centred * centred).mean(1, keepdim=True)
        y = centred * torch.rsqrt(variance + 1e-3) * gamma + beta
        return y, torch.autograd.grad(y, [x, gamma, beta], seed)

    return run


def layer_norm_layers(n):
    """The same as one operation of the library, as its layer runs it."""
    x, gamma, beta, seed = numbers.layer_norm(n)
    x, gamma, beta, seed = source(x), source(gamma), source(beta), torch.tensor(seed)

    def run():
        y = functional.layer_norm(x, (n,), gamma, beta, 1e-3)
        return y, torch.autograd.grad(y, [x, gamma, beta], seed)

    return run


def embedding(ids, rows, width):
    """Rows of a table that are looked up, and the table's gradient."""
    table, places, seed = numbers.embedding(ids, rows, width)
    table, places, seed = source(table), torch.tensor(places), torch.tensor(seed)

    def run():
        table.grad = None
        y = functional.embedding(places, table)
        y.backward(seed)
        return y, table.grad

    return run


def jacobian(n):
    """The Jacobian of tanh(W x + b) with respect to x."""
    w, b, x = map(torch.tensor, numbers.jacobian(n))
    return lambda: torch.autograd.functional.jacobian(
        lambda v: torch.tanh(w @ v + b), x, vectorize=True
    )


def hessian(n):
    """The Hessian of the Rosenbrock function."""
    x = torch.tensor(numbers.hessian(n))

    def f(v):
        a, b = v[:-1], v[1:]
        return (100.0 * (b - a**2) ** 2 + (1.0 - a) ** 2).sum()

    return lambda: torch.autograd.functional.hessian(f, x, vectorize=True)


def imported():
    """`import torch` in a fresh interpreter."""
    return importing("torch")
