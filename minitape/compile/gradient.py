"""The way back of a program, as another program.

A program is a list of operations, so it can be run again under a gradient tape while the recorder
listens: what the tape computes when it is played backwards is recorded too. The result is one list,
the way forward and then the way back, which is cut in two: the first half hands over the values
that the second half will need.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..engine.base.aliases import Array, Number
from ..engine.base.tensor import Tensor, wrap
from ..engine.gradient_tape import GradientTape
from ..engine.ops.record import OPS, run
from ..engine.play import Play
from .simplify import simplify
from .trace import Program, Recorder, listening


def replay(program: Program, tensors: Sequence[Tensor]) -> list[Any]:
    """Run a program operation by operation on tensors, so that tapes can record it; returns its
    outputs.
    """
    values = dict(zip(program.inputs, tensors))
    values.update((n, Tensor(v)) for n, v in program.constants.items())
    for name, inputs, outputs, attributes, _ in program.entries:
        result = run(OPS[name], [values[n] for n in inputs], attributes)
        values.update(zip(outputs, result if type(result) is tuple else (result,)))
    return [None if n is None else values[n] for n in program.outputs]


def gradients_of(
    program: Program, tensors: Sequence[Tensor], seeds: Sequence[Any]
) -> list[Tensor | None]:
    """Run a program on tensors under a tape and return the adjoints of its inputs, None where there
    is none.

    `seeds` are the adjoints of the outputs, None where an output has none. What is computed is seen
    by outer tapes.
    """
    twins = [wrap(t.value, t.id) for t in tensors]
    with GradientTape(persistent=True, watch_accessed_variables=False) as tape:
        # what was given twice is one source, and has one adjoint
        sources = list({t.id: t for t in twins if t.value.dtype.kind in "fc"}.values())
        tape.watch(sources)
        outputs = replay(program, twins)
    pairs = [(y, g) for y, g in zip(outputs, seeds) if y is not None and g is not None]
    if not pairs or not sources:
        return [None] * len(twins)
    gradients = tape._play([y for y, _ in pairs], sources, [g for _, g in pairs]).gradients()
    by_number = dict(zip([t.id for t in sources], gradients))
    return [by_number.pop(t.id, None) for t in twins]


def over_graph(
    graph: Recorder,
    ys: Sequence[Tensor],
    xs: Sequence[Any],
    seeds: Sequence[Any] | None,
    stops: Sequence[Any],
) -> list[Tensor | None]:
    """Play back over all that was recorded so far, as if a tape had watched `xs` from the
    beginning: what `tf.gradients` does.

    What made one of `stops` is left out, so nothing flows through it. The play itself is recorded,
    too.
    """
    tape = GradientTape(persistent=True, watch_accessed_variables=False)._tape
    read = [graph.variables[x.id][1] if x.id in graph.variables else x for x in xs]
    for x in read:
        tape.watch(x.id, np.dtype(x.dtype.as_numpy_dtype))
    tape.cuts |= {x.id for x in read}  # one of them may be made by an entry, and depend on another
    stopped = {graph.variables[x.id][1].id if x.id in graph.variables else x.id for x in stops}
    for entry in graph.entries:
        outputs = entry[2] if type(entry[2]) is tuple else (entry[2],)
        if stopped.isdisjoint(outputs):
            tape.record(*entry)
    return Play(tape, list(ys), read, seeds).gradients()


def with_gradient(program: Program, values: Sequence[Array]) -> tuple[Program, list[Number | None]]:
    """Return the program that computes its outputs, then the adjoints of its inputs from seeds;
    `split` parts the two.

    `values` are example arrays for the inputs. Returns the program, the numbers of the seeds, one
    per output (None where an output has no slope), and the adjoints' numbers, one per input.
    """
    recorder = Recorder()
    inputs = [Tensor(v) for v in values]
    with listening(recorder):
        for t, n in zip(inputs, program.inputs):
            recorder.input(t, program.names.get(n), program.layers.get(n))
        with GradientTape(persistent=True, watch_accessed_variables=False) as tape:
            sources = [t for t in inputs if t.value.dtype.kind in "fc"]
            tape.watch(sources)
            outputs = replay(program, inputs)
        split = len(recorder.entries)
        seeds = [
            Tensor(y.value * 0 + 1) if y is not None and y.value.dtype.kind in "fc" else None
            for y in outputs
        ]
        for g, y in zip(seeds, outputs):
            if g is not None:
                recorder.input(g)
                recorder.adjoint[g.id] = [y.id]
        pairs = [(y, g) for y, g in zip(outputs, seeds) if g is not None]
        input_gradients = (
            tape._play([y for y, _ in pairs], sources, [g for _, g in pairs]).gradients()
            if pairs and sources
            else [None] * len(sources)
        )
    gradients = iter(input_gradients)
    adjoints = [next(gradients) if t.value.dtype.kind in "fc" else None for t in inputs]
    renamed = {
        y.id: program.names[n]
        for y, n in zip(outputs, program.outputs)
        if y is not None and n in program.names
    }
    both = recorder.program([*outputs, *adjoints], renamed)
    both.split = split
    place = {e[2]: w[4][:2] for e, w in zip(both.entries, program.entries)}
    both.entries = [
        (*e[:4], place[e[2]] if k < split else _behind(e[4], place))
        for k, e in enumerate(both.entries)
    ]
    seed_numbers = [None if g is None else g.id for g in seeds]
    return simplify(both), seed_numbers


def _behind(where: Any, place: dict[Any, Any]) -> Any:
    """Return the learner's position for an entry of the way back: that of the entry whose rule
    computed it.
    """
    output = where[2] if len(where) > 2 else None
    at = place.get(output if type(output) is tuple else (output,))
    return where if at is None else (*at, *where[2:])
