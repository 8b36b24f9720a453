"""What was seen, as TensorBoard logs, for those who live there: the loss and every measure of every
layer, over the steps.

TensorBoard's own package writes them (the extra `tensorboard`); nothing else here needs it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .seen.history import MEASURES

if TYPE_CHECKING:
    from .watching import Watch


def write(seen: Watch, folder: str | os.PathLike[str]) -> None:
    """Writes scalars `loss` and `<layer>/<measure>` into a folder. Raises ImportError where the
    package is not installed.
    """
    try:
        from tensorboard.summary import Writer
    except ImportError as error:
        raise ImportError(
            "TensorBoard logs are written by the package tensorboard, which is not installed here. "
            "Install it: pip install tensorboard. Without it, print(seen) and seen.to_dict() "
            "tell the same."
        ) from error
    history, writer = seen.history, Writer(os.fspath(folder))
    for k, loss in enumerate(history.losses.mean):
        if loss is not None:
            writer.add_scalar("loss", loss, k * history.losses.each)
    for layer in history.layers.values():
        for measure in MEASURES:
            for step, number in zip(history.steps, layer.columns[measure]):
                if number is not None:
                    writer.add_scalar(f"{layer.name}/{measure}", number, step)
    writer.close()
