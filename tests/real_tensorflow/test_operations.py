"""Each operation is played by TensorFlow, and once more by minitape's row of it: values and parts
are the same.
"""

import numpy as np
import pytest
import tensorflow as tf

import minitape.image
import minitape.linalg
import minitape.math  # noqa: F401  # the rarer rows of the table are loaded with their names
from minitape.engine.ops.record import OPS
from minitape.engine.recording import rule_of
from minitape.engine.walk import unbroadcast
from minitape.storyboard import develop

from .seen import alone, equal, numbers, watched

RNG = np.random.default_rng(0)


def made(*shape, positive=False):
    return tf.Variable(
        (RNG.random(shape) + 0.5 if positive else RNG.normal(size=shape)).astype("float32")
    )


NAMES = {
    "tf": tf,
    "x": made(2, 3, 4),
    "m": made(3, 4),
    "p": made(3, 4, positive=True),
    "s": made(3, 3),
    "image": made(1, 5, 5, 2),
    "k": made(3, 3, 2, 3),
    "e": made(6, 3),
}
SOURCES = [value for name, value in NAMES.items() if name != "tf"]
WITH_A_ROW = """
tf.reduce_sum(x, axis=1, keepdims=True) | tf.reduce_mean(x) | tf.reduce_max(x, [0, 1]) | tf.reduce_min(m, -1) | tf.reduce_prod(x, 0)
tf.reduce_logsumexp(x) | tf.math.reduce_euclidean_norm(m, 1) | tf.math.reduce_std(m) | tf.math.reduce_variance(m, 1) | tf.norm(m)
m @ tf.transpose(m) | tf.matmul(x, tf.transpose(x, [0, 2, 1])) | tf.transpose(x, [2, 0, 1]) | tf.einsum('ij,kj->ik', m, m)
tf.reshape(x, [6, -1]) | tf.expand_dims(m, 0) | tf.squeeze(image, 0) | tf.broadcast_to(m, [2, 3, 4]) | tf.tile(m, [2, 1])
x[0, 1:, ::2] | x[..., tf.newaxis, 1] | x[:, -1] | m[::-1] | tf.slice(m, [1, 0], [2, -1]) | tf.reverse(m, [-1]) | tf.roll(m, 1, 0)
tf.concat([m, m * 2], 1) | tf.stack([m, m * 3], 1) | tf.unstack(m)[1] | tf.split(m, 2, axis=1)[0] | tf.split(m, [1, -1], -1)[1]
tf.gather(e, [0, 2]) | tf.nn.embedding_lookup(e, [1, 1]) | tf.gather(m, [0, 1], axis=1) | tf.gather(m * 1.0, [[0, 1]], axis=-1)
tf.gather_nd(m, [[0, 1]]) | tf.boolean_mask(m, m > 0.0) | tf.tensor_scatter_nd_update(m, [[0, 1]], [1.0])
tf.pad(m, [[1, 1], [0, 2]]) | tf.pad(m, [[1, 1], [0, 2]], constant_values=3) | tf.repeat(m, 2, 0)
tf.math.unsorted_segment_sum(m, [0, 1, 0], 2) | tf.math.unsorted_segment_max(m, [0, 1, 0], 2)
tf.cumsum(m, 1) | tf.cumsum(m, 0, reverse=True) | tf.math.cumprod(m, 1, exclusive=True) | tf.linalg.inv(s)
tf.nn.conv2d(image, k, 1, "SAME") | tf.nn.conv2d(image, k, 2, "VALID") | tf.nn.conv2d(image, k, 2, "SAME")
tf.nn.conv2d(image, k, 1, "SAME", dilations=2) | tf.nn.max_pool2d(image, 2, 2, "VALID") | tf.nn.max_pool2d(image, 3, 1, "SAME")
tf.nn.avg_pool2d(image, 2, 2, "SAME") | tf.nn.bias_add(m, tf.ones(4)) | tf.nn.batch_normalization(m, 0.0, 1.0, m, p, 1e-3)
tf.nn.softmax(m) | tf.nn.softmax(m, axis=0) | tf.nn.log_softmax(m) | tf.nn.sigmoid_cross_entropy_with_logits(p, m)
tf.nn.softmax_cross_entropy_with_logits(tf.ones([3, 4]) / 4, m) | tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1, 2], m)
tf.nn.leaky_relu(m, 0.3) | tf.nn.elu(m) | tf.nn.selu(m) | tf.nn.relu(m) | tf.nn.relu6(m) | tf.nn.gelu(m) | tf.nn.gelu(m, approximate=True)
tf.nn.softplus(m) | tf.nn.softsign(m) | tf.nn.l2_loss(m) | tf.nn.moments(m, [0])[0] | tf.nn.dropout(m, 0.5)
tf.where(m > 0, m, 0.0) | tf.where(m > 0, m * 2, m) | tf.clip_by_value(m, 0.0, 0.5) | tf.maximum(m, p) | tf.minimum(m, 0.3)
tf.exp(m) | tf.math.log(p) | tf.sqrt(p) | tf.math.rsqrt(p) | tf.square(m) | m ** 2 | p ** m | tf.abs(m) | tf.sign(m) * m | 1 / p | m / p
m - p | m + 1 | -m | tf.add_n([m, m, p]) | tf.math.reciprocal(p) | tf.math.squared_difference(m, p) | tf.math.divide_no_nan(m, p)
tf.sin(m) | tf.cos(m) | tf.tan(m) | tf.tanh(m) | tf.sigmoid(m) | tf.sinh(m) | tf.cosh(m) | tf.asinh(m) | tf.acosh(p + 1) | tf.atan(m)
tf.asin(tf.tanh(m)) | tf.acos(tf.tanh(m)) | tf.atanh(tf.tanh(m)) | tf.math.atan2(m, p) | tf.math.erf(m) | tf.math.lgamma(p)
tf.math.digamma(p) | tf.math.log1p(p) | tf.math.expm1(m) | tf.math.xlogy(m, p) | tf.math.xdivy(m, p) | tf.math.multiply_no_nan(m, p)
tf.math.polygamma(1.0, p) | tf.math.erfinv(tf.tanh(m)) | tf.math.floormod(m, p) | tf.stop_gradient(m) * m | tf.identity(m)
tf.cast(m, tf.float64) | tf.cast(tf.cast(m, tf.float16), tf.float32) | tf.foldl(lambda a, r: a + r, m) | tf.map_fn(lambda r: r * r, m)
tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * m), (0, m))[1] | tf.cond(m[0, 0] > 0, lambda: m * 2, lambda: m)
"""
WITHOUT = """
tf.matmul(m, m, transpose_b=True) | tf.matmul(x, x, transpose_a=True) | tf.linalg.diag_part(s) | tf.math.top_k(m, 2)[0] | tf.sort(m)
tf.linalg.det(s) | tf.linalg.trace(s) | tf.linalg.solve(s, m) | tf.linalg.band_part(s, 0, -1) | tf.linalg.diag(m[0])
tf.math.segment_sum(m, [0, 0, 1]) | tf.scatter_nd([[0], [2]], m[:2], [4, 4]) | tf.image.resize(image, [3, 3]) | tf.cast(m, tf.bfloat16)
tf.nn.depthwise_conv2d(image, k, [1, 1, 1, 1], "SAME") | tf.sparse.sparse_dense_matmul(tf.sparse.eye(3), m) | tf.complex(m, p)
tf.signal.fft(tf.complex(m, p)) | tf.function(lambda a: a * a)(m) | tf.py_function(lambda a: a * a, [m], tf.float32)
tf.nn.swish(m) | tf.recompute_grad(lambda a: a * a)(m * 1.0) | tf.vectorized_map(lambda r: r * r, m)
tf.grad_pass_through(tf.round)(m * 1.0)
"""


def cases(text):
    return [case.strip() for line in text.split("\n") for case in line.split(" | ") if case.strip()]


def program(text):
    def run():
        with tf.GradientTape() as tape:
            found = tf.abs(eval(text, NAMES))  # noqa: S307
            weights = tf.cast(
                tf.reshape(tf.range(1, tf.size(found) + 1), tf.shape(found)), found.dtype
            )
            y = tf.reduce_sum(found * weights)
        return y, tape.gradient(y, SOURCES)

    return run


@pytest.mark.parametrize("text", cases(WITH_A_ROW) + cases(WITHOUT))
def test_the_numbers_are_those_of_tensorflow(text):
    found, film = watched(program(text))
    assert equal(found, alone(program(text)))
    (play,) = film.played
    for gradient, shown in zip(found[1], play.gradients):
        assert (gradient is None) == (shown is None) and (
            shown is None or np.array_equal(numbers(gradient), shown)
        )
    # all parts were found, and they are the whole
    for source, shown in zip(play.sources, play.gradients):
        parts = [
            value
            for step in play.steps
            for _, number, value, _, _ in step[3]
            if number == source.id
        ]
        assert shown is None or np.allclose(sum(parts), shown, rtol=1e-4, atol=1e-5)
    assert str(develop(film))


@pytest.mark.parametrize("text", cases(WITH_A_ROW))
def test_minitapes_row_computes_the_same(text):
    _, film = watched(program(text))
    (play,), (tape,) = film.played, film.tapes
    develop(film)
    assert play.steps
    for _, index, adjoints, parts in play.steps:
        op, _, _, attributes, _ = tape.entries[index]
        if op == "ReadVariableOp":
            continue
        row, (values, outputs), several = OPS[op], tape.kept[index], len(adjoints) > 1
        again = row.kernel(*values, **(attributes or {}))
        for a, b in zip(again if several else (again,), outputs):
            assert np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=2e-4, atol=1e-5), (
                op,
                attributes,
            )
        for place, _, value, _, _ in parts:
            part = rule_of(row, place)(
                tuple(adjoints) if several else adjoints[0],
                outputs if several else outputs[0],
                *values,
                **(attributes or {}),
            )
            assert np.allclose(
                unbroadcast(np.asarray(part), np.shape(values[place]), 0),
                value,
                rtol=1e-3,
                atol=1e-4,
            ), (op, attributes)


@pytest.mark.parametrize("text", cases(WITHOUT))
def test_a_name_that_means_something_else_in_minitape_is_not_used(text):
    _, film = watched(program(text))
    film.tapes[0].develop()
    for entry, (values, outputs) in zip(film.tapes[0].entries, film.tapes[0].kept):
        row = OPS.get(entry.op)
        if row is not None and entry.op not in ("ReadVariableOp", "CustomGradient"):
            # NumPy computes with the whole of a float32
            close = 1e-2 if "bfloat16" in text else 2e-4
            assert np.allclose(
                row.kernel(*values, **(entry.attributes or {})), outputs[0], rtol=close, atol=1e-5
            ), entry
