"""What a watch costs: the calls of a step that is only counted, and the time of a whole training."""

import sys
from contextlib import nullcontext

import pytest

import minitape as tf
from minitape import health


def calls_of_a_step(watched, size, weights=50):
    """How many functions are called in one step that is only counted, those of NumPy and of Python
    itself included.
    """
    weights, counted = [tf.Variable(tf.ones((4, 4))) for _ in range(weights)], []

    def count(frame, event, about):
        counted.extend([event] if event in ("call", "c_call") else [])

    with health.watch(weights, every=1000) if watched else nullcontext():
        for step in range(3):
            # what is looked at of step 1 is looked at when step 2 begins
            sys.setprofile(count if step == 2 else None)
            with tf.GradientTape() as tape:
                loss = size * tf.add_n([tf.reduce_sum(w * w) for w in weights])
            tape.gradient(loss, weights)
        sys.setprofile(None)
    return len(counted)


# so small a gradient surprises: is it finite?
@pytest.mark.parametrize(("size", "each"), [(1.0, 0), (1e-12, 4)])
def test_a_step_that_is_only_counted_costs_few_calls(size, each):
    few, many = [calls_of_a_step(True, size, n) - calls_of_a_step(False, size, n) for n in (10, 50)]
    assert 0 < few <= 50 + 10 * each and many - few == 40 * each


@pytest.mark.long
def test_a_step_takes_hardly_longer():
    from health_overhead import measured

    # a busy machine is off by a tenth; the share of the looks is held above
    assert measured()[0] < 1.2
