"""Putting a storyboard together: film the play, set the stage, tell the acts in the order in which
they happened, fold, lay out.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any, Unpack

from minitape import schemas
from minitape.dialects import dialect_of
from minitape.engine.base.aliases import Number, Where
from minitape.engine.base.listeners import active
from minitape.engine.base.where import learners_frame
from minitape.engine.explainer import EXPLAINER, unwarned
from minitape.engine.gradient_tape import GradientTape, UnconnectedGradients, zeros_wanted
from minitape.engine.recording import describe
from minitape.program.visible import names_of
from minitape.sentences import chosen
from minitape.storyboard.acts.frames import Acts
from minitape.storyboard.acts.predict import prompts
from minitape.storyboard.acts.reasons import Ask, Reason
from minitape.storyboard.board import VERSION, Storyboard
from minitape.storyboard.drawing.drawings import drawings
from minitape.storyboard.drawing.sheets import sheets
from minitape.storyboard.film.film import Film
from minitape.storyboard.film.recorded import RecordedPlay, RecordedTape
from minitape.storyboard.film.source import Sources
from minitape.storyboard.options import Picture, PictureOptions, check_play, shows_options
from minitape.storyboard.order import play_in_order
from minitape.storyboard.stage.calls import calls_of
from minitape.storyboard.stage.expressions import finish
from minitape.storyboard.stage.fold import FOLD_FROM, FOLD_LAYERS_FROM, Card, fold, has_loop
from minitape.storyboard.stage.replay import replay
from minitape.storyboard.stage.stage import Stage
from minitape.storyboard.text.aliases import Data, Event
from minitape.storyboard.text.captions import sentence

LONGEST_LINE = 32  # letters of a line of code that names a box
# of a picture, asked for or not: a page holds no more
MOST_BOXES = schemas.schema("trace")["$defs"]["Drawing"]["properties"]["nodes"]["maxItems"]
MANY_OBJECTS = 50_000  # of a storyboard: some 2,000 operations

if TYPE_CHECKING:
    from minitape.typing import Nested


@shows_options
def build(
    tape: GradientTape,
    target: Nested = None,
    sources: Nested = None,
    *,
    output_gradients: Nested = None,
    unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
    jacobian: bool = False,
    order: Sequence[int] | None = None,
    **options: Unpack[PictureOptions],
) -> Storyboard:
    """Plays a tape backwards (as `tape.gradient` does, once) and returns the storyboard of it all.

    `target`, `sources`, `output_gradients`, `unconnected_gradients` are those of `tape.gradient`;
    with `jacobian=True` those of `tape.jacobian`. Without a target only the recording is shown. The
    keys of a dictionary of sources or targets name them. `order` plays the cards in an order of
    one's own, see `order.play_in_order`; the tape is not used up by it. All others (`title`,
    `language`, `predict`, `max_cells`, `engine`, `folded`, `names`, `source_names`, `executed`,
    `explain`) are those of `options.Picture`. The result's `gradients` is what `tape.gradient`
    would have returned; where it raises LookupError for an operation without gradient, `error`
    holds that error and the picture shows the place. Raises what `tape.gradient` raises for a used
    tape or a wrong target, and TypeError or ValueError for an argument that cannot be meant, before
    the tape is played.
    """
    picture = Picture(**options)
    check_play(jacobian, unconnected_gradients)
    if order is not None and (target is None or jacobian or picture.predict):
        raise ValueError(
            "order plays the cards of a gradient in an order of your own: it needs a target, and "
            "neither jacobian nor "
            "predict."
        )
    if target is None and tape.used:
        raise RuntimeError(
            "This tape has given its gradients and let go of its arrays, so there is nothing "
            "left to show. Call "
            "build(tape, target, sources) instead of tape.gradient(target, sources): it has the "
            "gradients too. "
            "Or make the tape with tf.GradientTape(persistent=True)."
        )
    with Film() as film:
        film.add(tape.recording.tape)
        gradients = error = None
        if target is not None:
            try:
                if order is not None and not tape.used:
                    gradients = play_in_order(
                        film,
                        tape.recording,
                        order,
                        target,
                        sources,
                        output_gradients,
                        unconnected_gradients,
                    )
                elif jacobian:
                    gradients = tape.jacobian(
                        target, sources, unconnected_gradients=unconnected_gradients
                    )
                else:
                    with unwarned():  # the picture says why a gradient is None
                        gradients = tape.gradient(
                            target, sources, output_gradients, unconnected_gradients
                        )
            except LookupError as caught:
                error = caught
    given = {**_named(target), **_named(sources), **_named(picture.names)}
    board = _quietly(
        film,
        picture,
        given,
        _reasons(learners_frame(2), picture),
        zeros_wanted(unconnected_gradients),
    )
    board.gradients, board.error = gradients, error
    return board


@shows_options
def develop(film: Film, **options: Unpack[PictureOptions]) -> Storyboard:
    """Returns the storyboard of everything that a film saw; the arguments are those of
    `options.Picture`.
    """
    picture = Picture(**options)
    given = {**_named_before(picture.explain), **_named(picture.names)}
    return _quietly(film, picture, given, _reasons(learners_frame(2), picture))


def _named(structure: Any) -> dict[int, str]:
    """Returns {number: name} for the tensors and variables in a dictionary."""
    if not isinstance(structure, dict):
        return {}
    result: dict[Number, str] = {}
    for name, value in structure.items():
        info = describe(value)
        if info is not None and isinstance(name, str) and not name.startswith("_"):
            result.setdefault(info.id, name)
    return result


def _named_before(names: Any) -> dict[int, str]:
    """Returns {number: name} for what a program had made before anybody looked on: where that was,
    and what was said there, is unknown.
    """
    infos = (
        [(name, describe(value)) for name, value in names.items() if not name.startswith("_")]
        if isinstance(names, dict)
        else []
    )
    return {
        info.id: name
        for name, info in reversed(infos)
        if info is not None and info.where is None and not info.path
    }


def _reasons(frame: FrameType, picture: Picture) -> Ask:
    """Returns a function from (play, number of a source) to the explainer's `Reason`, or None where
    it has none.

    The explainer is asked as if at the play's own call, so
    that its sentences name what the learner wrote there.
    """
    names = picture.explain if isinstance(picture.explain, dict) else picture.names
    scopes = (names if isinstance(names, dict) else {}, names_of(frame), frame.f_globals)
    cache: dict[RecordedPlay, dict[int, Reason | None]] = {}

    def ask(play: RecordedPlay, ks: list[int]) -> dict[int, Reason | None]:
        try:
            reasons = EXPLAINER().reasons_of_none(
                scopes,
                play.where,
                play.tape.recording,
                play.targets,
                play.sources,
                ks,
                chosen(picture.language),
            )
            return dict(zip(ks, reasons))
        except Exception:  # a picture without a reason is better than none
            return {}

    def reason(play: RecordedPlay, k: int) -> Reason | None:
        if play not in cache:  # all sources of a play at once: the program is read once
            nones = [i for i, gradient in enumerate(play.gradients or ()) if gradient is None]
            cache[play] = ask(play, nones) or {
                i: why for one in nones for i, why in ask(play, [one]).items()
            }
        return cache[play].get(k)

    return reason


def _quietly(
    film: Film, picture: Picture, given: dict[Number, str], reason: Ask, zero: bool = False
) -> Storyboard:
    token = active.set(())  # what is computed for the picture is nobody's recording
    collects = gc.isenabled()
    gc.disable()  # a storyboard is all new and without cycles: looking for garbage doubles the time
    try:
        return _develop(film, picture, given, reason, zero)
    finally:
        active.reset(token)
        if collects:
            if gc.get_count()[0] > MANY_OBJECTS and not gc.get_freeze_count():
                # they are old at once: else each is looked at twice more before it is shown
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def _develop(
    film: Film, picture: Picture, given: dict[Number, str], reason: Ask, zero: bool
) -> Storyboard:
    language = chosen(picture.language)
    sources = Sources(picture.source_names, picture.executed)
    stage, rounds = stage_of(film, sources, given, picture.max_cells, language)
    acts = Acts(stage, zero, reason, picture.explain is not False)
    for play in film.played:
        acts.play(play)
    chapters, starts = _chapters(stage, film, rounds)
    events = stage.events + acts.frames + starts
    events.sort(key=lambda event: event[0])
    frames = [frame for _, frame in events]
    frames += [{"act": "note", "note": note} for note in stage.margin.end(film)]
    finish(stage)
    table, shift = sources.table()
    for row in (*stage.nodes.rows, *stage.cards.rows, *stage.margin.rows):
        row["where"] = shift(row["where"])
    board = Storyboard(
        version=VERSION,
        language=language,
        title=picture.title,
        sources=table,
        tapes=stage.tapes,
        values=[],
        nodes=stage.nodes.rows,
        edges=stage.cards.edges,
        cards=stage.cards.rows,
        notes=stage.margin.rows,
        groups=[],
        passes=acts.passes,
        chapters=chapters,
        prompts=[],
        frames=frames,
        drawings=[],
    )
    words = {dialect_of(tape.recording.module).recording for tape in stage.tape_of}
    if len(words) == 1 and "tape" not in words:
        (board["recording"],) = words
    _frame_ranges(board)
    board["values"] = stage.values.summaries
    if picture.predict is not None and picture.predict is not False:
        board["prompts"] = prompts(board, picture.predict)
    board["replay"] = replay(board, stage, acts.seeds)
    board.numbers = stage.nodes.numbers()
    folded = _fold(
        board, stage, picture.folded, {tape.where[0] for tape in film.tapes if tape.where}
    )
    board["drawings"] = drawings(board, folded, picture.engine)
    return board


def _frame_ranges(board: Storyboard) -> None:
    """Writes into each pass the frames of its play: from its seed to its last result."""
    for k, frame in enumerate(board["frames"]):
        if "pass" in frame:
            ends = board["passes"][frame["pass"]]
            ends["frames"] = [
                k if frame["act"] == "seed" and ends["frames"] == [0, 0] else ends["frames"][0],
                k,
            ]


def stage_of(
    film: Film, sources: Sources, given: dict[Number, str], max_cells: int, language: str
) -> tuple[Stage, list[RecordedTape]]:
    """Returns (the stage on which everything that a film saw being recorded stands, the tapes that
    begin a round of a loop).
    """

    def say(key: str, **params: Any) -> str:
        return sentence(language, key, params)

    for tape in film.tapes:
        tape.develop()
    tapes = [
        tape
        for tape in film.tapes
        if tape.entries or tape.notes or any(play.tape is tape for play in film.played)
    ] or film.tapes
    rounds = _rounds(tapes)
    stage = Stage(sources, given, max_cells, say, tapes, film.played)
    stage.record(tapes, rounds)
    return stage, rounds


def _rounds(tapes: list[RecordedTape]) -> list[RecordedTape]:
    """Returns the tapes that begin a round: a tape made again and again at the same place is a
    loop.
    """
    places: dict[Where, set[int]] = {}
    for tape in tapes:
        # a tape that was reset is still one tape
        places.setdefault(tape.where, set()).add(id(tape.tape))
    first = next((place for place, made in places.items() if len(made) > 1), None)
    return [tape for tape in tapes if first is not None and tape.where == first]


def _chapters(
    stage: Stage, film: Film, rounds: list[RecordedTape]
) -> tuple[list[Data], list[Event]]:
    """Every round of a loop is a chapter. Returns (chapters, [(moment, frame)])."""
    chapters: list[Data] = []
    frames: list[Event] = []
    for tape in rounds:
        targets = [play.targets[0] for play in film.played if play.tape is tape and play.targets]
        loss = next((target for target in targets if not target.value.ndim), None)
        title = stage.say("text.chapter", count=len(chapters) + 1)
        chapters.append(
            {
                "title": title,
                "frame": 0,
                "loss": None if loss is None else stage.values.add(loss.value),
                "group": None,
            }
        )
        frames.append(((tape.begin, -1, 0), {"act": "chapter", "chapter": len(chapters) - 1}))
    return chapters, frames


def _cards(board: Storyboard, stage: Stage, homes: set[Any]) -> list[Card]:
    """Returns what folding knows of the cards: where each was made, and in which calls."""
    places = [facts.where for facts in stage.cards.facts]
    calls = calls_of(places, homes, lambda place: not stage.names.loop(place).endswith("()"))
    codes: dict[Any, int] = {}  # each counted once: to hash a code object is slow
    met = {id(where[0]): where[0] for where in places if where}
    number = {place: codes.setdefault(code, len(codes)) for place, code in met.items()}
    return [
        Card(
            (number[id(facts.where[0])], facts.where[1], facts.way) if facts.where else None,
            (*around, *facts.scopes),
            tuple(card["where"][:2]) if card["where"] else None,
        )
        for facts, around, card in zip(stage.cards.facts, calls, board["cards"])
    ]


def _fold(board: Storyboard, stage: Stage, folded: bool | None, homes: set[Any]) -> bool:
    """Puts the cards of a long tape into groups; returns whether it is one."""
    cards = board["cards"]
    for k, frame in enumerate(board["frames"]):
        if frame["act"] == "chapter":
            board["chapters"][frame["chapter"]]["frame"] = k
    starts = [chapter["frame"] for chapter in board["chapters"]]
    steps = []
    for number, start in enumerate(starts):
        stop = starts[number + 1] if number + 1 < len(starts) else len(board["frames"])
        mine = [frame["card"] for frame in board["frames"][start:stop] if frame["act"] == "record"]
        if mine:
            steps.append((board["chapters"][number]["title"], min(mine), max(mine), number))
    known = _cards(board, stage, homes)
    if folded is False and len(sheets(board, False)[None][0]) > MOST_BOXES:
        folded = True
    if folded is None:
        calls = {scope for facts in stage.cards.facts for scope in facts.scopes}
        folded = (
            len(cards) > FOLD_FROM
            or len(steps) > 1
            or len(cards) > FOLD_LAYERS_FROM
            and (len(calls) > 1 or has_loop(known))
        )
    if not folded:
        return False

    def loop_label(card: int) -> str:
        return stage.names.loop(stage.cards.facts[card].where) or cards[card]["op"]

    def line_text(line: tuple[int, int]) -> str:
        text = board["sources"][line[0]]["text"].split("\n")[line[1] - 1].strip()
        return text if len(text) <= LONGEST_LINE else text[: LONGEST_LINE - 1] + "…"

    groups = fold(known, loop_label, line_text, stage.say, [step[:3] for step in steps])
    board["groups"] = groups.rows
    for card, group in enumerate(groups.of_card):
        cards[card]["group"] = group
        for node in cards[card]["outputs"]:
            board["nodes"][node]["group"] = group
            if group is not None:
                groups.rows[group]["nodes"].append(node)
    for _, first, last, number in steps:
        board["chapters"][number]["group"] = next(
            index
            for index, row in enumerate(groups.rows)
            if row["kind"] == "step" and row["cards"] == [first, last]
        )
    return True
