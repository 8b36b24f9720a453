"""Packing: a server lets only so many bytes pass at once, and a notebook file should stay small."""

from __future__ import annotations

import base64
import json
import sys
import zlib
from typing import Any

from minitape_widgets.page import sendable

LARGEST = 1 << 27  # bytes of a trace, also once it is unpacked
MOST = 1 << 24  # commas in it: what is short as a text may be large as a list
# characters; a lesson's traces are far below, and stay readable in the notebook file
SMALL = 150_000
# A kernel inside of the browser makes `undefined` of None on its way to the page, which is not in JSON.
NULLS_ARRIVE = sys.platform != "emscripten"


def pack(trace: dict[str, Any]) -> dict[str, Any]:
    """Returns the trace as it travels: itself, or {"deflate": base64 text} where it is large, or
    would not arrive whole.
    """
    text = _text(trace)
    if len(text) >= SMALL or not NULLS_ARRIVE:
        return _deflated(text, 3)  # somebody waits; 6 would save a tenth, and take twice as long
    clean = sendable(text)
    return trace if clean == text else json.loads(clean)


def deflated(trace: dict[str, Any]) -> dict[str, str]:
    """Returns data as a packed text."""
    return _deflated(_text(trace), 6)


def _text(trace: dict[str, Any]) -> str:
    return json.dumps(
        trace, ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")
    )


def _deflated(text: str, level: int) -> dict[str, str]:
    data = text.encode("utf-8", "replace")  # what `sendable` writes
    return {"deflate": base64.b64encode(zlib.compress(data, level)).decode("ascii")}


def unpack(data: Any) -> Any:
    """Returns what was given to `pack`."""
    if isinstance(data, dict) and "deflate" in data:
        reader = zlib.decompressobj()
        text = reader.decompress(base64.b64decode(data["deflate"]), LARGEST)
        if reader.unconsumed_tail:
            raise ValueError(f"it holds more than {LARGEST} bytes")
        return parsed(text)
    return data


def parsed(text: str | bytes) -> Any:
    """Returns the data of a JSON text, which anybody may have written. Raises ValueError for more
    than a page could hold.
    """
    commas = text.count(",") if isinstance(text, str) else text.count(b",")
    if len(text) > LARGEST or commas > MOST:
        raise ValueError("it holds more than any player does")
    return json.loads(text)
