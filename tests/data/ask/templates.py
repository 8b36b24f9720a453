"""The programs that tables fill in: a function of one or two inputs, its gradient, and its second derivative."""

import textwrap

UNARY = """
x = tf.constant({points}, dtype=tf.{dtype})
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = {expression}
    g = inner.gradient(y, x)
g2 = None if g is None else outer.gradient(g, x)
"""

BINARY = """
a = tf.constant({a}, dtype=tf.{dtype})
b = tf.constant({b}, dtype=tf.{dtype})
with tf.GradientTape(persistent=True) as outer:
    outer.watch([a, b])
    with tf.GradientTape() as inner:
        inner.watch([a, b])
        y = {expression}
    ga, gb = inner.gradient(y, [a, b])
gaa = None if ga is None else outer.gradient(ga, a)
gab = None if ga is None else outer.gradient(ga, b)
gbb = None if gb is None else outer.gradient(gb, b)
"""

WEIGHTED = """
x = tf.constant({points}, dtype=tf.{dtype})
with tf.GradientTape() as tape:
    tape.watch(x)
    y = {expression}
    _weights = tf.reshape(tf.cast(tf.range(1, tf.size(y) + 1), y.dtype), tf.shape(y))
    s = tf.reduce_sum(y * _weights)
g = tape.gradient(s, x)
"""

IRREGULAR = WEIGHTED.replace("_weights = tf.reshape(", "_weights = tf.sin(tf.reshape(").replace("tf.shape(y))", "tf.shape(y)))")

HESSIAN = """
x = tf.constant({points}, dtype=tf.{dtype})
with tf.GradientTape(persistent=True) as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = {expression}
    g = inner.gradient(y, x)
h = None if g is None else outer.jacobian(g, x, experimental_use_pfor=False)
"""


def program(template, **words):
    return textwrap.dedent(template.format(**words)).strip() + "\n"


def table(template, rows, **fixed):
    """Rows `id | expression | points` (more columns for more inputs) as programs."""
    pairs = []
    for line in rows.strip().splitlines():
        if not line.strip():
            continue
        name, expression, *columns = [part.strip() for part in line.split("|")]
        words = dict(fixed, expression=expression)
        if template is BINARY:
            words["a"], words["b"] = columns
        else:
            words["points"] = columns[0] if columns else words["points"]
        pairs.append((name, program(template, **words)))
    return pairs
