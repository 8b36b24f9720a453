"""What a lesson says at a moment: the teacher's own words, which stand in the act that they speak
of, under its own sentence.

A moment has a name that a teacher can write without counting: an act, with what it is about where
that is not plain ("sum x", "visit card 2", "record line 4"). Which names fit is found in the
storyboard itself, so it needs no table beside the acts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from minitape.sentences import LANGUAGES
from minitape.storyboard.text.aliases import Board, Data
from minitape.storyboard.text.captions import node_name, plain_name, with_times

SEVERAL = 8  # names that an error lists


def check_asides(say: Any) -> None:
    """Raises TypeError or ValueError where `say` cannot be meant; whether its moments are in the
    play is seen later.
    """
    if not isinstance(say, Mapping):
        raise TypeError(
            f'say is a dictionary of moments and texts, as in say={{"sum x": "Three parts meet '
            f'here."}}, not {say!r}.'
        )
    for moment, text in say.items():
        if isinstance(moment, bool) or not isinstance(moment, int | str):
            raise TypeError(
                f'say: a moment is a text or a number of acts, as in "sum x" or 4, not {moment!r}.'
            )
        texts = text if isinstance(text, Mapping) and text else {LANGUAGES[0]: text}
        for language, one in texts.items():
            if language not in LANGUAGES:
                raise ValueError(
                    f"say[{moment!r}]: there is no language {language!r}; the languages are "
                    f"{', '.join(LANGUAGES)}."
                )
            if not isinstance(one, str) or not one.strip():
                raise TypeError(
                    f"say[{moment!r}] is a text, or a dictionary of languages and texts, not "
                    f"{text!r}."
                )


def asides(board: Board, say: Mapping[int | str, str | Mapping[str, str]]) -> list[Data]:
    """Returns the contract's "asides" for {moment: text}, in the order of the play. A text may be
    {language: text}.

    A moment is "start", "play" (the recording is done), "end"; a number of acts, as the player
    counts them, negative from the end; an act ("seed", "sum"); what it is about (a name in the
    picture, "card 2", "line 4"); or both ("part x", "visit card 2"). Of several the first is meant;
    "part x 2" is the second. Raises ValueError, which lists what fits, for a moment that is not
    there.
    """
    check_asides(say)
    result = [
        {
            "frame": _moment(board, moment),
            "text": dict(text) if isinstance(text, Mapping) else {board["language"]: text},
        }
        for moment, text in say.items()
    ]
    return sorted(result, key=lambda aside: aside["frame"])


def said_at(board: Data, k: int) -> list[str]:
    """Returns what is said beside the sentence after k acts, in the language of the storyboard
    where it is said in that.
    """
    texts = [aside["text"] for aside in board.get("asides") or () if aside["frame"] == k]
    return [text.get(board["language"]) or next(iter(text.values())) for text in texts]


def _moment(board: Board, moment: int | str) -> int:
    total = len(board["frames"])
    if isinstance(moment, int):
        k = moment if moment >= 0 else total + 1 + moment
        if 0 <= k <= total:
            return k
    else:
        words = with_times(" ".join(moment.split()))
        ends = {
            "start": 0,
            "end": total,
            "play": next(_acts(board, lambda frame: frame["act"] == "seed"), total + 1) - 1,
        }
        if words in ends:
            return ends[words]
        result = _named(board, words)
        if result is not None:
            return result
    raise ValueError(f"say: there is no moment {moment!r} in this play. {_what_fits(board)}")


def _named(board: Board, words: str) -> int | None:
    """The first act that a text may mean, or, where it ends in a number that is no part of a name,
    that one of them.
    """
    many = re.fullmatch(r"(.+) ([1-9]\d*)", words)
    for name, count in ((words, 1), (many[1], int(many[2])) if many else ("", 0)):
        act, _, about = name.partition(" ")
        for fits in (_fits(board, None, name), _fits(board, act, about)):
            result = list(_acts(board, fits))
            if result and count:
                return result[count - 1] if count <= len(result) else None
    return None


def _acts(board: Board, fits: Callable[[Data], bool]) -> Iterator[int]:
    return (k for k, frame in enumerate(board["frames"], 1) if fits(frame))


def _fits(board: Board, act: str | None, about: str) -> Callable[[Data], bool]:
    """Returns a function that says whether a frame is of this act, or of any, and about this; ""
    stands for anything.
    """
    numbered = re.fullmatch(r"(card|line) (\d+)", about)

    def fits(frame: Data) -> bool:
        if act is None and frame["act"] == about:
            return True
        if act is not None and frame["act"] != act:
            return False
        if numbered and numbered[1] == "card":
            return frame.get("card") == int(numbered[2]) - 1
        if numbered:
            where = _where(board, frame)
            return where is not None and where[1] <= int(numbered[2]) <= where[3]
        named = about in _names(board, frame) or about in _names(board, frame, plain_name)
        return named or act is not None and not about

    return fits


def _names(board: Board, frame: Data, called: Callable[[Board, int], str] = node_name) -> list[str]:
    nodes = [] if frame.get("node") is None else [frame["node"]]
    if frame["act"] in ("record", "visit"):
        nodes += board["cards"][frame["card"]]["outputs"]
    return [called(board, node) for node in nodes]


def _where(board: Board, frame: Data) -> list[int] | None:
    """Where the act stands in the program."""
    for table, name in (("cards", "card"), ("notes", "note"), ("nodes", "node")):
        if frame.get(name) is not None:
            where: list[int] | None = board[table][frame[name]]["where"]
            return where
    return None


def _what_fits(board: Board) -> str:
    frames = board["frames"]
    if not frames:
        return 'Nothing happens in it: only "start" is there.'
    names = list(dict.fromkeys(name for frame in frames for name in _names(board, frame)))
    more = ", ..." if len(names) > SEVERAL else ""
    lines = sorted({where[1] for frame in frames if (where := _where(board, frame))})
    fits = [
        f'Write "start", "play", "end", a number of acts from 0 to {len(frames)}, or an act, '
        "what it is about, or both, as in "
        f'"{frames[0]["act"]}" or "{frames[0]["act"]} card 1".',
        f"Acts: {', '.join(dict.fromkeys(frame['act'] for frame in frames))}.",
        f"Names: {', '.join(names[:SEVERAL])}{more}." if names else "",
        f"Cards: 1 to {len(board['cards'])}." if board["cards"] else "",
        f"Lines: {', '.join(f'line {line}' for line in lines[:SEVERAL])}." if lines else "",
    ]
    return " ".join(filter(None, fits))
