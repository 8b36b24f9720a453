"""PyTorch's tensors under minitape's eyes: their numbers, their arrays, where they were made.

PyTorch gives its tensors no numbers, and an attribute on one would be saved with it: so they stand
in a table by their `id`, each with a weak reference. A tensor that is changed in place is a new
value with a new number. A leaf that wants a gradient is a variable: it keeps its own number, and
its content gets a new one where it is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
NUMPYS = torch.float16, torch.float32, torch.float64  # of PyTorch's kinds of floats
FIRST_TIDY = 256
# in the metadata of a node that a play has made, `create_graph`: a number of minitape's own, since
# on a GPU another thread makes it, which counts for itself
PLAYED = "minitape"
created: list[bool] = []  # not empty once there are such nodes
MOST_PLACES = 200_000  # tensors of which is known where they were made


def number_of(node: Any) -> int:
    """Return the number of a node."""
    own = node.metadata.get(PLAYED) if created else None
    number: int = own or node._sequence_nr()
    return number


def maker_of(tensor: Tensor) -> Any:
    """Return the node that made a tensor; None for a leaf, and for a view that was made where
    gradients were switched off and has changed since: PyTorch refuses to tell.
    """
    try:
        return tensor.grad_fn
    except RuntimeError:
        return None


def array_of(part: Any) -> Array:
    """Return a tensor as an array, which shares its memory where NumPy can; of what holds no
    numbers that it knows, NO_ARRAY.
    """
    if not isinstance(part, Tensor):
        return part if isinstance(part, np.ndarray) else np.asarray(part)
    with DisableTorchFunction():
        return dense(part)


def dense(part: Tensor) -> Array:
    """Return the same of a tensor, where no function of PyTorch's is heard."""
    try:
        return part.numpy()  # nearly all
    except (RuntimeError, TypeError):
        pass
    try:
        tensor = part.data if part.layout is torch.strided else part.data.to_dense()
        known = tensor.dtype in NUMPYS or not tensor.is_floating_point()
        return (tensor if known else tensor.float()).numpy(force=True)
    except Exception:  # a tensor without content, quantized, of a transform
        return NO_ARRAY


def any_of(part: Tensor) -> bool:
    """Tell whether one of the numbers of a tensor is not 0; True of one without numbers, on `meta`,
    of which nobody can tell.
    """
    with DisableTorchFunction():
        return part.is_meta or bool(part.any())


def arrays_of(values: Sequence[Any]) -> tuple[Array, ...]:
    """Return tensors, and numbers beside them, as arrays."""
    like = next((v.dtype for v in values if isinstance(v, Tensor)), None)
    known = (Tensor, np.ndarray)
    return tuple(
        [array_of(v if isinstance(v, known) else torch.as_tensor(v, dtype=like)) for v in values]
    )


class Info(TensorInfo):
    """A tensor of PyTorch's. What is not known yet is looked for when somebody reads it."""

    __slots__ = "known", "places"

    known: Known
    places: Places

    def __getattr__(self, name: str) -> Any:
        known, leaf = self.known, self.is_variable
        if name == "value":
            return array_of(self.object)
        if name == "where":
            return known.where or (known.changed if leaf else self.places.place_of(self.tensor))
        if name == "assigned":
            return (known.changed or known.where) if leaf else None
        if name == "name":
            return (known.name or "Variable") if leaf else ""
        if name == "path":
            return known.path if leaf else ""
        if name == "trainable":
            return True
        raise AttributeError(name)


class Known(ref):
    """What is known of a living tensor. `number`: of its content; `id`: of itself, where it is a
    variable, else the same; `version`: that of PyTorch's when it was looked at last; `alias`: what
    tapes keep of its content; `recorded`: a tape knows which operation made it.
    """

    __slots__ = "key", "id", "number", "version", "leaf", "alias", "recorded", "__dict__"

    key: int
    id: Number
    number: Number
    version: int
    leaf: bool
    alias: Any
    recorded: bool
    # few have these
    name = path = ""
    where: Where | None = None
    changed: Where | None = None


class Given:
    """What is no tensor, among those that an operation takes in."""

    __slots__ = "number", "alias"

    number: Number
    alias: Any


class Tensors:
    """All that is known of the tensors of a program."""

    def __init__(self) -> None:
        self.table: dict[int, Known] = {}  # of those that exist, by the `id` of each
        pop = self.table.pop
        self.gone: Callable[[Known], Any] = lambda known: pop(known.key, None)
        self.sites = CallSites()
        self.places = Places(MOST_PLACES)
        self.detached: dict[Number, Number] = {}  # {of what `detach` gave: of what it was given}
        # what tapes keep, {address of its content: {its `id`: weakly}}, as far as `kept` was
        # looked through
        self._stored: dict[int, dict[int, Any]] = {}
        self._many, self._tidy_at = 0, FIRST_TIDY
        self.kept = set[ref[Any]]()  # the lines of tapes

    # ---- numbers

    def get(self, tensor: Tensor) -> Known | None:
        """Return what is known of a tensor, or None."""
        return self.table.get(id(tensor))

    def meet(self, tensor: Tensor, leaf: bool = False, recorded: bool = True) -> Known:
        """Return what is known of a tensor that is new, or has become another value."""
        key = id(tensor)
        known = self.table[key] = Known(tensor, self.gone)
        known.key, known.leaf, known.version, known.alias = key, leaf, version_of(tensor), None
        known.id = known.number = new_id()
        if leaf:
            known.number = new_id()
        known.recorded = recorded
        return known

    def changed(self, known: Known, version: int) -> None:
        """Give a tensor that was changed in place, so often, the number of another value."""
        number = new_id()
        known.id, known.number = known.id if known.leaf else number, number
        known.version, known.alias = version, None

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
        return known.alias

    def guard(self, written: Iterable[Tensor]) -> None:
        """Give what tapes keep a memory of its own where the program is about to write."""
        for weak in list(self.kept):
            lines = weak()
            if lines is not None:
                self.store([part for line in lines.lines[lines.stored :] for part in line[4:]])
                lines.stored = len(lines.lines)
        for tensor in written if self._stored else ():
            for weak in self._stored.pop(storage_of(tensor), {}).values():
                alias = weak()
                if alias is not None:
                    alias.data = alias.clone()

    def store(self, kept: Iterable[Any]) -> None:
        """Find these tensors, which somebody keeps, where it is written to."""
        result = {id(part): part for part in kept}  # most come twice: made, and used
        for part in list(result.values()):
            if type(part) is tuple:
                result.update([(id(each), each) for each in part])
        for key, alias in result.items():
            if isinstance(alias, Tensor):
                self._stored.setdefault(storage_of(alias), {})[key] = ref(alias)
                self._many += 1

    def tidy(self) -> None:
        """Forget what no tape keeps any more."""
        if self._many < self._tidy_at:
            return
        stored = {
            at: {key: weak for key, weak in those.items() if weak() is not None}
            for at, those in self._stored.items()
        }
        self._stored = {at: those for at, those in stored.items() if those}
        self._many = sum(map(len, self._stored.values()))
        self._tidy_at = 2 * self._many + FIRST_TIDY

    # ---- for readers

    def living(self) -> Iterator[tuple[Known, Tensor]]:
        """Yield what is known of each tensor that still exists, and the tensor."""
        for known in list(self.table.values()):
            tensor = known()
            if tensor is not None:
                yield known, tensor

    def info(self, tensor: Tensor, known: Known) -> TensorInfo:
        """Return a tensor as readers see it."""
        info = object.__new__(Info)
        info.object, info.known, info.places = tensor, known, self.places
        info.id, info.tensor, info.is_variable = known.id, known.number, known.leaf
        return info


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
        return tensor.data_ptr() - tensor.storage_offset() * tensor.element_size()
    except Exception:  # sparse, or of a transform
        return 0
