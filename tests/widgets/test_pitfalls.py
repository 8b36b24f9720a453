"""Every card of the gallery is true: the broken program gives the stated result, category and line; the mended one the right number."""

import re
import signal

import ipywidgets
import pytest

from minitape.explain import CATEGORIES
from minitape.sentences import LANGUAGES
from minitape_widgets import pitfalls
from minitape_widgets.pitfalls import programs
from minitape_widgets.pitfalls.card import card, cards, keys
from minitape_widgets.pitfalls.programs import question, run


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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", keys())
def test_texts(key, language):
    c = card(key, language)
    assert c.category == "" or c.category in CATEGORIES
    assert len(c.choices) == 3 and 0 <= c.right < 3
    assert all(set(choice) == {"text", "says"} for choice in c.choices)
    assert 1 <= c.line <= len(c.broken.splitlines())
    assert c.title and c.symptom and c.question and c.rule.endswith(".") and c.bites
    assert c.broken != c.fixed


@pytest.mark.parametrize("key", keys())
def test_french_says_what_english_says(key):
    english, french = card(key, "en"), card(key, "fr")
    same = ("key", "right", "result", "good", "category", "line", "broken", "fixed")
    assert all(getattr(english, field) == getattr(french, field) for field in same)
    texts = [(getattr(english, f), getattr(french, f)) for f in ("title", "symptom", "question", "rule", "bites")]
    texts += [(a["says"], b["says"]) for a, b in zip(english.choices, french.choices)]
    assert len(french.choices) == 3 and all(a != b for a, b in texts), "a text is not translated"
    for a, b in zip(english.choices, french.choices):       # numbers, shapes and None are the same in both
        assert a["text"] == b["text"] or not re.search(r"^[\[(\d-]|^None$|^nan$", a["text"])
    for a, b in texts:
        assert not re.search(r"\w`? [:;?!](\s|$)", b), f"a space that can break: {b}"
        assert set(re.findall(r"`([^`]+)`", a)) == set(re.findall(r"`([^`]+)`", b)), (a, b)


def test_a_card_in_french():
    view = pitfalls.show("where-nan", "fr")
    view.choices.index = 0
    view.answer()
    said = view.text() + view.story.value + view.feedback.value
    assert "Règle\u00a0:" in said and "n'a pas de pente finie" in said and "0 fois l'infini" in said and "corrigé" in said
    assert "Rule" not in said and "has no" not in said and view.broken.board["language"] == "fr"
    assert view.check.description == "Répondre" and "Un NaN venu" in view.children[0].value
    view.close()
    with pytest.raises(ValueError, match="language must be one of en, fr"):
        pitfalls.show("where-nan", "xx")


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


# ---- what a learner does with a card

def opened(key="numpy-escape", code=None):
    view = pitfalls.show(key)
    if code is not None:
        view.broken_code.value = code
    view.reveal()
    return view


def test_a_program_that_was_changed_before_the_answer_is_run():
    view = pitfalls.show("integer-dtype")
    view.broken_code.value = view.broken_code.value.replace("10", "4.0")
    view.choices.index = 1
    view.answer()
    assert "8.0" in view.story.value and "its first text" in view.feedback.value
    view.reset.click()
    assert "None" in view.story.value and view.broken_code.value == card("integer-dtype").broken.rstrip("\n")
    view.close()


def test_an_error_is_told_with_its_line_and_escaped():
    view = opened(code="x = tf.Variable(1.0)\ny = x + <b>")
    assert "SyntaxError in line 2: invalid syntax" in view.message.value and "<b>" not in view.message.value
    assert "stops with" in view.story.value and view.pair is None
    view.broken_code.value = "raise SystemExit('done')"
    view.again.click()
    assert "SystemExit in line 1: done" in view.message.value
    view.close()


def test_a_program_without_an_answer_says_so():
    view = opened(code="")
    assert "there is no <code>g</code>" in view.story.value and "there is no g" in view.text()
    view.close()


@pytest.mark.parametrize("key", ["numpy-escape", "computed-before", "partial-escape", "zero-flat", "stretched-both", "tape-kept"])
def test_the_pair_opens_at_the_cut_or_at_both_answers(key):
    view = opened(key)
    acts = [shown_at(board, view.pair.trace["options"]["start"], view.pair.boards()) for board in view.pair.boards()]
    if card(key).result == "None":
        assert acts[0] in ("cut", "result")
    elif key != "tape-kept":
        assert acts == ["result", "result"]
    view.close()


def shown_at(board, moment, pair):
    """What a board shows at a moment of the pair, as static/pair/steps.js has it."""
    seed = [next((k for k, f in enumerate(b["frames"]) if f["act"] == "seed"), len(b["frames"])) for b in pair]
    own, first, last = seed[pair.index(board)], max(seed), max(len(b["frames"]) - s for b, s in zip(pair, seed))
    k = min(moment, own) if moment <= first else len(board["frames"]) if moment - first == last else min(
        own + moment - first, len(board["frames"]) - 1)
    return board["frames"][k - 1]["act"]


def test_what_a_program_prints_is_shown_up_to_a_length():
    view = opened(code="print('<i>', 7)\nfor k in range(100000):\n    print(k)")
    assert "&lt;i&gt; 7" in view.message.value and "and more" in view.message.value and len(view.message.value) < 4000
    view.close()


@pytest.fixture
def interruptible():
    """A run that was started in the background of a script ignores Ctrl+C, as its shell told it; a kernel never does."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_a_program_that_never_ends_is_stopped(monkeypatch, interruptible):
    view = pitfalls.show("numpy-escape")
    monkeypatch.setattr(programs, "SECONDS", 0.5)
    view.fixed_code.value = "g = 1"
    view.broken_code.value = ("x = tf.Variable(1.0)\nwhile True:\n    with tf.GradientTape() as tape:\n        y = x * x\n"
                              "    print(tape.gradient(y, x))")
    view.reveal()
    monkeypatch.undo()
    assert "still running after 0.5 seconds" in view.message.value and "a loop that never ends" in view.message.value
    assert view.pair is None and "stops with" in view.story.value
    view.reset.click()
    assert view.pair is not None and "stopped" not in view.message.value
    view.close()


def test_a_tape_that_a_program_leaves_open_does_not_record_what_comes_after():
    from minitape.engine.ground.listening import active
    assert run("tape = tf.GradientTape()\ntape.__enter__()\ng = 1").answer == "1" and active.get() == ()


def test_a_program_in_another_thread_has_no_limit_and_runs():
    import threading
    found = []
    thread = threading.Thread(target=lambda: found.append(run("g = 1")))
    thread.start()
    thread.join()
    assert found[0].answer == "1"


def test_an_answer_waits_on_the_page():
    """What an answer uncovers was made with the card: answering makes no widget, and a card is no crowd of them."""
    live = ipywidgets.widgets.widget._instances
    before = len(live)
    view = pitfalls.show("numpy-escape")
    made = len(live) - before
    assert made < 35, "each widget costs the page its time"
    assert view.stage.children == (view.pair,) and view.revealed.children == ()
    view.reveal()
    assert len(live) - before == made and view.stage in view.revealed.children
    view.close()
