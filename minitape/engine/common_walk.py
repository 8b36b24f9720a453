"""A fast version of `walk` for the usual case: bare arrays, one seed, real numbers. It is three and
a half times as fast.

It adds nothing new. The steps of `walk` are inlined for operations with one rule per input; all
others are left to `walk` itself. A test plays thousands of programs both ways.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from numpy import ndarray

from .ops.record import OPS, passed_on
from .ops.reductions import reduce_sum
from .walk import unbroadcast, walk

if TYPE_CHECKING:
    from .base.aliases import Adjoints, Number, RawEntry, RawPart


def common_walk(
    entries: list[RawEntry], reach: set[Number], adjoints: Adjoints, keep: Collection[Number] = ()
) -> Iterator[RawPart]:
    """Do what `walk(entries, reach, adjoints, keep)` does."""
    add_up = reduce_sum.kernel
    take = (
        (lambda n, none: adjoints.get(n) if n in keep else adjoints.pop(n, none))
        if keep
        else adjoints.pop
    )
    for index in range(len(entries) - 1, -1, -1):
        name, inputs, output, attributes, _, _, values, y = entries[index]
        op = OPS[name]
        rules = op.rules
        g = take(output, None) if rules else None  # type: ignore[arg-type]  # several: none
        if g is None:
            if not rules or type(output) is tuple:  # here nothing is gained
                for _, i, g, part in walk(entries[index : index + 1], reach, adjoints, keep):
                    yield index, i, g, part
            continue
        part, i = None, -1
        for number in inputs:
            i += 1  # `enumerate` costs a tenth of a step
            if number in reach:
                rule = rules[i]
                if rule is None:
                    continue
                if rule is passed_on:
                    part = g
                elif attributes is not None:
                    part = rule(g, y, *values, **attributes)
                elif len(values) == 2:
                    part = rule(g, y, values[0], values[1])
                else:
                    part = rule(g, y, *values)
                if type(part) is ndarray and part.shape != values[i].shape:
                    shape = values[i].shape  # a bias, nearly always
                    part = (
                        add_up(part, 0, False)
                        if part.shape[1:] == shape
                        else unbroadcast(part, shape, 0)
                    )
                before = adjoints.get(number)
                adjoints[number] = part if before is None else before + part
                yield index, i, g, part
        if part is None and not reach.isdisjoint(inputs):
            yield index, None, g, None
