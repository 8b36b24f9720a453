"""The exercises of lesson 01: a slope found by trying, what that costs, and a slope found link by
link.
"""

from __future__ import annotations

from minitape.exercises import Catalogue, Function, Prediction, Wrong

TEXTS = Catalogue(__name__)

recall = Prediction(
    id="01.recall",
    texts=TEXTS,
    numbers={"x": (2.0, 3.0, 4.0, 5.0), "k": (3.0, 4.0, 6.0, 7.0)},
    right="slope",
    program="""k = {k}
x = tf.Variable({x})

with tf.GradientTape() as tape:
    y = k * x + x * x

slope = tape.gradient(y, x)
""",
    wrong=(
        Wrong("last-only", "x + x"),
        Wrong("first-only", "k"),
        Wrong("one-side", "k + x"),
        Wrong("value", "y"),
        Wrong("value", "k + x * x"),
        Wrong("value", "k * x"),
        Wrong("multiplied", "2 * k * x"),
        Wrong("k-once", "2 * k + x"),
        Wrong("k-once", "2 * k + 2 * x"),
        Wrong("value", "k + 2 * x * x"),
        Wrong("value", "2 * x * x"),
        Wrong("own-factor", "k * x + 2 * x"),
        Wrong("own-factor", "3 * x"),
        Wrong("no-place", "k + 2"),
    ),
)

sign = Prediction(
    id="01.sign",
    texts=TEXTS,
    numbers={"x": (2, 3, 4, 5, 6), "k": (7, 9, 11)},
    right='"+" if f(x + 0.001) > f(x) else "−"',
    program="""def f(x):
    return x * x - {k} * x

x = {x}
""",
    wrong=(Wrong("other-way", '"−" if f(x + 0.001) > f(x) else "+"'), Wrong("flat", '"0"')),
)

near = Prediction(
    id="01.near",
    texts=TEXTS,
    numbers={"x": (2.0, 3.0, 4.0, 5.0)},
    right='">" if slope > 3 * x * x else "<"',
    program="""def f(x):
    return x * x * x

x = {x}
h = 0.1
slope = (f(x + h) - f(x)) / h
""",
    wrong=(Wrong("below", '"<" if slope > 3 * x * x else ">"'), Wrong("exact", '"="')),
)

best = Prediction(
    id="01.best",
    texts=TEXTS,
    numbers={"x": (2.0, 3.0, 5.0, 7.0)},
    right="str(min([0.1, 1e-8, 1e-15], key=error))",
    program="""def f(x):
    return x * x * x

def error(h):
    x = {x}
    slope = (f(x + h) - f(x)) / h
    return abs(slope - 3 * x * x)
""",
    wrong=(Wrong("smallest", "str(1e-15)"), Wrong("largest", "str(0.1)")),
)

errors = Function(
    id="01.errors",
    texts=TEXTS,
    by_trying=True,
    inputs={"x": (), "steps": lambda numbers: numbers.uniform(0.05, 0.5, 4).round(3)},
    program="""def f(x):
    return x * x * x

def errors(x, steps):
    exact = 3 * x * x
    found = «(f(x + steps) - f(x - steps)) / (2 * steps)»
    return np.abs(np.subtract(found, exact))
""",
    wrong=(
        Wrong("one-side", {"found": "(f(x + steps) - f(x)) / steps"}),
        Wrong("one-side", {"found": "(f(x) - f(x - steps)) / steps"}),
        Wrong("one-side", {"found": "(f(x - steps) - f(x)) / steps"}),
        Wrong("one-side", {"found": "(f(x + 2 * steps) - f(x)) / (2 * steps)"}),
        Wrong("distance", {"found": "(f(x + steps) - f(x - steps)) / 2"}),
        Wrong("distance", {"found": "(f(x + steps) - f(x - steps)) / (2 * x)"}),
        Wrong("distance", {"found": "(f(x + steps) - f(x - steps)) / (steps * steps)"}),
        Wrong("distance", {"found": "(f(x + steps) - f(x - steps)) * 2 * steps"}),
        Wrong("added", {"found": "(f(x + steps) + f(x - steps)) / (2 * steps)"}),
        Wrong("added", {"found": "(f(x + steps) + f(x - steps)) / 2"}),
        Wrong("input-change", {"found": "((x + steps) - (x - steps)) / (2 * steps)"}),
        Wrong("shape", {"found": "(f(x + steps[0]) - f(x - steps[0])) / (2 * steps[0])"}),
        Wrong("one-step", {"found": "(f(x + steps) - f(x - steps)) / steps"}),
        Wrong("brackets", {"found": "(f(x + steps) - f(x - steps)) / 2 * steps"}),
        Wrong("brackets", {"found": "f(x + steps) - f(x - steps) / (2 * steps)"}),
        Wrong("brackets", {"found": "f(x + steps) - f(x - steps) / 2 * steps"}),
        Wrong("one-side", {"found": "(f(x + steps) - f(x)) / 2 * steps"}),
        Wrong("one-side", {"found": "(f(x + steps) - f(x)) / (2 * steps)"}),
        Wrong("bend", {"found": "(f(x + steps) + f(x - steps) - 2 * f(x)) / (steps * steps)"}),
        Wrong("bend", {"found": "(f(x + steps) + f(x - steps) - 2 * f(x)) / (2 * steps)"}),
        Wrong("half-steps", {"found": "(f(x + steps / 2) - f(x - steps / 2)) / steps"}),
        Wrong("left-first", {"found": "(f(x - steps) - f(x + steps)) / (2 * steps)"}),
        Wrong("undivided", {"found": "f(x + steps) - f(x - steps)"}),
        Wrong("undivided", {"found": "f(x + steps) - f(x)"}),
        Wrong("undivided", {"found": "f(x + steps)"}),
        Wrong("by-formula", {"found": "exact"}),
        Wrong("at.errors(...)", {"found": "(f(x + steps) - f(x) - f(x - steps)) / (2 * steps)"}),
        Wrong("left-first", {"found": "(f(x) - f(x + steps)) / steps"}),
        Wrong("brackets", {"found": "f(x + steps) - f(x) / steps"}),
    ),
)

difference = Function(
    id="01.difference",
    texts=TEXTS,
    by_trying=True,
    inputs={"x": ("n",), "h": lambda numbers: round(float(numbers.uniform(0.1, 0.5)), 3)},
    program="""def total(x):
    return np.sum(x * x * x - 6 * x)

def slopes(x, h):
    start = total(x)
    found = []
    for k in range(len(x)):
        #: copy
        moved = x.copy()
        moved[k] = «x[k] + h»
        found.append(«(total(moved) - start) / h»)
    return found
""",
    wrong=(
        Wrong("replaced", {"k": "h"}),
        Wrong("its-number", {"k": "k + h"}),
        Wrong("its-number", {"k": "k * h"}),
        Wrong("its-number", {"k": "x[k] + k * h"}),
        Wrong("unmoved", {"k": "x[k]"}),
        Wrong("wrong-way", {"k": "x[k] - h"}),
        Wrong("input-change", {"append": "(moved[k] - x[k]) / h"}),
        Wrong("brackets", {"append": "total(moved) - start / h"}),
        Wrong("unsummed", {"append": "(moved - x) / h"}),
        Wrong("shape", {"    return found": "        return found"}),
        Wrong("step-times", {"k": "x[k] * h"}),
        Wrong("first-input", {"k": "x[0] + h"}),
        Wrong("double-step", {"k": "x[k] + 2 * h"}),
        Wrong("replaced", {"k": "h + h"}),
        Wrong("input-change", {"append": "moved[k] - x[k]"}),
        Wrong("undivided", {"append": "start - total(moved)"}),
        Wrong("floor", {"append": "(total(moved) - start) // h"}),
        Wrong("step-times", {"k": "x[k] * (1 + h)"}),
        Wrong("before-first", {"append": "(start - total(moved)) / h"}),
        Wrong("one-alone", {"append": "(total(moved[k]) - start) / h"}),
        Wrong("by-input", {"append": "(total(moved) - start) / x[k]"}),
        Wrong("by-input", {"append": "(total(moved) - start) / moved[k]"}),
        Wrong("by-input", {"append": "(total(moved) - start) / (k + 1)"}),
        Wrong("two-steps", {"append": "(total(moved) - start) / (2 * h)"}),
        Wrong("added", {"append": "(total(moved) + start) / h"}),
        Wrong("everything", {"append": "(total(moved) - total(moved - h)) / h"}),
        Wrong("at.found", {"append": "total(moved) * start"}),
        Wrong("everything", {"moved[k] =": "moved ="} | {"x[k] + h": "x + h"}),
        Wrong("everything", {"k": "x + h"}),
        Wrong("undivided", {"append": "total(moved) - start"}),
        Wrong("undivided", {"append": "total(moved)"}),
        Wrong("still-moved", {"x.copy()": "x"}),
        Wrong("not-started", {"append": "total(moved) / h"}),
        Wrong("to-the-left", {"k": "x[k] - h", "append": "(start - total(moved)) / h"}),
        Wrong("multiplied", {"append": "(total(moved) - start) * h"}),
        Wrong("by-formula", {"append": "3 * x[k] * x[k] - 6"}),
        Wrong(
            "both-sides",
            {
                "append": "(total(moved) - total(np.where(np.arange(len(x)) == k, x - h, x))) / "
                "(2 * h)"
            },
        ),
    ),
)

runs = Prediction(
    id="01.runs",
    texts=TEXTS,
    numbers={"n": (4, 6, 9, 12, 15, 20)},
    right="1 + len(x)",
    program="""def total(x):
    return np.sum(x * x * x)

x = np.ones({n})
h = 0.001
start = total(x)
found = []
for k in range(len(x)):
    moved = x.copy()
    moved[k] = x[k] + h
    found.append((total(moved) - start) / h)
""",
    wrong=(
        Wrong("start-forgotten", "len(x)"),
        Wrong("two-each", "2 * len(x)"),
        Wrong("two-each", "2 * len(x) + 1"),
        Wrong("two-each", "2 * len(x) + 2"),
        Wrong("squared", "len(x) ** 2 + 1"),
        Wrong("written", "2"),
        Wrong("once", "1"),
        Wrong("start-twice", "len(x) + 2"),
        Wrong("squared", "len(x) ** 2"),
        Wrong("from-zero", "len(x) - 1"),
        Wrong("step", "1 / h"),
        Wrong("times-written", "3 * len(x)"),
        Wrong("times-written", "3 * len(x) + 1"),
    ),
)

chain = Prediction(
    id="01.chain",
    texts=TEXTS,
    numbers={"x": (3, 4, 5, 6), "a": (3, 4, 5, 7), "b": (2, 3, 5, 7)},
    right="a * 1 * 2 * v",
    program="""x, a, b = {x}, {a}, {b}

u = a * x
v = u - b
y = v ** 2
""",
    wrong=(
        Wrong("last-link", "2 * v"),
        Wrong("added", "a + 1 + 2 * v"),
        Wrong("first-link", "a"),
        Wrong("added", "a + 2 * v"),
        Wrong("place", "a * 2 * x"),
        Wrong("place", "a * 2 * u"),
        Wrong("no-value", "a * 2"),
        Wrong("no-value", "2 * (a - b)"),
        Wrong("value-times", "2 * a * y"),
        Wrong("taken-away", "a * 2 * v - b"),
        Wrong("taken-away", "a * 2 * v + b"),
        Wrong("added", "a + v"),
        Wrong("no-two", "a * v"),
        Wrong("value", "y"),
        Wrong("value", "v"),
        Wrong("value", "u"),
        Wrong("value-times", "a * y"),
        Wrong("own-factor", "x * 2 * v"),
        Wrong("both-factors", "a * x * 2 * v"),
        Wrong("taken-away", "(a - b) * 2 * v"),
        Wrong("taken-away", "a * b * 2 * v"),
        Wrong("taken-away", "-a * 2 * v"),
    ),
)

keeps = Prediction(
    id="01.keeps",
    texts=TEXTS,
    numbers={"k": (2, 3, 4), "m": (5, 6, 7)},
    right='"u"',
    program="""x = tf.Variable(2.0)

with tf.GradientTape() as tape:
    u = x + {k}
    v = u ** 2
    y = {m} * v
""",
    wrong=(Wrong("result", '"v"'), Wrong("input", '"x"'), Wrong("target", '"y"')),
)

forward = Prediction(
    id="01.forward",
    texts=TEXTS,
    numbers={"n": (3, 5, 8, 20), "m": (2, 4, 7, 30)},
    right="inputs",
    program="""inputs = {n}
results = {m}
""",
    wrong=(
        Wrong("results", "results"),
        Wrong("product", "inputs * results"),
        Wrong("product", "inputs * results + 1"),
        Wrong("twice", "2 * inputs"),
        Wrong("once", "1"),
        Wrong("both", "inputs + results"),
        Wrong("one-more", "inputs + 1"),
    ),
)

VOLUME = "4 * (2 + 0.5 * ({})) ** 3"
NOW = VOLUME.format("t")

balloon = Function(
    id="01.balloon",
    texts=TEXTS,
    inputs={"t": lambda numbers: round(float(numbers.uniform(0.5, 4.0)), 2)},
    program="""def growth(t):
    «radius = 2.0 + 0.5 * t
    volume = 4.0 * radius ** 3
    slope_radius = 0.5
    slope_volume = 12.0 * radius ** 2
    return slope_volume * slope_radius»
""",
    wrong=(
        Wrong("last-link", {"slope_volume * slope_radius": "slope_volume"}),
        Wrong("added", {"slope_volume * slope_radius": "slope_volume + slope_radius"}),
        Wrong("place", {"radius ** 2": "t ** 2"}),
        Wrong("place-and-link", {"radius ** 2": "t ** 2", "* slope_radius": ""}),
        Wrong("lost-factor", {"12.0": "3.0"}),
        Wrong("factor-and-link", {"12.0": "3.0", "* slope_radius": ""}),
        Wrong("rule", {"12.0": "4.0"}),
        Wrong("rule", {"12.0 * radius ** 2": "12.0 * radius"}),
        Wrong("rule", {"12.0 * radius ** 2": "12.0 * radius ** 3"}),
        Wrong("first-slope", {"slope_radius = 0.5": "slope_radius = 2.5"}),
        Wrong("first-slope", {"slope_radius = 0.5": "slope_radius = 2.0"}),
        Wrong("place", {"slope_volume * slope_radius": "12.0 * t ** 2 + slope_radius"}),
        Wrong("radius", {"2.0 + 0.5 * t": "2.0"}),
        Wrong("first-slope", {"slope_radius = 0.5": "slope_radius = 0.5 * t"}),
        Wrong("radius", {"2.0 + 0.5 * t": "2.0 + 0.5"}),
        Wrong("radius", {"2.0 + 0.5 * t": "0.5 * t"}),
        Wrong("radius", {"2.0 + 0.5 * t": "2.5 * t"}),
        Wrong("by-trying", {"body": f"return ({VOLUME.format('t + 0.1')} - {NOW}) / 0.1"}),
        Wrong("by-trying", {"body": f"return ({VOLUME.format('t + 0.01')} - {NOW}) / 0.01"}),
        Wrong("by-trying", {"body": f"return ({VOLUME.format('t + 1e-4')} - {NOW}) / 1e-4"}),
        Wrong("average", {"body": f"return {VOLUME.format('t + 1')} - {NOW}"}),
        Wrong("average", {"body": f"return {NOW} / t"}),
        Wrong("average", {"body": f"return ({NOW} - 32) / t"}),
        Wrong("at.growth(...)", {"slope_volume * slope_radius": "slope_radius / slope_volume"}),
        Wrong("value", {"slope_volume * slope_radius": "volume"}),
        Wrong("link-value", {"slope_volume * slope_radius": "slope_volume * radius"}),
        Wrong("value-times", {"slope_volume * slope_radius": "volume * slope_radius"}),
        Wrong("first-link", {"slope_volume * slope_radius": "slope_radius"}),
        Wrong("rule", {"body": "return 24 * (2 + 0.5 * t) * 0.5"}),
        Wrong("brackets", {"body": "return 12 * 2 + 0.5 * t ** 2 * 0.5"}),
        Wrong("brackets", {"body": "return 12 * (2 + 0.5 * t ** 2) * 0.5"}),
        Wrong("slope-as-radius", {"body": "return 12 * 0.5 ** 2"}),
        Wrong("slope-as-radius", {"body": "return 12 * 0.5 ** 2 * 0.5"}),
    ),
)
