"""What is not there says what there is instead; and what is there is what the package says about
itself.
"""

import tomllib
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import minitape as tf
from minitape.api.elsewhere import instead

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("module", "name"), sorted(instead()))
def test_a_missing_name_says_what_there_is_instead(module, name):
    asked = tf if module == "tf" else import_module(f"minitape.{module}")
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'") as caught:
        getattr(asked, name)
    assert str(caught.value).endswith(f". {instead()[module, name]}") and instead()[
        module, name
    ].endswith(".")


X, S, A = (
    tf.constant([1.0, 2.0, 4.0]),
    tf.constant([[1.0, 2.0], [0.0, 4.0]]),
    tf.constant([[2.0, 0.5], [0.5, 1.0]]),
)
E, V = tf.linalg.eigh(A)


def of_symmetric(f):
    return np.array(V) @ np.diag(f(np.array(E))) @ np.array(V).T


@pytest.mark.parametrize(
    ("name", "written", "given", "wanted"),
    [
        (
            "tf.foldr",
            "tf.foldl(fn, tf.reverse(elems, [0]))",
            {"fn": lambda a, b: a - b, "elems": X},
            1.0,
        ),
        (
            "tf.searchsorted",
            "tf.reduce_sum(tf.cast(x < v[:, tf.newaxis], tf.int32), axis=1)",
            {"x": X, "v": tf.constant([0.5, 2.0, 9.0])},
            [0, 1, 3],
        ),
        (
            "math.bincount",
            "tf.reduce_sum(tf.one_hot(x, n, dtype=tf.int32), axis=0)",
            {"x": [0, 2, 0], "n": 3},
            [2, 0, 1],
        ),
        (
            "math.cumulative_logsumexp",
            "tf.math.log(tf.cumsum(tf.exp(x - m))) + m",
            {"x": X, "m": 4.0},
            np.logaddexp.accumulate(X),
        ),
        (
            "math.polyval",
            "(a * x + b) * x + c",
            {"a": 2.0, "b": 3.0, "c": 5.0, "x": X},
            np.polyval([2.0, 3.0, 5.0], X),
        ),
        (
            "math.segment_mean",
            "tf.math.segment_sum(x, ids) / tf.math.segment_sum(tf.ones_like(x), ids)",
            {"x": X, "ids": [0, 0, 1]},
            [1.5, 4.0],
        ),
        ("math.zero_fraction", "tf.reduce_mean(tf.cast(x == 0, tf.float32))", {"x": S}, 0.25),
        (
            "linalg.expm",
            "v @ tf.linalg.diag(tf.exp(e)) @ tf.transpose(v)",
            {"e": E, "v": V},
            of_symmetric(np.exp),
        ),
        (
            "linalg.logm",
            "v @ tf.linalg.diag(tf.math.log(e)) @ tf.transpose(v)",
            {"e": E, "v": V},
            of_symmetric(np.log),
        ),
        (
            "linalg.sqrtm",
            "v @ tf.linalg.diag(tf.sqrt(e)) @ tf.transpose(v)",
            {"e": E, "v": V},
            of_symmetric(np.sqrt),
        ),
        (
            "linalg.lstsq",
            "tf.linalg.solve(tf.transpose(a) @ a, tf.transpose(a) @ b)",
            {"a": S, "b": A},
            np.linalg.lstsq(S, A)[0],
        ),
        (
            "linalg.set_diag",
            "a - tf.linalg.diag(tf.linalg.diag_part(a)) + tf.linalg.diag(d)",
            {"a": S, "d": tf.constant([7.0, 8.0])},
            [[7, 2], [0, 8]],
        ),
        (
            "nn.weighted_cross_entropy_with_logits",
            "tf.nn.sigmoid_cross_entropy_with_logits(labels=t, logits=x) * (1 + (pos_weight - 1) "
            "* t)",
            {"t": tf.constant([0.0, 1.0, 0.0]), "x": X, "pos_weight": 3.0},
            np.log1p(np.exp([1.0, -2.0, 4.0])) * [1, 3, 1],
        ),
        (
            "tf.sparse",
            "tf.scatter_nd(indices, values, shape)",
            {"indices": [[0, 1], [1, 0]], "values": [5.0, 7.0], "shape": [2, 2]},
            [[0, 5], [7, 0]],
        ),
        (
            "tf.ragged",
            "tf.reduce_sum(tf.where(mask, x, 0.0), axis=1)",
            {"x": S, "mask": tf.sequence_mask([1, 2])},
            [1, 4],
        ),
        (
            "nn.embedding_lookup_sparse",
            "tf.reduce_sum(tf.nn.embedding_lookup(params, ids) * mask[..., tf.newaxis], axis=1)",
            {"params": S, "ids": [[0, 1], [1, 0]], "mask": tf.constant([[1.0, 1.0], [1.0, 0.0]])},
            [[1, 6], [0, 4]],
        ),
        (
            "image.psnr",
            "10 * tf.math.log(max_val ** 2 / tf.reduce_mean((a - b) ** 2)) / np.log(10)",
            {"a": S, "b": A, "max_val": 1.0},
            -10 * np.log10(np.mean((np.array(S) - np.array(A)) ** 2)),
        ),
        (
            "keras.losses.LogCosh",
            "tf.reduce_mean(tf.math.log(tf.cosh(p - t)), axis=-1)",
            {"t": X, "p": 2.0 * X},
            np.log(np.cosh(X)).mean(),
        ),
    ],
)
def test_what_is_written_instead_gives_the_same(name, written, given, wanted):
    module, _, short = name.rpartition(".")
    assert written in instead()[module, short]
    assert np.allclose(eval(written, {"tf": tf, "np": np, **given}), wanted, atol=1e-5)


@pytest.mark.parametrize(
    ("module", "name", "said"),
    [
        (tf.keras.layers, "dense", "Did you mean Dense?"),
        (tf.keras.layers, "Lstm", "Did you mean LSTM?"),
        (tf.keras.layers, "MultiHeadAttention", "tf.nn.softmax"),
        (tf.keras.layers, "TextVectorization", "ids = {word: k"),
        (tf.keras.layers, "Masking", "rnn(x, mask=mask)"),
        (tf.keras.layers, "TimeDistributed", "last axis"),
        (tf.keras.losses, "MeanSquareError", "Did you mean MeanSquaredError?"),
        (tf.keras.metrics, "SparseCategoricalAcuracy", "Did you mean SparseCategoricalAccuracy?"),
        (tf.keras.optimizers, "adam", "Adam?"),
        (tf.keras.optimizers, "legacy", "same names"),
        (tf.keras, "mixed_precision", "leave the policy out"),
        (tf.debugging, "check_numeric", "Did you mean check_numerics?"),
    ],
)
def test_a_mistyped_name_of_a_smaller_module_is_found(module, name, said):
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'\\. ") as caught:
        getattr(module, name)
    assert said in str(caught.value)
    assert not hasattr(module, "__no_such__")


def test_a_loss_is_scaled_by_hand():
    w = tf.Variable(3.0)
    for module, name in (("keras", "mixed_precision"), ("keras.optimizers", "LossScaleOptimizer")):
        first, _, then = instead()[module, name].rpartition("in the block ")[2].partition(", then ")
        names = {"variables": [w]}
        with tf.GradientTape() as names["tape"]:
            names["loss"] = w * w
            exec(first, names)
        exec(then.rstrip("."), names)
        assert names["gradients"] == [6.0]
    with pytest.raises(TypeError, match="A mixed policy is no dtype here"):
        tf.keras.layers.Dense(1, dtype="mixed_float16")


def test_the_pieces_of_several_strings_have_different_lengths():
    for function in (tf.strings.split, tf.strings.bytes_split):
        with pytest.raises(
            NotImplementedError,
            match=rf"shape \(2,\).*Use \[tf.strings.{function.__name__}\(s\) for s in x\]",
        ):
            function(["a b", "c"])


def test_numbers_and_strings_are_not_mixed_and_the_message_says_how_to_convert():
    for f in (
        lambda: tf.constant("a") + 1,
        lambda: tf.constant(1.0) + "a",
        lambda: tf.constant("1", tf.float32),
    ):
        with pytest.raises(
            (TypeError, tf.errors.InvalidArgumentError),
            match="tf.strings.to_number and tf.strings.as_string",
        ):
            f()
    with pytest.raises(tf.errors.InvalidArgumentError, match="Use tf.cast to convert on purpose"):
        tf.constant(1) + 1.5


def test_a_tensor_array_is_no_tensor():
    with pytest.raises(ValueError, match=r"\.stack\(\)"):
        tf.reduce_sum(tf.TensorArray(tf.float32, 2))


def test_the_version_is_the_one_that_is_installed():
    assert (
        tf.__version__ == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    )


def test_a_tensor_array_in_a_trace_is_filled_by_a_python_loop():
    @tf.function
    def f(n):
        return tf.TensorArray(tf.float32, 3).write(n, 1.0).stack()

    with pytest.raises(TypeError, match="[Ll]ine"):
        f(tf.constant(1))
