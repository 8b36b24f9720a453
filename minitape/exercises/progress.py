"""One's own progress: what was tried, what was solved, whose solution was seen, and what comes
next.

    from minitape.exercises import progress

    progress.show()                     a table in a notebook, a text in a terminal
    progress.export("mine.json")        puts it into a file, to be taken elsewhere
    progress.merge("mine.json")         brings it back, also into what was learnt meanwhile
    progress.erase()                    begins anew; the old file is kept beside

Where it is kept, and how several kernels share it: kept.py. Nothing leaves the machine.
"""

from __future__ import annotations

import html
import os
import re
from dataclasses import dataclass
from pathlib import Path

from ..api.missing import offer
from ..disk import write_whole
from . import course
from .kept import (
    KINDS,
    SENTENCES,
    Facts,
    Newer,
    NoProgress,
    add,
    as_text,
    facts_in,
    known,
    merged,
    place,
    put_aside,
    write,
)
from .outcome import Text
from .shelf import by_lesson

MARKS = {"solved": "✓", "tried": "…", "seen": "○", "new": "·"}


@dataclass(frozen=True)
class Standing:
    """One exercise on the page: its id, its title, its state ("solved", "tried", "seen" or "new"),
    and whether its solution was seen.
    """

    id: str
    title: str
    state: str
    seen: bool

    @property
    def named(self) -> str:
        """The title with the id, as one types it."""
        return self.title if self.id == self.title else f"{self.title} ({self.id})"

    @property
    def words(self) -> str:
        """What has happened, in words."""
        return SENTENCES.say(
            f"state.{self.state}{'.seen' if self.seen and self.state in ('solved', 'tried') else ''}"
        )


@dataclass(frozen=True)
class Page:
    """The page that `show` returns: rows by the title of their lesson, what comes next, and what
    stands in the way of keeping it.
    """

    parts: tuple[tuple[str, tuple[Standing, ...]], ...]
    next: str
    link: str
    trouble: str

    @property
    def summary(self) -> str:
        """How many are solved."""
        rows = [row for _, part in self.parts for row in part]
        return SENTENCES.say(
            "progress.summary",
            {"count": len(rows), "solved": sum(row.state == "solved" for row in rows)},
        )

    def __repr__(self) -> str:
        lines, wide = [self.summary], max(len(row.words) for _, rows in self.parts for row in rows)
        for title, rows in self.parts:
            lines += [
                "",
                title,
                *(f"  {MARKS[row.state]} {row.words:{wide}}  {row.named}" for row in rows),
            ]
        return plain("\n".join([*lines, "", self.next, self.trouble]).rstrip())

    def _repr_html_(self) -> str:
        say = html.escape
        left = "text-align:left;vertical-align:top"
        body = []
        for title, rows in self.parts:
            body.append(
                '<tr><th colspan="3" scope="rowgroup" '
                f'style="{left};padding-top:.8em">{say(title)}</th></tr>'
            )
            body += [
                f'<tr><td aria-hidden="true" style="{left}">{MARKS[row.state]}</td><td '
                f'style="{left}">{say(row.title)}</td>'
                f'<td style="{left}">{say(row.words)}</td></tr>'
                for row in rows
            ]
        after = f'<a href="{say(self.link)}">{say(self.next)}</a>' if self.link else say(self.next)
        trouble = f"<p>⚠ {say(self.trouble)}</p>" if self.trouble else ""
        return plain(
            f"<p><strong>{say(self.summary)}</strong> {after}</p>{trouble}"
            f'<table style="margin-left:0">{"".join(body)}</table>'
        )


def progress() -> dict[str, str]:
    """Return what is known: a dictionary from exercise id to its best outcome so far."""
    return {
        identity: max(kinds, key=lambda kind: KINDS.index(kind) if kind in KINDS else -1)
        for identity, kinds in known().items()
        if kinds
    }


def show() -> Page:
    """Return the page of one's own progress, which shows itself."""
    facts = known()
    parts, todo = [], []
    for number, exercises in by_lesson():
        rows = tuple(row_of(exercise.id, exercise.title, facts) for exercise in exercises)
        heading, file = course.lesson(number)
        parts.append((heading, rows))
        todo += [(heading, file, row) for row in rows if row.state != "solved"]
    ours = {row.id for _, rows in parts for row in rows}
    others = tuple(
        row_of(identity, identity, facts) for identity in sorted(facts) if identity not in ours
    )
    if others:  # of a teacher's own exercises, or of another version
        parts.append((SENTENCES.say("progress.elsewhere"), others))
    heading, file, row = todo[0] if todo else ("", "", None)
    after = (
        SENTENCES.say("progress.next", {"title": row.title, "lesson": heading})
        if row
        else SENTENCES.say("progress.all")
    )
    return Page(tuple(parts), after, file, add({}))


def export(file: str | os.PathLike[str]) -> Text:
    """Put one's progress into a file; what stands there of an earlier export stays. Returns a
    sentence that says where it is.

    Raises FileExistsError where the file holds something else, OSError where it cannot be written.
    """
    path = Path(file)
    facts = known()
    if path.exists():
        try:
            facts = merged(facts_in(path.read_bytes() if path.is_file() else b""), facts)
        except NoProgress:
            raise FileExistsError(SENTENCES.say("progress.taken", {"file": file})) from None
    try:
        write_whole(path, as_text(facts).encode())
    except OSError as error:
        raise OSError(
            SENTENCES.say("progress.not-exported", {"file": file, "why": error.strerror})
        ) from None
    return Text(
        SENTENCES.say("progress.exported", {"count": len(facts), "file": path, "name": path.name})
    )


def merge(file: str | os.PathLike[str]) -> Text:
    """Add what an exported file holds to one's progress; nothing is taken back. Returns a sentence
    that says what was new.

    Raises FileNotFoundError, and ValueError for a file that holds no progress, or that of a newer
    version.
    """
    path = Path(file)
    if not path.is_file():
        raise FileNotFoundError(SENTENCES.say("progress.no-such-file", {"file": file}))
    try:
        imported = facts_in(path.read_bytes())
    except Newer:
        raise ValueError(SENTENCES.say("progress.newer", {"file": file})) from None
    except NoProgress:
        raise ValueError(SENTENCES.say("progress.not-progress", {"file": file})) from None
    before = known()
    new = sum(
        merged(before, {identity: kinds})[identity] != before.get(identity)
        for identity, kinds in imported.items()
    )
    trouble = add(imported)
    return Text(
        " ".join(
            filter(
                None,
                [SENTENCES.say("progress.merged", {"count": len(imported), "new": new}), trouble],
            )
        )
    )


def erase() -> Text:
    """Begin anew. The old file is kept beside under another name, which is said. Never raises
    because of the file.
    """
    try:
        beside = put_aside()
    except Newer:
        return Text(SENTENCES.say("progress.newer", {"file": place()}))
    except OSError as error:
        return Text(SENTENCES.say("progress.kept", {"why": error.strerror or error}))
    if beside is None:
        return Text(SENTENCES.say("progress.nothing"))
    return Text(SENTENCES.say("progress.erased", {"file": beside}))


def row_of(identity: str, title: str, facts: Facts) -> Standing:
    """Return one exercise as it stands in one's facts."""
    kinds = facts.get(identity, [])
    state = (
        "solved"
        if "correct" in kinds
        else "tried"
        if "not yet" in kinds or "your code raised" in kinds
        else "seen"
        if "solution seen" in kinds
        else "new"
    )
    return Standing(identity, title, state, "solution seen" in kinds)


def plain(text: str) -> str:
    """Return a text without characters that steer a terminal: an id in a file may hold any."""
    return re.sub(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", "\ufffd", text)


__all__ = ["erase", "export", "merge", "place", "progress", "show", "write"]
offer(__name__)
