"""Names: of layers and metrics, numbered by kind as Keras does it (dense, dense_1, dense_2), and
those by which one asks for a thing, or for its arguments.
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


def made(kind: str, known: Mapping[str, Any], identifier: Any) -> Any:
    """Return the function of a name in `known`, what a class of that name makes, or a class that is
    given, and anything else as it is. Raises ValueError for an unknown name.
    """
    if identifier is None:
        return None
    found = identifier if callable(identifier) else known.get(identifier)
    if found is None:
        raise ValueError(
            f"Could not interpret {kind} identifier: {identifier}. Known names: {', '.join(known)}."
        )
    return found() if isinstance(found, type) else found


class Configured:
    """What can be made anew of its arguments, as Keras keeps it."""

    def get_config(self) -> dict[str, Any]:
        """Return the arguments as a dictionary."""
        return {k: v for k, v in vars(self).items() if not k.startswith("_")}

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Any:
        """Make another one of its arguments."""
        return cls(**config)
