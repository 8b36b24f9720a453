"""Short names for what this package's signatures speak of."""

from collections.abc import Iterable
from typing import Any, TypeAlias

Node: TypeAlias = Any  # of a syntax tree; `node.file` is the `File` that it stands in
# code object, offset into its instructions; more for an entry of a way back
Where: TypeAlias = tuple[Any, ...]
# line, column, last line, last column: columns in characters
Place: TypeAlias = tuple[int, int, int, int]
Scopes: TypeAlias = Iterable[dict[str, Any]]  # names and their objects, inner ones first
# number of a tensor or variable -> its name, itself
Reached: TypeAlias = dict[int, tuple[str, Any]]
