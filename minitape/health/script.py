"""Why a script does not learn, for `python -m minitape explain script.py`: a `Watch` that looks on
beside the explainer, and tells of what it finds only what becomes of the steps.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from minitape.config import functions_run_eagerly, run_functions_eagerly
from minitape.engine.base import listeners
from minitape.engine.base.aliases import RawPart
from minitape.engine.base.listeners import Onlooker
from minitape.engine.base.where import is_inside, passed
from minitape.engine.play import Play
from minitape.sentences import language

from .findings.finding import MAYBE, SURE, Finding
from .steps.doubts import made_anew
from .table import finding_lines
from .watching import Watch, is_variable, watch
from .words import say

CERTAIN = (
    "rate_zero",
    "rate_zero.whole",
    "copied",
    "renamed",
    "put_back",
    "swapped",
    "summed",
)
ASKED = (
    "not_applied",
    "nothing_moves",
    "summed",
    "same_network",
    "same_batch",
    "own_label",
    "left_alone",
    "made_anew",
)
SEVERAL = 2  # networks of one step each
A_WHILE, MANY = 32, 10  # steps: gradients may be collected before one is taken
MOST = 8  # trainings: each keeps some tapes


class Learning(Onlooker):
    """What is seen of a script's trainings, as `explain.script` asks for it: a `Watch` for each, that
    is, for all variables whose gradients are asked for together.
    """

    sees_assignments = False

    def __init__(self) -> None:
        self.watches: list[Watch] = []
        self._looks: list[int] = []  # at the last judgement

    def plays(self, play: Play, parts: Iterator[RawPart]) -> Iterator[RawPart]:
        """A tape is played: where it is asked for the weights of another training, watch that."""
        weights = [source for source in play.sources if is_variable(source)]
        known = any(not seen.met.isdisjoint(play.numbers) for seen in self.watches)
        if not weights or known or len(self.watches) >= MOST:
            return parts
        seen = watch(weights).__enter__()
        # whoever asks why waits, and a short script gives no time to save
        seen.pace.least = A_WHILE
        self.watches.append(seen)
        self._looks.append(0)
        return seen.plays(play, parts)

    def certain(self, ended: bool = False) -> str | None:
        """Return what is certainly wrong, in words; while the script runs, after each look."""
        for k, seen in enumerate(self.watches):
            looks, self._looks[k] = self._looks[k], seen.history.looks
            if looks == seen.history.looks and not ended:
                continue
            for finding in seen.judged():
                if self._is_certain(seen, finding, ended):
                    return self._words(finding)
        return None

    @staticmethod
    def _is_certain(seen: Watch, finding: Finding, ended: bool) -> bool:
        if finding.key == "nothing_moves":
            return ended and bool(finding.params.get("meant"))
        long = ended or seen.steps >= A_WHILE or finding.key == "summed"
        return finding.key in CERTAIN and finding.sure == SURE and long

    def questions(self) -> dict[Hashable, str]:
        """Return what may be meant, as questions."""
        asked = {number for seen in self.watches for number in seen.history.weights}
        result: dict[Hashable, str] = {}
        for seen in self.watches:
            for finding in [*seen.judged(), *self._made_anew(seen)]:
                few = seen.steps < MANY  # a script may look at a few gradients, and train nothing
                others = finding.params.get("numbers", {None}) <= asked  # in another training
                if finding.key in ASKED and not (others or few and finding.key == "nothing_moves"):
                    meant = [say("watch.meant", seen.language)] if finding.sure == SURE else []
                    lines = ["", *meant, self._words(finding)]
                    result[finding.key, finding.where] = "\n".join(lines)
        return result

    def _made_anew(self, seen: Watch) -> Iterator[Finding]:
        """Where each training at one place is one step of a network of its own, and there is no
        other: what was learned is thrown away.
        """
        places = {each.history.program.asked for each in self.watches if each.steps == 1}
        moved = all(w.moved for w in seen.history.weights.values())
        if len(self.watches) > SEVERAL and len(places) == 1 and seen.steps == 1 and moved:
            reason = made_anew(seen.history.program.asked)
            if reason is not None and all(each.steps == 1 for each in self.watches):
                yield Finding(reason.kind, MAYBE, where=reason.where, params=reason.params)

    def about(self, error: Exception) -> str | None:
        """Return what an error means that Keras raises where a gradient stands for a variable."""
        if not isinstance(error, AttributeError) or "'_unique_id'" not in str(error):
            return None
        places = [(frame.f_code, offset) for frame, offset in passed(error)]
        theirs = [place for place in places if not is_inside(place[0].co_filename)]
        return self._words(Finding("reversed", SURE, where=theirs[-1] if theirs else None))

    @staticmethod
    def _words(finding: Finding) -> str:
        return "\n".join(finding_lines(finding, language()))


@contextmanager
def looking_on(open_functions: bool = False) -> Iterator[Learning]:
    """Look on in the block; where it opens functions, minitape's run operation by operation."""
    eagerly, learning = functions_run_eagerly(), Learning()
    run_functions_eagerly(eagerly or open_functions)
    try:
        with listeners.looking_on(learning):
            yield learning
    finally:
        for seen in learning.watches:
            seen.__exit__(None, None, None)
        run_functions_eagerly(eagerly)
