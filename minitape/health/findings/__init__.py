"""What stands out in a training, ranked: causes before what follows from them.

A finding is data (`finding.py`); the sentences are in `messages/`. `numbers.py` looks at values and
adjoints, `learning.py` at rates, inputs and labels, `invariants.py` at what must hold in every
step; `course.py` answers what they ask of the history. The order of `RULES` is the order of causes:
labels out of range make a loss infinite, a rate too large kills units, dead units leave gradients
of 0.
"""

from __future__ import annotations

from ..seen.history import History
from .course import Course
from .finding import Finding
from .invariants import direction, frozen, gradients, known, left_out, moved
from .learning import inputs, label_range, labels, rate_large, rate_small, same_output
from .numbers import dead, equal, flow, not_finite, saturated
from .steps import doubts, left_alone, no_rate, summed

RULES = (
    label_range,
    no_rate,
    known,
    moved,
    gradients,
    direction,
    left_out,
    equal,
    inputs,
    flow,
    summed,
    rate_large,
    not_finite,
    dead,
    saturated,
    frozen,
    rate_small,
    labels,
    same_output,
    doubts,
    left_alone,
)
# What is only another side of an earlier finding is left out: {key: those that make it
# superfluous}.
FOLLOWS = {
    "nothing_moves": ("known",),
    "not_applied": ("known",),
    "left_alone": ("known",),
    "zero": ("equal", "dead", "inputs", "inputs.large"),
    "vanishing": ("dead", "saturated", "equal"),
    "summed": ("exploding", "exploding.time", "swelling", "inputs", "inputs.large"),
    "rate_large": ("summed", "exploding", "exploding.time", "swelling", "inputs", "inputs.large"),
    "exploding": ("inputs", "inputs.large"),
}
# said only where nothing else explains a loss that does not fall
LAST = ("labels", "same_output", "rate_small")


def find(history: History) -> list[Finding]:
    """Return the findings, the most important first."""
    course = Course(history)
    findings = [finding for rule in RULES for finding in rule(course)]
    keys = [finding.key for finding in findings]
    kept = []
    for finding in findings:
        before = keys[: keys.index(finding.key)]
        if any(other in keys for other in FOLLOWS.get(finding.key, ())):
            continue
        if finding.key in LAST and before:
            continue
        finding.library = history.library
        kept.append(finding)
    return kept
