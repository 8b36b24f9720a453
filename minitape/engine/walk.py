"""Playing the tape backwards: the whole of reverse mode is in this file.

The order of recording is a topological order already: every operation stands after those whose results it uses. So
going through the entries in reverse meets each output after all of its uses. At that moment its adjoint (the
derivative of the target with respect to it) is complete, and the rules of the operation turn it into parts for the
inputs. Where several parts reach one tensor, they are added.
"""

from typing import NamedTuple

import numpy as np

from .ops.elementwise import conj
from .ops.reductions import reduce_sum
from .record import OPS
from .tensor import Tensor, wrap


class Part(NamedTuple):
    """What one visited card sends to one of its inputs: `value` is the adjoint times the local derivative; `total`
    the sum so far.
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


def walk(entries, kept, reach, adjoints, keep=(), recording=False, lead=0, holomorphic=False):
    """Play `entries` backwards and yield `(index, adjoints of the outputs, parts)` for each entry that is visited.

    `kept[k]` holds the arrays of entry k; `reach` the ids that a part may flow to; `adjoints` maps ids to the
    adjoints so far and is updated; those in `keep` stay in it. With `recording` the rules work on tensors, so that an
    outer tape sees them, else on bare arrays. `lead` is 1 where adjoints carry a batch of seeds as their first axis.
    With `holomorphic`, complex values are conjugated before a rule sees them, which is all that complex numbers ask
    for. Raises LookupError at an operation without a registered gradient.
    """
    for index in range(len(entries) - 1, -1, -1):
        name, inputs, outputs, attributes, _ = entries[index]
        if len(outputs) == 1:
            number = outputs[0]
            g = adjoints.get(number) if number in keep else adjoints.pop(number, None)
            if g is None:
                continue
            came = (g,)
        else:
            came = tuple([adjoints.get(n) if n in keep else adjoints.pop(n, None) for n in outputs])
            if came.count(None) == len(came):
                continue
            g = None
        if reach.isdisjoint(inputs):
            continue
        op = OPS[name]
        if not op.registered:
            raise LookupError(f"gradient registry has no entry for: {name}")
        values, y = kept[index]
        if recording:
            values = tuple([wrap(v, n) for v, n in zip(values, inputs)])
            y = wrap(y, number) if g is not None else tuple([wrap(v, n) for v, n in zip(y, outputs)])
        if g is None:
            g = came = tuple([zeros_like(v, lead, came) if a is None else a for a, v in zip(came, y)])
        if holomorphic:
            values = tuple([conjugate(v) for v in values])
            y = tuple([conjugate(v) for v in y]) if type(y) is tuple else conjugate(y)
        if lead and not op.batched:
            found = row_by_row(op, inputs, reach, g, y, values, attributes or {})
        elif op.rules and attributes is None:
            found = [(i, rule(g, y, *values)) for i, rule in enumerate(op.rules) if rule is not None and inputs[i] in reach]
        else:
            found = rules_of(op, inputs, reach, g, y, values, attributes or {})
        parts = []
        for i, part in found:
            shape = values[i].shape
            if part.shape != shape:
                part = unbroadcast(part, shape, lead)
            number = inputs[i]
            total = adjoints.get(number)
            total = part if total is None else total + part
            adjoints[number] = total
            parts.append((i, number, part, total))
        yield index, came, parts


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
    if part.shape[lead:] == tuple(shape):
        return part
    shape = part.shape[:lead] + tuple(shape)
    extra = part.ndim - len(shape)
    if extra > 0:
        part = reduce_sum(part, axis=tuple(range(lead, lead + extra)), keepdims=False)
    stretched = tuple([k for k, n in enumerate(shape) if n == 1 and part.shape[k] != 1])
    if stretched:
        part = reduce_sum(part, axis=stretched, keepdims=True)
    if tuple(part.shape) != shape:
        raise RuntimeError(f"A gradient rule returned the shape {tuple(part.shape)} for an input of shape {shape}.")
    return part


def zeros_like(value, lead, came):
    """Return the adjoint of an output that nothing used: zeros, with the batch axis of its neighbours."""
    rows = next(a for a in came if a is not None).shape[:lead]
    zeros = np.zeros(rows + tuple(value.shape), value.dtype if isinstance(value, (np.ndarray, np.generic)) else value.value.dtype)
    return zeros if isinstance(value, (np.ndarray, np.generic)) else Tensor(zeros)


def conjugate(value):
    """Return the complex conjugate, and a real value as it is."""
    return conj(value) if value.dtype in (np.complex64, np.complex128) else value
