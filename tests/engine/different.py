"""The recorded programs that minitape answers differently from TensorFlow, each with the reason."""

DIFFERENT = {}
