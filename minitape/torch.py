"""The graphs of PyTorch: the short name of `minitape.recorders.torch`."""

from .api.missing import offer
from .recorders.torch import watch

__all__ = ["watch"]

offer(__name__)
