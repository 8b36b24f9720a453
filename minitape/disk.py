"""Files of our own on the learner's disk: written whole or not at all, by one process at a time,
and private where they are programs.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OTHERS = stat.S_IWGRP | stat.S_IWOTH
OLD = 3600.0  # seconds after which a half-written file is nobody's any more


def write_whole(path: Path, content: bytes) -> None:
    """Put the content there, all of it, or raise OSError and leave everything as it was, also where
    an interrupt comes.
    """
    for left in path.parent.glob(f".{path.name}.*.half"):  # of a process that was killed
        if time.time() - left.stat().st_mtime > OLD:
            left.unlink(missing_ok=True)
    half = path.with_name(f".{path.name}.{os.urandom(6).hex()}.half")
    try:
        with open(half, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(content)
        if path.exists():
            shutil.copymode(path, half)
        os.replace(half, path)
    except BaseException:
        half.unlink(missing_ok=True)
        raise


@contextmanager
def locked(path: Path, patience: float = 2.0) -> Iterator[None]:
    """Let one process at a time into the block; where no lock can be had (in time), go in without
    one.
    """
    try:
        handle = os.open(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except (OSError, ValueError):  # a ValueError: "/" has no neighbours
        yield
        return
    try:
        end = time.monotonic() + patience
        while not _taken(handle) and time.monotonic() < end:
            time.sleep(0.01)
        yield
    finally:
        os.close(handle)  # gives the lock back


def _taken(handle: int) -> bool:
    """Try to take the lock; False where another process has it."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # else there are no locks here
        return error.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
    return True


def private(folder: Path) -> bool:
    """Say whether the folder is the user's own and nobody else can write there (Windows gives each
    user their own folders).
    """
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and (
        os.name == "nt" or found.st_uid == os.getuid() and not found.st_mode & OTHERS
    )
