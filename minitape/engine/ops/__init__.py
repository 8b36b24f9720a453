"""The table of derivatives, one file per family.

Each row names an operation, its NumPy kernel and one gradient rule per input. In the rules `g` is the adjoint of the
output `y`, and `a`, `b`, `x` are the inputs. Rules use operators and other rows of the table, so they work on bare
arrays and on recorded tensors alike. What was stretched by broadcasting is summed again in the walk, never here.
"""
