"""Progress: one plain JSON file on the learner's own machine, `~/.minitape/progress.json`.

Another place can be named by the environment variable `MINITAPE_PROGRESS`; an empty value keeps nothing. A file that
cannot be read or written is left alone: an exercise never fails because of it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ..api.missing import offer


def place() -> Path | None:
    """Return the path of the file, or None where nothing is kept."""
    named = os.environ.get("MINITAPE_PROGRESS")
    if named is not None:
        return Path(named) if named else None
    return Path.home() / ".minitape" / "progress.json"


def progress() -> dict[str, Any]:
    """Return what is known: a dictionary from exercise id to its best outcome so far."""
    path = place()
    try:
        found = json.loads(path.read_text(encoding="utf-8")) if path else {}
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write(identity: str, kind: str) -> None:
    """Note an outcome; "correct" stays, whatever comes later."""
    path, known = place(), progress()
    if path is None or known.get(identity) == "correct" or known.get(identity) == kind:
        return
    known[identity] = kind
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(f".{os.getpid()}.tmp")          # never a half-written file
        beside.write_text(json.dumps(known, indent=1, sort_keys=True), encoding="utf-8")
        beside.replace(path)
    except OSError:
        pass


__all__ = ["place", "progress", "write"]
offer(__name__)
