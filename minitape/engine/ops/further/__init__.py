"""The rest of the table of derivatives: the same kind of rows, of operations that are met later.

Networks (activations, convolution, pooling, normalisation), matrices (inverses, decompositions,
diagonals, einsum), complex numbers, special functions, sorting, running sums. These files may use
the evening's rows, never the other way round, and each is loaded when the first function that needs
it is.
"""
