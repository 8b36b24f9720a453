"""What the player in Python refuses: each wrong argument is told what is allowed."""

import base64
import json
import re
import zlib

import ipywidgets
import pytest

import minitape as tf
from minitape_widgets import Player, ask, compare, load, play, scripts
from minitape_widgets.packing import LARGEST, MOST, unpack
from tests.widgets.played import parabola


def packed(data):
    return {"deflate": base64.b64encode(zlib.compress(data, 1)).decode("ascii")}


def test_bad_input_gives_a_clear_message_or_a_clear_picture():
    with pytest.raises(TypeError, match=r"play\(tape, target, sources\)"):
        play(3, 4, 5)
    with tf.GradientTape() as tape:
        pass
    assert "holds nothing" in play(tape).text()
    x, other = tf.Variable(2.0), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * x
    shown = play(tape, y, other)
    assert shown.gradients is None and "None" in shown.text()
    with pytest.raises(RuntimeError, match="one set of gradients"):
        play(tape, y, x)
    x = tf.Variable(-1.0)
    with tf.GradientTape() as tape:
        y = tf.math.log(x) * float("inf")
    bundle = play(tape, y, x).picture()
    json.dumps(bundle, allow_nan=False)
    v = tf.Variable(1.0, name="<script>alert(1)</script>")
    with tf.GradientTape() as tape:
        y = v * 2.0
    bundle = play(
        tape, y, {"<script>alert(2)</script>": v}, title="<script>alert(3)</script>"
    ).picture()
    assert "<script" not in bundle["image/svg+xml"]
    image = tf.Variable([[[0.5, 0.0, 0.0]]])
    with tf.GradientTape() as tape:
        y = tf.image.adjust_contrast(image, 0.1)
    shown = play(tape, y, image)
    assert isinstance(shown.error, LookupError) and "AdjustContrastv2" in str(shown.error)


WRONG = [
    ({"start": "foo"}, "start='foo' is no act"),
    ({"start": 1.5}, "start=1.5 is no act"),
    ({"start": True}, "start=True"),
    ({"start": [1]}, "whole number"),
    ({"hide": 3}, "names of panes"),
    ({"hide": None}, "names of panes"),
    ({"hide": ["code", 1]}, "there is no pane 1"),
    ({"hide": "code,graph"}, "there is no pane"),
    ({"large": "no"}, "large is True or False"),
    ({"large": 1}, "large is True or False"),
    ({"language": "de"}, "language must be one of en, fr"),
    ({"language": ["en"]}, "language must be one of"),
    ({"link": 12}, "link is the text"),
    ({"title": 3}, "title is a text"),
    ({"predict": 1.5}, "predict=1.5"),
    ({"predict": -1}, "predict=-1"),
    ({"predict": [None]}, "predict"),
    ({"predict": ""}, "predict"),
    ({"jacobian": "yes"}, "jacobian is True or False"),
    ({"folded": 2}, "folded is True, False"),
    ({"engine": "neato"}, "engine must be one of"),
    ({"max_cells": 0}, "from 1 to 16"),
    ({"names": ["x"]}, "names is a dictionary"),
    ({"unconnected_gradients": "nil"}, "nil"),
    ({"begin": 3}, "no argument 'begin'"),
]


@pytest.mark.parametrize(
    "given, said", WRONG, ids=lambda value: repr(value) if isinstance(value, dict) else ""
)
def test_a_wrong_argument_says_what_is_allowed_before_the_tape_is_played(given, said):
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
    before = len(ipywidgets.widgets.widget._instances)
    with pytest.raises((TypeError, ValueError), match=re.escape(said)):
        play(tape, y, x, **given)
    assert len(ipywidgets.widgets.widget._instances) == before
    assert float(tape.gradient(y, x)) == 4.0, "the tape was used up by a call that showed nothing"


def test_a_question_about_a_name_that_is_not_there_lists_the_names():
    with pytest.raises(ValueError, match="Names in the picture: x, y"):
        parabola(predict="adjoint q")


def test_wrong_arguments_of_the_others_say_what_is_allowed(tmp_path):
    shown = parabola()
    for wrong in (
        (shown, 3),
        (ask("?", 1.0), shown),
        (compare(shown, shown), shown),
        ({"frames": []}, shown),
    ):
        with pytest.raises(TypeError, match="what play.* returned"):
            compare(*wrong)
    for given, said in (
        ({"names": "ab"}, "two texts"),
        ({"names": ("a",)}, "two texts"),
        ({"names": (1, 2)}, "two texts"),
        ({"start": "foo"}, "no act"),
        ({"language": "xx"}, "language"),
        ({"hide": ["all"]}, "no pane"),
        ({"large": 2}, "True or False"),
    ):
        with pytest.raises((TypeError, ValueError), match=said):
            compare(shown, shown, **given)
    for args, given, said in (
        ((3, 4.0), {}, "question is a text"),
        (("?", 4.0, [2.0]), {}, "dictionary of answers"),
        (("?", 4.0, {2.0: 3}), {}, "dictionary of answers"),
        (("?", "a"), {"choices": "ab"}, "list of answers"),
        (("?", 4.0), {"tolerance": "much"}, "tolerance"),
        (("?", 4.0), {"tolerance": -1}, "tolerance"),
        (("?", 4.0), {"right": None}, "right is a text"),
        (("?", 4.0), {"language": "xx"}, "language"),
        (("([" * 50_000, 4.0), {}, "at most 20,000 letters"),
        (("?", 4.0, {2.0: "x" * 20_001}), {}, "choices.0..say is not so"),
        (("?", "a"), {"choices": ["a", *map(str, range(1000))]}, "choices is not so"),
        (("?", 10**5000), {}, "digits"),
    ):
        with pytest.raises((TypeError, ValueError), match=said):
            ask(*args, **given)
    with pytest.raises(TypeError, match="save writes to a path"):
        shown.save(3)
    with pytest.raises(FileNotFoundError, match="no folder"):
        shown.save(tmp_path / "nowhere" / "tape.html")
    with pytest.raises(TypeError, match="shows a storyboard"):
        Player({})
    for text in (
        "{",
        "[1]",
        '{"deflate": "x"}',
        '{"deflate": 5}',
        json.dumps(packed(b"[" * 10**6)),
        '{"storyboard": ' + "9" * 5000 + "}",
        "\ud800",
        json.dumps({**shown.storyboard, "nodes": None}),
        json.dumps({"pair": [1]}),
    ):
        (tmp_path / "wrong.json").write_text(text, encoding="utf-8", errors="surrogatepass")
        with pytest.raises(
            ValueError, match="saved as .json|not a storyboard|not whole|not a player"
        ):
            load(tmp_path / "wrong.json")
    bent = shown.trace | {"options": {"start": "foo"}}
    with pytest.raises(ValueError, match="no act"):
        load(json.dumps(bent))


def test_what_is_short_packed_and_large_unpacked_is_refused_unread(monkeypatch):
    assert LARGEST == 1 << 27 and "largest=1<<27" in scripts.plain("elements/host.js")
    parsed = []
    monkeypatch.setattr(json, "loads", lambda text: parsed.append(text))
    many = b"[" + b"1," * (MOST + 1) + b"1]"
    for data in (b"[" * (LARGEST + 1), many):
        with pytest.raises(ValueError, match="it holds more than"):
            unpack(packed(data))
    with pytest.raises(ValueError, match="saved as .json: it holds more than"):
        load("/dev/zero")
    assert parsed == []


def test_a_title_has_an_end():
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
    with pytest.raises(ValueError, match="title has at most 20000 letters, not 20001"):
        play(tape, y, x, title="x" * 20_001)
