"""One table of a class, from files that students handed in: anybody may have written them."""

import csv
import io
import json
import os
import subprocess
import sys

import pytest

from minitape.exercises import classroom, exercise, progress
from minitape.exercises.__main__ import main
from minitape.exercises.author import answer_of
from minitape.sentences import speaking


@pytest.fixture
def handed_in(tmp_path):
    """A function that writes one student's file."""

    def written(name, **facts):
        named = {identity.replace("_", "."): kinds for identity, kinds in facts.items()}
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps({"version": 2, "exercises": named}))
        return file

    return written


def test_who_has_done_what_and_which_idea_was_commonest(handed_in):
    files = [
        handed_in("bob", **{"03_sin": ["not yet", "not yet: the-value", "not yet: upstream"]}),
        handed_in("Ann", **{"03_sin": ["not yet", "not yet: upstream", "correct"]}),
        handed_in("cy", **{"00_nudge": ["correct"], "03_sin": ["solution seen"]}),
    ]
    table = classroom.read(files)
    assert table.students == ("Ann", "bob", "cy")
    sine = table.lines[-1]
    assert [row.state for row in sine.rows] == ["solved", "tried", "seen"]
    assert (sine.idea, sine.students, sine.solved) == ("upstream", 2, 1)
    assert sine.sentence.startswith("That is the slope of sin, so the new thing is right."), (
        sine.sentence
    )
    assert (
        f"Write the rule of sin (03.sin)       ✓…○  upstream: 2 of 3\n    {sine.sentence}"
        in repr(table)
    )
    assert f"upstream: {sine.sentence}" in table.as_csv().replace('""', '"')
    with speaking("fr"):
        assert "upstream\u00a0: 2 sur 3" in repr(classroom.read(files))


def test_a_check_keeps_the_idea_behind_a_mistake(tmp_path, monkeypatch):
    monkeypatch.setenv("MINITAPE_PROGRESS", str(tmp_path / "ann.json"))
    asked = exercise("03.sin")
    asked.check(answer_of(asked, asked.wrong_code(asked.wrong[0])))
    asked.check(answer_of(asked, asked.solution_code))
    progress.export(tmp_path / "handed in.json")
    [line] = classroom.read([tmp_path / "handed in.json"]).lines
    assert (line.idea, line.solved) == (asked.wrong[0].idea, 1)


def test_what_others_wrote_stays_a_text(handed_in, tmp_path):
    evil = "<img src=x onerror=alert(1)>"
    files = [
        handed_in("=1+1", **{"03_sin": ["not yet", f"not yet: {evil}"], "=cmd|x": ["correct"]}),
        handed_in("a<b>", **{f"{evil}\x1b[31m": ["correct"]}),
    ]
    (tmp_path / "broken.json").write_text("[")
    (tmp_path / "newer.json").write_text('{"version": 3, "exercises": {}}')
    table = classroom.read([*files, tmp_path / "broken.json", tmp_path / "newer.json", "gone.json"])
    assert len(table.refused) == 3 and "\x1b" not in repr(table)
    page = table.as_page()
    assert "<img" not in page and "<b>" not in page and "\x1b" not in page
    rows = list(csv.reader(io.StringIO(table.as_csv())))
    assert "'=1+1" in rows[0] and not any(
        cell.startswith(classroom.FORMULA) for row in rows for cell in row
    )


def test_two_files_of_one_name_are_two_students(tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "progress.json").write_text('{"03.sin": "correct"}')
    table = classroom.read(sorted(tmp_path.glob("*/progress.json")))
    assert len(table.students) == 2 and table.lines[0].solved == 2


def test_the_command(handed_in, tmp_path, capsys):
    file = handed_in("ann", **{"03_sin": ["correct"]})
    sheet, page = tmp_path / "class.csv", tmp_path / "class.html"
    assert main(["class", str(file), "--csv", str(sheet), "--page", str(page)]) == 0
    assert "03.sin" in capsys.readouterr().out
    assert "ann" in sheet.read_text() and page.read_text().startswith("<!doctype html>")
    assert main(["class", str(tmp_path / "nobody.json")]) == 2


def test_a_class_keeps_solutions_back():
    """Under no public name of an exercise, whatever a cell does to the environment."""
    told = """import os
from minitape.exercises import exercise
os.environ.pop("MINITAPE_SOLUTIONS")
for identity, secret in (("03.sin", "np.cos(x)"), ("03.bug", "grad.get(name, 0) + g")):
    for asked in (exercise(identity), exercise(identity).fixed(1)):
        for name in ("solution_code", "solution_code", "wrong_code", "program", "wrong", "reference"):
            try:
                getattr(asked, name)
            except PermissionError as error:
                assert str(error).startswith("In this class, solutions come from"), error
            else:
                raise SystemExit(name)
        assert repr(asked) == f"Exercise {identity}: {asked.title}"
        for name in dir(asked):
            value = getattr(asked, name)
            shown = value() if name in ("question", "hint", "solution", "play") else value
            assert secret not in f"{shown} {vars(shown) if hasattr(shown, '__dict__') else ''}", name
print(asked.solution())
"""
    environment = {**os.environ, "MINITAPE_SOLUTIONS": "no", "MINITAPE_PROGRESS": ""}
    command = [sys.executable, "-c", told]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100)
    assert ran.stdout.startswith("In this class, solutions come from your teacher."), ran.stderr


def test_a_class_that_keeps_solutions_back_is_marked_and_asked_all_the_same():
    told = """from minitape.exercises import exercise, marks
from minitape_widgets import ask
print(marks.marks("03.sin", lambda g, y, x: g * np.cos(x), 2), ask(exercise("03.fan")).trace["question"]["kind"])
"""
    environment = {**os.environ, "MINITAPE_SOLUTIONS": "no", "MINITAPE_PROGRESS": ""}
    command = [sys.executable, "-c", f"import numpy as np\n{told}"]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100)
    assert ran.stdout.startswith("2.0 "), ran.stderr
