"""One tape, examined: what is sick in it, in words, with its line.

`examine` plays a tape once and looks at every value and every adjoint on the way: units that are
always 0, outputs on the flat end of a curve, adjoints that shrink or grow from layer to layer, and
the *first* number that is not finite. Layers are compared with layers, never with the 1 at the
loss: so neither the number of examples nor a factor before the loss makes an alarm.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minitape.engine.gradient_tape import GradientTape
from minitape.sentences import chosen
from minitape.storyboard.film.film import Film
from minitape.storyboard.text.summary import number_text
from minitape.typing import Nested

from .findings.one_step import find_in
from .seen.cards import Cards
from .words import catalogue


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
    entries = tape.recording.tape.entries
    with Film() as film:
        film.add(tape.recording.tape)
        gradients = tape.gradient(target, sources)
    given = {value.id: name for name, value in (names or {}).items() if hasattr(value, "id")}
    cards = Cards(film, entries, tape.watched_variables(), given, language)
    title = {"target": cards.goal, "value": cards.value}
    health = Health(language, catalogue.say("title", title, language))
    health.cards, health.sources, health.gradients = cards.rows, cards.sources, gradients
    for key, where, params in find_in(cards):
        place = cards.place(where)
        line = catalogue.say("line", {"line": place[1]}, language) if place else "?"
        params = {"target": cards.goal, "place": line, **params}
        health.findings.append((key, catalogue.say(key, params, language), place))
    return health
