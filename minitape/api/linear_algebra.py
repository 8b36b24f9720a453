"""Linear algebra: the functions that `tf.linalg` exports.

The last two axes of a tensor are a matrix, all axes before them a batch. What is computed here is recorded like every
other operation; the rows with their derivatives stand in `engine/ops/linear_algebra.py`, `decompositions.py`,
`diagonals.py` and `einsum.py`.
"""

from collections import namedtuple
from math import prod

import numpy as np

from ..engine.again import again, look
from ..engine.convert import convert_to_tensor
from ..engine.dtypes import as_dtype, float32, int32
from ..engine.errors import InvalidArgumentError
from ..engine.operators import absolute, one, operand, pair, two
from ..engine.ops import decompositions, diagonals, elementwise, reductions, shaping
from ..engine.ops import einsum as _einsum
from ..engine.ops import linear_algebra as rows
from ..engine.record import run
from ..engine.tensor import Tensor
from .elementwise import sqrt

LU = namedtuple("Lu", "lu p")
SVD = namedtuple("Svd", "s u v")
SLogDet = namedtuple("LogMatrixDeterminant", "sign log_abs_determinant")


def _complex(x):
    return x.value.dtype.kind == "c"


# ---- products


def matmul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, a_is_sparse=False, b_is_sparse=False,
           output_type=None, grad_a=False, grad_b=False, name=None):
    """Multiply matrices: (..., n, m) times (..., m, k) gives (..., n, k); batch axes are broadcast.

    `transpose_*` swaps the last two axes first, `adjoint_*` conjugates too. Raises `InvalidArgumentError` for shapes
    and dtypes that do not fit, ValueError where both are asked for. Source: `tf.linalg.matmul`.
    """
    if transpose_a and adjoint_a or transpose_b and adjoint_b:
        raise ValueError("Only one of `transpose_a` and `adjoint_a` can be True; the same holds for b.")
    a, b = pair(a, b)
    if transpose_a or adjoint_a:
        a = matrix_transpose(a, conjugate=adjoint_a)
    if transpose_b or adjoint_b:
        b = matrix_transpose(b, conjugate=adjoint_b)
    return run(rows.matmul, (a, b))


def matvec(a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, b_is_sparse=False, name=None):
    """Multiply matrices by vectors: (..., n, m) times (..., m) gives (..., n). Source: `tf.linalg.matvec`."""
    a, b = pair(a, b)
    product = matmul(a, rows.as_column(b), transpose_a=transpose_a, adjoint_a=adjoint_a)
    return shaping.reshape(product, shape=tuple(product.value.shape[:-1]))


def einsum(equation, *inputs, **kwargs):
    """Sum products along axes that share a letter: `tf.einsum("ij,jk->ik", a, b)` is the matrix product.

    `...` stands for any axes, a letter twice in one operand for a diagonal; without `->` the letters that appear once
    are kept, in alphabetical order. Raises ValueError for an equation that does not fit. Source: `tf.einsum`.
    """
    if not inputs:
        raise ValueError("einsum needs at least one tensor after the equation.")
    first = convert_to_tensor(inputs[0])
    tensors = [first] + [x if type(x) is Tensor else operand(x, first) for x in inputs[1:]]
    equation, tensors = _einsum.explicit(equation, tensors)
    return run(_einsum.einsum, tensors, {"equation": equation})


def tensordot(a, b, axes, name=None):
    """Multiply and sum over chosen axes of both tensors. `axes` is a number (that many last axes of `a` with first
    ones of `b`) or a pair of lists of axes.

    Raises ValueError, `InvalidArgumentError` for axes that do not fit. Source: `tf.tensordot`.
    """
    a, b = pair(a, b)
    of_a, of_b = _axes_of(a, b, axes)
    free_a = [k for k in range(a.ndim) if k not in of_a]
    free_b = [k for k in range(b.ndim) if k not in of_b]
    shape_a, shape_b = a.value.shape, b.value.shape
    inner = prod(shape_a[k] for k in of_a)
    left = _as(a, free_a + of_a, (prod(shape_a[k] for k in free_a), inner))
    right = _as(b, of_b + free_b, (prod(shape_b[k] for k in of_b), prod(shape_b[k] for k in free_b)))
    shape = tuple(shape_a[k] for k in free_a) + tuple(shape_b[k] for k in free_b)
    return shaping.reshape(run(rows.matmul, (left, right)), shape=shape)


def _axes_of(a, b, axes):
    axes = look(axes) if isinstance(axes, Tensor) else axes
    if np.ndim(axes) == 0 and not isinstance(axes, (list, tuple)):
        if axes < 0 or axes > min(a.ndim, b.ndim):
            raise ValueError(f"`axes` must be between 0 and the number of axes, got {axes} for {a.ndim} and {b.ndim} axes.")
        return list(range(a.ndim - int(axes), a.ndim)), list(range(int(axes)))
    if len(axes) != 2:
        raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}.")
    of_a, of_b = ([int(k) for k in (pair if isinstance(pair, (list, tuple, np.ndarray)) else [pair])] for pair in axes)
    if len(of_a) != len(of_b):
        raise ValueError(f"Different number of contraction axes `a` and `b`, {len(of_a)} != {len(of_b)}.")
    return [k % a.ndim for k in of_a], [k % b.ndim for k in of_b]


def _as(x, perm, shape):
    if perm != list(range(x.ndim)):
        x = shaping.transpose(x, perm=tuple(perm))
    return x if x.value.shape == shape else shaping.reshape(x, shape=shape)


def cross(a, b, name=None):
    """Return the cross product of vectors along the last axis, of length 3. Source: `tf.linalg.cross`."""
    return two(rows.cross, a, b)


# ---- transposed, norms, traces


def matrix_transpose(a, name="matrix_transpose", conjugate=False):
    """Swap the last two axes. Raises ValueError with fewer than two axes. Source: `tf.linalg.matrix_transpose`."""
    a = convert_to_tensor(a)
    if a.ndim < 2:
        raise ValueError(f"Argument `a` should be a (batch) matrix with rank >= 2. Received `a` = {a!r} with shape {a.shape}.")
    a = one(rows.swap_last, a)
    return one(elementwise.conj, a) if conjugate and _complex(a) else a


def adjoint(matrix, name=None):
    """Swap the last two axes and conjugate. Source: `tf.linalg.adjoint`."""
    return matrix_transpose(matrix, conjugate=True)


def trace(x, name=None):
    """Return the sum along the diagonal of each matrix. Source: `tf.linalg.trace`."""
    return reductions.reduce_sum(diag_part(x), axis=-1, keepdims=False)


def norm(tensor, ord="euclidean", axis=None, keepdims=None, name=None):
    """Return the size of vectors or matrices.

    `ord`: "euclidean", "fro", 1, 2, inf or any positive number for vectors (`axis` None or a number); "euclidean",
    "fro", 1, 2, inf for matrices (`axis` a pair). The slope at the zero vector is nan, as in TensorFlow. Raises
    ValueError for another `ord`. Source: `tf.norm`.
    """
    x, keep = convert_to_tensor(tensor), bool(keepdims)
    matrix = isinstance(axis, (list, tuple)) and len(axis) == 2
    if isinstance(axis, (list, tuple)) and not matrix or matrix and axis[0] == axis[1]:
        raise ValueError(f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {axis}")
    known = ("euclidean", "fro", 1, 2, np.inf) if matrix else ("euclidean", 1, 2, np.inf)
    if ord not in known and (matrix or isinstance(ord, str) or not ord > 0):
        raise ValueError(f"'ord' must be a supported {'matrix' if matrix else 'vector'} norm in {list(known)}"
                         f"{'' if matrix else ' or a positive number'}, got {ord!r}")
    axes = None if axis is None else tuple(int(k) for k in axis) if matrix else int(axis)
    if matrix and ord == 2:
        order = [k for k in range(x.ndim) if k not in [a % x.ndim for a in axes]] + [a % x.ndim for a in axes]
        s = decompositions.svdvals(shaping.transpose(x, perm=tuple(order)))
        y = reductions.reduce_max(s, axis=-1, keepdims=False)
        return shaping.expand(y, y, x, axes) if keep else y
    if ord in ("euclidean", "fro", 2):
        squares = x * elementwise.conj(x) if _complex(x) else x * x
        return sqrt(reductions.reduce_sum(squares, axis=axes, keepdims=keep))
    size = absolute(x)
    if matrix:
        first, last = axes if ord == 1 else axes[::-1]
        sums = reductions.reduce_sum(size, axis=first, keepdims=True)
        y = reductions.reduce_max(sums, axis=last, keepdims=True)
        return y if keep else shaping.reshape(y, shape=tuple(n for k, n in enumerate(y.value.shape) if k not in [a % x.ndim for a in axes]))
    if ord == 1:
        return reductions.reduce_sum(size, axis=axes, keepdims=keep)
    if ord == np.inf:
        return reductions.reduce_max(size, axis=axes, keepdims=keep)
    return reductions.reduce_sum(size ** ord, axis=axes, keepdims=keep) ** (1.0 / ord)


def normalize(tensor, ord="euclidean", axis=None, name=None):
    """Return `(tensor / norm, norm)`. Source: `tf.linalg.normalize`."""
    x = convert_to_tensor(tensor)
    size = norm(x, ord, axis, keepdims=True)
    return x / size, size


# ---- built and cut


def eye(num_rows, num_columns=None, batch_shape=None, dtype=float32, name=None):
    """Return identity matrices of shape batch_shape + (num_rows, num_columns). Source: `tf.eye`."""
    rows_, columns = int(num_rows), int(num_rows if num_columns is None else num_columns)
    if rows_ < 0 or columns < 0:
        raise InvalidArgumentError(f"Dimension {min(rows_, columns)} must be >= 0: tf.eye({num_rows}, {num_columns}) [Op:Fill]")
    value = np.eye(rows_, columns, dtype=as_dtype(dtype).as_numpy_dtype)
    if batch_shape is not None:
        value = np.array(np.broadcast_to(value, tuple(int(n) for n in batch_shape) + value.shape))
    return Tensor(value)


def band_part(input, num_lower, num_upper, name=None):
    """Keep the diagonals from `num_lower` below to `num_upper` above the middle (negative: all), zeros elsewhere.

    Source: `tf.linalg.band_part`.
    """
    return one(rows.band_part, input, num_lower=int(num_lower), num_upper=int(num_upper))


def _k(k):
    k = k.value if isinstance(k, Tensor) else k
    low, high = (k, k) if np.ndim(k) == 0 else (k[0], k[-1])
    if low > high:
        raise InvalidArgumentError(f"lower_diag_index must not be larger than upper_diag_index: {low} > {high}")
    return int(low), int(high)


def diag(diagonal, name="diag", k=0, num_rows=-1, num_cols=-1, padding_value=0, align="RIGHT_LEFT"):
    """Return matrices with the given diagonals and `padding_value` elsewhere. Source: `tf.linalg.diag`."""
    x, (low, high) = convert_to_tensor(diagonal), _k(k)
    if not x.ndim:
        raise InvalidArgumentError("diagonal must be at least 1-dim, received shape: []")
    n = x.value.shape[-1]
    rows_, columns = n - min(high, 0), n + max(low, 0)
    if num_rows == num_cols == -1:
        rows_ = columns = max(rows_, columns)
    shape = (rows_ if num_rows == -1 else int(num_rows), columns if num_cols == -1 else int(num_cols))
    return one(diagonals.diag, x, k=(low, high), shape=shape, align=align, padding=padding_value)


def diag_part(input, name="diag_part", k=0, padding_value=0, align="RIGHT_LEFT"):
    """Return the diagonals of matrices. Source: `tf.linalg.diag_part`."""
    return one(diagonals.diag_part, input, k=_k(k), align=align, padding=padding_value)


def set_diag(input, diagonal, name="set_diag", k=0, align="RIGHT_LEFT"):
    """Return the matrices with other diagonals. Source: `tf.linalg.set_diag`."""
    return two(diagonals.set_diag, input, diagonal, k=_k(k), align=align)


def tensor_diag(diagonal, name=None):
    """Return a tensor of twice as many axes with the given numbers where both halves of the index agree. Source:
    `tf.linalg.tensor_diag`.
    """
    x = convert_to_tensor(diagonal)
    shape = tuple(x.value.shape)
    return shaping.reshape(diag(shaping.reshape(x, shape=(prod(shape),))), shape=shape * 2)


def tensor_diag_part(input, name=None):
    """Return the numbers where both halves of the index agree: the reverse of `tensor_diag`. Source:
    `tf.linalg.tensor_diag_part`.
    """
    x = convert_to_tensor(input)
    shape = tuple(x.value.shape)
    half = shape[:len(shape) // 2]
    if not shape or half * 2 != shape:
        raise InvalidArgumentError(f"The two halves of the shape must be equal, got {list(shape)}.")
    return shaping.reshape(diag_part(shaping.reshape(x, shape=(prod(half),) * 2)), shape=half)


# ---- inverses, determinants, equations


def inv(input, adjoint=False, name=None):
    """Return the inverse of square matrices. Raises `InvalidArgumentError` where there is none. Source:
    `tf.linalg.inv`.
    """
    return one(rows.inverse, matrix_transpose(input, conjugate=True) if adjoint else input)


def det(input, name=None):
    """Return the determinant of square matrices. Source: `tf.linalg.det`."""
    return one(rows.determinant, input)


def slogdet(input, name=None):
    """Return the sign and the logarithm of the size of the determinant. Source: `tf.linalg.slogdet`."""
    return SLogDet(*one(rows.log_determinant, input))


def logdet(matrix, name=None):
    """Return the logarithm of the determinant of positive definite matrices, by their Cholesky factor. Source:
    `tf.linalg.logdet`.
    """
    lengths = diag_part(cholesky(matrix))
    return 2.0 * reductions.reduce_sum(elementwise.log(elementwise.real(lengths) if lengths.dtype.is_complex else lengths), axis=-1,
                                       keepdims=False)


def solve(matrix, rhs, adjoint=False, name=None):
    """Solve `matrix @ x = rhs` for x; `rhs` has the shape (..., n, k). Raises `InvalidArgumentError` for a singular
    matrix. Source: `tf.linalg.solve`.
    """
    return two(rows.solve, matrix_transpose(matrix, conjugate=True) if adjoint else matrix, rhs)


def triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None):
    """Solve `matrix @ x = rhs` where only one triangle of `matrix` is read. Source: `tf.linalg.triangular_solve`."""
    matrix = matrix_transpose(matrix, conjugate=True) if adjoint else matrix
    return two(rows.triangular_solve, matrix, rhs, lower=bool(lower) != bool(adjoint))


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
    return (v * rows.as_row(inverse)) @ adjoint(u)


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
