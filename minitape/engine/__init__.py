"""The engine: tensors, variables, the tape and the walk backwards over it.

Read in this order: `tensor.py` (what a value is), `record.py` (the one place where arrays are computed and tapes
are told), `tape.py` (what a tape keeps), `walk.py` (how it is played backwards), `ops/` (the table of derivatives).
Everything here imports NumPy and the standard library, nothing else.
"""
