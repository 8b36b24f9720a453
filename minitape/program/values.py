"""How the program calls the values of a whole recording.

One expression may make several entries: `y = model(x)` multiplies, adds and squashes. They form a run. The last of a run has the
learner's name; the others have none. A run begins anew when its first operation comes again, which is a loop; but not when it
comes with the weights of another layer, which is the next layer of the same call.

A value that has no name where it is made is called as it is used: `hs[0]` after `hs = [x * w, x + w]`. A plain name of a parameter
counts only where the value's own expression is too long to stand for it.
"""

import ast

from .names import expression_name, names_of, written
from .syntax import is_play, operands

READ = "ReadVariableOp"


class Named:
    """What the text says of one entry.

    `names`: of its outputs, "" for one without a name; `inputs`: how its inputs are written; `node`: the expression that made it, or
    None; `last`: whether it is the last that this expression made; `played`: whether a play made it on its way back.
    """

    __slots__ = ("names", "inputs", "node", "last", "played")

    def __init__(self, names, inputs, node=None, last=True, played=False):
        self.names, self.inputs, self.node, self.last, self.played = names, inputs, node, last, played


def layer_of(variable):
    """Return the path of the layer that a variable belongs to, "" for a variable that no layer made."""
    return getattr(variable, "path", "").rpartition("/")[0]


def name_values(entries, program, layers=None):
    """Return a `Named` for every entry, given as (op, inputs, outputs, where, ...) in order of time.

    `layers`: {number of a tensor that was read from a layer's variable: path of the layer}. Entries with the same outputs, which
    several tapes have recorded, are one. Where `where` has more than two parts, or no text is to be had, nothing has a name.
    """
    found, known, about, unnamed, layers = [], {}, {}, {}, layers or {}
    place, first, number, met, before, made = None, None, 0, set(), None, ()
    for op, inputs, outputs, where, *_ in entries:
        named = known.get(outputs)
        if named is not None:
            found.append(named)
            continue
        named = known[outputs] = Named([""] * len(outputs), [""] * len(inputs))
        found.append(named)
        if op == READ or where is None or len(where) != 2:
            continue
        if where not in about:
            located = program.locate(where)
            node = located[1] if located is not None else None
            about[where] = located and located[0], node, is_play(node), names_of(node) if node is not None else []
        span, named.node, named.played, names = about[where]
        if span is None:
            continue
        layer = next((layers[n] for n in inputs if n in layers), None) if layers else None
        if span == place and (op != first or layer is not None and layer not in met):
            number += 1
            before.last = False
            if len(names) == 1:
                before.names = [""] * len(before.names)
                unnamed.update((n, (before, k)) for k, n in enumerate(made))
        else:
            place, first, number, met = span, op, 0, set()
        met.add(layer)
        before, made = named, outputs
        if named.node is None:
            continue
        if not isinstance(named.node, ast.Call) or not number and not named.played:      # only the first meets the arguments as written
            named.inputs = [expression_name(operand) for operand in operands(named.node, len(inputs))]
            _name_by_use(zip(inputs, named.inputs), unnamed)
        if named.played:                                 # what a play computes on its way has no name; its answers have
            number = 0
        elif len(names) > 1:                             # an unpacking: the outputs, or the entries of the run, in order
            count = len(outputs)
            named.names = [names[k] if k < len(names) else "" for k in (range(count) if count > 1 else [number])]
        elif names and names[0]:
            named.names = names[:1] if len(outputs) == 1 else [f"{names[0]}[{k}]" for k in range(len(outputs))]
        unnamed.update((number, (named, k)) for k, (number, name) in enumerate(zip(outputs, named.names)) if not name)
    return found


def _name_by_use(uses, unnamed):
    for number, name in uses:
        if name and number in unnamed:
            named, k = unnamed[number]
            if not name.isidentifier() or not named.last or named.played or not written(named.node):
                named.names = [*named.names[:k], name, *named.names[k + 1:]]
                del unnamed[number]
