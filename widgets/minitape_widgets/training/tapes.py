"""The kept tapes of a training on their way to the page: a storyboard of each, made once when the
training has ended.

Not while it runs, for that would take its time; not when a cell is clicked, for a stored notebook
and an exported page have nobody to ask. So what a click opens is there before, the same in all
deliveries. It is bounded: in the time that the storyboards take, and in the letters that they add
to the page. Each travels packed, and is unpacked when it is opened. The most telling ones are made
first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minitape import health, storyboard
from minitape.dialects import dialect_of
from minitape.program.files import clock

from ..descent.walks import silently
from .payload import WORDS

SECONDS = 3.0  # of computing that all storyboards may take; the first is made in any case
LETTERS, LARGEST = 900_000, 400_000  # of all of them as they travel, and of one
# a tape of so many operations is shown with so few cells of each array, and its numbers cannot be
# held
MANY, FEW_CELLS = 80, 8
READ = "ReadVariableOp"


def tapes(seen: health.Watch, packed: Callable[[dict[str, Any]], dict[str, str]]) -> dict[str, Any]:
    """Returns {"tapes": [...], "note": what is to be said of tapes that are not among them, "" for
    nothing} for the payload.

    Of each tape: `step`; `cards`, for each layer the card that gives its output, None where it is
    not on this tape; `bad`, the card of the first bad number, or None; `trace`, what the player
    takes, `packed` as {"deflate": text}.
    """
    made: dict[int, dict[str, Any]] = {}
    room, began = LETTERS, clock()
    for step in in_order(seen):
        if made and clock() - began > SECONDS:
            break
        row = made_of(seen, seen.tape(step), packed)
        size = len(row["trace"]["deflate"]) if row else 0
        if row is None or size > min(room, LARGEST):
            continue
        made[step], room = row, room - size
    return {"tapes": [made[step] for step in sorted(made)], "note": note(seen, len(made))}


def note(seen: health.Watch, made: int) -> str:
    """Returns the sentence about tapes that cannot be opened, "" where all can that were kept."""
    kept, too_large = len(seen.kept), seen.tapes.too_large
    if made == kept and (kept or not too_large):
        return ""
    key = "tapes.some" if made else "tapes.large" if kept else "tapes.memory"
    about = {"made": made, "kept": kept, "size": too_large >> 20}
    recording = dialect_of(seen.history.library).recording
    return WORDS.say(f"{key}.{recording}", about, seen.language)


def in_order(seen: health.Watch) -> list[int]:
    """Returns the kept steps, the most telling first: of the first bad number, where findings
    begin, the last, the first; then those that are farthest from all before.
    """
    rest, bad = list(seen.kept), seen.history.bad
    telling = [bad["step"]] if bad else []
    telling += (
        [finding.step for finding in seen.findings if finding.step is not None]
        + seen.kept[-1:]
        + seen.kept[:1]
    )
    order: list[int] = []
    for step in telling if rest else ():
        one = min((abs(other - step), other) for other in seen.kept)[1]
        if one in rest:
            rest.remove(one)
            order.append(one)
    while rest:
        one = max(rest, key=lambda step: min(abs(step - other) for other in order))
        rest.remove(one)
        order.append(one)
    return order


def made_of(
    seen: health.Watch, tape: Any, packed: Callable[[dict[str, Any]], dict[str, str]]
) -> dict[str, Any] | None:
    """Returns what travels of one tape, None where no picture of it can be made."""
    ops, bad = [entry.op for entry in tape.entries], seen.history.bad
    settings: dict[str, Any] = {"max_cells": FEW_CELLS} if len(ops) > MANY else {}
    try:
        with silently():
            board = storyboard.build(
                tape.once(),
                tape.target,
                tape.sources,
                output_gradients=tape.output_gradients,
                language=seen.language,
                **settings,
            )
    except Exception:  # a training must not end by its picture
        return None
    if settings:
        board["replay"] = None
    cards = [card_of(ops, tape.layers.get(key)) for key in seen.history.layers]
    return {
        "step": tape.step,
        "cards": cards,
        "bad": card_of(ops, bad["index"]) if bad and bad["step"] == tape.step else None,
        "trace": packed({"storyboard": dict(board)}),
    }


def card_of(ops: Sequence[str], entry: int | None) -> int | None:
    """Returns the number of the card of an entry: readings of variables have none, so theirs is the
    card that follows.
    """
    if entry is None or all(op == READ for op in ops):
        return None
    cards = len(ops) - ops.count(READ)
    return min(cards - 1, entry - ops[:entry].count(READ))
