"""Training health: is every part of a network alive, and does it learn?

A loss curve shows that something is wrong; it does not show where. `examine` plays a tape once and looks at every value and
every adjoint on the way: units that are always 0, outputs on the flat end of a curve, adjoints that shrink or grow from layer
to layer, and the *first* number that is not finite, with its line.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from minitape.api.missing import offer
from minitape.engine.gradient_tape import GradientTape
from minitape.engine.ground.listening import active
from minitape.engine.ground.nest import flatten
from minitape.sentences import chosen
from minitape.storyboard.build import stage_of
from minitape.storyboard.film import Film
from minitape.storyboard.messages import catalogue, node_name, sentence
from minitape.storyboard.source import Sources
from minitape.storyboard.summary import json_number, number_text
from minitape.typing import Nested

RECTIFIERS = ("Relu", "Relu6")
CURVES = {"Sigmoid": (0.0, 1.0), "Tanh": (-1.0, 1.0), "Softsign": (-1.0, 1.0)}       # what they flatten out to
SATURATED = 0.01          # within this share of the range of an end, a curve counts as flat
MANY_SATURATED = 0.5      # this share of flat outputs is worth a word
VANISHING, EXPLODING, BIG_STEP = 1e-3, 1e3, 1e2
BINS = 20


def statistics(array: Any) -> dict[str, Any]:
    """Returns counts (negative, zero, positive, infinite, NaN), mean, spread and extremes of an array as plain data.

    `rms` is the root of the mean square; `histogram` is (counts, edges) of the finite entries, or None where there are none.
    """
    numbers = np.asarray(array, dtype=np.float64).ravel()
    finite = numbers[np.isfinite(numbers)]
    found: dict[str, Any] = {"count": int(numbers.size), "nan": int(np.isnan(numbers).sum()), "+inf": int(np.isposinf(numbers).sum()),
             "-inf": int(np.isneginf(numbers).sum()), "negative": int((finite < 0).sum()), "zero": int((finite == 0).sum()),
             "positive": int((finite > 0).sum()), "histogram": None}
    if finite.size:
        counts, edges = np.histogram(finite, BINS) if np.ptp(finite) > 0 else (np.array([finite.size]), finite[[0, 0]])
        found.update(mean=json_number(finite.mean(), 6), std=json_number(finite.std(), 6), min=json_number(finite.min(), 6),
                     max=json_number(finite.max(), 6), rms=json_number(np.sqrt(np.mean(finite**2)), 6),
                     histogram=[counts.tolist(), [json_number(edge, 6) for edge in edges]])
    return found


class Health:
    """What `examine` found. Print it to read it.

    `cards`: one row per card, in order of recording: name, op, layer, line, statistics of the value, of its adjoint (None where
    none arrived), numbers of `units`, `dead` and share of `saturated` outputs (None where the word makes no sense).
    `sources`: one row per source: name, statistics of value and gradient, `ratio` of their sizes. `findings`: list of
    (key, sentence, place), the place being (source name, line) or None. `gradients`: as `tape.gradient` returns them.
    """

    def __init__(self, language: str, title: str) -> None:
        self.language, self.title = language, title
        self.cards: list[dict[str, Any]] = []
        self.sources: list[dict[str, Any]] = []
        self.findings: list[tuple[str, str, Any]] = []
        self.gradients: Any = None

    def to_dict(self) -> dict[str, Any]:
        """Returns everything but the gradients as plain JSON data."""
        findings = [{"key": key, "text": text, "place": place} for key, text, place in self.findings]
        return {"title": self.title, "cards": self.cards, "sources": self.sources, "findings": findings}

    def __str__(self) -> str:
        say = catalogue(self.language)
        lines = [self.title, "", say["health.values"]]
        width = max([len(row["name"]) for row in (*self.cards, *self.sources)] + [8])
        lines += [f"  {row['name']:<{width}}  {row['op']:<12} {_short(row['value'])}   adjoint {_short(row['adjoint'])}"
                  for row in self.cards]
        lines += ["", say["health.gradients"]]
        lines += [f"  {row['name']:<{width}}  {_short(row['value'])}   gradient {_short(row['gradient'])}" for row in self.sources]
        lines += ["", say["health.findings"]]
        return "\n".join(lines + ([f"  {text}" for _, text, _ in self.findings] or ["  " + say["health.fine"]]))

    def __repr__(self) -> str:
        return f"<Health: {len(self.cards)} cards, {len(self.findings)} findings; print it to read it>"


def _short(found: dict[str, Any] | None) -> str:
    if found is None:
        return "None"
    bad = "".join(f" {found[name]} {name}" for name in ("nan", "+inf", "-inf") if found[name])
    return (f"rms {number_text(found['rms'], 3)}" if "rms" in found else "no finite number") + bad


def examine(tape: GradientTape, target: Nested, sources: Nested, *, names: Mapping[str, Any] | None = None,
            language: str | None = None) -> Health:
    """Plays a tape backwards once, as `tape.gradient` does, and returns the `Health` of what was computed.

    `target`: a scalar loss, usually; `sources`: the variables that learn, in any structure. `names` are further names {name: tensor
    or variable}. Raises what `tape.gradient` raises.
    """
    language = chosen(language)
    with Film() as film:
        film.add(tape.recording.tape)
        gradients = tape.gradient(target, sources)
    token = active.set(())
    try:
        code = Sources()
        given = {value.id: name for name, value in (names or {}).items() if hasattr(value, "id")}
        stage, _ = stage_of(film, code, given, 1, language)
        take = film.takes[-1]
        nodes = [stage.anchor(source, take.reel.number) for source in take.sources]
        goal = stage.anchor(take.targets[0], take.reel.number)
    finally:
        active.reset(token)
    stage.finish()
    return _Examination(stage, code, take, goal, nodes, gradients, language).health


class _Examination:
    """Goes through what the film saw, once forwards and once backwards."""

    def __init__(self, stage: Any, code: Any, take: Any, goal: int, nodes: list[int], gradients: Any, language: str) -> None:
        self.stage, self.take, self.board = stage, take, {"nodes": stage.nodes}
        self.table, self.shift = code.table()
        self.goal = node_name(self.board, goal)
        value = stage.values.summaries[stage.nodes[goal]["value"]]["text"]
        title = sentence(language, "health.title", {"target": self.goal, "value": value})
        self.health = Health(language, title)
        self.health.gradients = gradients
        self.adjoints, self.first_bad_part = self._backwards()
        self._forwards()
        self._sources(nodes, flatten(gradients))
        self._flow()

    def finding(self, key: str, where: Any = None, **params: Any) -> None:
        place = None
        if where is not None:
            span = self.shift(where)
            place = [self.table[span[0]]["name"], span[1]]
            params["place"] = sentence(self.health.language, "text.line", {"line": span[1]})
        text = sentence(self.health.language, key, {"target": self.goal, "place": "?", **params})
        self.health.findings.append((key.partition(".")[2], text, place))

    def _backwards(self) -> tuple[dict[int, Any], Any]:
        """Returns ({card: adjoint of its first output}, the first part that is not finite as (card, node) or None)."""
        adjoints, bad = {}, None
        for _, index, came, parts in self.take.steps:
            card = self.stage.card_of.get((self.take.reel.number, index))
            if card is None:
                continue
            adjoints[card] = came[0]
            for place, _, value, _, _ in parts:
                if bad is None and all(map(_finite, came)) and not _finite(value):
                    bad = card, self.stage.cards[card]["inputs"][place]
        return adjoints, bad

    def _forwards(self) -> None:
        stage, met_bad = self.stage, False
        for number, card in enumerate(stage.cards):
            node = card["outputs"][0]
            name, value = node_name(self.board, node), stage.arrays[node]
            row = {"name": name, "op": card["op"], "layer": stage.scopes[number][-1][1] if stage.scopes[number] else None,
                   "line": self.shift(card["where"])[1] if card["where"] else None, "value": _statistics(value),
                   "adjoint": _statistics(self.adjoints.get(number)), "units": None, "dead": None, "saturated": None}
            self.health.cards.append(row)
            if not met_bad and not _finite(value):
                met_bad = True
                self._first_bad(card, node, name, value)
            self._alive(row, card, value)
        if not met_bad and self.first_bad_part is not None:
            card, node = self.first_bad_part
            self.finding("health.nonfinite_backward", stage.cards[card]["where"], card=card + 1, op=stage.cards[card]["op"],
                         node=node_name(self.board, node))

    def _first_bad(self, card: Any, node: int, name: str, value: Any) -> None:
        given = [other for other in card["inputs"] if not _finite(self.stage.arrays[other])]
        if given:
            self.finding("health.input", node=node_name(self.board, given[0]))
            return
        numbers = np.asarray(value, np.float64)
        bad = "NaN" if np.isnan(numbers).any() else "inf" if np.isposinf(numbers).any() else "-inf"
        self.finding("health.nonfinite", card["where"], name=name, op=card["op"], bad=bad)

    def _alive(self, row: dict[str, Any], card: Any, value: Any) -> None:
        """Dead units of rectifiers, flat outputs of curves."""
        label = f"{row['layer']}, {row['name']}" if row["layer"] else row["name"]
        if card["op"] in RECTIFIERS and value.ndim > 1:
            dead = np.all(value == 0, axis=tuple(range(value.ndim - 1)))
            row["units"], row["dead"] = int(dead.size), int(dead.sum())
            if row["dead"] and np.prod(value.shape[:-1]) > 1:
                self.finding("health.dead", card["where"], name=label, count=row["dead"], total=row["units"])
        elif card["op"] in CURVES and value.size:
            low, high = CURVES[card["op"]]
            edge = SATURATED * (high - low)
            row["saturated"] = float(np.mean((value < low + edge) | (value > high - edge)))
            if row["saturated"] >= MANY_SATURATED:
                self.finding("health.saturated", card["where"], name=label, percent=round(100 * row["saturated"]))

    def _sources(self, nodes: list[int], gradients: Any) -> None:
        for node, gradient in zip(nodes, gradients):
            name, value = node_name(self.board, node), _statistics(self.stage.arrays[node])
            found = None if gradient is None else _statistics(gradient.value)
            ratio = found["rms"] / value["rms"] if found and found.get("rms") and value and value.get("rms") else None
            self.health.sources.append({"name": name, "value": value, "gradient": found,
                                        "ratio": json_number(ratio, 6) if ratio else None})
            if found is None:
                self.finding("health.none", node=name)
            elif found["zero"] == found["count"]:
                self.finding("health.zero", node=name)
            elif ratio and ratio > BIG_STEP and np.size(self.stage.arrays[node]) > 1:
                self.finding("health.big_step", node=name, ratio=number_text(ratio, 2))

    def _flow(self) -> None:
        """Compares the adjoints at the outputs of the layers (of all cards, where there are no layers): do they shrink or grow?"""
        last_of = {}
        for number, row in enumerate(self.health.cards):
            key = self.stage.scopes[number][-1] if self.stage.scopes[number] else (None, number)
            if row["adjoint"] is not None and row["adjoint"].get("rms"):
                last_of[key] = row
        layers = {key: row for key, row in last_of.items() if key[0] is not None}
        rows = list((layers if len(layers) > 1 else last_of).values())
        if len(rows) < 2:
            return
        ratio = rows[0]["adjoint"]["rms"] / rows[-1]["adjoint"]["rms"]
        key = "health.vanishing" if ratio < VANISHING else "health.exploding" if ratio > EXPLODING else None
        if key:
            first, last = (row["layer"] or row["name"] for row in (rows[0], rows[-1]))
            self.finding(key, first=first, last=last, ratio=number_text(ratio, 2))


def _statistics(array: Any) -> Any:
    return None if array is None or array.dtype.kind not in "fiub" else statistics(array)


def _finite(array: Any) -> bool:
    return array.dtype.kind not in "fc" or bool(np.isfinite(array).all())


__all__ = ["Health", "examine", "statistics"]
offer(__name__)
