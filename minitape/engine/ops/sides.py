"""Errors of an operator whose operands do not fit: they show the sign and both operands. Loaded
where one is raised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.argument_errors import shown
from ..base.mismatches import dtype_error

if TYPE_CHECKING:
    from .record import Op

# what takes its second side as it is where it has not the dtype of the first, and then refuses it
IN_ORDER = {"Add", "MatMul"}


def refusal(error: Exception, op: Op, a: Any, b: Any) -> Exception:
    """Return the error to raise where the second side of an operator cannot be converted."""
    explain_sides(error, op.name, a, b)
    array = isinstance(b, (np.ndarray, np.generic))  # it keeps its dtype
    if op.name in IN_ORDER and (array or type(error) is TypeError) or array and op.name == "Div":
        return dtype_error(op.name)(str(error))
    return error


def explain_sides(error: Exception, op: str, a: Any, b: Any) -> None:
    """Add the operator of a row and its two operands to the message of an error."""
    from .facts import facts_of  # facts are needed only after a failure

    error.args = (f"{error}\nThis was {shown(a)} {facts_of(op).sign or op} {shown(b)} [Op:{op}].",)
