"""Made data: points in the plane and what class they belong to, a line, sentences. The same seed
gives the same data.

Each function returns NumPy arrays `x, y`. Call it twice, with two seeds, for data to train with and
data to test with.
"""

from __future__ import annotations

import numpy as np

Made = tuple[np.ndarray, np.ndarray]


def generator(n: int, noise: float, seed: int, classes: int = 1) -> np.random.Generator:
    """Return what random numbers are drawn from. Raises ValueError where nothing can be made of the
    arguments.
    """
    for name, given, least in (
        ("n", n, 1),
        ("classes", classes, 1),
        ("noise", noise, 0),
        ("seed", seed, 0),
    ):
        if given < least:
            raise ValueError(f"Made data need `{name}` of at least {least}, got {given!r}.")
    return np.random.Generator(np.random.PCG64(seed))


def points(x: np.ndarray, y: np.ndarray, noise: float, draw: np.random.Generator) -> Made:
    """Return points, a little moved, with their classes, in a random order."""
    order = draw.permutation(len(y))
    return (x + noise * draw.standard_normal(x.shape))[order].astype(np.float32), y[order].astype(
        np.int32
    )


def line(n: int = 200, w: float = 3.0, b: float = 2.0, noise: float = 0.5, seed: int = 0) -> Made:
    """Make x between -2 and 2, and y = w * x + b, with noise in y. Shape: -> (n, 1), (n, 1),
    float32.
    """
    draw = generator(n, noise, seed)
    x = draw.uniform(-2, 2, (n, 1))
    return x.astype(np.float32), (w * x + b + noise * draw.standard_normal(x.shape)).astype(
        np.float32
    )


def blobs(n: int = 200, classes: int = 3, noise: float = 0.3, seed: int = 0) -> Made:
    """Make a heap of points per class, the heaps on a circle. Shape: -> (n, 2) float32, (n,) int32."""
    draw = generator(n, noise, seed, classes)
    y = np.arange(n) % classes
    angle = 2 * np.pi * y / classes
    return points(np.stack([np.cos(angle), np.sin(angle)], 1), y, noise, draw)


def circles(n: int = 200, noise: float = 0.08, seed: int = 0) -> Made:
    """Make a ring (0) around a smaller one (1): no straight line parts them. Shape: -> (n, 2)
    float32, (n,) int32.
    """
    draw = generator(n, noise, seed)
    y, angle = np.arange(n) % 2, draw.uniform(0, 2 * np.pi, n)
    radius = np.where(y == 0, 1.0, 0.5)
    return points(np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1), y, noise, draw)


def moons(n: int = 200, noise: float = 0.1, seed: int = 0) -> Made:
    """Make two half rings that reach into each other. Shape: -> (n, 2) float32, (n,) int32."""
    draw = generator(n, noise, seed)
    y, angle = np.arange(n) % 2, draw.uniform(0, np.pi, n)
    side = 1 - 2 * y  # the second moon hangs upside down
    return points(
        np.stack([side * np.cos(angle) + y, side * np.sin(angle) + 0.5 * y], 1), y, noise, draw
    )


def spirals(n: int = 200, classes: int = 2, noise: float = 0.02, seed: int = 0) -> Made:
    """Make one arm per class, wound around each other. Shape: -> (n, 2) float32, (n,) int32."""
    draw = generator(n, noise, seed, classes)
    y, far = np.arange(n) % classes, np.sqrt(draw.uniform(0.01, 1, n))
    angle = 2 * np.pi * (1.25 * far + y / classes)
    return points(far[:, None] * np.stack([np.cos(angle), np.sin(angle)], 1), y, noise, draw)


WHO = ("the cat", "a dog", "the old owl", "my sister", "a small boat", "the moon")
DOES = ("sees", "likes", "follows", "finds", "hears", "paints")
WHERE = ("in the garden", "at night", "by the sea", "on a hill", "every day", "in the rain")


def sentences(n: int = 200, seed: int = 0) -> str:
    """Make `n` short English sentences, a line each: a text to learn letters or words from."""
    draw = generator(n, 0, seed)
    return "".join(
        f"{WHO[a]} {DOES[b]} {WHO[c]} {WHERE[d]}.\n" for a, b, c, d in draw.integers(6, size=(n, 4))
    )
