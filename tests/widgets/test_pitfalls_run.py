"""What a learner does with a card of the gallery: run it, change it, stop it, see it played;
and what stands where nothing can be drawn.
"""

import html
import json
import re
import signal

import ipywidgets
import pytest

from minitape import schemas
from minitape.sentences import COMPLETE
from minitape_widgets import pitfalls
from minitape_widgets.packing import unpack
from minitape_widgets.pitfalls import programs
from minitape_widgets.pitfalls.card import card, keys
from minitape_widgets.pitfalls.programs import run

ALL = [*keys(), *keys("torch")]


def opened(key="numpy-escape", code=None):
    view = pitfalls.show(key)
    if code is not None:
        view.run(code, card(key).fixed)
    return view


def reported(view):
    """What a card says of errors and of what was printed."""
    return "\n".join(f"{text}\n{printed}" for text, printed in view.about()["notes"])


def test_a_program_that_was_changed_is_run_and_known_to_be_changed():
    view = pitfalls.show("integer-dtype")
    assert "first" not in view.about()
    view._page_asked(view, {"run": [view.codes[0].replace("10", "4.0"), view.codes[1]]}, [])
    about = view.about()
    assert (
        about["answers"][0] == ("`g` is", "8.0")
        and unpack(view.payload)["card"]["answers"][0][1] == "8.0"
    )
    view._page_asked(view, {"run": list(about["first"])}, [])
    assert view.answers()[0][1] == "None" and view.codes[0] == card("integer-dtype").broken.strip(
        "\n"
    )
    view.close()


@pytest.mark.parametrize(
    "asked",
    [
        None,
        3,
        {"run": "x"},
        {"run": ["x"]},
        {"run": [1, 2]},
        {"run": ["x" * 30_000, ""]},
        {"open": "where-nan"},
    ],
)
def test_what_the_page_may_not_ask_for_changes_nothing(asked):
    view = opened()
    before = view.payload
    view._page_asked(view, asked, [])
    assert view.payload is before
    view.close()


def test_an_error_is_told_with_its_line():
    view = opened(code="x = tf.Variable(1.0)\ny = x + <b>")
    assert "SyntaxError in line 2: invalid syntax" in reported(view)
    assert view.answers()[0][0] == "stops with" and view.pair is None
    assert "+ &lt;b&gt;" in view.picture()["text/html"]
    view.run("raise SystemExit('done')", "g = 1")
    assert "SystemExit in line 1: done" in reported(view)
    view.close()


def test_a_program_without_an_answer_says_so():
    view = opened(code="")
    assert view.answers()[0][0] == "there is no `g`" and "there is no g" in view.text()
    view.close()


@pytest.mark.parametrize(
    "key",
    [
        "numpy-escape",
        "computed-before",
        "partial-escape",
        "zero-flat",
        "stretched-both",
        "tape-kept",
    ],
)
def test_the_pair_opens_at_the_cut_or_at_both_answers(key):
    view = opened(key)
    acts = [
        shown_at(board, view.pair.trace["options"]["start"], view.pair.boards())
        for board in view.pair.boards()
    ]
    if card(key).result == "None":
        assert acts[0] in ("cut", "result")
    elif key != "tape-kept":
        assert acts == ["result", "result"]
    view.close()


def shown_at(board, moment, pair):
    """What a board shows at a moment of the pair, as static/pair/steps.js has it."""
    seed = [
        next((k for k, f in enumerate(b["frames"]) if f["act"] == "seed"), len(b["frames"]))
        for b in pair
    ]
    own, first, last = (
        seed[pair.index(board)],
        max(seed),
        max(len(b["frames"]) - s for b, s in zip(pair, seed)),
    )
    k = (
        min(moment, own)
        if moment <= first
        else len(board["frames"])
        if moment - first == last
        else min(own + moment - first, len(board["frames"]) - 1)
    )
    return board["frames"][k - 1]["act"]


def test_what_a_program_prints_is_shown_up_to_a_length():
    view = opened(code="print('<i>', 7)\nfor k in range(100000):\n    print(k)")
    assert "<i> 7" in reported(view) and "and more" in reported(view) and len(reported(view)) < 4000
    view.close()


@pytest.fixture
def interruptible():
    """A run that was started in the background of a script ignores Ctrl+C, as its shell told it; a
    kernel never does.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_a_program_in_which_an_interrupt_is_lost_is_stopped_by_the_next(monkeypatch, interruptible):
    monkeypatch.setattr(programs, "PATIENCE", 0.1)
    lost = (
        "lost = []\nwhile True:\n    try:\n        while True:\n            len(lost)\n    "
        "except KeyboardInterrupt:\n"
    )
    found = programs.run(
        lost + "        lost.append(1)\n        if len(lost) > 1:\n            raise\n", seconds=0.2
    )
    assert isinstance(found.error, TimeoutError), found.error


def test_a_program_that_never_ends_is_stopped(monkeypatch, interruptible):
    view = pitfalls.show("numpy-escape")
    monkeypatch.setattr(programs, "SECONDS", 0.5)
    view.run(
        "x = tf.Variable(1.0)\nwhile True:\n    with tf.GradientTape() as tape:\n        y = x * "
        "x\n"
        "    print(tape.gradient(y, x))",
        "g = 1",
    )
    monkeypatch.undo()
    assert "still running after 0.5 seconds" in reported(
        view
    ) and "a loop that never ends" in reported(view)
    assert view.pair is None and view.answers()[0][0] == "stops with"
    view.run(*view.about()["first"])
    assert view.pair is not None and not reported(view)
    view.close()


def test_a_tape_that_a_program_leaves_open_does_not_record_what_comes_after():
    from minitape.engine.base.listeners import active

    assert (
        run("tape = tf.GradientTape()\ntape.__enter__()\ng = 1").answer == "1"
        and active.get() == ()
    )


def test_where_there_are_no_threads_a_program_has_no_limit_and_runs(monkeypatch):
    def start(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", start)
    assert run("g = 1 + 1").answer == "2"


def test_a_program_in_another_thread_has_no_limit_and_runs():
    import threading

    found = []
    thread = threading.Thread(target=lambda: found.append(run("g = 1")))
    thread.start()
    thread.join()
    assert found[0].answer == "1"


def test_all_of_a_card_is_one_widget_and_its_answer_waits_on_the_page():
    live = ipywidgets.widgets.widget._instances
    assert pitfalls.show("numpy-escape").model_id  # with it comes the front end, once
    before = len(live)
    view = pitfalls.show("numpy-escape")
    assert view.model_id
    assert len(live) - before == 1, "each widget costs the page its time"
    assert len(unpack(unpack(view.payload)["play"])["pair"]) == 2
    view.close()


# ---- what stands where nothing can be drawn


@pytest.mark.parametrize("language", COMPLETE)
@pytest.mark.parametrize("key", ALL)
def test_a_stored_card_asks_and_folds_its_answer_away(key, language):
    view = pitfalls.show(key, language)
    found, c = view.picture(), view.card
    asks, fold, answer = found["text/html"].partition("<details>")
    assert fold and "open" not in fold
    plain = lambda text: html.unescape(re.sub("<[^>]+>", "", text)).replace("\xa0=\xa0", " = ")
    for text in (c.rule, c.bites, c.symptom, c.choices[c.right]["says"]):
        assert text.replace("`", "") in plain(answer)
        assert text.replace("`", "") not in plain(asks) and text not in found["text/plain"]
    for text in (c.title, c.question, *(choice["text"] for choice in c.choices)):
        assert text.replace("`", "") in plain(asks) and text.replace("`", "") in found[
            "text/plain"
        ].replace("`", "")
    assert c.broken.strip() in plain(asks) and c.fixed.strip() in plain(asks) and "<mark" in asks
    assert c.broken.strip() in found["text/plain"] and c.rule.replace(
        "`", ""
    ) in view.text().replace("`", "")
    assert len(json.dumps(found)) < 10_500  # with places for a phone
    view.close()


def test_untrusted_text_is_escaped_where_a_card_is_stored():
    view = opened(
        code="x = tf.Variable(1.0) # <script>alert(1)</script>\ng = '<img src=x onerror=alert(1)>'"
    )
    stored = view.picture()["text/html"]
    assert (
        "<script" not in stored
        and "<img" not in stored
        and "&lt;script&gt;" in stored
        and "&lt;img" in stored
    )
    view.close()


@pytest.mark.parametrize(
    "codes", [["g = 1\n" * 400, "g = 1"], ["g = 1", "([" * 5000], ["g = 1"], ["g = 1", 1], None]
)
def test_programs_that_no_card_may_hold_are_not_run(codes):
    view = opened("numpy-escape")
    before = view.payload
    view._page_asked(view, {"run": codes}, [])
    assert view.payload is before
    view.close()


def test_what_comes_of_programs_is_cut_to_what_a_card_may_hold():
    """An error and an answer of any length: the page would refuse the card that it asked for."""
    view = opened("numpy-escape")
    view.run("print('x' * 10_000)\nraise ValueError('y' * 10_000)", "g = 'z' * 10_000")
    about = json.loads(json.dumps(view.about()))
    assert schemas.reader("card", "Card")(about, about) is None
    assert (
        all(len(printed) <= 4000 for _, printed in about["notes"])
        and "…" in about["answers"][1][1] + about["notes"][0][0]
    )
    view.close()
