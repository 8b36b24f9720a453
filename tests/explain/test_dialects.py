"""What a library calls things stands in its dialect alone: cures and sentences speak another."""

import re
from dataclasses import replace

import pytest

from minitape.dialects import DIALECTS, MINITAPE, TENSORFLOW
from minitape.explain.case.words import CATALOGUE, say
from minitape.sentences import LANGUAGES, speaking
from tests.explain.pasting import ran
from tests.explain.programs import Program

OTHER = replace(
    MINITAPE,
    recording="graph",
    names={
        "reduce_mean": "mean",
        "math.log": "ln",
        "maximum": "clamp_min",
        "stop_gradient": "detached",
        "Variable": "Parameter",
    },
)


@pytest.fixture
def other(monkeypatch):
    monkeypatch.setitem(DIALECTS, "minitape", OTHER)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_names_a_tape_where_a_library_records_none(language, other):
    bare = dict.fromkeys(("tape", "source", "target", "name", "made"), "·")
    with speaking(language):
        for key in CATALOGUE(language):
            category, _, what = key.partition(".")
            if what.endswith("meaning") or category in ("recording", "script", "warning"):
                continue
            said = re.sub(
                "`[^`]*`",
                "",
                say(category, *what.split(".", 1), params={**bare, "dialect": "minitape"}),
            )
            assert not re.search(r"\b(tapes?|bandes?|cintas?)\b", said, re.IGNORECASE), (key, said)
            assert "{" not in said, key


def test_french_agrees_with_the_word(other):
    with speaking("fr"):
        reported = [
            say("tape-never-entered", "why", "", {"dialect": dialect})
            for dialect in ("minitape", "tensorflow")
        ]
    assert reported[0].startswith("Le graphe a été créé, mais") and reported[1].startswith(
        "La bande a été créée, mais"
    )
    assert "\u00a0: il n'a rien" in reported[0] and "\u00a0: elle n'a rien" in reported[1]


def test_a_sentence_has_the_librarys_own_name_for_a_function(other):
    said = [
        say("metric-state", "fix", "", {"tf": "tf", "target": "loss", "dialect": d})
        for d in ("minitape", "tensorflow")
    ]
    assert "`tf.mean(...)`" in said[0] and "`tf.reduce_mean(...)`" in said[1]


@pytest.mark.parametrize(
    ("line", "cure"),
    [
        ("y = tf.reduce_sum(tf.math.log(x - x))", []),
        (
            "y = tf.constant(float(tf.reduce_sum(x))) + tf.round(x[0])",
            ["y = tf.reduce_sum(x) + tf.round(x[0])"],
        ),
        ("y = x * 2.0", ["y = tf.mean(x * 2.0)"]),
    ],
)
def test_a_cure_is_matched_and_written_in_the_dialect(line, cure, other):
    """A pattern for `tf.math.log` looks for the other name, and finds none."""
    head = "import minitape as tf\nx = tf.Variable([1.0, 3.0])\nwith tf.GradientTape() as tape:\n"
    code = f"{head}    {line}\ne = tape.explain(y, x)\n"
    e, _ = ran(Program("dialect", "", code))
    assert e.cure == cure, e


def test_tensorflow_differs_where_the_names_differ():
    assert replace(TENSORFLOW, module="minitape") == MINITAPE
