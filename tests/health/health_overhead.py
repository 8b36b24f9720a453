"""What watching costs: the step of a small net, with and without, each in a process of its own, in
turns.

`python tests/health/health_overhead.py [rounds]` prints the shares; `tests/health/test_watch.py`
runs it with a loose limit.
"""

import subprocess
import sys
from statistics import median
from time import perf_counter

PROGRAM = """
import sys
from contextlib import nullcontext
from time import process_time
import numpy as np
import minitape as tf
from minitape import health

tf.random.set_seed(0)
draw = np.random.default_rng(0)
x, y = tf.constant(draw.normal(size=(32, 16)).astype("float32")), tf.constant(draw.integers(0, 4, 32))
model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(32, activation="relu"),
                             tf.keras.layers.Dense(4)])
loss_fn, optimizer = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), tf.keras.optimizers.SGD(0.01)

def train(steps):
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

train(300)
with health.watch(model) if sys.argv[1] == "watched" else nullcontext() as seen:
    began = process_time()
    train(int(sys.argv[2]))
    print((process_time() - began) / int(sys.argv[2]))
if seen is not None:
    print(seen.history.looks, file=sys.stderr)
"""


def seconds(kind, steps):
    """Seconds of one step, in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, kind, str(steps)],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def measured(rounds=5, steps=2000):
    """Return (median of the paired ratios, best without, best with)."""
    pairs = [(seconds("alone", steps), seconds("watched", steps)) for _ in range(rounds)]
    return median(b / a for a, b in pairs), min(a for a, _ in pairs), min(b for _, b in pairs)


if __name__ == "__main__":
    began = perf_counter()
    ratio, alone, watched = measured(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
    print(
        f"alone {alone * 1e6:.1f} us, watched {watched * 1e6:.1f} us a step: best against best "
        f"{watched / alone:.3f}, "
        f"median of pairs {ratio:.3f} ({perf_counter() - began:.0f} s)"
    )
