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
    from minitape.engine.base.aliases import Number, Where
    from minitape.engine.recording import Note
    from minitape.storyboard.film.film import Film
    from minitape.storyboard.film.raised import Raised
    from minitape.storyboard.film.recorded import RecordedTape
    from minitape.storyboard.stage.stage import Stage
    from minitape.storyboard.text.aliases import Data

    # key, its parameters, the tensors that are meant
    Said: TypeAlias = tuple[str, Data, Sequence[int]] | None

READ = "ReadVariableOp"
PYTHON_NUMBERS = ("float", "int", "bool", "list", "tuple", "complex", "str", "bytes")


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


class Margin:
    """The notes that a picture shows. `rows`: the contract's, with the numbers of tensors for
    nodes, until all have one.
    """

    def __init__(self, stage: Stage, tapes: Sequence[RecordedTape]) -> None:
        self.stage = stage
        self.rows: list[Data] = []
        # the numbers of all tensors that some tape recorded, and of those used where a tape did
        # not watch them
        self._recorded = {n for tape in tapes for entry in tape.entries for n in entry.outputs}
        self._missed = {
            number
            for tape in tapes
            for note in tape.notes
            if note.kind == "unwatched"
            for number in note.about["inputs"]
        }
        self._beside = set().union(*map(beside, tapes))
        # variables of which a note has said that their reading is not watched
        self._unread: set[Number] = set()
        self._said: set[Any] = set()

    def add(self, **row: Any) -> int:
        """Adds the row of a note. Returns its number."""
        self.rows.append(row)
        return len(self.rows) - 1

    def note(self, note: Note, tape: RecordedTape) -> int | None:
        """Adds what a tape noted. Returns its number, or None where it is not worth showing, or
        another tape has noted the same.
        """
        identity = (note.kind, note.where, repr(note.about))
        # a nested tape has the same note in its margin; what is not told is for the explainer
        known = note.kind not in _SAID or identity in self._said
        said = None if known else _SAID[note.kind](self, note, tape)
        if said is None:
            return None
        self._said.add(identity)
        key, params, numbers = said
        return self.add(
            kind=note.kind,
            key=key,
            params=params,
            tape=self.stage.tape_of[tape],
            where=self.stage.sources.locate(note.where),
            nodes=list(numbers),
        )

    def end(self, film: Film) -> list[int]:
        """Adds what a film has to say at its end: what it missed, and where the program stopped.
        Returns the numbers of these notes.
        """
        first, tape = len(self.rows), len(self.stage.tapes) - 1
        if film.missed:
            self.add(
                kind="missed",
                key="note.missed",
                params={"count": film.missed},
                tape=tape,
                where=None,
                nodes=[],
            )
        if film.raised is not None and self.stage.tapes:
            self._raised(film.raised, tape)
        return list(range(first, len(self.rows)))

    def _raised(self, raised: Raised, tape: int) -> None:
        sources = self.stage.sources
        where, held = next(((w, h) for w, h in raised.places if sources.shows(w)), (None, {}))
        located, node = sources.locate(where), sources.text.node_around(where)
        key, params = "note.raised", {"error": raised.name}
        if node is not None and raised.in_minitape:
            key = "note.raised.play" if is_play(node) else "note.raised.operation"
            params["formula"] = short(node)
        used = names_used(node) if isinstance(node, ast.expr) else ()
        numbers = [held[name] for name in used if name in held]
        self.add(kind="raised", key=key, params=params, tape=tape, where=located, nodes=numbers)

    # ---- what notes of a kind say

    def _name(self, number: int, where: Where | None = None, fallback: str = "?") -> str:
        nodes, known = self.stage.nodes, self.stage.nodes.labels.of(number)
        if known or number in nodes.of:
            return known or nodes.shown(nodes.of[number])
        return (self.stage.names.of_argument(where) if where is not None else "") or fallback

    def _unwatched(self, note: Note, tape: RecordedTape) -> Said:
        about = note.about
        if about["op"] == READ:
            if about.get("inner") or about["inputs"][0] in self._unread:  # said once per variable
                return None
            self._unread.add(about["inputs"][0])
            name = self._name(about["inputs"][0], None, about["name"].removesuffix(":0"))
            reason = about["why"].replace(" ", "_")
            return (
                f"note.unread.{reason}",
                {"name": name, "dtype": about["dtype"]},
                about["outputs"],
            )
        for number, name in zip(
            about["inputs"], self.stage.names.of_operands(note.where, len(about["inputs"]))
        ):
            # a value that no card uses has its name from here
            self.stage.nodes.labels.called.setdefault(number, name)
        if (
            id(note) in self._beside
            # a card of another tape; a play's own sums
            or self._recorded.intersection(about["outputs"])
            or self.stage.names.is_play(note.where)
        ):
            return None
        return "note.unwatched", {"op": tape.title(about["op"])}, about["inputs"]

    def _escape(self, note: Note, tape: RecordedTape) -> Said:
        how = {"numpy": ".numpy()", "__array__": "NumPy"}.get(
            note.about["how"], f"{note.about['how']}()"
        )
        return (
            "note.escape",
            {"name": self._name(note.about["id"], note.where, "…"), "how": how},
            [note.about["id"]],
        )

    def _return(self, note: Note, tape: RecordedTape) -> Said:
        if note.about["type"] in PYTHON_NUMBERS and not any(
            other.kind == "escape" and other.at <= note.at for other in tape.notes
        ):
            return None
        return "note.return", {}, [note.about["id"]]

    def _assign(self, note: Note, tape: RecordedTape) -> Said:
        if note.about.get("inner"):
            return None
        return (
            "note.assign",
            {
                "name": self._name(
                    note.about["variable"], None, str(note.about["name"]).removesuffix(":0")
                )
            },
            [],
        )

    def _integer(self, note: Note, tape: RecordedTape) -> Said:
        return (
            "note.integer",
            {"name": self._name(note.about["id"], note.where), "dtype": note.about["dtype"]},
            [note.about["id"]],
        )

    def _watch(self, note: Note, tape: RecordedTape) -> Said:
        """A watch is news only where the value was used before."""
        number = note.about["id"]
        if number in self._missed and any(
            other.kind == "unwatched"
            and number in other.about["inputs"]
            and other.at <= note.at
            and other is not note
            for other in tape.notes[: tape.notes.index(note)]
        ):
            return "note.late", {"name": self._name(number, note.where)}, [number]
        return None

    def _variable(self, note: Note, tape: RecordedTape) -> Said:
        if (
            note.about["id"] not in self._recorded
            and note.about["id"] not in self.stage.nodes.watched
        ):
            return None  # an initial value that nobody could differentiate
        return (
            "note.variable",
            {"name": self._name(note.about["id"], note.where, "…")},
            [note.about["id"]],
        )

    def _rows(self, note: Note, tape: RecordedTape) -> Said:
        about = note.about
        return (
            "note.rows",
            {"name": self._name(about["target"]), "rows": about["rows"], "most": about["most"]},
            [about["target"]],
        )


def _plain(key: str) -> Callable[..., Said]:
    return lambda margin, note, tape: (key, {}, [])


_SAID = {
    "unwatched": Margin._unwatched,
    "escape": Margin._escape,
    "return": Margin._return,
    "assign": Margin._assign,
    "integer": Margin._integer,
    "watch": Margin._watch,
    "variable from tensor": Margin._variable,
    "rows": Margin._rows,
    "stop": _plain("note.stopped"),
    "resume": _plain("note.resumed"),
    "reset": _plain("note.reset"),
}
