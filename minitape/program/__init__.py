"""The learner's program as text: from a position in running code to the piece of text, its syntax,
its names.

A tape keeps positions, not text: a pair (code object, instruction offset) for every entry, cheap to
take, and no frame is held. Whoever shows something to a learner reads the text here, and only here,
so that a picture, an explanation and a compiled function call one value by one name:

    places      a position becomes a span: file, first line, column, last line, column
    files       a file or notebook cell: its lines, its syntax tree, the node at a span
    syntax      around a node: what it stands in, what it works on
    names       how the program calls the value of an expression
    values      how the program calls the values of a whole recording, in order of time
    visible     the tensors and variables that a program's names reach

Nothing is imported here but the engine.
"""

from .files import File, Text
from .names import assigned_names, expression_name, held_name, names_of
from .places import positions
from .values import name_values
from .visible import reachable

__all__ = [
    "File",
    "Text",
    "assigned_names",
    "expression_name",
    "held_name",
    "name_values",
    "names_of",
    "positions",
    "reachable",
]
