"""Compiled functions on disk: what was compiled once for this machine is there in the next process.

One file holds one function for one signature; it begins with a checksum of its name and its
content. It is read only from a folder that nobody else can write, since it is a program. What is
cut off, mixed up, of another version or another machine is compiled again, and where nothing can be
written, nothing is kept: a function never stops because of its file.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import njit
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from ..disk import private, write_whole

LENGTH = sha256().digest_size
# A function may have inlined another file's approximation: with a change to any file of this folder
# it is compiled again.
FOLDER = sorted(
    [
        (file.name, sha256(file.read_bytes()).digest())
        for file in files(__package__).iterdir()
        if file.name.endswith(".py")
    ]
)
STAMP = repr((FOLDER, numba.__version__, np.__version__, sys.version))


def folder() -> Path | None:
    """Return the folder for compiled functions, made private where it is new; None where there is
    none to trust.
    """
    try:
        given = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
        place = Path(given or Path.home() / ".cache").absolute() / "minitape" / "compiled"
        place.mkdir(0o700, parents=True, exist_ok=True)
        return place if private(place) else None
    except (OSError, RuntimeError):
        return None


def compiled(function: Callable[..., Any], fastmath: Any) -> Any:
    """Return the function for numba to compile at its first call, or to find on disk; it lets other
    threads run.
    """
    made: Any = njit(nogil=True, error_model="numpy", fastmath=fastmath)(function)
    made._cache = Kept(function, repr(sorted(fastmath or ())))
    return made


class Kept(_Cache):
    """What numba asks about one function: is it on disk for this signature, and please put it
    there.
    """

    def __init__(self, function: Callable[..., Any], options: str) -> None:
        self.name = function.__qualname__
        self.stamp = repr((STAMP, function.__module__, self.name, options))

    cache_path = property(lambda self: str(folder()))

    def path(self, signature: Any, codegen: Any) -> Path | None:
        """Return the file for a signature on this machine, or None where nothing is kept."""
        place = folder()
        key = sha256(
            repr((self.stamp, signature, codegen.magic_tuple())).encode("utf-8", "backslashreplace")
        ).hexdigest()
        return place and place / f"{self.name}-{key[:32]}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled function, or None."""
        target_context.refresh()
        path = self.path(sig, target_context.codegen())
        try:
            content = path.read_bytes() if path and path.is_file() else b""  # no pipe: it waits
            if path is None or content[:LENGTH] != checksum(path, content[LENGTH:]):
                return None
            return CompileResult._rebuild(target_context, *pickle.loads(content[LENGTH:]))
        except Exception:  # whatever it is: it is compiled again
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function, where that is possible."""
        path = self.path(sig, data.codegen)
        if path is None or data.lifted or data.library.has_dynamic_globals:
            return
        content = dumps(data._reduce())
        try:
            write_whole(path, checksum(path, content) + content)
        except OSError:  # no room: it is compiled again in the next process
            pass

    def enable(self) -> None:
        """Does nothing: a function is always kept."""

    disable = flush = enable


def checksum(path: Path, content: bytes) -> bytes:
    """Return what a file must begin with."""
    return sha256(path.name.encode() + content).digest()
