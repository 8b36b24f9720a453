"""Names for what functions take: `TensorLike`, `ShapeLike` and their relatives, see
`engine/typing.py`.
"""

from .engine.typing import *  # noqa: F403
from .engine.typing import __all__, freely  # noqa: F401


def __dir__() -> list[str]:
    return sorted(__all__)
