"""Whole programs: nothing that they compute changes, their numbers are filmed whole, and afterwards
all is as before.
"""

import gc
import weakref

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python import pywrap_tfe
from tensorflow.python.eager import backprop
from tensorflow.python.framework import op_callbacks
from tensorflow.python.framework.ops import EagerTensor
from tensorflow.python.ops.resource_variable_ops import BaseResourceVariable

import minitape.tensorflow
from minitape.storyboard import Film, develop

from . import programs
from .seen import alone, equal, watched


@pytest.mark.parametrize("program", programs.PROGRAMS, ids=lambda program: program.__name__)
def test_nothing_that_a_program_computes_changes(program):
    found, film = watched(program)
    assert equal(found, alone(program))
    assert bool(film.played) != (program in programs.UNSEEN)


@pytest.mark.parametrize(
    "program",
    [p for p in programs.PROGRAMS if p not in programs.UNSEEN],
    ids=lambda program: program.__name__,
)
def test_every_part_is_found_and_every_card_has_the_learners_line(program):
    _, film = watched(program)
    board = develop(film)
    for play in film.played:
        for source, shown in zip(play.sources, play.gradients or ()):
            parts = [
                value
                for step in play.steps
                for _, number, value, _, _ in step[3]
                if number == source.id
            ]
            if shown is not None and source.id not in {target.id for target in play.targets}:
                # no parts: nothing leads there, 0
                assert np.allclose(sum(parts), shown, rtol=1e-3, atol=1e-5), source.id
    places = [card["where"] for card in board["cards"]]
    assert places and all(
        where is not None and board["sources"][where[0]]["name"] == "programs.py"
        for where in places
    )
    assert str(board)


def test_intermediate_adjoints_are_tensorflows_own():
    x = tf.Variable([0.3, -1.2])

    def program():
        with tf.GradientTape(persistent=True) as tape:
            a = tf.sin(x)
            b = a * a + x
            c = tf.exp(b) * a
            y = tf.reduce_sum(c * b)
        return [tape.gradient(y, v) for v in (a, b, c)], tape.gradient(y, x)

    (wanted, _), film = watched(program)
    play = film.played[-1]
    film.tapes[0].develop()
    adjoints = {
        film.tapes[0].entries[index].outputs[0]: adjoint[0] for _, index, adjoint, _ in play.steps
    }
    shown = list(adjoints.values())
    for gradient in wanted:
        assert any(np.array_equal(gradient, adjoint) for adjoint in shown), (gradient, shown)


def surface():
    """All that watching replaces, as it is now."""
    owners = [
        pywrap_tfe,
        backprop.GradientTape,
        EagerTensor,
        BaseResourceVariable,
        next(kind for kind in EagerTensor.__mro__ if kind.__name__ == "_EagerTensorBase"),
    ]
    return [
        {name: value for name, value in vars(owner).items() if callable(value)} for owner in owners
    ]


def test_off_means_off():
    before = surface()
    for _ in range(2):
        with pytest.raises(KeyError), minitape.tensorflow.watch():
            assert surface() != before
            raise KeyError("the program's own")
    assert surface() == before and not op_callbacks.should_invoke_op_callbacks()
    x = tf.Variable(2.0)
    with Film() as film, tf.GradientTape() as tape:
        y = x * np.float32(x)
    assert tape.gradient(y, x) == 2.0 and not film.tapes and not hasattr(tape, "explain")


def test_a_tape_goes_when_the_program_lets_go_of_it():
    with minitape.tensorflow.watch():
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
        seen = weakref.ref(tape), weakref.ref(y)
        del tape, y
        gc.collect()
        assert [each() for each in seen] == [None, None]


def test_a_function_can_be_opened():
    x = tf.Variable(1.5)

    @tf.function
    def f(a):
        return tf.sin(a) * a

    for opened, ops in ((False, ["tf.function f"]), (True, ["Sin", "Mul"])):
        with (
            minitape.tensorflow.watch(open_functions=opened),
            Film() as film,
            tf.GradientTape() as tape,
        ):
            y = f(x)
        assert abs(float(tape.gradient(y, x)) - (np.sin(1.5) + 1.5 * np.cos(1.5))) < 1e-6
        film.tapes[0].develop()
        assert [entry.op for entry in film.tapes[0].entries if entry.op != "ReadVariableOp"] == ops
        assert len(film.tapes[0].entries[-1].outputs) == 1
    assert not tf.config.functions_run_eagerly()


def test_a_fault_of_the_looking_is_kept_and_not_raised(monkeypatch):
    from minitape.recorders.tensorflow.tensors import Tensors

    monkeypatch.setattr(Tensors, "number", lambda self, tensor: 1 / 0)
    x = tf.Variable(2.0)
    block = minitape.tensorflow.watch()
    with block, tf.GradientTape() as tape:
        y = x * x * 3.0
    assert tape.gradient(y, x) == 12.0
    assert any(isinstance(trouble, ZeroDivisionError) for trouble in block.trouble)


@pytest.mark.parametrize("uses", [1, 2])
def test_slices_without_their_last_rows_are_whole_in_the_picture(uses):
    """A rule may send slices without a shape; what is drawn has the shape of the source, the answer
    of the program stays as it is.
    """

    @tf.custom_gradient
    def first(x):
        return tf.gather(x, [0]), lambda g: tf.IndexedSlices(g, tf.constant([0]))

    x = tf.constant([1.0, 2.0, 3.0])
    with minitape.tensorflow.watch(), Film() as film:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.add_n([first(x) for _ in range(uses)])
        g = tape.gradient(y, x)
    assert isinstance(g, tf.IndexedSlices) and g.dense_shape is None
    (play,) = film.played
    parts = [
        part
        for step in play.steps
        for number, part, *_ in [p[1:] for p in step[3]]
        if number == play.sources[0].id
    ]
    assert [part.tolist() for part in parts] == [[1.0, 0.0, 0.0]] * uses
    assert (
        play.gradients[0].tolist() == [float(uses), 0.0, 0.0] == play.steps[-1][3][-1][3].tolist()
    )
