"""The pitfall gallery: every way in which a gradient surprises, each with the broken and the mended
program side by side.

    from minitape_widgets import pitfalls
    pitfalls.show("numpy-escape")        one card
    pitfalls.all()                       all cards, to leaf through
    pitfalls.all("fr")                   all cards in French
    pitfalls.all(library="torch")        those of PyTorch
    pitfalls.board(code, "torch")        what a program does, as a storyboard, for `compare`

Every card is real code that runs when the card is shown, and that you may change and run again. The
programs of PyTorch's cards were run once, where it is installed: changed ones need it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minitape.api.missing import offer

__all__ = ["all", "board", "show"]

if TYPE_CHECKING:
    from .gallery import all, board, show
else:

    def __getattr__(name):
        """Loads the widgets when a card is first shown: reading and testing cards needs none."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from . import gallery

        return getattr(gallery, name)


offer(__name__)
