"""What a program adds to its loss behind the loss: a sum that no gradient is asked of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .anatomy import place_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from minitape.engine.base.aliases import Number, RawEntry, Where


def added_behind(
    entries: Sequence[RawEntry], targets: Collection[Number]
) -> tuple[set[Number], Where] | None:
    """Return the first sum of a target and something else that was recorded, as (what was added and
    the sum, its place), or None.
    """
    behind, made = set(targets), set[int]()
    for entry in entries:
        op, inputs, output = entry[:3]
        outputs = output if isinstance(output, tuple) else (output,)
        if behind.isdisjoint(inputs):
            made.update(outputs)
            continue
        others = made.intersection(inputs) - behind
        if op in ("Add", "AddN") and others and not entry[7].ndim:
            return {*others, *outputs}, place_of(entry)
        behind.update(outputs)
    return None
