"""The picture that other sites show of a page: its title over its own first player, at the end.

A browser takes it while the site is made. Where there is none, a page keeps the general picture.
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from minitape.disk import write_whole
from minitape_widgets import page as alone
from minitape_widgets.packing import unpack

from .browser import find_browser
from .camera import Camera
from .pages import Files, Page

Take = Callable[[str], bytes]  # a page's HTML: its picture

WIDTH, HEIGHT, SCALE = 960, 504, 1.25  # 1200 x 630, as previews are shown
PLAYERS = "pages.js"  # the front end's entry for a site
PAGE = """<!DOCTYPE html>
<html lang="{language}"><head><meta charset="utf-8"><style>
html {{ background: #fff; color: #1c2128; font-family: system-ui, sans-serif; }}
body {{ display: flex; flex-direction: column; height: 504px; margin: 0; overflow: hidden; }}
h1 {{ flex: 1; display: flex; align-items: center; justify-content: space-between; gap: 40px;
  margin: 0; padding: 0 24px; font-size: 30px; line-height: 1.2; text-wrap: balance; }}
small {{ font-size: 20px; font-weight: 400; color: #5b6472; }}
</style></head><body><h1>{title}<small>minitape</small></h1>
{place}{script}</body></html>
"""
# the player stands, and every number has arrived
READY = """(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  let player;
  for (let count = 0; !player && count < 3000; count++) {
    await frame();
    player = document.querySelector(".minitape")?.player;
  }
  player.go(player.total);
  for (let count = 0; count < 3; count++) await frame();
})()"""


def add(pages: list[Page], files: Files, take: Take) -> None:
    """Gives each page that has a player a preview of its own."""
    for page in pages:
        trace = next(filter(None, map(played, page.shown)), None)
        if trace is not None:
            path = f"previews/{page.path.removesuffix('.html')}.webp"
            files[path] = take(html_of(page, trace))
            page.picture = path


def html_of(page: Page, trace: Any) -> str:
    """Returns the page of which a preview is the picture."""
    return PAGE.format(
        language=page.language,
        title=html.escape(page.title),
        place=alone.place(trace, "", "tape"),
        script=alone.script(PLAYERS),
    )


def played(data: Any) -> Any:
    """Returns the trace that a place plays, its own or that of its card; None where it plays none."""
    trace = unpack(data)
    trace = trace.get("play", trace)
    return trace if "storyboard" in trace or "pair" in trace else None


@contextmanager
def camera(kept: Path) -> Iterator[Take | None]:
    """Yields what takes previews, None where there is no browser. The folder `kept` holds those of
    before; in the end, those of this time only.
    """
    kept.mkdir(parents=True, exist_ok=True)
    used = set()
    with ExitStack() as stack:
        try:
            shots = stack.enter_context(Camera(find_browser(), WIDTH, HEIGHT, SCALE))
        except OSError as error:
            print(f"Previews of pages show the general picture: {error}.")
            yield None
            return

        def take(text: str) -> bytes:
            file = kept / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.webp"
            used.add(file)
            if not file.exists():
                write_whole(file, shots.picture(text, READY))
            return file.read_bytes()

        yield take
    for other in set(kept.glob("*.webp")) - used:
        other.unlink()
