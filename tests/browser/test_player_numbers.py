"""The numbers of small arrays where the player speaks of them, as in its sentences."""

import pytest

import minitape as tf
from minitape.storyboard import Film, develop
from tests.browser.stage import go

pytestmark = pytest.mark.browser
LABELS = "return [...p.root.querySelectorAll(argument + ' .grid-inline')].map((e) => e.ariaLabel);"


@pytest.fixture(scope="module")
def product():
    """A product of two matrices, of six numbers and of four."""
    with Film() as film:
        x = tf.Variable([[1.0, 2.0], [3.0, 0.0], [2.0, 1.0]], name="x")
        w = tf.Variable([[1.0, 0.5], [2.0, -1.0]], name="w")
        with tf.GradientTape() as tape:
            y = x @ w
            loss = tf.reduce_sum(y * y)
        tape.gradient(loss, [x, w])
    return develop(film)


def test_sentences_have_numbers(stage, product):
    page = stage(product, width=964, height=768)
    shapes = {}
    for k in range(1, len(product["frames"]) + 1):
        go(page, k)
        if "[3×2]" in (said := page.locator(".caption").text_content()):
            shapes[k] = said
    assert not shapes
    assert page.player(LABELS, ".caption") == [
        "[[8.5 23.] [7.5 9.] [8. 16.]]",
        "[[44. 6.] [28. -6.]]",
    ]
    assert "gradients" not in page.locator(".caption").text_content(), "they are seen already"
    page.locator("select").first.select_option("line")
    go(page, len(product["frames"]))
    said = page.locator(".caption").text_content()
    assert "gradients" in said and len(page.player(LABELS, ".caption")) == 2
