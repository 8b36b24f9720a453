"""Functions of one number: exp, log, sin, tanh and their relatives, and the choice between two numbers."""

import numpy as np

from ..record import Op

exp     = Op("Exp",     np.exp,     lambda g, y, x: g * y, batched=True)
log     = Op("Log",     np.log,     lambda g, y, x: g / x, batched=True)
sin     = Op("Sin",     np.sin,     lambda g, y, x: g * cos(x), batched=True)
cos     = Op("Cos",     np.cos,     lambda g, y, x: -g * sin(x), batched=True)
tanh    = Op("Tanh",    np.tanh,    lambda g, y, x: g * (1 - y * y), batched=True)
sqrt    = Op("Sqrt",    np.sqrt,    lambda g, y, x: g * 0.5 / y, batched=True)
square  = Op("Square",  np.square,  lambda g, y, x: g * (2 * x), batched=True)
conj    = Op("Conj",    np.conj,    lambda g, y, x: conj(g), batched=True)

select  = Op("Select", np.where, None,
             lambda g, y, c, a, b: select(c, g, 0),
             lambda g, y, c, a, b: select(c, 0, g), mixed=True, batched=True)
