"""The player's questions on a plain page: they stop the play, are answered by keys and by mouse,
and answer in their own words.
"""
# ruff: noqa: E501  (lines of JavaScript)

import pytest

import minitape as tf
from minitape_widgets import ask, play
from tests.browser.stage import go, handmade

pytestmark = pytest.mark.browser


def test_space_plays_slowly_and_stops_at_a_question(stage):
    page = stage(handmade.asked())
    page.locator(".minitape .player").focus()
    page.player(
        "p.root.querySelector('select[aria-label]').value = 2; p.root.querySelector('select[aria-label]').dispatchEvent(new Event('change'));"
    )
    page.keyboard.press(" ")
    page.locator(".prompt:not([hidden])").wait_for(timeout=8000)
    assert page.player("return p.k;") == 3
    assert page.locator(".top-bar [aria-pressed=true]").count() == 0


def test_prompts_judge_with_the_idea_behind_the_mistake(stage):
    """A sign, a card, a choice and a number: wrong first, with its idea, then right, and on."""
    page = stage(handmade.asked())
    step = lambda: page.locator("button.step").click()
    feedback = lambda: page.locator(".feedback").text_content()
    go(page, 3)
    step()
    assert page.player("return p.k;") == 3, "the player stops before the act"
    page.locator(".option", has_text="negative").click()
    assert feedback().startswith("Not yet")
    page.locator(".option", has_text="positive").click()
    assert feedback().startswith("Yes")
    page.keyboard.press("Enter")
    assert page.player("return p.k;") == 4
    go(page, 7)
    step()
    page.locator(".card").nth(0).click()
    assert feedback().startswith("Not yet")
    page.locator(".card").nth(1).click()
    assert feedback().startswith("Yes")
    page.get_by_role("button", name="Continue").click()
    go(page, 9)
    step()
    page.locator(".option", has_text="3.0").click()
    page.get_by_role("button", name="Continue").click()
    go(page, 13)
    step()
    page.locator("input.answer").fill("2")
    page.keyboard.press("Enter")
    assert "kept the last part only: 2.0 is in, 5.0 is missing" in feedback()
    page.locator("input.answer").fill("7,0")
    page.get_by_role("button", name="Check").click()
    assert "add up" in feedback()
    page.get_by_role("button", name="Continue").click()
    assert page.player("return p.k;") == 14
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    assert page.player("return p.k;") == 14, "a question is asked once"


def test_a_question_can_be_passed_over(stage):
    page = stage(handmade.asked())
    go(page, 3)
    page.locator("button.step").click()
    page.get_by_role("button", name="Show me").click()
    assert page.player("return p.k;") == 4


def test_a_question_of_its_own(stage, accessible):
    """Between the cells of a lesson: the idea behind a wrong answer, the right one, the answer
    given away; `code` is code.
    """
    number = ask(
        "What is `x*x` at <b>2</b>?", 4.0, {2.0: "That is `x` itself."}, right="Two times two."
    )
    choice = ask(
        "None, 0 or an error?",
        "None",
        {"0": "Zero is a number."},
        choices=["None", "0", "an error"],
    )
    page = stage({"storyboard": None, **number.trace}, {"storyboard": None, **choice.trace})
    first, second = page.locator("#p0"), page.locator("#p1")
    assert (
        first.locator(".question code").text_content() == "x*x"
        and first.locator(".question").text_content() == "What is x*x at <b>2</b>?"
    )
    first.locator("input.answer").fill("2")
    page.keyboard.press("Enter")
    assert "That is x itself." in first.locator(".feedback").text_content()
    first.locator("input.answer").fill("4")
    page.keyboard.press("Enter")
    assert "Yes. Two times two." in first.locator(".feedback").text_content()
    second.locator(".option", has_text="an error").click()
    assert "Not yet" in second.locator(".feedback").text_content()
    second.get_by_role("button", name="Show me").click()
    assert "None" in second.locator(".feedback").text_content()
    accessible(page, "main")
    assert not page.problems


def test_a_question_in_a_pair_stops_both(stage):
    """It is asked on its own side; answered or passed over, both go on together."""
    page = stage(
        {"pair": [handmade.broken(), handmade.asked()], "options": {"names": ["broken", "fixed"]}}
    )
    at = lambda: page.player("return p.players.map((q) => q.k);")
    page.locator("button.step").focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    assert at() == [3, 3] and page.locator(".pair-side").nth(1).locator(".prompt").is_visible()
    page.get_by_role("button", name="Show me").click()
    assert at() == [4, 4] and page.evaluate(
        "document.querySelector('.minitape').shadowRoot.activeElement.classList.contains('step')"
    )


def test_no_question_of_a_pair_is_passed_over(stage):
    """Where both ask at one moment, first one, then the other; nor by a step larger than an act,
    once an answer has led one ahead.
    """
    page = stage({"pair": [handmade.asked(), handmade.asked()], "options": {"link": "by-way"}})
    asked = lambda: page.player(
        "return p.players.map((q) => q.root.querySelector('.prompt').hidden ? 0 : q.k);"
    )
    met = []
    while page.player("return p.k < p.total && p.step(1), p.k < p.total;"):
        met.append(asked())
        for _ in filter(None, asked()):
            page.get_by_role("button", name="Show me").click()
    assert [pair for pair in met if any(pair)] == [
        [3, 0],
        [0, 3],
        [7, 0],
        [0, 7],
        [9, 0],
        [0, 9],
        [13, 0],
        [0, 13],
    ]


def test_a_question_takes_the_inspectors_place_and_nothing_moves(stage):
    """The graph and the tape, which the question is about, stay where they were; answered, the
    inspector is back.
    """
    page = stage(handmade.asked())
    place = lambda: [page.locator(pane).bounding_box()["y"] for pane in (".graph", ".tape")]
    go(page, handmade.asked()["prompts"][0]["frame"])
    before = place()
    page.locator("button.step").click()
    assert page.locator(".prompt").is_visible() and not page.locator(".inspector").is_visible()
    assert place() == before
    page.player("p.dismissPrompt();")
    assert page.locator(".inspector").is_visible() and place() == before


CARDS = {
    "en": ("no card 4", "order of recording", "play goes backwards", "Yes. Backwards, in"),
    "fr": (
        "pas de carte 4",
        "ordre d'enregistrement",
        "lecture va à reculons",
        "Oui. À rebours, ex",
    ),
}


@pytest.mark.parametrize("language", CARDS)
def test_every_wrong_card_is_answered_by_its_own_reason(stage, language):
    """A card that does not exist, one in the order of recording, one that was played already; then
    the right one, by a click.
    """
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x + 3.0 * x
    board = play(tape, y, x, predict="card", language=language).storyboard
    page = stage(board)
    go(page, board["prompts"][0]["frame"])
    page.locator("button.step").click()
    *wrong, right = CARDS[language]
    for given, said in zip("413", wrong):
        page.locator("input.answer").fill(given)
        page.keyboard.press("Enter")
        assert said in page.locator(".feedback").text_content()
    page.locator(".card").nth(1).click()
    assert page.locator(".feedback").text_content().startswith(right)
    assert not page.problems


def test_a_question_about_a_sign_is_answered_in_its_own_words(stage):
    """ "Does it grow or shrink?" is not answered by "negative"; the wrong way gets its idea."""
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = 3.0 - x * x
    board = play(tape, y, x, predict="sign x").storyboard
    page = stage(board)
    go(page, board["prompts"][0]["frame"])
    page.locator("button.step").click()
    assert page.locator(".option").all_text_contents() == [
        "It grows",
        "It shrinks",
        "It stays the same",
    ]
    page.locator(".option").first.click()
    assert "against each other" in page.locator(".feedback").text_content()
    page.locator(".option").nth(1).click()
    assert page.locator(".feedback").text_content().startswith("Yes. The sign")


def test_a_question_and_its_answer_are_seen_together(stage):
    """In the inspector's place, at a laptop's height, nothing of "Which card is visited next?"
    scrolls away under its feedback.
    """
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x + 3.0 * x
    board = play(tape, y, x, predict="card").storyboard
    page = stage(board, width=950, height=768)
    go(page, board["prompts"][0]["frame"])
    page.locator("button.step").click()
    page.locator("input.answer").fill("1")
    page.keyboard.press("Enter")
    panel, question = (page.locator(name).bounding_box() for name in (".prompt", ".question"))
    assert (
        question["y"] >= panel["y"]
        and "order of recording" in page.locator(".feedback").text_content()
    )


def test_a_field_is_the_learners_and_three_wrong_answers_get_three_hints(stage):
    """A blank, a word and a comma are understood; Ctrl+A selects the text of the field; no hint is
    said twice.
    """
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x + 3.0 * x
    board = play(tape, y, x, predict="adjoint x").storyboard
    page = stage(board)
    go(page, board["prompts"][0]["frame"])
    page.locator("button.step").click()
    field, said = page.locator("input.answer"), []
    for text in ("", "seven", "5", "100", "101", "99", "7,0"):
        field.fill(text)
        page.keyboard.press("Enter")
        said.append(page.locator(".feedback").text_content())
    assert len(set(said)) == 7 and "Nothing is written" in said[0] and "is not a number" in said[1]
    assert (
        "3.0 + 2.0 is in, 2.0 is missing" in said[2]
        and "smaller" in said[5]
        and said[6].startswith("Yes.")
    )
    page.evaluate("document.addEventListener('keydown', (event) => { window.heard = event.key; })")
    field.fill("123")
    page.keyboard.press("Control+a")
    field_now = "document.querySelector('.minitape').shadowRoot.activeElement"
    assert page.evaluate(
        f"[{field_now}.selectionStart, {field_now}.selectionEnd, window.heard]"
    ) == [0, 3, "Control"]


def test_choices_that_are_small_numbers_are_not_taken_for_each_other(stage):
    question = ask(
        "Which step?",
        "1e-08",
        {"1e-15": "Too small.", "0.1": "Too large."},
        right="That one.",
        choices=["0.1", "1e-08", "1e-15"],
    )
    page = stage({"storyboard": None, **question.trace})
    for text, said in (
        ("1e-15", "Not yet. Too small."),
        ("0.1", "Not yet. Too large."),
        ("1e-08", "Yes. That one."),
    ):
        page.locator(".option", has_text=text).click()
        assert page.locator(".feedback").text_content().strip() == said
