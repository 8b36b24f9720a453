"""Matrices taken apart: Cholesky, eigenvalues, singular values, LU.

Sources of the rules: M. Giles, An extended collection of matrix derivative results (2008); J.
Townsend, Differentiating the singular value decomposition (2016). The conventions (which triangle
is read, which one gets the gradient) are TensorFlow's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...base.errors import InvalidArgumentError
from ..elementwise import conj, numpy_dtype, ones_like, zeros_like
from ..linear_algebra import swap_last
from ..record import UNREGISTERED, Op
from ..shaping import as_column, as_row
from .complex_numbers import as_complex
from .diagonals import diag, diag_part, set_diag
from .matrices import band, square, triangular_solve

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from ...base.aliases import Array, Value

# `x @ y` is the matrix product; `t(x)` the transposed matrix. Complex values reach the rules
# conjugated: what they call `y` is conj(y), so `t(y)` is the adjoint matrix of the true one, and
# `conj(y)` the true one itself.
t = swap_last


def diagonal(x: Value) -> Value:
    """Return the middle diagonal."""
    return diag_part(x, k=(0, 0), align="RIGHT_LEFT", padding=0)


def on_diagonal(x: Value) -> Value:
    """Return square matrices with `x` on their diagonal."""
    return diag(x, k=(0, 0), shape=(x.shape[-1],) * 2, align="RIGHT_LEFT", padding=0)


def with_diagonal(x: Value, d: Value) -> Value:
    """Return `x` with another diagonal."""
    return set_diag(x, d, k=(0, 0), align="RIGHT_LEFT")


def scaled(x: Value, factor: float) -> Value:
    """Return `x` with its diagonal multiplied by a number."""
    return with_diagonal(x, diagonal(x) * factor)


def cholesky_kernel(x: Array) -> Array:
    """Return the lower triangles; NaN, as in TensorFlow, for a matrix that is not positive
    definite.
    """
    try:
        return np.linalg.cholesky(square(x))
    except np.linalg.LinAlgError:
        if x.ndim > 2:
            return np.stack([cholesky_kernel(m) for m in x])
        return np.full_like(x, np.nan)


def cholesky_rule(g: Value, y: Value, x: Value) -> Value:
    """Return the adjoint of a symmetric matrix whose Cholesky factor is `y` (Giles 2008; Murray
    2016).
    """
    middle = band(scaled(t(y) @ g, 0.5), lower=True)
    part = triangular_solve(
        t(y), t(triangular_solve(t(conj(y)), t(middle), lower=False)), lower=False
    )
    return (part + conj(t(part))) * 0.5


def gaps(e: Value) -> Value:
    """Return 1 / (e_j - e_i): how strongly eigenvectors mix when a matrix changes. Where both are
    equal, 0.
    """
    difference = as_row(e) - as_column(e)
    ones = ones_like(diagonal(difference))
    apart = with_diagonal(difference, ones)
    return with_diagonal(apart / (apart * apart + 1e-20), zeros_like(ones))


def lower_only(x: Value) -> Value:
    """Return the gradient for a symmetric matrix of which only the lower triangle was read."""
    return scaled(band(x + conj(t(x)), lower=True), 0.5)


def numbers(x: Array) -> Array:
    """Return matrices whose lower triangles hold numbers. Raises `InvalidArgumentError`: of NaN,
    LAPACK makes eigenvalues that are none.
    """
    if not np.isfinite(np.tril(x)).all():
        raise InvalidArgumentError(
            "Self-adjoint eigen decomposition was not successful. The matrix holds NaN or infinity."
        )
    return x


def eigh_kernel(x: Array) -> tuple[Array, Array]:
    """Return eigenvalues and eigenvectors, both of the dtype of the matrix."""
    e, v = np.linalg.eigh(x)
    return e.astype(x.dtype, copy=False), v


def eigh_rule(g: tuple[Value, ...], y: tuple[Value, ...], x: Value) -> Value:
    """Return the adjoint of a symmetric matrix from those of its eigenvalues and eigenvectors
    (Giles 2008).
    """
    (ge, gv), (e, v) = g, y
    return lower_only(conj(v) @ (on_diagonal(ge) + gaps(e) * (t(v) @ gv)) @ t(v))


def eigvalsh_rule(g: Value, y: Value, x: Value) -> Value:
    """Return the adjoint of a symmetric matrix from that of its eigenvalues."""
    _, v = eigh(x)
    return lower_only(conj(v) @ on_diagonal(g) @ t(v))


def svd_rule(g: tuple[Value, ...], y: tuple[Value, ...], x: Value) -> Value:
    """Return the adjoint of a matrix from those of its singular values and vectors (Townsend 2016)."""
    (gs, gu, gv), (s, u, v) = g, y
    if numpy_dtype(x).kind == "c":
        gs, s = as_complex(gs), as_complex(s)
    between = gaps(s * s)
    left, right = t(u) @ gu, t(v) @ gv
    core = (
        on_diagonal(gs)
        + (between * (left - conj(t(left)))) * as_row(s)
        + as_column(s) * (between * (right - conj(t(right))))
    )
    if numpy_dtype(x).kind == "c":  # the phases of u and v are bound to each other
        turn = diagonal(left)
        core = core + on_diagonal((turn - conj(turn)) / (s * 2.0))
    part = conj(u) @ core @ t(v)
    rows, columns = tuple(x.shape[-2:])
    if rows > columns:
        part = part + ((gu - conj(u) @ left) / as_row(s)) @ t(v)
    if columns > rows:
        part = part + (conj(u) / as_row(s)) @ conj(t(gv - conj(v) @ right))
    return part


def svdvals_rule(g: Value, y: Value, x: Value) -> Value:
    """Return the adjoint of a matrix from that of its singular values: the directions belong to
    them.
    """
    _, u, v = svd(x, full_matrices=False)
    return conj(u) @ (as_column(as_complex(g) if numpy_dtype(x).kind == "c" else g) * t(v))


def svd_kernel(x: Array, full_matrices: bool) -> tuple[Array, Array, Array]:
    """Return singular values and vectors; NaN, as in TensorFlow, for a matrix that holds NaN or
    infinity.
    """
    x, blank = finite(x)
    u, s, vh = np.linalg.svd(x, full_matrices=full_matrices)
    return s + blank[..., 0], u + blank, np.conj(vh.swapaxes(-1, -2)) + blank


def svdvals_kernel(x: Array) -> Array:
    """Return singular values alone."""
    x, blank = finite(x)
    return np.linalg.svd(x, compute_uv=False) + blank[..., 0]


def finite(x: Array) -> tuple[Array, Array]:
    """Return the matrices, zeros in place of those that hold NaN or infinity, and what is added to
    a result: NaN for these, else 0.
    """
    fine = np.isfinite(x).all((-2, -1), keepdims=True)
    return np.where(fine, x, 0), np.where(fine, 0, np.nan).astype(x.real.dtype)


def lu_kernel(x: Array, dtype: DTypeLike) -> tuple[Array, Array]:
    """Return L (below the diagonal) and U in one matrix, and the order of the rows: elimination
    with pivots.
    """
    a = np.array(square(x))
    n, stack = a.shape[-1], a.reshape((-1, *a.shape[-2:]))
    order = np.tile(np.arange(n), (len(stack), 1))
    for m, p in zip(stack, order):
        for k in range(n):
            best = k + int(np.abs(m[k:, k]).argmax())
            m[[k, best]], p[[k, best]] = m[[best, k]], p[[best, k]]
            if m[k, k]:
                m[k + 1 :, k] /= m[k, k]
                m[k + 1 :, k + 1 :] -= np.outer(m[k + 1 :, k], m[k, k + 1 :])
    return a, order.reshape(a.shape[:-1]).astype(dtype)


# fmt: off
cholesky = Op("Cholesky",         cholesky_kernel, cholesky_rule, batched=False)
eigh     = Op("SelfAdjointEig",   lambda x: eigh_kernel(numbers(square(x))), eigh_rule, batched=False)
eigvalsh = Op("SelfAdjointEigvals", lambda x: np.linalg.eigvalsh(numbers(square(x))).astype(x.dtype, copy=False), eigvalsh_rule,
              batched=False)
svd      = Op("Svd",              svd_kernel, lambda g, y, x, full_matrices: svd_rule(g, y, x), batched=False)
svdvals  = Op("SvdVals",          svdvals_kernel, svdvals_rule, batched=False)


lu       = Op("Lu",               lambda x, dtype: lu_kernel(x, dtype), UNREGISTERED)
# fmt: on
