"""The exercises of the lesson in which a tape is written: its list by hand, recording, the way back
on numbers and on arrays, a net trained on it, and a tape that records its own way back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from minitape.exercises import Catalogue, Engine, Function, Stage, Wrong
from minitape.exercises.filmed import FilmedAnswer
from minitape.exercises.lessons import asked_14, first_14
from minitape.exercises.lessons import programs_14 as programs
from minitape.exercises.outcome import NotYet

TEXTS = Catalogue(__name__)

recall, diamond, cards = asked_14.recall, asked_14.diamond, asked_14.cards
entries, recorder, numbers = first_14.entries, first_14.recorder, first_14.numbers

SQUARE = '"multiply", run("mean", error), run("mean", error)'
SOONER = "    loss = tape.values[target]\n    slopes"
NET = {"x": ("n", "m"), "t": ("n", 1), "w1": ("m", "k"), "b1": ("k",), "w2": ("k", 1), "b2": (1,)}
MEAN, MATMUL = "(g * np.ones_like(x) / x.size,)", "(g @ b.T, a.T @ g)"
FRONT, ONES = "part.sum(axis=0)", "part.sum(axis=axis, keepdims=True)"
ONE_IN_FRONT = f"if part.ndim > len(shape):\n        part = {FRONT}"

arrays = Engine(
    id="14.arrays",
    texts=TEXTS,
    prelude=recorder.solution_code + numbers.solution_code,
    program=f"""def mean_rule(g, y, x):
    «return {MEAN}»

def matmul_rule(g, y, a, b):
    «return {MATMUL}»

def summed(part, shape):
    «for _ in range(part.ndim - len(shape)):
        part = {FRONT}
    for axis, length in enumerate(shape):
        if length == 1:
            part = {ONES}
    return part»

#: given
class ArrayTape(NumberTape):
    COMPUTE = {{**NumberTape.COMPUTE, "mean": np.mean, "matmul": np.matmul}}
    RULES = {{
        "add": lambda g, y, a, b: (summed(g, a.shape), summed(g, b.shape)),
        "multiply": lambda g, y, a, b: (summed(g * b, a.shape), summed(g * a, b.shape)),
        "sin": lambda g, y, x: (g * np.cos(x),),
        "mean": mean_rule,
        "matmul": matmul_rule,
    }}
""",
    stages=(
        Stage("mean", programs.mean, {"x": programs.small}),
        Stage("weights", programs.weights, {"x": ("n", "m"), "w": ("m", "k")}),
        # of two rows, the first and the second would be all
        Stage("bias", programs.bias, {"x": (3, "m"), "b": ("m",)}),
        Stage(
            "column",
            programs.column,
            {"x": ("n", "m"), "s": ("n", 1), "c": programs.one_number},
        ),
        Stage("skip", programs.skip, {"x": ("n",), "b": ("n",)}),
        Stage("net", programs.net, NET),
    ),
    wrong=(
        Wrong("unsummed", {"range(part.ndim - len(shape))": "range(0)"}),
        Wrong("kept-in-front", {FRONT: "part.sum(axis=0, keepdims=True)"}),
        Wrong("longer", {ONES: "part"}),
        Wrong(
            "one-in-front",
            {f"for _ in range(part.ndim - len(shape)):\n        part = {FRONT}": ONE_IN_FRONT},
        ),
        Wrong("one-in-front", {f"part = {FRONT}": f"return {FRONT}"}),
        Wrong("broadcast", {"body_3": "return np.broadcast_to(part, shape)"}),
        Wrong("mean-for-sum", {FRONT: "part.mean(axis=0)"}),
        Wrong("mean-for-sum", {ONES: "part.mean(axis=axis, keepdims=True)"}),
        Wrong("first-one", {FRONT: "part[0]"}),
        Wrong("first-one", {FRONT: "part[-1]"}),
        Wrong("first-one", {FRONT: "part[0] + part[1]"}),
        Wrong("first-one", {FRONT: "part.max(axis=0)"}),
        Wrong("first-one", {ONES: "part[..., :1]"}),
        Wrong("other-axis", {FRONT: "part.sum(axis=1)"}),
        Wrong("other-axis", {ONES: "part.sum(axis=0, keepdims=True)"}),
        Wrong("other-axis", {ONES: "part.sum(axis=1, keepdims=True)"}),
        Wrong("other-axis", {FRONT: "part.sum(axis=axis)"}),
        Wrong(
            "other-axis",
            {
                "body_3": f"{ONE_IN_FRONT.replace('axis=0', 'axis=1')}\n    return part.reshape(shape)"
            },
        ),
        Wrong("all", {FRONT: "part.sum()"}),
        Wrong("all", {ONES: "part.sum()"}),
        Wrong("all", {ONES: "part.sum(keepdims=True)"}),
        Wrong("no-return", {"    return part\n": ""}),
        Wrong("no-return", {f"return {MEAN}": MEAN}),
        Wrong("no-return", {f"return {MATMUL}": MATMUL}),
        Wrong("not-stretched", {"body_3": f"return {FRONT}"}),
        Wrong("not-stretched", {"body_3": "return part.sum(axis=0, keepdims=True)"}),
        Wrong("not-stretched", {"body_3": "return part.sum()"}),
        Wrong("not-stretched", {"part.ndim - len": "len(part) - len"}),
        Wrong("not-stretched", {"length == 1": "length != 1"}),
        Wrong("not-stretched", {"length == 1": "axis == 1"}),
        Wrong("not-stretched", {"        if length == 1:\n    ": ""}),
        Wrong("sum-to", {"body_3": "return part.sum(shape)"}),
        Wrong("part", {MEAN: "(g / y * np.ones_like(x),)"}),
        Wrong("keepdims", {ONES: "part.sum(axis=axis)"}),
        Wrong("other-axis", {ONES: "part.sum(axis=0)"}),
        Wrong("reshaped", {FRONT: "part.reshape(shape)"}),
        Wrong("reshaped", {ONES: "part.reshape(shape)"}),
        Wrong("swapped-parts", {MATMUL: "(a.T @ g, g @ b.T)"}),
        Wrong("transposed", {MATMUL: "(b @ g.T, a.T @ g)"}),
        Wrong("transposed", {MATMUL: "((g @ b.T).T, (a.T @ g).T)"}),
        Wrong("not-turned", {MATMUL: "(g @ b, a @ g)"}),
        Wrong("not-turned", {MATMUL: "(g @ b.T, a @ g)"}),
        Wrong("g-side", {MATMUL: "(b.T @ g, g @ a.T)"}),
        Wrong("g-side", {MATMUL: "(g @ b.T, g @ a.T)"}),
        Wrong("g-turned", {MATMUL: "(g @ b.T, g.T @ a)"}),
        Wrong("g-turned", {MATMUL: "(g.T @ b, a.T @ g)"}),
        Wrong("comma", {MATMUL: "(g @ b.T + a.T @ g,)"}),
        Wrong("mean-for-sum", {MATMUL: "(g @ b.T / len(a), a.T @ g / len(a))"}),
        Wrong("upstream", {MATMUL: "(b.T, a.T)"}),
        Wrong("elementwise", {MATMUL: "(g * b, g * a)"}),
        Wrong("elementwise", {MATMUL: "(g * b.T, a.T * g)"}),
        Wrong("sign", {MATMUL: "(-(g @ b.T), a.T @ g)"}),
        Wrong("undivided", {MEAN: "(g * np.ones_like(x),)"}),
        Wrong("upstream", {MEAN: "(np.ones_like(x) / x.size,)"}),
        Wrong("rows-alone", {MEAN: "(g * np.ones_like(x) / len(x),)"}),
        Wrong("the-value", {MEAN: "(g * x / x.size,)"}),
        Wrong("the-value", {MEAN: "(x / x.size,)"}),
        Wrong("the-value", {MEAN: "(y * np.ones_like(x),)"}),
        Wrong("the-value", {MEAN: "(g * np.ones_like(x) / np.sum(x),)"}),
        Wrong("the-value", {MEAN: "(g * y * np.ones_like(x),)"}),
        Wrong("the-value", {MEAN: "(g * y * np.ones_like(x) / x.size,)"}),
        Wrong("the-value", {MEAN: "(g * y / x,)"}),
        Wrong("rows-alone", {MEAN: "(g * np.ones_like(x) / x.shape[1],)"}),
        Wrong("share-twice", {MEAN: "(g * np.ones_like(x) / x.size ** 2,)"}),
        Wrong("times-size", {MEAN: "(g * np.ones_like(x) * x.size,)"}),
        Wrong("rows-alone", {MEAN: "(g * np.ones(len(x)) / len(x),)"}),
        Wrong("one-number", {MEAN: "(g / x.size,)"}),
        Wrong("one-number", {MEAN: "(1 / x.size,)"}),
        Wrong("one-number", {MEAN: "(g,)"}),
        Wrong("one-number", {MEAN: "(np.mean(g),)"}),
        Wrong("one-number", {MEAN: "(g * np.mean(x),)"}),
        Wrong("comma", {MEAN: "(g * np.ones_like(x) / x.size)"}),
        Wrong("comma", {MEAN: "g / x.size"}),
        Wrong("comma", {MATMUL: "g @ b.T"}),
        Wrong("missing", {MATMUL: "(g @ b.T,)"}),
        Wrong("ones", {MEAN: "(g * np.ones(x) / x.size,)"}),
        Wrong(
            "in-place",
            {
                "class ArrayTape(NumberTape):\n": f"class ArrayTape(NumberTape):\n{programs.IN_PLACE}"
            },
        ),
        Wrong("whose-table", {'"mean": np.mean, ': ""}),
        Wrong("whose-table", {'"mean": np.mean, "matmul": np.matmul': ""}),
    ),
)


PRODUCT = '(run("multiply", g, b), run("multiply", g, a))'
COS = '(run("multiply", g, run("negative", run("sin", x))),)'
RUN_SUM = 'self.run("add", adjoints[n], part) if n in adjoints else part'

nesting = Engine(
    id="14.nesting",
    texts=TEXTS,
    by_number=True,
    prelude=recorder.solution_code,
    program=f"""def sin_rule(run, g, y, x):
    #: rules
    return (run("multiply", g, run("cos", x)),)

def multiply_rule(run, g, y, a, b):
    «return {PRODUCT}»

def cos_rule(run, g, y, x):
    «return {COS}»

class NestedTape(Recorder):
    COMPUTE = {{**Recorder.COMPUTE, "negative": np.negative, "cos": np.cos}}
    RULES = {{
        "add": lambda run, g, y, a, b: (g, g),
        "negative": lambda run, g, y, x: (run("negative", g),),
        "sin": sin_rule,
        "multiply": multiply_rule,
        "cos": cos_rule,
    }}

    def gradient(self, target, sources):
        self.steps = []
        «adjoints = {{target: self.source(1.0)}}
        for k in reversed(range(len(self.entries))):
            op, inputs, output, values = self.entries[k]
            if output in adjoints:
                g = adjoints[output]
                parts = self.RULES[op](self.run, g, output, *inputs)
                self.steps.append((k, g, parts))
                for n, part in zip(inputs, parts):
                    adjoints[n] = {RUN_SUM}
        return [adjoints.get(n) for n in sources]»
""",
    stages=(
        Stage("alone", programs.bend, {"x": programs.bent}),
        Stage("slope", programs.aside, {"x": programs.bent, "w": ()}),
        Stage("cube", programs.cube, {"x": ()}, times=2),
        Stage("third", programs.product, {"x": programs.bent}, times=3),
    ),
    wrong=(
        Wrong("computed", {PRODUCT: "(g * b, g * a)"}),
        Wrong("sign", {COS: '(run("multiply", g, run("sin", x)),)'}),
        Wrong("upstream", {COS: '(run("negative", run("sin", x)),)'}),
        Wrong("overwritten", {RUN_SUM: "part"}),
        Wrong("plus", {RUN_SUM: "adjoints[n] + part if n in adjoints else part"}),
        Wrong("nothing-yet", {RUN_SUM: 'self.run("add", adjoints[n], part)'}),
        Wrong("no-value", {RUN_SUM: 'self.run("add", adjoints.get(n, 0.0), part)'}),
        Wrong("no-value", {RUN_SUM: "adjoints.get(n, 0.0) + part"}),
        Wrong("no-value", {RUN_SUM: 'self.run("add", adjoints.get(n, 0), part)'}),
        Wrong("no-value", {RUN_SUM: 'self.run("add", adjoints.get(n), part)'}),
        Wrong("computed", {COS: "(g * -np.sin(x),)"}),
        Wrong("cos-itself", {COS: '(run("multiply", g, run("negative", y)),)'}),
        Wrong("of-output", {COS: '(run("multiply", g, run("negative", run("sin", y))),)'}),
        Wrong("cos-itself", {COS: '(run("multiply", g, run("cos", x)),)'}),
        Wrong("computed", {COS: '(-run("multiply", g, run("sin", x)),)'}),
        Wrong("computed", {COS: '(run("multiply", -1, run("multiply", g, run("sin", x))),)'}),
        Wrong("upstream", {COS: '(run("sin", x),)'}),
        Wrong("upstream", {PRODUCT: "(b, a)"}),
        Wrong("added", {PRODUCT: PRODUCT.replace("multiply", "add")}),
        Wrong("added", {COS: COS.replace("multiply", "add")}),
        Wrong("is-none", {"adjoints.get(n) for": "adjoints.get(n, 0) for"}),
        Wrong("is-none", {"adjoints.get(n) for": "adjoints.get(n, 0.0) for"}),
        Wrong("is-none", {"adjoints.get(n) for": "adjoints[n] for"}),
        Wrong("emptied", {"        return [adj": "        self.entries = []\n        return [adj"}),
        Wrong("whole-product", {PRODUCT: '(run("multiply", g, y), run("multiply", g, y))'}),
        Wrong(
            "sum", {RUN_SUM: 'self.run("multiply", adjoints[n], part) if n in adjoints else part'}
        ),
        Wrong("sum", {RUN_SUM: 'self.run("add", part, part) if n in adjoints else part'}),
        Wrong("sum", {RUN_SUM: "self.source(part)"}),
        Wrong("comma", {PRODUCT: 'run("multiply", g, b)'}),
        Wrong("comma", {COS: 'run("multiply", g, run("negative", run("sin", x)))'}),
        Wrong("whose-run", {PRODUCT: '(self.run("multiply", g, b), self.run("multiply", g, a))'}),
        Wrong("whose-run", {RUN_SUM: 'run("add", adjoints[n], part) if n in adjoints else part'}),
        Wrong("op-name", {COS: '(run("neg", run("multiply", g, run("sin", x))),)'}),
        Wrong("op-name", {COS: '(run("minus", run("multiply", g, run("sin", x))),)'}),
        Wrong(
            "unrecorded",
            {
                RUN_SUM: "self.source(self.values[adjoints[n]] + self.values[part]) if n in adjoints "
                "else part"
            },
        ),
        Wrong("swapped", {PRODUCT: '(run("multiply", g, a), run("multiply", g, b))'}),
        Wrong("value-for-number", {"[adjoints.get(n) for": "[self.values[adjoints[n]] for"}),
        Wrong("first-kept", {RUN_SUM: "adjoints[n] if n in adjoints else part"}),
        *(
            Wrong("seed", {"self.source(1.0)": seed})
            for seed in ("1.0", "1", "target", "self.source(self.values[target])")
        ),
        Wrong("no-seed", {"{target: self.source(1.0)}": "{}"}),
        *(
            Wrong("call", {"(self.run, g, output, *inputs)": given})
            for given in (
                "(g, output, *inputs)",
                "(NestedTape().run, g, output, *inputs)",
                "(g, self.values[output], *values[:-1])",
                "(self.run, g, self.values[output], *values[:-1])",
                "(self, g, output, *inputs)",
                "(self.run, g, *inputs)",
                "(self.run, g, *inputs, output)",
            )
        ),
        Wrong("star", {"*inputs)": "inputs)"}),
        Wrong("whose-run", {"(self.run, g": "(run, g"}),
        Wrong(
            "grows", {first_14.PLACES: "range(len(self.entries))", "entries[k]": "entries[-1 - k]"}
        ),
        Wrong("own-table", {"self.RULES[op]": "RULES[op]"}),
        Wrong("skipped", {first_14.PLACES: "range(len(self.entries))"}),
        Wrong("not-asked", {"if output in adjoints": "if True"}),
        Wrong("step-form", {"append((k, g, parts))": "append((op, g, parts))"}),
        Wrong("list", {"[adjoints.get(n) for n in sources]": "adjoints"}),
        Wrong("list", {"[adjoints.get(n) for n in sources]": "adjoints[sources[0]]"}),
        Wrong("no-return", {f"return {PRODUCT}": PRODUCT}),
        Wrong("no-return", {f"return {COS}": COS}),
        Wrong("missing", {PRODUCT: '(run("multiply", g, b),)'}),
        Wrong("op-name", {PRODUCT: PRODUCT.replace('"multiply"', "multiply")}),
        Wrong("op-name", {PRODUCT: PRODUCT.replace('"multiply"', "np.multiply")}),
        Wrong("op-name", {RUN_SUM: RUN_SUM.replace('"add", ', "")}),
        Wrong("computed", {COS: '(run("multiply", g, -np.sin(x)),)'}),
        Wrong("computed", {COS: '(run("multiply", g, run("negative", np.sin(x))),)'}),
        Wrong("values", {COS: '(run("multiply", run("multiply", g, -1.0), run("sin", x)),)'}),
        Wrong(
            "values",
            {
                RUN_SUM: RUN_SUM.replace(
                    "adjoints[n], part", "self.values[adjoints[n]], self.values[part]"
                )
            },
        ),
        Wrong("how-many", {COS: '(run("negative", g, run("sin", x)),)'}),
        Wrong("how-many", {PRODUCT: '(run("multiply", g, a, b),)'}),
    ),
)


class OnOwnTape(Function):
    """A function whose slopes come from a play of the learner's own tape, with operations that are
    in its table.
    """

    def _declared_error(self, error: Exception, inputs: Mapping[str, Any]) -> str | None:
        declared = super()._declared_error(error, inputs)
        return "op-name" if not declared and isinstance(error, KeyError) else declared

    def look(self, rounds: Sequence[Mapping[str, Any]], films: Sequence[FilmedAnswer]) -> Any:
        space, played = self._tried[0].__globals__, []
        tape = space["ArrayTape"]

        class Counted(tape):  # type: ignore[misc, valid-type]
            def gradient(self, *asked: Any) -> Any:
                played.append(asked)
                return super().gradient(*asked)

        space["ArrayTape"] = Counted
        try:
            self.called(self._tried[0], rounds[0])
        finally:
            space["ArrayTape"] = tape
        if not played:
            raise NotYet("no-play", self.idea("no-play"))
        return super().look(rounds, films)


# a step whose slopes a formula finds
BY_HAND = """z = x @ w1 + b1
    error = np.sin(z) @ w2 + b2 - t
    loss = (error * error).mean()
    g = 2 * error / error.size
    dz = (g @ w2.T) * np.cos(z)
    slopes = x.T @ dz, dz.sum(axis=0), np.sin(z).T @ g, g.sum(axis=0)
    w1, b1, w2, b2 = [w - rate * slope for w, slope in zip((w1, b1, w2, b2), slopes)]
    return loss, w1, b1, w2, b2"""

step = OnOwnTape(
    id="14.net",
    texts=TEXTS,
    prelude=arrays.prelude + arrays.solution_code,
    inputs={**NET, "rate": lambda chance: round(float(chance.uniform(0.1, 0.4)), 2)},
    program=f"""def loss_of(run, x, minus_t, w1, b1, w2, b2):
    «{programs.LAYERS}»

def step(x, t, w1, b1, w2, b2, rate):
    tape = ArrayTape()
    «values = x, -t, w1, b1, w2, b2
    numbers = [tape.source(value) for value in values]
    target = loss_of(tape.run, *numbers)
    slopes = tape.gradient(target, numbers[2:])
    loss = tape.values[target]
    w1, b1, w2, b2 = [w - rate * slope for w, slope in zip(values[2:], slopes)]
    return loss, w1, b1, w2, b2 <- ...
    return ...»
""",
    wrong=(
        Wrong("uphill", {"w - rate": "w + rate"}),
        Wrong("no-rate", {"rate * slope": "slope"}),
        Wrong("slopes-alone", {"w - rate * slope for": "rate * slope for"}),
        Wrong("bias-kept", {"[w - rate * slope for": "[w - rate * slope * (w.ndim > 1) for"}),
        Wrong("not-moved", {"w - rate * slope for": "w for"}),
        Wrong("plus-t", {"x, -t, w1": "x, t, w1"}),
        Wrong("linear", {'hidden = run("sin", ': "hidden = (lambda h: h)("}),
        Wrong(
            "late-bias",
            {
                '"sin", run("add", run("matmul", x, w1), b1)': '"add", run("sin", run("matmul", x, w1)), b1'
            },
        ),
        Wrong(
            "late-bias",
            {
                'run("sin", run("add", run("matmul", x, w1), b1))': 'run("add", run("matmul", run("sin", x), w1), b1)'
            },
        ),
        Wrong(
            "sin-twice", {'y = run("add", ': 'y = run("sin", run("add", ', "w2), b2)": "w2), b2))"}
        ),
        Wrong("not-squared", {'run("multiply", error, error)': "error"}),
        Wrong(
            "no-mean",
            {'run("mean", run("multiply", error, error))': 'run("multiply", error, error)'},
        ),
        Wrong("square-of-mean", {'"mean", run("multiply", error, error)': SQUARE}),
        Wrong("doubled", {'"multiply", error, error': '"add", error, error'}),
        Wrong("no-return", {"return run": "run"}),
        Wrong("second-layer", {"hidden, w2)": "x, w2)"}),
        Wrong(
            "bias-first",
            {
                'run("add", run("matmul", hidden, w2), b2)': 'run("matmul", run("add", hidden, b2), w2)'
            },
        ),
        Wrong("python-operators", {'run("matmul", x, w1)': "x @ w1"}),
        Wrong("python-operators", {'run("sin", ': "np.sin("}),
        Wrong("python-operators", {'run("sin", ': "tf.sin("}),
        Wrong("python-operators", {'run("add", y, minus_t)': "y + minus_t"}),
        Wrong("op-name", {'"sin"': '"relu"'}),
        *(
            Wrong("unquoted", {f'"{op}"': op})
            for op in ("sin", "add", "matmul", "multiply", "mean")
        ),
        Wrong("tape-for-run", {"tape.run, ": "tape, "}),
        Wrong("tape-for-run", {"tape.run, ": ""}),
        Wrong("packed", {"*numbers": "numbers"}),
        Wrong("matmul-order", {"x, w1)": "w1, x)"}),
        Wrong("matmul-order", {"hidden, w2)": "w2, hidden)"}),
        Wrong("elementwise", {'"matmul", x': '"multiply", x'}),
        Wrong("elementwise", {'"matmul", hidden': '"multiply", hidden'}),
        Wrong("own-weights", {"hidden, w2)": "hidden, w1)"}),
        Wrong("own-weights", {"w1), b1)": "w1), b2)", "w2), b2)": "w2), b1)"}),
        Wrong("not-the-error", {"error, error": "y, y"}),
        Wrong("not-the-error", {"error, error": "error, y"}),
        *(
            Wrong(
                "not-the-error", {'run("multiply", error, error)': f'run("add", {square}, minus_t)'}
            )
            for square in ('run("multiply", y, y)', 'run("multiply", error, error)')
        ),
        Wrong("no-way", {"tape.gradient(target": "tape.gradient(loss", "    slopes": SOONER}),
        Wrong("no-way", {'run("add", run("matmul", x, w1), b1)': 'run("matmul", x, w1)'}),
        Wrong("arrays-asked", {"numbers[2:]": "values[2:]"}),
        Wrong("list-asked", {"numbers[2:]": "numbers[2]"}),
        Wrong("list-asked", {"(target, numbers[2:])": "(numbers[2:], target)"}),
        Wrong("number-for-value", {"loss = tape.values[target]": "loss = target"}),
        Wrong("number-for-value", {"= tape.values[target]": "= values[target]"}),
        Wrong("number-for-value", {"tape.values[target]": "tape.source(target)"}),
        Wrong("number-for-value", {"zip(values[2:]": "zip(numbers[2:]"}),
        Wrong("of-output", {"tape.gradient(target": "tape.gradient(tape.entries[-4][2]"}),
        Wrong("not-sources", {"[tape.source(value) for value in values]": "values"}),
        Wrong("not-sources", {"[tape.source(value) for value in values]": "tape.source(values)"}),
        Wrong("not-sources", {"error, error": "error, 2"}),
        Wrong(
            "other-order",
            {
                "slopes = tape": "w1, w2, b1, b2 = tape",
                "loss =": "slopes = w1, b1, w2, b2\n    loss =",
            },
        ),
        Wrong("all-slopes", {"numbers[2:])": "numbers)"}),
        Wrong("order", {"return loss, w1, b1, w2, b2": "return w1, b1, w2, b2, loss"}),
        Wrong(
            "bare-slopes", {"[w - rate * slope for w, slope in zip(values[2:], slopes)]": "slopes"}
        ),
        Wrong("one-place-off", {"numbers[2:]": "numbers[1:5]"}),
        Wrong("one-place-off", {"zip(values[2:]": "zip(values"}),
        Wrong(
            "bias-kept",
            {
                "[w - rate * slope for w, slope in zip(values[2:], slopes)]": "[w1 - rate * slopes[0], b1, w2, b2]"
            },
        ),
        Wrong("twice", {"rate * slope": "2 * rate * slope"}),
        Wrong("not-made", {"tape = ArrayTape()": "tape = ArrayTape"}),
        Wrong("other-tape", {"ArrayTape()": "NumberTape()"}),
        Wrong("no-play", {"body_2": BY_HAND}),
    ),
)
