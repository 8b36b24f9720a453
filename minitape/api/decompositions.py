"""Matrices solved and taken apart: what `tf.linalg` exports besides products, norms and diagonals.

Functions take stacks of matrices: the last two axes are the matrix.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..compile.again import again
from ..engine.base.dtypes import as_dtype, int32
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor
from ..engine.operators import one, pair
from ..engine.ops import elementwise, reductions, shaping
from ..engine.ops.further import complex_numbers, decompositions, matrices
from ..engine.ops.record import Op, run
from ..typing import DTypeLike, ScalarLike, TensorLike
from .arguments import INEXACT, only
from .linear_algebra import adjoint, diag_part, matrix_transpose


class Svd(NamedTuple):
    """The singular values, and the matrices of the left and right singular vectors."""

    s: Tensor
    u: Tensor
    v: Tensor


def of_one(op: Op, x: TensorLike, **attributes: Any) -> Any:
    """Run an operation on matrices of floating or complex numbers. Raises `InvalidArgumentError`
    for other dtypes.
    """
    return one(op, only(INEXACT, op, convert_to_tensor(x)), **attributes)


def of_two(op: Op, a: TensorLike, b: TensorLike, **attributes: Any) -> Tensor:
    """Run an operation on two stacks of matrices. Raises `InvalidArgumentError` for dtypes that are
    no floating or complex numbers.
    """
    a, b = pair(a, b)
    return run(op, (only(INEXACT, op, a), b), attributes or None)


# ---- inverses, determinants, equations


def inv(input: TensorLike, adjoint: bool = False, name: str | None = None) -> Tensor:
    """Return the inverse of square matrices.

    Shape: (..., n, n) -> (..., n, n). Raises `InvalidArgumentError` where there is none. Source:
    `tf.linalg.inv`.
    """
    return of_one(matrices.inverse, matrix_transpose(input, conjugate=True) if adjoint else input)


def det(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the determinant of square matrices. Shape: (..., n, n) -> (...). Source:
    `tf.linalg.det`.
    """
    return of_one(matrices.determinant, input)


def logdet(matrix: TensorLike, name: str | None = None) -> Tensor:
    """Return the logarithm of the determinant of positive definite matrices, by their Cholesky
    factor.

    Shape: (..., n, n) -> (...). Source: `tf.linalg.logdet`.
    """
    lengths = diag_part(cholesky(matrix))
    return 2.0 * reductions.reduce_sum(
        elementwise.log(complex_numbers.real(lengths) if lengths.dtype.is_complex else lengths),
        axis=-1,
        keepdims=False,
    )


def solve(
    matrix: TensorLike, rhs: TensorLike, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """Solve `matrix @ x = rhs` for x; `rhs` has the shape (..., n, k).

    Shape: (..., n, n) and rhs (..., n, k) -> (..., n, k). Raises `InvalidArgumentError` for a
    singular matrix. Source: `tf.linalg.solve`.
    """
    return of_two(
        matrices.solve, matrix_transpose(matrix, conjugate=True) if adjoint else matrix, rhs
    )


def triangular_solve(
    matrix: TensorLike,
    rhs: TensorLike,
    lower: bool = True,
    adjoint: bool = False,
    name: str | None = None,
) -> Tensor:
    """Solve `matrix @ x = rhs` where only one triangle of `matrix` is read.

    Shape: (..., n, n) and rhs (..., n, k) -> (..., n, k). Source: `tf.linalg.triangular_solve`.
    """
    matrix = matrix_transpose(matrix, conjugate=True) if adjoint else matrix
    return of_two(matrices.triangular_solve, matrix, rhs, lower=bool(lower) != bool(adjoint))


def cholesky_solve(chol: TensorLike, rhs: TensorLike, name: str | None = None) -> Tensor:
    """Solve `chol @ adjoint(chol) @ x = rhs`. Shape: (..., n, n) and rhs (..., n, k) -> (..., n,
    k). Source: `tf.linalg.cholesky_solve`.
    """
    return triangular_solve(chol, triangular_solve(chol, rhs), adjoint=True)


def pinv(
    a: TensorLike,
    rcond: ScalarLike | None = None,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the Moore-Penrose pseudo-inverse, by singular values. Shape: (..., n, m) -> (..., m,
    n). Source: `tf.linalg.pinv`.
    """
    a = only(INEXACT, decompositions.svd, convert_to_tensor(a))
    s, u, v = svd(a)
    if rcond is None:
        rcond = 10.0 * max(a.value.shape[-2:]) * np.finfo(a.value.dtype).eps
    large = s > rcond * s[..., :1]  # the largest stands first
    inverse = elementwise.select(large, 1.0 / elementwise.select(large, s, 1), 0)
    return (v * shaping.as_row(inverse)) @ adjoint(u)


@again
def matrix_rank(
    a: TensorLike,
    tol: ScalarLike | None = None,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return how many singular values exceed `tol`, as int32. Shape: (..., n, m) -> (...). Source:
    `tf.linalg.matrix_rank`.
    """
    s = svd(a, compute_uv=False)
    if tol is None:
        tol = (
            max(convert_to_tensor(a).value.shape[-2:])
            * np.finfo(s.value.dtype).eps
            * s.value.max(-1, keepdims=True)
        )
    return reductions.reduce_sum(
        elementwise.cast(s > np.asarray(tol, s.value.dtype), dtype=np.int32),
        axis=(-1,),
        keepdims=False,
    )


# ---- matrices taken apart


def cholesky(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the lower triangular L with L @ adjoint(L) = input.

    Shape: (..., n, n) -> (..., n, n). Raises `InvalidArgumentError` unless the matrix is positive
    definite. Source: `tf.linalg.cholesky`.
    """
    return of_one(decompositions.cholesky, input)


def svd(
    tensor: TensorLike,
    full_matrices: bool = False,
    compute_uv: bool = True,
    name: str | None = None,
) -> Any:
    """Return singular values and vectors `(s, u, v)` with tensor = u @ diag(s) @ adjoint(v), or
    only `s`.

    Shape: (..., n, m) -> s (..., p), u (..., n, p), v (..., m, p) with p = min(n, m). Source:
    `tf.linalg.svd`.
    """
    if not compute_uv:
        return of_one(decompositions.svdvals, tensor)
    return Svd(*of_one(decompositions.svd, tensor, full_matrices=bool(full_matrices)))


def eigh(tensor: TensorLike, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Return eigenvalues (ascending) and eigenvectors of self-adjoint matrices; the lower triangle
    is read.

    Shape: (..., n, n) -> (..., n) and (..., n, n). Source: `tf.linalg.eigh`.
    """
    return of_one(decompositions.eigh, tensor)


def eigvalsh(tensor: TensorLike, name: str | None = None) -> Tensor:
    """Return the eigenvalues of self-adjoint matrices, ascending. Shape: (..., n, n) -> (..., n).
    Source: `tf.linalg.eigvalsh`.
    """
    return of_one(decompositions.eigvalsh, tensor)


def lu(input: TensorLike, output_idx_type: DTypeLike = int32, name: str | None = None) -> Lu:
    """Return `(lu, p)`: L without its diagonal of ones and U in one matrix, and the order of the
    rows. It has no gradient, as in TensorFlow.

    Shape: (..., n, n) -> lu (..., n, n), p (..., n). Source: `tf.linalg.lu`.
    """
    return Lu(*of_one(decompositions.lu, input, dtype=as_dtype(output_idx_type).as_numpy_dtype))


class Lu(NamedTuple):
    """Both triangles in one matrix, and the order of the rows."""

    lu: Tensor
    p: Tensor
