"""The health view on a page: what is seen, by pointer and keys, offline and live in JupyterLab; how
fast it is drawn.
"""

import json
import re

import pytest

from minitape_widgets import health_view
from minitape_widgets.packing import unpack
from minitape_widgets.training.payload import payload
from tests.browser.health_page import chips, focused, inner, text
from tests.browser.pages import becomes, busy_of
from tests.widgets.trained import made, seen_of

pytestmark = pytest.mark.browser


def test_keys_move_over_cells_and_say_what_they_hold(page_of, accessible):
    page = page_of("vanishing", width=1366, height=625)
    grid = page.locator(".health-grid")
    assert (
        text(page, ".health-cell")
        == "A cell compares the adjoint of a layer with that of the last layer, at the same step."
    )
    assert chips(page)[:3] == ["adjoint", "value", "update/weight"]
    assert (
        page.locator(".health path.lowest").get_attribute("d").count("M") >= 3
        and not page.locator(".health path.bad[d*=M]").count()
    )
    grid.focus()
    page.keyboard.press("ArrowDown")
    assert re.match(
        r"Dense1, step 0: adjoint .*, \d\d0,000 times smaller than that of Dense9\.$",
        text(page, ".health-cell"),
    )
    page.keyboard.press("PageDown")
    assert re.match(
        r"Dense9, step 0: adjoint .*, with which the other layers are compared\.$",
        text(page, ".health-cell"),
    )
    page.keyboard.press("End")
    assert re.search(r"(step|to) 149: ", text(page, ".health-cell"))
    assert "line 16 loss = loss_fn(y, model(x))" in text(page, ".health-line").replace(
        "  # here", ""
    )
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert re.match(r"Dense9, step 1: ", text(page, ".health-cell"))
    page.get_by_role("button", name="update/weight").click()
    assert (
        "update/weight" in text(page, ".health-cell")
        and grid.get_attribute("aria-label") == "Cells: update/weight"
    )
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), (
        "all of it is seen at once"
    )
    accessible(page, ".minitape")
    assert not page.problems and not page.blocked


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                "Dense1, step 5: value 0.02, 50 times smaller than 1.",
                "Dense1, steps 6 to 119: not measured. Measured nearest to it: step 5, step 120.",
                "Dense1, step 120: value 3, about as large as 1.",
                "Dense1, steps 121 to 149: not measured. Measured nearest to it: step 120.",
            ],
        ),
        (
            "fr",
            [
                "Dense1, pas 5\u00a0: valeur 0,02, 50 fois moins que 1.",
                "Dense1, pas 6 à 119\u00a0: non mesuré. Mesuré au plus près\u00a0: pas 5, pas 120.",
                "Dense1, pas 120\u00a0: valeur 3, à peu près autant que 1.",
                "Dense1, pas 121 à 149\u00a0: non mesuré. Mesuré au plus près\u00a0: pas 120.",
            ],
        ),
    ],
)
def test_pointing_says_of_which_look_a_cell_comes(page_of, language, said):
    data = made(150, 2, 7) | {"looked": [0, 1, 2, 3, 4, 5, 120], "language": language}
    data["layers"][1]["value"] = [0.02] * 6 + [3.0]
    page = page_of(payload(data) | {"ended": True}, language)
    page.locator(".health .chip", has_text="valeur" if language == "fr" else "value").click()
    box, found = page.locator(".health-cells").bounding_box(), []
    for step in (5, 60, 120, 140):
        x = box["x"] + (step + 0.5) / 150 * box["width"]
        page.mouse.move(x, box["y"] + 0.75 * box["height"])
        found.append(text(page, ".health-cell"))
    assert found == said
    unseen = page.locator(".health path.none").get_attribute("d")
    wide = [float(w) / box["width"] * 150 for w in re.findall(r"h([\d.]+)v", unseen)]
    assert wide == pytest.approx([114, 29] * 2, abs=0.1), "what was not measured looks so"


def test_the_steps_stand_below_the_cells(page_of):
    """Where no tape was kept, too, as in a long training whose steps are large."""
    page = page_of(payload(made(150, 2, 7)) | {"ended": True})
    assert page.locator(".health-flags[hidden]").count()
    cells, axis = (page.locator(f".health-{name}").bounding_box() for name in ("cells", "axis"))
    assert axis["x"] == cells["x"] and axis["width"] == cells["width"]
    ticks = [tick.bounding_box()["x"] for tick in page.locator(".health-axis span").all()]
    last = page.locator(".health-axis span").last.inner_text()
    assert ticks[-1] == pytest.approx(cells["x"] + int(last) / 150 * cells["width"], abs=1)


def test_the_pointer_finds_its_cell(page_of):
    page = page_of("exploding")
    box = page.locator(".health-cells").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 3, box["y"] + box["height"] - 3)
    assert text(page, ".health-cell").startswith("w, step")
    mark = page.locator(".health .cursor").bounding_box()
    assert (
        abs(mark["x"] + mark["width"] - box["x"] - box["width"]) < 2
        and abs(mark["y"] + mark["height"] - box["y"] - box["height"]) < 2
    )
    page.mouse.move(box["x"] + 4.5 / 60 * box["width"], box["y"] + box["height"] - 3)
    said = text(page, ".health-cell")
    assert said.startswith("w, step 4: ") and said.endswith("are not finite.")


def test_a_finding_lights_its_cells_and_the_first_bad_number_leads_to_its_line(page_of, accessible):
    page = page_of("exploding", color_scheme="dark")
    first, second = page.locator(".health-finding").all()
    lit = page.locator(".health .lit")
    assert not lit.is_visible()
    second.click()
    assert (
        lit.is_visible()
        and second.get_attribute("aria-pressed") == "true"
        and page.locator(".health .chip[aria-pressed=true]").inner_text() == "value"
    )
    box, cells = lit.bounding_box(), page.locator(".health-cells").bounding_box()
    assert abs(box["x"] - cells["x"] - 4 / 60 * cells["width"]) < 4, "from step 4 on"
    second.click()
    assert not lit.is_visible()
    page.get_by_role("button", name="First bad number: MatMul, step 4").click()
    assert becomes(page, "health-tape-name", lambda: focused(page)), "its tape is opened, see below"
    page.keyboard.press("Escape")
    assert focused(page) == "health-grid"
    assert (
        "line 16" in text(page, ".health-line")
        and "@" in text(page, ".health-line code")
        and re.search("steps? 4", text(page, ".health-cell"))
    )
    page.keyboard.press("ArrowUp")
    assert re.search("steps? 4", text(page, ".health-cell"))
    accessible(page, ".minitape")
    assert not page.problems


def test_in_french_where_it_is_narrow(page_of, accessible):
    page = page_of("nan_from_log", language="fr", width=480, height=700, color_scheme="dark")
    page.locator(".health-grid").focus()
    page.keyboard.press("ArrowRight")
    assert re.match(
        "w, pas 0.*\u00a0: (valeur .*, )?des valeurs ou des adjoints ne sont pas finis",
        text(page, ".health-cell"),
    )
    assert text(page, ".health-heading") == "Ce qui ressort" and chips(page)[0] == "adjoint"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    accessible(page, ".minitape")


def test_paper_is_narrower_than_a_screen_and_nothing_is_cut(page_of):
    page = page_of("exploding", width=1366, height=768)
    wide = page.locator(".health-cells").bounding_box()["width"]
    for moment, fits in (("beforeprint", True), ("afterprint", False)):
        page.evaluate(f"dispatchEvent(new Event('{moment}'))")
        root = page.locator(".health").bounding_box()
        cells = page.locator(".health-cells").bounding_box()
        assert (root["width"] < 700) is fits and cells["x"] + cells["width"] < root["width"] + 20
    assert cells["width"] == wide


def test_dead_is_told_without_colour(page_of):
    page = page_of("dead_relu", forced_colors="active")
    assert "url" in page.locator(".health path.all").get_attribute("style")
    assert page.locator(".health-legend li").all_inner_texts() == [
        "some: the higher, the more",
        "all",
        "not measured",
        "tape kept: click a cell to open it",
    ]


def test_ten_thousand_steps_of_fifty_layers_are_drawn_at_once(page_of):
    page = page_of(payload(made()) | {"ended": True}, width=1366, height=768)
    assert page.content().__len__() < 2_000_000
    busy = busy_of(page)
    before = busy()
    page.evaluate("""async () => {
        const { player } = document.querySelector(".minitape");
        for (let k = 0; k < 12; k++) {
            await new Promise(requestAnimationFrame);
            player.ask(["adjoint", "value", "update", "dead"][k % 4]);
        }
        await new Promise(requestAnimationFrame);
    }""")
    assert (busy() - before) / 12 < 0.05
    assert page.locator(".health svg *").count() < 120


WRONG = {
    "no data": None,
    "number": 5,
    "list": [],
    "version": {"version": 2},
    "letters": {"letters": "44<"},
    "short": {"letters": "4"},
    "numbers": {"numbers": ["<img>"]},
    "layer": {"layer": 99},
    "steps": {"steps": -1},
    "at": {"at": [3, 2]},
    "looked": {"looked": [1]},
    "language": {"language": "xx"},
    "no measures": {"measures": {}},
    "measure": {"measure": "constructor"},
    "long": {"title": "x" * 6000},
    "losses": {"losses": {"each": 0, "mean": [], "low": [], "high": []}},
    "tapes": {"tapes": [{"step": 3}]},
    "note": {"note": {}},
}


@pytest.fixture(scope="module")
def whole_one():
    data = made(20, 2, 10)
    data["findings"] = [
        {
            "key": "dead",
            "sure": "sure",
            "layer": "Dense1",
            "step": 3,
            "text": "<b>x</b>",
            "cure": "y",
            "place": None,
        }
    ]
    return payload(data) | {"ended": True}


@pytest.mark.parametrize("name", WRONG)
def test_damaged_data_get_a_line_of_words(page_of, whole_one, name):
    given, wrong = json.loads(json.dumps(whole_one)), WRONG[name]
    if not isinstance(wrong, dict):
        given = wrong
    elif name in ("letters", "short", "numbers"):
        next(iter(given["measures"].values()))[next(iter(wrong))][0] = next(iter(wrong.values()))
    elif name in ("layer", "measure"):
        given["findings"][0] |= wrong
    else:
        given |= wrong
    page = page_of(given)
    page.wait_for_selector(".minitape-refused")
    said = page.locator(".minitape-refused").inner_text()
    assert said.startswith("This training's picture is not shown") and (
        "another version" in said
    ) == (name == "version")
    assert (
        page.locator(".minitape").count() == 0
        and page.locator(".minitape-still").is_visible()
        and not page.problems
    )


def test_what_others_wrote_is_text(page_of, whole_one):
    given = json.loads(json.dumps(whole_one))
    given["layers"][0]["name"] = given["title"] = "<img src=x onerror=alert(1)>"
    page = page_of(given)
    assert (
        text(page, ".health-title").startswith("<img")
        and page.locator(".minitape img, .minitape b").count() == 0
    )
    assert text(page, ".health-said") == "<b>x</b>" and not page.problems


SLOW = """
import pathlib
import time
import minitape as tf
from minitape import health
from minitape_widgets import health_view
looked = pathlib.Path("looked")
looked.unlink(missing_ok=True)
tf.random.set_seed(3)
x = tf.random.normal((64, 8))
model = tf.keras.Sequential([tf.keras.layers.Dense(12, activation="sigmoid") for _ in range(8)])
model.add(tf.keras.layers.Dense(1))
optimizer = tf.keras.optimizers.SGD(0.1)
with health_view(model, every=1) as seen:
    for step in range(60):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - 1.0) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        time.sleep(0 if looked.exists() else 0.15)
"""


def test_it_is_live_in_jupyterlab_and_stays_when_the_kernel_has_gone(open_notebook, accessible):
    notebook = open_notebook(cells=[SLOW], width=1366, height=768)
    page = notebook.page
    notebook.start_all()
    page.wait_for_selector(".health .chip:visible")
    steps = lambda: int(page.locator(".health-title").inner_text().split()[0])  # noqa: E731
    before = steps()
    assert page.evaluate("window.testing.done") is False and before < 60, "the kernel is at it"
    page.locator(".health .chip", has_text="value").click()
    assert becomes(page, True, lambda: steps() > before + 2)
    assert page.locator(".health .chip[aria-pressed=true]").inner_text() == "value", (
        "what was chosen stays"
    )
    (notebook.file.parent / "looked").touch()  # from now on it need not be slow
    notebook.finish()
    assert becomes(page, 60, steps)
    page.wait_for_timeout(500)  # the output itself is replaced at the end
    assert page.locator(".health .chip[aria-pressed=true]").inner_text() == "value", (
        "at the end, too"
    )
    notebook.screenshot("health_light")
    accessible(page, ".minitape")
    notebook.theme("dark")
    notebook.screenshot("health_dark")
    accessible(page, ".minitape")
    notebook.save()
    stored = json.loads(notebook.file.read_text(encoding="utf-8"))["cells"][0]["outputs"]
    assert len(stored) == 1 and "60 steps" in "".join(stored[0]["data"]["image/svg+xml"])
    assert unpack(stored[0]["data"]["application/vnd.minitape.health.v1+json"])["steps"] == 60
    page.locator(".health-grid").focus()
    page.keyboard.press("PageUp")
    page.keyboard.press("Enter")
    page.wait_for_selector(".minitape .minitape .caption")
    page.wait_for_timeout(500)
    notebook.screenshot("health_tape_dark")
    assert text(page, ".health-tape-name").endswith("at Dense1") and inner(page)["trail"].endswith(
        "Dense1"
    )
    assert not notebook.problems and not notebook.blocked


@pytest.mark.long
def test_a_notebook_that_is_opened_again_shows_it_without_a_kernel(open_notebook):
    notebook = open_notebook(
        cells=["from minitape import health\nfrom minitape_widgets import health_view", "1"]
    )
    given = json.dumps(health_view(seen_of("vanishing")).picture())
    notebook.run(
        f"import json\nfrom IPython.display import display\ndisplay(json.loads({given!r}), "
        "raw=True)"
    )
    # the kernel answers before the extension has drawn
    notebook.page.wait_for_selector(".health path.lowest", state="attached")
    assert notebook.page.locator(".health path.lowest").count() == 1 and not notebook.problems
    notebook.page.locator(".health-grid").focus()
    notebook.page.keyboard.press("ArrowDown")
    notebook.page.keyboard.press("Enter")
    assert inner(notebook.page)["trail"].endswith("Dense1") and not notebook.problems
