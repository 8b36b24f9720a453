"""A notebook as a page without a kernel and without a network: the players play, and without
JavaScript a picture stands there.
"""

import nbformat
import pytest

import minitape as tf
from minitape_widgets import ask, compare, play
from minitape_widgets.export import MinitapeExporter
from tests.widgets.played import parabola

pytestmark = pytest.mark.browser


def loop(rounds):
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x
        for _ in range(rounds):
            y = y * 1.001 + x
    return play(tape, y, x)


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """The page of a lesson with a player, a pair, a folded tape and a question."""
    shown = [
        parabola(predict=True),
        compare(parabola(), parabola()),
        loop(300),
        ask("How many?", 3, {2: "One more."}),
    ]
    view = {
        "application/vnd.jupyter.widget-view+json": {
            "version_major": 2,
            "version_minor": 0,
            "model_id": "of-another-day",
        }
    }
    cells = [nbformat.v4.new_markdown_cell("# A lesson\n\nWith $x^2$.")]
    for one in shown:
        output = nbformat.v4.new_output("display_data", data=view | one.picture())
        cells.append(nbformat.v4.new_code_cell("show", outputs=[output]))
    page = tmp_path_factory.mktemp("exported") / "lesson.html"
    page.write_text(
        MinitapeExporter().from_notebook_node(nbformat.v4.new_notebook(cells=cells))[0],
        encoding="utf-8",
    )
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_players_play_offline(open_page, accessible, screenshots, exported, scheme):
    page = open_page(exported, color_scheme=scheme)
    page.locator("#tape-3 .player").wait_for()
    around = page.evaluate("getComputedStyle(document.body).backgroundColor")
    red = int(around.removeprefix("rgb(").partition(",")[0])
    assert (red < 64) == (scheme == "dark"), around
    assert (
        page.locator(".player").first.evaluate("n => n.closest('[data-theme]').dataset.theme")
        == scheme
    )
    assert page.locator(".minitape .player").count() == 5
    first = page.locator("#tape-1")
    first.locator("button.step").click()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    assert page.evaluate("document.querySelector('#tape-1 .minitape').player.k") == 7
    page.keyboard.press("ArrowRight")
    assert first.locator(".prompt").is_visible(), "the question stops the play"
    page.locator("#tape-3 button[aria-label*='End']").click()
    assert page.locator("#tape-3 .count").text_content().split(" / ")[0] != "0"
    page.locator("#tape-4 input.answer").fill("2")
    page.keyboard.press("Enter")
    assert "One more." in page.locator("#tape-4 .feedback").text_content()
    assert page.locator(".minitape-still").count() == 0
    accessible(page, ".minitape")
    page.screenshot(path=screenshots / f"exported_{scheme}.png")
    assert not page.blocked and not page.problems


def test_without_javascript_there_is_a_picture(open_page, exported):
    page = open_page(exported, javascript=False)
    assert page.locator("#tape-1 .minitape-still img").evaluate(
        "picture => picture.complete && picture.naturalWidth > 100"
    )
    assert page.locator("#tape-4 .minitape-still").inner_text() == "How many?"
    assert not page.blocked


def test_a_saved_page(open_page, tmp_path):
    page = open_page(parabola(title="x*x + 3*x").save(tmp_path / "tape.html"))
    page.locator("button.step").click()
    page.keyboard.press("End")
    assert "7.0" in page.locator(".badges").text_content()
    page.goto(page.url + "#tape=k5.large")
    page.reload()
    page.locator(".player.large").wait_for()
    assert page.evaluate("document.querySelector('.minitape').player.k") == 5
    assert not page.blocked and not page.problems


def test_no_script_of_an_output_runs_that_plain_nbconvert_would_not_run(open_page, tmp_path):
    """An SVG that came with a trace, and texts in its place; a damaged trace leaves the picture,
    with a line of words.
    """
    hack = "window.hacked = true"
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" '
        f'onload="{hack}"><script>{hack}</script>'
        '<rect width="200" height="100" fill="green"/><foreignObject>'
        '<img xmlns="http://www.w3.org/1999/xhtml" src="x" '
        f'onerror="{hack}"/></foreignObject></svg>'
    )
    good = parabola().picture()
    damaged = {name: data for name, data in good.items() if name.endswith("json")}
    broken = {name: {"storyboard": {"version": 1, "frames": 5}} for name in damaged}
    bundles = [
        good | {"image/svg+xml": svg},
        broken | {"image/svg+xml": svg},
        damaged | {"text/plain": f"</pre><script>{hack}</script>"},
    ]
    cells = [
        nbformat.v4.new_code_cell(
            "show", outputs=[nbformat.v4.new_output("display_data", data=data)]
        )
        for data in bundles
    ]
    file = tmp_path / "lesson.html"
    file.write_text(
        MinitapeExporter().from_notebook_node(nbformat.v4.new_notebook(cells=cells))[0],
        encoding="utf-8",
    )
    page = open_page(file)
    page.locator("#tape-3 .player").wait_for()
    assert page.locator(".minitape").count() == 2
    assert (
        page.locator("#tape-2 .minitape-still img").evaluate(
            "picture => picture.complete && picture.naturalWidth"
        )
        == 200
    )
    assert "damaged" in page.locator("#tape-2 .minitape-refused").text_content()
    assert page.evaluate("window.hacked") is None
    page = open_page(file, javascript=False)
    assert page.locator(".minitape-still img").count() == 2
