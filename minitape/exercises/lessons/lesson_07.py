"""The exercises of the lesson on training: which way and how far, a line through points, momentum
by hand, a descent of one's own, and when to stop.
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
        Wrong("sum-of-squares", "2 * loss"),
        Wrong("first-only", "errors[0]"),
        Wrong("last-only", "errors[1]"),
        Wrong("sign", "-slope"),
    ),
)

direction = Prediction(
    id="07.direction",
    texts=TEXTS,
    numbers={"w": (1.0, 2.0, -1.0), "x": (2.0, 3.0, 4.0), "t": (1.0, -6.0, 10.0)},
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
        Wrong("where", "w"),
        Wrong("the-loss", "loss"),
        Wrong("the-error", "before * x - t"),
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
        Wrong("no-slope", "slope / 2 - rate"),
        Wrong("no-step", "slope / 2"),
        Wrong("the-step", "-rate * slope"),
        Wrong("the-slope", "slope"),
        Wrong("is-loss", "loss"),
        Wrong("the-rate", "rate"),
        Wrong("one-part", "slope / 2 * (1 - rate)"),
        Wrong("at-the-bottom", "0"),
        Wrong("no-rate", "-slope / 2"),
        Wrong("the-step", "rate * slope"),
        Wrong("the-loss", "slope / 2 - rate * loss"),
        Wrong("wrong-side", "-w"),
    ),
)

old_tape = Prediction(
    id="07.old-tape",
    texts=TEXTS,
    numbers={"w": (8.0, 16.0, 24.0)},
    right="error if raised else float(w)",
    program="""w, rate = tf.Variable({w}), 0.125

with tf.GradientTape(persistent=True) as tape:
    loss = w * w

for step in range(2):
    w.assign_sub(rate * tape.gradient(loss, w))
""",
    wrong=(
        Wrong("new-each-time", "float(w) / 0.5 * 0.5625"),
        Wrong("one-step", "float(w) / 0.5 * 0.75"),
        Wrong("stays", "float(w) / 0.5"),
        Wrong("at-the-bottom", "0.0"),
        Wrong("refused", "error"),
    ),
)

again = Prediction(
    id="07.again",
    texts=TEXTS,
    numbers={"n": (6, 3, 5, 10)},
    right="times",
    program="""def slope(x, t):
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x - t) ** 2)
    return tape.gradient(loss, w)

count = {n}
once = slope([1.0, 3.0], [6.0, 2.0])
often = slope([1.0, 3.0] * count, [6.0, 2.0] * count)
times = often / once
""",
    wrong=(
        Wrong("as-sum", "float(count)"),
        Wrong("squared", "float(count**2)"),
        Wrong("points", "2.0 * count"),
        Wrong("divided-more", "1 / count"),
        Wrong("difference", "0.0"),
        Wrong("the-slope", "once"),
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
        Wrong("no-push", "velocity + rate * slope"),
        Wrong("lost-twice", "momentum * (velocity + rate * slope) - rate * slope"),
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
        Wrong("b-inside", {"y": "w * (x + b)"}),
        Wrong("exchanged", {"y": "w + b * x"}),
        Wrong("from-t", {"y": "w * t + b"}),
        Wrong("compared-twice", {"y": "w * x + b - t"}),
        Wrong("not-used", {"y": "w * x"}),
        Wrong("not-used", {"y": "x + b"}),
        Wrong("plus", {"loss": "tf.reduce_mean((y + t) ** 2)"}),
        Wrong("no-square", {"loss": "y - t"}),
        Wrong("no-square", {"loss": "tf.reduce_mean(y - t ** 2)"}),
        Wrong("no-square", {"loss": "tf.reduce_mean((y - t) * 2)"}),
        Wrong("its-name", {"loss": "tf.mean((y - t) ** 2)"}),
        Wrong("root", {"loss": "tf.sqrt(tf.reduce_mean((y - t) ** 2))"}),
        Wrong("only-one", {"loss": "tf.reduce_max((y - t) ** 2)"}),
        Wrong("no-product", {"assign_sub": "rate + slope_w", "assign_sub_2": "rate + slope_b"}),
        Wrong("no-product", {"assign_sub": "slope_w - rate", "assign_sub_2": "slope_b - rate"}),
        Wrong("no-product", {"assign_sub": "slope_w / rate", "assign_sub_2": "slope_b / rate"}),
        Wrong(
            "no-sign",
            {"assign_sub": "rate * tf.abs(slope_w)", "assign_sub_2": "rate * tf.abs(slope_b)"},
        ),
        Wrong("own-rate", {"assign_sub": "0.01 * slope_w", "assign_sub_2": "0.01 * slope_b"}),
        Wrong(
            "the-loss",
            {"assign_sub": "rate * slope_w * loss", "assign_sub_2": "rate * slope_b * loss"},
        ),
        Wrong(
            "step-number",
            {"assign_sub": "rate * step * slope_w", "assign_sub_2": "rate * step * slope_b"},
        ),
        Wrong("the-error", {"assign_sub": "rate * y", "assign_sub_2": "rate * y"}),
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
        Wrong("no-x", {"y": "w + b"}),
        Wrong("no-product", {"assign_sub": "slope_w - rate"}),
        Wrong("no-product", {"assign_sub": "rate / slope_w"}),
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
        Wrong("no-product", {"velocity": "momentum - rate * slope"}),
        Wrong("no-product", {"velocity": "momentum + velocity - rate * slope"}),
        Wrong("the-place", {"velocity": "momentum * w - rate * slope"}),
        Wrong("exchanged", {"velocity": "momentum * slope - rate * velocity"}),
        Wrong("turned", {"velocity": "rate * slope - momentum * velocity"}),
        Wrong("no-slope", {"velocity": "momentum * velocity - rate"}),
        Wrong("momentum-on-push", {"velocity": "velocity - momentum * rate * slope"}),
        Wrong("uphill", {"velocity": "rate * slope"}),
        Wrong("average", {"velocity": "momentum * velocity - (1 - momentum) * slope"}),
        Wrong("set", {"w.assign_add(velocity)": "w.assign(velocity)"}),
        Wrong("pushed-again", {"assign_add": "velocity - rate * slope"}),
        Wrong("pushed-again", {"assign_add": "velocity + slope"}),
        Wrong("braked-again", {"assign_add": "momentum * velocity"}),
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
        Wrong("no-ride", {"assign_add": "rate * slope"}),
        Wrong(
            "minus-later",
            {"velocity": "momentum * velocity + rate * slope", "assign_add": "-velocity"},
        ),
        Wrong("numbers", {"velocity": "0.9 * velocity - 0.1 * slope"}),
        Wrong("what-is-lost", {"velocity": "(1 - momentum) * velocity - rate * slope"}),
    ),
)


ONE_TAPE = """w = tf.Variable(start)
    with tf.GradientTape() as tape:
        loss = (w * w - a) ** 2
    for step in range(steps):
        w.assign_sub(rate * tape.gradient(loss, w))
    return w"""

root = Function(
    id="07.root",
    texts=TEXTS,
    by_hand=False,
    by_tape=True,
    inputs={
        "a": lambda numbers: round(float(numbers.uniform(2.0, 4.0)), 2),
        "start": lambda numbers: round(float(numbers.uniform(0.6, 0.9)), 2),
        "rate": lambda numbers: round(float(numbers.uniform(0.02, 0.04)), 3),
        "steps": lambda numbers: int(numbers.integers(3, 7)),
    },
    program="""def root(a, start, rate, steps):
    #: empty
    «w = tf.Variable(start)
    for step in range(steps):
        with tf.GradientTape() as tape:
            loss = (w * w - a) ** 2
        w.assign_sub(rate * tape.gradient(loss, w))
    return w»
""",
    wrong=(
        Wrong("arrived", {"    return w": "    return tf.sqrt(a)"}),
        Wrong("uphill", {"assign_sub": "assign_add"}),
        Wrong("whole-slope", {"rate * ": ""}),
        Wrong("first-step", {"    return w": "        return w"}),
        Wrong("one-tape", {"body": ONE_TAPE}),
        Wrong("one-tape", {"body": ONE_TAPE.replace("Tape()", "Tape(persistent=True)")}),
        Wrong("the-loss", {"    return w": "    return loss"}),
        Wrong(
            "the-slope",
            {
                "w.assign_sub(rate * tape.gradient(loss, w))": "slope = tape.gradient(loss, w)\n"
                "        w.assign_sub(rate * slope)",
                "return w": "return slope",
            },
        ),
        Wrong("no-square", {"(w * w - a) ** 2": "w * w - a"}),
        Wrong("no-square", {"(w * w - a) ** 2": "tf.abs(w * w - a)"}),
        Wrong("to-a", {"(w * w - a) ** 2": "(w - a) ** 2"}),
        Wrong("doubled", {"w * w - a": "2 * w - a"}),
        Wrong("half", {"rate * tape": "0.5 * rate * tape"}),
        Wrong("no-slope", {"rate * tape.gradient(loss, w)": "rate"}),
        Wrong("step-is-loss", {"rate * tape.gradient(loss, w)": "rate * loss"}),
        Wrong("no-range", {"range(steps)": "steps"}),
        Wrong("one-step-off", {"range(steps)": "range(steps + 1)"}),
        Wrong("one-step-off", {"range(steps)": "range(steps - 1)"}),
        Wrong("one-step-off", {"range(steps)": "range(1, steps)"}),
        Wrong("at-zero", {"tf.Variable(start)": "tf.Variable(0.0)"}),
        Wrong("own-start", {"tf.Variable(start)": "tf.Variable(1.0)"}),
        Wrong("own-start", {"tf.Variable(start)": "tf.Variable(a)"}),
        Wrong("set", {"assign_sub": "assign"}),
        Wrong("variable-replaced", {"w.assign_sub(rate * ": "w = w - (rate * "}),
        Wrong("not-watched", {"tf.Variable(start)": "tf.constant(start)", ".assign_sub": " - "}),
        Wrong("the-square", {"    return w": "    return w * w"}),
        Wrong(
            "no-variable", {"tf.Variable(start)": "start", "w.assign_sub(rate * ": "w -= (rate * "}
        ),
        Wrong(
            "no-step",
            {"w.assign_sub(rate * tape.gradient(loss, w))": "rate * tape.gradient(loss, w)"},
        ),
        Wrong("no-step", {"body": "return start"}),
        Wrong("own-rate", {"rate * tape": "0.01 * tape"}),
    ),
)


def curve(chance: np.random.Generator, turn: int) -> list[float]:
    """Return losses that fall for some steps, then in jumps, two steps apart, three, and so on. After
    each best one it comes once more, then larger ones that fall; too late, they fall lower than ever.
    In the first turn, the best step is the last one.
    """
    losses: list[float] = []
    for k, apart in enumerate((1, 1, 1, 1, 1, 2, 3, 4, 8)):
        best = 5.0 - k / 2
        losses += [best] * min(apart, 2)
        falling = best + chance.uniform(0.25, 0.4) - 0.03 * np.arange(max(apart - 2, 0))
        losses += falling.round(2).tolist()
    return [*losses, 0.5, 0.7, 0.6] if turn else losses[:11]


stop = Function(
    id="07.stop",
    texts=TEXTS,
    inputs={"losses": curve, "patience": lambda chance, turn: 3 + turn % 2},
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
        Wrong("equal", {"losses[last] < losses[best]": "losses[last] <= losses[best]"}),
        Wrong(
            "one-less",
            {
                "        if losses[last] < losses[best]:\n            best = last\n": "",
                "            break\n": "            break\n"
                "        if losses[last] < losses[best]:\n            best = last\n",
            },
        ),
        Wrong(
            "not-reset",
            {
                "best, last = 0, 0": "best, last, waited = 0, 0, 0",
                "        if last - best == patience": "        waited += last != best\n"
                "        if waited == patience",
            },
        ),
        Wrong("first-rise", {"last - best == patience": "last - best == 1"}),
        Wrong(
            "first-rise",
            {
                "body": "for last in range(1, len(losses)):\n"
                "        if losses[last] > losses[last - 1]:\n"
                "            break\n"
                "    return last - 1, last"
            },
        ),
        Wrong("to-the-end", {"last - best == patience": "False"}),
        Wrong("one-more", {"last - best == patience": "last - best > patience"}),
        Wrong(
            "one-less", {"last - best == patience": "last - best == patience - 1 and last > best"}
        ),
        Wrong("order", {"return best, last": "return last, best"}),
        Wrong(
            "order",
            {
                "            break\n    return best, last": "            return last, best\n"
                "    return best, last"
            },
        ),
        Wrong("the-loss", {"return best, last": "return losses[best], last"}),
        Wrong("the-loss", {"return best, last": "return min(losses), last"}),
        Wrong("how-long", {"return best, last": "return best, last - best"}),
        Wrong("how-long", {"return best, last": "return best, patience"}),
        Wrong("one-more", {"return best, last": "return best, last + 1"}),
        Wrong("previous", {"losses[last] < losses[best]": "losses[last] < losses[last - 1]"}),
        Wrong(
            "none-returned",
            {"            break\n    return best, last": "            return best, last"},
        ),
        Wrong("shown-only", {"return best, last": "return 3, 4"}),
        Wrong("largest", {"losses[last] < losses[best]": "losses[last] > losses[best]"}),
        Wrong("largest", {"            best = last": "            best == last"}),
        Wrong("counted-from-1", {"return best, last": "return best + 1, last + 1"}),
        Wrong("beyond", {"return best, last": "return best, best + patience"}),
        Wrong(
            "beyond",
            {
                "            break\n    return best, last": "            return best, last\n"
                "    return best, len(losses)"
            },
        ),
        Wrong("first-rise", {"last - best == patience": "losses[last] > losses[best]"}),
        Wrong("last-missing", {"range(len(losses))": "range(len(losses) - 1)"}),
        Wrong(
            "last-missing",
            {
                "range(len(losses))": "range(len(losses) - 1)",
                "            break\n    return best, last": "            return best, last\n"
                "    return best, len(losses) - 1",
            },
        ),
        Wrong("number", {"losses[last] < losses[best]": "losses[last] != losses[best]"}),
    ),
)
