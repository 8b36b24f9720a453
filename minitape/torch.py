"""The graphs of PyTorch: the short name of `minitape.recorders.torch`."""

from .api.missing import offer
from .recorders.torch import explain, watch

__all__ = ["explain", "watch"]

offer(__name__)
