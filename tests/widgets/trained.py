"""Trainings for the tests of the health view: sick ones by name, a small one, and the data of a
long one.
"""

import functools
from pathlib import Path

import numpy as np

import minitape as tf
from tests.health import health_trainings

TRAININGS = Path(health_trainings.__file__).parent / "trainings"


def fresh(name):
    """What was seen of the training of that name."""
    return health_trainings.run((TRAININGS / f"{name}.py").read_text(encoding="utf-8"), name)


seen_of = functools.cache(fresh)


def made(steps=10_000, layers=50, columns=240, name="Dense{}"):
    """The data of a long training, as `Watch.to_dict` gives them."""
    draw = np.random.default_rng(0)
    looked = sorted({int(k) for k in np.linspace(0, steps - 1, columns)})
    sizes = lambda: [float(f"{n:.3g}") for n in 10 ** draw.normal(-2, 2, len(looked))]  # noqa: E731
    shares = lambda: [float(f"{n:.3g}") for n in draw.uniform(size=len(looked))]  # noqa: E731
    row = lambda k: {
        "name": name.format(k),
        "op": "Relu",
        "entry": 3 * k,
        "units": 64,
        "weights": [],
        "value": sizes(),  # noqa: E731
        "place": {
            "file": "train.py",
            "line": 7,
            "column": 0,
            "end_line": 7,
            "end_column": 3,
            "code": "h = layer(h)",
        },
        "adjoint": sizes(),
        "update": sizes(),
        "dead": shares(),
        "saturated": shares(),
        "bad": [0] * len(looked),
    }
    loss = [float(f"{n:.6g}") for n in draw.uniform(size=1000)]
    return {
        "language": "en",
        "title": "10000 steps",
        "steps": steps,
        "looked": looked,
        "layers": [row(k) for k in range(layers)],
        "weights": [],
        "bad": None,
        "losses": {"each": 10, "mean": loss, "low": loss, "high": loss},
        "findings": [],
    }


def train(seen, steps=30, w=None):
    w = tf.Variable(tf.ones((3, 3))) if w is None else w
    x = tf.ones((4, 3))
    with seen:
        for _ in range(steps):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.tanh(x @ w) ** 2)
            w.assign_sub(0.1 * tape.gradient(loss, w))
    return seen
