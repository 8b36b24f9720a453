"""Mathematics. Source: `tf.math`."""

from .api.elementwise import *  # noqa: F403
from .api.reductions import *  # noqa: F403
