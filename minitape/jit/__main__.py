"""`python -m minitape.jit` compiles every kernel into the cache and prints what they gain on this
machine.
"""

from . import status

if __name__ == "__main__":
    print(status())
