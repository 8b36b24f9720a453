"""The stage: nodes, edges, cards and notes of all tapes of a film, before anything is played.

Values have numbers (tensor ids) on a tape; here each number becomes a node, each entry a card, each
input of an entry an edge. Readings of variables are no cards: a version of a variable is one node.
Everything keeps the order in which it happened, across nested tapes too, because tensor ids come
from one counter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from minitape.dialects import dialect_of
from minitape.engine.base.aliases import Array, Arrays, Number, Numbers
from minitape.engine.recording import Entry, Note
from minitape.program import name_values
from minitape.program.values import Named
from minitape.storyboard.film.recorded import RecordedPlay, RecordedTape
from minitape.storyboard.film.source import Sources
from minitape.storyboard.stage.cards import CardFacts, Cards
from minitape.storyboard.stage.formula import Rules
from minitape.storyboard.stage.labels import Labels
from minitape.storyboard.stage.layers import Layers
from minitape.storyboard.stage.names import Names
from minitape.storyboard.stage.nodes import Derivatives, Nodes
from minitape.storyboard.stage.notes import READ, Margin
from minitape.storyboard.text.aliases import Event, Located, Moment, Say
from minitape.storyboard.text.summary import Values


class Stage:
    """The rows of a storyboard that stand before a play, and what finds them by number; `events` is
    what was recorded, as frames.

    The names of tapes, variables, watched values, targets and sources are learned at once, from
    where the learner made them.
    """

    def __init__(
        self,
        sources: Sources,
        given_names: Mapping[Number, str],
        max_cells: int,
        say: Say,
        tapes: Sequence[RecordedTape],
        plays: Sequence[RecordedPlay],
    ) -> None:
        self.sources, self.names, self.say = sources, Names(sources), say
        self.tape_of = {tape: number for number, tape in enumerate(tapes)}
        self.tapes = [
            {
                "name": tape.tape.name
                or self.names.of_object(tape.where)
                or ("tape" if dialect_of(tape.recording.module).recording == "tape" else ""),
                "persistent": bool(tape.persistent),
            }
            for tape in tapes
        ]
        variables = [v for tape in tapes for v in tape.recording.variables.values() if v]
        variables += [source for play in plays for source in play.sources if source.is_variable]
        self.layers = Layers(
            variables,
            [
                [tape.layers_of(entry.outputs[0]) for entry in tape.entries if entry.op != READ]
                for tape in tapes
            ],
            any(dialect_of(tape.recording.module).paths for tape in tapes),
        )
        labels = Labels(self.names, given_names)
        labels.meet(variables, plays, self.layers)
        watched = {n.about["id"] for tape in tapes for n in tape.notes if n.kind == "watch"}
        self.values, self.rules = Values(max_cells), Rules()
        self.nodes = Nodes(labels, self.values, Derivatives(plays, say), watched)
        self.cards = Cards()
        self.margin = Margin(self, tapes)
        self.events: list[Event] = []

    def record(self, tapes: Sequence[RecordedTape], rounds: Sequence[RecordedTape] = ()) -> None:
        """Goes through everything that was recorded and noted, in the order of time.

        In each round of a training loop (`rounds` are the tapes that begin one) names start without
        primes again.
        """
        stream = [
            happening for tape in tapes for happening in _happenings(tape, self.tape_of[tape])
        ]
        stream.sort(key=lambda happening: happening[:3])
        chapters = [tape.begin for tape in tapes if tape in rounds]
        self._name_all(
            [
                (entry, tape)
                for *_, tape, index, entry, _ in stream
                if entry is not None and index < len(tape.kept)
            ]
        )
        for time, number, order, tape, index, entry, note in stream:
            moment = time, 0, number, order
            if chapters and time >= chapters[0]:
                chapters.pop(0)
                self.nodes.labels.begin_again()
            if note is not None:
                self._note(note, tape, moment)
            # the arrays were let go before the film began
            if entry is None or index >= len(tape.kept):
                continue
            arrays = tape.kept[index]
            if entry.op == READ:
                self.nodes.read(number, entry, arrays[1][0])
            else:
                card = self.cards.of[number, index] = self._card(tape, entry, arrays)
                several = {"key": "record.several"} if len(entry.outputs) > 1 else {}
                self.events.append((moment, {"act": "record", "card": card, **several}))

    def _name_all(self, entries: Sequence[tuple[Entry, RecordedTape]]) -> None:
        """Asks the text once how it calls the values of all entries, in the order of time."""
        self._variable_of = {
            entry.outputs[0]: entry.inputs[0] for entry, _ in entries if entry.op == READ
        }
        layers = {
            number: layer
            for number, variable in self._variable_of.items()
            if (layer := self.layers.path_of(variable))
        }
        plain = [
            (op, inputs, outputs, where, tape.path_of(outputs[0]))
            for (op, inputs, outputs, _, where), tape in entries
        ]
        self._named: dict[Numbers, Named] = {
            outputs: named
            for (_, _, outputs, *_), named in zip(
                plain, name_values(plain, self.sources.text, layers)
            )
        }

    def _note(self, note: Note, tape: RecordedTape, moment: Moment) -> None:
        number = self.margin.note(note, tape)
        if number is None:
            return
        skips = note.kind == "unwatched" and note.about["op"] != READ
        frame = {"act": "skip" if skips else "note", "note": number}
        self.events.append((moment, {**frame, "node": None} if skips else frame))

    def _card(self, tape: RecordedTape, entry: Entry, arrays: tuple[Arrays, Arrays]) -> int:
        """An entry becomes a card; its inputs that nobody made become leaves."""
        op, numbers, made, attributes, where = entry
        values, outputs = arrays
        scopes = self.layers.of_card(
            [self._variable_of.get(number) for number in numbers], where, tape.layers_of(made[0])
        )
        named, span = self._named[made], self.sources.locate(where)
        row = {
            "op": op,
            "tape": self.tape_of[tape],
            "inputs": list(map(self.nodes.leaf, numbers, values, named.inputs)),
            "outputs": [
                self._result(result, output, name, entry, span)
                for result, output, name in zip(made, outputs, named.names)
            ],
            "where": span,
            "formula": None,
            "needs": None,
            "bytes": int(sum([array.nbytes for array in (*values, *outputs)])),
            "group": None,
            "layer": [-scopes[-1][0], scopes[-1][1]] if scopes else None,
        }
        if (title := tape.title(op)) != op:
            row["called"] = title
        way = op, tape.path_of(made[0])
        rules = self.rules.of(op, attributes, values, outputs)
        facts = CardFacts(where, way, scopes, attributes, rules)
        card = self.cards.add(row, facts, numbers, self.nodes.watched, named.played)
        self.nodes.watched.update(made)
        return card

    def _result(
        self, number: Number, value: Array, name: str, entry: Entry, span: Located | None
    ) -> int:
        """Returns the node of an output of the card that is being made, or that of the same
        operation on another tape.
        """
        nodes, named, card = self.nodes, self._named[entry.outputs], len(self.cards.rows)
        if number not in nodes.of:
            made_as = nodes.labels.made_as if number in nodes.derivatives.made else {}
            label = nodes.labels.given.get(number) or made_as.get(number) or name
            row = nodes.rows[nodes.make(number, value, "intermediate", label)]
            row["op"], row["card"], row["where"] = entry.op, card, span
            written = self.names.snippet(entry.where) if named.last and not named.played else ""
            row["text"] = nodes.derivative(number) or written
        row = nodes.rows[nodes.of[number]]
        row["text"] = row["text"] or placeholder(entry.op, card)
        return nodes.of[number]


def placeholder(op: str, card: int) -> str:
    """Returns what stands in the box of a result until something better is known."""
    return f"{op} {card + 1}"


def _happenings(
    tape: RecordedTape, number: int
) -> Iterator[tuple[int, int, int, RecordedTape, int, Entry | None, Note | None]]:
    """Yields the entries and notes of one tape in the order in which they happened: (time, number
    of the tape, place there, tape, index of the entry that it is or comes before, entry, note).

    The number of the newest tensor is the time; numbers are handed out in order. A reading of a
    variable has an older number.
    """
    notes, at, time = tape.notes, 0, tape.begin
    made = next((entry.outputs[0] for entry in tape.entries if entry.op != READ), time)
    if made < tape.begin:
        time = 0  # the film began after this tape
    for index in range(len(tape.entries) + 1):
        while at < len(notes) and notes[at].at <= index:
            about = notes[at].about
            if about.get("op") != READ:  # what a note tells of cannot be younger than the note
                time = max([time, *about.get("outputs", ()), about.get("id", 0)])
            yield time, number, index + at, tape, index, None, notes[at]
            at += 1
        if index < len(tape.entries):
            entry = tape.entries[index]
            if entry.op != READ:
                time = max(time, *entry.outputs)
            yield time, number, index + at, tape, index, entry, None
