"""A replay of the tape, entry by entry: where the first NaN appeared, and where the gradient
vanished or grew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from minitape.engine.base.aliases import Arrays
from minitape.engine.ops.facts import facts_of
from minitape.engine.ops.record import OPS
from minitape.engine.recording import rule_of

from .case.aliases import Ran, Recording, Step


def finite(value: Any) -> bool:
    """True where all numbers are finite."""
    value = np.asarray(value)
    return value.dtype.kind not in "fc" or bool(np.isfinite(value).all())


def rounding(value: Any) -> float:
    """Return what sums of numbers around 1 are off by, in the dtype of an array."""
    return 16 * float(np.finfo(np.asarray(value).dtype).eps)


def largest(arrays: Iterable[Any]) -> float:
    """Return the largest size of a number in some arrays; 0 in none."""
    sizes = (np.abs(a).max() for a in arrays if a is not None and np.size(a))
    return max(map(float, sizes), default=0.0)


def kind_of(arrays: Iterable[Any]) -> str:
    """Return what arrays that are not finite hold: "nan", or "inf"."""
    return "nan" if any(not finite(a) and np.isnan(a).any() for a in arrays) else "inf"


def shown(value: Any) -> str:
    """Return a number or array as a short text."""
    value = np.asarray(value)
    if value.ndim == 0:
        return f"{value[()]:.6g}" if value.dtype.kind in "fc" else str(value)
    if value.size <= 4:
        return " ".join(np.array2string(value, precision=4, separator=", ").split())
    return f"{value.size} numbers from {np.min(value):.4g} to {np.max(value):.4g}"


class Replay:
    """All steps of one play: `steps` in the order of the play, `result` the adjoint of the source
    (an array).
    """

    def __init__(
        self,
        entries: list[Ran],
        recording: Recording,
        play: Callable[[], list[Step]],
        result: Any,
        source: int,
    ) -> None:
        self.entries, self._recording, self._play, self.result, self.source = (
            entries,
            recording,
            play,
            result,
            source,
        )
        self.tiny = 0.0

    # What only some questions need, made when one is asked.

    @cached_property
    def kept(self) -> list[tuple[Arrays, Arrays]]:
        """The arrays that the tape holds."""
        return self._recording.kept

    @cached_property
    def steps(self) -> list[Step]:
        """The steps, of a second play: where the result does not surprise, nobody asks for them."""
        return self._play()

    @cached_property
    def step_of(self) -> dict[int, Step]:
        """The step of each visited entry."""
        return {s.index: s for s in self.steps}

    @cached_property
    def maker(self) -> dict[int, int]:
        """The entry that made each value."""
        return {n: k for k, e in enumerate(self.entries) for n in e.outputs}

    @cached_property
    def downstream(self) -> set[int]:
        """The numbers of what was computed from the source, and its own."""
        made = (self.entries[k].outputs for k in self.onward({self.source}))
        return {self.source}.union(*made)

    @cached_property
    def parts_to(self) -> dict[int, list[tuple[int, Any]]]:
        """The parts that each value was sent, with the entries that sent them."""
        result: dict[int, list[tuple[int, Any]]] = {}
        for step in self.steps:
            for part in step.parts:
                result.setdefault(part.id, []).append((step.index, part.value))
        return result

    def onward(self, reached: set[int]) -> Iterator[int]:
        """Yield the entries that work with numbers in `reached`, in their order; what each makes is
        added there before the next one is looked for.
        """
        for k, entry in enumerate(self.entries):
            if not reached.isdisjoint(entry.inputs):
                yield k
                reached.update(entry.outputs)

    def round(self) -> bool:
        """Take for zero, from now on, what is nothing but rounding beside the largest adjoint; True
        where the result is.
        """
        self.tiny = rounding(self.result) * largest(a for step in self.steps for a in step.adjoints)
        return not self.felt(self.result)

    def felt(self, value: Any) -> bool:
        """True for a number, or for numbers, that are not all zero."""
        there = np.abs(value) > self.tiny
        # of one number `any` takes most of the time
        return bool(there if there.ndim == 0 else there.any())

    def shown_inputs(self, index: int) -> str:
        """Return the inputs of an entry as a short text."""
        return ", ".join(
            shown(v) for v in self.kept[index][0] if np.asarray(v).dtype.kind in "fciu"
        )

    # ---- not finite

    def first_bad_step(self) -> Step | None:
        """Return the first step of the play that made a part that is not finite from an adjoint
        that is.
        """
        bad = (step for step in self.steps if any(not finite(p.value) for p in step.parts))
        return next((s for s in bad if all(a is None or finite(a) for a in s.adjoints)), None)

    def first_bad_value(self, index: int | None) -> tuple[int, int | None, str] | None:
        """Return `(entry, number, "nan" or "inf")` of the first value forward that is not finite,
        among those that entry `index` depends on: `number` is that of an input which nobody on the
        tape made, else None.
        """
        wanted = self.above(index) if index is not None else range(len(self.entries))
        for k in sorted(wanted):
            entry, (inputs, outputs) = self.entries[k], self.kept[k]
            for number, value in zip(entry.inputs, inputs):
                given = number not in self.maker or entry.op == "ReadVariableOp"
                if given and not finite(value):
                    return k, number, kind_of([value])
            if not all(map(finite, outputs)) and all(map(finite, inputs)):
                return k, None, kind_of(outputs)
        return None

    def bad_element(self, index: int) -> tuple[str, str] | None:
        """Return where the first number of an entry is that is not finite, forward or else in its
        part, and what its inputs are there; the place is "" for a single number. Of the source's
        own elements, only one whose gradient is not finite either.
        """
        values, outputs = self.kept[index]
        parts = [p.value for p in self.step_of[index].parts] if index in self.step_of else []
        bad = next((np.asarray(a) for a in (*outputs, *parts) if not finite(a)), None)
        try:
            each = [np.broadcast_to(v, bad.shape) for v in values] if bad is not None else []
        except ValueError:  # no operation that goes element by element
            return None
        if bad is None or not each:
            return None
        wrong = ~np.isfinite(bad)
        used = self.entries[index].inputs
        read = [
            e.inputs[0] for e in self.entries if e.op == "ReadVariableOp" and e.outputs[0] in used
        ]
        if self.source in (*used, *read) and np.shape(self.result) == bad.shape:
            wrong &= ~np.isfinite(self.result)
        if not wrong.any():
            return None
        at = tuple(np.argwhere(wrong)[0])
        place = str([int(k) for k in at]) if at else ""
        return place, ", ".join(shown(v[at]) for v in each)

    def thrown_away(self, index: int) -> int | None:
        """Return the first entry after one whose outputs are not finite that has none of it in its
        own: a mask, a slice; or None.
        """
        if all(map(finite, self.kept[index][1])):
            return None
        after = self.onward({*self.entries[index].outputs})
        return next((k for k in after if all(map(finite, self.kept[k][1]))), None)

    def alone_on_its_axis(self, index: int) -> int | None:
        """Return the mean along an axis of length 1 that made what an entry divides by a 0, or
        None: each number had itself taken away.
        """
        inputs, divisor = self.kept[index][0], self.entries[index].inputs[-1]
        if np.any(inputs[-1]) or divisor not in self.maker:
            return None
        for k in sorted(self.above(self.maker[divisor])):
            values, means = self.kept[k]
            if self.entries[k].op == "Mean" and np.size(values[0]) == np.size(means[0]) > 1:
                return k
        return None

    def above(self, index: int) -> set[int]:
        """Return the numbers of all entries that an entry depends on, itself included."""
        reached, todo = set(), [index]
        while todo:
            k = todo.pop()
            if k in reached:
                continue
            reached.add(k)
            todo.extend(self.maker[n] for n in self.entries[k].inputs if n in self.maker)
        return reached

    def select_after(self, index: int) -> int | None:
        """Return the first entry after `index` that chooses between its output and something else
        (`where`), or None.
        """
        reached = {*self.entries[index].outputs}
        selects = (k for k in self.onward(reached) if self.entries[k].op.startswith("Select"))
        return next((k for k in selects if reached & {*self.entries[k].inputs[1:]}), None)

    # ---- zero

    def why_zero(self) -> list[tuple[str, int, Any]]:
        """Return `[("flat", "cancel" or "sum", entry, parts)]`: the places at which the flow to the
        source died, nearest to the source first. "cancel": parts of several entries add up to zero;
        "sum": the entry has a slope, but what arrives adds up to zero in it. Of the last two,
        `parts` are the inputs in question.
        """
        result: list[tuple[str, int, Any]] = []
        todo, seen = [self.source], set()
        while todo:
            number = todo.pop(0)
            if number in seen:
                continue
            seen.add(number)
            parts = self.parts_to.get(number, [])
            live = [(k, p) for k, p in parts if self.felt(p)]
            if len(live) > 1 and not self.felt(sum(p for _, p in live)):
                result.append(
                    ("cancel", self.meeting([k for k, _ in live]), [shown(p) for _, p in live][:6])
                )
                continue
            for k, part in parts:
                if self.felt(part):
                    continue
                step = self.step_of[k]
                if any(a is not None and self.felt(a) for a in step.adjoints):
                    if self.entries[k].op != "ReadVariableOp":
                        to = [p.input for p in step.parts if p.id == number]
                        sums = any(self.adds_up_to_zero(step, i) for i in to)
                        result.append(("sum" if sums else "flat", k, to))
                else:
                    todo.extend(self.entries[k].outputs)
        return result

    def adds_up_to_zero(self, step: Step, i: int) -> bool:
        """True where an entry has a slope for its input `i`, but what it lets through is added up
        inside of it, and the sum is zero.

        That is so where the input was stretched, and in entries that mix their elements, if other
        numbers would have come through.
        """
        entry, (values, outputs) = self.entries[step.index], self.kept[step.index]
        rule = rule_of(OPS[entry.op], i) if entry.op in OPS and len(outputs) == 1 else None
        if rule is None:
            return False
        g = np.asarray(step.adjoints[0])
        other = np.random.default_rng(0).uniform(0.5, 1.5, g.shape).astype(g.dtype)
        try:
            parts = [
                np.asarray(rule(x if x.ndim else x[()], outputs[0], *values, **(entry.about)))
                for x in (g / np.abs(g).max(), other)
            ]
        except Exception:  # a rule that wants more than arrays: nobody knows
            return False
        if parts[0].shape != np.shape(values[i]):
            return bool(parts[0].any())
        close = rounding(g) if self.tiny else 0.0
        return (
            facts_of(entry.op).mixes
            and float(np.abs(parts[0]).max()) <= close
            and bool(np.any(np.abs(parts[1]) > close))
        )

    def meeting(self, entries: Sequence[int]) -> int:
        """Return the first entry that depends on all of some entries: there their ways meet again."""
        ways = [{k, *self.onward({*self.entries[k].outputs})} for k in set(entries)]
        return min(set.intersection(*ways), default=entries[-1])

    def alike(self, a: int, b: int) -> bool:
        """True where two values were computed by the same operations of the same values: they are
        equal, whatever these are.
        """
        todo, seen = [(a, b)], set[tuple[int, int]]()
        for pair in todo:  # which grows
            i, j = map(self.maker.get, pair)
            if pair[0] == pair[1] or pair in seen:
                continue
            seen.add(pair)
            if i is None or j is None or self.entries[i].op != self.entries[j].op:
                return False
            inputs = self.entries[i].inputs, self.entries[j].inputs
            for m, n, x, y in zip(*inputs, self.kept[i][0], self.kept[j][0]):
                if m in self.maker or n in self.maker or not np.array_equal(x, y):
                    todo.append((m, n))
        return True

    # ---- huge

    def where_it_grew(self) -> Any:
        """Return `(entry, factor, how many entries at the same place)` where the adjoint grew most
        from one to the next; or None.

        What an entry gives to a variable or another leaf goes no further: it only counts where
        nothing goes on.
        """
        growth: dict[Any, tuple[int, float, int]] = {}
        for step in self.steps:
            makers = {p.id: self.maker[p.id] for p in step.parts if p.id in self.maker}
            read = [n for n, k in makers.items() if self.entries[k].op == "ReadVariableOp"]
            onward = [p for p in step.parts if p.id in makers and p.id not in read]
            g, p = largest(step.adjoints), largest(q.value for q in onward or step.parts)
            if p > g > 0:
                where = self.entries[step.index].where
                index, total, times = growth.get(where, (step.index, 1.0, 0))
                growth[where] = index, total * (p / g), times + 1
        return max(growth.values(), key=lambda x: x[1], default=None)
