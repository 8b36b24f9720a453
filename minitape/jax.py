"""What JAX differentiates: the short name of `minitape.recorders.jax`."""

from .api.missing import offer
from .recorders.jax import record, watch

__all__ = ["record", "watch"]

offer(__name__)
