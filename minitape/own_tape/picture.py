"""The picture of somebody's tape: its own acts with its own numbers, and a word where it leaves the
right way.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from minitape.engine.annotated_tape import AnnotatedTape
from minitape.engine.base.aliases import Array, Number
from minitape.engine.base.tensor import new_id, wrap
from minitape.engine.recording import TensorInfo, describe
from minitape.own_tape.departure import Departure, Way, close
from minitape.own_tape.given import OwnTape
from minitape.sentences import COMPLETE
from minitape.storyboard import Film, Storyboard, develop
from minitape.storyboard.film.recorded import Part, RecordedPlay, RecordedTape, Step

# its operations have no place in a program that could be shown
NOWHERE = compile("", "<a tape of one's own>", "exec"), 0


class OwnStoryboard(Storyboard):
    """The storyboard of somebody's tape. `departure`: where it leaves the right way, or None;
    `departure_frame`: after how many acts.
    """

    departure: Departure | None = None
    departure_frame: int = 0


def storyboard(
    entries: Iterable[Any],
    steps: Iterable[Any] | None = None,
    gradients: Mapping[Hashable, Any] | None = None,
    *,
    target: Hashable = None,
    sources: Iterable[Hashable] | None = None,
    names: Mapping[Hashable, str] | None = None,
    title: str = "",
    language: str | None = None,
    **picture: Any,
) -> OwnStoryboard:
    """Returns the storyboard of a tape that somebody has written, as `OwnTape` takes it, with the
    numbers that it gave.

    Without steps only the recording is shown. The result's `departure` says where the tape leaves
    the right way, or is None; its sentence calls values as the picture does, and stands in the
    picture at that moment, `departure_frame` is its number of acts. `gradients` is what was given.
    `picture`: `max_cells`, `folded`, `engine`, `predict` as for `storyboard.build`. Raises what
    `OwnTape` raises.
    """
    own = OwnTape(entries, steps, gradients, target=target, sources=sources, names=names)
    way = Way(own)
    film, infos = _filmed(own, way)
    board = OwnStoryboard(
        develop(
            film,
            title=title,
            language=language,
            explain=False,
            names={name: infos[n] for n, name in own.names.items()},
            **picture,
        )
    )
    board.gradients = gradients
    _tell_apart(board, own, way)
    if way.first is not None:
        seen = {
            n: board["nodes"][node]["label"] or board["nodes"][node]["text"]
            for n, node in _nodes(board, own).items()
        }
        board.departure = way.first.called(seen)
        board.departure_frame = _moment(board, own, way.first)
        board["asides"] = [
            {
                "frame": board.departure_frame,
                "text": {each: board.departure.sentence(each) for each in COMPLETE},
            }
        ]
        board["replay"] = None  # with other numbers, a page would play the right way
    return board


def _filmed(own: OwnTape, way: Way) -> tuple[Film, dict[Hashable, TensorInfo]]:
    """Returns a film of the tape, as if one had looked on, and {number: what stands for it}."""
    numbers: dict[Hashable, Number] = {}
    tape = AnnotatedTape(persistent=True)
    tape.where = NOWHERE
    film, recorded = Film(), RecordedTape(tape)
    for entry in own.entries:
        for number in (*entry.inputs, entry.output):
            if number not in numbers:
                numbers[number] = new_id()
        tape.entries.append(
            (
                entry.op,
                tuple(numbers[n] for n in entry.inputs),
                numbers[entry.output],
                entry.attributes or None,
                *NOWHERE,
                tuple(v[()] for v in entry.values),
                entry.y[()],
            )
        )
    reached = {
        own.entries[step.entry].inputs[place] for step in own.steps or () for place in step.parts
    }
    for number in reached.union(own.sources):
        tape.watched.add(numbers[number])
        if number not in own.made_by:
            tape.notes.append(("watch", 0, NOWHERE, {"id": numbers[number]}))
    recorded.see(tape.entries)
    film.tapes = [recorded]
    infos = {
        n: info
        for n, number in numbers.items()
        if (info := describe(wrap(own.values[n][()], number, *NOWHERE))) is not None
    }
    if own.steps is not None:
        film.played = [_play(own, way, recorded, numbers, infos)]
    return film, infos


def _play(
    own: OwnTape,
    way: Way,
    tape: RecordedTape,
    numbers: dict[Hashable, Number],
    infos: dict[Hashable, TensorInfo],
) -> RecordedPlay:
    """Returns the play as it happened: the tape's own steps, parts and answers."""
    targets, sources = [infos[own.target]], [infos[n] for n in own.sources]
    play = RecordedPlay(
        tape,
        NOWHERE,
        targets,
        sources,
        set(numbers.values()),
        {numbers[own.target]: _seed(own)},
        persistent=True,
    )
    play.awaited = {numbers[n]: count for n, count in way.awaited.items()}
    play.order = [step.entry for step in own.steps or ()]
    had, seen = totals(own, way), dict[Hashable, int]()
    for step in own.steps or ():
        entry, parts, time = own.entries[step.entry], [], new_id()
        for place, part in step.parts.items():
            number = entry.inputs[place]
            at = seen[number] = seen.get(number, -1) + 1
            parts.append(Part(place, numbers[number], part[()], had[number][at][()], new_id()))
        play.steps.append(Step(time, step.entry, [step.adjoint[()]], parts))
    play.end = new_id()
    play.gradients = [answer(own, way, number) for number in own.sources]
    return play


def _seed(own: OwnTape) -> Array:
    """The adjoint that the tape began with, where it began at the target; else ones."""
    first = next(
        (step for step in own.steps or () if own.entries[step.entry].output == own.target), None
    )
    y = own.values[own.target]
    begun = (
        first is not None
        and first.adjoint.shape == y.shape
        and own.target
        not in {
            own.entries[step.entry].inputs[place]
            for step in own.steps or ()
            for place in step.parts
        }
    )
    return first.adjoint[()] if begun and first is not None else np.ones_like(y)[()]


def answer(own: OwnTape, way: Way, number: Hashable) -> Array | None:
    """Returns the answer for a source: the one given, else what its parts add up to."""
    gradient = own.gradients[number] if number in own.gradients else way.right_adjoint(number)
    return None if gradient is None else gradient[()]


def totals(own: OwnTape, way: Way) -> dict[Hashable, list[Array]]:
    """Returns what the tape had for each value after each part: their sums, unless what it went on
    with was something else.
    """
    went_on = {own.entries[step.entry].output: step.adjoint for step in own.steps or ()}
    result = {}
    for number, sums in way.sums.items():
        parts, used = way.parts[number], went_on.get(number, own.gradients.get(number))
        if used is None or number == own.target or len(parts) < 2 or close(used, sums[-1]):
            result[number] = sums
        else:
            result[number] = parts if close(used, parts[-1]) else [*sums[:-1], used]
    return result


def _tell_apart(board: Storyboard, own: OwnTape, way: Way) -> None:
    """Takes back what an act would say of the right way where the tape went another: a formula, a
    sum, a way to find the reason.
    """
    nodes = _nodes(board, own)
    had = totals(own, way)
    kept = {nodes[n] for n, sums in way.sums.items() if not close(had[n][-1], sums[-1])}
    last = {step.entry: s for s, step in enumerate(own.steps or ())}  # when each is played last
    step, late = -1, False
    for frame in board["frames"]:
        match frame["act"]:
            case "visit":
                step += 1
            case "part":
                maker = board["nodes"][frame["node"]]["card"]
                if (
                    frame.get("key") == "part.late"
                    and last.get(maker, -1) >= step
                    or (step, frame["input"]) in way.wrong
                ):
                    # the card is played once more, or the formula is not what was done
                    frame["key"] = "part.plain"
                    frame.pop("local", None)
                late = late or frame.get("key") == "part.late"
            case "sum" if frame["node"] in kept and "key" not in frame:
                frame["key"] = "sum.kept"
            case "result" if frame["value"] is None:
                frame["key"] = "result.nothing"
            case "result" if not late:
                frame.pop("key", None)  # nothing that came too late is missing


def _nodes(board: Storyboard, own: OwnTape) -> dict[Hashable, int]:
    """Returns {number: node}: an entry is a card, in the same order."""
    return {
        number: node
        for entry, card in zip(own.entries, board["cards"])
        for number, node in zip((*entry.inputs, entry.output), (*card["inputs"], *card["outputs"]))
    }


def _moment(board: Storyboard, own: OwnTape, departure: Departure) -> int:
    """Returns after how many acts the place is seen where the tape leaves the right way."""
    frames = board["frames"]
    if departure.at == "record":
        return 1 + next(
            k
            for k, frame in enumerate(frames)
            if frame["act"] == "record" and frame["card"] == departure.entry
        )
    if departure.at == "end":
        node = _nodes(board, own).get(departure.number)
        ends = [
            k
            for k, frame in enumerate(frames, 1)
            if frame["act"] == "result" and node in (None, frame["node"])
        ]
        return ends[0] if ends else len(frames)
    visit = [k for k, frame in enumerate(frames) if frame["act"] == "visit"][departure.step]
    if departure.at == "visit":
        sums = (
            frames[visit - 1]["act"] == "sum"
            and frames[visit - 1]["node"] in board["cards"][departure.entry]["outputs"]
        )
        return visit if sums else visit + 1
    return 1 + next(
        k
        for k in range(visit + 1, len(frames))
        if frames[k]["act"] == "part" and frames[k]["input"] == departure.place
    )
