"""The numbers of small arrays where the player speaks of them: in its sentences, and in the inspector."""

import pytest

import minitape as tf
from minitape.storyboard import Film, develop
from tests.browser import test_player_arrays as arrays
from tests.browser.stage import go
from tests.browser.test_player_arrays import before, sends

pytestmark = pytest.mark.browser
classifier, line = arrays.classifier, arrays.line
LABELS = "return [...p.root.querySelectorAll(argument + ' .grid-inline')].map((e) => e.ariaLabel);"


@pytest.fixture(scope="module")
def product():
    """A product of two matrices, of six numbers and of four."""
    with Film() as film:
        x = tf.Variable([[1.0, 2.0], [3.0, 0.0], [2.0, 1.0]], name="x")
        w = tf.Variable([[1.0, 0.5], [2.0, -1.0]], name="w")
        with tf.GradientTape() as tape:
            y = x @ w
            loss = tf.reduce_sum(y * y)
        tape.gradient(loss, [x, w])
    return develop(film)


def test_sentences_have_numbers(stage, product):
    page = stage(product, width=964, height=768)
    shapes = {}
    for k in range(1, len(product["frames"]) + 1):
        go(page, k)
        if "[3×2]" in (said := page.locator(".caption").text_content()):
            shapes[k] = said
    assert not shapes
    assert page.player(LABELS, ".caption") == [
        "[[8.5 23.] [7.5 9.] [8. 16.]]",
        "[[44. 6.] [28. -6.]]",
    ]
    assert "gradients" not in page.locator(".caption").text_content(), "they are seen already"
    page.locator("select").first.select_option("line")
    go(page, len(product["frames"]))
    said = page.locator(".caption").text_content()
    assert "gradients" in said and len(page.player(LABELS, ".caption")) == 2


def test_up_to_twelve_numbers_are_written_in_sentences(stage, classifier):
    """Four rows as a grid (of three arrays those of fewer); more of them one after the other; of more numbers how far they go."""
    page = stage(classifier, width=964, height=768)
    rows = []
    for k in range(len(classifier["frames"])):
        go(page, k)
        rows.append([label.count("] [") + 1 for label in page.player(LABELS, ".caption")])
    assert rows.count([4]) == 10, "in sentences of one line"
    go(page, before(classifier, "part", sends(classifier, "MatMul", "w1")) + 1)
    assert "receives [4×2] and sends" in page.locator(".caption").text_content(), "three are high"
    with Film() as film:
        x = tf.Variable([[float(i)] for i in range(6)], name="x")
        table = tf.Variable([[float(i)] * 5 for i in range(4)], name="table")
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(x * x) + tf.reduce_sum(table * table)
        tape.gradient(loss, x)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(table * table)
        tape.gradient(loss, table)
    board = develop(film)
    page = stage(board, width=964, height=768)
    go(page, before(board, "release", lambda frame: frame["tape"] == 0) + 1)
    said = page.locator(".caption-answer").text_content()
    assert said.endswith("[[0.] [2.] [4.] [6.] [8.] [10.]]")
    go(page, len(board["frames"]))
    assert "[4×5], 0.0 … 6.0" in page.locator(".caption-answer").text_content()


BEHIND = """const rects = [...p.root.querySelectorAll('.callout > rect')].map((one) => one.getBoundingClientRect());
    return [...p.root.querySelectorAll('.callout-line')].map((line) => {
        const length = line.getTotalLength();
        const points = Array.from({ length: 101 }, (_, k) =>
            line.getPointAtLength((k / 100) * length).matrixTransform(line.getScreenCTM()));
        return rects.filter((r) => points.some(({ x, y }) =>
            x > r.left && x < r.right && y > r.top && y < r.bottom)).length;
    });"""


@pytest.mark.parametrize(("width", "height"), [(934, 625), (934, 768), (1030, 768)])
def test_each_answer_stands_on_the_picture(stage, classifier, width, height):
    """All four of a net of two layers: on no box and no badge, and no line goes on behind another."""
    page = stage(classifier, width=width, height=height)
    go(page, len(classifier["frames"]))
    _, answers = page.player(arrays.NEAR)
    assert answers == [0, 0, 0, 0]
    assert page.player(BEHIND) == [1, 1, 1, 1], "its own is behind itself"
    said = page.locator(".callout-answer").all_text_contents()
    assert [text.split("=")[-1].strip() for text in said][1] == "0.2058-0.061730.1527"


@pytest.mark.parametrize("height", [625, 768])
def test_p_minus_one_hot_is_seen_where_boxes_have_tiles(stage, classifier, height):
    page = stage(classifier, width=964, height=height)
    k = before(
        classifier, "part", lambda part: "Entropy" in classifier["cards"][part["card"]]["op"]
    )
    go(page, k + 1)
    said = page.locator(".callout")
    assert said.text_content().startswith("ū₆ × (p - one_hot(labels)) = ")
    assert said.locator(".grid-number").count() == 8


def test_a_formula_is_not_cut(stage):
    """Half a name says nothing: what a gather sends back is its numbers."""
    with Film() as film:
        table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name="table")
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(table, [2, 0, 2]))
        tape.gradient(loss, table)
    board = develop(film)
    page = stage(board, width=964, height=768)
    go(page, before(board, "part", sends(board, "GatherV2", "table")) + 1)
    numbers = page.locator(".callout .grid-number").all_text_contents()
    assert numbers == ["1.", "1.", "0.", "0.", "2.", "2."]
    assert page.locator(".callout").text_content() == "".join(numbers)


def test_the_inspector_has_numbers(stage, product):
    """Of what a card is made from, too; and however low it is, its first row is begun."""
    page = stage(product, width=964, height=768)
    go(page, len(product["frames"]))
    page.locator(".card").first.click()
    x, w, y, adjoint = page.player(LABELS, ".inspector")
    assert x == "[[1. 2.] [3. 0.] [2. 1.]]" and w == "[[1. 0.5] [2. -1.]]"
    assert y == "[[5. -1.5] [3. 1.5] [4. 0.]]" and adjoint == "[[10. -3.] [6. 3.] [8. 0.]]"
    page.locator(".inspector .text-button").first.click()
    page.player("p.root.querySelector('.inspector-box').style.height = '70px';")
    page.wait_for_timeout(100)
    row = page.locator(".inspector tr").first.bounding_box()
    body = page.player(
        "const e = p.root.querySelector('.inspector-body'); return e.getBoundingClientRect().bottom - parseFloat(e.style.clipPath.split(' ').at(-1) || 0);"
    )
    assert row["y"] + 20 < body


def test_on_paper_what_moves_stands_in_stills(stage, line):
    """The first act of each kind that moves numbers, each at three times: on the way there, too."""
    page = stage(line)
    go(page, len(line["frames"]))
    before = page.player("return p.root.innerHTML;")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    made, stretched, *_, spread, folded, product = page.locator(".stills figure").all()
    assert made.locator(".lit").count() == 9 and "in every entry" in spread.text_content()
    assert stretched.locator("svg").last.locator(".moving text").count() > 3, "b lies on the rows"
    assert "b" in folded.locator("figcaption").text_content()
    shown = [
        still.locator(".moving text").all_text_contents() for still in folded.locator("svg").all()
    ]
    assert len(shown) == 3 and shown[0] == ["0.3333"] and "-1." in shown[2]
    lit = [still.locator(".lit").count() for still in product.locator("svg").all()]
    assert lit == [3, 3, 3], "a row, a column, and the cell that they make"
    turned = [
        still.locator(".pill-value text").all_text_contents()
        for still in product.locator("svg").all()
    ]
    assert ["ᵀ" in "".join(texts) for texts in turned] == [False, True, True], (
        "x turns, and has turned"
    )
    assert {len(texts) for texts in turned} == {6, 7}
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.player("return p.root.innerHTML;") == before
    go(page, 1)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".stills figure").count() == 1, "what was not seen is not told"
