"""The exercises of the course: one file per lesson, with its sentences in `messages/` under the
same name. What does not fit into one file stands in `extras_NN.py`, or
`asked_NN.py` for predictions.
"""

from __future__ import annotations

from ..exercise import Wrong


def each(idea: str, blank: str, *answers: str) -> list[Wrong]:
    """Return wrong answers that miss the same idea."""
    return [Wrong(idea, {blank: answer}) for answer in answers]
