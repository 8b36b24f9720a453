"""Questions with the answer yes or no: nothing passes."""

import numpy as np

import minitape as tf
from minitape.engine.ops import comparison as rows
from tests.engine.case import elementwise

TRUTH = tf.constant([True, False, True])


def on_booleans(op, row, inputs=2):
    """Return the case of an operation that a watched float cannot reach: the row itself is called
    with a float first.
    """
    return elementwise(
        op,
        lambda x, row=row: row(x > 0, TRUTH) if inputs == 2 else row(x > 0),
        order=0,
        reached=False,
    )


CASES = [
    *[
        elementwise(op, getattr(tf, name), 2, order=0)
        for op, name in [
            ("Less", "less"),
            ("LessEqual", "less_equal"),
            ("Greater", "greater"),
            ("GreaterEqual", "greater_equal"),
            ("Equal", "equal"),
            ("NotEqual", "not_equal"),
        ]
    ],
    on_booleans("LogicalAnd", rows.logical_and),
    on_booleans("LogicalOr", rows.logical_or),
    on_booleans("LogicalNot", rows.logical_not, 1),
    *[
        elementwise(
            op,
            lambda x, row=row: row(tf.cast(x, "int32"), tf.constant(np.arange(3, dtype="int32"))),
            order=0,
            reached=False,
        )
        for op, row in [
            ("BitwiseAnd", rows.bitwise_and),
            ("BitwiseOr", rows.bitwise_or),
            ("BitwiseXor", rows.bitwise_xor),
        ]
    ],
    elementwise("Invert", lambda x: rows.invert(tf.cast(x, "int32")), order=0, reached=False),
    *[
        elementwise(op, getattr(tf.math, name), order=0)
        for op, name in [("IsNan", "is_nan"), ("IsInf", "is_inf"), ("IsFinite", "is_finite")]
    ],
]
