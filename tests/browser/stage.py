"""A plain page with players on it: storyboards made by hand, the module as it travels, and a handle
to drive them.
"""
# ruff: noqa: E501  (lines of JavaScript)

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import minitape as tf
from minitape.storyboard import Film, develop
from minitape_widgets import export, module, play

_found = importlib.util.spec_from_file_location(
    "handmade", Path(__file__).parent.parent / "widgets" / "handmade.py"
)
handmade = importlib.util.module_from_spec(_found)
_found.loader.exec_module(handmade)


@pytest.fixture
def stage(open_page, tmp_path):
    """stage(board or trace, **page options): a page with that player; `page.player` runs code with
    it.
    """

    def opener(*boards, style="", **options):
        traces = [
            board
            if "storyboard" in board or "pair" in board
            else {"storyboard": board, "options": {}}
            for board in boards
        ]
        places = "".join(export.place(trace, "", f"p{i}") for i, trace in enumerate(traces))
        extra = "window.minitape = {stateAt, judge, speaker, stopsOf, inStep, show, CATALOGUES};"
        path = tmp_path / "page.html"
        path.write_text(
            f"<!doctype html><html lang=en><meta charset=utf-8><title>t</title><meta name=color-scheme content='light dark'>"
            f"<style>body{{background:Canvas}}{style}</style><body><main><h1>Player</h1>{places}</main>"
            f"<script type=module>{module.source()}\nshowAll();{extra}</script></body></html>",
            encoding="utf-8",
        )
        page = open_page(path, **options)
        page.wait_for_function("window.minitape")
        page.player = lambda code, argument=None: page.evaluate(
            f"(argument) => {{ const p = document.querySelector('.minitape').player; {code} }}",
            argument,
        )
        return page

    return opener


def go(page, k):
    """Goes to the moment k of the first player on the page."""
    page.player("p.go(argument);", k)


def loop(rounds):
    """The storyboard of a loop with two operations per round, folded as minitape folds it."""
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x
        for _ in range(rounds):
            y = y * 1.001 + x
    return play(tape, y, x).storyboard


def programs():
    """Storyboards of real programs: a training loop, a Jacobian, nested tapes, and a value that
    left the tape.
    """
    with Film() as film:
        w = tf.Variable(1.0)
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = (w - 3.0) ** 2
            w.assign_sub(0.1 * tape.gradient(loss, w))
    boards = {"loop": develop(film)}
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = x * x
    boards["jacobian"] = play(tape, y, x, jacobian=True).storyboard
    x = tf.Variable(3.0)
    with Film() as film:
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = x * x * x
            slope = inner.gradient(y, x)
        outer.gradient(slope, x)
    boards["nested"] = develop(film)
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.constant(np.mean(x * x)) * 2.0
    boards["escape"] = play(tape, y, x).storyboard
    return boards
