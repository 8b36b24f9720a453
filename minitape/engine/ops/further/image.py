"""Images: (rows, columns, channels), with a batch axis in front or not."""

from __future__ import annotations

import numpy as np

from ...base.aliases import Array
from ..record import UNREGISTERED, Op


def contrast_kernel(x: Array, factor: Array) -> Array:
    """Return each channel stretched around its mean by a factor."""
    wide = x.astype(np.float32) if x.dtype == np.float16 else x
    mean = wide.mean((-3, -2), keepdims=True)
    return ((wide - mean) * factor + mean).astype(x.dtype)


# fmt: off
# TensorFlow records this operation and has no gradient for it: so has minitape.
adjust_contrast = Op("AdjustContrastv2", contrast_kernel, UNREGISTERED)
# fmt: on
