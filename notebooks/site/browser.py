"""Which browser there is, for what looks at pages."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

# The same engine without windows needs two thirds of the time, so it goes first.
NAMES = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
]
PLACES = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
]


def find_browser() -> str | None:
    """Returns the path of a Chromium-like browser, or None. MINITAPE_BROWSER names one outright."""
    chosen = os.environ.get("MINITAPE_BROWSER")
    if chosen is not None:
        return shutil.which(chosen)
    return next(filter(None, map(shutil.which, NAMES)), None) or next(
        (place for place in PLACES if Path(place).exists()), None
    )
