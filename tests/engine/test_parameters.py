"""Annotations are never evaluated: since Python 3.14 they may name what is not there."""

import sys

import pytest

import minitape as tf

LATER = "" if sys.version_info >= (3, 14) else "from __future__ import annotations\n"
PROGRAMS = {
    "function": "@tf.function\ndef f(x: Nobody) -> Nothing:\n    return x * x\ny = "
    "f(tf.constant(2.0))",
    "signature": "@tf.function(input_signature=[tf.TensorSpec([])])\ndef f(x: Nobody):\n    "
    "return x * x\ny = f(2.0)",
    "layer": """
class Double(tf.keras.layers.Layer):
    def build(self, shape: Nobody):
        self.w = self.add_weight(shape=(), initializer="ones")
    def call(self, x: Nobody):
        return x * 2.0 * self.w
y = Double()(tf.constant(2.0))""",
    "rule": """
@tf.custom_gradient
def f(x: Nobody):
    def rule(g: Nobody, variables: Nobody = None):
        return g, []
    return x * x, rule
with tf.GradientTape():
    y = f(tf.Variable(2.0))""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_annotations_that_name_nothing(name):
    names = {"tf": tf, "__name__": "program"}
    exec(LATER + PROGRAMS[name], names)
    assert float(names["y"]) == 4.0


def test_a_wrong_call_is_told_all_the_same():
    names = {"tf": tf}
    exec(f"{LATER}@tf.function\ndef f(x: Nobody):\n    return x\n", names)
    with pytest.raises(TypeError, match="f"):
        names["f"](1.0, 2.0)
