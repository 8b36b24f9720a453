"""A page with a training's health, and what tests ask of it."""

import pytest

from minitape_widgets import health_view
from minitape_widgets.health import PAGE
from minitape_widgets.page import html_of
from minitape_widgets.training import tapes
from tests.widgets.trained import fresh


@pytest.fixture
def page_of(open_page, tmp_path, monkeypatch):
    """page_of("vanishing"), or page_of(payload): a page with that view."""
    # on a busy machine a tape would be left out, and a note of it said
    monkeypatch.setattr(tapes, "SECONDS", 60.0)

    def opener(shown, language="en", **options):
        path = tmp_path / "health.html"
        if isinstance(shown, str):
            seen = fresh(shown)
            seen.language = language
            health_view(seen).save(path)
        else:
            path.write_text(
                html_of(shown, "<p>still</p>", "Health", language, PAGE, "health"), encoding="utf-8"
            )
        page = open_page(path, **options)
        # large data are unpacked first
        page.wait_for_selector(".health-title, .minitape-refused", state="attached")
        return page

    return opener


def text(page, selector):
    return page.locator(f".minitape {selector}").inner_text()


def focused(page):
    return page.evaluate(
        "document.querySelector('.minitape').shadowRoot.activeElement.classList[0]"
    )


def click(page, layer, step):
    """Clicks on the cell of a layer and a step."""
    box = page.locator(".health-cells").bounding_box()
    steps, rows = page.evaluate(
        "[Number(document.querySelector('.minitape').player.root.querySelector('.health-title')"
        ".textContent.split(' ')[0]), document.querySelector('.minitape').player.root"
        ".querySelectorAll('.health-names div').length]"
    )
    page.mouse.click(
        box["x"] + (step + 0.5) / steps * box["width"],
        box["y"] + (layer + 0.5) / rows * box["height"],
    )


def inner(page):
    """What the player of the tape shows: (its moment as words, its trail of opened boxes, the
    marked line of code).
    """
    page.wait_for_selector(".minitape .minitape .caption")
    return page.evaluate("""() => {
        const { player } = document.querySelector(".minitape .minitape"), text = (selector) =>
            [...player.root.querySelectorAll(selector)].map((one) => one.textContent).join(" / ");
        return { said: text(".caption"), trail: text(".trail button"), code: text(".code .is-now, .code mark, .code .now"), k: player.k };
    }""")


def chips(page):
    return [chip.inner_text() for chip in page.locator(".health .chip:visible").all()]
