"""The gallery in a real JupyterLab: predict, see both programs side by side, change them, in light and in dark."""

import os

import pytest

from minitape_widgets.pitfalls.card import cards
from tests.browser.pages import becomes

pytestmark = pytest.mark.browser

SHOW = "from minitape_widgets import pitfalls\npitfalls.show({key!r})"


def opened(open_notebook, key):
    """Opens a card; returns the notebook and the output area."""
    notebook = open_notebook(cells=[SHOW.format(key=key)], width=1400, height=1800)
    notebook.run_all()
    output = notebook.output(0)
    output.locator(".mt-pitfall").wait_for()
    return notebook, output


def test_predict_then_see(open_notebook, accessible):
    notebook, output = opened(open_notebook, "numpy-escape")
    assert output.locator(".pair").count() == 0, "the answer must not be shown before the learner has chosen"
    assert "the gradient is None" not in output.inner_text(), "the symptom gives the answer away"
    output.get_by_role("button", name="Answer").click()
    output.get_by_text("Choose an answer first").wait_for()
    output.get_by_label("[2. 6.]").check()
    output.get_by_role("button", name="Answer").click()
    output.get_by_text("NumPy records nothing").wait_for()
    output.get_by_text("the gradient is None").first.wait_for()
    output.locator(".pair-side").nth(1).wait_for()
    assert output.locator("mark").first.inner_text() == "np.mean(squares)"
    for theme in ("light", "dark"):
        notebook.theme(theme)
        notebook.page.wait_for_timeout(500)
        notebook.screenshot(f"pitfall_{theme}")
        accessible(notebook.page, ".mt-pitfall")
    assert not notebook.problems and not notebook.blocked


def test_both_players_step_together(open_notebook):
    notebook, output = opened(open_notebook, "numpy-escape")
    output.get_by_role("button", name="Show me").click()
    output.locator(".pair-side").nth(1).wait_for()
    captions = output.locator(".pair-side .caption")
    before = captions.all_inner_texts()
    output.locator(".pair-side .player").first.focus()
    notebook.page.keyboard.press("ArrowLeft")
    changed = lambda: [a != b for a, b in zip(captions.all_inner_texts(), before, strict=True)]
    assert becomes(notebook.page, [True, True], changed), captions.all_inner_texts()


def test_a_changed_program_runs_again(open_notebook):
    notebook, output = opened(open_notebook, "integer-dtype")
    output.get_by_role("button", name="Show me").click()
    output.locator(".pair-side").nth(1).wait_for()
    editor = output.locator("textarea").first
    editor.fill(editor.input_value().replace("tf.constant(10)", "tf.constant(4.0)"))
    editor.blur()
    output.get_by_role("button", name="Run both again").click()
    output.locator(".mt-answers").get_by_text("8.0").wait_for()
    editor.fill("x = tf.constant(<b>1</b>)")
    editor.blur()
    output.get_by_role("button", name="Run both again").click()
    output.get_by_text("The broken program stopped: SyntaxError in line 1").wait_for()
    assert not notebook.problems


def test_leaf_through_all(open_notebook, accessible):
    notebook = open_notebook(cells=["from minitape_widgets import pitfalls\npitfalls.all()"], width=1400, height=2000)
    notebook.run_all()
    output = notebook.output(0)
    every = 1 if "MINITAPE_SCREENSHOTS" in os.environ else 6         # all of them only for those who want to look at them
    for k, (key, card) in enumerate(list(cards().items())[::every]):
        output.locator(".mt-title").get_by_text(card.title, exact=True).wait_for()
        output.get_by_role("button", name="Show me").click()
        output.locator(".pair-side").nth(1).wait_for()
        if card.category:
            output.locator(".minitape-explanation").wait_for()
        notebook.theme("dark" if k % 2 else "light")
        if "MINITAPE_SCREENSHOTS" in os.environ:
            notebook.page.wait_for_timeout(400)
            notebook.screenshot(f"card_{k + 1:02d}_{key}")
        for _ in range(every):
            output.get_by_role("button", name="Next", exact=True).click()
    accessible(notebook.page, ".jp-OutputArea-output")
    assert not notebook.problems
    notebook.page.problems.clear()
