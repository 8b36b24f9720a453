"""What is not there says what there is instead; and what is there is what the package says about
itself.
"""

import tomllib
from importlib import import_module
from pathlib import Path

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
        (tf.debugging, "check_numeric", "Did you mean check_numerics?"),
    ],
)
def test_a_mistyped_name_of_a_smaller_module_is_found(module, name, said):
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'\\. ") as caught:
        getattr(module, name)
    assert said in str(caught.value)
    assert not hasattr(module, "__no_such__")


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
        with pytest.raises(TypeError, match="tf.strings.to_number and tf.strings.as_string"):
            f()
    with pytest.raises(TypeError, match="Use tf.cast to convert on purpose"):
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
