"""Every card of the gallery is true: the broken program gives the stated result, category and line;
the mended one the right number.
"""

import html
import re
from itertools import groupby

import pytest

from minitape.explain import CATEGORIES
from minitape.sentences import COMPLETE
from minitape_widgets import pitfalls
from minitape_widgets.drawn import MARKED
from minitape_widgets.pitfalls.card import SITUATIONS, card, cards, keys
from minitape_widgets.pitfalls.difference import difference
from minitape_widgets.pitfalls.programs import question, run
from tests.test_tree import ROOT

ALL = [*keys(), *keys("torch")]  # of PyTorch what is recorded, see tests/real_torch/test_gallery.py


@pytest.mark.parametrize("key", ALL)
def test_broken_program(key):
    c = card(key)
    found = run(c.broken, "broken", library=c.library)
    assert found.answer == c.result
    assert found.board is not None and found.board.text()
    if c.category:
        assert (found.explanation.category, found.explanation.lineno) == (c.category, c.line), str(
            found.explanation
        )
        assert found.explanation.certain


@pytest.mark.parametrize("key", [k for k in ALL if card(k).result == "None"])
def test_the_picture_says_what_the_explanation_says(key):
    found = run(card(key).broken, "broken", library=card(key).library)
    said = [note["params"]["why"] for note in found.board["notes"] if note["kind"] == "explanation"]
    # what arrives where PyTorch keeps nothing is drawn as it is
    arrives = all(f["value"] is not None for f in found.board["frames"] if f["act"] == "result")
    assert said == [found.explanation.message] * (not arrives)
    assert not arrives or key in (
        "torch-not-a-leaf",
        "torch-middle",
        "torch-replaced",
        "torch-cleared",
    )


@pytest.mark.parametrize("language", COMPLETE)
@pytest.mark.parametrize("key", keys("torch"))
def test_pytorch_has_a_graph_and_no_tape(key, language):
    for code in (card(key).broken, card(key).fixed):
        board = run(code, "broken", language=language, library="torch").board
        assert not re.search(r"\b(tape|bande)s?\b", board.text(limit=None) + board.svg(), re.I)


@pytest.mark.parametrize("key", ALL)
def test_mended_program(key):
    c = card(key)
    found = run(c.fixed, "mended", library=c.library)
    assert found.error is None and found.answer == c.good
    if c.category not in ("summed-target", ""):
        assert found.explanation.category == "healthy", str(found.explanation)


@pytest.mark.parametrize("language", COMPLETE)
@pytest.mark.parametrize("key", ALL)
def test_texts(key, language):
    c = card(key, language)
    assert c.category == "" or c.category in CATEGORIES
    assert len(c.choices) == 4 and 0 <= c.right < 4
    assert all(set(choice) == {"text", "says"} for choice in c.choices)
    assert 1 <= c.line <= len(c.broken.splitlines())
    assert c.title and c.symptom and c.question and c.rule.endswith(".") and c.bites
    assert c.broken != c.fixed


@pytest.mark.parametrize("key", ALL)
def test_french_says_what_english_says(key):
    english, french = card(key, "en"), card(key, "fr")
    same = ("key", "right", "result", "good", "category", "line", "broken", "fixed")
    assert all(getattr(english, field) == getattr(french, field) for field in same)
    texts = [
        (getattr(english, f), getattr(french, f))
        for f in ("title", "symptom", "question", "rule", "bites")
    ]
    texts += [(a["says"], b["says"]) for a, b in zip(english.choices, french.choices)]
    assert len(french.choices) == 4 and all(a != b for a, b in texts), "a text is not translated"
    # numbers, shapes and None are the same in both
    for a, b in zip(english.choices, french.choices):
        assert a["text"] == b["text"] or not re.search(r"^[\[(\d-]|^None$|^nan$", a["text"])
    for a, b in texts:
        assert not re.search(r"\w`? [:;?!](\s|$)", b), f"a space that can break: {b}"
        assert set(re.findall(r"`([^`]+)`", a)) == set(re.findall(r"`([^`]+)`", b)), (a, b)


@pytest.mark.parametrize("key", ALL)
def test_the_question_names_its_program_and_the_right_choice_is_what_that_gives(key):
    c = card(key)
    (program,) = re.findall(r"(broken|mended) program", c.question)
    right, gives = c.choices[c.right]["text"], c.result if program == "broken" else c.good
    if key == "stretched-both":  # asks for a shape on the way
        right, gives = str((2, 2)), str(run(c.broken + "g = error.shape\n").answer)
    if right == "an error":
        assert gives.endswith("Error")
    elif "first number" in c.question:
        assert gives.strip("[ ").startswith(right)
    else:
        assert re.findall(r"[-\w.()]+", right) == re.findall(r"[-\w.()]+", gives)


@pytest.mark.parametrize("library, name", [("tf", "pitfalls"), ("torch", "torch_pitfalls")])
def test_no_answer_is_right_so_often_that_one_clicks_it_unread(library, name):
    """Neither None, nor one of the places, in the notebook as little as in the list of all."""
    notebook = (ROOT / "notebooks" / "sources" / f"{name}.py").read_text(encoding="utf-8")
    told = re.findall(r'pitfalls\.show\("(.*?)"\)', notebook)
    assert sorted(told) == sorted(keys(library))
    for order in (told, keys(library)):
        right = [(card(key).right, card(key).choices[card(key).right]["text"]) for key in order]
        texts, places = [text for _, text in right], [place for place, _ in right]
        assert texts.count("None") * 2.5 < len(order) and max(map(places.count, places)) < 10
        runs = [len(list(same)) for _, same in groupby(texts)]
        assert max(runs) <= 2 and set(texts[:5]) - {"None"}


@pytest.mark.parametrize("language", COMPLETE)
@pytest.mark.parametrize("key", ALL)
def test_nothing_tells_the_answer_before_the_last_try(key, language):
    """Neither the title, which stands over the question, nor what a wrong choice says, after which
    there is another try.
    """
    c = card(key, language)
    right = (
        "error|erreur"
        if c.choices[c.right]["text"] in ("an error", "une erreur")
        else c.choices[c.right]["text"]
    )
    said = {
        "0.0": "0|0[.]0|zero|zéro",
        "111.0": "111|sum|summed|added|additionn.*",
        "3": "3|three|trois",
        "error|erreur": "error|erreur",
    }.get(right, re.escape(right))
    for text in (c.title, *(choice["says"] for k, choice in enumerate(c.choices) if k != c.right)):
        assert not re.search(rf"(?<![\w.(-])({said})(?![\w.])", text.rstrip("."), re.IGNORECASE), (
            text
        )


SEARCHES = {
    "en": {
        "broadcast": "stretched-both",
        "loss stuck": "variable-replaced",
        "memory leak": "tape-kept",
        "inf": "where-nan",
        "argmax": "piecewise-constant",
        "condition": "branch-not-taken",
        "jacobian": "summed-target",
        "detach": "stop-gradient",
        "error": "tape-used",
        "index": "another-object",
    },
    "fr": {
        "diffusion": "stretched-both",
        "perte bloquée": "variable-replaced",
        "fuite": "tape-kept",
        "infini": "where-nan",
        "gradient nul": "zero-flat",
        "condition": "branch-not-taken",
        "jacobienne": "summed-target",
        "détacher": "stop-gradient",
        "erreur": "tape-used",
        "suivre": "not-watched",
    },
}


@pytest.mark.parametrize("language", COMPLETE)
def test_the_words_of_a_student_lead_to_their_card(language):
    """All words of a search stand in the text of its card, whose own words they often are not."""
    view = pitfalls.all(language)
    texts = {entry["key"]: entry["text"].lower() for entry in view.about()["gallery"]}
    view.close()
    for asked, key in SEARCHES[language].items():
        assert all(word in texts[key] for word in asked.split()), asked
    assert {bool(card(key, language).also) == bool(card(key).also) for key in keys()} == {True}
    assert language == "en" or all(
        card(key, language).also != card(key).also for key in keys() if card(key).also
    )


@pytest.mark.parametrize("key", [key for key in ALL if card(key).category])
def test_what_is_explained_is_explained_in_french(key):
    told = []
    for language in COMPLETE:
        view = pitfalls.show(key, language)
        told.append(view.about()["told"])
        view.close()
    assert all(told[0][part] != told[1][part] for part in ("why", "fix")), told


def test_a_card_that_a_language_has_not_translated_is_in_english():
    assert cards("es") == cards("en") != cards("fr")


def test_a_card_in_french():
    view = pitfalls.show("where-nan", "fr")
    said = view.text() + str(view.about()) + view.picture()["text/html"]
    assert (
        "Règle\u00a0:" in said
        and "n'a pas de pente finie" in said
        and "0 fois l'infini" in said
        and "corrigé" in said
    )
    text = html.unescape(
        re.sub("<pre.*?</pre>|<[^>]+>", "", view.picture()["text/html"], flags=re.DOTALL)
    )
    assert not re.search(r"[a-zé)][:;!?]\s", text), "a French sign stands behind a space"
    assert "Rule" not in said and "has no" not in said and view.broken.board["language"] == "fr"
    assert "Un where qui" in view.picture()["text/plain"]
    view.close()
    with pytest.raises(ValueError, match="language must be one of en, fr"):
        pitfalls.show("where-nan", "xx")


def test_a_mark_is_read_on_any_page():
    """JupyterLab's cleaner leaves colours as numbers and takes `inherit` away; what is left must be
    read in light and in dark.
    """
    for style in MARKED:
        ink, ground = re.match(r"color:#(\w{6});background-color:#(\w{6});", style).groups()
        assert max(bytes.fromhex(ink)) < 0x40 and min(bytes.fromhex(ground)) > 0xC0


def test_the_four_documented_ones_come_first():
    assert keys()[:4] == ["variable-replaced", "numpy-escape", "integer-dtype", "state-assign"]
    assert len(cards()) >= 20


def test_a_program_on_its_own_and_one_that_needs_pytorch():
    assert pitfalls.board("x = tf.Variable(2.0)\nwith tf.GradientTape() as t:\n    y = x * x")[
        "cards"
    ]
    assert pitfalls.board(card("torch-detached").broken, "torch")["cards"]
    with pytest.raises(ImportError, match="pip install torch"):
        pitfalls.board("g = torch.ones(2)", "torch")
    for call in (lambda: pitfalls.board("g = 1", "jax"), lambda: pitfalls.all(library="jax")):
        with pytest.raises(ValueError, match="library must be one of tf, torch"):
            call()


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
    from minitape_widgets import Player

    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.round(x))
    with pytest.warns(tf.errors.NoneGradientWarning):
        tape.gradient(y, x)
    shown_text = tape.explain(y, x)
    player = shown_text.play()
    assert (
        isinstance(player, Player)
        and player.storyboard["frames"][player.trace["options"]["start"] - 1]["act"] == "cut"
    )
    assert "tape.explain(y, x).play()" in shown_text._repr_html_()
    assert tape.used and shown_text.play() is not player


@pytest.mark.parametrize("key", ALL)
def test_the_marks_lie_in_their_lines_and_are_what_differs(key):
    c = card(key)
    programs, left = (c.broken.strip("\n"), c.fixed.strip("\n")), []
    for code, marks in zip(programs, difference(*programs)):
        lines = code.splitlines()
        assert all(
            0 <= first < last <= len(lines[n - 1]) and lines[n - 1][first:last].strip()
            for n, first, last in marks
        )
        cut = [list(line) for line in lines]
        for n, first, last in marks:
            cut[n - 1][first:last] = " " * (last - first)
        left.append([line for line in ("".join(letters).split() for letters in cut) if line])
    assert "".join("".join(line) for line in left[0]) == "".join("".join(line) for line in left[1])


def test_equal_programs_have_no_marks():
    assert difference("a = 1\nb = 2", "a = 1\nb = 2") == ([], [])


@pytest.mark.parametrize("language", COMPLETE)
def test_the_gallery_leads_to_its_cards(language):
    view = pitfalls.all(language)
    about = view.about()
    assert (
        {name for entry in about["gallery"] for name in entry["situations"]}
        == set(SITUATIONS)
        == set(about["situations"])
    )
    assert [entry["key"] for entry in about["gallery"]] == keys()
    assert all(about["words"][name] for name in SITUATIONS)
    view._page_asked(view, {"open": "where-nan"}, [])
    assert view.card.key == "where-nan" and view.about()["key"] == "where-nan"
    view._page_asked(view, {"open": "nonsense"}, [])
    assert view.card.key == "where-nan"
    assert all(
        key in view.picture()["text/html"] and key in view.picture()["text/plain"] for key in keys()
    )
    view.close()


@pytest.mark.parametrize("key", ALL)
def test_a_situation_is_what_one_sees(key):
    c = card(key)
    seen = {
        "None": "none",
        "0.0": "zero",
        "1.0": "still",  # a weight after a step
        "LookupError": "raises",
        "RuntimeError": "raises",
    }.get(c.result)
    seen = seen or (
        "nan" if "nan" in c.result else "wrong-number" if key != "tape-kept" else "memory"
    )
    assert seen in c.situations and set(c.situations) <= {seen, "still"}
