"""Models: `keras.models`. A model is a layer that is made of layers, so it stands in
`layers/models.py`.
"""

from __future__ import annotations

from ..api.missing import offer
from .layers.models import Model, Sequential

__all__ = ["Model", "Sequential"]
offer(__name__)
