"""The front end on its way to a page: once for a kernel, and not with every player.

A page keeps each module that it has ever imported. So what every player carries is a few lines (`static/widget.js`), which look for
the front end where all of them find it: in one model, opened with the first player and left open.
"""

from __future__ import annotations

import functools

import ipywidgets
import traitlets

from minitape_widgets import module

_opened: list[FrontEnd] = []


class FrontEnd(ipywidgets.Widget):
    """A model without a view, which carries the text of the front end to the page."""

    text = traitlets.Unicode(help="The front end as one module.").tag(sync=True)

    @traitlets.default("text")
    def _joined(self) -> str:
        return module.source()


def front_end() -> FrontEnd:
    """Returns the one model of this kernel; a new one where somebody has closed all widgets."""
    if not _opened or _opened[0].comm is None:
        _opened[:] = [FrontEnd()]
    return _opened[0]


@functools.cache
def loader() -> str:
    """Returns what every player carries: the module that finds the front end and hands over to it."""
    return module.plain("widget.js")
