"""What an adjoint means: a little more of a number, its change beside what the adjoint promised,
and the curve with its tangent.
"""
# ruff: noqa: E501  (lines of JavaScript)

import pytest

import minitape as tf
from minitape_widgets import compare, play
from tests.browser.pages import becomes
from tests.browser.stage import go, programs
from tests.browser.test_player_holding import box, drag, heights, parabola

pytestmark = pytest.mark.browser


def more(page, times=1):
    for _ in range(times):
        page.get_by_role("button", name="A little more").click()


def emphasized(page):
    return [text.strip() for text in page.locator(".nudge-told strong").all_text_contents()]


def changes(page):
    return page.locator(".changes .pill text").all_text_contents()


def path(page, name):
    return page.locator(f".plot-{name}").get_attribute("d")


def chosen(stage, board, name="x", **options):
    """A page with a player at its end, in which a node is chosen."""
    page = stage(board, **options)
    go(page, 10_000)
    box(page, name).click()
    return page


def test_the_node_that_the_play_stands_at_can_be_chosen_too(stage):
    page = stage(parabola().storyboard)
    go(page, 14)
    assert becomes(
        page, True, lambda: "The gradient of y" in page.locator(".caption").text_content()
    )
    box(page, "x").click()
    assert becomes(
        page, True, lambda: "How much does y change?" in page.locator(".nudge-told").text_content()
    )


def test_a_nudge_stands_beside_what_the_adjoint_promised(stage, accessible):
    page = chosen(stage, parabola().storyboard)
    before = heights(page)
    accessible(page)
    assert "How much does y change?" in page.locator(".nudge-told").text_content() and not changes(
        page
    )
    more(page)
    assert emphasized(page) == ["+0.71", "7 × 0.1 = +0.7"]
    assert changes(page) == ["+0.1", "+0.41", "+0.3", "+0.71"], "it runs forwards to the target"
    assert becomes(
        page,
        "x +0.1: y changes by +0.71. Adjoint times nudge: 7 times 0.1 is +0.7.",
        lambda: page.locator(".player > [role=status]").text_content(),
    )
    more(page, 9)
    assert emphasized(page) == ["+8", "7 × 1 = +7"], (
        "a larger nudge shows where the straight line ends"
    )
    assert box(page, "y").locator(".node-value").text_content() == "10.0", "nothing is held"
    accessible(page)
    page.get_by_role("button", name="Recorded numbers again").click()
    assert not changes(page) and "How much" in page.locator(".nudge-told").text_content()
    page.get_by_role("button", name="A little less").click()
    assert emphasized(page)[0] == "\u22120.69"
    box(page, "x × x").click()
    assert not changes(page), "another node begins anew"
    more(page, 3)
    assert emphasized(page) == ["+0.3", "1 × 0.3 = +0.3"], "any node that has an adjoint"
    page.player("p.go(3);")
    assert not changes(page) and page.locator(".nudge").is_hidden()
    go(page, 10_000)
    box(page, "x").click()
    assert heights(page) == before, "nothing on the page moves"


def test_beside_its_curve_a_number_and_its_adjoint_are_read_without_scrolling(stage):
    """On a small screen; the type of the number comes last."""
    page = chosen(stage, parabola().storyboard, width=1150, height=768)
    more(page, 12)
    body, row = (
        page.locator(part).bounding_box()
        for part in (".inspector-body", ".inspector-body tr:has(.is-adjoint)")
    )
    assert row["height"] < 30 and row["y"] + row["height"] <= body["y"] + body["height"] + 1


def test_a_nudge_by_keys(stage):
    page = chosen(stage, parabola().storyboard)
    k = page.player("return p.k;")
    slider = page.get_by_role("slider", name="A little more x")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert (
        emphasized(page) == ["+1.44", "7 × 0.2 = +1.4"]
        and slider.get_attribute("aria-valuetext") == "x +0.2"
    )
    page.keyboard.press("End")
    assert emphasized(page)[1] == "7 × 3 = +21" and page.player("return p.k;") == k, (
        "its keys do not step"
    )
    page.keyboard.press("Escape")
    assert not emphasized(page) and not changes(page) and slider.input_value() == "0"


def test_a_nudge_by_touch(stage):
    page = chosen(stage, parabola().storyboard, has_touch=True, width=390, height=800)
    page.get_by_role("button", name="A little more").tap()
    assert emphasized(page)[0] == "+0.71"
    box_of = page.locator(".nudge-slider").bounding_box()
    page.touchscreen.tap(box_of["x"] + 0.9 * box_of["width"], box_of["y"] + box_of["height"] / 2)
    assert float(emphasized(page)[0]) > 15
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_point_moves_along_its_curve_while_one_drags(stage):
    page = chosen(stage, parabola().storyboard, height=625)
    slope, curve, tangent = page.locator(".plot-slope"), path(page, "curve"), path(page, "tangent")
    assert slope.text_content() == "slope 7" and path(page, "point").startswith("M50 ")
    more(page, 5)
    drag(page, box(page, "x"), 40)
    assert slope.text_content() == "slope 9" and emphasized(page)[1] == "9 × 0.5 = +4.5"
    assert path(page, "curve") == curve, "its own curve stays"
    assert path(page, "tangent") != tangent and path(page, "point").startswith("M66.67 ")
    assert "At x = 3 it is 18, and its slope is the adjoint, 9" in page.locator(
        ".plot"
    ).get_attribute("aria-label")


def test_a_number_that_is_drawn_along_shows_its_curve(stage):
    page = stage(parabola().storyboard)
    go(page, 10_000)
    page.get_by_role("button", name="Inspector").click()
    drag(page, box(page, "x"), -8)
    assert page.locator(".inspector.folded").count() == 1, "a hand that draws opens nothing"
    page.get_by_role("button", name="Inspector").click()
    drag(page, box(page, "x"), 8)
    assert (
        page.locator(".nudge").is_visible()
        and page.locator(".plot-slope").text_content() == "slope 7"
    )


def test_a_cell_of_an_array_is_nudged(stage):
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(w * w)
    page = chosen(stage, play(tape, y, w).storyboard, "w")
    page.get_by_role("combobox", name="Which number").select_option("w[1, 0]")
    more(page, 2)
    assert emphasized(page) == ["+1.24", "6 × 0.2 = +1.2"] and changes(page) == ["+1.24"]
    v = tf.Variable([2.0, 3.0], name="v")
    with tf.GradientTape() as tape:
        y = v[0] * v[0] + v[0] * v[1]
    page = chosen(stage, play(tape, y, v).storyboard, "v")
    page.get_by_role("textbox", name="v[1]").fill("-9")
    assert becomes(page, "slope \u22125", lambda: page.locator(".plot-slope").text_content())
    assert path(page, "point").removeprefix("M").removesuffix("h0.01") in path(page, "curve"), (
        "another cell changes the curve"
    )
    page = chosen(stage, programs()["jacobian"])
    assert "y[2]" in page.locator(".nudge-told").text_content(), "the row that was played last"
    assert page.locator(".nudge-cells").input_value() == "2", "the one that changes it"
    assert page.locator(".plot-slope").text_content() != "slope 0"


def test_a_row_of_sliders_holds_a_row_of_numbers_and_the_curve_follows_the_hand(stage):
    v = tf.Variable([2.0, 3.0, -1.0], name="v")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(v * v * v)
    page = chosen(stage, play(tape, y, v).storyboard, "v")
    sliders = page.locator(".held-slider")
    assert sliders.count() == 3 and page.locator(".plot-slope").text_content() == "slope 27"
    sliders.nth(1).press("ArrowRight")
    assert becomes(page, "3.1", lambda: page.get_by_role("textbox", name="v[1]").input_value())
    assert page.locator(".nudge-cells").input_value() == "1"
    assert page.locator(".plot-slope").text_content() == "slope 28.83"
    k = page.player("return p.k;")
    sliders.nth(2).press("End")
    assert becomes(page, "2", lambda: page.get_by_role("textbox", name="v[2]").input_value())
    assert page.player("return p.k;") == k, "a slider's keys are its own"
    page.get_by_role("combobox", name="Which number").select_option("v[0]")
    assert page.locator(".plot-slope").text_content() == "slope 12"


def test_of_two_numbers_that_are_tried_out_after_each_other_the_first_is_done(stage):
    """Else the graph would tell of one, and what stands under the curve of the other."""
    v = tf.Variable([2.0, 3.0, -1.0], name="v")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(v * v * v)
    page = chosen(stage, play(tape, y, v).storyboard, "v")
    more(page)
    assert len(changes(page)) == 1
    page.locator(".held-slider").nth(2).press("ArrowRight")
    assert becomes(page, [], lambda: changes(page))
    assert page.locator(".nudge-told").inner_text().startswith("Nudge v[2]")


@pytest.mark.parametrize(("width", "height"), [(1366, 625), (390, 844)])
def test_what_a_nudge_did_is_not_cut(stage, width, height):
    w = tf.Variable(
        [[0.9, 0.1, -0.7, -0.9], [-0.5, 0.2, -1.0, -0.2], [0.2, 0.5, 0.2, 0.4]], name="w"
    )
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.tanh(tf.ones((1, 3)) @ w) ** 2)
    page = chosen(stage, play(tape, y, w).storyboard, "w", width=width, height=height)
    more(page, 2)
    box, told = page.locator(".inspector-box").bounding_box(), page.locator(".nudge-told strong")
    assert told.count() == 2
    for number in told.all():
        found = number.bounding_box()
        assert found["x"] + found["width"] <= box["x"] + box["width"]
        assert found["y"] + found["height"] <= box["y"] + box["height"]
        assert number.evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.parametrize("numbers", [[2.0, -1.0, 3.0], [[2.0, -1.0, 3.125], [1.0, 2.0, -0.03]]])
def test_all_fields_of_an_array_stand_beside_its_curve(stage, numbers):
    x = tf.Variable(numbers, name="x")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.nn.relu(x))
    page = chosen(stage, play(tape, y, x).storyboard, width=960, height=768)
    curve, fields = page.locator(".nudge").bounding_box(), page.locator(".held-field")
    boxes = [fields.nth(k).bounding_box() for k in range(fields.count())]
    assert len(boxes) == x.numpy().size and all(
        b["x"] + b["width"] <= curve["x"] + 1 or b["y"] >= curve["y"] + curve["height"]
        for b in boxes
    )


@pytest.mark.parametrize(
    "numbers",
    [
        [[0.346, 0.822], [0.33, -1.303]],
        [[0.905356, 0.446375, -0.536953], [0.581118, 0.0284222, -0.736454]],
    ],
)
def test_no_number_of_an_array_is_cut(stage, numbers):
    x = tf.Variable(numbers, name="x")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.tanh(x))
    page = chosen(stage, play(tape, y, x).storyboard, width=1366, height=768)
    fields = page.locator(".held-field")
    cut = fields.evaluate_all(
        "(fields) => fields.filter((f) => f.scrollWidth > f.clientWidth).map((f) => f.value)"
    )
    assert fields.count() == x.numpy().size and not cut
    box, last = page.locator(".held-grid"), fields.last
    last.focus()  # what finds no room beside the curve is scrolled to
    assert (
        last.bounding_box()["x"] + last.bounding_box()["width"]
        <= box.bounding_box()["x"] + box.bounding_box()["width"] + 1
    )


@pytest.mark.parametrize("dark", [False, True])
def test_what_has_no_slope_says_so(stage, accessible, dark):
    x = tf.Variable(0.2, name="x")
    with tf.GradientTape() as tape:
        y = tf.math.log(x)
    page = chosen(stage, play(tape, y, x).storyboard, color_scheme="dark" if dark else "light")
    page.get_by_role("slider", name="A little more x").press("Home")
    assert emphasized(page)[0] == "nan", "below zero there is no logarithm"
    for text, odd in (("-1", "y"), ("nan", "x, y"), ("inf", "x, y"), ("0", "y")):
        page.get_by_role("textbox", name="x", exact=True).fill(text)
        assert becomes(
            page,
            True,
            lambda odd=odd: (
                f"Not finite here: {odd}." in page.locator(".nudge-told").text_content()
            ),
        ), text
        assert page.locator(".plot").is_hidden()
    accessible(page)
    page.keyboard.press("Escape")
    assert becomes(page, "slope 5", lambda: page.locator(".plot-slope").text_content())


def test_what_cannot_be_played_on_says_so(stage):
    x = tf.Variable(1.5, name="x")
    with tf.GradientTape() as tape:
        g = tf.math.lgamma(x)
        y = g * x
    page = chosen(stage, play(tape, y, x).storyboard)
    assert (
        "this page cannot compute g" in page.locator(".nudge-told").text_content()
        and page.locator(".plot").is_hidden()
    )
    box(page, "g").click()
    assert page.locator(".plot-slope").text_content() == "slope 1.5"
    page = chosen(stage, programs()["escape"], "x × x")
    assert page.locator(".nudge").is_hidden(), "what has no adjoint has no slope"
    with tf.GradientTape() as tape:
        y = tf.stop_gradient(x * x) * x
    page = chosen(stage, play(tape, y, x).storyboard)
    assert "on which no gradient comes back" in page.locator(".nudge-told").text_content()
    assert not page.problems


def test_in_a_pair_each_has_its_own(stage):
    pair = compare(parabola(), parabola(), hide=())
    page = stage(pair.payload)
    page.player("p.go(10000);")
    second = page.locator(".player").nth(1)
    height = page.evaluate("document.querySelector('.minitape').offsetHeight")
    drag(page, second.locator(".node.holds").first, 40)
    second.locator(".node.holds").first.click()
    second.get_by_role("button", name="A little more").click()
    assert emphasized(second) == ["+0.91", "9 × 0.1 = +0.9"] and not changes(
        page.locator(".player").first
    )
    assert page.evaluate("document.querySelector('.minitape').offsetHeight") == height
    page.keyboard.press("Escape")
    assert second.locator(".plot-slope").text_content() == "slope 7" and not page.problems


def test_a_variable_with_two_versions_says_which_number_stays(stage):
    v, w = tf.Variable(3.0, name="v"), tf.Variable(2.0, name="w")
    with tf.GradientTape() as tape:
        y = w * v
        w.assign(5.0)
        y = y + w
    page = chosen(stage, play(tape, y, [v, w]).storyboard, "w₁")
    emphasized = page.locator(".nudge-told").text_content()
    assert emphasized.startswith(
        "w₁ was given another number later on, w₂. That one stays as it was recorded"
    ), emphasized
    assert page.locator(".nudge-row").is_hidden()
