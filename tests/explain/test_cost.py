"""What explanations need while a tape records: the row of the benchmark compares like with like, and the price is small."""

import time

import minitape as tf
from minitape.engine.operators import operand
from minitape.engine.ops import arithmetic
from minitape.engine.ops.common_run import common_run
from tests.benchmarks.engine import explained, without_positions


def test_the_other_engine_records_the_same_without_positions():
    multiply = without_positions()(arithmetic.multiply, operand)
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = multiply(x, x)
    entry = tape.entries[-1]
    assert y.numpy() == 9.0 and entry.op == "Mul" and entry.where == (None, 0)
    assert tape.gradient(y, x).numpy() == 6.0


def test_the_benchmark_puts_the_engine_back():
    before = tf.Tensor.__mul__
    calls = explained(10)
    assert [float(call()) for call in calls.values()] == [float(calls["minitape"]())] * 2
    assert tf.Tensor.__mul__.__code__ is before.__code__ and tf.Variable(2.0) * 3.0 == 6.0
    assert common_run(arithmetic.add, operand).__code__ is tf.Tensor.__add__.__code__


def test_positions_and_notes_cost_little():
    """The goal is 1.15; a busy machine gets room. Seen: 1.08 to 1.14."""
    calls = explained(1000)
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(60):
        for name, call in calls.items():
            begin = time.process_time()
            call()
            best[name] = min(best[name], time.process_time() - begin)
    assert best["minitape"] < 1.35 * best["without positions and notes"], best
