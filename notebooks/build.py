"""Make the student notebooks from their sources.

A lesson is one file in `notebooks/sources/`, a Python script in the percent format: prose, demonstrations, and lines
`# %% exercise="00.fan-out"` where an exercise stands. Each exercise becomes its prompt, a cell with the starter, and
cells that check, hint and show the solution. The notebook is run, and carries the outputs of its cells, so that a
page that only shows files shows pictures. The same sources give the same bytes: cell ids are derived, the layout
engine is pinned, and no widget state is kept.

python notebooks/build.py                      make all notebooks again python notebooks/build.py --check
compare only; exit code 1 where one is stale python notebooks/build.py --solutions FOLDER   write solution notebooks,
with nbgrader's markers
"""

import argparse
import hashlib
import os
import re
import sys
import tempfile
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient

from minitape.exercises import exercise

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "sources"
PINNED = {"MINITAPE_LAYOUT": "layers", "MINITAPE_PROGRESS": "", "MINITAPE_QUIET": "1", "MINITAPE_SEED": "0", "PYTHONHASHSEED": "0"}
VIEW = "application/vnd.jupyter.widget-view+json"


def cells_of(source, solutions=False):
    """Return the cells of a source file: exercises are spelled out, ids are derived from the lesson and the place."""
    cells = []
    for cell in jupytext.read(source, fmt="py:percent").cells:
        identity = cell.metadata.get("exercise")
        cells += exercise_cells(identity, solutions) if identity else [cell]
    for k, cell in enumerate(cells):
        cell.id = re.sub(r"[^a-z0-9-]", "-", f"{source.stem}-{k:02d}".lower())
        cell.metadata = {k: v for k, v in cell.metadata.items() if k in ("tags", "exercise", "editable")}
    return cells


def exercise_cells(identity, solutions):
    """Return the cells of one exercise."""
    e = exercise(identity)
    name = "exercise_" + re.sub(r"\W", "_", identity)
    starter = e.starter if not solutions else f"### BEGIN SOLUTION\n{e.solution_code.rstrip()}\n### END SOLUTION\n"
    code, prose = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    tags = {"exercise": identity}
    get = f'{name} = exercise("{identity}")\n'
    return [prose(f"### Exercise: {e.title}\n\n{e.prompt}"),
            *([code(f"{get}{name}.question()", metadata=tags)] if e.shows else []),
            code(starter.rstrip(), metadata=tags),
            code(f"{'' if e.shows else get}{name}.check({e.name})", metadata=tags),
            prose("Stuck? Take the `#` away from one of these lines and run the cell. Hints come one after the other."),
            code(f"# {name}.hint()\n# {name}.solution()", metadata=tags)]


def build(source, solutions=False):
    """Return the notebook of one source file, run, as the bytes of an `.ipynb` file."""
    notebook = nbformat.v4.new_notebook(cells=cells_of(source, solutions))
    notebook.metadata = {"kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
                         "language_info": {"name": "python"}}
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, **PINNED)
        environment["PYTHONPATH"] = os.pathsep.join([str(HERE.parent), str(HERE.parent / "widgets")])
        NotebookClient(notebook, timeout=120, store_widget_state=False, resources={"metadata": {"path": folder}},
                       allow_errors=False).execute(env=environment)
    for count, cell in enumerate((c for c in notebook.cells if c.cell_type == "code"), 1):
        cell.execution_count = count
        cell.metadata.pop("execution", None)
        cell.outputs = joined(cell.outputs)
        for output in cell.outputs:
            if "execution_count" in output:
                output["execution_count"] = count
            output.get("data", {}).pop(VIEW, None)
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    return nbformat.writes(notebook, version=4).rstrip() + "\n"


def joined(outputs):
    """Return outputs with the pieces of one stream put together: where a kernel cuts them is chance."""
    kept = []
    for output in outputs:
        if kept and output.output_type == "stream" == kept[-1].output_type and output.name == kept[-1].name:
            kept[-1].text += output.text
        else:
            kept.append(output)
    return kept


def without_times(text):
    """Return the text of a notebook without the times that it measured."""
    return re.sub(r"\d+(\.\d+)?( (s|ms|µs|ns)\b)", r"TIME\2", text)


def main():
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--solutions", metavar="FOLDER", type=Path)
    parser.add_argument("lessons", nargs="*", help="names of sources, without .py; all where none is given")
    options = parser.parse_args()
    stale = []
    for source in sorted(SOURCES.glob("*.py")):
        if options.lessons and source.stem not in options.lessons:
            continue
        target = (options.solutions or HERE) / f"{source.stem}.ipynb"
        text = build(source, solutions=options.solutions is not None)
        old = target.read_text(encoding="utf-8") if target.exists() else ""
        if without_times(old) == without_times(text):
            continue                                             # measured times differ at every run; they stay as they are
        if options.check:
            stale.append(target.name)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        print(target.name, hashlib.sha256(text.encode()).hexdigest()[:12])
    if stale:
        print(f"Not what their sources give: {', '.join(stale)}. Run `python notebooks/build.py`.", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
