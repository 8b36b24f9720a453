"""A storyboard: all that a picture of a gradient tape needs, as plain JSON data.

It is a dictionary (its contract stands in CONTRACT.md beside this file) that also knows how to
print itself, how to become a static picture, and which gradients were found while it was made. It
holds no array and no tensor of the tape but those gradients.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from minitape import schemas
from minitape.storyboard.contract import LISTS, VERSION, fault
from minitape.storyboard.drawing import svg
from minitape.storyboard.text import captions, printed
from minitape.storyboard.text.asides import asides


class Storyboard(dict):
    """The storyboard of one or several tapes: a dict of plain JSON data, equal programs giving
    equal bytes.

    `gradients` holds what `tape.gradient` would have returned for the last pass (None after
    `from_json`: arrays do not travel), `numbers` the numbers by which the tapes knew each node.
    """

    numbers: Mapping[int, Sequence[Any]] = {}
    gradients: Any = None
    error: LookupError | None = None
    frame: int

    def to_json(self) -> str:
        """Returns the storyboard as JSON text, the same bytes for the same program."""
        return json.dumps(self, ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Storyboard:
        """Returns a storyboard from its JSON text. Raises ValueError where the text is not a
        storyboard of this version.
        """
        try:
            data = json.loads(text)
        except RecursionError:
            raise ValueError("This JSON is not a storyboard: it is nested too deeply.") from None
        if not isinstance(data, dict) or "frames" not in data:
            raise ValueError(
                "This JSON is not a storyboard: it has no frames. Use the text that to_json() or "
                "player.save() wrote."
            )
        if data.get("version") is True or data.get("version") != VERSION:
            raise ValueError(
                f"This storyboard has version {data.get('version')!r}; this minitape reads "
                f"version {VERSION}. "
                "Make it again from the program, or install the minitape that wrote it."
            )
        missing = [name for name in LISTS if not isinstance(data.get(name), list)]
        missing += [name for name in ("title", "language") if not isinstance(data.get(name), str)]
        if missing:
            raise ValueError(
                f"This storyboard is not whole: it has no {', '.join(missing)}. Make it again "
                "from the program."
            )
        wrong = fault(data)
        if wrong:
            raise ValueError(
                f"This storyboard is damaged at {wrong}. Make it again from the program."
            )
        return cls(data)

    def say(self, says: Mapping[int | str, str | Mapping[str, str]]) -> Storyboard:
        """Lets a lesson say something at moments, {moment: text}, and returns the storyboard
        itself; see `asides.asides`.

        Raises ValueError for more or longer texts than the schema allows.
        """
        said = asides(self, says)
        place = schemas.reader("trace", "Asides")(said, self)
        if place is not None:
            most, longest = (
                schemas.schema("trace")["$defs"]["Asides"]["maxItems"],
                schemas.schema("trace")["$defs"]["said"]["maxLength"],
            )
            raise ValueError(f"say: a play has room for {most} texts of {longest} letters each.")
        self["asides"] = said
        return self

    def text(self, limit: int | None = 400) -> str:
        """Returns everything the storyboard shows as lines of text; at most `limit` acts, all of
        them for None.
        """
        return printed.render(self, limit)

    def svg(self) -> str:
        """Returns the static picture of the finished play as SVG text."""
        return svg.render(self)

    def caption(self, k: int) -> str:
        """Returns the sentence that is read after k acts; 0 is the empty stage."""
        return captions.caption(self, k)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return (
            f"<Storyboard: {len(self['cards'])} cards, {len(self['nodes'])} nodes, "
            f"{len(self['frames'])} frames; "
            "print it to read it>"
        )

    __hash__ = None
