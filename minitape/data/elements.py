"""The elements of a data set: arrays, alone or in tuples and dictionaries; and their description,
`tf.TensorSpec`s in the same form.

A list is no structure here: it becomes one array, as in `tf.data`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any

import numpy as np

from ..compile.tensor_spec import TensorSpec
from ..engine.base.dtypes import as_dtype, string
from ..engine.base.errors import InvalidArgumentError
from ..engine.base.listeners import active
from ..engine.base.nest import flatten, pack_sequence_as
from ..engine.base.tensor import Tensor
from ..engine.base.where import here
from ..engine.convert import convert_to_tensor


def each(function: Callable[[Any], Any], element: Any) -> Any:
    """Apply a function to the parts of tuples and dictionaries, and return the results in the same
    form.
    """
    return beside(lambda part, _: function(part), element, None)


def beside(function: Callable[[Any, Any], Any], element: Any, given: Any) -> Any:
    """Apply a function to the parts of a structure and to what is given for each, None where
    nothing is.
    """
    if isinstance(element, dict):
        return type(element)(
            (k, beside(function, v, given and given[k])) for k, v in element.items()
        )
    if isinstance(element, tuple):
        parts = [beside(function, v, given and given[k]) for k, v in enumerate(element)]
        return type(element)(*parts) if hasattr(element, "_fields") else tuple(parts)
    return function(element, given)


def arrays_of(element: Any) -> Any:
    """Return the arrays of what a program gave as an element. Raises ValueError for nothing."""
    if element is None or isinstance(element, (tuple, dict)) and not flatten(element):
        raise ValueError("Invalid `element`. `element` should not be empty.")
    return each(lambda x: convert_to_tensor(x).value, element)


def tensors_of(arrays: Any) -> Any:
    """Return an element as a program sees it: tensors, made at the learner's line."""
    where = here()
    return each(lambda a: Tensor(a, where), arrays)


def called(function: Callable[..., Any], element: Any) -> Any:
    """Return what a learner's function makes of an element; a tuple is given as several arguments.

    No tape hears it: what a pipeline computes comes before the program that learns from it.
    """
    tensors = tensors_of(element)
    token = active.set(())
    try:
        return function(*tensors) if type(tensors) is tuple else function(tensors)
    finally:
        active.reset(token)


def checked(function: Any) -> Callable[..., Any]:
    """Return what a learner gave as a function. Raises ValueError for anything else."""
    if not callable(function):
        raise ValueError(
            f"Argument `func` must be a callable. Received func={function!r} (of type "
            f"{type(function)})"
        )
    return function


def mapped(function: Callable[..., Any], element: Any) -> Any:
    """Return the arrays of what a learner's function makes of an element; a list of results is a
    tuple of them.
    """
    result = called(function, element)
    return arrays_of(tuple(result) if isinstance(result, list) else result)


def predicate_of(predicate: Callable[..., Any]) -> Callable[[Any], Any]:
    """Return the question whether a learner's function returns True for an element."""
    function = checked(predicate)

    def true(element: Any) -> Any:
        result = convert_to_tensor(called(function, element)).value
        if result.dtype.kind != "b" or np.ndim(result):
            raise ValueError(
                "Invalid `predicate`. `predicate` must return a `tf.bool` scalar tensor, but "
                "its return type is "
                f"{spec_of(result)}."
            )
        return result

    return true


def spec_of(arrays: Any) -> Any:
    """Return the description of an element."""
    return each(lambda a: TensorSpec(np.shape(a), as_dtype(a.dtype)), arrays)


def rows(arrays: Any) -> Iterator[Any]:
    """Return the rows of an element one by one."""
    for k in range(min(map(len, flatten(arrays)))):
        yield each(itemgetter(k), arrays)


def rows_of(spec: Any) -> Any:
    """Return the description of one row of what is described. Raises ValueError where there are no
    rows.
    """

    def row(s: TensorSpec) -> TensorSpec:
        if s.shape is not None and not len(s.shape):
            raise ValueError("Cannot unbatch an input with scalar components.")
        return TensorSpec(None if s.shape is None else list(s.shape)[1:], s.dtype)

    return each(row, spec)


def batch_of(spec: Any, n: int | None) -> Any:
    """Return the description of `n` elements together; None where their number is not always the
    same.
    """
    return each(lambda s: TensorSpec(None if s.shape is None else [n, *s.shape], s.dtype), spec)


def made_up(spec: Any, free: int) -> Any:
    """Return an element of zeros that fits a description; `free` stands for the lengths that it
    leaves open.
    """

    def zeros(s: TensorSpec) -> Any:
        return np.zeros(
            [free if n is None else n for n in s.shape or ()],
            "S1" if s.dtype is string else s.dtype.as_numpy_dtype,
        )[()]

    return each(zeros, spec)


def common(spec: Any, other: Any) -> Any:
    """Return the description of elements that fit one of two: lengths that differ are free, and so
    is another number of axes.
    """

    def both(a: TensorSpec, b: TensorSpec) -> TensorSpec:
        known = a.shape is not None and b.shape is not None and len(a.shape) == len(b.shape)
        return TensorSpec(
            [n if n == m else None for n, m in zip(a.shape, b.shape)] if known else None, a.dtype
        )

    return pack_sequence_as(spec, [both(a, b) for a, b in zip(flatten(spec), flatten(other))])


def tried(describe: Callable[[Any], Any], spec: Any) -> Any:
    """Return what a function describes, tried on elements of zeros, with two lengths for those that
    are free.
    """
    return common(*[describe(made_up(spec, free)) for free in (2, 3)])


def stacked(elements: list[Any]) -> Any:
    """Return elements as one, along a new first axis. Raises `InvalidArgumentError` where their
    shapes differ.
    """
    columns = list(zip(*[flatten(e) for e in elements]))
    for k, column in enumerate(columns):
        other = next((i for i, a in enumerate(column) if np.shape(a) != np.shape(column[0])), None)
        if other is not None:
            raise InvalidArgumentError(
                f"Cannot batch tensors with different shapes in component {k}. First element had "
                "shape "
                f"{list(np.shape(column[0]))} and element {other} had shape "
                f"{list(np.shape(column[other]))}."
            )
    return pack_sequence_as(elements[0], [np.stack(column) for column in columns])


def yielded(element: Any, spec: Any) -> Any:
    """Return what a generator gave as arrays that fit a description. Raises `InvalidArgumentError`,
    TypeError in other forms.
    """

    def fitting(s: TensorSpec, x: Any) -> Any:
        array = np.asarray(convert_to_tensor(x).value)
        if (array.dtype.kind == "S") != (s.dtype is string):
            raise InvalidArgumentError(
                "`generator` yielded an element that could not be converted to the expected "
                "type. The expected "
                f"type was {s.dtype.name}, but the yielded element was {x!r}."
            )
        if s.dtype is not string:
            array = array.astype(s.dtype.as_numpy_dtype)
        if s.shape is not None and not s.shape.is_compatible_with(array.shape):
            raise InvalidArgumentError(
                f"`generator` yielded an element of shape {array.shape} where an element of shape "
                f"{tuple(s.shape)} was expected."
            )
        return array[()]

    if isinstance(spec, tuple) and isinstance(element, list):
        element = tuple(element)
    if isinstance(spec, (tuple, dict)):
        if (
            type(element) is not type(spec)
            or len(element) != len(spec)
            or isinstance(spec, dict)
            and set(element) != set(spec)
        ):
            raise TypeError(
                "`generator` yielded an element that did not match the expected structure. The "
                f"expected structure was {spec}, "
                f"but the yielded element was {element!r}."
            )
        keys = spec if isinstance(spec, dict) else range(len(spec))
        parts = [yielded(element[k], spec[k]) for k in keys]
        return dict(zip(keys, parts)) if isinstance(spec, dict) else tuple(parts)
    return fitting(spec, element)
