"""Watching a training: an onlooker beside the learner's own loop.

A step is a play of a tape whose sources are among the weights; two plays with one target are one
step. Most steps are only counted, and their loss is noted; some are looked at (`look.py`), so that
all looks together stay within a small share of the time. What a program computes is the same with
and without: a look reads what is there, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isfinite
from os import PathLike
from types import FrameType
from typing import Any

import numpy as np

from minitape.engine.base.aliases import RawEntry, RawPart, Tape
from minitape.engine.base.listeners import Onlooker, looking_on, onlookers, tracer
from minitape.engine.base.nest import flatten
from minitape.engine.base.safe_exit import SafeExit
from minitape.engine.base.where import learners_frame
from minitape.engine.play import Play
from minitape.engine.recording import describe, recorded
from minitape.explain import explain_at
from minitape.sentences import chosen

from .data import as_data
from .findings import find
from .findings.finding import Finding
from .logs import write
from .pace import FREE, Pace
from .seen.anatomy import Anatomy, paths_of
from .seen.first_bad import backwards, forwards
from .seen.history import History, WeightHistory, trainable
from .seen.look import FIRST_LOOKS, Look, added_behind, array
from .seen.naming import name_all
from .seen.sizes import all_finite
from .seen.tapes import LARGEST, KeptTape, Tapes, nearest, taken
from .steps.ask import ask, ask_library
from .table import as_text


class Watch(Onlooker):
    """What is seen of a training, and the block in which it is seen. Print it to read it.

    `history`: all figures (`History`); `findings`: what stands out, the most important first;
    `to_dict()`: both as plain data; `kept`: the steps whose tapes are kept, `tape(step)` one of
    them.
    """

    sees_assignments = False
    _guard = None

    def __init__(
        self, watched: Any = None, *, every: int | None = None, language: str | None = None
    ) -> None:
        if every is not None and every < 1:
            raise ValueError(
                f"every must be at least 1, got {every!r}: every=1 looks at each step, every=10 "
                "at each tenth."
            )
        self._watched, self.pace, self.language = _refused(watched), Pace(every), chosen(language)
        self.history, self.tapes, self.steps, self.seconds = History(), Tapes(), 0, 0.0
        self._open = False
        self.findings: list[Finding] = []
        self.failed: tuple[int, Exception] | None = None  # a look must never end a training
        # called after each look, and with True when the block has ended
        self.viewers: list[Callable[[bool], object]] = []
        self._forget()

    def _forget(self) -> None:
        self._look, self._before = None, None
        self._target, self._numbers, self._last = None, set(), None
        self._anatomies, self._behind = {}, set()

    _target: int | None
    _look: Look | None
    _before: Look | None
    _last: Any
    _numbers: set[int]
    _anatomies: dict[Any, Anatomy]
    _behind: set[int]  # what was added to a loss, and the sum: until a gradient of it is asked for

    # ---- the block

    def __enter__(self) -> Watch:
        if self.pace.began:
            raise RuntimeError(
                "This watch has seen its training. Begin another one: with health.watch(model) "
                "as seen:"
            )
        self.pace.begin()
        self._open = True
        looking_on(self).__enter__()
        return self

    def _leave(self, *error: object) -> None:
        if any(other is self for other in onlookers.get()):
            looking_on(self).leave()
            self._safely(self._end_step)
            self.history.losses.close()
            self._judge()
            self._open = False
            self.history.let_go()
            self._forget()
            self._watched = None
            self._show(True)

    __exit__ = SafeExit(_leave)

    def _judge(self) -> None:
        """While the block is open: compare the weights with what they were, name everything, and
        look for what stands out.
        """

        def judge(frame: FrameType) -> None:
            for weight in self.history.weights.values():
                weight.compare()
            name_all(self.history, frame)
            self.findings = find(self.history)
            self._note_begins(self.findings)

        if self._open:
            self.seconds = self.pace.seconds()
            self._safely(judge, learners_frame())

    def _note_begins(self, findings: Iterable[Finding]) -> None:
        """Tapes of the steps where something begins are kept before others."""
        self.tapes.begins = {finding.step for finding in findings if finding.step is not None}

    def _show(self, ended: bool) -> None:
        """Tell those who show this watch that there is more to see; one that fails is not asked
        again.
        """
        for viewer in tuple(self.viewers):
            try:
                viewer(ended)
            except Exception:
                self.viewers.remove(viewer)

    def _safely(self, look: Callable[..., Any], *about: Any) -> Any:
        """Do something that a training must not end by: where it fails, no more is looked at, and
        the view says so.
        """
        if self.failed is None:
            try:
                return look(*about)
            except Exception as error:
                self.failed, self._look, self._last = (self.steps, error), None, None
        return None

    # ---- what an onlooker hears

    def began(self, tape: Tape) -> None:
        """A tape begins to record: the one before is not needed any more."""
        if self._last is not None:
            self._safely(self._check_gradients)

    def plays(self, play: Play, parts: Iterator[RawPart]) -> Iterator[RawPart]:
        """A tape is played: another step, if it is asked for the weights."""
        numbers = self._numbers or self._meet(play)
        if numbers.isdisjoint(play.numbers) or play.lead or self.failed is not None:
            return parts
        target = play.targets[0]
        if target.id != self._target:  # else it is another play for the same step
            if tracer() is not None:
                self.history.traced += 1
                return parts
            self._safely(self._end_step)
            self._target, step = target.id, self.steps
            if target.id in self._behind:
                self.history.program.apart = True
            self.steps += 1
            loss = float(target.value) if target.value.ndim == 0 else float(np.mean(target.value))
            self.history.losses.add(loss)
            self._last = play.tape, play.targets, play.sources, play.adjoints, dict(play.adjoints)
            due = self.pace.due(step, self.history.looks)
            if due or not isfinite(loss) and self.history.bad is None:
                with self.pace:
                    self._safely(self._begin_look, play, isfinite(loss))
        elif self.steps - 1 in self.tapes.of:
            self._safely(self.tapes.of[self.steps - 1].ask_for, play.sources)
        return parts if self._look is None else self._passing(self._look, play, parts)

    def _passing(self, look: Look, play: Play, parts: Iterator[RawPart]) -> Iterator[RawPart]:
        """Hand each part of a play on, and let the look see the adjoints."""
        seen = -1
        for part in parts:
            if part[0] != seen:
                seen = part[0]
                if seen in look.awaited:
                    with self.pace:
                        self._safely(look.adjoint, seen, part[2])
            yield part
        with self.pace:
            self._safely(look.answers, play)

    def _begin_look(self, play: Play, fine: bool) -> None:
        history, step = self.history, self.steps - 1
        history.library, history.whole = recorded(play.tape).module, play.whole
        if not history.weights or history.looks < FREE:
            self._meet(play)
        if not fine and history.bad is None:
            self._bad(play.tape, forwards(play.entries, play.tape.notes))
        anatomy = self._anatomy_of(play.entries, play.numbers)
        history.program.loss = history.program.loss or play.targets[0].where
        if history.looks < FIRST_LOOKS:
            added = added_behind(play.entries, [target.id for target in play.targets])
            history.program.behind.append(added and added[1])
            self._behind.update(added[0] if added else ())
        ask(history, play, learners_frame())
        before = (
            self._before if self._before is not None and self._before.step == step - 1 else None
        )
        self._look = Look(step, play, anatomy, history, before)
        self._keep(
            step, play.tape, play.entries, play.targets, play.sources, play.adjoints, anatomy
        )

    def _anatomy_of(self, entries: list[RawEntry], numbers: Iterable[int]) -> Anatomy:
        signature = tuple([entry[0] for entry in entries]), tuple(numbers)
        anatomy = self._anatomies.get(signature)
        if anatomy is None:
            if len(self._anatomies) >= 8:
                self._anatomies.clear()  # a program that is another at each step
            paths = paths_of(weight.content for weight in self.history.weights.values())
            anatomy = self._anatomies[signature] = Anatomy(entries, paths)
        return anatomy

    def _keep(
        self,
        step: int,
        tape: Tape,
        entries: list[RawEntry],
        targets: Any,
        sources: Any,
        seeds: Any,
        anatomy: Anatomy,
    ) -> None:
        layers = {layer.key: layer.out for layer in anatomy.layers}
        self.tapes.take(taken(step, tape, entries, targets, sources, seeds, layers))

    def _end_step(self) -> None:
        """The next step begins, or the block ends: put the look away that is open, and decide when
        to look again.
        """
        if self._last is not None:
            self._check_gradients()
        look, self._look, self._before = self._look, None, None
        if look is None:
            return
        with self.pace:
            look.close()
            if self.pace.looked(look.step):
                self._before = look
            # seldom: each time twice as many
            looks = self.history.looks
            if looks >= FREE and looks & (looks - 1) == 0:
                self._note_begins(find(self.history))
        self._show(False)

    def _check_gradients(self) -> None:
        """A tape that was played keeps its arrays where a gradient surprised it
        (`engine/surprises.py`): is one None, or not finite?
        """
        (tape, targets, sources, adjoints, seeds), self._last = self._last, None
        if self._look is not None:
            ask_library(self.history, tape, targets, sources, learners_frame())
        if (
            self.history.bad is not None
            or not tape.used
            or not tape.entries
            or len(tape.entries[-1]) < 8
        ):
            return
        gradients = [adjoints.get(source.id) for source in sources]
        if not all_finite([array(g) for g in gradients if g is not None]):
            self._bad(tape, backwards(tape, targets, sources))
            if self.tapes.bad is not None and self.tapes.bad not in self.tapes.of:
                anatomy = self._anatomy_of(tape.entries, [source.id for source in sources])
                self._keep(self.tapes.bad, tape, tape.entries, targets, sources, seeds, anatomy)
        elif self.history.explained is None:
            lost = next(
                (
                    s
                    for s, g in zip(sources, gradients)
                    if g is None and s.id in self.history.weights and trainable(s)
                ),
                None,
            )
            if lost is not None:
                self.history.explained = (
                    lost.id,
                    explain_at(learners_frame(), recorded(tape), targets[0], lost),
                )

    def _bad(self, tape: Tape, place: dict[str, Any] | None) -> None:
        if place is not None:
            called = recorded(tape).title(place["op"])
            self.history.bad = {**place, "called": called, "step": self.steps - 1}
            self.tapes.bad = self.steps - 1

    # ---- the weights

    def _meet(self, play: Play) -> set[int]:
        """Look up the weights: those that were named, or those that the play is asked for."""
        history = self.history
        variables = (
            _variables(self._watched)
            if self._watched is not None
            else [s for s in play.sources if is_variable(s)]
        )
        for variable in variables:
            weight = WeightHistory(variable)
            if weight.start.value.dtype.kind not in "fc":
                continue
            weight = history.weights.setdefault(weight.id, weight)
            weight.frozen = not trainable(variable)
        self._numbers = set(history.weights)
        return self._numbers

    # ---- what is read

    @property
    def share(self) -> float:
        """The share of the time that was spent looking."""
        return self.pace.paid / self.seconds if self.seconds else 0.0

    @property
    def kept(self) -> list[int]:
        """The steps whose tapes are kept: about a dozen, among them those where something begins."""
        return sorted(self.tapes.of)

    def tape(self, step: int) -> KeptTape:
        """Returns the tape of a step, with the values of that step: `tape = seen.tape(40);
        play(tape, tape.target, tape.sources)`.

        A step is counted from 0. Raises TypeError for what is no whole number, ValueError for a
        step whose tape was not kept; `kept` lists those that were.
        """
        if not isinstance(step, int | np.integer) or isinstance(step, bool):
            raise TypeError(
                f"A step is a whole number, counted from 0, not {step!r}. These tapes are kept: "
                f"{self.kept}."
            )
        if step in self.tapes.of:
            return self.tapes.of[int(step)]
        if not self.kept:
            why = (
                f"that of one step holds {self.tapes.too_large >> 20} MB, and at most "
                f"{LARGEST >> 20} MB are kept. Watch a few steps "
                "with a smaller batch to look into one"
                if self.tapes.too_large
                else "no step was looked at"
                if self.steps
                else "no step was seen: inside of the block, no gradient of the weights was asked for"
            )
            raise ValueError(f"No tape is kept: {why}.")
        raise ValueError(
            f"The tape of step {step} was not kept, for a watch keeps about a dozen. The nearest "
            "one is "
            f"seen.tape({nearest(self.kept, int(step))}); kept are the steps "
            f"{', '.join(map(str, self.kept))}."
        )

    @property
    def met(self) -> set[int]:
        """The numbers of the weights that were met so far."""
        return self._numbers

    def judged(self) -> list[Finding]:
        """Returns the findings as far as the training has come."""
        self._judge()
        return self.findings

    def to_dict(self) -> dict[str, Any]:
        """Returns everything as plain JSON data, see `minitape.health.data`; inside of the block,
        as far as it has come.
        """
        self._judge()
        return as_data(self)

    def to_tensorboard(self, folder: str | PathLike[str]) -> None:
        """Writes the figures as TensorBoard logs into a folder. Raises ImportError where the
        package tensorboard is not installed.
        """
        write(self, folder)

    def __str__(self) -> str:
        self._judge()
        return as_text(self)

    def __repr__(self) -> str:
        return (
            f"<Watch: {self.steps} steps, {self.history.looks} looked at, "
            f"{len(self.findings)} findings; print it to read it>"
        )


def watch(
    model_or_variables: Any = None, *, every: int | None = None, language: str | None = None
) -> Watch:
    """Watch a training loop: `with health.watch(model) as seen:` around it, then `print(seen)`.

    `model_or_variables`: a model, a layer, a variable, or any structure of variables; for None,
    whatever gradients are asked for. `every`: 10 looks at each tenth step; None looks as often as a
    small share of the time allows. What the loop computes stays the same, bit for bit. Raises
    TypeError for anything else to watch, ValueError for an `every` below 1.
    """
    return Watch(model_or_variables, every=every, language=language)


def is_variable(value: object) -> bool:
    """Return True for a variable, minitape's or that of a library whose tapes are recorded."""
    info = describe(value)
    return info is not None and info.is_variable


def _variables(watched: Any) -> list[Any]:
    """Return the variables of a model, or those in a structure."""
    if _is_model(watched) and not is_variable(watched) and not isinstance(watched, Mapping):
        weights = watched.weights if hasattr(watched, "weights") else watched.parameters()
        # no moving means, no seeds
        return [v for v in weights if (info := describe(v)) and info.trainable]
    result: list[Any] = []
    for item in flatten(watched):
        result += [item] if is_variable(item) else _variables(item)
    return result


def _is_model(watched: object) -> bool:
    """Return True for what has weights: `weights` as in Keras, `parameters()` as in PyTorch."""
    return hasattr(watched, "weights") or callable(getattr(watched, "parameters", None))


def _refused(watched: Any) -> Any:
    """Return what is to be watched. Raises TypeError where nothing in it can be."""
    if watched is None:
        return None
    if (
        isinstance(watched, Iterable)
        and not isinstance(watched, (Mapping, list, tuple))
        and not is_variable(watched)
        and not _is_model(watched)
    ):
        watched = list(watched)
    for item in flatten(watched):
        if not is_variable(item) and not _is_model(item):
            raise TypeError(
                "health.watch looks at a model, a layer, or variables, not at "
                f"{type(item).__name__}: {item!r}. "
                "Write health.watch(model), or health.watch([w, b])."
            )
    return watched
