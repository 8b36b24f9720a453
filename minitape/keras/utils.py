"""Small helpers: `keras.utils`."""

from __future__ import annotations

import numpy as np

from ..api.missing import offer
from ..api.random import set_seed
from ..engine.base.dtypes import as_dtype
from ..typing import DTypeLike, TensorLike


def to_categorical(x: TensorLike, num_classes: int | None = None) -> np.ndarray:
    """Return one-hot rows of class numbers, as a NumPy array. Shape: (...) -> (..., num_classes).
    Source: `keras.utils.to_categorical`.
    """
    x = np.asarray(x, dtype=np.int64)
    shape = x.shape[:-1] if x.ndim > 1 and x.shape[-1] == 1 else x.shape
    n = int(x.max()) + 1 if num_classes is None else num_classes
    if x.size and not 0 <= x.min() <= x.max() < n:
        raise ValueError(
            f"`x` must hold class numbers in [0, {n}), got numbers from {x.min()} to {x.max()}."
        )
    return np.eye(n, dtype=np.float64)[x.reshape(-1)].reshape(*shape, n)


def set_random_seed(seed: int) -> None:
    """Set the seeds of Python, NumPy and minitape. Source: `keras.utils.set_random_seed`."""
    import random

    random.seed(seed)
    np.random.seed(seed)
    set_seed(seed)


def img_to_array(
    img: TensorLike, data_format: str | None = None, dtype: DTypeLike | None = None
) -> np.ndarray:
    """Return an image as a NumPy array with an axis for its channels, float32 unless `dtype` says
    otherwise.

    Raises ValueError for another form than `channels_last` and `channels_first`, and for what is no
    image. Source: `keras.utils.img_to_array`.
    """
    form = data_format or "channels_last"
    if form not in ("channels_first", "channels_last"):
        raise ValueError(
            "The `data_format` argument must be one of 'channels_first', 'channels_last'. "
            f"Received: data_format={form}"
        )
    x = np.array(img, dtype=as_dtype(dtype or "float32").as_numpy_dtype)
    if x.ndim not in (2, 3):
        raise ValueError(f"Unsupported image shape: {x.shape}")
    if x.ndim == 2:
        return x[..., None] if form == "channels_last" else x[None]
    return x if form == "channels_last" else x.transpose(2, 0, 1)


__all__ = ["img_to_array", "set_random_seed", "to_categorical"]
offer(__name__)
