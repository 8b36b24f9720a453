"""What learners answer: numbers and arrays are read from all that can mean them; all else gets its
sentence.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from ..engine.base.parameters import signature
from ..engine.base.tensor import Tensor
from ..engine.variable import Variable
from ..sentences import Word
from .outcome import SENTENCES, NotAttempted, NotYet

TOLERANCE = 1e-3
ROUNDING = 1e-4  # what computes the same differs by no more


def not_yet(idea: str, **params: Any) -> NotYet:
    """Return the refusal with a general idea, in the sentence of the catalogue."""
    return NotYet(idea, SENTENCES.say(f"idea.{idea}", params))


def array_of(value: Any, what: str) -> np.ndarray:
    """Return an answer as an array of float64. Raises `NotAttempted` for a blank, `NotYet` for what
    is no numbers.
    """
    if value is Ellipsis:
        raise NotAttempted
    if isinstance(value, Variable):
        value = value._tensor
    if isinstance(value, Tensor):
        value = value.value
    refuse_odd(value, what)
    if not isinstance(value, (bool, int, float, complex, np.ndarray, np.generic, list, tuple)):
        raise not_yet("no-number", what=what, type=type(value).__name__)
    if isinstance(value, (list, tuple)):
        value = [array_of(v, what) for v in value]
        if len({v.shape for v in value}) > 1:
            raise not_yet("ragged", what=what)
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise not_yet("no-number", what=what, type=array.dtype.name)
    return array.astype(np.float64)


def refuse_odd(value: Any, what: str) -> None:
    """Raise `NotYet` for what is neither numbers nor several of them: nothing at all, a text, a
    generator, a function.
    """
    if value is None:
        raise not_yet("nothing", what=what)
    if isinstance(value, (str, bytes)):
        raise not_yet("a-text", what=what, text=_short(value))
    if inspect.isgenerator(value) or isinstance(value, Iterator):
        raise not_yet("a-generator", what=what)
    # a model can be called, too
    if callable(value) and hasattr(value, "__name__") and not inspect.isclass(value):
        raise not_yet("a-function", what=what)


def parts_of(value: Any, count: int, what: str) -> list[Any]:
    """Return an answer that should have `count` parts as a list."""
    if value is Ellipsis:
        raise NotAttempted
    if count == 1 and not (isinstance(value, (tuple, list)) and len(value) == 1):
        return [value]
    refuse_odd(value, f"{what}(...)")  # the result, not the function
    if isinstance(value, (np.ndarray, Tensor)) and value.shape[:1] == (count,):
        value = list(value)
    if not isinstance(value, (tuple, list)):
        raise not_yet("how-many", what=what, count=count, given=1)
    if len(value) != count:
        raise not_yet("how-many", what=what, count=count, given=len(value))
    return list(value)


def function_of(answer: Any, name: str) -> Any:
    """Return an answer that should be a function. Raises `NotYet` for the result of a call, or
    anything else.
    """
    if answer is Ellipsis:
        raise NotAttempted
    if (
        inspect.isgeneratorfunction(answer)
        or inspect.iscoroutinefunction(answer)
        or inspect.isasyncgenfunction(answer)
    ):
        raise not_yet("a-generator", what=name)
    if not callable(answer):
        raise not_yet(
            "not-callable", name=name, type="None" if answer is None else type(answer).__name__
        )
    return answer


def takes(function: Any, names: tuple[str, ...], name: str) -> None:
    """Raise `NotYet` where a function cannot be called with so many arguments."""
    try:
        signature(function).bind(*names)
    except TypeError:
        raise not_yet("arguments", name=name, arguments=", ".join(names)) from None
    except ValueError:  # nobody knows its arguments
        pass


def close(given: np.ndarray, wanted: np.ndarray, tolerance: float = TOLERANCE) -> bool:
    """Say whether two arrays of one shape hold the same numbers."""
    if given.shape != wanted.shape:
        return False
    scale = max(1e-2, float(np.abs(wanted[np.isfinite(wanted)]).max(initial=0.0)))
    with np.errstate(invalid="ignore"):
        near = np.isfinite(wanted) & (
            np.abs(given - wanted) <= tolerance * np.maximum(np.abs(wanted), 0.1 * scale)
        )
    return bool(np.all(near | (given == wanted) | np.isnan(given) & np.isnan(wanted)))


def tries(
    answer: Callable[[Mapping[str, Any]], list[Any]],
    right: Callable[[Mapping[str, Any]], list[Any]],
    inputs: Mapping[str, Any],
) -> bool:
    """Say whether a right answer has a small error, and goes wrong with numbers of three digits: of
    the difference of two near values, nothing but their rounding is left then.
    """

    def near(given: Mapping[str, Any], tolerance: float) -> bool:
        pairs = zip(answer(given), right(given))
        return all(
            close(array_of(mine, ""), array_of(wanted, ""), tolerance)
            for mine, wanted in pairs
            if wanted is not None
        )

    # numbers that no answer takes as rough ones, lists of cards, say, tell nothing
    with np.errstate(all="ignore"), suppress(Exception):
        rough = {name: np.float16(value) for name, value in inputs.items()}
        # by so much may differ what computes the same in float64
        return not near(inputs, 1e-14) and not near(rough, 0.05)
    return False


def alike(given: np.ndarray, other: np.ndarray) -> bool:
    """Say whether two arrays of one shape come from the same computation, rounded."""
    return close(given, other, ROUNDING)


def worst(given: np.ndarray, wanted: np.ndarray) -> tuple[int, ...]:
    """Return the place at which two arrays of one shape differ most."""
    with np.errstate(invalid="ignore"):
        off = np.where(given == wanted, 0.0, np.nan_to_num(np.abs(given - wanted), nan=np.inf))
    return tuple(int(k) for k in np.unravel_index(int(np.argmax(off)), off.shape))


def number_text(value: float) -> str:
    """Return a number as a sentence shows it: four digits, of a whole number all."""
    return (
        f"{value:z.0f}" if value == round(value, 0) and abs(value) < 1e7 else f"{value:.4g}"
    ).replace("-", "−")


def value_text(value: Any) -> str:
    """Return an input as a sentence shows it, on one line."""
    try:
        array = array_of(value, "")
    except NotYet:  # it is made of more than numbers
        return _short(value)
    if array.ndim == 1 and array.size <= 20:
        return f"[{', '.join(f'{number:z.4g}' for number in array)}]"
    if array.size > 6:
        return f"array({' × '.join(map(str, array.shape))})"
    return (
        number_text(float(array))
        if not array.ndim
        else np.array2string(array + 0, precision=3, separator=", ").replace("\n", "")
    )


def inputs_text(inputs: Mapping[str, Any]) -> str:
    """Return inputs as a sentence shows them: `x = 1.2, w = [0.5, 1]`."""
    return ", ".join(f"{name} = {value_text(value)}" for name, value in inputs.items())


def your_answer() -> Word:
    """Return what an answer is called that has no name."""
    return Word(SENTENCES.say("your-answer"))


def place_text(what: str, place: tuple[int, ...]) -> str:
    """Return an element as a program writes it: `w[1, 0]`."""
    return type(what)(f"{what}[{', '.join(map(str, place))}]") if place else what


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
