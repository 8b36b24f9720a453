"""The beginning of the lesson in which a tape is written: its list by hand, recording, and the way
back on numbers.
"""

from __future__ import annotations

from minitape.exercises import Catalogue, Engine, Stage, Wrong
from minitape.exercises.lessons import programs_14 as programs

TEXTS = Catalogue("minitape.exercises.lessons.lesson_14")

FIRST = '("add", (0, 1), 2, (4.0, 5.0, 9.0))'
SECOND = '("multiply", (2, 0), 3, (9.0, 4.0, 36.0))'
BOTH = f"    {FIRST},\n    {SECOND},\n"

entries = Engine(
    id="14.list",
    texts=TEXTS,
    stages=(Stage("by-hand", programs.by_hand, programs.FOUR_AND_FIVE, times=0),),
    program=f"entries = «[\n{BOTH}] <- ...»\n",
    wrong=(
        Wrong("values-for-numbers", {"(0, 1), 2": "(4.0, 5.0), 9.0"}),
        Wrong("values-for-numbers", {"(0, 1)": "(4.0, 5.0)"}),
        Wrong("values-for-numbers", {"(2, 0), 3": "(9.0, 4.0), 36.0"}),
        Wrong("names", {"(0, 1), 2": '("x", "b"), "a"'}),
        Wrong("numbers-for-values", {"(4.0, 5.0, 9.0)": '("x", "b", "a")'}),
        Wrong("values-for-numbers", {FIRST: '("add", (4.0, 5.0, 9.0), 2, (0, 1))'}),
        Wrong("from-0", {"(0, 1), 2": "(1, 2), 3"}),
        Wrong("kept", {"(4.0, 5.0, 9.0)": "()"}),
        Wrong("kept", {"(4.0, 5.0, 9.0)": "(4.0, 5.0)"}),
        Wrong("kept", {"(4.0, 5.0, 9.0)": "(9.0,)"}),
        Wrong("numbers-for-values", {"(4.0, 5.0, 9.0)": "(0, 1, 2)"}),
        Wrong(
            "result-last",
            {"(4.0, 5.0, 9.0)": "(9.0, 4.0, 5.0)", "(9.0, 4.0, 36.0)": "(36.0, 9.0, 4.0)"},
        ),
        Wrong("one-each", {f"    {SECOND},\n": ""}),
        Wrong("order", {f"    {FIRST},\n": ""}),
        Wrong("order", {BOTH: f"    {SECOND},\n    {FIRST},\n"}),
        Wrong("sources", {"[\n": '[\n    ("x", (), 0, (4.0,)),\n'}),
        Wrong("new-number", {"(0, 1), 2": "(0, 1), 0"}),
        Wrong("new-number", {"(0, 1), 2": "(0, 1), 1"}),
        Wrong("new-number", {"(2, 0), 3": "(2, 0), 2"}),
        Wrong("input-order", {"(2, 0), 3, (9.0, 4.0, ": "(0, 2), 3, (4.0, 9.0, "}),
        Wrong("other-input", {"(2, 0), 3, (9.0, 4.0, 36.0)": "(2, 1), 3, (9.0, 5.0, 45.0)"}),
        Wrong("other-input", {"(2, 0), 3, (9.0, 4.0, 36.0)": "(0, 0), 3, (4.0, 4.0, 16.0)"}),
        Wrong("values-for-numbers", {"(0, 1)": "(4, 5)", "(2, 0)": "(9, 4)"}),
        Wrong("kept", {"(4.0, 5.0, 9.0)": "9.0", "(9.0, 4.0, 36.0)": "36.0"}),
        Wrong("other-input", {"(2, 0), 3, (9.0, 4.0, 36.0)": "(0, 1), 3, (4.0, 5.0, 20.0)"}),
        Wrong("other-input", {"(2, 0), 3, (9.0, 4.0, 36.0)": "(2, 2), 3, (9.0, 9.0, 81.0)"}),
        Wrong("other-input", {"(2, 0), 3, (9.0, 4.0, 36.0)": "(1, 2), 3, (5.0, 9.0, 45.0)"}),
        Wrong("other-input", {"(2, 0), 3, (9.0, 4.0, 36.0)": "(1, 0), 3, (5.0, 4.0, 20.0)"}),
    ),
)

recorder = Engine(
    id="14.run",
    texts=TEXTS,
    program="""class Recorder:
    COMPUTE = {"add": np.add, "multiply": np.multiply, "sin": np.sin}

    def __init__(self):
        self.values, self.entries = [], []

    def source(self, value):
        «self.values.append(value)
        return len(self.values) - 1»

    def run(self, op, *inputs):
        «values = [self.values[n] for n in inputs]
        y = self.COMPUTE[op](*values)
        output = self.source(y)
        self.entries.append((op, inputs, output, (*values, y)))
        return output»
""",
    stages=(
        Stage("one-card", programs.one_card, {"a": (), "b": ()}, times=0),
        Stage(
            "twins", programs.twins, {"a": programs.always(1.5), "b": programs.always(1.5)}, times=0
        ),
        Stage("again", programs.again, {"a": (), "b": ()}, times=0),
    ),
    wrong=(
        Wrong("kept", {"(*values, y)": "()"}),
        Wrong("kept", {"(*values, y)": "values"}),
        Wrong("kept", {"(*values, y)": "(y,)"}),
        Wrong("result-last", {"(*values, y)": "(y, *values)"}),
        Wrong("kept", {"(op, inputs, output, (*values, y))": "(op, inputs, output)"}),
        Wrong("numbers-for-values", {"(*values, y)": "(*inputs, output)"}),
        Wrong("numbers-for-values", {"(*values, y)": "(*inputs, y)"}),
        Wrong("numbers-for-values", {"(*values, y)": "(*values, output)"}),
        Wrong("numbers-for-values", {"[self.values[n] for n in inputs]": "inputs"}),
        Wrong("numbers-for-values", {"(*values)": "(*inputs)"}),
        Wrong("values-for-numbers", {"(op, inputs,": "(op, tuple(values),"}),
        Wrong("returns-value", {"return output": "return y"}),
        Wrong("returns-value", {"return output": "return self.entries[-1]"}),
        Wrong("gives-none", {"        return output": "        pass"}),
        Wrong("gives-none", {"return len(self.values) - 1": "pass"}),
        Wrong("off-by-one", {"return len(self.values) - 1": "return len(self.values)"}),
        Wrong("returns-value", {"return len(self.values) - 1": "return value"}),
        Wrong(
            "spread",
            {
                ".append((op, inputs, output, (*values, y)))": " += (op, inputs, output, (*values, y))"
            },
        ),
        Wrong("result-kept", {"output = self.source(y)": "output = len(self.values)"}),
        Wrong("off-by-one", {"output = self.source(y)": "output = self.source(y) + 1"}),
        Wrong("output", {"inputs, output,": "inputs, len(self.values),"}),
        Wrong(
            "same-number",
            {
                "self.values.append(value)": "self.values += [value] * (value not in self.values)",
                "len(self.values) - 1": "self.values.index(value)",
            },
        ),
        Wrong("to-its-end", {"self.values.append(value)": "self.values = [value]"}),
        Wrong("shared", {"def __init__(self):\n        self.values, self.": "values, "}),
        Wrong("arguments", {"*inputs):\n": "a, b):\n        inputs = a, b\n"}),
        Wrong("arguments", {"*inputs):\n": "inputs):\n"}),
        Wrong(
            "arguments",
            {"y = self.COMPUTE[op](*values)": "a, b = values\n        y = self.COMPUTE[op](a, b)"},
        ),
        Wrong(
            "arguments",
            {
                "[self.values[n] for n in inputs]": "[self.values[inputs[0]], self.values[inputs[1]]]"
            },
        ),
        Wrong("one-each", {"[self.values[n] for n in inputs]": "self.values[inputs]"}),
        Wrong("off-by-one", {"output = self.source(y)": "output = self.source(y) - 1"}),
        Wrong("self", {"self.values, self.entries = [], []": "values, entries = [], []"}),
        Wrong("self", {"self.source(y)": "source(y)"}),
        Wrong("self-first", {"source(self, value)": "source(value)"}),
        Wrong("own-table", {"self.COMPUTE[op]": "COMPUTE[op]"}),
        Wrong("star", {"(*values)": "(values)"}),
        Wrong("front", {"entries.append((": "entries.insert(0, ("}),
        Wrong("op-name", {"append((op,": "append((self.COMPUTE[op],"}),
        Wrong("recorded", {"self.entries.append((op, inputs, output, (*values, y)))": "pass"}),
        Wrong(
            "recorded",
            {
                ".append((op, inputs, output, (*values, y)))": " = [(op, inputs, output, (*values, y))]"
            },
        ),
        Wrong("self-first", {"run(self, op": "run(op"}),
        Wrong("self", {"self.values.append": "values.append"}),
        Wrong("kept", {"(*values, y)": "y"}),
        Wrong("entry-order", {"op, inputs, output,": "op, output, inputs,"}),
        Wrong("self", {"__init__": "init"}),
        Wrong("name-for-function", {"self.COMPUTE[op](*values)": "op(*values)"}),
        Wrong("name-for-function", {"self.COMPUTE[op]": "self.COMPUTE(op)"}),
        Wrong("name-for-function", {"self.COMPUTE[op]": "self.COMPUTE.op"}),
    ),
)

SUM = "adjoints.get(n, 0.0) + part"
PLACES = "reversed(range(len(self.entries)))"

numbers = Engine(
    id="14.numbers",
    texts=TEXTS,
    prelude=recorder.solution_code,
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
        Stage("nothing", programs.nothing, {"a": (), "b": programs.always(0.0)}),
        # the last one that fits a picture is shown where all is right
        Stage("late", programs.late, {"x": (), "y": ()}),
        Stage("long", programs.long, {"x": (), "b": ()}, judged=False),
    ),
    wrong=(
        Wrong("zero-passed", {"if output in adjoints": "if adjoints.get(output)"}),
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
        Wrong("g-twice", {SUM: "adjoints.get(n, 0.0) + g * part"}),
        Wrong("swapped", {"b": "(g, g)"}),
        Wrong("by-place", {"g = adjoints[output]": "g = adjoints[k]"}),
        Wrong("by-place", {f"adjoints[n] = {SUM}": "adjoints[k] = adjoints.get(k, 0.0) + part"}),
        Wrong("one-part", {SUM: "adjoints.get(n, 0.0) + parts"}),
        Wrong("one-part", {SUM: "adjoints.get(n, 0.0) + parts[0]"}),
        Wrong("g-added", {SUM: "adjoints.get(n, 0.0) + g"}),
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
        Wrong("star", {"g, y, *values)": "g, *values)"}),
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
