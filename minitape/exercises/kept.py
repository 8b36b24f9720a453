"""What is kept of a learner's progress: one plain JSON file on their own machine,
`~/.minitape/progress.json`.

    {"version": 2, "exercises": {"00.fan-out": ["not yet", "not yet: upstream", "correct"]}}

Per exercise stands what has happened at least once, with the idea behind a mistake. So two kernels
that write at once, a file from another machine and outcomes that wait are all put together in the
same way: nothing is taken back. Version 1 was {"00.fan-out": "correct"}, and is still read.

No lock is needed for it. What is written goes into a file beside, `progress.<12 digits>.json`, which
holds all that is known and never changes; then the files that were read for it go, and it gets the
plain name if nobody has that. Whoever reads puts all of them together. So a kernel that is killed,
or another that writes at the same time, leaves a file more, which the next outcome takes up.

Another place can be named by the environment variable `MINITAPE_PROGRESS`; an empty value keeps
nothing. A file that is no progress is kept under another name; one from a newer version, or that
cannot be read or written, is left alone, which is said once. What could not be written waits and is
written the next time: an exercise never fails because of the file, and nothing that was learnt is
lost.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path

from ..disk import write_whole
from ..sentences import Catalogue

SENTENCES = Catalogue("minitape.exercises")
VERSION = 2
LARGEST = 1 << 20  # bytes: a course of thousands of exercises
# the last one counts most
KINDS = ("not attempted", "your code raised", "not yet", "solution seen", "correct")
IDEA = ": "  # between an outcome and the idea behind it
Facts = dict[str, list[str]]  # what has happened, by the id of an exercise

_waiting: dict[Path, Facts] = {}  # outcomes that could not be written yet
_said: set[str] = set()  # sentences that are said once


class NoProgress(ValueError):
    """Raised where a file does not hold progress."""


class Newer(NoProgress):
    """Raised where a file was written by a version of minitape that is newer than this one."""


def place() -> Path | None:
    """Return the path of the file, or None where nothing is kept."""
    named = os.environ.get("MINITAPE_PROGRESS")
    if named == "":
        return None
    try:
        return Path(os.path.realpath(named or Path.home() / ".minitape" / "progress.json"))
    except (OSError, RuntimeError):  # there is no folder that we stand in, or no home
        return None


def known() -> Facts:
    """Return all that is known, also what waits to be written."""
    path = place()
    if path is None:
        return {}
    try:
        return merged(_read(path)[0], _waiting.get(path, {}))
    except (OSError, Newer):
        return merged({}, _waiting.get(path, {}))


def add(more: Facts) -> str:
    """Keep what has happened; returns the sentence that says why it could not be written, "" where
    it could.
    """
    path = place()
    if path is None:
        return SENTENCES.say("progress.nowhere")
    waiting = _waiting[path] = merged(_waiting.get(path, {}), more)
    try:
        if waiting:
            path.parent.mkdir(parents=True, exist_ok=True)
        before, files = _read(path)
        after = merged(before, waiting)
        if after != before:
            _write(path, after, files)
        if _waiting.get(path) is waiting:  # else another thread has added to it
            del _waiting[path]
    except Newer:
        return SENTENCES.say("progress.newer", {"file": path})
    except (OSError, RecursionError) as error:  # no room, no right, no folder: it waits
        return SENTENCES.say(
            "progress.waits",
            {"file": path, "why": getattr(error, "strerror", None) or type(error).__name__},
        )
    return ""


def write(identity: str, kind: str, idea: str = "") -> None:
    """Note an outcome, with the idea behind a mistake. Where it cannot be written, that is said
    once.
    """
    kinds = [kind, *([f"{kind}{IDEA}{idea}"] if idea else [])]
    if place() is not None and (said := add({identity: kinds})) and said not in _said:
        _said.add(said)
        with suppress(OSError, ValueError):  # a full disk too, or a console without the letters
            print(said)


def put_aside() -> Path | None:
    """Give the file another name, and begin anew; returns the new path, None where nothing was
    kept.

    Raises OSError where it cannot be done, and Newer for a file of a newer version, which is left
    alone.
    """
    path = place()
    if path is None:
        raise FileNotFoundError(SENTENCES.say("progress.nowhere"))
    before, files = _read(path)
    facts = merged(before, _waiting.get(path, {}))
    beside = _other_name(path, "erased") if facts else None
    if beside is not None:
        write_whole(beside, as_text(facts).encode(), 0o600)
        _remove(path, files)
    _waiting.pop(path, None)
    return beside


def merged(before: Mapping[str, list[str]], more: Mapping[str, list[str]]) -> Facts:
    """Return both."""
    return {
        identity: sorted({*before.get(identity, ()), *more.get(identity, ())})
        for identity in (*before, *more)
    }


def as_text(facts: Facts) -> str:
    """Return what has happened as the text of a file."""
    return json.dumps({"version": VERSION, "exercises": facts}, indent=1, sort_keys=True)


def facts_in(text: bytes) -> Facts:
    """Return what the text of a file says. Raises NoProgress, and Newer where another version has
    to be asked.
    """
    try:
        content = json.loads(text) if len(text) <= LARGEST else None
    except (ValueError, RecursionError):
        content = None
    if isinstance(content, dict) and "version" in content:
        if content["version"] != VERSION:
            raise Newer
        content = content.get("exercises")
    if not isinstance(content, dict):
        raise NoProgress
    facts = {
        identity: [kinds] if isinstance(kinds, str) else kinds
        for identity, kinds in content.items()
    }
    if not all(
        isinstance(kinds, list) and all(isinstance(kind, str) for kind in kinds)
        for kinds in facts.values()
    ):
        raise NoProgress
    return facts


def _read(path: Path) -> tuple[Facts, dict[Path, bytes]]:
    """Return all that is kept, and the files that say it, as they are. Raises OSError, and Newer."""
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(path.stat().st_mode):
            raise IsADirectoryError(
                21, os.strerror(21) if path.is_dir() else SENTENCES.say("progress.no-file")
            )
    ours = re.compile(rf"{re.escape(path.stem)}(\.[0-9a-f]{{12}})?{re.escape(path.suffix)}")
    facts: Facts = {}
    files: dict[Path, bytes] = {}
    for _ in range(10 if path.parent.is_dir() else 0):
        gone = False
        for name in filter(ours.fullmatch, os.listdir(path.parent)):
            if (file := path.with_name(name)) in files:
                continue
            try:
                text = file.read_bytes()
                facts = merged(facts, facts_in(text))
                files[file] = text
            except FileNotFoundError:  # another kernel has just put it into one of its own
                gone = True
            except Newer:
                raise
            except NoProgress:
                beside = _other_name(file, "unreadable")
                file.rename(beside)
                print(SENTENCES.say("progress.aside", {"file": file, "name": beside.name}))
        if not gone:
            break
    return facts, files


def _write(path: Path, facts: Facts, files: dict[Path, bytes]) -> None:
    """Keep all that is known, those files among it, or raise OSError and leave all as it was."""
    try:
        mode = path.stat().st_mode & 0o777
    except FileNotFoundError:
        mode = 0o600
    if not mode & 0o222:
        raise PermissionError(13, os.strerror(13))
    new = _new_name(path)
    write_whole(new, as_text(facts).encode(), mode)
    with suppress(OSError, AttributeError):  # what stays is read as well
        _remove(path, files)
        os.link(new, path)  # it never replaces a file; not every drive has links
        new.unlink()


def _remove(path: Path, files: dict[Path, bytes]) -> None:
    """Remove the files that were read; under the plain name something else may stand by now, which
    stays.
    """
    for file, text in files.items():
        if file == path:
            file = file.rename(_new_name(path))
            if file.read_bytes() != text:
                continue
        file.unlink(missing_ok=True)


def _new_name(path: Path) -> Path:
    return path.with_name(f"{path.stem}.{os.urandom(6).hex()}{path.suffix}")


def _other_name(path: Path, what: str) -> Path:
    return next(
        name
        for k in count(1)
        if not (name := path.with_name(f"{path.stem}.{what}-{k}{path.suffix}")).exists()
    )
