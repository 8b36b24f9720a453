"""The health view in Python: what becomes of steps and layers, what travels, what a notebook keeps,
and what it costs.
"""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import minitape as tf
from minitape import health
from minitape.sentences import LANGUAGES
from minitape_widgets import export, health_view, module
from minitape_widgets.front_end import front_end
from minitape_widgets.health import HEALTH, PAGE, VIEW
from minitape_widgets.training import payload, still
from minitape_widgets.training.grid import (
    columns,
    losses,
    runs,
    share_letter,
    size_letter,
    together,
)
from tests.widgets.trained import made, seen_of, train

# ---- cells


@pytest.mark.parametrize(
    ("looked", "steps", "most", "found"),
    [
        ([], 0, 5, []),
        ([0], 1, 5, [(0, 0, 1)]),
        ([0, 1, 2, 3], 4, 4, [(0, 0, 1), (1, 1, 2), (2, 2, 3), (3, 3, 4)]),
        ([0, 1, 5, 6, 9], 10, 2, [(0, 0, 2), (5, 2, 5)]),
        (
            [0, 1, 2, 50, 99],
            100,
            10,
            [(0, 0, 3), (10, 3, 3), (50, 3, 4), (60, 4, 4), (99, 4, 5)],
        ),
        ([0, 10, 20], 40, 4, [(0, 0, 1), (10, 1, 2), (20, 2, 3), (30, 3, 3)]),
        ([0, 12, 35], 40, 4, [(0, 0, 1), (12, 1, 2), (22, 2, 2), (35, 2, 3)]),
    ],
)
def test_a_column_holds_its_looks_or_says_that_there_are_none(looked, steps, most, found):
    assert columns(looked, steps, most) == found


def test_a_long_training_has_few_columns():
    for looks in (7, 119, 512):
        looked = sorted({int(k) for k in np.geomspace(1, 10_000, looks)} - {10_000})
        found = columns(looked, 10_000)
        assert len(found) < 240 and [b for _, _, b in found[:-1]] == [a for _, a, _ in found[1:]]
    assert max(len(columns(range(0, n, 2), n)) for n in range(1, 1000)) < 240


def test_steps_that_nobody_looked_at_are_not_measured():
    given = payload.payload(made(150, 2, 6) | {"looked": [0, 1, 2, 3, 4, 5]})
    assert (given["at"], given["looked"]) == ([0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5])
    for cells in given["measures"].values():
        assert all(row[6] == "." and "." not in row[:6] for row in cells["letters"])
        assert all(row[6] is None for row in cells["numbers"])


@pytest.mark.parametrize(
    ("size", "reference", "letter"),
    [
        (None, 1.0, "."),
        (0, 1.0, "z"),
        (1.0, 1.0, "4"),
        (2.9, 1.0, "4"),
        (0.1, 1.0, "3"),
        (1e-3, 1.0, "1"),
        (1e-30, 1.0, "0"),
        (1e4, 1.0, "8"),
        (1e-3, 1e-3, "4"),
        (1e-300, 1e300, "0"),
        (2.0, None, "4"),
        (0, None, "z"),
        (None, None, "."),
    ],
)
def test_the_letter_of_a_size(size, reference, letter):
    assert size_letter(size, reference) == letter


@pytest.mark.parametrize(
    ("share", "letter"),
    [(None, "."), (0, "0"), (0.001, "0"), (0.01, "1"), (0.5, "4"), (0.99, "7"), (1.0, "8")],
)
def test_the_letter_of_a_share(share, letter):
    assert share_letter(share) == letter


def test_several_looks_of_one_column():
    assert (
        together([1e-2, None, 1e-4], False) == pytest.approx(1e-3)
        and together([0.0, 0.0], False) == 0.0
    )
    assert together([None, None], False) is None and together([0.5, 1.0], True) == 0.75
    assert together([0.0, 1e-2], False) == pytest.approx(1e-2), "one zero among them is no silence"
    assert together(["nan", 2.0], False) == pytest.approx(2.0)


def test_neighbours_that_are_alike_are_one():
    assert runs("44xz.") == [("4", 0, 2), ("x", 2, 3), ("z", 3, 4), (".", 4, 5)] and runs("") == []


def test_losses_keep_their_peaks_and_their_gaps():
    numbers = [None, None, 1.0, 2.0, 3.0, None]
    given = {
        "losses": {
            "each": 5,
            "mean": numbers,
            "low": [None, None, 0.0, 2.0, 3.0, None],
            "high": [None, None, 9.0, 2.0, 3.0, None],
        }
    }
    assert losses(given, 3) == {
        "each": 10,
        "mean": [None, 1.5, 3.0],
        "low": [None, 0.0, 3.0],
        "high": [None, 9.0, 3.0],
    }


# ---- what the pictures of sick trainings show


@pytest.mark.parametrize(
    ("name", "measure", "row", "letters"),
    [
        ("vanishing", "adjoint", 0, "0"),
        ("vanishing", "adjoint", -1, "4"),
        ("exploding", "adjoint", 0, "8x"),
        ("dead_relu", "dead", 0, "8"),
        ("nan_from_log", "value", 0, "x"),
        ("frozen_forgotten", "update", 0, "z"),
        ("rate_too_small", "update", 0, "12"),
        ("no_gradient", "adjoint", 0, "."),
        ("saturated_sigmoid", "saturated", 0, "67"),
    ],
)
def test_a_sick_training_is_seen_in_its_cells(name, measure, row, letters):
    given = payload.payload(seen_of(name).to_dict())
    assert still.measure_of(given) == measure, "the measure that tells is the one that is shown"
    drawn = given["measures"][measure]["letters"][row]
    assert {drawn[given["at"].index(step)] for step in given["looked"]} <= set(letters)


@pytest.mark.parametrize("name", ["healthy_plateau", "healthy_frozen"])
def test_a_healthy_one_is_calm(name):
    given = payload.payload(seen_of(name).to_dict())
    letters = "".join(
        letter for row in given["measures"]["adjoint"]["letters"] for letter in row
    ).replace(".", "")
    assert (
        given["findings"] == []
        and len(re.findall("[2-6]", letters)) > 0.9 * len(letters)
        and "x" not in letters
    )


def test_a_finding_leads_to_its_cells_and_its_line():
    given = payload.payload(seen_of("exploding").to_dict())
    first, second = given["findings"]
    assert (first["measure"], first["layer"], first["step"]) == (
        "adjoint",
        0,
        0,
    ) and "# here" in first["place"]["code"]
    assert (
        first["cure"].startswith("What to do: ")
        and first["about"].startswith("line ")
        and first["about"].endswith("likely")
    )
    assert (
        given["bad"]["op"] == "MatMul"
        and given["bad"]["step"] == second["step"] == 4
        and second["layer"] == given["bad"]["layer"]
    )


@pytest.mark.parametrize(("card", "layer"), [(None, None), (0, 0), (1, 1), (3, 1), (4, 2), (9, 2)])
def test_the_layer_of_a_card(card, layer):
    data = {"layers": [{"entry": 0}, {"entry": 3}, {"entry": 6}]}
    assert payload.layer_of_card(data, card) == layer


# ---- weight


def test_a_long_training_stays_light():
    given = payload.payload(made()) | {"ended": True}
    assert (
        len(given["at"]) > 100
        and len(given["layers"]) == 50
        and set(given["measures"]) == {"adjoint", "value", "update", "dead", "saturated"}
    )
    assert (
        len(json.dumps(given)) < 400_000
        and len(module.source(VIEW)) < 60_000
        and len(module.source(PAGE)) < 399_000 + 26_000 * len(LANGUAGES)
    )
    svg = still.picture(given)
    assert len(svg) < 1_000_000


def test_players_do_not_carry_it():
    assert not any(path.startswith("health/") for path in module.files())
    assert not any(
        path.startswith(("player/", "graph/", "storyboard/check")) for path in module.files(VIEW)
    )
    source = module.source(VIEW)
    assert re.search(r"^export const\{show,showAll\}", source, re.MULTILINE)
    assert set(module.files(PAGE)) == {*module.files(), *module.files(VIEW), PAGE}, (
        "a page that was exported has each file once"
    )
    assert (
        not re.search(r"^import |await \(await fetch", source, re.MULTILINE)
        and "</script" not in source.lower()
    )
    assert "innerHTML" not in source and "insertAdjacentHTML" not in source


def test_every_sentence_is_said_somewhere_and_every_one_that_is_said_exists():
    page, python = (
        "".join(path.read_text(encoding="utf-8") for path in paths)
        for paths in (
            (module.STATIC / "health").glob("*.js"),
            [
                Path(still.__file__),
                Path(payload.__file__).parent / "tapes.py",
                Path(payload.__file__).parent.parent / "health.py",
            ],
        )
    )
    asked, here = (
        {*re.findall(r'say\(\s*"([a-z.]+)"', text)}
        | {
            key
            for pair in re.findall(r'say\([^()"]* \? "([a-z.]+)" : "([a-z.]+)"', text)
            for key in pair
        }
        for text in (page, python)
    )
    known = {key for key in payload.WORDS("en") if not key.endswith(".graph")}
    assert asked | here <= known and not any(key.startswith(module.PYTHONS) for key in asked)
    families = ("about.", "legend.", "says.", "than.", "share.", "at.")
    assert [
        key
        for key in known
        if not key.startswith(families)
        and f'"{key}"' not in (python if key.startswith(module.PYTHONS) else page)
    ] == [], "what travels is said by the page"


# ---- the widget


class Channel:
    """In the place of the way to a page: notes what is sent."""

    def __init__(self, view):
        self.sent, self.view = [], view
        view.observe(lambda change: self.sent.append(change["new"]), "payload")


def test_live_it_names_the_front_end_of_players():
    view, state = health_view(health.watch()), None
    state = view.get_state()
    assert state["players"] == f"IPY_MODEL_{front_end().model_id}" != state["front_end"]
    said = []
    view.send = said.append
    for asked in ("players", "seen", ["players"], None, 5):
        # a page may ask for the front ends, and for nothing else
        view._page_said(view, {"ask": asked}, [])
    assert said == [{"players": module.source()}]


def test_it_is_shown_before_the_first_step_and_when_all_is_done():
    seen = health.watch(every=1)
    view = health_view(seen)
    assert (
        view.text() == "Waiting for the first step of the training."
        and view.picture()[HEALTH]["steps"] == 0
    )
    assert "Waiting for the first step" in view.svg()
    train(seen)
    assert view.ended and seen.viewers == [] and view.given["steps"] == 30
    assert view.text() == str(seen) and view.picture()[HEALTH] == view.payload
    again = health_view(seen)
    assert again.ended and again.given == view.given and seen.viewers == []


def test_while_it_runs_little_is_sent(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr("minitape_widgets.health.perf_counter", lambda: clock[0])
    seen = health.watch(every=1)
    view = health_view(seen)
    assert view.model_id  # it is on a page
    sent, w = Channel(view).sent, tf.Variable(tf.ones((3, 3)))
    with seen:
        for _ in range(41):
            clock[0] += 0.05
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.tanh(tf.ones((4, 3)) @ w) ** 2)
            w.assign_sub(0.1 * tape.gradient(loss, w))
    assert 7 <= len(sent) <= 10 and [p["steps"] for p in sent] == sorted({p["steps"] for p in sent})
    assert [p["ended"] for p in sent] == [False] * (len(sent) - 1) + [True] and sent[-1][
        "steps"
    ] == 41


def test_what_it_costs_decides_how_often_it_is_sent(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr("minitape_widgets.health.perf_counter", lambda: clock[0])
    view = health_view(health.watch(every=1))
    assert view.model_id

    def slow():
        clock[0] += 0.1
        return {}

    monkeypatch.setattr(view, "_made", slow)
    view._look(False)
    assert view._next == pytest.approx(100.1 + 0.1 / 0.02)


def test_a_view_that_is_on_no_page_sends_nothing():
    seen = health.watch(every=1)
    view = health_view(seen)
    sent = Channel(view).sent
    train(seen)
    assert len(sent) == 1


def test_a_view_that_fails_does_not_end_the_training():
    seen = health.watch(every=1)

    def broken(ended):
        raise KeyError("page")

    seen.viewers.append(broken)
    assert train(seen).steps == 30 and seen.viewers == [] and seen.failed is None


def test_one_line_around_a_loop(capsys):
    pytest.importorskip("IPython")
    w = tf.Variable(tf.ones((3, 3)))
    with health_view(w, every=2, language="fr") as seen:
        for _ in range(5):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(w * w)
            w.assign_sub(0.1 * tape.gradient(loss, w))
    assert (
        isinstance(seen, health.Watch)
        and seen.steps == 5
        and seen.language == "fr"
        and seen.history.steps == [0, 2, 4]
    )


@pytest.mark.parametrize("settings", [{"every": 1}, {"language": "fr"}])
def test_a_watch_has_its_own_settings(settings):
    with pytest.raises(TypeError, match="its own settings"):
        health_view(health.watch(), **settings)
    with pytest.raises(TypeError, match="health.watch looks at"):
        health_view([3])


def test_saving(tmp_path):
    view = health_view(train(health.watch(every=1)))
    text = view.save(tmp_path / "health.html").read_text(encoding="utf-8")
    assert (
        'class="minitape-health"' in text
        and module.source(PAGE) in text
        and "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    )
    assert view.save(tmp_path / "health.svg").read_text(encoding="utf-8") == view.svg()
    with pytest.raises(ValueError, match="try 'health.html'"):
        view.save(tmp_path / "health.json")


def test_a_notebook_is_exported_with_it():
    nbformat = pytest.importorskip("nbformat")
    view = health_view(train(health.watch(every=1)))
    output = nbformat.v4.new_output("display_data", data=view.picture())
    nb = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell("health_view(seen)", outputs=[output])]
    )
    shown, _ = export.MinitapeExporter().from_notebook_node(nb)
    assert (
        shown.count('class="minitape-health"') == 1
        and module.source(PAGE) in shown
        and module.source() not in shown
    )
    both = nbformat.v4.new_notebook(
        cells=[
            nb.cells[0],
            nbformat.v4.new_code_cell(
                "play(...)",
                outputs=[
                    nbformat.v4.new_output("display_data", data={export.TRACE: {"storyboard": {}}})
                ],
            ),
        ]
    )
    assert (
        export.MinitapeExporter().from_notebook_node(both)[0].count("function mountPlayer(") == 1
    ), "one player for both"
    assert (export.HEALTH, export.HEALTH_PAGE) == (HEALTH, PAGE)
    assert HEALTH in (module.STATIC / "remoteEntry.js").read_text(encoding="utf-8")


# ---- text from elsewhere


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_text_and_nothing_else(language):
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&{}\u2028\x00"
    data = made(20, 2, 5, evil.replace("{", "").replace("}", "") + "{}") | {
        "title": evil,
        "language": language,
    }
    data["findings"] = [
        {
            "key": "dead",
            "sure": "sure",
            "layer": data["layers"][0]["name"],
            "step": 3,
            "text": evil,
            "cure": evil,
            "place": {
                "file": evil,
                "line": 1,
                "column": 0,
                "end_line": 1,
                "end_column": 2,
                "code": evil,
            },
        }
    ]
    given = payload.payload(data) | {"ended": True}
    svg = still.picture(given)
    root = ET.fromstring(svg)
    assert (
        not [e for e in root.iter() if e.tag.rpartition("}")[2] in ("script", "img")]
        and "<script" not in svg
    )
    from minitape_widgets.page import html_of

    page = html_of(given, svg, evil, language, PAGE, "health")
    assert page.count("<script") == 2 and "<img src=x" not in page


def test_the_still_picture_says_what_stands_out():
    for name in ("vanishing", "nan_from_log", "healthy_plateau"):
        seen = seen_of(name)
        svg = health_view(seen).svg()
        root = ET.fromstring(svg)
        texts = " ".join(
            "".join(e.itertext()) for e in root.iter("{http://www.w3.org/2000/svg}text")
        )
        assert ("Nothing stands out." in texts) == (seen.findings == [])
        assert all(f.layer in texts for f in seen.findings)
    assert svg == health_view(seen).svg()
