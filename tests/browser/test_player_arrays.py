"""Small arrays in the graph: they are written with their numbers, large enough to be read, and their
motion shows what becomes of each: stretched, folded, copied, gathered, a row that meets a column.
"""

import pytest

import minitape as tf
from minitape.storyboard import Film, develop
from minitape_widgets import play
from tests.browser.stage import go
from tests.browser.test_player_holding import drag
from tests.browser.test_player_motion import PLACES, at, finish, seen, step

pytestmark = pytest.mark.browser
SCALED = "return [...p.root.querySelectorAll('.grid-number')].map((n) => parseFloat(getComputedStyle(n).fontSize) * n.getScreenCTM().a);"


@pytest.fixture(scope="module")
def line():
    """A line fitted to three points."""
    with Film() as film:
        x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        w, b = tf.Variable([[0.5], [-1.0]], name="w"), tf.Variable([2.0], name="b")
        with tf.GradientTape() as tape:
            y = x @ w + b
            loss = tf.reduce_mean(y**2)
        tape.gradient(loss, [w, b])
    return develop(film)


def before(board, act, wanted):
    """The moment before the first act of this kind that is as `wanted` says."""
    return next(
        k for k, frame in enumerate(board["frames"]) if frame["act"] == act and wanted(frame)
    )


def sends(board, op, name):
    """Says of a part whether a card of this operation sends it to what has this name."""
    return lambda frame: (
        board["cards"][frame["card"]]["op"] == op and board["nodes"][frame["node"]]["label"] == name
    )


def test_numbers_are_large_enough(stage, line):
    page = stage(line, width=1366, height=768)
    go(page, len(line["frames"]))
    sizes = page.player(SCALED)
    assert len(sizes) > 30 and min(sizes) >= 11, sizes
    assert "[2×1]" not in page.locator(".caption").text_content()
    grid = page.locator(".caption svg")
    assert grid.get_attribute("aria-label") == "[[-5.667] [-6.667]]"


def test_a_stretched_number_is_folded_and_counts_up(stage, line):
    page = stage(line)
    go(page, before(line, "part", sends(line, "Add", "b")))
    assert step(page)
    counted = []
    for time in (255, 400, 535):
        at(page, time)
        counted.append(seen(page, ".traveller .grid-number"))
    assert counted[0] == ["0.3333", "-0.3333"]  # one is there, the next one flies
    assert counted[1] == counted[2] == ["0.", "-1."]  # two have made 0, the last one flies
    assert "-1." not in seen(page, ".badges .pill-part .grid-number"), "shown before its cause"
    finish(page)
    assert "-1." in seen(page, ".badges .pill-part .grid-number")


def test_a_mean_is_seen_to_divide_there_and_back(stage):
    with Film() as film:
        x = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name="x")
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.reduce_mean(x, axis=0))
        tape.gradient(loss, x)
    page = stage(develop(film))
    back = next(k for k, frame in enumerate(develop(film)["frames"]) if frame.get("node") == 0)
    for k, time, flying in ((0, 420, "9. 12."), (0, 500, "9. /3 12. /3"), (back, 300, "1./3 " * 6)):
        go(page, k)
        assert step(page)
        at(page, time)
        assert seen(page, ".traveller .grid-number") == flying.split()


def test_what_is_added_says_so_on_its_way(stage):
    """A 3 that falls on 1 + 2 = 3 would seem to take its place."""
    with Film() as film:
        x, b = tf.constant([[1.0], [2.0], [3.0]]), tf.Variable([1.0], name="b")
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(x * (x + b))
        tape.gradient(loss, b)
    board = develop(film)
    page = stage(board)
    go(page, before(board, "part", sends(board, "Add", "b")))
    assert step(page)
    flying = []
    for time in (20, 255, 400, 535):
        at(page, time)
        flying.append(seen(page, ".traveller .grid-number"))
    assert flying == [["1."], ["1.", "+2."], ["3.", "+3."], ["3.", "+3."]]
    finish(page)
    assert "6." in seen(page, ".badges .pill-part .grid-number")


# how wide (in columns of x, of which a row has two) and how high (in rows) what is lit is
LIT = """return [...p.root.querySelectorAll('.lit')].filter((n) => getComputedStyle(n.parentNode).opacity > 0.5)
    .map((n) => [n.getAttribute('width') / 24.08, n.getAttribute('height') / 16].map((x) => Math.round(x)));"""


def test_a_row_meets_a_column_pair_by_pair(stage, line):
    """0.5 and -2. fall into -1.5; the other rows light up, and their numbers follow."""
    page = stage(line)
    go(page, before(line, "record", lambda frame: line["cards"][frame["card"]]["op"] == "MatMul"))
    assert step(page)
    for time, flying, made in (
        (50, ["×1."], []),
        (160, ["0.5", "×2."], []),
        (280, ["-2.", "0.5"], []),
        (360, [], ["-1.5"]),
        (410, [], ["-1.5", "-2.5"]),
        (510, [], ["-1.5", "-2.5", "-3.5"]),
    ):
        at(page, time)
        row, column, cell = page.player(LIT)
        assert row == [2, 1] and column[1] == 2 and cell[1] == 1, time
        assert sorted(seen(page, ".traveller .grid-number")) == sorted(flying), time
        assert [
            n for n in seen(page, ".node .grid-number") if n in ("-1.5", "-2.5", "-3.5")
        ] == made, time
    finish(page)


def grid(page):
    """What flies of values, as the rows in which it stands."""
    rows = {}
    for text, box in zip(
        seen(page, ".pill-value.flying"), page.player(PLACES, ".pill-value.flying"), strict=True
    ):
        if text[-1] != "ᵀ":
            rows.setdefault(round(box["y"]), []).append((box["x"], text))
    return [[text for _, text in sorted(row)] for _, row in sorted(rows.items())]


def test_an_adjoint_spreads_along_a_row_that_becomes_a_column(stage, line):
    """The other factor has turned before, and stays so; one round after the other is added."""
    page = stage(line)
    go(page, before(line, "part", sends(line, "MatMul", "w")))
    assert step(page)
    at(page, 1)
    rows = grid(page)
    assert not page.player(LIT)
    for time, flying in (
        (160, ["×0.3333"]),
        (250, ["0.3333", "×0.3333"]),
        (350, ["0.3333", "0.667"]),
        (450, ["-0.667", "-0.67"]),  # 1 x 0.3333 - 3 x 0.3333 so far
        (520, []),
    ):
        at(page, time)
        cell, column, made = page.player(LIT)
        assert cell[1] == 1 and column[1] == 2 == made[1], time
        assert sorted(seen(page, ".pill-part.flying")) == sorted(flying), time
        assert grid(page) == [list(column) for column in zip(*rows, strict=True)], time
        assert "ᵀ" in "".join(seen(page, ".traveller text"))
    finish(page)
    assert {"-5.667", "-6.667"} <= set(seen(page, ".badges .grid-number"))


@pytest.fixture(scope="module", params=["sparse", "dense"])
def guess(request):
    """Two logits a row, their labels, and the cross-entropy."""
    labels = [1, 0] if request.param == "sparse" else [[0.0, 1.0], [1.0, 0.0]]
    loss_of = (
        tf.nn.sparse_softmax_cross_entropy_with_logits
        if request.param == "sparse"
        else tf.nn.softmax_cross_entropy_with_logits
    )
    with Film() as film:
        logits, labels = tf.Variable([[0.0, 0.0], [1.0, -1.0]], name="logits"), tf.constant(labels)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(2.0 * loss_of(labels, logits))
        tape.gradient(loss, logits)
    return develop(film)


def test_softmax_with_cross_entropy_ends_in_p_minus_the_one_hot(stage, guess):
    page = stage(guess, width=1366, height=768)
    go(
        page,
        before(guess, "part", lambda frame: "Entropy" in guess["cards"][frame["card"]]["op"]),
    )
    assert step(page)
    numbers = []
    for time in (145, 225, 300, 450, 535):
        at(page, time)
        numbers.append(seen(page, ".traveller .grid-number"))
    first = ["0.5", "0.5", "0.8808", "0.1192"]
    assert numbers[0] == first, "probabilities"
    assert sorted(numbers[1]) == sorted([*first, "-1.", "-1."]), "the one-hot comes"
    assert sorted(numbers[2]) == ["0.1192", "0.5", "0.5-1", "0.8808-1"], "and is taken away"
    assert sorted(numbers[3]) == sorted(["0.5", "-0.5", "-0.1192", "0.1192", *["×2."] * 4])
    assert numbers[4] == ["1.", "-1.", "-0.2384", "0.2384"]
    finish(page)
    assert set(numbers[4]) <= set(seen(page, ".badges .grid-number"))
    said = page.locator(".callout").text_content()
    assert said.startswith("ū₁ × (p - ") and "…" not in said, said
    assert set(numbers[4]) <= set(seen(page, ".callout .grid-number"))


def test_a_cell_is_drawn_along(stage, line):
    page = stage(line)
    go(page, len(line["frames"]))
    cell = page.locator(".node.holds-cells .grid-cell[data-cell='1']").first  # of w
    numbers = "return [...p.root.querySelectorAll('.node.holds-cells')][0].querySelectorAll('.grid-number')[argument].textContent;"
    assert page.player(numbers, 1) == "-1."
    drag(page, cell, 40)
    assert page.player(numbers, 1) == "0." and page.player(numbers, 0) == "0.5"
    shown = page.player(
        "return [...p.root.querySelectorAll('.node .grid-number')].map((n) => n.textContent);"
    )
    assert "2.5" in shown and "3.5" in shown and "4.5" in shown, "y = x[:, 0] / 2 + 2"
    drag(page, page.locator(".node.holds-cells .grid-cell[data-cell='1']").first, -4 * 120)
    assert page.player(numbers, 1) == "-12.", "a longer number has its room, and goes on"


def test_a_jump_shows_the_same_as_a_step(stage, line):
    page = stage(line)
    markup = "return p.root.querySelector('.graph-svg .badges').innerHTML;"
    for k in range(len(line["frames"])):
        go(page, k)
        if step(page):
            finish(page)
        stepped = page.player(markup)
        go(page, 0)
        go(page, k + 1)
        assert page.player(markup) == stepped, k


@pytest.mark.parametrize("rows", [3, 8])
def test_pointing_at_tiles_shows_the_numbers_and_of_many_their_heat_scale_and_corner(stage, rows):
    with Film() as film:
        x = tf.reshape(tf.range(1.0, rows * 4.0 + 1), [rows, 4])
        w = tf.Variable(tf.ones([4, rows]), name="w")
        with tf.GradientTape() as tape:
            y = x
            for _ in range(8):
                y = tf.transpose(tf.transpose(y) + w)
            loss = tf.reduce_sum(y)
        tape.gradient(loss, w)
    board = develop(film)
    page = stage(board, width=700, height=625)
    go(page, len(board["frames"]))
    glance = page.locator(".graph > .glance")
    assert glance.is_hidden()
    page.locator(".node:not([hidden])", has_text=f"[{rows}×4]").first.hover()
    said = glance.locator(".is-value .grid-number").all_text_contents()
    if rows == 3:
        assert said == [f"{n}." for n in range(2, 14)]
    else:
        assert said == ["2.", "3.", "…", "6.", "7.", "…", "⋮", "⋮", "⋮"]
        looks = glance.locator(".is-value .heat .cell").evaluate_all(
            "all => all.map((one) => one.getAttribute('d').split('M').length - 1)"
        )
        assert sum(looks) == 32 and len(looks) == 12, "cells of one look are one path"
        assert glance.locator(".is-value .fine").first.text_content().split() == ["2", "33"]
    box, pane = glance.bounding_box(), page.locator(".graph").bounding_box()
    assert box["x"] >= pane["x"] and box["x"] + box["width"] <= pane["x"] + pane["width"]
    page.mouse.move(2, 2)
    assert glance.is_hidden()


@pytest.fixture(scope="module")
def large():
    """A product of arrays whose numbers find room nowhere."""
    with Film() as film:
        x = tf.reshape(tf.range(1.0, 31.0), [6, 5])
        w = tf.Variable(tf.ones([5, 4]), name="w")
        with tf.GradientTape() as tape:
            y = tf.tanh(x @ w / 100.0)
            loss = tf.reduce_sum(y)
        tape.gradient(loss, w)
    return develop(film)


def test_tiles_have_their_numbers_wherever_they_stand(stage, large, accessible):
    """In a pill, in a callout and in the inspector, by pointer and by keyboard."""
    page = stage(large, width=1366, height=768)
    go(page, before(large, "part", sends(large, "MatMul", "w")) + 1)
    corner = page.player("return p.board.values[p.board.frames[p.k - 1].value].cells;")
    first = f"{corner[0][0]:.4g}"
    for place in (".badges .pill-part", ".callout .tiles", ".inspector .value-inline"):
        page.locator(place).first.hover()
        glance = page.locator(".glance:visible")
        assert first in glance.locator(".grid-number").all_text_contents(), place
        pane = page.locator(".pane", has=glance).bounding_box()
        box = glance.bounding_box()
        assert box["y"] >= pane["y"] and box["y"] + box["height"] <= pane["y"] + pane["height"]
        page.mouse.move(2, 2)
        assert glance.count() == 0, place
    heat = page.locator(".inspector .heat-box").first
    heat.focus()
    assert page.locator(".inspector .glance .grid-number").count() == 9
    heat.blur()
    assert page.locator(".glance:visible").count() == 0
    accessible(page, ".minitape")


@pytest.fixture(scope="module")
def classifier():
    """A classifier of two layers."""
    with Film() as film:
        x = tf.constant([[0.5, -1.0], [1.5, 2.0], [-0.3, 0.8], [1.0, 1.0]])
        labels = tf.constant([0, 1, 0, 1])
        w1 = tf.Variable([[0.5, -0.2, 0.1], [0.3, 0.8, -0.5]], name="w1")
        b1 = tf.Variable([0.0, 0.1, -0.1], name="b1")
        w2 = tf.Variable([[0.7, -0.3], [0.2, 0.5], [-0.6, 0.4]], name="w2")
        b2 = tf.Variable([0.0, 0.0], name="b2")
        with tf.GradientTape() as tape:
            logits = tf.nn.relu(x @ w1 + b1) @ w2 + b2
            loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
            loss = tf.reduce_mean(loss)
        tape.gradient(loss, [w1, b1, w2, b2])
    return develop(film)


def test_where_boxes_have_tiles_the_numbers_of_the_act_are_seen(stage, classifier):
    """In JupyterLab on a small laptop its boxes would need twice the room."""
    page = stage(classifier, width=964, height=768)
    silent = []
    for k, frame in enumerate(classifier["frames"], 1):
        made = classifier["cards"][frame["card"]]["outputs"] if frame["act"] == "record" else []
        value = classifier["nodes"][made[0]]["value"] if made else frame.get("value")
        if (
            frame["act"] in ("record", "visit", "part")
            and len(classifier["values"][value]["shape"]) > 1
        ):
            go(page, k)
            assert page.locator(".node .tiles").count() > 2
            sizes = page.player(SCALED.replace(".grid", ".callout .grid"))
            if not sizes or min(sizes) < 11:
                silent.append((frame["act"], k))
    assert len(silent) <= 4, silent


COVERED = """const rect = (one) => one.getBoundingClientRect(), over = rect(p.root.querySelector('.callout > rect'));
    return [...p.root.querySelectorAll('.node:not([hidden])')].filter((one) => { const box = rect(one);
        return box.left < over.right && over.left < box.right && box.top < over.bottom && over.top < box.bottom;
    }).map((one) => one.querySelector('.node-name')?.textContent);"""


@pytest.mark.parametrize("height", [625, 768])
def test_what_a_product_is_about_is_large_and_the_rest_is_context(stage, classifier, height):
    """All its numbers stand in one equation, which covers no box of its own, and move there."""
    page = stage(classifier, width=964, height=height)
    seen_in = 0
    for k, frame in enumerate(classifier["frames"]):
        card = classifier["cards"][frame["card"]] if "card" in frame else {"op": ""}
        if card["op"] != "MatMul" or frame["act"] not in ("record", "part"):
            continue
        go(page, k)
        assert step(page)
        if page.locator(".callout .grid").count() != 3:
            continue  # where all of it is wider than the pane
        seen_in += 1
        at(page, 50 if frame["act"] == "record" else 155)
        assert len(page.player(LIT)) == 3, "a row, a column and their cell"
        assert [text[0] for text in seen(page, ".traveller .grid-number")] == ["×"]
        shown = len(seen(page, ".callout .grid-number"))
        finish(page)
        made = classifier["values"][
            frame.get("value", classifier["nodes"][card["outputs"][0]]["value"])
        ]
        assert (
            len(seen(page, ".callout .grid-number")) - shown == made["shape"][0] * made["shape"][1]
        )
        assert min(page.player(SCALED.replace(".grid", ".callout .grid"))) >= 11
        own = {classifier["nodes"][n]["label"] for n in card["inputs"] + card["outputs"]}
        assert not own - {""} & set(page.player(COVERED)), k
    assert seen_in >= 4


def test_a_bias_is_stretched_and_folded_where_boxes_have_tiles(stage, classifier):
    """Its rows lie down in the equation, and on the way back come out of it one by one."""
    page = stage(classifier, width=964, height=768)
    go(page, before(classifier, "record", lambda frame: frame["card"] == 4))  # ... + b2
    assert step(page)
    at(page, 535)
    assert seen(page, ".traveller .grid-number")[-8:] == ["+0."] * 8, "four rows of b2"
    finish(page)
    for b, sums, made in (
        ("b2", ("-0.1527", "0.027", "-0.108"), ["0.05309", "-0.05309"]),
        ("b1", ("0.1527", "0.179", "0.045"), ["0.2058", "-0.06173", "0.1527"]),
    ):
        go(page, before(classifier, "part", sends(classifier, "Add", b)))
        assert step(page)
        for time, counted in zip((260, 360, 460), sums, strict=True):
            at(page, time)
            assert counted in seen(page, ".traveller .grid-number"), time
            assert len(seen(page, ".callout .grid-number")) == 4 * len(made), "no sum yet"
        finish(page)
        assert seen(page, ".callout .grid-number")[-len(made) :] == made


NEAR = """const rect = (one) => one.getBoundingClientRect();
    const boxes = [...p.root.querySelectorAll('.node:not([hidden]) > .node-box')].map(rect);
    const pills = [...p.root.querySelectorAll('.badges .pill > rect')].map(rect);
    const seen = [...p.root.querySelectorAll('.badges > :not([visibility]) .pill > rect')].map(rect);
    const answers = [...p.root.querySelectorAll('.callout-answer > rect')].map(rect);
    const near = (a, b, room) => a.left < b.right + room && b.left < a.right + room &&
        a.top < b.bottom + room && b.top < a.bottom + room;
    return [pills.map((pill) => boxes.filter((box) => near(pill, box, 1)).length),
        answers.map((answer) => [...boxes, ...seen].filter((one) => near(answer, one, 0)).length)];"""


@pytest.mark.parametrize("height", [625, 768])
def test_badges_and_answers_touch_no_other_box(stage, height):
    """Three layers, as in lesson 08: kernels stand close above biases, whose adjoints are wide."""
    a, b, c = [tf.keras.layers.Dense(2, kernel_initializer="ones") for _ in range(3)]
    a.build([4, 3])
    a.kernel.assign([[-1.444, 2.245], [0.0, 0.0], [0.0, 0.0]])
    c.build([4, 2])
    c.kernel.assign([[0.4953, -0.03327], [0.0, 0.0]])
    with tf.GradientTape() as tape:
        h = a(tf.ones([4, 3]))
        b(h)
        y = c(h)
        loss = tf.reduce_mean(y * y)
    variables = a.variables + b.variables + c.variables
    board = play(tape, loss, variables, folded=True).storyboard
    page = stage(board, width=964, height=height)
    go(page, len(board["frames"]))
    pills, answers = page.player(NEAR)
    assert len(pills) >= 8 and set(pills) == {1}, "a badge is at its own box only"
    assert len(answers) >= 4 and set(answers) == {0}


def test_an_adjoint_covers_no_number_of_its_value(stage, classifier):
    """Two rows have room above their adjoint only in a drawing that was made for numbers."""
    page = stage(classifier, width=964, height=768)
    go(page, len(classifier["frames"]))
    on = """const rect = (one) => one.getBoundingClientRect();
        const pills = [...p.root.querySelectorAll('.badges .pill > rect')].map(rect);
        return [...p.root.querySelectorAll('.node:not([hidden]) .grid-number')].map(rect).filter((a) =>
            pills.some((b) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top < a.bottom - 2)).length;"""
    assert page.locator(".badges .pill").count() >= 10 and page.player(on) == 0


def test_numbers_of_two_cells_are_not_read_as_one(stage, line):
    """ "1." beside "2." is no 1.2: between the numbers of a row half a letter stays free."""
    page = stage(line, width=1366, height=768)
    gaps = page.player("""p.go(p.total);
        const cells = [...p.root.querySelectorAll('.node .grid')].flatMap((grid) => {
            const all = [...grid.querySelectorAll('.grid-number')].map((one) => one.getBoundingClientRect());
            return all.slice(1).map((b, i) => [all[i], b]).filter(([a, b]) => Math.abs(a.top - b.top) < 2)
                .map(([a, b]) => (b.left - a.right) / (a.height / 2)); });
        return cells;""")
    assert len(gaps) > 2 and min(gaps) > 0.5


def test_where_no_number_can_be_read_a_badge_is_a_mark(stage, line):
    page = stage(line, width=320, height=500)
    go(page, len(line["frames"]))
    assert page.player("return p.root.querySelector('.graph-svg').dataset.detail;") == "names"
    assert page.locator(".badges .pill:not(.is-bare):not(:has(text, .tiles))").count() == 0
    assert page.locator(".badges .is-bare").count() > 0


def test_an_axis_of_examples_is_seen_to_be_one(stage, line):
    page = stage(line)
    go(page, len(line["frames"]))
    marked = page.locator(".node:has(.batch) .node-name").all_text_contents()
    assert len(marked) == 4 and {"x"} <= set(marked) and "w" not in marked
    assert "example" in page.locator(".legend").text_content()
    page.player("p.root.classList.add('no-batch');")
    assert not page.locator(".batch").first.is_visible(), "nobody has said that word yet"


def test_an_answer_that_cannot_be_read_is_told_by_its_shape(stage):
    with Film() as film:
        v = tf.Variable([0.1234567 * k for k in range(1, 11)], name="v")
        with tf.GradientTape() as tape:
            y = v
            for _ in range(14):
                y = tf.tanh(y)
            loss = tf.reduce_sum(y)
        tape.gradient(loss, v)
    board = develop(film)
    page = stage(board, width=1000, height=600)
    go(page, len(board["frames"]))
    said = page.locator(".callout")
    assert said.count() == 1 and "[10]" in said.text_content()
    assert not said.locator(".grid-number").count()


def test_an_answer_with_no_place_near_its_source_stands_farther_away(stage, line):
    """On a phone: that none was found near it says nothing of the rest of the pane."""
    page = stage(line, style="body { margin: 0 }", width=390, height=700)
    go(page, before(line, "result", lambda frame: True) + 1)
    assert page.locator(".callout-answer").all_text_contents() == ["dloss/dw = -5.667-6.667"]
