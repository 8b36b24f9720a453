"""What an answer computes, compared with programs of the check's own: the declared wrong answers,
and the slips of the solution.
"""

from __future__ import annotations

import linecache
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import numpy as np

from .answers import alike, array_of, close
from .draw import generator
from .outcome import SENTENCES, NotAttempted
from .program import codes_of, numbers_in

MORE_ROUNDS = 10  # in which an answer and a slip must agree, before it is told
MOST_NUMBERS = 3  # of an answer's own that are tried in the place of names
# by what a slip may be multiplied besides, the likeliest first, and how that is said
BESIDE = {1.0: "", -1.0: "turned", 2.0: "doubled", 0.5: "halved"}
# a slip that halves or doubles is not told together with the contrary
OF_TWO = {("slip.doubled", ""), ("slip.halved", ""), ("slip.number", "")}
OF_TWO |= {(f"slip.{each}", "2") for each in ("no-factor", "factor-twice", "factor-twice.below")}


@contextmanager
def unheard() -> Iterator[None]:
    """Run a program of the check's own: its warnings are no news for the learner, who has not
    written it.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class Tried(NamedTuple):
    """Part `k` of an answer that was tried: the function, what it gave in each round, what came of
    this part, all parts that should have come, the inputs.
    """

    exercise: Any  # a `Function`
    function: Any
    answers: Sequence[Sequence[Any]]
    k: int
    came: Sequence[np.ndarray]
    wanted: Sequence[Sequence[np.ndarray]]
    rounds: Sequence[Mapping[str, Any]]
    whole: bool  # whether the later parts are to be the same as well

    @property
    def right(self) -> list[np.ndarray]:
        """What should have come of this part."""
        return [parts[self.k] for parts in self.wanted]

    def called(self, function: Any, inputs: Mapping[str, Any]) -> list[np.ndarray]:
        """Return what a program gives: up to this part, or all."""
        with unheard():
            parts = self.exercise.called(function, inputs)
        return [array_of(part, "") for part in (parts if self.whole else parts[: self.k + 1])]

    def times(self, function: Any) -> float:
        """Return by what (of BESIDE) that which a function gives is to be multiplied to be what
        came, on all inputs; 0 where by none of them, and where it is right.
        """
        k, factors, is_right = self.k, list(BESIDE), True
        try:
            # most differ in the first round already
            for inputs, came, right, mine in zip(self.rounds, self.came, self.wanted, self.answers):
                theirs = self.called(function, inputs)
                if not all(map(close, theirs[:k], right)):
                    return 0.0
                factors = [factor for factor in factors if alike(came, factor * theirs[k])]
                is_right = is_right and close(theirs[k], right[k])
                later = [array_of(part, "") for part in mine[k + 1 : len(theirs)]]
                if not factors or not all(map(alike, later, theirs[k + 1 :])):
                    return 0.0
        except (Exception, NotAttempted):
            return 0.0
        return 0.0 if is_right else factors[0]

    def agrees(self, function: Any, factor: float) -> bool:
        """Say whether that holds on more inputs: whole numbers agree by chance."""
        numbers = generator()
        for turn in range(MORE_ROUNDS):
            inputs, parts = self.exercise.drawn(numbers, turn), list[np.ndarray]()
            for each in (self.function, function):
                with suppress(Exception, NotAttempted):  # both, or it is no agreement
                    parts.append(self.called(each, inputs)[self.k])
            if len(parts) == 1 or parts and not alike(parts[0], factor * parts[1]):
                return False
        return True

    def own_numbers(self) -> list[float]:
        """Return the numbers that stand in the cell of an answer, and not in the solution."""
        right = numbers_in(self.exercise.solution_code)
        return sorted(numbers_in(self.cell()) - right)[:MOST_NUMBERS]

    def cell(self) -> str:
        """Return the text of an answer's cell."""
        files = {code.co_filename for code in codes_of(self.function)}
        return "".join(line for file in files for line in linecache.getlines(file))


def slip_of(tried: Tried) -> tuple[str, str, str] | None:
    """Return the slip, or the declared wrong answer multiplied by some number, that gives what came
    on all inputs: its idea, the piece that it is about, what is to be said besides.
    """
    slip = None
    for idea, piece, besides, function in _programs(tried):
        factor = tried.times(function)
        if factor in (2.0, 0.5) and (idea, piece) in OF_TWO:
            continue
        if factor == 0 or slip and factor != 1 or not tried.agrees(function, factor):
            continue
        said = SENTENCES.say(f"besides.{BESIDE[factor]}") if BESIDE[factor] else ""
        slip = idea, piece, besides or said
        if factor == 1:
            break
    return slip


def _programs(tried: Tried) -> Iterator[tuple[str, str, str, Any]]:
    """Yield each program that an answer may compute: its idea, the piece, what is to be said
    besides, the function.
    """
    from .slips import slips  # only a wrong answer needs them

    exercise = tried.exercise
    for idea, function in exercise.wrong_functions:
        if not idea.startswith("at.") and idea != "number":
            yield idea, "", "", function
    what = exercise.outputs[tried.k]
    for given, (program, blanks) in enumerate(exercise.changeable()):
        for slip in slips(program, tuple(blanks), *tried.own_numbers()):
            idea, piece = slip.said()
            if idea == "slip.function" and piece not in tried.cell():
                idea = "slip.function.unwritten"  # what the answer computes has this name in the check alone
            # a name that the cell has not is a guess, too weak to stand beside a fault
            known = given and idea != "slip.function.unwritten"
            said = exercise.idea(idea, what=what, piece=piece) if known else ""
            with suppress(Exception):  # some are no programs
                yield "as-given" if given else idea, piece, said, exercise.defined(slip.code)
