"""Variables: parts of them changed, copies, pickles; tapes keep what they saw."""

import copy
import pickle
import warnings

import numpy as np
import pytest

import minitape as tf


def test_parts_are_changed():
    v = tf.Variable([1.0, 2.0, 3.0])
    assert v.scatter_nd_update([[0], [2]], [10.0, 11.0]) is v
    v.scatter_nd_add([[0], [0]], [1.0, 1.0])
    v.scatter_nd_sub([[1]], [0.5])
    v.scatter_nd_max([[1]], [7.0])
    v.scatter_nd_min([[2]], [4.0])
    assert v.numpy().tolist() == [12.0, 7.0, 4.0]
    with pytest.raises(tf.errors.InvalidArgumentError):
        v.scatter_nd_update([[5]], [1.0])


def test_a_tape_keeps_what_it_saw():
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = v * v
        v.scatter_nd_update([[0]], [100.0])
        v.assign_add([1.0, 1.0])
    assert tape.gradient(y, v).numpy().tolist() == [2.0, 4.0]


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))]
)
def test_copies_go_their_own_way(again):
    v = tf.Variable([1.0, 2.0], name="w", trainable=False)
    twin = again(v)
    twin.assign([5.0, 6.0])
    assert v.numpy().tolist() == [1.0, 2.0]
    assert (twin.name, twin.trainable) == ("w:0", False)


@pytest.mark.parametrize("value", [1.5, [1, 2], [[True]], np.arange(3.0), [1 + 2j], ["a", "bc"]])
def test_tensors_are_copied_and_pickled(value):
    t = tf.constant(value)
    for twin in (copy.copy(t), copy.deepcopy(t), pickle.loads(pickle.dumps(t))):
        assert twin.dtype == t.dtype and twin.shape == t.shape
        assert np.array_equal(np.asarray(twin), np.asarray(t))


def test_what_goes_in_is_copied():
    array = np.ones(2, "float32")
    t, v = tf.constant(array), tf.Variable(array)
    array[:] = 7
    assert t.numpy().tolist() == v.numpy().tolist() == [1.0, 1.0]
    out = v.numpy()
    out[:] = 8
    assert v.numpy().tolist() == [1.0, 1.0]


def test_a_deep_copy_of_a_tensor_keeps_its_history():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = copy.deepcopy({"y": x * x})["y"]
    assert float(tape.gradient(y, x)) == 4.0


def test_single_strings_are_joined():
    a, v = tf.constant("a"), tf.Variable("v")
    joined = [a + "b", "b" + a, a + a, v + "w", tf.add(a, "b"), tf.constant(["a"])[0] + "c"]
    assert [t.numpy() for t in joined] == [b"ab", b"ba", b"aa", b"vw", b"ab", b"ac"]
    assert {t.dtype.name for t in joined} == {"string"} and joined[0].shape == []


@pytest.mark.parametrize("value", [[1, "a"], [["a"], [2.0]], ("a", True)])
def test_numbers_and_strings_do_not_mix(value):
    with pytest.raises(ValueError, match="mixed types"):
        tf.constant(value)


def test_slices_of_a_variable_are_assigned():
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    assert v[0].assign([9.0, 8.0]) is v and v.numpy().tolist() == [[9.0, 8.0], [3.0, 4.0]]
    v[:, 1].assign(5.0)  # stretched, as in TensorFlow
    v[tf.constant(1), 0].assign(tf.constant(7.0))
    assert v.numpy().tolist() == [[9.0, 5.0], [7.0, 5.0]]
    old = v[0]
    v.assign(v * 0.0)
    old.assign([1.0, 2.0])  # into what the variable holds now
    assert v.numpy().tolist() == [[1.0, 2.0], [0.0, 0.0]]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[3\] into the slice's shape \[2\]"):
        v[0].assign([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="float32 for Tensor with dtype int32"):
        v[0].assign(tf.constant([1, 1]))
    for tensor in (v[0] + 1.0, v[0][0], tf.constant([1.0])[0]):  # no slices of a variable any more
        with pytest.raises(AttributeError, match=r"w\[0\].assign"):
            tensor.assign(1.0)
    assert v.numpy().tolist() == [[1.0, 2.0], [0.0, 0.0]]


@pytest.mark.parametrize(
    "change",
    [
        lambda v, x: v[0].assign(x * 3),
        lambda v, x: v.assign([x, x]),
        lambda v, x: v.scatter_nd_update([[0]], [x]),
        lambda v, x: v.scatter_nd_add([[1]], tf.stack([x])),
    ],
)
def test_what_is_put_into_a_variable_is_not_followed_but_explained(change):
    v, x = tf.Variable([1.0, 2.0]), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        before = tf.reduce_sum(v * x)
        change(v, x)
        loss = tf.reduce_sum(v**2) + before * 0.0
    assert tape.gradient(loss, v).numpy().tolist() == (v * 2.0).numpy().tolist()
    with tf.GradientTape() as tape:
        change(v, x)
        loss = tf.reduce_sum(v**2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert tape.gradient(loss, x) is None
    found = tape.explain(loss, x)
    assert found.category == "state-assign"
    assert (
        "` puts the value into the variable" in found.message
        or "puts x into" in found.message
        or "tf.stack([x])" in found.message
    )


def test_tensors_in_a_list_take_the_dtype_that_is_asked_for():
    x, y, i = tf.Variable(2.0), tf.constant(3.0), tf.constant(1)
    made = [
        tf.Variable([x, 1.0], dtype=tf.float64),
        tf.Variable([0.0, 0.0], dtype=tf.float64).assign([x, y]),
        tf.Variable([0.0, 0.0]).assign([i, i]),
        tf.Variable([0, 0]).assign([y, y]),
        tf.convert_to_tensor([x, y], tf.float64),
    ]
    assert [m.dtype.name for m in made] == ["float64", "float64", "float32", "int32", "float64"]
    assert [m.numpy().tolist() for m in made] == [
        [2.0, 1.0],
        [2.0, 3.0],
        [1.0, 1.0],
        [3, 3],
        [2.0, 3.0],
    ]
    with tf.GradientTape() as tape:
        z = tf.convert_to_tensor([x, x * x], tf.float64)
    assert float(tape.gradient(z, x)) == 5.0


def test_a_variable_of_strings_takes_longer_strings():
    v = tf.Variable("abc")
    assert (
        v.assign("abcdef").numpy() == b"abcdef"
        and v.assign(tf.constant("a longer one")).numpy() == b"a longer one"
    )
    w = tf.Variable(["a", "bc"])
    assert w.assign(["abc", "d"]).numpy().tolist() == [b"abc", b"d"]
    assert w[1].assign("longer").numpy().tolist() == [b"abc", b"longer"]
    assert w.scatter_nd_update([[0]], ["the longest"]).numpy().tolist() == [
        b"the longest",
        b"longer",
    ]


def test_a_variable_takes_numbers_of_its_dtype_under_each_name_that_numpy_has_for_it():
    v = tf.Variable(np.array([1, 2], np.int64))
    for kind in (np.longlong, np.int64, np.dtype("long")):
        if np.dtype(kind) == np.int64:
            assert v.assign(tf.constant(np.array([3, 4], kind))).numpy().tolist() == [3, 4]


def test_all_of_one_number_is_a_part_that_can_be_assigned():
    assert tf.Variable(2.0)[...].assign(3.0).numpy() == 3.0
