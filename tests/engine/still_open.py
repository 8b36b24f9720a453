"""Recorded answers that minitape does not give yet, in linear algebra, neural nets and keras: to be emptied.

A program that answers rightly again is simply taken out.
"""

OPEN = [
    "keras_layers/module-default-names",
    "keras_layers/module-name-scope",
]
