"""Where an expression stands is the same on every Python, though each marks some of them in its own
way.
"""

import linecache

import minitape as tf
from minitape.storyboard import Film, develop

PROGRAM = """
x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    text = f"one {tf.reduce_sum(x):.1f} here"
    squares = [v * v for v in x]
    with tape.stop_recording():
        pass
    y = (x
        .value()
        .numpy())
"""


def test_what_is_marked():
    linecache.cache["marked.py"] = (len(PROGRAM), None, PROGRAM.splitlines(True), "marked.py")
    with Film() as film:
        exec(compile(PROGRAM, "marked.py", "exec"), {"tf": tf})
    board = develop(film)
    marked = {
        tuple(each["where"][1:]) for each in [*board["cards"], *board["notes"]] if each["where"]
    }
    assert marked == {
        (4, 11, 4, 45),  # the text that the sum goes into, whole
        (4, 18, 4, 34),
        (5, 15, 5, 20),
        (5, 30, 5, 31),  # where the next v is taken
        (6, 9, 6, 30),
        (8, 9, 10, 16),  # a chain, whole
    }
