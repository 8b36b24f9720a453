"""Einstein's notation: sums of products with one letter per axis.

`ij,jk->ik` is the matrix product. The derivative of such a sum with respect to one operand is such
a sum again: the adjoint takes the operand's place, and the letters change sides. Two helpers make
this true for every equation: a letter that only the operand has is a sum, and its adjoint is a copy
(times ones); a letter that the operand has twice is a diagonal, and its adjoint lies on the
diagonal (times an identity matrix).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from math import prod
from string import ascii_letters
from typing import Any

import numpy as np

from ...base.aliases import Array, Value
from ...base.errors import InvalidArgumentError
from ...base.tensor import Tensor
from ..elementwise import numpy_dtype
from ..record import Op
from ..shaping import reshape


def part(i: int, g: Value, y: Value, xs: tuple[Value, ...], equation: str) -> Value:
    """Return the adjoint of operand `i`: an einsum of the adjoint `g` with all other operands."""
    left, out = equation.split("->")
    terms = left.split(",")
    fresh = iter([c for c in ascii_letters if c not in equation])
    lead = "".join(next(fresh) for _ in range(g.ndim - len(out)))  # a batch of seeds keeps its axes
    sizes = dict(zip(terms[i], xs[i].shape))
    helpers: list[Array] = []
    wanted, others = "", [t for k, t in enumerate(terms) if k != i]
    known = set(out).union(*others)
    operands = [x for k, x in enumerate(xs) if k != i]
    dtype = numpy_dtype(xs[i])
    for c in terms[i]:
        if c in wanted:
            twin = next(fresh)
            wanted, others, helpers = (
                wanted + twin,
                [*others, c + twin],
                [*helpers, np.eye(sizes[c], dtype=dtype)],
            )
        else:
            wanted += c
            if c not in known:
                others, helpers = [*others, c], [*helpers, np.ones(sizes[c], dtype)]
    return einsum(
        g, *operands, *helpers, equation=f"{','.join([lead + out, *others])}->{lead + wanted}"
    )


def kernel(*xs: Array, equation: str) -> Array:
    """Compute one equation without dots, spaces or missing arrow."""
    if len(xs) == 2:
        return pair(*xs, *plan(equation))
    if len(xs) == 1:
        return np.array(np.einsum(equation, *xs))
    return np.einsum(equation, *xs, optimize="greedy")


@lru_cache(1000)
def plan(equation: str) -> tuple[str, tuple[Any, ...] | None]:
    """Return how a sum of two operands becomes a batched matrix product, which is where the speed
    is.

    The letters of each operand fall into four groups: batch (in both and in the result), summed (in
    both), own, and alone (summed over beforehand).
    """
    left, out = equation.split("->")
    a, b = left.split(",")
    if len(set(a)) < len(a) or len(set(b)) < len(b):
        return equation, None
    batch = [c for c in a if c in b and c in out]
    summed = [c for c in a if c in b and c not in out]
    own_a = [c for c in a if c not in b and c in out]
    own_b = [c for c in b if c not in a and c in out]
    alone_a = tuple(a.index(c) for c in a if c not in b and c not in out)
    alone_b = tuple(b.index(c) for c in b if c not in a and c not in out)
    kept_a = [c for c in a if c in b or c in out]
    kept_b = [c for c in b if c in a or c in out]
    result = batch + own_a + own_b
    return equation, (
        alone_a,
        alone_b,
        [kept_a.index(c) for c in batch + own_a + summed],
        [kept_b.index(c) for c in batch + summed + own_b],
        len(batch),
        len(own_a),
        len(summed),
        [result.index(c) for c in out],
    )


def pair(a: Array, b: Array, equation: str, how: tuple[Any, ...] | None) -> Array:
    """Compute a sum of products of two operands as one batched matrix product."""
    if how is None:
        return np.array(np.einsum(equation, a, b))
    alone_a, alone_b, order_a, order_b, batch, own, summed, order = how
    a = (a.sum(alone_a) if alone_a else a).transpose(order_a)
    b = (b.sum(alone_b) if alone_b else b).transpose(order_b)
    stack, mine, yours = a.shape[:batch], a.shape[batch : batch + own], b.shape[batch + summed :]
    if a.shape[batch + own :] != b.shape[batch : batch + summed] or stack != b.shape[:batch]:
        raise ValueError(f"the axes with the same letter have different lengths in {equation!r}")
    inner = prod(a.shape[batch + own :])
    if inner == 1 and batch and not own and not yours:
        return (a.reshape(stack) * b.reshape(stack)).transpose(order)
    y = np.matmul(a.reshape(stack + (prod(mine), inner)), b.reshape(stack + (inner, prod(yours))))
    return y.reshape(stack + mine + yours).transpose(order)


# fmt: off
einsum = Op("Einsum", kernel, each=part)
# fmt: on


def explicit(equation: str, xs: Sequence[Tensor]) -> tuple[str, Sequence[Tensor]]:
    """Return the equation with an arrow and with letters for the dots, and the operands for it.

    An operand whose axis has length 1 where the dots of another one are longer loses that axis: its
    numbers serve for all. Raises ValueError for an equation that cannot be read.
    """
    given = equation
    equation = (
        equation.replace(" ", "").replace("_", "?").replace("...", "_")
        if isinstance(equation, str)
        else "?"
    )
    left, arrow, out = equation.partition("->")
    terms = left.split(",")
    if re.fullmatch("[a-zA-Z_,]*(->[a-zA-Z_]*)?", equation) is None or any(
        t.count("_") > 1 for t in [*terms, out]
    ):
        raise ValueError(
            f"Cannot read the einsum equation {given!r}: use letters, commas, ... and one ->, as "
            "in 'ij,jk->ik'."
        )
    if len(terms) != len(xs):
        raise ValueError(f"Expected {len(terms)} inputs for the equation {given!r}, got {len(xs)}.")
    if not arrow:  # the letters that stand once; dots are no letters, as in TensorFlow
        letters = left.replace(",", "").replace("_", "")
        out = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    for term, x in zip(terms, xs):
        if x.ndim != len(term) if "_" not in term else x.ndim < len(term) - 1:
            raise InvalidArgumentError(
                f"Expected input to have rank {len(term)} but got: {x.ndim}. The term "
                f"{term.replace('_', '...')!r} of "
                f"the equation {given!r} does not fit the shape {x.shape} [Op:Einsum]"
            )
    if "_" in equation:
        free = [c for c in ascii_letters if c not in equation]
        extra = [x.ndim - len(term) + 1 if "_" in term else 0 for term, x in zip(terms, xs)]
        dots = free[: max(extra)]
        if dots and "_" not in out:
            raise InvalidArgumentError(
                f"Output contains {len(dots)} broadcasting dimension(s) but no ellipsis (...): "
                "the axes that the "
                f"dots of {given!r} stand for must stay. Write ->... and the letters, or name "
                "them [Op:Einsum]"
            )
        longest: dict[str, int] = {}
        for term, x, n in zip(terms, xs, extra):
            for c, size in zip(dots[len(dots) - n :], x.value.shape[term.find("_") :]):
                longest[c] = max(longest.get(c, 1), size)
        fitted = [
            _without_ones(term, x, dots[len(dots) - n :], longest)
            for term, x, n in zip(terms, xs, extra)
        ]
        terms, xs = [term for term, _ in fitted], [x for _, x in fitted]
        out = out.replace("_", "".join(dots))
    if len(set(out)) < len(out) or set(out) - set("".join(terms)):
        raise ValueError(
            f"The result {out!r} of the equation {given!r} must name axes of the inputs, each once."
        )
    sizes: dict[str, int] = {}
    for term, x in zip(terms, xs):
        for c, n in zip(term, x.value.shape):
            if sizes.setdefault(c, n) != n:
                raise InvalidArgumentError(
                    f"Expected dimension {sizes[c]} but got {n} for the axes named {c!r} in the "
                    f"equation {given!r}."
                )
    return f"{','.join(terms)}->{out}", xs


def _without_ones(
    term: str, x: Tensor, dots: list[str], longest: dict[str, int]
) -> tuple[str, Tensor]:
    """Return the term with letters for its dots, and the operand without those axes that serve for
    all.
    """
    shape, at = x.value.shape, term.find("_")
    gone = [at + k for k, c in enumerate(dots) if shape[at + k] == 1 and longest[c] > 1]
    if gone:
        dots = [c for k, c in enumerate(dots) if at + k not in gone]
        x = reshape(x, shape=tuple(n for k, n in enumerate(shape) if k not in gone))
    return term.replace("_", "".join(dots)), x
