"""Checks of arguments by annotation: for each name in a signature (`AxisLike`, `bool`,
`Sequence[int]`), its description and a test whether a value fits.

They run only after a function has failed, to find the argument that is to blame; see
`argument_errors.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .arrays import array_of
from .dtypes import as_dtype
from .tensor import Tensor

ENOUGH = 1000  # numbers of a list: so many are looked at


def array(value: Any) -> np.ndarray:
    """Return the numbers of a tensor, a variable, or what becomes one. Raises ValueError and
    TypeError for anything else.
    """
    value = value[:ENOUGH] if isinstance(value, range) else getattr(value, "_tensor", value)
    if isinstance(value, Tensor):
        return np.asarray(value.value)
    if isinstance(value, (list, tuple)) and any(
        [not isinstance(v, (bool, int, float, complex, str, bytes)) for v in value]
    ):
        if len({array(v).shape for v in value}) > 1:
            raise ValueError("rows of different lengths")
        return np.empty(len(value), object)
    return np.asarray(array_of(value))


def whole_number(value: Any) -> bool:
    """Tell whether a value is one whole number that counts something, or names a place."""
    x = array(value)
    alone = x.size == 1 and (not x.ndim or isinstance(value, Tensor))
    return alone and x.dtype.kind in "iu" and abs(int(x.item())) < 2**63


def number(value: Any) -> bool:
    """Tell whether a value is one number."""
    x = array(value)
    return x.dtype.kind in "fiu" and x.ndim == 0


def numbers(value: Any) -> bool:
    """Tell whether a value is a list of whole numbers."""
    if (
        isinstance(value, (str, bytes))
        or not hasattr(value, "__len__")
        and not isinstance(value, Tensor)
    ):
        return False
    x = array(list(value)[:ENOUGH] if isinstance(value, (range, tuple)) else value)
    return x.ndim == 1 and (
        x.dtype.kind in "iu" or not x.size or x.dtype == object and all(map(whole_number, value))
    )


def shape(value: Any) -> bool:
    """Tell whether a value is a shape: a length or a list of lengths, None for a free one."""
    if isinstance(value, (list, tuple)):
        return all([n is None or whole_number(n) for n in value[:ENOUGH]])
    return whole_number(value) or numbers(value)


def flag(value: Any) -> bool:
    """Tell whether a value is a yes or no."""
    return isinstance(value, (bool, np.bool_)) or isinstance(value, int) and value in (0, 1)


def one_of(kind: type | tuple[type, ...]) -> Callable[[Any], bool]:
    """Return the question whether a value is of a type."""
    return lambda value: isinstance(value, kind)


def tensor(value: Any) -> bool:
    """Tell whether a value becomes a tensor."""
    return array(value) is not None


def one_tensor(value: Any) -> bool:
    """Tell whether a value becomes one tensor, and is not several."""
    return tensor(value) and not (
        isinstance(value, (list, tuple)) and any([isinstance(v, Tensor) for v in value])
    )


def variables(value: Any) -> bool:
    """Tell whether a value is a list of variables."""
    return several(value) and all([hasattr(v, "_tensor") for v in value])


def pairs(value: Any) -> bool:
    """Tell whether a value is a list of pairs of something and a variable."""
    return several(value) and all(
        [isinstance(v, (tuple, list)) and len(v) == 2 and hasattr(v[1], "_tensor") for v in value]
    )


def dtype(value: Any) -> bool:
    """Tell whether a value names a dtype."""
    return as_dtype(value) is not None


def named(name: str) -> Callable[[Any], bool]:
    """Return the question whether a value is of a class of this name."""
    return lambda value: any([c.__name__ == name for c in type(value).__mro__])


def several(value: Any) -> bool:
    """Tell whether a value can be gone through."""
    return (
        isinstance(value, Iterable)
        and not isinstance(value, (str, bytes))
        and getattr(value, "ndim", 1) != 0
    )


# fmt: off
KINDS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "TensorLike":  ("a tensor (numbers, a list of equally long lists, an array)", tensor),
    "Tensor":      ("one tensor", one_tensor),
    "ScalarLike":  ("one number", number),
    "float":       ("one number", number),
    "IntLike":     ("one whole number", whole_number),
    "int":         ("one whole number", whole_number),
    "AxisLike":    ("an axis, which is a whole number, or a list of axes", lambda value: whole_number(value) or numbers(value)),
    "ShapeLike":   ("a shape, which is a list of whole numbers", shape),
    "SeedLike":    ("one whole number or a list of them", lambda value: whole_number(value) or numbers(value)),
    "DTypeLike":   ("a dtype such as tf.float32", dtype),
    "bool":        ("True or False", flag),
    "str":         ("a text", one_of(str)),
    "bytes":       ("bytes", one_of(bytes)),
    "None":        ("None", lambda value: value is None),
    "Callable":    ("a function", callable),
    "Mapping":     ("a dictionary", one_of(Mapping)),
    "Iterable":    ("a list", several),
    "Iterator":    ("an iterator", one_of(Iterable)),
    "list":        ("a list", one_of(list)),
    "Sequence":    ("a list", lambda value: isinstance(value, (Sequence, np.ndarray, Tensor)) and several(value)),
    "Sequence[int]": ("a list of whole numbers", numbers),
    "Sequence[int | None]": ("a list of whole numbers", lambda value: isinstance(value, Sequence) and shape(value)),
    "Iterable[Variable]": ("a list of variables", variables),
    "Iterable[tuple[Any, Variable]]": ("pairs of a gradient and a variable, as zip(gradients, variables) makes them", pairs),
    "Sequence[TensorLike]": ("a list of tensors", lambda value: several(value) and tensor(value)),
    "ActivationLike":  ("a function or the name of one", lambda value: value is None or isinstance(value, str) or callable(value)),
    "InitializerLike": ("an initializer or the name of one", one_of((str, type, Mapping, Callable, type(None)))),  # type: ignore[arg-type]
    "RegularizerLike": ("a regularizer or the name of one", one_of((str, Mapping, Callable, type(None)))),  # type: ignore[arg-type]
    "ConstraintLike":  ("a constraint or the name of one", one_of((str, Mapping, Callable, type(None)))),  # type: ignore[arg-type]
    "RateLike":    ("one number, a schedule, or a function that returns a number", lambda value: callable(value) or number(value)),
}
ANYTHING = {"Any", "object", "Nested", "LossLike", "MetricsLike", "tuple", "type", ""}
# fmt: on


def alternatives(annotation: str) -> list[str]:
    """Return the parts of an annotation that `|` separates, those in brackets left whole."""
    return [part.strip() for part in re.split(r"\|(?![^\[]*\])", annotation)]


def kind_of(alternative: str) -> tuple[str, Callable[[Any], Any]] | None:
    """Return (how it is said, what fits) of one part of an annotation; None where anything fits."""
    head = alternative.partition("[")[0]
    if alternative in ANYTHING or head in ANYTHING:
        return None
    if head == "Literal":
        choices = [
            text.strip().strip("'\"") for text in alternative[len("Literal[") : -1].split(",")
        ]
        return (
            f"one of {', '.join(map(repr, choices))}",
            lambda value: isinstance(value, str) and value in choices,
        )
    kind = KINDS.get(alternative) or KINDS.get(head)
    return kind or (f"a {head}" if head[:1] not in "AEIOU" else f"an {head}", named(head))


def what_fits(annotation: Any, value: Any) -> str:
    """Return what an argument should have been; nothing where the value fits."""
    kinds = [
        kind_of(a)
        for a in alternatives(
            annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
        )
    ]
    if None in kinds or any([fits(kind[1], value) for kind in kinds if kind]):
        return ""
    return " or ".join(dict.fromkeys(kind[0] for kind in kinds if kind))


def fits(question: Callable[[Any], Any], value: Any) -> bool:
    """Return the answer; False where a value cannot even be asked."""
    try:
        return bool(question(value))
    except Exception:
        return False
