"""The engine: tensors, variables, the tape and the walk backwards over it.

Read `minitape/one_page.py` first, the same idea in a hundred lines. Then read `ops/record.py`
(where arrays are computed and tapes are notified), `tape.py` (what a tape records), `walk.py` and
`play.py` (how it is played backwards) and `ops/` (the table of derivatives). `ops/common_run.py`
and `common_walk.py` repeat the same steps, written for speed. TensorFlow's interface is in
`gradient_tape.py`, `variable.py` and `operators.py`. All of them rest on `base/`. The engine
imports NumPy and the standard library, nothing else.
"""
