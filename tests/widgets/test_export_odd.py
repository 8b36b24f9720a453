"""Notebooks as anybody may have written them: one odd output never stops an export, and what is
sanitized stays sanitized.
"""

import base64
import copy
import json
import re
from html import unescape

import nbformat
import pytest
from traitlets.config import Config

import minitape as tf
from minitape_widgets import TRACE, drawn, pitfalls, play
from minitape_widgets.export import CARD, MinitapeExporter, card
from minitape_widgets.outputs import WIDGET

SVG = "image/svg+xml"


@pytest.fixture(scope="module")
def good():
    # run as a text: else the source in the picture would be this file, with all that it asserts
    names = {"tf": tf}
    exec("x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * x", names)
    return play(names["tape"], names["y"], names["x"]).picture()


def shown(data, **more):
    return {"output_type": "display_data", "data": data, "metadata": {}} | more


def odd(good):
    """Outputs that break something: {what: output}."""
    nan, half, deep = (copy.deepcopy(good) for _ in range(3))
    nan[TRACE]["storyboard"]["values"][0]["number"] = float("nan")
    half[TRACE]["storyboard"]["title"] = "\ud800"
    nest = deep[TRACE]["deep"] = []
    for _ in range(100):
        nest.append([])
        nest = nest[0]
    texts = {
        f"{kind} is {value!r}": shown({kind: value})
        for value in (5, None, [None, 5], {"a": 1}, "\ud800 half")
        for kind in (
            "text/plain",
            "text/html",
            "text/markdown",
            "text/latex",
            SVG,
            "image/png",
            "image/jpeg",
            "application/javascript",
            "text/vnd.mermaid",
            "application/json",
            WIDGET,
            TRACE,
        )
    }
    return texts | {
        "NaN in a trace": shown(nan),
        "half a character in a trace": shown(half),
        "a deep trace": shown(deep),
        "a number as text": shown({**good, "text/plain": 5}),
        "a number as picture": shown({**good, SVG: 5}),
        "no picture": shown({**good, SVG: None}),
        "half a character in a picture": shown({**good, SVG: "<svg>\ud800</svg>"}),
        "no data": {"output_type": "display_data"},
        "data is None": shown(None),
        "data is a list": shown([1]),
        "metadata is None": shown(good, metadata=None),
        "metadata holds a number": shown({}, metadata={TRACE: 5}),
        "a stream of 5": {"output_type": "stream", "name": "stdout", "text": 5},
        "a stream without a name": {"output_type": "stream"},
        "half a stream": {"output_type": "stream", "name": "stdout", "text": "\ud800"},
        "no type": {"data": {}},
        "an error of numbers": {
            "output_type": "error",
            "ename": 5,
            "evalue": None,
            "traceback": [5, None],
        },
        "an error of nothing": {"output_type": "error"},
        "an odd type": {"output_type": "x"},
        "a text": "hello",
        "nothing": None,
    }


def export(cells, **options):
    nb = nbformat.from_dict({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 4})
    nb.cells = [
        nbformat.from_dict(
            {
                "cell_type": "code",
                "source": f"cell {k}",
                "execution_count": None,
                "metadata": {"tags": tags},
                "outputs": outputs,
            }
        )
        for k, (outputs, tags) in enumerate(cells)
    ]
    return MinitapeExporter(config=Config(options)).from_notebook_node(nb)[0]


def test_one_odd_output_never_stops_an_export(good):
    outputs = odd(good)
    text = export(
        [
            ([shown({"text/plain": what}), output, shown({"text/plain": f"after {k}."})], [])
            for k, (what, output) in enumerate(outputs.items())
        ]
        + [([shown(good)], [])]
    )
    text.encode("utf-8")
    assert all(f"after {k}." in text for k in range(len(outputs))) and len(outputs) > 70
    assert text.count('<div class="minitape-trace"') >= 8, (
        "what holds a trace has a place, and the page says what is wrong with it"
    )
    for data in re.findall('<script type="application/json">(.*?)</script>', text):
        json.loads(data, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))


def test_a_picture_is_put_in_as_an_image(good):
    svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="hack()"><script>hack()</script></svg>'
    text = export([([shown({**good, SVG: svg})], [])])
    assert "hack()" not in text and base64.b64encode(svg.encode()).decode() in text


HOSTILE = """<div style="background:url(https://example.org/x)" onclick="hack()"><script>hack()</script><style>@import "hack.css"</style>
<img src="x" onerror="hack()"><a href="javascript:hack()">here</a><iframe srcdoc="<script>hack()</script>"></iframe><b id="tape-1">bold</b>
<svg onload="hack()"><foreignObject><img src=x onerror="hack()"></foreignObject></svg>
<table background="https://example.org/x"><tr><td>in</td></tr></table><details ontoggle="hack()" open><summary>fold</summary></details>
<form action="hack"><input autofocus onfocus="hack()"></form></div>"""


@pytest.mark.parametrize(
    "html",
    [
        HOSTILE,
        "<mark style='color:red",
        "</div></div><script>hack()</script>",
        [HOSTILE],
        5,
        "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 "
        "onerror=hack()&gt;'>",
    ],
)
def test_the_drawing_of_a_card_brings_nothing_but_a_drawing(html):
    text = export(
        [([shown({CARD: {"key": "numpy-escape"}, "text/html": html, "text/plain": "a card"})], [])]
    )
    inside = re.search(
        '<div class="minitape-still">(.*)</div></div>',
        text[text.index('id="card-1"') : text.rindex("<script type")],
        re.S,
    )[1]
    found = re.findall("<[^<>]*>", inside)
    assert {re.match("</?([a-z]*)", tag)[1] for tag in found} <= {*drawn.TAGS}, found
    assert all(re.fullmatch(rf'</?[a-z]+>|<pre style="{drawn.CODE}">', tag) for tag in found), (
        "no attribute of a stranger's"
    )


def test_the_drawing_of_a_card_of_ours_stays_what_it_is():
    html = pitfalls.show("numpy-escape").picture()["text/html"]
    text = export([([shown({CARD: {}, "text/html": html})], [])])
    assert html.count("style=") > 8 and text.count(
        '<mark style="color:#1c1c1c;background-color:'
    ) == html.count("<mark")
    assert re.sub("</?tbody>", "", unescape(card(html))) == unescape(html)


@pytest.mark.parametrize(
    "options",
    [
        {"HTMLExporter": {"sanitize_html": True}},
        {"TemplateExporter": {"exclude_output": True}},
        {
            "Exporter": {"preprocessors": ["nbconvert.preprocessors.sanitize.SanitizeHTML"]},
            "SanitizeHTML": {"enabled": True},
        },
        {"ClearOutputPreprocessor": {"enabled": True}},
        {"TagRemovePreprocessor": {"enabled": True, "remove_cell_tags": {"hide"}}},
        {"TagRemovePreprocessor": {"enabled": True, "remove_all_outputs_tags": {"hide"}}},
    ],
    ids=str,
)
def test_options_that_leave_outputs_out_are_obeyed(good, options):
    html = {"text/html": '<b onclick="hack()">bold</b><script>hack()</script>'}
    cells = [([shown(good), shown({}, metadata={TRACE: good[TRACE]}), shown(html)], ["hide"])]
    text = export(cells, **options)
    assert "minitape-trace" not in text and "showAll" not in text
    assert "<script>hack()" not in text and '<b onclick="hack()"' not in text
    assert export(cells).count('<div class="minitape-trace"') == 2
