"""Data: pipelines of elements, as in `tf.data`, and data sets that are made, not loaded.

    x, y = tf.data.digits(1000)
    for images, labels in tf.data.Dataset.from_tensor_slices((x / 255, y)).shuffle(1000).batch(32):
        ...

`Dataset` is TensorFlow's. The functions beside it are minitape's own: nothing is downloaded, the
same seed gives the same data.
"""

from ..api.missing import offer
from .dataset import AUTOTUNE, INFINITE_CARDINALITY, UNKNOWN_CARDINALITY, Dataset
from .digits import digits
from .points import blobs, circles, line, moons, sentences, spirals

__all__ = [
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "UNKNOWN_CARDINALITY",
    "Dataset",
    "blobs",
    "circles",
    "digits",
    "line",
    "moons",
    "sentences",
    "spirals",
]
offer(__name__)
