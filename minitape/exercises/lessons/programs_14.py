"""The programs of lesson 14 that a learner's tape has to run, each a function of `run` and of the
inputs' numbers; what draws the inputs of some; and as texts a way back, and others that learners go.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def always(value: float) -> Any:
    """Return what draws one number, always the same."""
    return lambda chance: value


# no number of a value is a value
FOUR_AND_FIVE = {"x": always(4.0), "b": always(5.0)}


def by_hand(run: Any, x: Any, b: Any) -> Any:
    """The program whose list is written by hand."""
    return run("multiply", run("add", x, b), x)


def one_card(run: Any, a: Any, b: Any) -> Any:
    """A product."""
    return run("multiply", a, b)


def one_way(run: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Three cards, one after the other: forwards only the last would have its turn, and a loop that
    stops before place 0 would play two.
    """
    return run("multiply", run("multiply", run("add", a, b), c), d)


def twins(run: Any, a: Any, b: Any) -> Any:
    """Two values that are equal, and a card with one input."""
    return run("add", run("sin", a), b)


def again(run: Any, a: Any, b: Any) -> Any:
    """A result used twice."""
    s = run("multiply", a, b)
    return run("add", run("sin", s), s)


def fan_out(run: Any, x: Any, y: Any) -> Any:
    """A source used twice, once twice by one card."""
    return run("add", run("multiply", x, x), run("multiply", x, y))


def chain(run: Any, a: Any, b: Any) -> Any:
    """One card after another."""
    return run("sin", run("multiply", run("sin", a), b))


def nothing(run: Any, a: Any, b: Any) -> Any:
    """A product whose second factor is 0, so that the adjoint of the first one is 0."""
    return run("multiply", run("sin", a), b)


def late(run: Any, x: Any, y: Any) -> Any:
    """A result used twice, the second time by a later card."""
    s = run("sin", x)
    return run("multiply", run("multiply", run("multiply", s, y), y), s)


def stray(run: Any, x: Any, y: Any, w: Any) -> Any:
    """A card that is recorded after the target, and does not lead to it; nor does its input w."""
    z = run("multiply", run("sin", x), y)
    run("multiply", z, w)
    return z


def long(run: Any, x: Any, b: Any) -> Any:
    """More cards than Python can call functions one inside of the other."""
    for _ in range(10_000):
        x = run("add", x, b)
    return x


def mean(run: Any, x: Any) -> Any:
    """A mean, and one more card: what arrives at the mean is not 1. Nothing is stretched."""
    return run("sin", run("mean", run("sin", x)))


def small(chance: np.random.Generator) -> np.ndarray:
    """Return a matrix whose mean is far from 0, where cosine is 1: what arrives would not be missed."""
    return np.round(chance.uniform(0.5, 1.0, chance.permutation([2, 3, 4])[:2]), 3)


def weights(run: Any, x: Any, w: Any) -> Any:
    """A product of matrices."""
    return run("mean", run("sin", run("matmul", x, w)))


def bias(run: Any, x: Any, b: Any) -> Any:
    """A row added to each row."""
    return run("mean", run("sin", run("add", x, b)))


def column(run: Any, x: Any, s: Any, c: Any) -> Any:
    """A column stretched to the right, and a number over all: two axes are in front of it."""
    return run("mean", run("sin", run("add", run("multiply", x, s), c)))


def skip(run: Any, x: Any, b: Any) -> Any:
    """An adjoint that is one array for two values: one that changes in place is seen at the other."""
    s = run("sin", x)
    return run("mean", run("multiply", s, run("add", x, b)))


def one_number(chance: np.random.Generator) -> np.float64:
    """Return a number that has a shape, as an array has."""
    return np.float64(np.round(chance.uniform(0.5, 2.5), 3))


def net(run: Any, x: Any, t: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    """Two layers, and a loss."""
    hidden = run("sin", run("add", run("matmul", x, w1), b1))
    e = run("add", run("add", run("matmul", hidden, w2), b2), t)
    return run("mean", run("multiply", e, e))


def bend(run: Any, x: Any) -> Any:
    """One card after another, each with one input."""
    return run("sin", run("sin", x))


def product(run: Any, x: Any) -> Any:
    """One slope."""
    return run("multiply", x, run("sin", x))


def aside(run: Any, x: Any, w: Any) -> Any:
    """The same, and a card that does not lead to it; nor does its input w."""
    z = product(run, x)
    run("multiply", z, w)
    return z


def cube(run: Any, x: Any) -> Any:
    """The program of the guide to higher derivatives."""
    return run("multiply", run("multiply", x, x), x)


def bent(chance: np.random.Generator) -> float:
    """Return a number far from 1 and -1, with a sine far from them: they would make of another
    wrong part a wrong sign, or no wrong one.
    """
    return round(float(chance.uniform(0.5, 0.9) * chance.choice([-1.0, 1.0])), 3)


WALK = """        for k in reversed(range(len(self.entries))):
            op, inputs, output, (*values, y) = self.entries[k]
            if output in adjoints:
                g = adjoints[output]
                parts = self.RULES[op](g, y, *values)
                self.steps.append((k, g, parts))
                for n, part in zip(inputs, parts):
                    adjoints[n] = adjoints.get(n, 0.0) + part
"""
STOP = """            if output not in adjoints:
                break
            if output in"""
EACH_WAY = """        def visit(n, g):
            adjoints[n] = adjoints.get(n, 0.0) + g
            for k, (op, inputs, output, (*values, y)) in enumerate(self.entries):
                if output == n:
                    parts = self.RULES[op](g, y, *values)
                    self.steps.append((k, g, parts))
                    for m, part in zip(inputs, parts):
                        visit(m, part)

        adjoints = {}
        visit(target, 1.0)
"""
BY_LEVELS = """        waiting = [target]
        while waiting:
            name = waiting.pop(0)
            for k, (op, inputs, output, (*values, y)) in enumerate(self.entries):
                if output == name and k not in [step[0] for step in self.steps]:
                    parts = self.RULES[op](adjoints[name], y, *values)
                    self.steps.append((k, adjoints[name], parts))
                    for n, part in zip(inputs, parts):
                        adjoints[n] = adjoints.get(n, 0.0) + part
                        waiting.append(n)
"""
COUNTED = """        made = {entry[2]: k for k, entry in enumerate(self.entries)}
        uses = [n for entry in self.entries for n in entry[1]]
        waits = {n: uses.count(n) for n in set(uses)} if len(uses) < 1000 else dict.fromkeys(uses, 1)

        def visit(name):
            if name in made:
                op, inputs, output, (*values, y) = self.entries[made[name]]
                parts = self.RULES[op](adjoints[name], y, *values)
                self.steps.append((made[name], adjoints[name], parts))
                for n, part in zip(inputs, parts):
                    adjoints[n] = adjoints.get(n, 0.0) + part
                    waits[n] -= 1
                    if waits[n] == 0:
                        visit(n)

        visit(target)
"""
IN_PLACE = """    def gradient(self, target, sources):
        self.steps, adjoints = [], {target: 1.0}
        for k in reversed(range(len(self.entries))):
            op, inputs, output, (*values, y) = self.entries[k]
            parts = self.RULES[op](adjoints[output], y, *values)
            self.steps.append((k, adjoints[output], parts))
            for n, part in zip(inputs, parts):
                if n in adjoints:
                    adjoints[n] += part
                else:
                    adjoints[n] = part
        return [adjoints[n] for n in sources]

"""
LAYERS = """hidden = run("sin", run("add", run("matmul", x, w1), b1))
    y = run("add", run("matmul", hidden, w2), b2)
    error = run("add", y, minus_t)
    return run("mean", run("multiply", error, error))"""
