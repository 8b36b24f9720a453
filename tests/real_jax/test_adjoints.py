"""The gradients that readers see are those of `jax.grad`."""

import jax
import numpy as np
import pytest
from jax import lax, nn
from jax import numpy as jnp

import minitape.jax

from .random_programs import program


def agree(function, *args):
    """Records a call, and compares its value and all gradients with JAX's own."""
    record = minitape.jax.record(function, *args)
    value, gradients = jax.value_and_grad(function, tuple(range(len(args))))(*args)
    close(record.value, value)
    wanted = jax.tree.leaves(gradients)
    assert len(record.gradients) == len(wanted)
    for found, own in zip(record.gradients.values(), wanted):
        close(found, own)
    return record


def close(a, b):
    b = np.asarray(b)
    np.testing.assert_allclose(a, b, rtol=2e-4, atol=1e-5 * (1 + np.nan_to_num(abs(b)).max()))


@pytest.mark.parametrize("first", range(0, 100, 10))
def test_random_programs(first):
    for seed in range(first, first + 10):
        function, args = program(seed)
        agree(function, *args)


def rows(*shape):
    return jnp.array(np.random.default_rng(sum(shape)).normal(size=shape), jnp.float32)


def mlp(params, x, t):
    for w, b in params[:-1]:
        x = nn.relu(x @ w + b)
    w, b = params[-1]
    return jnp.mean((x @ w + b - t) ** 2)


def rnn(params, xs):
    def cell(h, x):
        h = jnp.tanh(h @ params["u"] + x @ params["w"] + params["b"])
        return h, h

    last, hs = lax.scan(cell, jnp.zeros(4), xs)
    return jnp.sum(last) + jnp.mean(hs**2)


def attention(q, k, v):
    scores = jnp.einsum("bqd,bkd->bqk", q, k) / jnp.sqrt(q.shape[-1])
    scores = jnp.where(jnp.tril(jnp.ones((3, 3), bool)), scores, -1e9)
    return jnp.sum((nn.softmax(scores, axis=-1) @ v) ** 2)


def cross_entropy(w, x):
    labels = jnp.array([0, 2, 1])
    logits = nn.log_softmax(x @ w)
    return -jnp.mean(logits[jnp.arange(3), labels])


def convolution(w, x):
    return nn.relu(lax.conv_general_dilated(x, w, (1, 1), "SAME")).mean()


@jax.custom_vjp
def clipped(x):
    return x


clipped.defvjp(lambda x: (x, None), lambda _, g: (jnp.clip(g, -1, 1),))
MODELS = {
    "mlp": (mlp, [(rows(3, 4), rows(4)), (rows(4, 2), rows(2))], rows(5, 3), rows(5, 2)),
    "rnn": (rnn, {"u": rows(4, 4), "w": rows(2, 4), "b": rows(4)}, rows(6, 2)),
    "attention": (attention, rows(2, 3, 4), rows(2, 3, 4) * 2, rows(2, 3, 4)),
    "cross-entropy": (cross_entropy, rows(4, 3), rows(3, 4)),
    "convolution": (convolution, rows(2, 1, 3, 3), rows(1, 1, 5, 5)),
    "second derivative": (lambda x: jnp.sum(jax.grad(lambda x: jnp.sum(x**3))(x)), rows(3)),
    "a rule of its own": (lambda x: jnp.sum(clipped(x) * 3), rows(3)),
    "a long scan": (lambda x: lax.scan(lambda h, a: (h * a, None), 1.0, x)[0], rows(80) * 0.1 + 1),
    "backwards": (
        lambda x: lax.scan(lambda h, a: (h + a, h * a), 1.0, x, reverse=True)[1][0],
        rows(3),
    ),
    "a random key": (lambda x: jnp.sum(x * jax.random.normal(jax.random.key(0), (3,))), rows(3)),
    "a mask": (lambda x: jnp.sum(x[x > 0] ** 2), rows(3)),
    "a place in a list": (lambda x: [x[0], x[1] ** 2][jnp.argmax(x)], rows(2)),
    "an if": (lambda x: jnp.sin(x) if x > 0 else x, 2.0),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore:f asks for a value")
def test_models(name):
    function, *args = MODELS[name]
    agree(function, *args)


def test_arguments_without_a_gradient_are_what_they_are():
    def power(x, n, how):
        return sum(x**k for k in range(n)) if how == "sum" else x

    record = minitape.jax.record(power, 2.0, 4, how="sum")
    assert record.value == 15 and record.gradients == {"x": 17}
    assert minitape.jax.record(power, 2.0, 4, "x").gradients == {"x": 1}


def test_a_loop_is_opened_round_by_round():
    record = agree(*MODELS["rnn"])
    assert [e[0] for e in record.tape.entries].count("Tanh") == 6


def test_what_nobody_sees_into_is_one_card_and_said():
    with pytest.warns(UserWarning, match="f asks for a value in Python"):
        record = agree(*MODELS["an if"])
    assert [e[0] for e in record.tape.entries] == ["ReadVariableOp", "jax.f"]
    assert "jax.scan" in [e[0] for e in agree(*MODELS["a long scan"]).tape.entries]


def test_equations_have_the_spans_of_the_program():
    def f(x):
        y = jnp.sin(x) * jnp.cos(x)
        return jax.jit(jnp.sum)(jnp.where(y > 0, y, jnp.where(y < -1, 0.0, y)))

    board = minitape.jax.record(f, rows(3)).storyboard()
    lines = board["sources"][0]["text"].split("\n")
    spans = [card["where"] for card in board["cards"]]
    texts = [lines[line - 1][left:right] for _, line, left, _, right in spans]
    assert texts[:5] == ["jnp.sin(x)", "jnp.cos(x)", "jnp.sin(x) * jnp.cos(x)", "y > 0", "y < -1"]
    assert texts[5].startswith("jnp.where(y < -1") and texts[6].startswith("jnp.where(y > 0")
