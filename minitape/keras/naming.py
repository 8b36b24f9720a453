"""Names: of layers and metrics, numbered by kind as Keras does it (dense, dense_1, dense_2), and
those by which one asks for a thing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

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


def made(kind: str, known: Mapping[str, type], identifier: Any) -> Any:
    """Return what a class, or a name in `known`, makes, and anything else as it is. Raises
    ValueError for an unknown name.
    """
    if identifier is None or callable(identifier) and not isinstance(identifier, type):
        return identifier
    cls = identifier if isinstance(identifier, type) else known.get(identifier)
    if cls is None:
        raise ValueError(
            f"Could not interpret {kind} identifier: {identifier}. Known names: {', '.join(known)}."
        )
    return cls()
