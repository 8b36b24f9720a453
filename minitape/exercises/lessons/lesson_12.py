"""The exercises of the lesson on custom gradients: a softplus that does not overflow, rounding that
lets slopes through, the loss of a classifier, a layer that turns slopes round; and what a tape makes
of inf, and of a rule that is not true.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from minitape.exercises import Catalogue, Function, Repair, Wrong
from minitape.exercises.answers import close
from minitape.exercises.filmed import FilmedAnswer
from minitape.exercises.lessons import asked_12
from minitape.exercises.outcome import NotYet
from minitape.exercises.ready import Own

TEXTS = Catalogue(__name__)

recall, value, slope, rule = (
    asked_12.recall,
    asked_12.value,
    asked_12.slope,
    asked_12.rule,
)


def wide(chance: np.random.Generator) -> np.ndarray:
    """Return numbers of which one is too large for exp, and one so far below 0 that its exp, in
    float32, is 0 and not nearly 0.
    """
    numbers = chance.uniform(0.5, 2.5, 5) * np.array([1.0, -1.0, 0.1, 1.0, -1.0]) + np.array(
        [0.0, 0.0, 0.0, 110.0, -110.0]
    )
    return np.round(chance.permutation(numbers), 2)


softplus = Own(
    id="12.softplus",
    texts=TEXTS,
    ready=("math.softplus",),
    by_hand=False,
    form="tensor",
    inputs={"x": wide, "m": (5,)},
    program="""@tf.custom_gradient
def stable_softplus(x):
    #: value
    value = «tf.maximum(x, 0.0) + tf.math.log(1.0 + tf.exp(-tf.abs(x)))»

    def rule(g):
        #: rule
        return «g * tf.sigmoid(x)»

    return value, rule

#: trial
def trial(x, m):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = stable_softplus(x)
        loss = tf.reduce_sum(m * y)
    slopes = tape.gradient(loss, x)
    return y, slopes
""",
    wrong=(
        Wrong("naive", {"value": "tf.math.log(1.0 + tf.exp(x))"}),
        Wrong("naive", {"value": "tf.math.log1p(tf.exp(x))"}),
        Wrong("naive", {"value": "tf.math.log(tf.exp(x))"}),
        Wrong("line-everywhere", {"value": "tf.abs(x) + tf.math.log(1.0 + tf.exp(-tf.abs(x)))"}),
        Wrong("only-large", {"value": "tf.maximum(x, 0.0)"}),
        Wrong("both-sides", {"value": "tf.abs(x)"}),
        Wrong("mirrored", {"value": "tf.math.log(1.0 + tf.exp(-x))"}),
        Wrong(
            "taken-away", {"value": "tf.maximum(x, 0.0) - tf.math.log(1.0 + tf.exp(-tf.abs(x)))"}
        ),
        Wrong("only-large", {"value": "tf.nn.relu(x)"}),
        Wrong("only-large", {"value": "tf.where(x > 0.0, x, tf.math.log(1.0 + tf.exp(x)))"}),
        Wrong("only-large", {"value": "tf.where(x > 0.0, x + tf.math.log(1.0 + tf.exp(-x)), 0.0)"}),
        Wrong("one-side", {"value": "x + tf.math.log(1.0 + tf.exp(-x))"}),
        Wrong("one-side", {"value": "x + tf.math.log1p(tf.exp(-x))"}),
        Wrong("one-side", {"value": "tf.maximum(x, 0.0) + tf.math.log(1.0 + tf.exp(-x))"}),
        Wrong("no-line", {"value": "tf.math.log(1.0 + tf.exp(-tf.abs(x)))"}),
        Wrong("line-everywhere", {"value": "x + tf.math.log(1.0 + tf.exp(-tf.abs(x)))"}),
        Wrong("line-everywhere", {"value": "x"}),
        Wrong(
            "size-grows",
            {
                "value": "tf.where(x > 0.0, x + tf.math.log(1.0 + tf.exp(x)), tf.math.log(1.0 + "
                "tf.exp(x)))"
            },
        ),
        Wrong(
            "sides",
            {
                "value": "tf.where(x > 0.0, tf.math.log(1.0 + tf.exp(x)), x + tf.math.log(1.0 + "
                "tf.exp(-x)))"
            },
        ),
        Wrong("size-grows", {"value": "tf.maximum(x, 0.0) + tf.math.log(1.0 + tf.exp(tf.abs(x)))"}),
        Wrong("branch", {"value": "x if x > 0.0 else tf.math.log(1.0 + tf.exp(x))"}),
        Wrong("clipped", {"value": "tf.math.log(1.0 + tf.exp(tf.minimum(x, 50.0)))"}),
        Wrong("clipped", {"value": "tf.math.log(1.0 + tf.exp(tf.minimum(x, 80.0)))"}),
        Wrong("clipped", {"value": "tf.math.log(1.0 + tf.exp(tf.minimum(x, 88.0)))"}),
        Wrong("returns-two", {"return value, rule": "return rule, value"}),
        Wrong("returns-two", {"return value, rule": "return value, rule(1.0)"}),
        Wrong("quotient", {"return": "g * tf.exp(x) / (1.0 + tf.exp(x))"}),
        Wrong("quotient", {"return": "g * (tf.exp(x) / (1.0 + tf.exp(x)))"}),
        Wrong("upstream", {"return": "tf.sigmoid(x)"}),
        Wrong("g-alone", {"return": "g"}),
        Wrong("the-value", {"return": "g * value"}),
        Wrong("inner", {"return": "tf.sigmoid(g)"}),
        Wrong("inner", {"return": "g * tf.sigmoid(g)"}),
        Wrong("inner", {"return": "tf.sigmoid(g * x)"}),
        Wrong("inner", {"return": "g * tf.sigmoid(value)"}),
        Wrong("added", {"return": "g + tf.sigmoid(x)"}),
        Wrong("not-called", {"return": "tf.sigmoid"}),
        Wrong("step", {"return": "g * tf.cast(x > 0.0, tf.float32)"}),
        Wrong("of-exp", {"return": "g * tf.exp(x)"}),
        Wrong("with-x", {"return": "g * tf.sigmoid(x) * x"}),
        Wrong("with-x", {"return": "x * tf.sigmoid(x)"}),
        Wrong("the-value", {"return": "g * tf.nn.relu(x)"}),
        Wrong("no-tape", {"return": "tape.gradient(value, x)"}),
        Wrong("turned", {"return": "g * tf.sigmoid(-x)"}),
        Wrong("second", {"return": "g * tf.sigmoid(x) * (1.0 - tf.sigmoid(x))"}),
        Wrong(
            "smaller-one", {"value": "tf.minimum(x, 0.0) + tf.math.log(1.0 + tf.exp(-tf.abs(x)))"}
        ),
        Wrong("no-one", {"value": "tf.maximum(x, 0.0) + tf.math.log(tf.exp(-tf.abs(x)))"}),
        Wrong("its-slope", {"value": "tf.sigmoid(x)"}),
        Wrong("with-x", {"return": "g * x"}),
        Wrong("all-of-g", {"return": "tf.reduce_sum(g) * tf.sigmoid(x)"}),
        Wrong("squared", {"return": "g * g * tf.sigmoid(x)"}),
        Wrong("of-exp", {"return": "g * (1.0 - tf.exp(value))"}),
        Wrong("ready-made", {"value": "tf.math.softplus(x)"}),
        Wrong("ready-made", {"value": "tf.keras.activations.softplus(x)"}),
        Wrong("all-of-g", {"return": "tf.reduce_mean(g) * tf.sigmoid(x)"}),
        Wrong("all-of-g", {"return": "g[0] * tf.sigmoid(x)"}),
        Wrong("where-turned", {"value": "tf.where(x > 20.0, x, tf.math.log(1.0 + tf.exp(-x)))"}),
    ),
)


class Through(Repair):
    """A program to repair whose tape is asked for the weights as they came, and not for what was made
    of them.
    """

    def look(self, rounds: Sequence[Mapping[str, Any]], films: Sequence[FilmedAnswer]) -> Any:
        asked = [source.value for play in films[0].played for source in play.sources]
        if asked and not any(close(value, rounds[0]["w"]) for value in asked):
            raise NotYet("of-rounded", self.idea("of-rounded"))
        return super().look(rounds, films)


through = Through(
    id="12.through",
    texts=TEXTS,
    form="tensor",
    inputs={"w": ("n",), "x": ("n",), "t": ("n",)},
    program="""def gradient(w, x, t):
    w = tf.Variable(w)
    with tf.GradientTape() as tape:
        rounded = «tf.grad_pass_through(tf.round)(w) <- tf.round(w)»
        loss = tf.reduce_sum((rounded * x - t) ** 2.0)
    return loss, tape.gradient(loss, w), w
""",
    wrong=(
        Wrong("not-rounded", {"rounded": "w"}),
        Wrong("not-rounded", {"rounded": "1.0 * w"}),
        Wrong("piecewise-constant", {"rounded": "tf.stop_gradient(tf.round(w))"}),
        Wrong(
            "other-steps",
            {"rounded": "w + tf.stop_gradient(tf.cast(tf.cast(w, tf.int32), tf.float32) - w)"},
        ),
        Wrong("integer-cast", {"rounded": "tf.cast(tf.cast(w, tf.int32), tf.float32)"}),
        Wrong("piecewise-constant", {"rounded": "tf.round(w) + tf.stop_gradient(w - tf.round(w))"}),
        Wrong("twice", {"rounded": "w + tf.stop_gradient(tf.round(w))"}),
        Wrong("stop-gradient", {"rounded": "tf.stop_gradient(tf.round(w) - w)"}),
        Wrong(
            "half-of-it",
            {
                "rounded": "tf.custom_gradient(lambda w: (tf.round(w), lambda g: g * tf.round(w)))(w)"
            },
        ),
        Wrong("difference", {"rounded": "w + tf.stop_gradient(w - tf.round(w))"}),
        Wrong("difference", {"rounded": "w - tf.stop_gradient(tf.round(w) - w)"}),
        Wrong("called", {"rounded": "tf.grad_pass_through(tf.round(w))"}),
        Wrong("called", {"rounded": "tf.grad_pass_through(tf.round)"}),
        Wrong("no-rule", {"rounded": "tf.custom_gradient(tf.round)(w)"}),
        Wrong("python-round", {"rounded": "round(w)"}),
        Wrong("rest", {"rounded": "w - tf.round(w)"}),
        Wrong("not-rounded", {"rounded": "tf.clip_by_value(w, -1.0, 1.0)"}),
        Wrong("called", {"rounded": "tf.grad_pass_through(tf.round, w)"}),
        Wrong("zero", {"rounded": "w + tf.round(w) - w"}),
        Wrong("zero", {"rounded": "tf.round(w) + 0.0 * w"}),
        Wrong("assigned", {"rounded": "w.assign(tf.round(w))"}),
        Wrong("stop-gradient", {"rounded": "tf.round(tf.stop_gradient(w))"}),
        Wrong("other-steps", {"rounded": "tf.grad_pass_through(tf.floor)(w)"}),
        Wrong("other-steps", {"rounded": "tf.grad_pass_through(tf.math.ceil)(w)"}),
        Wrong(
            "zero",
            {"(loss, w)": "(loss, w, unconnected_gradients='zero')", "rounded": "tf.round(w)"},
        ),
        Wrong("minus-w", {"rounded": "tf.stop_gradient(w) + tf.round(w) - w"}),
        Wrong(
            "minus-w",
            {"rounded": "2.0 * tf.stop_gradient(w) - w + tf.stop_gradient(tf.round(w) - w)"},
        ),
        Wrong("called", {"rounded": "tf.round(tf.grad_pass_through(w))"}),
        Wrong(
            "upstream",
            {
                "rounded": "tf.custom_gradient(lambda w: (tf.round(w), lambda g: tf.ones_like(g)))(w)"
            },
        ),
        Wrong("half-of-it", {"rounded": "tf.stop_gradient(tf.round(w) - 0.5 * w) + 0.5 * w"}),
        Wrong("rest", {"rounded": "w - tf.stop_gradient(w)"}),
        Wrong(
            "of-rounded",
            {"rounded": "tf.round(w)\n        tape.watch(rounded)", "(loss, w)": "(loss, rounded)"},
        ),
        Wrong(
            "of-rounded", {"rounded": "tf.Variable(tf.round(w))", "(loss, w)": "(loss, rounded)"}
        ),
    ),
)


def small(chance: np.random.Generator) -> float:
    """Return a strength that is neither 1 nor its own inverse, nor one half, which is as far from 0
    as from 1.
    """
    return round(float(chance.uniform(0.2, 0.4)), 2)


reverse = Function(
    id="12.reverse",
    texts=TEXTS,
    by_hand=False,
    form="tensor",
    inputs={"x": ("n", 3), "w": (3, 2), "v": ("n", 2), "strength": small},
    program="""class Reverse(tf.keras.layers.Layer):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def call(self, h):
        #: body
        «@tf.custom_gradient
        def turned(h):
            def rule(g):
                return -self.strength * g
            return h, rule
        return turned(h)»

#: trial
def trial(x, w, v, strength):
    layer = Reverse(strength)
    with tf.GradientTape() as tape:
        tape.watch(w)
        features = tf.tanh(x @ w)
        after = layer(features)
        loss = tf.reduce_sum((after - v) ** 2.0)
    slopes = tape.gradient(loss, w)
    return after, slopes
""",
    wrong=(
        Wrong("forwards", {"body": "return -self.strength * h"}),
        Wrong("forwards", {"body": "return self.strength * h"}),
        Wrong("forwards", {"body": "return -h"}),
        Wrong("forwards", {"return h,": "return -self.strength * h,"}),
        Wrong("not-turned", {"body": "return h"}),
        Wrong("not-turned", {"-self.strength * g": "g"}),
        Wrong("sign", {"-self.strength": "self.strength"}),
        Wrong("no-strength", {"-self.strength * g": "-g"}),
        Wrong("no-g", {"-self.strength * g": "-self.strength * tf.ones_like(g)"}),
        Wrong("no-g", {"-self.strength * g": "-self.strength"}),
        Wrong("divided", {"-self.strength * g": "-g / self.strength"}),
        Wrong("value", {"-self.strength * g": "-self.strength * h"}),
        Wrong("value", {"-self.strength * g": "self.strength * h"}),
        Wrong("value", {"-self.strength * g": "h"}),
        Wrong("weighted", {"-self.strength * g": "-g * (1.0 - self.strength)"}),
        Wrong("weighted", {"-self.strength * g": "g * (1.0 - self.strength)"}),
        Wrong("absolute", {"-self.strength * g": "-tf.abs(self.strength * g)"}),
        Wrong("squared", {"-self.strength * g": "-self.strength * g * g"}),
        Wrong("forwards", {"body": "return h - self.strength * h"}),
        Wrong("nothing-back", {"body": "pass"}),
        Wrong("value", {"-self.strength * g": "-self.strength * h * g"}),
        Wrong("stop-gradient", {"body": "return tf.stop_gradient(h)"}),
        Wrong("minus", {"-self.strength * g": "g - self.strength"}),
        Wrong("no-self", {"-self.strength": "-strength"}),
        Wrong("returns-two", {"return h, rule": "return rule, h"}),
        Wrong("returns-two", {"return h, rule": "return h"}),
        Wrong("not-called", {"return turned(h)": "return turned"}),
        Wrong("no-decorator", {"@tf.custom_gradient\n        ": ""}),
        Wrong("takes-g", {"rule(g)": "rule()"}),
        Wrong("custom-gradient-none", {"return -self.strength * g": "-self.strength * g"}),
        Wrong("inner-self", {"def turned(h)": "def turned(self, h)"}),
        Wrong("takes-g", {"rule(g)": "rule(h, g)"}),
        Wrong("half", {"-self.strength * g": "-0.5 * self.strength * g"}),
    ),
)


def scores(chance: np.random.Generator) -> np.ndarray:
    """Return three rows of scores: all too large for exp, all far below 0, and far from each other,
    so that a probability, in float32, is 0 and not nearly 0. No one number moves all rows to where
    exp can compute.
    """
    rows = [[120.0] * 5, [-500.0, -60.0, -60.0, -60.0, -60.0], [-120.0, 120.0, 118.0, 0.0, 0.0]]
    return np.round(np.array(rows) + chance.uniform(-2.0, 2.0, (3, 5)), 2)


# each in turn: where it were the last one in all rounds, a sorted row would look like the right one
PLACES = itertools.cycle((0, 3, 4))

cross_entropy = Own(
    id="12.cross_entropy",
    texts=TEXTS,
    ready=(
        "nn.log_softmax",
        "nn.softmax_cross_entropy_with_logits",
        "keras.losses.categorical_crossentropy",
    ),
    by_hand=False,
    form="tensor",
    inputs={"three": scores, "right": lambda chance: np.eye(5)[next(PLACES)], "m": ()},
    program="""@tf.custom_gradient
def cross_entropy(scores, right):
    #: shift
    low = «scores - tf.reduce_max(scores)»
    total = tf.reduce_sum(tf.exp(low))
    p = tf.exp(low) / total
    #: value
    value = «tf.math.log(total) - tf.reduce_sum(right * low)»
    #: rule
    «def rule(g):
        return g * (p - right), None

    return value, rule <- ...»

#: trial
def trial(three, right, m):
    losses, slopes = [], []
    for scores in tf.unstack(three):
        with tf.GradientTape() as tape:
            tape.watch(scores)
            loss = cross_entropy(scores, right)
            result = m * loss
        losses.append(loss)
        slopes.append(tape.gradient(result, scores))
    losses, slopes = tf.stack(losses), tf.stack(slopes)
    return losses, slopes
""",
    wrong=(
        Wrong("value", {"g * (p - right)": "g * tf.reduce_sum(p - right)"}),
        Wrong("naive", {"low": "scores"}),
        Wrong("not-the-largest", {"low": "scores - tf.reduce_mean(scores)"}),
        Wrong("not-the-largest", {"low": "scores - tf.reduce_min(scores)"}),
        Wrong("not-the-largest", {"low": "scores - scores[0]"}),
        Wrong("divided", {"low": "scores / tf.reduce_max(scores)"}),
        Wrong("divided", {"low": "scores / tf.reduce_sum(scores)"}),
        Wrong("divided", {"low": "scores / 100.0"}),
        Wrong("divided", {"low": "scores / tf.norm(scores)"}),
        Wrong("one-constant", {"low": "scores - 100.0"}),
        Wrong("one-constant", {"low": "scores - 120.0"}),
        Wrong("place", {"low": "scores - tf.argmax(scores)"}),
        Wrong("log-of-zero", {"low": "scores - tf.reduce_sum(right * scores)"}),
        Wrong("all-equal", {"low": "scores - scores"}),
        Wrong("logarithm", {"low": "tf.math.log(scores)"}),
        Wrong("sorted", {"low": "tf.sort(scores) - tf.reduce_max(scores)"}),
        Wrong("clipped", {"low": "tf.minimum(scores, 88.0)"}),
        Wrong("clipped", {"low": "tf.minimum(scores, 0.0)"}),
        Wrong("clipped", {"low": "tf.minimum(scores, 80.0)"}),
        Wrong("turned", {"low": "tf.reduce_max(scores) - scores"}),
        Wrong("turned", {"low": "-scores"}),
        Wrong("largest-alone", {"low": "tf.reduce_max(scores)"}),
        Wrong("largest-alone", {"low": "scores * right"}),
        Wrong("probabilities", {"low": "tf.nn.softmax(scores)"}),
        Wrong("probabilities", {"low": "tf.sigmoid(scores)"}),
        Wrong("not-the-largest", {"low": "scores - tf.reduce_sum(scores)"}),
        Wrong("turned", {"low": "-tf.abs(scores)"}),
        Wrong("log-of-zero", {"value": "-tf.math.log(tf.reduce_sum(right * p))"}),
        Wrong("log-of-zero", {"value": "-tf.reduce_sum(right * tf.math.log(p))"}),
        Wrong("sign-of-value", {"value": "tf.reduce_sum(right * low) - tf.math.log(total)"}),
        Wrong("both-added", {"value": "tf.math.log(total) + tf.reduce_sum(right * low)"}),
        Wrong("no-score", {"value": "tf.math.log(total)"}),
        Wrong("no-total", {"value": "-tf.reduce_sum(right * low)"}),
        Wrong("unshifted", {"value": "tf.math.log(total) - tf.reduce_sum(right * scores)"}),
        Wrong("all-scores", {"value": "tf.math.log(total) - tf.reduce_sum(low)"}),
        Wrong("each", {"value": "tf.math.log(total) - right * low"}),
        Wrong("each", {"value": "tf.math.log(total) - low"}),
        Wrong("each", {"value": "-tf.math.log(p)"}),
        Wrong("each", {"value": "-tf.math.log(p) * right"}),
        Wrong("probability", {"value": "tf.reduce_sum(right * p)"}),
        Wrong("each", {"value": "1.0 - p"}),
        Wrong("each", {"value": "tf.math.log(total) - right * scores"}),
        Wrong("as-place", {"value": "tf.math.log(total) - low[right]"}),
        Wrong("squares", {"value": "tf.reduce_sum((p - right) ** 2.0)"}),
        Wrong("log-of-all", {"value": "tf.math.log(total - tf.reduce_sum(right * low))"}),
        Wrong("by-p", {"value": "tf.math.log(total) - tf.reduce_sum(low * p)"}),
        Wrong("probability", {"value": "1.0 - tf.reduce_sum(right * p)"}),
        Wrong("probability", {"value": "-tf.reduce_sum(right * p)"}),
        Wrong(
            "no-exp",
            {"value": "tf.math.log(tf.reduce_sum(low)) - tf.reduce_sum(right * low)"},
        ),
        Wrong("no-log", {"value": "total - tf.reduce_sum(right * low)"}),
        Wrong("returns-two", {"return value, rule": "return rule, value"}),
        Wrong("returns-two", {"    return value, rule\n": "    return value\n"}),
        Wrong("no-none", {", None": ""}),
        Wrong("no-none", {"return g * (p - right), None": "g * (p - right), None"}),
        Wrong("takes-g", {"rule(g)": "rule()"}),
        Wrong("takes-g", {"rule(g)": "rule(g, right)"}),
        Wrong("upstream", {"g * (p - right)": "p - right"}),
        Wrong("no-right", {"g * (p - right)": "g * p"}),
        Wrong("no-right", {"g * (p - right)": "p"}),
        Wrong("upstream", {"g * (p - right)": "right - p"}),
        Wrong("divided-slope", {"g * (p - right)": "(p - right) / g"}),
        Wrong("sum-of-both", {"g * (p - right)": "g * (p + right)"}),
        Wrong("added", {"g * (p - right)": "g - p"}),
        Wrong("through-log", {"g * (p - right)": "g * tf.math.log(p)"}),
        Wrong("through-log", {"g * (p - right)": "-right / p"}),
        Wrong("turned-slope", {"g * (p - right)": "g * (right - p)"}),
        Wrong("through-log", {"g * (p - right)": "-g * right / p"}),
        Wrong("sigmoid", {"g * (p - right)": "g * p * (1.0 - p)"}),
        Wrong("sigmoid", {"g * (p - right)": "g * p * (right - p)"}),
        Wrong("value", {"g * (p - right)": "g * value"}),
        Wrong("mean", {"g * (p - right)": "g * (p - right) / 5.0"}),
        Wrong("scores", {"g * (p - right)": "g * (scores - right)"}),
        Wrong("scores", {"g * (p - right)": "g * (low - right)"}),
        Wrong("only-right", {"g * (p - right)": "g * right * (p - 1.0)"}),
        Wrong("only-right", {"g * (p - right)": "g * right * (p - right)"}),
        Wrong("only-right", {"g * (p - right)": "g * right"}),
        Wrong("only-right", {"g * (p - right)": "-g * right"}),
        Wrong("brackets", {"g * (p - right)": "g * p - right"}),
        Wrong("added", {"g * (p - right)": "g + p - right"}),
        Wrong("all-pulled", {"g * (p - right)": "g * (p - 1.0)"}),
        Wrong("one-constant", {"low": "scores - 80.0"}),
        Wrong("one-constant", {"low": "scores - 50.0"}),
        Wrong("ready-made", {"value": "-tf.reduce_sum(right * tf.nn.log_softmax(scores))"}),
        Wrong("ready-made", {"value": "tf.nn.softmax_cross_entropy_with_logits(right, scores)"}),
        Wrong("exp-again", {"value": "tf.math.log(total) - tf.reduce_sum(right * tf.exp(low))"}),
    ),
)
