"""What a page says of a program: why a gradient surprises, and the picture. Runs in the browser's Python,
beside the page; `import tensorflow` is read as `import minitape`.
"""

from __future__ import annotations

import importlib
import io
import json
import runpy
import sys
import traceback
import warnings
from contextlib import redirect_stderr, redirect_stdout
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

from minitape.explain.script import main
from minitape.health.script import looking_on
from minitape.sentences import speaking
from minitape.storyboard import Film, contract, develop
from minitape_widgets.packing import pack

OURS, THEIRS = "minitape", "tensorflow"
MOST_PRINTED, MOST_NAME = 20_000, 100  # characters


class AsTensorFlow(MetaPathFinder, Loader):
    """Finds `tensorflow`, and what is in it, in minitape."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        return spec_from_loader(name, self) if name.split(".")[0] == THEIRS else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        try:
            result = importlib.import_module(OURS + spec.name.removeprefix(THEIRS))
        except ModuleNotFoundError:
            raise ModuleNotFoundError(f"No module named {spec.name!r}", name=spec.name) from None
        self.own = result.__spec__
        return result

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.own  # it has run, under its own name


def answer(text: str, language: str, folder: Path) -> dict[str, Any]:
    """Return what is to be shown of a program: `said`, the explanation and what it printed; `trace`,
    the picture, None where there is none; `missing`, the module that is not here, and `raised`, the
    traceback, where it did not run to its end.
    """
    file = folder / "program.py"
    file.write_text(text, "utf-8", errors="replace")
    finder = AsTensorFlow()
    sys.meta_path.insert(0, finder)
    argv = sys.argv, sys.path[0]
    try:
        with speaking(language):
            said, error = explained(file, language)
            trace = None if error else picture(file, language)
    finally:
        sys.argv, sys.path[0] = argv
        sys.meta_path[:] = [each for each in sys.meta_path if each is not finder]
        for name in [name for name in sys.modules if name.split(".")[0] == THEIRS]:
            del sys.modules[name]
    missing = error.name if isinstance(error, ModuleNotFoundError) else ""
    return {
        "said": bounded(said),
        "trace": trace,
        "missing": missing[:MOST_NAME] if isinstance(missing, str) else "",
        "raised": "" if error is None else bounded(told(error, file)),
    }


class Printed(io.StringIO):
    """What a program prints, also where it closes the file that it prints to."""

    def close(self) -> None:
        """Stay open."""


def bounded(text: str) -> str:
    """Return the end of a text that is too long for a page."""
    return text if len(text) < MOST_PRINTED else f"...{text[-MOST_PRINTED:]}"


def explained(file: Path, language: str) -> tuple[str, BaseException | None]:
    """Run a program as `python -m minitape explain` does; return what it says, and its error."""
    names_anew()
    out = Printed()
    error: BaseException | None = None
    with redirect_stdout(out), redirect_stderr(out):
        try:
            main(["--language", language, str(file)], training=looking_on)
        except SystemExit:
            pass
        except BaseException as raised:  # KeyboardInterrupt as well: the program has raised it
            error = raised
    return out.getvalue().strip().replace(str(file), file.name), error


def picture(file: Path, language: str) -> dict[str, Any] | None:
    """Return the trace of a program that is run once more, None where it has no tape, or more than a
    page can hold.
    """
    names_anew()
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        with Film() as film:
            try:
                runpy.run_path(str(file), run_name="__main__")
            except BaseException:  # what the tapes hold until then is seen
                pass
        try:
            board = develop(film, language=language)
        except ValueError:
            return None
    if not (board["cards"] or board["passes"]) or contract.beyond(board) is not None:
        return None
    options = {"language": language, "start": "end"}
    return pack({"storyboard": dict(board), "options": options})


def names_anew() -> None:
    """Call the layers of a program as if it ran alone, where one before it made any."""
    if naming := sys.modules.get("minitape.keras.naming"):
        naming.clear_names()


def told(error: BaseException, file: Path) -> str:
    """Return the traceback, as far as it is in the program itself."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file)]
    lines = traceback.format_list(frames) + traceback.format_exception_only(error)
    return "".join(lines).replace(str(file), file.name)


def as_json(text: str, language: str) -> str:
    """Return the answer as it goes to the page."""
    return json.dumps(answer(text, language, Path("/tmp")))
