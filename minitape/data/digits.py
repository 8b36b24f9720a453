"""Digits that are drawn, not loaded: ten shapes made of strokes, each image bent, turned and
smudged in its own way.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .points import generator


def arc(x: float, y: float, width: float, height: float, start: float, end: float) -> np.ndarray:
    """Return corners of an ellipse around (x, y), from one angle to another; degrees, clockwise, as
    y points down.
    """
    angles = np.radians(np.linspace(start, end, 2 + int(abs(end - start)) // 15))
    return np.stack([x + width * np.cos(angles), y + height * np.sin(angles)], 1)


def stroke(*parts: Sequence[Sequence[float]] | np.ndarray) -> np.ndarray:
    """Return a line through corners and arcs, drawn without lifting the pen, as a row of dots close
    together.
    """
    corners = np.concatenate([np.asarray(part, float) for part in parts])
    far = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(corners, axis=0).T))])
    dots = np.linspace(0, far[-1], 2 + int(far[-1] / 0.03))
    return np.stack([np.interp(dots, far, corners[:, 0]), np.interp(dots, far, corners[:, 1])], 1)


SIX = stroke(arc(0.72, 0.6, 0.45, 0.5, 262, 180), arc(0.5, 0.68, 0.23, 0.22, 180, -180))
# In a square from 0 to 1, y pointing down.
DIGITS = [
    stroke(arc(0.5, 0.5, 0.27, 0.4, -90, 270)),
    stroke([[0.36, 0.26], [0.55, 0.1], [0.55, 0.9]]),
    stroke(arc(0.5, 0.32, 0.25, 0.22, 180, 390), [[0.24, 0.9], [0.78, 0.9]]),
    stroke(arc(0.48, 0.3, 0.23, 0.2, 200, 450), arc(0.48, 0.7, 0.27, 0.2, 270, 520)),
    stroke([[0.62, 0.9], [0.62, 0.1], [0.22, 0.64], [0.8, 0.64]]),
    stroke([[0.72, 0.1], [0.34, 0.1], [0.31, 0.48]], arc(0.48, 0.67, 0.26, 0.23, 235, 500)),
    SIX,
    stroke([[0.22, 0.12], [0.78, 0.12], [0.42, 0.9]]),
    stroke(arc(0.5, 0.3, 0.2, 0.19, 90, 450), arc(0.5, 0.7, 0.25, 0.21, -90, 270)),
    1 - SIX,
]


def bent(dots: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """Return the dots of a stroke as another hand would set them: turned, slanted, wider or
    narrower, a little wavy.
    """
    centred = dots - 0.5
    waves = 0.035 * np.sin(5 * centred[:, ::-1] + draw.uniform(0, 2 * np.pi, 2))
    turn, slant, (wide, high) = (
        draw.normal(0, 0.13),
        draw.normal(0, 0.15),
        draw.uniform(0.72, 0.98, 2),
    )
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ np.array(
        [[wide, slant * wide], [0, high]]
    )
    return (centred + waves) @ turned.T + 0.5 + draw.normal(0, 0.03, 2)


def digits(
    n: int = 1000, size: int = 28, noise: float = 0.05, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Draw `n` images of digits: bright on black, uint8 from 0 to 255, as those of MNIST; and what
    they show, from 0 to 9.

    All ten digits come equally often. Another `seed` gives other images of the same kind: one for
    training, one for testing. `noise` is how much the brightness of single pixels varies.

    Shape: -> (n, size, size), (n,). Raises ValueError for no images or no pixels.
    """
    draw = generator(n, noise, seed)
    if size < 1:
        raise ValueError(f"digits needs a `size` of at least 1 pixel, got {size}.")
    labels = draw.permutation(n) % 10
    places = (np.arange(size) + 0.5) / size
    images = np.empty((n, size, size), np.uint8)
    for k, label in enumerate(labels):
        dots, pen, soft = (
            bent(DIGITS[label], draw),
            draw.uniform(0.03, 0.055),
            max(0.02, 0.6 / size),
        )
        across, down = ((places - dots[:, c, None]) ** 2 for c in (0, 1))  # (dots, size) each
        # of each pixel from the nearest dot
        away = np.sqrt((down[:, :, None] + across[:, None]).min(0))
        ink = np.clip((pen - away) / soft + 0.5, 0, 1) + noise * draw.standard_normal((size, size))
        images[k] = 255 * np.clip(ink, 0, 1)
    return images, labels.astype(np.uint8)
