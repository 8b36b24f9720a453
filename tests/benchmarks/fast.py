"""Rows about the fast path: numba's kernels switched on, and whole functions compiled by `tf.function`.

These rows come last, because the kernels stay switched on once a row has asked for them. Without numba they are left
out. Peers: PyTorch eager for the kernels, `jax.jit` for what is compiled as a whole.
"""

import numpy as np

import minitape as tf
from minitape import fast

from . import nets
from .engine import installed


def with_kernels(make, whole=False):
    """Return a row's maker that switches the fast path on first; with `whole`, minitape's step is a `tf.function`."""
    def made():
        fast.enable()
        found = make()
        if whole:
            found["minitape"] = tf.function(found["minitape"])
        return found
    return made


def elementwise_chain(n=1_000_000):
    """Return the candidates for a chain of elementwise operations on n numbers, forward and backward."""
    fast.enable()
    x = np.random.default_rng(0).standard_normal(n, np.float32)
    tx = tf.constant(x)

    def chain(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.tanh(x * 2.0 + 1.0)
            y = tf.sigmoid(y) * tf.exp(-y * y) + y
            loss = tf.reduce_sum(y * y)
        return loss, tape.gradient(loss, x)

    compiled = tf.function(chain, jit_compile=True)
    one = np.float32(1)

    def by_hand():
        y = np.tanh(x * 2 + one)
        s = one / (one + np.exp(-y))
        e = np.exp(-y * y)
        p = s * e
        z = p + y
        dz = 2 * z
        return (z * z).sum(), dz * (e * s * (one - s) - 2 * y * p + one) * (one - y * y) * 2

    found = {"minitape": lambda: compiled(tx), "minitape eager": lambda: chain(tx), "numpy": by_hand}
    if installed("torch"):
        import torch
        px = torch.tensor(x, requires_grad=True)

        def torch_eager():
            px.grad = None
            y = torch.tanh(px * 2 + 1)
            y = torch.sigmoid(y) * torch.exp(-y * y) + y
            (y * y).sum().backward()
            return px.grad
        found["torch"] = torch_eager
    if installed("jax"):
        import jax
        import jax.numpy as jnp

        def f(x):
            y = jnp.tanh(x * 2 + 1)
            y = jax.nn.sigmoid(y) * jnp.exp(-y * y) + y
            return (y * y).sum()
        step, jx = jax.jit(jax.value_and_grad(f)), jnp.asarray(x)
        found["jax.jit"] = lambda: jax.block_until_ready(step(jx))
    return found


def scalar_chain(n=1000):
    """Return the candidates for n scalar operations compiled as a whole, forward and backward."""
    c, d, x = tf.constant(1.0001), tf.constant(0.0001), tf.constant(1.0)

    def chain(x, c, d):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(n // 4):
                y = tf.tanh(y * c)
                y = y + d
                y = y * c
        return y, tape.gradient(y, x)

    machine = tf.function(chain, jit_compile=True)
    found = {"minitape": lambda: machine(x, c, d), "minitape eager": lambda: chain(x, c, d)}
    if installed("jax"):
        import jax
        import jax.numpy as jnp

        def f(x, c, d):
            y = x
            for _ in range(n // 4):
                y = jnp.tanh(y * c)
                y = y + d
                y = y * c
            return y
        step, args = jax.jit(jax.value_and_grad(f)), [jnp.float32(v) for v in (1.0, 1.0001, 0.0001)]
        found["jax.jit"] = lambda: jax.block_until_ready(step(*args))
    return found


def small_mlp():
    """Return the candidates for the 2-16-16-1 network, batch 100, value and gradients compiled as a whole."""
    rng = np.random.default_rng(0)
    shapes = [(2, 16), (16,), (16, 16), (16,), (16, 1), (1,)]
    start = [(rng.standard_normal(s) * 0.5).astype(np.float32) for s in shapes]
    x, t = rng.standard_normal((100, 2)).astype(np.float32), rng.standard_normal((100, 1)).astype(np.float32)
    w1, b1, w2, b2, w3, b3 = weights = [tf.Variable(w) for w in start]
    tx, tt = tf.constant(x), tf.constant(t)

    def step(x, t):
        with tf.GradientTape() as tape:
            h = tf.tanh(x @ w1 + b1)
            h = tf.tanh(h @ w2 + b2)
            loss = tf.reduce_mean((h @ w3 + b3 - t) ** 2)
        return loss, tape.gradient(loss, weights)

    jitted, source = tf.function(step, jit_compile=True), tf.function(step)
    found = {"minitape": lambda: jitted(tx, tt), "minitape, NumPy source": lambda: source(tx, tt), "minitape eager": lambda: step(tx, tt)}
    if installed("jax"):
        import jax
        import jax.numpy as jnp

        def f(weights, x, t):
            w1, b1, w2, b2, w3, b3 = weights
            h = jnp.tanh(x @ w1 + b1)
            h = jnp.tanh(h @ w2 + b2)
            return jnp.mean((h @ w3 + b3 - t) ** 2)
        compiled, js, jx, jt = jax.jit(jax.value_and_grad(f)), [jnp.asarray(w) for w in start], jnp.asarray(x), jnp.asarray(t)
        found["jax.jit"] = lambda: jax.block_until_ready(compiled(js, jx, jt))
    return found


ROWS = [] if not fast.available() else [
    ("fast path: small CNN on 28x28, batch 32", "faster than PyTorch", with_kernels(nets.cnn, whole=True)),
    ("fast path: softmax cross-entropy, 1000x1000", "faster than PyTorch", with_kernels(nets.softmax_cross_entropy)),
    ("fast path: layer normalisation, 1000x1000", "faster than PyTorch", with_kernels(nets.layer_norm, whole=True)),
    ("fast path: elementwise chain, 10^6 numbers", "faster than PyTorch", elementwise_chain),
    ("fast path: embedding, 4,096 ids of 10,000", "faster than PyTorch", with_kernels(nets.embedding)),
    ("fast path: 1,000 scalar operations as a whole", "faster than jax.jit", scalar_chain),
    ("fast path: MLP 2-16-16-1, batch 100, as a whole", "faster than jax.jit", small_mlp),
]
