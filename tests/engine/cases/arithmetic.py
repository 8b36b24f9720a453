"""Two numbers in, one out."""

import minitape as tf
from tests.engine.case import elementwise

POSITIVE = (0.5, 2.0)
APART = ((0.5, 2.0), (-2.0, -0.5))

CASES = [
    elementwise("Add", lambda a, b: a + b, 2, complex=True),
    elementwise("Sub", lambda a, b: a - b, 2, complex=True),
    elementwise("Mul", lambda a, b: a * b, 2, complex=True),
    elementwise("Div", lambda a, b: a / b, 2, domain=((-2, 2), POSITIVE), complex=True),
    elementwise("Pow", lambda a, b: a**b, 2, domain=(POSITIVE, (-2, 2)), complex=True),
    elementwise("Neg", lambda a: -a, complex=True),
    elementwise("AddN", lambda a: tf.add_n([a, a * a, a]), complex=True),
    elementwise("Maximum", tf.maximum, 2),
    elementwise("Minimum", tf.minimum, 2),
    elementwise("SquaredDifference", tf.math.squared_difference, 2, complex=True),
    elementwise("Atan2", tf.atan2, 2, domain=(POSITIVE, (-2, 2))),
    elementwise("FloorDiv", lambda a, b: a // b, 2, domain=POSITIVE, order=0),
    elementwise("TruncateDiv", tf.truncatediv, 2, domain=POSITIVE, order=0),
    elementwise("FloorMod", lambda a, b: a % b, 2, domain=((3.1, 3.9), (0.76, 0.77))),
    elementwise("FloorMod", tf.math.floormod, 2, domain=((3.1, 3.9), (-0.77, -0.76))),
    elementwise("TruncateMod", tf.truncatemod, 2, domain=POSITIVE, unregistered=True),
    elementwise("DivNoNan", tf.math.divide_no_nan, 2, domain=((-2, 2), POSITIVE), complex=True),
    elementwise("MulNoNan", tf.math.multiply_no_nan, 2, domain=((-2, 2), POSITIVE), complex=True),
    elementwise("Xdivy", tf.math.xdivy, 2, domain=APART, complex=True),
    elementwise("Xlogy", tf.math.xlogy, 2, domain=POSITIVE, complex=True),
    elementwise("Xlog1py", tf.math.xlog1py, 2, domain=POSITIVE),
    elementwise(
        "NextAfter",
        lambda a: tf.math.nextafter(a, tf.constant(5.0, a.dtype)) ** 2,
        dtypes=("float64", "float32"),
    ),
    elementwise("ReciprocalNoNan", tf.math.reciprocal_no_nan, domain=POSITIVE),
]
