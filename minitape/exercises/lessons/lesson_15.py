"""The exercises of the lesson on other engines: how often Python runs, the way back over a graph, a
loop that traces badly, gradients that gather, a program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from minitape.api.function import run_functions_eagerly
from minitape.exercises import Catalogue, Function, Repair, Wrong
from minitape.exercises.filmed import FilmedAnswer
from minitape.exercises.lessons import asked_15
from minitape.exercises.outcome import NotYet

TEXTS = Catalogue(__name__)

recall, prints, traces, numbers, gathered, line = (
    asked_15.recall,
    asked_15.prints,
    asked_15.traces,
    asked_15.numbers,
    asked_15.gathered,
    asked_15.line,
)


class OverGraph(Function):
    """A function whose gradients come from its own graph, and from no tape."""

    def judge(self, answer: Any) -> Any:
        inner = getattr(answer, "python_function", None)
        # anew: a call of the learner's may have traced these shapes already
        return super().judge(answer if inner is None else type(answer)(inner))

    def look(self, rounds: Sequence[Mapping[str, Any]], films: Sequence[FilmedAnswer]) -> Any:
        if any(filmed.tape.blocks for filmed in films[0].tapes):
            raise NotYet("a-tape", self.idea("a-tape"))
        asked = {source.id for play in films[0].played for source in play.sources}
        if len(asked) < len(self.outputs):
            raise NotYet("formula", self.idea("formula"))
        return super().look(rounds, films)


graph = OverGraph(
    id="15.graph",
    texts=TEXTS,
    by_hand=False,
    form="tensor",
    inputs={"x": (4, 3), "w": (3, 2)},
    program="""@tf.function
def slopes(x, w):
    y = tf.reduce_sum(tf.sin(x @ w))
    dx, dw = «tf.gradients(y, [x, w])»
    return dx, dw
""",
    wrong=(
        Wrong("other-order", {"dw": "tf.gradients(y, [w, x])"}),
        Wrong("before-the-sine", {"dw": "tf.gradients(x @ w, [x, w])"}),
        Wrong("one-list", {"dw": "tf.gradients(y, x), tf.gradients(y, w)"}),
        Wrong("one-list", {"dw": "tf.gradients(y, x, w)"}),
        Wrong("one-came", {"dw": "tf.gradients([x, w], y)"}),
        Wrong("one-came", {"dw": "tf.gradients(y, x)"}),
        Wrong("no-sources", {"dw": "tf.gradients(y)"}),
        Wrong("one-came", {"dw": "[tf.gradients(y, [x, w])]"}),
        Wrong("no-sources", {"dw": "tf.gradients([x, w])"}),
        Wrong("other-target", {"dw": "tf.gradients(tf.reduce_sum(tf.cos(x @ w)), [x, w])"}),
        Wrong("by-hand", {"dw": "tf.cos(x @ w), tf.sin(x @ w)"}),
        Wrong("by-hand", {"dw": "tf.cos(x @ w), tf.cos(x @ w)"}),
        Wrong(
            "by-hand", {"dw": "tf.transpose(w) @ tf.cos(x @ w), tf.cos(x @ w) @ tf.transpose(x)"}
        ),
        Wrong(
            "by-trying",
            {
                "dw": "(tf.reduce_sum(tf.sin((x + 1e-3) @ w)) - y) / 1e-3, "
                "(tf.reduce_sum(tf.sin(x @ (w + 1e-3))) - y) / 1e-3"
            },
        ),
        Wrong("none-part", {"dw": "tf.gradients(y, [x @ w, w])"}),
        Wrong("one-taken", {"dw": "tf.gradients(y, [x, w])[0]"}),
        Wrong("no-tape", {"dw": "tape.gradient(y, [x, w])"}),
        Wrong("plural", {"dw": "tf.gradient(y, [x, w])"}),
        Wrong("the-sources", {"dw": "x, w"}),
        Wrong("the-sources", {"dw": "w, x"}),
        Wrong("no-tape", {"dw": "tf.GradientTape().gradient(y, [x, w])"}),
        Wrong("same-source", {"dw": "tf.gradients(y, [x, x])"}),
        Wrong("names", {"dw": "tf.gradients(y, ['x', 'w'])"}),
        Wrong("plural", {"dw": "y.gradients([x, w])"}),
        Wrong("plural", {"dw": "tf.jacobian(y, [x, w])"}),
        Wrong("before-the-sine", {"dw": "tf.gradients(y, x)[0], tf.gradients(x @ w, w)[0]"}),
        Wrong("other-target", {"dw": "tf.gradients(y * y, [x, w])"}),
        Wrong("other-target", {"dw": "tf.gradients(2.0 * y, [x, w])"}),
        Wrong(
            "out-of-the-graph",
            {"dw": "tf.gradients(y, [x, w])[0].numpy(), tf.gradients(y, [x, w])[1].numpy()"},
        ),
        Wrong("turned-result", {"dw": "[tf.transpose(g) for g in tf.gradients(y, [x, w])]"}),
        Wrong(
            "formula", {"dw": "tf.cos(x @ w) @ tf.transpose(w), tf.transpose(x) @ tf.cos(x @ w)"}
        ),
        Wrong("formula", {"dw": "tf.gradients(y, x)[0], tf.transpose(x) @ tf.cos(x @ w)"}),
        Wrong(
            "a-tape",
            {
                "y = tf.reduce_sum(": "with tf.GradientTape() as tape:\n        tape.watch([x, w])\n"
                "        y = tf.reduce_sum(",
                "dw": "tape.gradient(y, [x, w])",
            },
        ),
    ),
)


def rates(chance: np.random.Generator) -> list[float]:
    """Return four or five learning rates, each smaller than the one before. (At six traces the
    engine warns, and names another number than the check.)
    """
    return [
        round(0.4 * 0.8**k + float(chance.uniform(0, 0.01)), 4)
        for k in range(int(chance.integers(4, 6)))
    ]


class Traced(Repair):
    """A program to repair whose function may not be traced in every round, whatever its own mark
    says.
    """

    def look(self, rounds: Sequence[Mapping[str, Any]], films: Sequence[FilmedAnswer]) -> Any:
        if len(films[0].traced_ones) != 1:
            raise NotYet("mark-moved", self.idea("mark-moved"))
        calls = self.calls(rounds[0])
        if calls != len(rounds[0]["rates"]):
            raise NotYet("beside-the-list", self.idea("beside-the-list", calls=calls))
        return super().look(rounds, films)

    def calls(self, inputs: Mapping[str, Any]) -> int:
        """Return how often an answer calls what it traces: run without traces, its mark counts."""
        run_functions_eagerly(True)
        try:
            return int(self.called(self._tried[0], inputs)[0])
        finally:
            run_functions_eagerly(False)

    def compare(
        self,
        answers: Sequence[Sequence[Any]],
        wanted: Sequence[Sequence[np.ndarray]],
        rounds: Sequence[Mapping[str, Any]],
        films: Sequence[FilmedAnswer],
    ) -> None:
        try:
            super().compare(answers, wanted, rounds, films)
        except NotYet as error:
            # the numbers are the same; the traces tell why
            if error.idea == "still-numbers" or not error.right and error.idea.startswith("slip."):
                error.idea = why_again(films[0].traced_ones)
                error.message = self.idea(error.idea) + "\n" + error.message.partition("\n")[2]
            raise


def why_again(traced: Sequence[Any]) -> str:
    """Return the idea behind Python running in every round, from the functions that were traced."""
    if not traced:
        return "no-function"
    if len({id(function) for function in traced}) > 1:
        return "made-anew"
    if traced[0].reduce_retracing:
        return "reduce-retracing"
    if {"constant", "convert_to_tensor", "cast"} & set(traced[0].python_function.__code__.co_names):
        return "too-late"
    variables = any("variable" in key for key in traced[0]._programs)
    return "new-variable" if variables else "still-numbers"


loop = Traced(
    id="15.loop",
    texts=TEXTS,
    by_hand=True,
    inputs={"start": (), "rates": rates},
    program="""def train(start, rates):
    traces = []

    @tf.function
    def step(x, rate):
        traces.append("Python is running")
        return x - rate * tf.sin(x)

    x = tf.constant(start)
    for rate in rates:
        x = step(x, «tf.constant(rate) <- rate»)
    return len(traces), float(x)
""",
    wrong=(
        Wrong("still-numbers", {"x": "float(rate)"}),
        Wrong(
            "too-late",
            {"x": "rate", "        return x": "        rate = tf.constant(rate)\n        return x"},
        ),
        Wrong(
            "reduce-retracing", {"@tf.function": "@tf.function(reduce_retracing=True)", "x": "rate"}
        ),
        Wrong("one-rate", {"x": "rates[0]"}),
        Wrong("one-rate", {"x": "tf.reduce_mean(rates)"}),
        Wrong("one-rate", {"x": "tf.constant(0.1)"}),
        Wrong("thrown-away", {"x = step(x, tf": "step(x, tf"}),
        Wrong("from-start", {"step(x, tf": "step(start, tf"}),
        Wrong("one-rate", {"x": "tf.constant(rates[0])"}),
        Wrong("no-mark", {'traces.append("Python is running")': "pass"}),
        Wrong("mark-moved", {"x": "rate", "return len(traces)": "return 1"}),
        Wrong(
            "mark-moved",
            {
                "x": "rate",
                '        traces.append("Python is running")\n': "",
                "    x = tf.constant(start)": '    traces.append("Python is running")\n    x = '
                "tf.constant(start)",
            },
        ),
        Wrong("mixed", {"x": "tf.constant(rate) if traces else rate"}),
        Wrong("no-function", {"    @tf.function\n": ""}),
        Wrong("new-variable", {"x": "tf.Variable(rate)"}),
        Wrong("a-vector", {"x": "[rate]"}),
        Wrong("in-a-list", {"x": "str(rate)"}),
        Wrong("float64", {"x": "np.array(rate)"}),
        Wrong("float64", {"x": "tf.constant(rate, tf.float64)"}),
        Wrong("one-round", {"in rates": "in rates[:1]"}),
        Wrong(
            "made-anew",
            {
                "    @tf.function\n": "",
                "x = step(x, tf.constant(rate))": "x = tf.function(step)(x, tf.constant(rate))",
            },
        ),
        Wrong(
            "all-at-once",
            {
                "    for rate in rates:\n        x = step(x, tf.constant(rate))": "    x = step(x, "
                "tf.constant(rates))"
            },
        ),
        Wrong("one-rate", {"x": "tf.constant(0.4)"}),
        Wrong("one-rate", {"x": "tf.constant(0.3)"}),
        Wrong("a-vector", {"x": "tf.constant([rate])"}),
        Wrong("rounded", {"x": "tf.constant(round(rate, 1))"}),
        Wrong("thrown-away", {"x": "int(rate)"}),
        Wrong("uphill", {"x": "tf.constant(-rate)"}),
        Wrong("other-order", {"in rates": "in rates[::-1]"}),
        Wrong("other-order", {"in rates": "in sorted(rates)"}),
        Wrong(
            "beside-the-list",
            {
                "x = step(x, tf.constant(rate))": "x = x - rate * tf.sin(x)",
                "    for rate": "    step(x, tf.constant(0.1))\n    for rate",
            },
        ),
        Wrong(
            "beside-the-list",
            {
                "        return x - rate * tf.sin(x)": "        for rate in rates:\n"
                "            x = x - rate * tf.sin(x)\n        return x",
                "    for rate in rates:\n        x = step(x, tf.constant(rate))": "    x = step(x, "
                "tf.constant(0.1))",
            },
        ),
    ),
)


zeroed = Repair(
    id="15.zeroed",
    texts=TEXTS,
    form="tensor",
    inputs={"x": ("n",), "t": ("n",), "rate": lambda chance: round(chance.uniform(0.02, 0.05), 3)},
    program="""def train(x, t, rate):
    w, grad = tf.Variable(1.0), tf.zeros([])
    path = []
    for step in range(4):
«        grad = tf.zeros([])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * x - t) ** 2.0)
        grad = grad + tape.gradient(loss, w)
        w.assign_sub(rate * grad) <-         with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * x - t) ** 2.0)
        grad = grad + tape.gradient(loss, w)
        w.assign_sub(rate * grad)»
        path.append(w.read_value())
    path = tf.stack(path)
    return path
""",
    wrong=(
        Wrong(
            "not-moved",
            {"        w.assign_sub": "        grad = tf.zeros([])\n        w.assign_sub"},
        ),
        Wrong("not-moved", {"grad = grad + tape": "tape"}),
        Wrong("not-moved", {"        path.append": "        w.assign(1.0)\n        path.append"}),
        Wrong("not-watched", {"gradient(loss, w)": "gradient(loss, x)"}),
        Wrong(
            "every-other", {"        grad = tf.z": "        if step == 1:\n            grad = tf.z"}
        ),
        Wrong(
            "every-other", {"        grad = tf.z": "        if step == 2:\n            grad = tf.z"}
        ),
        Wrong(
            "every-other", {"        grad = tf.z": "        if step == 3:\n            grad = tf.z"}
        ),
        Wrong("half", {"        grad = tf.zeros([])\n": "", "rate * grad": "rate * grad / 2.0"}),
        Wrong(
            "mean", {"        grad = tf.zeros([])\n": "", "rate * grad": "rate * grad / (step + 1)"}
        ),
        Wrong("mean", {"        grad = tf.zeros([])\n": "", "rate * grad": "rate * grad / 4.0"}),
        Wrong("smaller-rate", {"        grad = tf.zeros([])\n": "        rate = rate / 2.0\n"}),
        Wrong(
            "once",
            {
                "        grad = tf.zeros([])\n": "        if step == 0:\n            grad = tf.zeros([])\n"
            },
        ),
        Wrong("the-weight", {"        grad = tf.zeros([])\n": "        w.assign(0.0)\n"}),
        Wrong("the-weight", {"        grad = tf.zeros([])\n": "        w = tf.Variable(1.0)\n"}),
        Wrong(
            "every-other",
            {
                "        grad = tf.zeros([])\n": "        grad = tf.zeros([]) if step % 2 else grad\n"
            },
        ),
        Wrong("uphill", {"w.assign_sub": "w.assign_add"}),
        Wrong("assigned", {"(rate * grad)": "(w - rate * grad)"}),
        Wrong(
            "assigned", {"grad = tf.zeros([])\n        ": "", "(rate * grad)": "(w - rate * grad)"}
        ),
        Wrong("half", {"grad = tf.zeros([])\n": "grad = grad / 2.0\n"}),
        Wrong(
            "mean",
            {
                "        grad = tf.zeros([])\n": "",
                "        w.assign_sub": "        grad = grad / (step + 1)\n        w.assign_sub",
            },
        ),
        Wrong(
            "every-other", {"grad = tf.zeros([])\n": "grad = tf.zeros([]) if step > 1 else grad\n"}
        ),
        Wrong("turned", {"grad = tf.zeros([])\n": "grad = -grad\n"}),
        Wrong("half", {"grad = tf.zeros([])\n": "grad = grad * 0.9\n"}),
        Wrong("not-zero", {"grad = tf.zeros([])\n": "grad = tf.ones([])\n"}),
        Wrong("no-number", {"grad = tf.zeros([])\n": "grad = None\n"}),
        Wrong("the-loss", {"grad = tf.zeros([])\n        ": "", "rate * grad": "rate * loss"}),
        Wrong("no-variable", {"grad = tf.zeros([])\n": "grad.assign(0.0)\n"}),
        Wrong("the-tape", {"grad = tf.zeros([])\n": "tape.reset()\n"}),
        Wrong("taken-away", {"        grad = tf.zeros([])\n": "", "grad + tape": "grad - tape"}),
        Wrong(
            "deleted",
            {
                "        grad = tf.zeros([])\n": "",
                "        path.append": "        del grad\n        path.append",
            },
        ),
        Wrong(
            "the-tape",
            {
                "        grad = tf.zeros([])\n": "",
                "        path.append": "        tape.reset()\n        path.append",
            },
        ),
        Wrong(
            "no-number",
            {
                "        grad = tf.zeros([])\n": "",
                "        path.append": "        grad = None\n        path.append",
            },
        ),
        Wrong(
            "half",
            {
                "        grad = tf.zeros([])\n": "",
                "grad + tape.gradient(loss, w)": "(grad + tape.gradient(loss, w)) / 2",
            },
        ),
        Wrong(
            "half",
            {
                "        grad = tf.zeros([])\n": "",
                "        path.append": "        grad = grad / 2.0\n        path.append",
            },
        ),
        Wrong(
            "every-other",
            {
                "        grad = tf.zeros([])\n": "        grad = tf.zeros([]) if step % 2 == 0 else grad\n"
            },
        ),
        Wrong(
            "rate-gone",
            {
                "        grad = tf.zeros([])\n": "",
                "        path.append": "        rate = 0.0\n        path.append",
            },
        ),
        Wrong(
            "rate-gone", {"grad = tf.zeros([])\n": "grad = tf.zeros([])\n        w.assign(1.0)\n"}
        ),
        Wrong(
            "sooner",
            {
                "        w.assign_sub(rate * grad)\n        path.append(w.read_value())": "        "
                "path.append(w.read_value())\n        w.assign_sub(rate * grad)"
            },
        ),
        Wrong("fewer-rounds", {"range(4)": "range(1)", "        grad = tf.zeros([])\n": ""}),
        Wrong("not-zero", {"grad = tf.zeros([])\n": "grad = w.read_value()\n"}),
    ),
)

# of the loss, at two near weights
DIFFERENCE = "(lambda f: (f(w + 1e-6) - f(w)) / 1e-6)(lambda w: np.sum(x * w + t / np.exp(x * w)))"


def gentle(chance: np.random.Generator) -> float:
    """Return a weight whose exp stays near 1, so that each part of a sum counts."""
    return round(float(chance.uniform(0.2, 0.5) * chance.choice([-1.0, 1.0])), 2)


back = Function(
    id="15.back",
    texts=TEXTS,
    inputs={"x": (3,), "w": gentle, "t": lambda chance: np.round(chance.uniform(0.5, 3.0, 3), 2)},
    program="""def program(x, w, t):
    t1 = x * w
    y = np.exp(t1)
    t2 = t / y
    loss = (t1 + t2).sum()
    #: back
    «d_y = -t / (y * y)
    d_t1 = 1.0 + d_y * y
    d_w = (d_t1 * x).sum()
    return d_y, d_t1, d_w <- ...
    return ...»
""",
    wrong=(
        Wrong("by-trying", {"(d_t1 * x).sum()": DIFFERENCE}),
        Wrong("turned", {"-t / (y * y)": "t / (y * y)"}),
        Wrong("not-squared", {"-t / (y * y)": "-t / y"}),
        Wrong("not-squared", {"-t / (y * y)": "-t2"}),
        Wrong("no-t", {"-t / (y * y)": "-1.0 / (y * y)"}),
        Wrong("numerator", {"-t / (y * y)": "1.0 / y"}),
        Wrong("the-value", {"-t / (y * y)": "t / y"}),
        Wrong("of-the-loss", {"-t / (y * y)": "1.0"}),
        Wrong("of-the-loss", {"-t / (y * y)": "np.ones_like(y)"}),
        Wrong("upside-down", {"-t / (y * y)": "-t * y * y"}),
        Wrong("upside-down", {"-t / (y * y)": "-t * y"}),
        Wrong("upside-down", {"-t / (y * y)": "t * y"}),
        Wrong("upside-down", {"-t / (y * y)": "t"}),
        Wrong("t1-for-y", {"-t / (y * y)": "-t / (t1 * t1)"}),
        Wrong("logarithm", {"-t / (y * y)": "t * np.log(y)"}),
        Wrong("past-exp", {"-t / (y * y)": "1.0 - t / (y * y)"}),
        Wrong("each-its-own", {"-t / (y * y)": "(-t / (y * y)).sum()"}),
        Wrong("each-its-own", {"-t / (y * y)": "(-t / (y * y)).mean()"}),
        Wrong("one-use", {"1.0 + d_y * y": "d_y * y"}),
        Wrong("one-use", {"1.0 + d_y * y": "d_y"}),
        Wrong("one-use", {"1.0 + d_y * y": "y"}),
        Wrong("direct-alone", {"1.0 + d_y * y": "1.0"}),
        Wrong("direct-alone", {"1.0 + d_y * y": "np.ones_like(t1)"}),
        Wrong("handed-on", {"1.0 + d_y * y": "1.0 + d_y"}),
        Wrong("upstream", {"1.0 + d_y * y": "1.0 + y"}),
        Wrong("added", {"1.0 + d_y * y": "1.0 + d_y + y"}),
        Wrong("added", {"1.0 + d_y * y": "d_y + y"}),
        Wrong("exp-twice", {"1.0 + d_y * y": "1.0 + d_y * np.exp(y)"}),
        Wrong("inner", {"1.0 + d_y * y": "1.0 + d_y * t1"}),
        Wrong("past-exp", {"1.0 + d_y * y": "(1.0 + d_y) * y"}),
        Wrong("value-added", {"1.0 + d_y * y": "t1 + d_y * y"}),
        Wrong("minus", {"1.0 + d_y * y": "1.0 - d_y * y"}),
        Wrong("divided", {"1.0 + d_y * y": "1.0 + d_y / y"}),
        Wrong("of-t2", {"1.0 + d_y * y": "1.0 + t2 * y"}),
        Wrong("too-early", {"1.0 + d_y * y": "(1.0 + d_y * y) * x"}),
        Wrong("too-early", {"1.0 + d_y * y": "(1.0 + d_y * y) * w"}),
        Wrong("sums-multiplied", {"(d_t1 * x).sum()": "d_t1.sum() * x.sum()"}),
        Wrong("only-sum", {"(d_t1 * x).sum()": "x.sum()"}),
        Wrong("values-of-t1", {"(d_t1 * x).sum()": "(t1 * x).sum()"}),
        Wrong("values-of-t1", {"(d_t1 * x).sum()": "(d_t1 * y).sum()"}),
        Wrong("values-of-t1", {"(d_t1 * x).sum()": "(d_t1 * t1).sum()"}),
        Wrong("unsummed", {"(d_t1 * x).sum()": "d_t1 * x"}),
        Wrong("unsummed", {"(d_t1 * x).sum()": "d_t1 * w"}),
        Wrong("unsummed", {"(d_t1 * x).sum()": "d_t1.sum() * x"}),
        Wrong("forgot-x", {"(d_t1 * x).sum()": "d_t1.sum()"}),
        Wrong("forgot-x", {"(d_t1 * x).sum()": "(d_t1 * w).sum()"}),
        Wrong("around-t1", {"(d_t1 * x).sum()": "(d_y * x).sum()"}),
        Wrong("mean", {"(d_t1 * x).sum()": "(d_t1 * x).mean()"}),
        Wrong("one-element", {"(d_t1 * x).sum()": "(d_t1 * x)[0]"}),
        Wrong("returned-turned", {"return d_y, d_t1, d_w": "return d_w, d_t1, d_y"}),
    ),
)
