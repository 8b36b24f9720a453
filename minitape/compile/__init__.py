"""From a recorded run to a program: how `tf.function` works inside.

A function is run once while a recorder listens to every operation (`trace.py`). What it heard is a
list of entries, plain data like a tape. Entries that change nothing are taken out (`simplify.py`),
and the rest is written down as straight-line Python source with the learner's own names
(`source.py`, `names.py`): no tape, no dictionary of adjoints, no decisions, only the arithmetic.
`gradient.py` does the same for the way back, and `lines.py` knows which line is whose. What is no
operation (random numbers, optimizers, prints) is done again at every run (`again.py`). Where the
fast path is there, programs of scalars run in one small machine (`jit/machine.py`), and
`jit_compile=True` turns a program into loops for numba (`jit/loops.py`).
"""
