"""What is seen after so many acts: a pure function of the storyboard and their number, as in the
player.
"""

from __future__ import annotations

from minitape.storyboard.text.aliases import Board


def adjoints(board: Board, k: int | None = None) -> dict[int, int]:
    """Returns {node: value index}: the adjoints known after k acts (all, for None) in the pass that
    was played last.
    """
    result: dict[int, int] = {}
    current = None
    for frame in board["frames"][:k]:
        act = frame["act"]
        if act == "seed":
            if frame["pass"] != current:
                result, current = {}, frame["pass"]
            result[frame["node"]] = frame["value"]
        elif act in ("part", "sum"):
            result[frame["node"]] = frame["value"]
    return result
