"""The page "My gradient is None": what it says of programs as people write them, and of those that
cannot run there. `tests/browser/test_site_lab.py` looks at it in a browser.
"""

import html
import json
import re
import sys

import pytest

from minitape.sentences import LANGUAGES
from notebooks.site import whole, why_page
from notebooks.site.executed import stored
from notebooks.site.why.answer import answer
from tests.explain.programs import programs

OTHERS = [
    "another-object",
    "computed-before",
    "integer-dtype",
    "not-watched",
    "piecewise-constant",
    "stop-gradient",
    "variable-made-anew",
]
KERAS = """import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([layers.Dense(1)])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model(tf.ones([4, 2])).numpy())
print(tape.gradient(loss, model.trainable_variables))
"""


# of people who asked why: one of each reason
REAL = {program.category: program for program in programs("real_programs", "more_real_programs")}


@pytest.mark.parametrize("category", ["numpy-escape", "python-escape", "not-used", *OTHERS])
def test_a_program_is_explained_and_its_tape_shown(category, tmp_path):
    code = REAL[category].code.replace("tape.explain(", "tape.gradient(")
    found = answer(f"import numpy as np\nimport tensorflow as tf\n{code}", "en", tmp_path)
    assert "program.py, line" in found["said"] and str(tmp_path) not in found["said"]
    assert found["trace"] and not found["raised"]


def test_keras_is_found_where_people_look_for_it(tmp_path):
    found = answer(KERAS, "fr", tmp_path)
    assert "`model(tf.ones([4, 2])).numpy()`" in found["said"] and "Chemin" in found["said"]
    again = answer(KERAS, "fr", tmp_path)
    assert "dense.kernel" in again["said"] and again["said"] == found["said"], (
        "names do not count on"
    )
    assert not [name for name in sys.modules if name.partition(".")[0] == "tensorflow"]
    assert sys.modules["minitape"].__spec__.name == "minitape"
    assert not list(filter(lambda finder: type(finder).__name__ == "AsTensorFlow", sys.meta_path))


@pytest.mark.parametrize(
    "text, missing, raised",
    [
        ("import torch_of_theirs\n", "torch_of_theirs", "line 1"),
        ("import tensorflow.python.eager\n", "tensorflow.python", "line 1"),
        ("x = 1\nraise ValueError('<b>')\n", "", "line 2, in <module>"),
        ("x = = 1\n", "", "SyntaxError"),
        ("print('<b>')\n", "", ""),
        ("raise SystemExit(3)\n", "", ""),
        ("raise KeyboardInterrupt\n", "", "line 1"),
        ("raise GeneratorExit\n", "", "line 1"),
        ("import sys\nsys.stdout.close()\nsys.stderr.close()\n", "", ""),
        ("import sys\nsys.meta_path.pop(0)\n", "", ""),
        ("class E(Exception):\n    def __str__(self): raise E\nraise E\n", "", "str() failed"),
        ("raise ModuleNotFoundError(name=object())\n", "", "line 1"),
        ("raise ModuleNotFoundError(name='x' * 10**6)\n", "x" * 100, "line 1"),
        ("x = 1  # \ud800\n", "", ""),
        ("x = 1  # \0\n", "", "SyntaxError"),
        ("x = " + "(" * 5000 + ")" * 5000, "", "SyntaxError"),
    ],
)
def test_what_does_not_run_to_its_end_says_where(text, missing, raised, tmp_path):
    found = answer(text, "en", tmp_path)
    assert (found["missing"], found["trace"]) == (missing, None)
    assert raised in found["raised"] and bool(raised) == bool(found["raised"])
    assert str(tmp_path) not in found["raised"] + found["said"]
    assert "answer.py" not in found["raised"], "only the program's own lines"


@pytest.mark.parametrize("program", ["print({})", "raise ValueError({})", "raise SystemExit({})"])
def test_what_a_program_says_is_bounded(program, tmp_path):
    found = answer(program.format("'x' * 10**6") + "\n", "en", tmp_path)
    assert len(json.dumps(found)) < 60_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_whole_in_every_language(language):
    text = why_page.page(language)
    assert f'<html lang="{language}">' in text and html.escape(why_page.EXAMPLE) in text
    words = re.search(r'id="words">(.*?)</script>', text, re.DOTALL)[1]
    assert not re.search(r"\{[a-z]+\}", text.replace(words, ""))
    assert {"loading", "missing", "endless"} <= json.loads(words).keys()
    script = (why_page.SOURCES / "why.js").read_text("utf-8")
    assert set(re.findall(r'(?:say|end)\("(\w+)"', script)) <= json.loads(words).keys()
    assert "innerHTML" not in script


def test_the_page_and_all_that_it_asks_for_are_made(tmp_path):
    why_page.build(tmp_path)
    for language in LANGUAGES:
        page = tmp_path / why_page.way(language)
        for way in re.findall(r'(?:src|href)="([^"]*why[^"]*)"', page.read_text("utf-8")):
            assert (page.parent / way).is_file(), way
    assert (tmp_path / "why" / "player.js").read_text("utf-8").count("export const{show,") == 1


def test_the_page_has_the_head_and_the_style_of_those_to_read(tmp_path):
    why_page.build(tmp_path)
    notebooks = stored((*why_page.DOORS, "00_start_here"))
    site = whole.site_of(notebooks, why=True)
    links = re.compile(r"<a [^>]*>[^<]*</a>")
    for read in [page for page in site.pages if page.path.endswith("00_start_here.html")]:
        [theirs, ours] = [
            re.search(r"<header.*?</header>", text, re.DOTALL)[0]
            for text in (site.files[read.path].decode(), why_page.page(read.language))
        ]
        theirs = theirs.replace(' aria-current="page"', "").replace(
            '00_start_here.html" lang', 'why.html" lang'
        )
        assert links.findall(ours.replace(' aria-current="page"', "")) == links.findall(theirs)
    style = site.files["static/site.css"].decode()
    assert (tmp_path / "why" / "why.css").read_text("utf-8").startswith(style[:5000])
