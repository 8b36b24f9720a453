"""What travels to the page: the cells of a watch, and everything that is said of them, as plain
JSON data.

It is made of `Watch.to_dict()` alone, so that a training that was kept as JSON can be shown as
well. 10,000 steps of 50 layers are some 200 kB. The page asks `static/health/check.js` whether such
data can be drawn; anybody may have written them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from minitape.health.words import place_text, say
from minitape.sentences import Catalogue

from .grid import grid, losses

VERSION = 1
LONGEST = 500  # letters of a line of code
WORDS = Catalogue(Path(__file__).parent.parent / "static" / "health" / "words")
SEEN_IN = {
    "dead": "dead",
    "saturated": "saturated",
    "swelling": "value",
    "nonfinite": "value",
    "input": "value",
    "inputs": "value",
    "labels": "value",
    "same_output": "value",
    "bad_weight": "value",
    "rate_large": "update",
    "rate_small": "update",
    "forgotten": "update",
    "not_applied": "update",
    "nothing_moves": "update",
    "frozen": "update",
    "swapped": "update",
    # the measure in which a finding shows; others are seen in the adjoints
    "uphill": "update",
}


def payload(data: dict[str, Any]) -> dict[str, Any]:
    """Returns what the page draws of a watch's data."""
    language, cells = data["language"], grid(data)
    frozen = {weight["name"] for weight in data["weights"] if weight["frozen"]}
    layers = [
        {
            "name": layer["name"],
            "op": layer["op"],
            "frozen": bool(layer["weights"]) and frozen.issuperset(layer["weights"]),
            "place": shown(layer["place"], language),
        }
        for layer in data["layers"]
    ]
    bad = data["bad"]
    return {
        "format": "minitape.health.view",
        "version": VERSION,
        "language": language,
        "recording": data.get("recording", "tape"),
        "title": data["title"],
        "steps": data["steps"],
        **cells,
        "layers": layers,
        "losses": losses(data),
        "bad": bad
        and {
            "layer": layer_of_card(data, bad["entry"]),
            "step": bad["step"],
            "op": bad["op"],
            "back": bad["way"] == "backward",
            "place": shown(bad["place"], language),
        },
        "findings": [finding(data, each, cells) for each in data["findings"]],
    }


def finding(data: dict[str, Any], row: dict[str, Any], cells: dict[str, Any]) -> dict[str, Any]:
    """Returns one finding: its sentences, where it stands, and which cells are lit (`layer` is None
    for all).
    """
    language, key = data["language"], row["key"]
    name = SEEN_IN.get(key, SEEN_IN.get(key.partition(".")[0], "adjoint"))
    layer = next((k for k, one in enumerate(data["layers"]) if one["name"] == row["layer"]), None)
    bad = data["bad"]
    if layer is None and bad and key in ("nonfinite", "bad_weight", "input"):
        layer = layer_of_card(data, bad["entry"])
        name = "adjoint" if bad["way"] == "backward" else name
    about = [
        place_text(row["place"], language),
        say("watch.at.step", language, step=row["step"]) if row["step"] is not None else "",
        say(f"watch.sure.{row['sure']}", language),
    ]
    return {
        "text": row["text"],
        "cure": say("watch.cure", language, cure=row["cure"]),
        "about": ", ".join(filter(None, about)),
        "measure": name if name in cells["measures"] else "adjoint",
        "layer": layer,
        "step": row["step"],
        "place": shown(row["place"], language),
    }


def layer_of_card(data: dict[str, Any], card: int | None) -> int | None:
    """Returns the layer whose output is the first at or after a card, the last one for a card after
    all of them.
    """
    if card is None or not data["layers"]:
        return None
    after = [
        (layer["entry"], k) for k, layer in enumerate(data["layers"]) if layer["entry"] >= card
    ]
    return min(after)[1] if after else len(data["layers"]) - 1


def shown(place: dict[str, Any] | None, language: str) -> dict[str, Any] | None:
    """Returns a place for the page: its words, and its line of code."""
    return (
        None
        if place is None
        else {"text": place_text(place, language), "code": place["code"][:LONGEST]}
    )
