"""Blocks of watch: begun, ended and broken off in every way; in threads; what lives on."""

import asyncio
import gc
import threading
import warnings
import weakref

import tensorflow as tf

from minitape import recorders
from minitape.recorders import tensorflow as mt
from minitape.storyboard import Film

from .tried import restored


def test_put_back_after_an_error():
    before = restored()

    class Mine(BaseException):
        pass

    for error in (ValueError, KeyboardInterrupt, Mine, GeneratorExit):
        try:
            with mt.watch(), tf.GradientTape():
                tf.Variable(1.0) * 2
                raise error
        except error:
            pass
        assert restored() == before


def test_put_back_after_a_failing_start():
    """Somebody interrupts, or a new TensorFlow lacks a name, while the hooks are laid."""
    from minitape.recorders.tensorflow import recorder

    before = restored()
    for error in (KeyboardInterrupt, AttributeError):
        old = recorder.Escapes.start

        def start(self, error=error):
            raise error

        recorder.Escapes.start = start
        try:
            with mt.watch():
                raise AssertionError("not reached")
        except error:
            pass
        finally:
            recorder.Escapes.start = old
        gc.collect()
        assert restored() == before, error
    with mt.watch(), tf.GradientTape() as tape:
        pass
    assert mt.the_recorder().tape_of(tape) is not None


def test_closed_in_another_thread():
    """A generator that watches is closed by another thread: everything is put back all the same."""
    from tensorflow.python.framework import op_callbacks

    before = restored()

    def gen():
        with mt.watch():
            yield

    g = gen()
    next(g)
    other = threading.Thread(target=g.close)
    other.start()
    other.join()
    after = restored()
    for callback in list(after[2]):
        op_callbacks.remove_op_callback(callback)
    assert after[0] == before[0] and after[1] == before[1]
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert float(tape.gradient(y, x)) == 4


def test_callbacks_cleared_by_others():
    from tensorflow.python.framework import op_callbacks

    before = restored()
    with mt.watch():
        op_callbacks.clear_op_callbacks()
    assert restored() == before


def test_watch_in_watch():
    with mt.watch():
        with mt.watch():
            pass
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            x * x
    assert mt.the_recorder().tape_of(tape).entries


def test_switch_inside_of_watch():
    """The one switch opens functions also where somebody watches already, as in a cell with %%tape."""
    x = tf.Variable(2.0)
    f = tf.function(lambda v: tf.sin(v) * v)
    with mt.watch():
        with mt.watch(open_functions=True), tf.GradientTape() as tape:
            f(x)
        assert not tf.config.functions_run_eagerly()
        assert "Sin" in [entry[0] for entry in mt.the_recorder().tape_of(tape).entries]


def test_watched_again():
    """A tape of an earlier cell can be asked, and explained, in a later one."""
    x = tf.Variable(2.0)
    with mt.watch():
        with tf.GradientTape(persistent=True) as tape:
            y = tf.round(x)
    with mt.watch() as look, Film():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert tape.gradient(y, x) is None
        assert "None" in str(mt.explain(tape, y, x))
        with tf.GradientTape() as other:
            z = x * x
        other.gradient(z, x)
    assert not look.trouble
    assert mt.explain(tape, y, x).category
    assert mt.explain(other, z, x).healthy


def test_two_threads():
    out, go = [], threading.Barrier(2)

    def work():
        go.wait()
        for _ in range(50):
            x = tf.Variable(3.0)
            with tf.GradientTape() as tape:
                y = -x * x
            out.append(float(tape.gradient(y, x)))

    with mt.watch() as look, Film() as film:
        other = threading.Thread(target=work)
        other.start()
        go.wait()
        for _ in range(50):
            x = tf.Variable(2.0)
            with tf.GradientTape() as tape:
                y = -x * x
            assert float(tape.gradient(y, x)) == -4
        other.join()
    assert not look.trouble and out == [-6.0] * 50
    assert all(len(play.steps) == 3 for play in film.played), [len(t.steps) for t in film.played]


def test_in_asyncio():
    async def one(k):
        x = tf.Variable(float(k))
        with tf.GradientTape() as tape:
            y = x * x
        await asyncio.sleep(0)
        return float(tape.gradient(y, x))

    async def main():
        with mt.watch() as look, Film():
            found = await asyncio.gather(*map(one, range(5)))
        assert not look.trouble
        return found

    assert asyncio.run(main()) == [0, 2, 4, 6, 8]


def test_nothing_leaks():
    """After the block: no tape, tensor or variable lives on because it was watched."""

    def run():
        with mt.watch(), Film():
            w = tf.Variable(tf.ones([100, 100]))
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(w @ w)
                z = y * 2
            g = tape.gradient(z, w)
            with tf.GradientTape() as none:
                q = tf.round(w)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                none.gradient(q, w)
            w.assign_sub(g)
            known = mt.the_recorder()
            gone = [
                weakref.ref(v)
                for v in (
                    w,
                    tape,
                    y,
                    g,
                    q,
                    none,
                    w.handle,
                    known.tape_of(tape),
                    known.tape_of(none),
                )
            ]
            gone += [weakref.ref(known.describe(w).value)]
        return gone

    gone = run()
    gc.collect()
    assert [ref() for ref in gone] == [None] * len(gone), [type(ref()) for ref in gone]


def test_variables_do_not_pile_up():
    tf.Variable(1.0)
    with mt.watch():
        before = len(mt.the_recorder().tensors._shadows)
        for _ in range(300):
            w = tf.Variable(1.0)
            with tf.GradientTape() as tape:
                y = w * w
            tape.gradient(y, w)
        del w, tape, y
        gc.collect()
        assert len(mt.the_recorder().tensors._shadows) < before + 5, len(
            mt.the_recorder().tensors._shadows
        )


def test_numbers_before_and_after():
    a = tf.constant([1.0, 2.0])
    with mt.watch():
        before = [mt.the_recorder().describe(t).id for t in (a,)]
        with tf.GradientTape() as tape:
            tape.watch(a)
            b = a * 2
        c = b * 2
    d = tf.constant(3.0)
    found = mt.the_recorder()
    numbers = [found.describe(t).id for t in (a, b, c, d)]
    assert numbers == sorted(numbers) and len(set(numbers)) == 4 and numbers[0] == before[0]
    began, end = found.tape_of(tape).blocks[0]
    assert numbers[0] < began < numbers[1] < end < numbers[2]


def test_text_that_only_names_tensorflow(monkeypatch):
    """A text that imports TensorFlow where it is not installed goes on by itself."""

    def missing(name):
        raise ImportError("not here")

    monkeypatch.setattr(recorders, "import_module", missing)
    with mt.watched_if_used(
        "try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None\n"
    ) as found:
        assert found is None
