"""Gradients that a program defines itself."""

import minitape as tf
import minitape.compile.concrete  # noqa: F401  its row is made when it is first needed
from tests.engine.case import elementwise


@tf.custom_gradient
def softplus(x):
    e = tf.exp(x)
    return tf.math.log(1 + e), lambda upstream: upstream * (1 - 1 / (1 + e))


@tf.custom_gradient
def both(a, b):
    return (a * b, a + b), lambda first, second: (first * b + second, first * a + second)


def inner(x):
    return tf.sin(x) * x


CASES = [
    elementwise("CustomGradient", softplus),
    elementwise("CustomGradient", lambda a, b: both(a + b, a - b), 2),
    elementwise("CustomGradient", tf.recompute_grad(inner)),
    elementwise("PartitionedCall", tf.function(inner)),
]
