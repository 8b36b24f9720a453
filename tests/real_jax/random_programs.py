"""Random programs of JAX: of vectors, matrices and numbers, with branches, loops and functions."""

import jax
import numpy as np
from jax import lax, nn
from jax import numpy as jnp

UNARY = [
    *(jnp.sin, jnp.cos, jnp.tanh, jnp.exp, jnp.expm1, jnp.square, jnp.abs, jnp.negative, jnp.floor),
    *(jnp.round, jnp.sign, nn.relu, nn.sigmoid, nn.softplus, nn.gelu, nn.elu, jnp.sinh, jnp.arctan),
    *(nn.softmax, nn.log_softmax, jnp.cumsum, jnp.sort, lax.stop_gradient, jax.jit(jnp.cosh)),
    lambda x: x**3,
    lambda x: x**-1,
    lambda x: jnp.log1p(x * x),
    lambda x: jnp.sqrt(x * x + 1),
    lambda x: jnp.clip(x, -0.5, 0.5),
    lambda x: jnp.where(x > 0, x, 0.1 * x),
    lambda x: x.at[0].set(2.0),
    lambda x: x[jnp.array([2, 0, 0])],
    lambda x: x[::-1],
    lambda x: x @ (jnp.arange(9.0).reshape(3, 3) / 9),
    lambda x: jnp.concatenate([x[1:], x[:1]]),
    lambda x: jnp.max(x) + x,
    lambda x: x - jnp.mean(x),
    lambda x: x / jnp.linalg.norm(x),
    lambda x: jnp.outer(x, x).sum(0),
    lambda x: lax.cond(x[0] > 0, jnp.sin, jnp.cos, x),
    lambda x: lax.fori_loop(0, 3, lambda i, h: h * 0.9 + jnp.sin(h), x),
    lambda x: lax.scan(lambda h, a: (h * 0.5 + a, h * a), 1.0, x)[1],
    lambda x: lax.map(jnp.tanh, x),
    lambda x: jax.checkpoint(jnp.sin)(x),
    lambda x: jax.vmap(lambda a: a * a + jnp.sin(a))(x),
    lambda x: x.astype(jnp.bfloat16).astype(jnp.float32),
    jax.jit(lambda x: jnp.exp(-x) * 2),
]
BINARY = [
    *(jnp.add, jnp.subtract, jnp.multiply, jnp.maximum, jnp.minimum, jnp.arctan2, jnp.logaddexp),
    lambda a, b: a / (b * b + 1),
    lambda a, b: jnp.dot(a, b) * a,
    lambda a, b: jnp.where(a > b, a, b * b),
    lambda a, b: jnp.einsum("i,j->i", a, b),
    lambda a, b: jnp.abs(a) ** jnp.tanh(b),
]
ENDS = [
    jnp.sum,
    jnp.mean,
    jnp.max,
    jnp.prod,
    jnp.std,
    nn.logsumexp,
    lambda x: x[1],
    jnp.linalg.norm,
]


def program(seed):
    """Returns (function of two vectors and a number, its arguments)."""
    rng = np.random.default_rng(seed)
    steps = [
        (
            rng.integers(3),
            rng.integers(len(UNARY)),
            rng.integers(len(BINARY)),
            *rng.integers(9, size=2),
        )
        for _ in range(rng.integers(2, 6))
    ]
    end = ENDS[rng.integers(len(ENDS))]

    def f(x, y, c):
        values = [x, y, c * x]
        for kind, one, two, i, j in steps:
            a, b = values[-1 - i % len(values)], values[j % len(values)]
            values.append(BINARY[two](a, b) if kind == 0 else UNARY[one](a))
        return end(values[-1])

    x, y = rng.normal(size=(2, 3)).astype(np.float32)
    return f, (jnp.array(x), jnp.array(y), float(rng.normal()))
