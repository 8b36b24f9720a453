"""Every notebook runs from top to bottom, and every output that it carries is still what the code
gives.

nbval runs a copy of each notebook in a folder of its own, under the settings it was built with, and
compares all outputs: text, pictures and the player's storyboard. Only times may differ: see
sanitize.cfg.
"""

import io
import os
import shutil
from contextlib import redirect_stdout
from pathlib import Path
from unittest.mock import patch

import nbformat
import pytest

from notebooks.build import PINNED

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(
    path for pattern in ("*.ipynb", "??/*.ipynb") for path in (ROOT / "notebooks").glob(pattern)
)


def compare(notebook, folder):
    """Runs a copy of the notebook in the folder under nbval; returns pytest's exit code and what it
    printed.

    nbval's pytest runs in this process: loading one takes longer than most notebooks. The kernel is
    a process of its own.
    """
    shutil.copy(notebook, folder)
    images = notebook.parent / "images"
    if images.exists():
        shutil.copytree(images, folder / "images", dirs_exist_ok=True)
    environment = {
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "widgets")]),
        "IPYTHONDIR": str(folder / ".ipython"),
        **PINNED,
    }
    (folder / "pytest.ini").write_text("[pytest]\n")
    options = [
        "--nbval",
        "--nbval-current-env",
        "--nbval-kernel-startup-timeout=120",
        "--nbval-cell-timeout=120",
    ]
    options += [
        "--nbval-sanitize-with",
        str(Path(__file__).with_name("sanitize.cfg")),
        "-q",
        "--color=no",
    ]
    options += ["-p", "no:cacheprovider", f"--rootdir={folder}", str(folder / notebook.name)]
    with patch.dict(os.environ, environment), redirect_stdout(io.StringIO()) as printed:
        return pytest.main(options), printed.getvalue()


def has_code(notebook):
    """The glossary has none: nothing to be run."""
    return any(cell.cell_type == "code" for cell in nbformat.read(notebook, 4).cells)


def named(notebook):
    """A notebook as a parameter. Other languages have the code of the English ones: they are run in
    `make test-long`.
    """
    name = notebook.relative_to(ROOT / "notebooks").with_suffix("").as_posix()
    return pytest.param(notebook, id=name, marks=[pytest.mark.long] if "/" in name else [])


@pytest.mark.parametrize("notebook", [named(n) for n in NOTEBOOKS if has_code(n)])
def test_outputs_are_still_true(notebook, tmp_path):
    code, text = compare(notebook, tmp_path)
    assert code == 0, (
        f"{text}\nIf the new outputs are right, make the notebooks again: make notebooks"
    )


def notebook_with(folder, *cells):
    """Writes a notebook of (source, text of the output it carries) pairs."""
    notebook = nbformat.v4.new_notebook()
    notebook.metadata.kernelspec = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    for source, text in cells:
        shown = nbformat.v4.new_output("execute_result", {"text/plain": text}, execution_count=1)
        notebook.cells.append(nbformat.v4.new_code_cell(source, execution_count=1, outputs=[shown]))
    folder.mkdir()
    nbformat.write(notebook, folder / "written.ipynb")
    return folder / "written.ipynb"


def test_true_outputs_pass(tmp_path):
    notebook = notebook_with(
        tmp_path / "source", ("import minitape\n6 * 6", "36"), ("'took 3 ms'", "'took 21.5 ms'")
    )
    code, text = compare(notebook, tmp_path)
    assert code == 0 and "2 passed" in text, text


def test_stale_outputs_and_errors_are_seen(tmp_path):
    notebook = notebook_with(tmp_path / "source", ("6 * 6", "37"), ("6 * 6", "36"), ("1 / 0", "36"))
    code, text = compare(notebook, tmp_path)
    assert code == 1 and "2 failed, 1 passed" in text, text
