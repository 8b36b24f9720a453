"""The arrangement of two players side by side."""

import pytest

from tests.browser.layouts import SEEN, height, pair, shown
from tests.browser.stage import go

pytestmark = pytest.mark.browser
LONG = pytest.mark.long


@pytest.mark.parametrize("width", [1186, 934, 844])
def test_a_pair_has_one_bar_and_stands_side_by_side(stage, accessible, width):
    page = shown(stage, pair(), width)
    assert page.locator("button.step").count() == 1 and page.locator(".scrubber").count() == 1
    assert height(page) <= SEEN and not page.locator(".top-bar .fold-button").is_visible()
    go(page, 6)
    captions = page.locator(".pair-side .caption")
    assert captions.count() == 2 and all(
        captions.nth(i).is_visible() and captions.nth(i).text_content() for i in (0, 1)
    )
    for pane in (".code", ".graph", ".strip-scroll"):
        first, second = (page.locator(pane).nth(i).bounding_box() for i in (0, 1))
        assert first["y"] == second["y"] and first["height"] == second["height"], pane
        assert first["x"] + first["width"] <= second["x"] + 1
    accessible(page, ".minitape")


@pytest.mark.parametrize(
    "width, large",
    [
        (400, False),
        (934, True),
        *(pytest.param(*case, marks=LONG) for case in ((592, False), (560, False), (1186, True))),
    ],
)
def test_a_pair_without_room_folds_its_tapes(stage, accessible, width, large):
    """One above the other, or in large type: sentence, code and graph of both are seen at once, and
    the tapes when they are asked for.
    """
    page = shown(stage, pair(large=large), width)
    seen = SEEN if width > 600 else 768 - 24  # a page so narrow has nothing around it
    assert height(page) <= seen
    go(page, 6)
    first, second = (page.locator(".pair-side").nth(i).bounding_box() for i in (0, 1))
    assert large or (
        first["width"] == second["width"] > width - 20
        and second["y"] >= first["y"] + first["height"]
    )
    for i in (0, 1):
        assert (
            page.locator(".code-scroll").nth(i).bounding_box()["height"] >= 60
            and page.locator(".graph-scroll").nth(i).bounding_box()["height"] >= 100
        )
    assert page.evaluate("""() => { const s = document.querySelector('.minitape').shadowRoot;
        return [...s.querySelectorAll('.graph-scroll')].every((e) => (e.clientWidth < 500 || e.scrollHeight <= e.clientHeight) && e.scrollWidth <= e.clientWidth); }""")
    bar = [
        page.locator(part).bounding_box()
        for part in (".transport", ".scrub", ".top-bar > .fold-button", ".top-bar > .icon-button")
    ]
    assert all(
        one["x"] + one["width"] <= other["x"] + 1 for one, other in zip(bar, bar[1:], strict=False)
    ), bar
    assert not page.locator(".pane.tape").first.is_visible()
    accessible(page, ".minitape")
    fold = page.locator(".top-bar .fold-button")
    fold.focus()
    page.keyboard.press("Enter")
    assert fold.get_attribute("aria-expanded") == "true" and all(
        page.locator(".pane.tape").nth(i).is_visible() for i in (0, 1)
    )
    height(page)
    fold.click()
    assert height(page) <= seen
