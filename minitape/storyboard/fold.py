"""Folding: what belongs together on a long tape.

Two things make a tape long: layers, and loops. Cards made by one call of a layer are a group. Cards made at the same place in
the code, again and again, are the rounds of a loop. What is still too long after that is cut into runs of equal length, so that
no drawing ever holds more than a few dozen boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minitape.storyboard.aliases import Row, Say

FOLD_FROM = 40            # a tape with more cards than this is folded
FOLD_LAYERS_FROM = 16     # a model with layers already from here on
MOST = 32                 # boxes in one drawing, besides leaves
ROUND = 20                # cards; shorter rounds are put together until they are about this long


class Groups:
    """The groups of a storyboard, made from outer to inner. `of_card` is the innermost group of each card."""

    rows: list[Row]
    of_card: list[int | None]
    rounds: dict[int, tuple[str, int, int]]

    def __init__(self, count: int, say: Say) -> None:
        self.rows, self.of_card, self.say = [], [None] * count, say
        self.rounds = {}                                 # group -> (name of its loop, its first round, its last)

    def add(self, label: str, kind: str, parent: int | None, first: int, last: int) -> int:
        self.rows.append({"label": label, "kind": kind, "parent": parent, "cards": [first, last], "nodes": []})
        for card in range(first, last + 1):
            self.of_card[card] = len(self.rows) - 1
        return len(self.rows) - 1


def fold(keys: Sequence[Any], scopes: Sequence[tuple[Any, ...]], loop_label: Callable[[int], str], say: Say,
         steps: Sequence[tuple[str, int, int]] = ()) -> Groups:
    """Returns Groups for cards with `keys` (equal for cards made at the same place) and `scopes` (layer calls around each card).

    `scopes[i]` is a tuple of (call number, label), outermost first. `loop_label(card)` names the loop around a card. `steps` are
    (title, first, last) of chapters. `say(key, **params)` is the catalogue.
    """
    groups = Groups(len(keys), say)
    at = 0
    for title, first, last in steps:
        if last >= first:
            _divide(groups, keys, scopes, loop_label, at, first - 1, None, 0)
            inner = groups.add(title, "step", None, first, last)
            _divide(groups, keys, scopes, loop_label, first, last, inner, 0)
            at = last + 1
    _divide(groups, keys, scopes, loop_label, at, len(keys) - 1, None, 0)
    _shorten(groups)
    return groups


def _divide(groups: Groups, keys: Sequence[Any], scopes: Sequence[tuple[Any, ...]], loop_label: Callable[[int], str], first: int, last: int,
            parent: int | None, depth: int) -> None:
    """Goes through the cards first..last of one group: finds layer calls, then loops between them."""
    at = plain = first
    while at <= last:
        scope = scopes[at][depth] if len(scopes[at]) > depth else None
        if scope is None:
            at += 1
            continue
        _loops(groups, keys, loop_label, plain, at - 1, parent)
        end = at
        while end < last and len(scopes[end + 1]) > depth and scopes[end + 1][depth] == scope:
            end += 1
        inner = groups.add(scope[1], "layer", parent, at, end)
        _divide(groups, keys, scopes, loop_label, at, end, inner, depth + 1)
        at = plain = end + 1
    _loops(groups, keys, loop_label, plain, last, parent)


def _loops(groups: Groups, keys: Sequence[Any], loop_label: Callable[[int], str], first: int, last: int, parent: int | None) -> None:
    """Finds rounds: stretches of cards that begin at a place where an earlier stretch began too."""
    later = {}
    for card in range(first, last + 1):
        later.setdefault(keys[card], []).append(card)
    at = first
    while at <= last:
        starts = [card for card in later[keys[at]] if card >= at] if keys[at] is not None else []
        if len(starts) < 2:
            at += 1
            continue
        body = set(keys[at:starts[-1]])
        end = starts[-1]
        while end < last and keys[end + 1] in body:
            end += 1
        if end - at + 1 == len(starts):                  # rounds of one card: nothing to fold but the whole
            label = groups.say("text.fold.times", label=loop_label(at), count=len(starts))
            if len(starts) > 3 and (at, end) != (first, last):
                groups.add(label, "loop", parent, at, end)
        else:
            name = loop_label(at)
            whole = parent                               # a loop that is all there is needs no box around it
            if (at, end) != (first, last):
                whole = groups.add(groups.say("text.fold.times", label=name, count=len(starts)), "loop", parent, at, end)
            together = max(1, ROUND * len(starts) // (end - at + 1)) if len(starts) > 3 else 1
            for count in range(0, len(starts), together):
                after = count + together
                start, stop = starts[count], starts[after] - 1 if after < len(starts) else end
                key, last = ("iteration", count + 1) if together == 1 else ("iterations", min(after, len(starts)))
                label = groups.say(f"text.fold.{key}", label=name, count=count + 1, last=last)
                inner = groups.add(label, "loop", whole, start, stop)
                groups.rounds[inner] = name, count + 1, min(after, len(starts))
                if stop > start and together == 1:       # a loop inside: without the first card, which only begins the round
                    _loops(groups, keys, loop_label, start + 1, stop, inner)
        at = end + 1


def _shorten(groups: Groups) -> None:
    """Cuts what is too long: where a group (or the whole) holds more than MOST boxes, runs of them get a group of their own."""
    children = {}
    for index, row in enumerate(groups.rows):
        children.setdefault(row["parent"], []).append((row["cards"][0], row["cards"][1], index))
    for card, group in enumerate(groups.of_card):
        children.setdefault(group, []).append((card, card, None))
    for parent in list(children):
        boxes = sorted(children[parent], key=lambda box: box[0])
        while len(boxes) > MOST:
            size = max(2, -(-len(boxes) // MOST)) if len(boxes) < MOST * MOST else MOST
            boxes = [_run(groups, parent, boxes[i:i + size]) for i in range(0, len(boxes), size)]


def _run(groups: Groups, parent: int | None, boxes: list[Any]) -> Any:
    if len(boxes) == 1:
        return boxes[0]
    first, last = boxes[0][0], boxes[-1][1]
    kind = "loop" if all(box[2] is not None and groups.rows[box[2]]["kind"] == "loop" for box in boxes) else "step"
    rounds = [groups.rounds.get(box[2]) for box in boxes]
    label = groups.say("text.fold.range", first=first + 1, last=last + 1)
    if None not in rounds and len({name for name, _, _ in rounds}) == 1:
        label = groups.say("text.fold.iterations", label=rounds[0][0], count=rounds[0][1], last=rounds[-1][2])
    groups.rows.append({"label": label, "kind": kind, "parent": parent, "cards": [first, last], "nodes": []})
    new = len(groups.rows) - 1
    if None not in rounds and len({name for name, _, _ in rounds}) == 1:
        groups.rounds[new] = rounds[0][0], rounds[0][1], rounds[-1][2]
    for start, _, group in boxes:
        if group is None:
            groups.of_card[start] = new
        else:
            groups.rows[group]["parent"] = new
    return first, last, new
