"""The figures as TensorBoard logs: written by its own package, read back by its own reader."""

import importlib.util
import math
import os

import pytest

import minitape as tf
from minitape import health

INSTALLED = importlib.util.find_spec("tensorboard") is not None


def trained():
    w = tf.Variable([[1.0, -2.0], [0.5, 1.5]])
    with health.watch({"w": w}, every=1) as seen:
        for _ in range(12):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.tanh(tf.ones((3, 2)) @ w) ** 2)
            w.assign_sub(0.1 * tape.gradient(loss, w))
    return seen


@pytest.mark.skipif(INSTALLED, reason="the package is there")
def test_without_the_package_one_is_told_what_to_do(tmp_path):
    with pytest.raises(ImportError, match="pip install tensorboard"):
        trained().to_tensorboard(tmp_path)


@pytest.mark.long
def test_tensorboard_reads_what_was_written(tmp_path):
    if not INSTALLED:
        if os.environ.get("MINITAPE_REQUIRE_TENSORBOARD") == "1":
            pytest.fail("tensorboard is not installed: pip install 'minitape[tensorboard]'")
        pytest.skip("NOT TESTED: tensorboard is not installed. pip install 'minitape[tensorboard]', then again")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.util.tensor_util import make_ndarray
    seen = trained()
    seen.to_tensorboard(tmp_path)
    read = EventAccumulator(str(tmp_path), size_guidance={"tensors": 0})          # all of them
    read.Reload()
    assert {"loss", "w/value", "w/adjoint", "w/update", "w/saturated"} <= set(read.Tags()["tensors"])

    def column(tag):
        return [(event.step, float(make_ndarray(event.tensor_proto))) for event in read.Tensors(tag)]
    assert [step for step, _ in column("loss")] == list(range(12))
    assert all(math.isclose(a, b, rel_tol=1e-6) for (_, a), b in zip(column("loss"), seen.history.losses.mean))
    (layer,) = seen.history.layers.values()
    assert all(math.isclose(a, b, rel_tol=1e-6) for (_, a), b in zip(column("w/update"), layer.columns["update"]))
