"""A data set as a pipeline: where elements come from, and what is done with them on their way.
Source: `tf.data.Dataset`.

A data set holds no elements but a way to make them: each loop over it begins anew. A step (`map`,
`batch`, ...) returns a new data set that asks the one before it. Nothing is computed ahead: an
element is made when the loop asks for it.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Any, NoReturn

import numpy as np

from ..api.arguments import whole
from ..api.random import stream
from ..compile.tensor_spec import TensorSpec
from ..engine.base.dtypes import as_dtype, int64
from ..engine.base.errors import InvalidArgumentError
from ..engine.base.nest import flatten, pack_sequence_as
from ..engine.base.tensor import Tensor
from ..engine.base.where import here
from ..engine.convert import convert_to_tensor
from ..typing import IntLike, Nested
from .elements import (
    arrays_of,
    batch_of,
    beside,
    called,
    checked,
    common,
    each,
    mapped,
    predicate_of,
    rows,
    rows_of,
    spec_of,
    stacked,
    tensors_of,
    tried,
    yielded,
)
from .iterator import Elements
from .padding import filled_spec, fillings, padded

AUTOTUNE = INFINITE_CARDINALITY = -1
UNKNOWN_CARDINALITY = -2


_ABSENT = """apply bucket_by_sequence_length choose_from_datasets counter get_options
    get_single_element group_by_window ignore_errors interleave list_files load options
    ragged_batch random rebatch rejection_resample sample_from_datasets save scan shard
    snapshot sparse_batch take_while unique window with_options""".split()
_OTHERWISE = (
    "minitape has the everyday steps. Make such elements in a Python function: "
    "tf.data.Dataset.from_generator(function, ...)."
)


class Dataset(Iterable[Any]):
    """Elements in order: `for x, y in tf.data.Dataset.from_tensor_slices((xs,
    ys)).shuffle(1000).batch(32):`.

    Made by `from_tensor_slices` and its neighbours. Functions given to `map` and `filter` are
    ordinary Python: they run for each element, when it is asked for, and no tape hears them.
    Source: `tf.data.Dataset`.
    """

    def __init__(self, elements: Callable[[], Iterator[Any]], count: int, spec: Any) -> None:
        self._elements, self._count, self._spec = elements, count, spec

    # ---- where elements come from

    @staticmethod
    def from_tensor_slices(tensors: Nested, name: str | None = None) -> Dataset:
        """Make a data set of the rows of tensors; `(x, y)` gives pairs. Raises ValueError for
        scalars and other lengths.
        """
        arrays = arrays_of(tensors)
        parts = flatten(arrays)
        if builtins.any(not np.ndim(a) for a in parts):
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        lengths = [len(a) for a in parts]
        if (other := next((n for n in lengths if n != lengths[0]), None)) is not None:
            raise ValueError(
                f"Dimensions {lengths[0]} and {other} are not compatible: all parts must have "
                "the same number of rows."
            )
        return Dataset(lambda: rows(arrays), lengths[0], rows_of(spec_of(arrays)))

    @staticmethod
    def from_tensors(tensors: Nested, name: str | None = None) -> Dataset:
        """Make a data set of one element."""
        arrays = arrays_of(tensors)
        return Dataset(lambda: iter([arrays]), 1, spec_of(arrays))

    @staticmethod
    def from_generator(
        generator: Callable[..., Any],
        output_types: Nested = None,
        output_shapes: Nested = None,
        args: Any = None,
        output_signature: Nested = None,
        name: str | None = None,
    ) -> Dataset:
        """Make a data set of what `generator(*args)` yields; `output_signature` says what that is,
        in `tf.TensorSpec`s.

        Raises TypeError without it, and for anything but a function.
        """
        if not callable(generator):
            raise TypeError("`generator` must be a Python callable.")
        if output_signature is None and output_types is None:
            raise TypeError(
                "To specify the output signature you need to provide either the "
                "`output_signature` argument or the "
                "`output_types` argument."
            )
        spec = output_signature
        if spec is None:
            spec = beside(
                lambda dtype, shape: TensorSpec(shape, dtype), output_types, output_shapes
            )
        given = [convert_to_tensor(a) for a in args or ()]
        return Dataset(
            lambda: (yielded(row, spec) for row in generator(*[a.numpy() for a in given])),
            UNKNOWN_CARDINALITY,
            spec,
        )

    @staticmethod
    def range(*args: IntLike, **kwargs: Any) -> Dataset:
        """Make a data set of the numbers `range(start, stop, step)`, int64 unless `output_type`
        says otherwise.
        """
        dtype = as_dtype(kwargs.pop("output_type", int64))
        if builtins.set(kwargs) - {"name"}:
            raise TypeError(
                f"Dataset.range got an unexpected keyword argument {builtins.sorted(kwargs)[0]!r}"
            )
        if not 1 <= len(args) <= 3:
            raise ValueError(
                "Invalid `args`. The length of `args` should be between 1 and 3 but was "
                f"{len(args)}."
            )
        numbers = [whole("args", a) for a in args]
        if len(numbers) == 3 and not numbers[2]:
            raise InvalidArgumentError("step must be a non-zero integer. [Op:RangeDataset]")
        steps, kind = builtins.range(*numbers), dtype.as_numpy_dtype
        return Dataset(lambda: (kind(n) for n in steps), len(steps), TensorSpec((), dtype))

    @staticmethod
    def zip(*args: Any, datasets: Any = None, name: str | None = None) -> Dataset:
        """Put the elements of several data sets side by side, until one of them ends. Raises
        TypeError for anything else.
        """
        parts = datasets if datasets is not None else args[0] if len(args) == 1 else args
        for part in [parts] if isinstance(parts, list) else flatten(parts):
            if not isinstance(part, Dataset):
                raise TypeError(
                    "Invalid input to `zip`. Inputs are expected to be (nested) structures of "
                    "`tf.data.Dataset` objects"
                    + (
                        ". Python `list` is not supported and you should use `tuple` instead."
                        if isinstance(part, list)
                        else f" but encountered object of type {type(part)}."
                    )
                )
        several = flatten(parts)
        counts = [d._count for d in several]
        known = [n for n in counts if n >= 0]
        count = (
            UNKNOWN_CARDINALITY
            if UNKNOWN_CARDINALITY in counts
            else min(known)
            if known
            else INFINITE_CARDINALITY
        )
        together = lambda: (
            pack_sequence_as(parts, row) for row in builtins.zip(*[d._elements() for d in several])
        )
        return Dataset(together, count, lambda: each(lambda d: d.element_spec, parts))

    # ---- what is done with them

    def map(
        self,
        map_func: Callable[..., Any],
        num_parallel_calls: IntLike | None = None,
        deterministic: bool | None = None,
        synchronous: bool | None = None,
        use_unbounded_threadpool: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """Replace each element by what a function makes of it. Raises ValueError for anything but a
        function.
        """
        function = checked(map_func)
        return self._with(
            lambda: (mapped(function, e) for e in self._elements()),
            spec=lambda: tried(lambda e: spec_of(mapped(function, e)), self.element_spec),
        )

    def filter(self, predicate: Callable[..., Any], name: str | None = None) -> Dataset:
        """Keep the elements for which a function returns True. Raises ValueError where it returns
        something else.
        """
        true = predicate_of(predicate)
        return self._with(lambda: (e for e in self._elements() if true(e)), UNKNOWN_CARDINALITY)

    def shuffle(
        self,
        buffer_size: IntLike,
        seed: IntLike | None = None,
        reshuffle_each_iteration: bool | None = True,
        name: str | None = None,
    ) -> Dataset:
        """Give the elements in another order: each is drawn from the next `buffer_size` ones. The
        order is new for each loop.

        Raises InvalidArgumentError for a buffer that holds nothing.
        """
        size = whole("buffer_size", buffer_size)
        if size < 1 and size != UNKNOWN_CARDINALITY:
            raise InvalidArgumentError(
                "buffer_size must be greater than zero or UNKNOWN_CARDINALITY [Op:ShuffleDatasetV3]"
            )
        first = int(stream().integers(2**63)) if seed is None else whole("seed", seed) % 2**64
        loops = 0

        def elements() -> Iterator[Any]:
            nonlocal loops
            loops += reshuffle_each_iteration is not False
            draw, buffer = np.random.Generator(np.random.PCG64([first, loops])).integers, []
            for element in self._elements():
                buffer.append(element)
                if len(buffer) == size + 1:
                    k = draw(size)
                    buffer[k], buffer[-1] = buffer[-1], buffer[k]
                    yield buffer.pop()
            while buffer:
                yield buffer.pop(draw(len(buffer)))

        return self._with(elements)

    def batch(
        self,
        batch_size: IntLike,
        drop_remainder: bool = False,
        num_parallel_calls: IntLike | None = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """Put each `batch_size` elements together, along a new first axis; the last ones may be
        fewer, or are left out.

        Raises InvalidArgumentError for no elements, and for elements of several shapes.
        """
        return self._in_groups(batch_size, drop_remainder, stacked, lambda: self.element_spec)

    def _in_groups(
        self,
        batch_size: IntLike,
        drop_remainder: bool,
        together: Callable[[list[Any]], Any],
        spec: Callable[[], Any],
    ) -> Dataset:
        n = whole("batch_size", batch_size)
        if n < 1:
            raise InvalidArgumentError("Batch size must be greater than zero. [Op:BatchDatasetV2]")

        def elements() -> Iterator[Any]:
            before = self._elements()
            while group := list(islice(before, n)):
                if len(group) == n or not drop_remainder:
                    yield together(group)

        count = (
            self._count
            if self._count < 0
            else (self._count if drop_remainder else self._count + n - 1) // n
        )
        return self._with(elements, count, lambda: batch_of(spec(), n if drop_remainder else None))

    def padded_batch(
        self,
        batch_size: IntLike,
        padded_shapes: Any = None,
        padding_values: Any = None,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """Put each `batch_size` elements together, filled up with zeros or `padding_values` to the
        longest of them, or to `padded_shapes`. Raises InvalidArgumentError for elements that are
        longer than that, TypeError for a value of another dtype.
        """
        spec = filled_spec(self.element_spec, padded_shapes)
        fills = fillings(self.element_spec, padding_values)
        return self._in_groups(
            batch_size, drop_remainder, lambda group: padded(group, spec, fills), lambda: spec
        )

    def unbatch(self, name: str | None = None) -> Dataset:
        """Give the rows of each element one by one. Raises ValueError for scalars."""
        spec = rows_of(self.element_spec)
        lengths = {s.shape[0] for s in flatten(self.element_spec) if s.shape is not None} - {None}
        if len(lengths) > 1:
            raise ValueError(
                "`unbatch()` is only supported for datasets of elements whose components have a "
                "matching leading dimension. "
                f"Encountered both {lengths.pop()} and {lengths.pop()}."
            )
        n = lengths.pop() if lengths else 0
        count = self._count if self._count < 0 else self._count * n if n else UNKNOWN_CARDINALITY
        return self._with(
            lambda: (row for element in self._elements() for row in rows(element)), count, spec
        )

    def take(self, count: IntLike, name: str | None = None) -> Dataset:
        """Give the first `count` elements only; all for -1."""
        n = whole("count", count)
        if n < 0:
            return self._with(self._elements)
        return self._with(
            lambda: islice(self._elements(), n),
            n if self._count == INFINITE_CARDINALITY else min(n, self._count),
        )

    def skip(self, count: IntLike, name: str | None = None) -> Dataset:
        """Leave the first `count` elements out; all for -1."""
        n = whole("count", count)
        rest = (lambda: islice(self._elements(), n, None)) if n >= 0 else lambda: iter(())
        return self._with(
            rest, self._count if self._count < 0 else max(self._count - n, 0) if n >= 0 else 0
        )

    def repeat(self, count: IntLike | None = None, name: str | None = None) -> Dataset:
        """Begin again after the last element: `count` times, or without an end."""
        n = -1 if count is None else whole("count", count)

        def elements() -> Iterator[Any]:
            turns = iter(int, 1) if n < 0 else iter(builtins.range(n))  # for ever, or n times
            for _ in turns:
                element = empty = object()
                for element in self._elements():
                    yield element
                if element is empty:
                    return

        forever = INFINITE_CARDINALITY if self._count else 0
        return self._with(
            elements,
            forever
            if n < 0
            else 0
            if not n
            else self._count
            if self._count < 0
            else n * self._count,
        )

    def concatenate(self, dataset: Dataset, name: str | None = None) -> Dataset:
        """Give the elements of another data set after these. Raises TypeError where they are
        described otherwise.
        """
        mine, others = (each(lambda s: s.dtype.name, d.element_spec) for d in (self, dataset))
        if mine != others:
            raise TypeError(
                f"Incompatible dataset elements: {self.element_spec} vs. {dataset.element_spec}"
            )
        counts = self._count, dataset._count
        return self._with(
            lambda: chain(self._elements(), dataset._elements()),
            max((n for n in counts if n < 0), default=sum(counts)),  # infinite before unknown
            common(self.element_spec, dataset.element_spec),
        )

    def enumerate(self, start: IntLike = 0, name: str | None = None) -> Dataset:
        """Put the number of each element before it: pairs (number, element)."""
        return Dataset.zip((Dataset.range(whole("start", start), sys.maxsize), self))

    def flat_map(self, map_func: Callable[..., Any], name: str | None = None) -> Dataset:
        """Replace each element by the elements of the data set that a function makes of it. Raises
        TypeError for anything else.
        """
        function = checked(map_func)

        def inner(element: Any) -> Dataset:
            result = called(function, element)
            if not isinstance(result, Dataset):
                raise TypeError(f"`map_func` must return a `Dataset` object. Got {type(result)}")
            return result

        return self._with(
            lambda: (e for element in self._elements() for e in inner(element)._elements()),
            UNKNOWN_CARDINALITY,
            lambda: tried(lambda e: inner(e).element_spec, self.element_spec),
        )

    def cache(self, filename: str = "", name: str | None = None) -> Dataset:
        """Keep the elements of the first whole loop, and give the same ones in the next. Raises
        ValueError for a file.
        """
        if filename:
            raise ValueError(
                f"minitape keeps elements in memory only: use .cache() without {filename!r}."
            )
        kept: list[Any] = []

        def elements() -> Iterator[Any]:
            if kept:
                yield from kept[0]
                return
            result = []
            for element in self._elements():
                result.append(element)
                yield element
            kept[:] = [result]

        return self._with(elements)

    def prefetch(self, buffer_size: IntLike, name: str | None = None) -> Dataset:
        """Give the same elements: nothing is made ahead here. Raises InvalidArgumentError for a
        negative number but AUTOTUNE.
        """
        if whole("buffer_size", buffer_size) < AUTOTUNE:
            raise InvalidArgumentError(
                "buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning "
                "[Op:PrefetchDataset]"
            )
        return self._with(self._elements)

    def _with(
        self, elements: Callable[[], Iterator[Any]], count: int | None = None, spec: Any = None
    ) -> Dataset:
        """Return a data set that is as this one, but for what is given."""
        return Dataset(
            elements,
            self._count if count is None else count,
            (lambda: self.element_spec) if spec is None else spec,
        )

    # ---- what is known of it

    @property
    def element_spec(self) -> Any:
        """What an element looks like, in `tf.TensorSpec`s. What `map` makes is found by trying its
        function on zeros.
        """
        if callable(self._spec):
            self._spec = self._spec()
        return self._spec

    def cardinality(self) -> Tensor:
        """Return the number of elements; -1 for a data set without end, -2 where it is not known
        before they are made.
        """
        return Tensor(np.int64(self._count), here())

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(
            f"'Dataset' object has no attribute {name!r}."
            + (f" {_OTHERWISE}" if name in _ABSENT else "")
        )

    def __len__(self) -> int:
        if self._count < 0:
            raise TypeError(
                "The dataset is infinite."
                if self._count == INFINITE_CARDINALITY
                else "The dataset length is unknown."
            )
        return self._count

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Elements:
        return Elements(self)

    def reduce(
        self, initial_state: Nested, reduce_func: Callable[[Any, Any], Any], name: str | None = None
    ) -> Any:
        """Combine all elements: state = reduce_func(state, element), from the first to the last."""
        state = arrays_of(initial_state)
        for element in self._elements():
            state = mapped(reduce_func, (state, element))
        return tensors_of(state)

    def as_numpy_iterator(self) -> Iterator[Any]:
        """Return an iterator over the elements as NumPy arrays."""
        return (each(lambda t: t.numpy(), element) for element in self)

    def __repr__(self) -> str:
        return f"<Dataset element_spec={self.element_spec!r}>"
