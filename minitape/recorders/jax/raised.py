"""What is said of an error that JAX raises where it traces: a note under its traceback.

The error stays the program's own: its type and its message are what they were.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress

from minitape.sentences import Catalogue

from ..said import said

SAID = Catalogue("minitape.recorders.jax")
# pattern of "Type: message" -> the sentence's key
TABLE = {
    r"TracerBoolConversionError: ": "bool",
    r"TracerArrayConversionError: ": "array",
    r"TracerIntegerConversionError: ": "index",
    r"NonConcreteBooleanIndexError: ": "mask",
    r"ConcretizationTypeError: .*(`(float|int|complex)` function|(item|tolist)\(\) method)": "number",
    r"ConcretizationTypeError: |TypeError: Shapes must be 1D sequences of concrete": "shape",
    r"UnexpectedTracerError: ": "leak",
    r"TypeError: Gradient only defined for scalar-output functions": "scalar",
    r"TypeError: \w+ requires real- or complex-valued inputs": "whole",
    r"TypeError: \w+ requires real-valued outputs": "whole-result",
    r"ValueError: Reverse-mode differentiation does not work for lax.while_loop": "while",
    r"TypeError: .*JAX arrays are immutable": "item",
}


def tell(error: BaseException | None) -> list[str]:
    """Add to an error what is to be done about it, where that is known and not yet said; returns
    what was added.
    """
    if error is None or "jax" not in sys.modules or said(error):
        return []
    with suppress(Exception):  # a learner's own error may have no text
        text = f"{type(error).__name__}: {error}"
        key = next(
            (key for pattern, key in TABLE.items() if re.search(pattern, text, re.DOTALL)), None
        )
        if key is not None:
            error.add_note(note := f"minitape: {SAID.say(key)}")
            return [note]
    return []
