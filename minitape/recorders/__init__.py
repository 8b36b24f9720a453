"""How other libraries are read: a folder per library, behind `minitape/engine/recording.py`.

What they share stands beside the folders. Users import a recorder by its short name: `import
minitape.tensorflow`, `import minitape.torch`, `import minitape.jax`.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from minitape.engine.base.where import belongs_inside

RECORDERS = "tensorflow", "torch", "jax"
IMPORTS = r"^(?:[^#\n]*[;:])?\s*(?:from\s+|import\s+(?:[\w. ]+,[\s\\]*)*){}\b"


class Library(NamedTuple):
    """One that is recorded. `module`: as Python imports it; `reads`: what minitape reads of it;
    `packages`: those whose lines are nobody's program; `oldest`: the first version that is read.
    """

    module: str
    reads: str
    packages: tuple[str, ...]
    oldest: tuple[int, ...] = ()

    def imported(self) -> Any:
        """Return the module. Raises ImportError, with what to do, where it is not installed, or too
        old.
        """
        try:
            module = import_module(self.module)
        except ImportError as error:
            raise ImportError(
                f"minitape.{self.module} reads {self.reads}, which is not installed here. "
                f"Install it with: pip install {self.module}"
            ) from error
        version = getattr(module, "__version__", "")
        if version and tuple(map(int, re.findall(r"\d+", version)[:2])) < self.oldest:
            raise ImportError(
                f"minitape.{self.module} reads {self.reads} from version "
                f"{'.'.join(map(str, self.oldest))} on, and {version} is installed here. "
                f"Update it with: pip install --upgrade {self.module}"
            )
        return module

    def imported_by(self, text: str) -> bool:
        """Tell whether a program's text imports it."""
        return re.search(IMPORTS.format(self.module), text, re.MULTILINE) is not None

    def used_by(self, text: str) -> bool:
        """Tell whether a program may use it: it is loaded, or installed and imported by the text."""
        if self.module not in sys.modules and not self.imported_by(text):
            return False
        try:
            return self.imported() is not None
        except ImportError as error:
            if self.module in sys.modules:  # else the program says so itself, or does without
                warnings.warn(str(error), stacklevel=2)
            return False

    def hide(self) -> None:
        """Let no line of its packages be taken for the program's, be they loaded now or later."""
        for name in self.packages:
            with suppress(ImportError, ValueError):  # a module that somebody has made
                spec = find_spec(name)
                if spec is not None:
                    belongs_inside(map(os.path.abspath, spec.submodule_search_locations or ()))


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
        result = [
            blocks.enter_context(recorder.watched_if_used(text, open_functions, judge))
            for recorder in _recorders()
        ]
        yield [plays for plays in result if plays is not None]
