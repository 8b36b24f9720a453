"""In JAX, each program compiled as a whole by `jax.jit`."""

import jax
import jax.numpy as jnp
from jax import lax

from . import numbers
from .numbers import RATE


def ready(compiled, *arguments):
    """Return a run that waits for its result."""
    return lambda: jax.block_until_ready(compiled(*arguments))


def chain(n):
    """n scalar operations, half of them calls of tanh."""

    def f(x, c, d):
        y = x
        for _ in range(n // 4):
            y = jnp.tanh(y * c)
            y = jnp.tanh(y + d)
        return y

    return ready(jax.jit(jax.value_and_grad(f)), *map(jnp.float32, (1.0, 1.5, 0.1)))


def small_mlp(batch):
    """A 2-16-16-1 network with tanh and mean squared error: the loss and its gradients."""
    x, t, w = numbers.small_mlp(batch)

    def f(w, x, t):
        h = jnp.tanh(x @ w[0] + w[1])
        h = jnp.tanh(h @ w[2] + w[3])
        return jnp.mean((h @ w[4] + w[5] - t) ** 2)

    return ready(
        jax.jit(jax.value_and_grad(f)), [jnp.asarray(v) for v in w], jnp.asarray(x), jnp.asarray(t)
    )


def cross_entropy(logits, labels):
    """Return the mean softmax cross-entropy."""
    chosen = jnp.take_along_axis(logits, labels[:, None], 1)[:, 0]
    return jnp.mean(jax.nn.logsumexp(logits, axis=1) - chosen)


def trained(f, x, labels, weights):
    """Return one SGD step of a loss f(weights, x, labels); each run begins with the weights that
    the one before left.
    """

    @jax.jit
    def step(w, x, labels):
        loss, g = jax.value_and_grad(f)(w, x, labels)
        return loss, [v - RATE * d for v, d in zip(w, g)]

    x, labels, w = jnp.asarray(x), jnp.asarray(labels), [jnp.asarray(v) for v in weights]

    def run():
        nonlocal w
        loss, w = jax.block_until_ready(step(w, x, labels))
        return loss

    return run


def mlp(batch):
    """One SGD step of a 784-128-10 network."""

    def f(w, x, labels):
        return cross_entropy(jax.nn.relu(x @ w[0] + w[1]) @ w[2] + w[3], labels)

    return trained(f, *numbers.mlp(batch))


def cnn(batch):
    """One SGD step of conv 5x5x8, pool, conv 5x5x16, pool, dense 10, with zeros around the images."""

    def convolved(x, kernel, bias):
        y = lax.conv_general_dilated(
            x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        return lax.reduce_window(
            jax.nn.relu(y + bias), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"
        )

    def f(w, x, labels):
        h = convolved(convolved(x, w[0], w[1]), w[2], w[3])
        return cross_entropy(h.reshape(batch, 784) @ w[4] + w[5], labels)

    return trained(f, *numbers.cnn(batch))


def elementwise(n):
    """A chain of elementwise operations on n numbers: its sum of squares and the gradient."""

    def f(x):
        y = jnp.tanh(x * 2 + 1)
        y = jax.nn.sigmoid(y) * jnp.exp(-y * y) + y
        return (y * y).sum()

    return ready(jax.jit(jax.value_and_grad(f)), jnp.asarray(numbers.vector(n)))


def softmax(n):
    """The mean softmax cross-entropy of n x n logits, and its gradient."""
    return ready(jax.jit(jax.value_and_grad(cross_entropy)), *map(jnp.asarray, numbers.classes(n)))


def layer_norm(n):
    """The layer normalisation of n x n numbers, and its three gradients."""

    def f(x, gamma, beta):
        centred = x - x.mean(1, keepdims=True)
        return centred * lax.rsqrt((centred * centred).mean(1, keepdims=True) + 1e-3) * gamma + beta

    @jax.jit
    def both(x, gamma, beta, seed):
        y, backward = jax.vjp(f, x, gamma, beta)
        return y, backward(seed)

    return ready(both, *map(jnp.asarray, numbers.layer_norm(n)))


def embedding(ids, rows, width):
    """Rows of a table that are looked up, and the table's gradient."""

    @jax.jit
    def both(table, places, seed):
        y, backward = jax.vjp(lambda t: t[places], table)
        return y, backward(seed)[0]

    return ready(both, *map(jnp.asarray, numbers.embedding(ids, rows, width)))


def jacobian(n):
    """The Jacobian of tanh(W x + b) with respect to x."""
    w, b, x = map(jnp.asarray, numbers.jacobian(n))
    return ready(jax.jit(jax.jacrev(lambda x, w, b: jnp.tanh(w @ x + b))), x, w, b)


def hessian(n):
    """The Hessian of the Rosenbrock function."""

    def f(v):
        a, b = v[:-1], v[1:]
        return (100.0 * (b - a**2) ** 2 + (1.0 - a) ** 2).sum()

    return ready(jax.jit(jax.hessian(f)), jnp.asarray(numbers.hessian(n)))


small_mlp_layers, mlp_layers, cnn_layers, layer_norm_layers = small_mlp, mlp, cnn, layer_norm
