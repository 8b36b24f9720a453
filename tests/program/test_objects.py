"""What is asked of a learner's objects is answered without a line of their classes."""

import numpy as np
import pytest

import minitape as tf
from minitape.program.objects import (
    attributes,
    class_name,
    elements,
    has,
    is_a,
    items,
    listed_by,
    of_library,
)


class Loud(type):
    def __getattribute__(cls, name):
        raise AssertionError(name)


class Hostile(metaclass=Loud):
    def __getattribute__(self, name):
        raise AssertionError(name)

    @property
    def trainable_variables(self):
        raise AssertionError

    __eq__ = __len__ = __bool__ = __iter__ = __getattribute__


class Listed(list):
    def __iter__(self):
        raise AssertionError

    __getitem__ = __len__ = __iter__


class Table(dict):
    def items(self):
        raise AssertionError


def test_nothing_of_a_class_runs():
    obj = Hostile()
    assert (
        not is_a(obj, (list, dict, np.ndarray))
        and attributes(obj) == {}
        and class_name(obj) == "Hostile"
    )
    assert elements(obj) is None and items(obj) is None and not of_library(obj)
    assert has(obj, "trainable_variables") and listed_by(obj, "trainable_variables") == []
    assert elements(Listed([1, 2, 3]), 2) == [1, 2] and items(Table(a=1)) == [("a", 1)]


@pytest.mark.parametrize("made", [lambda: property(lambda self: {"a": 1}), lambda: {"a": 1}])
def test_a_dictionary_that_a_class_makes_up_is_none(made):
    kind = type("Made", (), {"__dict__": made()})
    assert attributes(kind()) == {}


def test_a_library_is_asked():
    layer = tf.keras.layers.Dense(2)
    layer(tf.ones([1, 3]))
    assert of_library(layer) and len(listed_by(layer, "trainable_variables")) == 2
    assert "kernel" in attributes(layer) and attributes(np)["pi"] == np.pi
