"""An operator whose sides do not fit: its error names the sign, and what stands on both sides."""

from __future__ import annotations

from typing import Any

from ..ground.refusals import shown


def told_sign(error: Exception, op: str, a: Any, b: Any) -> None:
    """Name the operator of a row, and what stands on its sides, in an error of one of these."""
    from .facts import facts_of  # where nothing fails, nobody asks for facts

    error.args = (f"{error}\nThis was {shown(a)} {facts_of(op).sign or op} {shown(b)} [Op:{op}].",)
