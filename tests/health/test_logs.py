"""The figures as TensorBoard logs: written by its own package, read back by its own reader."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import minitape as tf
from minitape import health
from tests.beside import PIP, install, laid
from tests.test_tree import ROOT

PACKAGE = "tensorboard==2.21.0"
TRAINING = """
import minitape as tf
from minitape import health
w = tf.Variable([[1.0, -2.0], [0.5, 1.5]])
with health.watch({"w": w}, every=1) as seen:
    for _ in range(12):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.tanh(tf.ones((3, 2)) @ w) ** 2)
        w.assign_sub(0.1 * tape.gradient(loss, w))
"""
READ = """
import json, sys
sys.path.append(sys.argv[1])                       # behind the environment's own packages: these stay what they are
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.util.tensor_util import make_ndarray
seen.to_tensorboard("logs")
read = EventAccumulator("logs", size_guidance={"tensors": 0})          # all of them
read.Reload()
columns = {tag: [(event.step, float(make_ndarray(event.tensor_proto))) for event in read.Tensors(tag)] for tag in read.Tags()["tensors"]}
(layer,) = seen.history.layers.values()
print(json.dumps([columns, seen.history.losses.mean, layer.columns["update"]]))
"""


@pytest.mark.skipif(
    importlib.util.find_spec("tensorboard") is not None, reason="the package is there"
)
def test_without_the_package_one_is_told_what_to_do(tmp_path):
    names = {"tf": tf, "health": health}
    exec(TRAINING, names)
    with pytest.raises(ImportError, match="pip install tensorboard"):
        names["seen"].to_tensorboard(tmp_path)


def test_logs_that_cannot_be_written_to_their_end_leave_the_folder_as_it_was(tmp_path, monkeypatch):
    class Writer:
        def __init__(self, folder):
            self.file = open(Path(folder) / "events", "w")

        def add_scalar(self, name, number, step):
            self.file.write(f"{name} {step}\n")
            if step == 9 and broken:
                raise OSError(28, "No space left on device")

        flush = close = lambda self: self.file.close()

    monkeypatch.setitem(sys.modules, "tensorboard", ModuleType("tensorboard"))
    monkeypatch.setitem(sys.modules, "tensorboard.summary", SimpleNamespace(Writer=Writer))
    names, broken = {"tf": tf, "health": health}, False
    exec(TRAINING, names)
    names["seen"].to_tensorboard(tmp_path / "logs")
    whole = (tmp_path / "logs" / "events").read_text()
    assert "loss 11\n" in whole
    broken = True
    with pytest.raises(OSError, match="No space"):
        names["seen"].to_tensorboard(tmp_path / "logs")
    assert os.listdir(tmp_path / "logs") == ["events"]
    assert (tmp_path / "logs" / "events").read_text() == whole


@pytest.mark.long
def test_tensorboard_reads_what_was_written(tmp_path):
    place = laid(
        PACKAGE.replace("==", "-"), lambda place: install(*PIP, "--target", place, PACKAGE)
    )
    done = subprocess.run(
        [sys.executable, "-c", TRAINING + READ, str(place)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    columns, losses, updates = json.loads(done.stdout.splitlines()[-1])
    assert {"loss", "w/value", "w/adjoint", "w/update", "w/saturated"} <= set(columns)
    assert [step for step, _ in columns["loss"]] == list(range(12))
    assert [loss for _, loss in columns["loss"]] == pytest.approx(losses, rel=1e-6)
    assert [update for _, update in columns["w/update"]] == pytest.approx(updates, rel=1e-6)
