"""The graph in a browser: seen whole when it opens, with letters that can be read; closer with a
map; rounds on one another.
"""
# ruff: noqa: E501  (lines of JavaScript)

import pytest

import minitape as tf
from minitape.storyboard import Film, develop
from minitape_widgets import play
from tests.browser.stage import go, loop, stage  # noqa: F401

pytestmark = pytest.mark.browser

SIZES = [(1366, 625), (1366, 768), (1920, 1080)]
FITS = """() => { const pane = document.querySelector(".minitape").shadowRoot.querySelector(".graph-scroll");
    const box = pane.querySelector("svg").getBoundingClientRect(), room = pane.getBoundingClientRect();
    return pane.scrollWidth <= pane.clientWidth + 1 && pane.scrollHeight <= pane.clientHeight + 1
        && box.left >= room.left - 1 && box.right <= room.right + 1 && box.top >= room.top - 1 && box.bottom <= room.bottom + 1; }"""
LETTERS = """() => { const svg = document.querySelector(".minitape").shadowRoot.querySelector(".graph-svg");
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    return [...svg.querySelectorAll(".node:not([hidden]) text")].filter(text => text.textContent && !text.hasAttribute("hidden"))
        .map(text => parseFloat(getComputedStyle(text).fontSize) * scale); }"""


def chain(count):
    """`count` operations in a row, written out, with one variable used by each."""
    w = tf.Variable(0.5)
    with tf.GradientTape() as tape:
        y = w * 1.0
        for _ in range(count - 1):
            y = y * w
    return play(tape, y, w, folded=False).storyboard


def trained():
    """Three steps of a training with two layers."""
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)]
    )
    optimizer, xs = tf.keras.optimizers.SGD(0.1), tf.constant([[0.0], [1.0], [2.0], [3.0]])
    with Film() as film:
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(xs) - 2.0 * xs) ** 2)
            optimizer.apply_gradients(
                zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
            )
    return develop(film)


@pytest.fixture(scope="module")
def boards():
    return {"chain": chain(40), "loop": loop(500), "small": loop(1)}


@pytest.mark.parametrize("name", ["chain", "loop", "small"])
def test_the_graph_is_seen_whole_and_can_be_read(stage, boards, name):  # noqa: F811
    page = stage(boards[name])
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(100)
        for k in (0, len(boards[name]["frames"]) // 2, len(boards[name]["frames"])):
            go(page, k)
            assert page.evaluate(FITS), (width, height, k)
        letters = page.evaluate(LETTERS)
        assert letters and min(letters) > 8.4, (width, height, min(letters, default=None))
    assert not page.problems


NAMES = """([above, below]) => { const root = document.querySelector(".minitape").shadowRoot, all = what => [...root.querySelectorAll(what)]
    .filter(e => e.checkVisibility()).map(e => [e.textContent, e.getBoundingClientRect()]);
    return all(above).flatMap(([a, r]) => all(below).filter(([, q]) => r.width && r.left < q.right - 1 && q.left < r.right - 1
        && r.top < q.bottom - 1 && q.top < r.bottom - 1).map(([b]) => [a, b])); }"""


def test_the_name_of_the_pane_covers_no_box(stage):  # noqa: F811
    """It lies above the picture; where a box would be under it or its buttons, it has a row of its
    own.
    """
    page = stage(trained(), width=950, height=768)
    for height in (768, 625):
        page.set_viewport_size({"width": 950, "height": height})
        page.wait_for_timeout(200)
        for k in range(0, page.player("return p.total;") + 1, 7):
            go(page, k)
            above = ".graph .pane-name > span, .graph .trail > *, .graph-tools"
            assert page.evaluate(NAMES, [above, ".node-box:not(.under)"]) == [], (height, k)


def test_the_start_of_a_training_looks_the_same_however_one_came_there(stage):  # noqa: F811
    """The outlines are those of its first step."""
    page = stage(trained(), width=1280, height=768)
    look = "return [p.root.querySelector('.chapters select').value, p.root.querySelector('.round-name').textContent, p.root.querySelectorAll('.node').length];"
    before = page.player(look)
    assert before[0] == "0" and before[1] == page.player(
        "return p.board.groups[p.board.chapters[0].group].label;"
    )
    go(page, page.player("return p.total;"))
    assert page.player(look)[0] == "2"
    go(page, 0)
    assert page.player(look) == before


def test_what_is_said_does_not_cover_the_name_of_a_stack(stage, boards):  # noqa: F811
    page = stage(boards["loop"], width=950, height=625)
    total = page.player("return p.total;")
    for k in (total // 2, total - 3, total - 2, total - 1, total):
        go(page, k)
        assert page.evaluate(NAMES, [".callout > rect", ".is-stack > .node-name"]) == [], k


def test_the_graph_grows_with_its_room(stage, boards):  # noqa: F811
    page = stage(boards["small"], width=1366, height=768)
    go(page, 3)
    width = "() => document.querySelector('.minitape').shadowRoot.querySelector('.graph-svg').getBoundingClientRect().width"
    before = page.evaluate(width)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.wait_for_timeout(200)
    assert page.evaluate(width) > 1.2 * before


def test_a_map_shows_the_piece_that_is_seen(stage, boards):  # noqa: F811
    page = stage(boards["chain"], width=1366, height=768)
    go(page, 40)
    small, scroller = page.locator(".minimap"), page.locator(".graph-scroll")
    assert not small.is_visible()
    for _ in range(6):
        page.get_by_role("button", name="Larger").click()
    assert (
        small.is_visible()
        and small.locator(".spot").count() == page.locator(".graph-svg .node").count()
    )
    box = small.bounding_box()
    small.click(position={"x": 4, "y": 4})
    left, top = scroller.evaluate("e => [e.scrollLeft, e.scrollTop]")
    assert left == 0 and top < 60
    small.click(position={"x": box["width"] - 4, "y": box["height"] - 4})
    left, top = scroller.evaluate("e => [e.scrollLeft, e.scrollTop]")
    assert left > 100 and top > 50
    frame = small.locator(".minimap-frame").evaluate("e => e.x.baseVal.value")
    assert frame > 100
    page.get_by_role("button", name="Fit").click()
    assert not small.is_visible() and page.evaluate(FITS)


def test_the_camera_follows_the_acts_with_a_switch(stage, boards):  # noqa: F811
    page = stage(boards["chain"], width=1366, height=768)
    go(page, 1)
    for _ in range(6):
        page.get_by_role("button", name="Larger").click()
    place = "e => [e.scrollLeft, e.scrollTop]"
    scroller = page.locator(".graph-scroll")
    go(page, 40)
    there = scroller.evaluate(place)
    assert there[0] > 300
    camera = page.get_by_role("button", name="Follow the acts")
    camera.click()
    assert camera.get_attribute("aria-pressed") == "false"
    go(page, 1)
    assert scroller.evaluate(place) == there
    camera.click()
    assert scroller.evaluate(place)[0] < 300, "switched on, it goes to the act at once"


def test_a_round_that_was_opened_follows_the_play(stage, boards):  # noqa: F811
    page = stage(boards["loop"], width=1366, height=768)
    records = [k for k, frame in enumerate(boards["loop"]["frames"], 1) if frame["act"] == "record"]
    go(page, records[20])
    page.locator(".is-stack .node-name").click()
    shown = page.locator(".round-name")
    assert shown.text_content().endswith("round 11")
    go(page, records[22])
    assert shown.text_content().endswith("round 12") and page.evaluate(FITS)
    page.get_by_role("button", name="Next round").click()
    assert shown.text_content().endswith("round 13")
    go(page, records[600])
    assert shown.text_content().endswith("round 301")
    page.get_by_role("button", name="Whole tape").click()
    assert not shown.is_visible() and page.locator(".is-stack").is_visible()
    assert not page.problems


def test_the_places_of_a_variable_light_up_together(stage, boards):  # noqa: F811
    page = stage(boards["chain"], width=1366, height=768)
    go(page, len(boards["chain"]["frames"]))
    places = page.locator(".node.role-variable")
    assert places.count() > 1
    places.nth(1).hover()
    assert page.locator(".node[data-lit]").count() == places.count()
    w = next(n for n, node in enumerate(boards["chain"]["nodes"]) if node["role"] == "variable")
    under = page.player("return [...p.root.querySelectorAll('.badges > g')].length;")
    reached = {
        frame["node"] for frame in boards["chain"]["frames"] if frame["act"] in ("seed", "part")
    }
    assert w in reached and under == len(reached), "the sum is shown once"


def long_chain():
    """Thirty cards, card by card: wider than high, and small in large type."""
    x = tf.Variable(0.5, name="x")
    with tf.GradientTape() as tape:
        a = x
        for _ in range(10):
            a = tf.sin(a) * x + a
    return {"storyboard": play(tape, a, x, folded=False).storyboard, "options": {"large": True}}


def test_thirty_cards_in_large_type_have_their_names(stage):  # noqa: F811
    page = stage(long_chain(), width=1366, height=768)
    go(page, 10_000)
    names = page.locator(".node:not([hidden])").evaluate_all("all => all.map(e => e.textContent)")
    assert len(names) == 32 and sum(map(bool, names)) >= 30, names


FREE = """() => { const { root } = document.querySelector(".minitape").player, map = root.querySelector(".minimap");
    const boxes = [...root.querySelectorAll(".graph-svg .node")].map((one) => one.getBoundingClientRect()), was = map.getAttribute("class");
    const found = [was, ...["", "at-left", "at-top", "at-left at-top"].map((corner) => "minimap " + corner)].map((corner) => {
        map.setAttribute("class", corner);
        const { left, right, top, bottom } = map.getBoundingClientRect();
        return !boxes.some((one) => one.right > left && one.left < right && one.bottom > top && one.top < bottom); });
    map.setAttribute("class", was);
    return [found[0], found.some((free) => free)]; }"""


def test_the_minimap_leaves_room_for_the_picture(stage):  # noqa: F811
    """It is a small part of the pane, and stands where no box lies under it, if there is such a
    corner.
    """
    x = tf.Variable(2.0, name="x")
    with tf.GradientTape() as tape:
        y = tf.sin(x) * tf.cos(x) + tf.exp(x) * tf.math.log(x)
    page = stage(play(tape, y, x).storyboard, width=934, height=768)
    for _ in range(4):
        page.get_by_role("button", name="Larger").click()
    small, pane = page.locator(".minimap"), page.locator(".graph-scroll").bounding_box()
    for way in range(11):
        page.locator(".graph-scroll").evaluate(
            "(e, way) => e.scrollTo(way * (e.scrollWidth - e.clientWidth) / 10, 0)", way
        )
        page.wait_for_timeout(50)
        box_of = small.bounding_box()
        assert box_of["width"] <= pane["width"] / 4 and box_of["height"] <= pane["height"] / 4
        assert page.evaluate(FREE) in ([True, True], [False, False])


UNDER_MAP = """() => { const { root } = document.querySelector(".minitape").player;
    const box = (element) => element.getBoundingClientRect(), map = box(root.querySelector(".minimap")), pane = box(root.querySelector(".graph-scroll"));
    const meets = (one) => map.width && one.right > map.left && one.left < map.right && one.bottom > map.top && one.top < map.bottom;
    const here = [...root.querySelectorAll(".node.here:not([hidden], .is-stack)")].map(box);
    return { callout: [...root.querySelectorAll(".callout rect")].some((one) => meets(box(one))), act: here.some(meets),
             cut: here.some((one) => one.width < pane.width && (one.left < pane.left - 1 || one.right > pane.right + 1)) }; }"""


def test_the_box_of_an_act_is_seen_whole_and_no_callout_under_the_minimap(stage):  # noqa: F811
    ws = [tf.Variable(tf.random.normal([4, 4], seed=k), name=f"w{k}") for k in range(5)]
    with tf.GradientTape() as tape:
        h = tf.ones([2, 4])
        for w in ws:
            h = tf.nn.relu(h @ w + 0.1) * 0.9 + h
        loss = tf.reduce_mean(h * h)
    page = stage(play(tape, loss, ws[0]).storyboard, width=1366, height=768)
    go(page, 10_000)
    for _ in range(4):
        page.get_by_role("button", name="Larger").click()
    found = {"callout": [], "act": [], "cut": []}
    for k in range(page.player("return p.total;") + 1):
        go(page, k)
        for what, is_so in page.evaluate(UNDER_MAP).items():
            found[what] += [k] if is_so else []
    assert found["callout"] == found["act"] == []
    assert len(found["cut"]) < 2, "only where a wide callout beside it is to be read"
