"""A loop over a data set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..compile.trace import line_of
from ..engine.base.errors import OutOfRangeError
from ..engine.base.listeners import tracer
from ..engine.base.where import here
from .elements import tensors_of

if TYPE_CHECKING:
    from .dataset import Dataset


class Elements(Iterator[Any]):
    """The elements of a data set, one after the other: what a loop over it asks."""

    def __init__(self, dataset: Dataset) -> None:
        self._arrays, self._spec = dataset._elements(), lambda: dataset.element_spec

    element_spec = property(lambda self: self._spec(), doc="What an element looks like.")

    def __next__(self) -> Any:
        if tracer() is not None:
            raise NotImplementedError(
                f"A data set inside of a tf.function{line_of(here())}: the function keeps one "
                "list of operations, in "
                "which the elements of this first run would stand for ever. Loop outside of the "
                "function, and give "
                "it the elements: for x, y in dataset: step(x, y)."
            )
        return tensors_of(next(self._arrays))

    def get_next(self) -> Any:
        """Return the next element. Raises OutOfRangeError after the last one."""
        for element in self:
            return element
        raise OutOfRangeError("End of sequence [Op:IteratorGetNext]")
