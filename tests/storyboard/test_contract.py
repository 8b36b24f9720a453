"""Storyboards from a file: refused with a ValueError that names the place, or told and drawn
without an error.
"""

import json

import mutated
import pytest
import storyboard_programs as programs

from minitape.storyboard import Storyboard
from minitape.storyboard.contract import fault
from minitape_widgets import load


@pytest.fixture(scope="module")
def boards():
    return {name: dict(programs.storyboard(name)) for name in programs.PROGRAMS}


def test_what_minitape_builds_keeps_the_contract(boards):
    assert {name: fault(board) for name, board in boards.items()} == dict.fromkeys(boards, "")


@pytest.mark.parametrize(
    "place, value, named",
    [
        (("nodes", 1, "value"), 99, "nodes[1]"),
        (("cards", 0, "inputs"), [0, -1], "cards[0]"),
        (("frames", 0, "card"), None, "frames[0]"),
        (("values", 0, "cells"), [[0.0] * 17], "values[0]"),
        (("values", 0, "shape"), [10**9, 10**9], "values[0]"),
        (("values", 0, "shape"), [4, 4], "values[0]"),
        (("frames",), [], "passes[0].frames[0]"),
        (("drawings",), [], "drawings"),
        (("passes", 0, "frames"), [0, 10**9], "passes[0]"),
        (("chapters",), [{"title": "", "frame": 99}], "chapters[0]"),
        (("cards", 0, "where"), [0, 1, 0, 99, 0], "cards[0].where"),
        (("cards", 0, "back"), [0, 1, 0, 99, 0], "cards[0].back"),
        (("cards", 0, "back"), [9, 1, 0, 1, 1], "cards[0]"),
        (("frames", 0, "where"), [0, 0, 0, 1, 1], "frames[0].where"),
        (("frames", 0, "where"), "line 1", "frames[0]"),
        (("cards", 0, "formula"), [], "cards[0]"),
        (("edges", 0, "input"), 7, "edges[0]"),
        (("drawings", 0, "width"), float("inf"), "drawings[0]"),
        (("drawings", 0, "others", 0, "boxes"), [[0, 0, 1, 1]], "drawings[0]"),
        (("drawings", 0, "others", 0, "lines"), [], "drawings[0]"),
        (("drawings", 0, "others", 0, "lines", 0), [[0, 0]] * 5, "drawings[0]"),
        (("title",), "x" * 30_000, "title"),
    ],
)
def test_the_place_is_named(boards, place, value, named):
    board = json.loads(json.dumps(boards["running_example"]))
    *above, last = place
    inner = board
    for key in above:
        inner = inner[key]
    inner[last] = value
    with pytest.raises(ValueError, match=f"damaged at {named}".replace("[", r"\[")):
        Storyboard.from_json(json.dumps(board))


def test_a_recording_has_frames(boards):
    assert (
        fault({**boards["running_example"], "frames": [], "passes": [], "prompts": []}) == "frames"
    )


def test_groups_in_a_circle(boards):
    board = json.loads(json.dumps(boards["fan_out"]))
    board["groups"] = [
        {"label": "g", "kind": "loop", "parent": k, "cards": [0, 1], "nodes": []} for k in (1, 0)
    ]
    assert fault(board) == "groups[0]"


@pytest.mark.parametrize("c", [0, -1])
def test_a_tape_in_a_circle(boards, c):
    board = json.loads(json.dumps(boards["fan_out"]))
    # made later, or by the card itself
    board["cards"][c]["inputs"][0] = board["cards"][-1]["outputs"][0]
    assert fault(board) == f"cards[{c % len(board['cards'])}]"


def test_a_text_that_is_nested_too_deeply():
    with pytest.raises(ValueError, match="nested too deeply"):
        Storyboard.from_json("[" * 100_000)
    with pytest.raises(ValueError, match="not a player that was saved"):
        load('{"a":' * 100_000)


def test_null_is_as_left_out(boards):
    """A field that may be missing may be null as well: pictures and texts are the same."""
    for board in boards.values():
        described = json.loads(json.dumps(board))
        for frame in described["frames"]:
            for field in {
                "input",
                "key",
                "use",
                "count",
                "row",
                "tape",
                "pass",
                "chapter",
                "why",
                "edge",
            } - set(frame):
                frame[field] = None
        for drawing in described["drawings"]:
            for line in drawing["edges"]:
                if isinstance(line, dict):
                    line.setdefault("also", None)
        described.setdefault("asides", None)
        read, first = (
            Storyboard.from_json(json.dumps(described)),
            Storyboard.from_json(json.dumps(board)),
        )
        assert read.text() == first.text() and read.svg() == first.svg()


@pytest.mark.parametrize("many", [300, pytest.param(5000, marks=pytest.mark.long)])
def test_mutated_storyboards(boards, many):
    described, wrong = 0, []
    for k, trace in enumerate(
        mutated.mutated([{"storyboard": board} for board in boards.values()], many)
    ):
        try:
            player = load(json.dumps(trace))
        except ValueError as error:
            if not str(error).startswith(("This storyboard", "This JSON")):
                wrong.append(f"trace {k} is refused with: {error}")
            continue
        described += 1
        board = player.storyboard
        try:
            board.text(), board.svg(), player.link, repr(player)
            for moment in range(len(board["frames"]) + 1):
                board.caption(moment)
        except Exception as error:
            wrong.append(f"trace {k}: {type(error).__name__}: {error}")
    assert not wrong, f"{len(wrong)} of {many}\n" + "\n".join(wrong[:20])
    assert many / 20 < described < many * 0.9
