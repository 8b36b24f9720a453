"""The margin: which notes of a tape a picture shows, and what it says of them.

A tape notes much that is only of use to the explainer. Shown is what a learner would wonder about:
an operation that was not recorded, a value that left for NumPy, an assignment, a watch that came
too late or is of no use.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from minitape.program.syntax import is_play, names_used, short

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Where
    from minitape.engine.recording import Note
    from minitape.storyboard.film.raised import Raised
    from minitape.storyboard.film.recorded import RecordedTape
    from minitape.storyboard.stage.stage import Stage
    from minitape.storyboard.text.aliases import Row

    # key, its parameters, the tensors that are meant
    Said: TypeAlias = tuple[str, Row, Sequence[int]] | None

READ = "ReadVariableOp"
PYTHON_NUMBERS = ("float", "int", "bool", "list", "tuple", "complex", "str", "bytes")


def note_row(stage: Stage, note: Note, tape: RecordedTape) -> Row | None:
    """Returns the contract's row for a note (with numbers for nodes, until all have one), or None
    where it is not worth showing.
    """
    result = _WAYS.get(note.kind, _not_shown)(stage, note, tape)
    if result is None:
        return None
    key, params, numbers = result
    return {
        "kind": note.kind,
        "key": key,
        "params": params,
        "tape": stage.tape_of[tape],
        "where": stage.sources.locate(note.where),
        "nodes": list(numbers),
    }


def raised_row(stage: Stage, raised: Raised) -> Row:
    """Returns the row of the note that marks where a program stopped, once everything that was
    recorded stands on the stage.
    """
    where, held = next(((w, h) for w, h in raised.places if stage.sources.shows(w)), (None, {}))
    located, node = stage.sources.locate(where), stage.sources.text.node_around(where)
    key, params = "note.raised", {"error": raised.name}
    if node is not None and raised.in_minitape:
        key = "note.raised.play" if is_play(node) else "note.raised.operation"
        params["formula"] = short(node)
    used = names_used(node) if isinstance(node, ast.expr) else ()
    return {
        "kind": "raised",
        "key": key,
        "params": params,
        "tape": len(stage.tapes) - 1,
        "where": located,
        "nodes": [held[name] for name in used if name in held],
    }


def beside(tape: RecordedTape) -> set[int]:
    """Returns which notes (by `id`) tell what a library did by the way, for one call of the
    learner's: to count an axis, say.

    Where something of the call was recorded, all its operations that were not; else all but the
    last one, which made the result. Who comes on the same way again begins a new call, but for a
    layer's loop: that ends with the layer's call.
    """
    result: set[int] = set()
    run: list[Note] = []
    call = first = None
    taken, at = False, 0
    for index in range(len(tape.entries) + 1):
        doings: list[Any] = []
        while at < len(tape.notes) and tape.notes[at][1] <= index:
            about = tape.notes[at][3]
            if tape.notes[at][0] == "unwatched" and about["op"] != READ:
                doings.append((tape.notes[at][2], about["op"], about["outputs"][0], tape.notes[at]))
            at += 1
        if index < len(tape.entries) and tape.entries[index][0] != READ:
            doings.append(
                (tape.entries[index][4], tape.entries[index][0], tape.entries[index][2][0], None)
            )
        for place, op, number, note in doings:
            way, layers = (
                tape.path_of(number),
                (tape.layers_of(number) or (None,))[0] if tape.is_inner(number) else None,
            )
            if way is None or (place, layers) != call or layers is None and (op, way) == first:
                result.update(map(id, run if taken else run[:-1]))
                run, call, first, taken = [], (place, layers), (op, way), False
            if way is None:
                continue
            if note is not None:
                run.append(note)
            taken = taken or note is None
    result.update(map(id, run if taken else run[:-1]))
    return result


def _name(stage: Stage, number: int, where: Where | None = None, fallback: str = "?") -> str:
    known = stage.labels.of(number)
    if known:
        return known
    if number in stage.node_of:
        return stage.shown(stage.node_of[number])
    if where is not None:
        return stage.names.of_argument(where) or fallback
    return fallback


def _unwatched(stage: Stage, note: Note, tape: RecordedTape) -> Said:
    about = note[3]
    if about["op"] == READ:
        if about.get("inner"):
            return None
        if about["inputs"][0] in stage.unread:  # said once per variable
            return None
        stage.unread.add(about["inputs"][0])
        name = _name(stage, about["inputs"][0], None, about["name"].removesuffix(":0"))
        reason = about["why"].replace(" ", "_")
        return f"note.unread.{reason}", {"name": name, "dtype": about["dtype"]}, about["outputs"]
    for number, name in zip(
        about["inputs"], stage.names.of_operands(note[2], len(about["inputs"]))
    ):
        # a value that no card uses has its name from here
        stage.labels.called.setdefault(number, name)
    if id(note) in stage.beside:
        return None
    # a card of another tape; a play's own sums
    if stage.recorded.intersection(about["outputs"]) or stage.names.is_play(note[2]):
        return None
    return "note.unwatched", {"op": about["op"]}, about["inputs"]


def _escape(stage: Stage, note: Note, tape: RecordedTape) -> Said:
    how = {"numpy": ".numpy()", "__array__": "NumPy"}.get(note[3]["how"], f"{note[3]['how']}()")
    return (
        "note.escape",
        {"name": _name(stage, note[3]["id"], note[2], "…"), "how": how},
        [note[3]["id"]],
    )


def _return(stage: Stage, note: Note, tape: RecordedTape) -> Said:
    if note[3]["type"] in PYTHON_NUMBERS and not any(
        other[0] == "escape" and other[1] <= note[1] for other in tape.notes
    ):
        return None
    return "note.return", {}, [note[3]["id"]]


def _assign(stage: Stage, note: Note, tape: RecordedTape) -> Said:
    if note[3].get("inner"):
        return None
    return (
        "note.assign",
        {"name": _name(stage, note[3]["variable"], None, str(note[3]["name"]).removesuffix(":0"))},
        [],
    )


def _integer(stage: Stage, note: Note, tape: RecordedTape) -> Said:
    return (
        "note.integer",
        {"name": _name(stage, note[3]["id"], note[2]), "dtype": note[3]["dtype"]},
        [note[3]["id"]],
    )


def _watch(stage: Stage, note: Note, tape: RecordedTape) -> Said:
    """A watch is news only where the value was used before."""
    number = note[3]["id"]
    if number in stage.missed and any(
        other[0] == "unwatched"
        and number in other[3]["inputs"]
        and other[1] <= note[1]
        and other is not note
        for other in tape.notes[: tape.notes.index(note)]
    ):
        return "note.late", {"name": _name(stage, number, note[2])}, [number]
    return None


def _variable(stage: Stage, note: Note, tape: RecordedTape) -> Said:
    if note[3]["id"] not in stage.recorded and note[3]["id"] not in stage.watched:
        return None  # an initial value that nobody could differentiate
    return "note.variable", {"name": _name(stage, note[3]["id"], note[2], "…")}, [note[3]["id"]]


def _rows(stage: Stage, note: Note, tape: RecordedTape) -> Said:
    about = note[3]
    return (
        "note.rows",
        {"name": _name(stage, about["target"]), "rows": about["rows"], "most": about["most"]},
        [about["target"]],
    )


def _plain(key: str) -> Callable[..., Said]:
    return lambda stage, note, tape: (key, {}, [])


def _not_shown(stage: Stage, note: Note, tape: RecordedTape) -> Said:
    """The tape notes more than a picture shows; the rest is evidence for the explainer."""
    return None


_WAYS = {
    "unwatched": _unwatched,
    "escape": _escape,
    "return": _return,
    "assign": _assign,
    "integer": _integer,
    "watch": _watch,
    "variable from tensor": _variable,
    "rows": _rows,
    "stop": _plain("note.stopped"),
    "resume": _plain("note.resumed"),
    "reset": _plain("note.reset"),
}
