"""Many threads that do something for the first time together: layers are built once, functions
traced once, slots made once.
"""

import sys
import threading
from time import sleep

import pytest

import minitape as tf

THREADS = 32


@pytest.fixture(autouse=True)
def threads_change_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(function):
    """Call a function in many threads at the same moment; return their results. Raises the first
    error.
    """
    results, errors, start = [], [], threading.Barrier(THREADS)

    def run():
        start.wait()
        try:
            results.append(function())
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads)
    if errors:
        raise errors[0]
    return results


def fresh_model():
    return tf.keras.Sequential(
        [
            tf.keras.layers.Dense(8, activation="relu"),
            tf.keras.layers.BatchNormalization(),
            tf.keras.Sequential([tf.keras.layers.Dense(2)]),
        ]
    )


@pytest.mark.parametrize("trial", range(5))
def test_a_fresh_model_is_built_once(trial):
    model, x = fresh_model(), tf.ones([3, 4])

    def forward():
        with tf.GradientTape() as tape:
            y = model(x)
        assert len(tape.watched_variables()) == 6
        return y.numpy().tolist()

    found = together(forward)
    assert len(found) == THREADS and all(y == found[0] for y in found) and len(model.weights) == 8


@pytest.mark.parametrize("trial", range(3))
def test_a_fresh_function_is_traced_once_also_around_a_fresh_model(trial):
    model, x, traces = fresh_model(), tf.ones([3, 4]), []

    @tf.function
    def step(x):
        traces.append(1)
        return model(x)

    found = together(lambda: step(x).numpy().tolist())
    assert all(y == found[0] for y in found) and len(model.weights) == 8
    assert len(traces) <= 2  # twice, where the first trace made variables


def test_a_layer_that_could_not_be_built_can_be_called_again():
    layer = tf.keras.layers.Dense(2)

    def wrong():
        with pytest.raises(ValueError):
            layer(tf.constant(1.0))

    together(wrong)
    assert layer(tf.ones([1, 3])).shape == (1, 2)


def test_a_fresh_optimizer_makes_its_slots_once(monkeypatch):
    v, optimizer, built = tf.Variable([1.0]), tf.keras.optimizers.Adam(0.0), []
    build = optimizer.build
    monkeypatch.setattr(
        optimizer, "build", lambda variables: (built.append(1), sleep(0.01), build(variables))
    )
    together(lambda: optimizer.apply_gradients([(tf.ones([1]), v)]))
    assert len(built) == 1
