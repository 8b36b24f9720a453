"""Matrices."""

from minitape.engine.ops import linear_algebra as rows
from tests.engine.case import shaped

CASES = [
    shaped("MatMul", lambda a, b: a @ b, [(2, 3), (3, 4)], [(5, 2, 3), (3, 4)], [(2, 3), (5, 3, 1)], [(2, 0), (0, 3)], complex=True),
    shaped("MatrixTranspose", rows.swap_last, [(2, 3)], [(2, 2, 3)], complex=True),
]
