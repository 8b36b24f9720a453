"""Exercises about a ball: of another course than minitape's, beside a notebook of its own."""

from pathlib import Path

from minitape.exercises import Catalogue, Function, Number, Wrong

TEXTS = Catalogue(Path(__file__).parent / "messages" / "throwing")

speed = Function(
    id="throwing.speed",
    texts=TEXTS,
    inputs={"v": (), "t": ()},
    program="""def speed(v, t):
    #: height
    return «v - 2 * 5 * t»
""",
    wrong=(
        Wrong("height", {"return": "v * t - 5 * t * t"}),
        Wrong("half", {"return": "v - 5 * t"}),
    ),
)

top = Number(
    id="throwing.top",
    texts=TEXTS,
    numbers={"v": (20.0, 30.0, 40.0)},
    right="v / 10",
    program="""v = {v}

def height(t):
    return v * t - 5 * t * t
""",
    wrong=(Wrong("landing", "v / 5"), Wrong("height", "height(v / 10)")),
)
