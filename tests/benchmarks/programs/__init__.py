"""The programs of the benchmark: `with_LIBRARY.py` for each library, which imports no other. Beside
them stand what they share, the numbers (`numbers.py`) and imports (`imports.py`), and minitape
without what explanations need (`cost.py`).

A program has one name in all of them. Calling it with its arguments builds it from the numbers of
`numbers.py` and returns a function without arguments: one run of it, forward and backward, which is
what is timed. What the run returns (a loss, gradients) is compared with what the others return: a
row of the table compares the same mathematics or says so.

*Lean* programs are bare operations on variables; those that end in `_layers` are made of the
library's layers, losses and optimizers, as most people write them.
"""
