"""A cure tried out before it is offered: the old text and the new one are computed once more, on
the numbers of this run.

Where these are not to be had, or where more is done than computing (`reasons/worth.py` tells), the
answer is that it is not known.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import numpy as np

from minitape.program.syntax import names_used

from ..reasons.worth import (
    alone,
    computed,
    content,
    space_of,
)

if TYPE_CHECKING:
    from ..case.aliases import Case, Node


MOST = 10_000  # so many numbers are asked for their slope


def agrees(case: Case, node: Node, text: str) -> bool:
    """False where other text gives other numbers than an expression, or raises; True where it gives
    the same, or nobody knows.
    """
    space = space_of(case, node)
    a = computed(ast.unparse(node), space) if space is not None else None
    b = computed(text, space) if a is not None and space is not None else None
    if a is None or b is None:
        return a is None
    if a.dtype.kind not in "fiub" or b.dtype.kind not in "fiub":
        return bool(a.dtype.kind == b.dtype.kind)
    return a.shape == b.shape and bool(np.allclose(a, b, rtol=1e-4, atol=1e-6, equal_nan=True))


def keeps_shape(case: Case, node: Node, text: str, beside: Node) -> bool:
    """False where other text raises, or gives no finite numbers, or numbers of another shape than
    an expression; True where nobody knows.

    `beside`: an expression whose names the text uses as well.
    """
    space, more = space_of(case, node), space_of(case, beside)
    if space is None or more is None or (a := computed(ast.unparse(node), space)) is None:
        return True
    # what is made beside: values, index = tf.math.top_k(x, 2)
    used, last = names_used(ast.parse(text)), [*case.evidence.scopes[-1:], {}][0]
    known = {name: last[name] for name in used & last.keys()}
    b = computed(text, {**known, **space, **more})
    same = b is not None and b.dtype.kind == "f" and b.shape == a.shape
    return same and bool(np.isfinite(b).all())


def slopes(case: Case, node: Node, text: str, steep: bool) -> bool:
    """False where other text has no finite slope in any number that an expression is made of, or
    none but 0 where it must be `steep`: then it mends nothing. True where nobody knows.
    """
    space, library = space_of(case, node) or {}, case.evidence.library[1]
    arrays = {name: content(value) for name, value in space.items()}
    if not space or sum(map(np.size, arrays.values())) > MOST:
        return True

    def run() -> bool:
        tensors = {n: library.constant(a) for n, a in arrays.items() if a is not None}
        leaves = [tensor for tensor in tensors.values() if tensor.dtype.is_floating]
        with library.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(leaves)
            y = library.convert_to_tensor(eval(text, {**space, **tensors}))
        known = [slope for slope in tape.gradient(y, leaves) if slope is not None]
        good = [np.isfinite(slope).all() and (np.any(slope) or not steep) for slope in known]
        return any(good) or not leaves

    return alone(run) is not False
