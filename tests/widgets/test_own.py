"""The player on a tape that somebody has written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from minitape.exercises import exercise
from minitape_widgets import Player, play_own

ROOT = Path(__file__).resolve().parents[2]
PATH = os.pathsep.join([str(ROOT), str(ROOT / "widgets")])
ENTRIES = [("*", (1, 1), 2, (3.0, 3.0, 9.0))]


def test_it_opens_where_the_tape_leaves_the_right_way():
    player = play_own(
        ENTRIES,
        [(0, 1.0, {0: 3.0, 1: -3.0})],
        {1: 0.0},
        names={1: "x", 2: "y"},
        start="departure",
        title="mine",
    )
    assert isinstance(player, Player) and player.storyboard.departure.key == "sign"
    assert player.trace["options"][
        "start"
    ] == player.storyboard.departure_frame == 5 and player.trace["options"]["hide"] == ["code"]
    assert (
        "the sign is wrong" in player.text()
        and player.heading() == "mine"
        and player.gradients == {1: 0.0}
    )


def test_a_right_tape_opens_at_its_beginning():
    player = play_own(
        ENTRIES,
        [(0, 1.0, {0: 3.0, 1: 3.0})],
        {1: 6.0},
        names={1: "x", 2: "y"},
        start="departure",
        language="fr",
    )
    assert player.storyboard.departure is None and player.trace["options"]["start"] == 0
    assert "Le gradient de y par rapport à x est 6.0." in player.text()


def test_a_tape_that_a_check_looked_at_has_no_empty_pane_for_code():
    """The empty pane took the room of the Inspector."""
    for identity, hidden in (("14.numbers", ["code"]), ("12.softplus", [])):
        found = exercise(identity)
        player = found.try_out(found.defined(found.solution_code)).play()
        assert player.trace["options"]["hide"] == hidden


def test_a_check_has_a_player_where_a_lesson_has_loaded_no_magic():
    """Half of the lessons import `ask` and `play`, and no more; the check says to write `_.play()`."""
    code = """from minitape.exercises import exercise
from minitape.exercises.program import run
from minitape_widgets import ask
found = exercise("12.softplus")
print(type(found.try_out(run(found.solution_code)[found.name]).play()).__name__)
"""
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": PATH},
    )
    assert found.stdout == "Player\n"


def test_what_cannot_be_meant_costs_nothing_but_a_sentence():
    with pytest.raises(ValueError, match="is no act"):
        play_own(ENTRIES, start="middle")
    with pytest.raises(ValueError, match="The tape is empty"):
        play_own([])
