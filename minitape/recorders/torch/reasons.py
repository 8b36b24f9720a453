"""What is known of a gradient without a look at the tape: PyTorch keeps gradients with its leaves,
and much that goes wrong has to do with that.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torch._C import DisableTorchFunction

from minitape.explain.case.graph import Break

if TYPE_CHECKING:
    from minitape.engine.recording import TensorInfo

    from .events import Events, Failed


ERRORS = {
    r"leaf Variable that requires grad": "torch-leaf-inplace",
    r"modified by an inplace operation": "torch-inplace",
    r"backward through the graph a second time": "torch-used",
    r"implicitly created only for scalar outputs": "torch-not-scalar",
}
NONE, RAISED, UNMOVED = ({"answer": answer} for answer in ("grad", "raised", "unmoved"))
# what is asked is the gradient itself
ASKED = re.compile(r"does not require grad|not have been used in the graph")
MAKER = re.compile(r"output \d+ of (\w+)")
SHAPE = re.compile(r"Tensor \[([\d, ]*)\]")


def reason(events: Events, source: TensorInfo) -> Break | None:
    """Return the break that says why a tensor has no gradient, as far as the tensor and what
    happened to it tell; else None.
    """
    tensor = source.object
    with DisableTorchFunction():
        leaf, wants = tensor.is_leaf, tensor.requires_grad
        floats = tensor.is_floating_point() or tensor.is_complex()
        if leaf and tensor.grad is not None and not _unmoved(events, source):
            return None
    numbers = source.id, source.tensor
    if not wants:
        frozen = events.frozen.get(source.id)
        if frozen is not None and floats:
            return Break("torch-frozen", frozen, params=NONE)
        return None
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
    where, at = events.cleared.get(source.id, (None, -1))
    if at > last.at:
        return Break("torch-cleared", where, params=NONE)
    return _unmoved(events, source)


def _unmoved(events: Events, source: TensorInfo) -> Break | None:
    """Return why no optimizer moves a leaf that has a gradient, where one has made a step."""
    last = events.last_of(source.id, source.tensor)
    holders = [
        holder
        for holder in events.optimizers.values()
        if last is not None
        and (holder.stepped > last.at or not last.reached.isdisjoint(holder.holds))
    ]
    if not holders or any(source.id in each.holds for each in holders):
        return None
    late = source.id > min(each.made for each in holders)
    kind = "torch-optimizer-old" if late else "torch-not-registered"
    return Break(kind, source.where, params=UNMOVED)


def of_error(events: Events, failed: Failed) -> Break | None:
    """Return the same of an error of PyTorch's."""
    kind = next((k for text, k in ERRORS.items() if re.search(text, failed.text)), None)
    if kind is None:
        return None
    where = failed.where
    if kind == "torch-inplace":
        maker, shape = MAKER.search(failed.text), SHAPE.search(failed.text)
        node = maker[1] if maker is not None else ""
        size = tuple(map(int, shape[1].split(","))) if shape is not None and shape[1] else ()
        fitting = [c for c in events.changes if c.shape == size and (not node or c.node == node)]
        places = [change.where for change in fitting or events.changes]
        where = places[-1] if places else where
    return Break(kind, where, params=RAISED)
