"""Takes pictures of the player for the README: `python -m tests.browser.pictures` (from the checkout, PYTHONPATH=.:widgets).

Each is a cell as a learner would write it, run by IPython with `%%tape`, shown in a plain page at one moment.
"""

import os

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from playwright.sync_api import sync_playwright

from minitape_widgets import TRACE, export
from tests.browser.lab import ROOT
from tests.browser.pages import ARGUMENTS
from tests.conftest import find_browser

PARABOLA = "x = tf.Variable(2.0)\n\nwith tf.GradientTape() as tape:\n    y = x*x + 3*x\n\ntape.gradient(y, x)"
ESCAPE = ("v = tf.Variable([1.0, 2.0, 3.0])\n\nwith tf.GradientTape() as tape:\n    squares = v * v\n    m = np.mean(squares)\n"
          "    loss = tf.constant(m) * 2.0\n\nslope = tape.gradient(loss, v)")
LOOP = ("w = tf.Variable(1.0)\n\nfor step in range(8):\n    with tf.GradientTape() as tape:\n        loss = (2.0 * w - 6.0)**2\n"
        "    slope = tape.gradient(loss, w)\n    w.assign_sub(0.05 * slope)")
PICTURES = {                                                    # name: cell, options of %%tape, the act to look for, scheme, ask?
    "none": (ESCAPE, "", ("cut", 1), "light", False),
    "predict": (PARABOLA, "--predict --hide inspector", ("sum", 1), "light", True),
    "loop": (LOOP, "--hide inspector", ("part", 10), "light", False),
}


def moment(board, act, count):
    """Returns the k after which the act was seen `count` times."""
    seen = [k for k, frame in enumerate(board["frames"], 1) if frame["act"] == act]
    return seen[min(count, len(seen)) - 1]


def main():
    os.environ["MINITAPE_LAYOUT"] = "layers"                    # the same pictures on every machine
    shell = InteractiveShell.instance()
    shell.run_cell("import numpy as np, minitape as tf\n%load_ext minitape_widgets")
    folder = ROOT / "notebooks" / "images"
    folder.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        for name, (cell, options, (act, count), scheme, asks) in PICTURES.items():
            with capture_output() as captured:
                shell.run_cell(f"%%tape {options}\n{cell}")
            trace = next(output.data[TRACE] for output in captured.outputs if TRACE in output.data)
            page = browser.new_page(viewport={"width": 1080, "height": 900}, color_scheme=scheme, device_scale_factor=1.5)
            page.set_content("<!doctype html><style>body{margin:12px;background:white}</style>"
                             + export.place(trace, "", "tape") + export.script())
            page.locator(".player").wait_for()
            k = moment(trace["storyboard"], act, count) - (1 if asks else 0)
            page.evaluate("k => document.querySelector('.minitape').player.go(k)", k)
            if asks:
                page.locator("button.step").click()
                page.locator("input.answer").fill("2")
                page.keyboard.press("Enter")
            page.wait_for_timeout(600)
            page.locator(".player").screenshot(path=folder / f"{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
