"""Off means off: after a block all is as it was that it replaces, however the block ended."""

import ctypes
import gc
import sys
import threading
import warnings
from itertools import count, permutations

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python import pywrap_tfe
from tensorflow.python.autograph.impl import api
from tensorflow.python.eager import backprop, context, execute, imperative_grad, record
from tensorflow.python.eager.polymorphic_function import eager_function_run
from tensorflow.python.framework import constant_op, op_callbacks, ops
from tensorflow.python.ops import resource_variable_ops, script_ops

from minitape.engine.base.listeners import active, onlookers
from minitape.recorders import tensorflow as mt
from minitape.recorders.tensorflow.escapes import BUFFER_PROCEDURES, Escapes
from minitape.recorders.tensorflow.tensors import keras_class
from minitape.storyboard import Film


def snapshot():
    """All that a block could leave behind: each name of each module and class of TensorFlow's it
    reaches into, and Python's own hooks.
    """
    metrics = keras_class("metrics.metric", "Metric")
    for kind in metrics:
        metrics += [each for each in kind.__subclasses__() if each not in metrics]
    owners = [
        pywrap_tfe,
        api,
        backprop,
        context,
        execute,
        imperative_grad,
        record,
        constant_op,
        op_callbacks,
        ops,
        resource_variable_ops,
        script_ops,
        backprop.GradientTape,
        *ops.EagerTensor.__mro__[:-1],
        *tf.Variable.__mro__[:-1],
        *resource_variable_ops.ResourceVariable.__mro__[:-1],
        *metrics,
        *keras_class("layers.layer", "Layer"),
        *keras_class("optimizers.base_optimizer", "BaseOptimizer"),
        *keras_class("backend.common.variables", "Variable"),
    ]
    found = {
        (owner, name): id(value)
        for owner in owners
        for name, value in vars(owner).items()
        if name not in NOTES
    }
    python = (
        sys.gettrace(),
        sys.getprofile(),
        threading.gettrace(),
        threading.getprofile(),
        list(gc.callbacks),
        list(warnings.filters),
        warnings.showwarning,
        sys.excepthook,
        sys.displayhook,
        sys.unraisablehook,
    )
    tensorflow = (
        list(context.context().op_callbacks),
        tf.config.functions_run_eagerly(),
        buffer_slot(),
        REGISTERED[-1:],
    )
    return found, python, tensorflow, active.get(), onlookers.get()


FOLDER = "recorders/tensorflow"
NOTES = "_abc_impl", "__warningregistry__", "__abstractmethods__", "_tls"
REGISTERED = [backprop._gradient_function]


def buffer_slot():
    procedures = ctypes.c_void_p.from_address(id(ops.EagerTensor) + BUFFER_PROCEDURES).value
    return ctypes.c_void_p.from_address(procedures).value


@pytest.fixture(autouse=True)
def registering(monkeypatch):
    """What is registered in C cannot be read; so the registering is looked at."""
    old = pywrap_tfe.TFE_Py_RegisterGradientFunction
    monkeypatch.setattr(
        pywrap_tfe,
        "TFE_Py_RegisterGradientFunction",
        lambda function: (REGISTERED.append(function), old(function))[1],
    )


def step():
    w = tf.Variable(2.0)
    layer, mean = tf.keras.layers.Dense(1), tf.keras.metrics.Mean()
    with tf.GradientTape(persistent=True) as tape:
        y = tf.reduce_sum(layer(tf.ones([1, 2]) * w)) + tf.map_fn(lambda v: v * w, tf.ones([2]))[0]
        mean.update_state(y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tape.gradient(tf.round(y), w)
    tf.keras.optimizers.SGD(0.1).apply_gradients(
        zip(tape.gradient(y, layer.trainable_variables), layer.trainable_variables)
    )
    tape.jacobian(y, w)
    return np.sin(y)


@pytest.fixture(autouse=True, scope="module")
def used_before():
    """What TensorFlow itself makes when it is used first."""
    step()
    with mt.watch(open_functions=True):
        pass


def raises(error):
    def program():
        with tf.GradientTape():
            step()
            raise error

    return program


def nested():
    with mt.watch(open_functions=True):
        tf.function(step)
        with mt.watch(), Film():
            step()
        step()


def inner_error():
    with pytest.raises(ZeroDivisionError), mt.watch(open_functions=True):
        raises(ZeroDivisionError())()


def refused():
    with pytest.raises(tf.errors.InvalidArgumentError), tf.GradientTape():
        tf.matmul(tf.ones([2]), tf.ones([2]))


def in_a_rule():
    """Ctrl-C on the way back."""

    @tf.custom_gradient
    def own(x):
        def rule(g):
            raise KeyboardInterrupt

        return x * 1.0, rule

    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = own(x)
    tape.gradient(y, x)


def in_a_function():
    tf.function(lambda v: v * 1.0)(tf.ones([2]))
    tf.map_fn(raises(KeyboardInterrupt()), tf.ones([1]))


PROGRAMS = [
    step,
    raises(ZeroDivisionError()),
    raises(KeyboardInterrupt()),
    raises(SystemExit()),
    raises(GeneratorExit()),
    nested,
    inner_error,
    refused,
    in_a_rule,
    in_a_function,
]


@pytest.mark.parametrize("open_functions", [False, True])
@pytest.mark.parametrize("program", PROGRAMS)
def test_all_is_as_it_was(program, open_functions):
    before = snapshot()
    for _ in range(2):
        try:
            with mt.watch(open_functions):
                assert snapshot() != before
                program()
        except BaseException as error:  # noqa: B036  # Ctrl-C, too
            assert isinstance(
                error, (ZeroDivisionError, KeyboardInterrupt, SystemExit, GeneratorExit, TypeError)
            ), error
        assert not mt._watching and mt.the_recorder().shield.thread is None
        difference(before, snapshot())


def test_a_start_that_fails_half_way(monkeypatch):
    before = snapshot()
    monkeypatch.setattr(Escapes, "start", lambda self: 1 / 0)
    with pytest.raises(ZeroDivisionError), mt.watch(open_functions=True):
        pass
    assert not mt._watching
    difference(before, snapshot())


def test_another_thread_ends_the_block():
    before = snapshot()
    block = mt.watch(open_functions=True)
    block.__enter__()
    step()
    ending = threading.Thread(target=block.__exit__, args=(None, None, None))
    ending.start()
    ending.join()
    difference(before, snapshot())


@pytest.mark.parametrize("eager", [False, True])
def test_blocks_that_overlap_in_any_order(eager, monkeypatch):
    monkeypatch.setattr(eager_function_run, "RUN_FUNCTIONS_EAGERLY", eager)
    before = snapshot()
    for opens in ((True, True, True), (True, False, True), (False, True, True)):
        for ends in permutations(range(3)):
            blocks = [mt.watch(each) for each in opens]
            for block in blocks:
                block.__enter__()
            for k, end in enumerate(ends):
                blocks[end].__exit__(None, None, None)
                assert tf.config.functions_run_eagerly() is (
                    eager or any(opens[later] for later in ends[k + 1 :])
                )
            difference(before, snapshot())


def test_threads_that_overlap():
    before = snapshot()

    def several():
        for _ in range(20):
            with mt.watch(open_functions=True):
                tf.ones([2]) * 2.0

    threads = [threading.Thread(target=several) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    difference(before, snapshot())


def interrupted(moment, block):
    """Enters and leaves a block, with Ctrl-C at one moment of the recorder's own code; whether that
    came.
    """
    left = moment

    def profile(frame, event, _):
        nonlocal left
        left -= event in ("call", "c_return") and FOLDER in frame.f_code.co_filename
        if left == 0:
            sys.setprofile(None)
            raise KeyboardInterrupt

    sys.setprofile(profile)
    try:
        with block:
            pass
    except KeyboardInterrupt:
        pass
    finally:
        sys.setprofile(None)
    return left <= 0


def test_an_interrupt_at_any_moment_of_the_way_in_and_out():
    before = snapshot()
    for moment in count(1):
        came = interrupted(moment, mt.watch(open_functions=True))
        try:
            assert not mt._watching and not mt._opening
            difference(before, snapshot())
        except AssertionError as error:
            raise AssertionError(f"at moment {moment}") from error
        if not came:
            break
    assert moment > 500


def difference(before, after):
    assert before[1:] == after[1:]
    changed = {
        (getattr(owner, "__name__", owner), name)
        for owner, name in before[0].keys() | after[0].keys()
        if before[0].get((owner, name)) != after[0].get((owner, name))
    }
    assert not changed, changed
