"""Numbers looked up by their places."""

import numpy as np

import minitape as tf
from minitape.engine.ops import indexing as rows
from minitape.engine.ops.further import sorting
from tests.engine.case import shaped

IDS = tf.constant([2, 0, 2])
TABLE = tf.constant([[0, 1], [1, 1]])
PLACES = tf.constant([[2, 1], [0, 0], [2, 1]])
LINES = tf.constant([[2], [0]])
ORDER = tf.constant(np.array([[2, 0], [1, 2]]))

CASES = [
    *[
        shaped(
            "GatherV2",
            lambda x, k=k, ids=ids: rows.gather(x, ids, axis=k),
            [(3, 3)],
            [(3, 3, 3)],
            complex=True,
        )
        for k in (-1, -2)
        for ids in (IDS, TABLE)
    ],
    shaped("GatherV2", lambda x: rows.gather(x, tf.constant(1), axis=-1), [(2,)], [(2, 2)]),
    shaped(
        "UnsortedSegmentSum",
        lambda x: rows.segment_sum(x, IDS, num=4, axis=-2),
        [(3, 2)],
        complex=True,
    ),
    shaped(
        "UnsortedSegmentSum",
        lambda x: rows.segment_sum(x, TABLE, num=2, axis=-1),
        [(2, 2)],
        [(3, 2, 2)],
    ),
    shaped(
        "UnsortedSegmentMax",
        lambda x: sorting.segment_max(x, tf.constant([1, 0, 1]), num=2),
        [(3, 2)],
        [(3,)],
    ),
    shaped(
        "UnsortedSegmentMin",
        lambda x: sorting.segment_min(x, tf.constant([1, 0, 1]), num=2),
        [(3, 2)],
        [(3,)],
    ),
    shaped("GatherNd", lambda x: rows.gather_nd(x, PLACES), [(3, 2)], [(3, 2, 2)], complex=True),
    shaped("GatherNd", lambda x: rows.gather_nd(x, LINES), [(3, 2)], [(3,)]),
    shaped("ScatterNd", lambda x: rows.scatter_nd(x, PLACES, shape=(3, 2)), [(3,)], complex=True),
    shaped("ScatterNd", lambda x: rows.scatter_nd(x, LINES, shape=(4, 2)), [(2, 2)]),
    *[
        shaped(op, lambda x, new, row=row: row(x, LINES, new), [(3, 2), (2, 2)], [(3,), (2,)])
        for op, row in [
            ("TensorScatterUpdate", rows.scatter_update),
            ("TensorScatterAdd", rows.scatter_add),
            ("TensorScatterSub", rows.scatter_sub),
            ("TensorScatterMax", rows.scatter_max),
            ("TensorScatterMin", rows.scatter_min),
        ]
    ],
    shaped("TakeAlong", lambda x: sorting.take_along(x, ORDER), [(2, 3)], complex=True),
    shaped("TakeAlong", lambda x: sorting.take_along(x, ORDER), [(2, 2, 3)]),
    shaped("PutAlong", lambda x: sorting.put_along(x, ORDER, length=4), [(2, 2)], complex=True),
    shaped("TopK", lambda x: sorting.top_k(x, k=2, dtype=np.int32), [(2, 3)], [(4,)]),
    shaped("ArgSort", lambda x: sorting.argsort(x, axis=-1, descending=True), [(2, 3)], order=0),
    shaped("Where", lambda x: rows.where(x), [(2, 3)], order=0),
    shaped(
        "OneHot",
        lambda x: rows.one_hot(x, tf.constant(1.0), tf.constant(0.0), depth=3, axis=-1),
        [(2, 3)],
        order=0,
    ),
    shaped("Unique", lambda x: sorting.unique(x, dtype=np.int32)[0], [(3,)], unregistered=True),
    shaped("InTopKV2", lambda x: sorting.in_top_k(x, tf.constant([0, 2]), k=1), [(2, 3)], order=0),
    shaped(
        "ConfusionMatrix",
        lambda x: sorting.confusion(
            tf.cast(x, "int32"), tf.constant([0, 1, 1]), length=3, dtype=np.int32, share=1.0
        ),
        [(3,)],
        domain=(0, 3),
        order=0,
        reached=False,
    ),
]
