"""The whole storyboard as text: for a terminal, a screen reader, a diff, and for tests.

Every act is one line with the sentence that the player shows for it, so the text says everything
that the picture shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from minitape.storyboard.text.aliases import Board, Data
from minitape.storyboard.text.asides import said_at
from minitape.storyboard.text.captions import (
    answer_text,
    board_sentence,
    caption,
    value_text,
)

PLAYING = ("seed", "visit", "part", "sum", "cut", "result", "row")


def render(board: Board, limit: int | None = 400) -> str:
    """Returns the text of a storyboard; at most `limit` acts are written out, all of them for None."""
    parts = [
        _heading(board["title"], "=") if board["title"] else [],
        *_code(board),
        _tapes(board),
        _acts(board, limit),
        _gradients(board),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _say(board: Board, key: str, **params: Any) -> str:
    return board_sentence(board, key, params)


def _heading(text: str, line: str = "-") -> list[str]:
    return [text, line * len(text)]


def _code(board: Board) -> Iterator[list[str]]:
    for source in board["sources"]:
        if not source["text"].strip():
            continue
        lines = source["text"].rstrip().split("\n")
        above = (source.get("first") or 1) - 1  # lines of the file that are not shown
        width, begins = (
            len(str(above + len(lines))),
            next(number for number, line in enumerate(lines, 1) if line.strip()),
        )
        executed = source["lines"]
        part = _heading(_say(board, "text.code", name=source["name"]))
        for number, line in enumerate(lines[begins - 1 :], begins):
            took_part = executed is None or any(first <= number <= last for first, last in executed)
            part.append(f"{above + number:>{width}} {'|' if took_part else ':'} {line}".rstrip())
        yield part


def _tapes(board: Board) -> list[str]:
    """One line per tape; the tapes of a loop, which share a name, share a line."""
    totals = {(tape["name"], tape["persistent"]): [0, 0] for tape in board["tapes"]}
    for card in board["cards"]:
        tape = board["tapes"][card["tape"]]
        total = totals[tape["name"], tape["persistent"]]
        total[0] += 1
        total[1] += card["bytes"]
    return [
        _say(
            board,
            f"text.tape{'' if name else '.unnamed'}{'.persistent' if persistent else ''}",
            tape=name,
            count=count,
            bytes=held,
        )
        for (name, persistent), (count, held) in totals.items()
    ]


def _acts(board: Board, limit: int | None) -> list[str]:
    frames = board["frames"]
    begins = [f"> {said}" for said in said_at(board, 0)]
    if not frames:
        return [caption(board, 0), *begins]
    shown = len(frames) if limit is None else min(limit, len(frames))
    width, lines, section = len(str(len(frames))), begins, None
    for k in range(1, shown + 1):
        frame = frames[k - 1]
        now = "text.playing" if frame["act"] in PLAYING else "text.recording"
        if frame.get("pass") is not None and board["passes"][frame["pass"]]["kind"] == "jacobian":
            now = "text.jacobian"
        elif (
            now == "text.playing"
            and section == "text.jacobian"
            and frame["act"] not in ("seed", "result")
        ):
            now = section
        if now != section and frame["act"] not in ("release", "chapter"):
            section = now
            lines += ([""] if lines else []) + _heading(_say(board, section))
        indent = "  " if frame["act"] in ("part", "sum", "cut") else ""
        place = _place(board, frame)
        lines.append(f"{k:>{width}}. {indent}{caption(board, k)}{f'   [{place}]' if place else ''}")
        lines += [f"{'':>{width}}  > {said}" for said in said_at(board, k)]
        lines += [f"{'':>{width}}  ? {question}" for question in _questions(board, k)]
    if shown < len(frames):
        lines.append(_say(board, "text.more", count=len(frames) - shown))
    return lines


def _place(board: Board, frame: Data) -> str:
    """Where in the code an act of recording stands: its line, and the expression where it is short."""
    if "where" in frame:
        where = frame["where"]
    elif frame["act"] == "record":
        where = board["cards"][frame["card"]]["where"]
    elif frame["act"] in ("note", "skip"):
        where = board["notes"][frame["note"]]["where"]
    else:
        return ""
    if where is None:
        return ""
    source, line, column, end_line, end_column = where
    text = board["sources"][source]["text"].split("\n")[line - 1]
    piece = text[column:end_column] if line == end_line else text[column:] + " …"
    place = _say(board, "text.line", line=(board["sources"][source].get("first") or 1) - 1 + line)
    if len(board["sources"]) > 1:
        place = f"{board['sources'][source]['name']}, {place}"
    return f"{place}: {piece}" if len(piece) <= 60 else place


def _questions(board: Board, k: int) -> Iterator[str]:
    for prompt in board["prompts"]:
        if prompt["frame"] == k:
            choices = " / ".join(
                choice["text"]
                for choice in prompt["choices"]
                if choice.get("idea") != "idea.missing"
            )
            text = board_sentence(board, prompt["key"], prompt["params"])
            yield f"{text} [{choices}]" if choices else text


def _gradients(board: Board) -> list[str]:
    lines: dict[str, list[str]] = {"gradient": [], "jacobian": []}
    for frame in board["frames"]:
        if frame["act"] == "result":
            kind = board["passes"][frame["pass"]]["kind"]
            lines[kind].append(
                f"{answer_text(board, frame)[0]} = {value_text(board, frame['value'])}"
            )
    return [
        line
        for kind, members in lines.items()
        if members
        for line in (*_heading(_say(board, f"text.{kind}s")), *members, "")
    ][:-1]
