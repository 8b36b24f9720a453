"""What a block replaces and notes: one note for one thing, none for what is the library's own,
stopped or over, and all put back.
"""

import gc
import linecache
import statistics
import warnings
import weakref

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python import pywrap_tfe
from tensorflow.python.eager import backprop, record

from minitape.engine.recording import describe
from minitape.program.places import positions
from minitape.recorders import tensorflow as mt
from minitape.storyboard import Film

from .tried import restored


def tape_of(tape):
    return mt.the_recorder().tape_of(tape)


def ops(tape):
    return [entry[0] for entry in tape_of(tape).entries]


def kinds(tape):
    return [note[0] for note in tape_of(tape).notes]


def test_one_block_entered_twice():
    """The inner `with` of the same object ends nothing; afterwards all is as it was."""
    x, before = tf.Variable(2.0), restored()
    f = tf.function(lambda v: tf.sin(v) * v)
    for _ in range(2):
        with mt.watch(open_functions=True) as look:
            with look:
                pass
            with look, tf.GradientTape() as tape:
                f(x)
            assert tf.config.functions_run_eagerly() and restored() != before
            with tf.GradientTape() as other:
                f(x)
        assert restored() == before and not tf.config.functions_run_eagerly()
        for each in (tape, other):
            assert "Sin" in [entry[0] for entry in mt.the_recorder().tape_of(each).entries]
        with look:
            assert restored() != before
        assert restored() == before and not tf.config.functions_run_eagerly()


def test_a_cell_that_names_no_tensorflow():
    """Its functions come from elsewhere, and make the tapes there."""
    with mt.watched_if_used("train_step(model, x)") as found:
        assert found is tf.GradientTape and mt._watching


def test_the_way_back_is_tensorflows_own_again(monkeypatch):
    """What is registered in C cannot be read; so the registering is looked at."""
    reported, old = [], pywrap_tfe.TFE_Py_RegisterGradientFunction
    monkeypatch.setattr(
        pywrap_tfe,
        "TFE_Py_RegisterGradientFunction",
        lambda function: (reported.append(function), old(function)),
    )
    x = tf.Variable(2.0)
    with mt.watch(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with tf.GradientTape(persistent=True) as tape:
            y = tf.round(x)
        tape.gradient(y, x)
    assert len(reported) > 1 and reported[0] is not backprop._gradient_function is reported[-1]
    mt.explain(tape, y * 1.0, x)  # plays it once more, for a reader
    mt.explain(tape, y, y)
    assert reported[-1] is backprop._gradient_function
    with mt.watch(), Film() as film:
        mt.explain(tape, y, y)
        with tf.GradientTape() as tape:
            z = x * x
        tape.gradient(z, x)
    assert film.played[0].steps


def test_a_tape_that_is_open_when_the_block_ends():
    x, tape = tf.Variable(2.0), None
    with mt.watch():
        tape = tf.GradientTape(persistent=True)
        tape.__enter__()
        y = x * x
    z = y * x
    with mt.watch():
        q = z * x
        with tf.GradientTape() as other:
            x * x
    tape.__exit__(None, None, None)
    assert tape.gradient(q, x) == 32.0 and ops(tape).count("Mul") == 1
    assert not tape_of(tape).recording and ops(other).count("Mul") == 1


def test_what_was_kept_from_a_block_does_nothing_after_it():
    """A bound method, as optimizers and decorators keep it, is that of the block."""
    x = tf.Variable(2.0)
    with mt.watch(), tf.GradientTape(persistent=True) as tape:
        y = x * x
        gradient, number = tape.gradient, y.numpy
    with mt.watch(), tf.GradientTape() as once:
        y = x * x
        first = once.gradient
    before = len(tape_of(once).notes)
    with Film() as film:
        assert gradient(y, x) is None and number() == 4.0 and first(y, x) == 4.0
        with pytest.raises(RuntimeError, match="non-persistent"):
            first(y, x)
    assert not film.played and "gradient" not in kinds(tape) and len(tape_of(once).notes) == before


def test_no_content_of_a_variable_is_held_after_the_block():
    w = tf.Variable(tf.ones([100]))
    with mt.watch():
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(w * w)
        tape.gradient(y, w)
        held = weakref.ref(mt.the_recorder().describe(w).value)
        del tape, y
    gc.collect()
    assert held() is None


def test_a_play_of_another_tape_brings_nothing_back():
    """On its way TensorFlow makes constants, ones and zeros: they are none that came in from
    outside.
    """
    x = tf.Variable([2.0, 3.0])
    with mt.watch(), tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_mean(tf.sigmoid(x) ** 3) + tf.reduce_max(x) / 2.0
        before = kinds(outer).count("return")
        inner.gradient(y, x)
        assert kinds(outer).count("return") == before
        x * np.float32(2.0)
        assert kinds(outer).count("return") == before + 1


@pytest.mark.parametrize(
    ("leave", "how"),
    [
        (lambda t: t.numpy(), "numpy"),
        (np.sin, "__array__"),
        (np.array, "__array__"),
        (float, "float"),
        (int, "int"),
        (bool, "bool"),
        (str, "format"),
        ("{}".format, "format"),
        (lambda t: f"{t:.2f}", "format"),
        (lambda t: np.float32(2) + t.numpy(), "numpy"),
        (complex, "complex"),
        (lambda t: [0] * 9 if t else None, "bool"),
    ],
)
@pytest.mark.parametrize("kind", [tf.constant, tf.Variable])
def test_each_way_out_is_one_note(leave, how, kind):
    info = kind(2.0)
    if how == "format" and kind is tf.Variable:
        return  # it has no format of its own
    with mt.watch() as look, tf.GradientTape() as tape:
        tape.watch(info)
        leave(info)
    escapes = [note[3]["how"] for note in tape_of(tape).notes if note[0] == "escape"]
    assert not look.trouble and (escapes == [how] or kind is tf.Variable and len(escapes) == 1), (
        escapes
    )


def test_who_takes_a_value():
    """What NumPy and Python's own library take is taken for the learner, unless TensorFlow has
    called them.
    """
    x = tf.Variable(2.0)
    with mt.watch() as look, tf.GradientTape() as tape:
        y = x * x
        tf.keras.utils.normalize(np.ones((2, 2)))
        np.mean(y)
        statistics.fmean([y])
        tf.make_tensor_proto(y)
    found = [
        (note[3]["how"], note[2][0].co_name) for note in tape_of(tape).notes if note[0] == "escape"
    ]
    assert not look.trouble and [how for how, _ in found] == ["__array__", "float"], found


def test_what_is_stopped_is_not_recorded():
    w, x = tf.Variable(3.0), tf.Variable(2.0)
    f = tf.function(lambda v: v * v)
    own = tf.custom_gradient(lambda v: (v * 1.0, lambda g: g))
    with mt.watch(), tf.GradientTape(persistent=True) as tape:
        y = x * x
        known = len(ops(tape))
        with record.stop_recording():
            z = f(y) + own(y) + y * w
        assert (
            len(ops(tape)) == known
            and mt.the_recorder().describe(w).id not in tape_of(tape).watched
        )
        q = z * x
        s = tf.stop_gradient(x * x)
        known = len(ops(tape))
        r = tf.sin(s) * 2.0
        assert len(ops(tape)) == known and mt.the_recorder().describe(s).id in tape_of(tape).cuts
        both = r * x
    assert (
        tape.gradient(q, x) == z
        and abs(tape.gradient(both, x) - r) < 1e-6
        and tape.gradient(z, w) is None
    )


def test_the_margin_tells_what_happened_to_a_tape():
    x, w, i = tf.Variable(2.0), tf.Variable(1.0), tf.constant(3)
    with mt.watch() as look, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with tf.GradientTape() as tape:
            tape.watch([i, x])
            with tape.stop_recording():
                w.assign_add(1.0)
            w.assign(x * x)
            made = tf.Variable(x * 2.0)
            made.assign(4.0)
        reported = [kind for kind in kinds(tape) if kind not in ("return", "unwatched")]
        assert reported == [
            "integer",
            "watch",
            "stop",
            "resume",
            "assign",
            "variable from tensor",
            "assign",
        ]
        with tf.GradientTape() as tape:
            y = x * 3.0
            tape.reset()
            assert kinds(tape) == ["reset"] and not ops(tape)
            y = x * x
        tape.gradient(y, x)
        assert "used" not in kinds(tape)
        with pytest.raises(RuntimeError, match="non-persistent"):
            tape.gradient(y, x)
        assert kinds(tape)[-1] == "used" and ops(tape).count("Mul") == 1
    assert not look.trouble


def test_a_sum_of_many_parts_has_tensorflows_own_rounding():
    factors = tf.constant(np.random.default_rng(0).normal(size=(9, 50)).astype("f4"))
    w = tf.Variable(tf.ones(50))

    with mt.watch(), Film() as film, tf.GradientTape(persistent=True) as tape:
        h = w * 1.0
        y = tf.reduce_sum(tf.stack([tf.sin(h * factor) for factor in factors]))
        z = tf.add_n([tf.reduce_sum(w * factor) for factor in factors])
        tape.gradient(y, w)  # h is between
        wanted = tape.gradient(z, w), tape.gradient(y, h)
        sought = mt.the_recorder().describe(w), mt.the_recorder().describe(h)
    between, source, _ = film.played
    for gradient, info, play in zip(wanted, sought, (source, between)):
        totals = [
            total
            for step in play.steps
            for _, number, _, total, _ in step[3]
            if number in (info.id, info.tensor)
        ]
        assert len(totals) >= 9 and np.array_equal(totals[-1], gradient), info.name


def test_a_film_answers_its_own_question_only():
    x, w = tf.Variable(2.0), tf.Variable(3.0)
    with mt.watch(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with tf.GradientTape(persistent=True) as tape:
            y, z = tf.round(x) * w, x * x * w
        assert tape.gradient(y, x) is None and tape.gradient(z, [x, w])[1] == 4.0
        found = {
            name: mt.explain(tape, *asked).category
            for name, asked in {
                "y, x": (y, x),
                "z, x": (z, x),
                "y, w": (y, w),
                "z, w": (z, w),
            }.items()
        }
    assert found == {
        "y, x": "piecewise-constant",
        "z, x": "healthy",
        "y, w": "healthy",
        "z, w": "healthy",
    }
    with mt.watch():
        play = tape_of(tape).play([mt.the_recorder().describe(z)], [mt.the_recorder().describe(w)])
        list(play.parts())
    assert play.returned == [4.0] and play.backs


def test_what_the_learner_gets_outside_of_tapes_has_its_place():
    """Also a gradient, and what is made after an optimizer has raised; what an optimizer computes
    on its way has none.
    """
    x = tf.Variable(2.0)
    with mt.watch():
        with tf.GradientTape() as tape:
            y = x * x
        g = tape.gradient(y, x)
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.keras.optimizers.SGD(0.1).apply_gradients(
                [(tf.ones([2]), tf.Variable([1.0, 2.0, 3.0]))]
            )
        a = tf.constant(3.0)
        b = a + 1.0
        optimizer = tf.keras.optimizers.SGD(0.1)
        known = len(mt.the_recorder().tensors.places)
        optimizer.apply_gradients([(g, x)])
        assert len(mt.the_recorder().tensors.places) == known
        places = [describe(info).where for info in (g, a, b)]
    assert [linecache.getline(__file__, positions(place).line).strip() for place in places] == [
        "g = tape.gradient(y, x)",
        "a = tf.constant(3.0)",
        "b = a + 1.0",
    ]
