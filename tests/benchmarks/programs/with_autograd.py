"""In autograd (HIPS)."""

import autograd


def operators(n):
    """n scalar operations, written as operators."""

    def f(x):
        y = x
        for _ in range(n // 2):
            y = y * 1.0001
            y = y + 0.0001
        return y

    slope = autograd.value_and_grad(f)
    return lambda: slope(1.0)
