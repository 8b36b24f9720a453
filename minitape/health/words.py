"""A finding in words: what stands out, where, how sure it is, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minitape.engine.base.aliases import Where
from minitape.program import positions
from minitape.program.places import Span, line_at
from minitape.sentences import Catalogue, speaking

from .findings.finding import Finding

catalogue = Catalogue("minitape.health")


def short(number: float, language: str, digits: int = 2) -> str:
    """Returns a number in a few characters: 0.0012, 4.5, 31, 5600, 190,000, 3.6e+14; in French
    0,0012 and 190 000.
    """
    if 1e5 <= abs(number) < 1e9:
        text = f"{float(f'{number:.2g}'):,.0f}"
        return text.replace(",", "\u00a0") if language == "fr" else text
    places = max(0, digits - len(f"{abs(number):.0f}"))
    text = f"{number:.{places}f}" if 10 <= abs(number) < 1e5 else f"{number:.{digits}g}"
    return text.replace(".", ",") if language == "fr" else text


def distinct(numbers: Mapping[str, float], language: str) -> dict[str, str]:
    """Returns numbers in as few characters as tell them apart: a loss that falls from 1.04 to 0.98
    does not go from 1 to 1.
    """
    for digits in range(2, 7):
        texts = {name: short(number, language, digits) for name, number in numbers.items()}
        if len(set(texts.values())) == len(set(numbers.values())):
            break
    return texts


def say(key: str, language: str, **params: Any) -> str:
    """Returns a sentence of the catalogue; numbers are short. A key that ends with a library's name,
    `.torch`, is that of its own sentence, where it has other words for it.
    """
    shortened = {
        name: short(value, language) if isinstance(value, float) else value
        for name, value in params.items()
    }
    return catalogue.say(key, shortened, language)


def sentence(finding: Finding, language: str) -> str:
    """Returns what a finding says."""
    params, key = finding.params, f"watch.{finding.key}"
    if finding.explained is not None:
        with speaking(language):
            return f"{finding.explained.answer} {finding.explained.message}"
    if finding.key == "nonfinite":
        key += f".{params['why'] if params['way'] == 'forward' else params['way']}"
    said = [say(f"{key}.{finding.library}", language, layer=finding.layer, **params)]
    if "others" in params:
        said.append(say("watch.dead.others", language, others=", ".join(params["others"])))
    if "odd_step" in params:
        said.append(say("watch.odd", language, **params))
    return " ".join(said)


def cure(finding: Finding, language: str) -> str:
    """Returns what to do about it."""
    if finding.explained is not None and finding.explained.fix:
        with speaking(language):
            return str(finding.explained.fix)
    bad = finding.key == "nonfinite"
    key = f"watch.heal.{finding.params['why']}" if bad else f"watch.{finding.key}.cure"
    params = {} if bad else finding.params
    return say(f"{key}.{finding.library}", language, layer=finding.layer, **params)


def place(where: Where | Span | None) -> dict[str, Any] | None:
    """Returns a position as data, {"file", "line", "column", "end_line", "end_column", "code"};
    None for one that is not known.
    """
    span = positions(where)
    if span is None:
        return None
    line = line_at(where)
    return {
        "file": span.filename,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "code": line[1] if line is not None else "",
    }


def place_text(place: dict[str, Any] | None, language: str) -> str:
    """Returns a place in words: `train.py, line 12`, in a notebook `line 3`."""
    if place is None:
        return ""
    name = place["file"].replace("\\", "/").rpartition("/")[2]
    key = (
        "watch.at.cell" if name.startswith("<") or "ipykernel" in place["file"] else "watch.at.line"
    )
    return say(key, language, file=name, line=place["line"])
