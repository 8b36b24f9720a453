"""A play beside its program: the code pane shows the lines of `f.source()`, and each act stands on
its line there.

A `tf.function` with a tape inside is run once as Python. A film looks on at its tape, and the
recorder of `tf.function` writes the same run down as a program: so the two know the same values by
the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Unpack

from minitape.api.function import Function
from minitape.compile.lines import Lines, traced
from minitape.storyboard.board import Storyboard
from minitape.storyboard.build import develop
from minitape.storyboard.film.film import Film
from minitape.storyboard.options import PictureOptions
from minitape.storyboard.text.aliases import Data
from minitape.storyboard.text.printed import PLAYING


def as_program(
    function: Function[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    **options: Unpack[PictureOptions],
) -> Storyboard:
    """Returns the storyboard of one call of a `tf.function` that plays a tape, with its program in
    the place of the learner's code.

    `options` are those of a `Picture`. Variables keep their values. Raises TypeError for what is no
    `tf.function`, ValueError where no tape is played inside of it, and what the function raises.
    """
    if not isinstance(function, Function):
        raise TypeError(
            f"This shows the program of a tf.function, not {type(function).__name__}. Write "
            "@tf.function above the function."
        )
    with Film() as film:
        lines = traced(function, args, kwargs)
    if not film.played:
        raise ValueError(
            f"{function.__name__} plays no tape, so there is no way back to show. Put the tape "
            "and tape.gradient(...) "
            f"inside of the function; {function.__name__}.source() shows the way forward."
        )
    board = develop(film, **options)
    anchor(board, lines, [play.number for play in film.played])
    board["sources"] = [
        {"name": f"{function.__name__}.source()", "text": lines.text, "lines": None}
    ]
    return board


def anchor(board: Storyboard, lines: Lines, plays: Sequence[int]) -> None:
    """Lets cards and acts point at their lines in the program; `plays` are the numbers of the
    passes.
    """
    text = lines.text.split("\n")
    outputs = [
        tuple(number for node in card["outputs"] for number in board.numbers[node])
        for card in board["cards"]
    ]
    for card, numbers in zip(board["cards"], outputs):
        card["where"] = span(text, lines.making(numbers[0]))
        card["back"] = span(
            text, next((place for play in plays if (place := lines.back(play, numbers))), [])
        )
    for node in board["nodes"]:
        node["where"] = None if node["card"] is None else board["cards"][node["card"]]["where"]
    for note in board["notes"]:
        note["where"] = None  # they speak of the learner's own lines
    for k, frame in enumerate(board["frames"]):
        if frame["act"] in PLAYING:
            of_play = plays[
                max(
                    number
                    for number, played in enumerate(board["passes"])
                    if played["frames"][0] <= k
                )
            ]
            place = _places(frame, of_play, lines, outputs, board.numbers)
            frame["where"] = span(text, next((place for place in place if place), []))


def _places(
    frame: Data,
    play: int,
    lines: Lines,
    outputs: Sequence[tuple[int, ...]],
    numbers: Mapping[int, Sequence[Any]],
) -> Iterator[list[int]]:
    """Yields the lines of an act, the nearest first: where a step costs no line, the line of the
    number that it hands on.
    """
    if frame["act"] in ("visit", "part"):
        made = outputs[frame["card"]]
        yield (
            lines.back(play, made)
            if frame["act"] == "visit"
            else lines.part(play, made, frame["input"])
        )
        yield lines.adjoint(play, made[0])
    elif frame["act"] in ("sum", "result"):
        for number in numbers.get(frame["node"], ()):
            yield lines.adjoint(play, number)


def span(text: Sequence[str], lines: Sequence[int]) -> list[int] | None:
    """Returns the contract's span of the last lines that follow on one another, or None for none."""
    if not lines:
        return None
    last = first = max(lines)
    while first - 1 in lines:
        first -= 1
    return [
        0,
        first,
        len(text[first - 1]) - len(text[first - 1].lstrip()),
        last,
        len(text[last - 1]),
    ]
