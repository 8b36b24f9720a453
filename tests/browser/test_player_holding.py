"""Numbers taken hold of: by mouse, keys and typing; everything follows, what does not says so, and
the recorded ones come back.
"""
# ruff: noqa: E501  (lines of JavaScript)

import pytest

import minitape as tf
from minitape.storyboard import Film, develop
from minitape_widgets import play
from tests.browser.pages import SLIDE, becomes
from tests.browser.stage import go, loop
from tests.browser.test_player_motion import step as step_on

pytestmark = pytest.mark.browser


def parabola(**view):
    x = tf.Variable(2.0, name="x")
    with tf.GradientTape() as tape:
        y = x * x + 3.0 * x
    return play(tape, y, x, **view)


def box(page, name):
    """The first box of a name, as it is shown."""
    return page.locator(
        ".node:not([hidden])", has=page.locator(f".node-name:text-is('{name}')")
    ).first


def shown(page, name):
    return box(page, name).locator(".node-value").text_content()


def heights(page):
    """Of all but the code and the inspector, which share their room."""
    return page.evaluate(
        "[...document.querySelector('.minitape').player.root.querySelectorAll('.column, .graph, .tape, .caption-row, .stage')].map(e => JSON.stringify(e.getBoundingClientRect())).join()"
    )


def drag(page, place, by, shift=False):
    box_of = place.bounding_box()
    x, y = box_of["x"] + box_of["width"] / 2, box_of["y"] + box_of["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    if shift:
        page.keyboard.down("Shift")
    page.mouse.move(x + by / 2, y)
    page.mouse.move(x + by, y)
    page.mouse.up()
    if shift:
        page.keyboard.up("Shift")
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_a_number_is_drawn_along_and_everything_follows(stage, accessible):
    page = stage(parabola().storyboard)
    go(
        page,
        page.player("return p.board.frames.findLastIndex(frame => frame.act === 'result') + 1;"),
    )
    before = heights(page)
    assert page.locator(".held-line").is_hidden()
    drag(page, box(page, "x"), 20)  # five steps of 0.1
    assert shown(page, "x") == "2.5" and shown(page, "y") == "13.75"
    assert "8.0" in page.locator(".caption-row").text_content(), (
        "the gradient in the sentence: 2 × 2.5 + 3"
    )
    assert page.locator(".pill-adjoint", has_text="8.0").count(), "and on the border of its box"
    assert "13.75" in page.locator(".card").last.text_content(), "and on the card"
    assert page.locator(".node.chosen .node-name").text_content() == "x", (
        "what one holds is what one looks at"
    )
    assert heights(page) == before, "nothing on the page moves"
    live = page.locator(".player > [role=status]")
    assert becomes(page, "x = 2.5, y = 13.75, dy/dx = 8.0", lambda: live.text_content())
    go(page, 3)
    assert shown(page, "x") == "2.5", "another moment has the same numbers"
    accessible(page)
    page.get_by_role("button", name="Recorded numbers again").click()
    assert shown(page, "x") == "2.0" and page.locator(".held-line").is_hidden()
    drag(page, box(page, "x"), 40, shift=True)
    assert shown(page, "x") == "2.1"
    page.locator(".player").focus()
    page.keyboard.press("Escape")
    assert shown(page, "x") == "2.0"


def test_a_step_soon_after_a_drag_moves_to_its_end(stage):
    """What waited until the hand rests is drawn with the step."""
    page = stage(parabola().storyboard)
    go(page, 8)
    drag(page, box(page, "x"), 20)
    assert step_on(page)
    said = page.locator(".player > [role=status]")
    assert becomes(page, True, lambda: said.text_content().startswith("x = 2.5"))
    assert "idle" not in page.evaluate("moving.map((one) => one.playState)")


def test_a_finger_draws_a_number_along(stage):
    page = stage(parabola().storyboard, has_touch=True)
    go(page, 10_000)
    box_of = box(page, "x").bounding_box()
    x, y = box_of["x"] + 20, box_of["y"] + 20
    finger = page.context.new_cdp_session(page)

    def touch(kind, *at):
        finger.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in at]},
        )

    touch("touchStart", (x, y))
    for step in range(1, 11):
        touch("touchMove", (x + 4 * step, y))
    touch("touchEnd")
    assert becomes(page, "3.0", lambda: shown(page, "x"))
    page.get_by_role("button", name="Recorded numbers again").tap()
    assert shown(page, "x") == "2.0"
    x, y = box_of["x"] + box_of["width"] / 2, box_of["y"] + box_of["height"] / 2
    touch("touchStart", (x, y))
    for step in range(1, 11):
        touch("touchMove", (x + 4 * step, y))
    touch("touchEnd")
    assert becomes(page, "3.0", lambda: shown(page, "x")), "on the number itself, too"


def test_what_is_said_does_not_go_ahead_of_what_is_seen(stage):
    page = stage(parabola().storyboard)
    go(page, 1)
    drag(page, box(page, "x"), 20)
    assert becomes(page, "x = 2.5", lambda: page.locator(".player > [role=status]").text_content())
    go(page, page.player("return p.board.frames.findIndex(frame => frame.act === 'seed') + 1;"))
    drag(page, box(page, "x"), 20)
    assert becomes(
        page, "x = 3.0, y = 18.0", lambda: page.locator(".player > [role=status]").text_content()
    )


def test_shift_in_the_middle_of_a_drag_goes_on_in_small_steps(stage):
    page = stage(parabola().storyboard)
    go(page, 10_000)
    box_of = box(page, "x").bounding_box()
    x, y = box_of["x"] + 20, box_of["y"] + 20
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y)
    assert becomes(page, "3.0", lambda: shown(page, "x"))
    page.keyboard.down("Shift")
    page.mouse.move(x + 44, y)
    page.mouse.move(x + 52, y)
    assert becomes(page, "3.02", lambda: shown(page, "x"))
    page.keyboard.up("Shift")
    page.mouse.up()


def test_keys_change_the_number_of_the_box_that_has_the_focus(stage):
    page = stage(parabola().storyboard)
    go(page, 10_000)
    box(page, "x").focus()
    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("+")
    assert becomes(page, "2.2", lambda: shown(page, "x"))
    page.keyboard.press("Alt+Shift+ArrowDown")
    assert becomes(page, "2.19", lambda: shown(page, "x"))
    page.keyboard.press("-")
    assert becomes(page, "2.09", lambda: shown(page, "x"))


def test_a_number_is_typed(stage):
    page = stage(parabola().storyboard)
    go(page, 10_000)
    box(page, "x").click()
    field = page.get_by_role("textbox", name="x", exact=True)
    field.fill("-1,5")
    assert becomes(page, "-2.25", lambda: shown(page, "y"))
    assert field.input_value() == "-1,5", "what is written stays as it is"
    field.fill("two")
    assert (
        "“two” is not a number." in page.locator(".held-answer").text_content()
        and field.input_value() == "two"
    )
    assert shown(page, "y") == "-2.25"
    field.fill("inf")
    assert becomes(page, "inf", lambda: shown(page, "y"))
    field.fill("4")
    page.keyboard.press("ArrowUp")
    assert becomes(page, "4.1", lambda: field.input_value())
    k = page.player("return p.k;")
    page.keyboard.press("ArrowLeft")
    assert page.player("return p.k;") == k, "left and right belong to the field"
    page.keyboard.press("Escape")
    assert becomes(page, "2", lambda: field.input_value())


def test_what_does_not_follow_says_so(stage):
    x = tf.Variable(2.0, name="x")
    with Film() as film:
        with tf.GradientTape() as tape:
            if x > 1.0:
                y = tf.math.log(x)
            else:
                y = x
        tape.gradient(y, x)
    page = stage(develop(film))
    go(page, 10_000)
    notice = page.locator(".held-line .notice")
    drag(page, box(page, "x"), 8)
    assert notice.text_content() == ""
    drag(page, box(page, "x"), -80)
    assert (
        shown(page, "x") == "0.2"
        and "your if or while would have gone the other way" in notice.text_content()
    )
    assert notice.evaluate("n => n.scrollWidth <= n.clientWidth")
    assert page.locator(".caption").text_content().startswith("Here your program goes another way")
    assert not page.locator(".callout").count(), "the recorded answer is not the program's"
    drag(page, box(page, "x"), -160)
    assert float(shown(page, "x")) < 0 and "from card 2 on (Log)" in notice.text_content()
    assert page.locator(".node.is-odd").count()


def test_the_cells_of_a_small_array_are_fields_and_those_of_a_large_one_are_not(stage):
    w, many = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w"), tf.Variable([1.0] * 20, name="many")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(w * w) + tf.reduce_sum(many)
    page = stage(play(tape, y, [w, many]).storyboard)
    go(page, 10_000)
    box(page, "w").click()
    assert page.locator(".held-field").count() == 4
    page.get_by_role("textbox", name="w[1, 0]").fill("5")
    assert becomes(page, "66.0", lambda: shown(page, "y"))
    box(page, "many").click()
    assert (
        page.locator(".held-field").count() == 0
        and "These are 20 numbers" in page.locator(".held").text_content()
    )


def test_a_question_is_about_the_recorded_numbers(stage):
    page = stage(parabola(predict=True).storyboard)
    frame = page.player("return p.board.prompts[0].frame;")
    go(page, frame)
    drag(page, box(page, "x"), 20)
    assert shown(page, "x") == "2.5"
    page.locator("button.step").click()
    assert page.locator(".prompt").is_visible() and shown(page, "x") == "2.0"
    drag(page, box(page, "x"), 20)
    assert shown(page, "x") == "2.0", "and stays so while it is open"


DRAG = """async (frames) => {
    const box = document.querySelector(".minitape").player.root.querySelector(".node.holds:not([hidden])");
    const { x, y } = box.getBoundingClientRect();
    box.setPointerCapture = () => {};
    const fire = (type, clientX) =>
        box.dispatchEvent(new PointerEvent(type, { pointerId: 1, isPrimary: true, clientX, clientY: y, bubbles: true }));
    fire("pointerdown", x);
    for (let k = 1; k <= frames; k++) {
        fire("pointermove", x + 4 * (k % 60) + 8);
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    }
    fire("pointerup", x);
}"""


def test_a_frame_of_a_drag_lays_the_page_out_once(stage):
    """Nothing is measured between what is written: each question would be answered by another
    layout of the whole page.
    """
    page = stage(loop(30))
    go(page, 10_000)
    page.evaluate(DRAG, 5)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def layouts():
        return next(
            m["value"]
            for m in session.send("Performance.getMetrics")["metrics"]
            if m["name"] == "LayoutCount"
        )

    before = layouts()
    page.evaluate(DRAG, 40)
    assert (layouts() - before) / 40 < 1.5
    assert float(shown(page, "x")) > 1, "it was drawn along"


ADDED = """() => {
    const { root } = document.querySelector(".minitape").player;
    window.added = { boxes: 0, inspector: 0 };
    const places = { boxes: ".nodes, .badges", inspector: ".inspector-body, .nudge" };
    new MutationObserver((all) => all.forEach(({ target, addedNodes }) => {
        for (const [name, place] of Object.entries(places))
            if (target.closest?.(place)) added[name] += [...addedNodes].filter((node) => node.nodeType === 1).length;
    })).observe(root, { subtree: true, childList: true });
}"""


def test_a_frame_of_a_drag_writes_numbers_and_builds_no_boxes(stage):
    """A number of as many letters stands where the one before did; what is folded away is drawn
    when it is opened.
    """
    page = stage(loop(30))
    go(page, 10_000)
    page.evaluate(DRAG, 2)
    assert page.locator(".inspector.folded").count(), "here it has no room"
    page.evaluate(ADDED)
    page.evaluate(DRAG, 40)
    added = page.evaluate("added")
    assert added["boxes"] < 80, "numbers become a letter longer or shorter now and then"
    assert added["inspector"] == 0
    page.locator(".fold-button").click()
    assert page.locator(".inspector-body .held-field").input_value() == shown(page, "x")


FIELD = """async (frames) => {
    const field = document.querySelector(".minitape").player.root.querySelector(".held-field");
    for (let k = 1; k <= frames; k++) {
        field.value = k / 7;
        field.dispatchEvent(new Event("input"));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    }
}"""


def test_a_frame_of_a_drag_builds_no_tiles(stage):
    """An array of as many numbers gets other colours where its tiles are."""
    x = tf.Variable([[1.0, -2.0, 3.0, 0.5]] * 3, name="x")
    with tf.GradientTape() as tape:
        y = x
        for _ in range(18):
            y = tf.tanh(y)
        loss = tf.reduce_sum(y)
    page = stage(play(tape, loss, x).storyboard, width=1920, height=1080)
    go(page, 10_000)
    tiles = "return p.root.querySelector('.graph .tiles').innerHTML;"
    page.player("p.root.querySelector('.node.is-source').dispatchEvent(new MouseEvent('click'));")
    before = page.player(tiles)
    page.evaluate(ADDED)
    page.evaluate(FIELD, 20)
    assert page.evaluate("added.boxes") < 100, "a colour more, now and then"
    assert page.player(tiles) != before


CHANGED = """() => {
    const { root } = document.querySelector(".minitape").player;
    window.changed = { added: 0, told: 0 };
    new MutationObserver((all) => all.forEach(({ target, addedNodes }) => {
        changed.added += [...addedNodes].filter((node) => node.nodeType === 1).length;
        changed.told += target.closest?.(".controls-bar, .inspector-rest") ? 1 : 0;
    })).observe(root, { subtree: true, childList: true, attributes: true });
}"""


@pytest.mark.parametrize("height", [768, 1400])
def test_a_frame_of_a_drag_writes_into_what_stands_there(stage, height):
    """Sentence, answer, curve and facts keep their elements; what is not seen, or only said, waits
    until the hand rests.
    """
    x = tf.Variable([[1.0, -2.0, 3.0, 0.5]] * 3, name="x")
    with tf.GradientTape() as tape:
        y = x
        for _ in range(20):
            y = tf.sin(y + x)
        loss = tf.reduce_sum(y)
    page = stage(play(tape, loss, x, folded=False).storyboard, width=1366, height=height)
    go(page, 10_000)
    page.player("p.root.querySelector('.node.is-source').dispatchEvent(new MouseEvent('click'));")
    page.evaluate(SLIDE, 3)
    page.wait_for_timeout(600)
    texts = lambda: [
        page.locator(f".{name}").text_content() for name in ("caption", "plot-slope", "callout")
    ]
    facts = lambda: page.locator(".inspector-rest").inner_html()
    before, known = texts(), facts()
    page.evaluate(CHANGED)
    page.evaluate(SLIDE, 12)
    changed = page.evaluate("changed")
    assert changed["added"] < 3 * 12, "a colour more, a number a letter longer"
    assert height == 1400 or not changed["told"], "below what is seen"
    assert all(now != was for now, was in zip(texts(), before))
    assert becomes(page, True, lambda: facts() != known), "the hand rests"


TOUCHED = """() => {
    const { root } = document.querySelector(".minitape").player;
    window.touched = [];
    new MutationObserver((all) => touched.push(new Set(all.map(({ target }) => target)).size))
        .observe(root.querySelector(".graph-svg"), { subtree: true, childList: true, attributes: true, characterData: true });
}"""


def test_a_frame_of_a_drag_touches_what_is_seen_of_200_cards(stage):
    """What is too small to show a number shows none anew, and what lies outside of the pane waits
    until it comes into view or the hand rests.
    """
    s, x = tf.Variable(1.0, name="s"), tf.constant([[1.0, -2.0, 3.0, 0.5]] * 3)
    with tf.GradientTape() as tape:
        y = x
        for _ in range(100):
            y = (y + s) * -0.99  # all of it changes with s
        loss = tf.reduce_sum(y)
    page = stage(play(tape, loss, s, folded=False).storyboard, width=1366, height=768)
    go(page, 10_000)
    page.player("p.root.querySelector('.node.is-source').dispatchEvent(new MouseEvent('click'));")
    assert page.locator(".node:not([hidden])").count() > 300
    page.evaluate(TOUCHED)
    page.evaluate(FIELD, 10)
    assert max(page.evaluate("touched"), default=0) < 30, (
        "the answer stays, and marks show no number"
    )

    for _ in range(12):
        page.get_by_role("button", name="Larger").click()
    page.player(
        "const pane = p.root.querySelector('.graph-scroll'); pane.scrollTop = pane.scrollLeft = 0;"
    )
    drawn = lambda: page.player("""
        const pane = p.root.querySelector(".graph-scroll").getBoundingClientRect();
        return [...p.root.querySelectorAll(".graph-svg .node .tiles")].map((one) => {
            const { left, top } = one.getBoundingClientRect();
            const away = left > pane.right + 1000 || top > pane.bottom + 1000;
            const seen = left < pane.right && top < pane.bottom;
            return [seen ? "seen" : away ? "away" : "near", one.innerHTML];
        });""")
    first = drawn()
    moved = lambda where: [now != was for now, was in zip(drawn(), first) if was[0] == where]
    assert len(first) > 200, "here each has room"
    page.evaluate(TOUCHED)
    page.evaluate(FIELD, 6)
    assert 0 < max(page.evaluate("touched")) < 200, page.evaluate("touched")
    assert any(moved("seen"))
    assert becomes(page, True, lambda: sum(moved("away")) > 50), "the hand rests"
