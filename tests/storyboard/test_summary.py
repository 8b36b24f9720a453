"""Summaries of values: short texts, honest statistics, plain JSON."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from minitape.storyboard.text.summary import Values, number_text, sentence_text, short_text, summary


@pytest.mark.parametrize(
    "value, text",
    [
        (36.0, "36.0"),
        (0.1, "0.1"),
        (1 / 3, "0.333333"),
        (-0.0, "0.0"),
        (1e-7, "1e-07"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (123456789.0, "1.23457e+08"),
    ],
)
def test_texts_of_numbers(value, text):
    assert number_text(value) == text


def test_a_zero_has_no_sign_to_the_eye_and_keeps_it_to_compute_with():
    values = Values()
    assert len({values.add(np.float32(0.0)), values.add(np.float32(-0.0))}) == 2
    assert [found["text"] for found in values.summaries] == ["0.0", "0.0"]
    assert np.signbit(values.summaries[1]["number"])
    assert summary(np.array([-0.0, 1.0]))["text"] == "[0. 1.]"


def test_scalars_keep_their_number():
    assert summary(np.float32(0.1)) == {
        "text": "0.1",
        "dtype": "float32",
        "shape": [],
        "number": 0.1,
    }
    assert summary(np.float64(1 / 3))["number"] == 1 / 3
    assert summary(np.int32(3)) == {"text": "3", "dtype": "int32", "shape": [], "number": 3}
    assert summary(np.float32("inf"))["number"] == "inf"
    assert summary(np.complex64(1 - 2j))["text"] == "1.0-2.0j"


def test_an_array():
    found = summary(np.array([[1.0, 0.0], [np.nan, -np.inf]], np.float32))
    assert (
        found["min"],
        found["max"],
        found["nan"],
        found["inf"],
        found["zero"],
        found["bytes"],
    ) == (0.0, 1.0, 1, 1, 1, 16)
    assert (
        found["cells"] == [[1.0, 0.0], ["nan", "-inf"]] and found["text"] == "[[1. 0.] [nan -inf]]"
    )


def test_a_large_array_is_strided():
    found = summary(np.arange(10_000, dtype=np.float32).reshape(100, 100))
    assert (
        found["strided"]
        and len(found["cells"]) <= 16
        and len(found["cells"][0]) <= 16
        and found["text"] == "[100×100], 0.0 … 9999.0"
    )
    assert len(json.dumps(found)) < 3000


@pytest.mark.parametrize(
    "array, said",
    [
        (np.array([[0.5, np.nan, 2.0]] * 3), "[3×3], 3 nan, 0.5 … 2.0"),
        (np.full((3, 3), np.inf), "[3×3], 9 inf"),
        (np.ones(7), "[7], 1.0"),
        (np.arange(9), "[9], 0 … 8"),
        (np.array(["a"] * 7), "[7], string"),
        (np.zeros((0, 3)), "[0×3], float64"),
        (np.ones(2), "[1. 1.]"),
    ],
)
def test_an_array_that_is_not_written_out_is_told_by_shape_and_range(array, said):
    assert summary(array)["text"] == said
    assert short_text(summary(array)) == said.partition(",")[0]


@settings(deadline=None, max_examples=150)
@given(
    nps.arrays(
        st.sampled_from(
            [np.float16, np.float32, np.float64, np.int32, np.int8, np.bool_, np.complex64]
        ),
        nps.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=20),
    )
)
def test_any_array_becomes_json(array):
    found = summary(array)
    json.dumps(found, allow_nan=False)
    assert found["shape"] == list(array.shape)
    if "min" in found:
        assert found["min"] <= found["max"]


def test_equal_values_are_stored_once():
    values = Values()
    assert values.add(np.float32(2)) == values.add(np.float32(2)) == 0
    assert (
        values.add(np.float64(2)) == 1
        and values.add(np.array([1.0, 2.0])) == values.add(np.array([1.0, 2.0])) == 2
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2.5, "2.5"),
        ([1, 2], "[1 2]"),
        (np.arange(7.0), "[0. 1. 2. 3. 4. 5. 6.]"),
        (np.full((2, 4), np.nan), "[[nan nan nan nan] [nan nan nan nan]]"),
        (np.eye(3) > 0, "[[True False False] [False True False] [False False True]]"),
        (np.zeros((2, 2, 2)), "[2×2×2], 0.0"),
        (np.arange(13.0), "[13], 0.0 … 12.0"),
    ],
)
def test_a_sentence_has_up_to_twelve_numbers(value, text):
    assert sentence_text(summary(np.asarray(value))) == text
