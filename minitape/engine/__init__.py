"""The engine: tensors, variables, the tape and the walk backwards over it.

Before it stands `minitape/one_page.py`, the same idea in a hundred lines. Read then `ops/record.py`
(where arrays are computed and tapes are told), `tape.py` (what a tape writes down), `walk.py` and
`play.py` (how it is played backwards), `ops/` (the table of derivatives); `ops/common_run.py` and
`common_walk.py` say the same once more, for speed. TensorFlow's manners are around them:
`gradient_tape.py`, `variable.py`, `operators.py`. Below them is `ground/`. Everything here imports
NumPy and the standard library, nothing else.
"""
