"""The tape as data, the walk as one generator, and what both promise to their readers."""

import gc
import os
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest

import minitape as tf
from minitape.engine.base.errors import NoneGradientWarning
from minitape.engine.base.listeners import Onlooker, looking_on
from minitape.engine.ops.record import OPS, run
from minitape.program.places import positions


def recorded():
    """Return (tape, y, x) of y = x * x + 3 * x at 2."""
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x + 3 * x
    return tape, y, x


def test_entries_are_plain_data_in_the_order_of_running():
    tape, y, x = recorded()
    assert [e.op for e in tape.entries] == ["ReadVariableOp", "Mul", "Mul", "Add"]
    assert tape.entries[-1].outputs == (y.id,) and tape.entries[0].inputs == (x.id,)
    assert all(isinstance(n, int) for e in tape.entries for n in e.inputs + e.outputs)
    assert [float(outputs[0]) for _, outputs in tape.kept] == [2.0, 4.0, 6.0, 10.0]


def test_an_entry_knows_its_sub_expression():
    tape, _, _ = recorded()
    with open(__file__, encoding="utf-8") as file:
        lines = file.read().split("\n")
    found = []
    for entry in tape.entries[1:]:
        s = positions(entry.where)
        found.append(lines[s.line - 1].encode()[s.column : s.end_column].decode())
    assert found == ["x * x", "3 * x", "x * x + 3 * x"]


def test_steps_are_the_play_that_gradient_drains():
    tape, y, x = recorded()
    steps = list(tape.steps(y, x))
    assert [s.index for s in steps] == [3, 2, 1, 0]
    assert [[float(p.value) for p in s.parts] for s in steps] == [
        [1.0, 1.0],
        [3.0],
        [2.0, 2.0],
        [7.0],
    ]
    assert float(steps[2].parts[-1].total) == 7.0
    with pytest.raises(RuntimeError, match="can only be used to compute one set of gradients"):
        tape.gradient(y, x)


def test_an_onlooker_sees_every_part_and_changes_nothing():
    seen = []

    class Watcher(Onlooker):
        def plays(self, play, parts):
            for part in parts:
                seen.append((play.tape, part[0], float(part[3])))
                yield part

    tape, y, x = recorded()
    with looking_on(Watcher()):
        assert float(tape.gradient(y, x)) == 7.0
    assert [s[1:] for s in seen] == [(3, 1.0), (3, 1.0), (2, 3.0), (1, 2.0), (1, 2.0), (0, 7.0)]
    assert seen[0][0] is tape.recording.tape
    tape, y, x = recorded()
    tape.gradient(y, x)
    assert len(seen) == 6  # after the block nobody looks on


def test_a_used_tape_keeps_its_entries_and_drops_its_arrays():
    x = tf.Variable(np.ones(1000, np.float32))
    with tf.GradientTape() as tape:
        y = x * x
        target = run(OPS["Sum"], (y,), {"axis": None, "keepdims": False})
    array = weakref.ref(y.value)
    del y
    assert array() is not None
    tape.gradient(target, x)
    assert array() is None and len(tape.entries) == 3 and tape.kept == [] and tape.used


def test_nothing_is_held_after_the_tape_is_gone():
    x = tf.Variable(np.ones(10, np.float32))
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
    held = [weakref.ref(y), weakref.ref(y.value), weakref.ref(tape)]
    tape.gradient(y, x)
    del tape, y
    gc.collect()
    assert [r() for r in held] == [None, None, None]


def test_a_variable_is_read_once_per_version():
    w = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = w * w
        w.assign(5.0)
        z = w * y
    reads = [e.attributes["version"] for e in tape.entries if e.op == "ReadVariableOp"]
    assert reads == [0, 1]
    assert float(tape.gradient(z, w)) == 9.0 + 5.0 * 6.0


def test_sources_may_be_intermediates_targets_and_repeated():
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        z = y * y
    assert [float(g) for g in tape.gradient(z, [x, y, z, x])] == [108.0, 18.0, 1.0, 108.0]
    assert float(tape.gradient([y, z], x)) == 6.0 + 108.0
    assert float(tape.gradient({"a": z}, {"b": y})["b"]) == 18.0
    assert tape.gradient(y, z) is None
    assert float(tape.gradient(y, z, unconnected_gradients=tf.UnconnectedGradients.ZERO)) == 0.0


@pytest.mark.parametrize("shape", [(), (3,), (2, 3)])
def test_a_jacobian_is_one_gradient_per_element(shape):
    rng = np.random.default_rng(0)
    x = tf.Variable(rng.normal(size=shape).astype(np.float32))
    c = tf.constant(rng.normal(size=(4, *shape)).astype(np.float32))
    with tf.GradientTape(persistent=True) as tape:
        y = run(OPS["Tanh"], (x * c + x * x,))
    jacobian = tape.jacobian(y, x).numpy()
    assert jacobian.shape == y.shape + x.shape
    for k in np.ndindex(*y.shape):
        seed = np.zeros(y.shape, np.float32)
        seed[k] = 1
        np.testing.assert_allclose(
            jacobian[k], tape.gradient(y, x, output_gradients=tf.constant(seed)).numpy(), rtol=1e-5
        )


def test_a_jacobian_under_an_outer_tape_is_recorded():
    x = tf.Variable([0.5, -1.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x * x * x
        jacobian = inner.jacobian(y, x)
    third = outer.gradient(jacobian, x).numpy()
    np.testing.assert_allclose(third, 6 * x.numpy(), rtol=1e-6)


def test_a_hessian_by_nested_tapes():
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = run(OPS["Sum"], (x * x * x,), {"axis": None, "keepdims": False})
        g = inner.gradient(y, x)
    np.testing.assert_allclose(outer.jacobian(g, x).numpy(), np.diag([6.0, 12.0, 18.0]))


def test_tapes_of_two_threads_do_not_see_one_another():
    found, ready = {}, threading.Barrier(2)

    def work(start):
        x = tf.Variable(start)
        with tf.GradientTape() as tape:
            ready.wait()
            y = x
            for _ in range(200):
                y = y * 1.0
            ready.wait()
        found[start] = len(tape.entries), float(tape.gradient(y, x))

    threads = [threading.Thread(target=work, args=(s,)) for s in (1.0, 2.0)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == {1.0: (201, 1.0), 2.0: (201, 1.0)}


def test_a_tape_that_stopped_and_goes_on():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        a = x * x
        with tape.stop_recording():
            b = a * a
        c = a + b
    assert float(tape.gradient(c, x)) == 4.0
    assert [n.kind for n in tape.notes if n.kind in ("stop", "resume")] == ["stop", "resume"]
    with pytest.raises(RuntimeError, match="not recording"), tape.stop_recording():
        pass
    with pytest.raises(ValueError, match="not recording"):
        tape.reset()


def test_reset_forgets_and_goes_on():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        tape.reset()
        tape.watch(x)
        y = x * x
    assert float(tape.gradient(y, x)) == 6.0 and len(tape.entries) == 1


def test_a_tape_cannot_be_entered_twice_at_once_but_again_later():
    x = tf.Variable(2.0)
    tape = tf.GradientTape(persistent=True)
    with tape:
        y = x * x
        with pytest.raises(ValueError, match="already-active"):
            tape.__enter__()
    with tape:
        z = y * y
    assert float(tape.gradient(z, x)) == 32.0


def test_a_used_tape_that_is_entered_again_begins_anew():
    x = tf.Variable(2.0)
    tape = tf.GradientTape()
    with pytest.raises(RuntimeError, match="can only be used"):
        tape.gradient(x, x)  # it never recorded anything
    with tape:
        y = x * x
    assert float(tape.gradient(y, x)) == 4.0
    with tape:
        y = x * x * x
    assert float(tape.gradient(y, x)) == 12.0 and len(tape.entries) == 3


@pytest.mark.parametrize(
    ("target", "error"),
    [(np.float32(1), AttributeError), (2.0, AttributeError), (None, TypeError), ("y", TypeError)],
)
def test_targets_and_sources_that_are_no_tensors(target, error):
    tape, y, x = recorded()
    with pytest.raises(error, match="target"):
        tape.gradient(target, x)
    tape, y, x = recorded()
    with pytest.raises(error, match="source"):
        tape.gradient(y, [x, target])


def test_views_of_dictionaries_and_empty_structures():
    tape, y, x = recorded()
    assert [float(g) for g in tape.gradient(y, {"x": x}.values())] == [7.0]
    tape, y, x = recorded()
    assert tape.gradient(y, []) == []
    tape, y, x = recorded()
    assert tape.gradient([], x) is None


def test_a_batch_jacobian_keeps_the_examples_apart():
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
    expected = np.stack([np.diag(2 * row) for row in x.numpy()])
    np.testing.assert_allclose(tape.batch_jacobian(y, x).numpy(), expected)
    with pytest.raises(ValueError, match="rank at least 2"):
        tape.batch_jacobian(tf.constant([1.0]), x)
    with pytest.raises(ValueError, match="rank at least 2"):  # the target is looked at first
        tape.batch_jacobian(tf.constant(1.0), None)
    with pytest.raises(ValueError, match="first dimension"):
        tape.batch_jacobian(tf.constant([[1.0]]), x)
    assert not tape.batch_jacobian(tf.constant([[1.0]] * 3), x).numpy().any()


def test_watched_variables_come_in_the_order_of_their_creation():
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        b * a
    assert [v.id for v in tape.watched_variables()] == [a.id, b.id]


def test_a_reading_for_stop_gradient_has_one_entry_and_begins_an_explanation():
    v = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.stop_gradient(v)
        assert tape.watched_variables() == ()
        z = v * v
    assert [entry.op for entry in tape.entries] == ["ReadVariableOp", "StopGradient", "Mul"]
    assert tape.watched_variables() == (v,) and tape.gradient(z, v).numpy() == 4.0
    assert "stop_gradient" in str(tape.explain(y, v))


def test_an_unwatched_tensor_has_no_gradient_even_beside_a_variable():
    w, x = tf.Variable(3.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        y = w * x * x
    with pytest.warns(NoneGradientWarning):
        assert tape.gradient(y, x) is None


def test_the_file_of_a_script_is_looked_at_once(tmp_path):
    script = tmp_path / "script.py"  # its frame is the outermost one: nobody called it
    script.write_text(
        "import minitape as tf\nfrom minitape.engine.base.where import inside\n"
        "tf.constant(1.0) * 2.0\nassert inside[__file__] is False, inside\n"
    )
    subprocess.run(
        [sys.executable, script],
        cwd=Path(tf.__file__).parent.parent,
        check=True,
        env={**os.environ, "PYTHONPATH": "."},
    )


@pytest.mark.parametrize(
    "f",
    [
        tf.sort,
        lambda x: tf.gather(x, tf.argsort(x)),
        lambda x: tf.gather_nd(x, tf.argsort(x)[:, None]),
        lambda x: tf.scatter_nd(tf.argsort(x)[:, None], x, [3]),
        lambda x: tf.math.unsorted_segment_sum(x, tf.argsort(x), 3),
        lambda x: tf.math.unsorted_segment_max(x, tf.argsort(x), 3),
        lambda x: tf.math.unsorted_segment_min(x, tf.argsort(x), 3),
    ],
)
def test_places_that_were_computed_send_nothing_back(f):
    """The places lie downstream of x, too. With a second watched tensor the walk looks at each
    input on its own.
    """
    v, x = tf.Variable([3.0, 4.0, 5.0]), tf.constant([30.0, 20.0, 10.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(f(x) * v)
    assert tape.gradient(y, x).numpy().tolist() == [5.0, 4.0, 3.0]


def test_a_list_of_numbers_as_the_seed_of_one_target_is_told_what_to_write():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = w * tf.constant([1.0, 2.0])
    with pytest.raises(
        ValueError, match="2 given, 1 needed. For one target, give one tensor of its shape"
    ):
        tape.gradient(y, w, output_gradients=[1.0, 2.0])


def test_what_stop_gradient_gives_is_no_source_beside_another_leaf():
    v, beside = tf.Variable([-1.0, -1.0]), tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(beside)
        stopped = tf.stop_gradient(v)
        y = v / stopped
    first, second = tape.gradient(y, [v, stopped])
    assert first.numpy().tolist() == [-1.0, -1.0] and second is None
