"""The player in Python: what it puts into a notebook, when it opens and closes its channel, how it
is saved and loaded.
"""

import gc
import inspect
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import ipywidgets
import pytest

import minitape as tf
from minitape.exercises import Catalogue, Number, Wrong
from minitape.exercises.answers import your_answer
from minitape.sentences import speaking
from minitape.storyboard import contract
from minitape_widgets import (
    TRACE,
    Player,
    ask,
    compare,
    link,
    load,
    module,
    packing,
    play,
    play_own,
    player,
)
from minitape_widgets.front_end import FrontEnd, front_end, loader
from tests.widgets.played import parabola

WIDGET = "application/vnd.jupyter.widget-view+json"


def test_play_returns_the_gradients():
    shown = parabola()
    assert float(shown.gradients) == 7.0
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert float(play(tape, y, {"x": x}).gradients["x"]) == 4.0


def test_the_bundle():
    """Widget, trace, picture and text; no HTML; no memory address, the same bytes for the same
    program.
    """
    bundles = [parabola()._repr_mimebundle_() for _ in range(2)]
    for bundle in bundles:
        assert set(bundle) == {WIDGET, TRACE, "image/svg+xml", "text/plain"}
        assert (
            not re.search("0x[0-9a-f]{6}", bundle["text/plain"]) and "7.0" in bundle["text/plain"]
        )
        json.dumps(bundle, allow_nan=False)
    for kind in (TRACE, "image/svg+xml", "text/plain"):
        assert bundles[0][kind] == bundles[1][kind]
    ipywidgets.Widget.close_all()


def test_the_channel_opens_when_shown_and_closes_for_good():
    live = ipywidgets.widgets.widget._instances
    front_end()
    before = len(live)
    shown = parabola()
    assert shown.comm is None and len(live) == before
    first = shown._repr_mimebundle_()[WIDGET]["model_id"]
    assert len(live) == before + 1
    shown._handle_custom_msg({"gone": True}, [])  # the page says that its last view has gone
    assert shown.comm is None and len(live) == before
    again = shown._repr_mimebundle_()[WIDGET]["model_id"]
    assert again != first
    shown.close()


def test_a_player_inside_of_another_widget():
    shown = parabola()
    box = ipywidgets.VBox([shown])
    assert box.get_state()["children"] == [f"IPY_MODEL_{shown.model_id}"]
    assert shown.comm is not None and not shown.alone
    ipywidgets.Widget.close_all()


def test_two_hundred_players_leave_nothing(monkeypatch):
    """A cell that is run again and again replaces its players; made and never shown, they are
    simply freed.
    """
    live = ipywidgets.widgets.widget._instances
    front_end()
    gc.collect()
    before, others = len(live), sum(issubclass(type(x), Player) for x in gc.get_objects())
    board = parabola().storyboard
    for run in range(200):
        monkeypatch.setattr(player, "running_cell", lambda run=run: ("cell", run))
        Player(board)._repr_mimebundle_()
        Player(board)
    assert len(live) == before + 1
    monkeypatch.setattr(player, "running_cell", lambda: ("cell", 999))
    last = Player(board)
    last._repr_mimebundle_()
    last.close()
    player._shown.clear()
    del last
    gc.collect()
    assert len(live) == before
    assert sum(issubclass(type(x), Player) for x in gc.get_objects()) <= others


def test_the_front_end_travels_once_for_all_players():
    """A player carries a few lines, and names the model that carries the front end; a page that
    lacks it may ask.
    """
    first, second = parabola(), parabola()
    states = [shown.get_state() for shown in (first, second)]
    assert states[0]["front_end"] == states[1]["front_end"] == f"IPY_MODEL_{front_end().model_id}"
    assert front_end().get_state()["text"] == module.source()
    for state in states:
        assert state["_esm"] == loader() and len(json.dumps(state["_esm"])) < 2300
    said = []
    first.send = said.append
    first._handle_custom_msg({"ask": "front_end"}, [])
    first._handle_custom_msg("nothing of ours", [])
    assert said == [{"front_end": module.source()}]
    before = front_end()
    ipywidgets.Widget.close_all()
    assert isinstance(front_end(), FrontEnd) and front_end() is not before
    assert parabola().get_state()["front_end"] == f"IPY_MODEL_{front_end().model_id}"
    ipywidgets.Widget.close_all()


def test_several_players_of_one_run_stay(monkeypatch):
    monkeypatch.setattr(player, "running_cell", lambda: ("cell", 1))
    shown = [parabola() for _ in range(3)]
    for one in shown:
        one._repr_mimebundle_()
    assert all(one.comm is not None for one in shown)
    monkeypatch.setattr(player, "running_cell", lambda: ("cell", 2))
    parabola()._repr_mimebundle_()
    assert all(one.comm is None for one in shown)
    ipywidgets.Widget.close_all()
    player._shown.clear()


@pytest.mark.parametrize("suffix", [".html", ".svg", ".json"])
def test_save(tmp_path, suffix):
    path = parabola(title="x*x <b> & 3*x").save(tmp_path / f"tape{suffix}")
    text = path.read_text(encoding="utf-8")
    assert "<b>" not in text.replace("\\u003cb>", "") or suffix == ".json"
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", text)
    with pytest.raises(ValueError, match=".html, .svg or .json"):
        parabola().save(tmp_path / "tape.gif")


def test_load(tmp_path):
    shown = parabola(start=3, hide=["code"], large=True)
    again = load(shown.save(tmp_path / "tape.json"))
    assert again.trace == shown.trace
    assert load(json.dumps(shown.storyboard)).trace["storyboard"] == shown.storyboard
    pair = load(compare(shown, shown).save(tmp_path / "pair.json"))
    assert len(pair.boards()) == 2
    for wrong in ('{"version": 1}', json.dumps({**shown.storyboard, "version": 9})):
        with pytest.raises(ValueError):
            load(wrong)


def test_views():
    shown = parabola(start="play", hide="graph", large=True, language="fr", predict=True)
    options = shown.trace["options"]
    assert options["hide"] == ["graph"] and options["large"] and options["start"] == "play"
    assert shown.storyboard["language"] == "fr"
    with pytest.raises(ValueError, match="there is no pane 'tapes'; the panes are code, tape"):
        parabola(hide=["tapes"])
    with pytest.raises(ValueError, match="language"):
        parabola(language="xx")


def test_link_texts_come_back(tmp_path):
    for options in (
        {"start": "play"},
        {"start": "end", "large": True},
        {"start": 0},
        {"hide": ["tape"]},
        {"start": 12, "hide": ["code", "graph"], "large": True},
        {"folded": True},
        {"start": 3, "large": True, "folded": False},
    ):
        text = link.write_link(options)
        assert re.fullmatch(r"[A-Za-z0-9.-]*", text)
        assert {"start": 0} | link.read_link(text) == {"start": 0} | options
    assert link.read_link("k3.hide-nothing-tape.<script>.k-4") == {
        "start": 3,
        "hide": ["tape"],
        "unread": ["nothing", "<script>", "k-4"],
    }
    assert (
        parabola(link="k3.bigger").trace["options"]["unread"] == ["bigger"]
        and "unread" not in parabola(link="k3").trace["options"]
    )
    assert parabola(start=4, large=True).link == "k4.large"
    for text in ("k4.folded", "k4.knows-value", "k4.unfolded.knows-value-inspector"):
        assert load(parabola(link=text).save(tmp_path / "tape.json")).link == text
    assert (
        load(parabola(link="k4.folded").save(tmp_path / "tape.json"), start=2, hide="code").link
        == "k2.hide-code.folded"
    )


def test_side_by_side():
    shown = compare(parabola(title="broken one"), parabola(), names=("before", "after"))
    assert (
        shown.trace["options"]["names"] == ["before", "after"]
        and "judged" not in shown.trace["options"]
    )
    bundle = shown.picture()
    assert bundle["image/svg+xml"].count("<svg") >= 3
    assert bundle["text/plain"].count("7.0") >= 2
    from xml.etree import ElementTree

    ElementTree.fromstring(bundle["image/svg+xml"])


def test_only_the_teacher_says_which_one_is_broken(tmp_path):
    a, b = parabola(title="one way"), parabola()
    assert compare(a, b).trace["options"]["names"] == ["one way", "B"], (
        "what stands above them says nothing of right and wrong"
    )
    judged = compare(broken=a, fixed=b)
    assert judged.trace["options"]["judged"] is True and judged.trace["options"]["names"] == [
        "broken",
        "fixed",
    ]
    assert load(judged.save(tmp_path / "pair.json")).trace == judged.trace
    assert load(compare(a, b).save(tmp_path / "pair.json")).trace == compare(a, b).trace
    for args, given in (
        ((a,), {"fixed": b}),
        ((a, b), {"broken": a}),
        ((a,), {}),
        ((), {"broken": a}),
        ((), {}),
    ):
        with pytest.raises(TypeError, match="compare"):
            compare(*args, **given)


def test_a_page_is_called_after_what_it_shows(tmp_path):
    x, w = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * w
    boards = {
        language: play(tape, y, [x, w], language=language).storyboard for language in ("en", "fr")
    }
    for language, board in boards.items():
        board["sources"][0]["name"] = "cell"
        heading = {
            "en": "The gradient of y with respect to x, w",
            "fr": "Le gradient de y par rapport à x, w",
        }[language]
        text = Player(board).save(tmp_path / "tape.html").read_text(encoding="utf-8")
        assert f"<h1>{heading}</h1>" in text and f"<title>{heading}</title>" in text
    boards["en"]["sources"][0]["name"] = "<train>.py"
    assert Player(boards["en"]).heading() == "<train>.py"
    assert "<h1>&lt;train&gt;.py</h1>" in Player(boards["en"]).save(
        tmp_path / "tape.html"
    ).read_text(encoding="utf-8")
    boards["en"]["title"] = "My tape"
    assert Player(boards["en"]).heading() == "My tape"


# ---- the front end as one module


def test_large_traces_travel_packed():
    """A loop of 300 rounds travels in a tenth of its bytes; what arrives is the same."""
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x
        for _ in range(300):
            y = y * 1.001 + x
    shown = play(tape, y, x)
    plain, packed = json.dumps(shown.trace), json.dumps(shown.payload)
    assert list(shown.payload) == ["deflate"] and len(packed) * 5 < len(plain)
    assert packing.unpack(json.loads(packed)) == json.loads(plain)
    assert shown.picture()[TRACE] == shown.payload
    assert parabola().payload == parabola().trace


def test_a_trace_travels_packed_where_null_does_not_arrive(monkeypatch):
    trace = {"at": None, "values": [None, 1.0]}
    assert packing.pack(trace) is trace
    monkeypatch.setattr(packing, "NULLS_ARRIVE", False)
    assert list(packing.pack(trace)) == ["deflate"] and packing.unpack(packing.pack(trace)) == trace


def test_what_no_page_holds_is_refused_by_name(monkeypatch):
    monkeypatch.setitem(contract.FORM["cards"], "maxItems", 2)
    with pytest.raises(ValueError, match="3 cards, and a page holds 2"):
        parabola()


# ---- questions


def test_questions():
    shown = ask("What is `x*x` at 2?", 4.0, {2.0: "That is x."}, right="Two times two.")
    assert shown.trace["question"]["kind"] == "number" and "x*x" in shown.text()
    assert set(shown._repr_mimebundle_()) == {WIDGET, TRACE, "text/plain"}
    shown.close()
    shown = ask(
        "None, 0 or an error?", None, {"0": "Zero is a number."}, choices=["None", "0", "an error"]
    )
    assert shown.trace["question"]["answer"] == "None" and "- an error" in shown.text()
    with pytest.raises(ValueError, match="not among the choices"):
        ask("?", "a", choices=["b", "c"])
    with pytest.raises(TypeError, match="needs the answer"):
        ask("?")


@pytest.mark.parametrize("right, kind", [("x + 1", "number"), ("[1, x]", "choice")])
def test_a_number_of_the_exercises_is_asked_with_its_program_and_its_ideas(right, kind):
    texts = Catalogue(Path(__file__).parents[1] / "exercises" / "examples" / "messages")
    number = Number(
        id="ex.slope",
        texts=texts,
        program="x = {x}\n",
        right=right,
        numbers={"x": (3.0,)},
        wrong=(Wrong("factor", "2 * x"), Wrong("sign", "3 * x")),
    )
    shown = ask(number)
    asked = shown.trace["question"]
    assert (
        asked["code"] == "x = 3.0\n"
        and asked["code"].strip() in shown.text()
        and asked["kind"] == kind
    )
    assert asked["answer"] == {"number": 4.0, "choice": "(1, 3)"}[kind]
    assert asked["hint"] == "How often is x used?"
    ideas = {choice["text"]: choice["say"] for choice in asked["choices"] if choice["say"]}
    assert set(ideas) == {"6", "9"} and ideas["6"] == number.idea("factor", what=your_answer())
    with pytest.raises(TypeError, match="its own answer"):
        ask(number, 4.0)


def test_a_field_does_not_tell_that_the_answer_is_a_number():
    texts = Catalogue(Path(__file__).parents[1] / "exercises" / "examples" / "messages")
    number = Number(
        id="ex.slope",
        texts=texts,
        program="x = 3.0\n",
        right="2 * x",
        wrong=(Wrong("factor", "None"), Wrong("sign", "12.0")),
    )
    asked = ask(number).trace["question"]
    assert asked["kind"] == "choice" and asked["answer"] == "6"
    assert [choice["text"] for choice in asked["choices"]] == ["6", "12", "None"]


def test_a_few_answers_are_offered_one_for_each_of_the_first_ideas():
    texts = Catalogue(Path(__file__).parents[1] / "exercises" / "examples" / "messages")
    ideas = ["sign", "sign", "zero", "half", "factor", "swapped", "upstream", "transpose"]
    answers = ["-x", "2 * x", "-0.0", "x / 2", "[x, x]", "7.0", "8.0", "9.0"]
    number = Number(
        id="ex.slope",
        texts=texts,
        program="x = 3.0\n",
        right="x",
        wrong=tuple(map(Wrong, ideas, answers)),
    )
    offered = [choice["text"] for choice in ask(number).trace["question"]["choices"]]
    assert offered == ["-3", "0", "1.5", "3", "7", "(3, 3)"]


def test_what_is_shown_speaks_the_language_that_is_spoken():
    with speaking("fr"):
        shown, asked = parabola(), ask("?", 1.0)
        assert shown.storyboard["language"] == asked.trace["options"]["language"] == "fr"
        assert shown.text() == parabola(language="fr").text() != parabola(language="en").text()
    assert parabola().storyboard["language"] == ask("?", 1.0).trace["options"]["language"] == "en"
    assert ask("?", 1.0, language="fr").trace["options"]["language"] == "fr"


@pytest.mark.parametrize("suffix", ["html", "svg", "json"])
def test_half_a_character_in_a_name_breaks_no_file_and_no_message(suffix, tmp_path):
    x = tf.Variable(2.0, name="half \ud800 of one")
    with tf.GradientTape() as tape:
        y = x * x
    player = play(tape, y, [x], title="\udfff")
    assert "\ud800" not in player.save(tmp_path / f"player.{suffix}").read_text(encoding="utf-8")
    json.dumps(player.payload, ensure_ascii=False).encode("utf-8")
    player.picture()["text/plain"].encode("utf-8")


def test_the_tape_of_a_check_is_shown_where_no_extension_is_loaded():
    """Half of the lessons have no %load_ext, and each check says: to watch this tape, write
    _.play().
    """
    program = """from minitape_widgets import ask
from minitape.exercises import exercise
from minitape.exercises.author import answer_of
rows = exercise("11.by-rows")
print(type(rows.check(answer_of(rows, rows.solution_code)).play()).__name__)"""
    environment = dict(os.environ, MINITAPE_PROGRESS="")
    ran = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        env=environment,
    )
    assert ran.stdout.split()[-1:] == ["Player"], ran.stdout + ran.stderr


def test_a_signature_names_every_setting_with_its_default():
    """What a learner's tooltip and completion read."""
    view = ["start", "hide", "large", "language", "link"]
    for function, hidden in ((play, ()), (compare, ("inspector",)), (play_own, ("code",))):
        parameters = inspect.signature(function).parameters
        assert [name for name in parameters if name in view] == view and parameters[
            "hide"
        ].default == hidden
        with pytest.raises(
            TypeError,
            match=rf"^{function.__name__} has no argument 'begin'\. There are .*hide, large",
        ):
            function(None, begin=3)
