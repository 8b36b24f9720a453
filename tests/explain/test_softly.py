"""What counts has no slope: its cure counts softly, by a probability, or in bins with soft edges."""

import numpy as np
import pytest

from tests.explain.pasting import pasted, ran
from tests.explain.programs import Program, as_cells, programs

pytestmark = pytest.mark.filterwarnings("ignore")


AGREE = {  # what is counted, and how: prediction p and logits z are tensors, labels t and c data
    "tf.math.count_nonzero(tf.math.equal(tf.round(p), t))": "tf.reduce_sum(1.0 - tf.abs(t - p))",
    "tf.reduce_mean(tf.cast(tf.equal(tf.round(p), t), tf.float32))": "tf.reduce_mean(1.0 - tf.abs(t "
    "- p))",
    "tf.reduce_mean(tf.cast(tf.cast(tf.round(p), tf.int32) == whole, tf.float32))": "tf.reduce_mean(1.0 - "
    "tf.abs(tf.cast(whole, "
    "tf.float32) - p))",
    "tf.reduce_sum(tf.cast(tf.equal(t, tf.cast(p > 0.5, tf.float32)), tf.float32))": "tf.reduce_sum(1.0 - tf.abs(t "
    "- p))",
    "tf.reduce_mean(tf.cast(tf.equal(tf.argmax(z, axis=1), c), tf.float32))": "tf.reduce_mean(tf.gather(tf.nn.softmax(z), "
    "c, axis=1, batch_dims=1))",
    "tf.math.count_nonzero(tf.argmax(tf.nn.softmax(z), 1) == c)": "tf.reduce_sum(tf.gather(tf.nn.softmax(z), "
    "c, axis=1, batch_dims=1))",
    "tf.math.count_nonzero(tf.equal(tf.round(3.0 * p), t))": "",  # no probabilities
    "tf.math.count_nonzero(tf.equal(tf.round(p), t + 1.0))": "",  # no labels
    "tf.math.count_nonzero(tf.equal(tf.argmax(z, axis=0), c[:2]))": "",
    "tf.math.count_nonzero(tf.equal(tf.round(z), z0), axis=0)": "",
}


@pytest.mark.parametrize("counted", AGREE)
def test_right_answers_are_counted_by_their_probability_where_there_are_such(counted):
    code = f"""import minitape as tf
w = tf.Variable([[0.5, -1.0]])
x = tf.constant([[1.0], [-2.0], [0.3]])
t, whole, c = tf.constant([1.0, 0.0, 1.0]), tf.constant([1, 0, 1]), tf.constant([0, 1, 1], tf.int64)
z0 = tf.zeros([3, 2])
with tf.GradientTape() as tape:
    z = x @ w
    p = tf.sigmoid(z[:, 0])
    right = {counted}
    loss = 3.0 - tf.cast(right, tf.float32)
g = tape.gradient(loss, w)
e = tape.explain(loss, w)
"""
    e, texts = ran(program := Program("agree", "", code))
    line = f"right = {AGREE[counted]}"
    assert e.category == "piecewise-constant" and (
        e.cure == [line] if AGREE[counted] else not any("1.0 -" in c for c in e.cure)
    ), e
    if AGREE[counted]:
        assert "the probability that it gives to its label" in e.fix
        names, _ = as_cells(pasted(program, e, texts[e.filename]), None)
        assert names["e"].healthy and np.any(names["g"]), names["e"]


BINS = {
    "count, edges = np.histogram(h, bins=4, density=True)": True,
    "count, _ = np.histogram(h.numpy())": True,
    "count = np.histogram(h, many, (0.0, 6.0))[0]": True,
    "count, edges = np.histogram(h, many, range=[0.0, 6.0])": True,
    "count, edges = np.histogram(h, [0.0, 1.0, 3.0])": False,
    "count, edges = np.histogram(h, weights=h)": False,
    "count, edges = np.histogram(h, bins='auto')": False,
    "count, edges = np.histogram(h, limits)": False,
}


@pytest.mark.parametrize("made", BINS)
def test_a_histogram_has_soft_edges_and_nearly_the_same_numbers(made):
    code = f"""import numpy as np
import minitape as tf
many, below, limits = 3, 0.0, [0.0, 2.0, 6.0]
x = tf.Variable([0.5, 1.1, 1.2, 2.2, 2.9, 0.9])
with tf.GradientTape() as tape:
    h = x * 2.0
    {made}
    count = tf.cast(count, tf.float32)
    loss = tf.reduce_sum(count ** 2)
g = tape.gradient(loss, x)
e = tape.explain(loss, x)
"""
    e, texts = ran(program := Program("bins", "", code))
    assert e.category == "numpy-escape" and bool(e.cure) is BINS[made], e
    if e.cure:
        before, _ = as_cells(program, None)
        after, _ = as_cells(pasted(program, e, texts[e.filename]), None)
        assert after["e"].healthy and after["g"] is not None and after["below"] == 0.0
        a, b = [names["count"].numpy() for names in (before, after)]
        assert a.shape == b.shape and np.abs(a - b).max() <= 0.35 * a.max(), (a, b)


def test_programs_from_threads_are_cured_to_the_end():
    """What is pasted brings the next cut to light, and each has its line, until the gradient is
    there.
    """
    for name, steps in (("58614", 1), ("30190", 2)):
        program = next(p for p in programs("more_real_programs") if name in p.name)
        for _ in range(steps):
            e, texts = ran(program)
            assert e.cure, e
            program = pasted(program, e, texts[e.filename])
        assert ran(program)[0].healthy, program.code
