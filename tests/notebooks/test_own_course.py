"""A course of one's own: its exercises reach those who open its notebook, from a folder beside it or
from a package, and what makes minitape's notebooks makes those of others.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from minitape.exercises import author, exercise
from minitape.exercises.shelf import module_of
from notebooks import build

ROOT = Path(__file__).resolve().parents[2]
COURSE = ROOT / "notebooks/teaching/own_course"
FILE = """from pathlib import Path
from minitape.exercises import Catalogue, Number, Wrong

two = Number(id="{lesson}.two", texts=Catalogue(Path(__file__).parent / "messages"), program="",
             right="{right}", wrong=(Wrong("one", "1"),))
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A function that writes exercises into a folder, beside a notebook that is opened there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINITAPE_PROGRESS", "")

    def written(path, lesson="sums", right="2"):
        (tmp_path / path / "messages").mkdir(parents=True, exist_ok=True)
        (tmp_path / path / "messages/en.json").write_text('{"two.title": "Two"}')
        file = tmp_path / path / f"{lesson}.py"
        changed = file.stat().st_mtime_ns if file.exists() else 0
        file.write_text(FILE.format(lesson=lesson, right=right))
        os.utime(file, ns=(changed + 10**9, changed + 10**9))

    return written


def test_an_exercise_beside_the_notebook_is_found_and_read_again_when_it_changes(own):
    own("exercises")
    asked = exercise("sums.two")
    assert asked.check(2).correct and asked.title == "Two"
    assert exercise("sums.two") is asked, "hints go on where they were"
    own("exercises", right="3")
    assert exercise("sums.two").check(3).correct


def test_an_exercise_of_an_installed_package_is_found(own, tmp_path, monkeypatch):
    own("our_course", "lesson")
    (tmp_path / "our_course/__init__.py").touch()
    (tmp_path / "our_course-1.dist-info").mkdir()
    (tmp_path / "our_course-1.dist-info/METADATA").write_text("Name: our_course\nVersion: 1\n")
    entry = "[minitape.exercises]\nlesson = our_course.lesson\n"
    (tmp_path / "our_course-1.dist-info/entry_points.txt").write_text(entry)
    monkeypatch.syspath_prepend(tmp_path)
    assert exercise("lesson.two").check(2).correct


def test_what_is_not_there_says_where_it_was_looked_for(own):
    with pytest.raises(
        KeyError, match=r"Nor does an installed package .* exercises/sums\.py beside"
    ):
        exercise("sums.two")
    own("exercises")
    with pytest.raises(KeyError, match=r"There are: sums\.two\."):
        exercise("sums.three")
    own(".")
    with pytest.raises(KeyError) as refused:
        exercise("../sums.two")
    assert "Nor does" not in str(refused.value), "what is no name is looked for nowhere"


def test_a_course_in_one_language_is_said_in_it(own, capsys):
    own("exercises")
    author.tell(module_of("exercises/sums.py"))
    report = capsys.readouterr().out.splitlines()
    assert "sums: its messages lack fr.json: learners read English there." in report
    assert not any("in fr" in line for line in report)


def test_the_example_is_whole(monkeypatch):
    monkeypatch.setenv("MINITAPE_PROGRESS", "")
    assert author.missing(module_of(COURSE / "exercises/throwing.py")) == []
    monkeypatch.chdir(COURSE)
    made = build.cells_of(COURSE / "sources/throwing.py")
    there = nbformat.read(COURSE / "throwing.ipynb", as_version=4).cells
    assert [(cell.id, cell.source) for cell in there] == [(cell.id, cell.source) for cell in made]


def made(course, *options):
    command = [sys.executable, "notebooks/build.py", "--course", str(course), *map(str, options)]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'widgets'}"}
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=200
    )


@pytest.mark.long
def test_a_course_of_ones_own_is_made_with_its_solutions(tmp_path):
    course = tmp_path / "course"
    shutil.copytree(COURSE, course)
    assert made(course, "--check").returncode == 0
    assert made(course, "--solutions", tmp_path / "solved").returncode == 0
    solved = nbformat.read(tmp_path / "solved/throwing.ipynb", as_version=4)
    assert sum("### BEGIN SOLUTION" in cell.source for cell in solved.cells) == 2
    handed_out = made(course, "--nbgrader", tmp_path / "class")
    assert handed_out.returncode == 0 and "Install it as a package" in handed_out.stderr
    files = [file.name for file in (tmp_path / "class/source").rglob("*") if file.is_file()]
    assert files == ["throwing.ipynb"], "beside it, students would read the solutions"
    # a solution that its page cannot run: there, nobody has imported numpy
    file = course / "exercises/throwing.py"
    file.write_text(file.read_text().replace("«v - 2 * 5 * t»", "«np.add(v, -2 * 5 * t)»"))
    ran = made(course, "--solutions", tmp_path / "again")
    assert ran.returncode and "a solution is not right in its place" in ran.stderr, ran.stderr
    assert "name 'np' is not defined" in ran.stderr
