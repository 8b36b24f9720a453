"""Short names for what is known of the learner's text; nothing of this is loaded when a program
runs.
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

from minitape.program.aliases import Place
from minitape.program.files import File

# a piece of the learner's text: file, place, what tells it from others
Located: TypeAlias = tuple[File, Place, Any]
Executed: TypeAlias = dict[str, Iterable[int]] | None  # file name -> numbers of the lines that ran
