"""Losses and metrics that are rows look like classes that were written out: help, pickling,
subclasses, mistakes.
"""

import inspect
import pickle
import pydoc
import re

import numpy as np
import pytest

import minitape as tf

ROWS = [
    c
    for module in (tf.keras.losses, tf.keras.metrics)
    for c in vars(module).values()
    if inspect.isclass(c)
    and c.__module__ == module.__name__
    and hasattr(vars(c).get("__init__"), "__signature__")
]
TRUE, SAID = tf.constant([[0.0, 1.0], [1.0, 0.0]]), tf.constant([[0.2, 0.8], [0.3, 0.7]])


def in_one_line(text):
    """Returns a text without blanks, quotes and pydoc's margin: Python 3.13 and 3.14 write
    signatures otherwise.
    """
    return re.sub(r"[\s|']", "", text)


def test_the_rows_are_found():
    assert len(ROWS) == 19 and tf.keras.losses.Huber in ROWS and tf.keras.metrics.Accuracy in ROWS


@pytest.mark.parametrize(
    "made", ROWS, ids=lambda c: f"{c.__module__.rpartition('.')[2]}.{c.__name__}"
)
def test_a_row_is_a_class_like_others(made):
    home = f"keras.{made.__module__.rpartition('.')[2]}.{made.__name__}"
    assert made.__doc__.endswith(f". Source: `{home}`.") and made.__qualname__ == made.__name__
    said = f"{made.__name__}({', '.join(map(str, inspect.signature(made).parameters.values()))})"
    assert in_one_line(said) in in_one_line(pydoc.plain(pydoc.render_doc(made)))
    assert pickle.loads(pickle.dumps(made)) is made

    class Own(made):
        def __init__(self):
            super().__init__(name="mine")

    assert Own().name == "mine"
    with pytest.raises(
        TypeError, match=rf"^{made.__name__}.__init__\(\) got an unexpected keyword argument 'bad'$"
    ):
        made(bad=1)


@pytest.mark.parametrize(
    "loss",
    [
        tf.keras.losses.Huber(0.5),
        tf.keras.losses.CosineSimilarity(),
        tf.keras.losses.BinaryCrossentropy(True),
    ],
)
def test_a_loss_survives_pickling(loss):
    twin = pickle.loads(pickle.dumps(loss))
    assert np.array_equal(twin(TRUE, SAID), loss(TRUE, SAID)) and twin.name == loss.name


def test_arguments_reach_the_function():
    plain, other = tf.keras.losses.Huber(), tf.keras.losses.Huber(0.1)
    assert (
        plain(TRUE, SAID)
        != other(TRUE, SAID)
        == tf.reduce_mean(tf.keras.losses.huber(TRUE, SAID, delta=0.1))
    )
    for made, name, said in (
        (tf.keras.losses.Huber, "delta", "delta: float = 1.0"),
        (tf.keras.metrics.BinaryCrossentropy, "label_smoothing", "label_smoothing: float = 0"),
    ):
        # who makes pages may have looked it up
        assert str(inspect.signature(made).parameters[name]).replace("'", "") == said
