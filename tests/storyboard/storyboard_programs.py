"""Programs whose storyboards are kept as golden files: one for each kind of thing that a storyboard
can tell.

Each is compiled as a notebook cell would be, so that positions and names come from the text. A
program ends with `board = ...`.
"""

import linecache

import minitape as tf
from minitape.storyboard import Film, build, develop

PROGRAMS = {
    "fan_out": """\
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * x + 3 * x
board = build(tape, y, x, title="x * x + 3 * x", engine="layers", predict=True)
""",
    "running_example": """\
x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
t = tf.constant([[1.0], [2.0], [4.0]])
w = tf.Variable([[0.5], [-0.25]])
b = tf.Variable([0.1])
with tf.GradientTape() as tape:
    prediction = x @ w + b
    loss = tf.reduce_mean((prediction - t) ** 2)
board = build(tape, loss, {"w": w, "b": b}, title="mean((x @ w + b - t)**2)", engine="layers", predict=True)
""",
    "none_by_escape": """\
import numpy as np
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    squares = x * x
    total = tf.constant(np.sum(squares))
    y = total * 2.0
board = build(tape, y, x, title="NumPy in between", engine="layers")
""",
    "nested": """\
x = tf.Variable(3.0)
with Film() as film:
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x * x * x
        dy_dx = inner.gradient(y, x)
    d2y_dx2 = outer.gradient(dy_dx, x)
board = develop(film, title="A tape of a tape", engine="layers")
""",
    "jacobian": """\
x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = x * x
board = build(tape, y, x, jacobian=True, title="Jacobian of x * x", engine="layers")
""",
    "loop": """\
w = tf.Variable(1.0)
with Film() as film:
    for step in range(3):
        with tf.GradientTape() as tape:
            error = w * 2.0 - 6.0
            loss = error * error
        w.assign_sub(0.1 * tape.gradient(loss, w))
board = develop(film, title="A training loop", engine="layers")
""",
    "persistent_twice": """\
x = tf.Variable(3.0)
with tf.GradientTape(persistent=True) as tape:
    y = x * x
    z = y * y
with Film() as film:
    first = tape.gradient(z, x)
    second = tape.gradient(y, x)
board = develop(film, title="Played twice", engine="layers")
""",
    "vector_target": """\
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * [3.0, 4.0]
board = build(tape, y, x, title="A vector target is summed", engine="layers", predict=True)
""",
    "unwatched": """\
a = tf.constant(2.0)
b = tf.Variable(3.0, trainable=False)
c = tf.Variable(4.0)
with tf.GradientTape() as tape:
    d = a + 1.0
    y = c * d + b
    c.assign(5.0)
    z = y * c
board = build(tape, z, {"c": c, "b": b, "a": a}, title="What the tape does not watch", engine="layers")
""",
}


def run(name, text=None):
    """Runs a program as a cell and returns its names."""
    text = PROGRAMS[name] if text is None else text
    filename = f"<cell {name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)

    names = {"tf": tf, "build": build, "develop": develop, "Film": Film}
    exec(compile(text, filename, "exec"), names)
    return names


def storyboard(name):
    """Returns the storyboard of a program."""
    return run(name)["board"]
