"""Names of layers and metrics, numbered by kind as Keras does it: dense, dense_1, dense_2."""

from __future__ import annotations

import re
from collections import Counter

_names: Counter[str] = Counter()


def clear_names() -> None:
    """Count the layers' names from the beginning again."""
    _names.clear()


def new_name(kind: str) -> str:
    """Return a name such as `dense_1` that no layer before had."""
    stem = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", kind).lower()
    stem = re.sub(r"(\d)_([dD])", r"\1\2", stem)
    n = _names[stem]
    _names[stem] += 1
    return f"{stem}_{n}" if n else stem
