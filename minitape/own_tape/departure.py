"""Where somebody's tape leaves the right way: each step done once more, from what the tape had in
hand at that moment.

So a fault is named where it is made. What follows from it is right by this measure, and not blamed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from minitape.engine.base.aliases import Array
from minitape.engine.base.listeners import active
from minitape.engine.ops.record import OPS
from minitape.engine.recording import rule_of
from minitape.engine.walk import unbroadcast
from minitape.own_tape.given import OwnEntry, OwnTape
from minitape.sentences import Catalogue, chosen
from minitape.storyboard.text.summary import shape_text, summary

catalogue = Catalogue("minitape.own_tape")


@dataclass(frozen=True)
class Departure:
    """The place where a tape leaves the right way. `key` names the fault (below), `params` are the
    numbers of its sentence; of these `about` is the number of the value that is called `name`.

    `at`: "record" with `entry`; "visit" or "part" with `step`, and `place`, the input; "end" with
    `number`, a source.

    Recording: value, changed. Way back: seed, stray, early, overwritten, adjoint; sign, upstream,
    unsummed, shape, swapped, part, missing; twice, skipped. Answers: lost, overwritten, answer.
    """

    key: str
    at: str
    entry: int = -1
    step: int = -1
    place: int = -1
    number: Hashable = None
    params: dict[str, Any] = field(default_factory=dict)

    def called(self, names: Mapping[Hashable, str]) -> Departure:
        """Returns the same, with a value called as it is in `names`."""
        about = self.params.get("about")
        return (
            replace(self, params={**self.params, "name": names[about]}) if about in names else self
        )

    def sentence(self, language: str | None = None) -> str:
        """Returns what is wrong there, in words."""
        return catalogue.say(self.key, self.params, chosen(language))


def departure(tape: OwnTape) -> Departure | None:
    """Returns where a tape first leaves the right way, in the order in which things happened; None
    where it never does.
    """
    return Way(tape).first


def _of_recording(tape: OwnTape) -> Iterator[Departure]:
    for k, entry in enumerate(tape.entries):
        for place, (number, value) in enumerate(zip(entry.inputs, entry.values)):
            if not close(value, tape.values[number]):
                yield Departure(
                    "changed",
                    "record",
                    k,
                    place=place,
                    params=_said(
                        tape, card=k + 1, name=number, value=value, before=tape.values[number]
                    ),
                )
        if entry.op in OPS:
            try:
                y = np.asarray(
                    OPS[entry.op].kernel(*[v[()] for v in entry.values], **entry.attributes)
                )
            except Exception:  # other attributes than the table's: nothing is said
                continue
            if not close(entry.y, y):
                yield Departure(
                    "value",
                    "record",
                    k,
                    params=_said(tape, card=k + 1, op=entry.op, value=entry.y, right=y),
                )


class Way:
    """The way back as it should be, from what the tape had in hand. `first`: where the tape leaves
    it, or None; `awaited`: how many parts each value should get; `parts`: those that came, in their
    order; `sums`: what they add up to, after each; `wrong`: the (step, input) of all parts that are
    not what the rule gives.
    """

    def __init__(self, tape: OwnTape) -> None:
        self.tape = tape
        token = active.set(())  # what is computed to judge is nobody's recording
        try:
            with np.errstate(all="ignore"):
                self._look_ahead()
                departures = [*_of_recording(tape), *self._departures(), *self._of_answers()]
        finally:
            active.reset(token)
        self.first = departures[0] if departures else None

    def _look_ahead(self) -> None:
        """Finds which parts there should be."""
        tape = self.tape
        self.reach = _downstream(tape)
        self.expected: dict[int, set[int]] = {}
        self.awaited: Counter[Hashable] = Counter()
        reached, leading = {tape.target}, {tape.target}
        # entries that lead to the target; those from no source may be left out
        self.leads: set[int] = set()
        for k in range(len(tape.entries) - 1, -1, -1):
            entry = tape.entries[k]
            if entry.output in leading:
                self.leads.add(k)
                leading.update(
                    number for place, number in enumerate(entry.inputs) if passes(entry, place)
                )
            if entry.output in reached:
                self.expected[k] = {
                    place
                    for place, number in enumerate(entry.inputs)
                    if number in self.reach
                    and entry.values[place].dtype.kind == "f"
                    and passes(entry, place)
                }
                for place in self.expected[k]:
                    self.awaited[entry.inputs[place]] += 1
                    reached.add(entry.inputs[place])
        self.wrong: set[tuple[int, int]] = set()
        self.sums: dict[Hashable, list[Array]] = {}
        self.parts: dict[Hashable, list[Array]] = {}

    def right_adjoint(self, number: Hashable) -> Array | None:
        """Returns what an adjoint should be now: ones for the target, else the sum of the parts
        that came; None where none came.
        """
        if number == self.tape.target:
            return np.ones_like(self.tape.values[number])
        return self.sums[number][-1] if number in self.sums else None

    def _departures(self) -> Iterator[Departure]:
        """Goes the way back, step by step."""
        tape, played = self.tape, set()
        visits = Counter(step.entry for step in tape.steps or ())
        for s, step in enumerate(tape.steps or ()):
            entry, k = tape.entries[step.entry], step.entry
            said = _said(tape, card=k + 1, op=entry.op, name=entry.output, value=step.adjoint)
            if visits[k] > 1:
                if k not in played:
                    yield Departure("twice", "visit", k, s, params={**said, "times": visits[k]})
            elif k not in self.expected:
                if k not in self.leads and np.any(step.adjoint):
                    yield Departure("stray", "visit", k, s, params=said)
            else:
                yield from self._adjoint(s, entry, said)
            yield from self._parts(s, entry)
            played.add(k)
            for place, part in step.parts.items():
                number = entry.inputs[place]
                self.parts.setdefault(number, []).append(part)
                before = self.sums.setdefault(number, [])
                before.append(before[-1] + part if before and _fit(before[-1], part) else part)
        for k in self.expected if tape.steps is not None else ():
            if k not in played and (
                tape.entries[k].output == tape.target or tape.entries[k].output in self.parts
            ):
                yield Departure(
                    "skipped",
                    "end",
                    k,
                    params=_said(
                        tape, card=k + 1, op=tape.entries[k].op, name=tape.entries[k].output
                    ),
                )

    def _adjoint(self, s: int, entry: OwnEntry, said: dict[str, Any]) -> Iterator[Departure]:
        number, adjoint = entry.output, self.tape.steps[s].adjoint  # type: ignore[index]
        came, awaited = len(self.parts.get(number, ())), self.awaited[number]
        if came < awaited:
            yield Departure(
                "early",
                "visit",
                said["card"] - 1,
                s,
                params={**said, "came": came, "awaited": awaited},
            )
            return
        right = self.right_adjoint(number)
        if right is not None and not close(adjoint, right):
            key = "seed" if not came else self._how(number, adjoint)
            yield Departure(
                key,
                "visit",
                said["card"] - 1,
                s,
                params={**said, **_said(self.tape, count=came, right=right)},
            )

    def _how(self, number: Hashable, adjoint: Array) -> str:
        """Says how an adjoint came about that is not the sum of its parts."""
        came = self.parts.get(number, [])
        return "overwritten" if len(came) > 1 and close(adjoint, came[-1]) else "adjoint"

    def _parts(self, s: int, entry: OwnEntry) -> Iterator[Departure]:
        tape, step = self.tape, self.tape.steps[s]  # type: ignore[index]
        rights = {place: part_of(entry, place, step.adjoint) for place in range(len(entry.inputs))}
        for place in sorted(self.expected.get(step.entry, set()) | set(step.parts)):
            right, part = rights[place], step.parts.get(place)
            known = {
                "card": step.entry + 1,
                "op": entry.op,
                "name": entry.inputs[place],
                "adjoint": step.adjoint,
                "place": place + 1,
            }
            if part is None:
                if right is None or np.any(right):  # a part of zeros may be left out
                    yield Departure(
                        "missing", "visit", step.entry, s, place, params=_said(tape, **known)
                    )
            elif right is not None and not close(part, right):
                self.wrong.add((s, place))
                key = _fault(entry, place, step.parts, rights, step.adjoint)
                yield Departure(
                    key,
                    "part",
                    step.entry,
                    s,
                    place,
                    params=_said(
                        tape,
                        **known,
                        value=part,
                        right=right,
                        shape=shape_text(part.shape),
                        wanted=shape_text(right.shape),
                    ),
                )

    def _of_answers(self) -> Iterator[Departure]:
        """Compares the answers with what the tape's own parts add up to."""
        for number in self.tape.sources:
            if number not in self.tape.gradients or self.tape.steps is None:
                continue
            answer, right = self.tape.gradients[number], self.right_adjoint(number)
            count = len(self.parts.get(number, ()))
            said = _said(self.tape, name=number, value=answer, right=right, count=count)
            if answer is None and right is not None and np.any(right):
                yield Departure("lost", "end", number=number, params=said)
            elif answer is not None and right is None and np.any(answer):
                yield Departure("answer.none", "end", number=number, params=said)
            elif answer is not None and right is not None and not close(answer, right):
                key = self._how(number, answer)
                yield Departure(
                    "answer" if key == "adjoint" else key, "end", number=number, params=said
                )


def _downstream(tape: OwnTape) -> set[Hashable]:
    """What depends on a source, and the sources."""
    reach = set(tape.sources)
    for entry in tape.entries:
        if not reach.isdisjoint(entry.inputs):
            reach.add(entry.output)
    return reach


def passes(entry: OwnEntry, place: int) -> bool:
    """Says whether an entry sends a part to one of its inputs; where the table does not know the
    operation, it does.
    """
    if entry.op not in OPS:
        return True
    return part_of(entry, place, np.ones_like(entry.y)) is not None


def part_of(entry: OwnEntry, place: int, adjoint: Array) -> Array | None:
    """Returns the part that the rule of the table gives for an adjoint, or None: it blocks, is not
    known, or does not take these.
    """
    op = OPS.get(entry.op)
    rule = rule_of(op, place) if op is not None and op.registered else None
    value = entry.values[place]
    if rule is None or value.dtype.kind != "f":
        return None
    try:
        part = rule(adjoint[()], entry.y[()], *[v[()] for v in entry.values], **entry.attributes)
        return None if part is None else np.asarray(unbroadcast(np.asarray(part), value.shape, 0))
    except Exception:  # an adjoint of a wrong shape, attributes of another table
        return None


def _fault(
    entry: OwnEntry,
    place: int,
    parts: dict[int, Array],
    rights: dict[int, Array | None],
    adjoint: Array,
) -> str:
    """Says in what way a part is not what its rule gives."""
    part, right = parts[place], rights[place]
    assert right is not None
    if part.shape != right.shape:
        return "unsummed" if part.size > right.size and _stretches(right, part) else "shape"
    if close(part, -right):
        return "sign"
    others = [other for other in parts if other != place and rights[other] is not None]
    if any(close(part, rights[other]) and close(parts[other], right) for other in others):
        return "swapped"
    local = part_of(entry, place, np.ones_like(adjoint))
    return "upstream" if local is not None and close(part, local) else "part"


def close(a: Any, b: Any) -> bool:
    """Says whether two arrays agree, up to what float32 cannot tell."""
    if a is None or b is None or np.shape(a) != np.shape(b):
        return False
    # `np.allclose` spelled out: a long tape asks this of ten thousand small arrays
    same = (a == b) | (a != a) & (b != b)
    if same.all():
        return True
    floats, b = np.asarray(b).dtype.kind == "f", np.asarray(b, np.result_type(b, 1.0))
    with np.errstate(all="ignore"):
        size = np.abs(b)
        finite = np.isfinite(size)
        most = size.max(initial=0.0, where=finite) if floats else 0.0
        near = finite & (np.abs(a - b) <= 1e-6 * most + 1e-4 * size)
    return bool(np.all(near | same))


def _stretches(a: Array, b: Array) -> bool:
    """Says whether broadcasting makes the shape of `b` out of that of `a`."""
    return _fit(a, b) and np.broadcast_shapes(a.shape, b.shape) == b.shape


def _fit(a: Array, b: Array) -> bool:
    try:
        return np.broadcast_shapes(a.shape, b.shape) is not None
    except ValueError:
        return False


def _said(tape: OwnTape, **params: Any) -> dict[str, Any]:
    """Makes texts of arrays and of numbers that stand for values."""
    result = {"about": params["name"]} if "name" in params else {}
    for key, value in params.items():
        result[key] = (
            tape.names.get(value) or f"#{value}"
            if key == "name"
            else summary(np.asarray(value)[()])["text"]
            if isinstance(value, np.ndarray | np.floating)
            else value
        )
    return result
