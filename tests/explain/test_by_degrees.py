"""What moves in steps: the line in which it is used is written by degrees, comes to the same number
where it is sharp, and has a slope.
"""

import re

import numpy as np
import pytest

from tests.explain.mending import wrong
from tests.explain.pasting import pasted, ran
from tests.explain.programs import Program, as_cells

pytestmark = pytest.mark.filterwarnings("ignore")

CODE = """import minitape as tf
x, m, at = tf.Variable([0.3, 0.9, 0.5]), tf.Variable([[0.1, 0.9, 0.3], [0.8, 0.2, 0.1]]), tf.Variable(1.0)
rows, pays, whole = tf.constant([[1.0, 2.0], [5.0, 4.0], [0.0, 7.0]]), tf.constant([10.0, 20.0, 40.0]), tf.constant([1, 2, 4])
a, b, t = tf.constant([1.0, 2.0, 3.0]), tf.constant([5.0, 5.0, 0.0]), tf.constant([1, 0])
with tf.GradientTape(persistent=True) as tape:
    {lines}
    y = tf.reduce_sum(tf.cast(z, tf.float32) * 2.0)
value = y.numpy()
g = [g for g in tape.gradient(y, [x, m, at]) if g is not None]
e = tape.explain(y, {source})
"""
USES = {  # the program's lines: the source, and the cure; "" where there is none
    "z = tf.gather(pays, tf.argmax(x))": ("x", "z = tf.tensordot(tf.nn.softmax(x), pays, axes=1)"),
    "k = tf.argmin(m, axis=1); z = rows[k[0]]": ("m", ""),  # two statements in a line
    "k = tf.argmin(x)\n    z = rows[k]": ("x", "z = tf.tensordot(tf.nn.softmax(-x), rows, axes=1)"),
    "z = tf.gather(rows, tf.argmax(m, -1))": (
        "m",
        "z = tf.tensordot(tf.nn.softmax(m), rows, axes=1)",
    ),
    "z = tf.gather(rows, tf.argmax(m, 0))": ("m", ""),  # not along the last axis
    "z = tf.gather(whole, indices=tf.argmax(x))": (
        "x",
        "z = tf.tensordot(tf.nn.softmax(x), tf.cast(whole, tf.float32), axes=1)",
    ),
    "z = tf.gather(pays, tf.math.top_k(x, 2).indices)": (
        "x",
        "z = tf.tensordot(tf.nn.softmax(-tf.abs(tf.math.top_k(x, 2).values[:, None] - x)), pays, "
        "axes=1)",
    ),
    "z = tf.gather(pays, tf.argsort(x))": (
        "x",
        "z = tf.tensordot(tf.nn.softmax(-tf.abs(tf.sort(x)[:, None] - x)), pays, axes=1)",
    ),
    "k = tf.argmax(x)\n    print(k)\n    z = tf.one_hot(k, 3) * pays": (
        "x",
        "z = tf.nn.softmax(x) * pays",
    ),
    # used otherwise
    "k = tf.argmax(x)\n    z = tf.gather(pays, k) * tf.cast(k + 1, tf.float32)": ("x", ""),
    "z = tf.gather(pays, tf.cast(at, tf.int32))": (
        "at",
        "z = tf.tensordot(tf.nn.softmax(-(at - tf.range(pays.shape[0], dtype=tf.float32)) ** 2), "
        "pays, axes=1)",
    ),
    "k = int(at)\n    z = tf.gather(pays, k)": (
        "at",
        "z = tf.tensordot(tf.nn.softmax(-(at - tf.range(pays.shape[0], dtype=tf.float32)) ** 2), "
        "pays, axes=1)",
    ),
    "z = tf.where(x > 0.4, a, b)": ("x", "z = b + tf.sigmoid(x - 0.4) * (a - b)"),
    "big = at <= x\n    z = tf.where(big, 3.0, 0)": ("x", "z = tf.sigmoid(x - at) * 3.0"),
    "z = tf.math.count_nonzero(x > 0.4)": ("x", "z = tf.reduce_sum(tf.sigmoid(x - 0.4))"),
    "z = tf.boolean_mask(pays, x > 0.4)": ("x", ""),
    "z = tf.where(tf.math.in_top_k(t, m, 1), 1.0, 0.0)": ("m", ""),  # a yes that chooses
    "z = tf.cast(tf.math.in_top_k(t, m, 2), tf.float32)": ("m", ""),  # among the first two
    "both = t, m, 1\n    z = tf.cast(tf.math.in_top_k(*both), tf.float32)": ("m", ""),
}


def sharp(line):
    """The line with weights of 0 and 1."""
    return re.sub(
        r"(softmax\(-?|sigmoid\()(\(x - \w+\)|x - [\w.]+|)", r"\g<1>200.0 * (\g<2>)", line
    ).replace(" * ()", " * ")


@pytest.mark.parametrize("lines", USES)
def test_a_use_by_degrees_is_the_step_where_it_is_sharp(lines):
    source, cure = USES[lines]
    program = Program("degrees", "", CODE.format(lines=lines, source=source))
    before, texts = as_cells(program, None)
    e = before["e"]
    assert e.cure == ([cure] if cure else []), e
    if cure:
        text = next(iter(texts.values()))
        after, _ = as_cells(pasted(program, e, text), None)
        assert after["e"].healthy and np.any(np.concatenate([np.ravel(g) for g in after["g"]])), (
            after["e"]
        )
        near, _ = as_cells(
            Program("", "", pasted(program, e, text).code.replace(cure, sharp(cure))), None
        )
        assert np.allclose(near["value"], before["value"], atol=1e-3), (
            near["value"],
            before["value"],
        )


def test_what_is_drawn_is_told_of_its_probability():
    code = """import minitape as tf
w, pays = tf.Variable([[0.2, -0.1, 0.5]]), tf.constant([1.0, -1.0, 3.0])
with tf.GradientTape() as tape:
    reward = tf.gather(pays, tf.random.categorical(w, 1))
    loss = -tf.reduce_mean(reward)
e = tape.explain(loss, w)
"""
    e, _ = ran(Program("drawn", "", code))
    assert "Multiply loss by `tf.exp(log_p - tf.stop_gradient(log_p))`" in e.fix and not e.cure, e


@pytest.mark.parametrize("right", ["k == t", "tf.equal(k, t)"])
def test_a_count_of_right_answers_is_told_of_a_loss(right):
    lines = f"k = tf.argmax(m, 1, output_type=tf.int32)\n    z = tf.cast({right}, tf.float32)"
    e = as_cells(Program("right", "", CODE.format(lines=lines, source="m")), None)[0]["e"]
    assert "such as a cross-entropy" in e.fix and not e.cure, e


def test_counts_in_bins_are_told_of_soft_edges():
    code = """x = tf.Variable([0.5, 1.1, 2.2])
with tf.GradientTape() as tape:
    count, edges = np.histogram(x * 2.0, bins=4)
    loss = tf.reduce_sum(tf.cast(count, tf.float32) ** 2)
e = tape.explain(loss, x)
"""
    e, _ = ran(Program("bins", "", code))
    assert "lie a little in the bins beside its own" in e.fix and not e.cure, e


@pytest.mark.parametrize(
    ("line", "category"),
    [
        ("k = int(n)\n    y = tf.reduce_sum(x[:k]) * k", "python-escape"),
        ("k = round(float(n))\n    y = tf.reduce_sum(x[k:]) * k", "python-escape"),
        (
            "k = tf.cast(n, tf.int32)\n    y = tf.reduce_sum(x[:k]) * tf.cast(k, tf.float32)",
            "integer-cast",
        ),
        ("y = 0.0\n    for i in range(int(n)):\n        y = y + x[i]", "python-escape"),
    ],
)
def test_through_a_bound_no_slope_can_be_passed(line, category):
    code = f"""n, x = tf.Variable(2.0), tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    {line}
e = tape.explain(y, n)
"""
    e, _ = ran(Program("bound", "", code))
    assert (e.category, e.cure) == (category, []) and "weigh each by degrees" in e.fix, e


@pytest.mark.parametrize(
    "line", ["a = a.copy()\n    a[0] = 1.0", "a = a.astype(int)", "print(a.mean())"]
)
def test_a_helper_is_not_rewritten_where_it_works_with_arrays_alone(line):
    code = f"""def f(v):
    a = np.asarray(v)
    {line}
    return a * 2.0 + a.std()
x = tf.Variable([1.5, 0.5])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.constant(f(x * 3.0)))
e = tape.explain(y, x)
"""
    assert ran(Program("helper", "", code))[0].cure == []


@pytest.mark.parametrize(
    "line",
    [
        "log[0] = log[0] + 1.0",
        "log += 1.0",
        "box.count = box.count + 1",
        "for k in range(2):\n        log[k] = 1.0",
    ],
)
def test_an_explanation_changes_nothing_of_the_learners(line):
    """A helper in NumPy is written anew, and not run once more."""
    code = f"""class box:
    count = 0
log = np.zeros(2)
def f(v):
    global log
    e = np.exp(v)
    {line}
    return e / e.sum()
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.constant(f(x))[0]
before = log.tolist(), box.count
e = tape.explain(y, x)
after = log.tolist(), box.count
"""
    program = Program("helper", "", code)
    names, texts = as_cells(program, None)
    assert names["before"] == names["after"] != ([0.0, 0.0], 0)
    assert names["e"].cure and not wrong(program, names["e"], texts), names["e"]


@pytest.mark.parametrize(
    ("lines", "said", "cure"),
    [
        ("y = tf.numpy_function(np.cos, [x], tf.float32)", "", ["y = tf.cos(x)"]),
        ("y = tf.numpy_function(rank, [x], tf.float32)", "Take a soft rank", []),
        ("y = tf.numpy_function(play, [], tf.float32)", "compute h in the block itself", []),
        ("y = tf.constant(weigh(x.numpy()))", "give it one with `tf.custom_gradient`", []),
        (
            "y = tf.gather(tf.constant([1.0, 5.0, 2.0]), best(x))",
            "take from all places at once",
            [],
        ),
        ("k = best(x[None])\n    y = tf.cast([k // 2, k % 2], tf.float32)", "the mean", []),
    ],
)
def test_where_no_slope_can_be_had_it_is_said_what_has_one(lines, said, cure):
    code = f"""def rank(v):
    return np.argsort(np.argsort(v)).astype("float32")
def play():
    h = x * 2.0
    return h.numpy()
def weigh(v):
    return np.fft.rfft(v).real.astype("float32")
def best(scores):
    return tf.argmax(scores, axis=-1)
x = tf.Variable([1.0, 3.0, 2.0])
with tf.GradientTape() as tape:
    {lines}
e = tape.explain(y, x)
"""
    e = as_cells(Program("step", "", code), None)[0]["e"]
    assert said in e.fix and e.cure == cure, e
