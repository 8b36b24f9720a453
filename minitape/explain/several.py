"""Explanations for several sources, grouped by cause.

If `tape.gradient(loss, model.trainable_variables)` returns four Nones, they mostly have one reason.
So the explanations of the sources are grouped: the same sentence about the same place is one group,
and so is the same fault of each source (none was watched, all are integers), which is then reported
in the plural.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import Any

from minitape.storyboard.board import Storyboard

from .case.words import CATALOGUE, listed, say
from .explanation import MOST_PLACES, Explanation

OWN = (
    "healthy",
    "integer-dtype",
    "not-trainable",
    "not-used",
    "not-watched",
    "string-dtype",
    "variable-replaced",
    "watch-accessed-variables",
)  # faults of a source's own

NAMES = ("name", "value")  # what went lost at a place: several of a loop are grouped


class Explanations:
    """Why the gradients of several sources are what they are. `found[...]` and iteration give the
    explanation of each source, in the structure that was asked; `groups`: one `Explanation` for all
    sources that have one reason, those with a fault first.
    """

    def __init__(self, packed: Any, each: Sequence[Explanation]) -> None:
        self._packed, self.each = packed, list(each)
        result: dict[Any, list[Explanation]] = {}
        for e in each:
            result.setdefault(_reason(e), []).append(e)
        self.groups = sorted(
            (together(g, len(g) == len(self.each)) for g in result.values()),
            # which may well be right
            key=lambda e: (e.healthy, e.category == "zero-cancel"),
        )

    def __getitem__(self, key: Any) -> Any:
        return self._packed[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)

    @property
    def healthy(self) -> bool:
        """True where there is nothing to repair."""
        return all(e.healthy for e in self.each)

    @property
    def opening(self) -> str:
        """How many gradients there are and how many reasons; "" where there is one reason."""
        if len(self.groups) == 1:
            return ""
        return say(
            "words",
            "groups",
            "",
            {"many": len(self.each), "groups": len(self.groups), "target": self.each[0].target},
        )

    def __str__(self) -> str:
        if not self.opening:
            return str(self.groups[0])
        return "\n\n".join(
            [self.opening, *(f"({k}) {group}" for k, group in enumerate(self.groups, 1))]
        )

    __repr__ = __str__

    def storyboard(self, **picture: Any) -> Storyboard:
        """Return the storyboard of the first group's first source; see `Explanation.storyboard`."""
        return self.groups[0].storyboard(**picture)

    def play(self) -> Any:
        """Show the play of the first group's first source in a notebook; see `Explanation.play`."""
        return self.groups[0].play()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self._repr_html_()}

    def _repr_html_(self) -> str:
        opening = f"<div><strong>{html.escape(self.opening)}</strong></div>" if self.opening else ""
        return opening + '<div style="height:.6em"></div>'.join(
            group.html() for group in self.groups
        )


def together(members: Sequence[Explanation], whole: bool = False) -> Explanation:
    """Return one explanation for several sources that have the same reason, in the plural. `whole`:
    they are all that was asked for.
    """
    members = list(dict.fromkeys(members))
    first = members[0]
    if len(members) == 1:
        return first
    names = [e.source or "" for e in members]
    explanation = Explanation.__new__(Explanation)
    vars(explanation).update(vars(first))
    explanation.source, explanation.members = listed(names), list(members)
    sources = whole and first.params.get("asked") or f"[{', '.join(names)}]"
    explanation.params = {
        **first.params,
        "source": explanation.source,
        "sources": sources,
        "many": len(members),
    }
    lines = list(dict.fromkeys("\n".join(e.cure) for e in members if e.cure))
    if len(lines) > 1 and any(f".watch({names[0]})" in line for line in lines[0].split("\n")):
        lines = [lines[0].replace(f".watch({names[0]})", f".watch({sources})")]
    if len(lines) > 1:
        explanation.params.pop("over", None)
    explanation.params["cure"] = "\n".join(lines[:MOST_PLACES]).split("\n") if lines else []
    explanation.params.update(
        (key, listed(list(dict.fromkeys(str(e.params[key]) for e in members))))
        for key in NAMES
        if key in first.params
    )
    if f"{first.category}.why.several" in CATALOGUE("en") and first.variant in (
        "",
        "variable-plus",
        "list",
    ):
        explanation.variant = "several"
    explanation.chain, explanation.cut = _common_way(members)
    return explanation


def _reason(e: Explanation) -> Any:
    """Return what explanations of one reason have in common: what they say when nobody is named,
    and where.
    """
    if e.category in OWN and "end" not in e.params:  # each way ends at its own place
        return e.category, e.variant, e.certain
    nobody = {**e.params, **dict.fromkeys(("source", "call", *NAMES), "·")}
    said = [say(e.category, what, e.variant, nobody) for what in ("why", "fix")]
    return (
        e.category,
        e.certain,
        e.filename,
        e.span,
        *said,
        *((s.category, s.span) for s in e.suspects),
    )


def _common_way(members: Sequence[Explanation]) -> tuple[list[str], int | None]:
    """Return the end that the ways of all members have in common, from before the cut on; nothing
    where it begins behind the cut.
    """
    ways = [list(zip(e.chain[:-1], e.chain[1:])) for e in members]
    count = 0
    while all(count < len(way) and way[-1 - count] == ways[0][-1 - count] for way in ways):
        count += 1
    first = members[0]
    begin = len(first.chain) - 1 - count
    if not first.chain or not count or first.cut is not None and first.cut < begin:
        return [], None
    return ["…", *first.chain[begin:]], None if first.cut is None else first.cut - begin + 1
