"""The extras of the lesson on layers: a layer with a loss of its own, and a frozen one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from minitape.exercises import Catalogue, Function, Wrong
from minitape.exercises.filmed import FilmedAnswer
from minitape.exercises.lessons import each
from minitape.exercises.outcome import NotYet
from minitape.storyboard import Film

TEXTS = Catalogue("minitape.exercises.lessons.lesson_08")


def rate(chance: np.random.Generator) -> float:
    """Return how much the layer's own loss counts; never 0.1, which one might write down."""
    return round(float(chance.uniform(0.2, 0.9)), 2)


own_loss = Function(
    id="08.own-loss",
    texts=TEXTS,
    by_hand=False,
    form="tensor",
    inputs={"x": ("n", "m"), "t": ("n", 2), "kernel": ("m", 2), "rate": rate},
    program="""class Quiet(tf.keras.layers.Layer):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def call(self, h):
        #: own
        self.add_loss(«self.rate * tf.reduce_sum(h * h)»)
        return h

#: trial
def trial(x, t, kernel, rate):
    first = tf.keras.layers.Dense(2, use_bias=False)
    model = tf.keras.Sequential([first, Quiet(rate)])
    model(x)
    first.kernel.assign(kernel)

    with tf.GradientTape() as tape:
        y = model(x)
        own = model.losses[0]
        #: total
        loss = «tf.reduce_mean((y - t) ** 2) + own»
    gradient = tape.gradient(loss, first.kernel)
    return own, loss, gradient
""",
    wrong=(
        *each("no-self", "add_loss", "rate * tf.reduce_sum(h * h)"),
        *each("rate", "add_loss", "tf.reduce_sum(h * h)", "0.1 * tf.reduce_sum(h * h)"),
        *each("not-added", "add_loss", "self.rate * h * h", "h * h"),
        *each("mean", "add_loss", "self.rate * tf.reduce_mean(h * h)"),
        *each("no-square", "add_loss", "self.rate * tf.reduce_sum(h)"),
        *each("square-of-sum", "add_loss", "self.rate * tf.reduce_sum(h) ** 2"),
        *each("column-sums", "add_loss", "self.rate * sum(h * h)"),
        *each("absolute", "add_loss", "self.rate * tf.reduce_sum(tf.abs(h))"),
        *each("a-root", "add_loss", "self.rate * tf.sqrt(tf.reduce_sum(h * h))"),
        *each("rate-squared", "add_loss", "tf.reduce_sum((self.rate * h) ** 2)"),
        *each("a-half", "add_loss", "0.5 * self.rate * tf.reduce_sum(h * h)"),
        *each("rate-added", "add_loss", "self.rate + tf.reduce_sum(h * h)"),
        *each("forgotten", "loss", "tf.reduce_mean((y - t) ** 2)"),
        *each("only-own", "loss", "own"),
        *each("minus", "loss", "tf.reduce_mean((y - t) ** 2) - own"),
        *each("own-twice", "loss", "tf.reduce_mean((y - t) ** 2) + 2 * own"),
        *each("own-inside", "loss", "tf.reduce_mean((y - t + own) ** 2)"),
        *each("squares-apart", "loss", "tf.reduce_mean(y ** 2 - t ** 2) + own"),
        *each("multiplied", "loss", "tf.reduce_mean((y - t) ** 2) * own"),
        *each("not-averaged", "loss", "(y - t) ** 2 + own", "(y - t) ** 2"),
        *each("no-target", "loss", "tf.reduce_mean(y ** 2) + own"),
        *each("error-no-square", "loss", "tf.reduce_mean(y - t) + own"),
        *each("error-no-square", "loss", "tf.reduce_mean(t - y) + own"),
        *each("error-no-square", "loss", "tf.reduce_mean(tf.abs(y - t)) + own"),
        *each("mean-first", "loss", "tf.reduce_mean(y - t) ** 2 + own"),
        *each("the-list", "loss", "tf.reduce_mean((y - t) ** 2) + model.losses"),
        *each("rate-twice", "loss", "tf.reduce_mean((y - t) ** 2) + rate * own"),
        *each("sum", "loss", "tf.reduce_sum((y - t) ** 2) + own"),
        *each("cut", "loss", "tf.reduce_mean((y - t) ** 2) + own.numpy()"),
        *each("cut", "loss", "np.mean((y - t) ** 2) + own"),
        *each("divided", "add_loss", "self.rate * tf.reduce_sum(h * h) / len(h)"),
    ),
)


class Frozen(Function):
    """A function to complete which returns its model last: how many trainable variables that has
    counts, and its tape is asked for no others.
    """

    def called(self, function: Any, inputs: Mapping[str, Any]) -> list[Any]:
        *moved, model = super().called(function, inputs)
        return [*moved, len(getattr(model, "trainable_variables", ()))]

    def look(self, rounds: Sequence[Mapping[str, Any]], films: Sequence[FilmedAnswer]) -> Any:
        with Film() as right:
            self.called(self.reference, rounds[0])
        if asked_for(films[0]) > asked_for(right):
            raise NotYet("frozen-too", self.idea("frozen-too"))
        return super().look(rounds, films)


def asked_for(film: Film) -> int:
    """Return of how many variables the plays of a film were asked."""
    return sum(len(play.sources) for play in film.played)


freeze = Frozen(
    id="08.freeze",
    texts=TEXTS,
    by_hand=False,
    form="tensor",
    inputs={"x": ("n", 3), "t": ("n", 1), "a": (3, 2), "b": (2, 1)},
    program="""def fine_tune(x, t, a, b):
    first, last = tf.keras.layers.Dense(2), tf.keras.layers.Dense(1)
    model = tf.keras.Sequential([first, last])
    optimizer = tf.keras.optimizers.SGD(0.1)
    model(x)
    first.kernel.assign(a)
    last.kernel.assign(b)

    #: step
    first.trainable = «False»
    with tf.GradientTape() as tape:
        loss = «tf.reduce_mean((model(x) - t) ** 2)»
    gradients = «tape.gradient(loss, model.trainable_variables)»
    optimizer.apply_gradients(«zip(gradients, model.trainable_variables)»)

    last_kernel, last_bias, first_kernel = last.kernel.numpy(), last.bias.numpy(), first.kernel.numpy()
    return last_kernel, last_bias, first_kernel, model
""",
    wrong=(
        Wrong("not-frozen", {"trainable": "True"}),
        Wrong(
            "not-frozen",
            {
                "gradients": "tape.gradient(loss, model.variables)",
                "apply_gradients": "zip(gradients, model.variables)",
            },
        ),
        Wrong(
            "only-the-step",
            {
                "trainable": "True",
                "gradients": "tape.gradient(loss, last.variables)",
                "apply_gradients": "zip(gradients, last.variables)",
            },
        ),
        Wrong("wrong-layer", {"first.trainable": "last.trainable"}),
        Wrong("sum", {"loss": "tf.reduce_sum((model(x) - t) ** 2)"}),
        *each("no-square", "loss", "tf.reduce_mean(model(x) - t)", "tf.reduce_mean(t - model(x))"),
        *each("no-square", "loss", "tf.reduce_mean(tf.abs(model(x) - t))"),
        *each("a-root", "loss", "tf.sqrt(tf.reduce_mean((model(x) - t) ** 2))"),
        *each("no-pairs", "apply_gradients", "dict(zip(model.trainable_variables, gradients))"),
        Wrong("mean-first", {"loss": "tf.reduce_mean(model(x) - t) ** 2"}),
        Wrong("no-target", {"loss": "tf.reduce_mean(model(x) ** 2)"}),
        Wrong(
            "uphill",
            {"apply_gradients": "[(-g, v) for g, v in zip(gradients, model.trainable_variables)]"},
        ),
        Wrong("half-of-it", {"apply_gradients": "[(gradients[0], last.kernel)]"}),
        Wrong("half-asked", {"gradients": "tape.gradient(loss, model.variables)"}),
        Wrong("pairs-turned", {"apply_gradients": "zip(model.trainable_variables, gradients)"}),
        *each("no-pairs", "apply_gradients", "gradients", "gradients, model.trainable_variables"),
        *each("no-pairs", "apply_gradients", "zip(model.trainable_variables)", "zip(gradients)"),
        Wrong("numpy-loss", {"loss": "np.mean((model(x) - t) ** 2)"}),
        *each("wrong-model", "loss", "tf.reduce_mean((first(x) - t) ** 2)"),
        *each("the-model", "gradients", "tape.gradient(loss, model)"),
        *each("one-of-two", "gradients", "tape.gradient(loss, last.kernel)"),
        *each("no-pairs", "apply_gradients", "[(gradients, model.trainable_variables)]"),
        *each("frozen-asked", "gradients", "tape.gradient(loss, first.trainable_variables)"),
        *each("half-asked", "apply_gradients", "zip(gradients, model.variables)"),
        *each("x-and-t", "loss", "tf.reduce_mean((model(t) - x) ** 2)"),
        *each("last-alone", "loss", "tf.reduce_mean((last(x) - t) ** 2)"),
        *each("frozen-too", "gradients", "tape.gradient(loss, model.variables)[2:]"),
        Wrong(
            "frozen-too",
            {
                "first.trainable = False": "first.trainable = True",
                "    last_kernel, last_bias": "    first.kernel.assign(a)\n    first.trainable = False\n"
                "    last_kernel, last_bias",
            },
        ),
    ),
)
