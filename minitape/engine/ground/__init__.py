"""What everything in the engine stands on.

A value: `tensor.py`, with what Python asks of it in `protocols.py`; its dtype, shape and structure
(`dtypes`, `shapes`, `nest`), what is made a tensor of (`arrays`), how it is written (`text`). Who
hears of what happens: `listening.py`; the margin of a tape: `notes.py`; the place in the learner's
program: `where.py`. What goes wrong: `errors`, `misfits`, `instead`. What the signatures call all
this: `aliases`, and `value` for what a gradient rule works on. NumPy and the standard library,
nothing else.
"""
