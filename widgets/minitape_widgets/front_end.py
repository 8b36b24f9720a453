"""The front end on its way to a page: once for a kernel, and not with every player.

A page keeps each module that it has ever imported. So what every player carries is a few lines
(`static/widget.js`), which look for the front end where all of them find it: in one model, opened
with the first player and left open.
"""

from __future__ import annotations

import functools

import ipywidgets
import traitlets

from minitape_widgets import module, scripts

_opened: dict[str, FrontEnd] = {}


class FrontEnd(ipywidgets.Widget):
    """A model without a view, which carries the text of the front end to the page."""

    text = traitlets.Unicode(help="The front end as one module.").tag(sync=True)


def front_end(entry: str = module.ENTRY) -> FrontEnd:
    """Returns the one model of this kernel for an entry; a new one where somebody has closed all
    widgets.
    """
    if entry not in _opened or _opened[entry].comm is None:
        _opened[entry] = FrontEnd(text=module.source(entry))
    return _opened[entry]


@functools.cache
def loader() -> str:
    """Returns what every player carries: the module that finds the front end and hands over to it."""
    return scripts.plain("widget.js")
