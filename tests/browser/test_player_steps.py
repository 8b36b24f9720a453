"""How the player is driven on a plain page: by keys, in steps of each size, two players at once."""

import pytest

from tests.browser.stage import go, handmade, programs
from tests.browser.test_player_arrays import LIT, classifier  # noqa: F401
from tests.browser.test_player_motion import FREEZE, at, seen

pytestmark = pytest.mark.browser


def test_keyboard(stage):
    """Everything by keys; Escape and Tab lead out, and keys with Ctrl are the page's."""
    page = stage(handmade.parabola())
    k = lambda: page.player("return p.k;")
    page.evaluate(
        "window.seen = []; document.addEventListener('keydown', (e) => window.seen.push((e.ctrlKey ? 'Ctrl+' : '') + e.key))"
    )
    page.locator("button.step").focus()
    for key, expected in [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 16),
        ("Home", 0),
    ]:
        page.keyboard.press(key)
        assert k() == expected, key
    page.keyboard.press("Enter")
    assert k() == 1
    page.keyboard.press("x")
    page.keyboard.press("Control+s")
    assert page.evaluate("window.seen") == ["Control", "Ctrl+s"] or "Ctrl+s" in page.evaluate(
        "window.seen"
    )
    assert "x" not in page.evaluate("window.seen")
    go(page, 3)
    page.locator(".card").nth(2).focus()
    page.keyboard.press("ArrowUp")
    assert "Card 2" in page.locator(".inspector-title").text_content()
    page.keyboard.press("ArrowRight")
    assert k() == 4
    page.locator('.node[tabindex="0"]').focus()
    page.keyboard.press("Enter")
    assert page.locator(".node.chosen").count() == 1
    page.keyboard.press("Escape")
    assert page.locator(".node.chosen").count() == 0
    for _ in range(40):  # focus is never trapped
        page.keyboard.press("Tab")
        if page.evaluate(
            "document.activeElement === document.body || !document.activeElement.closest('.minitape')"
        ):
            break
    else:
        pytest.fail("Tab does not lead out of the player")


def test_two_players_step_together(stage):
    board, other = handmade.broken(), handmade.parabola()
    other["prompts"] = []
    page = stage({"pair": [board, other], "options": {"names": ["broken", "fixed"]}})
    at = lambda: page.player("return p.players.map((q) => q.k);")
    assert at() == [0, 0]
    page.locator("button.step").click()
    assert at() == [1, 1]
    page.locator("button.step").click()
    page.locator("button.step").click()
    assert at() == [3, 3]
    page.locator("button[aria-label*='End']").click()
    assert at() == [6, 16]
    page.locator("button[aria-label*='Home']").click()
    assert at() == [0, 0]
    # the shorter one goes to its end by itself: the other has farther to go
    page.player("p.players[0].go(6);")
    assert at() == page.player("return p.moments.find((moment) => moment[0] === 6);")
    page.locator("button[aria-label*='Home']").click()
    # the shorter one waits, and still steps the longer one
    for _ in range(len(page.player("return p.moments;")) - 1):
        page.keyboard.press("ArrowRight")
    assert at() == [6, 16]
    moments = page.player("return p.moments;")
    assert (
        moments[0] == [0, 0]
        and moments[-1] == [6, 16]
        and all(b[i] >= a[i] for a, b in zip(moments, moments[1:]) for i in (0, 1))
    )


PLAYING = ".top-bar [aria-pressed=true]"


def test_a_step_is_as_large_as_one_chose(stage, accessible):
    """By the list in the bar and by a digit; with Shift a single act; Space presses a button, P
    plays; up and down reach the cards.
    """
    page = stage(programs()["loop"])
    at = lambda: page.player("return p.k;")
    page.locator("button.step").click()
    page.keyboard.press("Space")
    assert at() == 2 and page.locator(PLAYING).count() == 0
    page.keyboard.press("p")
    assert page.locator(PLAYING).count() == 1
    page.keyboard.press("p")
    page.keyboard.press("Home")
    page.keyboard.press("4")
    assert (
        page.locator("select.size").input_value() == "round"
        and page.locator(".count").text_content() == "0 / 3"
    )
    page.keyboard.press("ArrowRight")
    assert page.locator(".count").text_content() == "1 / 3" and page.locator(
        ".caption"
    ).text_content().startswith("Step 1: the loss is 4.0.")
    end = at()
    page.keyboard.press("Shift+ArrowRight")
    assert at() == end + 1
    page.locator("select.size").select_option("line")
    page.locator("button.step").click()
    assert at() > end + 1 and ".by-line" in page.locator(".link-text").input_value()
    accessible(page, "#p0")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(
        "document.querySelector('.minitape').shadowRoot.activeElement.classList.contains('card')"
    )
    assert not page.problems


PLAIN = """const html = (s) => p.root.querySelector(s).innerHTML;
    return html('.graph-svg') + html('.caption') + html('.inspector');"""


NEXT = """async () => { for (const one of moving) one.finish();
    await Promise.allSettled(moving.map((one) => one.finished));
    const { root } = document.querySelector('.minitape').player;
    window.moving = root.getAnimations({ subtree: true });
    for (const one of moving) one.pause();
    return moving.length; }"""
HELD = """return moving.filter((one) => one.effect.target.closest('.graph-svg'))
    .map((one) => one.effect.getComputedTiming().endTime);"""


def acts_of(page, code="p.step(1);"):
    """The acts that a step moves: what is lit in each, what flies, and what the callout says."""
    acts = []
    count = page.player(code + FREEZE)
    while count:
        assert max(page.player(HELD)) < 600.01 and not seen(page, ".caption .is-result")
        at(page, 120)
        flies = page.locator(".traveller text").all_text_contents()
        acts.append((len(page.player(LIT)), flies, page.locator(".callout").all_text_contents()))
        count = page.evaluate(NEXT)
    return acts


def test_a_step_of_a_line_moves_its_acts_one_after_the_other(stage, classifier):  # noqa: F811
    """Else a net of two layers, which goes line by line at first, would show no fold and no product.
    What is moved is seen in the graph alone: all else is as it is after the step.
    """
    page = stage(classifier, width=964, height=768)
    go(page, 0)
    assert page.locator("select.size").input_value() == "line"
    moved = {}
    while page.player("return p.k < p.total;"):
        moved[page.player("return p.k;")] = acts_of(page)
    assert [len(acts) for acts in moved.values()] == [3, 1, 1, 0, 1, 1, 3, 1]
    stretched, product, _ = moved[5]
    assert "+0.1" in stretched[1] and product[0] == 3, "b1 lies down on the rows; a row, a column"
    (_, first, _), (_, second, folded), last = moved[25]
    assert "×0." in first and "+0.1793" in second and folded[0].startswith("Σ") and last[0] == 3
    assert len({callout for _, _, (callout,) in moved[25]}) == 3, "it follows the act"


@pytest.mark.parametrize("how", ["click", "key", "select", "step on"])
def test_whatever_is_done_ends_the_acts_of_a_step(stage, classifier, how):  # noqa: F811
    page = stage(classifier, width=964, height=768)
    go(page, 30)
    go(page, 6 if how == "step on" else 5)  # backwards nothing moves
    expected = page.player(PLAIN)
    go(page, 0)
    assert page.player("p.step(1);" + FREEZE)
    assert page.player(PLAIN) != expected
    if how == "click":
        page.locator(".caption").click()
    elif how == "key":
        page.locator("select.size").press("Shift")
    elif how == "select":
        page.player("p.change({});")
    else:
        assert len(acts_of(page)) == 1, "nothing waits in a queue"
    assert page.player(FREEZE) == 0 and page.player(PLAIN) == expected
    assert not page.locator(".traveller").count()


@pytest.mark.parametrize(
    "media, code, acts",
    [
        ({"reduced_motion": "reduce"}, "p.step(1);", 0),
        ({}, "p.go(25, true);", 1),
        ({}, "p.go(24);", 0),
    ],
    ids=["calm", "play", "a jump"],
)
def test_acts_move_only_where_one_steps(stage, classifier, media, code, acts):  # noqa: F811
    page = stage(classifier, width=964, height=768, **media)
    go(page, 12)
    assert len(acts_of(page, code)) == acts


def test_two_players_step_in_every_size(stage):
    boards = programs()
    page = stage(
        {"pair": [boards["loop"], boards["nested"]], "options": {"names": ["broken", "fixed"]}}
    )
    page.locator("button.step").focus()
    page.keyboard.press("5")
    both = [page.player("return p.players.map((q) => q.k);")]
    while len(both) < 2 or both[-1] != both[-2]:
        page.keyboard.press("ArrowRight")
        both.append(page.player("return p.players.map((q) => q.k);"))
    assert (
        both[-1] == [len(boards["loop"]["frames"]), len(boards["nested"]["frames"])]
        and len(both) < 10
    )
    page.keyboard.press("ArrowLeft")
    assert page.player("return p.players.map((q) => q.k);") == both[-3]
    assert not page.problems


@pytest.mark.parametrize("language", ["en", "fr"])
def test_on_a_phone_the_size_of_a_step_is_read_whole(stage, language):
    """The names of all usual sizes, beside the arrow of the list; a slider is left."""
    board = {"storyboard": handmade.parabola(), "options": {"language": language}}
    page = stage(board, style="body { margin: 0 }", width=390, height=844)
    spare = page.player(
        """const size = p.root.querySelector('select.size'), style = getComputedStyle(size);
        const arrow = 18, room = size.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
        const pen = document.createElement('canvas').getContext('2d');
        pen.font = style.font;
        const told = window.minitape.CATALOGUES[argument];
        return ['act', 'card', 'line', 'layer', 'round'].map((name) => room - pen.measureText(told['ui.size.' + name]).width);""",
        language,
    )
    assert min(spare) >= 0, spare
    assert page.locator(".scrubber").bounding_box()["width"] > 250
