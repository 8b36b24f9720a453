"""PyTorch's tensors under minitape's eyes: their numbers, their arrays, where they were made.

PyTorch gives its tensors no numbers, and an attribute on one would be saved with it: so they stand
in a table by their `id`, each with a weak reference. A tensor that is changed in place is a new
value with a new number. A leaf that wants a gradient is a variable: it keeps its own number, and
its content gets a new one where it is changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any
from weakref import ref

import numpy as np
import torch
from torch import Tensor
from torch._C import DisableTorchFunction

from minitape.engine.base.tensor import new_id
from minitape.engine.recording import TensorInfo

from ..call_sites import CallSites
from ..lines import Places

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Array, Number, Where

    from ..call_sites import Made

NO_ARRAY = np.zeros(0, np.float32)
MOST_PLACES = 200_000  # tensors of which is known where they were made


def array_of(part: Any) -> Array:
    """Return a tensor as an array, which shares its memory where NumPy can; of what holds no
    numbers that it knows, NO_ARRAY.
    """
    if not isinstance(part, Tensor):
        return part if isinstance(part, np.ndarray) else np.asarray(part)
    with DisableTorchFunction():
        try:
            tensor = part.detach()
            tensor = tensor.to_dense() if tensor.layout is not torch.strided else tensor
            return (tensor.float() if tensor.dtype is torch.bfloat16 else tensor).numpy(force=True)
        except Exception:  # a tensor without content, quantized, of a transform
            return NO_ARRAY


class Known(ref):
    """What is known of a living tensor. `number`: of its content; `id`: of itself, where it is a
    variable, else the same; `version`: that of PyTorch's when it was looked at last; `alias`: what
    tapes keep of its content; `made_by`: the key of the operation that made it, which lives as long.
    """

    __slots__ = (
        "key",
        "id",
        "number",
        "version",
        "leaf",
        "alias",
        "made_by",
        "name",
        "path",
        "where",
        "changed",
    )

    key: int
    id: Number
    number: Number
    version: int
    leaf: bool
    alias: Any
    made_by: Any
    name: str
    path: str
    where: Where | None
    changed: Where | None


class Tensors:
    """All that is known of the tensors of a program."""

    def __init__(self) -> None:
        self._known: dict[int, Known] = {}
        self.sites = CallSites()
        self.places = Places(MOST_PLACES)
        self.detached: dict[Number, Number] = {}  # {of what `detach` gave: of what it was given}
        self._aliases: list[Any] = []  # of arrays that tapes keep, since the last look
        self._stored: dict[int, list[Any]] = {}  # the others, by the address of what they share

    # ---- numbers

    def get(self, tensor: Tensor) -> Known | None:
        """Return what is known of a tensor, or None."""
        known = self._known.get(id(tensor))
        return known if known is not None and known() is tensor else None

    def meet(self, tensor: Tensor, leaf: bool = False) -> Known:
        """Return what is known of a tensor that is new, or has become another value."""
        key = id(tensor)
        known = self._known[key] = Known(tensor, self._forget)
        known.key, known.leaf, known.version = key, leaf, version_of(tensor)
        known.id = known.number = new_id()
        if leaf:
            known.number = new_id()
        known.name = known.path = ""
        known.alias = known.made_by = known.where = known.changed = None
        return known

    def changed(self, known: Known, tensor: Tensor) -> None:
        """Give a tensor that was changed in place the number of another value."""
        number = new_id()
        known.id, known.number = known.id if known.leaf else number, number
        known.version, known.alias = version_of(tensor), None

    def _forget(self, known: Known) -> None:
        if self._known.get(known.key) is known:
            del self._known[known.key]

    def made(self, known: Known, made: Made) -> None:
        """Note where a tensor was made."""
        self.places.note(known.number, made)
        known.where = made[0].where

    # ---- content

    def held(self, known: Known, tensor: Tensor) -> Any:
        """Return a tensor that shares the memory of another, for a tape: it is copied before the
        program writes there.
        """
        if known.alias is None:
            known.alias = tensor.data
            self._aliases.append(ref(known.alias))
        return known.alias

    def guard(self, written: Iterable[Tensor]) -> None:
        """Give what tapes keep a memory of its own where the program is about to write."""
        for weak in self._aliases:
            alias = weak()
            if alias is not None:
                self._stored.setdefault(storage_of(alias), []).append(weak)
        self._aliases.clear()
        for tensor in written:
            for weak in self._stored.pop(storage_of(tensor), ()):
                alias = weak()
                if alias is not None:
                    alias.data = alias.clone()

    def tidy(self) -> None:
        """Forget what no tape keeps any more."""
        self._aliases = [weak for weak in self._aliases if weak() is not None]
        stored = {
            at: [weak for weak in those if weak() is not None] for at, those in self._stored.items()
        }
        self._stored = {at: those for at, those in stored.items() if those}

    # ---- for readers

    def living(self) -> Iterator[tuple[Known, Tensor]]:
        """Yield what is known of each tensor that still exists, and the tensor."""
        for known in list(self._known.values()):
            tensor = known()
            if tensor is not None:
                yield known, tensor

    def info(self, tensor: Tensor, known: Known) -> TensorInfo:
        """Return a tensor as readers see it."""
        number, value = known.number, array_of(tensor)
        if not known.leaf:
            return TensorInfo(
                tensor, number, number, value, known.where or self.places.place_of(number)
            )
        return TensorInfo(
            tensor,
            known.id,
            number,
            value,
            known.where or known.changed,
            True,
            known.name or "Variable",
            True,
            known.path,
            known.changed or known.where,
        )


def version_of(tensor: Tensor) -> int:
    """Return how often a tensor was changed in place; -1 for one of inference mode, which does not
    count.
    """
    try:
        return tensor._version
    except RuntimeError:
        return -1


def storage_of(tensor: Tensor) -> int:
    """Return the address of what a tensor's content lies in, 0 where it has none."""
    try:
        return tensor.untyped_storage().data_ptr()
    except Exception:  # sparse, or of a transform
        return 0
