"""A browser without windows that takes pictures of pages: any Chromium or Chrome, asked over its
DevTools protocol.
"""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import tempfile
import threading
from collections import deque
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import websocket

ARGUMENTS = ["--headless", "--remote-debugging-port=0", "--no-first-run", "--disable-gpu"]
LISTENS = re.compile(r"DevTools listening on (ws://\S+)")
PATIENCE = 60  # seconds
QUALITY = 80  # of 100: letters stay sharp
MEDIA = [
    {"name": "prefers-color-scheme", "value": "light"},
    {"name": "prefers-reduced-motion", "value": "reduce"},
]


class Camera:
    """Takes pictures of pages, as long as a `with` block lasts.

    `width` and `height` are those of the window, `scale` the pixels of a picture for each of its
    own. OSError is raised where there is no browser, or it ends, or does not answer.
    """

    def __init__(self, browser: str | None, width: int, height: int, scale: float = 1.0) -> None:
        self.browser, self.count = browser, 0
        self.size = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}

    def __enter__(self) -> Camera:
        if self.browser is None:
            raise OSError("no Chromium or Chrome was found")
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        root = hasattr(os, "geteuid") and os.geteuid() == 0  # who has no sandbox
        arguments = [*ARGUMENTS, *["--no-sandbox"] * root, f"--user-data-dir={self.folder.name}"]
        self.process = subprocess.Popen(
            [self.browser, *arguments, "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        try:
            self._open()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def _open(self) -> None:
        """Begins to speak with the one page that is open."""
        said = iter(self.process.stderr or ())
        match = next(filter(None, map(LISTENS.search, said)), None)
        # what it says later is read as well, or else it waits for a reader
        threading.Thread(target=deque, args=(said, 0), daemon=True).start()
        if match is None:
            raise OSError(f"{self.browser} does not start")
        self.socket = websocket.create_connection(match[1], timeout=PATIENCE, suppress_origin=True)
        self.session = ""
        [page] = [
            one for one in self.ask("Target.getTargets")["targetInfos"] if one["type"] == "page"
        ]
        attached = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self.session = attached["sessionId"]
        self.ask("Emulation.setDeviceMetricsOverride", **self.size)
        self.ask("Emulation.setEmulatedMedia", features=MEDIA)
        self.ask("Emulation.setScrollbarsHidden", hidden=True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # one that a script has started would outlive the script
        with suppress(AttributeError, OSError, subprocess.TimeoutExpired):
            self.session = ""
            self.ask("Browser.close")
            self.process.wait(PATIENCE)
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()

    def ask(self, method: str, **params: Any) -> Any:
        """Asks the browser for something, and returns its answer."""
        self.count += 1
        asked = {"id": self.count, "method": method, "params": params}
        try:
            self.socket.send(
                json.dumps(asked | ({"sessionId": self.session} if self.session else {}))
            )
            while (answer := json.loads(self.socket.recv())).get("id") != self.count:
                pass
        except websocket.WebSocketException as error:
            raise OSError(f"{method}: {error}") from error
        if "error" in answer:
            raise OSError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def picture(self, html: str, ready: str) -> bytes:
        """Returns a page as WebP, once the promise that `ready`, a JavaScript expression, makes is
        kept.
        """
        page = Path(self.folder.name, "page.html")
        page.write_text(html, encoding="utf-8")
        self.ask("Page.navigate", url=page.as_uri())
        seen = self.ask("Runtime.evaluate", expression=ready, awaitPromise=True)
        if "exceptionDetails" in seen:
            raise OSError(f"no picture: {seen['exceptionDetails']['text']}")
        taken = self.ask("Page.captureScreenshot", format="webp", quality=QUALITY)
        return base64.b64decode(taken["data"])
