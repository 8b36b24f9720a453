"""Matrices: products, solutions, decompositions, diagonals, Einstein's notation."""

import minitape as tf
from minitape import linalg
from minitape.engine.ops import linear_algebra as rows
from minitape.engine.ops.further import decompositions, diagonals, einsum, matrices
from tests.engine.case import shaped

LAPACK = ("float64", "float32")
EQUATIONS = [
    ("ij->", (2, 3)),
    ("ii->i", (3, 3)),
    ("ii->", (3, 3)),
    ("ij,jk->ik", (2, 3), (3, 2)),
    ("ij,ij->", (2, 3), (2, 3)),
    ("i,j->ij", (2,), (3,)),
    ("bij,bjk->bik", (2, 2, 3), (2, 3, 2)),
    ("ij,ik->jk", (2, 3), (2, 2)),
    ("a,a->a", (3,), (3,)),
    ("iji,jk->k", (2, 3, 2), (3, 2)),
    ("bij,bjk,ck->bci", (2, 2, 3), (2, 3, 2), (3, 2)),
    ("ij,kj->ki", (2, 3), (2, 3)),
    ("ij->j", (2, 0)),
    ("ij,k->ij", (2, 2), (3,)),
]


def definite(x):
    """Return a symmetric positive definite matrix made of any one."""
    n = x.shape[-1]
    return x @ linalg.adjoint(x) + linalg.eye(n, dtype=x.dtype) * 2.0


def regular(x):
    """Return a matrix that is far from singular."""
    return x + linalg.eye(x.shape[-1], dtype=x.dtype) * 5.0


def apart(x):
    """Return a symmetric matrix whose eigenvalues lie apart."""
    n = x.shape[-1]
    return (x + linalg.adjoint(x)) * 0.2 + linalg.diag(
        tf.cast(tf.constant([1.0, 3.0, 6.0][:n]), x.dtype)
    )


def stretched(x):
    """Return a matrix whose singular values lie apart."""
    rows_, columns = x.shape[-2:]
    return x * 0.2 + linalg.diag(
        tf.cast(tf.constant([1.0, 3.0, 6.0][: min(rows_, columns)]), x.dtype),
        num_rows=rows_,
        num_cols=columns,
    )


def squares(parts):
    """Return vectors of unknown sign or phase, squared."""
    return [p * tf.math.conj(p) for p in parts]


SQUARES = ([(3, 3)], [(2, 3, 3)])
K = dict(align="RIGHT_LEFT", padding=0)

CASES = [
    shaped(
        "MatMul",
        lambda a, b: a @ b,
        [(2, 3), (3, 4)],
        [(5, 2, 3), (3, 4)],
        [(2, 3), (5, 3, 1)],
        [(2, 0), (0, 3)],
        complex=True,
    ),
    shaped("MatrixTranspose", rows.swap_last, [(2, 3)], [(2, 2, 3)], complex=True),
    shaped(
        "MatrixInverse",
        lambda x: matrices.inverse(regular(x)),
        *SQUARES,
        complex=True,
        dtypes=LAPACK,
    ),
    shaped(
        "MatrixDeterminant",
        lambda x: matrices.determinant(regular(x)),
        *SQUARES,
        complex=True,
        dtypes=LAPACK,
        tolerance=1e-4,
    ),
    shaped(
        "MatrixSolve",
        lambda a, b: matrices.solve(regular(a), b),
        [(3, 3), (3, 2)],
        [(2, 3, 3), (2, 3, 1)],
        complex=True,
        dtypes=LAPACK,
    ),
    *[
        shaped(
            "MatrixTriangularSolve",
            lambda a, b, lower=lower: matrices.triangular_solve(regular(a), b, lower=lower),
            [(3, 3), (3, 2)],
            [(2, 3, 3), (2, 3, 1)],
            complex=True,
            dtypes=LAPACK,
        )
        for lower in (True, False)
    ],
    shaped(
        "MatrixBandPart",
        lambda x: matrices.band_part(x, num_lower=1, num_upper=0),
        [(3, 3)],
        [(2, 2, 4)],
        complex=True,
    ),
    *[
        shaped("Einsum", lambda *xs, e=e: einsum.einsum(*xs, equation=e), shapes, complex=True)
        for e, *shapes in EQUATIONS
    ],
    *[
        shaped(
            "MatrixDiagPart",
            lambda x, k=k: diagonals.diag_part(x, k=k, **K),
            [(3, 4)],
            [(2, 4, 3)],
            complex=True,
        )
        for k in [(0, 0), (-1, 2), (1, 1)]
    ],
    shaped(
        "MatrixDiag",
        lambda x: diagonals.diag(x, k=(0, 0), shape=(3, 3), **K),
        [(3,)],
        [(2, 3)],
        complex=True,
    ),
    shaped(
        "MatrixDiag",
        lambda x: diagonals.diag(x, k=(-1, 1), shape=(3, 4), **K),
        [(3, 3)],
        [(2, 3, 3)],
    ),
    shaped(
        "MatrixSetDiag",
        lambda x, d: diagonals.set_diag(x, d, k=(0, 0), align="RIGHT_LEFT"),
        [(3, 4), (3,)],
        [(2, 3, 3), (2, 3)],
        complex=True,
    ),
    shaped(
        "Cholesky",
        lambda x: decompositions.cholesky(definite(x)),
        *SQUARES,
        dtypes=LAPACK,
        complex=True,
    ),
    shaped(
        "SelfAdjointEig",
        lambda x: squares(decompositions.eigh(apart(x))),
        *SQUARES,
        dtypes=LAPACK,
        tolerance=1e-4,
        complex=True,
    ),
    shaped(
        "SelfAdjointEigvals",
        lambda x: decompositions.eigvalsh(apart(x)),
        *SQUARES,
        dtypes=LAPACK,
        complex=True,
    ),
    shaped(
        "Svd",
        lambda x: squares(decompositions.svd(stretched(x), full_matrices=False)),
        [(3, 3)],
        [(4, 3)],
        [(2, 2, 3)],
        dtypes=LAPACK,
        tolerance=1e-4,
        complex=True,
    ),
    shaped(
        "SvdVals",
        lambda x: decompositions.svdvals(stretched(x)),
        [(3, 3)],
        [(4, 3)],
        [(2, 2, 3)],
        dtypes=LAPACK,
        complex=True,
    ),
    shaped("Lu", lambda x: decompositions.lu(x, dtype="int32")[0], [(3, 3)], unregistered=True),
]
