"""Errors while somebody watches: of the program, of its rules, of the recording itself, and an
interrupt on the way back.
"""

import warnings

import numpy as np
import pytest
import tensorflow as tf

from minitape.recorders import tensorflow as mt
from minitape.storyboard import Film

from .tried import same


def test_errors_of_gradient():
    x = tf.Variable(2.0)

    def program():
        out = []

        def attempt(f):
            try:
                f()
            except BaseException as error:
                out.append(type(error))
                out.append(str(error)[:80])

        @tf.custom_gradient
        def bad(v):
            def back(g):
                raise KeyError("mine")

            return v * 2, back

        @tf.custom_gradient
        def interrupted(v):
            def back(g):
                raise KeyboardInterrupt

            return v * 2, back

        for f in (bad, interrupted):
            with tf.GradientTape() as tape:
                y = f(x * 1.0)
            attempt(lambda: tape.gradient(y, x))  # noqa: B023
        with tf.GradientTape() as tape:
            y = x * 2
            attempt(lambda: tape.gradient(y, "nonsense"))
            attempt(lambda: tape.gradient(y, x, unconnected_gradients="maybe"))
            attempt(lambda: tape.__enter__())
        attempt(lambda: tape.gradient(None, x))
        attempt(lambda: tape.stop_recording().__enter__())
        attempt(lambda: tape.gradient(y, x))
        attempt(lambda: tape.gradient(y, x))
        attempt(lambda: tape.jacobian(y, x))
        attempt(lambda: tape.watch(3))
        return out

    same(program)


def test_interrupted_on_the_way_back():
    """After Ctrl-C a tape keeps its arrays; asked again it answers as TensorFlow's does, which has
    let go of what was not played.
    """
    interrupts = []

    @tf.custom_gradient
    def f(v):
        def back(g):
            if interrupts:
                raise interrupts.pop()
            return g * 2

        return v * 2, back

    def asked(persistent):
        x, answers = tf.Variable(2.0), []

        def ask(question, *arguments, **named):
            try:
                found = question(*arguments, **named)
                answers.append(None if found is None else found.numpy().tolist())
            except BaseException as error:
                answers.append((type(error), str(error)))

        interrupts.append(KeyboardInterrupt())
        with tf.GradientTape(persistent) as tape:
            h = x * 1.0
            y, other = f(h) * x, h * 5.0
        for target in (y, y, other):
            ask(tape.gradient, target, x)
        ask(tape.gradient, y, y)
        with tf.GradientTape(persistent) as tape:
            h = x * 1.0
            y = f(h) * x
        interrupts.append(KeyboardInterrupt())
        ask(tape.gradient, y, x)
        with tape:
            z = y * h + x
        ask(tape.gradient, z, x)
        with tf.GradientTape(persistent) as tape:
            y = f(x * 1.0) * x
        interrupts.append(KeyError("k"))
        ask(tape.gradient, y, x)
        ask(tape.gradient, y, x, output_gradients=tf.constant(1.0))
        return answers, tape, x, y

    for persistent in (False, True):
        plain = asked(persistent)[0]
        with mt.watch() as look, Film() as film, warnings.catch_warnings(record=True) as reported:
            warnings.simplefilter("always")
            watched, tape, x, y = asked(persistent)
        assert ["gives its gradients once" in str(each.message) for each in reported] == [True] * (
            not persistent
        )
        assert not look.trouble and plain == watched, (plain, watched)
        assert (
            tf.errors.InternalError in [a[0] for a in plain if type(a) is tuple]
        ) is not persistent
        assert film.played[0].steps
    with mt.watch(), tf.GradientTape() as tape:
        y = f(x * 1.0)
    with mt.watch():
        interrupts.append(KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            tape.gradient(y, x)
        assert (
            not mt.the_recorder().tape_of(tape).used
            and len(mt.the_recorder().tape_of(tape).entries[0]) == 8
        )
        with pytest.raises(tf.errors.InternalError):
            tape.gradient(y, x)
    assert mt.explain(tape, y, x).category == "tape-used"


def test_faults_of_the_recording():
    """A hook that raises is kept as trouble, and the program goes on; the list does not grow
    without end.
    """
    from minitape.recorders.tensorflow import recorder

    old = recorder.translate

    def broken(*arguments):
        raise ZeroDivisionError

    recorder.translate = broken
    x = tf.Variable(2.0)
    try:
        with mt.watch() as look:
            with tf.GradientTape() as tape:
                y = x
                for _ in range(1000):
                    y = tf.reduce_sum(y)
            g = tape.gradient(y, x)
    finally:
        recorder.translate = old
    assert float(g) == 1.0 and isinstance(look.trouble[0], ZeroDivisionError)
    assert len(look.trouble) < 200, len(look.trouble)


def test_warnings_as_errors():
    x = tf.Variable(2.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with mt.watch(), tf.GradientTape() as tape:
            y = tf.constant(2.0)
        assert tape.gradient(y, x) is None


def test_functions_of_python():
    """`numpy_function` is a cut; `py_function` has a gradient, once, and 0 where it leaves
    TensorFlow: to explain it changes nothing.
    """

    def program(call, explains=False):
        x = tf.Variable(2.0)
        with tf.GradientTape(persistent=True) as tape:
            y = call(x * 3.0) * 2.0
        why = mt.explain(tape, y, x) if explains else None
        answers = []
        for _ in range(2):
            try:
                answers.append(tape.gradient(y, x))
            except tf.errors.UnknownError as error:
                answers.append(type(error))
        return answers, why, mt.explain(tape, y, x) if explains else None

    calls = {
        "numpy-escape": lambda v: tf.numpy_function(np.sin, [v], tf.float32),
        "healthy": lambda v: tf.py_function(lambda a: tf.sin(a) * a, [v], tf.float32),
        "zero-flat": lambda v: tf.py_function(lambda a: np.sin(a.numpy()), [v], tf.float32),
    }
    for category, call in calls.items():
        plain = program(call)[0]
        with mt.watch() as look, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            watched, why, again = program(call, explains=True)
        assert not look.trouble and str(plain) == str(watched) and why.category == category, (
            plain,
            watched,
            why,
        )
        assert again.category == category  # after it has been played, too
        assert category != "zero-flat" or "leaves TensorFlow" in str(why)
