"""Progress: one plain JSON file on the learner's own machine, `~/.minitape/progress.json`.

Another place can be named by the environment variable `MINITAPE_PROGRESS`; an empty value keeps nothing. Several kernels may write at
once. A file that is no progress is kept under another name, one that cannot be read or written is left alone, and what could not be
written is written the next time: an exercise never fails because of the file, and nothing that was learnt is lost.
"""

from __future__ import annotations

import json
import os
from itertools import count
from pathlib import Path
from typing import Any

from ..api.missing import offer
from ..disk import locked, write_whole
from ..sentences import Catalogue

SENTENCES = Catalogue("minitape.exercises")

_waiting: dict[Path, dict[str, Any]] = {}          # outcomes that could not be written yet


def place() -> Path | None:
    """Return the path of the file, or None where nothing is kept."""
    named = os.environ.get("MINITAPE_PROGRESS")
    if named == "":
        return None
    try:
        return Path(os.path.realpath(named or Path.home() / ".minitape" / "progress.json"))
    except (OSError, RuntimeError):                 # there is no folder that we stand in, or no home
        return None


def progress() -> dict[str, Any]:
    """Return what is known: a dictionary from exercise id to its best outcome so far."""
    path = place()
    if path is None:
        return {}
    with locked(path):
        return merged(known_in(path) or {}, _waiting.get(path, {}))


def write(identity: str, kind: str) -> None:
    """Note an outcome; "correct" stays, whatever comes later."""
    path = place()
    if path is None:
        return
    waiting = _waiting[path] = merged(_waiting.get(path, {}), {identity: kind})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path):
            known = known_in(path)
            if known is None or path.exists() and not path.stat().st_mode & 0o222:
                return
            found = merged(known, waiting)
            if found != known:
                write_whole(path, json.dumps(found, indent=1, sort_keys=True).encode())
        _waiting.pop(path, None)
    except (OSError, RecursionError):               # no room, no right, no folder: it waits
        pass


def merged(known: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """Return both; what was correct stays correct."""
    return {**known, **{identity: kind for identity, kind in told.items() if known.get(identity) != "correct"}}


def known_in(path: Path) -> dict[str, Any] | None:
    """Return what the file says, {} where there is none, None where it must be left alone."""
    try:
        if not path.exists():
            return {}
        if not path.is_file():
            return None
        text = path.read_bytes()
    except OSError:
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else set_aside(path)


def set_aside(path: Path) -> dict[str, Any] | None:
    """Give another name to a file that is no progress, and say so."""
    beside = next(name for k in count(1) if not (name := path.with_name(f"{path.stem}.unreadable-{k}{path.suffix}")).exists())
    try:
        path.rename(beside)
    except OSError:
        return None
    print(SENTENCES.say("progress.aside", {"file": path, "name": beside.name}))
    return {}


__all__ = ["place", "progress", "write"]
offer(__name__)
