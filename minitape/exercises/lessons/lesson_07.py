"""The exercises of the lesson on training: which way and how far, a line through points, momentum
by hand, and when to stop.
"""

from __future__ import annotations

import numpy as np

from minitape.exercises import Catalogue, Function, Prediction, Wrong

TEXTS = Catalogue(__name__)

recall = Prediction(
    id="07.recall",
    texts=TEXTS,
    numbers={"w": (2.0, 4.0, 6.0), "a": (1.0, 3.0), "b": (5.0, 9.0)},
    right="slope",
    program="""w = tf.Variable({w})
with tf.GradientTape() as tape:
    errors = w - tf.constant([{a}, {b}])
    loss = tf.reduce_mean(errors * errors)
slope = tape.gradient(loss, w)
""",
    wrong=(
        Wrong("not-divided", "2 * slope"),
        Wrong("one-part", "slope / 2"),
        Wrong("the-value", "loss"),
        Wrong("first-only", "errors[0]"),
        Wrong("last-only", "errors[1]"),
    ),
)

direction = Prediction(
    id="07.direction",
    texts=TEXTS,
    numbers={"w": (1.0, 2.0, -1.0), "x": (2.0, -2.0, 3.0), "t": (6.0, -6.0, 10.0)},
    right="move",
    program="""x, t, w = {x}, {t}, tf.Variable({w})
with tf.GradientTape() as tape:
    loss = (w * x - t) ** 2
slope = tape.gradient(loss, w)

before = w.numpy()
w.assign_sub(0.01 * slope)
move = np.sign(w.numpy() - before)
""",
    wrong=(
        Wrong("uphill", "-move"),
        Wrong("stays", "0"),
        Wrong("the-slope", "slope"),
        Wrong("how-far", "w.numpy() - before"),
        Wrong("how-far", "before - w.numpy()"),
    ),
)

rate = Prediction(
    id="07.rate",
    texts=TEXTS,
    numbers={"w": (5.0, 10.0, -5.0, 20.0)},
    right="w",
    program="""w, rate = tf.Variable({w}), 1.1
with tf.GradientTape() as tape:
    loss = w * w
slope = tape.gradient(loss, w)
w.assign_sub(rate * slope)
""",
    wrong=(
        Wrong("uphill", "w + 2 * rate * slope"),
        Wrong("one-part", "slope / 2 * (1 - rate)"),
        Wrong("at-the-bottom", "0"),
        Wrong("no-rate", "-slope / 2"),
        Wrong("the-step", "rate * slope"),
        Wrong("the-loss", "slope / 2 - rate * loss"),
        Wrong("wrong-side", "-w"),
    ),
)

speed = Prediction(
    id="07.speed",
    texts=TEXTS,
    numbers={"momentum": (0.5, 0.9), "first": (-5.0, -8.0, -10.0), "second": (-2.0, -3.0)},
    right="velocity",
    program="""momentum, rate, velocity = {momentum}, 0.1, 0.0
for slope in ({first}, {second}):
    velocity = momentum * velocity - rate * slope
""",
    wrong=(
        Wrong("last-only", "-rate * slope"),
        Wrong("nothing-lost", "(velocity + rate * slope) / momentum - rate * slope"),
        Wrong("wrong-way", "-velocity"),
        Wrong("first-only", "(velocity + rate * slope) / momentum"),
        Wrong("one-sign", "velocity + 2 * rate * slope"),
        Wrong("no-rate", "velocity / rate"),
        Wrong("momentum-on-all", "velocity + rate * slope - momentum * rate * slope"),
    ),
)

regression = Function(
    id="07.regression",
    texts=TEXTS,
    by_hand=False,
    form="tensor",
    inputs={"x": ("n",), "t": ("n",)},
    program="""def train(x, t):
    w, b = tf.Variable(0.0), tf.Variable(0.0)
    rate = 0.1
    for step in range(5):
        with tf.GradientTape() as tape:
            y = «w * x + b»
            loss = «tf.reduce_mean((y - t) ** 2)»
        slope_w, slope_b = tape.gradient(loss, [w, b])
        w.assign_sub(«rate * slope_w»)
        b.assign_sub(«rate * slope_b»)
    return w, b
""",
    wrong=(
        Wrong("b-stays", {"y": "w * x + 0.0 * b"}),
        Wrong("sum", {"loss": "tf.reduce_sum((y - t) ** 2)"}),
        Wrong("no-square", {"loss": "tf.reduce_mean(y - t)"}),
        Wrong("no-square", {"loss": "tf.reduce_mean(t - y)"}),
        Wrong("half", {"loss": "0.5 * tf.reduce_mean((y - t) ** 2)"}),
        Wrong("mean-first", {"loss": "tf.reduce_mean(y - t) ** 2"}),
        Wrong(
            "assigned", {"assign_sub": "w - rate * slope_w", "assign_sub_2": "b - rate * slope_b"}
        ),
        Wrong("absolute", {"loss": "tf.reduce_mean(tf.abs(y - t))"}),
        Wrong("w-stays", {"loss": "tf.reduce_mean(y ** 2)"}),
        Wrong("uphill", {"assign_sub": "-rate * slope_w", "assign_sub_2": "-rate * slope_b"}),
        Wrong("uphill", {"assign_sub": "-rate * slope_w"}),
        Wrong("swapped-slopes", {"assign_sub_2": "rate * slope_w"}),
        Wrong("b-inside", {"y": "(w + b) * x"}),
        Wrong("no-rate", {"assign_sub": "slope_w", "assign_sub_2": "slope_b"}),
        Wrong("no-rate", {"assign_sub": "slope_w"}),
        Wrong("no-rate", {"assign_sub_2": "slope_b"}),
        Wrong("assigned", {"assign_sub": "w - rate * slope_w"}),
        Wrong("swapped-slopes", {"assign_sub": "rate * slope_b", "assign_sub_2": "rate * slope_w"}),
        Wrong("b-stays", {"assign_sub_2": "0.0"}),
        Wrong("w-stays", {"assign_sub": "0.0"}),
        Wrong("the-loss", {"assign_sub": "rate * loss"}),
        Wrong("the-loss", {"assign_sub": "rate * loss", "assign_sub_2": "rate * loss"}),
        Wrong("no-slope", {"assign_sub": "rate", "assign_sub_2": "rate"}),
    ),
)

momentum = Function(
    id="07.momentum",
    texts=TEXTS,
    by_hand=False,
    form="array",
    inputs={
        "start": (),
        "goal": (),
        "rate": lambda numbers: round(float(numbers.uniform(0.05, 0.2)), 3),
        "momentum": lambda numbers: round(float(numbers.uniform(0.5, 0.9)), 3),
    },
    program="""def train(start, goal, rate, momentum):
    w, velocity = tf.Variable(start), 0.0
    for step in range(4):
        with tf.GradientTape() as tape:
            loss = (w - goal) ** 2
        slope = tape.gradient(loss, w)
        velocity = «momentum * velocity - rate * slope»
        w.assign_add(«velocity»)
    return velocity, w
""",
    wrong=(
        Wrong("no-momentum", {"velocity": "-rate * slope"}),
        Wrong("uphill", {"velocity": "momentum * velocity + rate * slope"}),
        Wrong("no-rate", {"velocity": "momentum * velocity - slope"}),
        Wrong("rate-on-all", {"velocity": "rate * (momentum * velocity - slope)"}),
        Wrong("nothing-lost", {"velocity": "velocity - rate * slope"}),
        Wrong("average", {"velocity": "momentum * velocity - (1 - momentum) * rate * slope"}),
        Wrong("no-push", {"velocity": "momentum * velocity"}),
        Wrong("momentum-on-all", {"velocity": "momentum * (velocity - rate * slope)"}),
        Wrong("exchanged", {"velocity": "rate * velocity - momentum * slope"}),
        Wrong("the-loss", {"velocity": "momentum * velocity - rate * loss"}),
        Wrong("assigned", {"assign_add": "w + velocity"}),
        Wrong("rate-twice", {"assign_add": "rate * velocity"}),
        Wrong("away", {"assign_add": "-velocity"}),
        Wrong(
            "rate-later",
            {"velocity": "momentum * velocity - slope", "assign_add": "rate * velocity"},
        ),
        Wrong(
            "rate-later",
            {"velocity": "momentum * velocity + slope", "assign_add": "-rate * velocity"},
        ),
        Wrong("no-ride", {"assign_add": "-rate * slope"}),
        Wrong("no-ride", {"assign_add": "slope"}),
        Wrong(
            "minus-later",
            {"velocity": "momentum * velocity + rate * slope", "assign_add": "-velocity"},
        ),
        Wrong("numbers", {"velocity": "0.9 * velocity - 0.1 * slope"}),
        Wrong("what-is-lost", {"velocity": "(1 - momentum) * velocity - rate * slope"}),
    ),
)


def curve(chance: np.random.Generator) -> list[float]:
    """Return losses that fall, go up and down above their best for some steps, and fall lower than
    ever when it is too late.
    """
    falling = np.linspace(3, 1, int(chance.integers(3, 6)))
    bump = [1.3, 0.9]
    jagged = 0.9 + chance.uniform(0.1, 0.2, 7) + [0.3, 0, 0.3, 0, 0.3, 0, 0.3]
    return [round(float(loss), 2) for loss in (*falling, *bump, *jagged, 0.5, 0.7, 0.6)]


stop = Function(
    id="07.stop",
    texts=TEXTS,
    inputs={"losses": curve, "patience": lambda numbers: int(numbers.integers(2, 5))},
    shown={"losses": [3.0, 2.0, 2.5, 1.0, 1.2], "patience": 3},
    program="""def early_stop(losses, patience):
    #: stop
    «best, last = 0, 0
    for last in range(len(losses)):
        if losses[last] < losses[best]:
            best = last
        if last - best == patience:
            break
    return best, last»
""",
    wrong=(
        Wrong("first-rise", {"last - best == patience": "last - best == 1"}),
        Wrong("to-the-end", {"last - best == patience": "False"}),
        Wrong("one-more", {"last - best == patience": "last - best > patience"}),
        Wrong(
            "one-less", {"last - best == patience": "last - best == patience - 1 and last > best"}
        ),
        Wrong("order", {"return best, last": "return last, best"}),
        Wrong("the-loss", {"return best, last": "return losses[best], last"}),
        Wrong("previous", {"losses[last] < losses[best]": "losses[last] < losses[last - 1]"}),
        Wrong(
            "nothing", {"            break\n    return best, last": "            return best, last"}
        ),
        Wrong("shown-only", {"return best, last": "return 3, 4"}),
        Wrong("largest", {"losses[last] < losses[best]": "losses[last] > losses[best]"}),
        Wrong("counted-from-1", {"return best, last": "return best + 1, last + 1"}),
    ),
)
