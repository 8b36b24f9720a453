"""The exercises of the lesson on memory: what a tape keeps, recomputation, what should not be
recorded, and leaks, checked by bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from minitape.exercises import Catalogue, Function, Line, Repair, Wrong
from minitape.exercises.filmed import FilmedAnswer
from minitape.exercises.lessons import asked_13
from minitape.exercises.outcome import NotYet
from minitape.storyboard import Film

TEXTS = Catalogue(__name__)

recall, kept, needed, recomputed = (
    asked_13.recall,
    asked_13.kept,
    asked_13.needed,
    asked_13.recomputed,
)


def rows(*shape: int) -> Callable[[np.random.Generator], np.ndarray]:
    """Return what draws an array of some shape whose numbers are neither large nor near 0."""
    return lambda chance: np.round(
        chance.uniform(0.5, 1.5, (int(chance.integers(20, 40)), *shape)), 3
    )


class Light(Function):
    """A function whose tape keeps little: its bytes are those of its cards, and no formula."""

    def look(self, rounds: Sequence[Mapping[str, Any]], films: Sequence[FilmedAnswer]) -> Any:
        with Film() as right:
            self.called(self.reference, rounds[0])
        given, wanted = cards(films[0]), cards(right)
        if given > wanted:
            raise NotYet("by-formula", self.idea("by-formula", given=given, wanted=wanted))
        return super().look(rounds, films)


class LightRepair(Light, Repair):
    """A program to repair, whose tapes keep little."""


def cards(film: Film) -> int:
    """Return how many cards the longest tape of a film has, without those that make no array."""
    lists = [[entry.op for entry in tape.held.entries] for tape in film.tapes]
    return max((len(ops) - ops.count("StopGradient") for ops in lists), default=0)


chain = Light(
    id="13.chain",
    texts=TEXTS,
    by_hand=False,
    form="tensor",
    inputs={"x": rows()},
    program="""def chain(x):
    def block(h):
        return tf.tanh(tf.sin(h * h))

    #: wrap
    small = «tf.recompute_grad(block)»
    with tf.GradientTape() as tape:
        tape.watch(x)
        h = x
        for _ in range(4):
            h = «small(h)»
    kept = tf.memory.costs(tape).kept
    slope = tape.gradient(h, x)
    return slope, kept
""",
    wrong=(
        Wrong("not-wrapped", {"small": "block"}),
        Wrong("not-wrapped", {"h": "block(h)"}),
        Wrong("stop-gradient", {"small": "lambda h: tf.stop_gradient(block(h))"}),
        Wrong("piece", {"small": "tf.function(block)"}),
        Wrong("once", {"h": "small(x)"}),
        Wrong("not-called", {"h": "small"}),
        Wrong("of-a-function", {"small": "tf.stop_gradient(block)"}),
        Wrong("other-block", {"small": "tf.recompute_grad(tf.tanh)"}),
        Wrong("other-block", {"small": "tf.recompute_grad(tf.sin)"}),
        Wrong("other-block", {"small": "lambda h: tf.tanh(h * h)"}),
        Wrong("beside-it", {"h": "small(h) + h"}),
        Wrong("not-called", {"small": "tf.recompute_grad"}),
        Wrong("other-block", {"h * h": "h"}),
        Wrong("called", {"small": "tf.recompute_grad(block(x))"}),
        Wrong("called", {"small": "tf.recompute_grad(block(h))"}),
        Wrong("called", {"small": "tf.recompute_grad(block())"}),
        Wrong("called", {"small": "tf.recompute_grad", "h": "small(block(h))"}),
        Wrong("both", {"h": "small(block(h))"}),
        Wrong(
            "piece",
            {
                "tf.recompute_grad(block)": "lambda h: tf.tanh(tf.recompute_grad(lambda a: "
                "tf.sin(a * a))(h))"
            },
        ),
        Wrong(
            "whole",
            {
                "        for _ in range(4):\n            h = small(h)": "        h = "
                "tf.recompute_grad(lambda a: "
                "block(block(block(block(a)))))(h)"
            },
        ),
        Wrong("twice", {"small(h)": "small(tf.identity(h * 1.0))"}),
        Wrong("thrown-away", {"            h = small(h)": "            small(h)"}),
        Wrong("custom", {"small": "tf.custom_gradient(block)"}),
        Wrong("thrown-away", {"small": "tf.recompute_grad(lambda h: h)"}),
        Wrong("not-wrapped", {"h": "small(h) if h is x else block(h)"}),
        Wrong("by-formula", {"small": "block", "tf.memory.costs(tape).kept": "16 * len(x)"}),
    ),
)

measure = Light(
    id="13.measure",
    texts=TEXTS,
    by_hand=False,
    form="tensor",
    inputs={"x": rows(3), "w": (3, "k")},
    program="""def measure(x, w):
    with tf.GradientTape() as tape:
        tape.watch(w)
        y = x @ w
        loss = tf.reduce_sum(y * y)
        with «tape.stop_recording()»:
            worst = tf.reduce_max(tf.abs(y))
            spread = tf.reduce_mean(tf.abs(y - tf.reduce_mean(y)))
    kept = tf.memory.costs(tape).kept
    slope = tape.gradient(loss, w)
    return slope, worst, spread, kept
""",
    wrong=(
        Wrong("still-recorded", {"with": "tf.GradientTape()"}),
        Wrong("still-recorded", {"with": "tf.GradientTape(persistent=True)"}),
        Wrong("still-recorded", {"with": "tf.name_scope('measure')"}),
        Wrong("one-line", {"            spread": "        spread"}),
        Wrong("no-brackets", {"with": "tape.stop_recording"}),
        Wrong("of-the-tape", {"with": "tf.stop_recording()"}),
        Wrong("of-the-tape", {"with": "stop_recording()"}),
        Wrong("of-the-tape", {"with": "tf.GradientTape.stop_recording()"}),
        Wrong("recording-already", {"with": "tape"}),
        Wrong("other-name", {"with": "tape.stop()"}),
        Wrong("other-name", {"with": "tape.pause()"}),
        Wrong("other-name", {"with": "tape.stop_gradient()"}),
        Wrong("other-name", {"with": "tape.no_recording()"}),
        Wrong("pytorch", {"with": "tf.no_grad()"}),
        Wrong("pytorch", {"with": "tf.no_gradient()"}),
        Wrong("no-argument", {"with": "tape.stop_recording(y)"}),
        Wrong("no-block", {"with": "tf.stop_gradient"}),
        Wrong("no-block", {"with": "tape.reset()"}),
        Wrong("no-block", {"with": "tf.stop_gradient(y)"}),
        Wrong(
            "recording-stopped",
            {
                "        loss = tf.reduce_sum(y * y)\n        with tape.stop_recording():\n": "        with "
                "tape.stop_recording():\n"
                "            loss = "
                "tf.reduce_sum(y * y)\n"
            },
        ),
        Wrong(
            "recording-stopped",
            {
                "        y = x @ w\n        loss = tf.reduce_sum(y * y)\n        with "
                "tape.stop_recording():\n": "        with tape.stop_recording():\n            y "
                "= x @ w\n            loss = tf.reduce_sum(y * y)\n"
            },
        ),
        Wrong("no-block", {"with": "tf.stop_gradient(tape)"}),
        Wrong(
            "by-formula",
            {
                "with tape.stop_recording()": "if True",
                "tf.memory.costs(tape).kept": "4 * (2 * len(x) * w.shape[1] + 1)",
            },
        ),
    ),
)

guilty = Line(
    id="13.guilty",
    texts=TEXTS,
    program="""w = tf.Variable([1.0, -2.0])                          #! once
history = []                                          #! list
for step in range(5):                                 #! rounds
    x = tf.random.normal([100, 2])                    #! data
    with tf.GradientTape(persistent=True) as tape:    #! persistent
        y = tf.reduce_sum(x * w, axis=1)              #! cards
        loss = tf.reduce_mean(y * y)                  #! cards
    slope = tape.gradient(loss, w)                    #! play
    w.assign_sub(0.1 * slope)                         #! assign
    history.append((float(loss), tape))               #! here
""",
)

leak = LightRepair(
    id="13.leak",
    texts=TEXTS,
    form="tensor",
    inputs={"w": rows(), "rates": lambda chance: np.round(chance.uniform(0.01, 0.1, 4), 3)},
    program="""def leak(w, rates):
    w, slopes, kept = tf.Variable(w), [], []
    rates = [float(rate) for rate in rates]
«    for rate in rates:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.sin(w) * w)
        kept.append(tf.memory.costs(tape).kept)
        slope = tape.gradient(loss, w)
        slopes.append(slope)
        w.assign_sub(rate * slope) <-     with tf.GradientTape(persistent=True) as tape:
        for rate in rates:
            loss = tf.reduce_sum(tf.sin(w) * w)
            with tape.stop_recording():
                kept.append(tf.memory.costs(tape).kept)
                slope = tape.gradient(loss, w)
                slopes.append(slope)
                w.assign_sub(rate * slope)»
    slopes = tf.stack(slopes)
    return slopes, kept
""",
    wrong=(
        Wrong(
            "grows",
            {
                "body": """    with tf.GradientTape(persistent=True) as tape:
        for rate in rates:
            loss = tf.reduce_sum(tf.sin(w) * w)
            with tape.stop_recording():
                kept.append(tf.memory.costs(tape).kept)
                slope = tape.gradient(loss, w)
                slopes.append(slope)
            with tape.stop_recording():
                w.assign_sub(rate * slope)"""
            },
        ),
        Wrong(
            "one-tape",
            {
                "body": """    with tf.GradientTape() as tape:
        for rate in rates:
            loss = tf.reduce_sum(tf.sin(w) * w)
            with tape.stop_recording():
                kept.append(tf.memory.costs(tape).kept)
                slope = tape.gradient(loss, w)
                slopes.append(slope)
                w.assign_sub(rate * slope)"""
            },
        ),
        Wrong(
            "one-tape",
            {
                "body": """    with tf.GradientTape(persistent=True) as tape:
        for rate in rates:
            loss = tf.reduce_sum(tf.sin(w) * w)
            with tape.stop_recording():
                kept.append(tf.memory.costs(tape).kept)
                slope = tape.gradient(loss, w)
                slopes.append(slope)
                w.assign_sub(rate * slope)
            del tape"""
            },
        ),
        Wrong(
            "nothing-left",
            {
                "body": """    for rate in rates:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.sin(w) * w)
        slope = tape.gradient(loss, w)
        kept.append(tf.memory.costs(tape).kept)
        slopes.append(slope)
        w.assign_sub(rate * slope)"""
            },
        ),
        Wrong(
            "nothing-to-stop",
            {
                "body": """    for rate in rates:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.sin(w) * w)
        with tape.stop_recording():
            kept.append(tf.memory.costs(tape).kept)
            slope = tape.gradient(loss, w)
            slopes.append(slope)
            w.assign_sub(rate * slope)"""
            },
        ),
        Wrong(
            "nothing-left",
            {
                "            loss = tf.r": "            kept.append(tf.memory.costs(tape).kept)\n"
                "            loss = tf.r",
                "        kept.append(tf.memory.costs(tape).kept)\n        slope": "        slope",
            },
        ),
        Wrong(
            "once",
            {
                "        slope = tape.gradient(loss, w)\n        slopes.append(slope)\n"
                "        w.assign_sub": "    slope = tape.gradient(loss, w)\n"
                "    slopes.append(slope)\n    w.assign_sub"
            },
        ),
        Wrong("weights-noted", {"append(slope)": "append(w.read_value())"}),
        Wrong("not-moved", {"        w.assign_sub(rate * slope)": "        rate * slope"}),
        Wrong("uphill", {"w.assign_sub": "w.assign_add"}),
        Wrong("variable-replaced", {"w.assign_sub(rate * slope)": "w = w - rate * slope"}),
        Wrong(
            "nothing-to-play",
            {
                "        with tf.GradientTape() as tape:\n            loss": "        tape = "
                "tf.GradientTape()\n        loss"
            },
        ),
        Wrong(
            "recording-stopped",
            {
                "            loss = tf.reduce_sum(tf.sin(w) * w)": """            with tape.stop_recording():
                loss = tf.reduce_sum(tf.sin(w) * w)"""
            },
        ),
        Wrong(
            "nothing-to-stop",
            {
                "body": """    with tf.GradientTape(persistent=True) as tape:
        for rate in rates:
            loss = tf.reduce_sum(tf.sin(w) * w)
            with tape.stop_recording():
                kept.append(tf.memory.costs(tape).kept)
                slope = tape.gradient(loss, w)
                slopes.append(slope)
                w.assign_sub(rate * slope)
                tape.reset()"""
            },
        ),
        Wrong("at.kept", {"tf.memory.costs(tape).kept": "24"}),
        Wrong(
            "not-all",
            {
                "        kept.append(tf.memory.costs(tape).kept)": "        kept = [tf.memory.costs(tape).kept]"
            },
        ),
        Wrong(
            "not-all",
            {
                "        kept.append(tf.memory.costs(tape).kept)\n": "",
                "    slopes = tf.stack": "    kept.append(tf.memory.costs(tape).kept)\n"
                "    slopes = tf.stack",
            },
        ),
        Wrong(
            "total",
            {
                "    for rate in rates:\n        with": "    total = 0.0\n    for rate in rates:\n"
                "        with",
                "            loss = tf.reduce_sum(tf.sin(w) * w)": "            total = total + "
                "tf.reduce_sum(tf.sin(w) * w)",
                "gradient(loss": "gradient(total",
            },
        ),
        Wrong("other-bytes", {"costs(tape).kept": "costs(tape).needed"}),
        Wrong(
            "by-formula",
            {
                "body": """    with tf.GradientTape(persistent=True) as tape:
        for rate in rates:
            loss = tf.reduce_sum(tf.sin(w) * w)
            with tape.stop_recording():
                kept.append(kept[0] if kept else tf.memory.costs(tape).kept)
                slope = tape.gradient(loss, w)
                slopes.append(slope)
                w.assign_sub(rate * slope)"""
            },
        ),
    ),
)

heat = Light(
    id="13.heat",
    texts=TEXTS,
    by_hand=False,
    form="tensor",
    inputs={"u": rows(), "k": lambda chance: float(np.round(chance.uniform(0.05, 0.2), 3))},
    program="""def heat(u, k):
    def minute(u, k):
        #: roll
        for second in range(10):
            u = u + k * (tf.roll(u, 1, 0) - 2.0 * u + tf.roll(u, -1, 0))
        return u

    #: body
«    minute = tf.recompute_grad(minute)
    with tf.GradientTape() as tape:
        tape.watch(k)
        for _ in range(6):
            u = minute(u, k)
        warmest = tf.reduce_max(u)
    kept = tf.memory.costs(tape).kept
    slope = tape.gradient(warmest, k)
    return slope, kept <-     return ...»
""",
    wrong=(
        Wrong("plain", {"    minute = tf.recompute_grad(minute)\n": ""}),
        Wrong(
            "not-used",
            {
                "    minute = tf.recompute_grad(minute)\n": "    again = "
                "tf.recompute_grad(lambda u: "
                "minute(u, k))\n",
                "u = minute(u, k)": "u = again(u)",
            },
        ),
        Wrong(
            "whole",
            {
                "        for _ in range(6):\n            u = minute(u, k)\n": "        u = hour(u, k)\n",
                "    minute = tf.recompute_grad(minute)\n": """    def all_six(u, k):
        for _ in range(6):
            u = minute(u, k)
        return u
    hour = tf.recompute_grad(all_six)
""",
            },
        ),
        Wrong("not-watched", {"        tape.watch(k)\n": ""}),
        Wrong("order", {"return slope, kept": "return kept, slope"}),
        Wrong("other-bytes", {"costs(tape).kept": "costs(tape).needed"}),
        Wrong("coldest", {"reduce_max": "reduce_min"}),
        Wrong("arguments-turned", {"u = minute(u, k)": "u = minute(k, u)"}),
        Wrong("no-k", {"u = minute(u, k)": "u = minute(u)"}),
        Wrong("one-minute", {"range(6)": "range(1)"}),
        Wrong("one-minute", {"range(6)": "range(10)"}),
        Wrong("one-minute", {"range(6)": "range(5)"}),
        Wrong("one-minute", {"range(6)": "range(7)"}),
        Wrong("beside", {"tf.reduce_max(u)": "tf.gather(u, tf.argmax(u))"}),
        Wrong("beside", {"tf.reduce_max(u)": "tf.sort(u)[-1]"}),
        Wrong("beside", {"tf.reduce_max(u)": "max(u)"}),
        Wrong("numpy", {"tf.reduce_max(u)": "np.max(u)"}),
        Wrong("beside", {"        warmest": "            warmest"}),
        Wrong("plain", {"recompute_grad": "function"}),
        Wrong("one-minute", {"range(6)": "range(60)"}),
        Wrong("called", {"recompute_grad(minute)": "recompute_grad(minute(u, k))"}),
        Wrong(
            "called",
            {
                "    minute = tf.recompute_grad(minute)\n": "",
                "u = minute(u, k)": "u = tf.recompute_grad(minute(u, k))",
            },
        ),
        Wrong(
            "along-bar",
            {
                "tape.watch(k)": "tape.watch([u, k])\n        bar = u",
                "gradient(warmest, k)": "gradient(warmest, bar)",
            },
        ),
        Wrong("along-bar", {"gradient(warmest, k)": "gradient(warmest, u)"}),
        Wrong(
            "each-second",
            {
                "    minute = tf.recompute_grad(minute)\n": "    minute = "
                "tf.recompute_grad(lambda u, k: u + "
                "k * (tf.roll(u, 1, 0) - 2.0 * u + "
                "tf.roll(u, -1, 0)))\n",
                "range(6)": "range(60)",
            },
        ),
        Wrong("whole-bar", {"reduce_max": "reduce_mean"}),
        Wrong("whole-bar", {"tape.gradient(warmest, k)": "tape.gradient(u, k)"}),
        Wrong(
            "too-late",
            {
                "    kept = tf.memory.costs(tape).kept\n    slope = tape.gradient(warmest, k)": "    slope = "
                "tape.gradient(warmest, k)\n"
                "    kept = "
                "tf.memory.costs(tape).kept"
            },
        ),
        Wrong("the-value", {"return slope, kept": "return warmest, kept"}),
        Wrong(
            "by-formula",
            {
                "    minute = tf.recompute_grad(minute)\n": "",
                "tf.memory.costs(tape).kept": "6 * 4 * len(u) + 4",
            },
        ),
    ),
)
