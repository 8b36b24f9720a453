"""The exercises of the lesson in which a tape is written: on numbers, on arrays, and one that
records its own way back.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitape.exercises import Catalogue, Engine, Prediction, Stage, Wrong

TEXTS = Catalogue(__name__)

recall = Prediction(
    id="14.recall",
    texts=TEXTS,
    numbers={"n": (2, 3, 5), "m": (4, 6), "k": (7.0, 10.0)},
    right="g[0]",
    program="""x = tf.ones([{n}, {m}])
b = tf.Variable(tf.ones([{m}]))
with tf.GradientTape() as tape:
    y = tf.reduce_sum({k} * (x + b))
g = tape.gradient(y, b)
""",
    wrong=(
        Wrong("unsummed", "g[0] / len(x)"),
        Wrong("all", "sum(g)"),
        Wrong("columns", "g[0] / len(x) * len(g)"),
        Wrong("no-factor", "len(x)"),
        Wrong("one", "1"),
        Wrong("value", "y"),
    ),
)

diamond = Prediction(
    id="14.diamond",
    texts=TEXTS,
    numbers={"x": (2.0, 3.0, 5.0), "k": (3.0, 7.0, 10.0)},
    right="adjoint_a",
    program="""x = tf.Variable({x})
with tf.GradientTape() as tape:
    a = x * x
    b = a + {k}
    y = a * b
adjoint_a = tape.gradient(y, a)
""",
    wrong=(
        Wrong("last", "a"),
        Wrong("first", "b"),
        Wrong("value", "y"),
        Wrong("source", "2 * x * (a + b)"),
        Wrong("product", "a * b * b"),
        Wrong("one", "1"),
    ),
)

cards = Prediction(
    id="14.cards",
    texts=TEXTS,
    numbers={"cards": (10000, 20000, 50000)},
    right="error if raised else adjoint",
    program="""cards = {cards}

def play(card):
    if card == 0:
        return 1.0
    return 1.0 * play(card - 1)

adjoint = play(cards)
""",
    wrong=(Wrong("one", "1.0"), Wrong("many", "cards"), Wrong("zero", "0.0")),
)


def one_card(run: Any, a: Any, b: Any) -> Any:
    """A product."""
    return run("multiply", a, b)


def chain(run: Any, a: Any, b: Any) -> Any:
    """One card after another."""
    return run("sin", run("multiply", run("sin", a), b))


def fan_out(run: Any, x: Any, y: Any) -> Any:
    """A source used twice, once twice by one card."""
    return run("add", run("multiply", x, x), run("multiply", x, y))


def late(run: Any, x: Any, y: Any) -> Any:
    """A result used twice, the second time by a later card."""
    s = run("sin", x)
    return run("multiply", run("multiply", run("multiply", s, y), y), s)


def long(run: Any, x: Any, b: Any) -> Any:
    """More cards than Python can call functions one inside of the other."""
    for _ in range(10_000):
        x = run("add", x, b)
    return x


RECORD = """    def run(self, op, *inputs):
        numbers = [self.values[n] for n in inputs]
        y = self.COMPUTE[op](*numbers)
        output = self.source(y)
        self.entries.append((op, inputs, output, (*numbers, y)))
        return output
"""
CLASS = (
    """
    def __init__(self):
        self.values, self.entries, self.steps = [], [], []

    def source(self, value):
        self.values.append(value)
        return len(self.values) - 1

"""
    + RECORD
    + """
    def gradient(self, target, sources):
        self.steps = []
"""
)
WALK = """        for k in «reversed(range(len(self.entries)))»:
            op, inputs, output, (*numbers, y) = self.entries[k]
            if output in adjoints:
                g = adjoints[output]
                parts = self.RULES[op](g, y, *numbers)
                self.steps.append((k, g, parts))
                for n, part in zip(inputs, parts):
                    #: part
                    adjoints[n] = «adjoints.get(n, 0.0) + part»
"""
UNMARKED = WALK.replace("«", "").replace("»", "").replace("#: part", "# part")
EACH_WAY = """        def visit(n, g):
            adjoints[n] = adjoints.get(n, 0.0) + g
            for k, (op, inputs, output, (*numbers, y)) in enumerate(self.entries):
                if output == n:
                    parts = self.RULES[op](g, y, *numbers)
                    self.steps.append((k, g, parts))
                    for m, part in zip(inputs, parts):
                        visit(m, part)

        adjoints = {}
        visit(target, 1.0)
"""
BY_LEVELS = """        waiting = [target]
        while waiting:
            name = waiting.pop(0)
            for k, (op, inputs, output, (*numbers, y)) in enumerate(self.entries):
                if output == name and k not in [step[0] for step in self.steps]:
                    parts = self.RULES[op](adjoints[name], y, *numbers)
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
                op, inputs, output, (*numbers, y) = self.entries[made[name]]
                parts = self.RULES[op](adjoints[name], y, *numbers)
                self.steps.append((made[name], adjoints[name], parts))
                for n, part in zip(inputs, parts):
                    adjoints[n] = adjoints.get(n, 0.0) + part
                    waits[n] -= 1
                    if waits[n] == 0:
                        visit(n)

        visit(target)
"""

numbers = Engine(
    id="14.numbers",
    texts=TEXTS,
    program="""class NumberTape:
    COMPUTE = {"add": np.add, "multiply": np.multiply, "sin": np.sin}
    #: rules
    RULES = {
        "add": lambda g, y, a, b: (g, g),
        "multiply": lambda g, y, a, b: «(g * b, g * a)»,
        "sin": lambda g, y, x: «(g * np.cos(x),)»,
    }
"""
    + CLASS
    + """        adjoints = {target: «1.0»}
"""
    + WALK
    + """        return [adjoints.get(n) for n in sources]
""",
    stages=(
        Stage("one-card", one_card, {"a": (), "b": ()}),
        Stage("fan-out", fan_out, {"x": (), "y": ()}),
        Stage("chain", chain, {"a": (), "b": ()}),
        Stage("late", late, {"x": (), "y": ()}),
        Stage("long", long, {"x": (), "b": ()}, judged=False),
    ),
    wrong=(
        Wrong("overwritten", {"n": "part"}),
        Wrong("upstream", {"b": "(b, a)"}),
        Wrong("upstream", {"x": "(np.cos(x),)"}),
        Wrong("swapped", {"b": "(g * a, g * b)"}),
        Wrong("sign", {"x": "(-g * np.cos(x),)"}),
        Wrong("part", {"x": "(g * y,)"}),
        Wrong("part", {"x": "(np.cos(g * x),)"}),
        Wrong("seed", {"target": "self.values[target]"}),
        Wrong("seed", {"target": "0.0"}),
        Wrong("skipped", {"in": "range(len(self.entries))"}),
        Wrong("first-place", {"in": "range(len(self.entries) - 1, 0, -1)"}),
        Wrong("answer", {"n": "adjoints.get(n, 1.0) + part"}),
        Wrong("answer", {"n": "adjoints.get(n, 1.0) * part"}),
        Wrong("nothing-yet", {"n": "adjoints[n] + part"}),
        Wrong("nothing-yet", {"n": "adjoints.get(n) + part"}),
        Wrong("comma", {"b": "g * y"}),
        Wrong("comma", {"b": "g * b"}),
        Wrong("comma", {"x": "g * np.cos(x)"}),
        Wrong("places", {"in": "reversed(self.entries)"}),
        Wrong("places", {"in": "reversed(len(self.entries))"}),
        Wrong("places", {"in": "len(self.entries)"}),
        Wrong("places", {"in": "range(len(self.entries), 0, -1)"}),
        Wrong("recorded", {"self.entries.append((op, inputs, output, (*numbers, y)))": "pass"}),
        Wrong(
            "missing",
            {
                "b": "(g * b, None)",
                "adjoints.get(n, 0.0) + part": "adjoints.get(n, 0.0) + (part or 0.0)",
            },
        ),
        Wrong("twice", {UNMARKED: EACH_WAY}),
        Wrong("early", {UNMARKED: BY_LEVELS}),
        Wrong("recursion", {UNMARKED: COUNTED}),
    ),
)


def weights(run: Any, x: Any, w: Any) -> Any:
    """A product of matrices."""
    return run("matmul", x, w)


def mean(run: Any, x: Any) -> Any:
    """A mean of squares, and one more card: what arrives at the mean is not 1."""
    return run("sin", run("mean", run("multiply", x, x)))


def small(chance: np.random.Generator) -> np.ndarray:
    """Return a matrix whose squares have a mean below 1: the cosine of pi, -1, would make of no
    upstream a wrong sign.
    """
    size = chance.permutation([2, 3, 4])[:2]
    return np.round(chance.uniform(0.5, 1.0, size) * chance.choice([-1.0, 1.0], size), 3)


def bias(run: Any, x: Any, b: Any) -> Any:
    """A row added to each row."""
    return run("sin", run("add", x, b))


def column(run: Any, x: Any, s: Any) -> Any:
    """A column stretched to the right."""
    return run("multiply", x, s)


def guide(run: Any, x: Any, w: Any, b: Any) -> Any:
    """The second program of TensorFlow's guide to gradients."""
    y = run("add", run("matmul", x, w), b)
    return run("mean", run("multiply", y, y))


arrays = Engine(
    id="14.arrays",
    texts=TEXTS,
    program="""def summed(part, shape):
    #: front
    while part.ndim > len(shape):
        part = «part.sum(axis=0)»
    #: ones
    for axis, length in enumerate(shape):
        if length == 1:
            part = «part.sum(axis=axis, keepdims=True)»
    return part


class ArrayTape:
    COMPUTE = {"add": np.add, "multiply": np.multiply, "sin": np.sin, "matmul": np.matmul, "mean": np.mean}
    RULES = {
        "add": lambda g, y, a, b: (g, g),
        "multiply": lambda g, y, a, b: (g * b, g * a),
        "sin": lambda g, y, x: (g * np.cos(x),),
        "matmul": lambda g, y, a, b: «(g @ b.T, a.T @ g)»,
        "mean": lambda g, y, x: «(g * np.ones_like(x) / x.size,)»,
    }
"""
    + CLASS
    + """        adjoints = {target: np.ones_like(self.values[target])}
        for k in reversed(range(len(self.entries))):
            op, inputs, output, (*numbers, y) = self.entries[k]
            if output in adjoints:
                g = adjoints[output]
                parts = self.RULES[op](g, y, *numbers)
                parts = [summed(part, x.shape) for part, x in zip(parts, numbers)]
                self.steps.append((k, g, parts))
                for n, part in zip(inputs, parts):
                    adjoints[n] = adjoints.get(n, 0.0) + part
        return [adjoints.get(n) for n in sources]
""",
    stages=(
        Stage("weights", weights, {"x": ("n", "m"), "w": ("m", "k")}),
        Stage("mean", mean, {"x": small}),
        Stage("bias", bias, {"x": ("n", "m"), "b": ("m",)}),
        Stage("column", column, {"x": ("n", "m"), "s": ("n", 1)}),
        Stage("guide", guide, {"x": (1, 3), "w": (3, 2), "b": (2,)}),
    ),
    wrong=(
        Wrong("unsummed", {"while part.ndim > len(shape):": "while False:"}),
        Wrong("unsummed", {"part_2": "part"}),
        Wrong("part", {"part": "part.mean(axis=0)"}),
        Wrong("part", {"part": "part[0]"}),
        Wrong("reshaped", {"part": "part.reshape(shape)"}),
        Wrong("shape", {"part_2": "part.sum(axis=axis)"}),
        Wrong("shape", {"part_2": "part.sum()"}),
        Wrong("shape", {"b": "(a.T @ g, g @ b.T)"}),
        Wrong("shape", {"b": "(b @ g.T, a.T @ g)"}),
        Wrong("shape", {"b": "(g @ b, a @ g)"}),
        Wrong("shape", {"b": "(b.T @ g, g @ a.T)"}),
        Wrong("shape", {"b": "(g * b, g * a)"}),
        Wrong("part", {"x": "(g * np.ones_like(x),)"}),
        Wrong("upstream", {"x": "(np.ones_like(x) / x.size,)"}),
        Wrong("comma", {"x": "(g * np.ones_like(x) / x.size)"}),
        Wrong("comma", {"x": "g / x.size"}),
        Wrong("comma", {"b": "g @ b.T"}),
        Wrong("shape", {"x": "(g / x.size,)"}),
        Wrong("part", {"x": "(g * np.ones_like(x) / len(x),)"}),
        Wrong("part", {"x": "(g * x / x.size,)"}),
        Wrong("sign", {"b": "(-(g @ b.T), a.T @ g)"}),
    ),
)


def product(run: Any, x: Any) -> Any:
    """One slope."""
    return run("multiply", x, run("sin", x))


def cube(run: Any, x: Any) -> Any:
    """The program of the guide to higher derivatives."""
    return run("multiply", run("multiply", x, x), x)


def bent(chance: np.random.Generator) -> float:
    """Return a number far from 1 and -1, with a sine far from them: they would make of another
    wrong part a wrong sign, or no wrong one.
    """
    return round(float(chance.uniform(0.5, 0.9) * chance.choice([-1.0, 1.0])), 3)


nesting = Engine(
    id="14.nesting",
    texts=TEXTS,
    by_number=True,
    program="""class NestedTape:
    COMPUTE = {"add": np.add, "multiply": np.multiply, "negative": np.negative, "sin": np.sin, "cos": np.cos}
    #: rules
    RULES = {
        "add": lambda run, g, y, a, b: (g, g),
        "negative": lambda run, g, y, x: (run("negative", g),),
        "sin": lambda run, g, y, x: (run("multiply", g, run("cos", x)),),
        "multiply": lambda run, g, y, a, b: «(run("multiply", g, b), run("multiply", g, a))»,
        "cos": lambda run, g, y, x: «(run("multiply", g, run("negative", run("sin", x))),)»,
    }
"""
    + CLASS
    + """        adjoints = {target: self.source(1.0)}
        for k in reversed(range(len(self.entries))):
            op, inputs, output, values = self.entries[k]
            if output in adjoints:
                g = adjoints[output]
                parts = self.RULES[op](self.run, g, output, *inputs)
                self.steps.append((k, self.values[g], [self.values[part] for part in parts]))
                for n, part in zip(inputs, parts):
                    #: sum
                    adjoints[n] = «self.run("add", adjoints[n], part) if n in adjoints else part»
        return [adjoints.get(n) for n in sources]
""",
    stages=(
        Stage("slope", product, {"x": bent}),
        Stage("cube", cube, {"x": ()}, times=2),
        Stage("third", product, {"x": bent}, times=3),
    ),
    wrong=(
        Wrong("part", {"b": "(g * b, g * a)"}),
        Wrong("sign", {"x": '(run("multiply", g, run("sin", x)),)'}),
        Wrong("upstream", {"x": '(run("negative", run("sin", x)),)'}),
        Wrong("overwritten", {"n": "part"}),
        Wrong("not-a-number", {"n": "adjoints[n] + part if n in adjoints else part"}),
        Wrong("nothing-yet", {"n": 'self.run("add", adjoints[n], part)'}),
        Wrong("no-value", {"n": 'self.run("add", adjoints.get(n, 0.0), part)'}),
        Wrong("no-value", {"n": "adjoints.get(n, 0.0) + part"}),
        Wrong("no-value", {"n": 'self.run("add", adjoints.get(n, 0), part)'}),
        Wrong("no-value", {"n": 'self.run("add", adjoints.get(n), part)'}),
        Wrong("part", {"x": "(g * -np.sin(x),)"}),
        Wrong("comma", {"b": 'run("multiply", g, b)'}),
        Wrong("comma", {"x": 'run("multiply", g, run("negative", run("sin", x)))'}),
        Wrong("whose-run", {"b": '(self.run("multiply", g, b), self.run("multiply", g, a))'}),
        Wrong("whose-run", {"n": 'run("add", adjoints[n], part) if n in adjoints else part'}),
        Wrong("op-name", {"x": '(run("neg", run("multiply", g, run("sin", x))),)'}),
        Wrong("op-name", {"x": '(run("minus", run("multiply", g, run("sin", x))),)'}),
        Wrong(
            "unrecorded",
            {
                "n": "self.source(self.values[adjoints[n]] + self.values[part]) if n in adjoints "
                "else part"
            },
        ),
        Wrong("swapped", {"b": '(run("multiply", g, a), run("multiply", g, b))'}),
        Wrong(
            "not-a-number",
            {
                "return [adjoints.get(n) for n in sources]": "return [self.values[adjoints[n]] "
                "for n in sources]"
            },
        ),
    ),
)
