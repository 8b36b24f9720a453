"""Many numbers in, fewer out."""

import minitape as tf
from tests.engine.case import shaped

SHAPES = ([(2, 3)], [(4,)], [(2, 1, 3)])
POSITIVE = (0.5, 2.0)
HOW = [(False, False), (True, False), (False, True), (True, True)]  # exclusive, reverse


def along(op, call, **more):
    """Return cases over all axes, one axis, several axes, with and without keepdims."""
    return [
        shaped(op, lambda x: call(x), *SHAPES, [()], **more),
        shaped(op, lambda x: call(x, axis=0), *SHAPES, **more),
        shaped(op, lambda x: call(x, axis=-1, keepdims=True), *SHAPES, **more),
        shaped(op, lambda x: call(x, axis=[0, -1]), [(2, 3)], [(2, 1, 3)], **more),
        shaped(op, lambda x: call(x, axis=(1,), keepdims=True), [(2, 3)], [(2, 2, 1)], **more),
    ]


CASES = [
    *along("Sum", tf.reduce_sum, complex=True),
    *along("Mean", tf.reduce_mean, complex=True),
    *along("Max", tf.reduce_max),
    *along("Min", tf.reduce_min),
    *along("Prod", tf.reduce_prod, complex=True),
    *along("EuclideanNorm", tf.math.reduce_euclidean_norm, domain=POSITIVE, complex=True),
    *along("LogSumExp", tf.reduce_logsumexp),
    *along("Mean", tf.math.reduce_variance),
    shaped("All", lambda x: tf.reduce_all(x > 0), [(2, 3)], order=0, reached=False),
    shaped("Any", lambda x: tf.reduce_any(x > 0), [(2, 3)], order=0, reached=False),
    shaped("ArgMax", lambda x: tf.argmax(x, 1), [(2, 3)], order=0),
    shaped("ArgMin", lambda x: tf.argmin(x), [(2, 3)], order=0),
    *[
        shaped("Cumsum", lambda x, e=e, r=r: tf.cumsum(x, -1, e, r), *SHAPES, [(0,)], [(2, 0)])
        for e, r in HOW
    ],
    *[
        shaped(
            "Cumprod",
            lambda x, e=e, r=r: tf.math.cumprod(x, 0, e, r),
            *SHAPES,
            domain=POSITIVE,
            complex=True,
        )
        for e, r in HOW
    ],
    shaped("Sum", lambda x: tf.reduce_sum(x, axis=0), [(0, 3)], [(3, 0)]),
    shaped("Prod", lambda x: tf.reduce_prod(x, axis=0), [(0, 3)], [(3, 0)]),
]
