"""What the nodes of a picture are called: by whom, and how values that share a name are told apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from minitape.engine.base.aliases import Number
from minitape.engine.recording import TensorInfo
from minitape.storyboard.film.recorded import RecordedPlay
from minitape.storyboard.stage.layers import Layers
from minitape.storyboard.stage.names import Names, numbered
from minitape.storyboard.text.aliases import Data


class Labels:
    """Names by the numbers of tensors and variables.

    `given`: those that the caller knows; `made_as`: where a value was made; `called`: where one
    that no card uses was used.
    """

    def __init__(self, names: Names, given: Mapping[Number, str]) -> None:
        self.names, self.given = names, dict(given)
        self.made_as: dict[Number, str] = {}
        self.called: dict[Number, str] = {}
        self._called: dict[str, list[Data]] = {}

    def of(self, number: Number) -> str:
        """Returns the name that is known of a tensor or variable itself, "" for none."""
        return self.given.get(number) or self.made_as.get(number) or ""

    def call(self, node: Data, label: str) -> None:
        """Labels a node; where several have a name, each has its number."""
        called = self._called.setdefault(label, [])
        called.append(node)
        if len(called) == 2:
            called[0]["label"] = numbered(label, 1)
        node["label"] = numbered(label, len(called)) if len(called) > 1 else label

    def begin_again(self) -> None:
        """Lets names start without numbers again, as in a new round of a loop."""
        self._called = {}

    def meet(
        self, variables: Sequence[TensorInfo], plays: Iterable[RecordedPlay], layers: Layers
    ) -> None:
        """Learns the names of variables, targets, sources and gradients from where the learner made
        them.
        """
        for info in variables:
            self._meet(info, layers)
        self._tell_apart({info.id: self.made_as[info.id] for info in variables}, plays)
        for play in plays:
            for info in (*play.sources, *play.targets):
                self._meet(info, layers)
            answers = self.names.answers(play.where)
            for number, name in zip(
                play.answers, answers if len(answers) == len(play.answers) else ()
            ):
                if number is not None:
                    self.made_as.setdefault(number, name)  # dy_dx = inner.gradient(y, x)

    def _meet(self, info: TensorInfo, layers: Layers) -> None:
        if not info.is_variable:
            self.made_as.setdefault(info.id, self.names.of_object(info.where))
            return
        layer, name = layers.of_variable(info)
        known = self.names.of_variable(info.where) or (
            f"{layer}.{name}" if layer else plain_name({"name": info.name}, "")
        )
        self.made_as.setdefault(info.id, known)

    def _tell_apart(self, made: dict[Number, str], plays: Iterable[RecordedPlay]) -> None:
        """Calls a variable as a play asks for it, where another has the name that both were made
        under: w and first_w, not w₁ and w₂.
        """
        asked: dict[str, set[Number]] = {}
        for play in plays:
            for info, name in zip(
                play.sources, self.names.of_sources(play.where, len(play.sources))
            ):
                asked.setdefault(name, set()).add(info.id)
        taken = list(made.values())
        for name, (number, *others) in asked.items():
            if name and not others and name not in taken and taken.count(made.get(number, "")) > 1:
                self.made_as[number] = name


def plain_name(attributes: Mapping[str, Any] | None, unnamed: str = "variable") -> str:
    """Returns the name that a variable was given itself, `unnamed` where it has the library's own."""
    name = str((attributes or {}).get("name", "variable")).removesuffix(":0")
    return unnamed if name == "Variable" else name
