"""Layouts: whatever the graph, boxes do not overlap, edges flow to the right and end at their
boxes, and nothing depends on chance.
"""

import os
import re
import subprocess
import sys
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minitape as tf
from minitape.storyboard import Film, develop
from minitape.storyboard.drawing import layout
from minitape.storyboard.drawing.drawings import _Rooms
from minitape.storyboard.drawing.layered import layered
from minitape.storyboard.drawing.layout import lay_out, text_width
from minitape.storyboard.drawing.svg import clip
from minitape.storyboard.drawing.turn import DESK, PHONE, ROOMS, scale


@st.composite
def graphs(draw):
    count = draw(st.integers(1, 24))
    sizes = draw(
        st.lists(
            st.tuples(st.integers(30, 160), st.integers(20, 60)), min_size=count, max_size=count
        )
    )
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(
        lambda pair: pair[0] != pair[1]
    )
    edges = (
        [(min(pair), max(pair)) for pair in draw(st.lists(pairs, max_size=40))] if count > 1 else []
    )
    return sizes, edges


@settings(max_examples=120, deadline=None)
@given(graphs())
def test_layers(graph):
    check(graph, lay_out([graph], "layers")[0])
    assert lay_out([graph], "layers") == lay_out([graph], "layers")


@pytest.mark.parametrize("engine", ["dot", "wasm"])
@settings(max_examples=12, deadline=None)
@given(graphs())
def test_graphviz(engine, graph):
    if not layout.available(engine):
        pytest.skip(f"{engine} is not installed")
    found = lay_out([graph], engine)[0]
    assert found[0] == engine
    check(graph, found, loose=True)


def check(graph, found, loose=False):
    (sizes, edges), (_, width, height, places, curves) = graph, found
    boxes = [(x - w / 2, y - h / 2, x + w / 2, y + h / 2) for (w, h), (x, y) in zip(sizes, places)]
    for left, top, right, bottom in boxes:
        assert left >= 0 and top >= 0 and right <= width + 1 and bottom <= height + 1
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            assert (
                a[2] <= b[0] + 0.2 or b[2] <= a[0] + 0.2 or a[3] <= b[1] + 0.2 or b[3] <= a[1] + 0.2
            )
    for (start, end), curve in zip(edges, curves):
        assert len(curve) % 3 == 1 and len(curve) >= 4
        assert abs(curve[0][0] - boxes[start][2]) < 2 and abs(curve[-1][0] - boxes[end][0]) < 2
        assert boxes[start][2] <= boxes[end][0] + 0.2
        if not loose:
            assert all(a[0] <= b[0] + 0.2 for a, b in zip(curve, curve[1:]))


def test_two_edges_between_the_same_boxes_are_apart():
    *_, curves = lay_out([([(50, 50), (50, 50)], [(0, 1), (0, 1)])], "layers")[0]
    assert abs(curves[0][1][1] - curves[1][1][1]) > 20


def test_a_thousand_boxes_are_quick():
    edges = [(i, i + 1) for i in range(999)] + [(max(0, i - 7), i) for i in range(8, 1000, 3)]
    width, height, places, _ = layered([(60, 40)] * 1000, edges)
    assert len(places) == 1000 and width > 60_000


def test_engines_are_chosen_in_order_and_pinned(monkeypatch):
    graph = ([(50, 50)], [])
    monkeypatch.setattr(layout, "available", lambda engine: engine == "layers")
    assert lay_out([graph])[0][0] == "layers"
    with pytest.raises(RuntimeError, match="not installed here"):
        lay_out([graph], "dot")
    with pytest.raises(ValueError, match="engine must be one of"):
        lay_out([graph], "neato")


def test_a_broken_dot_is_no_obstacle(monkeypatch):
    pytest.importorskip("graphviz")
    monkeypatch.setattr(
        layout.subprocess, "run", lambda *a, **k: (_ for _ in ()).throw(OSError("no dot"))
    )
    monkeypatch.setattr(layout, "available", lambda engine: engine in ("dot", "layers"))
    assert lay_out([([(50, 50), (50, 50)], [(0, 1)])])[0][0] == "layers"


def test_an_empty_picture():
    assert lay_out([([], [])], "layers")[0][3:] == ([], [])


def test_widths_of_texts_grow_with_the_text():
    assert text_width("iii") < text_width("xxx") < text_width("WWW") < text_width("日本語")
    assert text_width("z̄") == text_width("z")


def test_where_there_are_no_threads_nothing_is_prepared(monkeypatch):
    def start(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", start)
    layout.warm_up()


@pytest.mark.skipif(
    not layout.available("wasm") or not sys.platform.startswith("linux"),
    reason="the cache folder is found in Linux's way",
)
def test_graphviz_is_translated_once_for_a_machine_and_ahead_of_the_first_picture(tmp_path):
    """Translating WebAssembly takes a second or more of every kernel; what was translated is kept
    and found again.
    """
    code = (
        "import threading, time; from minitape.storyboard.drawing import layout; "
        "layout.available = lambda engine: engine == 'wasm'\n"
        "layout.warm_up(); [t.join() for t in threading.enumerate() if t.name == "
        "'minitape-layout']; begin = time.process_time()\n"
        "print(layout.lay_out([([(50, 50), (50, 50)], [(0, 1)])])[0][0], time.process_time() - "
        "begin)"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    environment.pop("MINITAPE_LAYOUT", None)
    written = []
    for _ in range(2):
        said = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        assert said[0] == "wasm" and float(said[1]) < 0.3, "the background has not prepared it"
        written.append(
            {
                path: path.stat().st_mtime_ns
                for path in tmp_path.rglob("*")
                if path.stat().st_size > 500_000
            }
        )
    assert len(written[0]) == 1 and written[0] == written[1]


def test_a_number_without_room_is_rounded():
    """A piece of a number is another number."""
    assert clip("loss = 0.00492991", 200, 12) == "loss = 0.00492991"
    assert clip("loss = 0.00492991", 100, 12) == "loss = 0.00493"
    assert clip("-1234567.0", 50, 12) == "-1e+06" and clip("a_long_name", 50, 12).endswith("…")


def test_where_not_all_numbers_have_room_narrow_arrays_keep_theirs(monkeypatch):
    """A column of numbers is narrower than its shape with tiles; what is wider has these."""
    monkeypatch.setenv("MINITAPE_LAYOUT", "layers")
    with Film() as film:
        x = tf.Variable([[1.0, 2.0, 3.5], [4.0, 5.0, 7.0], [0.0, 1.0, -1.25]])
        with tf.GradientTape() as tape:
            m = tf.reduce_mean(x, axis=1, keepdims=True)
            v = tf.reduce_mean((x - m) ** 2, axis=1, keepdims=True)
            loss = tf.reduce_sum(((x - m) / tf.sqrt(v)) ** 3)
        tape.gradient(loss, x)
    board = develop(film)
    shapes = [board["values"][node["value"]]["shape"] for node in board["nodes"]]
    heights = {3: set(), 9: set()}
    for box in board["drawings"][0]["nodes"]:
        rows = shapes[box["node"]]
        if len(rows) == 2:
            heights[rows[0] * rows[1]].add(box["h"])
    assert min(heights[3]) >= 3 * 16 + 28, "numbers under a name"
    assert heights[9] == {58}


def test_a_badge_that_says_none_covers_no_number(monkeypatch):
    monkeypatch.setenv("MINITAPE_LAYOUT", "layers")
    with Film() as film:
        v, w = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(v * v)
        tape.gradient(loss, [v, w])
    board = develop(film)
    none = next(
        one["node"] for one in board["frames"] if one["act"] == "result" and one["value"] is None
    )
    box = next(box for box in board["drawings"][0]["nodes"] if box["node"] == none)
    assert box["h"] >= 16 + 28 + 9, "a row under its name, and half of a badge"


def test_numbers_that_a_laptop_has_no_room_for_are_kept_for_larger_rooms(monkeypatch):
    """And a phone has a drawing of its own, where it is shown much larger there."""
    monkeypatch.setenv("MINITAPE_LAYOUT", "layers")
    with Film() as film:
        x = tf.constant([[0.5, -1.0], [1.5, 2.0], [-0.3, 0.8], [1.0, 1.0]])
        w = [tf.Variable([[0.5, -0.25], [0.25, 0.75]]) for _ in range(4)]
        with tf.GradientTape() as tape:
            y = x
            for one in w:
                y = tf.tanh(y @ one)
            loss = tf.reduce_sum(y)
        tape.gradient(loss, w)
    board = develop(film)
    drawing = board["drawings"][0]
    of = next(at for at, box in enumerate(drawing["nodes"]) if board["nodes"][box["node"]]["card"])
    assert drawing["nodes"][of]["h"] == 58, "four rows are tiles"
    laptop, desk, phone = drawing["others"]
    assert laptop["width"] == drawing["width"] and 4 * 16 + 28 < max(
        h for *_, h in laptop["boxes"]
    ), "one array has the width of its column, and numbers that are larger there"
    assert desk["boxes"][of][3] >= 4 * 16 + 28 and scale(desk["width"], desk["height"], DESK) > 0.62
    sizes = [scale(one["width"], one["height"], PHONE) for one in (phone, drawing)]
    assert sizes[0] > 1.2 * sizes[1]


def test_tiles_take_no_more_room_than_they_are_drawn_in(monkeypatch):
    """Six numbers that are not written are no wider than twelve; a row of them is."""
    monkeypatch.setenv("MINITAPE_LAYOUT", "layers")
    with Film() as film:
        six, row = tf.Variable([[0.25, 1.25, -0.75]] * 2), tf.Variable([0.25, 1.25, -0.75])
        twelve = tf.Variable([[0.25, 1.25, -0.75]] * 4)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(six * row) + tf.reduce_sum(twelve)
        tape.gradient(loss, [six, row, twelve])
    board = develop(film)
    variables = [at for at, node in enumerate(board["nodes"]) if node["role"] == "variable"]
    widths = [_Rooms(board).of(("node", at), 0).w for at in variables]
    assert widths[0] == widths[2] < widths[1]


def test_adjoints_hang_below_where_a_pane_is_narrow(monkeypatch):
    """A chain of columns of numbers is shown much larger beside its code, and as large elsewhere."""
    monkeypatch.setenv("MINITAPE_LAYOUT", "layers")
    with Film() as film:
        x, t = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), tf.constant([[1.0], [2.0], [6.0]])
        w, b = tf.Variable([[1.0], [-1.0]]), tf.Variable([0.5])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ w + b - t) ** 2)
        tape.gradient(loss, [w, b])
    drawing = develop(film)["drawings"][0]
    shown, tall = [
        [scale(one["width"], one["height"], (room,)) for room in (ROOMS[-1], (590, 280))]
        for one in (drawing, drawing["others"][0])
    ]
    assert tall[0] > 0.77 and tall[1] > 0.68 > 0.62 > max(shown)


def test_what_a_phone_shows_as_it_is_has_one_drawing(monkeypatch):
    monkeypatch.setenv("MINITAPE_LAYOUT", "layers")
    with Film() as film:
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
    assert "others" not in develop(film)["drawings"][0]


@pytest.mark.parametrize("shape", [(3, 2), (4, 3), (4, 1)])
def test_no_numbers_of_a_still_lie_on_others(shape):
    """An adjoint with long numbers stands below a tall array: beside it there is no room."""
    with Film() as film:
        x = tf.Variable(tf.reshape(tf.linspace(0.0, 3.0, shape[0] * shape[1]), shape), name="x")
        with tf.GradientTape() as tape:
            h = tf.tanh(x * 1.7)
            loss = tf.reduce_sum(h * h)
        tape.gradient(loss, x)
    svg = develop(film).svg()
    cell = r'<rect class="mt-cell" x="([-\d.]+)" y="([-\d.]+)" width="([-\d.]+)" height="([-\d.]+)"'
    cells = [tuple(map(float, found)) for found in re.findall(cell, svg)]
    assert len(cells) >= 4 * shape[0] * shape[1]
    for (x1, y1, w1, h1), (x2, y2, w2, h2) in combinations(cells, 2):
        assert min(x1 + w1, x2 + w2) - max(x1, x2) < 1 or min(y1 + h1, y2 + h2) - max(y1, y2) < 1
    assert not re.search(r">[^<]*\[[^<\]]*…<", svg), "a piece of an array"
    assert not re.search(r'mt-p"[^>]*>\[\d+×', svg), "on a line, where it says nothing"
