"""The same numbers in another arrangement."""

from minitape.engine.ops import reductions
from minitape.engine.ops import shaping as rows
from tests.engine.case import shaped

CASES = [
    shaped(
        "Reshape",
        lambda x: rows.reshape(x, shape=(3, 2)),
        [(2, 3)],
        [(6,)],
        [(1, 2, 3)],
        complex=True,
    ),
    shaped("Reshape", lambda x: rows.reshape(x, shape=()), [(1, 1)], [(1,)], [()]),
    shaped(
        "BroadcastTo",
        lambda x: rows.broadcast_to(x, shape=(4, 2, 3)),
        [(2, 3)],
        [(2, 1)],
        [(3,)],
        [()],
        [(4, 1, 1)],
        complex=True,
    ),
    shaped(
        "Transpose",
        lambda x: rows.transpose(x, perm=None),
        [(2, 3)],
        [(4,)],
        [(2, 1, 3)],
        complex=True,
    ),
    shaped(
        "Transpose",
        lambda x: rows.transpose(x, perm=(2, 0, 1)),
        [(2, 1, 3)],
        [(1, 2, 3)],
        [(2, 0, 3)],
    ),
    shaped(
        "Bitcast",
        lambda x: rows.bitcast(x, dtype=x.dtype._numpy, shape=tuple(x.shape)),
        [(2, 3)],
        order=0,
    ),
    *[
        shaped("Pack", lambda a, b, k=k: rows.stack(a, b * b, axis=k), [(2, 3)] * 2, complex=True)
        for k in (0, 1, -1, -2)
    ],
    shaped("Pack", lambda a, b: rows.stack(a, b, axis=0), [(), ()]),
    *[
        shaped(
            "Unpack", lambda x, k=k: rows.unstack(x, axis=k), [(2, 3)], [(2, 2, 2)], complex=True
        )
        for k in (0, 1, -1)
    ],
    shaped("Unpack", lambda x: rows.unstack(x, axis=0)[1] ** 2, [(3,)]),
    *[
        shaped(
            "Concat",
            lambda a, b, c, k=k: rows.concat(a, b * c, c, axis=k),
            [(2, 2)] * 3,
            complex=True,
        )
        for k in (0, 1, -1)
    ],
    shaped("Concat", lambda a, b: rows.concat(a, b, axis=1), [(2, 1), (2, 3)], [(2, 0), (2, 2)]),
    *[
        shaped(
            "Split", lambda x, k=k: rows.split(x, sizes=(1, 0, 2), axis=k), [(3, 3)], complex=True
        )
        for k in (0, -1)
    ],
    shaped("Split", lambda x: rows.split(x, sizes=(1, 2), axis=0)[1] ** 2, [(3,)]),
    *[
        shaped("StridedSlice", lambda x, key=key: rows.index(x, key=key), [(3, 4)], complex=True)
        for key in [
            (1,),
            (-1, 2),
            (slice(None, None, -1),),
            (..., 1),
            (None, 0),
            (slice(0, 2), None, slice(3, 0, -2)),
            (slice(2, 2),),
        ]
    ],
    *[
        shaped(
            "StridedSliceGrad",
            lambda x, key=key: rows.unindex(x, key=key, shape=(3, 4)),
            [shape],
            complex=True,
        )
        for key, shape in [((1,), (4,)), ((..., slice(None, None, 2)), (3, 2)), ((1, 1), ())]
    ],
    *[
        shaped(
            "StridedSliceAssign",
            lambda x, new, key=key: rows.slice_assign(x, new, key=key),
            shapes,
            complex=True,
        )
        for key, shapes in [
            ((1,), [(3, 4), (4,)]),
            ((..., slice(None, None, -2)), [(3, 4), (3, 2)]),
            ((slice(1, None), slice(0, 2)), [(3, 4), ()]),
        ]
    ],
    shaped(
        "Pad", lambda x: rows.pad(x, paddings=((1, 0), (2, 1))), [(2, 3)], [(0, 2)], complex=True
    ),
    shaped(
        "Tile", lambda x: reductions.tile(x, multiples=(2, 3)), [(2, 3)], [(1, 1)], complex=True
    ),
    shaped("Tile", lambda x: reductions.tile(x, multiples=(2,)), [(3,)]),
    shaped("Reverse", lambda x: rows.reverse(x, axis=(0,)), [(2, 3)], [(4,)], complex=True),
    shaped("Roll", lambda x: rows.roll(x, shift=(1, -2), axis=(0, -1)), [(3, 4)], complex=True),
]
