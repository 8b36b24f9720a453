"""An operation of another library as minitape writes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Row(NamedTuple):
    """An operation as minitape writes it: `places` of the inputs that it keeps, `attributes`, and
    how many `outputs` it has.
    """

    op: str
    places: Sequence[int]
    attributes: dict[str, Any] | None = None
    outputs: int | None = None
