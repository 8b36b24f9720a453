"""Each committed notebook is what its source gives: the cells are compared here, the outputs by
nbval.
"""

import importlib.util
import re
from pathlib import Path

import nbformat
import pytest

from minitape.exercises import exercise
from minitape.exercises.program import run
from minitape.sentences import LANGUAGES

HERE = Path(__file__).resolve().parents[2] / "notebooks"
found = importlib.util.spec_from_file_location("build", HERE / "build.py")
build = importlib.util.module_from_spec(found)
found.loader.exec_module(build)
SOURCES = sorted((HERE / "sources").glob("*.py"))
VERSIONS = build.versions(SOURCES)
NAMES = [f"{source.stem}-{language}" for source, language in VERSIONS]
TWICE = [source for source in SOURCES if len(build.languages_of(source)) > 1]


def cells(made):
    """Return what is compared of cells."""
    return [(c.id, c.cell_type, c.source, dict(c.metadata)) for c in made]


@pytest.mark.parametrize("source, language", VERSIONS, ids=NAMES)
def test_the_cells_are_those_of_the_source(source, language):
    notebook = nbformat.read(HERE / build.notebook_of(source, language), as_version=4)
    assert cells(notebook.cells) == cells(build.cells_of(source, language)), "run `make notebooks`"


def test_a_cell_keeps_the_tags_that_a_notebook_understands(tmp_path):
    source = tmp_path / "x.py"
    source.write_text(
        '# %% tags=["answer", "raises-exception"]\n1 / 0\n\n# %% tags=["folded"]\n1\n',
        encoding="utf-8",
    )
    raising, folded = build.cells_of(source)
    assert raising.metadata == {"tags": [build.UNSTORED, "raises-exception"]}
    assert folded.metadata == {"jupyter": {"source_hidden": True}}


def test_every_notebook_has_a_source():
    there = {
        path.relative_to(HERE)
        for pattern in ("*.ipynb", "??/*.ipynb")
        for path in HERE.glob(pattern)
    }
    assert there == {build.notebook_of(source, language) for source, language in VERSIONS}


@pytest.mark.parametrize("source, language", VERSIONS, ids=NAMES)
def test_what_a_cell_asks_stands_nowhere_in_its_stored_output(source, language):
    for cell in build.cells_of(source, language):
        asks = cell.cell_type == "code" and re.search(
            r"predict=True|^# %%tape.*--predict|^%%tape.*--predict", cell.source, re.M
        )
        assert not asks or build.UNSTORED in cell.metadata.get("tags", []), (
            f'add tags=["answer"] to the cell:\n{cell.source}'
        )


@pytest.mark.parametrize("source", SOURCES, ids=[source.stem for source in SOURCES])
def test_a_lesson_asks_predictions_and_gives_exercises(source):
    for cell in build.read(source):
        for kind, counts in (("predict", False), ("exercise", True)):
            assert kind not in cell.metadata or exercise(cell.metadata[kind]).counts is counts, (
                cell.metadata
            )


# ---- several languages: the same lesson


def outline(text):
    """Return what two languages of one text share: headings, items, links, code, and pictures."""
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    links = [target.lstrip("./") for target in re.findall(r"\]\(([^)\s]+)", text)]
    return {
        "headings": re.findall(r"^#+ ", text, re.M),
        "items": len(re.findall(r"^ *(?:\*|-|\d+\.) ", text, re.M)),
        "links": links,
        "code": sorted(set(re.findall(r"`[^`]+`", text))),
    }


@pytest.mark.parametrize("source", TWICE, ids=[source.stem for source in TWICE])
def test_all_languages_are_the_same_lesson(source):
    prose = [cell for cell in build.read(source) if cell.cell_type == "markdown"]
    spoken = [cell.metadata.get("lang", "en") for cell in prose]
    languages = [each for each in LANGUAGES if each in build.languages_of(source)]
    many = len(languages)
    assert languages[:2] == ["en", "fr"] and spoken == languages * (len(prose) // many), (
        "each English cell of prose is followed by its translations"
    )
    for k, english in enumerate(prose[::many]):
        french, *further = prose[k * many + 1 : (k + 1) * many]
        for translated in (french, *further):
            assert outline(english.source) == outline(translated.source), translated.source
        loose = [
            found[0]
            for found in re.finditer(
                r".{0,12}[^\u00a0\u202f\s`][ ]?[:;?!](?= |$)|« .{0,12}|.{0,12} »",
                re.sub(r"`[^`]*`|```.*?```", "`", french.source, flags=re.S),
                re.M,
            )
        ]
        assert not loose, f"French wants a space that does not break: {loose}"
    code = [cell.metadata.get("lang") for cell in build.read(source) if cell.cell_type == "code"]
    assert all(
        code[k : k + many] == languages for k, spoken in enumerate(code) if spoken == "en"
    ), "a code cell of English alone is followed by its translations"


def test_outlines_tell_lessons_apart():
    assert outline("## A\n\n* one\n* `two`") == outline("## Un\n\n* une\n* `two`")
    for other in (
        "# A\n\n* one\n* `two`",
        "## A\n\n* one `two`",
        "## A\n\n* one\n* two",
        "## A\n\n* one\n* `two` [a](b)",
    ):
        assert outline("## A\n\n* one\n* `two`") != outline(other)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_lesson_says_the_words_for_which_the_glossary_leads_to_it(language):
    """Those of lessons 00 to 03 so far."""

    def prose(source):
        cells = build.cells_of(source, language)
        return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")

    rows = re.findall(
        r"^\| \*\*(.+?)\*\* .*\((0[0-3]\w+)\.ipynb\) \|$",
        prose(HERE / "sources/glossary.py"),
        re.M,
    )
    assert len(rows) > 12
    for word, lesson in rows:
        said = " ".join(prose(HERE / f"sources/{lesson}.py").lower().split())
        assert word.lower() in said, f"{lesson} does not say: {word}"


# ---- solutions and times


def test_solutions_stand_between_the_markers_of_nbgrader():
    solved = "".join(
        c.source for c in build.cells_of(HERE / "sources" / "00_start_here.py", solutions=True)
    )
    assert "### BEGIN SOLUTION" in solved and "### END SOLUTION" in solved and "= ..." not in solved


@pytest.mark.parametrize("source, language", VERSIONS, ids=NAMES)
def test_every_solution_is_right_in_its_solution_notebook(source, language, monkeypatch):
    monkeypatch.setenv("MINITAPE_PROGRESS", "")
    # as in another kernel, which deals anew
    learner = {"exercise": lambda identity: exercise(identity).fixed(None)}
    for cell in build.cells_of(source, language, solutions=True):
        if "exercise" in cell.metadata and cell.cell_type == "code":
            run(cell.source, learner)
            if ".check(" in cell.source:
                asked, _, answer = cell.source.splitlines()[-1].partition(".check(")
                outcome = learner[asked].check(learner[answer.removesuffix(")")])
                assert outcome.correct, f"{cell.source}\n{outcome}"


def test_measured_times_make_no_notebook_stale():
    assert build.without_times("x: 117 µs, 3 cards") == build.without_times("x: 9.5 µs, 3 cards")
    assert build.without_times("x: 117 µs, 3 cards") != build.without_times("x: 117 µs, 4 cards")


@pytest.mark.parametrize("source, language", VERSIONS, ids=NAMES)
def test_of_a_play_that_is_asked_about_the_tape_alone_is_stored(source, language):
    for cell in nbformat.read(HERE / build.notebook_of(source, language), as_version=4).cells:
        if build.BEFORE in cell.metadata.get("tags", []):
            (output,) = cell.outputs
            assert set(output.data) == {"image/svg+xml", "text/plain"}
            assert "adjoint" not in output.data["text/plain"]
            picture = output.data["image/svg+xml"]
            assert "mt-t mt-v" in picture and "mt-t mt-a" not in picture
