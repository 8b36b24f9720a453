"""The stage: nodes, edges, cards and notes of all reels of a film, before anything is played.

Values have numbers (tensor ids) on a tape; here each number becomes a node, each entry a card, each
input of an entry an edge. Readings of variables are no cards: a version of a variable is one node.
Everything keeps the order in which it happened, across nested tapes too, because tensor ids come
from one counter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from minitape.program import name_values
from minitape.storyboard.stage.formula import Rules, adjoint_name, expression, index_of, is_atom
from minitape.storyboard.stage.formula import texts as formula_texts
from minitape.storyboard.stage.layers import Layers
from minitape.storyboard.stage.names import Names, numbered
from minitape.storyboard.stage.notes import beside, note_row
from minitape.storyboard.text.summary import Values, short_text

if TYPE_CHECKING:
    from minitape.engine.ground.aliases import Array, Arrays
    from minitape.engine.ground.notes import Note
    from minitape.engine.recording import Entry, Thing
    from minitape.storyboard.film.film import Reel, Take
    from minitape.storyboard.film.source import Located, Sources
    from minitape.storyboard.text.aliases import Row, Say

READ = "ReadVariableOp"
WRITTEN = 22  # letters at most of what stands for a value that no text names
SHORT = 24  # an unnamed operand stands in a formula as it was written, up to this length


class Stage:
    """Nodes, edges, cards, notes and their order; `events` is the list (time, frame) of what was
    recorded.
    """

    def __init__(
        self, sources: Sources, given_names: dict[int, str], max_cells: int, say: Say
    ) -> None:
        self.sources, self.names, self.say = sources, Names(sources), say
        self.values, self.rules = Values(max_cells), Rules()
        self.given = dict(given_names)  # tensor or variable id -> name that the caller knows
        self.nodes, self.edges, self.cards, self.notes, self.tapes, self.events = (
            [],
            [],
            [],
            [],
            [],
            [],
        )
        self.node_of, self.variable_nodes, self.card_of, self.arrays = {}, {}, {}, {}
        self.where_of_card, self._counts, self._parts, self.note_rows = [], {}, {}, {}
        self.watched, self.made_as, self.unread, self.variable_of, self.scopes = (
            set(),
            {},
            set(),
            {},
            [],
        )
        self.called, self.uses = {}, {}
        self.attributes = []  # of each card, as its rule gets them

    def meet(self, reels: list[Reel], takes: list[Take]) -> None:
        """Learns the names of tapes, variables, watched values, targets and sources from where the
        learner made them.
        """
        self.tape_of, self.adjoint_of, variables = {}, {}, []
        for reel in reels:
            self.tape_of[reel.number] = len(self.tapes)
            self.tapes.append(
                {
                    "name": self.names.of_object(reel.where) or "tape",
                    "persistent": bool(reel.persistent),
                }
            )
            self.watched |= {note[3]["id"] for note in reel.notes if note[0] == "watch"}
            variables += reel.recording.variables.values()
        variables += [source for take in takes for source in take.sources if source.is_variable]
        self.layers = Layers(
            variables,
            [
                [reel.layers_of(entry[2][0]) for entry in reel.entries if entry[0] != READ]
                for reel in reels
            ],
        )
        for thing in variables:
            self._meet(thing)
        self._tell_apart({thing.id: self.made_as[thing.id] for thing in variables}, takes)
        for take in takes:
            for thing in (*take.sources, *take.targets):
                self._meet(thing)
            answers = self.names.answers(take.where)
            for number, name in zip(
                take.answers, answers if len(answers) == len(take.answers) else ()
            ):
                self.made_as.setdefault(number, name)  # dy_dx = inner.gradient(y, x)
            self.adjoint_of.update({number: (*told, take) for number, told in take.made.items()})

    def _meet(self, thing: Thing) -> None:
        if not thing.is_variable:
            self.made_as.setdefault(thing.id, self.names.of_object(thing.where))
            return
        layer, name = self.layers.of_variable(thing)
        known = self.names.of_variable(thing.where) or (
            f"{layer}.{name}" if layer else _plain_name({"name": thing.name}, "")
        )
        self.made_as.setdefault(thing.id, known)

    def _tell_apart(self, made: dict[int, str], takes: list[Take]) -> None:
        """Calls a variable as a play asks for it, where another has the name that both were made
        under: w and first_w, not w and w′.
        """
        asked: dict[str, set[int]] = {}
        for take in takes:
            for thing, name in zip(
                take.sources, self.names.of_sources(take.where, len(take.sources))
            ):
                asked.setdefault(name, set()).add(thing.id)
        taken = list(made.values())
        for name, (number, *others) in asked.items():
            if name and not others and name not in taken and taken.count(made.get(number, "")) > 1:
                self.made_as[number] = name

    def record(self, reels: list[Reel], rounds: Sequence[Reel] = ()) -> None:
        """Goes through everything that was recorded and noted, in the order of time.

        In each round of a training loop (`rounds` are the reels that begin one) names start without
        primes again.
        """
        stream = []
        for reel in reels:
            stream += _stream(reel)
        stream.sort(key=lambda item: item[:3])
        chapters = [reel.begin for reel in reels if reel in rounds]
        recorded = {number for reel in reels for entry in reel.entries for number in entry[2]}
        self.beside = set().union(*[beside(reel) for reel in reels])
        shown = set()
        self._name_all(
            [
                (item[5][1], item[4])
                for item in stream
                if item[3] == "card" and item[5][0] < len(item[4].kept)
            ]
        )
        for time, reel_number, order, kind, reel, item in stream:
            tape, key = self.tape_of[reel_number], (time, 0, reel_number, order)
            if chapters and time >= chapters[0]:
                chapters.pop(0)
                self._counts = {}
            if kind == "note":
                self._note(item, tape, key, recorded, shown, reel)
                continue
            index, entry = item
            if index >= len(reel.kept):  # the arrays were let go before the film began
                continue
            arrays = reel.kept[index]
            if entry[0] == READ:
                self.read(reel_number, entry, *arrays)
            else:
                card = self.card_of[reel_number, index] = self.card(reel, entry, arrays, tape)
                several = {"key": "record.several"} if len(entry[2]) > 1 else {}
                self.events.append((key, {"act": "record", "card": card, **several}))

    def _name_all(self, entries: Sequence[tuple[Entry, Reel]]) -> None:
        """Asks the text once how it calls the values of all entries, in the order of time."""
        self.variable_of = {entry[2][0]: entry[1][0] for entry, _ in entries if entry[0] == READ}
        made = [(entry, reel) for entry, reel in entries if entry[0] != READ]
        layers = {
            number: layer
            for number, variable in self.variable_of.items()
            if (layer := self.layers.path_of(variable))
        }
        plain = [
            (op, inputs, outputs, where, reel.path_of(outputs[0]))
            for (op, inputs, outputs, _, where), reel in made
        ]
        self.named = {
            outputs: named
            for (_, _, outputs, *_), named in zip(
                plain, name_values(plain, self.sources.text, layers)
            )
        }

    def _note(
        self,
        note: Note,
        tape: int,
        key: tuple[int, ...],
        recorded: set[int],
        shown: set[Any],
        reel: Reel,
    ) -> None:
        identity = (note[0], note[2], repr(note[3]))
        if identity in shown:  # a nested tape has the same note in its margin
            return
        row = note_row(self, note, tape, recorded, reel)
        if row is None:
            return
        shown.add(identity)
        self.note_rows[id(note)] = len(self.notes)
        self.notes.append(row)
        act = "skip" if note[0] == "unwatched" and note[3]["op"] != READ else "note"
        frame = {"act": act, "note": len(self.notes) - 1}
        if act == "skip":
            frame["node"] = None
        self.events.append((key, frame))

    def anchor(self, thing: Thing, reel: int) -> int:
        """Returns the node of a target or source of a play; one that no tape met gets a node of its
        own.
        """
        if not thing.is_variable:
            if thing.id not in self.node_of:
                self.leaf(
                    thing.id,
                    thing.value,
                    self.made_as.get(thing.id) or self.names.as_written(thing.where),
                    None,
                )
            return self.node_of[thing.id]
        versions = self.variable_nodes.setdefault((thing.id, reel), [])
        if not versions:
            if thing.tensor not in self.node_of:
                label = self.given.get(thing.id) or self.made_as.get(thing.id, "")
                index = self.node(thing.tensor, thing.value, "variable", label)
                self.nodes[index]["text"] = _plain_name({"name": thing.name})
            self.nodes[self.node_of[thing.tensor]]["role"] = "variable"
            versions.append(self.node_of[thing.tensor])
        return versions[0]

    def versions(self, thing: Thing, node: int, reel: int) -> list[int]:
        """Returns the nodes of all versions of a variable that a tape read; of a tensor its one
        node.
        """
        return [node] if not thing.is_variable else self.variable_nodes[thing.id, reel]

    def numbers(self) -> dict[int, list[int]]:
        """Returns the numbers of each node: of its tensors, and of the variable that it is a
        version of.
        """
        found: dict[int, list[int]] = {}
        for number, node in self.node_of.items():
            found.setdefault(node, []).append(number)
        for (variable, _), versions in self.variable_nodes.items():
            for node in versions:
                found.setdefault(node, []).append(variable)
        return found

    def bridge(self, start: int, end: int, flow: str) -> int:
        """Adds an edge that no card made: a way that is not there. Returns its number."""
        self.edges.append({"from": start, "to": end, "card": None, "input": None, "flow": flow})
        return len(self.edges) - 1

    # ---- nodes

    def node(
        self,
        number: int,
        value: Array,
        role: str,
        label: str = "",
        where: Located | None = None,
        op: str | None = None,
        card: int | None = None,
        text: str = "",
    ) -> int:
        """Makes the node of a tensor; `label` gets a prime where another node already has that
        name.
        """
        if label:
            count = self._counts.get(label, 0)
            self._counts[label] = count + 1
            label = numbered(label, count)
        index = len(self.nodes)
        self.node_of[number] = index
        self.arrays[index] = value
        self.nodes.append(
            {
                "label": label,
                "text": text,
                "role": role,
                "target": False,
                "source": False,
                "op": op,
                "card": card,
                "value": self.values.add(value),
                "where": where,
                "bytes": int(value.nbytes),
                "group": None,
            }
        )
        return index

    def leaf(self, number: int, value: Array, label: str, where: Located | None) -> int:
        """Returns the node of an input; makes one for a value that no card on these tapes made."""
        index = self.node_of.get(number)
        if index is None:
            label = self.given.get(number) or self.made_as.get(number) or label
            role = "watched" if number in self.watched else "input" if label else "constant"
            index = self.node(number, value, role, label, None)
            self.nodes[index]["text"] = short_text(
                self.values.summaries[self.nodes[index]["value"]]
            )
        elif label and not self.nodes[index]["label"] and self.nodes[index]["card"] is None:
            self._rename(index, label)  # an input without a name that is used by one
        return index

    def _rename(self, index: int, label: str) -> None:
        count = self._counts.get(label, 0)
        self._counts[label] = count + 1
        self.nodes[index]["label"] = numbered(label, count)

    def read(self, reel: int, entry: Entry, values: Arrays, outputs: Arrays) -> None:
        """A version of a variable becomes a node (which no card makes)."""
        variable, number = entry[1][0], entry[2][0]
        self.watched |= {variable, number}
        versions = self.variable_nodes.setdefault((variable, reel), [])
        if number in self.node_of:
            if self.node_of[number] not in versions:
                versions.append(self.node_of[number])
            return
        name = self.given.get(variable) or self.made_as.get(variable, "")
        index = self.node(number, outputs[0], "variable", name)
        self.nodes[index]["text"] = _plain_name(entry[3])
        versions.append(index)

    # ---- cards

    def card(self, reel: Reel, entry: Entry, arrays: tuple[Arrays, Arrays], tape: int) -> int:
        """An entry becomes a card; its inputs that nobody made become leaves."""
        op, numbers, made, attributes, where = entry
        values, outputs = arrays
        self.scopes.append(
            self.layers.of_card(
                [self.variable_of.get(number) for number in numbers], where, reel.layers_of(made[0])
            )
        )
        named, span = self.named[made], self.sources.locate(where)
        card = len(self.cards)
        inputs = [
            self.leaf(number, value, label, span)
            for number, value, label in zip(numbers, values, named.inputs)
        ]
        given = []
        for number, output, name in zip(made, outputs, named.names):
            label = (
                self.given.get(number)
                or number in self.adjoint_of
                and self.made_as.get(number)
                or name
            )
            if number in self.node_of:  # the same operation on a second tape
                given.append(self.node_of[number])
                continue
            index = self.node(number, output, "intermediate", label, span, op, card)
            self.nodes[index]["text"] = self._derivative(number) or (
                self.names.snippet(where) if named.last and not named.played else ""
            )
            given.append(index)
        for index in given:
            if not self.nodes[index]["text"]:
                self.nodes[index]["text"] = _placeholder(op, card)
        for place, index in enumerate(inputs):
            uses = self.uses.setdefault((tape, index), {})
            uses[card, place] = len(uses) + 1
        rules = self.rules.of(op, attributes, values, outputs)
        self.cards.append(
            {
                "op": op,
                "tape": tape,
                "inputs": inputs,
                "outputs": given,
                "where": span,
                "formula": rules,
                "needs": None,
                "bytes": int(sum([array.nbytes for array in (*values, *outputs)])),
                "group": None,
                "layer": [-self.scopes[-1][-1][0], self.scopes[-1][-1][1]]
                if self.scopes[-1]
                else None,
            }
        )
        for place, (start, number) in enumerate(zip(inputs, numbers)):
            flow = (
                "unregistered"
                if rules is None
                else "unwatched"
                if number not in self.watched
                else "blocked"
                if rules[place].tree is None
                else "open"
            )
            for end in given:
                self.edges.append(
                    {"from": start, "to": end, "card": card, "input": place, "flow": flow}
                )
        self.watched.update(made)
        self.where_of_card.append((where, (op, reel.path_of(made[0]))))
        self.attributes.append(attributes)
        return card

    def _derivative(self, number: int) -> str:
        """What a play made while an outer tape recorded it: dy/dx, for the adjoint of x, a part of
        it, or a sum of some.
        """
        if number not in self.adjoint_of:
            return ""
        kind, about, take = self.adjoint_of[number]
        over, under = (self._called(n) for n in (take.targets[0].id, about))
        name = f"d{over}/d{under}"
        if kind == "part":
            self._parts[name] = self._parts.get(name, 0) + 1
            return self.say("text.part", name=name, count=self._parts[name])
        return self.say("text.subtotal", name=name) if kind == "subtotal" else name

    def _called(self, number: int) -> str:
        node = (
            self.nodes[self.node_of[number]]
            if number in self.node_of
            else {"label": "", "text": ""}
        )
        name = node["label"] or node["text"]
        return name if is_atom(name) and not name.endswith(")") else f"({name})"  # dy/d(tf.sin(x))

    def finish(self) -> None:
        """Puts names into the formulas and nodes into the notes, once all are known."""
        # a value that came back has its node only after the note, and its name
        for note in self.notes:
            if note["key"].startswith("note.unread"):
                read = note["nodes"][0]
                named = (
                    self.nodes[self.node_of[read]]["label"]
                    if read in self.node_of
                    else self.called.get(read)
                )
                note["params"]["name"] = named or note["params"]["name"]
            note["nodes"] = sorted(
                {self.node_of[number] for number in note["nodes"] if number in self.node_of}
            )
        self._write_out()
        needs: dict[int, list[bool]] = {}
        for number, card in enumerate(self.cards):
            rules, made = card["formula"], [self.nodes[node] for node in card["outputs"]]
            free = "u" + index_of(number)  # an output without a short name: one letter, one value
            card["sign"] = adjoint_name(made[0]["label"] if made else "", free)
            if rules is None:
                card["formula"], card["needs"] = (
                    [None] * len(card["inputs"]),
                    [False] * (len(card["inputs"]) + 1),
                )
                continue
            inputs = [self._written(node) for node in card["inputs"]]
            outputs = [node["label"] if len(node["label"]) <= SHORT else "" for node in made]
            card["formula"] = formula_texts(rules, inputs, outputs, free)
            if id(rules) not in needs:  # all cards of an operation have them in common
                needs[id(rules)] = [
                    any(place in rule.inputs for rule in rules) for place in range(len(inputs))
                ]
                needs[id(rules)].append(any(rule.output for rule in rules))
            card["needs"] = list(needs[id(rules)])

    def _write_out(self) -> None:
        """Calls the values that no text names by what makes them: a layer's result `Dense1(x)`,
        else the operation, `x @ w`.
        """
        # the layer of the card before, and the first card of a layer's call
        before, first = None, None
        for number, card in enumerate(self.cards):
            layer, following = (
                card["layer"],
                self.cards[number + 1]["layer"] if number + 1 < len(self.cards) else None,
            )
            before, first = layer, card if layer != before else first
            for index in card["outputs"]:
                node = self.nodes[index]
                named = card["where"] is not None or any(
                    self.nodes[place]["label"] for place in card["inputs"]
                )
                if node["label"] or node["text"] != _placeholder(card["op"], number) or not named:
                    continue
                if layer and layer != following:
                    given = [
                        self._shown(place)
                        for place in first["inputs"]
                        if not self._shown(place).startswith(layer[1] + ".")
                    ]
                    node["text"] = _short(f"{layer[1]}({', '.join(given[:1])})", f"{layer[1]}(…)")
                else:
                    node["text"] = self._operation(card, number) or node["text"]

    def _operation(self, card: Row, number: int) -> str:
        """Returns an operation as an expression, with … for what is too long to stand in it, ""
        where that is too long as well.
        """
        # inside of a layer its kernel is "kernel"
        own = card["layer"][1] + "." if card["layer"] else ""
        names = [self._shown(node).removeprefix(own) for node in card["inputs"]]
        brief = [name if is_atom(name) and len(name) <= SHORT // 2 else "…" for name in names]
        op, attributes = card["op"], self.attributes[number]
        ways = (
            expression(op, names, attributes),
            expression(op, brief, attributes),
            expression(op, ["…"], None),
        )
        return next((way for way in ways if len(way) <= WRITTEN), "")

    def _shown(self, index: int) -> str:
        return self.nodes[index]["label"] or self.nodes[index]["text"]

    def _written(self, node: int) -> str:
        found = self.nodes[node]
        name = found["label"] or (
            found["text"] if found["role"] != "variable" and "…" not in found["text"] else ""
        )
        if len(name) <= SHORT and name or is_atom(name) and found["label"]:
            return name
        return "" if found["card"] is None else "u" + index_of(found["card"])


def _placeholder(op: str, card: int) -> str:
    return f"{op} {card + 1}"


def _short(text: str, otherwise: str) -> str:
    return text if len(text) <= SHORT else otherwise


def _plain_name(attributes: Row, unnamed: str = "variable") -> str:
    name = str((attributes or {}).get("name", "variable")).removesuffix(":0")
    return unnamed if name == "Variable" else name


def _stream(reel: Reel) -> Iterator[tuple[Any, ...]]:
    """Yields (time, reel, order, kind, reel, item): entries and notes of one tape in the order in
    which they happened.

    The number of the newest tensor is the time; numbers are handed out in order. A reading of a
    variable has an older number.
    """
    notes, at, time = list(reel.notes), 0, reel.begin
    made = [entry[2][0] for entry in reel.entries if entry[0] != READ]
    if made and made[0] < reel.begin:
        time = 0  # the film began after this tape
    for index in range(len(reel.entries) + 1):
        while at < len(notes) and notes[at][1] <= index:
            about = notes[at][3]
            if about.get("op") != READ:  # what a note tells of cannot be younger than the note
                time = max([time, *about.get("outputs", ()), about.get("id", 0)])
            yield time, reel.number, index + at, "note", reel, notes[at]
            at += 1
        if index < len(reel.entries):
            entry = reel.entries[index]
            if entry[0] != READ:
                time = max(time, *entry[2])
            yield time, reel.number, index + at, "card", reel, (index, entry)
