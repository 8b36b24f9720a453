"""tf.function: random programs and the public functions, compiled, against their eager runs on
other data than the traced.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minitape as tf


def array(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


UNARY = [
    tf.tanh,
    tf.exp,
    tf.sin,
    tf.square,
    lambda x: x**3.0,
    lambda x: -x,
    lambda x: tf.reduce_sum(x, 0 if x.ndim else None, keepdims=True) + x,
    lambda x: x / (x * x + 1.0),
    lambda x: tf.reduce_mean(x) * x,
    lambda x: tf.sqrt(x * x + 1.0),
    lambda x: tf.sigmoid(x) * x,
]
BINARY = [
    lambda a, b: a + b,
    lambda a, b: a * b,
    lambda a, b: a - b,
    lambda a, b: a / (b * b + 1.0),
    lambda a, b: tf.maximum(a, b),
]


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_random_programs_equal_their_eager_runs(data):
    dtype = data.draw(st.sampled_from([np.float32, np.float64]))
    shapes = data.draw(
        st.sampled_from(
            [
                [(), ()],
                [(3,), (3,)],
                [(2, 3), (3,)],
                [(2, 1), (1, 4)],
                [(0, 3), (3,)],
                [(200, 100), (100,)],
            ]
        )
    )
    steps = data.draw(
        st.lists(
            st.tuples(st.integers(0, 99), st.integers(0, 99), st.integers(0, 99)),
            min_size=1,
            max_size=8,
        )
    )

    def program(a, b):
        values = [a, b]
        for kind, i, j in steps:
            if kind % 2:
                values.append(UNARY[kind % len(UNARY)](values[i % len(values)]))
            else:
                values.append(
                    BINARY[kind % len(BINARY)](values[i % len(values)], values[j % len(values)])
                )
        return values[-1], values[len(values) // 2]

    rng = np.random.default_rng(1)
    compiled = tf.function(program)
    for _ in range(2):
        a, b = (tf.constant(rng.standard_normal(s).astype(dtype)) for s in shapes)
        found = []
        for f in (program, compiled):
            with tf.GradientTape(persistent=True) as outer:
                outer.watch([a, b])
                with tf.GradientTape() as tape:
                    tape.watch([a, b])
                    y, z = f(a, b)
                first = tape.gradient([y, z], [a, b], unconnected_gradients="zero")
            second = outer.gradient(first, [a, b], unconnected_gradients="zero")
            plain = f(a, b)
            found.append([t.numpy() for t in (y, z, *plain, *first, *second)])
        for p, q in zip(*found):
            assert p.dtype == q.dtype and p.shape == q.shape
            finite = (
                np.abs(p[np.isfinite(p)]).max(initial=1.0)
                if p.ndim
                else max(1.0, abs(p))
                if np.isfinite(p)
                else 1.0
            )
            np.testing.assert_allclose(q, p, rtol=1e-4, atol=1e-5 * float(finite))


X3, Y3 = (
    tf.constant(array(4, 3, seed=6)),
    tf.constant(np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]], np.float32)),
)
PUBLIC = {
    "huber": lambda x: tf.keras.losses.huber(Y3, x),
    "sparse": lambda x: tf.keras.losses.sparse_categorical_crossentropy(
        [[0], [1], [2], [0]], tf.nn.softmax(x)
    ),
    "elu": tf.nn.elu,
    "selu": tf.nn.selu,
    "gelu": tf.nn.gelu,
    "silu": tf.nn.silu,
    "relu6": tf.nn.relu6,
    "leaky": tf.nn.leaky_relu,
    "sort": lambda x: tf.sort(x, axis=-1, direction="DESCENDING"),
    "top_k": lambda x: tf.math.top_k(x, 2).values,
    "where": lambda x: tf.where(x > 0.0, x * x, -x),
    "clip": lambda x: tf.clip_by_value(x, -0.5, 0.5),
    "norm": tf.norm,
    "clip_by_norm": lambda x: tf.clip_by_norm(x, 1.0),
    "max": lambda x: tf.reduce_max(x, axis=1),
    "std": tf.math.reduce_std,
    "logsumexp": tf.reduce_logsumexp,
    "prod": tf.reduce_prod,
    "cumsum": tf.cumsum,
    "einsum": lambda x: tf.einsum("ij,kj->ik", x, x),
    "gather": lambda x: tf.gather(x, [2, 0, 2]),
    "gather of each row": lambda x: tf.gather(x, tf.argmax(x, 1), batch_dims=1),
    "gather of several": lambda x: tf.gather(x, tf.argsort(x)[:, :2], axis=1, batch_dims=1),
    "gather_nd of each row": lambda x: tf.gather_nd(x, tf.argmax(x, 1)[:, None], batch_dims=1),
    "an index": lambda x: x[tf.argmax(x[:, 0])] + x[..., tf.argmax(x[0]), None],
    "an index from the end": lambda x: x[1:, -1 - tf.argmax(x[0])],
    "a slice that moves": lambda x: tf.slice(x, [tf.argmax(x[:3, 0]), 1], [1, -1]),
    "segments": lambda x: tf.math.unsorted_segment_sum(x, tf.cast(x[:, 0], tf.int32), 3),
    "the largest of segments": lambda x: tf.math.unsorted_segment_max(
        x, tf.concat([tf.cast(tf.argsort(x[:3, 0]), tf.int32) - 1, [0]], 0), 2
    ),
    "hinge": lambda x: tf.keras.losses.hinge(Y3, x) + tf.keras.losses.hinge(tf.round(x), x),
    "an ignored class": lambda x: tf.keras.losses.SparseCategoricalCrossentropy(
        from_logits=True, ignore_class=0
    )(tf.argmax(x, 1), x),
    "pinv": tf.linalg.pinv,
    "unstack of one": lambda x: tf.math.real(tf.unstack(tf.cast(x[:1, 0], tf.complex64))[0]),
    "slice": lambda x: x[1:, ::-1],
    "concat": lambda x: tf.concat([x, x * 2.0], 0),
    "stack": lambda x: tf.stack(tf.unstack(x)),
    "pad": lambda x: tf.pad(x, [[1, 0], [0, 2]]),
    "tile": lambda x: tf.tile(x, [2, 1]),
    "l2": lambda x: tf.math.l2_normalize(x, 1),
    "sign": tf.sign,
    "abs": tf.abs,
    "erf": tf.math.erf,
    "minimum": lambda x: tf.minimum(x, 0.1),
    "one_hot": lambda x: tf.one_hot(tf.argmax(x, 1), 3) * x,
    "cross": lambda x: tf.nn.softmax_cross_entropy_with_logits(Y3, x),
    "moments": lambda x: tf.nn.moments(x, [0])[1],
    "inv": lambda x: tf.linalg.inv(tf.matmul(x, x, transpose_a=True) + tf.eye(3)),
    "in_top_k": lambda x: tf.cast(tf.math.in_top_k([0, 1, 2, 0], x, 1), tf.float32),
}


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_public_functions_of_other_data_than_the_traced(name):
    """What was frozen into a program shows when the program meets other data: values, gradients,
    second order.
    """
    f = PUBLIC[name]

    def gradients(f, x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            first = tape.gradient(y, x, unconnected_gradients="zero")
            s = tf.reduce_sum(tf.square(first))
        return y, first, outer.gradient(s, x, unconnected_gradients="zero")

    whole, outside = tf.function(lambda x: gradients(f, x)), tf.function(f)
    other = tf.constant(array(4, 3, seed=11) * 2)
    for x in (X3, other):
        eager = gradients(f, x)
        for found in (whole(x), gradients(outside, x)):
            for p, q in zip(eager, found):
                np.testing.assert_allclose(q.numpy(), p.numpy(), rtol=2e-4, atol=1e-5)


def test_complex_numbers_and_strings():
    z, other = (
        tf.constant(np.array(v, np.complex64)) for v in ([1 + 2j, 0.5 - 1j], [0.3j, 2 - 1j])
    )
    for f in (lambda z: z * z * z, lambda z: tf.reduce_sum(tf.math.real(z * z * tf.math.conj(z)))):
        compiled = tf.function(f)
        compiled(z)
        found = []
        for g in (f, compiled):
            with tf.GradientTape() as tape:
                tape.watch(other)
                y = g(other)
            found.append(tape.gradient(y, other).numpy())
        np.testing.assert_allclose(found[1], found[0], rtol=1e-5)
    twice = tf.function(lambda a: tf.strings.join([a, a]))
    assert [bytes(twice(tf.constant(s)).numpy()) for s in ("ab", "cd")] == [b"abab", b"cdcd"]
