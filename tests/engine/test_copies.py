"""Copies: right, or refused in words; never a None or a lost setting in silence."""

import copy
import pickle

import pytest

import minitape as tf


def pickled(obj):
    return pickle.loads(pickle.dumps(obj))


def recorded(persistent=False):
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent) as tape:
        y = x * x
    return x, tape, y


@pytest.mark.parametrize("again", [copy.deepcopy, pickled])
@pytest.mark.parametrize(
    "what",
    [
        lambda x, tape, y: tape,
        lambda x, tape, y: (tape, x, y),
        lambda x, tape, y: {"model": x, "tape": tape},
        lambda x, tape, y: tape.recording,
    ],
)
def test_a_tape_says_that_it_cannot_be_copied(what, again):
    x, tape, y = recorded()
    with pytest.raises(
        TypeError, match="A tape cannot be copied or pickled: .* Ask it for its gradients first"
    ):
        again(what(x, tape, y))
    assert float(tape.gradient(y, x)) == 6.0, "it is as it was"


def test_a_shallow_copy_is_the_same_tape():
    x, tape, y = recorded()
    assert float(copy.copy(tape).gradient(y, x)) == 6.0


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickled])
def test_an_explanation_keeps_its_words(again):
    x, tape, y = recorded(persistent=True)
    z = tf.constant(2.0)
    found = tape.explain(y, z)
    twin = again(found)
    assert (str(twin), twin.html(), twin.category, twin.span) == (
        str(found),
        found.html(),
        found.category,
        found.span,
    )
    if again is pickled:
        with pytest.raises(RuntimeError, match="nothing left to show"):
            twin.storyboard()


class Doubled:
    """A penalty and a constraint, and what a program may note on a variable."""

    def __call__(self, x):
        return x * 2.0


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickled])
def test_a_copy_of_a_variable_shares_all_its_settings(again):
    v = tf.Variable(
        [1.0, 2.0], name="w", trainable=False, constraint=Doubled(), shape=tf.TensorShape([None])
    )
    v.note = "mine"
    twin = again(v)
    assert isinstance(twin.constraint, Doubled) and (twin.name, twin.trainable, twin.note) == (
        "w:0",
        False,
        "mine",
    )
    twin.assign([5.0])
    assert twin.shape.as_list() == [None] and v.numpy().tolist() == [1.0, 2.0]
    x = tf.Variable(1.0)
    twin = again(x)
    with tf.GradientTape() as tape:
        y = x * 2.0 + twin * 3.0
    assert [float(g) for g in tape.gradient(y, [x, twin])] == [2.0, 3.0]


@pytest.mark.parametrize("again", [copy.deepcopy, pickled])
def test_a_copy_of_a_model_has_its_penalties_and_learns(again):
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(2, kernel_regularizer="l2"), tf.keras.layers.Dense(1)]
    )
    x = tf.constant([[1.0, 2.0]])
    model(x)
    model.layers[1].trainable = False
    twin = again(model)
    assert [float(loss) for loss in twin.losses] == [float(loss) for loss in model.losses] != []
    assert len(twin.trainable_variables) == len(model.trainable_variables) == 2
    for one in (model, twin):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(one(x) ** 2)
        slopes = tape.gradient(loss, one.trainable_variables)
        assert None not in slopes
        tf.keras.optimizers.SGD(0.1).apply_gradients(zip(slopes, one.trainable_variables))
    assert [w.tolist() for w in model.get_weights()] == [w.tolist() for w in twin.get_weights()]
    twin.layers[0].kernel.assign_add([[1.0, 1.0], [1.0, 1.0]])
    assert model.get_weights()[0].tolist() != twin.get_weights()[0].tolist()
