"""Linear algebra. Source: `tf.linalg`."""
# ruff: noqa: I001  (names in compact blocks)

from .api.missing import offer
from .api.linear_algebra import (
    adjoint, band_part, cross, diag, diag_part, einsum, eye, matmul, matrix_transpose, matvec, norm, normalize, set_diag, tensor_diag,
    tensor_diag_part, tensordot, trace,
)
from .api.decompositions import (
    cholesky, cholesky_solve, det, eig, eigh, eigvals, eigvalsh, expm, inv, logdet, logm, lstsq, lu, matrix_rank, pinv, qr, slogdet,
    solve, sqrtm, svd, triangular_solve,
)
from .api.gradients import global_norm
from .api.reductions import l2_normalize

__all__ = [
    "adjoint", "band_part", "cholesky", "cholesky_solve", "cross", "det", "diag", "diag_part", "eig", "eigh", "eigvals", "eigvalsh",
    "einsum", "expm", "eye", "global_norm", "inv", "l2_normalize", "logdet", "logm", "lstsq", "lu", "matmul", "matrix_rank",
    "matrix_transpose", "matvec", "norm", "normalize", "pinv", "qr", "set_diag", "slogdet", "solve", "sqrtm", "svd", "tensor_diag",
    "tensor_diag_part", "tensordot", "trace", "triangular_solve",
]
offer(__name__)
