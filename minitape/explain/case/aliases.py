"""Short names for what this package's signatures speak of; nothing of this is loaded when a program
runs.
"""

from minitape.engine.base.aliases import Array, Where
from minitape.engine.recording import Recording, TensorInfo
from minitape.engine.steps import Step
from minitape.program.aliases import Node, Place
from minitape.program.files import File

from .case import Case
from .facts import Evidence, Happened, Ran
from .flow import Flow
from .graph import Break, Edge, Graph

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
