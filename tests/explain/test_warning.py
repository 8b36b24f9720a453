"""None speaks up: once per place, short, easy to silence; and a healthy program hears nothing."""

import gc
import time
import warnings
import weakref

import numpy as np
import pytest

import minitape as tf
from minitape.engine.base.errors import NoneGradientWarning


def heard(f):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        f()
    return [w for w in found if issubclass(w.category, NoneGradientWarning)]


def broken_loop():
    for _ in range(3):
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            loss = tf.constant(np.square(w)) * 2.0
        tape.gradient(loss, w)


def test_once_per_place_with_reason_and_line():
    found = heard(broken_loop)
    assert len(found) == 1
    text = str(found[0].message)
    assert (
        "loss with respect to w is None (test_warning.py, line 26). `np.square(w)` takes w out "
        "of minitape, into NumPy." in text
    )
    assert text.endswith("tape.explain(loss, w) tells the whole story.")
    assert found[0].filename == __file__ and len(text) < 250
    assert heard(broken_loop) == []


def test_several_sources_are_named():
    def several():
        a, b, c = tf.Variable(1.0), tf.Variable(2.0), tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = a * 2.0
        tape.gradient(y, [a, b, c])

    text = str(heard(several)[0].message)
    assert (
        "The 2 gradients of y with respect to b and c are None (test_warning.py, line 47). y is "
        "computed without b and c." in text
    )


def test_silence():
    def asked():
        x = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = tf.Variable(2.0) * 2.0
        tape.gradient(y, x)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=tf.errors.NoneGradientWarning)
        asked()


def test_zero_instead_of_none_is_quiet():
    def asked():
        x = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = tf.Variable(2.0) * 2.0
        tape.gradient(y, x, unconnected_gradients="zero")

    assert heard(asked) == []


def test_a_failing_explanation_does_not_break_the_program(monkeypatch):
    from minitape import explain

    monkeypatch.setattr(explain, "explain_at", lambda *a, **k: 1 / 0)

    def asked():
        x = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = tf.Variable(2.0) * 2.0
        tape.gradient(y, x)

    assert "None" in str(heard(asked)[0].message)


def test_tensorflows_own_warnings():
    def asked():
        x = tf.constant(3)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        tape.gradient(y, x)

    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        asked()
    texts = [str(w.message) for w in found]
    assert any("The dtype of the watched tensor must be floating" in t for t in texts)
    assert any("The dtype of the target tensor must be floating" in t for t in texts)
    assert any("The dtype of the source tensor must be floating" in t for t in texts)


def test_nothing_outlives_the_tape():
    w = tf.Variable(np.ones(1000, "float32"))
    with tf.GradientTape() as tape:
        h = w * 2.0
        loss = tf.constant(np.mean(h)) * 2.0
    with pytest.warns(NoneGradientWarning):
        tape.gradient(loss, w)
    e = tape.explain(loss, w)
    array, seen = weakref.ref(tape.kept[-1][1][0]), weakref.ref(tape)
    del tape, h
    gc.collect()
    assert seen() is None and array() is None
    assert "np.mean" in str(e)
    with pytest.raises(RuntimeError, match="persistent=True"):
        e.storyboard()


@pytest.mark.parametrize(("used", "category"), [(True, "python-escape"), (False, "not-used")])
def test_a_long_tape_is_explained_in_a_moment(used, category, many=20_000):
    w, other = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = w
        for _ in range(many):
            y = y * 1.0
        z = tf.constant(float(y)) * 2.0 if used else y * 2.0
    begin = time.process_time()
    e = tape.explain(z, w if used else other)
    assert e.category == category and time.process_time() - begin < 5


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("bad", [0, 4097, 65_536, 199_999])
def test_a_nan_far_behind_in_a_large_gradient_is_explained_after_the_play(bad):
    values = np.ones(200_000, "float32")
    values[bad] = 0.0
    x = tf.Variable(values)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.where(x > 0.0, tf.math.log(x), 0.0))
    assert np.isnan(tape.gradient(y, x).numpy()).sum() == 1
    assert tape.explain(y, x).category == "where-nan"


def test_a_tape_that_has_let_go_says_so_of_what_it_was_not_asked():
    x, z = tf.Variable(2.0), tf.Variable(0.0)
    with tf.GradientTape() as tape:
        y = x * 3.0 + tf.sqrt(z)
    tape.gradient(y, x)
    assert (
        not tape.kept
        and "has let go of its arrays" in str(tape.explain(y, z))
        and "persistent=True" in str(tape.explain(y, z))
    )
    assert "let go" not in str(tape.explain(y, x)), "this gradient was looked at"


def test_a_large_gradient_that_begins_with_zeros_is_no_surprise():
    x = tf.Variable(np.concatenate([np.zeros(5000), np.ones(5000)]).astype("float32"))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x * x)
    tape.gradient(y, x)
    assert not tape.kept


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "made, kept",
    [
        (lambda x: x * 1e9, True),
        (lambda x: x * 3.0, False),
        (lambda x: x * 0.0, True),
        (lambda x: tf.sqrt(x - 2.0), True),
        (lambda x: tf.math.log(x - 3.0), True),
    ],
)
def test_the_arrays_stay_only_where_something_surprises(made, kept):
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = made(x)
    tape.gradient(y, x)
    assert bool(tape.kept) is kept


@pytest.mark.parametrize(
    "asked, kept",
    [
        (lambda tape, y, x: tape.gradient(y, x), True),
        (lambda tape, y, x: tape.jacobian(y, x), True),
        (lambda tape, y, x: tape.gradient(y, x, output_gradients=tf.ones(2)), False),
    ],
)
def test_an_infinite_target_surprises_unless_it_comes_with_an_adjoint(asked, kept):
    x = tf.Variable([2.0, 3.0])
    with tf.GradientTape() as tape:
        y = x + tf.math.log([0.0, 1.0])
    asked(tape, y, x)
    assert bool(tape.kept) is kept


def test_outside_of_any_tape_only_a_position_is_kept():
    w = tf.Variable(np.ones(1000, "float32"))
    h = w * 2.0
    first = weakref.ref(h.value)
    total = tf.reduce_sum(h)
    z = total * float(w[0])
    code, offset = z.where
    kept = [obj for t in (total, z) for obj in gc.get_referents(t) if obj is not type(t)]
    assert code.co_filename == __file__ and isinstance(offset, int)
    assert all(isinstance(obj, (np.generic, int, type(code))) for obj in kept), kept
    del h
    assert first() is None and z.numpy() == 2000.0, "an array lived on although no tape recorded"


def test_notes_hold_numbers_and_names_but_no_arrays_and_no_frames():
    w, buffer = tf.Variable([1.0, 2.0]), np.zeros(2, "float32")
    with tf.GradientTape() as tape:
        h = w * 2.0
        buffer[0] = h[0]
        back = tf.constant(h.numpy()) * float(h[1])
        w.assign_add(back)
        tape.watch(back)
        with tape.stop_recording():
            tf.argmax(h)
    kinds = {note.kind for note in tape.notes}
    assert {"escape", "return", "assign", "unwatched", "watch", "stop", "resume"} <= kinds
    plain = (int, float, str, bytes, bool, type(None), tf.DType)

    def check(value):
        for part in (
            value
            if isinstance(value, (list, tuple, set))
            else value.values()
            if isinstance(value, dict)
            else [value]
        ):
            if isinstance(part, (list, tuple, set, dict)):
                check(part)
            else:
                assert isinstance(part, plain), f"the margin holds {type(part)}"

    for note in tape.notes:
        check(note.about)
        assert type(note.where[0]).__name__ == "code" and isinstance(note.where[1], int)
