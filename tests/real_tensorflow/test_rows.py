"""Rows of the table that TensorFlow has otherwise: its arguments in another order, by another name,
in a class of Keras.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import tensorflow as tf

from minitape.recorders import tensorflow as mt
from minitape.storyboard import Film

from .tried import rows


def test_row_of_bias_in_front():
    x, b = (
        tf.Variable(tf.random.stateless_normal([2, 3, 3, 3], [1, 2])),
        tf.Variable([1.0, 2.0, 3.0]),
    )
    assert rows(lambda tape: tf.nn.bias_add(x, b, data_format="NCHW"))[-1] != "BiasAdd"
    assert rows(lambda tape: tf.nn.bias_add(x, b))[-1] == "BiasAdd"


def test_row_of_old_select():
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    rows(lambda tape: tf.compat.v1.where([True, False], x, -x))
    assert rows(lambda tape: tf.where([True, False], x, -x))[-1] == "Select"
    assert rows(lambda tape: tf.compat.v1.where([[True, False]] * 2, x, -x))[-1] == "Select"


def test_rows_of_keras_variables():
    """What Keras's variables are handed to comes by TensorFlow's long way, where types are numbers."""
    k = tf.keras.Variable(np.array([[1.0, 2.0], [4.0, 3.0]], "f4"))

    def program(tape):
        for f in (
            lambda: tf.raw_ops.ArgMax(input=k, dimension=0, output_type=tf.int32),
            lambda: tf.argmax(k, 0),
            lambda: tf.argmin(k, 1, output_type=tf.int32),
            lambda: tf.cast(k, tf.float64),
            lambda: tf.raw_ops.Cast(x=k, DstT=tf.float16),
            lambda: k @ k,
            lambda: tf.reduce_sum(k, [0, 1]),
            lambda: tf.transpose(k),
            lambda: tf.split(k, 2, 1),
            lambda: tf.concat([k.value, k], 1),
            lambda: tf.stack([k.value, k.value]),
            lambda: tf.reduce_max(k, keepdims=True),
            lambda: tf.nn.leaky_relu(k),
            lambda: tf.einsum("ij,jk->ik", k, k),
            lambda: tf.cumsum(k, 1, exclusive=True, reverse=True),
            lambda: k[..., tf.newaxis, 0],
            lambda: k[::-1, 1:],
            lambda: tf.pad(k, [[1, 0], [0, 1]]),
            lambda: tf.gather(k, [1], axis=1),
            lambda: tf.squeeze(tf.expand_dims(k, 1), 1),
            lambda: tf.raw_ops.ArgMax(input=k, dimension=0),
            lambda: tf.unstack(k, axis=1),
            lambda: tf.matmul(k, k, transpose_a=True),
            lambda: tf.roll(k, 1, 0),
            lambda: tf.tile(k, [2, 1]),
        ):
            f()

    rows(program)


def test_row_that_fails_is_still_a_card():
    """Where an operation cannot be put into minitape's words, it is recorded by TensorFlow's name."""
    from minitape.recorders.tensorflow import operations

    old = dict(operations.TABLE)

    def broken(values, given):
        raise KeyError("a new attribute")

    operations.TABLE["Sum"] = broken
    x = tf.Variable([1.0, 2.0])
    try:
        with mt.watch() as look, Film() as film:
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(x * x) * 2.0
            tape.gradient(y, x)
    finally:
        operations.TABLE.update(old)
    assert look.trouble and film.played[0].gradients[0].tolist() == [4.0, 8.0]
    assert len(film.played[0].steps) == 4, len(film.played[0].steps)


def test_all_rows_are_there():
    """Also where nothing else of minitape has been used: in a script, say."""
    script = (
        "import tensorflow as tf, minitape.tensorflow as mt\nwith mt.watch(): pass\n"
        "from minitape.engine.ops.record import OPS\nfrom minitape.recorders.tensorflow.operations import "
        "SAME\n"
        "rows = {*SAME.values()} | {'BiasAdd', 'Conv2D', 'Einsum', 'LeakyRelu', 'MatrixInverse'}\n"
        "print(sorted(rows - OPS.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=200,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert done.stdout.strip() == "[]", done


def test_names_of_facts_have_the_same_inputs_and_no_attributes():
    """An attribute may say how an error is told, never what is computed."""
    from tensorflow.python.framework import op_def_registry

    from minitape.engine.ops.facts import names_in_tensorflow

    for name in names_in_tensorflow():
        op = op_def_registry.get(name)
        given = {arg.type_attr for arg in (*op.input_arg, *op.output_arg)}
        given |= {arg.number_attr for arg in op.input_arg}
        more = {attribute.name for attribute in op.attr} - given
        assert more <= {"incompatible_shape_error", "bad_indices_policy"}, (name, more)


def test_a_new_row_is_recorded():
    """A row that was just added, under the name that its facts say TensorFlow has for it."""
    script = """
import numpy as np, tensorflow as tf
from minitape.engine.ops.facts import FACTS, HERE, Facts
from minitape.engine.ops.record import Op
Op("Damped", lambda x: np.i0(x) * np.exp(-abs(x)))
FACTS["Damped"] = Facts("math.bessel_i0e", "BesselI0e", HERE, "curved")
import minitape.tensorflow as mt
from minitape.storyboard import Film
x = tf.Variable([0.5, 2.0])
with mt.watch(), Film() as film, tf.GradientTape() as tape:
    y = tf.math.bessel_i0e(x)
    tape.gradient(y, x)
print([entry.op for entry in film.played[0].tape.recording.entries])
"""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=200, env=environment
    )
    assert "Damped" in done.stdout, done
