"""TensorFlow's functions, thin: they convert their arguments and call a row of the table of
derivatives.

One file per family. The names that a program uses stand in `minitape/__init__.py`,
`minitape/math.py` and their neighbours, which only re-export what is here; `tf.add` and
`tf.math.add` are the same object.
"""
