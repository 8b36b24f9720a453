"""The exercise of the first lesson: play a tape backwards by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .exercise import Check, Exercise, NotYet, WrongAnswer

STARTER = '''def play_backwards(x):
    # forwards: what the tape recorded
    a = x * x
    b = 3 * x
    c = a + b
    y = c * c

    # backwards: fill in the blanks, last card first
    adjoint_y = 1.0
    adjoint_c = ...
    adjoint_a = ...
    adjoint_b = ...
    adjoint_x = ...
    return adjoint_c, adjoint_a, adjoint_b, adjoint_x
'''


def _answer(c: str = "adjoint_y * c + adjoint_y * c", a: str = "adjoint_c", b: str = "adjoint_c",
            x: str = "adjoint_a * x + adjoint_a * x + adjoint_b * 3") -> str:
    filled = STARTER
    for name, text in (("c", c), ("a", a), ("b", b), ("x", x)):
        filled = filled.replace(f"adjoint_{name} = ...", f"adjoint_{name} = {text}")
    return filled


def _close(value: float, wanted: float) -> bool:
    return abs(value - wanted) <= 1e-4 * max(1.0, abs(wanted))


def _judge(play_backwards: Callable[..., Any]) -> None:
    for x in (2.0, -1.5, 0.7):
        c = x * x + 3 * x
        given = play_backwards(x)
        Check.attempted(given)
        try:
            g_c, g_a, g_b, g_x = given
        except TypeError:
            raise NotYet("four-numbers", "play_backwards should return four numbers: the adjoints of c, a, b and x.") from None
        Check.attempted(g_c, g_a, g_b, g_x)
        g_c, g_a, g_b, g_x = (Check.number(g, f"The adjoint of {n}") for g, n in zip((g_c, g_a, g_b, g_x), "cabx"))
        if not _close(g_c, 2 * c):
            if _close(g_c, c):
                raise NotYet("both-inputs", "y = c * c uses c twice, so the card sends two parts to c: adjoint_y * c from each side. "
                                            "Parts that reach the same value are added.")
            if _close(g_c, 1.0):
                raise NotYet("local-derivative", "The card y = c * c does not pass the adjoint on unchanged. A part is the adjoint times "
                                                 "the local derivative: for a product, that is the other factor.")
            raise NotYet("adjoint-of-c", f"Look at the last card, y = c * c, at c = {c:g}. How much does y change when c changes a little?")
        for g, n in ((g_a, "a"), (g_b, "b")):
            if not _close(g, 2 * c):
                if _close(g, 1.0):
                    raise NotYet("upstream", f"1 is the local derivative of c = a + b. Multiply it by the adjoint that arrives: "
                                             f"that of c. So what is adjoint_{n}?")
                raise NotYet("a-sum-copies", f"An addition sends its adjoint on to both inputs, unchanged. What is adjoint_{n}, then?")
        wrong = {
            "overwritten": (g_b * 3, "You kept only the last part, the one from b = 3 * x. Where several parts reach one value, "
                                     "they are added."),
            "first-only": (2 * x * g_a, "You kept the parts from a = x * x only. The card b = 3 * x sends a part to x as well; add it."),
            "both-inputs": (x * g_a + 3 * g_b, "The card a = x * x uses x twice, so it sends two parts to x. You counted one of them."),
            "upstream": (2 * x + 3, "You added the local derivatives, but forgot the adjoint that arrives. A part is the adjoint of the "
                                    "output times the local derivative."),
        }
        if not _close(g_x, (2 * x + 3) * 2 * c):
            for idea, (value, message) in wrong.items():
                if _close(g_x, value):
                    raise NotYet(idea, message)
            raise NotYet("adjoint-of-x", f"At x = {x:g} three parts reach x: two from a = x * x, one from b = 3 * x. Write each as "
                                         "adjoint times local derivative, then add them.")


fan_out = Exercise(
    id="00.fan-out",
    title="Play a tape backwards by hand",
    prompt="The tape below has four cards. Play it backwards: fill in the four blanks, with `x`, `a`, `b`, `c` and the adjoints that you "
           "already have. Do not use a tape for it; you are the tape.",
    name="play_backwards",
    starter=STARTER,
    solution_code=_answer(),
    judge=_judge,
    praise="You played four cards backwards: each part is the adjoint times the local derivative, and parts that meet are added.",
    hints=("Begin with the last card, y = c * c. It is a product: the part for one factor is adjoint_y times the other factor. "
           "Here both factors are c.",
           "An addition sends its adjoint to both inputs unchanged: adjoint_a and adjoint_b are adjoint_c.",
           "x is used three times: twice in a = x * x and once in b = 3 * x. Write down three parts and add them."),
    wrong=(WrongAnswer(_answer(x="adjoint_b * 3"), "overwritten"),
           WrongAnswer(_answer(x="adjoint_a * x + adjoint_a * x"), "first-only"),
           WrongAnswer(_answer(x="adjoint_a * x + adjoint_b * 3"), "both-inputs"),
           WrongAnswer(_answer(x="2 * x + 3"), "upstream"),
           WrongAnswer(_answer(c="adjoint_y * c"), "both-inputs"),
           WrongAnswer(_answer(c="adjoint_y"), "local-derivative"),
           WrongAnswer(_answer(a="1.0", b="1.0"), "upstream"),
           WrongAnswer(_answer(a="adjoint_c * x"), "a-sum-copies"),
           WrongAnswer(_answer(x="adjoint_a * 17 + x"), "adjoint-of-x"),
           WrongAnswer(_answer(c="c + 1"), "adjoint-of-c")))
