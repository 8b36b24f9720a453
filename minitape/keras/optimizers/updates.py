"""How optimizers change a variable: arithmetic on arrays, in rows that can be exchanged like those
of the operations.

Updates are no operations: no tape records them and they have no derivative. Each takes the
variable, its gradient, its slots and the settings of the step; the
inputs stay as they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...jit.exchange import Exchangeable


def momentum_kernel(w: Any, g: Any, slots: Any, settings: Any) -> tuple[Any, ...]:
    (velocity,), (lr, share) = slots, settings
    move = np.multiply(g, lr, out=np.empty_like(w))
    velocity = np.subtract(velocity * share, move, out=np.empty_like(w))
    return np.add(w, velocity, out=move), velocity


def adam_kernel(w: Any, g: Any, slots: Any, settings: Any) -> tuple[Any, ...]:
    (m, v, *largest), (rate, share_m, share_v, epsilon) = slots, settings
    m = nearer(m, g, share_m, np.empty_like(w))
    move = np.multiply(g, g, out=np.empty_like(w))
    v = nearer(v, move, share_v, np.empty_like(w))
    new = (m, v, *[np.maximum(x, v) for x in largest])
    np.sqrt(new[-1], out=move)
    move += epsilon
    np.divide(m, move, out=move)
    move *= rate
    return np.subtract(w, move, out=move), *new


def nearer(x: Any, target: Any, share: Any, out: Any) -> Any:
    """Return x moved towards a target by a share of the distance: x + (target - x) * share, written
    into `out`.
    """
    np.subtract(target, x, out=out)
    out *= share
    out += x
    return out


def rmsprop_kernel(w: Any, g: Any, slots: Any, settings: Any) -> tuple[Any, ...]:
    (v,), (lr, rho, left, epsilon) = slots, settings
    move = np.multiply(g, g, out=np.empty_like(w))
    move *= left
    v = np.multiply(v, rho, out=np.empty_like(w))
    v += move
    np.add(v, epsilon, out=move)
    np.sqrt(move, out=move)
    np.divide(lr * g, move, out=move)
    return np.subtract(w, move, out=move), v


momentum = Exchangeable("ApplyMomentum", momentum_kernel)
adam = Exchangeable("ApplyAdam", adam_kernel)
rmsprop = Exchangeable("ApplyRMSprop", rmsprop_kernel)
