"""Every category of the code has its sentences, in each language."""

import re
from pathlib import Path

import pytest

import minitape as tf
from minitape import explain
from minitape.explain import CATEGORIES, set_language
from minitape.explain.case.words import CATALOGUE, say
from minitape.sentences import LANGUAGES, speaking
from minitape.storyboard import build

# what a category is called may be a dialect's, or known to a recorder
CODE = "".join(
    p.read_text(encoding="utf-8")
    for folder in ("explain", "dialects", "recorders")
    for p in (Path(explain.__file__).parents[1] / folder).rglob("*.py")
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_category_is_complete(language):
    for key in CATEGORIES:
        assert (
            CATALOGUE(language)[f"{key}.title"]
            and CATALOGUE(language)[f"{key}.why"]
            and f"{key}.fix" in CATALOGUE(language)
        ), key


def test_every_category_is_used_and_every_used_one_has_a_sentence():
    named = set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', CODE)) | {
        f"{k}-{way}" for k in ("nan", "inf") for way in ("forward", "backward")
    }
    assert set(CATEGORIES) - {"healthy", "exploding", "underflow", "overflow"} <= named


def test_keys_are_stable_words():
    assert all(
        re.fullmatch(r"[a-z]+(-[a-z]+)*", key) and len(meaning) > 10
        for key, meaning in CATEGORIES.items()
    )


def test_what_is_not_translated_has_english_words_in_it():
    """A sentence with the word for a tape of another language in it is in neither."""
    key, variant, dialect = "tape-never-entered", "why", {"dialect": "minitape"}
    assert f"{key}.{variant}" not in CATALOGUE.own("es")
    english = say(key, variant, "", dialect)
    with speaking("es"):
        assert say(key, variant, "", dialect) == english
        assert "la cinta" in say("computed-before", "why", "", dialect)


def test_the_language_can_be_chosen():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.constant(float(x)) * 2.0
    set_language("fr")
    try:
        explained = str(tape.explain(y, x))
        assert (
            "Le gradient de y par rapport à x est None." in explained and "À la place" in explained
        )
    finally:
        set_language("en")
    with pytest.raises(ValueError, match="language must be one of"):
        set_language("xx")


def test_a_straight_line_is_only_what_is_one():
    w, b = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape(persistent=True) as inner:
            loss = w**4 + 3.0 * b
        slope, step = inner.gradient(loss, w), inner.gradient(loss, b)
    explained = [
        outer.explain(slope, loss).message,
        outer.explain(slope, b).message,
        outer.explain(step, b).message,
    ]
    assert ["straight line" in message for message in explained] == [False, False, True], explained
    assert (
        "is the slope of loss. It is computed from what loss was made of" in explained[0]
        and "stays the same when b changes" in explained[1]
    )


def test_what_a_rule_of_its_own_takes_from_around_it_is_not_said_to_be_unused():
    x, rate = tf.Variable([1.0, 2.0]), tf.constant(0.1)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(rate)
        y = tf.recompute_grad(lambda x: x + rate * x)(x)
    explained = tape.explain(y, rate)
    assert (
        "The tape knows no way from rate to y." in explained.message
        and "without" not in explained.message
        and "argument" in explained.fix
    )


def test_what_is_cut_off_from_a_variable_is_not_assigned_to_it():
    w = tf.Variable(2.0)
    w = tf.stop_gradient(w)
    with tf.GradientTape() as tape:
        y = w * 3.0
    explained = tape.explain(y, w)
    assert (
        "cut off from its history" in explained.message
        and "\n    constant = tf.stop_gradient(w)" in str(explained)
    )


def test_a_variable_without_a_name_is_called_by_what_made_it():
    with tf.GradientTape() as tape:
        y = tf.Variable(2.0) * 3.0
    explained = str(tape.explain(y, tape.watched_variables()[0]))
    assert explained.startswith("There is a gradient of y with respect to tf.Variable(2.0).")


def test_a_sentence_begins_with_a_capital_where_nothing_has_a_name():
    x, w = tf.Variable([1.0, 2.0]), tf.Variable(1.0)
    with tf.GradientTape(persistent=True) as tape:
        y = 2 * w
    # apart: pytest gives names, too
    nameless, named = tape.explain(*[tf.constant(2.0), x]).message, tape.explain(y, x).message
    assert (nameless, named) == ("The target is computed without x.", "y is computed without x.")
    # a picture knows the target, whatever the call looks like
    explained = str(build(tape, y, x[0])).partition("\nRecording\n")[2]
    assert "The target" not in explained and " of y with respect to x[0] is None" in explained, (
        explained
    )
