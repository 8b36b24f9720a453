"""Large arrays without page faults.

Linux's C library gives freed memory of large arrays back to the system at once, and gets it again, page by page, for
the next array. For arrays of some megabytes this costs several times more than the arithmetic on them. While the fast
path is on, the process keeps up to a quarter of a gigabyte of freed memory for its next arrays.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

TRIM, MAP = -1, -3                    # names of the two settings in malloc.h
KEEP, DEFAULT = 1 << 28, 128 * 1024   # bytes


def library() -> Any:
    """Return the C library where it is glibc, else None."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        found = ctypes.CDLL(None)
        return found if hasattr(found, "gnu_get_libc_version") else None
    except OSError:
        return None


def keep_freed() -> None:
    """Let the process keep freed memory."""
    libc = library()
    if libc is not None:
        libc.mallopt(MAP, KEEP)
        libc.mallopt(TRIM, KEEP)


def give_back() -> None:
    """Set the defaults again, and give back what is free."""
    libc = library()
    if libc is not None:
        libc.mallopt(MAP, DEFAULT)
        libc.mallopt(TRIM, DEFAULT)
        libc.malloc_trim(0)
