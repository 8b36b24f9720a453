"""What a player weighs on the page: a cell that is run again and again leaves little behind, and
the front end is loaded once.
"""

import json
import sys
from pathlib import Path

import nbformat
import pytest

import minitape as tf
from minitape_widgets import module, play
from minitape_widgets.front_end import loader
from tests.browser.lab import EXTENSION, Notebook, Server, lay_extension

pytestmark = pytest.mark.browser

SET_UP = "import minitape as tf\n%load_ext minitape_widgets"
PARABOLA = (
    "%%tape\nx = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x*x + 3*x\n"
    "tape.gradient(y, x)"
)
RUNS = 25
# bytes that one more run may leave in the page: about 28,000, once the browser has compiled what it
# runs often
MOST = 40_000


@pytest.fixture(scope="module", params=["extension", "plain"])
def lab(request, tmp_path_factory):
    """A JupyterLab with our extension, as `pip install` leaves it, and one that knows only widgets."""
    place = tmp_path_factory.mktemp(request.param)
    extensions = place / "labextensions"
    extensions.mkdir()
    for neighbour in (Path(sys.prefix) / EXTENSION).parent.iterdir():
        if neighbour.name in ("@jupyter-widgets", "anywidget"):
            (extensions / neighbour.name).symlink_to(neighbour)
    if request.param == "extension":
        lay_extension(place)
    (place / "config").mkdir()
    settings = {"LabApp": {"labextensions_path": [str(extensions)]}}
    (place / "config" / "jupyter_server_config.json").write_text(json.dumps(settings))
    with Server(place) as server:
        yield server


def weigh(page):
    """Returns (bytes, nodes) that the page holds after its garbage is gone."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    for _ in range(3):
        session.send("HeapProfiler.collectGarbage")
        page.wait_for_timeout(100)
    found = {
        metric["name"]: metric["value"]
        for metric in session.send("Performance.getMetrics")["metrics"]
    }
    session.detach()
    return found["JSHeapUsedSize"], found["Nodes"]


@pytest.mark.long
def test_a_cell_that_is_run_again_leaves_little(lab, new_page, screenshots):
    cells = [nbformat.v4.new_code_cell(text) for text in (SET_UP, PARABOLA)]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(
        nbformat.v4.new_notebook(cells=cells, metadata=kernel), lab.folder / "again.ipynb"
    )
    page = new_page()
    notebook = Notebook(page, lab, "again.ipynb", "lab", screenshots)
    notebook.wait_for_kernel()
    notebook.run_all()
    page.locator(".minitape .player").wait_for()

    def again(times):
        for _ in range(times):
            page.evaluate(
                "() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1; }"
            )
            notebook.command("notebook:run-cell")
            page.locator(".minitape .player").wait_for()
        page.wait_for_timeout(3500)  # a widget waits that long for another view of it

    again(RUNS)
    before = weigh(page)
    again(RUNS)
    after = weigh(page)
    grown = [(b - a) / RUNS for a, b in zip(before, after)]
    assert grown[0] < MOST and grown[1] < 40, (
        f"a run leaves {grown[0] / 1000:.1f} kB and {grown[1]:.1f} nodes"
    )
    assert not page.problems and not page.blocked


FRONTS = """
async ([loader, text, payload]) => {
    const made = URL.createObjectURL;
    window.loads = 0;
    URL.createObjectURL = (blob) => { window.loads += blob.size > 10000; return made.call(URL, blob); };
    const load = () => import(made.call(URL, new Blob([loader], { type: "text/javascript" })));
    const carrier = { get: () => text };
    const model = (manager, said = []) => {
        const heard = [];
        return { said, get: (name) => ({ front_end: "IPY_MODEL_7", payload, alone: true })[name], widget_manager: manager,
            on: (_, hear) => heard.push(hear), off: (_, hear) => heard.splice(heard.indexOf(hear), 1),
            send: (message) => { said.push(message); for (const hear of [...heard]) { hear({ other: 1 }); hear({ front_end: text }); } } };
    };
    const fronts = [
        { get_model: async (id) => id === "7" ? carrier : Promise.reject(new Error(id)) },
        { get_model: async () => { throw new Error("no such model"); } },
        undefined,
    ];
    const close = [];
    window.said = [];
    for (const front of [...fronts, ...fronts]) {
        const el = document.body.appendChild(document.createElement("div")), one = model(front);
        close.push(await (await load()).default.render({ model: one, el }));
        window.said.push(one.said.length);
    }
    window.shown = document.querySelectorAll(".minitape").length;
    for (const take of close) take();
}
"""


def test_the_front_end_is_loaded_once_for_a_page(new_page):
    """Where models are found, as in JupyterLab, and where they are not: then the kernel is asked
    for the text.
    """
    page = new_page()
    page.set_content("<!doctype html><html lang=en><title>t</title><body>")
    page.evaluate(
        FRONTS,
        [
            loader(),
            module.source(),
            {"storyboard": dict(play_parabola().storyboard), "options": {}},
        ],
    )
    assert page.evaluate("() => [window.loads, window.shown, window.said]") == [
        1,
        6,
        [0, 1, 1, 0, 1, 1],
    ]
    assert page.locator(".minitape").count() == 0 and not page.problems


@pytest.mark.parametrize("entry", [module.ENTRY, "card/deliveries.js", "health/page.js"])
def test_no_export_hides_what_the_browser_has(new_page, entry):
    """All files see it, and one that means the browser's `find` would get another's."""
    names = [
        name
        for file in module._called(module.files(entry), entry).values()
        for name in file.values()
    ]
    assert (
        len(names) > 200
        and new_page().evaluate("names => names.filter((name) => name in window)", names) == []
    )


def play_parabola():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x + 3 * x
    return play(tape, y, x)
