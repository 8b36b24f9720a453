"""Large arrays without page faults.

Linux's C library gives freed memory of large arrays back to the system at once, and gets it again,
page by page, for the next array. For arrays of some megabytes this costs several times more than
the arithmetic on them, and a tape makes a new array in every step. So the process keeps some freed
memory for its next arrays. Who has set the C library's own variables is left alone.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

TRIM, MAP = -1, -3  # names of the two settings in malloc.h
USUAL, MORE = 1 << 26, 1 << 28  # bytes that are kept: always, and while the faster kernels are on
LARGEST = 1 << 25  # bytes of the largest array that is kept where an older C library takes no more
# of the last one, glibc.malloc alone is about this
SET = "MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "GLIBC_TUNABLES"


def library() -> Any:
    """Return the C library where it is glibc, else None."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        found = ctypes.CDLL(None)
        return found if hasattr(found, "gnu_get_libc_version") else None
    except OSError:
        return None


def keep_freed(most: int) -> None:
    """Let the process keep up to `most` bytes of freed memory at the end of its heap; what is free
    beyond them goes back now.

    Below something that lives it keeps more, as it does without this.
    """
    libc = library()
    *plain, several = SET
    if (
        libc is not None
        and not any(name in os.environ for name in plain)
        and "glibc.malloc." not in os.environ.get(several, "")
    ):
        if not libc.mallopt(MAP, most):
            libc.mallopt(MAP, LARGEST)
        libc.mallopt(TRIM, most)
        libc.malloc_trim(most)
