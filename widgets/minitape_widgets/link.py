"""The teacher's settings as a short text that is safe in a link without any escaping:
"k12.by-line.hide-code-graph.large.folded.knows-value-adjoint".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

PANES = ("code", "tape", "graph", "inspector")
# that a lesson introduces
WORDS = ("value", "adjoint", "local", "shapes", "batch", "inspector", "release")
LISTS = {"hide": PANES, "knows": WORDS}
STARTS = ("play", "end")
SIZES = ("act", "card", "line", "round", "way")  # of a step


def read_link(text: str) -> dict[str, Any]:
    """Returns the options that a link text sets; what means nothing is passed over, and named in
    `unread`.
    """
    options: dict[str, Any] = {}
    unread: list[str] = []
    for piece in filter(None, text.split(".")):
        known, _, names = piece.partition("-")
        if re.fullmatch(r"k[0-9]{1,9}", piece):
            options["start"] = int(piece[1:])
        elif piece in STARTS:
            options["start"] = piece
        elif known in LISTS and names:
            if listed := [name for name in LISTS[known] if name in names.split("-")]:
                options[known] = listed
            unread += [name for name in names.split("-") if name not in LISTS[known]]
        elif known == "by" and names in SIZES:
            options["size"] = names
        elif piece == "large":
            options["large"] = True
        elif piece in ("folded", "unfolded"):
            # the inspector; without it the player decides by the room there is
            options["folded"] = piece == "folded"
        else:
            unread.append(piece)
    return options | ({"unread": unread} if unread else {})


def write_link(options: Mapping[str, Any]) -> str:
    """Returns the link text of options."""
    start, hidden = (
        options.get("start", 0),
        [name for name in PANES if name in options.get("hide", ())],
    )
    moment = (
        start if start in STARTS else f"k{start}" if start >= 0 else "end" if start == -1 else ""
    )
    folds: dict[Any, str] = {True: "folded", False: "unfolded"}
    fold = folds.get(options.get("folded"), "")
    size = options.get("size", "act")
    pieces = [
        moment,
        f"by-{size}" if size != "act" else "",
        "hide-" + "-".join(hidden) if hidden else "",
        "large" if options.get("large") else "",
        fold,
        "-".join(["knows", *options["knows"]]) if "knows" in options else "",
    ]
    return ".".join(filter(None, pieces))
