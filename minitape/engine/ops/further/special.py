"""The error function and the gamma function with their relatives: the rows; the kernels are in
`special_kernels.py`.
"""

from ..elementwise import exp
from ..record import Op
from . import special_kernels as kernels
from .special_kernels import SLOPE

# fmt: off
erf       = Op("Erf",       kernels.erf,             lambda g, y, x: g * (exp(-(x * x)) * SLOPE))
erfc      = Op("Erfc",      kernels.erfc,            lambda g, y, x: g * (exp(-(x * x)) * -SLOPE))
erfinv    = Op("Erfinv",    kernels.erfinv,          lambda g, y, x: g * (exp(y * y) / SLOPE))
lgamma    = Op("Lgamma",    kernels.lgamma,          lambda g, y, x: g * digamma(x))
digamma   = Op("Digamma",   kernels.digamma,         lambda g, y, x: g * polygamma(1 + 0 * x, x))
polygamma = Op("Polygamma", kernels.polygamma, None, lambda g, y, a, x: g * polygamma(a + 1, x))
# fmt: on
