"""Training health: is every part of a network alive, does it learn, and from which line do its
troubles come?

A loss curve shows that something is wrong; it does not show where.

    watch  looks on while a training loop of one's own runs: sizes of values, adjoints and
           updates layer by layer and step by step, and what stands out, in words, with its
           line and what to do

The files, from below: `seen/` holds what is measured, step by step; `steps/` asks the program what
becomes of a step; `findings/` draws conclusions; `words`, `table` and `data` tell them; `watching`
is the block around a loop.
"""

from __future__ import annotations

from minitape.api.missing import offer

from .watching import Watch, watch

__all__ = ["Watch", "watch"]
offer(__name__)
