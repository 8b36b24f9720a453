"""The sentences. A frame is a handful of numbers; what it says is written once per language, in a
catalogue.

`caption(board, k)` is what a learner reads after k acts: in the player, in a screen reader's live
region and in the printed text alike. The player does the same in JavaScript; a test holds the two
equal. The rule for both:

* key: the frame's "key"; else for "note" and "skip" the note's key; for "cut" "cut.<why>"; for
  "result" without a value "result.none"; for "release" of a tape without a name "release.unnamed";
  else the frame's act.
* of what is no tape but PyTorch's graph, a key with ".graph" at its end comes first.
* parameters: those of `parameters` below, then the note's own "params".
"""

from __future__ import annotations

import re

from minitape.sentences import Catalogue
from minitape.storyboard.text.aliases import Board, Data
from minitape.storyboard.text.summary import sentence_text, short_text

catalogue = Catalogue("minitape.storyboard")
_TIMES = re.compile(r"(?<=[\w.)\]])( ?)\*(?!\*)(?= ?[\w.(\[-])")


def sentence(language: str, key: str, params: Data | None = None, recording: str = "tape") -> str:
    """Returns the sentence of `key` with {name} replaced by params[name]; an unknown name stays an
    empty text. `recording`: what the library records, in its dialect's word.
    """
    pattern = catalogue.pattern(f"{key}.{recording}", language)
    forms = catalogue.recording(recording, pattern, language)
    return catalogue.filled(pattern, {**forms, **(params or {})}, language)


def board_sentence(board: Board, key: str, params: Data | None = None) -> str:
    """Returns the sentence of `key` in the language of a storyboard, and in the words of its
    library.
    """
    return sentence(board["language"], key, params, board.get("recording") or "tape")


def with_times(expression: str) -> str:
    """Returns a learner's expression as a picture says it, where "times" has one sign: `x * x` is x
    × x.
    """
    return _TIMES.sub(r"\1×", expression)


def node_name(board: Data, index: int) -> str:
    """Returns what a node is called in a sentence: the learner's name, else its text."""
    node = board["nodes"][index]
    return node["label"] or node["text"]


def plain_name(board: Data, index: int) -> str:
    """Returns what the learner calls a node: y, where several have that name and it is y₂."""
    return node_name(board, index).rstrip("₀₁₂₃₄₅₆₇₈₉")


def answer_name(board: Data, index: int) -> str:
    """Returns what the source of an answer is called: without its number where the answer is that
    of all versions of a variable.
    """
    name, plain = node_name(board, index), plain_name(board, index)
    if plain == name or not any(
        frame.get("key") == "sum.versions" and frame["node"] == index for frame in board["frames"]
    ):
        return name
    return plain


def title_of(card: Data) -> str:
    """Returns what learners know the operation of a card by."""
    return card.get("called") or card["op"]


def targets_text(board: Board, played: Data) -> str:
    """Returns what the targets of a pass are called."""
    return ", ".join(node_name(board, target) for target in played["targets"])


def answer_text(board: Board, frame: Data) -> tuple[str, str]:
    """Returns what a result is called, d y / d x, and its text, which is short."""
    targets = targets_text(board, board["passes"][frame["pass"]])
    name = f"d {targets} / d {answer_name(board, frame['node'])}"
    value = frame["value"]
    return name, "None" if value is None else board["values"][value]["text"]


def value_text(board: Board, index: int | None) -> str:
    """Returns the text of a value in a sentence; None stands for no gradient."""
    return "None" if index is None else sentence_text(board["values"][index])


def value_short(board: Board, index: int | None) -> str:
    """Returns the text of a value for a small place: its numbers, or the shape of an array."""
    return "None" if index is None else short_text(board["values"][index])


def key_of(board: Board, frame: Data) -> str:
    """Returns the message key of a frame."""
    act = frame["act"]
    if frame.get("key") is not None:
        return frame["key"]
    if act in ("note", "skip"):
        return board["notes"][frame["note"]]["key"]
    if act == "cut":
        return f"cut.{frame['why']}"
    if act == "result" and frame["value"] is None:
        return "result.none"
    if act == "release" and not board["tapes"][frame["tape"]]["name"]:
        return "release.unnamed"
    if act == "chapter" and board["chapters"][frame["chapter"]]["loss"] is not None:
        return "chapter.loss"
    return act


def parameters(board: Board, frame: Data) -> Data:
    """Returns the texts that a sentence about a frame may use, resolved from the frame's indices."""
    result: Data = {}
    card = board["cards"][frame["card"]] if frame.get("card") is not None else None
    if card is not None:
        made = card["outputs"]
        result.update(
            card=frame["card"] + 1,
            op=title_of(card),
            sign=card.get("sign"),
            output=node_name(board, made[0]) if made else "",
            outputs=", ".join(node_name(board, node) for node in made),
        )
        if made and frame["act"] == "record":
            result["value"] = value_text(board, board["nodes"][made[0]]["value"])
        if frame.get("input") is not None:
            result["formula"] = card["formula"][frame["input"]] or ""
    if frame.get("note") is not None:
        result.update(board["notes"][frame["note"]]["params"])
    if frame.get("node") is not None:
        whole = frame["act"] == "result" or frame.get("key") == "sum.versions"
        result["node"] = (answer_name if whole else node_name)(board, frame["node"])
    for name in ("value", "local", "adjoint"):
        if name in frame:
            result[name] = value_text(board, frame[name])
    if frame.get("use") is not None:  # of several: the first x, the second x
        result["use"] = board_sentence(board, f"use.{frame['use']}", {"count": frame["use"]})
    if frame.get("count") is not None:
        result["count"] = frame["count"]
    if frame.get("row") is not None:
        result["row"] = "[" + ", ".join(map(str, frame["row"])) + "]"
    if frame.get("tape") is not None:
        result["tape"] = board["tapes"][frame["tape"]]["name"]
    if frame.get("pass") is not None:
        result["target"] = targets_text(board, board["passes"][frame["pass"]])
    if frame.get("chapter") is not None:
        chapter = board["chapters"][frame["chapter"]]
        result.update(title=chapter["title"], loss=value_text(board, chapter["loss"]))
    # an explanation among the notes knows better
    if frame.get("why") is not None and not result.get("why"):
        result["why"] = board_sentence(board, f"why.{frame['why']}", result)
    return result


def caption(board: Board, k: int) -> str:
    """Returns the sentence that is read after k acts; k = 0 is the empty stage."""
    if k == 0:
        return board_sentence(board, "start" if board["frames"] else "start.empty")
    frame = board["frames"][k - 1]
    return board_sentence(board, key_of(board, frame), parameters(board, frame))
