"""Matrices: products, and what is built on them."""

import numpy as np

from ..record import Op

matmul = Op("MatMul", np.matmul, lambda g, y, a, b: g @ swap_last(b),
                                 lambda g, y, a, b: swap_last(a) @ g, batched=True)
swap_last = Op("MatrixTranspose", lambda x: np.swapaxes(x, -1, -2), lambda g, y, x: swap_last(g), batched=True)
