"""Matrices solved and taken apart: what `tf.linalg` exports besides products, norms and diagonals.

Functions take stacks of matrices: the last two axes are the matrix.
"""

from collections import namedtuple

import numpy as np

from ..compile.again import again
from ..engine.convert import convert_to_tensor
from ..engine.dtypes import as_dtype, int32
from ..engine.notes import look
from ..engine.operators import one, operand, two
from ..engine.ops import elementwise, reductions, shaping
from ..engine.ops.further import complex_numbers, decompositions, matrices
from ..engine.tensor import Tensor
from .linear_algebra import adjoint, diag_part, eye, matrix_transpose

LU = namedtuple("Lu", "lu p")
SVD = namedtuple("Svd", "s u v")
SLogDet = namedtuple("LogMatrixDeterminant", "sign log_abs_determinant")

# ---- inverses, determinants, equations


def inv(input, adjoint=False, name=None):
    """Return the inverse of square matrices. Raises `InvalidArgumentError` where there is none. Source:
    `tf.linalg.inv`.
    """
    return one(matrices.inverse, matrix_transpose(input, conjugate=True) if adjoint else input)


def det(input, name=None):
    """Return the determinant of square matrices. Source: `tf.linalg.det`."""
    return one(matrices.determinant, input)


def slogdet(input, name=None):
    """Return the sign and the logarithm of the size of the determinant. Source: `tf.linalg.slogdet`."""
    return SLogDet(*one(matrices.log_determinant, input))


def logdet(matrix, name=None):
    """Return the logarithm of the determinant of positive definite matrices, by their Cholesky factor. Source:
    `tf.linalg.logdet`.
    """
    lengths = diag_part(cholesky(matrix))
    return 2.0 * reductions.reduce_sum(elementwise.log(complex_numbers.real(lengths) if lengths.dtype.is_complex else lengths), axis=-1,
                                       keepdims=False)


def solve(matrix, rhs, adjoint=False, name=None):
    """Solve `matrix @ x = rhs` for x; `rhs` has the shape (..., n, k). Raises `InvalidArgumentError` for a singular
    matrix. Source: `tf.linalg.solve`.
    """
    return two(matrices.solve, matrix_transpose(matrix, conjugate=True) if adjoint else matrix, rhs)


def triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None):
    """Solve `matrix @ x = rhs` where only one triangle of `matrix` is read. Source: `tf.linalg.triangular_solve`."""
    matrix = matrix_transpose(matrix, conjugate=True) if adjoint else matrix
    return two(matrices.triangular_solve, matrix, rhs, lower=bool(lower) != bool(adjoint))


def cholesky_solve(chol, rhs, name=None):
    """Solve `chol @ adjoint(chol) @ x = rhs`. Source: `tf.linalg.cholesky_solve`."""
    return triangular_solve(chol, triangular_solve(chol, rhs), adjoint=True)


def lstsq(matrix, rhs, l2_regularizer=0.0, fast=True, name=None):
    """Return the x that minimises |matrix @ x - rhs|^2 + l2_regularizer |x|^2, by the normal equations. Source:
    `tf.linalg.lstsq`.
    """
    a = convert_to_tensor(matrix)
    b = rhs if type(rhs) is Tensor else operand(rhs, a)
    tall = a.value.shape[-2] >= a.value.shape[-1]
    at = matrix_transpose(a, conjugate=True)
    gram = at @ a if tall else a @ at
    if l2_regularizer:
        gram = gram + l2_regularizer * eye(gram.value.shape[-1], dtype=gram.dtype)
    chol = cholesky(gram)
    return cholesky_solve(chol, at @ b) if tall else at @ cholesky_solve(chol, b)


def pinv(a, rcond=None, validate_args=False, name=None):
    """Return the Moore-Penrose pseudo-inverse, by singular values. Source: `tf.linalg.pinv`."""
    a = convert_to_tensor(a)
    s, u, v = svd(a)
    if rcond is None:
        rcond = 10.0 * max(a.value.shape[-2:]) * np.finfo(a.value.dtype).eps
    large = look(s) > rcond * look(s).max(-1, keepdims=True)
    inverse = elementwise.select(Tensor(large), 1.0 / elementwise.select(Tensor(large), s, Tensor(np.ones_like(s.value))),
                                 Tensor(np.zeros_like(s.value)))
    return (v * shaping.as_row(inverse)) @ adjoint(u)


@again
def matrix_rank(a, tol=None, validate_args=False, name=None):
    """Return how many singular values exceed `tol`, as int32. Source: `tf.linalg.matrix_rank`."""
    s = svd(a, compute_uv=False).value
    if tol is None:
        tol = max(convert_to_tensor(a).value.shape[-2:]) * np.finfo(s.dtype).eps * s.max(-1, keepdims=True)
    return Tensor(np.int32((s > np.asarray(tol)).sum(-1)))


# ---- matrices taken apart, and functions of matrices


def cholesky(input, name=None):
    """Return the lower triangular L with L @ adjoint(L) = input. Raises `InvalidArgumentError` unless the matrix is
    positive definite. Source: `tf.linalg.cholesky`.
    """
    return one(decompositions.cholesky, input)


def svd(tensor, full_matrices=False, compute_uv=True, name=None):
    """Return singular values and vectors `(s, u, v)` with tensor = u @ diag(s) @ adjoint(v), or only `s`. Source:
    `tf.linalg.svd`.
    """
    if not compute_uv:
        return one(decompositions.svdvals, tensor)
    return SVD(*one(decompositions.svd, tensor, full_matrices=bool(full_matrices)))


def eigh(tensor, name=None):
    """Return eigenvalues (ascending) and eigenvectors of self-adjoint matrices; the lower triangle is read. Source:
    `tf.linalg.eigh`.
    """
    return one(decompositions.eigh, tensor)


def eigvalsh(tensor, name=None):
    """Return the eigenvalues of self-adjoint matrices, ascending. Source: `tf.linalg.eigvalsh`."""
    return one(decompositions.eigvalsh, tensor)


def eig(tensor, name=None):
    """Return the complex eigenvalues and eigenvectors of matrices. Source: `tf.linalg.eig`."""
    return one(decompositions.eig, tensor)


def eigvals(tensor, name=None):
    """Return the complex eigenvalues of matrices. Source: `tf.linalg.eigvals`."""
    return one(decompositions.eig, tensor)[0]


def qr(input, full_matrices=False, name=None):
    """Return `(q, r)` with orthonormal columns in q and an upper triangular r. Source: `tf.linalg.qr`."""
    return one(decompositions.qr, input, full_matrices=bool(full_matrices))


def lu(input, output_idx_type=int32, name=None):
    """Return `(lu, p)`: L without its diagonal of ones and U in one matrix, and the order of the rows. It has no
    gradient, as in TensorFlow. Source: `tf.linalg.lu`.
    """
    return LU(*one(decompositions.lu, input, dtype=as_dtype(output_idx_type).as_numpy_dtype))


def expm(input, name=None):
    """Return e to the power of matrices. Source: `tf.linalg.expm`."""
    return one(decompositions.expm, input)


def sqrtm(input, name=None):
    """Return the principal square root of matrices. Source: `tf.linalg.sqrtm`."""
    return one(decompositions.sqrtm, input)


def logm(input, name=None):
    """Return the principal logarithm of matrices; it has no gradient, as in TensorFlow. Source: `tf.linalg.logm`."""
    return one(decompositions.logm, input)
