"""Every faster kernel and rule against the plain one: shapes, strides, dtypes, NaN and infinities,
empty arrays.

Approximations may differ by a few units in the last place, which `approximations.ERRORS` states;
sums may differ by the rounding of another order.
"""

import numpy as np
import pytest

pytest.importorskip("numba", reason="the fast path needs numba: pip install minitape[jit]")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

import minitape as tf  # noqa: E402
import minitape.jit as jit  # noqa: E402
from minitape.engine.ops.record import OPS  # noqa: E402
from minitape.engine.walk import unbroadcast  # noqa: E402
from minitape.jit import approximations as a  # noqa: E402

ROWS = {name: row for name, row in jit.exchange.faster_rows().items() if name in OPS}
ODD = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, 3e38, -3e38, 100.0, -100.0, 88.7, -87.4, 1e-8]


@st.composite
def values(draw, shape, odd=True):
    """Arrays of ordinary numbers with some odd ones, contiguous, transposed, strided or read-only;
    two dtypes.
    """
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    dtype = draw(st.sampled_from([np.float32, np.float32, np.float32, np.float64]))
    how = draw(st.sampled_from(["plain", "plain", "transposed", "strided", "read-only"]))
    size = (
        shape[::-1]
        if how == "transposed"
        else (*shape[:-1], 2 * shape[-1])
        if how == "strided"
        else shape
    )
    x = (rng.standard_normal(size) * draw(st.sampled_from([0.01, 1.0, 10.0]))).astype(dtype)
    if odd and x.size:
        for value in draw(st.lists(st.sampled_from(ODD), max_size=4)):
            x.reshape(-1)[rng.integers(x.size)] = value
    x = x.T if how == "transposed" else x[..., ::2] if how == "strided" else x
    if how == "read-only":
        x.flags.writeable = False
    return x


shapes = st.sampled_from(
    [(60, 50), (3000,), (0,), (5,), (0, 4), (4, 0), (1, 4000), (4000, 1), (3, 20, 50)]
)
tables = st.sampled_from([(60, 50), (1, 1000), (700, 1), (3, 20, 50), (2, 3), (0, 4)])


@st.composite
def arguments(draw, name):
    """Return arrays and attributes that the operation takes."""
    if name in ("Softmax", "LogSoftmax"):
        return (draw(values(draw(tables))),), {"axis": -1}
    if "SoftmaxCrossEntropy" in name:
        n, c = draw(st.sampled_from([(60, 50), (1, 1000), (700, 1), (2, 3)]))
        x = draw(values((n, c)))
        rng = np.random.default_rng(draw(st.integers(0, 1000)))
        labels = rng.integers(0, c, n).astype(draw(st.sampled_from([np.int32, np.int64])))
        t = labels if "Sparse" in name else rng.random((n, c)).astype(x.dtype)
        g = (rng.standard_normal(n).astype(x.dtype),) if name.endswith("Grad") else ()
        return (*g, x, t), {}
    if name.startswith("Normalize"):
        shape, axis = draw(
            st.sampled_from(
                [
                    ((60, 50), (1,)),
                    ((60, 50), (-1,)),
                    ((60, 50), (0,)),
                    ((4, 6, 6, 8), (0, 1, 2)),
                    ((4, 6, 50), (1, 2)),
                    ((4, 6, 50), (1,)),
                    ((2, 3), (-1,)),
                ]
            )
        )
        x = draw(values(shape, odd=False))
        how = {"axis": axis, "epsilon": draw(st.sampled_from([1e-3, 1e-5]))}
        if name == "Normalize":
            return (x,), how
        g = np.random.default_rng(7).standard_normal(shape).astype(x.dtype)
        return (g, x, OPS["Normalize"].kernel(x, **how)), how
    if "Pool" in name:
        n, h, w, c = draw(st.sampled_from([(2, 8, 8, 8), (1, 9, 7, 3), (3, 5, 5, 16)]))
        window, strides = draw(
            st.sampled_from(
                [((2, 2), (2, 2)), ((3, 3), (2, 2)), ((3, 2), (1, 1)), ((2, 2), (3, 3))]
            )
        )
        pads = draw(st.sampled_from([((0, 0), (0, 0)), ((1, 1), (1, 0))]))
        how = {"window": window, "strides": strides, "pads": pads}
        x = np.round(np.asarray(draw(values((n, h, w, c), odd=False))), 1)  # with ties
        if name == "AvgPool":
            return (x,), how
        y = OPS["MaxPool"].kernel(x, **how)
        g = np.random.default_rng(7).standard_normal(y.shape).astype(x.dtype)
        return ((g, x, y), how) if name == "MaxPoolGrad" else ((g,), {"shape": x.shape, **how})
    if name == "UnsortedSegmentSum":
        n, d, num = draw(st.sampled_from([(300, 8, 20), (40, 64, 3), (3, 4, 5), (700, 1, 9)]))
        x = draw(values((n, d)))
        ids = np.random.default_rng(draw(st.integers(0, 99))).integers(0, num, n).astype(np.int32)
        return (x, ids), {"num": num, "axis": -2}
    if name == "Mul":
        shape, other = draw(
            st.sampled_from(
                [
                    ((200, 100), (100,)),
                    ((3, 100, 60), (60,)),
                    ((300, 8, 8), (8, 8)),
                    ((200, 100), (200, 100)),
                    ((200, 100), (200, 1)),
                    ((5, 6), (6,)),
                    ((20000,), ()),
                ]
            )
        )
        x, scale = draw(values(shape, odd=False)), np.random.default_rng(4).standard_normal(other)
        pair = (x, np.asarray(scale).astype(x.dtype)[()])
        return pair[:: draw(st.sampled_from([1, -1]))], {}
    shape = draw(shapes)
    x = draw(values(shape))
    if name in ("ReluGrad", "SigmoidCrossEntropyWithLogits"):
        return (x, np.random.default_rng(3).random(shape).astype(x.dtype)), {}
    return (x,), {}


def close(found, wanted, name):
    """Compare in the units that float32 has; what is not finite must be the same."""
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    if found.dtype == np.float64:
        np.testing.assert_array_equal(found, wanted)  # left to the plain kernel
        return
    summed = any(
        word in name for word in ("Mul", "Normalize", "Segment", "max", "CrossEntropy", "Pool")
    )
    scale = np.abs(wanted[np.isfinite(wanted)]).max(initial=0) if summed else 0
    np.testing.assert_allclose(
        found,
        wanted,
        rtol=3e-5 if summed else 2e-6,
        atol=(1e-5 if "Gelu" in name else 1e-6) * max(scale, 1),
    )


@pytest.mark.parametrize("name", sorted(ROWS))
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_kernel_equals_the_plain_one(name, data):
    arrays, how = data.draw(arguments(name))
    op, row = OPS[name], ROWS[name]
    kept = [x.copy() for x in arrays]
    with np.errstate(all="ignore"):
        plain = op.kernel(*arrays, **how)
        if row.kernel is not None:
            close(row.kernel(op.kernel)(*arrays, **how), plain, name)
        g = np.random.default_rng(5).standard_normal(plain.shape).astype(plain.dtype)
        for i, make in row.rules.items():
            shape = arrays[i].shape
            found, wanted = (
                unbroadcast(rule(g, plain, *arrays, **how), shape, 0)
                for rule in (make(op.rules[i]), op.rules[i])
            )
            close(found, wanted, name)
    for x, before in zip(arrays, kept):
        np.testing.assert_array_equal(x, before)  # inputs are never written to


@pytest.mark.parametrize("place", [-1, -3, 20, 1000])
def test_a_place_that_does_not_exist_is_left_to_the_plain_kernel(place):
    x, ids = np.ones((300, 8), np.float32), np.full(300, 5, np.int32)
    ids[7] = place
    plain, found = OPS["UnsortedSegmentSum"].kernel, []
    for kernel in (plain, ROWS["UnsortedSegmentSum"].kernel(plain)):
        try:
            found.append(kernel(x, ids, num=20, axis=-2).tolist())
        except Exception as error:
            found.append((type(error), str(error)))
    assert found[0] == found[1]


EXACT = {
    "exp": np.exp,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "softplus": lambda x: np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x))),
    "tanh": np.tanh,
    "erf": lambda x: OPS["Erf"].kernel(x),
}


@pytest.mark.parametrize("name", sorted(EXACT))
def test_approximations_keep_their_stated_error(name):
    from numba import njit

    f = getattr(a, name)

    @njit
    def run(x, out):
        for i in range(x.size):
            out[i] = f(x[i])

    tiny = np.geomspace(1e-37, 1, 20_000)
    x = np.concatenate(
        [np.linspace(-87, 88.7, 100_001), np.linspace(-6, 6, 100_001), tiny, -tiny]
    ).astype(np.float32)
    out = np.empty_like(x)
    run(x, out)
    exact = EXACT[name](x.astype(np.float64))
    normal = np.abs(exact) > 1.2e-38
    error = np.abs(out - exact)[normal] / np.spacing(np.abs(exact[normal]).astype(np.float32))
    assert error.max() <= a.ERRORS[name]
    odd = np.array([np.nan, np.inf, -np.inf, -0.0, 200, -200], np.float32)
    found = np.empty_like(odd)
    run(odd, found)
    with np.errstate(all="ignore"):
        wanted = EXACT[name](odd.astype(np.float64)).astype(np.float32)
    np.testing.assert_array_equal(found, wanted)


WITH_KERNELS = {
    "sigmoid": tf.sigmoid,
    "tanh": tf.tanh,
    "softplus": tf.math.softplus,
    "gelu": tf.nn.gelu,
    "gelu, approximate": lambda x: tf.nn.gelu(x, True),
    "erf": tf.math.erf,
    "relu": tf.nn.relu,
    "softmax": tf.nn.softmax,
    "log_softmax": tf.nn.log_softmax,
    "scaled": lambda x: x * x[0],
    "cross-entropy": lambda x: tf.nn.softmax_cross_entropy_with_logits(tf.nn.softmax(x[::-1]), x),
    "sparse": lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits(np.arange(150) % 120, x),
    "sigmoid cross-entropy": lambda x: tf.nn.sigmoid_cross_entropy_with_logits(
        labels=tf.sigmoid(x[::-1]), logits=x
    ),
    "layer norm": lambda x: tf.keras.layers.LayerNormalization()(x),
    "max pool": lambda x: tf.nn.max_pool2d(tf.reshape(x, (1, 30, 30, 20)), 2, 2, "VALID"),
    "embedding": lambda x: tf.nn.embedding_lookup(x, np.arange(300) % 150),
}


@pytest.mark.parametrize("name", sorted(WITH_KERNELS))
def test_gradients_of_first_and_second_order_are_the_same(name):
    f = WITH_KERNELS[name]
    x = tf.constant(np.random.default_rng(0).standard_normal((150, 120)).astype(np.float32))

    def both(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            first = tape.gradient(y, x, output_gradients=tf.cos(y))
        return y, first, outer.gradient(first, x)

    plain = both(x)
    with jit.enable():
        found = both(x)
    for p, q in zip(plain, found):
        np.testing.assert_allclose(q.numpy(), p.numpy(), rtol=2e-4, atol=2e-5)
