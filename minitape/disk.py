"""Files of our own on the learner's disk: written whole or not at all, and private where they are
programs. Everything in minitape that writes a file does it here.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from contextlib import suppress
from pathlib import Path

OTHERS = stat.S_IWGRP | stat.S_IWOTH
HALF = re.compile(r"\.minitape-[0-9a-f]{12}\.half")
OLD = 3600.0  # seconds after which a half-written file is nobody's any more


def write_whole(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Put the content there, all of it, or raise OSError and leave everything as it was, also where
    an interrupt comes, the drive is full, or the process is killed. A new file gets the mode.
    """
    path = Path(os.path.realpath(path))  # a link stays one
    try:
        there = path.stat().st_mode
    except FileNotFoundError:
        there = None
    if there and not (stat.S_ISREG(there) and there & 0o222):  # a pipe, a folder, a device
        code = errno.EACCES if stat.S_ISREG(there) else errno.EEXIST
        raise OSError(code, os.strerror(code), str(path))
    half = path.with_name(f".minitape-{os.urandom(6).hex()}.half")
    try:
        with open(half, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # a drive over a network says only here that it is full
        _sweep(half)
        if there:
            half.chmod(stat.S_IMODE(there))
        os.replace(half, path)
    except BaseException as error:
        with suppress(OSError):
            half.unlink()
        if isinstance(error, OSError):  # with the name that the learner gave
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


def _sweep(half: Path) -> None:
    """Remove what killed processes have left beside; the drive's own clock tells what is old."""
    with suppress(OSError):
        now = half.stat().st_mtime
        for name in filter(HALF.fullmatch, os.listdir(half.parent)):
            with suppress(OSError):  # its process is alive, and has just finished it
                if now - half.with_name(name).stat().st_mtime > OLD:
                    half.with_name(name).unlink()


def private(folder: Path) -> bool:
    """Say whether the folder is the user's own and nobody else can write there (Windows gives each
    user their own folders).
    """
    try:
        status = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and (
        os.name == "nt" or status.st_uid == os.getuid() and not status.st_mode & OTHERS
    )
