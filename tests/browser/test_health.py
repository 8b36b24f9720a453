"""The health view on a page: what is seen, by pointer and keys, offline and live in JupyterLab; how fast it is drawn."""

import importlib.util
import json
import re
from pathlib import Path
from statistics import median

import pytest

from minitape import health
from minitape_widgets import health_view, module
from minitape_widgets.front_end import loader
from minitape_widgets.health import PAGE, VIEW
from minitape_widgets.page import html_of
from minitape_widgets.player import deflated, unpack
from minitape_widgets.training import tapes as tapes_of
from minitape_widgets.training.payload import payload
from tests.browser.pages import becomes

pytestmark = pytest.mark.browser
HERE = Path(__file__).parent
TRAININGS = HERE.parent / "health" / "trainings"


def load(name, path):
    found = importlib.util.spec_from_file_location(name, path)
    loaded = importlib.util.module_from_spec(found)
    found.loader.exec_module(loaded)
    return loaded


run = load("health_trainings", HERE.parent / "health" / "health_trainings.py").run
views = load("test_health_view", HERE.parent / "widgets" / "test_health_view.py")
made, trained = views.made, views.train


@pytest.fixture
def page_of(open_page, tmp_path, monkeypatch):
    """page_of("vanishing"), or page_of(payload): a page with that view."""
    monkeypatch.setattr(tapes_of, "SECONDS", 60.0)           # on a busy machine a tape would be left out, and a note of it said
    def opener(shown, language="en", **options):
        path = tmp_path / "health.html"
        if isinstance(shown, str):
            seen = run((TRAININGS / f"{shown}.py").read_text(encoding="utf-8"), shown)
            seen.language = language
            health_view(seen).save(path)
        else:
            path.write_text(html_of(shown, "<p>still</p>", "Health", language, PAGE, "health"), encoding="utf-8")
        page = open_page(path, **options)
        page.wait_for_selector(".health-title, .minitape-refused", state="attached")           # large data are unpacked first
        return page
    return opener


def text(page, selector):
    return page.locator(f".minitape {selector}").inner_text()


def focused(page):
    return page.evaluate("document.querySelector('.minitape').shadowRoot.activeElement.classList[0]")


def click(page, layer, step):
    """Clicks on the cell of a layer and a step."""
    box = page.locator(".health-cells").bounding_box()
    steps, rows = page.evaluate("[Number(document.querySelector('.minitape').player.root.querySelector('.health-title')"
                                ".textContent.split(' ')[0]), document.querySelector('.minitape').player.root"
                                ".querySelectorAll('.health-names div').length]")
    page.mouse.click(box["x"] + (step + 0.5) / steps * box["width"], box["y"] + (layer + 0.5) / rows * box["height"])


def inner(page):
    """What the player of the tape shows: (its moment as words, its trail of opened boxes, the marked line of code)."""
    page.wait_for_selector(".minitape .minitape .caption")
    return page.evaluate("""() => {
        const { player } = document.querySelector(".minitape .minitape"), text = (selector) =>
            [...player.root.querySelectorAll(selector)].map((one) => one.textContent).join(" / ");
        return { said: text(".caption"), trail: text(".trail button"), code: text(".code .is-now, .code mark, .code .now"), k: player.k };
    }""")


def chips(page):
    return [chip.inner_text() for chip in page.locator(".health .chip:visible").all()]


def test_keys_move_over_cells_and_say_what_they_hold(page_of, accessible):
    page = page_of("vanishing", width=1366, height=625)
    grid = page.locator(".health-grid")
    assert text(page, ".health-cell").startswith("Each cell: the adjoint of a layer") and chips(page)[:3] == [
        "adjoint", "value", "update/weight"]
    assert page.locator(".health path.lowest").get_attribute("d").count("M") >= 3 and not page.locator(".health path.bad[d*=M]").count()
    grid.focus()
    page.keyboard.press("ArrowDown")
    assert re.match(r"Dense1, steps? 0.*: adjoint ", text(page, ".health-cell")) and "10,000 times smaller" in text(page, ".health-cell")
    page.keyboard.press("PageDown")
    assert re.match(r"Dense9, steps? 0.*: .*about as large as the reference\.$", text(page, ".health-cell"))
    page.keyboard.press("End")
    assert re.search(r"(step|to) 149: ", text(page, ".health-cell"))
    assert "line 16 loss = loss_fn(y, model(x))" in text(page, ".health-line").replace("  # here", "")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert re.match(r"Dense9, steps? [1-9]", text(page, ".health-cell"))
    page.get_by_role("button", name="update/weight").click()
    assert "update/weight" in text(page, ".health-cell") and grid.get_attribute("aria-label") == "Cells: update/weight"
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "all of it is seen at once"
    accessible(page, ".minitape")
    assert not page.problems and not page.blocked


def test_the_pointer_finds_its_cell(page_of):
    page = page_of("exploding")
    box = page.locator(".health-cells").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 3, box["y"] + box["height"] - 3)
    assert text(page, ".health-cell").startswith("w, step") and text(page, ".health-cell").endswith("are not finite.")
    mark = page.locator(".health .cursor").bounding_box()
    assert abs(mark["x"] + mark["width"] - box["x"] - box["width"]) < 2 and abs(mark["y"] + mark["height"] - box["y"] - box["height"]) < 2


def test_a_finding_lights_its_cells_and_the_first_bad_number_leads_to_its_line(page_of, accessible):
    page = page_of("exploding", color_scheme="dark")
    first, second = page.locator(".health-finding").all()
    lit = page.locator(".health .lit")
    assert not lit.is_visible()
    second.click()
    assert lit.is_visible() and second.get_attribute("aria-pressed") == "true" and page.locator(
        ".health .chip[aria-pressed=true]").inner_text() == "value"
    box, cells = lit.bounding_box(), page.locator(".health-cells").bounding_box()
    assert abs(box["x"] - cells["x"] - 4 / 60 * cells["width"]) < 4, "from step 4 on"
    second.click()
    assert not lit.is_visible()
    page.get_by_role("button", name="First bad number: MatMul, step 4").click()
    assert becomes(page, "health-tape-name", lambda: focused(page)), "its tape is opened, see below"
    page.keyboard.press("Escape")
    assert focused(page) == "health-grid"
    assert "line 16" in text(page, ".health-line") and "@" in text(page, ".health-line code") and re.search(
        "steps? 4", text(page, ".health-cell"))
    page.keyboard.press("ArrowUp")
    assert re.search("steps? 4", text(page, ".health-cell"))
    accessible(page, ".minitape")
    assert not page.problems


def test_in_french_where_it_is_narrow(page_of, accessible):
    page = page_of("nan_from_log", language="fr", width=480, height=700, color_scheme="dark")
    page.locator(".health-grid").focus()
    page.keyboard.press("ArrowRight")
    assert re.match("w, pas 0.*\u00a0: (valeur|aucun nombre).*, des valeurs ou des adjoints ne sont pas finis", text(page, ".health-cell"))
    assert text(page, ".health-heading") == "Ce qui ressort" and chips(page)[0] == "adjoint"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    accessible(page, ".minitape")


def test_dead_is_told_without_colour(page_of):
    page = page_of("dead_relu", forced_colors="active")
    assert "url" in page.locator(".health path.all").get_attribute("style")
    assert page.locator(".health-legend li").all_inner_texts() == ["some: the higher, the more", "all", "not measured",
                                                                             "tape kept: click a cell to open it"]


def test_ten_thousand_steps_of_fifty_layers_are_drawn_at_once(page_of):
    page = page_of(payload(made()) | {"ended": True}, width=1366, height=768)
    assert page.content().__len__() < 2_000_000
    times = page.evaluate("""async () => {
        const { player } = document.querySelector(".minitape");
        const times = [];
        for (let k = 0; k < 12; k++) {
            await new Promise(requestAnimationFrame);
            const began = performance.now();
            player.ask(["adjoint", "value", "update", "dead"][k % 4]);
            document.querySelector(".minitape").getBoundingClientRect();
            times.push(performance.now() - began);
        }
        return times;
    }""")
    assert median(times) < 50, times
    assert page.locator(".health svg *").count() < 120


# ---- the tape that a click opens


def test_a_click_opens_the_tape_of_the_step_at_the_layer(page_of, accessible):
    page = page_of("vanishing", width=1366, height=768)
    section = page.locator(".health-tape")
    assert not section.is_visible() and page.locator(".minitape .minitape").count() == 0
    click(page, 2, 0)
    found = inner(page)
    assert text(page, ".health-tape-name") == "The tape of step 0, at Dense3" and not page.locator(".health-tape-note").is_visible()
    assert found["trail"].endswith("Dense3") and "Sigmoid" in found["said"] and "adjoint is complete" in found["said"], found
    assert becomes(page, "health-tape-name", lambda: focused(page))
    box = section.bounding_box()
    assert 0 <= box["y"] < 768 and box["x"] >= 0 and box["x"] + box["width"] <= 1366
    accessible(page, ".minitape")
    page.locator(".health .chip", has_text="value").click()
    click(page, 4, 0)
    assert becomes(page, "The tape of step 0, at Dense5", lambda: text(page, ".health-tape-name"))
    found = inner(page)
    assert found["trail"].endswith("Dense5") and "makes" in found["said"], "a value is met where it was recorded"
    assert page.locator(".minitape .minitape").count() == 1, "one player at a time"
    page.get_by_role("button", name="Close the tape").click()
    assert not section.is_visible() and page.locator(".minitape .minitape").count() == 0 and focused(page) == "health-grid"
    assert not page.problems and not page.blocked


def test_a_click_holds_while_the_cells_are_drawn_anew(page_of):
    page = page_of(with_tapes([0]))
    box = page.locator(".health-cells").bounding_box()
    page.mouse.move(box["x"] + 3, box["y"] + 3)
    page.mouse.down()
    page.evaluate("document.querySelector('.minitape').player.redraw()")
    page.mouse.up()
    assert text(page, ".health-tape-name") == "The tape of step 0, at w" and not page.problems


def test_enter_opens_it_and_says_which_step_it_is(page_of):
    given = json.loads(json.dumps(with_tapes([0, 8])))
    page = page_of(given, color_scheme="dark")
    page.locator(".health-grid").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert text(page, ".health-cell").startswith("w, step 3:")
    page.keyboard.press("Enter")
    inner(page)
    assert text(page, ".health-tape-name") == "The tape of step 0, at w"
    assert text(page, ".health-tape-note") == "Step 3 was not kept; this is step 0."
    page.locator(".minitape .minitape").get_by_role("button", name="Step").first.focus()
    before = inner(page)["k"]
    page.keyboard.press("ArrowRight")
    assert inner(page)["k"] == before + 1, "its own keys are the player's"
    page.locator(".health-grid").focus()
    page.keyboard.press("End")
    page.keyboard.press(" ")
    assert becomes(page, "Step 29 was not kept; this is step 8.", lambda: text(page, ".health-tape-note"))
    assert page.locator(".health .flag").first.get_attribute("d").count("M") == 2 and not page.problems


def test_the_first_bad_number_opens_its_operation_and_its_line(page_of):
    page = page_of("exploding", width=1920, height=1080)
    page.get_by_role("button", name="First bad number: MatMul, step 4").click()
    found = inner(page)
    assert "MatMul" in found["said"] and "inf" in found["said"] and "h @ w" in found["code"], found
    assert text(page, ".health-tape-name") == "The tape of step 4" and not page.problems


def with_tapes(steps, **more):
    """The data of a small training with the tapes of these steps."""
    seen = trained(health.watch(every=1))
    given = health_view(seen).given
    kept = {one["step"]: one for one in given["tapes"]}
    nearest = [kept.get(step) or {**given["tapes"][0], "step": step} for step in steps]
    return given | {"tapes": nearest} | more


def hostile():
    """Traces of tapes that somebody else has written."""
    board = unpack(with_tapes([0])["tapes"][0]["trace"])["storyboard"]
    evil = json.loads(json.dumps(board).replace("loss", "<img src=x onerror=alert(1)>"))
    return {"names": ({"storyboard": evil}, True), "no frames": ({"storyboard": {**board, "frames": None}}, True),
            "frames": ({"storyboard": {**board, "frames": [{"act": "record", "card": 99}]}}, False), "null": (None, False),
            "list": ([], False), "a pair": ({"pair": [board, board]}, False), "text": ("x", False),
            "proto": ({"storyboard": {**board, "language": "__proto__"}}, True)}


def test_a_tape_that_others_wrote_is_text_or_a_line_of_words(page_of):
    for name, (trace, shown) in hostile().items():
        given = with_tapes([0])
        given["tapes"][0] |= {"trace": deflated(trace), "cards": [999]}
        page = page_of(given)
        click(page, 0, 0)
        page.wait_for_selector(".minitape .minitape" if shown else ".minitape .minitape-refused")
        assert becomes(page, "health-tape-name", lambda page=page: focused(page)), name
        assert page.locator(".minitape img").count() == 0 and not page.problems, (name, page.problems)
        assert page.locator(".minitape .minitape-refused").count() == (not shown), name
    given["tapes"][0]["trace"] = {"deflate": "not packed at all"}
    page = page_of(given)
    click(page, 0, 0)
    page.wait_for_selector(".minitape .minitape-refused")
    assert not page.problems


LIVE = """
async ([loader, health, player, payload]) => {
    const made = URL.createObjectURL;
    const texts = { "IPY_MODEL_7": health, "IPY_MODEL_8": player };
    const module = await import(made.call(URL, new Blob([loader], { type: "text/javascript" })));
    window.said = [];
    const open = async (manager) => {
        const heard = [];
        const model = { get: (name) => ({ front_end: "IPY_MODEL_7", players: "IPY_MODEL_8", payload })[name], widget_manager: manager,
            on: (event, hear) => event === "msg:custom" && heard.push(hear), off: (_, hear) => heard.splice(heard.indexOf(hear), 1),
            send: (message) => { window.said.push(message.ask);
                for (const hear of [...heard]) hear({ [message.ask]: message.ask === "players" ? player : health }); } };
        const el = document.body.appendChild(document.createElement("div"));
        await module.default.render({ model, el });
    };
    await open({ get_model: async (id) => ({ get: () => texts["IPY_MODEL_" + id] }) });
    await open(undefined);
}
"""


def test_live_the_player_is_that_of_the_notebook(new_page):
    page = new_page()
    page.set_content("<!doctype html><html lang=en><title>t</title><body>")
    page.evaluate(LIVE, [loader(), module.source(VIEW), module.source(), with_tapes([0, 8])])
    page.wait_for_function("document.querySelectorAll('.minitape').length === 2")
    for view in page.locator("body > div").all():
        view.locator(".health-grid").focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        view.locator(".minitape .caption").wait_for()
    assert page.evaluate("window.said") == ["front_end", "players"] and not page.problems, "asked for where no model is found"


WRONG = {
    "no data": None, "number": 5, "list": [], "version": {"version": 2}, "letters": {"letters": "44<"}, "short": {"letters": "4"},
    "numbers": {"numbers": ["<img>"]}, "layer": {"layer": 99}, "steps": {"steps": -1}, "at": {"at": [3, 2]}, "language": {"language": "xx"},
    "no measures": {"measures": {}}, "measure": {"measure": "constructor"}, "long": {"title": "x" * 6000},
    "losses": {"losses": {"each": 0, "mean": [], "low": [], "high": []}}, "tapes": {"tapes": [{"step": 3}]}, "note": {"note": {}}}


@pytest.fixture(scope="module")
def whole_one():
    data = made(20, 2, 10)
    data["findings"] = [{"key": "dead", "sure": "sure", "layer": "Dense1", "step": 3, "text": "<b>x</b>", "cure": "y", "place": None}]
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
    assert said.startswith("This training's picture is not shown") and ("another version" in said) == (name == "version")
    assert page.locator(".minitape").count() == 0 and page.locator(".minitape-still").is_visible() and not page.problems


def test_what_others_wrote_is_text(page_of, whole_one):
    given = json.loads(json.dumps(whole_one))
    given["layers"][0]["name"] = given["title"] = "<img src=x onerror=alert(1)>"
    page = page_of(given)
    assert text(page, ".health-title").startswith("<img") and page.locator(".minitape img, .minitape b").count() == 0
    assert text(page, ".health-said") == "<b>x</b>" and not page.problems


SLOW = """
import time
import minitape as tf
from minitape import health
from minitape_widgets import health_view
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
        time.sleep(0.15)
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
    assert page.locator(".health .chip[aria-pressed=true]").inner_text() == "value", "what was chosen stays"
    notebook.finish()
    assert becomes(page, 60, steps)
    page.wait_for_timeout(500)                           # the output itself is replaced at the end
    assert page.locator(".health .chip[aria-pressed=true]").inner_text() == "value", "at the end, too"
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
    assert text(page, ".health-tape-name").endswith("at Dense1") and inner(page)["trail"].endswith("Dense1")
    assert not notebook.problems and not notebook.blocked


@pytest.mark.long
def test_a_notebook_that_is_opened_again_shows_it_without_a_kernel(open_notebook):
    notebook = open_notebook(cells=["from minitape import health\nfrom minitape_widgets import health_view", "1"])
    seen = run((TRAININGS / "vanishing.py").read_text(encoding="utf-8"), "vanishing")
    given = json.dumps(health_view(seen).picture())
    notebook.run(f"import json\nfrom IPython.display import display\ndisplay(json.loads({given!r}), raw=True)")
    notebook.page.wait_for_selector(".health path.lowest", state="attached")         # the kernel answers before the extension has drawn
    assert notebook.page.locator(".health path.lowest").count() == 1 and not notebook.problems
    notebook.page.locator(".health-grid").focus()
    notebook.page.keyboard.press("ArrowDown")
    notebook.page.keyboard.press("Enter")
    assert inner(notebook.page)["trail"].endswith("Dense1") and not notebook.problems
