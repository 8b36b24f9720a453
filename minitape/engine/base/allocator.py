"""Settings of the C library's allocator that avoid page faults for large arrays.

On Linux, glibc returns the memory of a large array to the system as soon as it is freed, and faults
it in again, page by page, for the next one. For arrays of some megabytes this costs several times
as much as the arithmetic on them, and a tape makes new arrays at every step. So the process keeps
some freed memory. Nothing is changed where the user has set glibc's own environment variables.
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
    libc = ctypes.pythonapi  # opened by ctypes itself; the process has one C library
    return libc if hasattr(libc, "gnu_get_libc_version") else None


def keep_freed(most: int) -> None:
    """Keep up to `most` bytes of freed memory at the end of the heap; release what is free beyond
    them now.

    As always, free memory below a live allocation stays with the process.
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
