"""Programs that are large: in lines, in functions, in objects, in terms of one formula. Each asks
for a gradient that is None.
"""

import linecache
import warnings

from minitape.engine.base.errors import NoneGradientWarning

HEAD = """import numpy as np
import minitape as tf
w = tf.Variable(2.0)
v = tf.Variable(3.0)
flag = -1
"""
ASK = "ask = lambda: tape.explain(loss, w)\n"
PARTS = {
    # many small functions that nobody calls, all with the same names
    "functions": """
def step_{k}(x, rate):
    h = x * {k} + rate
    if rate > {k}:
        h = h * w
    else:
        h = h - 1.0
    for turn in range(3):
        h = h + turn * x
    return h * rate
""",
    # functions that call each other, a dozen of them in the block
    "stages": """
def stage_{k}(x):
    if flag > {k}:
        x = x * w
    for turn in range(2):
        x = x + turn * v
    return stage_{half}(x) if {k} else x
""",
    "layers": """
class Layer{k}:
    def __init__(self, units):
        self.kernel = tf.Variable([1.0] * units)

    def __call__(self, x):
        y = x * self.kernel
        return y if {k} % 2 else y * w

layer_{k} = Layer{k}({k} + 1)
""",
    # no function at all: one name is given again and again
    "lines": """
h = w * {k}.0
if flag > {k}:
    h = h + w
z_{k} = h - 1.0
""",
}
CAUSES = {
    "numpy-escape": """with tf.GradientTape() as tape:
    y = w * START
    loss = tf.constant(np.square(y)) * v
""",
    "not-used": """with tf.GradientTape() as tape:
    y = START
    loss = y * 2.0
""",
    "branch-not-taken": """with tf.GradientTape() as tape:
    y = START
    if flag > 0:
        y = y * w
    loss = y * 2.0
""",
}


def text_of(part, lines, cause):
    """Return the text of a program of so many lines, made of a part again and again; without a
    part, of the cause alone.
    """
    count = max(1, lines // PARTS[part].count("\n")) if part else 0
    start = f"stage_{count - 1}(v)" if part == "stages" else "v * v"
    parts = [PARTS[part].format(k=k, half=k // 2) for k in range(count)]
    return (
        HEAD
        + "".join(parts)
        + CAUSES[cause].replace("START", start)
        + "grad = tape.gradient(loss, w)\n"
        + ASK
    )


def formula_of(terms):
    """Return the text of a program with a formula of so many terms."""
    return (
        HEAD + "with tf.GradientTape() as tape:\n    y = tf.constant(float(w)) * v\n    loss = "
        f"{' + '.join(['y'] * terms)}\n"
        "grad = tape.gradient(loss, w)\n" + ASK
    )


def run(text, name, scope=None):
    """Run a program; return its names, and the warning that it gave or None."""
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    names = {"__name__": "__main__", **(scope or {})}
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        exec(compile(text, name, "exec"), names)
    return names, next(
        (str(w.message) for w in heard if issubclass(w.category, NoneGradientWarning)), None
    )
