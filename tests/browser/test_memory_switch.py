"""The picture of what a tape costs, in a real JupyterLab: a switch lets bars sink and brings them
back, by mouse and by keys.
"""

import pytest

pytestmark = pytest.mark.browser

CELL = """import minitape as tf
from minitape_widgets import costs

def block(h):
    return tf.tanh(tf.sin(h * h))

x = tf.Variable(tf.ones([50, 50]))
with tf.GradientTape() as tape:
    h = block(block(x))
costs(tape, recompute=[(1, 3), (4, 6)])"""


def head(output):
    return [text.text_content() for text in output.locator("text.mc-b").all() if text.is_visible()]


def test_the_switch_lets_bars_sink(open_notebook, accessible):
    notebook = open_notebook(cells=[CELL], width=1366, height=768)
    notebook.run_all()
    output, page = notebook.output(0), notebook.page
    switch = output.get_by_role("switch")
    switch.wait_for()

    def kept():
        page.wait_for_timeout(700)
        bars = output.locator("rect.mc-bar[data-now], rect.mc-drop[data-now]")
        return sum(
            bars.evaluate_all("found => found.map(one => one.getBoundingClientRect().width)")
        )

    before = kept()
    assert head(output) == ["This tape keeps 60 kB."] == [output.locator("title").text_content()]
    notebook.screenshot("costs_now")
    switch.click()
    assert abs(kept() / before - 1 / 3) < 0.02 and switch.get_attribute("aria-checked") == "true"
    assert (
        head(output)
        == ["Recomputed, this tape would keep 20 kB."]
        == [output.locator("title").text_content()]
    )
    notebook.screenshot("costs_then")
    page.keyboard.press("Space")
    assert abs(kept() - before) < 1 and switch.get_attribute("aria-checked") == "false"
    notebook.theme("dark")
    ground = output.locator("rect.mc-bg")
    assert ground.evaluate("one => getComputedStyle(one).fill") == "rgb(13, 17, 23)"
    notebook.screenshot("costs_dark")
    accessible(page, ".jp-OutputArea-output")
    assert not notebook.problems and not notebook.blocked
