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
entries, recorder = first_14.entries, first_14.recorder


SUM = "adjoints.get(n, 0.0) + part"
PLACES = "reversed(range(len(self.entries)))"

numbers = Engine(
    id="14.numbers",
    texts=TEXTS,
    prelude=recorder.right_code,
    program="""class NumberTape(Recorder):
    #: rules
    RULES = {
        "add": lambda g, y, a, b: (g, g),
        "multiply": lambda g, y, a, b: «(g * b, g * a)»,
        "sin": lambda g, y, x: «(g * np.cos(x),)»,
    }

    def gradient(self, target, sources):
        self.steps = []
        «adjoints = {target: 1.0}
"""
    + programs.WALK
    + """        return [adjoints.get(n) for n in sources] <- ...»
""",
    stages=(
        Stage("one-way", programs.one_way, {"a": (), "b": (), "c": (), "d": ()}),
        Stage("fan-out", programs.fan_out, {"x": (), "y": ()}),
        Stage("chain", programs.chain, {"a": (), "b": ()}),
        Stage("stray", programs.stray, {"x": (), "y": (), "w": ()}),
        Stage("late", programs.late, {"x": (), "y": ()}),
        Stage("nothing", programs.one_card, {"a": (), "b": programs.always(0.0)}),
        Stage("long", programs.long, {"x": (), "b": ()}, judged=False),
    ),
    wrong=(
        Wrong("overwritten", {SUM: "part"}),
        Wrong("first-kept", {SUM: "adjoints.get(n, part)"}),
        Wrong("mean-of-parts", {SUM: "(adjoints.get(n, part) + part) / 2"}),
        Wrong("upstream", {"b": "(b, a)"}),
        Wrong("upstream", {"x": "(np.cos(x),)"}),
        Wrong("swapped", {"b": "(g * a, g * b)"}),
        Wrong("sign", {"x": "(-g * np.cos(x),)"}),
        Wrong("of-output", {"x": "(g * np.cos(y),)"}),
        Wrong("the-value", {"x": "(g * y,)"}),
        Wrong("inside", {"x": "(np.cos(g * x),)"}),
        Wrong("of-adjoint", {"x": "(g * np.cos(g),)"}),
        Wrong("whole-product", {"b": "(g * y, g * y)"}),
        Wrong("argument-order", {"(g, y, *values)": "(g, *values, y)"}),
        Wrong("part", {"x": "(g * np.cos(x) * x,)"}),
        Wrong("part", {"b": "(g * b + g * a, g * b + g * a)"}),
        Wrong("same-factor", {"b": "(g * a, g * a)"}),
        Wrong("same-factor", {"b": "(g * b, g * b)"}),
        Wrong("g-twice", {"b": "(g * g * b, g * g * a)"}),
        Wrong("g-twice", {"x": "(g * g * np.cos(x),)"}),
        Wrong("of-cos", {"x": "(g * -np.sin(x),)"}),
        Wrong("divided", {"b": "(g * y / a, g * y / b)"}),
        Wrong("sources-order", {"n in sources": "n in range(len(sources))"}),
        Wrong("not-looked-up", {"g = adjoints[output]": "g = 1.0"}),
        Wrong("stops", {"            if output in": programs.STOP}),
        Wrong("seed", {"{target: 1.0}": "{target: self.values[target]}"}),
        Wrong("seed", {"{target: 1.0}": "{target: 0.0}"}),
        Wrong("no-seed", {"{target: 1.0}": "{}"}),
        Wrong("seed-at-sources", {"{target: 1.0}": "dict.fromkeys(sources, 1.0)"}),
        Wrong("last-target", {"{target: 1.0}": "{self.entries[-1][2]: 1.0}"}),
        Wrong("skipped", {PLACES: "range(len(self.entries))"}),
        Wrong("not-added", {f"adjoints[n] = {SUM}": "pass"}),
        Wrong(
            "counted-anew", {PLACES: "range(len(self.entries))", "entries[k]": "entries[-1 - k]"}
        ),
        Wrong("first-place", {PLACES: "range(len(self.entries) - 1, 0, -1)"}),
        Wrong("begins-with-1", {SUM: "adjoints.get(n, 1.0) + part"}),
        Wrong("product", {SUM: "adjoints.get(n, 1.0) * part"}),
        Wrong("nothing-yet", {SUM: "adjoints[n] + part"}),
        Wrong("nothing-yet", {SUM: "adjoints.get(n) + part"}),
        Wrong("not-asked", {"if output in adjoints": "if True"}),
        Wrong("comma", {"b": "g * y"}),
        Wrong("comma", {"b": "g * b"}),
        Wrong("comma", {"x": "g * np.cos(x)"}),
        Wrong("places", {PLACES: "reversed(self.entries)"}),
        Wrong("places", {PLACES: "reversed(len(self.entries))"}),
        Wrong("places", {PLACES: "len(self.entries)"}),
        Wrong("places", {PLACES: "range(len(self.entries), 0, -1)"}),
        Wrong("no-steps", {"self.steps.append((k, g, parts))": "pass"}),
        Wrong("steps-turned", {"steps.append((k": "steps.insert(0, (k"}),
        Wrong("step-form", {"append((k, g, parts))": "append((op, g, parts))"}),
        Wrong("step-form", {"append((k, g, parts))": "append((k, parts))"}),
        Wrong("step-form", {"append((k, g, parts))": "append((output, g, parts))"}),
        Wrong("step-form", {"append((k, g, parts))": "append((g, k, parts))"}),
        Wrong("list", {"return [adjoints.get(n) for n in sources]": "return adjoints"}),
        Wrong("list", {"[adjoints.get(n) for n in sources]": "adjoints.get(sources)"}),
        Wrong("gives-none", {"        return [adjoints.get(n) for n in sources]": ""}),
        Wrong("is-none", {"adjoints.get(n) for": "adjoints.get(n, 0.0) for"}),
        Wrong("is-none", {"adjoints.get(n) for": "adjoints[n] for"}),
        Wrong(
            "result-too", {"(*values, y) =": "values =", "(g, y, *": "(g, self.values[output], *"}
        ),
        Wrong("returns-values", {"adjoints.get(n) for": "self.values[n] for"}),
        Wrong("own-table", {"self.RULES[op]": "RULES[op]"}),
        Wrong("star", {"g, y, *values)": "g, y, values)"}),
        Wrong("by-value", {"self.RULES[op](g, y, *values)": "self.RULES[op](g, y, *inputs)"}),
        Wrong("missing", {"b": "(g * b, None)", SUM: f"{SUM[:-4]}(part or 0.0)"}),
        Wrong("twice", {programs.WALK: programs.EACH_WAY}),
        Wrong("early", {programs.WALK: programs.BY_LEVELS}),
        Wrong("recursion", {programs.WALK: programs.COUNTED}),
        Wrong(
            "list", {"return [adjoints.get(n) for n in sources]": "return list(adjoints.values())"}
        ),
        Wrong("parts-turned", {"zip(inputs, parts)": "zip(inputs, reversed(parts))"}),
        Wrong("plus-one", {"adjoints.get(n) for": "adjoints.get(n, 0.0) + 1.0 for"}),
    ),
)

SQUARE = '"multiply", run("mean", error), run("mean", error)'
SOONER = "    loss = tape.values[target]\n    slopes"
NET = {"x": ("n", "m"), "t": ("n", 1), "w1": ("m", "k"), "b1": ("k",), "w2": ("k", 1), "b2": (1,)}
FRONT = "part = part.sum(axis=0)"

arrays = Engine(
    id="14.arrays",
    texts=TEXTS,
    prelude=recorder.right_code + numbers.right_code,
    program="""def summed(part, shape):
    #: front
    for _ in range(part.ndim - len(shape)):
        part = «part.sum(axis=0)»
    #: ones
    for axis, length in enumerate(shape):
        if length == 1:
            part = «part.sum(axis=axis, keepdims=True)»
    return part

class ArrayTape(NumberTape):
    COMPUTE = {**NumberTape.COMPUTE, "matmul": np.matmul, "mean": np.mean}
    RULES = {
        "add": lambda g, y, a, b: (summed(g, a.shape), summed(g, b.shape)),
        "multiply": lambda g, y, a, b: (summed(g * b, a.shape), summed(g * a, b.shape)),
        "sin": lambda g, y, x: (g * np.cos(x),),
        "matmul": lambda g, y, a, b: «(g @ b.T, a.T @ g)»,
        "mean": lambda g, y, x: «(g * np.ones_like(x) / x.size,)»,
    }
""",
    stages=(
        Stage("mean", programs.mean, {"x": programs.small}),
        Stage("weights", programs.weights, {"x": ("n", "m"), "w": ("m", "k")}),
        # of two rows, the first and the second would be all
        Stage("bias", programs.bias, {"x": (3, "m"), "b": ("m",)}),
        Stage("column", programs.column, {"x": ("n", "m"), "s": ("n", 1)}),
        Stage("skip", programs.skip, {"x": ("n",), "b": ("n",)}),
        Stage("net", programs.net, NET),
    ),
    wrong=(
        Wrong("unsummed", {"range(part.ndim - len(shape))": "range(0)"}),
        Wrong("kept-in-front", {"part": "part.sum(axis=0, keepdims=True)"}),
        Wrong("unsummed", {"part_2": "part"}),
        Wrong("mean-for-sum", {"part": "part.mean(axis=0)"}),
        Wrong("mean-for-sum", {"part_2": "part.mean(axis=axis, keepdims=True)"}),
        Wrong("first-one", {"part": "part[0]"}),
        Wrong("first-one", {"part": "part[-1]"}),
        Wrong("first-one", {"part": "part[0] + part[1]"}),
        Wrong("first-one", {"part": "part.max(axis=0)"}),
        Wrong("first-one", {"part_2": "part[..., :1]"}),
        Wrong("other-axis", {"part": "part.sum(axis=1)"}),
        Wrong("other-axis", {"part_2": "part.sum(axis=0, keepdims=True)"}),
        Wrong("other-axis", {"part_2": "part.sum(axis=1, keepdims=True)"}),
        Wrong("other-axis", {"part": "part.sum(axis=axis)"}),
        Wrong("all", {"part": "part.sum()"}),
        Wrong("all", {"part_2": "part.sum()"}),
        Wrong("all", {"part_2": "part.sum(keepdims=True)"}),
        Wrong("no-return", {"    return part\n": ""}),
        Wrong("part", {"x": "(g / y * np.ones_like(x),)"}),
        Wrong("keepdims", {"part_2": "part.sum(axis=axis)"}),
        Wrong("keepdims", {"part_2": "part.sum(axis=0)"}),
        Wrong("reshaped", {"part": "part.reshape(shape)"}),
        Wrong("reshaped", {"part_2": "part.reshape(shape)"}),
        Wrong("swapped-parts", {"b": "(a.T @ g, g @ b.T)"}),
        Wrong("shape", {"b": "(b @ g.T, a.T @ g)"}),
        Wrong("not-turned", {"b": "(g @ b, a @ g)"}),
        Wrong("not-turned", {"b": "(g @ b.T, a @ g)"}),
        Wrong("g-side", {"b": "(b.T @ g, g @ a.T)"}),
        Wrong("g-side", {"b": "(g @ b.T, g @ a.T)"}),
        Wrong("g-turned", {"b": "(g @ b.T, g.T @ a)"}),
        Wrong("g-turned", {"b": "(g.T @ b, a.T @ g)"}),
        Wrong("comma", {"b": "(g @ b.T + a.T @ g,)"}),
        Wrong("mean-for-sum", {"b": "(g @ b.T / len(a), a.T @ g / len(a))"}),
        Wrong("upstream", {"b": "(b.T, a.T)"}),
        Wrong("elementwise", {"b": "(g * b, g * a)"}),
        Wrong("elementwise", {"b": "(g * b.T, a.T * g)"}),
        Wrong("sign", {"b": "(-(g @ b.T), a.T @ g)"}),
        Wrong("undivided", {"x": "(g * np.ones_like(x),)"}),
        Wrong("upstream", {"x": "(np.ones_like(x) / x.size,)"}),
        Wrong("rows-alone", {"x": "(g * np.ones_like(x) / len(x),)"}),
        Wrong("the-value", {"x": "(g * x / x.size,)"}),
        Wrong("the-value", {"x": "(x / x.size,)"}),
        Wrong("the-value", {"x": "(g * np.ones_like(x) / np.sum(x),)"}),
        Wrong("the-value", {"x": "(g * y * np.ones_like(x),)"}),
        Wrong("the-value", {"x": "(g * y * np.ones_like(x) / x.size,)"}),
        Wrong("the-value", {"x": "(g * y / x,)"}),
        Wrong("rows-alone", {"x": "(g * np.ones_like(x) / x.shape[1],)"}),
        Wrong("share-twice", {"x": "(g * np.ones_like(x) / x.size ** 2,)"}),
        Wrong("times-size", {"x": "(g * np.ones_like(x) * x.size,)"}),
        Wrong("rows-alone", {"x": "(g * np.ones(len(x)) / len(x),)"}),
        Wrong("one-number", {"x": "(g / x.size,)"}),
        Wrong("one-number", {"x": "(1 / x.size,)"}),
        Wrong("one-number", {"x": "(g,)"}),
        Wrong("one-number", {"x": "(np.mean(g),)"}),
        Wrong("one-number", {"x": "(g * np.mean(x),)"}),
        Wrong("comma", {"x": "(g * np.ones_like(x) / x.size)"}),
        Wrong("comma", {"x": "g / x.size"}),
        Wrong("comma", {"b": "g @ b.T"}),
        Wrong(
            "in-place",
            {
                "class ArrayTape(NumberTape):\n": f"class ArrayTape(NumberTape):\n{programs.IN_PLACE}"
            },
        ),
        Wrong("whose-table", {'"mean": np.mean': ""}),
        Wrong("whose-table", {', "mean": np.mean': "", '"matmul": np.matmul': ""}),
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
    prelude=arrays.prelude + arrays.right_code,
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
        Wrong("not-the-error", {"error, error": "y, y"}),
        Wrong("not-the-error", {"error, error": "error, y"}),
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
            "slopes-alone", {"[w - rate * slope for w, slope in zip(values[2:], slopes)]": "slopes"}
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

nesting = Engine(
    id="14.nesting",
    texts=TEXTS,
    by_number=True,
    prelude=recorder.right_code,
    program="""class NestedTape(Recorder):
    COMPUTE = {**Recorder.COMPUTE, "negative": np.negative, "cos": np.cos}
    #: rules
    RULES = {
        "add": lambda run, g, y, a, b: (g, g),
        "negative": lambda run, g, y, x: (run("negative", g),),
        "sin": lambda run, g, y, x: (run("multiply", g, run("cos", x)),),
        "multiply": lambda run, g, y, a, b: «(run("multiply", g, b), run("multiply", g, a))»,
        "cos": lambda run, g, y, x: «(run("multiply", g, run("negative", run("sin", x))),)»,
    }

    def gradient(self, target, sources):
        self.steps = []
        adjoints = {target: self.source(1.0)}
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
        Stage("slope", programs.product, {"x": programs.bent}),
        Stage("cube", programs.cube, {"x": ()}, times=2),
        Stage("third", programs.product, {"x": programs.bent}, times=3),
    ),
    wrong=(
        Wrong("computed", {"b": "(g * b, g * a)"}),
        Wrong("sign", {"x": '(run("multiply", g, run("sin", x)),)'}),
        Wrong("upstream", {"x": '(run("negative", run("sin", x)),)'}),
        Wrong("overwritten", {"n": "part"}),
        Wrong("plus", {"n": "adjoints[n] + part if n in adjoints else part"}),
        Wrong("nothing-yet", {"n": 'self.run("add", adjoints[n], part)'}),
        Wrong("no-value", {"n": 'self.run("add", adjoints.get(n, 0.0), part)'}),
        Wrong("no-value", {"n": "adjoints.get(n, 0.0) + part"}),
        Wrong("no-value", {"n": 'self.run("add", adjoints.get(n, 0), part)'}),
        Wrong("no-value", {"n": 'self.run("add", adjoints.get(n), part)'}),
        Wrong("computed", {"x": "(g * -np.sin(x),)"}),
        Wrong("cos-itself", {"x": '(run("multiply", g, run("negative", y)),)'}),
        Wrong("of-output", {"x": '(run("multiply", g, run("negative", run("sin", y))),)'}),
        Wrong("cos-itself", {"x": '(run("multiply", g, run("cos", x)),)'}),
        Wrong("computed", {"x": '(-run("multiply", g, run("sin", x)),)'}),
        Wrong("computed", {"x": '(run("multiply", -1, run("multiply", g, run("sin", x))),)'}),
        Wrong("upstream", {"x": '(run("sin", x),)'}),
        Wrong("upstream", {"b": "(b, a)"}),
        Wrong("whole-product", {"b": '(run("multiply", g, y), run("multiply", g, y))'}),
        Wrong("sum", {"n": 'self.run("multiply", adjoints[n], part) if n in adjoints else part'}),
        Wrong("sum", {"n": 'self.run("add", part, part) if n in adjoints else part'}),
        Wrong("sum", {"n": "self.source(part)"}),
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
        Wrong("value-for-number", {"[adjoints.get(n) for": "[self.values[adjoints[n]] for"}),
        Wrong("first-kept", {"n": "adjoints[n] if n in adjoints else part"}),
    ),
)
