"""Exercises that check themselves.

An exercise holds its prompt, a starter, a solution, graded hints, and wrong answers with the idea that each of them
misses. A check compares what the learner's code does, on numbers that it has not seen, never how it is written.
Progress is one plain file on the learner's own machine.
"""

from __future__ import annotations

from ..api.missing import offer
from . import progress
from .exercise import Check, Exercise, NotYet, Outcome, WrongAnswer
from .shelf import all_ids, exercise

__all__ = ["Check", "Exercise", "NotYet", "Outcome", "WrongAnswer", "all_ids", "exercise", "progress"]
offer(__name__)
