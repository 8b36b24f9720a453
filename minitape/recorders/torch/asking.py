"""What a question means: which tape it is asked of, which target, which source."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from torch import Tensor
from torch._C import DisableTorchFunction
from torch.autograd.graph import get_gradient_edge

from minitape.engine.base.where import is_inside, passed
from minitape.explain import explain_at
from minitape.explain.case.graph import Break

from .events import Failed
from .reasons import ASKED, RAISED, hooked, kept, of_error, reason

if TYPE_CHECKING:
    from .recorder import Recorder

ARRIVES = {"variant": "several", "answer": "number"}
ELEMENT = re.compile(r"element (\d+) of tensors")
NOT_WATCHED = (
    "Nothing of PyTorch was watched yet. Run the program inside of `with minitape.torch.watch():`, "
    "or in a cell that begins with %%tape."
)


def question(recorder: Recorder, target: Any, source: Any) -> tuple[Any, Any, Any, Any]:
    """Return (tape, target, source, what is known already). Raises ValueError where nothing was
    watched.
    """
    if not recorder.tapes and recorder.events.failed is None:
        raise ValueError(NOT_WATCHED)
    if source is not None:
        return _of_target(recorder, target), target, source, None
    if target is not None:
        return of_source(recorder, target)
    failed = recorder.events.failed
    if failed is not None and (ASKED.search(failed.text) or of_error(recorder.events, failed)):
        return _of_error(recorder)
    if recorder.back.asked_none is not None:
        source = recorder.back.asked_none()
        if source is not None:
            return of_source(recorder, source)
    return _of_nothing(recorder)


def about(recorder: Recorder, error: BaseException) -> str | None:
    """Return what an error of PyTorch's means, as an answer; None for any other."""
    events, text = recorder.events, str(error)
    own = [(f, at) for f, at in passed(error) if not is_inside(f.f_code.co_filename)]
    if not own:
        return None
    if events.failed is None or events.failed.text != text:
        frame, offset = own[-1]
        failed = Failed(text, (frame.f_code, offset), recorder.tape)
    else:
        failed = events.failed
    if not ASKED.search(text) and of_error(events, failed) is None:
        return None
    events.failed = failed
    tape, target, source, known = question(recorder, None, None)
    return str(explain_at(own[-1][0], tape, target, source, known=known))


def _tape(recorder: Recorder) -> Any:
    return recorder.tapes[0] if recorder.tapes else recorder.recording()


def _of_target(recorder: Recorder, target: Any) -> Any:
    """Return the tape that a target was computed on, else the last one."""
    info = recorder.describe(target)
    made = (tape for tape in recorder.tapes if info is not None and tape.made(info.tensor))
    return next(made, None) or _tape(recorder)


def of_source(recorder: Recorder, source: Any) -> tuple[Any, Any, Any, Any]:
    """Return the question about the gradient of a source."""
    info, plays = recorder.describe(source), recorder.events.plays
    played = None if info is None else recorder.events.last_of(info.id, info.tensor)
    known = reason(recorder.events, info) if info is not None else None
    if known is None and info is not None and played is not None and recorder.back.last is not None:
        known = hooked(recorder.events, recorder.back.last, source)
    if played is not None and played.inner and known is None:
        # how it hangs together with what was asked for, nobody has seen
        known, played = Break("healthy", None, params=ARRIVES), plays[-1]
    if played is None and plays and known is None:
        played = plays[-1]
    if played is not None:
        return played.tape, list(played.targets), source, known
    return _tape(recorder), source, source, known


def _of_error(recorder: Recorder) -> tuple[Any, Any, Any, Any]:
    """Return the question that an error of PyTorch's stands for."""
    failed = recorder.events.failed
    assert failed is not None
    tape = failed.tape or _tape(recorder)
    known = of_error(recorder.events, failed)
    place = ELEMENT.search(failed.text)
    target: Any = failed.targets[int(place[1]) if place else 0] if failed.targets else None
    if known is not None:
        source = target or next(iter(tape.variables.values()), None)
        return tape, source, source, known
    if failed.sources:
        return tape, target, _refused(failed), None
    # the target has no history: what would be its leaf?
    sources = [v for v in tape.variables.values() if v is not target.object]
    if not sources:  # all of them were left before anything was recorded
        sources = [t for known, t in recorder.tensors.living() if known.leaf and t.requires_grad]
    described = [(variable, recorder.describe(variable)) for variable in sources]
    for variable, info in described:
        if tape.leads(info, target.tensor):
            return tape, target, variable, None
    for variable, info in described:
        if tape.led_out(info):
            return tape, target, variable, None
    play = _gradient_of(recorder, tape, target.tensor)
    if play is not None:
        return tape, target, target, Break("torch-create-graph", play.where, params=RAISED)
    frozen = tape.frozen(target.tensor)
    if frozen is not None:
        where = recorder.events.frozen[frozen]
        return tape, target, target, Break("torch-frozen", where, params=RAISED)
    leaf = tape.first_input(target.tensor)
    living = {known.number: tensor for known, tensor in recorder.tensors.living()}
    first: Any = target if leaf is None else living.get(leaf, target)
    own = isinstance(first, Tensor) and first.is_leaf
    if leaf is not None and not own and (blocked := tape.blocked(leaf)) is not None:
        earlier = [(each, v) for each in recorder.tapes for v in each.variables.values()]
        behind = (v for each, v in earlier if each.leads(recorder.describe(v), leaf))
        return tape, target, next(behind, target), Break(blocked[0], blocked[1], params=RAISED)
    if isinstance(first, Tensor) and first.requires_grad:  # it wants one: what is between the two?
        return tape, target, first, None
    # numbers alone: where are those that want one?
    if sources and (first is target or first is target.object):
        return tape, target, sources[0], None
    where = recorder.tensors.places.place_of(leaf) if leaf is not None else target.where
    return tape, target, first, Break("torch-no-grad-wanted", where, params=RAISED)


def _gradient_of(recorder: Recorder, tape: Any, target: Any) -> Any:
    """Return the play that has left the gradient from which a target was computed, or None."""
    numbers, leaves = {target, *tape.leaves_of(target)}, list(recorder.tensors.living())
    with DisableTorchFunction():
        leaf_of = {id(t.grad): leaf for leaf, t in leaves if leaf.leaf and t.grad is not None}
    asked = (leaf_of.get(id(t)) for known, t in leaves if known.number in numbers)
    leaf = next(filter(None, asked), None)
    return None if leaf is None else recorder.events.last_of(leaf.id, leaf.number)


def _refused(failed: Failed) -> Any:
    """Return the source that an error of `torch.autograd.grad` speaks of: one that wants no
    gradient, or that the targets do not need.
    """
    with DisableTorchFunction():
        edges = [(s, get_gradient_edge(s.object)) for s in failed.sources if s.object.requires_grad]
        todo = [t.object.grad_fn for t in failed.targets]
    if len(edges) < len(failed.sources):
        return next(s for s in failed.sources if not s.object.requires_grad)
    seen = set(todo)
    for node in todo:  # which grows
        new = {after for after, _ in node.next_functions} - seen - {None} if node else set()
        seen |= new
        todo += new
    return next((s for s, edge in edges if edge.node not in seen), failed.sources[0])


def _of_nothing(recorder: Recorder) -> tuple[Any, Any, Any, Any]:
    """Return the question about a leaf without a gradient."""
    plays = recorder.events.plays
    for each in recorder.tapes:
        for variable in each.variables.values():
            if isinstance(variable, Tensor) and variable.grad is None:
                if not plays:
                    return of_source(recorder, variable)
                return plays[-1].tape, list(plays[-1].targets), variable, None
    result = kept(recorder.events, recorder.tensors)
    if result is not None:
        return _tape(recorder), result[0], result[0], result[1]
    raise ValueError("No gradient is None, and nothing failed.")
