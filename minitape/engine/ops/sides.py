"""Errors of an operator whose operands do not fit: they show the sign and both operands."""

from __future__ import annotations

from typing import Any

from ..base.argument_errors import shown


def explain_sides(error: Exception, op: str, a: Any, b: Any) -> None:
    """Add the operator of a row and its two operands to the message of an error."""
    from .facts import facts_of  # facts are needed only after a failure

    error.args = (f"{error}\nThis was {shown(a)} {facts_of(op).sign or op} {shown(b)} [Op:{op}].",)
