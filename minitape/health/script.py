"""Why a script does not learn, for `python -m minitape explain script.py`: a `Watch` that looks on
beside the explainer, and tells of what it finds only what becomes of the steps.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from minitape.config import functions_run_eagerly, run_functions_eagerly
from minitape.engine.base.where import is_inside

from .findings.finding import SURE, Finding
from .table import finding_lines
from .watching import Watch, watch
from .words import say

CERTAIN = ("rate_zero", "rate_zero.whole", "copied", "renamed", "swapped", "summed")
ASKED = (
    "not_applied",
    "nothing_moves",
    "summed",
    "same_network",
    "same_batch",
    "own_label",
    "left_alone",
)
A_WHILE, MANY = 32, 10  # steps: gradients may be collected before one is taken


class Learning:
    """What a `Watch` sees of a script's training, as `explain.script` asks for it."""

    def __init__(self, seen: Watch) -> None:
        self.seen, self._looks = seen, 0

    def certain(self, ended: bool = False) -> str | None:
        """Return what is certainly wrong, in words; while the script runs, after each look."""
        looks, self._looks = self._looks, self.seen.history.looks
        if looks == self._looks and not ended:
            return None
        found = [f for f in self.seen.judged() if self._is_certain(f, ended)]
        return self._words(found[0]) if found else None

    def _is_certain(self, finding: Finding, ended: bool) -> bool:
        if finding.key == "nothing_moves":
            return ended and bool(finding.params.get("meant"))
        long = ended or self.seen.steps >= A_WHILE or finding.key == "summed"
        return finding.key in CERTAIN and finding.sure == SURE and long

    def questions(self) -> dict[Hashable, str]:
        """Return what may be meant, as questions."""
        seen = self.seen
        found = [f for f in seen.judged() if f.key in ASKED]
        if seen.steps < MANY:  # a script may look at a few gradients, and train nothing
            found = [f for f in found if f.key != "nothing_moves"]
        meant = ["", say("watch.meant", seen.language)]
        return {
            (f.key, f.where): "\n".join([*meant[: 1 + (f.sure == SURE)], self._words(f)])
            for f in found
        }

    def about(self, error: Exception) -> str | None:
        """Return what an error means that Keras raises where a gradient stands for a variable."""
        if not isinstance(error, AttributeError) or "'_unique_id'" not in str(error):
            return None
        tb, where = error.__traceback__, None
        while tb is not None:
            if not is_inside(tb.tb_frame.f_code.co_filename):
                where = tb.tb_frame.f_code, tb.tb_lasti
            tb = tb.tb_next
        return self._words(Finding("reversed", SURE, where=where))

    def _words(self, finding: Finding) -> str:
        return "\n".join(finding_lines(finding, self.seen.language))


@contextmanager
def looking_on(open_functions: bool = False) -> Iterator[Learning]:
    """Look on in the block; where it opens functions, minitape's run operation by operation."""
    eagerly = functions_run_eagerly()
    run_functions_eagerly(eagerly or open_functions)
    try:
        with watch() as seen:
            yield Learning(seen)
    finally:
        run_functions_eagerly(eagerly)
