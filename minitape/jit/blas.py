"""Matrix products inside of compiled loops, by the library that NumPy brings along.

numba's own products ask for SciPy. NumPy's wheels hold the same library (OpenBLAS); its entry
points are looked up by name and made known to the compiler, under a name of our own, so that
compiled programs can be kept on disk. Where it is not found (another library, another system),
programs with large products are left to NumPy.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import binding
from numba import njit, types

from ..engine.base.aliases import Array

NAMES = (
    ("scipy_cblas_{}gemm64_", types.int64),
    ("cblas_{}gemm64_", types.int64),
    ("scipy_cblas_{}gemm", types.int32),
    ("cblas_{}gemm", types.int32),
)


def bind_products() -> Any:
    """Return the integer type of NumPy's matrix products after making them known as minitape_sgemm
    and minitape_dgemm, or None where there are none.
    """
    home = Path(np.__file__).parent
    files = [
        f
        for folder in (home.parent / "numpy.libs", home / ".dylibs", home / ".libs")
        if folder.is_dir()
        for f in sorted(folder.iterdir())
        if "openblas" in f.name
    ]
    for file in files:
        try:
            library = ctypes.CDLL(str(file))
        except OSError:
            continue
        for name, integer in NAMES:
            try:
                entries = {kind: getattr(library, name.format(kind)) for kind in "sd"}
            except AttributeError:
                continue
            for kind, entry in entries.items():
                binding.add_symbol(
                    f"minitape_{kind}gemm", ctypes.cast(entry, ctypes.c_void_p).value
                )
            return integer
    return None


INTEGER = bind_products()
ROWS, PLAIN, TURNED = 101, 111, 112  # the library's numbers for: rows first, as it is, transposed

if INTEGER is not None:

    def _signature(kind: Any) -> Any:
        place, i = types.intp, INTEGER
        return types.void(
            types.int32, types.int32, types.int32, i, i, i, kind, place, i, place, i, kind, place, i
        )

    sgemm: Any = types.ExternalFunction("minitape_sgemm", _signature(types.float32))
    dgemm: Any = types.ExternalFunction("minitape_dgemm", _signature(types.float64))

    @njit(fastmath={"contract"})
    def product32(a: Array, b: Array, c: Array, turn_a: bool, turn_b: bool) -> None:
        """Put a @ b into c; each of them contiguous, a and b transposed where asked for."""
        k = a.shape[0] if turn_a else a.shape[1]
        sgemm(
            ROWS,
            TURNED if turn_a else PLAIN,
            TURNED if turn_b else PLAIN,
            c.shape[0],
            c.shape[1],
            k,
            np.float32(1),
            a.ctypes.data,
            a.shape[1],
            b.ctypes.data,
            b.shape[1],
            np.float32(0),
            c.ctypes.data,
            c.shape[1],
        )

    @njit(fastmath={"contract"})
    def product64(a: Array, b: Array, c: Array, turn_a: bool, turn_b: bool) -> None:
        """Put a @ b into c, in double precision."""
        k = a.shape[0] if turn_a else a.shape[1]
        dgemm(
            ROWS,
            TURNED if turn_a else PLAIN,
            TURNED if turn_b else PLAIN,
            c.shape[0],
            c.shape[1],
            k,
            1.0,
            a.ctypes.data,
            a.shape[1],
            b.ctypes.data,
            b.shape[1],
            0.0,
            c.ctypes.data,
            c.shape[1],
        )
