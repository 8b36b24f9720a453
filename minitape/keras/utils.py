"""Small helpers: `keras.utils`."""

from __future__ import annotations

import numpy as np

from ..api.missing import offer
from ..api.random import set_seed
from ..typing import TensorLike
from .metrics import array


def to_categorical(x: TensorLike, num_classes: int | None = None) -> np.ndarray:
    """Return one-hot rows of class numbers, as a NumPy array. Shape: (...) -> (..., num_classes). Source: `keras.utils.to_categorical`."""
    x = np.asarray(array(x), dtype=np.int64)
    shape = x.shape[:-1] if x.ndim > 1 and x.shape[-1] == 1 else x.shape
    n = int(x.max()) + 1 if num_classes is None else num_classes
    if x.size and not 0 <= x.min() <= x.max() < n:
        raise ValueError(f"`x` must hold class numbers in [0, {n}), got numbers from {x.min()} to {x.max()}.")
    return np.eye(n, dtype=np.float64)[x.reshape(-1)].reshape(*shape, n)


def set_random_seed(seed: int) -> None:
    """Set the seeds of Python, NumPy and minitape. Source: `keras.utils.set_random_seed`."""
    import random
    random.seed(seed)
    np.random.seed(seed)
    set_seed(seed)


__all__ = ["set_random_seed", "to_categorical"]
_NO_FILES = ("minitape downloads nothing and reads no files. Read yours with Python and NumPy, or use data that are made: "
             "tf.data.digits(1000), tf.data.sentences(200).")
offer(__name__, dict.fromkeys(("get_file", "image_dataset_from_directory", "load_img", "text_dataset_from_directory"), _NO_FILES))
