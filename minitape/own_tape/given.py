"""What somebody's tape is given as: lists that are looked at whole before anything is judged or drawn."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from minitape.engine.ops.record import OPS

if TYPE_CHECKING:
    from minitape.engine.ground.aliases import Array

FORM = "(operation, inputs, output, values), as in ('multiply', (1, 2), 3, (2.0, 5.0, 10.0))"
STEP = "(entry, adjoint, parts), as in (0, 1.0, {0: 5.0, 1: 2.0})"
MOST = 2000               # entries, and steps

# What else the operations of the table are called: by signs, by NumPy, by TensorFlow's functions.
CALLED = {
    "+": "Add", "-": "Sub", "*": "Mul", "×": "Mul", "/": "Div", "@": "MatMul", "**": "Pow",
    "addv2": "Add", "subtract": "Sub", "multiply": "Mul", "divide": "Div", "truediv": "Div", "dot": "MatMul", "power": "Pow",
    "negative": "Neg", "absolute": "Abs", "arcsin": "Asin", "arccos": "Acos", "arctan": "Atan",
}


class OwnEntry(NamedTuple):
    """One recorded operation. `op`: the table's name for it where it has one, else the one given."""

    op: str
    inputs: tuple[Hashable, ...]
    output: Hashable
    attributes: dict[str, Any]
    values: tuple[Array, ...]
    y: Array


class OwnStep(NamedTuple):
    """One entry visited on the way back. `parts`: {which input: part}."""

    entry: int
    adjoint: Array
    parts: dict[int, Array]


class OwnTape:
    """Entries, steps and answers of a tape that somebody has written.

    `entries`: tuples (operation, inputs, output, values), or with a dictionary of attributes behind them, in the order of recording. An
    operation is called as in the table ("Mul"), as in NumPy ("multiply") or by its sign ("*"); what the table does not know is shown,
    and not judged. Inputs and output are numbers by which the tape tells values apart, or anything that can be hashed; `values` are the
    inputs' numbers or arrays, then the output's. `steps`: tuples (place of the entry in the list, adjoint of its output, {which input:
    part}), in the order in which they were played; None where nothing was played. `gradients`: {source: its adjoint at the end, or None}.
    `target`: what was played from, by default the last output; `sources`: what the gradients are for, by default those of `gradients`,
    else what no entry made. `names`: {number: name} for the picture.

    Raises TypeError or ValueError, with the place in the list, for what cannot be a tape: a number that two entries made, or that is
    used before it is made.
    """

    def __init__(self, entries: Iterable[Any], steps: Iterable[Any] | None = None, gradients: Mapping[Hashable, Any] | None = None, *,
                 target: Hashable = None, sources: Iterable[Hashable] | None = None, names: Mapping[Hashable, str] | None = None) -> None:
        self.entries = [_entry(k, given) for k, given in enumerate(_listed(entries, "entries", FORM))]
        if not self.entries:
            raise ValueError(f"The tape is empty. Each operation adds one entry: {FORM}.")
        self.made_by = _made_by(self.entries)
        self.values: dict[Hashable, Array] = {}
        for entry in self.entries:
            for number, value in (*zip(entry.inputs, entry.values), (entry.output, entry.y)):
                self.values.setdefault(number, value)
        self.target = self.entries[-1].output if target is None else self._known(target, "target")
        self.gradients = {self._known(number, "gradients"): None if g is None else _array(g, f"gradients[{number!r}]")
                          for number, g in (gradients or {}).items()}
        asked = sources if sources is not None else list(self.gradients) or [n for n in self.values if n not in self.made_by]
        self.sources = [self._known(number, "sources") for number in asked]
        self.names = {self._known(number, "names"): _name(name) for number, name in (names or {}).items()}
        self.steps = None if steps is None else [self._step(k, given) for k, given in enumerate(_listed(steps, "steps", STEP))]

    def _known(self, number: Hashable, where: str) -> Hashable:
        try:
            if number in self.values:
                return number
        except TypeError:
            pass
        raise ValueError(f"{where}: no entry uses or makes {number!r}. The tape knows {_some(self.values)}.")

    def _step(self, k: int, given: Any) -> OwnStep:
        index, adjoint, parts = _parted(given, 3, f"steps[{k}]", STEP)
        if isinstance(index, bool) or not isinstance(index, int | np.integer) or not 0 <= index < len(self.entries):
            raise ValueError(f"steps[{k}] begins with the place of an entry in the list, from 0 to {len(self.entries) - 1}, not {index!r}.")
        inputs = len(self.entries[index].inputs)
        if not isinstance(parts, Mapping):
            parts = dict(enumerate(_parted(parts, inputs, f"steps[{k}]: parts", "one per input, or {which input: part}")))
        for place in parts:
            if isinstance(place, bool) or not isinstance(place, int | np.integer) or not 0 <= place < inputs:
                raise ValueError(f"steps[{k}]: parts has the key {place!r}; entry {index} has inputs 0 to {inputs - 1}.")
        found = {int(place): _array(part, f"steps[{k}]: part {place}") for place, part in sorted(parts.items()) if part is not None}
        return OwnStep(int(index), _array(adjoint, f"steps[{k}]: adjoint"), found)


def _entry(k: int, given: Any) -> OwnEntry:
    op, inputs, output, values, *more = _parted(given, (4, 5), f"entries[{k}]", FORM)
    attributes = more[0] if more else {}
    if not isinstance(op, str) or not op.strip():
        raise TypeError(f"entries[{k}] begins with the name of the operation, a text, not {op!r}. An entry is {FORM}.")
    inputs = tuple(_listed(inputs, f"entries[{k}]: inputs", FORM))
    values = list(_listed(values, f"entries[{k}]: values", FORM))
    if not inputs:
        raise ValueError(f"entries[{k}] has no inputs. What is computed from nothing is no operation: leave it out.")
    if len(values) != len(inputs) + 1:
        raise ValueError(f"entries[{k}] has {len(inputs)} inputs, so it needs {len(inputs) + 1} values: those of the inputs, then that of "
                         f"the output; it has {len(values)}.")
    for number in (*inputs, output):
        try:
            hash(number)
        except TypeError:
            raise TypeError(f"entries[{k}]: inputs and output are numbers by which the tape tells values apart (id(x) will do), not "
                            f"{type(number).__name__}.") from None
    if attributes is None or not isinstance(attributes, Mapping) or not all(isinstance(name, str) for name in attributes):
        if attributes is not None:
            raise TypeError(f"entries[{k}]: attributes are a dictionary, as in {{'axis': 0}}, not {attributes!r}.")
        attributes = {}
    arrays = [_array(value, f"entries[{k}]: values[{at}]") for at, value in enumerate(values)]
    return OwnEntry(operation(op), inputs, output, _whole(operation(op), dict(attributes)), tuple(arrays[:-1]), arrays[-1])


def operation(called: str) -> str:
    """Returns the table's name of an operation, whoever's word it is; a name that the table does not know stays as it is."""
    plain = called.strip().lower().removeprefix("tf.").removeprefix("np.").removeprefix("reduce_").replace("_", "")
    by_name = {name.lower(): name for name in OPS}
    return by_name.get(plain) or CALLED.get(plain) or called.strip()


def _whole(op: str, attributes: dict[str, Any]) -> dict[str, Any]:
    """Fills in what a rule of the table needs and what goes without saying: a sum without an axis is over all."""
    if op in ("Sum", "Mean", "Max", "Min", "Prod"):
        return {"axis": None, "keepdims": False, **attributes}
    if op == "Transpose":
        return {"perm": None, **attributes}
    return attributes


def _made_by(entries: Sequence[OwnEntry]) -> dict[Hashable, int]:
    made_by: dict[Hashable, int] = {}
    used: dict[Hashable, int] = {}
    for k, entry in enumerate(entries):
        for number in entry.inputs:
            used.setdefault(number, k)
        if entry.output in made_by:
            raise ValueError(f"entries[{made_by[entry.output]}] and entries[{k}] both made {entry.output!r}: each result needs a number "
                             "of its own. (Python gives the same id again once a value is gone; keep the values, or count.)")
        if entry.output in used:
            raise ValueError(f"entries[{used[entry.output]}] uses {entry.output!r}, which entries[{k}] makes only later. A tape is written "
                             "in the order in which things were computed.")
        made_by[entry.output] = k
    return made_by


def _listed(given: Any, where: str, form: str) -> Sequence[Any]:
    if isinstance(given, str | bytes | Mapping | set) or not isinstance(given, Iterable):
        raise TypeError(f"{where}: a list is needed, each {form}; not {type(given).__name__}.")
    found = []
    for item in given:
        found.append(item)
        if len(found) > MOST:
            raise ValueError(f"{where}: more than {MOST} of them make no picture. Take a smaller program.")
    return found


def _parted(given: Any, count: int | tuple[int, ...], where: str, form: str) -> list[Any]:
    parts = list(given) if isinstance(given, list | tuple) else None
    if parts is None or len(parts) not in (count if isinstance(count, tuple) else (count,)):
        raise ValueError(f"{where} is {form}; not {_short(given)}.")
    return parts


def _array(given: Any, where: str) -> Array:
    try:
        array = np.asarray(given.numpy() if hasattr(given, "numpy") else given)
    except Exception as error:
        raise TypeError(f"{where} is a number or an array of numbers, not {type(given).__name__} ({error}).") from None
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{where} is a number or an array of numbers, not {_short(given)}.")
    return array.copy() if array.dtype.kind == "b" else array.astype(np.float64)


def _name(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"names: a name is a text, not {name!r}.")
    return name


def _short(given: Any) -> str:
    text = repr(given)
    return text if len(text) <= 60 else text[:59] + "…"


def _some(known: Iterable[Any]) -> str:
    shown = [repr(number) for number in known]
    return ", ".join(shown[:8]) + (", ..." if len(shown) > 8 else "")
