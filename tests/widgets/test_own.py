"""The player on a tape that somebody has written."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from minitape.exercises import exercise
from minitape_widgets import TRACE, Player, play_own

ROOT = Path(__file__).resolve().parents[2]
PATH = os.pathsep.join([str(ROOT), str(ROOT / "widgets")])
WIDGET = "application/vnd.jupyter.widget-view+json"
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


def answered():
    found = exercise("07.root")
    no_square = found.solution_code.replace("(w * w - a) ** 2", "w * w - a")
    return found.try_out(found.defined(no_square))


def test_the_player_of_a_check_waits_behind_a_button_and_elsewhere_a_sentence_stands():
    outcome, shown = answered(), []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("minitape_widgets.offer.display", lambda one, **_: shown.append(one))
        outcome._ipython_display_()
    box, player = shown
    assert "_.play()" not in box["text/html"] + box["text/plain"] and "Not yet." in box["text/html"]
    assert "_.play()" in repr(outcome) + outcome._repr_html_(), "where nothing is displayed"
    assert player.trace["options"]["closed"] and "closed" not in outcome.play().trace["options"]
    bundle = player._repr_mimebundle_()
    assert set(bundle) == {WIDGET, TRACE, "text/html", "text/plain"}, "no picture that tells"
    assert "<code>_.play()</code>" in bundle["text/html"]


@pytest.mark.parametrize("board", [None, lambda: 1 / 0, lambda: iter_for_ever()])
def test_without_a_player_to_be_had_soon_the_box_alone_is_shown(board, monkeypatch):
    monkeypatch.setattr("minitape_widgets.offer.SOON", 0.2)
    with pytest.raises(NotImplementedError):  # IPython then shows it as any object
        replace(answered(), board=board)._ipython_display_()


def iter_for_ever():
    while True:
        pass


def test_what_cannot_be_meant_costs_nothing_but_a_sentence():
    with pytest.raises(ValueError, match="is no act"):
        play_own(ENTRIES, start="middle")
    with pytest.raises(ValueError, match="The tape is empty"):
        play_own([])
