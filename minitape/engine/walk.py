"""Playing the tape backwards: all of reverse-mode differentiation is in `walk`.

The order of recording is a topological order: every operation comes after those whose outputs it
uses. So a traversal in reverse meets each output after all of its uses. At that moment its adjoint
(the derivative of the target with respect to it) is complete, and the rules of the operation turn
it into parts for the inputs. Where several parts reach one tensor, they are added. The adjoint of a
source that is the output of no entry is complete at the end.

`Play` (`play.py`) chooses: an ordinary gradient runs `common_walk.py`, the same steps inlined for
speed (set breakpoints there); plays with listeners, batches of seeds and complex numbers run `walk`
itself. A test compares the two.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from numpy import ndarray

from .base.tensor import wrap
from .ops.record import OPS, Op
from .ops.reductions import reduce_sum
from .walk_modes import conjugated, filled, row_by_row

if TYPE_CHECKING:
    from .base.aliases import Adjoints, Number, Numbers, Output, RawEntry, RawPart, Value, Values


def walk(
    entries: list[RawEntry],
    reach: set[Number],
    adjoints: Adjoints,
    keep: Collection[Number] = (),
    on_tensors: bool = False,
    lead: int = 0,
    holomorphic: bool = False,
) -> Iterator[RawPart]:
    """Play `entries` backwards and yield `(index, input, adjoint, part)` for every part that a
    visited entry sends to an input.

    `reach`: the numbers that a part may flow to. `adjoints`: number -> adjoint, with the seeds; it
    is updated, and an adjoint is taken out once it was used, except for the numbers in `keep`:
    sources that are themselves outputs of an entry. With `on_tensors`, while somebody listens (an
    outer tape), the rules work on tensors and are heard, else on bare arrays. `lead` is 1 where
    adjoints carry a batch of seeds as their first axis. With `holomorphic`, complex values are
    conjugated before a rule sees them. A visited entry whose rules all block yields one tuple with
    None as input and part. Raises LookupError at an unregistered operation.
    """
    for index in range(len(entries) - 1, -1, -1):
        name, inputs, output, attributes, _, _, arrays, y = entries[index]
        # complete: all uses of the output stand later, and were visited
        g = taken(output, y, adjoints, keep, on_tensors, lead)
        if g is None or reach.isdisjoint(inputs):
            continue
        op = OPS[name]
        if not op.registered:
            raise LookupError(f"gradient registry has no entry for: {name}")
        values: tuple[Value, ...] = arrays
        if on_tensors:
            values, y = as_tensors(arrays, inputs), as_tensors(y, output)
        if holomorphic:
            values = conjugated(values)
            y = conjugated(y) if isinstance(output, tuple) else conjugated((y,))[0]
        asked = (op, inputs, reach, g, y, values, attributes or {})
        parts = parts_of(*asked) if not lead or op.batched else row_by_row(parts_of, *asked)
        for i, part in parts:
            part = unbroadcast(part, arrays[i].shape, lead)
            number = inputs[i]
            before = adjoints.get(number)
            # at a fan-out the parts are added
            adjoints[number] = part if before is None else before + part
            yield index, i, g, part
        if not parts:
            yield index, None, g, None


def taken(
    output: Output,
    y: Any,
    adjoints: Adjoints,
    keep: Collection[Number],
    on_tensors: bool,
    lead: int,
) -> Values | None:
    """Remove the adjoint of an entry's output from the dictionary and return it; None if nothing
    reached it.
    """
    if isinstance(output, tuple):
        several = [adjoints.get(n) if n in keep else adjoints.pop(n, None) for n in output]
        return filled(several, y, on_tensors, lead)
    return adjoints.get(output) if output in keep else adjoints.pop(output, None)


def parts_of(
    op: Op,
    inputs: Numbers,
    reach: set[Number],
    g: Values,
    y: Values,
    values: tuple[Value, ...],
    attributes: dict[str, Any],
) -> list[tuple[int, Value]]:
    """Return `[(i, part)]` for the inputs that lead to a source, by whichever form of rules the
    operation has.
    """
    if op.joint is not None:
        parts = enumerate(op.joint(g, y, *values, **attributes))
    elif op.each is not None:
        parts = (
            (i, op.each(i, g, y, values, **attributes))
            for i, number in enumerate(inputs)
            if number in reach
        )
    else:
        parts = (
            (i, rule(g, y, *values, **attributes))
            for i, rule in enumerate(op.rules)
            if rule is not None and inputs[i] in reach
        )
    return [(i, part) for i, part in parts if part is not None and inputs[i] in reach]


def as_tensors(arrays: Any, numbers: Output) -> Any:
    """Return arrays as the tensors that they were, under their old numbers. An outer tape records a
    rule that works on tensors and recognizes these numbers: so nested tapes work.
    """
    if isinstance(numbers, tuple):
        return tuple(map(wrap, arrays, numbers))
    return wrap(arrays, numbers)


def unbroadcast(part: Value, shape: tuple[int, ...], lead: int) -> Value:
    """Sum a part over the axes along which its input was broadcast: what was copied forwards is
    added backwards.
    """
    part_shape = tuple(part.shape)
    if part_shape[lead:] == shape:
        return part
    shape = part_shape[:lead] + shape
    add_up = reduce_sum.kernel if type(part) is ndarray else reduce_sum
    extra = len(part_shape) - len(shape)
    if extra > 0:
        part = add_up(
            part, axis=lead if extra == 1 else tuple(range(lead, lead + extra)), keepdims=False
        )
    if tuple(part.shape) != shape:
        stretched = tuple([k for k, n in enumerate(shape) if n == 1 and part.shape[k] != 1])
        part = add_up(part, axis=stretched, keepdims=True)
    if tuple(part.shape) != shape:
        raise RuntimeError(
            f"A gradient rule returned the shape {tuple(part.shape)} for an input of shape {shape}."
        )
    return part
