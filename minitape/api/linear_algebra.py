"""Linear algebra: products, norms and diagonals as `tf.linalg` exports them; what solves matrices
and takes them apart stands in `decompositions.py`.

The last two axes of a tensor are a matrix, all axes before them a batch. What is computed here is
recorded like every other operation; the rows with their derivatives stand in
`engine/ops/linear_algebra.py` and, in `engine/ops/further/`, `matrices.py`, `decompositions.py`,
`diagonals.py` and `einsum.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ..engine.base.argument_errors import explain_error, explains_errors
from ..engine.base.dtypes import as_dtype, float32
from ..engine.base.errors import InvalidArgumentError
from ..engine.base.tensor import Tensor
from ..engine.base.where import here
from ..engine.convert import convert_to_tensor
from ..engine.operators import absolute, in_order, one, operand
from ..engine.ops import elementwise, reductions, shaping
from ..engine.ops import linear_algebra as rows
from ..engine.ops.further import decompositions, diagonals, matrices
from ..engine.ops.further import einsum as _einsum
from ..engine.ops.record import run
from ..engine.variable import Variable
from ..typing import AxisLike, DTypeLike, IntLike, ScalarLike, ShapeLike, TensorLike
from .arguments import INEXACT, NUMBERS, axis_of, only, plain_numbers, whole
from .elementwise import sqrt


def _complex(x: Tensor) -> bool:
    return x.value.dtype.kind == "c"


# ---- products


@explains_errors
def matmul(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: DTypeLike | None = None,
    grad_a: bool = False,
    grad_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """Multiply matrices: (..., n, m) times (..., m, k) gives (..., n, k); batch axes are broadcast.

    `transpose_*` swaps the last two axes first, `adjoint_*` conjugates too.

    Shape: a (..., n, m), b (..., m, k) -> (..., n, k). Raises `InvalidArgumentError` for shapes and
    dtypes that do not fit, ValueError where both are asked for. Source: `tf.linalg.matmul`.
    """
    try:
        if transpose_a and adjoint_a or transpose_b and adjoint_b:
            raise ValueError(
                "Only one of `transpose_a` and `adjoint_a` can be True; the same holds for b."
            )
        x, y = in_order(a, b)
        if transpose_a or adjoint_a:
            x = matrix_transpose(x, conjugate=adjoint_a)
        if transpose_b or adjoint_b:
            y = matrix_transpose(y, conjugate=adjoint_b)
        return run(rows.matmul, (x, y))
    except Exception as error:
        explain_error(error, matmul, (a, b, transpose_a, transpose_b, adjoint_a, adjoint_b), {})
        raise


def matvec(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Multiply matrices by vectors: (..., n, m) times (..., m) gives (..., n).

    Shape: a (..., n, m), b (..., m) -> (..., n). Source: `tf.linalg.matvec`.
    """
    a, b = convert_to_tensor(a), convert_to_tensor(b)
    product = matmul(a, shaping.as_column(b), transpose_a=transpose_a, adjoint_a=adjoint_a)
    return shaping.reshape(product, shape=tuple(product.value.shape[:-1]))


def einsum(equation: str, *inputs: TensorLike, **kwargs: Any) -> Tensor:
    """Sum products along axes that share a letter: `tf.einsum("ij,jk->ik", a, b)` is the matrix
    product.

    `...` stands for any axes, a letter twice in one operand for a diagonal; without `->` the
    letters that appear once are kept, in alphabetical order.

    Shape: one letter per axis, as the equation says. Raises ValueError for an equation that does
    not fit. Source: `tf.einsum`.
    """
    unknown = sorted(kwargs.keys() - {"name", "optimize", "greedy"})
    if unknown:
        raise TypeError(
            f"Invalid keyword arguments for einsum: {', '.join(unknown)}. Valid arguments: name, "
            "optimize, greedy."
        )
    if not inputs:
        raise ValueError("einsum needs at least one tensor after the equation.")
    first = convert_to_tensor(inputs[0])
    only(NUMBERS, _einsum.einsum, first)
    tensors = [first] + [x if type(x) is Tensor else operand(x, first) for x in inputs[1:]]
    equation, tensors = _einsum.explicit(equation, tensors)
    return run(_einsum.einsum, tensors, {"equation": equation})


def tensordot(a: TensorLike, b: TensorLike, axes: Any, name: str | None = None) -> Tensor:
    """Multiply and sum over chosen axes of both tensors. `axes` is a number (that many last axes of
    `a` with first ones of `b`) or a pair of lists of axes.

    Shape: a (free..., summed...), b (summed..., free...) -> the free axes of a, then those of b.
    Raises ValueError, `InvalidArgumentError` for axes that do not fit. Source: `tf.tensordot`.
    """
    a, b = convert_to_tensor(a), convert_to_tensor(b)
    of_a, of_b = _axes_of(a, b, axes)
    free_a = [k for k in range(a.ndim) if k not in of_a]
    free_b = [k for k in range(b.ndim) if k not in of_b]
    shape_a, shape_b = a.value.shape, b.value.shape
    inner = prod(shape_a[k] for k in of_a)
    left = _as(a, free_a + of_a, (prod(shape_a[k] for k in free_a), inner))
    right = _as(
        b, of_b + free_b, (prod(shape_b[k] for k in of_b), prod(shape_b[k] for k in free_b))
    )
    shape = tuple(shape_a[k] for k in free_a) + tuple(shape_b[k] for k in free_b)
    return shaping.reshape(run(rows.matmul, (left, right)), shape=shape)


def _axes_of(a: Tensor, b: Tensor, axes: Any) -> Any:
    axes = (
        plain_numbers(axes)
        if isinstance(axes, (Tensor, Variable, np.ndarray, np.generic))
        else axes
    )
    if not isinstance(axes, (list, tuple)):
        n = whole("axes", axes)
        if not 0 <= n <= min(a.ndim, b.ndim):
            raise ValueError(
                f"`axes` must be between 0 and the number of axes, got {axes} for {a.ndim} and "
                f"{b.ndim} axes."
            )
        return list(range(a.ndim - n, a.ndim)), list(range(n))
    if len(axes) != 2:
        raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}.")
    of_a, of_b = (
        summed_axes(x, of, which) for x, of, which in ((a, axes[0], "a"), (b, axes[1], "b"))
    )
    if len(of_a) != len(of_b):
        raise ValueError(
            f"Different number of contraction axes `a` and `b`, {len(of_a)} != {len(of_b)}."
        )
    return of_a, of_b


def summed_axes(x: Tensor, axes: Any, which: str) -> list[int]:
    """Return the axes over which `tensordot` sums, from 0 on. Raises ValueError for one that there
    is not, and for one named twice.
    """
    axes = (
        plain_numbers(axes)
        if isinstance(axes, (Tensor, Variable, np.ndarray, np.generic))
        else axes
    )
    numbers = [whole("axes", k) for k in (axes if isinstance(axes, (list, tuple)) else [axes])]
    for k in numbers:
        if not -x.ndim <= k < x.ndim:
            raise ValueError(
                f"`axes` names axis {k} of `{which}`, which has {x.ndim} axes: the shape is "
                f"{x.shape}."
            )
    numbers = [k % x.ndim for k in numbers]
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"`axes` names an axis of `{which}` twice: {axes}.")
    return numbers


def _as(x: Tensor, perm: Sequence[int], shape: tuple[int, ...]) -> Tensor:
    if perm != list(range(x.ndim)):
        x = shaping.transpose(x, perm=tuple(perm))
    return x if x.value.shape == shape else shaping.reshape(x, shape=shape)


# ---- transposed, norms, traces


def matrix_transpose(
    a: TensorLike, name: str | None = "matrix_transpose", conjugate: bool = False
) -> Tensor:
    """Swap the last two axes.

    Shape: (..., n, m) -> (..., m, n). Raises ValueError with fewer than two axes. Source:
    `tf.linalg.matrix_transpose`.
    """
    a = convert_to_tensor(a)
    if a.ndim < 2:
        raise ValueError(
            f"Argument `a` should be a (batch) matrix with rank >= 2. Received `a` = {a!r} with "
            f"shape {a.shape}."
        )
    a = one(rows.swap_last, a)
    return one(elementwise.conj, a) if conjugate and _complex(a) else a


def adjoint(matrix: TensorLike, name: str | None = None) -> Tensor:
    """Swap the last two axes and conjugate. Shape: (..., n, m) -> (..., m, n). Source:
    `tf.linalg.adjoint`.
    """
    return matrix_transpose(matrix, conjugate=True)


def trace(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the sum along the diagonal of each matrix. Shape: (..., n, m) -> (...). Source:
    `tf.linalg.trace`.
    """
    return reductions.reduce_sum(
        only(NUMBERS, reductions.reduce_sum, diag_part(x)), axis=-1, keepdims=False
    )


def norm(
    tensor: TensorLike,
    ord: str | float = "euclidean",
    axis: AxisLike | None = None,
    keepdims: bool | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the size of vectors or matrices.

    `ord`: "euclidean", "fro", 1, 2, inf or any positive number for vectors (`axis` None or a
    number); "euclidean", "fro", 1, 2, inf for matrices (`axis` a pair). The slope at the zero
    vector is nan, as in TensorFlow.

    Shape: (...) -> (...) without the axes of `axis`; with `keepdims` they stay, of length 1. Raises
    ValueError for another `ord`. Source: `tf.norm`.
    """
    kind: Any = ord
    over: Any = axis
    x, keep = convert_to_tensor(tensor), bool(keepdims)
    matrix = isinstance(over, (list, tuple)) and len(over) == 2
    if isinstance(over, (list, tuple)) and not matrix or matrix and over[0] == over[1]:
        raise ValueError(
            f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {over}"
        )
    known = ("euclidean", "fro", 1, 2, np.inf) if matrix else ("euclidean", 1, 2, np.inf)
    if kind not in known and (matrix or isinstance(kind, str) or not kind > 0):
        raise ValueError(
            f"'ord' must be a supported {'matrix' if matrix else 'vector'} norm in {list(known)}"
            f"{'' if matrix else ' or a positive number'}, got {kind!r}"
        )
    axes: Any = (
        None
        if over is None
        else tuple(axis_of(k, x.ndim, "Norm") for k in over)
        if matrix
        else axis_of(over, x.ndim, "Norm")
    )
    if matrix and kind == 2:
        order = [k for k in range(x.ndim) if k not in axes] + list(axes)
        s = decompositions.svdvals(
            shaping.transpose(only(INEXACT, decompositions.svdvals, x), perm=tuple(order))
        )
        y = reductions.reduce_max(s, axis=-1, keepdims=False)
        return shaping.expand(y, y, x, axes) if keep else y
    if kind in ("euclidean", "fro", 2):
        squares = x * elementwise.conj(x) if _complex(x) else x * x
        return sqrt(reductions.reduce_sum(squares, axis=axes, keepdims=keep))
    size = absolute(x)
    if matrix:
        first, last = axes if kind == 1 else axes[::-1]
        sums = reductions.reduce_sum(size, axis=first, keepdims=True)
        y = reductions.reduce_max(sums, axis=last, keepdims=True)
        return (
            y
            if keep
            else shaping.reshape(
                y, shape=tuple(n for k, n in enumerate(y.value.shape) if k not in axes)
            )
        )
    if kind == 1:
        return reductions.reduce_sum(size, axis=axes, keepdims=keep)
    if kind == np.inf:
        return reductions.reduce_max(size, axis=axes, keepdims=keep)
    return reductions.reduce_sum(size**kind, axis=axes, keepdims=keep) ** (1.0 / kind)


def normalize(
    tensor: TensorLike,
    ord: str | float = "euclidean",
    axis: AxisLike | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return `(tensor / norm, norm)`.

    Shape: (...) -> (...), and the norm with the axes of `axis` of length 1. Source:
    `tf.linalg.normalize`.
    """
    x = convert_to_tensor(tensor)
    size = norm(x, ord, axis, keepdims=True)
    return x / size, size


# ---- built and cut


def eye(
    num_rows: IntLike,
    num_columns: IntLike | None = None,
    batch_shape: ShapeLike | None = None,
    dtype: DTypeLike = float32,
    name: str | None = None,
) -> Tensor:
    """Return identity matrices of shape batch_shape + (num_rows, num_columns). Source: `tf.eye`."""
    rows_, columns = int(num_rows), int(num_rows if num_columns is None else num_columns)
    if rows_ < 0 or columns < 0:
        raise InvalidArgumentError(
            f"Dimension {min(rows_, columns)} must be >= 0: tf.eye({num_rows}, {num_columns}) "
            "[Op:Fill]"
        )
    lengths: Any = batch_shape
    value = np.eye(rows_, columns, dtype=as_dtype(dtype).as_numpy_dtype)
    if lengths is not None:
        value = np.array(np.broadcast_to(value, tuple(int(n) for n in lengths) + value.shape))
    return Tensor(value, here())


def band_part(
    input: TensorLike, num_lower: IntLike, num_upper: IntLike, name: str | None = None
) -> Tensor:
    """Keep the diagonals from `num_lower` below to `num_upper` above the middle (negative: all),
    zeros elsewhere.

    Shape: (..., n, m) -> (..., n, m). Source: `tf.linalg.band_part`.
    """
    x, lower, upper = convert_to_tensor(input), int(num_lower), int(num_upper)
    if x.ndim > 1 and (lower > x.value.shape[-2] or upper > x.value.shape[-1]):
        raise InvalidArgumentError(
            f"`num_lower` and `num_upper` must not be larger than the matrix, got {lower} and "
            f"{upper} for the shape "
            f"{x.shape} [Op:MatrixBandPart]"
        )
    return one(matrices.band_part, x, num_lower=lower, num_upper=upper)


def _k(k: Any) -> tuple[int, int]:
    k = k.value if isinstance(k, Tensor) else k
    if np.ndim(k) > 1 or not np.size(k):
        raise InvalidArgumentError(f"`k` must be one diagonal or two, got {k!r}")
    low, high = (k, k) if np.ndim(k) == 0 else (k[0], k[-1])
    if low > high:
        raise InvalidArgumentError(
            f"lower_diag_index must not be larger than upper_diag_index: {low} > {high}"
        )
    return int(low), int(high)


def diag(
    diagonal: TensorLike,
    name: str | None = "diag",
    k: IntLike | Sequence[int] = 0,
    num_rows: IntLike = -1,
    num_cols: int = -1,
    padding_value: ScalarLike = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Return matrices with the given diagonals and `padding_value` elsewhere. Shape: (..., n) ->
    (..., n, n). Source: `tf.linalg.diag`.
    """
    x, (low, high) = convert_to_tensor(diagonal), _k(k)
    if not x.ndim:
        raise InvalidArgumentError("diagonal must be at least 1-dim, received shape: []")
    n = x.value.shape[-1]
    rows_, columns = n - min(high, 0), n + max(low, 0)
    if num_rows == num_cols == -1:
        rows_ = columns = max(rows_, columns)
    shape = (
        rows_ if num_rows == -1 else int(num_rows),
        columns if num_cols == -1 else int(num_cols),
    )
    return one(diagonals.diag, x, k=(low, high), shape=shape, align=align, padding=padding_value)


def diag_part(
    input: TensorLike,
    name: str | None = "diag_part",
    k: IntLike | Sequence[int] = 0,
    padding_value: ScalarLike = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Return the diagonals of matrices. Shape: (..., n, m) -> (..., min(n, m)). Source:
    `tf.linalg.diag_part`.
    """
    return one(diagonals.diag_part, input, k=_k(k), align=align, padding=padding_value)
