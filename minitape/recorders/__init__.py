"""How other libraries are read: a folder per library, behind `minitape/engine/recording.py`.

What they share stands beside the folders. Users import a recorder by its short name: `import
minitape.tensorflow`, `import minitape.torch`, `import minitape.jax`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any

RECORDERS = "tensorflow", "torch", "jax"


def _recorders() -> list[Any]:
    return [import_module(f"{__name__}.{name}") for name in RECORDERS]


def tell(error: BaseException) -> list[str]:
    """Add to an error what is to be done about it, where a recorder knows; returns what was added."""
    return [note for recorder in _recorders() for note in recorder.tell(error)]


@contextmanager
def watched_if_used(
    text: str, open_functions: bool = False, judge: Any = None
) -> Iterator[list[Any]]:
    """Watch inside of the block each library that is loaded, or that a program's text imports;
    yields for each of them what has its function `gradient`.
    """
    with ExitStack() as blocks:
        found = [
            blocks.enter_context(recorder.watched_if_used(text, open_functions, judge))
            for recorder in _recorders()
        ]
        yield [plays for plays in found if plays is not None]
