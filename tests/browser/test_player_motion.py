"""The motion of the player, looked at in frozen time: nothing shows its result before its cause,
and the end state is always the same.

A page's animations are paused and set to a time; what is visible then is what a learner sees at
that time.
"""

import pytest

from minitape_widgets.pitfalls.programs import run
from tests.browser.layouts import PARABOLA
from tests.browser.stage import go, handmade, programs

pytestmark = pytest.mark.browser
LONGEST = 600  # milliseconds of one act
# What can be seen of these elements: their texts, in their order; what an animation holds back, or
# has not begun yet, is not seen.
SEEN = """const seen = (n) => { for (let e = n; e && e !== p.root; e = e.parentElement)
        if (e.hasAttribute('hidden') || getComputedStyle(e).opacity < 0.05 || getComputedStyle(e).display === 'none') return false;
        return true; };
    return [...p.root.querySelectorAll(argument)].filter(seen).map((n) => n.textContent.trim());"""
PLACES = SEEN.replace("n.textContent.trim()", "n.getBoundingClientRect().toJSON()")
FREEZE = """window.moving = p.root.getAnimations({ subtree: true }); for (const one of moving) one.pause(); return moving.length;"""


def step(page):
    """Steps on once and stops the time at its beginning; returns how many animations there are."""
    return page.player("p.go(p.k + 1);" + FREEZE)


def at(page, time):
    page.evaluate("(time) => { for (const one of moving) one.currentTime = time; }", time)


def seen(page, selector):
    return page.player(SEEN, selector)


def covered(page):
    """The numbers in boxes on whose middle a number on its way stands."""
    middles = [
        (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for box in page.player(PLACES, ".node text")
    ]
    moving = page.player(PLACES, ".traveller .pill > rect")
    return [
        (x, y)
        for x, y in middles
        for box in moving
        if box["left"] < x < box["right"] and box["top"] < y < box["bottom"]
    ]


def finish(page):
    page.evaluate("() => { for (const one of moving) one.finish(); }")
    page.wait_for_function(
        "() => !document.querySelector('.minitape').shadowRoot.querySelector('.traveller')"
    )


def test_the_adjoint_meets_the_local_derivative_and_becomes_the_part(stage):
    """Of the last part of the parabola, 1.0 × 2.0, the target shows nothing before it arrives."""
    page = stage(handmade.parabola())
    go(page, 12)
    waiting = ["3.0", "2.0"]
    assert seen(page, ".badges .pill-part text") == waiting and step(page)
    assert seen(page, ".traveller") == ["2.0", "1.0"] and seen(page, ".traveller .pill-local") == [
        "2.0"
    ]
    assert (
        seen(page, ".badges .pill-part text") == waiting
        and not seen(page, ".callout")
        and not seen(page, ".caption .is-result")
    )
    at(page, 320)  # they have met
    assert seen(page, ".traveller .pill-part") == ["2.0"] == seen(page, ".traveller")
    assert seen(page, ".badges .pill-part text") == waiting and seen(page, ".callout") == [
        "1.0 × 2.0 = 2.0"
    ]
    assert seen(page, ".caption .is-result") == ["2.0"]
    for time in (542, LONGEST):  # there is no moment without it
        at(page, time)
        assert seen(page, ".badges .pill-part text") == [*waiting, "2.0"] and not seen(
            page, ".traveller"
        ), time
    finish(page)
    assert seen(page, ".badges .pill-part text") == [*waiting, "2.0"]


def test_numbers_on_their_way_and_lines_leave_others_readable(stage):
    """A number goes around the corner of its box, and the line of a sum's callout ends at the sum:
    7.0 read 7,0.
    """
    page = stage(run(PARABOLA, explain=False).board, width=900)
    go(page, 11)
    assert step(page)
    for time in range(0, LONGEST, 30):
        at(page, time)
        assert not covered(page), time
    go(page, 14)
    go(page, 13)
    line, badge = (
        page.locator(which).bounding_box()
        for which in (".callout-line", ".badges [data-node='0'] .pill > rect")
    )
    assert (
        seen(page, ".callout") == ["3.0 + 2.0 + 2.0 = 7.0"]
        and line["y"] + line["height"] <= badge["y"] + 1
    )


def test_parts_slide_together_into_their_sum(stage):
    page = stage(handmade.parabola())
    go(page, 13)
    tops = "return [...p.root.querySelectorAll(argument)].map((n) => n.getBoundingClientRect().y);"
    places = lambda selector: page.player(tops, selector)
    standing = places(".badges .pill-part > rect")
    assert len({round(y) for y in standing}) == 3 and step(page)
    assert places(".traveller .pill-part > rect") == pytest.approx(standing, abs=0.5), (
        "they start where they stood"
    )
    assert "7.0" not in seen(page, ".pill text") and not seen(page, ".callout")
    assert seen(page, ".inspector-title") and "7.0" not in " ".join(seen(page, ".inspector td")), (
        "beside it, too"
    )
    at(page, 415)
    assert max(together := places(".traveller .pill-part > rect")) - min(together) < 2
    at(page, LONGEST)
    assert "7.0" in seen(page, ".badges .pill-adjoint text") and seen(page, ".callout") == [
        "3.0 + 2.0 + 2.0 = 7.0"
    ]
    assert "7.0" in seen(page, ".inspector td")
    assert places(".badges [data-node='0'] .pill > rect") == pytest.approx(
        [sum(together) / 3], abs=1
    ), "the sum stands where they met"


@pytest.mark.parametrize("width, height", [(934, 625), (400, 700)])
@pytest.mark.parametrize("text", ["x*x + 3*x", "x*x*x + x"], ids=["above their box", "below it"])
def test_parts_that_wait_for_their_sum_are_seen_whole(stage, text, width, height):
    """At the edge of the picture, too: the third part of a parabola was cut in half."""
    page = stage(
        run(PARABOLA.replace("x*x + 3*x", text), explain=False).board,
        style="body { margin: 0 }",
        width=width,
        height=height,
    )
    go(
        page,
        page.player(
            "return p.board.frames.findIndex((frame) => frame.act === 'sum' && frame.node === 0);"
        ),
    )
    pane = page.locator(".graph-scroll").bounding_box()
    parts = [part.bounding_box() for part in page.locator(".badges .pill-part > rect").all()]
    assert len(parts) >= 3 and all(
        pane["y"] <= part["y"] and part["y"] + part["height"] <= pane["y"] + pane["height"]
        for part in parts
    )


def test_values_run_into_the_operation(stage):
    """Forwards, too: 4.0 and 6.0 come in before y is there, in the graph, on the tape and in the
    caption.
    """
    page = stage(handmade.parabola())
    go(page, 2)
    assert step(page) and sorted(seen(page, ".traveller")) == ["4.0", "6.0"]
    for what in (".node.here", ".card.recording", ".caption .is-result", ".inspector .is-result"):
        assert not seen(page, what), what
    assert "10.0" not in " ".join(seen(page, ".inspector td"))
    for time in range(0, LONGEST, 30):  # there is no moment without both
        at(page, time)
        assert seen(page, ".traveller") or len(seen(page, ".node.here")) == 1, time
    at(page, LONGEST)
    for what in (".node.here", ".card.recording", ".caption .is-result", ".inspector .is-result"):
        assert len(seen(page, what)) == 1, what


def test_the_adjoint_runs_as_far_as_the_cut(stage):
    """In a program where only one branch is cut: the number goes to the middle of the edge, and not
    to its beginning.
    """
    board = handmade.parabola()
    k = next(i for i, frame in enumerate(board["frames"], 1) if frame["act"] == "part")
    frame = board["frames"][k - 1]
    board["frames"][k - 1] = {
        "act": "cut",
        "card": frame["card"],
        "input": frame["input"],
        "node": frame["node"],
        "why": "blocked",
    }
    page = stage(board)
    go(page, k - 1)
    assert step(page) and seen(page, ".traveller") == ["1.0"] and not seen(page, ".callout")
    at(page, 249)
    gap = page.player("""const middle = (n) => { const r = n.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; };
        const [a, b] = ['.traveller .pill > rect', '.cut-bars'].map((s) => middle(p.root.querySelector(s)));
        return Math.hypot(a[0] - b[0], a[1] - b[1]);""")
    assert gap < 8, gap
    at(page, LONGEST)
    assert seen(page, ".callout") == ["None"] and not seen(page, ".traveller")


@pytest.mark.parametrize("media", [{}, {"reduced_motion": "reduce"}])
def test_motion_is_short_and_only_where_it_is_wanted(stage, media):
    """Every act of a nested tape takes at most 600 ms; a jump, a step back, and whoever wants less
    motion get the end state at once.
    """
    page = stage(programs()["nested"], **media)
    total = page.player("return p.total;")
    plain = (
        "return p.root.querySelector('.graph-svg').innerHTML + "
        "p.root.querySelector('.strip').innerHTML;"
    )
    moved = set()
    for k in range(1, total + 1):
        go(page, 0)
        go(page, total if k == 1 else k)  # a jump, also by the slider
        assert page.player(FREEZE) == 0 and not seen(page, ".traveller")
        go(page, k)
        expected = page.player(plain)
        go(page, k - 1)
        assert page.player(FREEZE) == 0
        count = step(page)
        assert (
            page.evaluate(
                "Math.max(0, ...moving.map((one) => one.effect.getComputedTiming().endTime))"
            )
            < LONGEST + 0.01
        )
        if count:
            moved.add(page.player("return p.board.frames[p.k - 1].act;"))
            finish(page)
        assert page.player(plain) == expected, k
    assert moved == (set() if media else {"record", "part", "sum", "visit", "result"})
    page.locator(".scrubber").evaluate(
        "(s) => { s.value = 9; s.dispatchEvent(new Event('input')); }"
    )
    assert page.player("return p.k;") == 9 and page.player(FREEZE) == 0


def test_a_step_in_the_middle_of_a_move_ends_it(stage):
    page = stage(handmade.parabola())
    go(page, 11)
    step(page)
    assert len(seen(page, ".badges .pill-part text")) == 1
    page.player("p.go(13); p.go(14); p.go(13);")
    assert (
        page.player(FREEZE) == 0
        and seen(page, ".badges .pill-part text") == ["3.0", "2.0", "2.0"]
        and not seen(page, ".traveller")
    )


def test_edges_point_the_way_that_things_flow(stage):
    """Forwards while the values are recorded; back, edge by edge, once a part has gone along it."""
    page = stage(handmade.parabola())
    towards = """const end = (n) => n.getBoundingClientRect(), middle = (r) => r.x + r.width / 2;
        return [...p.root.querySelectorAll('.edge:not([hidden])')].map((edge) => {
            const tips = [...edge.querySelectorAll('.edge-tip')].filter((tip) => getComputedStyle(tip).display !== 'none');
            const line = end(edge.querySelector('.edge-line'));
            return tips.length === 1 && (middle(end(tips[0])) > middle(line) ? 'on' : 'back'); });"""
    go(page, 3)
    assert set(page.player(towards)) == {"on"}
    turned = []
    for k in range(4, 14):
        go(page, k)
        turned.append(page.player(towards).count("back"))
        assert page.player(towards).count("back") == page.locator(".edge.carried").count()
    assert turned[0] == 0 and turned[-1] == 5 and turned == sorted(turned)
    go(page, 3)
    assert set(page.player(towards)) == {"on"}


def test_one_head_records_to_the_right_and_plays_to_the_left(stage):
    page = stage(handmade.parabola())
    places, names = [], []
    for k in range(1, 13):
        go(page, k)
        heads = page.locator(".head:not([hidden])")
        assert heads.count() == 1
        names.append(heads.text_content())
        places.append(
            page.player("return new DOMMatrix(p.root.querySelector('.head').style.transform).e;")
        )
    turn = names.index("play")
    assert names == ["record"] * turn + ["play"] * (len(names) - turn) and turn == 3
    assert places[:turn] == sorted(set(places[:turn])), "to the right"
    assert (
        places[turn] == places[turn - 1]
        and places[turn:] == sorted(places[turn:], reverse=True)
        and places[-1] < places[0]
    )


@pytest.mark.parametrize("width", [900, 1280])
def test_the_end_is_the_answer(stage, width):
    """dy/dx = 7.0 stands at the source, larger than all else, and stays; so it does in the caption,
    and for a screen reader.
    """
    page = stage(run(PARABOLA, explain=False).board, width=width)
    size = "return parseFloat(getComputedStyle(p.root.querySelector(argument)).fontSize);"
    go(page, 12)
    assert "\xa0=\xa0" in page.locator(".caption").text_content(), (
        "no line ends beside an equals sign"
    )
    other = page.locator(".callout > rect").bounding_box()["height"]
    go(page, 13)
    assert step(page) and not seen(page, ".callout") and not seen(page, ".caption-answer")
    finish(page)
    for k, said in ((14, "7.0"), (15, "dy/dx\xa0=\xa07.0")):
        go(page, k)
        assert seen(page, ".callout") == ["dy/dx = 7.0"] and seen(page, ".caption-answer") == [said]
        assert page.locator(".callout > rect").bounding_box()["height"] > 1.4 * other
        box, node = (
            page.locator(which).bounding_box()
            for which in (".callout > rect", ".node.is-source .node-box")
        )
        gap = max(box["y"] - node["y"] - node["height"], node["y"] - box["y"] - box["height"])
        assert 0 <= gap < 60, (k, box, node)
        assert box["x"] < node["x"] + node["width"] and node["x"] < box["x"] + box["width"]
    assert page.locator(".hidden-text[role=status]").text_content().startswith("dy/dx = 7.0. ")
    assert (
        page.player(size, ".caption-answer")
        > 1.15 * page.player(size, ".caption")
        > 1.15 * page.player(size, ".caption .fine")
    )
    go(page, 3)
    assert page.locator(".callout").count() == 0 == page.locator(".caption-answer").count()


@pytest.mark.parametrize("width, height", [(800, 700), (400, 800)])
def test_where_room_is_short_the_answer_is_as_large_and_stands_beside_no_half_of_a_number(
    stage, width, height
):
    """Boxes without anything above them leave it the room above; what it does not cover whole of
    its own adjoint is not seen.
    """
    text = (
        "x = tf.Variable(3.0)\nwith tf.GradientTape() as tape:\n    y = x * x + 2.0 * x\n\n"
        "tape.gradient(y, x)"
    )
    page = stage(run(text, explain=False).board, width=width, height=height)
    go(page, 12)
    assert len(seen(page, ".callout")) == 1
    boxes = [node.bounding_box() for node in page.locator(".node:not([hidden]) .node-box").all()]
    said = page.locator(".callout > rect").bounding_box()
    assert not [
        box
        for box in boxes
        if box["x"] < said["x"] + said["width"]
        and said["x"] < box["x"] + box["width"]
        and box["y"] < said["y"] + said["height"]
        and said["y"] < box["y"] + box["height"]
    ], "it covers a box"
    go(page, 15)
    assert page.locator(".callout > rect").bounding_box()["height"] > 1.4 * said["height"]
    assert not page.locator(".badges [data-node='0']").is_visible()


def test_every_source_has_its_answer_and_none_is_one(stage):
    board = programs()["escape"]
    page = stage(board)
    go(page, len(board["frames"]))
    assert (
        page.locator(".callout-answer").all_text_contents() == ["dy/dx = None"]
        and page.locator(".callout-answer .is-cut").count() == 1
    )
    boards = programs()["loop"]
    page = stage(boards)
    total = page.player("return p.total;")
    answers = set()
    for k in range(total + 1):
        go(page, k)
        said = page.locator(".callout-answer").all_text_contents()
        recording = page.player("return p.board.frames[p.k - 1]?.act;") in ("record", "chapter")
        assert len(said) <= 1 and not (recording and said), (
            "an answer holds until something new is recorded"
        )
        answers |= set(said)
    assert len(answers) == 3 and all(answer.startswith("dloss/dw = ") for answer in answers)
