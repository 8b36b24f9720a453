"""The facts of a row, compared with what the row does: used by `make check OP=` and by
`test_facts.py`.

What is element by element is measured: on a small grid, and far out. Of other rows the names are
looked up, and the page's table is read.
"""

import functools
import inspect
import re
from pathlib import Path

import numpy as np

import minitape as tf
from minitape.engine.base.listeners import active
from minitape.engine.ops.facts import FACTS
from minitape.engine.ops.record import OPS
from minitape.storyboard.stage.formula import Rules
from tests.engine import cases
from tests.engine.check import draw_inputs

ROOT = Path(__file__).resolve().parent.parent.parent
TABLE = ROOT / "minitape/engine/ops/facts.py"
PAGE = ROOT / "widgets/minitape_widgets/static/replay"
GRID = np.array([-3, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3])
FAR = np.array([-1e6, 1e6])
LARGE = 1000.5
ONE_SIDE = ("Neg", "Invert")
UNMEASURED = ("AddN", "Complex", "Real", "Imag", "ComplexAbs", "ComplexSign", "Angle")


def lacking(op):
    """Return what the line of a row lacks, or says wrong, as sentences."""
    if op.name not in FACTS and op.name not in rows_of_the_engine():
        return []
    if op.name not in FACTS:
        return [
            f"The table of facts has no line for it. Add one to {TABLE.relative_to(ROOT)}: "
            f'"{op.name}": Facts(...).'
        ]
    facts = FACTS[op.name]
    said = [*of_names(op, facts), *of_page(op, facts)]
    case = next((c for c in cases.CASES if c.op == op.name and c.shapes is None), None)
    if case is not None and case.reached and op.registered and op.name not in UNMEASURED:
        with np.errstate(all="ignore"):
            said += {1: of_curve, 2: of_surface}.get(case.count(), nothing)(
                facts, computed(op, case)
            )
    return said


def sentence_of(name):
    """Return the facts of a row as one line."""
    if name not in FACTS:
        return "none"
    facts = FACTS[name]
    theirs = facts.tensorflow.replace("=", name).split()
    return "; ".join(
        [
            f"tf.{facts.called}" if facts.called else "no function of its own",
            f"TensorFlow's {', '.join(theirs)}"
            if theirs
            else "translated from TensorFlow or not there",
            "in the page" if facts.page else "not in the page",
            facts.bends + (f" from {facts.limits[0]} to {facts.limits[1]}" if facts.limits else ""),
            *([f"defined where {facts.domain}"] if facts.domain else []),
            *([f"fails by {facts.fails.replace(' ', ' or ')}"] if facts.fails else []),
            *kept(name),
        ]
    )


def kept(name):
    """Return what the rules of a row need, and a tape so must keep: read off the rules."""
    case = next((c for c in cases.CASES if c.op == name and c.reached and c.order), None)
    if case is None:
        return []
    shapes = case.shapes[0] if case.shapes else [(2, 3)] * case.count()
    xs = [tf.constant(x) for x in draw_inputs(case, np.random.default_rng(1), shapes)]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(xs)
        case.call(*xs)
    recording = tape.recording
    at = next(k for k, entry in enumerate(recording.entries) if entry.op == name)
    rules = Rules().of(name, recording.entries[at].attributes, *recording.kept[at]) or []
    letters = next(filter(None, map(letters_of, OPS[name].rules)), "xs")
    needed = sorted(set().union(*[rule.inputs for rule in rules]))
    names = [letters[min(k, len(letters) - 1)] for k in needed]
    names += ["y"] * any(rule.output for rule in rules)
    return [f"its rules keep {', '.join(names) or 'nothing'}"]


def letters_of(rule):
    """Return what a rule calls the inputs, behind `g` and `y`."""
    return [] if rule is None else list(inspect.signature(rule).parameters)[2:]


@functools.cache
def rows_of_the_engine():
    """Return the names in the tables of derivatives: rows that layers above add have no facts."""
    texts = [file.read_text(encoding="utf-8") for file in TABLE.parent.glob("**/*.py")]
    return {name for text in texts for name in re.findall(r'\bOp\("(\w+)"', text)}


def of_names(op, facts):
    """Compare the names with the public functions and with Python's operators."""
    short = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", op.name).lower()
    if facts.called and not callable(found(facts.called)):
        yield f"There is no tf.{facts.called}."
    for module in ("", "math.", "nn."):
        if not facts.called and callable(found(module + short)):
            yield f'Learners know it as tf.{module + short}: called="{module + short}".'
            return
    if facts.sign and (name := operator_of(facts.sign, 1 if op.name in ONE_SIDE else 2)) != op.name:
        yield f"The operator {facts.sign} is {name}."


def found(dotted):
    """Return what a name leads to in `tf`, or None."""
    obj = tf
    for part in dotted.split("."):
        obj = getattr(obj, part, None)
    return obj


class Heard:
    """A listener that only notes which operations run."""

    traces = False

    def __init__(self):
        self.heard, self.ran = set(), []

    def record(self, op, *_):
        """Note one operation."""
        self.ran.append(op)


def operator_of(sign, sides):
    """Return the row that an operator of Python's runs."""
    a = tf.constant([[1, 2], [3, 4]], tf.int32 if sign in "&|^~" else tf.float32)
    listener = Heard()
    before = active.set((listener,))
    try:
        eval(f"a {sign} a" if sides == 2 else f"{sign} a", {"a": a})
    finally:
        active.reset(before)
    return listener.ran[-1]


def of_page(op, facts):
    """Compare with the rows of the page's table."""
    texts = [(PAGE / name).read_text(encoding="utf-8") for name in ("table.js", "moves.js")]
    there = any(re.search(rf"^  {op.name}: ", text, re.MULTILINE) for text in texts)
    if facts.page and not there:
        yield (
            "The page does not have it. Write the row in widgets/minitape_widgets/static/replay/"
            "table.js, or say HERE instead of PAGE."
        )
    if there and not facts.page:
        yield "The page has it: say PAGE instead of HERE."


def nothing(facts, compute):
    """Return no complaint: with more than two inputs nothing is measured."""
    return ()


def computed(op, case):
    """Return a function: arrays -> (output, slope for each input, None where nothing passes)."""

    def compute(*arrays):
        xs = [tf.constant(array, tf.float64) for array in arrays]
        with tf.GradientTape() as tape:
            tape.watch(xs)
            try:
                y = op(*xs)
            except (TypeError, tf.errors.InvalidArgumentError):  # it wants attributes
                y = case.call(*xs)
        slopes = tape.gradient(y, xs) if y.dtype.is_floating else [None] * len(xs)
        return y.numpy(), [None if g is None else g.numpy() for g in slopes]

    return compute


def of_domain(facts, ys, inputs):
    """Compare where the output is a number with what is said of it. `inputs`: {letter: array}."""
    for k, y in enumerate(ys):
        at = {letter: float(x[k]) for letter, x in inputs.items()}
        where = ", ".join(f"{letter} = {x:g}" for letter, x in at.items())
        inside = eval(facts.domain or "True", dict(at))
        if inside and np.isnan(y):
            yield f"It is NaN at {where}: say in `domain` where it is defined."
            return
        if not inside and np.isfinite(y):
            yield f"It is {y:g} at {where}, outside of its domain."
            return


def of_curve(facts, compute):
    """Measure a function of one number."""
    y, (slope,) = compute(GRID)
    yield from of_domain(facts, y, {"x": GRID})
    ends, (steep,) = compute(FAR)
    if not (facts.fails or facts.domain) and np.isinf(y).any():
        yield "It is infinite in places: say how it fails."
    large = compute(np.array([-LARGE, LARGE]))[0]
    if ("power" in facts.fails) != bool(np.isinf(large).any()):
        yield (
            f"At {LARGE:g} or {-LARGE:g} it is {'in' if np.isinf(large).any() else ''}finite: "
            "power?"
        )
    shapes = bends(y, slope, ends, steep)
    if facts.bends not in shapes:
        yield f"Its graph is not {facts.bends}, but {' or '.join(shapes)}."
    if facts.limits and not np.allclose(ends, facts.limits, atol=1e-4):
        yield f"It goes to {ends[0]:g} and {ends[1]:g}, not to {facts.limits}."
    if facts.limits and min(slope) < 0 < max(slope):
        yield "It goes up and down: near a number of `limits` it need not be flat. Leave them out."
    is_activation = callable(found(f"nn.{facts.called.rpartition('.')[2]}"))
    if is_activation and shapes == ("saturated",) and not facts.limits:
        yield f"It flattens out on both sides: limits=({ends[0]:g}, {ends[1]:g})."


def bends(y, slope, ends, steep):
    """Return the words that fit to the graph of a function."""
    if np.ptp(y.astype(float)) == 0:
        return ("flat", "steps")
    if np.array_equal(y, GRID):
        return ("same",)
    if slope is None or not slope.any():
        return ("steps",)
    left, right, middle = slope[GRID < 0], slope[GRID > 0], slope[GRID == 0]
    if np.ptp(slope) == 0:
        return ("straight",)
    if not left.any() and not y[GRID < 0].any():
        return ("relu",)
    if np.ptp(left) == 0 and np.ptp(right) == 0:
        return ("kink",) if left[0] == -right[0] else ("leaky",)
    far = np.isfinite(ends) & (np.abs(steep) < 1e-7 * np.nanmax(np.abs(slope)))
    if far.all():
        between = min(ends) - 1e-6 <= y.min() and y.max() <= max(ends) + 1e-6
        return ("saturated",) if between else ("curved",)  # a peak is flat in its middle, too
    if not middle.any() and left.all() and right.all():
        return ("bottom", "curved")
    return ("curved", "saturated") if far.any() else ("curved",)


def of_surface(facts, compute):
    """Measure a function of two numbers."""
    a, b = (x.ravel() for x in np.meshgrid(GRID, GRID))
    y, (to_a, to_b) = compute(a, b)
    yield from of_domain(facts, y, {"a": a, "b": b})
    places = np.array([0, np.inf, *a]), np.array([np.inf, 0, *b])
    one, other = compute(*places)[0], compute(*places[::-1])[0]
    if facts.commutes != np.array_equal(one, other, equal_nan=True):
        yield (
            f"Its inputs may {'not ' * facts.commutes}change places: commutes={not facts.commutes}."
        )
    slopes = [g for g in (to_a, to_b) if g is not None]
    if facts.bends == "straight" and not all(np.ptp(g) == 0 for g in slopes):
        yield "Its slopes depend on the inputs: it is not straight."
    if facts.bends != "straight" and len(slopes) == 2 and all(np.ptp(g) == 0 for g in slopes):
        yield "Its slopes are the same everywhere: it is straight."
    if facts.bends == "factor" and (to_a[b == 0].any() or to_b[a == 0].any()):
        yield "The slope for one input is not 0 where the other is: it is no factor."
    if facts.bends == "steps" and any(g.any() for g in slopes):
        yield "It has a slope: it does not move in steps."
    if not slopes and facts.bends != "steps":
        yield "Nothing passes: it moves in steps."
