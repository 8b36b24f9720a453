"""Programs tried in real TensorFlow: filmed, the same with and without somebody who looks, aligned
with its own adjoints.
"""

import warnings

import numpy as np
import tensorflow as tf

from minitape.recorders import tensorflow as mt
from minitape.storyboard import Film, develop


def filmed(program):
    """Run a program; return what it gave and the film, after a look that nothing went wrong in the
    looking.
    """
    look, film = mt.watch(), Film()
    with warnings.catch_warnings(), look, film:
        warnings.simplefilter("ignore")
        found = program()
    if look.trouble:
        raise look.trouble[0]
    develop(film)
    return found, film


def same(program):
    """A program gives the same with and without somebody looking."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = program()
    watched, film = filmed(program)
    for a, b in zip(
        tf.nest.flatten(plain, expand_composites=True),
        tf.nest.flatten(watched, expand_composites=True),
        strict=True,
    ):
        a, b = (
            np.asarray(tf.convert_to_tensor(v))
            if v is not None and not isinstance(v, (str, type))
            else v
            for v in (a, b)
        )
        assert (a is None) == (b is None) and (
            a is None or np.array_equal(a, b) or (a != a).all()
        ), (a, b)
    return watched, film


def aligned(program):
    """`program` gets a persistent tape and returns a target, sources and all that is between: the
    film has TensorFlow's own adjoints.
    """

    def whole():
        with tf.GradientTape(persistent=True) as tape:
            target, sources, between = program(tape)
        tape.gradient(target, sources)
        return tape, target, sources, between

    (tape, target, sources, between), film = filmed(whole)
    known = mt.the_recorder()
    play = next(t for t in film.played if t.targets[0].tensor == known.describe(target).tensor)
    last = {}
    for step in play.steps:
        for _place, number, _part, total, _ in step[3]:
            last[number] = total
    checked = 0
    for t in [*between, *sources]:
        own = tape.gradient(target, t)
        number = known.describe(t).id
        if own is not None:
            assert number in last, ("no adjoint filmed", t)
            np.testing.assert_allclose(
                last[number], np.asarray(tf.convert_to_tensor(own)), rtol=1e-5, atol=1e-6
            )
            checked += 1
    for step in play.steps:  # an entry is played with the adjoint of its outputs
        entry = play.tape.entries[step[1]]
        for number, adjoint in zip(entry.outputs, step[2]):
            if number in last and len(entry.outputs) == 1:
                np.testing.assert_allclose(adjoint, last[number], rtol=1e-5, atol=1e-6)
    indices = [step[1] for step in play.steps]
    assert indices == sorted(indices, reverse=True) and len(set(indices)) == len(indices)
    return checked, len(play.steps)


def rows(program):
    """Each entry that has a row of minitape's is computed once more with its kernel: the same comes
    out.
    """
    from minitape.engine.ops.record import OPS

    with mt.watch() as look, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with tf.GradientTape(persistent=True) as tape:
            program(tape)
    assert not look.trouble, look.trouble
    recording, seen = (
        mt.the_recorder().tape_of(tape).kind_of_recording(mt.the_recorder().tape_of(tape)),
        [],
    )
    for entry, (values, outputs) in zip(recording.entries, recording.kept):
        seen.append(entry.op)
        if entry.op in OPS and entry.op not in ("ReadVariableOp", "CustomGradient"):
            y = OPS[entry.op].kernel(*values, **(entry.attributes or {}))
            for a, b in zip(y if isinstance(y, (tuple, list)) else (y,), outputs):
                np.testing.assert_allclose(
                    np.asarray(a, "f8"), np.asarray(b, "f8"), rtol=1e-4, atol=1e-5, err_msg=entry.op
                )
    return seen


def restored():
    from tensorflow.python import pywrap_tfe
    from tensorflow.python.eager import backprop, context, execute
    from tensorflow.python.framework import constant_op
    from tensorflow.python.ops import resource_variable_ops

    return (
        [
            vars(owner)[name]
            for owner in (pywrap_tfe, constant_op, resource_variable_ops)
            for name in sorted(vars(owner))
            if callable(vars(owner)[name])
        ],
        dict(vars(backprop.GradientTape)),
        list(context.context().op_callbacks),
        execute.execute,
    )
