"""The tapes of real TensorFlow: the short name of `minitape.recorders.tensorflow`."""

from .api.missing import offer
from .recorders.tensorflow import explain, watch

__all__ = ["explain", "watch"]

offer(__name__)
