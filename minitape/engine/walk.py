"""Playing the tape backwards: the whole of reverse mode is in this file.

The order of recording is a topological order already: every operation stands after those whose results it uses. So
going through the entries in reverse meets each output after all of its uses. At that moment its adjoint (the
derivative of the target with respect to it) is complete, and the rules of the operation turn it into parts for the
inputs. Where several parts reach one tensor, they are added.
"""

from typing import NamedTuple

import numpy as np
from numpy import ndarray

from .ops.elementwise import conj
from .ops.reductions import reduce_sum
from .record import OPS, passed_on
from .tensor import Tensor, wrap


class Part(NamedTuple):
    """What one visited card sends to one of its inputs.

    `input`: which input; `id`: its number; `value`: the adjoint times the local derivative; `total`: the sum of all
    parts that have reached this number so far.
    """

    input: int
    id: int
    value: object
    total: object


class Step(NamedTuple):
    """One visited card: its number `index` on the tape, the adjoints of its outputs, and the parts that its rules
    gave.
    """

    index: int
    adjoints: tuple
    parts: list


def walk(entries, values_of, results, reach, adjoints, keep=(), recording=False, lead=0, holomorphic=False):
    """Play `entries` backwards and yield `(index, input, adjoint, part)` for every part that a visited entry sends to
    an input.

    `values_of[k]` and `results[k]` are the arrays of entry k; `reach` the numbers that a part may flow to; `adjoints`
    maps numbers to the adjoints so far and is updated; those in `keep` stay in it. With `recording` the rules
    work on tensors, so that an outer tape sees them, else on bare arrays. `lead` is 1 where adjoints carry a batch of
    seeds as their first axis. With `holomorphic`, complex values are conjugated before a rule sees them, which is all
    that complex numbers ask for. An entry that sends nothing yields one tuple with None as input and part. Raises
    LookupError at an operation without a registered gradient.
    """
    index, take, common = len(entries), adjoints.pop, not (recording or lead or holomorphic)
    for (name, inputs, output, attributes, _, _), values, y in zip(reversed(entries), reversed(values_of), reversed(results)):
        index -= 1
        if type(output) is int:
            g = take(output, None)
            if g is None:
                continue
            if keep and output in keep:
                adjoints[output] = g
        else:
            g = tuple([take(n, None) for n in output])
            if all(a is None for a in g):
                continue
            adjoints.update((n, a) for n, a in zip(output, g) if n in keep and a is not None)
            g = tuple([zeros_like(v, lead, g, recording) if a is None else a for a, v in zip(g, y)])
        op = OPS[name]
        rules = op.rules
        if common and rules:                                                  # the usual case, spelled out
            i = -1                                                            # by hand: `enumerate` costs a tenth of a step
            for number in inputs:
                i += 1
                if number in reach:
                    rule = rules[i]
                    if rule is not None:
                        if rule is passed_on:
                            part = g
                        elif attributes is not None:
                            part = rule(g, y, *values, **attributes)
                        elif len(values) == 2:
                            part = rule(g, y, values[0], values[1])
                        else:
                            part = rule(g, y, *values)
                        if type(part) is ndarray and part.shape != values[i].shape:
                            part = unbroadcast(part, values[i].shape, 0)
                        before = adjoints.get(number)
                        adjoints[number] = part if before is None else before + part
                        yield index, i, g, part
            continue
        if reach.isdisjoint(inputs):
            continue
        if not op.registered:
            raise LookupError(f"gradient registry has no entry for: {name}")
        if recording:
            values = tuple([wrap(v, n) for v, n in zip(values, inputs)])
            y = wrap(y, output) if type(output) is int else tuple([wrap(v, n) for v, n in zip(y, output)])
        if holomorphic:
            values = tuple([conjugate(v) for v in values])
            y = tuple([conjugate(v) for v in y]) if type(y) is tuple else conjugate(y)
        i = None
        of = rules_of if not lead or op.batched else row_by_row
        for i, part in of(op, inputs, reach, g, y, values, attributes or {}):
            part = unbroadcast(part, values[i].shape, lead)
            number = inputs[i]
            before = adjoints.get(number)
            adjoints[number] = part if before is None else before + part
            yield index, i, g, part
        if i is None:
            yield index, None, g, None


def steps_of(play, parts):
    """Gather what the walk yields into one `Step` per visited entry."""
    step = None
    for index, i, g, part in parts:
        if step is None or step.index != index:
            if step is not None:
                yield step
            step = Step(index, g if type(g) is tuple else (g,), [])
        if i is not None:
            number = play.entries[index][1][i]
            step.parts.append(Part(i, number, part, play.adjoints[number]))
    if step is not None:
        yield step


def rules_of(op, inputs, reach, g, y, values, attributes):
    """Return `(i, part)` for each input that leads to a source, by whichever form of rules the operation has."""
    if op.joint is not None:
        parts = enumerate(op.joint(g, y, *values, **attributes))
    elif op.each is not None:
        parts = ((i, op.each(i, g, y, *values, **attributes)) for i, number in enumerate(inputs) if number in reach)
    else:
        parts = ((i, rule(g, y, *values, **attributes)) for i, rule in enumerate(op.rules)
                 if rule is not None and inputs[i] in reach)
    return [(i, part) for i, part in parts if part is not None and inputs[i] in reach]


def row_by_row(op, inputs, reach, g, y, values, attributes):
    """Apply rules that know nothing of a batch of seeds to one seed at a time, and stack the parts again."""
    several = type(g) is tuple
    rows = len(g[0] if several else g)
    found = [rules_of(op, inputs, reach, tuple([a[r] for a in g]) if several else g[r], y, values, attributes)
             for r in range(rows)]
    found = [[(i, unbroadcast(p, values[i].shape, 0)) for i, p in row] for row in found]
    return [(i, np.stack([row[k][1] for row in found])) for k, (i, _) in enumerate(found[0])] if found else []


def unbroadcast(part, shape, lead):
    """Sum a part over the axes along which its input was stretched: what was copied forwards is added backwards."""
    if not lead and type(part) is ndarray and part.shape[1:] == shape:           # a bias, nearly always
        return reduce_sum.kernel(part, 0, False)
    if part.shape[lead:] == tuple(shape):
        return part
    shape = part.shape[:lead] + tuple(shape)
    extra = part.ndim - len(shape)
    add_up = reduce_sum.kernel if type(part) is ndarray else reduce_sum
    if extra > 0:
        part = add_up(part, axis=lead if extra == 1 else tuple(range(lead, lead + extra)), keepdims=False)
    if tuple(part.shape) != shape:
        stretched = tuple([k for k, n in enumerate(shape) if n == 1 and part.shape[k] != 1])
        part = add_up(part, axis=stretched, keepdims=True)
    if tuple(part.shape) != shape:
        raise RuntimeError(f"A gradient rule returned the shape {tuple(part.shape)} for an input of shape {shape}.")
    return part


def zeros_like(value, lead, came, recording):
    """Return the adjoint of an output that nothing used: zeros, with the batch axis of its neighbours."""
    rows = next(a for a in came if a is not None).shape[:lead]
    zeros = np.zeros(tuple(rows) + value.shape, value.dtype)[()]
    return Tensor(zeros) if recording else zeros


def conjugate(value):
    """Return the complex conjugate, and a real value as it is."""
    return conj(value) if value.dtype in (np.complex64, np.complex128) else value
