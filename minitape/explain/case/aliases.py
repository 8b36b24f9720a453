"""Short names for what this package's signatures speak of."""

from typing import TYPE_CHECKING, TypeAlias

from minitape.engine.base.aliases import Array, Where
from minitape.engine.recording import Recording, TensorInfo
from minitape.program.aliases import Node, Place
from minitape.program.files import File

from .case import Case
from .facts import Evidence, Happened, Ran
from .flow import Flow
from .graph import Break, Edge, Graph

if TYPE_CHECKING:
    from minitape.engine import steps

Step: TypeAlias = "steps.Step"  # loaded by who plays one

__all__ = [
    "Array",
    "Break",
    "Case",
    "Edge",
    "Evidence",
    "File",
    "Flow",
    "Graph",
    "Happened",
    "Node",
    "Place",
    "Ran",
    "Recording",
    "Step",
    "TensorInfo",
    "Where",
]
