"""Takes all pictures of the README: `make pictures [ARGS="name ..."]`.

Players: each is a cell as a learner would write it, run by IPython with `%%tape`, shown in a plain
page at one moment. What needs a kernel (a card of the gallery) or shows no player (an explanation)
is taken from a real JupyterLab. Films: a whole play of such a player, every move of it taken at
times of its own clock, in the rhythm of slow play, as an animated WebP.
"""

import io
import os
import sys
import tempfile
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from PIL import Image
from playwright.sync_api import sync_playwright

from minitape_widgets import TRACE, export
from tests.browser.lab import ROOT, Notebook, Server, copy_of
from tests.browser.pages import ARGUMENTS, watch
from tests.conftest import find_browser

PARABOLA = (
    "x = tf.Variable(2.0)\n\nwith tf.GradientTape() as tape:\n    y = x*x + 3*x\n\n"
    "tape.gradient(y, x)"
)
ESCAPE = (
    "v = tf.Variable([1.0, 2.0, 3.0])\n\nwith tf.GradientTape() as tape:\n    squares = v * v\n"
    "    m = np.mean(squares)\n"
    "    loss = tf.constant(m) * 2.0\n\nslope = tape.gradient(loss, v)"
)
LOOP = (
    "w = tf.Variable(1.0)\n\nfor step in range(8):\n    with tf.GradientTape() as tape:\n        "
    "loss = (2.0 * w - 6.0)**2\n"
    "    slope = tape.gradient(loss, w)\n    w.assign_sub(0.05 * slope)"
)
LINE = (
    "x = tf.constant([[1.0, 2.0], [3.0, 0.0], [2.0, 1.0]])\n"
    "w = tf.Variable([[1.0, -1.0], [2.0, 1.0]])\nb = tf.Variable([-2.0, 2.0])\n\n"
    "with tf.GradientTape() as tape:\n    y = x @ w + b\n    loss = tf.reduce_sum(y**2)\n\n"
    "dw, db = tape.gradient(loss, [w, b])"
)
PLAYERS = {  # name: cell, options of %%tape, the act to look for, scheme, ask?
    "player": (PARABOLA, "", ("part", 4), "light", False),
    "player_dark": (PARABOLA, "", ("part", 4), "dark", False),
    "none": (ESCAPE, "", ("cut", 1), "light", False),
    "predict": (PARABOLA, "--predict", ("sum", 1), "light", True),
    "loop": (LOOP, "", ("part", 10), "light", False),
}
GRAPH = "--link hide-code-inspector"  # its numbers are as large as the page's letters
FILMS = {  # name: cell, options of %%tape, scheme
    "play": (PARABOLA, "", "light"),
    "play_dark": (PARABOLA, "", "dark"),
    "arrays": (LINE, GRAPH, "light"),
    "arrays_dark": (LINE, GRAPH, "dark"),
}
MOVES = range(0, 600, 50)  # the times of a move that are taken, in milliseconds
STAYS = 900  # how long a moment stays
FILM_WIDTH = 900  # of its page
SET_UP = "import numpy as np\nimport minitape as tf\nfrom minitape_widgets import pitfalls"
CELLS = {  # name: cell, what to click before the picture is taken
    "gallery": ('pitfalls.show("numpy-escape")', "Show me"),
    "explain": (ESCAPE.replace("slope = ", "g = ") + "\ntape.explain(loss, v)", None),
}


def moment(board, act, count):
    """Returns the k after which the act was seen `count` times."""
    seen = [k for k, frame in enumerate(board["frames"], 1) if frame["act"] == act]
    return seen[min(count, len(seen)) - 1]


def open_player(browser, shell, cell, options, scheme, scale, width=1000):
    """Runs the cell and opens its player on a page of its own; returns the page and the trace."""
    with capture_output() as captured:
        shell.run_cell(f"%%tape {options}\n{cell}")
    trace = next(output.data[TRACE] for output in captured.outputs if TRACE in output.data)
    page = browser.new_page(
        viewport={"width": width, "height": 768}, color_scheme=scheme, device_scale_factor=scale
    )
    page.set_content(
        "<!doctype html><meta name=color-scheme content='light "
        "dark'><style>body{margin:12px;background:Canvas}</style>"
        + export.place(trace, "", "tape")
        + export.script()
    )
    page.locator(".player").wait_for()
    return page, trace


def take_film(browser, shell, path, cell, options, scheme):
    """Steps through the whole play and takes every move of it, one picture at a time."""
    page, _ = open_player(browser, shell, cell, options, scheme, 1, FILM_WIDTH)
    player = "document.querySelector('.minitape').player"
    pictures, times = [], []

    def take(stays):
        shot = Image.open(io.BytesIO(page.locator(".player").screenshot())).convert("RGB")
        if pictures and shot.tobytes() == pictures[-1].tobytes():
            times[-1] += stays
        else:
            pictures.append(shot)
            times.append(stays)

    take(2 * STAYS)
    for _ in range(page.evaluate(f"{player}.total")):
        moves = page.evaluate(f"""() => {{ {player}.go({player}.k + 1); window.moving = {player}.root.getAnimations({{ subtree: true }});
            for (const one of moving) one.pause(); return moving.length; }}""")
        for time in MOVES if moves else ():
            page.evaluate("time => { for (const one of moving) one.currentTime = time; }", time)
            take(MOVES.step)
        page.evaluate("() => { for (const one of moving) one.finish(); }")
        take(round(STAYS * page.evaluate(f"{player}.stay()")))
    times[-1] = 5 * STAYS  # the answer is held
    pictures[0].save(
        path,
        save_all=True,
        append_images=pictures[1:],
        duration=times,
        loop=0,
        lossless=True,
        method=4,
    )
    page.close()


def take_player(browser, shell, path, cell, options, act, scheme, asks):
    """Runs the cell and takes its player."""
    page, trace = open_player(browser, shell, cell, options, scheme, 1.5)
    k = moment(trace["storyboard"], *act) - (1 if asks else 0)
    page.evaluate("k => document.querySelector('.minitape').player.go(k)", k)
    if asks:
        page.locator("button.step").click()
        page.locator("input.answer").fill("2")
        page.keyboard.press("Enter")
    page.wait_for_timeout(600)
    page.locator(".player").screenshot(path=path)
    page.close()


def take_cell(browser, server, path, cell, click):
    """Runs the cell in JupyterLab and takes its output."""
    page = watch(
        browser.new_page(viewport={"width": 1366, "height": 2400}, device_scale_factor=1.2)
    )
    notebook = Notebook(
        page, server, copy_of(server.folder, None, [SET_UP, cell]), "lab", path.parent
    )
    notebook.wait_for_kernel()
    notebook.theme("light")
    notebook.run_all()
    output = notebook.output(1)
    if click:
        output.get_by_role("button", name=click).click()
        output.locator(".pair-side").nth(1).wait_for()
    page.wait_for_timeout(1500)
    output.locator(".jp-OutputArea-output").last.screenshot(path=path)
    page.close()


def main(names):
    os.environ["MINITAPE_LAYOUT"] = "layers"  # the same pictures on every machine
    shell = InteractiveShell.instance()
    shell.run_cell("import numpy as np, minitape as tf\n%load_ext minitape_widgets")
    folder = ROOT / "notebooks" / "images"
    folder.mkdir(exist_ok=True)
    wanted = lambda table: {name: table[name] for name in table if not names or name in names}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        for name, what in wanted(PLAYERS).items():
            take_player(browser, shell, folder / f"{name}.png", *what)
        for name, what in wanted(FILMS).items():
            take_film(browser, shell, folder / f"{name}.webp", *what)
        if wanted(CELLS):
            with tempfile.TemporaryDirectory() as place, Server(Path(place)) as server:
                for name, what in wanted(CELLS).items():
                    take_cell(browser, server, folder / f"{name}.png", *what)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
