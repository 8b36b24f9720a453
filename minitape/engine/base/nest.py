"""Structures: tuples, lists and dictionaries of values, nested in one another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

_VIEWS: tuple[type, type] = (type({}.values()), type({}.keys()))
_NESTED = (list, tuple, dict, *_VIEWS)


class _Kinds(dict[type, bool]):
    """A cache, type -> whether it is a structure: looked up for every source of every gradient."""

    def __missing__(self, kind: type) -> bool:
        # a TensorShape is a leaf
        answer = self[kind] = issubclass(kind, _NESTED) and not hasattr(kind, "num_elements")
        return answer


_nested = _Kinds()


def _is_named(s: object) -> bool:
    return isinstance(s, tuple) and hasattr(s, "_fields")


def is_nested(seq: object) -> bool:
    """Return True for a tuple, a list or a dictionary. Source: `tf.nest.is_nested`."""
    return _nested[type(seq)]


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """Return the leaves as a flat list; dictionaries in the order of their sorted keys. Source:
    `tf.nest.flatten`.
    """
    if not is_nested(structure):
        return [structure]
    flat = []
    for part in (
        [structure[k] for k in _keys(structure)] if isinstance(structure, dict) else structure
    ):
        if _nested[type(part)]:
            flat += flatten(part)
        else:
            flat.append(part)
    return flat


def _keys(d: dict[Any, Any]) -> list[Any]:
    try:
        return sorted(d)
    except TypeError:
        raise TypeError(
            f"The keys of a nested dictionary must be sortable, got {list(d)!r}."
        ) from None


def pack_sequence_as(
    structure: Any, flat_sequence: Iterable[Any], expand_composites: bool = False
) -> Any:
    """Return the leaves in the form of `structure`. Raises ValueError for another number of leaves.
    Source: `tf.nest.pack_sequence_as`.
    """
    flat = list(flat_sequence)
    if (
        type(structure) is list
        and len(structure) == len(flat)
        and not any(map(_nested.__getitem__, map(type, structure)))
    ):
        return flat  # the usual case: a plain list of variables
    if isinstance(structure, _VIEWS):
        structure = list(structure)
    wanted = len(flatten(structure))
    if wanted != len(flat):
        raise ValueError(
            f"Could not pack sequence. Structure had {wanted} atoms, but flat_sequence had "
            f"{len(flat)} items."
        )
    leaves = iter(flat)

    def build(s: Any) -> Any:
        if not is_nested(s):
            return next(leaves)
        if isinstance(s, dict):
            built = {k: build(s[k]) for k in _keys(s)}
            ordered = {k: built[k] for k in s}
            try:
                return type(s)(ordered)
            except TypeError:
                return ordered
        parts = [build(x) for x in s]
        return type(s)(*parts) if _is_named(s) else type(s)(parts)

    return build(structure)


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Raise ValueError or TypeError unless both have the same form. Source:
    `tf.nest.assert_same_structure`.
    """
    if is_nested(nest1) != is_nested(nest2):
        raise ValueError(
            f"The two structures don't have the same nested structure: {nest1!r} and {nest2!r}."
        )
    if not is_nested(nest1):
        return
    if check_types and type(nest1) is not type(nest2):
        raise TypeError(
            f"The two structures don't have the same sequence type: {type(nest1)} and "
            f"{type(nest2)}."
        )
    if len(nest1) != len(nest2) or isinstance(nest1, dict) and set(nest1) != set(nest2):
        raise ValueError(
            f"The two structures don't have the same nested structure: {nest1!r} and {nest2!r}."
        )
    for k in nest1 if isinstance(nest1, dict) else range(len(nest1)):
        assert_same_structure(nest1[k], nest2[k], check_types)


def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Apply `func` to the leaves and return the results in the same form. Source:
    `tf.nest.map_structure`.
    """
    if not structure:
        raise ValueError("Must provide at least one structure")
    for other in structure[1:]:
        assert_same_structure(structure[0], other, kwargs.get("check_types", True))
    results = [func(*leaves) for leaves in zip(*[flatten(s) for s in structure])]
    return pack_sequence_as(structure[0], results)
