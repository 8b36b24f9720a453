"""A valley on a page: the rate is dragged, steps are taken, the tape of a step is played."""

import pytest

from minitape_widgets import valley
from tests.browser.pages import becomes

pytestmark = pytest.mark.browser


def bowl(w):
    return (w - 1.0) ** 2 + 0.5


@pytest.fixture
def page_of(open_page, tmp_path):
    def opener(*given, language="en", **options):
        path = valley(*given, language=language, steps=8).save(tmp_path / "valley.html")
        page = open_page(path, **options)
        page.wait_for_selector(".valley")
        return page

    return opener


def text(page, selector):
    return page.locator(f".minitape {selector}").inner_text()


def test_the_rate_is_dragged_and_steps_are_taken(page_of, accessible):
    page = page_of(bowl, -1.5, width=1366, height=768)
    description, away, slider = ".valley-told", ".valley-away", page.locator(".valley-rate")
    assert (
        text(page, description).split("\n")[0] == "w = −1.5, loss = 6.75" and text(page, away) == ""
    )
    page.locator(".valley .step").click()
    assert (
        "w: −1.5 − 0.1 × (−5) = −1" in text(page, description)
        and text(page, ".valley .count") == "1 of 8 steps"
    )
    page.keyboard.press("ArrowRight")
    assert text(page, ".valley .count") == "2 of 8 steps"
    way = page.locator(".valley-way").get_attribute("d")
    assert way.count("L") == 2 and "NaN" not in way
    box = slider.bounding_box()
    page.mouse.move(box["x"] + 0.09 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 4, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()
    assert "At rate 1.2 the point left the picture at step 1" in text(page, away)
    assert (
        page.locator(".valley-arrow").is_visible()
        and "NaN" not in page.locator(".minitape").inner_html()
    )
    slider.press("ArrowLeft")
    assert text(page, ".valley output") == "1.18" and text(page, ".valley .count") == "8 of 8 steps"
    page.locator(".valley .transport button").first.click()
    assert text(page, away) == "" and not page.locator(".valley-arrow").is_visible()
    assert (
        slider.get_attribute("aria-label") == "learning rate"
        and slider.get_attribute("aria-valuetext") == "1.18"
    )
    page.get_by_role("button", name="The tape of this step").click()
    assert text(page, ".title") == "rate 1.18 in place of 0.1"
    accessible(page, ".minitape")
    assert not page.problems and not page.blocked


def test_the_tape_of_a_step_has_the_numbers_of_the_rate_and_both_go_together(page_of):
    page = page_of(bowl, -1.5)
    run = lambda code: page.evaluate(
        f"() => {{ const v = document.querySelector('.minitape').player; return {code} }}"
    )  # noqa: E731
    run("v.choose(50)")
    assert text(page, ".valley output") == "1"
    run("v.go(1)")
    page.get_by_role("button", name="The tape of this step").click()
    assert (
        text(page, ".valley-player .caption")
        .replace("\n", " ")
        .endswith("Step 2: the loss is 6.75.")
    )
    assert run("v.player.board.values[v.player.board.chapters[1].loss].number") == 6.75
    run("v.player.go(v.player.board.chapters[3].frame + 3)")
    assert text(page, ".valley .count") == "3 of 8 steps" and "w = 3.5" in text(
        page, ".valley-told"
    )
    run("v.choose(0)")
    assert becomes(
        page,
        True,
        lambda: run(
            "v.player && v.player.board.values[v.player.board.chapters[1].loss].number < 6.7"
        ),
    )
    run("v.destroy()")
    assert page.locator(".player").count() == 0 and not page.problems


def test_two_variables_in_french_where_it_is_narrow(page_of, accessible):
    page = page_of(
        lambda u, v: 0.5 * u**2 + 2.0 * v**2,
        (-3.0, 1.0),
        language="fr",
        width=480,
        reduced_motion="reduce",
        color_scheme="dark",
    )
    page.locator(".valley .step").click()
    assert (
        "u = −2.7, v = 0.6, perte = 4.365" in text(page, ".valley-told")
        and page.locator(".valley-contour").count() == 9
    )
    assert (
        page.locator(".valley-point").evaluate(
            "point => getComputedStyle(point).transitionDuration"
        )
        == "0s"
    )
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    accessible(page, ".minitape")
