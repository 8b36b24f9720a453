"""Structures of tensors: tuples, lists and dictionaries, nested in one another. Source: `tf.nest`."""

from .api.missing import offer
from .engine.base.nest import (
    assert_same_structure,
    flatten,
    is_nested,
    map_structure,
    pack_sequence_as,
)

__all__ = ["assert_same_structure", "flatten", "is_nested", "map_structure", "pack_sequence_as"]
offer(__name__)
