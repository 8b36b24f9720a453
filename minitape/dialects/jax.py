"""JAX's dialect: what it calls things where it does not as TensorFlow does."""

from dataclasses import replace

from .minitape import MINITAPE

CURES = """
[stop-gradient]
lax.stop_gradient(X)          ->  X
[integer-dtype]
tf.array(X)                   ->  tf.array(X, dtype=tf.float32)
[inf-forward]
tf.log(tf.nn.softmax(*R, **K))  ->  tf.nn.log_softmax(*R, **K)
tf.log(tf.exp(X) + 1)         ->  tf.nn.softplus(X)
tf.log(1 + tf.exp(X))         ->  tf.nn.softplus(X)
[nan-backward.root inf-backward.root nan-backward inf-backward]
tf.sqrt(X)                    ->  tf.sqrt(X + 1e-12)
tf.linalg.norm(X)             ->  tf.sqrt(tf.sum(X ** 2) + 1e-12)
[nan-backward inf-backward nan-forward inf-forward]
A / B                         ->  A / tf.maximum(B, 1e-12)    if chain(B)
A ** P                        ->  (A + 1e-12) ** P    if 'value' in params and 0.0 < number(P) < 1
F(X)                          ->  F(HELD)      if held(x=X)
[where-nan]
A / B                         ->  A / tf.where(C, S, D)    if unchosen(B)
A ** P                        ->  tf.where(C, S, D) ** P    if unchosen(A)
F(X)                          ->  F(tf.where(C, S, D))    if unchosen(X)
[underflow]
tf.prod(X, *R, **K)           ->  tf.sum(tf.log(X), *R, **K)
[zero-flat]
tf.nn.relu(X)                 ->  tf.nn.leaky_relu(X)
tf.maximum(X, 0)              ->  tf.nn.leaky_relu(X)
tf.maximum(0, X)              ->  tf.nn.leaky_relu(X)
[zero-flat.clipped]
tf.CLIP(X, *R, **K)           ->  X + tf.stop_gradient(tf.CLIP(X, *R, **K) - X)    if plain(X)
[piecewise-constant zero-flat.steps]
tf.ROUND(X)                   ->  X + tf.stop_gradient(tf.ROUND(X) - X)
tf.sign(X)                    ->  tf.tanh(X)
YES.astype(T)                 ->  YES
tf.argmax(X, axis=A)          ->  tf.nn.softmax(X, axis=A) @ tf.arange(N)
                                  if last_axis(X, A) and places(X)
[YES]
A > 0                         ->  tf.nn.sigmoid(A)
A >= 0                        ->  tf.nn.sigmoid(A)
A > B                         ->  tf.nn.sigmoid(A - B)
A >= B                        ->  tf.nn.sigmoid(A - B)
A < B                         ->  tf.nn.sigmoid(B - A)
A <= B                        ->  tf.nn.sigmoid(B - A)
"""
JAX = replace(
    MINITAPE,
    module="jax.numpy",
    alias="jnp",
    recording="trace",
    asks="",
    makers=(),
    changes={},
    leads_out=("item", "tolist"),
    wrappers=("array", "asarray"),
    converts=("array", "stack"),
    cures=CURES,
    groups={**MINITAPE.groups, "CLIP": ("clip",), "ROUND": ("floor", "round", "ceil", "rint")},
    names={
        "reduce_mean": "mean",
        "reduce_sum": "sum",
        "clip_by_value": "clip",
        "clip_by_global_norm": "optax.clip_by_global_norm",
        "math.log": "log",
        "math.is_finite": "isfinite",
        "gather": "take",
        "cast": "astype",
        "stop_gradient": "jax.lax.stop_gradient",
        "custom_gradient": "jax.custom_vjp",
        "sigmoid": "jax.nn.sigmoid",
        "nn.sigmoid": "jax.nn.sigmoid",
        "nn.relu": "jax.nn.relu",
        "nn.leaky_relu": "jax.nn.leaky_relu",
        "nn.softplus": "jax.nn.softplus",
        "nn.softmax": "jax.nn.softmax",
        "nn.log_softmax": "jax.nn.log_softmax",
    },
)
