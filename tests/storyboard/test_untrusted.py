"""Nothing that a learner can write becomes markup: names, code, strings, errors."""

import linecache
import xml.etree.ElementTree as ET

import pytest
import storyboard_contract as contract
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import minitape as tf
from minitape.storyboard import Storyboard, build
from minitape.storyboard.drawing.svg import escape
from minitape.storyboard.text.summary import summary

NASTY = (
    "</text></svg><script>alert(1)</script><img src=x "
    "onerror=alert(1)>\"'&amp;]]><!--\x00\x1b\ud800"
)


def make(label, title="", code="", string="s"):
    filename = "<cell nasty>"
    text = f"x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * x  # {code}\n"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    names = {"tf": tf}
    exec(compile(text.encode("utf-8", "replace"), filename, "exec"), names)
    return build(
        names["tape"],
        {label: names["y"]},
        {label + "x": names["x"]},
        title=title,
        engine="layers",
        source_names={filename: title or "cell"},
    )


def check_picture(board):
    svg = board.svg()
    root = ET.fromstring(svg)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "style", "rect", "text", "path", "g", "defs", "use"}
    for element in root.iter():
        assert not any(name.lower().startswith("on") for name in element.attrib)
        assert set(element.attrib) <= {
            "class",
            "x",
            "y",
            "width",
            "height",
            "rx",
            "d",
            "text-anchor",
            "id",
            "href",
            "transform",
            "viewBox",
            "role",
            "aria-labelledby",
            "{http://www.w3.org/1999/xlink}href",
        }
    return root


def test_markup_in_names_titles_and_code():
    board = make(NASTY, NASTY, NASTY.replace("\x00", "").replace("\ud800", ""))
    root = check_picture(board)
    # shown as the text that it is
    assert any("<script>" in (element.text or "") for element in root.iter())
    assert "alert" in str(board)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_in_names_and_titles(label, title):
    board = make(label, title)
    contract.check(board)
    check_picture(board)
    assert Storyboard.from_json(board.to_json()) == board


@given(st.text())
def test_escape_gives_parsable_text(text):
    assert ET.fromstring(f"<a b='{escape(text)}'>{escape(text)}</a>").tag == "a"


@pytest.mark.parametrize("value", [b"<script>", "<b>&" * 30, "\x00\ud800"])
def test_strings_as_values(value):
    found = summary(value if isinstance(value, bytes) else value)
    assert found["dtype"] == "string" and len(found["text"]) <= 40


def test_dot_gets_no_text_of_the_learner(monkeypatch):
    from minitape.storyboard.drawing import layout

    seen = []
    monkeypatch.setattr(
        layout, "_dot_source", lambda sizes, edges: seen.append((sizes, edges)) or "digraph{}"
    )
    for engine in ("dot", "wasm"):
        if layout.available(engine):
            layout.lay_out([([(10, 10), (20, 20)], [(0, 1)])], engine)
    assert all(
        isinstance(n, (int, float))
        for sizes, edges in seen
        for pair in (*sizes, *edges)
        for n in pair
    )
