"""Short names for what this package's signatures speak of; nothing of this is loaded when a program runs."""

from collections.abc import Iterable
from typing import Any, TypeAlias

Node: TypeAlias = Any                                  # of a syntax tree; `node.file` is the `File` that it stands in
Where: TypeAlias = tuple[Any, ...]                     # code object, offset into its instructions; more for an entry of a way back
Place: TypeAlias = tuple[int, int, int, int]           # line, column, last line, last column: columns in characters
Scopes: TypeAlias = Iterable[dict[str, Any]]           # names and their objects, inner ones first
Reached: TypeAlias = dict[int, tuple[str, Any]]        # number of a tensor or variable -> its name, itself
