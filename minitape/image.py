"""Images as tensors. Source: `tf.image`."""
# ruff: noqa: I001  (names in compact blocks)

from .api.missing import offer
from .api.image import (
    adjust_contrast,
    flip_left_right,
    flip_up_down,
    rgb_to_grayscale,
    total_variation,
)
from .api.image_sizes import (
    ResizeMethod,
    central_crop,
    convert_image_dtype,
    crop_to_bounding_box,
    per_image_standardization,
    random_crop,
    random_flip_left_right,
    random_flip_up_down,
    resize,
)

__all__ = [
    "ResizeMethod",
    "adjust_contrast",
    "central_crop",
    "convert_image_dtype",
    "crop_to_bounding_box",
    "flip_left_right",
    "flip_up_down",
    "per_image_standardization",
    "random_crop",
    "random_flip_left_right",
    "random_flip_up_down",
    "resize",
    "rgb_to_grayscale",
    "total_variation",
]
offer(__name__)
