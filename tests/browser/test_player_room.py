"""What is seen where room is short: the program, its graph and its sentence together, and no line without its beginning.

A window of 1366 by 625, which is what a small laptop leaves to a browser, shows 504 pixels of a notebook in JupyterLab.
"""
# ruff: noqa: E501  (lines of JavaScript)

import pytest

from minitape_widgets.pitfalls.programs import run
from tests.browser.stage import go
from tests.browser.test_player_layout import PARABOLA, shown

pytestmark = pytest.mark.browser

SMALL = {"width": 934, "height": 625}
LONG = ("x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = tf.sin(x) * tf.cos(x) + tf.exp(x) * tf.math.log(x) - tf.sqrt(x) * tf.tanh(x)"
        " + tf.square(x) * tf.sigmoid(x)\n\ntape.gradient(y, x)")
OUT = """([what, pane]) => { const s = document.querySelector('.minitape').shadowRoot, all = s.querySelector(pane).getBoundingClientRect();
    return [...s.querySelectorAll(what)].filter((e) => { const r = e.getBoundingClientRect();
        return r.height && (r.top < all.top - 1 || r.bottom > all.bottom + 1 || r.left < all.left - 1 || r.right > all.right + 1); }).map((e) => e.textContent); }"""


def out_of(page, what, pane):
    """The texts of what is not in view, whole, in its pane."""
    assert page.locator(what).count()
    return page.evaluate(OUT, [what, pane])


def test_a_lessons_program_its_graph_and_its_sentence_are_seen_together(stage):
    """With the inspector open, empty lines and comments are left out, and the others keep their numbers; folded away, it leaves room for all."""
    text = "# a slope\n" + PARABOLA
    page = shown(stage, run(text, explain=False).board, **SMALL)
    for numbers in (["2", "4", "5", "7"], list("1234567")):
        assert page.locator(".minitape").bounding_box()["height"] <= 504
        for k in range(page.player("return p.total;") + 1):
            go(page, k)
            assert page.locator(".line .number:visible").all_text_contents() == numbers
            assert out_of(page, ".line", ".code-scroll") == out_of(page, ".caption", ".caption-row") == [], k
            assert not k or out_of(page, ".node:not([hidden])", ".graph-scroll") == [], k
        page.locator(".fold-button").click()


@pytest.mark.parametrize("width, large", [(934, False), (592, False), (400, False), (934, True)])
def test_a_long_line_is_never_seen_without_its_beginning(stage, width, large):
    page = shown(stage, {"storyboard": run(LONG, explain=False).board, "options": {"large": large}}, width, 768)
    page.locator(".fold-button").click() if not page.locator(".code-scroll").is_visible() else None
    for k in range(page.player("return p.total;") + 1):
        go(page, k)
        assert page.player("const e = document.querySelector('.minitape').shadowRoot.querySelector('.code-scroll'); return e.scrollLeft === 0 && e.scrollWidth <= e.clientWidth;")
        assert not page.locator(".mark").count() or out_of(page, ".mark", ".code-scroll") == [], k
