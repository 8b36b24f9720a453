"""Looking at a learner's objects without running a line of the learner's code.

`isinstance` asks an object for its `__class__`, `getattr` and `vars` run `__getattr__` and
`__getattribute__`: a class may have written them, slowly or with an error. What is asked here is
answered by Python's own tables.
"""

from __future__ import annotations

from itertools import islice
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

LIBRARIES = ("minitape", "tensorflow", "keras", "tf_keras")  # whose own classes may be asked
SLOTS = (GetSetDescriptorType, MemberDescriptorType)  # written in C
# what a list of a tf.Module becomes: an empty list with another in it
WRAPPERS = "tensorflow.python.trackable.data_structures"

_mro: Any = type.__dict__["__mro__"].__get__
_names: Any = type.__dict__["__dict__"].__get__


def is_a(value: object, kinds: type | tuple[type, ...]) -> bool:
    """Return True where the type of an object is one of some built-in or library types, or made
    from one.
    """
    return issubclass(type(value), kinds)


def attributes(value: object) -> dict[str, Any]:
    """Return the dictionary of an object's own attributes; an empty one where it has none, or where
    its class makes one up.
    """
    for kind in _mro(type(value)):
        result = _names(kind).get("__dict__")
        if result is not None:
            names = result.__get__(value) if type(result) in SLOTS else None
            return names if type(names) is dict else {}
    return {}


def of_library(value: object) -> bool:
    """Return True for an object of a class that stands in minitape or in TensorFlow, as a learner's
    subclass does not.
    """
    return _module(type(value)).partition(".")[0] in LIBRARIES


def listed_by(value: object, name: str) -> list[Any]:
    """Return what a library's property of an object lists, as `trainable_variables` of a model; []
    where the learner wrote it.
    """
    owner = next((kind for kind in _mro(type(value)) if name in _names(kind)), None)
    return (
        list(getattr(value, name))
        if owner is not None and _module(owner).partition(".")[0] in LIBRARIES
        else []
    )


def owns(value: object, variable: object) -> bool:
    """Return True for the variable itself and for an object that holds it."""
    if value is variable:
        return True
    values = [*attributes(value).values(), *listed_by(value, "variables")]
    # Keras wraps TensorFlow's
    return any(each is variable or attributes(each).get("_value") is variable for each in values)


def has(value: object, name: str) -> bool:
    """Return True where the class of an object has an attribute of this name."""
    return any(name in _names(kind) for kind in _mro(type(value)))


def module_name(value: object) -> str:
    """Return the name of the module that an object's class stands in."""
    return _module(type(value))


def class_name(value: object) -> str:
    """Return the name of an object's class."""
    return type.__dict__["__name__"].__get__(type(value))


def is_built_in(value: object) -> bool:
    """Return True for modules, functions and other objects of Python's own."""
    return _module(type(value)) in ("builtins", "types")


def elements(value: Any, most: int | None = None) -> list[Any] | None:
    """Return the first elements of a list or tuple, whatever its class does when it is iterated;
    None for anything else.
    """
    value = _unwrapped(value)
    kind: Any = next((kind for kind in (list, tuple) if is_a(value, kind)), None)
    return None if kind is None else list(islice(kind.__iter__(value), most))


def items(value: Any, most: int | None = None) -> list[tuple[Any, Any]] | None:
    """Return the first pairs of a dictionary; None for anything else."""
    value = _unwrapped(value)
    return list(islice(dict.items(value), most)) if is_a(value, dict) else None


def _module(kind: type) -> str:
    result = type.__dict__["__module__"].__get__(kind)
    return result if type(result) is str else ""


def _unwrapped(value: Any) -> Any:
    if _module(type(value)) != WRAPPERS:
        return value
    return attributes(value).get("_storage", None) or getattr(value, "__wrapped__", value)
