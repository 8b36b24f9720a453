"""Images as tensors. Source: `tf.image`."""
# ruff: noqa: I001  (names in compact blocks)

from .api.image import (
    adjust_brightness, adjust_contrast, flip_left_right, flip_up_down, grayscale_to_rgb, image_gradients, psnr, rgb_to_grayscale,
    sobel_edges, total_variation,
)

__all__ = [
    "adjust_brightness", "adjust_contrast", "flip_left_right", "flip_up_down", "grayscale_to_rgb", "image_gradients", "psnr",
    "rgb_to_grayscale", "sobel_edges", "total_variation",
]
