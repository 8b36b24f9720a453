"""What was seen, as plain data: for a picture, a file, or a program of one's own.

`version` counts the form. Each list of a layer has one number per step in `looked`, None where it
was not measured; `losses` has one number for `each` steps. `entry` is the card of a layer's output
on the tape of a step, and `place` the line that made it: with a step these lead back to the tape:
`seen.tape(step)`, of the steps in `seen.kept`.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from minitape.dialects import dialect_of
from minitape.storyboard.text.summary import json_number

from .seen.history import MEASURES
from .table import opening
from .words import cure, place, sentence

if TYPE_CHECKING:
    from .findings.finding import Finding
    from .watching import Watch

VERSION = 1
DIGITS, OF_LOSSES = 3, 6


def short(numbers: list[Any], digits: int = DIGITS) -> list[Any]:
    """Returns numbers with a few digits, for JSON; None stays."""
    form = f"%.{digits}g"
    return [
        float(form % n)
        if type(n) is float and isfinite(n)
        else None
        if n is None
        else json_number(n, digits)
        for n in numbers
    ]


def finding_data(finding: Finding, language: str) -> dict[str, Any]:
    """Returns one finding with its sentences."""
    return {
        "key": finding.key,
        "sure": finding.sure,
        "layer": finding.layer,
        "step": finding.step,
        "place": place(finding.where),
        "text": sentence(finding, language),
        "cure": cure(finding, language),
        "write": finding.write,
    }


def as_data(seen: Watch) -> dict[str, Any]:
    """Returns everything that a `Watch` has seen as JSON data."""
    history = seen.history
    layers = []
    for layer in history.layers.values():
        columns = {
            measure: short(layer.columns[measure])
            for measure in MEASURES
            if any(n is not None for n in layer.columns[measure])
        }
        layers.append(
            {
                "name": layer.name,
                "op": layer.op,
                "entry": layer.entry,
                "units": layer.units,
                "place": place(layer.where),
                "weights": [
                    history.weights[n].name for n in layer.variables if n in history.weights
                ],
                **columns,
            }
        )
    weights = [
        {
            "name": w.name,
            "shape": list(w.shape),
            "frozen": w.frozen,
            "moved": w.moved,
            "drift": json_number(w.drift, DIGITS),
        }
        for w in history.weights.values()
    ]
    bad = history.bad and {
        "step": history.bad["step"],
        "op": history.bad["called"],
        "entry": history.bad["index"],
        "way": history.bad["way"],
        "bad": history.bad["bad"],
        "place": place(history.bad["where"]),
    }
    losses = history.losses
    return {
        "format": "minitape.health",
        "version": VERSION,
        "language": seen.language,
        "recording": dialect_of(history.library).recording,
        "title": opening(seen),
        "steps": seen.steps,
        "looked": history.steps,
        "layers": layers,
        "weights": weights,
        "turns": short(history.columns["turn"]),
        "bad": bad or None,
        "losses": {
            "each": losses.each,
            **{name: short(getattr(losses, name), OF_LOSSES) for name in ("mean", "low", "high")},
        },
        "findings": [finding_data(finding, seen.language) for finding in seen.findings],
    }
