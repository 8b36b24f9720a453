"""What is seen where room is short: the program, its graph and its sentence together, and no line
without its beginning.

A window of 1366 by 625, which is what a small laptop leaves to a browser, shows 504 pixels of a
notebook in JupyterLab.
"""
# ruff: noqa: E501  (lines of JavaScript)

import pytest

import minitape as tf
from minitape_widgets import play
from minitape_widgets.pitfalls.programs import run
from tests.browser.layouts import PARABOLA, height, shown
from tests.browser.stage import go
from tests.browser.test_player_arrays import COVERED, NEAR, SCALED, classifier, line  # noqa: F401
from tests.browser.test_player_export import parabola

pytestmark = pytest.mark.browser

SMALL = {"width": 934, "height": 625}
LONG = (
    "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = tf.sin(x) * tf.cos(x) + tf.exp(x) * tf.math.log(x) - tf.sqrt(x) * tf.tanh(x)"
    " + tf.square(x) * tf.sigmoid(x)\n\ntape.gradient(y, x)"
)
NESTED = (
    "x = tf.Variable(3.0)\nwith tf.GradientTape() as outer:\n    with tf.GradientTape() as inner:\n        y = x * x * x\n    slope = inner.gradient(y, x)"
    "\ncurve = outer.gradient(slope, x)"
)
OUT = """([what, pane]) => { const s = document.querySelector('.minitape').shadowRoot, all = s.querySelector(pane).getBoundingClientRect();
    return [...s.querySelectorAll(what)].filter((e) => { const r = e.getBoundingClientRect();
        return r.height && (r.top < all.top - 1 || r.bottom > all.bottom + 1 || r.left < all.left - 1 || r.right > all.right + 1); }).map((e) => e.textContent); }"""


ROWS = """const body = p.root.querySelector('.inspector-body'), { top, bottom } = body.getBoundingClientRect();
    const end = bottom - parseFloat(body.style.clipPath.split(" ").at(-1) || 0);
    return [...body.querySelectorAll('tr')].map((row) => row.getBoundingClientRect()).map((box) =>
        box.top > end - 1 ? 'below' : box.bottom > end + 1 ? 'cut' : 'whole');"""


def out_of(page, what, pane):
    """The texts of what is not in view, whole, in its pane."""
    assert page.locator(what).count()
    return page.evaluate(OUT, [what, pane])


def test_a_lessons_program_its_graph_and_its_sentence_are_seen_together(stage):
    """With the inspector open, empty lines and comments are left out, and the others keep their
    numbers; folded away, it leaves room for all.
    """
    text = "# a slope\n" + PARABOLA
    page = shown(stage, run(text, explain=False).board, **SMALL)
    for numbers in (["2", "4", "5", "7"], list("1234567")):
        assert page.locator(".minitape").bounding_box()["height"] <= 504
        for k in range(page.player("return p.total;") + 1):
            go(page, k)
            assert page.locator(".line .number:visible").all_text_contents() == numbers
            assert (
                out_of(page, ".line", ".code-scroll")
                == out_of(page, ".caption", ".caption-row")
                == []
            ), k
            assert not k or out_of(page, ".node:not([hidden])", ".graph-scroll") == [], k
        page.locator(".fold-button").click()


def test_a_tape_of_a_tape_is_seen_whole(stage):
    assert height(shown(stage, run(NESTED, explain=False).board, **SMALL)) <= 504 - 6, (
        "with what is left free above it"
    )


def test_a_question_is_seen_whole_and_the_line_that_it_is_about(stage):
    """The code keeps four lines beside it, and nothing moves."""
    board = parabola(predict=True).storyboard
    page = shown(stage, board, **SMALL)
    assert height(page) <= 504
    for prompt in board["prompts"]:
        go(page, prompt["frame"])
        page.player("p.ask();")
        page.locator(".prompt:visible").wait_for()
        assert page.locator(".code-scroll").bounding_box()["height"] >= 4 * 21
        assert (
            out_of(page, ".mark", ".code-scroll")
            == out_of(page, ".prompt :is(.question, button)", ".prompt")
            == []
        )
        assert page.locator(".minitape").bounding_box()["height"] <= 504
        page.locator(".prompt button").last.click()


@pytest.mark.parametrize("width, large", [(934, False), (592, False), (400, False), (934, True)])
def test_a_long_line_is_never_seen_without_its_beginning(stage, width, large):
    page = shown(
        stage,
        {"storyboard": run(LONG, explain=False).board, "options": {"large": large}},
        width,
        768,
    )
    page.locator(".fold-button").click() if not page.locator(".code-scroll").is_visible() else None
    for k in range(page.player("return p.total;") + 1):
        go(page, k)
        assert page.player(
            "const e = document.querySelector('.minitape').shadowRoot.querySelector('.code-scroll'); return e.scrollLeft === 0 && e.scrollWidth <= e.clientWidth;"
        )
        assert not page.locator(".mark").count() or out_of(page, ".mark", ".code-scroll") == [], k


WORDS = """() => { const broken = []; for (const line of document.querySelector('.minitape').shadowRoot.querySelectorAll('.text')) {
    const nodes = document.createTreeWalker(line, NodeFilter.SHOW_TEXT), range = document.createRange();
    while (nodes.nextNode()) for (const word of nodes.currentNode.data.matchAll(/\\w+/g)) {
        range.setStart(nodes.currentNode, word.index); range.setEnd(nodes.currentNode, word.index + word[0].length);
        if (range.getClientRects().length > 1) broken.push(word[0]); } } return broken; }"""


def test_a_long_line_goes_on_between_words(stage):
    """Also where there is no space: after a bracket, a comma or an operator."""
    page = shown(
        stage, run(LONG.replace(" * ", "*").replace(" + ", "+"), explain=False).board, **SMALL
    )
    assert page.evaluate(
        "() => [...document.querySelector('.minitape').shadowRoot.querySelectorAll('.text')].some((e) => e.offsetHeight > 40)"
    )
    for k in range(3):
        go(page, k)
        assert page.evaluate(WORDS) == []


DEEP = (
    "class Net:\n    def fit(self, x):\n        for step in range(1):\n            if step == 0:\n                with tf.GradientTape() as tape:\n"
    "                    loss = tf.reduce_mean((tf.nn.relu(x @ self.w + self.b) - 1.0)**2)\n                tape.gradient(loss, self.w)\n"
    "net = Net()\nnet.w, net.b = tf.Variable([[1.0]]), tf.Variable([0.0])\nnet.fit(tf.constant([[1.0]]))"
)


def test_on_a_phone_a_deep_line_goes_on_near_the_margin(stage):
    page = shown(stage, run(DEEP, explain=False).board, 390, 844)
    hangs = page.player(
        "return [...p.root.querySelectorAll('.text')].map((e) => parseFloat(getComputedStyle(e).paddingLeft));"
    )
    assert len(hangs) == 10 and 12 < min(hangs) and max(hangs) < 40, hangs


def asked(language="en"):
    """A storyboard in which the lesson speaks, with a text that would be markup if it could."""
    board = run(PARABOLA, explain=False).board
    board["language"] = language
    return board.say(
        {
            "sum x": {"en": "Three parts meet at `x`.", "fr": "Trois parts se rencontrent en `x`."},
            "start": "<b>How many</b> cards?",
        }
    )


@pytest.mark.parametrize(
    "language, said", [("en", "Three parts meet at x."), ("fr", "Trois parts se rencontrent en x.")]
)
def test_the_lesson_speaks_in_the_act_that_it_speaks_of(stage, accessible, language, said):
    """Under its sentence, to the eye and to a screen reader; nothing moves when it does; what it
    says is text.
    """
    page = shown(stage, asked(language), **SMALL)
    assert (
        page.locator(".aside").all_text_contents() == ["<b>How many</b> cards?"]
        and page.locator(".aside b").count() == 0
    )
    assert height(page) <= 504
    k = asked()["asides"][1]["frame"]
    go(page, k)
    assert (
        page.locator(".aside").all_text_contents() == [said]
        and page.locator(".aside code").text_content() == "x"
    )
    assert out_of(page, ".aside", ".caption-row") == []
    heard = page.locator(".hidden-text[role=status]").text_content()
    assert heard.endswith("`x`.") and heard.startswith(page.locator(".caption").text_content())
    accessible(page, ".minitape")
    page.keyboard.press("ArrowRight")
    go(page, k + 1)
    assert page.locator(".aside").count() == 0
    assert not page.problems


def test_the_lesson_speaks_in_a_pair_and_nothing_is_judged_unless_it_says_so(stage):
    mark = "const s = document.querySelector('.minitape').shadowRoot; return [...s.querySelectorAll('.pair-name')].map((e) => getComputedStyle(e, '::before').content !== 'none');"
    for judged in (False, True):
        page = shown(
            stage,
            {"pair": [asked(), asked()], "options": {"names": ["A", "B"], "judged": judged}},
            1186,
        )
        assert page.locator(".aside").count() == 2
        assert page.locator(".pair-name").all_text_contents() == ["A", "B"] and page.player(
            mark
        ) == [judged, judged]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_scrollbars_have_the_colours_of_the_theme(stage, scheme):
    page = shown(stage, asked(), 934, color_scheme=scheme)
    assert (
        page.player(
            "return [...document.querySelector('.minitape').shadowRoot.querySelectorAll('.inspector-body, .code-scroll')].map((e) => getComputedStyle(e).colorScheme);"
        )
        == [scheme] * 2
    )


def test_before_the_recording_one_sees_where_it_will_stand(stage, accessible):
    """Every box of the graph as an outline: no name, no number, nothing to click or to hear; after
    one act it is gone.
    """
    page = shown(stage, asked(), **SMALL)
    outlines = """() => { const s = document.querySelector('.minitape').shadowRoot, seen = (e) => getComputedStyle(e).visibility === 'visible' && e.getBoundingClientRect().width > 0;
        return [[...s.querySelectorAll('.node[hidden] .node-box')].filter(seen).length, [...s.querySelectorAll('.node[hidden] text, .node[hidden]')].filter(seen).length]; }"""
    assert page.evaluate(outlines) == [page.locator(".graph-svg .node").count(), 0]
    assert page.evaluate(outlines)[0] == 5
    accessible(page, ".minitape")
    go(page, 1)
    assert page.evaluate(outlines) == [0, 0]
    go(page, 0)
    assert page.evaluate(outlines) == [5, 0]


def test_a_notebook_with_larger_type_has_a_larger_player(stage):
    """The sizes of JupyterLab's settings: sentence and graph grow with its text."""
    sizes = []
    for size in ("14px", "21px"):
        page = stage(
            asked(), style=f"html {{ --jp-content-font-size1: {size} }}", width=1366, height=1000
        )
        go(page, 3)
        sizes.append(
            page.player("""const s = document.querySelector('.minitape').shadowRoot, name = s.querySelector('.node-name');
            return [parseFloat(getComputedStyle(s.querySelector('.caption')).fontSize), name.getScreenCTM().d];""")
        )
    # the graph as far as its pane allows
    assert all(1.2 < large / small < 1.6 for small, large in zip(*sizes)), sizes


def test_the_numbers_of_arrays_are_seen_on_a_small_laptop(stage, line):  # noqa: F811
    page = stage(line, **SMALL)
    go(page, len(line["frames"]))
    assert not [text for text in page.locator(".node").all_text_contents() if "×" in text]
    sizes = page.player(SCALED)
    assert len(sizes) > 30 and min(sizes) >= 8.5, sizes


@pytest.mark.parametrize("height", [625, 768])
def test_a_curve_is_large_enough_to_be_spoken_of(stage, height):
    page = shown(stage, run(PARABOLA, explain=False).board, **{**SMALL, "height": height})
    go(page, 10_000)
    page.locator(".node.is-source").first.click()
    curve, stage_box = page.locator(".plot").bounding_box(), page.locator(".stage").bounding_box()
    assert curve["width"] >= 360 and curve["height"] >= 180
    assert curve["y"] + curve["height"] < stage_box["y"] + stage_box["height"]
    assert page.locator(".nudge-slider").is_visible()


WIDE = (
    "tf.random.set_seed(1)\nnet = tf.keras.Sequential([tf.keras.layers.Dense(4, activation='relu'), tf.keras.layers.Dense(2)])\n"
    "x = tf.ones((4, 3))\nnet(x)\nwith tf.GradientTape() as tape:\n    loss = tf.reduce_sum(net(x))\ntape.gradient(loss, net.trainable_variables)"
)


@pytest.mark.parametrize(
    "width, height, mode", [(934, 768, "rows"), (1186, 768, "rows"), (934, 625, "beside")]
)
def test_at_a_wide_graph_a_curve_has_the_room_of_the_code(stage, width, height, mode):
    """With a dozen numbers of many digits, and what is said of a nudge; and it gives that room back."""
    page = shown(stage, run(WIDE, explain=False).board, width, height)
    assert page.locator(f".stage.{mode}").count() == 1
    go(page, 10_000)
    panes = lambda: [page.locator(pane).bounding_box() for pane in (".minitape", ".graph", ".tape")]
    before = panes()
    page.locator(".node.is-source").first.click()
    page.get_by_role("button", name="A little more").click()
    curve, end = page.locator(".plot").bounding_box(), page.locator(".inspector").bounding_box()
    assert curve["width"] >= 360 and curve["height"] >= 180
    # beside the graph the nudge comes first, and the fields are scrolled to
    told = (".nudge-told strong", ".nudge-row", ".plot-axis span", ".held-field")
    boxes = [one.bounding_box() for what in told for one in page.locator(what).all()]
    assert len(boxes) == 2 + 1 + 3 + 12
    assert all(box["x"] + box["width"] <= end["x"] + end["width"] for box in boxes)
    lowest = max(box["y"] + box["height"] for box in (boxes if mode == "rows" else boxes[:6]))
    assert lowest <= end["y"] + end["height"]
    assert page.locator(".graph").bounding_box()["height"] >= 107
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.locator(".inspector .fold-button").click()
    assert page.locator(".code").is_visible() and panes() == before


@pytest.mark.parametrize("height", [625, 768])
def test_at_the_end_the_inspector_has_an_answer_with_all_its_numbers(stage, height):
    page = shown(stage, run(WIDE, explain=False).board, 934, height)
    go(page, 10_000)
    if page.locator(".inspector.folded").count():
        page.locator(".inspector .fold-button").click()
    page.wait_for_timeout(100)
    assert page.player(ROWS)[0] == "whole"
    assert page.locator(".answers tr:first-child .grid-number").count() == 12
    ends = (
        page.locator(".answers svg").first.bounding_box(),
        page.locator(".inspector").bounding_box(),
    )
    assert ends[0]["x"] + ends[0]["width"] <= ends[1]["x"] + ends[1]["width"]


def test_no_row_of_the_inspector_is_cut(stage, line):  # noqa: F811
    page = stage(line, **{**SMALL, "height": 768})
    page.locator(".inspector.folded .fold-button").click()
    seen = 0
    for k in range(len(line["frames"]) + 1):
        go(page, k)
        page.evaluate(
            "() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))"
        )
        rows = page.player(ROWS)
        assert not [row for row in rows if row == "cut"], k
        seen += rows.count("whole")
    assert seen > 10
    page = stage(line, width=964, height=768)  # where it is low
    if page.locator(".inspector.folded").count():
        page.locator(".inspector .fold-button").click()
    for k in range(1, len(line["frames"]) + 1):
        go(page, k)
        page.evaluate(
            "() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))"
        )
        rows = page.player(ROWS.replace("'tr'", "'tr, .equation, .held label'"))
        assert "cut" not in rows and "whole" in rows, (k, "a heading alone says nothing")
    page.locator(".inspector-body").evaluate("(body) => body.scrollTo(0, 10_000)")
    page.wait_for_timeout(100)
    assert page.player(ROWS)[-1] == "whole", "what was left out is scrolled to"


LYING = """const seen = (what) => [...p.root.querySelectorAll(what)].filter((one) => getComputedStyle(one).visibility === 'visible')
        .map((one) => [one, one.getBoundingClientRect()]).filter(([, box]) => box.width);
    const on = ([, a], [, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.7 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.7;
    const found = [];
    let said = 0;
    for (let k = 1; k <= p.total; k++) {
        p.go(k);
        const callouts = seen('.callout:not(.callout-over) > rect'), pills = seen('.badges .pill > rect');
        const boxes = seen('.node:not([hidden]) > .node-box');
        const others = [...boxes, ...pills, ...seen('.node:not([hidden]) .node-name, .graph .pane-name > span')];
        said += callouts.length > 0;
        for (const one of callouts) for (const other of [...others, ...callouts])
            if (one !== other && on(one, other)) found.push([k, one[0].parentNode.textContent, other[0].outerHTML.slice(0, 60)]);
        for (const pill of pills) if (boxes.filter((box) => on(pill, box)).length > 1) found.push([k, 'badge', pill[0].parentNode.textContent]);
    }
    return [found, said];"""


@pytest.mark.parametrize("width, height", [(964, 625), (964, 768), (1518, 1080), (390, 844)])
def test_at_no_act_a_callout_lies_on_anything_and_a_badge_touches_two_boxes(
    stage,
    line,  # noqa: F811
    classifier,  # noqa: F811
    width,
    height,
):
    """But for the numbers of a product, which may lie on what it has nothing to do with
    (test_player_arrays.py).
    """
    for board in (line, classifier):
        page = stage(board, width=width, height=height)
        found, said = page.player(LYING)
        assert said >= 3 and not found


def test_an_adjoint_of_three_rows_keeps_away_from_the_box_below(stage):
    w, b = tf.Variable(tf.ones([3, 3]), name="kernel"), tf.Variable(tf.ones([3]), name="bias")
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.ones([3, 3]) @ w + b)
    page = shown(stage, play(tape, loss, [w, b]).storyboard, 964, 625)
    go(page, 10_000)
    pills, _ = page.player(NEAR.replace("box, 1)", "box, 2)"))
    assert len(pills) >= 5 and set(pills) == {1} and page.locator(".badges .grid").count() >= 3


def test_on_a_phone_each_part_says_what_it_comes_to(stage, classifier):  # noqa: F811
    page = stage(classifier, style="body { margin: 0 }", width=390, height=844)
    for k, frame in enumerate(classifier["frames"], 1):
        if frame["act"] != "part":
            continue
        go(page, k)
        assert page.locator(".callout").count() == 1, k
        card = classifier["cards"][frame["card"]]
        own = {classifier["nodes"][n]["label"] for n in card["inputs"] + card["outputs"]}
        assert not own - {""} & set(page.player(COVERED)), k


DRAWN = """const s = p.root.querySelector('.graph-svg'), moved = p.root.getAnimations({ subtree: true }).length;
    const small = [...s.querySelectorAll('.grid-number, .node-name, .node-op')].map((e) => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a);
    return { k: p.k, moved, tiles: s.querySelectorAll('.nodes .tiles').length, width: s.viewBox.baseVal.width, least: Math.min(...small) };"""


def test_a_larger_window_shows_numbers_and_nothing_moves(stage, classifier):  # noqa: F811
    """Two layers have no room for all their numbers on a laptop, and have it on a larger screen."""
    page = shown(stage, classifier, 1566, 1080)
    go(page, page.player("return p.total;") - 3)
    widths = []
    for width, tall, tiles in ((1566, 1080, False), (1040, 768, True), (1566, 1080, False)):
        page.set_viewport_size({"width": width, "height": tall})
        page.wait_for_timeout(150)
        drawn = page.player(DRAWN)
        assert bool(drawn["tiles"]) is tiles and not drawn["moved"], (width, drawn)
        assert drawn["k"] == page.player("return p.total;") - 3
        assert tiles or drawn["least"] >= 10.9
        widths.append(drawn["width"])
    assert widths[1] < widths[0] == widths[2], "boxes without numbers take less room"


SQUARE = (
    "w = tf.Variable([[0.9, 0.1, -0.7, -0.9], [-0.5, 0.2, -1.0, -0.2], [0.2, 0.5, 0.2, 0.4]])\nv = tf.Variable([0.1234, -2.5, 3.0, 1.0])\n"
    "with tf.GradientTape() as tape:\n    loss = tf.reduce_sum((w * v) ** 2)\ntape.gradient(loss, [w, v])"
)
LINE = (
    "x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])\nt = tf.constant([[1.0], [2.0], [6.0]])\nw = tf.Variable([[1.0], [-1.0]])\nb = tf.Variable([0.5])\n"
    "with tf.GradientTape() as tape:\n    loss = tf.reduce_mean((x @ w + b - t) ** 2)\ntape.gradient(loss, [w, b])"
)


@pytest.mark.parametrize(
    "program, height, tiles, least",
    [(SQUARE, 768, 0, 11), (LINE, 625, 0, 10.8), (None, 768, 7, 11)],
)
def test_numbers_have_the_height_that_there_is(stage, classifier, program, height, tiles, least):  # noqa: F811
    """In JupyterLab beside its list of files. Of two layers some: all of them would fill three
    quarters of the pane with their boxes alone.
    """
    board = run(program, explain=False).board if program else classifier
    page = shown(stage, board, 934, height)
    go(page, 10_000)
    drawn = page.player(DRAWN.replace("'.grid-number, ", "'.nodes .grid-number, "))
    assert drawn["tiles"] <= tiles and drawn["least"] >= least, drawn
    assert page.locator(".minitape").bounding_box()["height"] <= height - 128


def test_a_phone_shows_the_numbers_of_a_layer(stage, line):  # noqa: F811
    page = shown(stage, line, 390, 844)
    page.keyboard.press("End")
    drawn = page.player(DRAWN)
    assert not drawn["tiles"] and drawn["least"] > 9
    assert page.locator(".minitape").bounding_box()["height"] < 844
