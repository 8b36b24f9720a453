"""A wide drawing goes on in further rows: nothing overlaps, every edge is still one line from box
to box, and it is shown larger.
"""

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minitape.storyboard.drawing.layout import lay_out
from minitape.storyboard.drawing.turn import _gaps, _halves, scale, turned


@st.composite
def long_graphs(draw):
    count = draw(st.integers(12, 60))
    sizes = draw(
        st.lists(
            st.tuples(st.integers(58, 190), st.sampled_from([42, 58])),
            min_size=count,
            max_size=count,
        )
    )
    extra = draw(
        st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=25)
    )
    edges = [(at, at + 1) for at in range(count - 1)] + [
        (min(pair), max(pair)) for pair in extra if pair[0] != pair[1]
    ]
    return sizes, edges


@settings(max_examples=40, deadline=None)
@given(long_graphs())
@example(([(58, 42)] * 12, [(at, at + 1) for at in range(11)] + 8 * [(0, 1)]))
def test_rows(graph):
    sizes, edges = graph
    before = lay_out([graph], "layers")[0]
    _, width, height, places, curves = turned(before, sizes)
    assert scale(width, height) >= scale(*before[1:3])
    boxes = [(x - w / 2, y - h / 2, x + w / 2, y + h / 2) for (w, h), (x, y) in zip(sizes, places)]
    for at, (left, top, right, bottom) in enumerate(boxes):
        assert left >= 0 and top >= 0 and right <= width and bottom <= height
        assert all(
            right <= a + 0.2 or c <= left + 0.2 or bottom <= b + 0.2 or d <= top + 0.2
            for a, b, c, d in boxes[at + 1 :]
        )
    for (start, end), curve in zip(edges, curves):
        assert len(curve) % 3 == 1
        assert (
            abs(curve[0][0] - boxes[start][2]) < 1
            and boxes[start][1] <= curve[0][1] <= boxes[start][3]
        )
        assert (
            abs(curve[-1][0] - boxes[end][0]) < 1 and boxes[end][1] <= curve[-1][1] <= boxes[end][3]
        )
        assert all(0 <= x <= width and 0 <= y <= height for x, y in curve)


def test_a_long_chain_never_becomes_a_sliver():
    graph = [(120, 58)] * 40, [(at, at + 1) for at in range(39)]
    before = lay_out([graph], "layers")[0]
    _, width, height, places, curves = turned(before, graph[0])
    assert before[1] / before[2] > 50 and 2 < width / height < 6
    assert scale(width, height) > 2.5 * scale(*before[1:3])
    rows = {y for _, y in places}
    assert len(rows) >= 3 and [sum(other == y for _, other in places) for y in sorted(rows)] != [40]


def test_the_layers_of_a_model_are_a_straight_chain_that_turns():
    """Each result has its weight beside it, and the weights do not pull the chain upwards: so two
    rows are low.
    """
    results, weights = 14, 9
    sizes = [(100, 58)] * (results + weights)
    edges = [(at, at + 1) for at in range(results - 1)] + [
        (results + at, at + 1) for at in range(weights)
    ]
    before = lay_out([(sizes, edges)], "layers")[0]
    heights = [y for _, y in before[3][1:results]]
    assert max(heights) - min(heights) < 20
    _, width, height, _, _ = turned(before, sizes)
    assert width < 0.65 * before[1] and height < 480


def test_what_fits_stays_as_it_is():
    graph = [(60, 58)] * 4, [(at, at + 1) for at in range(3)]
    before = lay_out([graph], "layers")[0]
    assert turned(before, graph[0]) is before


def test_columns_come_closer_before_a_drawing_is_cut():
    graph = [(120, 58)] * 5, [(at, at + 1) for at in range(4)]
    before = lay_out([graph], "layers")[0]
    _, width, height, places, curves = turned(before, graph[0])
    assert scale(width, height) > 1.05 * scale(*before[1:3])
    assert len({y for _, y in places}) == 1
    gaps = [b[0] - a[0] - 120 for a, b in pairwise(places)]
    assert all(24 <= gap < 40 for gap in gaps), "an arrow and half a badge find room"
    assert [(round(curve[0][0]), round(curve[-1][0])) for curve in curves] == [
        (round(a[0] + 60), round(b[0] - 60)) for a, b in pairwise(places)
    ]


def test_edges_that_are_led_on_do_not_cross():
    """Two parallel chains: the upper one stays the upper one around the end of a row."""
    sizes = [(100, 58)] * 40
    edges = [(at, at + 2) for at in range(38)]
    _, _, _, _, curves = turned(lay_out([(sizes, edges)], "layers")[0], sizes)
    led = sorted((curve for curve in curves if len(curve) > 20), key=lambda curve: curve[0][1])
    assert len(led) >= 2
    upper, lower = led[:2]
    assert max(x for x, _ in upper) > max(x for x, _ in lower) and min(x for x, _ in upper) > min(
        x for x, _ in lower
    )
    assert upper[-1][1] < lower[-1][1]


@settings(max_examples=50, deadline=None)
@given(long_graphs())
def test_the_edges_over_a_gap_are_counted(graph):
    sizes, _ = graph
    _, _, _, places, curves = lay_out([graph], "layers")[0]
    ends = [(curve[0][0], curve[-1][0]) for curve in curves]
    gaps = _gaps(sizes, places, curves)
    assert gaps == {gap: sum(start < gap < end for start, end in ends) for gap in gaps}
    assert all(
        abs(x - gap) > width / 2 for (x, _), (width, _) in zip(places, sizes) for gap in gaps
    )


@given(
    st.lists(st.floats(1, 90), min_size=4, max_size=4),
    st.lists(st.floats(-50, 50), min_size=4, max_size=4),
    st.floats(0.05, 0.95),
)
def test_a_curve_is_split_where_it_reaches_x(steps, heights, share):
    four = list(zip([sum(steps[:at]) for at in range(4)], heights))
    x = four[3][0] * share
    first, second = _halves(four, x)
    assert first[0] == four[0] and second[-1] == four[-1]
    assert first[-1] == second[0] and first[-1][0] == pytest.approx(x, abs=1e-5)
    # a point of either half is a point of the whole
    for half, within in ((first, 0.3), (second, 0.7)):
        at = _point(half, within)
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if _point(four, middle)[0] < at[0] else (low, middle)
        assert _point(four, low) == pytest.approx(at, abs=1e-4)


def _point(four, t):
    return tuple(
        sum(
            c * (1 - t) ** (3 - at) * t**at * p for at, (c, p) in enumerate(zip((1, 3, 3, 1), axis))
        )
        for axis in zip(*four)
    )
