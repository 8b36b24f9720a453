"""What was seen, as TensorBoard logs, for those who live there: the loss and every measure of every
layer, over the steps.

TensorBoard's own package writes them (the extra `tensorboard`); nothing else here needs it.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from ..disk import write_whole
from .seen.history import MEASURES

if TYPE_CHECKING:
    from .watching import Watch


def write(seen: Watch, folder: str | os.PathLike[str]) -> None:
    """Writes scalars `loss` and `<layer>/<measure>` into a folder. Raises ImportError where the
    package is not installed, OSError where they cannot be written.
    """
    try:
        from tensorboard.summary import Writer
    except ImportError as error:
        raise ImportError(
            "TensorBoard logs are written by the package tensorboard, which is not installed here. "
            "Install it: pip install tensorboard. Without it, print(seen) and seen.to_dict() "
            "tell the same."
        ) from error
    folder, history = Path(folder), seen.history
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as place:
        writer = Writer(place)
        for k, loss in enumerate(history.losses.mean):
            if loss is not None:
                writer.add_scalar("loss", loss, k * history.losses.each)
        for layer in history.layers.values():
            for measure in MEASURES:
                for step, number in zip(history.steps, layer.columns[measure]):
                    if number is not None:
                        writer.add_scalar(f"{layer.name}/{measure}", number, step)
        writer.flush()  # raises what its thread has met, which close does not
        writer.close()
        for file in Path(place).iterdir():
            write_whole(folder / file.name, file.read_bytes())
