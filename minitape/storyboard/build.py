"""Putting a storyboard together: film the play, set the stage, tell the acts in the order in which
they happened, fold, lay out.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any

from minitape.engine.explainer import EXPLAINER, unwarned
from minitape.engine.gradient_tape import GradientTape, UnconnectedGradients, zeros_wanted
from minitape.engine.ground.listening import active
from minitape.engine.ground.where import learners_frame
from minitape.engine.recording import describe
from minitape.program.visible import names_of
from minitape.sentences import chosen
from minitape.storyboard.acts.frames import Acts
from minitape.storyboard.acts.predict import prompts
from minitape.storyboard.board import VERSION, Storyboard
from minitape.storyboard.checks import check
from minitape.storyboard.drawing.drawings import drawings
from minitape.storyboard.film.film import Film
from minitape.storyboard.film.source import Sources
from minitape.storyboard.order import play_in_order
from minitape.storyboard.stage.calls import calls_of
from minitape.storyboard.stage.fold import FOLD_FROM, FOLD_LAYERS_FROM, Card, fold, has_loop
from minitape.storyboard.stage.notes import raised_row
from minitape.storyboard.stage.replay import replay
from minitape.storyboard.stage.stage import Stage
from minitape.storyboard.text.captions import sentence

LONGEST_LINE = 32  # letters of a line of code that names a box
MANY_OBJECTS = 50_000  # of a storyboard: some 2,000 operations

if TYPE_CHECKING:
    from minitape.storyboard.acts.predict import Questions
    from minitape.storyboard.acts.reasons import Reason
    from minitape.storyboard.film.film import Reel, Take
    from minitape.storyboard.film.source import Executed
    from minitape.storyboard.text.aliases import Row
    from minitape.typing import Nested


def build(
    tape: GradientTape,
    target: Nested = None,
    sources: Nested = None,
    *,
    output_gradients: Nested = None,
    unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
    title: str = "",
    language: str | None = None,
    predict: Questions = None,
    max_cells: int = 16,
    engine: str | None = None,
    folded: bool | None = None,
    names: dict[str, Any] | None = None,
    source_names: dict[str, str] | None = None,
    executed: Executed = None,
    jacobian: bool = False,
    explain: bool = True,
    order: Sequence[int] | None = None,
) -> Storyboard:
    """Plays a tape backwards (as `tape.gradient` does, once) and returns the storyboard of it all.

    `target`, `sources`, `output_gradients`, `unconnected_gradients` are those of `tape.gradient`;
    with `jacobian=True` those of `tape.jacobian`. Without a target only the recording is shown.
    `names` are further names {name: tensor or variable}, such as `locals()`; the keys of a
    dictionary of sources or targets name them too. `predict` chooses questions, see
    `predict.prompts`. `engine` pins the layout engine ("dot", "wasm", "layers"); `folded` is True
    or False instead of "when it is big". `source_names` {file name: shown name}, `executed` {file
    name: line numbers}. With `explain` a None carries the explainer's sentences and their place;
    without it, only the cut is shown. `order` plays the cards in an order of one's own, see
    `order.play_in_order`; the tape is not used up by it. The result's `gradients` is what
    `tape.gradient` would have returned; where it raises LookupError for an operation without
    gradient, `error` holds that error and the picture shows the place. Raises what `tape.gradient`
    raises for a used tape or a wrong target, and TypeError or ValueError for an argument that
    cannot be meant, before the tape is played.
    """
    language = chosen(language)
    check(
        title=title,
        predict=predict,
        max_cells=max_cells,
        engine=engine,
        folded=folded,
        names=names,
        source_names=source_names,
        executed=executed,
        unconnected_gradients=unconnected_gradients,
        jacobian=jacobian,
        explain=explain,
    )
    if order is not None and (target is None or jacobian or predict):
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
            except LookupError as found:
                error = found
    given = {**_named(target), **_named(sources), **_named(names)}
    reasons = _reasons(learners_frame(2), names, language)
    board = _quietly(
        film,
        title,
        language,
        predict,
        max_cells,
        engine,
        folded,
        given,
        source_names,
        executed,
        zeros_wanted(unconnected_gradients),
        reasons,
        bool(explain),
    )
    board.gradients, board.error = gradients, error
    return board


def _named(structure: Any) -> dict[int, str]:
    """Returns {number: name} for the tensors and variables in a dictionary."""
    if not isinstance(structure, dict):
        return {}
    found = {}
    for name, value in structure.items():
        thing = describe(value)
        if thing is not None and isinstance(name, str) and not name.startswith("_"):
            found.setdefault(thing.id, name)
    return found


def _named_before(names: Any) -> dict[int, str]:
    """Returns {number: name} for what a program had made before anybody looked on: where that was,
    and what was said there, is unknown.
    """
    things = (
        [(name, describe(value)) for name, value in names.items() if not name.startswith("_")]
        if isinstance(names, dict)
        else []
    )
    return {
        thing.id: name
        for name, thing in reversed(things)
        if thing is not None and thing.where is None and not thing.path
    }


def develop(
    film: Film,
    *,
    title: str = "",
    language: str | None = None,
    predict: Questions = None,
    max_cells: int = 16,
    engine: str | None = None,
    folded: bool | None = None,
    names: dict[str, Any] | None = None,
    source_names: dict[str, str] | None = None,
    executed: Executed = None,
    explain: bool | dict[str, Any] = True,
) -> Storyboard:
    """Returns the storyboard of everything that a film saw; the arguments are those of `build`.
    `explain` may be a dictionary of the program's names, which the explainer asks while the picture
    goes on taking its names from the program's text, but for what was made before that text was
    seen.
    """
    language = chosen(language)
    check(
        title=title,
        predict=predict,
        max_cells=max_cells,
        engine=engine,
        folded=folded,
        names=names,
        source_names=source_names,
        executed=executed,
        explain=explain if not isinstance(explain, dict) else True,
    )
    known = explain if isinstance(explain, dict) else names
    reasons = _reasons(learners_frame(2), known, language)
    given = {**_named_before(explain), **_named(names)}
    return _quietly(
        film,
        title,
        language,
        predict,
        max_cells,
        engine,
        folded,
        given,
        source_names,
        executed,
        False,
        reasons,
        explain is not False,
    )


def _reasons(frame: FrameType, names: Any, language: str) -> Callable[[Take, int], Reason | None]:
    """Returns a function from (take, number of a source) to the explainer's `Reason`, or None where
    it has none.

    The explainer is asked as if at the play's own call, so
    that its sentences name what the learner wrote there.
    """
    scopes = (names if isinstance(names, dict) else {}, names_of(frame), frame.f_globals)

    told: dict[Take, dict[int, Reason | None]] = {}

    def ask(take: Take, ks: list[int]) -> dict[int, Reason | None]:
        try:
            found = EXPLAINER().reasons_of_none(
                scopes, take.where, take.reel.recording, take.targets, take.sources, ks, language
            )
            return dict(zip(ks, found))
        except Exception:  # a picture without a reason is better than none
            return {}

    def reason(take: Take, k: int) -> Reason | None:
        if take not in told:  # all sources of a play at once: the program is looked through once
            nones = [i for i, gradient in enumerate(take.gradients or ()) if gradient is None]
            told[take] = ask(take, nones) or {
                i: found for one in nones for i, found in ask(take, [one]).items()
            }
        return told[take].get(k)

    return reason


def _quietly(film: Film, *arguments: Any) -> Storyboard:
    token = active.set(())  # what is computed for the picture is nobody's recording
    collects = gc.isenabled()
    gc.disable()  # a storyboard is all new and without cycles: looking for garbage doubles the time
    try:
        return _develop(film, *arguments)
    finally:
        active.reset(token)
        if collects:
            if gc.get_count()[0] > MANY_OBJECTS and not gc.get_freeze_count():
                # they are old at once: else each is looked at twice more before it is shown
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def _develop(
    film: Film,
    title: str,
    language: str,
    predict: Questions,
    max_cells: int,
    engine: str | None,
    folded: bool | None,
    given: dict[int, str],
    source_names: dict[str, str] | None,
    executed: Executed,
    zero: bool,
    reasons: Callable[[Take, int], Reason | None],
    told: bool,
) -> Storyboard:
    sources = Sources(source_names, executed)
    stage, rounds = stage_of(film, sources, given, max_cells, language)
    acts = Acts(stage, zero, reasons, told)
    for take in film.takes:
        acts.play(take, stage.tape_of[take.reel.number])
    chapters, starts = _chapters(stage, film, rounds)
    frames = stage.events + acts.frames + starts
    frames.sort(key=lambda pair: pair[0])
    frames = [frame for _, frame in frames]
    last = []
    if film.missed:
        last.append(
            {
                "kind": "missed",
                "key": "note.missed",
                "params": {"count": film.missed},
                "tape": len(stage.tapes) - 1,
                "where": None,
                "nodes": [],
            }
        )
    if film.raised is not None and stage.tapes:
        last.append(raised_row(stage, film.raised))
    for row in last:
        stage.notes.append(row)
        frames.append({"act": "note", "note": len(stage.notes) - 1})
    stage.finish()
    table, shift = sources.table()
    for row in (*stage.nodes, *stage.cards, *stage.notes):
        row["where"] = shift(row["where"])
    board = Storyboard(
        version=VERSION,
        language=language,
        title=title,
        sources=table,
        tapes=stage.tapes,
        values=[],
        nodes=stage.nodes,
        edges=stage.edges,
        cards=stage.cards,
        notes=stage.notes,
        groups=[],
        passes=acts.passes,
        chapters=chapters,
        prompts=[],
        frames=frames,
        drawings=[],
    )
    _frame_ranges(board)
    board["values"] = stage.values.summaries
    if predict is not None and predict is not False:
        board["prompts"] = prompts(board, predict)
    board["replay"] = replay(board, stage, acts.seeds)
    board.numbers = stage.numbers()
    _fold(board, stage, folded, {reel.where[0] for reel in film.reels if reel.where})
    board["drawings"] = drawings(board, board.pop("_folded"), engine)
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
    film: Film, sources: Sources, given: dict[int, str], max_cells: int, language: str
) -> tuple[Stage, list[Reel]]:
    """Returns (the stage on which everything that a film saw being recorded stands, the reels that
    begin a round of a loop).
    """

    def say(key: str, **params: Any) -> str:
        return sentence(language, key, params)

    stage = Stage(sources, given, max_cells, say)
    for reel in film.reels:
        reel.develop()
    reels = [
        reel
        for reel in film.reels
        if reel.entries or reel.notes or any(take.reel is reel for take in film.takes)
    ] or film.reels
    stage.meet(reels, film.takes)
    rounds = _rounds(reels)
    stage.record(reels, rounds)
    return stage, rounds


def _rounds(reels: list[Reel]) -> list[Reel]:
    """Returns the reels that begin a round: a tape made again and again at the same place is a
    loop.
    """
    tapes = {}
    for reel in reels:
        # a tape that was reset is still one tape
        tapes.setdefault(reel.where, set()).add(id(reel.tape))
    first = next((place for place, made in tapes.items() if len(made) > 1), None)
    return [reel for reel in reels if first is not None and reel.where == first]


def _chapters(
    stage: Stage, film: Film, rounds: list[Reel]
) -> tuple[list[Row], list[tuple[Any, Row]]]:
    """Every round of a loop is a chapter. Returns (chapters, [(time, frame)])."""
    chapters, frames = [], []
    for reel in rounds:
        targets = [take.targets[0] for take in film.takes if take.reel is reel and take.targets]
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
        frames.append(((reel.begin, -1, 0), {"act": "chapter", "chapter": len(chapters) - 1}))
    return chapters, frames


def _cards(board: Storyboard, stage: Stage, homes: set[Any]) -> list[Card]:
    """Returns what folding knows of the cards: where each was made, and in which calls."""
    places = [where for where, _ in stage.where_of_card]
    calls = calls_of(places, homes, lambda place: not stage.names.loop(place).endswith("()"))
    codes: dict[Any, int] = {}  # each counted once: to hash a code object is slow
    met = {id(where[0]): where[0] for where in places if where}
    number = {place: codes.setdefault(code, len(codes)) for place, code in met.items()}
    return [
        Card(
            (number[id(where[0])], where[1], op) if where else None,
            (*around, *layers),
            tuple(card["where"][:2]) if card["where"] else None,
        )
        for (where, op), around, layers, card in zip(
            stage.where_of_card, calls, stage.scopes, board["cards"]
        )
    ]


def _fold(board: Storyboard, stage: Stage, folded: bool | None, homes: set[Any]) -> None:
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
    if folded is None:
        calls = {scope for scopes in stage.scopes for scope in scopes}
        folded = (
            len(cards) > FOLD_FROM
            or len(steps) > 1
            or len(cards) > FOLD_LAYERS_FROM
            and (len(calls) > 1 or has_loop(known))
        )
    board["_folded"] = bool(folded)
    if not folded:
        return

    def loop_label(card: int) -> str:
        return stage.names.loop(stage.where_of_card[card][0]) or cards[card]["op"]

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
