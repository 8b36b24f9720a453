"""Every card of the gallery is true: the broken program gives the stated result, category and line; the mended one the right number."""

import pytest

from minitape.explain import CATEGORIES
from minitape_widgets.pitfalls.card import card, cards, keys, question, run


@pytest.mark.parametrize("key", keys())
def test_broken_program(key):
    c = card(key)
    found = run(c.broken, "broken")
    assert found.answer == c.result
    assert found.board is not None and found.board.text()
    if c.category:
        assert (found.explanation.category, found.explanation.lineno) == (c.category, c.line), str(found.explanation)
        assert found.explanation.certain


@pytest.mark.parametrize("key", [k for k in keys() if card(k).result == "None"])
def test_the_picture_says_what_the_explanation_says(key):
    found = run(card(key).broken, "broken")
    said = [note["params"]["why"] for note in found.board["notes"] if note["kind"] == "explanation"]
    assert said == [found.explanation.message]


@pytest.mark.parametrize("key", keys())
def test_mended_program(key):
    c = card(key)
    found = run(c.fixed, "mended")
    assert found.error is None and found.answer == c.good
    if c.category not in ("summed-target", ""):
        assert found.explanation.healthy, str(found.explanation)


@pytest.mark.parametrize("key", keys())
def test_texts(key):
    c = card(key)
    assert c.category == "" or c.category in CATEGORIES
    assert len(c.choices) == 3 and 0 <= c.right < 3
    assert all(set(choice) == {"text", "says"} for choice in c.choices)
    assert 1 <= c.line <= len(c.broken.splitlines())
    assert c.title and c.symptom and c.question and c.rule.endswith(".") and c.bites
    assert c.broken != c.fixed


def test_the_four_documented_ones_come_first():
    assert keys()[:4] == ["variable-replaced", "numpy-escape", "integer-dtype", "state-assign"]
    assert len(cards()) >= 20


def test_a_wrong_key_names_the_right_ones():
    with pytest.raises(KeyError, match="numpy-escape"):
        card("nonsense")


def test_the_question_is_the_last_gradient():
    assert question("g = t.gradient(a, x)\nh = t.gradient(b, sources=[x])") == "t.explain(b, [x])"
    assert question("x = 1") is None and question("x = (") is None


def test_a_program_that_raises_is_reported():
    found = run("x = tf.Variable(1.0)\ny = x + nothing")
    assert found.answer == "NameError" and found.board is None and found.explanation is None


def test_an_explanation_can_be_watched():
    import minitape as tf
    import minitape_widgets.magic  # noqa: F401  what %load_ext loads
    from minitape_widgets import Player

    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.round(x))
    with pytest.warns(tf.errors.NoneGradientWarning):
        tape.gradient(y, x)
    told = tape.explain(y, x)
    player = told.play()
    assert isinstance(player, Player) and player.storyboard["frames"][player.trace["options"]["start"] - 1]["act"] == "cut"
    assert "tape.explain(y, x).play()" in told._repr_html_()
    assert tape.used and told.play() is not player
