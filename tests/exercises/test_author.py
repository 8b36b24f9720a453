"""What authors are told: each thing that may be missing in a file of exercises is seen, and nothing
is missing in the lessons.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from minitape.exercises import author
from minitape.exercises.author import missing, tell
from minitape.exercises.shelf import lessons, module_of
from minitape.sentences import LANGUAGES

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def checked(*files):
    command = [sys.executable, "-W", "ignore", "-m", "minitape.exercises", *map(str, files)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=200)
    return ran.returncode, ran.stdout + ran.stderr


@pytest.fixture
def lesson(tmp_path, capsys, monkeypatch):
    """A function that copies the examples, changes a piece of the program or texts, and returns
    what the check says.
    """
    monkeypatch.setenv("MINITAPE_PROGRESS", "")
    folder = tmp_path / "lesson"
    shutil.copytree(HERE / "examples", folder)

    def changed(program=(), **texts):
        path = folder / "__init__.py"
        text = path.read_text(encoding="utf-8")
        for old, new in [program] if program else []:
            assert old in text
            text = text.replace(old, new, 1)
        path.write_text(text, encoding="utf-8")
        for language, change in texts.items():
            file = folder / "messages" / f"{language}.json"
            known = json.loads(file.read_text(encoding="utf-8"))
            for key, said in change.items():
                known[key] = said
                if said is None:
                    del known[key]
            file.write_text(json.dumps(known), encoding="utf-8")
        count = tell(module_of(str(folder)))
        return min(count, 1), capsys.readouterr().out

    return changed


@pytest.mark.long
@pytest.mark.parametrize("module", lessons(), ids=lambda module: module.__name__[-2:])
def test_a_lesson_is_whole(module):
    code, said = checked("check", module.__file__)
    assert code == 0 and "nothing is missing" in said, said


def test_the_examples_are_whole(lesson):
    assert lesson() == (
        0,
        "lesson: nothing is missing in ex.linear, ex.slope, ex.product, ex.mend, ex.puzzle, "
        "ex.order, "
        "ex.guilty, ex.sever.\n",
    )


@pytest.mark.parametrize(
    ("program", "texts", "said"),
    [
        (
            (),
            {"fr": {"linear.idea.one-side": None}},
            "ex.linear: the text 'linear.idea.one-side' is missing in fr",
        ),
        (
            (),
            {"en": {"linear.idea.one-side": None}, "fr": {"linear.idea.one-side": None}},
            "has no sentence for its idea in en",
        ),
        ((), {"fr": {"slope.title": " "}}, "'slope.title' is missing in fr"),
        (
            (),
            {"en": {"puzzle.hint.1": None}, "fr": {"puzzle.hint.1": None}},
            "'puzzle.hint.1' is missing in en",
        ),
        (
            (),
            {"en": {"linear.hint.2": "Write `adjoint_e.sum( axis=0 )`."}},
            "hint 2 in en gives the answer away: it says adjoint_e.sum(",
        ),
        (
            (),
            {"fr": {"guilty.hint.1": "C'est b = float(a)."}},
            "hint 1 in fr gives the answer away",
        ),
        (
            (),
            {"en": {"linear.hint.2": "The last card multiplies e by itself: it sends two parts."}},
            "two hints are the same in en",
        ),
        ((), {"en": {"linaer.hint.3": "x"}}, "'linaer.hint.3' belongs to no exercise"),
        (
            (),
            {"en": {"linear.idea.old": "x"}, "fr": {"linear.idea.old": "x"}},
            "no wrong answer has the idea 'old'",
        ),
        # which is found without being declared
        (
            (),
            {"en": {"linear.idea.number": "Which"}, "fr": {"linear.idea.number": "Lequel"}},
            None,
        ),
        (
            ("adjoint_e = «e + e»", "adjoint_e = «e»"),
            {},
            "ex.linear: the wrong answer {'adjoint_e': 'e'} passes",
        ),
        (
            ("part_a = «g * b»", "part_a = «b + 0 * a»"),
            {},
            "ex.product: the solution does not pass",
        ),
        (('Wrong("value", "y")', 'Wrong("value", "slope + 0.001")'), {}, "no numbers were found"),
        (
            (
                'Wrong("absolute", {"e * e": "tf.abs(e)"})',
                'Wrong("absolute", {"squares": "tf.abs(e)"})',
            ),
            {},
            "'squares' is neither a blank",
        ),
        (('Wrong("mean"', 'Wrong("median"'), {}, "has no sentence for its idea"),
        (("e = «y - t <- np.asarray(y) - t»", "e = «y - t <- y + 0 - t»"), {}, None),
        (("#! here", "#! hear"), {}, "no line of its program is marked"),
        (
            (
                "    c = tf.sin(a)\n    d = tf.exp(c)\n    y = b + d\n",
                "    y = b + tf.exp(tf.sin(a))\n",
            ),
            {},
            "two of its cards come from",
        ),
        (('id="ex.slope"', 'id="ex.linear"'), {}, "ex.linear: two exercises have this id"),
        (('id="ex.slope"', 'id="slope"'), {}, "its id should be the lesson"),
        (
            (
                """        Wrong(
            "as-recorded",
            ("a = x * 3.0", "b = a * a", "c = tf.sin(a)", "d = tf.exp(c)", "y = b + d"),
        ),
""",
                "",
            ),
            {},
            "declares no wrong",
        ),
    ],
)
def test_what_is_missing_is_told(lesson, program, texts, said, monkeypatch):
    # one thing is looked for, not whether it comes and goes
    monkeypatch.setattr(author, "TIMES", 1)
    code, output = lesson(program, **texts)
    assert said is None or code == 1 and said in output, output


@pytest.mark.system("threads: one is the clock that ends an answer")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('{"adjoint_e": "e"}', '{"adjoint_e": "[0 for _ in iter(int, 1)]"}'),
        ('Wrong("value", "y")', 'Wrong("value", "[0 for _ in iter(int, 1)]")'),
    ],
)
def test_a_wrong_answer_that_does_not_end_is_told(lesson, old, new, monkeypatch):
    monkeypatch.setattr(author, "TIMES", 1)
    monkeypatch.setattr(author, "SECONDS", 0.3)
    monkeypatch.setattr(sys.modules["minitape.exercises.exercise"], "SECONDS", 0.3)
    code, output = lesson((old, new))
    assert code == 1 and "too-long" in output, output


def test_a_starter_that_passes_is_seen(lesson):
    code, output = lesson(
        (
            "    adjoint_e = «e + e»\n",
            "    adjoint_e = «e + e <- 2 * e»\n"
            "    if True: return adjoint_e, adjoint_e.sum(axis=0), x.T @ adjoint_e, adjoint_e @ "
            "w.T\n",
        )
    )
    assert code == 1 and "the starter is taken for an answer (correct)" in output, output


def test_a_solution_that_does_not_pass_is_told_once(lesson):
    code, output = lesson(("part_a = «g * b»", "part_a = «b + 0 * a»"))
    assert code == 1 and output.count("ex.product: the solution does not pass") == 1, output


def test_a_course_in_english_alone_is_whole(tmp_path):
    folder = tmp_path / "lesson"
    shutil.copytree(HERE / "examples", folder)
    (folder / "messages" / "fr.json").unlink()
    code, said = checked("check", folder)
    assert code == 0 and "its messages lack fr.json: learners read English there." in said, said
    (folder / "messages" / "en.json").unlink()
    code, said = checked("check", folder)
    assert code == 2 and said == f"There is no file {folder / 'messages' / 'en.json'}.\n", said


def test_a_mistake_in_the_program_is_told_with_its_line(tmp_path):
    file = tmp_path / "own.py"
    for wrong, said in (("x = = 1", "SyntaxError: invalid syntax"), ("nothing", "NameError: name")):
        file.write_text(f"\n{wrong}\n", encoding="utf-8")
        code, output = checked("check", file)
        assert code == 1 and 'own.py", line 2' in output and said in output, output
        assert output.count("  File ") == 1, output


def test_the_command_line():
    code, said = checked()
    assert code == 2 and "check [FILE ...]" in said
    code, said = checked("check", "no/such/file.py")
    assert code == 2 and "There is no file no/such/file.py" in said


def test_the_worked_example_of_the_page_for_authors_is_whole(tmp_path, monkeypatch):
    monkeypatch.setenv("MINITAPE_PROGRESS", "")
    page = (ROOT / "minitape/exercises/README.md").read_text(encoding="utf-8")
    program, texts = (
        page.partition(f"```{kind}\n")[2].partition("```")[0] for kind in ("python", "json")
    )
    package, sentences = tmp_path / "course", tmp_path / "course" / "messages" / "lesson_03"
    sentences.mkdir(parents=True)
    for language in LANGUAGES:
        (sentences / f"{language}.json").write_text(texts, encoding="utf-8")
    (package / "__init__.py").touch()
    (package / "lesson_03.py").write_text(program, encoding="utf-8")
    found = module_of(str(package / "lesson_03.py"))
    assert missing(found) == []
    assert (
        found.sin.starter
        == "def sin_rule(g, y, x):\n    # g: the adjoint of y; y: the output; x: the input\n    "
        "return ...\n"
    )
