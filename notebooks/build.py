"""Make the student notebooks from their sources.

A lesson is one file in `notebooks/sources/`, a Python script in the percent format: prose and
demonstrations, and

    # %% [markdown] lang="fr"           the cell before it, in French: each English cell of prose is
                                        followed by one for each further language of the source
    # %% lang="fr"                      a cell of one language alone
    # %% exercise="00.fan-out"          an exercise: its prompt, the starter, and cells that check,
                                        hint and show the solution
    # %% predict="03.fan"               a `Prediction` of the exercises, asked between the cells
    # %% tags=["answer"]                what this cell shows was asked just before: its output is not stored
    # %% tags=["way-back-asked"]        the same, of a play: what is stored is the tape before its way back
    # %% tags=["raises-exception"]      this cell is meant to end in an error
    # %% tags=["folded"]                code that is not to be read: what a player will say, act by act

A source becomes a notebook for each of its languages: `notebooks/NAME.ipynb` and
`notebooks/fr/NAME.ipynb`. A notebook is run, and carries the outputs of its cells, so that a
page that only shows files shows pictures. The same sources give the same bytes: cell ids are
derived, the layout engine and what NumPy takes of the processor are pinned, and no widget state is
kept.

    python notebooks/build.py                         make all notebooks again
    python notebooks/build.py 03_playing_backwards    one lesson
    python notebooks/build.py --check                 compare only; exit code 1 where one is stale
    python notebooks/build.py --solutions FOLDER      write solution notebooks, with nbgrader's markers
    python notebooks/build.py --nbgrader FOLDER       write nbgrader's sources:
                                                      FOLDER/source/NAME/NAME.ipynb, one assignment
                                                      per notebook
    python notebooks/build.py --course FOLDER         all this for a course of your own: from
                                                      FOLDER/sources/*.py and the exercises in
                                                      FOLDER/exercises to FOLDER/*.ipynb

In a solution notebook every check must say that the solution above it is right.
"""

import argparse
import contextlib
import functools
import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient

from minitape.exercises import exercise
from minitape.exercises.marks import SEED
from minitape.exercises.shelf import BESIDE
from minitape.sentences import Catalogue, speaking
from minitape.storyboard import Storyboard

HERE = Path(__file__).resolve().parent
# NumPy knows those of its version
WIDE = "X86_V4 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR"
PINNED = {
    "MINITAPE_LAYOUT": "layers",
    "MINITAPE_PROGRESS": "",
    "MINITAPE_QUIET": "1",
    "MINITAPE_SEED": "0",
    "PYTHONHASHSEED": "0",
    # with them cosh and powers end in other digits than elsewhere
    "NPY_DISABLE_CPU_FEATURES": WIDE,
}
KERNEL = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
VIEW = "application/vnd.jupyter.widget-view+json"
UNSTORED = "nbval-ignore-output"  # nbval runs such a cell, and compares nothing
BEFORE = "way-back-asked"
TEXTS = Catalogue(HERE / "messages")
COURSE = """import os

# students' answers, run where they are marked, are nobody's progress
os.environ["MINITAPE_PROGRESS"] = ""

c = get_config()
c.CourseDirectory.course_id = "minitape"
# what a student begins with stands above each solution, and stays
c.ClearSolutions.code_stub = {"python": ""}
c.Execute.timeout = 120
"""


@functools.cache
def languages_of(source):
    """Return the languages of a source file: English, and those of its cells."""
    return [
        "en",
        *sorted(
            {cell.metadata["lang"] for cell in read(source) if "lang" in cell.metadata} - {"en"}
        ),
    ]


def versions(sources):
    """Return (source, language) of every notebook that the sources give."""
    return [(source, language) for source in sources for language in languages_of(source)]


def read(source):
    """Return the cells of a source file as they stand there."""
    return jupytext.read(source, fmt="py:percent").cells


def notebook_of(source, language="en"):
    """Return the path of a notebook, below the folder of all notebooks."""
    return Path("" if language == "en" else language, f"{source.stem}.ipynb")


def cells_of(source, language="en", solutions=False, spell=None):
    """Return the cells of a source file in a language: exercises are spelled out, ids are derived
    from the lesson and the place.

    `spell`: what spells an exercise out by its id, where it is not `exercise_cells`.
    """
    spell = spell or functools.partial(exercise_cells, solutions=solutions)
    cells, bilingual = [], len(languages_of(source)) > 1
    with speaking(language):
        for cell in read(source):
            about = cell.metadata
            prose = cell.cell_type == "markdown" and bilingual
            if about.get("lang", "en" if prose else language) != language:
                continue
            cells += (
                spell(about["exercise"])
                if "exercise" in about
                else [asking_cell(about["predict"])]
                if "predict" in about
                else [cell]
            )
    for k, cell in enumerate(cells):
        cell.id = re.sub(r"[^a-z0-9-]", "-", f"{source.stem}-{k:02d}".lower())
        tags = cell.metadata.get("tags", [])
        cell.metadata = {
            k: v for k, v in cell.metadata.items() if k in ("exercise", "editable", "nbgrader")
        }
        kept = [UNSTORED if tag == "answer" else tag for tag in tags if tag != "folded"]
        kept += [UNSTORED] * (BEFORE in tags)
        if kept:
            cell.metadata["tags"] = kept
        if "folded" in tags:
            cell.metadata["jupyter"] = {"source_hidden": True}
    return cells


def before_the_way_back(data):
    """Return the still picture and the text of a player's output without the way back, which is
    asked about.
    """
    from minitape_widgets import TRACE, load  # a course without such a cell needs no widgets

    player = load(json.dumps(data[TRACE]))
    recorded = [
        Storyboard(
            board | {"frames": [f for f in board["frames"] if f["act"] == "record"], "passes": []}
        )
        for board in player.boards()
    ]
    player.boards = lambda: recorded
    return {"image/svg+xml": player.svg(), "text/plain": player.text()}


def asking_cell(identity):
    """Return the cell that asks for a prediction: with other numbers at every run, so what it shows
    is not stored.
    """
    return nbformat.v4.new_code_cell(f'ask(exercise("{identity}"))', metadata={"tags": [UNSTORED]})


def exercise_cells(identity, solutions=False):
    """Return the cells of one exercise. Beside its solution it asks with the numbers of a seed: the
    solution of others would be wrong.
    """
    e = exercise(identity)
    fixed = f".fixed({SEED})" if solutions and e.shows else ""
    e = e.fixed(SEED) if fixed else e
    name = "exercise_" + re.sub(r"\W", "_", identity)
    starter = (
        e.starter
        if not solutions
        else f"### BEGIN SOLUTION\n{e.solution_code.rstrip()}\n### END SOLUTION\n"
    )
    code, prose = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    tags = {"exercise": identity}
    get = f'{name} = exercise("{identity}"){fixed}\n'
    return [
        prose(f"### {TEXTS.say('exercise', {'title': e.title})}\n\n{e.prompt}"),
        *([code(f"{get}{name}.question()", metadata=tags)] if e.shows else []),
        code(starter.rstrip(), metadata=tags),
        code(f"{'' if e.shows else get}{name}.check({e.name})", metadata=tags),
        prose(TEXTS.say("stuck")),
        code(f"# {name}.hint()\n# {name}.solution()", metadata=tags),
    ]


def marked_cells(identity):
    """Return the cells of one exercise as nbgrader wants them: the solution below the starter, then
    a cell that it runs when it marks.
    """
    e = exercise(identity).fixed(SEED)
    label = re.sub(r"\W", "-", identity)
    cells = exercise_cells(identity)
    answer = next(k for k, cell in enumerate(cells) if cell.source == e.starter.rstrip())
    for cell in cells:
        cell.source = cell.source.replace(
            f'exercise("{identity}")', f'exercise("{identity}").fixed({SEED})'
        )
        cell.source = re.sub(r"\n# .*\.solution\(\)", "", cell.source)
    cells[answer].source += f"\n\n### BEGIN SOLUTION\n{e.solution_code.rstrip()}\n### END SOLUTION"
    cells[answer].metadata["nbgrader"] = of_nbgrader(f"answer-{label}", solution=True)
    marking = (
        f"# {TEXTS.say('marked', {'points': e.parts})}\n### BEGIN HIDDEN TESTS\nfrom "
        "minitape.exercises.marks import marks\n"
        f'marks("{identity}", {e.name}, {e.parts})\n### END HIDDEN TESTS'
    )
    return [
        *cells,
        nbformat.v4.new_code_cell(
            marking,
            metadata={"nbgrader": of_nbgrader(f"marks-{label}", grade=True, points=e.parts)},
        ),
    ]


def kept_back():
    """Return the cell, locked, that keeps solutions back where no server does."""
    source = 'import os\n\nos.environ["MINITAPE_SOLUTIONS"] = "no"'
    metadata = {"nbgrader": {**of_nbgrader("solutions"), "locked": True}}
    return nbformat.v4.new_code_cell(source, metadata=metadata)


def of_nbgrader(label, solution=False, grade=False, **more):
    """Return what nbgrader notes about a cell, in its third format."""
    return {
        "schema_version": 3,
        "grade_id": label,
        "solution": solution,
        "grade": grade,
        "locked": grade,
        "task": False,
        **more,
    }


def write_course(folder, sources):
    """Write nbgrader's sources into its folder of a course, and its settings where there are none."""
    settings = folder / "nbgrader_config.py"
    folder.mkdir(parents=True, exist_ok=True)
    if not settings.exists():
        settings.write_text(COURSE, encoding="utf-8")
    elif "code_stub" not in settings.read_text(encoding="utf-8"):
        print(
            f"{settings} is left as it is. It needs what stands here, or students get no "
            f"starters:\n\n{COURSE}",
            file=sys.stderr,
        )
    if Path(BESIDE).is_dir():
        print(
            f"{Path(BESIDE).absolute()} holds the solutions, so it is in no assignment. Install it as "
            "a package where students work and where you mark: minitape/exercises/README.md.",
            file=sys.stderr,
        )
    for source, language in versions(sources):
        name = source.stem if language == "en" else f"{source.stem}_{language}"
        cells = [kept_back(), *cells_of(source, language, spell=marked_cells)]
        total = sum(cell.metadata.get("nbgrader", {}).get("points", 0) for cell in cells)
        if total:
            target = folder / "source" / name / f"{name}.ipynb"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(
                nbformat.writes(nbformat.v4.new_notebook(cells=cells, metadata=KERNEL)) + "\n",
                encoding="utf-8",
            )
            print(f"{target.relative_to(folder)}: {total} points")


def build(source, language="en", solutions=False):
    """Return the notebook of one source file in a language, run, as the text of an `.ipynb` file."""
    notebook = nbformat.v4.new_notebook(
        cells=cells_of(source, language, solutions), metadata=KERNEL
    )
    run(notebook)
    if solutions and (failed := not_right(notebook)):
        raise SystemExit(
            f"{notebook_of(source, language)}: a solution is not right in its place:\n{failed}"
        )
    for count, cell in enumerate((c for c in notebook.cells if c.cell_type == "code"), 1):
        cell.execution_count = count
        cell.metadata.pop("execution", None)
        tags = cell.metadata.get("tags", [])
        cell.outputs = joined(cell.outputs) if UNSTORED not in tags or BEFORE in tags else []
        for output in cell.outputs:
            if "execution_count" in output:
                output["execution_count"] = count
            output.get("data", {}).pop(VIEW, None)
            if BEFORE in tags:
                output.data = before_the_way_back(output.data)
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    return nbformat.writes(notebook, version=4).rstrip() + "\n"


def run(notebook):
    """Run all cells of a notebook, with what makes its outputs the same each time."""
    with tempfile.TemporaryDirectory() as folder:
        if Path(BESIDE).is_dir():
            shutil.copytree(BESIDE, Path(folder, BESIDE))
        environment = dict(os.environ, **PINNED)
        environment["PYTHONPATH"] = os.pathsep.join(
            [str(HERE.parent), str(HERE.parent / "widgets")]
        )
        NotebookClient(
            notebook,
            timeout=120,
            store_widget_state=False,
            resources={"metadata": {"path": folder}},
            allow_errors=False,
            extra_arguments=["--log-level=ERROR"],  # or each kernel warns of its own socket
        ).execute(env=environment)


def not_right(notebook):
    """Return the first check of a notebook that does not say that the answer is right, with what
    it says; "" where all do.
    """
    for cell in notebook.cells:
        if "exercise" in cell.metadata and ".check(" in cell.source:
            said = "".join(output.get("data", {}).get("text/plain", "") for output in cell.outputs)
            if not said.startswith("✓"):
                return f"{cell.source}\n{said}"
    return ""


def joined(outputs):
    """Return outputs with the pieces of one stream put together: where a kernel cuts them is
    chance.
    """
    kept = []
    for output in outputs:
        if (
            kept
            and output.output_type == "stream" == kept[-1].output_type
            and output.name == kept[-1].name
        ):
            kept[-1].text += output.text
        else:
            kept.append(output)
    return kept


def without_times(text):
    """Return the text of a notebook without the times that it measured."""
    return re.sub(r"\d+(\.\d+)?( (s|ms|µs|ns)\b)", r"TIME\2", text)


def main():
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--solutions", metavar="FOLDER", type=Path)
    parser.add_argument("--nbgrader", metavar="FOLDER", type=Path)
    parser.add_argument("--course", metavar="FOLDER", type=Path, default=HERE)
    parser.add_argument(
        "lessons", nargs="*", help="names of sources, without .py; all where none is given"
    )
    options = parser.parse_args()
    course = options.course.resolve()
    # the index lists the others
    sources = sorted(
        (course / "sources").glob("*.py"), key=lambda source: (source.stem == "index", source)
    )
    chosen = [source for source in sources if not options.lessons or source.stem in options.lessons]
    if not chosen:
        parser.error(f"there is no such lesson in {course / 'sources'}")
    solved, graded = (
        folder and folder.resolve() for folder in (options.solutions, options.nbgrader)
    )
    with contextlib.chdir(course):  # where the exercises of one's own are looked for
        return write_course(graded, chosen) if graded else write(chosen, course, solved, options)


def write(chosen, course, solved, options):
    """Write the notebooks of the chosen sources, or only compare them; returns the exit code."""
    stale = []
    for source, language in versions(chosen):
        target = (solved or course) / notebook_of(source, language)
        text = build(source, language, solutions=solved is not None)
        old = target.read_text(encoding="utf-8") if target.exists() else ""
        if without_times(old) == without_times(text):
            continue  # measured times differ at every run; they stay as they are
        if options.check:
            stale.append(str(target.relative_to(course)))
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        print(notebook_of(source, language), hashlib.sha256(text.encode()).hexdigest()[:12])
    if stale:
        print(
            f"Not what their sources give: {', '.join(stale)}. Run `python notebooks/build.py`.",
            file=sys.stderr,
        )
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
