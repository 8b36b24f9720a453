"""The beginning of the lesson in which a tape is written: its list by hand, and recording."""

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
