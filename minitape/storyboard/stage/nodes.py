"""The boxes of a picture: a node for each value, and one for each version of a variable."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from minitape.engine.base.aliases import Array, Number
from minitape.engine.recording import Entry, TensorInfo
from minitape.storyboard.film.recorded import RecordedPlay
from minitape.storyboard.stage.formula import is_atom
from minitape.storyboard.stage.labels import Labels, plain_name
from minitape.storyboard.text.aliases import Data, Say
from minitape.storyboard.text.summary import Values, short_text


class Derivatives:
    """What plays made while an outer tape recorded them, by number: seeds, adjoints, parts, sums."""

    def __init__(self, plays: Sequence[RecordedPlay], say: Say) -> None:
        self.say = say
        self.made = {number: (*made, play) for play in plays for number, made in play.made.items()}
        self._parts: dict[str, int] = {}

    def seed_name(self, number: Number) -> str:
        """Returns what a seed is called, "" for all else."""
        return self.say("text.seed") if self.made.get(number, ("",))[0] == "seed" else ""

    def name(self, number: Number, called: Callable[[Number], str]) -> str:
        """Returns dy/dx for the adjoint of x, and so for a part of it or a sum of some; "" for what
        no play made.
        """
        if number not in self.made:
            return ""
        kind, about, play = self.made[number]
        name = f"d{called(play.targets[0].id)}/d{called(about)}"
        if kind == "part":
            self._parts[name] = self._parts.get(name, 0) + 1
            return self.say("text.part", name=name, count=self._parts[name])
        return self.say("text.subtotal", name=name) if kind == "subtotal" else name


class Nodes:
    """The nodes of all tapes: their rows, the array of each, and what finds them.

    `of`: {number of a tensor: its node}; `versions`: {(number of a variable, tape): the nodes of
    its contents that were read there}; `watched`: the numbers of what some tape watches.
    """

    def __init__(
        self, labels: Labels, values: Values, derivatives: Derivatives, watched: set[Number]
    ) -> None:
        self.labels, self.values, self.derivatives = labels, values, derivatives
        self.watched = watched
        self.rows: list[Data] = []
        self.arrays: list[Array] = []
        self.of: dict[Number, int] = {}
        self.versions: dict[tuple[Number, int], list[int]] = {}

    def shown(self, node: int) -> str:
        """Returns what a node is called: by the learner's name, else by its text."""
        return self.rows[node]["label"] or self.rows[node]["text"]

    def derivative(self, number: Number) -> str:
        """Returns the name of what a play made, "" for all else."""
        return self.derivatives.name(number, self._in_fraction)

    def _in_fraction(self, number: Number) -> str:
        name = self.shown(self.of[number]) if number in self.of else ""
        return name if is_atom(name) and not name.endswith(")") else f"({name})"  # dy/d(tf.sin(x))

    def versions_of(self, info: TensorInfo, node: int, tape: int) -> list[int]:
        """Returns the nodes of all versions of a variable that a tape read; of a tensor its one
        node.
        """
        return [node] if not info.is_variable else self.versions[info.id, tape]

    def numbers(self) -> dict[int, list[Number]]:
        """Returns the numbers of each node: of its tensors, and of the variable that it is a
        version of.
        """
        result: dict[int, list[Number]] = {}
        for number, node in self.of.items():
            result.setdefault(node, []).append(number)
        for (variable, _), versions in self.versions.items():
            for node in versions:
                result.setdefault(node, []).append(variable)
        return result

    def make(self, number: Number, value: Array, role: str, label: str = "", text: str = "") -> int:
        """Makes the node of a tensor; `label` gets a number where several have that name."""
        index = self.of[number] = len(self.rows)
        self.arrays.append(value)
        self.rows.append(
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
            self.labels.call(self.rows[index], label)
        return index

    def leaf(self, number: Number, value: Array, label: str) -> int:
        """Returns the node of an input; makes one for a value that no card on these tapes made."""
        index = self.of.get(number)
        if index is None:
            label = self.labels.of(number) or label
            role = "watched" if number in self.watched else "input" if label else "constant"
            index = self.make(number, value, role, label or self.derivatives.seed_name(number))
            self.rows[index]["text"] = short_text(self.values.summaries[self.rows[index]["value"]])
        elif label and not self.rows[index]["label"] and self.rows[index]["card"] is None:
            # an input without a name that is used by one
            self.labels.call(self.rows[index], label)
        return index

    def read(self, tape: int, entry: Entry, value: Array) -> None:
        """A version of a variable becomes a node (which no card makes)."""
        variable, number = entry.inputs[0], entry.outputs[0]
        self.watched |= {variable, number}
        versions = self.versions.setdefault((variable, tape), [])
        if number not in self.of:
            text = plain_name(entry.attributes)
            self.make(number, value, "variable", self.labels.of(variable), text)
        if self.of[number] not in versions:
            versions.append(self.of[number])

    def anchor(self, info: TensorInfo, tape: int) -> int:
        """Returns the node of a target or source of a play; one that no tape met gets a node of its
        own.
        """
        if not info.is_variable:
            if info.id not in self.of:
                written = self.labels.names.as_written
                label = self.labels.made_as.get(info.id) or written(info.where)
                self.leaf(info.id, info.value, label)
            return self.of[info.id]
        versions = self.versions.setdefault((info.id, tape), [])
        if not versions:
            if info.tensor not in self.of:
                text = plain_name({"name": info.name})
                self.make(info.tensor, info.value, "variable", self.labels.of(info.id), text)
            self.rows[self.of[info.tensor]]["role"] = "variable"
            versions.append(self.of[info.tensor])
        return versions[0]
