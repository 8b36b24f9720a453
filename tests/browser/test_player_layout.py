"""The arrangement of the player's panes: of one height at every moment, and no higher than one sees
at once.

A notebook in JupyterLab shows 647 pixels of its height on a screen of 1366 by 768; with the file
browser open a player is 934 pixels wide there, without it 1186, in a window of 1024 it is 844 or
592 wide.
"""
# ruff: noqa: E501  (lines of JavaScript)

import pytest

import minitape as tf
from minitape.own_tape import storyboard
from minitape_widgets import play
from minitape_widgets.pitfalls.programs import run
from tests.browser.layouts import PROGRAMS, SEEN, board, height, inside, pair, shown
from tests.browser.stage import go, handmade

pytestmark = pytest.mark.browser
LONG = pytest.mark.long


WIDTHS = [
    (934, 768),
    *[
        pytest.param(*window, marks=LONG)
        for window in ((1186, 768), (844, 768), (592, 768), (683, 384))
    ],
]


@pytest.mark.parametrize("width, tall", WIDTHS)
@pytest.mark.parametrize("name", [*PROGRAMS, "asked", pytest.param("folded", marks=LONG)])
def test_one_height_at_all_moments_and_all_of_it_in_view(stage, name, width, tall):
    """At laptop width with and without the file browser, and at 1,024; in a narrow window the
    height is constant as well.
    """
    page = shown(stage, board(name), width, tall)
    assert height(page) <= SEEN or width < 700
    if width > 700:
        inside(page, ".pane.code", ".pane.graph", ".strip:not([hidden]) .strip-scroll")


LETTERS = """() => { const s = document.querySelector('.minitape').shadowRoot, found = {};
    for (const what of ['.callout text', '.pill text', '.node:not([hidden]) .node-value', '.mark', '.caption', '.card-value'])
        found[what] = [...s.querySelectorAll(what)].filter(e => e.getClientRects().length).map((e) => parseFloat(getComputedStyle(e).fontSize) * (e.getScreenCTM ? e.getScreenCTM().d : 1));
    return found; }"""


@pytest.mark.parametrize(
    "name",
    [
        "loop",
        "model",
        *(
            pytest.param(name, marks=LONG)
            for name in ("parabola", "escape", "nested", "jacobian", "asked")
        ),
    ],
)
def test_large_type_for_a_projector(stage, name):
    """Code, graph and the numbers of the moment without scrolling, and large: the graph's own
    letters in place of its scale.
    """
    made = board(name)
    for width in (934, 844):
        page = shown(stage, {"storyboard": made, "options": {"large": True}}, width)
        assert height(page) <= SEEN, width
        inside(page, ".pane.code", ".pane.graph", ".strip:not([hidden]) .strip-scroll")
        code, pane = (
            page.locator(".code-scroll").bounding_box(),
            page.locator(".graph-scroll").bounding_box(),
        )
        assert code["height"] >= 100 and pane["height"] >= 150 and pane["width"] >= 440, (
            width,
            code,
            pane,
        )
        total = page.player("return p.total;")
        for k in range(0, total + 1, max(1, total // 7)):
            go(page, k)
            sizes = page.evaluate(LETTERS)
            assert min(sizes[".caption"] + sizes[".card-value"] + sizes[".mark"]) >= 16, (
                width,
                k,
                sizes,
            )
            assert (
                min(sizes[".callout text"], default=99) >= 11.5
                and min(sizes[".pill text"], default=99) >= 10.5
            ), (width, k, sizes)
            assert min(sizes[".node:not([hidden]) .node-value"], default=99) >= 9.5, (
                width,
                k,
                sizes,
            )
            assert page.player(
                "const s = document.querySelector('.minitape').shadowRoot.querySelector('.graph-scroll'); return s.scrollHeight <= s.clientHeight;"
            ), (width, k)


def test_a_small_picture_has_larger_letters_and_narrower_gaps(stage):
    """The boxes keep their size and order; no two of them meet, and the letters stay in their
    boxes.
    """
    made = board("nested")
    page = shown(stage, {"storyboard": made, "options": {"large": True}}, 844)
    go(page, page.player("return p.total;"))
    boxes = [box.bounding_box() for box in page.locator(".node:not([hidden]) .node-box").all()]
    for i, one in enumerate(boxes):
        for other in boxes[i + 1 :]:
            assert (
                one["x"] + one["width"] < other["x"]
                or other["x"] + other["width"] < one["x"]
                or one["y"] + one["height"] < other["y"]
                or other["y"] + other["height"] < one["y"]
            )
    for node in page.locator(".node:not([hidden])").all():
        box = node.locator(".node-box").bounding_box()
        for text in node.locator("text").all():
            letters = text.bounding_box()
            assert (
                letters["x"] >= box["x"] - 1
                and letters["x"] + letters["width"] <= box["x"] + box["width"] + 1
            )
    grown = page.evaluate(LETTERS)[".node:not([hidden]) .node-value"]
    scale = page.evaluate(
        "document.querySelector('.minitape').shadowRoot.querySelector('.graph-svg').getScreenCTM().d"
    )
    assert scale < 0.8 and min(grown) > 1.4 * 12.5 * scale
    places = [box["x"] for box in made["drawings"][0]["nodes"]]
    assert [
        x for _, x in sorted(zip(places, [box["x"] + box["width"] / 2 for box in boxes]))
    ] == pytest.approx(sorted(box["x"] + box["width"] / 2 for box in boxes), abs=2)
    assert (
        page.evaluate(
            "document.querySelector('.minitape').shadowRoot.querySelector('.graph-svg').viewBox.baseVal.width"
        )
        < made["drawings"][0]["width"] + 32
    )  # of which little is empty: it was made for a laptop


CUT = """() => { const s = document.querySelector('.minitape').shadowRoot, box = s.querySelector('.code-scroll'), outer = box.getBoundingClientRect();
    const bottom = outer.top + box.clientHeight, line = parseFloat(getComputedStyle(box).lineHeight), found = [];
    for (const e of s.querySelectorAll('.line, .source-name')) { const r = e.getBoundingClientRect();
        for (let top = r.top; top < r.bottom - 2; top += line)
            for (const edge of [outer.top, bottom]) if (top + 1.5 < edge && edge < top + line - 1.5) found.push(e.textContent); }
    return found; }"""


@pytest.mark.parametrize("large", [False, True])
def test_the_code_pane_cuts_no_line_in_half(stage, large):
    """Whatever its height is: the program is longer than the pane, and the pane scrolls while it is
    played.
    """
    text = PROGRAMS["model in a loop"] + "\n" + PROGRAMS["model"].replace("model", "other")
    made = run(text, explain=False).board
    for width, tall in ((934, 768), (592, 700)):
        page = shown(stage, {"storyboard": made, "options": {"large": large}}, width, tall)
        total = page.player("return p.total;")
        for k in range(0, total + 1, max(1, total // 15)):
            go(page, k)
            assert page.evaluate(CUT) == [], (width, k)
        page.mouse.move(60, page.locator(".code-scroll").bounding_box()["y"] + 40)
        page.mouse.wheel(0, -500)
        page.wait_for_timeout(300)
        page.mouse.wheel(0, 47)
        page.wait_for_timeout(300)
        assert page.evaluate(CUT) == [], "scrolled by hand"


@pytest.mark.parametrize(
    "hide",
    [
        ["inspector"],
        ["code"],
        ["graph"],
        ["tape"],
        ["code", "inspector"],
        ["code", "inspector", "graph"],
    ],
)
def test_hidden_panes_leave_no_hole(stage, hide):
    page = shown(stage, {"storyboard": board("loop"), "options": {"hide": hide}}, 934)
    assert height(page) <= SEEN
    for pane in ("code", "inspector", "graph", "tape"):
        assert page.locator(f".pane.{pane}").is_visible() == (pane not in hide)


@pytest.mark.parametrize("width", [1186, 934, 592, 400])
def test_a_question_and_the_inspector_move_nothing(stage, width):
    """Both open in room that was kept for them: graph and tape stay where they are, and so does the
    end of the player.
    """
    page = shown(stage, handmade.asked(), width)
    places = lambda: [
        page.locator(pane).bounding_box() for pane in (".graph", ".tape", ".minitape")
    ]
    fold = page.locator(".fold-button")
    before = places()
    fold.click()
    assert places() == before
    fold.click()
    assert places() == before
    for prompt in handmade.asked()["prompts"]:
        go(page, prompt["frame"])
        page.locator("button.step").click()
        assert (
            page.locator(".prompt").is_visible()
            and page.locator(".question").bounding_box()["width"] > 120
        )
        assert places() == before, prompt["kind"]


def test_a_long_label_leaves_room_for_what_stands_beside_it(stage):
    """Without code the Inspector is a narrow column: "part for (sin(x) × y) × y" took nearly all of
    it.
    """
    entries = [
        ("sin", (0,), 2, (1.0, 0.84)),
        ("*", (2, 1), 3, (0.84, 2.0, 1.68)),
        ("*", (3, 1), 4, (1.68, 2.0, 3.36)),
        ("*", (4, 2), 5, (3.36, 0.84, 2.82)),
    ]
    own = storyboard(entries, names={0: "x", 1: "y", 5: "z"})
    page = shown(stage, {"storyboard": own, "options": {"start": 4, "hide": ["code"]}}, 1186)
    assert page.locator(".inspector th", has_text="(sin(x) × y) × y").count()
    assert all(cell.bounding_box()["width"] > 80 for cell in page.locator(".inspector td").all())


def test_the_inspector_folds_away(stage, accessible):
    """By mouse and by keys; a chosen card or node opens it; it stays as the learner left it."""
    page = shown(stage, handmade.parabola(), 934)
    fold, body = page.locator(".fold-button"), page.locator(".inspector-body")
    assert fold.get_attribute("aria-expanded") == "true" and body.is_visible()
    fold.focus()
    page.keyboard.press("Enter")
    assert fold.get_attribute("aria-expanded") == "false" and not body.is_visible()
    accessible(page, ".minitape")
    page.keyboard.press("End")
    page.set_viewport_size({"width": 700, "height": 768})
    page.set_viewport_size({"width": 934, "height": 768})
    page.wait_for_timeout(100)
    assert not body.is_visible(), "it was folded away by the learner"
    page.locator(".card").first.click()
    assert body.is_visible() and "Card 1" in body.text_content()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    assert body.is_visible()
    fold.click()
    page.locator(".node:not([hidden])").first.click()
    assert body.is_visible()


@pytest.mark.parametrize("made", ["one", "pair"])
def test_the_link_keeps_the_inspector_as_it_was_left(stage, made):
    """Nothing is said of it until somebody has folded it away or opened it; an exported page with
    that link shows it so.
    """
    trace = (
        {"storyboard": handmade.parabola(), "options": {"start": 3}}
        if made == "one"
        else pair(start=3, hide=[])
    )
    page = shown(stage, trace, 1186)
    fold, link = page.locator(".fold-button:visible").first, page.locator(".link-text")
    assert link.input_value() == "k3"
    was = fold.get_attribute("aria-expanded")
    for state in ("true", "false") if was == "false" else ("false", "true"):
        fold.click()
        assert fold.get_attribute("aria-expanded") == state and link.input_value() == (
            "k3.unfolded" if state == "true" else "k3.folded"
        )
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        again = shown(
            stage, {**trace, "options": {**trace["options"], "link": link.input_value()}}, 1186
        )
        assert {
            one.get_attribute("aria-expanded")
            for one in again.locator(".inspector .fold-button").all()
        } == {state}


def test_the_page_does_not_scroll(stage):
    """The player stands half below the edge of the window; the whole play does not move the page,
    and the code scrolls by itself.
    """
    text = "\n".join(f"# line {n}" for n in range(2, 30))
    page = stage(
        run(
            f"x = tf.Variable(2.0)\n{text}\nwith tf.GradientTape() as tape:\n    y = x * x\ntape.gradient(y, x)",
            explain=False,
        ).board,
        style="main { padding: 500px 0 }",
        width=934,
        height=768,
    )
    page.locator("button.step").focus()
    page.evaluate("window.scrollTo(0, 250)")
    for _ in range(page.player("return p.total;")):
        page.keyboard.press("ArrowRight")
        assert page.evaluate("window.scrollY") == 250
    go(page, 1)
    line, code = (
        page.locator(".line.here").bounding_box(),
        page.locator(".code-scroll").bounding_box(),
    )
    assert code["y"] <= line["y"] and line["y"] + line["height"] <= code["y"] + code["height"]


def test_many_tapes_take_the_place_of_one(stage):
    """In a training loop one strip is there at every moment, and it is the one in use."""
    page = shown(stage, board("loop"), 934)
    for k in range(0, page.player("return p.total;") + 1, 5):
        go(page, k)
        assert page.locator(".strip:not([hidden])").count() == 1
        current = page.locator(".strip:not([hidden]) :is(.card.recording, .card.playing)")
        assert current.count() == (
            1 if page.player("return p.board.frames[p.k - 1]?.card !== undefined;") else 0
        )


# How many places were looked at, and the moments at which one is not in the pane; earlier answers may be far away.
OUTSIDE = """async host => {
    const p = host.player, root = host.shadowRoot, cut = [];
    let looked = 0;
    for (let k = 1; k < Math.min(40, p.total); k += 1) {
        p.go(k);
        await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
        if (!root.querySelector(".callout")) continue;
        const pane = root.querySelector(".graph-scroll").getBoundingClientRect();
        for (const place of root.querySelectorAll(".callout:not(.callout-held) > rect, .node.here .node-box")) {
            const said = place.getBoundingClientRect();
            looked += 1;
            if (said.top < pane.top - 1 || said.bottom > pane.bottom + 1 || said.left < pane.left - 1
                || said.right > pane.right + 1) cut.push(k);
        }
    }
    return [looked, cut];
}"""


@pytest.mark.parametrize(
    "name, large, width",
    [("loop", True, 844), ("model", True, 934), ("model in a loop", False, 700)],
)
def test_the_callout_is_not_cut_off(stage, name, large, width):
    """Where the graph scrolls in its pane, the node and the multiplication beside it are both in
    view.
    """
    page = shown(stage, {"storyboard": board(name), "options": {"large": large}}, width)
    looked, cut = page.locator(".minitape").evaluate(OUTSIDE)
    assert looked > 10 and not cut


def test_a_short_program_is_seen_whole(stage):
    """Beside the graph the code has the height of its lines, and the inspector what is left; folded
    and opened again it is the same.
    """
    page = shown(stage, board("loop"), 934)
    hidden = "const box = document.querySelector('.minitape').shadowRoot.querySelector('.code-scroll'); return box.scrollHeight - box.clientHeight;"
    for _ in range(3):
        assert page.player(hidden) == 0
        page.locator(".fold-button").click()


@pytest.mark.parametrize("width", [400, 320])
def test_in_a_narrow_column_nothing_is_covered(stage, width):
    """The controls stand side by side, and the card of the moment is in view whole."""
    page = shown(stage, handmade.parabola(), width)
    for k in range(page.player("return p.total;") + 1):
        go(page, k)
        for card in page.locator(".card:is(.recording, .playing)").all():
            box, strip = card.bounding_box(), page.locator(".strip-scroll").bounding_box()
            assert (
                strip["x"] - 1 <= box["x"]
                and box["x"] + box["width"] <= strip["x"] + strip["width"] + 1
            ), k
    bar = [
        part.bounding_box()
        for part in page.locator(
            ".transport, .scrub, .count:visible, .top-bar > .icon-button"
        ).all()
    ]
    assert all(
        one["x"] + one["width"] <= other["x"] + 1 or one["y"] + one["height"] <= other["y"] + 1
        for one, other in zip(bar, bar[1:], strict=False)
    ), bar


SAYS = {
    "part w": "What a lesson says stands under the sentence of the play, in a voice of its own, and is "
    "as long as its author likes: two sentences, or three. A learner with a phone reads all of it.",
    "end": "Drag the number of x to the left, until the slope under it is 0. How can three parts give 0? "
    "Look at the numbers that meet there, and say which of them have changed.",
}


@pytest.mark.parametrize("language, says", [("en", SAYS), ("fr", SAYS), ("en", {})])
def test_no_caption_is_cut(stage, language, says):
    """The longest is measured, answers with their rows of numbers too."""
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    t = tf.constant([[1.0], [2.0], [6.0]])
    w, b = tf.Variable([[1.0], [-1.0]]), tf.Variable([0.5])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w + b - t) ** 2)
    made = play(tape, loss, [w, b], say=says, language=language)
    for width in (390, 934):
        page = shown(stage, made.trace, width)
        cut = page.player(
            "const row = p.root.querySelector('.caption-row'), found = [];"
            "for (let k = 0; k <= p.total; k++) { p.go(k); if (row.scrollHeight > row.clientHeight + 1) found.push(k); }"
            "return found;"
        )
        assert cut == [], width


OVERLAPS = """() => { const s = document.querySelector('.minitape').shadowRoot, found = [];
    const box = (e) => e.getBoundingClientRect(), page = document.documentElement.clientWidth;
    for (const side of s.querySelectorAll('.player')) {
        const panes = [...side.querySelectorAll('.caption-row, .code, .inspector, .prompt, .graph, .tape')].filter((e) => e.offsetHeight);
        for (const pane of panes) for (const e of pane.querySelectorAll('.caption, .line, .text, .inspector-title, .inspector tr, .question, .prompt button, .graph-svg, .legend, .note')) {
            const one = box(e), all = box(pane);
            if (one.height && (one.bottom > all.bottom + 2 || one.right > all.right + 2 || one.right > page)) found.push((e.getAttribute('class') || e.tagName) + ' out of ' + pane.className); }
        panes.forEach((one, i) => panes.slice(i + 1).forEach((other) => { const a = box(one), b = box(other);
            if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2) found.push(one.className + ' on ' + other.className); })); }
    return found; }"""


@pytest.mark.parametrize("name", ["parabola", "model", "escape", "asked", "pair"])
def test_on_paper_everything_is_shown_and_nothing_covers_anything(stage, name):
    for width, options in ((1200, {}), (720, {"large": True})):
        page = shown(
            stage,
            pair(**options) if name == "pair" else {"storyboard": board(name), "options": options},
            width,
        )
        if name == "asked":
            go(page, handmade.asked()["prompts"][0]["frame"])
            page.locator("button.step").click()
        else:
            go(page, page.player("return p.total;") // 2)
        page.emulate_media(media="print")
        assert page.evaluate(OVERLAPS) == [], width
        page.close()


def test_a_long_line_does_not_run_under_the_button_of_the_inspector(stage):
    x = tf.Variable(0.5)
    with tf.GradientTape() as tape:
        y = x
        for _ in range(14):
            y = tf.tanh(y)
    board = dict(play(tape, y, x, folded=False).storyboard)
    board["sources"] = [
        {**source, "text": "z = " + " + ".join(["tf.tanh(x)"] * 40)} for source in board["sources"]
    ]
    for what in (*board["nodes"], *board["cards"], *board["notes"]):
        what["where"] = None
    page = stage(board, width=740, height=768)
    button = page.locator(".stage.rows.tucked .fold-button").bounding_box()
    ends = page.evaluate("""() => [...document.querySelector('.minitape').player.root.querySelectorAll('.line .text')].map((line) => {
        const range = document.createRange();
        range.selectNodeContents(line);
        return Math.max(...[...range.getClientRects()].map((box) => box.right)); })""")
    assert max(ends) < button["x"]
