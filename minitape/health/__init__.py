"""Training health: is every part of a network alive, and does it learn? A loss curve shows that something is wrong, not where."""

from __future__ import annotations

from minitape.api.missing import offer

from .examine import Health, examine
from .seen.sizes import statistics

__all__ = ["Health", "examine", "statistics"]
offer(__name__)
