"""A picture, an explanation and a compiled function call one value by one name, and it is the
learner's.
"""

import linecache
import textwrap

import pytest

import minitape as tf
from minitape.compile.names import identifier
from minitape.compile.source import Source
from minitape.engine.recording import describe
from minitape.explain.case.case import Case
from minitape.explain.case.facts import Evidence
from minitape.storyboard import Film, develop

# The body of `def step(x, w)`, and the names of what it computes, in order; None where the text
# gives no name.
BODIES = {
    "plain": ("h = x * w\ny = h + x\nreturn y * y", ["h", "y", "loss"]),
    "several lines": ("h = (x * w\n     + x)\nreturn tf.reduce_sum(\n    h)", [None, "h", "loss"]),
    "annotation": ("h: tf.Tensor = x * w\nreturn h + x", ["h", "loss"]),
    "two targets": ("h = k = x * w\nreturn k + x", ["h", "loss"]),
    "augmented": ("h = x * w\nh += x\nh *= w\nreturn h - x", ["h", "h", "h", "loss"]),
    "augmented and returned": ("h = x * w\nh += x\nreturn h", ["h", "h"]),
    "tuple": ("a, b = x * w, x + w\nreturn a - b", ["a", "b", "loss"]),
    "tuple in a tuple": (
        "(a, b), c = (x * w, x + w), x - w\nreturn a - b / c",
        ["a", "b", "c", None, "loss"],
    ),
    "list of targets": ("[a, b] = [x * w, x + w]\nreturn a - b", ["a", "b", "loss"]),
    "unpacking": ("a, b = tf.split(x * w, 2)\nreturn a - b", [None, "a", "b", "loss"]),
    "one name for several": (
        "halves = tf.split(x * w, 2)\nreturn halves[0] - halves[1]",
        [None, "halves[0]", "halves[1]", "loss"],
    ),
    "starred": (
        "a, *rest = x * w, x + w, x - w\nreturn a - rest[0] / rest[1]",
        ["a", "rest[0]", "rest[1]", None, "loss"],
    ),
    "attribute": ("box = Box()\nbox.h = x * w\nreturn box.h + x", ["box.h", "loss"]),
    "subscript": ("hs = [None]\nhs[0] = x * w\nreturn hs[0] + x", ["hs[0]", "loss"]),
    "elements by use": ("hs = [x * w, x + w]\nreturn hs[0] - hs[1]", ["hs[0]", "hs[1]", "loss"]),
    "key": ("d = {}\nd['h'] = x * w\nreturn d['h'] + x", ["d['h']", "loss"]),
    "walrus": ("return (h := x * w) + h", ["h", "loss"]),
    "choice": ("h = x * w if LARGE else x + w\nreturn h - x", ["h", "loss"]),
    "comprehension": (
        "hs = [x * s for s in (2.0, 3.0)]\nreturn hs[0] - hs[1]",
        ["hs[0]", "hs[1]", "loss"],
    ),
    "loop": (
        "h = x\nfor _ in range(2):\n    h = tf.tanh(h * w)\nreturn h + x",
        [None, "h", None, "h", "loss"],
    ),
    "loop at one place": (
        "h = x\nfor _ in range(3):\n    h = h * w\nreturn h + x",
        ["h", "h", "h", "loss"],
    ),
    "elements of a loop": ("h = 0.0\nfor row in x:\n    h = h + row\nreturn h * w", None),
    "nested function": (
        "def square(v):\n    return v * v\nh = square(x * w)\nreturn h + x",
        [None, "h", "loss"],
    ),
    "function called twice": (
        "def square(v):\n    return v * v\nreturn square(x * w) + square(x)",
        [None, "square()", "square()", "loss"],
    ),
    "lambda": ("double = lambda v: v + v\nh = double(x * w)\nreturn h * x", [None, "h", "loss"]),
    "decorator": (
        "@twice\ndef square(v):\n    return v * v\nh = square(x * w)\nreturn h + x",
        [None, "h", "inner()", "loss"],
    ),
    "method": ("return Box().scaled(x * w) + x", [None, "scaled()", "loss"]),
    "several on a line": ("h = x * w; y = h + x; z = y - w\nreturn z * z", ["h", "y", "z", "loss"]),
    "unicode": ("größe = x * w; π = größe + x  # ✓ é\nreturn π * π", ["größe", "π", "loss"]),
    "a long plain name": (
        "the_mean_of_all_the_products_so_far = x * w\nreturn the_mean_of_all_the_products_so_far "
        "+ x",
        ["the_mean_of_all_the_products_so_far", "loss"],
    ),
    "a long attribute": (
        "box = Box()\nbox.the_mean_of_all_the_products = x * w\nreturn "
        "box.the_mean_of_all_the_products + x",
        [None, "loss"],
    ),
    "a call that makes several": ("h = tf.linalg.norm(x * w)\nreturn h + x", None),
    "layers": ("h = MODEL(tf.reshape(x * w, [1, 2]))\nreturn h + x", None),
}
TEXT = """\
class Box:
    def scaled(self, v):
        return v * 3.0

def twice(f):
    def inner(*args):
        return f(*args) * 2.0
    return inner

LARGE = True

def step(x, w):
{body}

x = tf.Variable([1.0, 2.0])
w = tf.Variable([3.0, 4.0])
with tf.GradientTape(persistent=True) as tape:
    loss = step(x, w)
"""


def filmed(name, body, filename):
    """Runs a program as a notebook cell; returns its names, and the storyboard without names of
    living objects.
    """
    text = TEXT.format(body=textwrap.indent(body, "    "))
    filename = filename.format(list(BODIES).index(name))
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    names = {
        "tf": tf,
        "MODEL": tf.keras.Sequential(
            [tf.keras.layers.Dense(2, activation="tanh"), tf.keras.layers.Dense(1)]
        ),
    }
    names["MODEL"](tf.ones([1, 2]))
    with Film() as film:
        exec(compile(text, filename, "exec"), names)
    return names, develop(film, engine="layers", explain=False)


def in_the_picture(board):
    """The labels of what the cards make; the primes tell values of one name apart."""
    labels = [board["nodes"][node]["label"] for card in board["cards"] for node in card["outputs"]]
    return [label.rstrip("₀₁₂₃₄₅₆₇₈₉") or None for label in labels]


def in_the_explanation(tape, loss, x):
    case = Case(Evidence(tape.recording), [describe(loss)], describe(x))
    return [
        case.text_name(number, ran) or None
        for ran in case.evidence.ran
        if ran.op != "ReadVariableOp"
        for number in ran.outputs
    ]


def in_the_compiled_source(step, x, w):
    """The wishes: identifiers are given out once, so the second `h` of a loop is written `h_2`."""
    program = tf.function(step).get_concrete_function(x, w).program
    wish = Source(program).wish
    return [wish.get(number) for entry in program.entries for number in entry[2]]


@pytest.mark.parametrize(
    "filename", ["/tmp/ipykernel_4711/{}.py", "<cell {}>", "/tmp/learner/step_{}.py"]
)
@pytest.mark.parametrize("name", BODIES)
def test_all_three_say_the_same(name, filename):
    body, expected = BODIES[name]
    names, board = filmed(name, body, filename)
    picture = in_the_picture(board)
    explanation = in_the_explanation(names["tape"], names["loss"], names["x"])
    compiled = in_the_compiled_source(names["step"], names["x"], names["w"])
    assert picture == explanation
    assert [identifier(label) for label in picture] == compiled
    if expected is not None:
        assert picture == expected
