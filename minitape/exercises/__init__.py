"""Exercises that check themselves.

An exercise holds its prompt, a starter, a solution, hints that build up, and wrong answers with the
idea that each of them misses. A check compares what the learner's answer does, on numbers that it
has not seen, never how it is written. Nine kinds: README.md beside this file says how one is
written. Progress is one plain file on the learner's own machine.
"""

from __future__ import annotations

from ..api.missing import offer
from ..sentences import Catalogue
from . import course, progress
from .breaking import Break
from .engine import Engine, Stage
from .exercise import Exercise, Wrong
from .function import Function
from .line import Line
from .make import Make
from .number import Number, Prediction
from .order import Order
from .outcome import NotYet, Outcome
from .repair import Repair
from .rule import Rule
from .shelf import all_ids, exercise

__all__ = [
    "Break",
    "Catalogue",
    "Engine",
    "Exercise",
    "Function",
    "Line",
    "Make",
    "NotYet",
    "Number",
    "Order",
    "Outcome",
    "Prediction",
    "Repair",
    "Rule",
    "Stage",
    "Wrong",
    "all_ids",
    "course",
    "exercise",
    "progress",
]
offer(__name__)
