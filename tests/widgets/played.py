"""A small play that several tests show."""

import minitape as tf
from minitape_widgets import play


def parabola(**view):
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x + 3 * x
    return play(tape, y, x, **view)
