"""Questions before an act: a number, a sign, a card, with wrong choices that misconceptions would
give.

Since a storyboard is data, the answer that a learner with a certain misconception would give can be
computed for any program: the last part instead of the sum, the local derivative without the
adjoint, the other operand, a part without the sum over the stretched axis. Every wrong choice
carries the key of the idea behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

import numpy as np

from minitape.engine.base.aliases import Array
from minitape.storyboard.text.aliases import Board, Data
from minitape.storyboard.text.captions import (
    answer_name,
    node_name,
    plain_name,
    sentence,
    targets_text,
    title_of,
)
from minitape.storyboard.text.summary import number_text, summary

Questions: TypeAlias = bool | int | str | Sequence[int | str] | None  # see `prompts`

MOST = 3  # questions that are asked without being told which
FAN = 4  # parts of which every half-right sum is known
# how far a number may be from the right one: its share, below 1 so much (the page: prompt/judge.js)
NEAR = 0.005
LARGEST = 6  # entries of an array that can still be a choice
QUESTIONS = (
    "'adjoint x', 'part x', 'sign x', 'result x', 'record y' with a name in the picture, 'card'"
)


def prompts(board: Board, wanted: Questions) -> list[Data]:
    """Returns the contract's "prompts".

    `wanted` is True (up to three questions at good places), a number of questions, or one or a list
    of: "x" or "adjoint x" (before the adjoint of x is complete), "part x" (before the first part
    that x receives from a product), "sign x", "result x", "card" (before the second visit), "record
    y" (before y is computed), or a frame number (asks about that act). Names are those in the
    picture. Raises ValueError for a question that cannot be asked of this program.
    """
    if wanted is True or isinstance(wanted, int):
        return _good(board, MOST if wanted is True else wanted)
    result = []
    for question in [wanted] if isinstance(wanted, str) else wanted or ():
        made = _at_frame(board, question) if isinstance(question, int) else _named(board, question)
        if made is None:
            raise ValueError(
                f"predict={question!r} cannot be asked here. Ask for one of {QUESTIONS}, or a "
                "number from 0 to "
                f"{len(board['frames']) - 1}, an act that computes something. Names in the "
                f"picture: {_names(board)}."
            )
        result.append(made)
    return sorted(result, key=lambda prompt: prompt["frame"])


def _names(board: Board) -> str:
    result = [node["label"] for node in board["nodes"] if node["label"]]
    return ", ".join(result[:12]) + (", ..." if len(result) > 12 else "") if result else "none"


def _good(board: Board, most: int) -> list[Data]:
    """Chooses places worth a question: a fan-out, a product, the order of visits, a sign; later
    ones of a kind are left out.
    """
    result, kinds = [], set()
    for k, frame in enumerate(board["frames"]):
        made = _at_frame(board, k)
        kind = f"{frame['act']} {frame.get('key', '')}"
        if (
            made is not None
            and kind not in kinds
            and frame["act"] in ("part", "sum")
            and len(made["choices"]) > 2
        ):
            kinds.add(kind)
            result.append((0 if frame["act"] == "sum" else 1 if "key" in frame else 3, k, made))
    results = (k for k, frame in enumerate(board["frames"]) if frame["act"] == "result")
    first_sign = next(filter(None, (_sign(board, k) for k in results)), None)
    for order, made in ((2, _card(board)), (4, first_sign)):
        if made is not None:
            result.append((order, made["frame"], made))
    chosen: list[Data] = []
    frames: set[int] = set()
    for _, k, made in sorted(result, key=lambda item: item[:2]):
        if k not in frames and len(chosen) < most:
            frames.add(k)
            chosen.append(made)
    return sorted(chosen, key=lambda prompt: prompt["frame"])


def _named(board: Board, question: str) -> Data | None:
    kind, _, name = question.strip().partition(" ")
    if question == "card":
        return _card(board)
    if kind not in ("adjoint", "part", "sign", "result", "record") or not name:
        kind, name = "adjoint", question.strip()
    frames = board["frames"]
    named = {
        index
        for index in range(len(board["nodes"]))
        if name in (node_name(board, index), plain_name(board, index))
    }
    acts = {
        "adjoint": ("sum", "part", "seed"),
        "part": ("part",),
        "sign": ("result",),
        "result": ("result",),
        "record": ("record",),
    }[kind]
    for act in acts:
        for k, frame in enumerate(frames):
            if frame["act"] != act:
                continue
            nodes = board["cards"][frame["card"]]["outputs"] if act == "record" else [frame["node"]]
            if named.intersection(nodes) and (kind != "part" or "key" in frame or len(frames) < 12):
                return _sign(board, k) if kind == "sign" else _at_frame(board, k)
    return None


def _at_frame(board: Board, k: int) -> Data | None:
    """Returns the question that fits the act `k`, or None."""
    if not 0 <= k < len(board["frames"]):
        return None
    frame = board["frames"][k]
    way = {"sum": _sum, "part": _part, "record": _record, "result": _result, "visit": _card_at}.get(
        frame["act"]
    )
    return way(board, k) if way is not None else None


# ---- values that choices are made of


def _array(board: Board, value: int | None) -> Array | None:
    """Returns a small value as an array, or None."""
    if value is None:
        return None
    result = board["values"][value]
    if result.get("number") is not None:
        return np.float64(result["number"])  # type: ignore[return-value]  # an array without axes
    if int(np.prod(result["shape"])) <= LARGEST and "cells" in result:
        return np.array(result["cells"], dtype=np.float64).reshape(result["shape"])
    return None


def _text(array: Array) -> str:
    return number_text(array) if not np.ndim(array) else summary(np.asarray(array))["text"]


def _same(a: Array, b: Array) -> bool:
    return np.shape(a) == np.shape(b) and bool(
        np.allclose(a, b, rtol=2e-3, atol=1e-6, equal_nan=True)
    )


def _prompt(
    board: Board,
    k: int,
    key: str,
    params: Data,
    answer: Array,
    wrong: Sequence[tuple[Array | None, str]],
    right: str,
    half: Sequence[tuple[Array, str, Data]] = (),
) -> Data | None:
    """Puts a question together; wrong choices that happen to equal the answer, or one another, are
    left out.

    `half` are half-right sums: (value, idea, {"given": the parts that are in, "missing": the
    others}).
    """
    choices: list[tuple[Array, str | None]] = [(answer, None)]
    more: dict[str, Data] = {}
    for value, idea, about in (*half, *((value, idea, {}) for value, idea in wrong)):
        if (
            value is not None
            and np.all(np.isfinite(value))
            and not any(_same(value, other) for other, _ in choices)
        ):
            choices.append((value, idea))
            more[_text(value)] = {"params": about} if about else {}
    scalar = not np.ndim(answer)
    if not np.all(np.isfinite(answer)):
        return None
    if scalar:
        if len(choices) < 3 and answer and not any(_same(-answer, other) for other, _ in choices):
            choices.append((-answer, "idea.sign"))
        choices.sort(key=lambda choice: (np.ndim(choice[0]), float(np.ravel(choice[0])[0])))
    else:
        choices.sort(key=lambda choice: _text(choice[0]))
    rows, seen = [], set()
    for value, idea in sorted(choices, key=lambda choice: choice[1] is not None):
        if _text(value) not in seen:
            seen.add(_text(value))
            rows.append({"text": _text(value), "idea": idea, **more.get(_text(value), {})})
    order = [_text(value) for value, _ in choices]
    rows.sort(key=lambda row: order.index(row["text"]))
    return {
        "frame": k,
        "kind": "number" if scalar else "choice",
        "key": key,
        "params": params,
        "answer": float(answer) if scalar else _text(answer),
        "tolerance": NEAR if scalar else 0,
        "choices": rows,
        "right": right,
    }


def _params(board: Board, k: int, node: int | None = None, card: int | None = None) -> Data:
    result = {}
    if node is not None:
        whole = board["frames"][k]["act"] == "result"
        result["node"] = (answer_name if whole else node_name)(board, node)
    if card is not None:
        result.update(card=str(card + 1), op=title_of(board["cards"][card]))
    played = next((p for p in board["passes"] if p["frames"][0] <= k <= p["frames"][1]), None)
    if played is not None:
        result["target"] = targets_text(board, played)
    return result


def _value_of(board: Board, node: int) -> Array | None:
    return _array(board, board["nodes"][node]["value"])


# ---- the questions


def _arrived(board: Board, k: int, node: int) -> list[Array]:
    """Returns the parts that have reached a node in this pass before act k, in order, where they
    are small.
    """
    result = []
    for frame in reversed(board["frames"][:k]):
        if frame["act"] == "seed":
            break
        if frame["act"] == "part" and frame["node"] == node:
            result.append(frame)
    parts = [_array(board, part["value"]) for part in result[::-1]]
    return [part for part in parts if part is not None]


def _sum(board: Board, k: int) -> Data | None:
    frame = board["frames"][k]
    answer, node = _array(board, frame["value"]), frame["node"]
    if answer is None or frame.get("key") == "sum.versions":
        return None
    half = list(_halves(_arrived(board, k, node), np.ndim(answer) == 0))
    wrong = [(_value_of(board, node), "idea.value")]
    return _prompt(
        board, k, "ask.adjoint", _params(board, k, node), answer, wrong, "idea.right.sum", half
    )


def _halves(parts: Sequence[Array], all_of_them: bool) -> Iterator[tuple[Array, str, Data]]:
    """Yields the sums of some of the parts of a fan-out: of the last alone, of the first alone,
    then of any that are few enough.
    """
    last, most = len(parts) - 1, len(parts) if all_of_them and len(parts) <= FAN else 1
    chosen: list[tuple[int, ...]] = [
        (last,),
        (0,),
        *(some for count in range(1, most) for some in combinations(range(len(parts)), count)),
    ]
    for some in dict.fromkeys(chosen) if last > 0 else ():
        idea = (
            "idea.overwritten"
            if some == (last,)
            else "idea.first"
            if some == (0,)
            else "idea.missing"
        )
        said = [
            " + ".join(_text(parts[i]) for i in range(len(parts)) if (i in some) is given)
            for given in (True, False)
        ]
        yield sum(parts[i] for i in some), idea, {"given": said[0], "missing": said[1]}  # type: ignore[misc]


def _part(board: Board, k: int) -> Data | None:
    frame = board["frames"][k]
    card, node = board["cards"][frame["card"]], frame["node"]
    answer, adjoint, local = (
        _array(board, frame.get(name)) for name in ("value", "adjoint", "local")
    )
    if answer is None:
        return None
    wrong, right = [], "idea.right.chain"
    if frame.get("key") == "part.stretched":
        right = "idea.right.broadcast"
        if adjoint is not None and local is not None:
            unsummed = adjoint * local
            wrong += [
                (unsummed.ravel()[0] if not np.ndim(answer) else None, "idea.broadcast"),
                (unsummed, "idea.broadcast"),
            ]
    elif local is not None:
        wrong.append((local, "idea.upstream"))
    if len(card["inputs"]) == 2 and adjoint is not None:
        other = card["inputs"][1 - frame["input"]]
        swapped = next(
            (
                f["value"]
                for f in board["frames"][max(0, k - 2) : k + 2]
                if f["act"] == "part"
                and f["card"] == frame["card"]
                and f["input"] != frame["input"]
            ),
            None,
        )
        if other != node and swapped is not None:
            wrong.append((_array(board, swapped), "idea.swapped"))
        elif (
            other != node and card["op"] == "Mul" and (factor := _value_of(board, node)) is not None
        ):
            wrong.append((adjoint * factor, "idea.swapped"))
    wrong.append((adjoint, "idea.constant" if card["op"] == "Mul" else "idea.upstream_only"))
    wrong.append((_value_of(board, node), "idea.value"))
    if not np.ndim(answer):
        wrong = [
            (value, idea) for value, idea in wrong if not np.ndim(value) or idea == "idea.broadcast"
        ]
    return _prompt(
        board, k, "ask.part", _params(board, k, node, frame["card"]), answer, wrong[:4], right
    )


def _record(board: Board, k: int) -> Data | None:
    card = board["frames"][k]["card"]
    node = board["cards"][card]["outputs"][0]
    answer = _value_of(board, node)
    if answer is None:
        return None
    wrong = [(_value_of(board, other), "idea.operand") for other in board["cards"][card]["inputs"]]
    return _prompt(
        board, k, "ask.record", _params(board, k, node, card), answer, wrong, "idea.right"
    )


def _result(board: Board, k: int) -> Data | None:
    frame = board["frames"][k]
    params = _params(board, k, frame["node"])
    language = board["language"]
    none = sentence(language, "answer.none")
    if frame["value"] is None:
        number = _value_of(board, frame["node"])
        choices = [{"text": none, "idea": None}, {"text": "0.0", "idea": "idea.zero_not_none"}]
        if number is not None and not np.ndim(number) and _text(number) != "0.0":
            choices.append({"text": _text(number), "idea": "idea.value"})
        return {
            "frame": k,
            "kind": "choice",
            "key": "ask.result",
            "params": params,
            "answer": none,
            "tolerance": 0,
            "choices": choices,
            "right": "idea.right.none",
        }
    answer = _array(board, frame["value"])
    if answer is None:
        return None
    wrong, half = (
        [(_value_of(board, frame["node"]), "idea.value")],
        _halves(_arrived(board, k, frame["node"]), False),
    )
    made = _prompt(board, k, "ask.result", params, answer, wrong, "idea.right", list(half))
    if made is not None and made["kind"] == "choice":
        made["choices"].append({"text": none, "idea": "idea.none"})
    return made


def _sign(board: Board, k: int) -> Data | None:
    """Asked before the play begins: the sign of the slope needs no arithmetic."""
    frame = board["frames"][k]
    answer = _array(board, frame["value"])
    if answer is None or np.ndim(answer) or not np.isfinite(answer):
        return None
    played = board["passes"][frame["pass"]]
    if any(
        board["values"][board["nodes"][target]["value"]]["shape"] for target in played["targets"]
    ):
        return None  # "grows" has no meaning for many numbers at once
    right = "answer.grows" if answer > 0 else "answer.shrinks" if answer < 0 else "answer.same"
    idea = {"answer.same": "idea.slope.same"}
    choices = [
        {
            "text": sentence(board["language"], key),
            "idea": None if key == right else idea.get(key, "idea.slope"),
            "sign": way,
        }
        for key, way in (("answer.grows", 1), ("answer.shrinks", -1), ("answer.same", 0))
    ]
    return {
        "frame": played["frames"][0],
        "kind": "sign",
        "key": "ask.sign",
        "params": _params(board, k, frame["node"]),
        "answer": int(np.sign(answer)),
        "tolerance": 0,
        "choices": choices,
        "right": "idea.right.sign",
    }


def _card(board: Board) -> Data | None:
    visits = [k for k, frame in enumerate(board["frames"]) if frame["act"] == "visit"]
    return next(filter(None, (_card_at(board, k) for k in visits[1:])), None)


def _card_at(board: Board, k: int) -> Data | None:
    """Which card is visited next? Asked where at least one other card could be thought of."""
    right, before = board["frames"][k]["card"], set()
    for frame in reversed(board["frames"][:k]):
        if frame["act"] == "seed":
            break
        if frame["act"] == "visit":
            before.add(frame["card"])
    tape = board["cards"][right]["tape"]
    mine = [
        card
        for card in range(len(board["cards"]))
        if board["cards"][card]["tape"] == tape and card not in before
    ]
    wrong = [(card, "idea.recorded_order") for card in mine[:1]]
    wrong += [(card, "idea.skipped") for card in mine if card > right]
    wrong += [(card, "idea.early") for card in reversed(mine) if card < right]
    choices: dict[int, str | None] = {right: None}
    for card, idea in wrong:
        if len(choices) < 4:
            choices.setdefault(card, idea)
    if len(choices) < 2:
        return None
    made = min(before, default=right)
    node = board["cards"][made]["outputs"][0]
    return {
        "frame": k,
        "kind": "card",
        "key": "ask.card",
        "params": _params(board, k, node, right),
        "answer": right,
        "tolerance": 0,
        "choices": [
            {
                "text": sentence(
                    board["language"],
                    "answer.card",
                    {"card": card + 1, "op": title_of(board["cards"][card])},
                ),
                "idea": choices[card],
                "card": card,
            }
            for card in sorted(choices)
        ],
        "right": "idea.right.order",
    }
