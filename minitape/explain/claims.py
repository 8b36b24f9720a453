"""What an answer says of a gradient, compared with the gradient itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .case.graph import Break
from .case.words import word
from .replay import shown

if TYPE_CHECKING:
    from .case.aliases import Case

# what a gradient is: as what an answer may speak of it
ALLOWED = {
    "none": ("none",),
    "error": ("error",),
    "zero": ("zero", "rounding"),
    "nan": ("nan",),
    "inf": ("inf",),
    "number": ("number", "partial", "huge", "rounding"),
}


def against(case: Case, how: str) -> Break | None:
    """Return the break that says that nothing is known, where the gradient is not as an answer says
    it is; None where it is, or nobody can tell.
    """
    kind, value = case.gradient
    if how in ALLOWED.get(kind, (how,)):
        return None
    if case.failed:
        return Break("not-explained", None, params={"variant": "raised", "error": case.failed})
    seen = word(f"gradient.{kind}") if value is None else shown(value)
    return Break("not-explained", None, params={"seen": seen, "said": word(f"gradient.{how}")})
