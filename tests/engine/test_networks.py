"""Convolution, pooling, einsum and random numbers against plain definitions; errors of shapes."""

import itertools

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import minitape as tf
from minitape.engine.ops.further.matrices import solvable

QUICK = settings(max_examples=25, deadline=None, derandomize=True, database=None)


def slow_conv(x, w, strides, padding, dilations):
    """Convolve by the definition, one number after the other."""
    kh, kw, c, f = w.shape
    if padding == "SAME":
        pads = []
        for n, k, s, d in zip(x.shape[1:3], (kh, kw), strides, dilations):
            total = max((-(-n // s) - 1) * s + (k - 1) * d + 1 - n, 0)
            pads.append((total // 2, total - total // 2))
        x = np.pad(x, ((0, 0), *pads, (0, 0)))
    oh = (x.shape[1] - (kh - 1) * dilations[0] - 1) // strides[0] + 1
    ow = (x.shape[2] - (kw - 1) * dilations[1] - 1) // strides[1] + 1
    y = np.zeros((len(x), oh, ow, f))
    for i in range(oh):
        for j in range(ow):
            part = x[
                :,
                i * strides[0] : i * strides[0] + (kh - 1) * dilations[0] + 1 : dilations[0],
                j * strides[1] : j * strides[1] + (kw - 1) * dilations[1] + 1 : dilations[1],
            ]
            y[:, i, j] = np.tensordot(part, w, 3)
    return y


@pytest.mark.parametrize(
    "c, k, s, d, padding",
    [*itertools.product((1, 3, 5), (1, 2, 3), (1, 2), (1, 2), ("SAME", "VALID"))],
)
def test_convolution_is_its_definition(c, k, s, d, padding):
    n, h, w, f, seed = 2, 5 + k, 6 + s, 2, 10 * k + c
    rng = np.random.default_rng(seed)
    x, filters = rng.normal(size=(n, h, w, c)), rng.normal(size=(min(k, 2), k, c, f))
    strides, dilations = (s, 1), (1, d)
    y = tf.nn.conv2d(x, filters, strides, padding, dilations=dilations).numpy()
    assert np.allclose(y, slow_conv(x, filters, strides, padding, dilations))


@pytest.mark.parametrize(
    "c, groups, f, s, d",
    [*itertools.product((1, 5), (1,), (2, 40), (1, 2), (1, 2)), (6, 2, 4, 2, 1), (6, 6, 36, 1, 2)],
)
def test_both_gradients_of_a_convolution_are_its_transposes(c, groups, f, s, d):
    rng = np.random.default_rng(f)
    x = tf.Variable(rng.normal(size=(2, 7, 8, c)))
    filters = tf.Variable(rng.normal(size=(2, 3, c // groups, f)))
    g = rng.normal(size=tf.nn.conv2d(x, filters, (s, 1), "SAME", dilations=(1, d)).shape)
    with tf.GradientTape() as tape:
        y = tf.nn.conv2d(x, filters, (s, 1), "SAME", dilations=(1, d))
    to_x, to_filters = tape.gradient(y, [x, filters], g)
    for _ in range(10):  # it is linear in each of them
        at = tuple(rng.integers(0, x.shape))
        place = tuple(rng.integers(0, filters.shape))
        one, w = np.zeros(x.shape), np.zeros(filters.shape)
        one[at], w[place] = 1, 1
        y = tf.nn.conv2d(one, filters, (s, 1), "SAME", dilations=(1, d))
        assert np.isclose(to_x[at], np.sum(y * g))
        y = tf.nn.conv2d(x, w, (s, 1), "SAME", dilations=(1, d))
        assert np.isclose(to_filters[place], np.sum(y * g))


@pytest.mark.parametrize("shape", [(3, 3, 8, 0), (0, 3, 8, 2), (0, 3, 2, 2)])
def test_a_filter_has_elements_as_in_tensorflow(shape):
    with pytest.raises(tf.errors.InvalidArgumentError, match="must not have zero elements"):
        tf.nn.conv2d(tf.ones([2, 5, 5, shape[2]]), tf.ones(shape), 1, "SAME")


@pytest.mark.parametrize(
    "ask",
    [
        lambda x: tf.nn.conv2d(x, tf.ones([1, 1, 2, 3]), 1, "SAME", data_format="NCHW"),
        lambda x: tf.keras.layers.Conv2D(3, 1, data_format="channels_first")(x),
        lambda x: tf.keras.layers.MaxPool2D(data_format="channels_first")(x),
    ],
)
def test_channels_stand_last_as_in_tensorflow_on_a_cpu(ask):
    with pytest.raises(
        tf.errors.UnimplementedError, match=r"not NCHW: tf.transpose\(images, \[0, 2, 3, 1\]\)"
    ):
        ask(tf.ones([1, 2, 4, 2]))
    with pytest.raises(ValueError, match="must be 'NHWC', got 'HW'"):
        tf.nn.max_pool2d(tf.ones([1, 2, 2, 1]), 2, 2, "VALID", data_format="HW")


@QUICK
@given(
    st.integers(2, 7),
    st.integers(2, 7),
    st.integers(1, 3),
    st.integers(1, 3),
    st.sampled_from(["SAME", "VALID"]),
    st.integers(0, 99),
)
def test_pooling_is_its_definition(h, w, k, s, padding, seed):
    x = np.random.default_rng(seed).normal(size=(2, h, w, 3))
    if padding == "VALID" and k > min(h, w):
        return
    total = [max((-(-n // s) - 1) * s + k - n, 0) if padding == "SAME" else 0 for n in (h, w)]
    around = np.pad(
        x, ((0, 0), *[(t // 2, t - t // 2) for t in total], (0, 0)), constant_values=np.nan
    )
    for name, reduce in (("max_pool2d", np.nanmax), ("avg_pool2d", np.nanmean)):
        y = getattr(tf.nn, name)(x, k, s, padding).numpy()
        expected = [
            [
                reduce(around[:, i * s : i * s + k, j * s : j * s + k], axis=(1, 2))
                for j in range(y.shape[2])
            ]
            for i in range(y.shape[1])
        ]
        assert np.allclose(y, np.array(expected).transpose(2, 0, 1, 3))


@QUICK
@given(
    st.sampled_from(
        [
            "ij,jk->ik",
            "ij,jk",
            "bij,bjk->bik",
            "...ij,...jk->...ik",
            "i...,i...->...",
            "ii->i",
            "ii",
            "ij->ji",
            "ij,ij,ij->i",
            "a...b,b->a...",
            "ij,kl->",
            "abc,cd,bd->a",
            "iij,j->i",
            " i j , j -> i ",
        ]
    ),
    st.integers(0, 99),
)
def test_einsum_is_numpys(equation, seed):
    rng = np.random.default_rng(seed)
    sizes = {c: int(rng.integers(1, 4)) for c in "abcdijkl"}
    terms = equation.replace(" ", "").split("->")[0].split(",")
    xs = [
        rng.normal(
            size=[
                n
                for part in t.replace("...", ".")
                for n in ([2, 3] if part == "." else [sizes[part]])
            ]
        )
        for t in terms
    ]
    assert np.allclose(tf.einsum(equation, *xs).numpy(), np.einsum(equation, *xs))


def test_einsum_refuses_what_cannot_be_read():
    x = tf.ones([2, 3])
    for equation, tensors in [
        ("ij,jk->ik", [x]),
        ("ij->ijk", [x]),
        ("i!->i", [x]),
        ("ij->ii", [x]),
    ]:
        with pytest.raises(ValueError):
            tf.einsum(equation, *tensors)
    with pytest.raises(tf.errors.InvalidArgumentError, match="rank 1 but got: 2"):
        tf.einsum("i->i", x)
    with pytest.raises(tf.errors.InvalidArgumentError, match="named 'j'"):
        tf.einsum("ij,jk->ik", x, x)


def test_shapes_that_do_not_fit_are_explained():
    x = tf.ones([1, 4, 4, 3])
    for call, words in [
        (lambda: tf.matmul(tf.ones([2, 3]), tf.ones([2, 3])), "Matrix size-incompatible"),
        (lambda: tf.matmul(tf.ones([2, 3]), tf.ones([3])), "matvec"),
        (lambda: tf.nn.conv2d(x, tf.ones([2, 2, 2, 1]), 1, "SAME"), "evenly divisible"),
        (lambda: tf.nn.conv2d(tf.ones([4, 4, 3]), tf.ones([2, 2, 3, 1]), 1, "SAME"), "newaxis"),
        (lambda: tf.nn.bias_add(x, tf.ones([2])), "as many biases"),
        (lambda: tf.linalg.inv(tf.zeros([2, 2])), "not invertible"),
        (lambda: tf.linalg.inv(tf.zeros([2, 3])), "square"),
        (
            lambda: tf.nn.sparse_softmax_cross_entropy_with_logits([3], tf.ones([1, 3])),
            "valid range",
        ),
    ]:
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            call()
    with pytest.raises(tf.errors.InvalidArgumentError, match="padding"):
        tf.nn.conv2d(x, tf.ones([2, 2, 3, 1]), 1, "FULL")


def test_without_the_processors_flags_a_singular_matrix_is_known_by_its_values():
    """As in a browser: there LAPACK says nothing and makes NaN."""
    x = np.ones((2, 2, 2))
    silent = lambda a: np.where(a[..., :1, :1] == 1, np.nan, a)  # noqa: E731
    with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
        solvable(silent, x * [[[1]], [[2]]])
    np.testing.assert_array_equal(solvable(silent, 2 * x), 2 * x)
    assert np.isnan(solvable(silent, np.full((2, 2), np.nan))).all(), "NaN was there before"
    assert solvable(silent, np.ones((0, 0))).shape == (0, 0)


def test_contrast_is_recorded_and_has_no_gradient():
    x = tf.constant(np.arange(12.0).reshape(2, 2, 3))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.image.adjust_contrast(x, 0.5)
    assert [e.op for e in tape.entries] == ["AdjustContrastv2"]
    with pytest.raises(LookupError, match="gradient registry has no entry for: AdjustContrastv2"):
        tape.gradient(y, x)


def test_the_same_seed_gives_the_same_numbers():
    def draw():
        return [
            tf.random.normal([3]).numpy(),
            tf.random.uniform([3], 0, 10, tf.int32).numpy(),
            tf.random.shuffle(tf.range(9)).numpy(),
            tf.random.truncated_normal([100]).numpy(),
            tf.random.normal([2], seed=5).numpy(),
        ]

    tf.random.set_seed(3)
    first = draw()
    again = draw()
    tf.random.set_seed(3)
    repeated = draw()
    assert all(np.array_equal(a, b) for a, b in zip(first, repeated))
    assert not any(np.array_equal(a, b) for a, b in zip(first, again))
    assert np.abs(first[3]).max() <= 2
    assert sorted(first[2]) == list(range(9))
    generator = tf.random.Generator.from_seed(1)
    assert np.array_equal(
        generator.normal([2]).numpy(), tf.random.Generator.from_seed(1).normal([2]).numpy()
    )
    assert np.array_equal(
        tf.random.stateless_normal([2], [1, 2]).numpy(),
        tf.random.stateless_normal([2], [1, 2]).numpy(),
    )


def test_gradients_reach_the_parameters_of_a_distribution():
    mean, spread = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.reduce_mean(tf.random.normal([1000], mean, spread, seed=1))
    g = tape.gradient(y, [mean, spread])
    assert abs(float(g[0]) - 1) < 1e-5 and abs(float(g[1])) < 0.2


def test_dropout_keeps_the_mean_and_blocks_what_it_dropped():
    x = tf.ones([100, 100])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.dropout(x, 0.25, seed=1)
    assert abs(float(tf.reduce_mean(y)) - 1) < 0.05
    assert np.array_equal(tape.gradient(y, x).numpy(), y.numpy())
    assert tf.nn.dropout(x, 0.0) is x
    with pytest.raises(ValueError, match="rate"):
        tf.nn.dropout(x, 1.0)


# ---- what is computed on a quicker way where it pays

ODD = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-40, 7.0], np.float32)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "uint8"])
@pytest.mark.parametrize("name", ["relu", "relu6"])
def test_many_numbers_are_cut_off_as_few_are(name, dtype):
    x = np.resize(
        np.append(ODD, [-3.0, 2.5, 6.0])
        if dtype.startswith("f")
        else np.arange(9)
        if dtype == "uint8"
        else np.arange(-4, 9),
        5000,
    ).astype(dtype)
    whole = getattr(tf.nn, name)(tf.constant(x))
    wanted = np.maximum(x, 0) if name == "relu" else np.minimum(np.maximum(x, 0), 6)
    assert whole.value.dtype == x.dtype
    np.testing.assert_array_equal(whole.value, wanted)


@pytest.mark.parametrize("classes", [1, 2, 10, 32, 33, 500, 5000])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("far", [63.0, -63.0, 80.0, -200.0, 1e30])
def test_softmax_of_many_rows_is_that_of_each(classes, dtype, far):
    rng = np.random.default_rng(classes)
    x = (rng.standard_normal((40, classes)) * 5).astype(dtype).clip(-20, 20)
    x[3], x[5, 0], x[6, 1:] = -abs(far), far, -np.inf
    labels = rng.integers(0, classes, 40)
    exact = x.astype("float64") - x.max(1, keepdims=True)
    p = np.exp(exact) / np.exp(exact).sum(1, keepdims=True)
    assert np.allclose(tf.nn.softmax(x).value, p, rtol=1e-5)
    assert np.allclose(
        tf.nn.log_softmax(x).value,
        exact - np.log(np.exp(exact).sum(1, keepdims=True)),
        rtol=1e-5,
        atol=4e-6,  # sums are rounded one way with AVX, another in WebAssembly
    )
    labels[6], labels[5] = 0, 0
    seeds = rng.random(40).astype(dtype)
    with tf.GradientTape() as tape:
        tape.watch(logits := tf.constant(x))
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
    assert np.allclose(
        loss.value,
        (np.log(np.exp(exact).sum(1)) - exact[np.arange(40), labels]),
        rtol=1e-5,
        atol=1e-6,
    )
    slopes = tape.gradient(loss, logits, output_gradients=tf.constant(seeds)).value
    wanted = (p - np.eye(classes)[labels]) * seeds[:, None]
    assert np.allclose(slopes, wanted, rtol=1e-5, atol=1e-7)
    assert not slopes[6].any()  # the label has all: nothing is left, not even a rounding


def test_softmax_keeps_a_row_that_is_no_number_to_itself():
    x = np.zeros((40, 10), np.float32)
    x[1, 2], x[2, 3], x[3] = np.nan, np.inf, -np.inf
    with np.errstate(invalid="ignore"):
        y = tf.nn.softmax(x).value
    assert (
        np.isnan(y[1:4]).all()
        and np.all(y[4:] == np.float32(0.1))
        and np.all(y[0] == np.float32(0.1))
    )


def test_sums_over_many_rows_are_exact_enough():
    x = np.random.default_rng(0).random((5000, 3)).astype(np.float32)
    for rows in (100, 4096, 4097, 5000):
        assert np.allclose(
            tf.reduce_sum(x[:rows].copy(), axis=0).value,
            x[:rows].astype("float64").sum(0),
            rtol=1e-5,
        )


@pytest.mark.parametrize("rows", [3, 2000])
def test_layer_normalisation_and_its_gradient_are_their_definitions(rows):
    rng = np.random.default_rng(rows)
    x, g = [rng.normal(3, 2, (rows, 64)).astype("f") for _ in range(2)]
    layer, source = tf.keras.layers.LayerNormalization(), tf.constant(x)
    layer.build(x.shape)
    buffer = np.getbufsize()
    with tf.GradientTape() as tape:
        tape.watch(source)
        y = layer(source)
    slope = tape.gradient(y, source, output_gradients=tf.constant(g))
    centred = x - x.mean(1, keepdims=True)
    r = 1 / np.sqrt((centred**2).mean(1, keepdims=True) + layer.epsilon)
    y = centred * r
    of_definition = r * (g - g.mean(1, keepdims=True) - y * (g * y).mean(1, keepdims=True))
    assert np.allclose(slope, of_definition, rtol=1e-4, atol=1e-4)
    assert np.getbufsize() == buffer  # NumPy's setting is the program's own
