"""Charts: what they show is true, what they cannot show they say, and nothing that is handed in
becomes markup.
"""

import json
import math
import re
import subprocess
import sys
from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest

import minitape as tf
from minitape.sentences import speaking
from minitape_widgets import bars, lines
from minitape_widgets.charts.axis import Axis, number_text
from minitape_widgets.charts.lines import levels, thinned

NUMBER = r"-?[\d.]+"


def texts(chart):
    """The texts of a picture, which is read as XML."""
    return [
        one.text
        for one in ElementTree.fromstring(chart.svg()).iter("{http://www.w3.org/2000/svg}text")
    ]


def paths(chart, style):
    return re.findall(f'<path class="{style}" d="([^"]*)"', chart.svg())


def widths(chart):
    return [
        float(width)
        for width in re.findall(rf'class="mc-bar"[^>]* width="({NUMBER})"', chart.svg())
    ]


@pytest.mark.parametrize(
    ("value", "english", "french"),
    [
        (1_000_001, "1,000,001", "1\u202f000\u202f001"),
        (0, "0", "0"),
        (-2.25, "−2.25", "−2,25"),
        (0.00025, "0.00025", "0,00025"),
        (4.2e7, "4.2e7", "4,2e7"),
        (1e-9, "1e−9", "1e−9"),
        (1234.56, "1,235", "1\u202f235"),
        (10**13, "1e13", "1e13"),
        (1.0, "1", "1"),
        (-0.0, "0", "0"),
    ],
)
def test_numbers_are_written_in_the_spoken_language(value, english, french):
    assert number_text(value) == english
    with speaking("fr"):
        assert number_text(value) == french


@pytest.mark.parametrize(
    ("numbers", "log", "ticks"),
    [
        ([0, 10], False, "0 2 4 6 8 10"),
        ([0.1, 0.32], False, "0.10 0.15 0.20 0.25 0.30"),
        ([-1, 1], False, "−1.0 −0.5 0.0 0.5 1.0"),
        ([1e-16, 1], True, "10⁻¹⁵ 10⁻¹² 10⁻⁹ 10⁻⁶ 10⁻³ 10⁰"),
        ([0.02, 3000], True, "0.1 1 10 100 1,000"),
        ([2, 7], True, "2 3 4 5 6 7"),
        ([1e16, 1e16 + 4], False, None),
        ([5, 5], False, "3 4 5 6 7"),
        ([-1e300, 1e300], False, "−1e300 −5e299 0 5e299 1e300"),
        ([1.0000001, 1.0000002], False, None),
        ([5e-324, 1e-300], True, None),
        ([0, 1e-310], False, None),
    ],
)
def test_ticks_are_round_lie_on_the_axis_and_differ(numbers, log, ticks):
    axis = Axis(numbers, 0, 100, log)
    found = axis.ticks()
    assert 2 <= len(found) <= 8 and len({text for _, text in found}) == len(found)
    assert all(-1 <= axis(number) <= 101 for number, _ in found)
    assert ticks is None or " ".join(text for _, text in found) == ticks


def test_bars_are_as_long_as_their_numbers():
    chart = bars({"kept": 80, "droppable": 20, "none": 0}, unit="bytes", title="Memory")
    long, short = widths(chart)
    assert abs(long / short - 4) < 0.01
    assert {"Memory", "kept", "droppable", "none", "80", "20", "0", "bytes"} == set(texts(chart))
    assert chart.text() == repr(chart) == "Memory\nbytes\nkept: 80\ndroppable: 20\nnone: 0"
    down = bars({"up": 3, "down": -1})
    assert len(widths(down)) == 2 and "−1" in texts(down)


def test_a_logarithmic_scale_is_said_and_its_lines_are_where_it_says():
    chart = bars(
        {"finite differences": 1_000_001, "one play": 2}, unit="runs of the program", log=True
    )
    (said,) = (text for text in texts(chart) if "logarithmic" in text)
    times = int(re.search(r"is (\d+) times", said)[1])
    places = [float(path[1:].split(",")[0]) for path in paths(chart, "mc-grid")]
    assert len({round(b - a) for a, b in zip(places, places[1:])}) == 1
    long, short = widths(chart)
    assert (long - short) / (places[1] - places[0]) == pytest.approx(
        math.log(500_000.5, times), rel=0.01
    )
    assert "1,000,001" in texts(chart)


def test_lines_are_where_their_numbers_are_and_told_apart_without_colour():
    chart = lines(
        {"one-sided": ([1, 10, 100], [1, 2, 3]), "two-sided": ([1, 10, 100], [3, 2, 1])},
        x="h",
        y="error",
        log="x",
    )
    (one,), (other,) = paths(chart, "mc-line mc-0")[:1], paths(chart, "mc-line mc-1")[:1]
    (a, b, c), (d, e, f) = (
        [tuple(map(float, point.split(","))) for point in re.split("[ML]", path)[1:]]
        for path in (one, other)
    )
    assert b[0] - a[0] == pytest.approx(c[0] - b[0], abs=0.2) and a[1] - b[1] == pytest.approx(
        b[1] - c[1], abs=0.2
    )
    assert b == e and a[1] == f[1]
    assert {"h (logarithmic)", "error", "one-sided", "two-sided"} <= set(texts(chart))
    style = re.search("<style>(.*)</style>", chart.svg())[1].partition("@media")[0]
    dashes = [
        re.search(rf"\.mc-{k}{{[^}}]*}}", style)[0].partition("dasharray:")[2] for k in range(6)
    ]
    assert len(set(dashes)) == 6


def test_an_axis_goes_on_where_a_curve_breaks_off():
    assert "4" in texts(lines({"loss": [30, 20, math.nan, math.nan, math.nan]}, x="step"))
    assert "100" in texts(lines({"loss": ([0, 1, 10, 100], [30, 20, 10, math.nan])}, log="x"))


def test_where_there_is_no_number_a_line_is_broken_and_the_picture_says_so():
    chart = lines({"loss": [3, 2, math.nan, 1, -1, 0.5, math.inf]}, log="y")
    line = paths(chart, "mc-line mc-0")[0]
    assert line.count("M") == 3 and line.count("L") == 1 and "nan" not in chart.svg()
    note = "3 points are left out: no numbers, too large, or not above 0."
    assert note in texts(chart) and note in chart.text() and "(2; –)" in chart.text()
    with speaking("fr"):
        chart = lines({"perte": [3.5, math.nan]})
        assert (
            "1 point est omis\u00a0: ce n'est pas un nombre, ou il est trop grand." in texts(chart)
            and "(0\u00a0; 3,5)" in chart.text()
        )


def test_marks():
    chart = lines({"a": ([1, 2], [1, 2])}, marks={"root": 1.5, "far": (4, 8), "near": 1.52})
    assert {"root", "far", "near"} <= set(texts(chart)) and chart.svg().count("<circle") == 1
    assert "root: 1.5" in chart.text() and "far: (4; 8)" in chart.text()
    assert levels([(10, 8), (12, 8), (60, 8), (14, 8)]) == [0, 1, 0, 2]
    assert max(float(y) for y in re.findall(rf' y="({NUMBER})"', chart.svg())) < 400


def test_a_long_line_is_thinned_and_keeps_peaks_and_gaps():
    ys = np.sin(np.arange(100_000) / 3000)
    ys[51_234], ys[70_000] = 50, np.nan
    found = thinned(np.array([np.arange(100_000.0), ys]))
    assert found.shape[1] <= 2501 and np.nanmax(found[1]) == 50 and np.isnan(found[1]).sum() == 1
    assert found[0][0] == 0 and found[0][-1] == 99_999 and (np.diff(found[0]) > 0).all()
    assert len(lines({"a": ys}).svg()) < 40_000
    same = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert thinned(same) is same


@pytest.mark.parametrize(
    "value", [tf.constant(2.5), tf.Variable(2.5), np.float32(2.5), Fraction(5, 2), np.array(2.5)]
)
def test_numbers_of_many_kinds(value):
    assert bars({"a": value}).text() == "a: 2.5"
    assert lines({"a": (value, value)}).text() == "a, 2 points: (0; 2.5) (1; 2.5)"
    assert lines({"a": [value, 1]}).text() == "a, 2 points: (0; 2.5) (1; 1)"
    assert lines({"a": ([0, 1], np.array([2.5, 1]))}).text() == "a, 2 points: (0; 2.5) (1; 1)"


@pytest.mark.parametrize(
    ("error", "said", "draw"),
    [
        (ValueError, "1 to 40 entries, and got 0", lambda: bars({})),
        (ValueError, "got 50. Leave some out", lambda: bars({str(k): k for k in range(50)})),
        (TypeError, "a dictionary of names", lambda: bars([1, 2])),
        (TypeError, "names and titles are texts", lambda: bars({1: 2})),
        (ValueError, "at most 200 letters", lambda: bars({"a" * 201: 1})),
        (TypeError, "names and titles are texts", lambda: bars({"a": 1}, title=None)),
        (TypeError, "no plain numbers: '3'", lambda: bars({"a": "3"})),
        (TypeError, "no plain numbers", lambda: bars({"a": True})),
        (TypeError, "no plain numbers", lambda: bars({"a": 1j})),
        (TypeError, "holds 2 of them", lambda: bars({"a": [1, 2]})),
        (ValueError, "a bar needs an end", lambda: bars({"a": math.nan})),
        (ValueError, "a bar needs an end", lambda: bars({"a": 10**9000})),
        (ValueError, "'a' is 0. Leave log=True out", lambda: bars({"a": 0, "b": 3}, log=True)),
        (TypeError, "log is True or False", lambda: bars({"a": 1}, log="x")),
        (ValueError, "1 to 6 entries", lambda: lines({})),
        (ValueError, "has no point to draw: of its 0", lambda: lines({"a": []})),
        (ValueError, "none has finite numbers above 0", lambda: lines({"a": [-1, 0]}, log="y")),
        (ValueError, "equally long", lambda: lines({"a": ([1, 2], [1])})),
        (ValueError, "equally long", lambda: lines({"a": 5})),
        (TypeError, "no plain numbers", lambda: lines({"a": ["1", "2"]})),
        (TypeError, "no plain numbers", lambda: lines({"a": [1, None]})),
        (TypeError, "no plain numbers", lambda: lines({"a": (k for k in range(3))})),
        (TypeError, "no plain numbers", lambda: lines({"a": [[1, 2], [3], [4]]})),
        (TypeError, "no plain numbers", lambda: lines({"a": ([[1, 2], [3]], [1])})),
        (TypeError, "no plain numbers: 'ab'", lambda: lines({"a": "ab"})),
        (TypeError, "no plain numbers: 'ab'", lambda: lines({"a": ("cd", "ab")})),
        (ValueError, "at most 1,000,000", lambda: lines({"a": np.zeros(1_000_001)})),
        (ValueError, 'log is "x", "y", "xy"', lambda: lines({"a": [1]}, log="z")),
        (
            ValueError,
            "that the axes can carry",
            lambda: lines({"a": ([1, 2], [1, 2])}, log="x", marks={"m": 0}),
        ),
        (ValueError, "that the axes can carry", lambda: lines({"a": [1]}, marks={"m": (1, 2, 3)})),
        (TypeError, "no plain numbers", lambda: lines({"a": [1]}, marks={"m": "x"})),
    ],
)
def test_what_cannot_be_shown_gets_a_sentence(error, said, draw):
    with pytest.raises(error) as raised:
        draw()
    assert said in str(raised.value) and len(str(raised.value)) < 250


@pytest.mark.parametrize(
    "name",
    ["</text><script>alert(1)</script>", 'a & b "c" \'', "\x00\ud800\ufffe", "]]>", "{x}", "a\nb"],
)
def test_names_stay_text(name):
    assert len(bars({name: 1}).text().split("\n")) == 1
    for chart in (
        bars({name: 1}, unit=name, title=name),
        lines({name: [1, 2]}, x=name, y=name, title=name, marks={name: 1}),
    ):
        root = ElementTree.fromstring(chart.svg().encode("utf-8").decode("utf-8"))
        kinds = {one.tag.rpartition("}")[2] for one in root.iter()}
        assert kinds <= {"svg", "title", "desc", "style", "rect", "text", "path"}


def test_a_picture_has_a_name_says_its_numbers_and_is_the_same_each_time():
    chart = bars({"kept": 80}, title="Memory")
    root = ElementTree.fromstring(chart.svg())
    named = [root.find(f".//*[@id='{name}']").text for name in root.get("aria-labelledby").split()]
    assert root.get("role") == "img" and named == ["Memory", "Memory; kept: 80"]
    assert (
        chart.svg()
        == bars({"kept": 80}, title="Memory").svg()
        != bars({"kept": 81}, title="Memory").svg()
    )
    assert "prefers-color-scheme:dark" in chart.svg()
    assert set(chart._repr_mimebundle_()) == {"image/svg+xml", "text/plain"}
    for spoken, name in (("en", "Lines"), ("fr", "Courbes")):
        with speaking(spoken):
            assert f">{name}</title>" in lines({"a": [1]}).svg()


def test_charts_load_neither_the_player_nor_a_widget():
    code = (
        "import sys, json, minitape_widgets; minitape_widgets.bars; "
        "print(json.dumps(sorted(sys.modules)))"
    )
    found = json.loads(
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
    )
    assert not {"anywidget", "ipywidgets", "IPython", "minitape_widgets.player"} & set(found)
