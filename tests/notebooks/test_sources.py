"""Each committed notebook is what its source gives: the cells are compared here, the outputs by nbval."""

import importlib.util
from pathlib import Path

import nbformat
import pytest

HERE = Path(__file__).resolve().parents[2] / "notebooks"
found = importlib.util.spec_from_file_location("build", HERE / "build.py")
build = importlib.util.module_from_spec(found)
found.loader.exec_module(build)
SOURCES = sorted((HERE / "sources").glob("*.py"))


def cells(made):
    """Return what is compared of cells."""
    return [(c.id, c.cell_type, c.source, dict(c.metadata)) for c in made]


@pytest.mark.parametrize("source", SOURCES, ids=[s.stem for s in SOURCES])
def test_the_cells_are_those_of_the_source(source):
    notebook = nbformat.read(HERE / f"{source.stem}.ipynb", as_version=4)
    assert cells(notebook.cells) == cells(build.cells_of(source)), "run `make notebooks`"


def test_every_notebook_has_a_source():
    assert {n.stem for n in HERE.glob("*.ipynb")} == {s.stem for s in SOURCES}


def test_solutions_stand_between_the_markers_of_nbgrader():
    solved = "".join(c.source for c in build.cells_of(HERE / "sources" / "00_start_here.py", solutions=True))
    assert "### BEGIN SOLUTION" in solved and "### END SOLUTION" in solved and "= ..." not in solved


def test_measured_times_make_no_notebook_stale():
    assert build.without_times("x: 117 µs, 3 cards") == build.without_times("x: 9.5 µs, 3 cards")
    assert build.without_times("x: 117 µs, 3 cards") != build.without_times("x: 117 µs, 4 cards")
