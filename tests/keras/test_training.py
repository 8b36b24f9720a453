"""Whole steps of training, and tapes inside of tapes through networks."""

import numpy as np

import minitape as tf
from minitape import keras


def test_a_tape_inside_of_a_tape_through_a_network():
    model = keras.Sequential([keras.layers.Dense(4, activation="tanh"), keras.layers.Dense(1)])
    x = tf.random.normal([5, 3])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(model(x))
        penalty = tf.reduce_sum(inner.gradient(y, x) ** 2)
    grads = outer.gradient(penalty, model.trainable_variables)
    assert [g is None for g in grads] == [False, False, False, True]


def test_metrics_average_over_batches():
    accuracy, mean = keras.metrics.SparseCategoricalAccuracy(), keras.metrics.Mean()
    for labels, logits in [([0, 1], [[2.0, 1.0], [2.0, 1.0]]), ([1, 1], [[0.0, 1.0], [0.0, 1.0]])]:
        accuracy.update_state(tf.constant(labels), tf.constant(logits))
        mean.update_state(tf.constant([1.0, 3.0]))
    assert float(accuracy.result()) == 0.75 and float(mean.result()) == 2.0
    accuracy.reset_state()
    assert float(accuracy.result()) == 0.0
    assert float(keras.metrics.Precision()([1, 0, 1], [0.9, 0.8, 0.1])) == 0.5
    assert float(keras.metrics.Recall()([1, 0, 1], [0.9, 0.8, 0.1])) == 0.5


def test_initializers_have_the_right_spread_and_repeat_themselves():
    for kind, variance in [
        ("glorot_uniform", 2 / 500),
        ("he_normal", 2 / 200),
        ("lecun_uniform", 1 / 200),
    ]:
        drawn = keras.initializers.get(kind)((200, 300)).numpy()
        assert abs(drawn.var() / variance - 1) < 0.05 and abs(drawn.mean()) < 0.01
    seeded = keras.initializers.RandomNormal(seed=3)
    assert np.array_equal(
        seeded((4,)).numpy(), keras.initializers.RandomNormal(seed=3)((4,)).numpy()
    )
    q = keras.initializers.Orthogonal()((6, 4)).numpy()
    assert np.allclose(q.T @ q, np.eye(4), atol=1e-5)
    keras.utils.set_random_seed(7)
    first = keras.layers.Dense(3)
    first.build((None, 2))
    keras.utils.set_random_seed(7)
    second = keras.layers.Dense(3)
    second.build((None, 2))
    assert np.array_equal(first.kernel.numpy(), second.kernel.numpy())


def test_one_hot_rows():
    assert keras.utils.to_categorical([0, 2], 3).tolist() == [[1, 0, 0], [0, 0, 1]]
