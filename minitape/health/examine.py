"""One tape, examined: what is sick in it, in words, with its line.

`examine` plays a tape once and looks at every value and every adjoint on the way: units that are
always 0, outputs on the flat end of a curve, adjoints that shrink or grow from layer to layer, and
the *first* number that is not finite. Layers are compared with layers, never with the 1 at the
loss: so neither the number of examples nor a factor before the loss makes an alarm.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.engine.base.listeners import active
from minitape.engine.base.nest import flatten
from minitape.engine.gradient_tape import GradientTape
from minitape.engine.ops.facts import facts_of
from minitape.sentences import chosen
from minitape.storyboard.build import stage_of
from minitape.storyboard.film.film import Film
from minitape.storyboard.film.source import Sources
from minitape.storyboard.stage.expressions import finish
from minitape.storyboard.text.summary import json_number, number_text
from minitape.typing import Nested

from .seen.anatomy import Anatomy, paths_of, rectifies
from .seen.sizes import finite, fires, flat, statistics
from .words import catalogue

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Number, RawEntry

MANY_DEAD, MANY_SATURATED = 0.6, 0.5  # shares of units, and of flat outputs, that are worth a word
VANISHING, EXPLODING = 1e-3, 1e3  # from the last layer to the first
BIG_STEP = 1e2  # times the other weights


class Health:
    """What `examine` found. Print it to read it.

    `cards`: one row per card, in order of recording: name, op, layer, line, statistics of the
    value, of its adjoint (None where none arrived), numbers of `units`, `dead` and share of
    `saturated` outputs (None where the word makes no sense). `sources`: one row per source: name,
    statistics of value and gradient, `ratio` of their sizes. `findings`: list of (key, sentence,
    place), the place being (source name, line) or None. `gradients`: as `tape.gradient` returns
    them.
    """

    def __init__(self, language: str, title: str) -> None:
        self.language, self.title = language, title
        self.cards: list[dict[str, Any]] = []
        self.sources: list[dict[str, Any]] = []
        self.findings: list[tuple[str, str, Any]] = []
        self.gradients: Any = None

    def to_dict(self) -> dict[str, Any]:
        """Returns everything but the gradients as plain JSON data."""
        findings = [
            {"key": key, "text": text, "place": place} for key, text, place in self.findings
        ]
        return {
            "title": self.title,
            "cards": self.cards,
            "sources": self.sources,
            "findings": findings,
        }

    def __str__(self) -> str:
        say = catalogue(self.language)
        lines = [self.title, "", say["values"]]
        width = max([len(row["name"]) for row in (*self.cards, *self.sources)] + [8])
        lines += [
            f"  {row['name']:<{width}}  {row['op']:<12} {_short(row['value'])}   adjoint "
            f"{_short(row['adjoint'])}"
            for row in self.cards
        ]
        lines += ["", say["gradients"]]
        lines += [
            f"  {row['name']:<{width}}  {_short(row['value'])}   gradient {_short(row['gradient'])}"
            for row in self.sources
        ]
        lines += ["", say["findings"]]
        return "\n".join(
            lines + ([f"  {text}" for _, text, _ in self.findings] or ["  " + say["fine"]])
        )

    def __repr__(self) -> str:
        return (
            f"<Health: {len(self.cards)} cards, {len(self.findings)} findings; print it to read it>"
        )


def _short(found: dict[str, Any] | None) -> str:
    if found is None:
        return "None"
    bad = "".join(f" {found[name]} {name}" for name in ("nan", "+inf", "-inf") if found[name])
    return (f"rms {number_text(found['rms'], 3)}" if "rms" in found else "no finite number") + bad


def examine(
    tape: GradientTape,
    target: Nested,
    sources: Nested,
    *,
    names: Mapping[str, Any] | None = None,
    language: str | None = None,
) -> Health:
    """Plays a tape backwards once, as `tape.gradient` does, and returns the `Health` of what was
    computed.

    `target`: a scalar loss, usually; `sources`: the variables that learn, in any structure. `names`
    are further names {name: tensor or variable}. Raises what `tape.gradient` raises.
    """
    language = chosen(language)
    recorded = tape.recording.tape.entries
    with Film() as film:
        film.add(tape.recording.tape)
        gradients = tape.gradient(target, sources)
    given = {value.id: name for name, value in (names or {}).items() if hasattr(value, "id")}
    examination = _Examination(
        film, recorded, Anatomy(recorded, paths_of(tape.watched_variables())), given, language
    )
    examination.judge(gradients)
    return examination.health


class _Examination:
    """Goes through what the film saw, once forwards and once backwards. `recorded`: the entries
    with their arrays.
    """

    def __init__(
        self,
        film: Film,
        recorded: list[RawEntry],
        anatomy: Anatomy,
        given: dict[Number, str],
        language: str,
    ) -> None:
        self.anatomy, self.where = anatomy, [(entry[4], entry[5]) for entry in recorded]
        self.pruned = {
            layer.out: ~fires(recorded[layer.first][6][-1])
            for layer in anatomy.layers
            if layer.product and recorded[layer.first][6][-1].ndim > 1
        }
        self.row_of: dict[int, dict[str, Any]] = {}  # by number of the entry
        code, self.play = Sources(), film.played[-1]
        token = active.set(())
        try:
            self.stage, _ = stage_of(film, code, given, 1, language)
            self.tape = self.stage.tape_of[self.play.tape]
            self.nodes = [self.stage.anchor(source, self.tape) for source in self.play.sources]
            goal = self.stage.anchor(self.play.targets[0], self.tape)
        finally:
            active.reset(token)
        finish(self.stage)
        self.table, self.shift = code.table()
        self.goal = self.stage.shown(goal)
        value = self.stage.values.summaries[self.stage.nodes[goal]["value"]]["text"]
        self.health = Health(
            language, catalogue.say("title", {"target": self.goal, "value": value}, language)
        )

    def judge(self, gradients: Any) -> None:
        """Finds everything that `Health` reports."""
        self.health.gradients = gradients
        self.adjoints, self.first_bad_part = self._backwards()
        self._forwards()
        self._sources(self.nodes, flatten(gradients))
        if not self._flow():
            self._big_steps()

    def finding(self, key: str, where: Any = None, **params: Any) -> None:
        place, span = None, self.shift(where)
        if span is not None:
            place = [self.table[span[0]]["name"], span[1]]
            params["place"] = catalogue.say("line", {"line": span[1]}, self.health.language)
        text = catalogue.say(
            key, {"target": self.goal, "place": "?", **params}, self.health.language
        )
        self.health.findings.append((key, text, place))

    def _backwards(self) -> tuple[dict[int, Any], Any]:
        """Returns ({card: adjoint of its first output}, the first part that is not finite as (card,
        node) or None).
        """
        adjoints, bad = {}, None
        for step in self.play.steps:
            card = self.stage.card_of.get((self.tape, step.index))
            if card is None:
                continue
            adjoints[card] = step.adjoints[0]
            for part in step.parts:
                if bad is None and all(map(finite, step.adjoints)) and not finite(part.value):
                    bad = card, self.stage.cards[card]["inputs"][part.input]
        return adjoints, bad

    def _forwards(self) -> None:
        stage, met_bad = self.stage, False
        entry_of = {
            card: index for (tape, index), card in stage.card_of.items() if tape == self.tape
        }
        # Behind this entry no weight and no curve comes: a curve that gives the prediction is not
        # inside.
        self.last_inner = max(
            [
                index
                for index, card in ((entry_of.get(n, -1), c) for n, c in enumerate(stage.cards))
                if facts_of(card["op"]).limits
                or any(layer.first == index for layer in self.anatomy.layers)
            ],
            default=-1,
        )
        for number, card in enumerate(stage.cards):
            node = card["outputs"][0]
            name, value = self.stage.shown(node), stage.arrays[node]
            span = self.shift(card["where"])
            row = {
                "name": name,
                "op": card["op"],
                "layer": stage.facts[number].scopes[-1][1] if stage.facts[number].scopes else None,
                "line": span[1] if span else None,
                "value": _statistics(value),
                "adjoint": _statistics(self.adjoints.get(number)),
                "units": None,
                "dead": None,
                "saturated": None,
            }
            self.health.cards.append(row)
            if not met_bad and not finite(value):
                met_bad = True
                self._first_bad(card, node, name, value)
            self.row_of[entry_of.get(number, -1)] = row
            self._alive(row, card, value, (number, entry_of.get(number, -1)))
        if not met_bad and self.first_bad_part is not None:
            card, node = self.first_bad_part
            self.finding(
                "nonfinite_backward",
                stage.cards[card]["where"],
                card=card + 1,
                op=stage.cards[card]["op"],
                node=self.stage.shown(node),
            )

    def _first_bad(self, card: Any, node: int, name: str, value: Any) -> None:
        given = [other for other in card["inputs"] if not finite(self.stage.arrays[other])]
        if given:
            self.finding("input", node=self.stage.shown(given[0]))
            return
        numbers = np.asarray(value, np.float64)
        bad = "NaN" if np.isnan(numbers).any() else "inf" if np.isposinf(numbers).any() else "-inf"
        self.finding("nonfinite", card["where"], name=name, op=card["op"], bad=bad)

    def _alive(self, row: dict[str, Any], card: Any, value: Any, place: tuple[int, int]) -> None:
        """Dead units of rectifiers, flat outputs of curves. Pruned units are not dead, and what
        ends flat at the output may be right.
        """
        label = f"{row['layer']}, {row['name']}" if row["layer"] else row["name"]
        if rectifies(card["op"]) and value.ndim > 1 and value.size:
            dead = ~fires(value)
            row["units"], row["dead"] = int(dead.size), int(dead.sum())
            pruned = self.pruned.get(place[1])
            if pruned is not None and pruned.shape == dead.shape:
                dead = dead & ~pruned
            count, total = int(dead.sum()), int(dead.size - (0 if pruned is None else pruned.sum()))
            if total and count > MANY_DEAD * total and np.prod(value.shape[:-1]) > 1:
                self.finding("dead", card["where"], name=label, count=count, total=total)
        elif (limits := facts_of(card["op"]).limits) and value.size:
            row["saturated"] = flat(value, limits)
            if row["saturated"] >= MANY_SATURATED and place[1] < self.last_inner:
                self.finding(
                    "saturated", card["where"], name=label, percent=round(100 * row["saturated"])
                )

    def _sources(self, nodes: list[int], gradients: Any) -> None:
        for node, gradient in zip(nodes, gradients):
            name, value = self.stage.shown(node), _statistics(self.stage.arrays[node])
            row = None if gradient is None else _statistics(gradient.value)
            ratio = (
                row["rms"] / value["rms"]
                if row and row.get("rms") and value and value.get("rms")
                else None
            )
            self.health.sources.append(
                {
                    "name": name,
                    "value": value,
                    "gradient": row,
                    "ratio": json_number(ratio, 6) if ratio else None,
                }
            )
            if row is None:
                self.finding("none", node=name)
            elif row["zero"] == row["count"]:
                self.finding("zero", node=name)

    def _big_steps(self) -> None:
        """Compares each weight's gradient with those of the others, all beside their values."""
        for row in self.health.sources:
            others = [
                other["ratio"]
                for other in self.health.sources
                if other is not row and other["ratio"]
            ]
            if (
                row["ratio"]
                and len(others) > 1
                and row["value"]["count"] > 1
                and row["ratio"] > BIG_STEP * median(others)
            ):
                self.finding(
                    "big_step",
                    node=row["name"],
                    ratio=number_text(row["ratio"] / median(others), 2),
                )

    def _flow(self) -> str | None:
        """Compares the adjoints at the outputs of the layers, else from turn to turn of a loop: do
        they shrink or grow?

        Returns the key of the finding, or None.
        """
        layers = self.anatomy.layers
        rows = self._flowing(
            [layer.first for layer in layers[:1]] + [layer.out for layer in layers[1:]]
        )
        rows = rows if len(rows) > 1 else rows + self._turns()
        if len(rows) < 2:
            return None
        ratio = rows[0]["adjoint"]["rms"] / rows[-1]["adjoint"]["rms"]
        key = "vanishing" if ratio < VANISHING else "exploding" if ratio > EXPLODING else None
        if key:
            first, last = (row["layer"] or row["name"] for row in (rows[0], rows[-1]))
            self.finding(key, first=first, last=last, ratio=number_text(max(ratio, 1 / ratio), 2))
        return key

    def _turns(self) -> list[dict[str, Any]]:
        """The rows that one place in a loop has made, the most of them."""
        places: dict[Any, list[int]] = {}
        for index, row in self.row_of.items():
            places.setdefault((row["op"], self.where[index]), []).append(index)
        turns = max(places.values(), key=len, default=[])
        return self._flowing(turns) if len(turns) > 1 else []

    def _flowing(self, indices: list[int]) -> list[dict[str, Any]]:
        """The rows of some entries, those that an adjoint came to."""
        rows = [self.row_of[index] for index in indices if index in self.row_of]
        return [row for row in rows if row["adjoint"] is not None and row["adjoint"].get("rms")]


def _statistics(array: Any) -> Any:
    return None if array is None or array.dtype.kind not in "fiub" else statistics(array)
