"""What is not there says what there is instead; and what is there is what the package says about itself."""

import tomllib
from pathlib import Path

import pytest

import minitape as tf
from minitape.api.missing import INSTEAD

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", sorted(set(INSTEAD) - {"log"}))
def test_a_missing_name_says_what_there_is_instead(name):
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'") as caught:
        getattr(tf, name)
    assert str(caught.value).endswith(INSTEAD[name])


def test_the_pieces_of_several_strings_have_different_lengths():
    for function in (tf.strings.split, tf.strings.bytes_split):
        with pytest.raises(NotImplementedError, match=rf"shape \(2,\).*Use \[tf.strings.{function.__name__}\(s\) for s in x\]"):
            function(["a b", "c"])


def test_the_version_is_the_one_that_is_installed():
    assert tf.__version__ == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_a_tensor_array_in_a_trace_is_filled_by_a_python_loop():
    @tf.function
    def f(n):
        return tf.TensorArray(tf.float32, 3).write(n, 1.0).stack()

    with pytest.raises(TypeError, match="[Ll]ine"):
        f(tf.constant(1))
