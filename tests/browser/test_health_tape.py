"""The tape that a click in the health view opens: at which layer, with which keys, and whoever
wrote it.
"""

import json

import pytest

from minitape import health
from minitape_widgets import health_view, module
from minitape_widgets.front_end import loader
from minitape_widgets.health import VIEW
from minitape_widgets.packing import deflated, unpack
from tests.browser.health_page import click, focused, inner, text
from tests.browser.pages import becomes
from tests.widgets.trained import train

pytestmark = pytest.mark.browser


def test_a_click_opens_the_tape_of_the_step_at_the_layer(page_of, accessible):
    page = page_of("vanishing", width=1366, height=768)
    section = page.locator(".health-tape")
    assert not section.is_visible() and page.locator(".minitape .minitape").count() == 0
    click(page, 2, 0)
    found = inner(page)
    assert (
        text(page, ".health-tape-name") == "The tape of step 0, at Dense3"
        and not page.locator(".health-tape-note").is_visible()
    )
    assert (
        found["trail"].endswith("Dense3")
        and "Sigmoid" in found["said"]
        and "adjoint is complete" in found["said"]
    ), found
    assert becomes(page, "health-tape-name", lambda: focused(page))
    box = section.bounding_box()
    assert 0 <= box["y"] < 768 and box["x"] >= 0 and box["x"] + box["width"] <= 1366
    accessible(page, ".minitape")
    page.locator(".health .chip", has_text="value").click()
    click(page, 4, 0)
    assert becomes(page, "The tape of step 0, at Dense5", lambda: text(page, ".health-tape-name"))
    found = inner(page)
    assert found["trail"].endswith("Dense5") and "makes" in found["said"], (
        "a value is met where it was recorded"
    )
    assert page.locator(".minitape .minitape").count() == 1, "one player at a time"
    page.get_by_role("button", name="Close the tape").click()
    assert (
        not section.is_visible()
        and page.locator(".minitape .minitape").count() == 0
        and focused(page) == "health-grid"
    )
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
    assert becomes(
        page, "Step 29 was not kept; this is step 8.", lambda: text(page, ".health-tape-note")
    )
    assert (
        page.locator(".health .flag").first.get_attribute("d").count("M") == 2 and not page.problems
    )


def test_the_first_bad_number_opens_its_operation_and_its_line(page_of):
    page = page_of("exploding", width=1920, height=1080)
    page.get_by_role("button", name="First bad number: MatMul, step 4").click()
    found = inner(page)
    assert "MatMul" in found["said"] and "inf" in found["said"] and "h @ w" in found["code"], found
    assert text(page, ".health-tape-name") == "The tape of step 4" and not page.problems


def with_tapes(steps, **more):
    """The data of a small training with the tapes of these steps."""
    seen = train(health.watch(every=1))
    given = health_view(seen).given
    kept = {one["step"]: one for one in given["tapes"]}
    nearest = [kept.get(step) or {**given["tapes"][0], "step": step} for step in steps]
    return given | {"tapes": nearest} | more


def hostile():
    """Traces of tapes that somebody else has written."""
    board = unpack(with_tapes([0])["tapes"][0]["trace"])["storyboard"]
    evil = json.loads(json.dumps(board).replace("loss", "<img src=x onerror=alert(1)>"))
    return {
        "names": ({"storyboard": evil}, True),
        "no frames": ({"storyboard": {**board, "frames": None}}, False),
        "frames": ({"storyboard": {**board, "frames": [{"act": "record", "card": 99}]}}, False),
        "null": (None, False),
        "list": ([], False),
        "a pair": ({"pair": [board, board]}, False),
        "text": ("x", False),
        "proto": ({"storyboard": {**board, "language": "__proto__"}}, False),
    }


def test_a_tape_that_others_wrote_is_text_or_a_line_of_words(page_of):
    for name, (trace, shown) in hostile().items():
        given = with_tapes([0])
        given["tapes"][0] |= {"trace": deflated(trace), "cards": [999]}
        page = page_of(given)
        click(page, 0, 0)
        page.wait_for_selector(".minitape .minitape" if shown else ".minitape .minitape-refused")
        assert becomes(page, "health-tape-name", lambda page=page: focused(page)), name
        assert page.locator(".minitape img").count() == 0 and not page.problems, (
            name,
            page.problems,
        )
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
    assert page.evaluate("window.said") == ["front_end", "players"] and not page.problems, (
        "asked for where no model is found"
    )
