"""What is known of a gradient without a look at the tape: PyTorch keeps gradients with its leaves,
and much that goes wrong has to do with that.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from torch import Tensor, nn
from torch._C import DisableTorchFunction

from minitape.engine.base.nest import flatten
from minitape.explain.case.graph import Break

from .tensors import any_of, number_of

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Number
    from minitape.engine.recording import TensorInfo

    from .events import Changed, Events, Failed, Holder, Played
    from .tensors import Tensors


ERRORS = {
    r"leaf Variable that requires grad": "torch-leaf-inplace",
    r"modified by an inplace operation": "torch-inplace",
    r"backward through the graph a second time": "torch-used",
    r"implicitly created only for scalar outputs": "torch-not-scalar",
    r"can't optimize a non-leaf Tensor": "torch-not-a-leaf",
    r"Inference tensors cannot be saved|update to inference tensor": "torch-no-grad",
    r"empty parameter list": "torch-not-registered",
    r"Can't call numpy\(\) on Tensor that requires grad": "torch-numpy",
}
VARIANTS = {"torch-no-grad": "inference", "torch-not-registered": "empty"}
NONE, RAISED, UNMOVED, ADDED, KEPT, ZERO = (
    {"answer": answer} for answer in ("grad", "raised", "unmoved", "added", "kept", "zero")
)
MOST_NODES = 20_000  # of a graph that are looked at
LEAST_KEPT = 3  # graphs that stay in memory, before anybody speaks of it
# what is asked is the gradient itself
ASKED = re.compile(r"does not require grad|not have been used in the graph")
REGISTERED = vars(nn.Module())  # whatever a module has
MAKER = re.compile(r"output \d+ of (\w+)")
VIEWS = ("TBackward0", "AsStridedBackward0", "ViewBackward0", "TransposeBackward0")
SHAPE = re.compile(r"Tensor \[([\d, ]*)\]")


def reason(events: Events, source: TensorInfo) -> Break | None:
    """Return the break that says why a tensor has no gradient, as far as the tensor and what
    happened to it tell; else None.
    """
    tensor = source.object
    with DisableTorchFunction():
        leaf, wants = tensor.is_leaf, tensor.requires_grad
        floats = tensor.is_floating_point() or tensor.is_complex()
        if leaf and tensor.grad is not None:
            return trained(events, source)
    numbers = source.id, source.tensor
    if not wants:
        frozen = events.frozen.get(source.id)
        if frozen is not None and floats:
            return Break("torch-frozen", frozen, params=NONE)
        held = any(tensor is each for module in events.modules for each in module.buffers())
        return Break("torch-buffer", source.where, params=NONE) if held else None
    last = events.last_of(*numbers)
    if not leaf:
        kept = source.tensor in events.retained
        return None if kept else Break("torch-not-a-leaf", source.where, params=NONE)
    if last is None:
        if source.id in events.late:
            return Break("torch-too-late", events.late[source.id][0], params=NONE)
        played = any(each.at > source.id for each in events.plays)
        return None if played else Break("torch-not-played", source.where, params=NONE)
    if last.returns:
        return Break("torch-only-returned", last.where, params=NONE)
    return _cleared(events, source) or _unmoved(events, source)


def lost(tensors: Tensors, number: Number) -> Break | None:
    """Return where `detach` has taken a value's history away, on whatever tape that was."""
    if number not in tensors.detached:
        return None
    return Break("torch-detached", tensors.places.place_of(number))


def trained(events: Events, source: TensorInfo) -> Break | None:
    """Return why a leaf that has had gradients does not move as the last one says, or None."""
    cleared = _cleared(events, source)
    if cleared is not None and "variant" in cleared.params:
        return cleared
    why = _unmoved(events, source) or _added(events, source) or _shared(events, source)
    through = _through_steps(events) if why is None else None
    return through if through is not None and not through.params["variant"] else why


def strays(
    events: Events, tensors: Tensors, since: Number = 0
) -> Iterator[tuple[TensorInfo, Break]]:
    """Yield the leaves that the last play has reached, and why they do not move as it says; not
    those which may be meant to stay. What was played before `since` does not count.
    """
    contents = events.plays[-1].contents if events.plays and events.plays[-1].at > since else {}
    for known, tensor in [(k, t) for k, t in tensors.living() if k.id in contents]:
        why = trained(events, info := tensors.info(tensor, known))
        if why is not None and not _meant(events, known.id, tensor, why):
            yield info, why


def _meant(events: Events, number: Number, tensor: Tensor, why: Break) -> bool:
    """Tell whether a leaf may be meant to stay as it is: an input, or a part of a model beside the
    one that is trained.
    """
    if why.category in ("torch-accumulated", "torch-retained"):
        return False
    reached, holders = events.plays[-1].reached, at_work(events, events.plays[-1])
    if all(reached.isdisjoint(each.holds) for each in holders):
        return False  # the optimizer moves nothing of all that has a gradient
    late = number > min(each.made for each in holders)
    listed = any(tensor is each for module in events.modules for each in _unregistered(module))
    return not isinstance(tensor, nn.Parameter) or not (late or listed)


def _unregistered(module: Any) -> Iterator[Any]:
    """Yield what a module holds in lists and dictionaries of its own, which hide it."""
    for name, value in vars(module).items():
        if isinstance(value, list | tuple | dict) and name not in REGISTERED:
            for each in flatten(value):
                yield from each.parameters() if isinstance(each, nn.Module) else [each]


def _cleared(events: Events, source: TensorInfo) -> Break | None:
    """Return where a gradient was cleared that the last play had left."""
    last = events.last_of(source.id, source.tensor)
    where, at = events.cleared.get(source.id, (None, -1))
    with DisableTorchFunction():
        gone = source.object.grad is None
    if last is None or at < last.at or not gone:
        return None
    holders = events.optimizers.values()
    early = any(each.stepped > at and source.id in each.holds for each in holders)
    return Break("torch-cleared", where, params={**NONE, "variant": "step"} if early else NONE)


def _shared(events: Events, source: TensorInfo) -> Break | None:
    """Return the last play, if it has added to what the loss of others left in a leaf, for which
    their optimizer has stepped: the discriminator's loss in a generator, say.
    """
    *_, before, last = [None, None, *(p for p in events.plays if source.id in p.contents)]
    if before is None or last is None or not last.added.get(source.id, False):
        return None
    holders = list(events.optimizers.values())
    others = [h for h in holders if source.id not in h.holds and before.at < h.stepped < last.at]
    if not others or not any(source.id in each.holds for each in holders):
        return None
    return Break("torch-accumulated", last.where, params={**ADDED, "variant": "others"})


def _reaches_others(events: Events) -> bool:
    """Tell whether the last play has reached weights of an optimizer beside those of the one that
    has stepped for it.
    """
    last, holders = events.plays[-1], events.optimizers.values()
    reached = [each for each in holders if not last.reached.isdisjoint(each.holds)]
    return len({each.stepped > last.at for each in reached}) == 2


def _added(events: Events, source: TensorInfo) -> Break | None:
    """Return where gradients of several steps were summed, if the leaf was moved by such a sum:
    between the plays it had moved, and it moved once more before its gradient was cleared.
    """
    plays = [each for each in events.plays if source.id in each.contents]
    held = [each for each in events.optimizers.values() if source.id in each.holds]
    stepped = any(plays and each.stepped > plays[-1].at for each in held)
    now = -1 if stepped else source.tensor
    after = [*(each.contents[source.id] for each in plays[1:]), now]
    for before, play, content in zip(plays, plays[1:], after[1:]):
        then = play.contents[source.id]
        if then not in (before.contents[source.id], content) and play.added.get(source.id, False):
            return Break("torch-accumulated", play.where, params=ADDED)
    return None


def _through_steps(events: Events) -> Break | None:
    """Return the last play, if it has kept a graph that goes back through the steps of others. Its
    variant: "" where weights have moved meanwhile, else "grows", or "summed" where the gradients of
    all steps are.
    """
    last = events.plays[-1] if events.plays else None
    plays = [p for p in events.plays if last is not None and p.tape is last.tape and not p.returns]
    if last is None or not last.retains or len(plays) <= LEAST_KEPT:
        return None
    ends, before = [play.at for play in plays], plays[-2]
    behind = last.tape.behind([target.id for target in last.targets])
    if len({bisect_left(ends, number) for number in behind}) <= LEAST_KEPT:
        return None
    still = all(before.contents.get(n, now) == now for n, now in last.contents.items())
    carried = last.tape.user({n for n in behind if n < before.at}, before.at)
    params = {**KEPT, "carried_at": carried, "variant": "grows" if still else ""}
    if still and any(last.added.get(n, False) for n in last.contents):
        params["variant"] = "summed"
    return Break("torch-retained", last.where, params=params)


def hooked(events: Events, play: Any, source: Tensor) -> Break | None:
    """Return where a hook was put on a value that let nothing through in a play, where a gradient
    is zero.
    """
    with DisableTorchFunction():
        gradient = source.grad
    if gradient is None or any_of(gradient):
        return None
    for number, where in reversed(events.hooks) if play.filming is not None else ():
        seen = play.filming
        if seen.stopped_inside() if number is None else seen.stopped_at(number):
            return Break("torch-hook", where, params=ZERO)
    return None


def kept(events: Events, tensors: Tensors, since: Number = 0) -> tuple[Any, Break] | None:
    """Return the tensor that keeps the graphs of steps which `backward` has ended, played or not,
    and why; None where there are no such graphs. What was played before `since` does not count.
    """
    plays = [play for play in events.plays if play.at > since]
    through = _through_steps(events) if plays else None
    if through is not None:
        if through.params["variant"] == "summed":
            return None
        asked = {target.id for target in plays[-1].targets}
        living = sorted(tensors.living(), key=lambda each: each[0].number not in asked)
        return (living[0][1], through) if living else None
    ends = sorted(max(play.nodes) for play in plays if play.nodes and not play.returns)
    with DisableTorchFunction():
        nodes = [(known, tensor, tensor.grad_fn) for known, tensor in tensors.living()]
    steps: dict[Any, set[int]] = {}  # whose graphs the tensors made at a place keep
    last: dict[Any, Any] = {}  # (number, tensor) of the one that was made there last
    for known, tensor, node in nodes:
        if node is not None:
            where = known.where or tensors.places.place_of(known.number)
            steps.setdefault(where, set()).update(_steps_of(node, ends))
            last[where] = max(
                last.get(where, (-1, None)), (known.number, tensor), key=itemgetter(0)
            )
    # names of several steps live side by side, of a generator and its critic
    if max(map(len, steps.values()), default=0) < LEAST_KEPT:
        return None
    where = max(steps, key=lambda each: (len(steps[each]), last[each][0]))
    tensor = last[where][1]
    with DisableTorchFunction():
        variant = "listed" if tensor.numel() == 1 else "arrays"
    return tensor, Break("torch-graph-kept", where, params={**KEPT, "variant": variant})


def _steps_of(node: Any, ends: Sequence[int]) -> set[int]:
    """Return in which steps the nodes of a graph were made, of those that have ended with a node."""
    result, seen, todo = set[Any](), {node}, [node]
    for each in todo:  # which grows
        if (step := bisect_left(ends, number_of(each))) < len(ends):
            result.add(step)
        new = {after for after, _ in each.next_functions} - seen - {None}
        if len(seen) < MOST_NODES:
            seen |= new
            todo += new
    return result


def _unmoved(events: Events, source: TensorInfo) -> Break | None:
    """Return why no optimizer moves a leaf that has a gradient, where one has made a step."""
    last = events.last_of(source.id, source.tensor)
    holders = [] if last is None else at_work(events, last)
    if not holders or any(source.id in each.holds for each in holders):
        return None
    where = source.where if source.where is not None or last is None else last.where
    if source.id in events.inside:
        return Break("torch-not-registered", where, params={**UNMOVED, "variant": "forward"})
    if source.id > min(each.made for each in holders):
        return Break("torch-optimizer-old", where, params=UNMOVED)
    modules = [module for module in events.modules if module not in events.hidden]
    if not any(source.object is each for module in modules for each in module.parameters()):
        around = [m for m in events.hidden if any(source.object is p for p in m.parameters())]
        outermost = max(around, key=lambda m: len([*m.modules()]), default=None)
        hider = "" if outermost is None else type(outermost).__name__
        return Break("torch-not-registered", where, params={**UNMOVED, "hider": hider})
    where = max(holders, key=lambda each: each.stepped).where or where
    return Break("torch-optimizer-old", where, params={**UNMOVED, "variant": "other"})


def at_work(events: Events, last: Played) -> list[Holder]:
    """Return the optimizers that have stepped since a play, or hold what it has reached."""
    return [
        holder
        for holder in events.optimizers.values()
        if holder.stepped > last.at or not last.reached.isdisjoint(holder.holds)
    ]


def kind_of_error(text: str) -> str | None:
    """Return what an error of PyTorch's means, by its text; None for one that nobody knows."""
    return next((kind for known, kind in ERRORS.items() if re.search(known, text)), None)


def of_error(events: Events, failed: Failed) -> Break | None:
    """Return the same of an error of PyTorch's."""
    kind = kind_of_error(failed.text)
    if kind is None:
        return None
    where, params = failed.where, dict[str, Any](RAISED)
    if kind in VARIANTS:
        params["variant"] = VARIANTS[kind]
    if kind == "torch-not-a-leaf":
        params["variant"] = "optimizer"
        where = failed.targets[0].where if failed.targets else where
    others = kind == "torch-used" and bool(events.plays) and _reaches_others(events)
    if others:
        params["variant"] = "others"
    own = kind in ("torch-used", "torch-inplace") and not others
    carried = _carried(events, failed) if own else None
    if carried is not None:
        params["carried_at"] = carried
    if kind == "torch-used" and events.plays and not others:
        params["earlier"] = events.plays[-1].where
    if kind == "torch-inplace":
        change = _change(events, failed)
        if carried is not None and change is not None and change.steps:
            last = next(each for each in reversed(events.plays) if each.retains)
            return Break("torch-retained", last.where, params=params)
        if change is not None:
            where, params["stopped"] = change.where, failed.where
            params["variant"] = "step" if change.steps else ""
            params["needs_at"] = failed.tape and failed.tape.keeper(change.before)
    return Break(kind, where, params=params)


def _change(events: Events, failed: Failed) -> Changed | None:
    """Return the change in place that an error speaks of, as far as its text tells."""
    maker, shape = MAKER.search(failed.text), SHAPE.search(failed.text)
    node = maker[1] if maker is not None else ""
    size = tuple(map(int, shape[1].split(","))) if shape is not None and shape[1] else ()
    fitting = [c for c in events.changes if size in c.shapes and (not node or c.node == node)]
    if not fitting and node in VIEWS:  # a leaf, turned
        fitting = [c for c in events.changes if not c.node and size[::-1] in c.shapes]
    changes = fitting or events.changes
    return changes[-1] if changes else None


def _carried(events: Events, failed: Failed) -> Any:
    """Return the place where a graph that cannot be played takes in what was computed before the
    last play, if anything behind that play does so.
    """
    if failed.tape is None or not events.plays:
        return None
    last = events.plays[-1]
    made = {n for tape in (last.tape, failed.tape) for n in tape.computed(last.at)}
    return failed.tape.user(made, last.at)
