"""A valley: its walks are what the tape says, what flies away is said, and what cannot be walked in
gets a sentence.
"""

import json
import math
import re
import time
from xml.etree import ElementTree

import numpy as np
import pytest

import minitape as tf
from minitape_widgets import TRACE, module, valley
from minitape_widgets.valleys import rates_of


def bowl(w):
    return (w - 1.0) ** 2 + 0.5


def egg(u, v):
    return 0.5 * u**2 + 2.0 * v**2


def walk_of(shown, rate):
    data = shown.trace["valley"]
    return data["walks"][data["rates"].index(rate)]


def test_each_step_goes_the_rate_times_the_slope_down():
    shown = valley(bowl, -1.5, rate=0.1, steps=12)
    w = -1.5
    for found in walk_of(shown, 0.1)["points"]:
        assert found == pytest.approx([w, (w - 1) ** 2 + 0.5, 2 * (w - 1)], rel=1e-4)
        w -= 0.1 * 2 * (w - 1)
    shown = valley(egg, (-3.0, 1.0), rates=(0.01, 0.6))
    u, v = -3.0, 1.0
    for found in walk_of(shown, 0.3)["points"]:
        assert found == pytest.approx([u, v, 0.5 * u * u + 2 * v * v, u, 4 * v], rel=1e-3, abs=1e-6)
        u, v = u - 0.3 * u, v - 0.3 * 4 * v
    assert shown.names == ["u", "v"] and len(found) == 5


def test_the_tape_beneath_is_the_one_of_each_step():
    shown = valley(bowl, -1.5, steps=5)
    board, points = shown.storyboard, walk_of(shown, 0.1)["points"]
    losses = [board["values"][chapter["loss"]]["number"] for chapter in board["chapters"]]
    assert (
        losses == pytest.approx([point[1] for point in points[:5]], rel=1e-5) and len(points) == 6
    )
    numbers = dict(board["replay"]["numbers"])
    assert [numbers[played["sources"][0]][0] for played in board["passes"]] == pytest.approx(
        [point[0] for point in points[:5]], rel=1e-5
    )


def test_what_flies_away_is_said_and_never_drawn_as_no_number():
    shown = valley(bowl, -1.5, rate=1.1, steps=40, rates=(0.1, 6.0))
    assert (
        "At rate 1.1 the point left the picture at step 2: w = −2.6, loss = 13.46." in shown.text()
    )
    wild = walk_of(shown, 6.0)
    assert (
        wild["end"] == "inf"
        and len(wild["points"]) < 40
        and all(map(math.isfinite, np.ravel(wild["points"])))
    )
    assert not re.search(r"nan|inf|e\+", shown.svg().split("</style>")[1].split("</desc>")[-1])
    calm = valley(bowl, -1.5)
    assert (
        "At rate 0.1, after 12 steps: w = 0.8282" in calm.text()
        and "left the picture" in calm.text()
    )
    french = valley(bowl, -1.5, rate=1.1, language="fr").text()
    assert (
        "Au taux 1,1, le point est sorti de l'image au pas 2\u00a0: w = −2,6, perte = 13,46."
        in french
    )


def test_a_walk_may_end_where_the_loss_raises_or_is_no_number():
    def cliff(w):
        if float(w) > 2:
            raise OverflowError("over the edge")
        return -w

    assert walk_of(valley(cliff, 0.0, rate=1.0, steps=9), 1.0)["end"] == "OverflowError"
    shown = valley(lambda w: tf.math.log(2.0 - w), 0.0, rate=0.8, steps=30, rates=[0.1, 0.8, 5.0])
    assert (
        walk_of(shown, 5.0)["end"] in ("nan", "inf") and "M" in shown.trace["valley"]["ground"][0]
    )


def test_the_picture_holds_what_comes_down_and_its_contours_are_where_the_loss_is():
    shown = valley(lambda w: w**4 - 3 * w**2 + w, 2.2, rate=0.02, rates=(0.005, 0.3))
    x, y = (shown.trace["valley"][axis] for axis in "xy")
    assert x[0] < -1.4 and x[1] > 2.2 and y[0] < -3.5 and 11.1 < y[1] < 40

    def tilted(u, v):
        return 0.5 * u**2 + 2.0 * v**2 + u * v

    data = valley(tilted, (-3.0, 1.0), rates=(0.01, 0.5)).trace["valley"]
    net = [tilted(a, b) for a in data["x"] for b in data["y"]]
    for k, path in enumerate(data["ground"], 1):
        level = max(net) * (k / 10) ** 2
        found = [tuple(map(int, place.split())) for place in re.split("[ML]", path)[1:]]
        losses = [
            tilted(
                data["x"][0] + a / 640 * (data["x"][1] - data["x"][0]),
                data["y"][1] - b / 260 * (data["y"][1] - data["y"][0]),
            )
            for a, b in found
        ]
        assert len(found) > 20 and losses == pytest.approx([level] * len(found), rel=0.2, abs=0.05)


def test_every_sentence_that_the_page_asks_for_is_there():
    text = "".join(
        path.read_text(encoding="utf-8") for path in (module.STATIC / "valley").glob("*.js")
    )
    asked = {f"ui.valley.{key}" for key in re.findall(r'(?<!words\.)say\("(\w+)"', text)} | set(
        re.findall(r'"(ui\.valley\.\w+)"', text)
    )
    own = {key for key in module.words("en") if key.startswith("ui.valley.")}
    # the one that Python alone says
    assert len(asked) > 6 and asked <= own and own - asked == {"ui.valley.stays"}


def test_rates():
    assert rates_of([1.0, 0.1, 0.3], 0.2) == [0.1, 0.2, 0.3, 1.0]
    found = rates_of((0.01, 1.2), 0.1)
    assert (
        found[0] == 0.01
        and found[-1] == 1.2
        and 0.1 in found
        and 1.1 in found
        and 50 < len(found) < 70
    )
    assert rates_of((0.3, 0.3), 0.3) == [0.3]


def test_a_picture_a_text_and_little_to_carry():
    begun = time.process_time()
    shown = valley(bowl, -1.5, title="A <b> & a valley")
    assert time.process_time() - begun < 3
    assert len(json.dumps(shown.trace["valley"])) < 40_000
    bundle = shown.picture()
    assert set(bundle) == {TRACE, "image/svg+xml", "text/plain"} and "b>" not in bundle[
        "image/svg+xml"
    ].replace("&lt;b&gt;", "")
    root = ElementTree.fromstring(bundle["image/svg+xml"])
    assert (
        root.get("role") == "img"
        and "0: w = −1.5, loss = 6.75, dloss/dw = −5" in bundle["text/plain"]
    )
    again = valley(bowl, -1.5, title="A <b> & a valley")
    assert (
        again.svg() == shown.svg()
        and again.trace["valley"] == shown.trace["valley"]
        and again.text() == shown.text()
    )


def test_it_is_saved_as_a_page(tmp_path):
    shown = valley(bowl, -1.5, steps=2)
    assert "minitape-trace" in shown.save(tmp_path / "valley.html").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="as .html or .svg"):
        shown.save(tmp_path / "valley.json")


def test_a_loss_that_prints_is_not_heard_a_thousand_times(capsys):
    def talks(w):
        print("here")
        return w * w

    valley(talks, 1.0)
    assert capsys.readouterr().out == ""


def test_names_of_variables_are_those_of_the_loss():
    assert valley(lambda weight: weight * weight, 1.0, steps=1).names == ["weight"]
    assert valley(
        lambda a, b, scale=2.0: scale * a * b, (1.0, 2.0), rates=[0.1, 0.2], steps=1
    ).names == ["a", "b"]
    assert valley(lambda *all: all[0] * all[1], (1.0, 2.0), rates=[0.1, 0.2], steps=1).names == [
        "w1",
        "w2",
    ]


def raises(w):
    raise KeyError("mine")


@pytest.mark.parametrize(
    ("error", "said", "make"),
    [
        (TypeError, "the loss returns None", lambda: valley(lambda w: None, 1.0)),
        (
            TypeError,
            "an array of shape (2,)",
            lambda: valley(lambda w: w * tf.constant([1.0, 2.0]), 1.0),
        ),
        (TypeError, "a number of int32", lambda: valley(lambda w: tf.cast(w, tf.int32), 1.0)),
        (
            TypeError,
            "returns float, which no tape has seen",
            lambda: valley(lambda w: float(w) ** 2, 1.0),
        ),
        (
            ValueError,
            "at the start the loss and its slopes are (nan",
            lambda: valley(lambda w: tf.math.log(w), -1.0),
        ),
        (
            ValueError,
            "with respect to 'w' is None",
            lambda: valley(lambda w: tf.constant(2.0), 1.0),
        ),
        (ValueError, "with respect to 'v' is None", lambda: valley(lambda u, v: u * u, (1.0, 1.0))),
        (KeyError, "mine", lambda: valley(raises, 1.0)),
        (TypeError, "missing a required argument: 'v'", lambda: valley(egg, 1.0)),
        (TypeError, "called with 2 numbers", lambda: valley(bowl, (1.0, 2.0))),
        (TypeError, "shows a function", lambda: valley(3.0, 1.0)),
        (TypeError, "start is a number, or a pair", lambda: valley(bowl, "3")),
        (TypeError, "start is a number, or a pair", lambda: valley(bowl, None)),
        (TypeError, "start is a number, or a pair", lambda: valley(bowl, (1.0, 2.0, 3.0))),
        (TypeError, "start is a number, or a pair", lambda: valley(bowl, [[1.0]])),
        (ValueError, "nobody can stand there", lambda: valley(bowl, math.nan)),
        (ValueError, "steps is a whole number from 1 to 60", lambda: valley(bowl, 1.0, steps=0)),
        (ValueError, "steps is a whole number", lambda: valley(bowl, 1.0, steps=2.5)),
        (ValueError, "rates are numbers above 0", lambda: valley(bowl, 1.0, rate=-0.1)),
        (ValueError, "rates are numbers above 0", lambda: valley(bowl, 1.0, rates=(0, 1))),
        (ValueError, "rates are numbers above 0", lambda: valley(bowl, 1.0, rates=0.5)),
        (ValueError, "or up to 121 rates", lambda: valley(bowl, 1.0, rates=[0.1])),
        (ValueError, "language must be one of", lambda: valley(bowl, 1.0, language="xx")),
        (TypeError, "titles are texts", lambda: valley(bowl, 1.0, title=3)),
    ],
)
def test_what_cannot_be_walked_in_gets_a_sentence(error, said, make):
    with pytest.raises(error) as raised:
        make()
    assert said in str(raised.value) and len(str(raised.value)) < 250


@pytest.mark.parametrize(
    "loss",
    [
        lambda w: w * 0.0,
        lambda w: w,
        lambda w: tf.abs(w),
        lambda w: 1e20 * w * w,
        lambda w: 1e-20 * w * w,
    ],
)
def test_odd_valleys_have_a_picture(loss):
    for start in (0.0, 1.0, -1e6, 1e-6):
        shown = valley(loss, start, steps=3, rates=[0.1, 1.0])
        assert "nan" not in shown.svg().split("</style>")[1]
        for low, high in (shown.trace["valley"]["x"], shown.trace["valley"]["y"]):
            assert low < high
