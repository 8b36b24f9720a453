"""minitape in a notebook: the player that shows a tape being recorded and played backwards.

    %load_ext minitape_widgets
    %%tape                                  at the top of a cell: shows the player of its tapes
    play(tape, target, sources)             plays a tape, and shows it
    compare(broken, fixed)                  two plays side by side
    load("tape.json")                       a player that was saved
"""

from minitape_widgets.player import TRACE, Pair, Player, compare, load, play

__all__ = ["TRACE", "Pair", "Player", "compare", "load", "load_ipython_extension", "play"]


def load_ipython_extension(shell):
    """Registers `%%tape`; called by `%load_ext minitape_widgets`."""
    from minitape_widgets.magic import TapeMagic
    shell.register_magics(TapeMagic)
