"""The stage: nodes, edges, cards and notes of all tapes of a film, before anything is played.

Values have numbers (tensor ids) on a tape; here each number becomes a node, each entry a card, each
input of an entry an edge. Readings of variables are no cards: a version of a variable is one node.
Everything keeps the order in which it happened, across nested tapes too, because tensor ids come
from one counter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from minitape.dialects import dialect_of
from minitape.program import name_values
from minitape.storyboard.stage.formula import Rules, is_atom
from minitape.storyboard.stage.labels import Labels, plain_name
from minitape.storyboard.stage.layers import Layers
from minitape.storyboard.stage.names import Names
from minitape.storyboard.stage.notes import READ, beside, note_row
from minitape.storyboard.text.summary import Values, short_text

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Array, Arrays, Attributes, Number, Numbers, Where
    from minitape.engine.recording import Entry, Note, TensorInfo
    from minitape.program.values import Named
    from minitape.storyboard.film.aliases import Located
    from minitape.storyboard.film.recorded import RecordedPlay, RecordedTape
    from minitape.storyboard.film.source import Sources
    from minitape.storyboard.stage.aliases import Event, Moment
    from minitape.storyboard.stage.formula import Rule
    from minitape.storyboard.text.aliases import Row, Say


class Happening(NamedTuple):
    """An entry or a note of a tape, and its moment: the time, the number of the tape, its place
    there.
    """

    time: int
    number: int
    order: int
    tape: RecordedTape
    index: int  # type: ignore[assignment]  # tuples have a method of this name
    entry: Entry | None
    note: Note | None


class CardFacts(NamedTuple):
    """What is known of a card beside its row: where it was made, on which way, in which layers,
    from which attributes, by which rules.
    """

    where: Where
    way: tuple[str, Any]
    scopes: tuple[Any, ...]
    attributes: Attributes
    rules: list[Rule] | None


class Stage:
    """The rows of a storyboard that stand before a play, and what finds them by number; `events` is
    what was recorded, as frames.
    """

    def __init__(
        self, sources: Sources, given_names: Mapping[Number, str], max_cells: int, say: Say
    ) -> None:
        self.sources, self.names, self.say = sources, Names(sources), say
        self.labels = Labels(self.names, given_names)
        self.values, self.rules = Values(max_cells), Rules()
        self.nodes: list[Row] = []
        self.edges: list[Row] = []
        self.cards: list[Row] = []
        self.notes: list[Row] = []
        self.tapes: list[Row] = []
        self.events: list[Event] = []
        self.arrays: list[Array] = []  # of each node
        self.facts: list[CardFacts] = []  # of each card
        self.recordings: set[str] = set()  # what their libraries record: "tape", "graph"
        self.tape_of: dict[RecordedTape, int] = {}
        self.node_of: dict[Number, int] = {}
        # (variable, tape): the nodes of its versions
        self.variable_nodes: dict[tuple[Number, int], list[int]] = {}
        self.card_of: dict[tuple[int, int], int] = {}  # (tape, index of the entry): card
        self.uses: dict[tuple[int, int], int] = {}  # (tape, node): how often the program uses it
        # (card, input): which of them it is, from 1; 0 of what a play made
        self.use_of: dict[tuple[int, int], int] = {}
        self.watched: set[Number] = set()
        self.missed: set[Number] = set()  # used where a tape did not watch them
        self.recorded: set[Number] = set()  # the numbers of all tensors that some tape recorded
        # variables of which a note has said that their reading is not watched
        self.unread: set[Number] = set()
        self.beside: set[int] = set()  # the notes that tell what a library did by the way
        self._said: set[Any] = set()
        # what an outer tape recorded of an inner play
        self._derivatives: dict[Number, tuple[str, Number, RecordedPlay]] = {}
        self._parts: dict[str, int] = {}

    @property
    def attributes(self) -> list[Attributes]:
        """The attributes of each card, as its rule gets them."""
        return [facts.attributes for facts in self.facts]

    def meet(self, tapes: Sequence[RecordedTape], plays: Sequence[RecordedPlay]) -> None:
        """Learns the names of tapes, variables, watched values, targets and sources from where the
        learner made them.
        """
        variables: list[TensorInfo] = []
        for tape in tapes:
            self.tape_of[tape] = len(self.tapes)
            word = dialect_of(tape.recording.module).recording
            self.recordings.add(word)
            known = tape.tape.name or self.names.of_object(tape.where)
            self.tapes.append(
                {
                    "name": known or ("tape" if word == "tape" else ""),
                    "persistent": bool(tape.persistent),
                }
            )
            self.watched |= {note.about["id"] for note in tape.notes if note.kind == "watch"}
            self.missed.update(
                *(note.about["inputs"] for note in tape.notes if note.kind == "unwatched")
            )
            variables += filter(None, tape.recording.variables.values())
        variables += [source for play in plays for source in play.sources if source.is_variable]
        self.layers = Layers(
            variables,
            [
                [tape.layers_of(entry.outputs[0]) for entry in tape.entries if entry.op != READ]
                for tape in tapes
            ],
            any(dialect_of(tape.recording.module).paths for tape in tapes),
        )
        self.labels.meet(variables, plays, self.layers)
        for play in plays:
            self._derivatives.update({number: (*made, play) for number, made in play.made.items()})

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
        self.recorded = {
            number for tape in tapes for entry in tape.entries for number in entry.outputs
        }
        self.beside = set().union(*[beside(tape) for tape in tapes])
        self._name_all(
            [
                (happening.entry, happening.tape)
                for happening in stream
                if happening.entry is not None and happening.index < len(happening.tape.kept)
            ]
        )
        for time, number, order, tape, index, entry, note in stream:
            moment = time, 0, number, order
            if chapters and time >= chapters[0]:
                chapters.pop(0)
                self.labels.begin_again()
            if note is not None:
                self._note(note, tape, moment)
            # the arrays were let go before the film began
            if entry is None or index >= len(tape.kept):
                continue
            arrays = tape.kept[index]
            if entry.op == READ:
                self._read(number, entry, arrays[1])
            else:
                card = self.card_of[number, index] = self._card(tape, entry, arrays)
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
        identity = (note.kind, note.where, repr(note.about))
        if identity in self._said:  # a nested tape has the same note in its margin
            return
        row = note_row(self, note, tape)
        if row is None:
            return
        self._said.add(identity)
        self.notes.append(row)
        skips = note.kind == "unwatched" and note.about["op"] != READ
        self.events.append(
            (
                moment,
                {
                    "act": "skip" if skips else "note",
                    "note": len(self.notes) - 1,
                    **({"node": None} if skips else {}),
                },
            )
        )

    def anchor(self, info: TensorInfo, tape: int) -> int:
        """Returns the node of a target or source of a play; one that no tape met gets a node of its
        own.
        """
        if not info.is_variable:
            if info.id not in self.node_of:
                self._leaf(
                    info.id,
                    info.value,
                    self.labels.made_as.get(info.id) or self.names.as_written(info.where),
                )
            return self.node_of[info.id]
        versions = self.variable_nodes.setdefault((info.id, tape), [])
        if not versions:
            if info.tensor not in self.node_of:
                self._node(
                    info.tensor,
                    info.value,
                    "variable",
                    self.labels.of(info.id),
                    plain_name({"name": info.name}),
                )
            self.nodes[self.node_of[info.tensor]]["role"] = "variable"
            versions.append(self.node_of[info.tensor])
        return versions[0]

    def versions(self, info: TensorInfo, node: int, tape: int) -> list[int]:
        """Returns the nodes of all versions of a variable that a tape read; of a tensor its one
        node.
        """
        return [node] if not info.is_variable else self.variable_nodes[info.id, tape]

    def numbers(self) -> dict[int, list[Number]]:
        """Returns the numbers of each node: of its tensors, and of the variable that it is a
        version of.
        """
        result: dict[int, list[Number]] = {}
        for number, node in self.node_of.items():
            result.setdefault(node, []).append(number)
        for (variable, _), versions in self.variable_nodes.items():
            for node in versions:
                result.setdefault(node, []).append(variable)
        return result

    def bridge(self, start: int, end: int, flow: str) -> int:
        """Adds an edge that no card made: a way that is not there. Returns its number."""
        self.edges.append({"from": start, "to": end, "card": None, "input": None, "flow": flow})
        return len(self.edges) - 1

    # ---- nodes

    def _node(
        self, number: Number, value: Array, role: str, label: str = "", text: str = ""
    ) -> int:
        """Makes the node of a tensor that no card made; `label` gets a number where several have
        that name.
        """
        index = self.node_of[number] = len(self.nodes)
        self.arrays.append(value)
        self.nodes.append(
            {
                "label": "",
                "text": text,
                "role": role,
                "target": False,
                "source": False,
                "op": None,
                "card": None,
                "value": self.values.add(value),
                "where": None,
                "bytes": int(value.nbytes),
                "group": None,
            }
        )
        if label:
            self.labels.call(self.nodes[index], label)
        return index

    def _leaf(self, number: Number, value: Array, label: str) -> int:
        """Returns the node of an input; makes one for a value that no card on these tapes made."""
        index = self.node_of.get(number)
        if index is None:
            label = self.labels.of(number) or label
            role = "watched" if number in self.watched else "input" if label else "constant"
            seed = self._derivatives.get(number, ("",))[0] == "seed"  # of a play that is recorded
            index = self._node(
                number, value, role, label or (self.say("text.seed") if seed else "")
            )
            self.nodes[index]["text"] = short_text(
                self.values.summaries[self.nodes[index]["value"]]
            )
        elif label and not self.nodes[index]["label"] and self.nodes[index]["card"] is None:
            # an input without a name that is used by one
            self.labels.call(self.nodes[index], label)
        return index

    def _read(self, tape: int, entry: Entry, outputs: Arrays) -> None:
        """A version of a variable becomes a node (which no card makes)."""
        variable, number = entry.inputs[0], entry.outputs[0]
        self.watched |= {variable, number}
        versions = self.variable_nodes.setdefault((variable, tape), [])
        if number not in self.node_of:
            versions.append(
                self._node(
                    number,
                    outputs[0],
                    "variable",
                    self.labels.of(variable),
                    plain_name(entry.attributes),
                )
            )
        elif self.node_of[number] not in versions:
            versions.append(self.node_of[number])

    # ---- cards

    def _card(self, tape: RecordedTape, entry: Entry, arrays: tuple[Arrays, Arrays]) -> int:
        """An entry becomes a card; its inputs that nobody made become leaves."""
        op, numbers, made, attributes, where = entry
        values, outputs = arrays
        scopes = self.layers.of_card(
            [self._variable_of.get(number) for number in numbers], where, tape.layers_of(made[0])
        )
        named, span, card, number = (
            self._named[made],
            self.sources.locate(where),
            len(self.cards),
            self.tape_of[tape],
        )
        inputs = [
            self._leaf(leaf, value, label)
            for leaf, value, label in zip(numbers, values, named.inputs)
        ]
        given = [
            self._result(result, output, name, entry, span)
            for result, output, name in zip(made, outputs, named.names)
        ]
        for index in given:
            if not self.nodes[index]["text"]:
                self.nodes[index]["text"] = placeholder(op, card)
        for place, index in enumerate(inputs):
            # what a play made stands nowhere in the program: there is no third x in x * x
            if not named.played:
                self.uses[number, index] = self.uses.get((number, index), 0) + 1
            self.use_of[card, place] = 0 if named.played else self.uses[number, index]
        rules = self.rules.of(op, attributes, values, outputs)
        self.cards.append(
            {
                "op": op,
                "tape": number,
                "inputs": inputs,
                "outputs": given,
                "where": span,
                "formula": None,
                "needs": None,
                "bytes": int(sum([array.nbytes for array in (*values, *outputs)])),
                "group": None,
                "layer": [-scopes[-1][0], scopes[-1][1]] if scopes else None,
            }
        )
        if (title := tape.title(op)) != op:
            self.cards[-1]["called"] = title
        for place, (start, leaf) in enumerate(zip(inputs, numbers)):
            flow = (
                "unregistered"
                if rules is None
                else "unwatched"
                if leaf not in self.watched
                else "blocked"
                if rules[place].tree is None
                else "open"
            )
            for end in given:
                self.edges.append(
                    {"from": start, "to": end, "card": card, "input": place, "flow": flow}
                )
        self.watched.update(made)
        self.facts.append(CardFacts(where, (op, tape.path_of(made[0])), scopes, attributes, rules))
        return card

    def _result(
        self, number: Number, value: Array, name: str, entry: Entry, span: Located | None
    ) -> int:
        """Returns the node of an output of the card that is being made, or that of the same
        operation on another tape.
        """
        if number in self.node_of:
            return self.node_of[number]
        label = (
            self.labels.given.get(number)
            or number in self._derivatives
            and self.labels.made_as.get(number)
            or name
        )
        index = self._node(number, value, "intermediate", label)
        named = self._named[entry.outputs]
        row = self.nodes[index]
        row["op"], row["card"], row["where"] = entry.op, len(self.cards), span
        row["text"] = self._derivative(number) or (
            self.names.snippet(entry.where) if named.last and not named.played else ""
        )
        return index

    def _derivative(self, number: Number) -> str:
        """What a play made while an outer tape recorded it: dy/dx, for the adjoint of x, a part of
        it, or a sum of some.
        """
        if number not in self._derivatives:
            return ""
        kind, about, play = self._derivatives[number]
        over, under = (self._called(n) for n in (play.targets[0].id, about))
        name = f"d{over}/d{under}"
        if kind == "part":
            self._parts[name] = self._parts.get(name, 0) + 1
            return self.say("text.part", name=name, count=self._parts[name])
        return self.say("text.subtotal", name=name) if kind == "subtotal" else name

    def _called(self, number: Number) -> str:
        name = self.shown(self.node_of[number]) if number in self.node_of else ""
        return name if is_atom(name) and not name.endswith(")") else f"({name})"  # dy/d(tf.sin(x))

    def shown(self, node: int) -> str:
        """Returns what a node is called: by the learner's name, else by its text."""
        return self.nodes[node]["label"] or self.nodes[node]["text"]


def placeholder(op: str, card: int) -> str:
    """Returns what stands in the box of a result until something better is known."""
    return f"{op} {card + 1}"


def _happenings(tape: RecordedTape, number: int) -> Iterator[Happening]:
    """Yields entries and notes of one tape in the order in which they happened.

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
            yield Happening(time, number, index + at, tape, index, None, notes[at])
            at += 1
        if index < len(tape.entries):
            entry = tape.entries[index]
            if entry.op != READ:
                time = max(time, *entry.outputs)
            yield Happening(time, number, index + at, tape, index, entry, None)
