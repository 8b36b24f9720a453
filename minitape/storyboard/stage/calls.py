"""Which card belongs to which call of a learner's function.

A tape keeps one position per card, the innermost of the learner's own, and no stack of calls. But
positions come in order: where they enter another function, a call begins; where they are back in a
function that was left, the calls in between have ended; where they go back to an earlier place of
the same function, and no loop leads there, it was called again. Two calls, one after the other,
look like one within the other: then the first has ended where its code does not name the second,
and that around it does.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from minitape.engine.base.aliases import Where


def calls_of(
    places: Sequence[Where], homes: Iterable[Any], in_loop: Callable[[Where], bool]
) -> list[tuple[Any, ...]]:
    """Returns for each place the calls around it, as `fold.Card.scopes`, from the outermost.

    `homes` are the code objects in which tapes were made: they are around everything.
    `in_loop(place)` says whether a place lies in a loop of its own function.
    """
    home, result, number = set(homes), [], 0
    stack: list[Any] = []  # [code, the place before, (call number, label, kind)]
    for place in places:
        if place is None or place[0] in home:
            stack = []
        # what a comprehension or a lambda does belongs to the call around it
        elif not place[0].co_name.startswith("<"):
            code, offset = place[0], place[1]
            known = next((at for at, call in enumerate(stack) if call[0] is code), None)
            if known is not None:
                del stack[known + 1 :]
                if offset < stack[known][1] and not in_loop(place):
                    del stack[known:]
                    known = None
            if known is None:
                around = [at for at, call in enumerate(stack, 1) if code.co_name in names(call[0])]
                if around or any(code.co_name in names(outer) for outer in home):
                    del stack[around[-1] if around else 0 :]
                number += 1
                stack.append([code, offset, (number, label(code), "function")])
            stack[-1][1] = offset
        result.append(tuple(call[2] for call in stack))
    return result


@lru_cache(maxsize=1_000)  # a cell that is run again is another code
def names(code: Any) -> frozenset[str]:
    """Returns the names that a code uses, in functions inside of it too: what it calls is among
    them, but for what it was handed.
    """
    inner = [names(each) for each in code.co_consts if hasattr(each, "co_consts")]
    return frozenset(name for each in dis.get_instructions(code) for name in _loaded(each)).union(
        *inner
    )


def _loaded(step: dis.Instruction) -> tuple[str, ...]:
    """Returns the names that an instruction loads: Python 3.13 has some for two at once,
    `STORE_FAST_LOAD_FAST` among them.
    """
    if isinstance(step.argval, tuple) and "LOAD_FAST" in step.opname:
        return step.argval[step.opname.startswith("STORE_") :]
    return (
        (step.argval,) if step.opname.startswith("LOAD_") and isinstance(step.argval, str) else ()
    )


def label(code: Any) -> str:
    """Returns what a call is called: what runs when a layer or model is called, `call`, says less
    than its class does.
    """
    within, _, name = code.co_qualname.rpartition(".")
    owner = within.rpartition(".")[2]
    return owner if name in ("call", "__call__") and owner.isidentifier() else f"{name}()"
