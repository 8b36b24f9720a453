"""The index, GitHub's page of the lessons and the files on disk: the same doors, the same map, no
link that leads nowhere.

With MINITAPE_UPDATE=1 the pages are written anew: look at what changed.
"""

import os
import re
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

from minitape.exercises import all_ids, course, progress
from minitape.exercises.kept import SENTENCES
from minitape.exercises.shelf import by_lesson
from minitape.sentences import speaking
from notebooks import build

HERE = Path(__file__).resolve().parents[2] / "notebooks"
INDEX = HERE / "sources" / "index.py"
LANGUAGES = build.languages_of(INDEX)


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("MINITAPE_PROGRESS", str(tmp_path / "progress.json"))


def table(language, folder=None):
    with speaking(language):
        return str(
            course.table([], folder=folder or (HERE if language == "en" else HERE / language))
        )


def page():
    """What GitHub's page says: the doors and the map of each language."""
    parts = []
    for language in LANGUAGES:
        text = build.cells_of(INDEX, language)[0].source + "\n\n" + table(language)
        if language != "en":
            text = "#" + re.sub(r"\]\((?!\.\./|https?:)", f"]({language}/", text).replace(
                "](../", "]("
            )
        parts.append(text)
    return "\n\n".join(parts)


def is_or_becomes(path, start, end, wanted):
    """Hold what stands in a file between two marks to what it should be; with MINITAPE_UPDATE=1 put
    it there.
    """
    before, mark, rest = path.read_text(encoding="utf-8").partition(start)
    now, other, after = rest.partition(end)
    assert mark and other, f"{path} has no {start} or no {end}"
    if os.environ.get("MINITAPE_UPDATE"):
        path.write_text(f"{before}{start}\n{wanted}\n{end}{after}", encoding="utf-8")
    else:
        assert now.strip() == wanted, (
            "MINITAPE_UPDATE=1 python -m pytest tests/notebooks/test_index.py writes it anew"
        )


def test_githubs_page_is_the_index():
    is_or_becomes(HERE / "README.md", "<!-- from sources/index.py -->", "<!-- end -->", page())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_stored_index_shows_the_map_of_what_is_there_untouched(language):
    notebook = nbformat.read(HERE / build.notebook_of(INDEX, language), as_version=4)
    shown = [
        output.data["text/markdown"]
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "data" in output
    ]
    assert shown == [table(language)], "run `python notebooks/build.py index`"
    assert "✓" not in shown[0] and "→" not in shown[0]


def dead(text, folder):
    """Return the links of a text in Markdown that lead to no file."""
    return [
        link
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", text)
        if not (folder / link).exists()
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_link_of_the_index_is_dead(language):
    prose = [
        cell.source for cell in build.cells_of(INDEX, language) if cell.cell_type == "markdown"
    ]
    folder = (HERE / build.notebook_of(INDEX, language)).parent
    assert dead("\n".join([*prose, table(language)]), folder) == []
    assert dead("[a](nowhere.ipynb) [b](#here) [c](https://example.org/x)", folder) == [
        "nowhere.ipynb"
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_notebook_is_on_the_map_once(language):
    sources = {source.stem for source in INDEX.parent.glob("*.py")} - {"index"}
    linked = re.findall(r"\]\((?:\.\./)?(\w+)\.ipynb\)", table(language))
    assert sorted(linked) == sorted(sources), (
        "minitape/exercises/messages needs a question for it: lesson.NAME"
    )


@pytest.mark.parametrize(
    "source", sorted(set(INDEX.parent.glob("[0-9]*.py"))), ids=lambda source: source.stem
)
def test_every_lesson_says_in_its_head_how_long_it_takes(source):
    for language in build.languages_of(source):
        title, minutes = course.head(HERE / build.notebook_of(source, language))
        assert title != source.stem and 5 <= int(minutes or 0) <= 60, (
            "a title, then a line such as *About 20 minutes. ...*"
        )


def test_every_exercise_belongs_to_a_lesson_of_the_map_or_to_one_to_come():
    names = [key.removeprefix("lesson.") for key in SENTENCES("en") if key.startswith("lesson.")]
    assert {identity.partition(".")[0] for identity in all_ids()} <= {
        name if name in course.BESIDE else name[:2] for name in names
    }


# ---- the map itself


def notebook(folder, name, text):
    folder.mkdir(exist_ok=True)
    nbformat.write(
        nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)]),
        folder / f"{name}.ipynb",
    )


def test_only_what_is_there_is_on_the_map(tmp_path, monkeypatch):
    count = {number: len(found) for number, found in by_lesson()}
    assert table("en", tmp_path).startswith("There are no lessons in this folder")
    notebook(
        tmp_path, "03_playing_backwards", "# Lesson 03: Playing | it\n\n*About 7 minutes. 12 more.*"
    )
    notebook(tmp_path, "03_playing_backwards-Copy1", "# Lesson 03: Mine")
    (tmp_path / "02_recording.ipynb").write_text("[broken")
    assert table("en", tmp_path).splitlines()[2:] == [
        "| 02 | [02_recording](02_recording.ipynb) | What is on the tape, and what is not? |  | "
        f"{count['02']} |",
        "| 03 | [Playing &#124; it](03_playing_backwards.ipynb) | Why is a tape played "
        f"backwards? | 7 | {count['03']} |",
    ]
    notebook(
        tmp_path / "fr", "03_playing_backwards", "# Leçon 03\u00a0: jouer\n\n*Environ 7 minutes.*"
    )
    assert "| 03 | [Jouer](03_playing_backwards.ipynb)" in table("fr", tmp_path / "fr")
    assert "| 02 | [02_recording](../02_recording.ipynb) (en anglais)" in table(
        "fr", tmp_path / "fr"
    )
    notebook(tmp_path / "own", "04_shapes", "# Shapes")
    assert "02_recording" not in table("en", tmp_path / "own")
    monkeypatch.chdir(tmp_path)
    assert "&#124;" in str(course.show()) and "03 Playing | it" in course.lesson("03")


def test_an_arrow_shows_where_to_go_on(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "→" not in str(course.show())
    ids = [found.id for found in dict(by_lesson())["00"]]
    progress.write(ids[0], "correct")
    assert "| →\N{NO-BREAK SPACE}**00** | **[Start here" in str(
        course.show()
    ) and f"| 1 of {len(ids)} solved |" in str(course.show())
    for identity in ids:
        progress.write(identity, "correct")
    assert "| →\N{NO-BREAK SPACE}**00**" not in str(
        course.show()
    ) and f"✓ all {len(ids)} solved" in str(course.show())
    monkeypatch.setattr(
        course,
        "by_lesson",
        lambda: [(number, [SimpleNamespace(id="one")]) for number in ("03", "04", "05")],
    )
    for name in ("03_playing_backwards", "04_shapes", "05_gradient_in_full"):
        notebook(tmp_path, name, "# It")
    marked = [
        line[:8]
        for line in str(course.table(["other"], begun=True, folder=tmp_path)).splitlines()
        if "→" in line
    ]
    assert marked == ["| →\N{NO-BREAK SPACE}**03"], "one arrow, at the first that is not solved"


# ---- the teachers' page


def test_the_teachers_page_leads_to_every_page_of_theirs():
    pages = sorted((HERE / "teaching").glob("[0-9]*.md"))
    titles = [
        re.search(r"^# (.+)", path.read_text(encoding="utf-8"), re.MULTILINE)[1] for path in pages
    ]
    reported = "\n".join(f"* [{title}]({path.name})" for title, path in zip(titles, pages))
    before = (
        "For each lesson: what it is for, plans of 45 and of 15 minutes, questions for the "
        "class, mistakes and what to say.\n\n"
    )
    is_or_becomes(
        HERE / "teaching" / "README.md",
        "<!-- pages -->",
        "<!-- end -->",
        before + reported if pages else "",
    )
