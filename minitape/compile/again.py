"""What a traced function must do again at every run, and what a trace that was only tried must put
back.

`tf.function` runs a function once and keeps the list of its operations. Random numbers, optimizers
and metrics are no operations of that kind: their whole call becomes one entry of the list, and is
done again whenever the list runs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from ..engine.base.listeners import active, tracer
from ..engine.base.nest import flatten, map_structure, pack_sequence_as
from ..engine.base.tensor import Tensor
from ..engine.base.where import here
from ..engine.ops.record import Op, run

if TYPE_CHECKING:
    from ..engine.base.aliases import Array
    from .trace import Recorder

F = TypeVar("F", bound=Callable[..., Any])
_HERE = object()  # stands where a tensor stood
# Functions that remember a state, such as the streams of random numbers, and return how it is put
# back.
STATES: list[Callable[[], Callable[[], None]]] = []


def _repeat(*arrays: Array, function: Callable[..., Any]) -> Any:
    """Call a function with tensors of these arrays, unseen by tapes; return its tensors as arrays."""
    token = active.set(())
    try:
        return function(*[Tensor(a) for a in arrays])
    finally:
        active.reset(token)


repeat = Op("Repeat", _repeat, mixed=True)


def again(function: F) -> F:
    """Decorate a function so that a trace keeps its whole call as one entry, which is done at every
    run.

    Its tensors among the arguments become inputs of the entry; the result is a structure of
    tensors, or None.
    """

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        recorder = tracer()
        if recorder is None:
            return function(*args, **kwargs)
        given = [list(args), kwargs]
        tensors = [a for a in flatten(given) if isinstance(a, Tensor)]
        # the entry outlives the tensors of the trace
        fill, structure = filler(without_tensors(given)), [None]

        def repeated(*fresh: Tensor) -> tuple[Array, ...]:
            args, kwargs = fill(iter(fresh))
            result = function(*args, **kwargs)
            if result is None:
                return ()
            structure[:] = [without_tensors(result)]
            return tuple([r.value for r in flatten(result) if isinstance(r, Tensor)])

        repeated.__name__ = function.__name__
        with recorder.repeating():
            outputs = (
                run(repeat, tensors, {"function": repeated})
                if tensors
                else _first(recorder, repeated)
            )
        results = iter(outputs)
        return map_structure(lambda r: next(results) if r is _HERE else r, structure[0])

    return called  # type: ignore[return-value]


def without_tensors(structure: Any) -> Any:
    """Return a structure with `_HERE` in the place of each tensor."""
    return map_structure(lambda a: _HERE if isinstance(a, Tensor) else a, structure)


def filler(structure: Any) -> Callable[[Iterator[Tensor]], Any]:
    """Return the function that builds a structure again, with what an iterator gives where `_HERE`
    stands.

    `pack_sequence_as` does the same; but this is done at every run, and looks at the structure only
    once.
    """
    if structure is _HERE:
        return next
    if type(structure) is dict:
        parts = {k: filler(structure[k]) for k in sorted(structure)}
        return lambda fresh: {k: part(fresh) for k, part in parts.items()}
    if type(structure) is list or type(structure) is tuple:
        kind, parts = type(structure), [filler(s) for s in structure]
        return lambda fresh: kind([part(fresh) for part in parts])
    leaves = flatten(structure)
    if not any([a is _HERE for a in leaves]):
        return lambda fresh: structure
    return lambda fresh: pack_sequence_as(
        structure, [next(fresh) if a is _HERE else a for a in leaves]
    )


def _first(recorder: Recorder, repeated: Callable[..., Any]) -> tuple[Tensor, ...]:
    """Run an entry without inputs."""
    code, offset = here()
    y = _repeat(function=repeated)
    outputs = tuple([Tensor(v, (code, offset)) for v in y])
    recorder.record(
        repeat.name, (), tuple([t.id for t in outputs]), {"function": repeated}, code, offset, (), y
    )
    return outputs
