"""Reading a tape aloud: from what a tape recorded and how it was played to a storyboard, plain data
that any picture can show.

    board = build(tape, loss, [w, b])        # plays the tape once, as tape.gradient does
    print(board)                             # everything as text
    board.svg()                              # a static picture
    board.to_json()                          # for the player

`build` films one play. `Film` looks on while a whole cell or training loop runs, and `develop`
makes the storyboard of it.
"""

from minitape.api.missing import offer
from minitape.storyboard.board import Storyboard
from minitape.storyboard.build import build, develop
from minitape.storyboard.film.film import Film

__all__ = ["Film", "Storyboard", "build", "develop"]
offer(__name__)
