"""Linear algebra. Source: `tf.linalg`."""
# ruff: noqa: I001  (names in compact blocks)

from .api.missing import offer
from .api.linear_algebra import (
    adjoint,
    band_part,
    diag,
    diag_part,
    einsum,
    eye,
    matmul,
    matrix_transpose,
    matvec,
    norm,
    normalize,
    tensordot,
    trace,
)
from .api.decompositions import (
    cholesky,
    cholesky_solve,
    det,
    eigh,
    eigvalsh,
    inv,
    logdet,
    lu,
    matrix_rank,
    pinv,
    solve,
    svd,
    triangular_solve,
)
from .api.gradients import global_norm
from .api.reductions import l2_normalize

__all__ = [
    "adjoint",
    "band_part",
    "cholesky",
    "cholesky_solve",
    "det",
    "diag",
    "diag_part",
    "eigh",
    "eigvalsh",
    "einsum",
    "eye",
    "global_norm",
    "inv",
    "l2_normalize",
    "logdet",
    "lu",
    "matmul",
    "matrix_rank",
    "matrix_transpose",
    "matvec",
    "norm",
    "normalize",
    "pinv",
    "solve",
    "svd",
    "tensordot",
    "trace",
    "triangular_solve",
]
offer(__name__)
