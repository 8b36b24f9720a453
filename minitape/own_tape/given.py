"""What somebody's tape is given as: lists that are looked at whole before anything is judged or
drawn.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from minitape.engine.base.aliases import Array
from minitape.engine.base.argument_errors import shown
from minitape.engine.ops.facts import FACTS, names_in_tensorflow
from minitape.engine.ops.record import OPS
from minitape.sentences import Catalogue

SAID = Catalogue("minitape.own_tape")
# what something should look like: the texts `given.form.NAME`
ENTRY, STEP, PARTS, ANSWERS = "entry", "step", "parts", "answers"
MOST = 2000  # entries, steps, inputs of one entry
INPUTS = 10_000  # of all entries
WRITTEN = 2000  # letters of the attributes of one entry
LETTERS = 200  # of a name

# What NumPy and mathematicians call operations that have another name in TensorFlow.
CALLED = {
    "×": "Mul",
    "truediv": "Div",
    "dot": "MatMul",
    "power": "Pow",
    "absolute": "Abs",
    "arcsin": "Asin",
    "arccos": "Acos",
    "arctan": "Atan",
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

    `entries`: tuples (operation, inputs, output, values), or with a dictionary of attributes behind
    them, in the order of recording. An operation is called as in the table ("Mul"), as in NumPy
    ("multiply") or by its sign ("*"); what the table does not know is shown, and not judged. Inputs
    and output are numbers by which the tape tells values apart, or anything that can be hashed;
    `values` are the inputs' numbers or arrays, then the output's. `steps`: tuples (place of the
    entry in the list, adjoint of its output, {which input: part}), in the order in which they were
    played; None where nothing was played. `gradients`: {source: its adjoint at the end, or None}.
    `target`: what was played from, by default the last output; `sources`: what the gradients are
    for, by default those of `gradients`, else what no entry made. `names`: {number: name} for the
    picture.

    Raises TypeError or ValueError, with the place in the list, for what cannot be a tape: a number
    that two entries made, or that is used before it is made.
    """

    def __init__(
        self,
        entries: Iterable[Any],
        steps: Iterable[Any] | None = None,
        gradients: Mapping[Hashable, Any] | None = None,
        *,
        target: Hashable = None,
        sources: Iterable[Hashable] | None = None,
        names: Mapping[Hashable, str] | None = None,
    ) -> None:
        self.entries = [
            _entry(k, given) for k, given in enumerate(_listed(entries, "entries", ENTRY))
        ]
        if not self.entries:
            raise ValueError(_say("empty", form=_form(ENTRY)))
        if sum(len(entry.inputs) for entry in self.entries) > INPUTS:
            raise ValueError(_say("many", where="entries, inputs", most=INPUTS))
        self.made_by = _made_by(self.entries)
        self.values: dict[Hashable, Array] = {}
        for entry in self.entries:
            for number, value in (*zip(entry.inputs, entry.values), (entry.output, entry.y)):
                self.values.setdefault(number, value)
        self.target = self.entries[-1].output if target is None else self._known(target, "target")
        if gradients is not None and not isinstance(gradients, Mapping):
            raise TypeError(
                _say("form", where="gradients", form=_form(ANSWERS), given=shown(gradients))
            )
        self.gradients = {
            self._known(number, "gradients"): None
            if g is None
            else _array(g, f"gradients[{number!r}]")
            for number, g in (gradients or {}).items()
        }
        asked = (
            sources
            if sources is not None
            else list(self.gradients) or [n for n in self.values if n not in self.made_by]
        )
        self.sources = [self._known(number, "sources") for number in asked]
        self.names = {
            self._known(number, "names"): _name(name) for number, name in (names or {}).items()
        }
        self.steps = (
            None
            if steps is None
            else [self._step(k, given) for k, given in enumerate(_listed(steps, "steps", STEP))]
        )

    def _known(self, number: Hashable, where: str) -> Hashable:
        try:
            if number in self.values:
                return number
        except TypeError:
            pass
        raise ValueError(
            _say("unknown", where=where, number=shown(number), known=_some(self.values))
        )

    def _step(self, k: int, given: Any) -> OwnStep:
        index, adjoint, parts = _parted(given, 3, f"steps[{k}]", STEP)
        if (
            isinstance(index, bool)
            or not isinstance(index, int | np.integer)
            or not 0 <= index < len(self.entries)
        ):
            raise ValueError(_say("place", k=k, last=len(self.entries) - 1, given=shown(index)))
        inputs = len(self.entries[index].inputs)
        if not isinstance(parts, Mapping):
            parts = dict(enumerate(_parted(parts, inputs, f"steps[{k}], parts", PARTS)))
        for place in parts:
            if (
                isinstance(place, bool)
                or not isinstance(place, int | np.integer)
                or not 0 <= place < inputs
            ):
                raise ValueError(
                    _say("key", k=k, given=shown(place), entry=int(index), last=inputs - 1)
                )
        by_place = {
            int(place): _array(part, f"steps[{k}], part {place}")
            for place, part in sorted(parts.items())
            if part is not None
        }
        return OwnStep(int(index), _array(adjoint, f"steps[{k}], adjoint"), by_place)


def _entry(k: int, given: Any) -> OwnEntry:
    op, inputs, output, values, *more = _parted(given, (4, 5), f"entries[{k}]", ENTRY)
    attributes = more[0] if more else {}
    if not isinstance(op, str) or not op.strip():
        raise TypeError(_say("operation", k=k, given=shown(op), form=_form(ENTRY)))
    op = operation(_word(op, f"entries[{k}]"))
    inputs = tuple(_listed(inputs, f"entries[{k}], inputs"))
    values = list(_listed(values, f"entries[{k}], values"))
    if not inputs:
        raise ValueError(_say("no-inputs", k=k))
    if len(values) != len(inputs) + 1:
        raise ValueError(
            _say("values", k=k, inputs=len(inputs), needed=len(inputs) + 1, given=len(values))
        )
    for number in (*inputs, output):
        try:
            hash(number)
        except TypeError:
            raise TypeError(_say("numbers", k=k, given=type(number).__name__)) from None
    if (
        attributes is None
        or not isinstance(attributes, Mapping)
        or not all(isinstance(name, str) for name in attributes)
        or not _can_be_written(attributes)
    ):
        if attributes is not None:
            raise TypeError(_say("attributes", k=k, example="{'axis': 0}", given=shown(attributes)))
        attributes = {}
    arrays = [_array(value, f"entries[{k}], values[{at}]") for at, value in enumerate(values)]
    return OwnEntry(
        op,
        inputs,
        output,
        _completed(op, dict(attributes)),
        tuple(arrays[:-1]),
        arrays[-1],
    )


def _can_be_written(attributes: Mapping[str, Any]) -> bool:
    try:
        return len(repr(attributes)) <= WRITTEN
    except Exception:  # nested too deeply, a number of too many digits
        return False


def operation(called: str) -> str:
    """Returns the table's name of an operation, whoever's word it is; a name that the table does
    not know stays as it is.
    """
    plain = (
        called.strip()
        .lower()
        .removeprefix("tf.")
        .removeprefix("np.")
        .removeprefix("reduce_")
        .replace("_", "")
    )
    table = _lowered(tuple(OPS))
    return table.get(plain) or CALLED.get(plain) or _in_tensorflow().get(plain) or called.strip()


@lru_cache(maxsize=1)  # asked for every entry, of a table that anybody may add to
def _lowered(names: tuple[str, ...]) -> dict[str, str]:
    return {name.lower(): name for name in names}


@cache
def _in_tensorflow() -> dict[str, str]:
    """Returns {sign, or name of a function or operation of TensorFlow's, as `operation` has it: the
    table's name}.
    """
    result = {name.lower(): op for name, op in names_in_tensorflow().items()}
    for op, facts in FACTS.items():
        for name in filter(None, (facts.sign, facts.called.rpartition(".")[2].replace("_", ""))):
            result.setdefault(name, op)
    return result


def _completed(op: str, attributes: dict[str, Any]) -> dict[str, Any]:
    """Fills in what a rule of the table needs and what goes without saying: a sum without an axis
    is over all.
    """
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
            raise ValueError(
                _say("made-twice", first=made_by[entry.output], k=k, number=shown(entry.output))
            )
        if entry.output in used:
            raise ValueError(
                _say("made-later", first=used[entry.output], k=k, number=shown(entry.output))
            )
        made_by[entry.output] = k
    return made_by


def _listed(given: Any, where: str, form: str = "") -> Sequence[Any]:
    if isinstance(given, str | bytes | Mapping | set) or not isinstance(given, Iterable):
        raise TypeError(
            _say(
                "list.of" if form else "list",
                where=where,
                form=form and _form(form),
                given=type(given).__name__,
            )
        )
    result = []
    for item in given:
        result.append(item)
        if len(result) > MOST:
            raise ValueError(_say("many", where=where, most=MOST))
    return result


def _parted(given: Any, count: int | tuple[int, ...], where: str, form: str) -> list[Any]:
    parts = list(given) if isinstance(given, list | tuple) else None
    if parts is None or len(parts) not in (count if isinstance(count, tuple) else (count,)):
        raise ValueError(_say("form", where=where, form=_form(form), given=shown(given)))
    return parts


def _array(given: Any, where: str) -> Array:
    try:
        array = np.asarray(given.numpy() if hasattr(given, "numpy") else given)
    except Exception as error:
        raise TypeError(
            _say("array", where=where, given=f"{type(given).__name__} ({error})")
        ) from None
    if array.dtype.kind not in "fiub":
        raise TypeError(_say("array", where=where, given=shown(given)))
    return array.copy() if array.dtype.kind == "b" else array.astype(np.float64)


def _name(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(_say("name", given=shown(name)))
    return _word(name, "names")


def _word(text: str, where: str) -> str:
    if len(text) > LETTERS:
        raise ValueError(_say("letters", where=where, most=LETTERS, given=shown(text)))
    return text


def _say(key: str, **params: Any) -> str:
    return SAID.say(f"given.{key}", params)


def _form(name: str) -> str:
    return SAID.say(f"given.form.{name}")


def _some(known: Iterable[Any]) -> str:
    first = [*islice(known, 9)]
    return ", ".join([*map(shown, first[:8]), *["..."] * (len(first) > 8)])
