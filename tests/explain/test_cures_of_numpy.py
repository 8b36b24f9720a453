"""Programs that leave through NumPy, made by the hundred: a cure that is offered runs, gives the
same numbers, and the true slope.

Where the library has nothing that is the same, there is no line. What is compared with is the
program as it was, with NumPy: its numbers, and their differences where the variable is moved by a
little.
"""

import random
from functools import cache
from operator import attrgetter

import numpy as np
import pytest

import minitape as tf
from minitape.explain.reasons.namesakes import ROWS
from tests.explain.pasting import pasted
from tests.explain.programs import Program, as_cells

pytestmark = pytest.mark.filterwarnings("ignore")

ONE = """sin cos tan exp log log2 log10 log1p expm1 sqrt square cbrt tanh sinh cosh arctan arcsinh abs absolute fabs negative
    positive reciprocal sort cumsum cumprod diff transpose ravel squeeze flip roll diag trace median copy sum mean std var
    max min amax amin prod average linalg.norm linalg.det linalg.inv linalg.pinv linalg.svd linalg.eigvalsh sinc exp2
    array asarray float32 ptp triu random.normal""".split()
TWO = """add subtract multiply divide power maximum minimum mod floor_divide hypot arctan2 logaddexp fmax dot matmul inner vdot
    outer tensordot kron linalg.solve append clip repeat tile swapaxes moveaxis expand_dims take reshape pad broadcast_to""".split()
LISTED = "concatenate stack vstack hstack dstack column_stack array sum mean".split()
METHODS = """sum mean std var max min prod cumsum cumprod transpose flatten ravel squeeze copy tolist trace diagonal round repeat
    reshape clip dot astype take item""".split()
REST = [
    "",
    "0",
    "1",
    "axis=0",
    "axis=1",
    "axis=-1, keepdims=True",
    "axis=(0, 1)",
    "axis=None",
    "dtype=np.float64",
    "0, None, None, True",
    "ddof=1",
    "initial=2.0",
    "where=True",
    "2",
    "1, 0",
    "ord=1",
    "ord=1, axis=0",
    "axes=(1, 0)",
    "out=None",
    "(1, -1)",
    "0.4, 0.9",
    "max=0.9",
    "'F'",
    "0.4, None",
    "None, 0.9",
]
PARTS = [
    "[0]",
    "[0, 1]",
    "[:, 0]",
    "[::-1]",
    "[None]",
    "[..., 0]",
    "[[1, 0]]",
    "[[1, 0], [0, 1]]",
    "[:, [1, 0]]",
    "[PLACES]",
    "[{0} > 0.6]",
    "[ROW]",
]
SIGNS = ["+", "-", "*", "/", "**", "//", "%", "@"]
ARRAYS = [
    "h",
    "q",
    "h[0]",
    "q[0]",
    "h.numpy()",
    "h[0].numpy()",
    "q[1].numpy()",
    "2.0",
    "np.array([1.0, 2.0])",
    "[1.0, 2.0]",
    "h[0, 0]",
]
LATER = [
    "np.sum(a)",
    "a.sum()",
    "a.T",
    "a[0]",
    "a[[1, 0]]",
    "a @ a",
    "a * (a > 0.5)",
    "(a + 1).mean()",
    "a.tolist()",
    "a * a.size",
    "own(a)",
    "np.sin(a) * 2",
    "[v * 2 for v in a]",
    "[v.sum() for v in a]",
    "np.outer(a, a)",
    "a / np.linalg.norm(a)",
    "own(a * 2)",
    "other(a)",
    "a.shape[0] * a",
]


@pytest.mark.parametrize("name", sorted({row.name for row in ROWS.values()}))
def test_what_a_cure_names_is_there(name):
    assert callable(attrgetter(name)(tf))


def expressions(chance):
    """Returns one expression of each kind, drawn."""
    of, rest, array, other = (chance.choice(each) for each in (ARRAYS[:6], REST, ARRAYS, ARRAYS))
    left = chance.choice(["h.numpy()", "h[0].numpy()", "np.sin(h)", "(h.numpy() * 2)"])
    yield f"np.{chance.choice(ONE)}({', '.join(filter(None, [of, rest]))})"
    yield f"np.{chance.choice(TWO)}({array}, {other})"
    yield f"np.{chance.choice(TWO)}({of}, {rest or 'q'})"
    yield f"np.{chance.choice(LISTED)}([{of}, {chance.choice(ARRAYS)}]{rest and ', ' + rest})"
    yield f"{left}.{chance.choice(METHODS)}({rest})"
    yield f"{left}{chance.choice(PARTS).format(left)}"
    yield f"{left} {chance.choice(SIGNS)} {array}"
    yield (
        f"np.{chance.choice(ONE)}({left}).{chance.choice(METHODS)}({rest}) "
        f"{chance.choice(SIGNS[:4])} {other}"
    )
    yield chance.choice(
        [
            "int({})",
            "float({})",
            "round(float({}), 1)",
            "math.exp({})",
            "abs(float({}))",
            "math.log({}, 2)",
        ]
    ).format("h[0, 1] * 9.3")
    yield chance.choice(["own", "other", "third", "sin", "norm"]) + f"({left})"


@cache
def programs(count=240, seed=5):
    """Returns programs that run, as functions of where the variable stands and of the weights of
    the numbers that come out.
    """
    chance, found = random.Random(seed), {}
    while len(found) < count:
        for expression in [
            *expressions(chance),
            *(
                f"a = {left}; z = {later}"
                for left, later in [
                    (
                        chance.choice(["h.numpy()", "h[0].numpy()", "np.sin(h)", "np.exp(h[0])"]),
                        chance.choice(LATER),
                    )
                ]
            ),
        ]:
            lines = (expression if ";" in expression else f"z = {expression}").split("; ")
            inside = chance.random() < 0.5
            code = [f"    {line}" for line in lines]
            made = ["def inner(h, q):", *code, "    return z"] if inside else []
            text = "\n".join(
                [*HEAD, *made, *BLOCK, *(["    z = inner(h, q)"] if inside else code), *END]
            )
            try:
                found[expression, inside] = text, ran(text, 0.0, 1.0)
            except Exception:  # nothing that a learner's program could be
                continue
    return dict(list(found.items())[:count])


HEAD = """import math
import numpy as np
from numpy import sin
from numpy.linalg import norm
import minitape as tf
def own(t): return t.sum() * 2
def other(t): return np.cos(t) * 2 + 1
third = lambda t: t.mean(axis=0)
PLACES, ROW = [1, 0], np.array([0])
x = tf.Variable(np.float32([[0.5, 0.3], [0.23, 0.47]]) + np.float32(MOVED))
q = tf.constant([[0.73, 0.41], [0.31, 0.87]])""".split("\n")
BLOCK = ["with tf.GradientTape() as tape:", "    h = x * 1.5"]
END = ["    y = tf.reduce_sum(tf.cast(z, tf.float32) * WEIGHTS)", "value = float(y)", ""]
ASKED = "e = tape.explain(y, x)\n"


def ran(code, moved, weights):
    np.random.seed(1)
    names = as_cells(
        Program("numpy", "", code.replace("MOVED", repr(moved)).replace("WEIGHTS", repr(weights))),
        None,
    )[0]
    return names if np.all(np.isfinite(names["value"])) else 1 / 0


OFFERED = []


@pytest.mark.parametrize("which", range(12))
def test_a_cure_of_what_left_through_numpy_is_the_same_number_and_has_its_slope(which):
    for label, (code, names) in list(programs().items())[which::12]:
        OFFERED.append(tried(label, code, names))


def tried(label, code, names):
    """Returns whether a cure was offered; it was pasted, and all that was asked of it is true."""
    shape = np.shape(np.array(names["z"]))
    weights = (1.0 + 0.37 * np.arange(np.prod(shape))).reshape(shape).tolist()
    before, cures, now = ran(code, 0.0, weights)["value"], [], code
    for _ in range(4):
        asked = (now + ASKED).replace("MOVED", "0.0").replace("WEIGHTS", repr(weights))
        e = as_cells(Program("numpy", "", asked), None)[0]["e"]
        if not e.category.endswith("escape") or len(e.cure) != 1:
            break
        cures.append(e.cure[0])
        now = pasted(Program("numpy", "", now), e, now).code
        after = ran(now, 0.0, weights)
        assert np.isclose(after["value"], before, rtol=2e-5, atol=1e-6), (label, cures)
    # straight through: not the slope of steps
    if not cures or not e.healthy or any("stop_gradient" in cure for cure in cures):
        return bool(cures)
    slopes = np.zeros(after["x"].shape)
    for at in np.ndindex(*slopes.shape):
        step = np.zeros(slopes.shape)
        step[at] = 4e-3
        slopes[at] = (
            ran(code, step.tolist(), weights)["value"]
            - ran(code, (-step).tolist(), weights)["value"]
        ) / 8e-3
    given = tf.convert_to_tensor(after["tape"].gradient(after["y"], after["x"]))
    assert np.allclose(given, slopes, rtol=3e-2, atol=1e-2 * max(1.0, np.abs(slopes).max())), (
        label,
        cures,
    )
    return True


def test_lines_are_offered_where_the_library_has_the_same():
    """Runs after the programs above."""
    assert len(OFFERED) < len(programs()) or sum(OFFERED) > len(OFFERED) / 3, (
        sum(OFFERED),
        len(OFFERED),
    )


METHOD = """import numpy as np
import minitape as tf
class Net:
    def __init__(self):
        self.w, self.b = tf.Variable([[0.5, 0.3], [0.23, 0.47]]), tf.Variable([0.1, 0.2])
    def __call__(self, x):
        BODY
    def act(self, a):
        return a.sum()
net = Net()
x = net.NAME
x.assign(x + np.float32(MOVED))
data = tf.constant([[0.7, 0.4], [0.31, 0.9]])
with tf.GradientTape() as tape:
    z = net(data)
    y = tf.reduce_sum(tf.cast(z, tf.float32) * WEIGHTS)
value = float(y)
"""
BODIES = {
    "return np.outer(self.w, self.b)": True,
    "return np.vstack((self.b, self.w))": False,
    "return np.vstack((self.b, self.b))": None,
    "return np.matmul(self.w, self.b)": True,
    "return x.numpy() @ self.w.numpy() + self.b.numpy()": True,
    "return np.dot(x, self.w) + self.b": True,
    "return np.clip(self.w @ x, 0, 1)": True,
    "w, b = self.w.numpy(), self.b.numpy()\nreturn w @ b": False,
    "w, b = self.w.numpy(), self.b.numpy()\nreturn w * b": True,
    "d = {'w': self.w.numpy()}\nreturn d['w'].sum()": False,
    "d = {'w': self.w.numpy()}\nreturn d['w'] * 2": True,
    "self.h = np.tanh(self.w)\nreturn self.h.mean()": False,
    "self.h = np.tanh(self.w)\nreturn self.h * 2": True,
    "def f(a):\n    return a.sum(axis=0)\nreturn f(self.w.numpy())": False,
    "f = lambda a: a * 2\nreturn f(self.w.numpy())": True,
    "f = lambda a: a.T\nreturn f(self.w.numpy())": False,
    "return self.act(self.w.numpy())": False,
    "i = [1, 0]\nreturn self.b.numpy()[i]": True,
    "i = 1\nreturn self.b.numpy()[i]": True,
    "i = np.argmax(self.b)\nreturn self.b.numpy()[i]": True,
    "k = self.b.numpy() > 0.15\nreturn np.sum(self.b.numpy() * k)": False,
    "z = self.b.numpy()\nz[z < 0.15] = 0\nreturn z": False,
    "r = np.sin(self.b); return r": False,
    "return tf.constant([np.sin(v) for v in self.b])": True,
    "return tf.constant([float(v) for v in self.b], shape=[2, 1])": False,
    "return tf.zeros([2]) + np.float64(self.b[0])": False,
    "return tf.concat([np.sin(self.b), self.b], 0)": True,
    "return np.mean([np.sum(np.square(r)) for r in x @ self.w])": True,
    "out = []\nfor r in x @ self.w:\n    out.append(np.sum(r))\nreturn np.array(out)": True,
    "e = np.exp(x @ self.w)\nreturn e / e.sum(axis=1, keepdims=True)": False,
    "e = np.exp(x @ self.w)\nreturn e / np.sum(e, axis=1, keepdims=True)": True,
    "return -np.sum(x.numpy() * np.log(self.b.numpy()), axis=1)": True,
    "return np.hstack([np.ones((2, 1)), (x @ self.w).numpy()])": None,
    "data = np.array([1.0, 2.0])\nreturn np.dot(x @ self.w, data)": False,
    "a, c = 1.0, x[0]\nreturn np.maximum(self.b, c)": True,
    "return tf.stack([float(self.b[0]), 2])": True,
    "return np.arange(2.0) @ self.b.numpy()": None,
}


@pytest.mark.parametrize("body", BODIES)
def test_cures_in_a_method_whose_names_are_gone(body):
    """What `self` and the parameters were, only the tape can tell; where it cannot, any right
    answer will do.
    """
    code = METHOD.replace("BODY", body.replace("\n", "\n        ")).replace(
        "NAME", "w" if "self.w" in body else "b"
    )
    offered = tried(body, code, ran(code, 0.0, 1.0))
    assert BODIES[body] in (None, offered)
