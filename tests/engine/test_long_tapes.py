"""Long tapes and many tapes: time and memory grow in proportion, nothing stays behind, threads do
not meet.
"""

import gc
import threading
import time
import tracemalloc
import weakref

import numpy as np
import pytest

import minitape as tf

timed = pytest.mark.system("a clock of the processor's time")


def chain(n):
    """Return (seconds per operation, gradient) of a chain of n operations."""
    x = tf.constant(1.0)
    start = time.process_time()  # of this process: others may keep the machine busy
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(n):
            y = y * 0.9999
    g = tape.gradient(y, x)
    return (time.process_time() - start) / n, float(g)


@timed
def test_a_hundred_thousand_operations():
    chain(1000)
    short = min(chain(5_000)[0] for _ in range(3))
    (long, g), (again, _) = chain(100_000), chain(100_000)
    assert g == pytest.approx(0.9999**100_000, rel=1e-2)
    assert min(long, again) < 4 * short, "the cost per operation grows with the length of the tape"


@timed
def test_a_stack_of_many_losses():
    def seconds(n):
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = tf.reduce_mean(tf.stack([x * 0.5] * n))
        start = time.process_time()
        assert float(tape.gradient(y, x)) == pytest.approx(0.5, rel=1e-2)
        return (time.process_time() - start) / n

    seconds(100)
    assert min(seconds(30_000) for _ in range(2)) < 8 * min(seconds(1_000) for _ in range(5)), (
        "each part looks at all the others"
    )


def test_one_tensor_used_ten_thousand_times():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.add_n([x * float(k) for k in range(10_000)])
    assert float(tape.gradient(y, x)) == pytest.approx(sum(range(10_000)), rel=1e-3)


def test_memory_comes_back():
    def work():
        x = tf.Variable(np.ones((100, 100), "float32"))
        with tf.GradientTape() as tape:
            y = x
            for _ in range(50):
                y = tf.tanh(y @ y) * 0.1
            loss = tf.reduce_sum(y)
        return [weakref.ref(y), weakref.ref(y.value)], float(tf.reduce_sum(tape.gradient(loss, x)))

    work()
    gc.collect()
    gc.disable()  # reference counts alone must do: nothing may stand in a circle
    try:
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(3):
            held, _ = work()
        after, peak = tracemalloc.get_traced_memory()
    finally:
        gc.enable()
        tracemalloc.stop()
    assert all(r() is None for r in held)
    assert peak - before > 50 * 40_000, "the tape held fewer arrays than the test thinks"
    assert after - before < 100_000


def test_custom_gradients_and_jacobians_leave_nothing():
    @tf.custom_gradient
    def doubled(x):
        return x * 2.0, lambda g: g * 2.0

    def work():
        x = tf.constant(np.ones(1000, "float32"))
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.recompute_grad(tf.sin)(doubled(x))
            z = tf.reshape(y, [10, 100])[:2, :3]
        tape.jacobian(z, x)
        tape.gradient(y, x)
        return [weakref.ref(v) for v in (x, y, z, tape)]

    held = work()
    gc.collect()
    assert [r() for r in held] == [None] * 4


def test_threads_have_tapes_of_their_own():
    results, start = {}, threading.Barrier(4)

    def work(k):
        w = tf.Variable(float(k))
        start.wait()
        for _ in range(200):
            with tf.GradientTape() as tape:
                y = w * w * float(k)
            results[k] = (float(tape.gradient(y, w)), len(tape.entries))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(1, 5)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert {k: g for k, (g, _) in results.items()} == {k: 2.0 * k * k for k in range(1, 5)}
    assert len({n for _, n in results.values()}) == 1
