"""Storyboards of known programs: equal to the golden files to the byte, and within the contract.

After an intended change: MINITAPE_UPDATE=1 pytest tests/storyboard/test_golden.py, then read the
difference.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import storyboard_contract as contract
import storyboard_programs as programs

from minitape.storyboard import Storyboard

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_golden(name):
    board = programs.storyboard(name)
    contract.check(board)
    if os.environ.get("MINITAPE_UPDATE"):
        (GOLDEN / f"{name}.json").write_text(board.to_json() + "\n", encoding="utf-8")
        (GOLDEN / f"{name}.txt").write_text(board.text(), encoding="utf-8")
    assert board.text() == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert board.to_json() + "\n" == (GOLDEN / f"{name}.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_the_same_program_gives_the_same_bytes(name):
    assert programs.storyboard(name).to_json() == programs.storyboard(name).to_json()


def test_another_process_gives_the_same_bytes():
    code = (
        "import sys, hashlib; sys.path[:0] = [sys.argv[1], sys.argv[2]]; import "
        "storyboard_programs as p; "
        "print(hashlib.sha256(''.join(p.storyboard(n).to_json() + p.storyboard(n).svg() for n in "
        "p.PROGRAMS).encode()).hexdigest())"
    )
    answers = {
        subprocess.run(
            [
                sys.executable,
                "-W",
                "ignore",
                "-c",
                code,
                str(GOLDEN.parent),
                str(GOLDEN.parents[2]),
            ],
            text=True,
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1


@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_json_there_and_back(name):
    board = programs.storyboard(name)
    again = Storyboard.from_json(board.to_json())
    assert (
        again == board
        and again.to_json() == board.to_json()
        and str(again) == str(board)
        and again.svg() == board.svg()
    )


def test_only_storyboards_of_this_version_are_read():
    with pytest.raises(ValueError, match="not a storyboard"):
        Storyboard.from_json("[]")
    with pytest.raises(ValueError, match="version"):
        Storyboard.from_json('{"frames": [], "version": 99}')
    with pytest.raises(ValueError, match="version"):
        Storyboard.from_json('{"frames": [], "version": true}')


@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_gradients_are_those_of_the_tape(name):
    """What the picture shows as result is what the play returned."""
    names = programs.run(name)
    board, shown = names["board"], {}
    for frame in names["board"]["frames"]:
        if frame["act"] == "result":
            value = None if frame["value"] is None else board["values"][frame["value"]]
            shown[board["nodes"][frame["node"]]["label"]] = (
                None if value is None else value.get("number", value.get("cells"))
            )
    expected = {
        "fan_out": {"x": 7.0},
        "none_by_escape": {"x": None},
        "vector_target": {"x": 7.0},
        "jacobian": {"x": [[2.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 6.0]]},
        "nested": {"x": 18.0},
        "persistent_twice": {"x": 6.0},
        "unwatched": {"a": None, "b": None, "c₁": 30.0},
    }.get(name)
    if expected is not None:
        assert shown == expected
