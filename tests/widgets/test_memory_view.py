"""The picture of what a tape costs: its bars are as long as the bytes, both states are in it, and
nothing of the learner's is markup.
"""

import re
from xml.etree import ElementTree

import pytest

import minitape as tf
from minitape.sentences import speaking
from minitape.storyboard.drawing.layout import text_width
from minitape_widgets import costs
from minitape_widgets.charts.bytes import Bytes
from minitape_widgets.charts.chart import PAD, WIDTH
from minitape_widgets.memory import Switch

SVG = "{http://www.w3.org/2000/svg}"


def program(rounds=1):
    x, w = tf.ones((20, 30)), tf.Variable(tf.eye(30))
    with tf.GradientTape() as tape:
        h = x
        for _ in range(rounds):
            h = tf.nn.relu(h @ w)
        tf.reduce_sum(h * "<b>&".count("&"))
    return tape


def rects(text, style):
    return [
        one
        for one in ElementTree.fromstring(text).iter(f"{SVG}rect")
        if one.get("class") == style and float(one.get("y")) > 60
    ]


def texts(text):
    return [one.text for one in ElementTree.fromstring(text).iter(f"{SVG}text")]


def test_bars_are_as_long_as_bytes():
    chart = costs(program())
    assert type(chart) is Bytes and (chart.costs.needed, chart.costs.droppable) == (
        2404,
        2 * 2400 + 4,
    )
    needed, _ = rects(chart.svg(), "mc-bar")
    droppable = [float(one.get("width")) for one in rects(chart.svg(), "mc-drop")]
    assert float(needed.get("width")) == droppable[0] > 300 and min(droppable) < 3
    assert "This tape keeps 7,208 bytes." in texts(chart.svg()) and "2 Relu, h" in texts(
        chart.svg()
    )
    assert any("reduce_sum" in text and "<b>&" in text for text in texts(chart.svg()))
    assert repr(chart) == str(chart.costs)


def test_what_is_recomputed_holds_both_states_and_asks_no_kernel():
    view = costs(program(3), recompute=[(1, 2), (3, 4)])
    assert isinstance(view, Switch) and view.costs.let_go == 2 * 2400
    bundle = view._repr_mimebundle_()
    assert (
        bundle["image/svg+xml"] == view.svg
        and "let go" in bundle["text/plain"]
        and len(bundle) == 3
    )
    moved = re.findall(
        r'class="(mc-\w+)"[^>]* data-now="[\d.]+ ([\d.]+)" data-then="[\d.]+ ([\d.]+)"', view.svg
    )
    assert [one for one in moved if one[0] == "mc-gone"] == [("mc-gone", "0", moved[0][1])] * 2, (
        moved
    )
    assert {
        kind: sum(float(now) for one, now, _ in moved if one == kind)
        > sum(float(then) for one, _, then in moved if one == kind)
        for kind in ("mc-drop", "mc-bar", "mc-gone")
    } == {"mc-drop": True, "mc-bar": False, "mc-gone": False}


def test_no_size_is_cut_off_at_the_edge():
    """ "0 bytes", of what is let go, is longer than "12 kB"."""
    h = tf.Variable(tf.ones((100, 100)))
    with tf.GradientTape() as tape:
        tf.tanh(tf.sin(h * h))
    found = [
        one
        for one in ElementTree.fromstring(costs(tape, recompute=(1, 3)).svg).iter(f"{SVG}text")
        if "mc-v" in one.get("class", "")
    ]
    assert {one.text for one in found} == {"0 bytes", "40 kB"}
    assert max(float(one.get("x")) + text_width(one.text, 13) for one in found) <= WIDTH - PAD


def test_many_cards_are_shown_whole_as_stretches():
    chart = costs(program(30))
    found = [text for text in texts(chart.svg()) if text.startswith("cards ")]
    assert len(found) == 12 and found[0].startswith("cards 1 to ") and found[-1].endswith(" to 62")


def test_a_tape_without_arrays_says_so():
    tape = program()
    tape._tape.release()
    assert (
        "let all its arrays go" in repr(costs(tape))
        and len(rects(costs(tape).svg(), "mc-bar")) == 0
    )
    with tf.GradientTape() as empty:
        pass
    assert "no card" in repr(costs(empty))


def test_it_speaks_french():
    with speaking("fr"):
        view = costs(program(), (1, 2))
    assert (
        view.word == "recalculer" and "garderait" in view.text() and "Ce que co" not in view.text()
    )


def test_what_cannot_be_meant_is_refused():
    with pytest.raises(TypeError, match="a tape"):
        costs([1, 2])
    with pytest.raises(ValueError, match="4 cards"):
        costs(program(), (1, 9))
