"""A kernel is killed, restarted or gone: what it has shown stays, says so, and can be asked again; a
notebook that was saved meanwhile shows all that was seen.
"""

import json
import os
import signal

import pytest

from minitape_widgets.health import HEALTH
from minitape_widgets.packing import unpack
from tests.browser.pages import becomes

pytestmark = pytest.mark.browser

TRAINING = """
import os, time
import minitape as tf
from minitape_widgets import health_view
tf.random.set_seed(3)
x = tf.random.normal((64, 8))
model = tf.keras.Sequential([tf.keras.layers.Dense(12, activation="sigmoid") for _ in range(4)])
model.add(tf.keras.layers.Dense(1))
optimizer = tf.keras.optimizers.SGD(0.1)
print(os.getpid())
with health_view(model, every=1) as seen:
    for step in range(10_000):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - 1.0) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        if step >= 299:
            time.sleep(0.5)
"""
CARDS = [
    "import os\nprint(os.getpid())",
    "from minitape_widgets import pitfalls\npitfalls.show('integer-dtype')",
    "pitfalls.all()",
]
LOST = "The kernel of this card has stopped or was restarted."


def kill(notebook, cell):
    """Kills the kernel, as a system without memory does, and waits until another one is there."""
    os.kill(int(notebook.text(cell).split()[0]), signal.SIGKILL)
    notebook.page.get_by_role("dialog").get_by_role("button", name="Ok").click()
    notebook.wait_for_kernel()


def reopen(notebook, kernel):
    """Loads the page again, with the kernel or without one."""
    if not kernel:
        notebook.server.stop_kernels()
    notebook.page.goto(f"{notebook.server.url}/lab/tree/{notebook.name}?reset")
    notebook.page.locator(".jp-OutputArea-output").first.wait_for()
    notebook.wait_for_kernel()


def test_a_training_whose_kernel_was_killed_says_what_was_seen(open_notebook, accessible):
    notebook = open_notebook(cells=[TRAINING], width=1366, height=768)
    page = notebook.page
    title, note = page.locator(".health-title"), page.locator(".health-note")
    steps = lambda: int(title.inner_text().split()[0].replace(",", ""))  # noqa: E731
    notebook.start_all()
    page.locator(".health .chip:visible").first.wait_for()
    assert becomes(page, True, lambda: steps() >= 300, 60) and not note.is_visible()

    def stored():
        notebook.save()
        data = json.loads(notebook.file.read_text(encoding="utf-8"))["cells"][0]["outputs"][1]
        return unpack(data["data"][HEALTH])["steps"], "".join(data["data"]["text/plain"])

    assert becomes(page, True, lambda: stored()[0] >= 300, 20), "while it runs, too"
    assert stored()[1].startswith("3")
    kill(notebook, 0)
    said = "The training was not seen to its end: its kernel has stopped"
    assert becomes(page, True, lambda: note.inner_text().startswith(said)) and steps() >= 300
    notebook.screenshot("health_killed")
    reopen(notebook, kernel=False)
    assert becomes(page, True, note.is_visible)
    assert steps() >= 300 and note.inner_text().startswith(said)
    for theme in ("light", "dark"):
        notebook.theme(theme)
        notebook.screenshot(f"health_reopened_{theme}")
        accessible(page, ".minitape")
    assert not page.get_by_text("Error displaying").count() and not notebook.problems


def asked(notebook, value):
    """Changes the programs of the card, and asks its kernel."""
    output = notebook.output(1)
    if output.get_by_role("button", name="Edit").count():
        output.get_by_role("button", name="Edit").click()
    output.locator("textarea").first.fill(f"x = tf.constant({value})\ng = {value}")
    output.get_by_role("button", name="Run both").click()
    return output


def test_a_card_that_lost_its_kernel_says_so_and_can_be_asked_again(open_notebook, accessible):
    notebook = open_notebook(cells=CARDS, width=1366, height=900)
    page = notebook.page
    notebook.run_all()
    notebook.output(1).get_by_role("button", name="Show").click()
    asked(notebook, 4.5).locator(".card-answer").first.get_by_text("4.5").wait_for()
    notebook.save()
    reopen(notebook, kernel=True)
    notebook.output(1).get_by_role("button", name="Edit").wait_for()
    assert "4.5" in notebook.output(1).locator(".listing").first.inner_text(), "as the kernel knows"
    notebook.output(1).get_by_role("button", name="Show").click()
    asked(notebook, 5.5).locator(".card-answer").first.get_by_text("5.5").wait_for()
    kill(notebook, 0)
    output = asked(notebook, 6.5)
    output.get_by_text(LOST).wait_for()
    assert not output.locator(".running").count()
    notebook.screenshot("card_killed")
    notebook.run_all()
    assert not output.get_by_text(LOST).is_visible()
    notebook.output(1).get_by_role("button", name="Show").click()
    asked(notebook, 7.5).locator(".card-answer").first.get_by_text("7.5").wait_for()
    notebook.save()
    reopen(notebook, kernel=False)
    notebook.output(2).get_by_text(LOST).wait_for()
    assert notebook.output(1).get_by_role("button", name="Show").count()
    assert not notebook.output(1).get_by_role("button", name="Edit").count()
    for theme in ("light", "dark"):
        notebook.theme(theme)
        notebook.screenshot(f"card_reopened_{theme}")
        accessible(page, ".jp-OutputArea-output")
    assert not page.get_by_text("Error displaying").count()
    assert all("Cannot send" in problem for problem in notebook.problems)
